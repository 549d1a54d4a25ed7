// SPDX-License-Identifier: Apache-2.0

// Command asm generates score_amd64.s and its stub of package dense, with avo. It is not part of any
// program: run go generate in bitstream/dense.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Where the fields of package dense's view lie, in bytes: a test there compares.
const (
	taken       = 0
	levelLow    = 24
	levelHigh   = 32
	oppTo       = 40
	ownFrom     = 48
	guarded     = 56
	ownTo       = 64
	lastAttacks = 72
	capture     = 80
	flip        = 88
	guards      = 96
	checks      = 160
	place       = 224
	reply       = 232
	plan        = 240
)

// Where two of the tables of weights lie.
const (
	tacticAt       = 4 * 8 * 64 * 64
	circumstanceAt = tacticAt + 8*4*2*8*4*2
)

// lowest is the score of what is no move.
const lowest = -1 << 15

func main() {
	ConstraintExpr("amd64,!purego")
	frequencies()
	Generate()
}

// constants of 64 bytes and of one value.
func squares() Mem {
	m := GLOBL("squares", RODATA|NOPTR)
	for i := range 8 {
		DATA(8*i, U64(0x0706050403020100+0x0808080808080808*uint64(i)))
	}
	return m
}

func octave() Mem {
	m := GLOBL("octave", RODATA|NOPTR)
	for i, f := range []uint32{65536, 62757, 60097, 57549, 55109, 52773, 50535, 48393,
		46341, 44376, 42495, 40693, 38968, 37316, 35734, 34219} {
		DATA(4*i, U32(f))
	}
	return m
}

// compressBytes is VPCOMPRESSB with zeroing, which avo does not know.
func compressBytes(src, mask, dst reg.Register) {
	Instruction(&ir.Instruction{
		Opcode:   "VPCOMPRESSB",
		Suffixes: []string{"Z"},
		Operands: []Op{src, mask, dst},
		Inputs:   []Op{src, mask},
		Outputs:  []Op{dst},
		ISA:      []string{"AVX512VBMI2"},
	})
}

// constant makes a vector of bytes, words or doublewords of one value.
func constant(broadcast func(...Op), value int64) reg.VecVirtual {
	r, z := GP32(), ZMM()
	MOVL(I32(int32(value)), r)
	broadcast(r, z)
	return z
}

