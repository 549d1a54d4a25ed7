// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package dense

import "time"

var processStart = time.Now()

// cpuTime stands in where the system does not tell: the time since the process began.
func cpuTime() time.Duration { return time.Since(processStart) }
