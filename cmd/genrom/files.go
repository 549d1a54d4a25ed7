// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"ply11/internal/tempfile"
)

// writeFile writes a file whole or not at all, and makes the folders above it.
func writeFile(path string, data []byte) error {
	f, err := newOutput(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return publish(f, path, data)
}

// newOutput makes a temporary file beside path, to be published there, and the folders above it.
func newOutput(path string) (*tempfile.File, error) {
	if at, err := os.Stat(path); err == nil && at.IsDir() {
		return nil, inout(&fs.PathError{Op: "write", Path: path, Err: syscall.EISDIR})
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, inout(err)
	}
	f, err := tempfile.Beside(path)
	if err != nil {
		return nil, inout(err)
	}
	return f, nil
}

// publish writes data to a temporary file of newOutput, and gives it its name.
func publish(f *tempfile.File, path string, data []byte) error {
	if _, err := f.Write(data); err != nil {
		return inout(err)
	}
	// A temporary file is one that only the owner can read.
	if err := errors.Join(f.Chmod(0o644), f.Publish(path, true)); err != nil {
		return inout(err)
	}
	return nil
}
