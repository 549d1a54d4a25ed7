// SPDX-License-Identifier: Apache-2.0

// Package datadir finds the folder of real games, perft positions and label tables that the tests
// compare with. None of it belongs to the project.
//
// Where it is absent, Open gives the project's own games of testdata/samples instead, so that each feature is tested in
// any clone. A test that compares with what others have made calls Path, and skips, saying so.
package datadir

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// Env names the environment variable that holds the folder. Without it, ../shared/data beside the
// project's root is taken.
const Env = "PLY11_DATA"

// Dir returns the folder, and whether it exists.
func Dir() (string, bool) {
	dir := os.Getenv(Env)
	if dir == "" {
		dir = filepath.Join(root, "..", "shared", "data")
	}
	info, err := os.Stat(dir)
	return dir, err == nil && info.IsDir()
}

// root is the project's folder: the nearest one above the test's own, where it began, that has the samples. The path
// of this source file would not do: a test built with -trimpath does not know it.
var root = func() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "testdata", "samples")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}()

// large is the size in bytes from which a file costs a test seconds.
const large = 500_000

// Path returns the path of a file in the folder, given by its parts below it, and skips the test,
// saying why, where the folder or the file is absent. Under -short (make quick) it skips large files, too.
func Path(tb testing.TB, parts ...string) string {
	tb.Helper()
	dir, ok := Dir()
	if !ok {
		tb.Skipf("the folder of real data is absent (set %s)", Env)
	}
	path := filepath.Join(append([]string{dir}, parts...)...)
	info, err := os.Stat(path)
	if err != nil {
		tb.Skipf("no %s in the folder of real data (set %s)", filepath.Join(parts...), Env)
	}
	if testing.Short() && !info.IsDir() && info.Size() >= large {
		tb.Skip("make quick leaves out the large files of the folder of real data")
	}
	return path
}

// Sample returns the path of one of the project's own files of games; package samples names them.
func Sample(name string) string { return filepath.Join(root, "testdata", "samples", name) }

// Open opens a file of games of the folder of real data, given by its parts below it, decompressed. Where it is
// absent, or large and -short (make quick), Open opens the sample of that name instead, and real is false: then
// the test has fewer games, and must not ask for the counts of the real file.
func Open(tb testing.TB, sample string, parts ...string) (r io.Reader, real bool) {
	tb.Helper()
	// Always, so that a name that is none fails also where the real file is.
	if info, err := os.Stat(Sample(sample)); err != nil || !info.Mode().IsRegular() {
		tb.Fatalf("testdata/samples has no file %q", sample)
	}
	path, real := PathOr(sample, parts...)
	f, err := os.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { f.Close() })
	if !strings.HasSuffix(path, ".zst") {
		return f, real
	}
	z, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(z.Close)
	return z, real
}

// PathOr returns the path of the file that Open opens, and whether it is the real one.
func PathOr(sample string, parts ...string) (path string, real bool) {
	if dir, ok := Dir(); ok {
		p := filepath.Join(append([]string{dir}, parts...)...)
		if info, err := os.Stat(p); err == nil && !(testing.Short() && info.Size() >= large) {
			return p, true
		}
	}
	return Sample(sample), false
}

// ReadAll reads what Open opens.
func ReadAll(tb testing.TB, sample string, parts ...string) (text []byte, real bool) {
	tb.Helper()
	r, real := Open(tb, sample, parts...)
	text, err := io.ReadAll(r)
	if err != nil {
		tb.Fatal(err)
	}
	return text, real
}
