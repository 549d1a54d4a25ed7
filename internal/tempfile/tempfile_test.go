// SPDX-License-Identifier: Apache-2.0

package tempfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// both runs a test with files of both kinds.
func both(t *testing.T, do func(t *testing.T, dir string)) {
	for _, Named = range []bool{false, true} {
		t.Run(map[bool]string{false: "as the system has it", true: "named"}[Named], func(t *testing.T) {
			do(t, t.TempDir())
		})
	}
	Named = false
}

func list(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

func TestPublish(t *testing.T) {
	both(t, func(t *testing.T, dir string) {
		make := func(path, text string) *File {
			f, err := Beside(path)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.WriteString(text); err != nil {
				t.Fatal(err)
			}
			return f
		}
		path := filepath.Join(dir, strings.Repeat("n", 255)) // the longest name that there is
		a, b, c, d := make(path, "a"), make(path, "b"), make(path, "c"), make(path, "d")
		if err := a.Publish(path, false); err != nil {
			t.Fatal(err)
		}
		if err := b.Publish(path, false); !errors.Is(err, fs.ErrExist) {
			t.Errorf("the second of the name: %v", err)
		}
		if got, _ := os.ReadFile(path); string(got) != "a" {
			t.Errorf("the first is replaced by %q", got)
		}
		if err := c.Publish(path, true); err != nil {
			t.Error(err)
		}
		if got, _ := os.ReadFile(path); string(got) != "c" {
			t.Errorf("it is not replaced, but %q", got)
		}
		d.Close()
		if got := list(t, dir); got != filepath.Base(path) {
			t.Errorf("there is %q", got)
		}
		if err := make(path, "e").Publish(filepath.Join(dir, "no", "x"), false); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("into no folder: %v", err)
		}
		if _, err := Beside(filepath.Join(dir, "no", "x")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("in no folder: %v", err)
		}
	})
}

// withoutName makes a file that has no name. The test is skipped where there are none.
func withoutName(t *testing.T, dir, text string) *File {
	t.Helper()
	f, err := unnamed(dir)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip("this file system has no files without a name")
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	return &File{File: f}
}

// A file that has no name is gone with the program, however that ends.
func TestUnnamed(t *testing.T) {
	dir := t.TempDir()
	defer withoutName(t, dir, "").Close()
	if got := list(t, dir); got != "" {
		t.Errorf("there is %q", got)
	}
}

// TestReplaceKilled: a program that is killed between the link and the rename leaves a file, and the next that is
// published under the path takes it away.
func TestReplaceKilled(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x")
	publish := func(text string) error { return withoutName(t, dir, text).Publish(path, true) }
	defer func() { linked = nil }()
	publish("old")
	linked = func() { panic("killed") }
	func() {
		defer func() { recover() }()
		f := withoutName(t, dir, "cut")
		defer f.Close() // as the system does
		f.replace(path)
	}()
	if got := list(t, dir); !strings.HasSuffix(got, ".tmp x") {
		t.Fatalf("after the kill there is %q", got)
	}
	linked = nil
	if err := publish("new"); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(path); list(t, dir) != "x" || string(text) != "new" {
		t.Errorf("there is %q, which says %q", list(t, dir), text)
	}
}

// TestReplaceTwice: of two programs that replace the same file at the same time, both succeed, and the file is the last
// one's.
func TestReplaceTwice(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x")
	replace := func(text string) {
		f := withoutName(t, dir, text)
		defer f.Close()
		if err := f.replace(path); err != nil {
			t.Fatal(err)
		}
	}
	defer func() { linked = nil }()
	linked = func() {
		linked = nil
		replace("b")
	}
	replace("a")
	if text, _ := os.ReadFile(path); list(t, dir) != "x" || string(text) != "a" {
		t.Errorf("there is %q, which says %q", list(t, dir), text)
	}
}

// Afterwards nothing more can be done here, so this is the last test.
func TestXRemoveAll(t *testing.T) {
	Named = true
	dir := t.TempDir()
	if _, err := Beside(filepath.Join(dir, "x")); err != nil {
		t.Fatal(err)
	}
	RemoveAll()
	if got := list(t, dir); got != "" {
		t.Errorf("there is still %q", got)
	}
}
