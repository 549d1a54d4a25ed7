// SPDX-License-Identifier: Apache-2.0

// Package testenv says which tests run where.
//
// `make quick` is `go test -short`: it needs only Go and ends within three minutes. A test that runs another
// program calls Tools, a test of many seconds calls Slow; both skip it there, and say so. A test with many cases takes
// as many as Pick says. `make test` runs them all. It installs the programs first.
package testenv

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"ply11/internal/pytools"
)

// gamesDir is where Debian has the chess programs. Not every PATH names it.
const gamesDir = "/usr/games/"

// Tools returns the paths of the programs that a test runs, in their order. It skips the test under -short, and where
// a program is not installed: `make test` installs what is missing before it starts, and fails if it cannot.
func Tools(tb testing.TB, programs ...string) []string {
	tb.Helper()
	if testing.Short() {
		tb.Skip("make quick runs Go alone: this test runs other programs")
	}
	paths := make([]string, len(programs))
	for i, program := range programs {
		path, err := Find(program)
		if err != nil {
			tb.Skipf("%s is not installed (make install-tools)", program)
		}
		paths[i] = path
	}
	return paths
}

// Find returns the path of a program, also of one of package pytools, or the error of exec.LookPath.
func Find(program string) (string, error) {
	path, err := exec.LookPath(program)
	if err != nil {
		if path, other := exec.LookPath(gamesDir + program); other == nil {
			return path, nil
		}
		if path, other := pytools.Find(program); other == nil {
			return path, nil
		}
	}
	return path, err
}

// Python returns the Python that has the packages of package pytools, or skips the test as Tools does.
func Python(tb testing.TB) string {
	tb.Helper()
	Tools(tb)
	path, err := pytools.Find("python")
	if err != nil {
		tb.Skip("the packages of internal/pytools are not installed (make install-tools)")
	}
	return path
}

// Self is the program of the test itself, to be run again, after what runs it: for another processor that is an
// emulator, which PLY11_EXEC names, as -exec of go test does. make long sets both.
func Self() []string {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return append(strings.Fields(os.Getenv("PLY11_EXEC")), self)
}

// Pick returns whole, or quick under -short: how much a test takes of what it could take, or by what steps it goes.
func Pick(whole, quick int) int {
	if testing.Short() {
		return quick
	}
	return whole
}

// First returns a list, or the first n of it under -short.
func First[T any](list []T, n int) []T {
	return list[:Pick(len(list), min(n, len(list)))]
}

// Slow skips a test that takes seconds under -short.
func Slow(tb testing.TB) {
	tb.Helper()
	if testing.Short() {
		tb.Skip("make quick leaves out what takes many seconds")
	}
}

// Must ends a test that cannot go on, because of an error.
func Must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
