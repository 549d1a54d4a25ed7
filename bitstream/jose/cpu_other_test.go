// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package jose

import "time"

var began = time.Now()

// cpuTime returns the time since the process began: no better is to be had.
func cpuTime() time.Duration { return time.Since(began) }
