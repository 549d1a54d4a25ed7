// SPDX-License-Identifier: Apache-2.0

// Package tempfile makes files that leave nothing behind, however the program ends, and gives a file its name when it
// is whole.
//
// On Linux such a file has no name at all until Publish (O_TMPFILE, linkat), so that not even kill -9 leaves it, but
// for one instant: a file that replaces another has a name of its own between two calls of the system, linkat and
// rename, since no call does both. What is left of a kill at that instant is whole, and the next file that is published
// under the same path takes it away. On other systems, and in file systems that cannot, a file has a name from its
// begin; RemoveAll removes those files, for a program that ends early.
package tempfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// File is a temporary file.
type File struct {
	*os.File
	name string // "" if it has none
}

// mu is held where files get and lose names. RemoveAll keeps it.
var (
	mu    sync.Mutex
	names = map[string]bool{}
)

// Named makes every file have a name from its begin. It is for tests.
var Named bool

// New makes a file in the folder of the system for such files.
func New() (*File, error) { return Beside(filepath.Join(os.TempDir(), "x")) }

// Beside makes a file in the folder in which path is, to be published there.
func Beside(path string) (*File, error) {
	dir := filepath.Dir(path)
	if !Named {
		f, err := unnamed(dir)
		if !errors.Is(err, errors.ErrUnsupported) {
			if err != nil {
				return nil, err
			}
			return &File{File: f}, nil
		}
	}
	return named(dir)
}

func named(dir string) (*File, error) {
	mu.Lock()
	defer mu.Unlock()
	f, err := os.CreateTemp(dir, ".ply11-*.tmp")
	if err != nil {
		return nil, err
	}
	names[f.Name()] = true
	return &File{f, f.Name()}, nil
}

// Close closes the file, and removes it if it was not published.
func (f *File) Close() error {
	mu.Lock()
	defer mu.Unlock()
	err := f.File.Close()
	f.drop()
	return err
}

func (f *File) drop() {
	if f.name != "" {
		os.Remove(f.name)
		delete(names, f.name)
		f.name = ""
	}
}

// Publish gives the file its name and closes it. Without replace it fails with fs.ErrExist if something has the name.
func (f *File) Publish(path string, replace bool) error {
	mu.Lock()
	defer mu.Unlock()
	err := f.publish(path, replace)
	f.drop()
	if bad := f.File.Close(); err == nil {
		err = bad
	}
	if err != nil {
		var at *os.LinkError
		if errors.As(err, &at) {
			err = &fs.PathError{Op: "write", Path: path, Err: at.Err}
		}
		return err
	}
	// The name is part of the folder, which must reach the disk, too.
	if d, err := os.Open(filepath.Dir(path)); err == nil {
		d.Sync()
		d.Close()
	}
	return nil
}

func (f *File) publish(path string, replace bool) error {
	switch {
	case f.name == "" && !replace:
		return link(f.File, path)
	case f.name == "":
		return f.replace(path)
	case replace:
		if err := os.Rename(f.name, path); err != nil {
			return err
		}
		delete(names, f.name)
		f.name = ""
		return nil
	}
	// A link fails where there is something. Some file systems have none: then an empty file takes the name, and is
	// replaced.
	err := os.Link(f.name, path)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	hold, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	hold.Close()
	if err := os.Rename(f.name, path); err != nil {
		os.Remove(path)
		return err
	}
	delete(names, f.name)
	f.name = ""
	return nil
}

// replace gives a nameless file the name of what is at path, by a link and a rename.
func (f *File) replace(path string) error {
	name, err := linkBeside(f.File, path)
	if err != nil {
		return err
	}
	if linked != nil {
		linked()
	}
	if err := os.Rename(name, path); err != nil {
		os.Remove(name)
		return err
	}
	return nil
}

// linked, if it is not nil, is called between the link and the rename of replace. It is for tests.
var linked func()

// RemoveAll removes the files that have names and are not published, and lets none be made or published any more: for a
// program that ends at once.
func RemoveAll() {
	mu.Lock()
	for name := range names {
		os.Remove(name)
	}
}
