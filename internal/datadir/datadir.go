// SPDX-License-Identifier: Apache-2.0

// Package datadir finds the folder of real games, perft positions and label tables that the tests
// compare with. None of it belongs to the project; tests that want it skip, saying so, where it is
// absent.
package datadir

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// Env names the environment variable that holds the folder. Without it, ../shared/data beside the
// project's root is taken.
const Env = "PLY11_DATA"

// Dir returns the folder, and whether it exists.
func Dir() (string, bool) {
	dir := os.Getenv(Env)
	if dir == "" {
		_, self, _, _ := runtime.Caller(0)
		dir = filepath.Join(filepath.Dir(self), "..", "..", "..", "shared", "data")
	}
	info, err := os.Stat(dir)
	return dir, err == nil && info.IsDir()
}

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
