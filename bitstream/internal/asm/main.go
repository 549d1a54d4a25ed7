// SPDX-License-Identifier: Apache-2.0

//go:build !quick

// Command asm generates bulk_amd64.s and its stub of package bitstream, with avo. It is not part of
// any program: run go generate in bitstream.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// lanes has eleven bits of each of four 16-bit lanes.
const lanes = 0x07ff07ff07ff07ff

func main() {
	ConstraintExpr("amd64,!purego")
	unpack()
	pack()
	cpuid()
	Generate()
}

// unpack makes unpackGroups: eight words are 88 bits, read as two times 44, and spread by PDEP.
func unpack() {
	TEXT("unpackGroups", NOSPLIT|NOFRAME, "func(dst *uint16, src *byte, groups int, shift uint64)")
	Doc("unpackGroups unpacks groups of 8 words from src, whose first shift bits (0..7) are skipped. It",
		"reads 13 bytes for a group, and goes on by 11.")
	dst, src := Load(Param("dst"), GP64()), Load(Param("src"), GP64())
	n := Load(Param("groups"), GP64())
	s := Load(Param("shift"), GP64())
	s4 := GP64()
	LEAQ(Mem{Base: s, Disp: 4}, s4)
	mask := GP64()
	MOVQ(U64(lanes), mask)
	group := func(i int) {
		a, b := GP64(), GP64()
		SHRXQ(s, Mem{Base: src, Disp: 11 * i}, a)
		SHRXQ(s4, Mem{Base: src, Disp: 11*i + 5}, b)
		PDEPQ(mask, a, a)
		PDEPQ(mask, b, b)
		MOVQ(a, Mem{Base: dst, Disp: 16 * i})
		MOVQ(b, Mem{Base: dst, Disp: 16*i + 8})
	}
	loops(n, group, func(i int) {
		ADDQ(I32(11*i), src)
		ADDQ(I32(16*i), dst)
	})
	RET()
}

// pack makes packGroups: PEXT gathers 44 bits of four words.
func pack() {
	TEXT("packGroups", NOSPLIT|NOFRAME, "func(dst *byte, src *uint16, groups int, shift uint64, carry uint64) uint64")
	Doc("packGroups packs groups of 8 words to dst, after the shift (0..7) bits of carry. It writes 11 bytes",
		"for a group, and returns the shift bits that are left.")
	dst, src := Load(Param("dst"), GP64()), Load(Param("src"), GP64())
	n := Load(Param("groups"), GP64())
	s := Load(Param("shift"), GP64())
	carry := Load(Param("carry"), GP64())
	up, down := GP64(), GP64()
	LEAQ(Mem{Base: s, Disp: 44}, up)
	MOVQ(U64(20), down)
	SUBQ(s, down)
	mask := GP64()
	MOVQ(U64(lanes), mask)
	group := func(i int) {
		a, b, low := GP64(), GP64(), GP64()
		MOVQ(Mem{Base: src, Disp: 16 * i}, a)
		PEXTQ(mask, a, a)
		MOVQ(Mem{Base: src, Disp: 16*i + 8}, b)
		PEXTQ(mask, b, b)
		SHLXQ(s, a, a)
		SHLXQ(up, b, low)
		SHRXQ(down, b, b)
		ORQ(carry, a)
		ORQ(low, a)
		MOVQ(a, Mem{Base: dst, Disp: 11 * i})
		MOVW(b.As16(), Mem{Base: dst, Disp: 11*i + 8})
		MOVQ(b, carry)
		SHRQ(U8(16), b)
		MOVB(b.As8(), Mem{Base: dst, Disp: 11*i + 10})
		SHRQ(U8(24), carry)
	}
	loops(n, group, func(i int) {
		ADDQ(I32(16*i), src)
		ADDQ(I32(11*i), dst)
	})
	Store(carry, ReturnIndex(0))
	RET()
}

// loops writes the loop over n groups, by four and then by one.
func loops(n reg.Register, group func(int), advance func(int)) {
	for _, by := range []int{4, 1} {
		top, end := "by4", "by1"
		if by == 1 {
			top, end = "one", "done"
		}
		Label(top)
		CMPQ(n, U8(by))
		JL(LabelRef(end))
		for i := range by {
			group(i)
		}
		advance(by)
		SUBQ(U8(by), n)
		JMP(LabelRef(top))
		Label(end)
	}
}

// cpuid makes cpuid, which tells the families whose PDEP is slow.
func cpuid() {
	TEXT("cpuid", NOSPLIT, "func(leaf uint32) (a, b, c, d uint32)")
	Doc("cpuid executes CPUID of the leaf, subleaf 0.")
	Load(Param("leaf"), reg.EAX)
	XORL(reg.ECX, reg.ECX)
	CPUID()
	Store(reg.EAX, Return("a"))
	Store(reg.EBX, Return("b"))
	Store(reg.ECX, Return("c"))
	Store(reg.EDX, Return("d"))
	RET()
}
