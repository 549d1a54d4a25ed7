// SPDX-License-Identifier: Apache-2.0

// Package sums is how vectors and benches add up outputs of many clocks, so that a line of a file stands for all of them.
package sums

// Mix adds a word to a sum, as the function mix of the benches does.
func Mix(sum *uint32, word uint32) { *sum = (*sum<<5 | *sum>>27 ^ word) * 0x9e3779b1 }

// Bit is a signal as a number.
func Bit(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}
