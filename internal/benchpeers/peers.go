// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"ply11/internal/pytools"
	"ply11/internal/testenv"
)

// A peer is a program to run.
type peer struct {
	version string   // its name, too
	missing string   // how to get it, if it is not here
	command []string // and its first arguments
	env     []string
}

// findPeers finds the programs, and builds ply11 and its Python package. With install, pip and cargo make peers in the
// user's cache; without, Python is that of package pytools.
func (b *bencher) findPeers(install bool) error {
	mod, err := output("go", "env", "GOMOD")
	if err != nil {
		return err
	}
	root := filepath.Dir(mod)
	here := filepath.Join(root, "internal", "benchpeers")
	b.ply11.command = []string{filepath.Join(b.dir, "ply11")}
	if _, err := output("env", "CGO_ENABLED=0", "go", "build", "-C", root, "-o", b.ply11.command[0],
		"./cmd/ply11"); err != nil {
		return err
	}
	b.extract = debian("pgn-extract", "pgn-extract", "--version")
	b.xz = debian("xz", "xz-utils", "--version")
	b.zstd = debian("zstd", "zstd", "--version")
	b.scid = debian("tkscid", "scid", filepath.Join(here, "scid.tcl"), "version")
	b.scid.command = append(b.scid.command, filepath.Join(here, "scid.tcl"))

	cache, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	cache = filepath.Join(cache, "ply11", "peers")
	python, err := pytools.Find("python")
	manifest, _ := os.ReadFile(filepath.Join(here, "shakmaty", "Cargo.toml"))
	crates := regexp.MustCompile(`[a-z-]+ = "=[\d.]+`).FindAllString(string(manifest), -1)
	b.shakmaty = peer{version: strings.ReplaceAll(strings.Join(crates, " + "), ` = "=`, " "), missing: "make bench-peers"}
	if install {
		b.shakmaty.command = []string{filepath.Join(cache, "release", "peer")}
		b.shakmaty.missing = ""
		if _, err := output("cargo", "build", "--quiet", "--release", "--locked", "--target-dir", cache,
			"--manifest-path", filepath.Join(here, "shakmaty", "Cargo.toml")); err != nil {
			fmt.Fprintln(os.Stderr, "benchpeers:", err)
			b.shakmaty.missing = "cargo of Rust 1.95, and its registry"
		}
		python = filepath.Join(cache, "python", "bin", "python")
		_, err = output("sh", "-ec", `python3 -m venv "$1/python"
			"$1/python/bin/python" -m pip install -q --disable-pip-version-check --require-hashes -r "$2/requirements.txt"`,
			"sh", cache, here)
	}
	if err == nil { // with the options of setup.py
		_, err = output("sh", "-ec", `cd "$1"
			cp -r clients/python/src "$2"
			cp bitstream/dense/model1.bin.zst clients/c/ply11.h "$2/ply11"
			gcc -std=c99 -O3 -shared -fPIC "-I$2/ply11" clients/c/ply11.c clients/python/host.c -o "$2/ply11/_ply11.so"`,
			"sh", root, filepath.Join(b.dir, "python"))
	}
	b.python = peer{command: []string{python, "-B", filepath.Join(here, "peers.py")},
		env: []string{"PYTHONPATH=" + filepath.Join(b.dir, "python")}}
	if err != nil {
		fmt.Fprintln(os.Stderr, "benchpeers:", err)
		b.python.missing = "Python 3.11 with venv, gcc, and pip's registry"
	}
	b.chess, b.rust = b.python.of("chess"), b.python.of("rust_pgn_reader_python_binding")
	return nil
}

// of is Python with a package.
func (p peer) of(name string) peer {
	version, err := output(append(p.command, "version", name)...)
	if err != nil && p.missing == "" {
		p.missing = "pip install " + name
	}
	p.version = name + " " + version
	return p
}

// debian finds a program of one of Debian's packages. Its version is what it prints first.
func debian(name, pkg string, version ...string) (p peer) {
	path, err := testenv.Find(name)
	if err != nil {
		return peer{missing: "apt-get install " + pkg}
	}
	out, _ := output(append([]string{path}, version...)...)
	return peer{version: pkg + " " + regexp.MustCompile(`\d+[.-]\d[\d.]*`).FindString(out), command: []string{path}}
}

// output runs a command, and returns what it prints.
func output(line ...string) (string, error) {
	out, err := exec.Command(line[0], line[1:]...).CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s: %w: %s", strings.Join(line, " "), err, out)
	}
	return strings.TrimSpace(string(out)), err
}
