// SPDX-License-Identifier: Apache-2.0

package testenv

import (
	"fmt"
	"strings"
)

// StatusKiB returns the size of a name, in KiB, in the text of Linux's /proc/PID/status: "VmHWM" is the most memory
// that the process had. It is 0 where the text has no such name, as that of a process that has ended.
func StatusKiB(status, name string) (size int) {
	_, after, _ := strings.Cut(status, "\n"+name+":")
	fmt.Sscan(after, &size)
	return size
}
