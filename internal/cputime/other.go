// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package cputime

import "time"

var began = time.Now()

// Now returns the time since the process began: no better is to be had.
func Now() time.Duration { return time.Since(began) }