// frequencies makes the function of that name.
//
// A byte lane is a square at first: bits of sets become bytes by masked additions, and all of the
// board's 64 at a time. Then, man by man, the squares to which he goes are compressed into the lanes of a
// vector, and are themselves what picks the weights, by VPERMB, from rows of 64 that are one cache line each.
func frequencies() {
	TEXT("frequenciesVBMI2", NOSPLIT, "func(v *uint64, men *byte, n int, weights *int8, moves *uint16, scores *int16, freq *uint32) (count int, total uint64)")
	Doc("frequenciesVBMI2 lists the moves of n men, who have one each and at most 32, none of them a promotion,",
		"and sets their frequencies. After them, it writes up to 32 moves and scores and 16 frequencies that mean",
		"nothing. Without a move, the total means nothing.")
	Pragma("noescape")
	v, men := Load(Param("v"), GP64()), Load(Param("men"), GP64())
	n := Load(Param("n"), GP64())
	weights := Load(Param("weights"), GP64())
	moves, scores := Load(Param("moves"), GP64()), Load(Param("scores"), GP64())
	at := func(offset int) Mem { return Mem{Base: v, Disp: offset} }

	// By square: the parts of the indices into rows.
	one, two := constant(VPBROADCASTB, 1), ZMM()
	VPADDB(one, one, two)
	four, eight, sixteen, thirtyTwo := ZMM(), ZMM(), ZMM(), ZMM()
	VPADDB(two, two, four)
	VPADDB(four, four, eight)
	VPADDB(eight, eight, sixteen)
	VPADDB(sixteen, sixteen, thirtyTwo)
	add := func(set Mem, value, to reg.VecVirtual) {
		k := K()
		KMOVQ(set, k)
		VPADDB(value, to, k, to)
	}
	tactic, circumstance, from1, from2 := ZMM(), ZMM(), ZMM(), ZMM()
	VPXORD(tactic, tactic, tactic)
	add(at(taken), eight, tactic)
	add(at(taken+8), sixteen, tactic)
	add(at(taken+16), thirtyTwo, tactic)
	VMOVDQA64(tactic, circumstance)
	VPXORD(from1, from1, from1)
	add(at(levelLow), two, from1)
	add(at(levelHigh), four, from1)
	VPADDB(from1, tactic, tactic)
	add(at(guarded), one, from1)
	add(at(oppTo), one, circumstance)
	add(at(ownFrom), two, circumstance)
	VPBROADCASTB(at(capture), from2)
	add(at(ownTo), one, from2)
	add(at(lastAttacks), two, from2)
	froms := AllocLocal(128)
	VMOVDQU64(from1, froms)
	VMOVDQU64(from2, froms.Offset(64))

	iota, flips := ZMM(), ZMM()
	VMOVDQU64(squares(), iota)
	VPBROADCASTB(at(flip), flips)
	replyRow, planRow := GP64(), GP64()
	MOVQ(at(reply), replyRow)
	ADDQ(weights, replyRow)
	MOVQ(at(plan), planRow)
	ADDQ(weights, planRow)

	best := constant(VPBROADCASTW, lowest)
	count, last := GP64(), GP64()
	XORQ(count, count)
	IMUL3Q(U8(16), n, last)
	ADDQ(men, last)
	Label("man")
	CMPQ(men, last)
	JE(LabelRef("listed"))
	{
		from, kind, targets := GP64(), GP64(), GP64()
		MOVBQZX(Mem{Base: men}, from)
		MOVBQZX(Mem{Base: men, Disp: 1}, kind)
		MOVQ(Mem{Base: men, Disp: 8}, targets)
		ADDQ(U8(16), men)
		k, to := K(), ZMM()
		KMOVQ(targets, k)
		compressBytes(iota, k, to)

		// The indices into the rows.
		seen, i1, i2 := ZMM(), ZMM(), ZMM()
		VPXORD(flips, to, seen)
		VMOVDQA64(tactic, i1)
		VMOVDQA64(circumstance, i2)
		add(Mem{Base: v, Index: kind, Scale: 8, Disp: guards}, one, i1)
		add(Mem{Base: v, Index: kind, Scale: 8, Disp: checks}, four, i2)
		VPERMB(i1, to, i1)
		VPERMB(i2, to, i2)

		// The rows, and what is picked from them.
		var sum reg.VecVirtual
		pick := func(row Mem, index reg.VecVirtual) {
			w := ZMM()
			VPERMB(row, index, w)
			VPMOVSXBW(w.AsY(), w)
			if sum == nil {
				sum = w
			} else {
				VPADDW(w, sum, sum)
			}
		}
		kind64, row := GP64(), GP64()
		MOVQ(kind, kind64)
		SHLQ(U8(6), kind64)
		MOVQ(at(flip), row)
		XORQ(from, row)
		ADDQ(kind64, row)
		SHLQ(U8(6), row)
		ADDQ(at(place), row)
		pick(Mem{Base: weights, Index: row, Scale: 1}, seen)
		pick(Mem{Base: replyRow, Index: kind64, Scale: 1}, seen)
		pick(Mem{Base: planRow, Index: kind64, Scale: 1}, seen)
		for i, index := range []reg.VecVirtual{i1, i2} {
			row := GP64()
			MOVBQZX(froms.Offset(64*i).Idx(from, 1), row)
			LEAQ(Mem{Base: row, Index: kind, Scale: 8}, row)
			SHLQ(U8(6), row)
			pick(Mem{Base: weights, Index: row, Scale: 1, Disp: []int{tacticAt, circumstanceAt}[i]}, index)
		}
		VMOVDQU16(sum, Mem{Base: scores, Index: count, Scale: 2})

		words, start := ZMM(), ZMM()
		VPMOVZXBW(to.AsY(), words)
		VPSLLW(U8(6), words, words)
		VPBROADCASTW(from.As32(), start)
		VPORD(start, words, words)
		VMOVDQU16(words, Mem{Base: moves, Index: count, Scale: 2})

		all, mask := GP64(), K()
		POPCNTQ(targets, targets)
		ADDQ(targets, count)
		MOVQ(I32(-1), all)
		BZHIQ(targets, all, all)
		KMOVD(all.As32(), mask)
		VPMAXSW(sum, best, mask, best)
	}
	JMP(LabelRef("man"))

	Label("listed")
	Store(count, Return("count"))
	padding := constant(VPBROADCASTW, lowest)
	VMOVDQU16(padding, Mem{Base: scores, Index: count, Scale: 2})

	// The best score: the smallest of what is as far below 32,767 as it, without a sign.
	y, x := YMM(), XMM()
	top := constant(VPBROADCASTW, 1<<15-1)
	VPXORD(top, best, best)
	VEXTRACTI64X4(U8(1), best, y)
	VPMINUW(y, best.AsY(), y)
	VEXTRACTI128(U8(1), y, x)
	VPMINUW(x, y.AsX(), x)
	VPHMINPOSUW(x, x)
	b := GP32()
	VMOVD(x, b)
	XORL(U32(1<<15-1), b)
	MOVWLSX(b.As16(), b)
	bests := ZMM()
	VPBROADCASTD(b, bests)

	freq := Load(Param("freq"), GP64())
	table, fifteen, least, sum := ZMM(), constant(VPBROADCASTD, 255), constant(VPBROADCASTD, 1), ZMM()
	VMOVDQU64(octave(), table)
	VPXORD(sum, sum, sum)
	i := GP64()
	XORQ(i, i)
	Label("exponent")
	{
		s, f := ZMM(), ZMM()
		VPMOVSXWD(Mem{Base: scores, Index: i, Scale: 2}, s)
		VPSUBD(s, bests, s)
		VPMINUD(fifteen, s, s)
		VPERMD(table, s, f)
		VPSRLD(U8(4), s, s)
		VPSRLVD(s, f, f)
		VPMAXUD(least, f, f)
		VPADDD(f, sum, sum)
		VMOVDQU32(f, Mem{Base: freq, Index: i, Scale: 4})
	}
	ADDQ(U8(16), i)
	CMPQ(i, count)
	JLE(LabelRef("exponent"))

	// The sum of all lanes, less those that are no move, whose frequency is 1.
	ys, xs := YMM(), XMM()
	VEXTRACTI64X4(U8(1), sum, ys)
	VPADDD(ys, sum.AsY(), ys)
	VEXTRACTI128(U8(1), ys, xs)
	VPADDD(xs, ys.AsX(), xs)
	half := XMM()
	VPSHUFD(U8(0x4e), xs, half)
	VPADDD(half, xs, xs)
	VPSHUFD(U8(0xb1), xs, half)
	VPADDD(half, xs, xs)
	total := GP64()
	VMOVD(xs, total.As32())
	SUBQ(i, total)
	LEAQ(Mem{Base: total, Index: count, Scale: 1}, total)
	Store(total, Return("total"))
	VZEROUPPER()
	RET()
}
