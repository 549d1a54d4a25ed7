// SPDX-License-Identifier: Apache-2.0

//go:build !quick

// Command asm generates words_amd64.s and its stub of package circuit, with avo. It is not part of any program: run go generate in
// sim/internal/circuit.
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
	changes()
	Generate()
}

// and makes and256.
func and() {
	TEXT("and256", NOSPLIT|NOFRAME, "func(v *uint64, list *uint32, n int)")
	Doc("and256 is andGo for four words; n is 1 or more. The places in list must be in v.")
	v, list := Load(Param("v"), GP64()), Load(Param("list"), GP64())
	loop(36, list, func() {
		for k, do := range []func(Op, Op, Op){VPAND, VPANDN, VPOR} {
			x := YMM()
			VMOVDQU(place(v, list, 12*k), x)
			do(place(v, list, 12*k+4), x, x)
			VMOVDQU(x, place(v, list, 12*k+8))
		}
	})
	VZEROUPPER()
	RET()
}

// take makes take256.
func take() {
	TEXT("take256", NOSPLIT|NOFRAME, "func(v *uint64, sources *uint32, enable *[4]uint64, n int)")
	Doc("take256 is takeGo for four words; n is 1 or more. The places in sources must be in v.")
	becomes(func(change, old reg.VecVirtual, own Mem) {
		VPXOR(old, change, change)
		VMOVDQU(change, own)
	})
	VZEROUPPER()
	RET()
}

// changes makes changes256.
func changes() {
	TEXT("changes256", NOSPLIT|NOFRAME, "func(v *uint64, sources *uint32, enable *[4]uint64, n int) bool")
	Doc("changes256 is changesGo for four words; n is 1 or more. The places in sources must be in v.")
	all, yes := YMM(), GP8()
	VPXOR(all, all, all)
	becomes(func(change, _ reg.VecVirtual, _ Mem) { VPOR(change, all, all) })
	VPTEST(all, all)
	SETNE(yes)
	Store(yes, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// becomes does something with what changes in each place, its old value and the place.
func becomes(do func(change, old reg.VecVirtual, own Mem)) {
	v, sources, where := Load(Param("v"), GP64()), Load(Param("sources"), GP64()), Load(Param("enable"), GP64())
	enable := YMM()
	VMOVDQU(Mem{Base: where}, enable)
	loop(12, sources, func() {
		x, old := YMM(), YMM()
		VPBROADCASTD(Mem{Base: sources, Disp: 8}, x)
		VPXOR(place(v, sources, 0), x, x)
		own := place(v, sources, 4)
		VMOVDQU(own, old)
		VPXOR(old, x, x)
		VPAND(enable, x, x)
		do(x, old, own)
	})
}

// place is that of a variable whose place is at an offset from list.
func place(v, list reg.Register, disp int) Mem {
	at := GP32()
	MOVL(Mem{Base: list, Disp: disp}, at)
	return Mem{Base: v, Index: at.As64(), Scale: 1}
}

// loop runs n times, and goes on by size bytes of list.
func loop(size int, list reg.Register, body func()) {
	n := Load(Param("n"), GP64())
	Label("loop")
	body()
	ADDQ(I32(size), list)
	DECQ(n)
	JNZ(LabelRef("loop"))
}
