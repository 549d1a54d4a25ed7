// SPDX-License-Identifier: Apache-2.0

//go:build !quick

// Command asm generates score_amd64.s of package dense, with avo: run go generate in bitstream/dense.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The net: how many values it has of a position, where rows of output begin, and the shift of a product.
const (
	neurons    = 96
	fromAt     = 0
	toAt       = 8 * 64
	exchangeAt = 2 * 8 * 64
	netShift   = 8
)

// lowest is the score of what is no move.
const lowest = -1 << 15

func main() {
	ConstraintExpr("amd64,!purego")
	sense()
	weigh()
	frequencies(octaves())
	Generate()
}

// octaves makes package dense's table octave.
func octaves() Mem {
	m := GLOBL("octave", RODATA|NOPTR)
	for i, f := range []uint32{65536, 62757, 60097, 57549, 55109, 52773, 50535, 48393,
		46341, 44376, 42495, 40693, 38968, 37316, 35734, 34219} {
		DATA(4*i, U32(f))
	}
	return m
}

// sense makes the function of that name.
func sense() {
	TEXT("sense", NOSPLIT, "func(rows *uint64, inputs *uint16, n int, neurons *uint8)")
	rows, inputs, n := Load(Param("rows"), GP64()), Load(Param("inputs"), GP64()), Load(Param("n"), GP64())
	var sums [neurons / 16]reg.VecVirtual
	for i := range sums {
		sums[i] = YMM()
		VPXOR(sums[i], sums[i], sums[i])
	}
	LEAQ(Mem{Base: inputs, Index: n, Scale: 2}, n)
	Label("row")
	row := GP64()
	MOVWQZX(Mem{Base: inputs}, row)
	ADDQ(U8(2), inputs)
	IMUL3Q(U8(neurons), row, row)
	for i, sum := range sums {
		w := YMM()
		VPMOVSXBW(Mem{Base: rows, Index: row, Scale: 1, Disp: 16 * i}, w)
		VPADDW(w, sum, sum)
	}
	CMPQ(inputs, n)
	JNE(LabelRef("row"))
	limit, one := YMM(), GP32()
	MOVL(U32(127), one)
	VMOVD(one, limit.AsX())
	VPBROADCASTB(limit.AsX(), limit)
	to := Load(Param("neurons"), GP64())
	for i := 0; i < len(sums); i += 2 {
		VPACKUSWB(sums[i+1], sums[i], sums[i])
		VPERMQ(U8(0xd8), sums[i], sums[i])
		VPMINUB(limit, sums[i], sums[i])
		VMOVDQU(sums[i], Mem{Base: to, Disp: 16 * i})
	}
	VZEROUPPER()
	RET()
}

// weigh makes the function of that name.
func weigh() {
	TEXT("weigh", NOSPLIT,
		"func(neurons *uint8, output *uint64, moves, tactics *uint16, n int, flip uint64, scores *int16)")
	from := Load(Param("neurons"), GP64())
	var values [neurons / 32]reg.VecVirtual
	for i := range values {
		values[i] = YMM()
		VMOVDQU(Mem{Base: from, Disp: 32 * i}, values[i])
	}
	output, flip, n := Load(Param("output"), GP64()), Load(Param("flip"), GP64()), Load(Param("n"), GP64())
	moves, tactics, scores := Load(Param("moves"), GP64()), Load(Param("tactics"), GP64()),
		Load(Param("scores"), GP64())
	ones := YMM()
	VPCMPEQW(ones, ones, ones)
	VPSRLW(U8(15), ones, ones)
	i := GP64()
	XORQ(i, i)
	Label("move")
	square, target, piece, place := GP64(), GP64(), GP64(), GP64()
	MOVWQZX(Mem{Base: moves, Index: i, Scale: 2}, square)
	MOVWQZX(Mem{Base: tactics, Index: i, Scale: 2}, place)
	MOVQ(square, target)
	SHRQ(U8(6), target)
	ANDL(U8(63), square.As32())
	ANDL(U8(63), target.As32())
	XORQ(flip, square)
	XORQ(flip, target)
	MOVQ(place, piece)
	SHRQ(U8(3), piece)
	ANDL(U32(7*64), piece.As32())
	ADDQ(piece, square)
	ADDQ(piece, target)
	var sum reg.VecVirtual
	for k, row := range []reg.GPVirtual{square, target, place} {
		IMUL3Q(U8(neurons), row, row)
		for j, value := range values {
			w := YMM()
			VMOVDQU(Mem{Base: output, Index: row, Scale: 1, Disp: []int{fromAt, toAt, exchangeAt}[k]*neurons + 32*j}, w)
			VPMADDUBSW(w, value, w)
			VPMADDWD(ones, w, w)
			if sum == nil {
				sum = w
			} else {
				VPADDD(w, sum, sum)
			}
		}
	}
	x, other, s := sum.AsX(), XMM(), GP32()
	VEXTRACTI128(U8(1), sum, other)
	VPADDD(other, x, x)
	for _, shuffle := range []uint8{0x4e, 0xb1} {
		VPSHUFD(U8(shuffle), x, other)
		VPADDD(other, x, x)
	}
	VMOVD(x, s)
	SARL(U8(netShift), s)
	ADDW(s.As16(), Mem{Base: scores, Index: i, Scale: 2})
	INCQ(i)
	CMPQ(i, n)
	JNE(LabelRef("move"))
	VZEROUPPER()
	RET()
}

