// SPDX-License-Identifier: Apache-2.0

// Package cputime tells the processor time that this process has taken: what a benchmark on a machine
// with other work to do can be measured by.
//
//	start := cputime.Now()
//	work()
//	took := cputime.Now() - start
package cputime
