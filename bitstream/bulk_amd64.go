// SPDX-License-Identifier: Apache-2.0

//go:build amd64 && !purego

package bitstream

import (
	"unsafe"

	"golang.org/x/sys/cpu"

	"ply11/moveindex"
)

// hasPDEP tells that the processor has PDEP and PEXT in hardware. AMD's families before 0x19 (Zen 3) have
// them in microcode, some hundred times slower.
var hasPDEP = cpu.X86.HasBMI2 && !slowPDEP()

func slowPDEP() bool {
	const amd = 0x68747541 // "Auth", of AuthenticAMD
	if _, vendor, _, _ := cpuid(0); vendor != amd {
		return false
	}
	version, _, _, _ := cpuid(1)
	return version>>8&15+version>>20&255 < 0x19
}

// unpackBulk unpacks whole groups of words and returns the number of words.
func unpackBulk(dst []moveindex.Index, src []byte, shift uint) int {
	if !hasPDEP {
		return unpackGo(dst, src, shift)
	}
	groups := len(dst) / groupWords
	if len(src) < 13 {
		return 0
	}
	groups = min(groups, (len(src)-13)/groupBytes+1)
	if groups <= 0 {
		return 0
	}
	unpackGroups((*uint16)(unsafe.Pointer(&dst[0])), &src[0], groups, uint64(shift&7))
	return groups * groupWords
}

// packBulk packs whole groups of words after the shift bits of carry; it returns the number of words
// and the bits that are left over.
func packBulk(dst []byte, words []moveindex.Index, shift uint, carry uint64) (int, uint64) {
	if !hasPDEP {
		return packGo(dst, words, shift, carry)
	}
	groups := min(len(words)/groupWords, len(dst)/groupBytes)
	if groups == 0 {
		return 0, carry
	}
	carry = packGroups(&dst[0], (*uint16)(unsafe.Pointer(&words[0])), groups, uint64(shift&7), carry)
	return groups * groupWords, carry
}
