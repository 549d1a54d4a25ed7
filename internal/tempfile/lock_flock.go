// SPDX-License-Identifier: Apache-2.0

//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package tempfile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// LockFile takes the lock of a file for as long as it is open. If another program has it, the error is ErrLocked. A
// file system without locks is no error.
func LockFile(f *os.File) error {
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); errors.Is(err, unix.EWOULDBLOCK) {
		return ErrLocked
	}
	return nil
}
