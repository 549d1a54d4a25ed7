# SPDX-License-Identifier: Apache-2.0
"""Builds the core in C as a plain shared library, which ctypes loads: it needs no headers of Python, so one wheel serves all versions."""
import os
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext

here = os.path.dirname(os.path.abspath(__file__))

# The core and the model of dense moves are elsewhere in the project; a source distribution has its own copies.
package = os.path.join(here, "src", "ply11")
os.makedirs(os.path.join(here, "csrc"), exist_ok=True)
for path, folder in (("c/ply11.c", "csrc"), ("c/ply11.h", package), ("../bitstream/dense/model1.bin.zst", package)):
    source = os.path.join(here, os.pardir, path)
    if os.path.exists(source):
        shutil.copy(source, os.path.join(here, folder))


windows = os.environ.get("GOOS", sys.platform) in ("windows", "win32")


class build_library(build_ext):
    def build_extension(self, ext):
        if "PLY11_CC" not in os.environ:
            return super().build_extension(ext)
        # A compiler for the system of GOOS. The file has the name by which it is called.
        folder, name = os.path.split(os.path.abspath(self.get_ext_fullpath(ext.name)))
        os.makedirs(folder, exist_ok=True)
        sources = [os.path.join(here, s) for s in ext.sources]
        subprocess.check_call([*os.environ["PLY11_CC"].split(), "-shared", "-O3", "-std=c99", "-s", "-I" + package, *sources, "-o", name], cwd=folder)
        if windows:
            os.remove(os.path.join(folder, "ply11.lib"))

    def run(self):
        super().run()
        # The program that reads PGN, if there is Go to build it, and the project around this folder.
        root = os.path.join(here, os.pardir, os.pardir)
        if shutil.which("go") and os.path.isdir(os.path.join(root, "cmd", "ply11")):
            to = os.path.join(os.path.dirname(os.path.abspath(self.get_ext_fullpath("ply11._ply11"))), "ply11.exe" if windows else "ply11")
            subprocess.check_call(["go", "build", "-trimpath", "-ldflags=-s -w", "-o", to, "./cmd/ply11"], cwd=root, env={**os.environ, "CGO_ENABLED": "0"})

    def get_ext_filename(self, fullname):
        return os.path.join(*fullname.split(".")) + (".dll" if windows else ".so")

    def get_export_symbols(self, ext):
        return ext.export_symbols


class wheel(bdist_wheel):
    def get_tag(self):
        # The library asks for no version of the C library above 2.14; a test holds it to that.
        platform = super().get_tag()[2]
        return "py3", "none", platform.replace("linux_", "manylinux_2_17_") if platform.startswith("linux_") else platform


setup(
    ext_modules=[Extension("ply11._ply11", ["csrc/ply11.c", "host.c"], include_dirs=["src/ply11"], extra_compile_args=[] if sys.platform == "win32" else ["-std=c99", "-O3"])],
    cmdclass={"build_ext": build_library, "bdist_wheel": wheel},
)
