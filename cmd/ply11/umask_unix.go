// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main

import (
	"io/fs"
	"syscall"
)

// umask returns the process's mask of permissions.
func umask() fs.FileMode {
	m := syscall.Umask(0o077)
	syscall.Umask(m)
	return fs.FileMode(m)
}
