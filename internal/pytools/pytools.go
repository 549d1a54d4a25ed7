// SPDX-License-Identifier: Apache-2.0

// Package pytools finds the programs of Python's and npm's packages with which the hardware is placed, simulated and
// linted, data sets are read, and the project's own packages are checked and bundled. They are in folders of the user's
// cache, whose names tell the versions: .ci/install-tools makes them of requirements.txt and package-lock.json.
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

//go:embed package-lock.json
var lock []byte

// Dir returns the folder of the virtual environment, which need not be there.
func Dir() (string, error) { return folder("pytools", requirements) }

func folder(name string, versions []byte) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(cache, "ply11", fmt.Sprintf("%s-%.6x", name, sha256.Sum256(versions))), nil
}

// Find returns the path of a program of the virtual environment, if that is whole.
func Find(program string) (string, error) {
	dir, err := Dir()
	return find(dir, err, "bin", program)
}

// FindNPM returns the path of a program of npm's packages, if these are whole.
func FindNPM(program string) (string, error) {
	dir, err := folder("npmtools", lock)
	return find(dir, err, filepath.Join("node_modules", ".bin"), program)
}

func find(dir string, err error, bin, program string) (string, error) {
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(filepath.Join(dir, "complete")); err != nil {
		return "", err
	}
	return exec.LookPath(filepath.Join(dir, bin, program))
}
