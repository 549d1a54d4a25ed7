// SPDX-License-Identifier: Apache-2.0

//go:build unix

package cputime

import (
	"syscall"
	"time"
)

// Now returns the processor time, user and system, of all threads of this process so far.
func Now() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // the arguments are right: the kernel cannot refuse them
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
