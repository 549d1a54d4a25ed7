// SPDX-License-Identifier: Apache-2.0

// Package tempfile makes files that leave nothing behind, however the program ends, and gives a file its name when it is
// whole.
//
// On Linux such a file has no name at all until Publish (O_TMPFILE, linkat), so that not even kill -9 leaves it. On
// other systems, and in file systems that cannot, it has a name from its begin; RemoveAll removes those files, for a
// program that ends early.
package tempfile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
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

// Named makes every file have a name from its begin, as it is where the system has no other. It is for tests.
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

// named makes a file that has a name.
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

// drop removes the file's name.
func (f *File) drop() {
	if f.name != "" {
		os.Remove(f.name)
		delete(names, f.name)
		f.name = ""
	}
}

// Publish gives the file its name and closes it. Without replace it fails with fs.ErrExist if there is something of the
// name, whoever made it and when.
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
		// What is there is replaced at once by a rename, which takes a name.
		for range 100 {
			name := filepath.Join(filepath.Dir(path), fmt.Sprintf(".ply11-%08x.tmp", rand.Uint32()))
			err := link(f.File, name)
			if errors.Is(err, fs.ErrExist) {
				continue
			}
			if err != nil {
				return err
			}
			f.name = name
			break
		}
		if f.name == "" {
			return &fs.PathError{Op: "write", Path: path, Err: errors.New("no temporary name is free")}
		}
		fallthrough
	case replace:
		if err := os.Rename(f.name, path); err != nil {
			return err
		}
		delete(names, f.name)
		f.name = ""
		return nil
	}
	// A link fails where there is something. Some file systems have none: then the name is taken first, by an empty
	// file, and that is replaced.
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

// RemoveAll removes the files that have names and are not published, and lets none be made or published any more: for a
// program that ends at once.
func RemoveAll() {
	mu.Lock()
	for name := range names {
		os.Remove(name)
	}
}
