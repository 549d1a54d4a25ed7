// SPDX-License-Identifier: Apache-2.0

//go:build amd64 && !purego

package dense

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// hasVBMI2 tells that the processor has the instructions that permute and compress bytes in vectors of 64:
// Intel's since Ice Lake, AMD's since Zen 4.
var hasVBMI2 = cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VBMI && cpu.X86.HasAVX512VBMI2 &&
	cpu.X86.HasBMI2 && cpu.X86.HasPOPCNT

// set lists the moves of the position that f is of, and their frequencies. The moves are in the order
// of position.LegalTargets: by man, a man's by target, a promotion's by knight, bishop, rook, queen; then
// comes the null move.
func (c *choice) set(f *frame, w *[numWeights]int8) {
	if !hasVBMI2 || f.promotes {
		c.setGo(f, w)
		return
	}
	t := &f.targets
	n, total := frequenciesVBMI2((*uint64)(unsafe.Pointer(&f.view)), (*byte)(unsafe.Pointer(&t.Men)), t.N, &w[0],
		(*uint16)(&c.moves[0]), &c.scores[0], &c.freq[0])
	if n == 0 {
		total = 0
	}
	c.end(n, total)
}
