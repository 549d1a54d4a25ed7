// SPDX-License-Identifier: Apache-2.0

package tempfile

import (
	"errors"
	"os"
)

// ErrLocked: another program has the lock.
var ErrLocked = errors.New("another command writes there at the moment")

// Lock makes and locks an empty file; unlock removes it. If another program has the lock, the error is ErrLocked. The
// lock is the system's (flock), so that a killed program does not lock out the next. Between two computers it does what
// the file system does.
func Lock(path string) (unlock func(), err error) {
	for {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o666)
		if err != nil {
			return nil, err
		}
		if err := LockFile(f); err != nil {
			f.Close()
			return nil, err
		}
		// another program may have removed the file before this one had its lock
		mine, err := f.Stat()
		if now, bad := os.Stat(path); err != nil || bad != nil || !os.SameFile(mine, now) {
			f.Close()
			if err != nil {
				return nil, err
			}
			continue
		}
		mu.Lock()
		names[path] = true
		mu.Unlock()
		return func() {
			mu.Lock()
			defer mu.Unlock()
			delete(names, path)
			os.Remove(path) // and then the lock is given back
			f.Close()
		}, nil
	}
}
