# SPDX-License-Identifier: Apache-2.0
"""The program ply11, which reads PGN, makes indexes and searches: that of the package, or else the one in PATH."""
from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import Union

from ._board import Error
from ._core import FOLDER

Path = Union[str, "os.PathLike[str]"]
_BUNDLED = os.path.join(FOLDER, "ply11.exe" if sys.platform == "win32" else "ply11")


class ProgramError(Error):
    """What the program ply11 refused. ``status`` is its exit code."""

    def __init__(self, status: int, what: str):
        ValueError.__init__(self, what)
        self.status, self.at = status, None


def _program(but: str = "") -> str:
    program = _BUNDLED if os.path.exists(_BUNDLED) else shutil.which("ply11", path=os.pathsep.join(p for p in os.get_exec_path() if p != but))
    if program is None:
        raise FileNotFoundError("the package was built without Go and has no program ply11: install Go and the package again, or put ply11 in PATH")
    return program


def main() -> int:
    """The command ply11: that of the package, or another than this script."""
    command = [_program(os.path.dirname(sys.argv[0])), *sys.argv[1:]]
    if sys.platform != "win32":
        os.execv(command[0], command)
    return subprocess.call(command)


def run(*arguments: str, nothing: int = 0) -> str:
    """What the program prints. The exit code ``nothing`` is no error."""
    done = subprocess.run([_program(), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", errors="replace")
    if done.returncode not in (0, nothing):
        raise ProgramError(done.returncode, done.stderr.strip().rpartition("ply11: ")[2])
    return done.stdout


def pack(source: Path, target: Path, *, dense: bool = False, force: bool = False) -> None:
    """Packs a PGN file, also compressed, into an archive; ``dense``: with moves in about three bits. A file that is there is a ProgramError, but for ``force``, which replaces it."""
    run("pack", "--quiet", f"--dense={dense}", f"--force={force}", "--output", os.path.abspath(target), os.path.abspath(source))


def index(path: Path, *, force: bool = False) -> None:
    """Makes the index of an archive, which ``tree`` and ``find`` read, or adds games that were added to the archive; ``force`` makes it again."""
    run("index", "--quiet", "--force" if force else "--update", os.path.abspath(path))
