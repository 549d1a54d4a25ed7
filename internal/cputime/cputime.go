// SPDX-License-Identifier: Apache-2.0

// Package cputime tells the processor time that this process has taken. A benchmark uses it on a machine that
// also does other work.
//
//	start := cputime.Now()
//	work()
//	took := cputime.Now() - start
package cputime
