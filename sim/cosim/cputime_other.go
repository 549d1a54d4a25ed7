// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package cosim

import "time"

var started = time.Now()

// threadTime returns a time that goes on where that of a thread is not to be had.
func threadTime() time.Duration { return time.Since(started) }
