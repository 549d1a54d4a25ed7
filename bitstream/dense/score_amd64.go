// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package dense

import "golang.org/x/sys/cpu"

var hasVectors = cpu.X86.HasAVX2

// frequencies is frequenciesGo.
func (c *choice) frequencies(n int) uint64 {
	if hasVectors {
		return frequencies(&c.scores[0], n, &c.freq[0])
	}
	return c.frequenciesGo(n)
}

// frequencies sets the frequencies of count moves, at least one, from their scores. After them it writes 16 scores and
// up to 16 frequencies that mean nothing. It needs AVX2.
//
//go:noescape
func frequencies(scores *int16, count int, freq *uint32) (total uint64)
