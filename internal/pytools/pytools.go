// SPDX-License-Identifier: Apache-2.0

// Package pytools finds the programs of Python's packages with which the hardware is placed, simulated and linted, and
// data sets are read. They are in a virtual environment in the user's cache, whose name tells the versions:
// .ci/install-tools makes it of requirements.txt.
package pytools

import (
	"crypto/sha256"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

//go:embed requirements.txt
var requirements []byte

// Dir returns the folder of the virtual environment, which need not be there.
func Dir() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(cache, "ply11", fmt.Sprintf("pytools-%.6x", sha256.Sum256(requirements))), nil
}

// Find returns the path of a program of the virtual environment, if that is whole.
func Find(program string) (string, error) {
	dir, err := Dir()
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(filepath.Join(dir, "complete")); err != nil {
		return "", err
	}
	return exec.LookPath(filepath.Join(dir, "bin", program))
}
