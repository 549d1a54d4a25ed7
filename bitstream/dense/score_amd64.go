// SPDX-License-Identifier: Apache-2.0

//go:build amd64 && !purego

package dense

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// What the processor has. VBMI2 are the instructions that permute and compress bytes in vectors of 64: Intel's
// servers have them since Ice Lake, AMD's processors since Zen 4. AVX2 has all that was made since 2015.
var (
	hasAVX2  = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2
	hasVBMI2 = hasAVX2 && cpu.X86.HasPOPCNT && cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW &&
		cpu.X86.HasAVX512VBMI && cpu.X86.HasAVX512VBMI2
)

// set lists the moves of the position that f is of, and their frequencies. The moves are in the order
// of position.Targets: by man, a man's by target, a promotion's by knight, bishop, rook, queen; then
// comes the null move.
func (c *choice) set(f *frame, w *[numWeights]int8) {
	v, men, n := (*uint64)(unsafe.Pointer(&f.view)), (*byte)(unsafe.Pointer(&f.targets.Men)), f.targets.N
	moves := (*uint16)(&c.moves[0])
	var count int
	var total uint64
	switch {
	case f.promotes || n == 0:
		c.setGo(f, w)
		return
	case hasVBMI2:
		count, total = frequenciesVBMI2(v, men, n, &w[0], moves, &c.scores[0], &c.freq[0])
	case hasAVX2:
		count, total = frequenciesAVX2(v, men, n, &w[0], moves, &c.scores[0], &c.freq[0])
	default:
		c.setGo(f, w)
		return
	}
	c.end(count, total)
}