// frequencies makes the function of that name.
func frequencies(octave Mem) {
	TEXT("frequencies", NOSPLIT, "func(scores *int16, count int, freq *uint32) (total uint64)")
	count, x := Load(Param("count"), GP64()), XMM()

	// The best score, with 16 that are no move after the last.
	scores := Load(Param("scores"), GP64())
	best, i := YMM(), GP64()
	MOVQ(I32(lowest), i)
	VMOVQ(i, x)
	VPBROADCASTW(x, best)
	VMOVDQU(best, Mem{Base: scores, Index: count, Scale: 2})
	XORQ(i, i)
	Label("best")
	VPMAXSW(Mem{Base: scores, Index: i, Scale: 2}, best, best)
	ADDQ(U8(16), i)
	CMPQ(i, count)
	JL(LabelRef("best"))
	top, other := XMM(), XMM()
	VEXTRACTI128(U8(1), best, top)
	VPMAXSW(best.AsX(), top, top)
	for _, shuffle := range []uint8{0x4e, 0xb1} {
		VPSHUFD(U8(shuffle), top, other)
		VPMAXSW(other, top, top)
	}
	VPSRLD(U8(16), top, other)
	VPMAXSW(other, top, top)
	VPMOVSXWD(top, top)
	bests, farthest, sums := YMM(), YMM(), YMM()
	VPBROADCASTD(top, bests)
	MOVQ(I32(255), i)
	VMOVQ(i, x)
	VPBROADCASTD(x, farthest)
	VPXOR(sums, sums, sums)
	octave1, octave2 := YMM(), YMM()
	VMOVDQU(octave, octave1)
	VMOVDQU(octave.Offset(32), octave2)
	freq := Load(Param("freq"), GP64())
	XORQ(i, i)
	Label("exponent")
	{
		s, f, g := YMM(), YMM(), YMM()
		VPMOVSXWD(Mem{Base: scores, Index: i, Scale: 2}, s)
		VPSUBD(s, bests, s)
		VPMINUD(farthest, s, s)
		VPERMD(octave1, s, f)
		VPERMD(octave2, s, g)
		which := YMM()
		VPSLLD(U8(28), s, which) // bit 3 of the index is the sign by which the table is picked
		VBLENDVPS(which, g, f, f)
		VPSRLD(U8(4), s, s)
		VPSRLVD(s, f, f)
		VPADDD(f, sums, sums)
		VMOVDQU(f, Mem{Base: freq, Index: i, Scale: 4})
	}
	ADDQ(U8(8), i)
	CMPQ(i, count)
	JLE(LabelRef("exponent"))

	total := XMM()
	VEXTRACTI128(U8(1), sums, total)
	VPADDD(sums.AsX(), total, total)
	for _, shuffle := range []uint8{0x4e, 0xb1} {
		VPSHUFD(U8(shuffle), total, other)
		VPADDD(other, total, total)
	}
	t := GP64()
	VMOVD(total, t.As32())
	SUBQ(i, t)
	ADDQ(count, t)
	Store(t, Return("total"))
	VZEROUPPER()
	RET()
}
