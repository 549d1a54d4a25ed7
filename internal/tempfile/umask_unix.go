// SPDX-License-Identifier: Apache-2.0

//go:build unix

package tempfile

import (
	"io/fs"
	"sync"
	"syscall"
)

// Umask returns the process's mask of permissions: a file of this package is for the user alone until it is given
// another mode.
var Umask = sync.OnceValue(func() fs.FileMode {
	m := syscall.Umask(0o077) // to ask is to set
	syscall.Umask(m)
	return fs.FileMode(m)
})
