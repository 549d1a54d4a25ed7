// SPDX-License-Identifier: Apache-2.0

//go:build unix

package brenner

import (
	"syscall"
	"time"
)

// cpuTime returns the processor time, user and system, that the process has taken: what a benchmark on a machine
// with other work to do can be measured by.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
