// SPDX-License-Identifier: Apache-2.0

package tempfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

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

// link gives an unnamed file a name that is free.
func link(f *os.File, path string) error {
	err := unix.Linkat(unix.AT_FDCWD, procName(f), unix.AT_FDCWD, path, unix.AT_SYMLINK_FOLLOW)
	if err != nil {
		return &os.LinkError{Op: "link", Old: f.Name(), New: path, Err: err}
	}
	return nil
}
