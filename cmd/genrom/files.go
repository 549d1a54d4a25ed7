// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"os"
	"path/filepath"
)

// writeFile writes a file whole or not at all: to a temporary file beside it, which is then renamed.
// Folders above it are made.
func writeFile(path string, data []byte) (err error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return inout(err)
	}
	f, err := os.CreateTemp(dir, "."+filepath.Base(path)+".*")
	if err != nil {
		return inout(err)
	}
	defer func() {
		if err != nil {
			err = inout(errors.Join(err, os.Remove(f.Name())))
		}
	}()
	_, err = f.Write(data)
	// CreateTemp makes files that only the owner can read.
	err = errors.Join(err, f.Chmod(0o644), f.Close())
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
