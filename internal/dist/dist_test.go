// SPDX-License-Identifier: Apache-2.0

package main

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ply11/bitstream/archive"
	"ply11/internal/testenv"
	"ply11/query/index"
)

// makeParts makes parts of the latest commit, and returns the folder.
func makeParts(t *testing.T, only string) string {
	t.Helper()
	if exec.Command("git", "rev-parse", "HEAD").Run() != nil {
		t.Skip("this is no clone of the repository, so there is no commit")
	}
	out := filepath.Join(t.TempDir(), "dist")
	if err := run(context.Background(), out, only); err != nil {
		t.Fatal(err)
	}
	return out
}

// find returns the only file of a pattern.
func find(t *testing.T, pattern string) string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) != 1 {
		t.Fatalf("%s: %v, %v", pattern, files, err)
	}
	return files[0]
}

// TestVerilog unpacks the Verilog that is handed out, and has a simulator build modules of it by the lists of files
// that stand beside them.
func TestVerilog(t *testing.T) {
	iverilog := testenv.Tools(t, "iverilog")[0]
	out := makeParts(t, "^verilog$")
	dir := t.TempDir()
	z, err := zip.OpenReader(find(t, filepath.Join(out, "ply11-verilog-*.zip")))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	if err := os.CopyFS(dir, z); err != nil {
		t.Fatal(err)
	}
	lists, err := filepath.Glob(filepath.Join(dir, "*", "rtl", "*.f"))
	if err != nil || len(lists) == 0 {
		t.Fatalf("%v, %v", lists, err)
	}
	for _, list := range lists {
		cmd := exec.Command(iverilog, "-g2005", "-f", list, "-o", filepath.Join(dir, "out"))
		cmd.Dir = filepath.Dir(filepath.Dir(list))
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", filepath.Base(list), err, text)
		}
	}
}

// TestEmptyFolder: what stands in the folder is not mixed with what is made.
func TestEmptyFolder(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "old"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := run(context.Background(), dir, ""); err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Errorf("%v", err)
	}
}

// TestVersions: the packages of all languages have one version.
func TestVersions(t *testing.T) {
	if _, err := packageVersion("../.."); err != nil {
		t.Error(err)
	}
	other := t.TempDir()
	for file, text := range map[string]string{"clients/python/pyproject.toml": "version = \"0.1.0\"\n",
		"clients/rust/Cargo.toml": "version = \"0.2.0\"\n"} {
		path := filepath.Join(other, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := packageVersion(other); err == nil ||
		!strings.Contains(err.Error(), "Cargo.toml has version 0.2.0, the others 0.1.0") {
		t.Errorf("%v", err)
	}
}

// TestMagic: file(1) knows an archive and a tree file, where it is installed.
func TestMagic(t *testing.T) {
	file := testenv.Tools(t, "file")[0]
	path := filepath.Join(t.TempDir(), "x")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := archive.Pack(t.Context(), f, strings.NewReader("1. e4 *\n")); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	tree := path + "t"
	var made bytes.Buffer
	_, err = index.MergeTrees(t.Context(), &made, nil, index.TreeOptions{Temp: tree})
	if err := errors.Join(err, os.WriteFile(tree, made.Bytes(), 0o666)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ flag, path, want string }{{"-b", path, "ply11 archive of chess games, version 1"},
		{"-bi", path, "application/x-ply11; charset=binary"},
		{"-b", tree, "ply11 tree file of chess positions, version 1, 0 games"}} {
		text, err := exec.Command(file, c.flag, "-m", "ply11.magic", c.path).CombinedOutput()
		if got := strings.TrimSpace(string(text)); err != nil || got != c.want {
			t.Errorf("%q, %v, want %q", got, err, c.want)
		}
	}
}
