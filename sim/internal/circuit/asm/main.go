// SPDX-License-Identifier: Apache-2.0

//go:build !quick

// Command asm generates words_amd64.s and its stub of package circuit, with avo. It is not part of any program: run go
// generate in sim/internal/circuit.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("amd64,!purego")
	and()
	take()
	Generate()
}

// and makes and256.
func and() {
	TEXT("and256", NOSPLIT|NOFRAME, "func(v, out *uint64, gates *uint32, n int)")
	Doc("and256 is andGo for four words; n is 1 or more. The places in gates must be in v.")
	v, out, gates := Load(Param("v"), GP64()), Load(Param("out"), GP64()), Load(Param("gates"), GP64())
	loop(16, gates, out, func() {
		x := literal(v, gates, 0, 8)
		VPAND(literal(v, gates, 4, 12), x, x)
		VMOVDQU(x, Mem{Base: out})
	})
}

// take makes take256.
func take() {
	TEXT("take256", NOSPLIT|NOFRAME, "func(v, registers, next *uint64, enable *[4]uint64, sources *uint32, n int)")
	Doc("take256 is takeGo for four words; n is 1 or more. The places in sources must be in v.")
	v, registers, next := Load(Param("v"), GP64()), Load(Param("registers"), GP64()), Load(Param("next"), GP64())
	where, sources := Load(Param("enable"), GP64()), Load(Param("sources"), GP64())
	enable := YMM()
	VMOVDQU(Mem{Base: where}, enable)
	loop(8, sources, next, func() {
		x, old := literal(v, sources, 0, 4), YMM()
		VMOVDQU(Mem{Base: registers}, old)
		VPXOR(old, x, x)
		VPAND(enable, x, x)
		VPXOR(old, x, x)
		VMOVDQU(x, Mem{Base: next})
		ADDQ(I32(32), registers)
	})
}

// literal reads a variable whose place is at an offset from list, and inverts it if what is at another one says so.
func literal(v, list reg.Register, place, invert int) reg.VecVirtual {
	at, x := GP32(), YMM()
	MOVL(Mem{Base: list, Disp: place}, at)
	VPBROADCASTD(Mem{Base: list, Disp: invert}, x)
	VPXOR(Mem{Base: v, Index: at.As64(), Scale: 1}, x, x)
	return x
}

// loop runs n times, and goes on by size bytes of list, and 32 of out.
func loop(size int, list, out reg.Register, body func()) {
	n := Load(Param("n"), GP64())
	Label("loop")
	body()
	ADDQ(I32(size), list)
	ADDQ(I32(32), out)
	DECQ(n)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}
