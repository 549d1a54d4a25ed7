// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"ply11/game/decompress"
	"ply11/internal/tempfile"
)

// openFile opens a file, or standard input for "-".
func openFile(name string, stdin io.Reader) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(stdin), nil
	}
	return os.Open(name)
}

type unpacked struct {
	*decompress.Reader
	file io.Closer
}

// Close closes the file.
func (f *unpacked) Close() error {
	f.Reader.Close()
	return f.file.Close()
}

func unpack(name string, f io.ReadCloser) (*unpacked, error) {
	r, err := decompress.New(bufio.NewReaderSize(f, 64<<10), decompress.Named(name), true)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", name, err), f.Close())
	}
	return &unpacked{r, f}, nil
}

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
		return nil, &fs.PathError{Op: "write", Path: path, Err: syscall.EISDIR}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	return tempfile.Beside(path)
}

// publish writes data to a temporary file of newOutput, and gives it its name.
func publish(f *tempfile.File, path string, data []byte) error {
	if _, err := f.Write(data); err != nil {
		return err
	}
	// A temporary file is one that only the owner can read.
	return errors.Join(f.Chmod(0o644), f.Publish(path, true))
}
