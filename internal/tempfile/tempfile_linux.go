// SPDX-License-Identifier: Apache-2.0

package tempfile

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// unnamed opens a file without a name. It fails with errors.ErrUnsupported where the file system has none.
func unnamed(dir string) (*os.File, error) {
	for {
		fd, err := unix.Open(dir, unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
		switch err {
		case nil:
			f := os.NewFile(uintptr(fd), dir)
			if _, err := os.Lstat(procName(f)); err != nil {
				f.Close() // without /proc it could not be published
				return nil, errors.ErrUnsupported
			}
			return f, nil
		case unix.EINTR:
		case unix.EOPNOTSUPP, unix.EISDIR, unix.EINVAL:
			return nil, errors.ErrUnsupported
		default:
			return nil, &fs.PathError{Op: "write", Path: dir, Err: err}
		}
	}
}

func procName(f *os.File) string { return fmt.Sprintf("/proc/self/fd/%d", f.Fd()) }

// link gives a nameless file a name that is free.
func link(f *os.File, path string) error {
	err := unix.Linkat(unix.AT_FDCWD, procName(f), unix.AT_FDCWD, path, unix.AT_SYMLINK_FOLLOW)
	if err != nil {
		return &os.LinkError{Op: "link", Old: f.Name(), New: path, Err: err}
	}
	return nil
}

// linkBeside gives a nameless file a name beside path, for a rename to path. The name depends on path alone, so that
// what a killed program left is found and removed here. A program that runs locks its file; then this one gets another
// name.
func linkBeside(f *os.File, path string) (string, error) {
	unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) // where it is not possible, left is false
	sum := sha256.Sum256([]byte(filepath.Base(path)))
	name := filepath.Join(filepath.Dir(path), fmt.Sprintf(".ply11-%x.tmp", sum[:8]))
	if left(name) {
		os.Remove(name)
	}
	for range 100 {
		err := link(f, name)
		if !errors.Is(err, fs.ErrExist) {
			return name, err
		}
		name = filepath.Join(filepath.Dir(path), fmt.Sprintf(".ply11-%016x.tmp", rand.Uint64()))
	}
	return "", &fs.PathError{Op: "write", Path: path, Err: errors.New("no temporary name is free")}
}

// left reports whether the file of a name is nobody's any more.
func left(name string) bool {
	f, err := os.OpenFile(name, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	if unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil {
		return false
	}
	locked, err := f.Stat()
	now, err2 := os.Lstat(name)
	return err == nil && err2 == nil && os.SameFile(locked, now)
}
