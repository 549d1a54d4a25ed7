// SPDX-License-Identifier: Apache-2.0

//go:build !quick

// Command asm generates score_amd64.s and its stub of package dense, with avo. It is not part of any
// program: run go generate in bitstream/dense.
package main

import (
	. "github.com/mmcloughlin/avo/build"
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

// The net: how many values it knows of a position, where rows of output begin, and by how many bits a product is
// shifted.
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
	list()
	sense()
	weigh()
	frequencies(octaves())
	fitting()
	Generate()
}

// table8 makes a table of n times eight bytes.
func table8(value func(int) uint64, name string, n int) Mem {
	m := GLOBL(name, RODATA|NOPTR)
	for i := range n {
		DATA(8*i, U64(value(i)))
	}
	return m
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

// list makes the function of that name. Vectors make the bytes of the
// board's squares; the scores are summed one by one, in registers.
func list() {
	TEXT("list", NOSPLIT,
		"func(v *uint64, men *byte, n int, weights *int8, moves, tactics *uint16, scores *int16) (count int)")
	Doc("list lists the moves of n men, at least one, who have one each and at most 32, none of them a promotion,",
		"with their places in the table of tactic and the sums of their weights in the tables. It needs AVX2, BMI1 "+
			"and BMI2.")
	Pragma("noescape")
	v := Load(Param("v"), GP64())
	at := func(offset int) Mem { return Mem{Base: v, Disp: offset} }

	// Bytes of the squares: a set's eight bytes are each copied to eight lanes, where a bit
	// is picked from each.
	spread := table8(func(i int) uint64 { return 0x0101010101010101 * uint64(i) }, "spread", 8)
	pick := YMM()
	low, high := YMM(), YMM()
	one := YMM()
	r := GP64()
	MOVQ(U64(0x8040201008040201), r)
	x := XMM()
	VMOVQ(r, x)
	VPBROADCASTQ(x, pick)
	VMOVDQU(spread, low)
	VMOVDQU(spread.Offset(32), high)
	XORQ(r, r)
	INCQ(r)
	VMOVQ(r, x)
	VPBROADCASTB(x, one)
	values := map[int]reg.VecVirtual{1: one}
	for i := 2; i <= 32; i *= 2 {
		values[i] = YMM()
		VPADDB(values[i/2], values[i/2], values[i])
	}
	type lanes [2]reg.VecVirtual
	add := func(offset, value int, to lanes) {
		set := YMM()
		VPBROADCASTQ(at(offset), set)
		for i, half := range []reg.VecVirtual{low, high} {
			b := YMM()
			VPSHUFB(half, set, b)
			VPAND(pick, b, b)
			VPCMPEQB(pick, b, b)
			VPAND(values[value], b, b)
			VPOR(b, to[i], to[i])
		}
	}
	copied := func(from lanes) (to lanes) {
		for i := range to {
			to[i] = YMM()
			VMOVDQA(from[i], to[i])
		}
		return
	}
	tactic := lanes{YMM(), YMM()}
	VPXOR(tactic[0], tactic[0], tactic[0])
	VPXOR(tactic[1], tactic[1], tactic[1])
	add(taken, 8, tactic)
	add(taken+8, 16, tactic)
	add(taken+16, 32, tactic)
	circumstance := copied(tactic)
	add(levelLow, 2, tactic)
	add(levelHigh, 4, tactic)
	add(oppTo, 1, circumstance)
	add(ownFrom, 2, circumstance)
	bytes := AllocLocal(128)
	for i := range 2 {
		VMOVDQU(tactic[i], bytes.Offset(32*i))
		VMOVDQU(circumstance[i], bytes.Offset(64+32*i))
	}

	// What the loop over a man's targets has no registers for.
	flipped, guard, check, next, first := AllocLocal(8), AllocLocal(8), AllocLocal(8), AllocLocal(8), AllocLocal(8)
	tactics := AllocLocal(8)
	Load(Param("tactics"), r)
	MOVQ(r, tactics)
	MOVQ(at(flip), r)
	MOVQ(r, flipped)
	count := GP64()
	XORQ(count, count)
	men := Load(Param("men"), GP64())
	MOVQ(men, next)

	Label("man")
	men, n, v := GP64(), GP64(), Load(Param("v"), GP64())
	MOVQ(next, men)
	Load(Param("n"), n)
	SHLQ(U8(4), n)
	start := Load(Param("men"), GP64())
	ADDQ(start, n)
	CMPQ(men, n)
	JE(LabelRef("listed"))
	at = func(offset int) Mem { return Mem{Base: v, Disp: offset} }
	from, kind, targets, weights := GP64(), GP64(), GP64(), Load(Param("weights"), GP64())
	MOVBQZX(Mem{Base: men}, from)
	MOVBQZX(Mem{Base: men, Disp: 1}, kind)
	MOVQ(Mem{Base: men, Disp: 8}, targets)
	ADDQ(U8(16), men)
	MOVQ(men, next)
	of := func(offset int, to Mem) {
		r := GP64()
		MOVQ(Mem{Base: v, Index: kind, Scale: 8, Disp: offset}, r)
		MOVQ(r, to)
	}
	of(guards, guard)
	of(checks, check)
	bit := func(offset int) reg.GPVirtual {
		b := GP64()
		SHRXQ(from, at(offset), b)
		ANDL(U8(1), b.As32())
		return b
	}
	tacticRow, circumstanceRow := GP64(), GP64()
	MOVBQZX(bytes.Idx(from, 1), tacticRow)
	ANDL(U8(6), tacticRow.As32())
	ORQ(bit(guarded), tacticRow)
	LEAQ(Mem{Base: tacticRow, Index: kind, Scale: 8}, tacticRow)
	SHLQ(U8(6), tacticRow)
	MOVQ(tacticRow, first)
	ADDQ(weights, tacticRow)
	MOVQ(at(capture), circumstanceRow)
	ORQ(bit(ownTo), circumstanceRow)
	b := bit(lastAttacks)
	LEAQ(Mem{Base: circumstanceRow, Index: b, Scale: 2}, circumstanceRow)
	LEAQ(Mem{Base: circumstanceRow, Index: kind, Scale: 8}, circumstanceRow)
	SHLQ(U8(6), circumstanceRow)
	ADDQ(weights, circumstanceRow)
	placeRow, replyRow, planRow := GP64(), GP64(), GP64()
	SHLQ(U8(6), kind)
	MOVQ(flipped, placeRow)
	XORQ(from, placeRow)
	ADDQ(kind, placeRow)
	SHLQ(U8(6), placeRow)
	ADDQ(at(place), placeRow)
	ADDQ(weights, placeRow)
	ADDQ(weights, kind)
	MOVQ(at(reply), replyRow)
	ADDQ(kind, replyRow)
	MOVQ(at(plan), planRow)
	ADDQ(kind, planRow)
	moves, scores := Load(Param("moves"), GP64()), Load(Param("scores"), GP64())

	Label("target")
	to, sum := GP64(), GP64()
	TZCNTQ(targets, to)
	{
		seen, w := GP64(), GP64()
		MOVQ(flipped, seen)
		XORQ(to, seen)
		MOVBQSX(Mem{Base: placeRow, Index: seen, Scale: 1}, sum)
		MOVBQSX(Mem{Base: replyRow, Index: seen, Scale: 1}, w)
		ADDQ(w, sum)
		MOVBQSX(Mem{Base: planRow, Index: seen, Scale: 1}, w)
		ADDQ(w, sum)
	}
	for i, row := range []reg.GPVirtual{tacticRow, circumstanceRow} {
		index, b := GP64(), GP64()
		SHRXQ(to, []Mem{guard, check}[i], b)
		ANDL(U8(1), b.As32())
		MOVBQZX(bytes.Offset(64*i).Idx(to, 1), index)
		LEAQ(Mem{Base: index, Index: b, Scale: []uint8{1, 4}[i]}, index)
		if i == 0 {
			place, list := GP64(), GP64()
			MOVQ(first, place)
			ADDQ(index, place)
			MOVQ(tactics, list)
			MOVW(place.As16(), Mem{Base: list, Index: count, Scale: 2})
		}
		MOVBQSX(Mem{Base: row, Index: index, Scale: 1, Disp: []int{tacticAt, circumstanceAt}[i]}, index)
		ADDQ(index, sum)
	}
	MOVW(sum.As16(), Mem{Base: scores, Index: count, Scale: 2})
	SHLL(U8(6), to.As32())
	ORL(from.As32(), to.As32())
	MOVW(to.As16(), Mem{Base: moves, Index: count, Scale: 2})
	INCQ(count)
	BLSRQ(targets, targets)
	JNZ(LabelRef("target"))
	JMP(LabelRef("man"))

	Label("listed")
	Store(count, Return("count"))
	VZEROUPPER()
	RET()
}

// sense makes the function of that name.
func sense() {
	TEXT("sense", NOSPLIT, "func(rows *uint64, inputs *uint16, n int, neurons *uint8)")
	Doc("sense sums n rows of input, and sets the neurons. It needs AVX2.")
	Pragma("noescape")
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
	Doc("weigh adds to the scores of n moves, at least one, what the net says of them. It needs AVX2.")
	Pragma("noescape")
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
	square, target, man, place := GP64(), GP64(), GP64(), GP64()
	MOVWQZX(Mem{Base: moves, Index: i, Scale: 2}, square)
	MOVWQZX(Mem{Base: tactics, Index: i, Scale: 2}, place)
	MOVQ(square, target)
	SHRQ(U8(6), target)
	ANDL(U8(63), square.As32())
	ANDL(U8(63), target.As32())
	XORQ(flip, square)
	XORQ(flip, target)
	MOVQ(place, man)
	SHRQ(U8(3), man)
	ANDL(U32(7*64), man.As32())
	ADDQ(man, square)
	ADDQ(man, target)
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
	Doc("frequencies sets the frequencies of count moves, at least one, from their scores. After them it writes 16 "+
		"scores and up",
		"to 16 frequencies that mean nothing. It needs AVX2.")
	Pragma("noescape")
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

// fitting makes the functions of which fitting is made. They need AVX2.
func fitting() {
	at := func(p reg.Register, i int) Mem { return Mem{Base: p, Disp: 32 * i} }
	broadcast := func(name string) reg.VecVirtual {
		y := YMM()
		VBROADCASTSS(NewParamAddr(name, map[string]int{"step": 16, "e": 24, "ownStep": 28}[name]), y)
		return y
	}

	TEXT("addRow", NOSPLIT, "func(sum, row *float32)")
	Doc("addRow adds a row to a sum. It needs AVX2.")
	Pragma("noescape")
	sum, row := Load(Param("sum"), GP64()), Load(Param("row"), GP64())
	for i := range neurons / 8 {
		y := YMM()
		VMOVUPS(at(sum, i), y)
		VADDPS(at(row, i), y, y)
		VMOVUPS(y, at(sum, i))
	}
	VZEROUPPER()
	RET()

	TEXT("subtractRow", NOSPLIT, "func(row, x *float32, step float32)")
	Doc("subtractRow subtracts from a row what step times x is. It needs AVX2.")
	Pragma("noescape")
	row, x := Load(Param("row"), GP64()), Load(Param("x"), GP64())
	step := broadcast("step")
	for i := range neurons / 8 {
		y, z := YMM(), YMM()
		VMULPS(at(x, i), step, z)
		VMOVUPS(at(row, i), y)
		VSUBPS(z, y, y)
		VMOVUPS(y, at(row, i))
	}
	VZEROUPPER()
	RET()

	TEXT("learnRow", NOSPLIT, "func(gradient, row, x *float32, e, ownStep float32)")
	Doc("learnRow adds a row, times its error, to the gradient, and then subtracts from the row what ownStep times x " +
		"is. It needs AVX2.")
	Pragma("noescape")
	gradient, row, x := Load(Param("gradient"), GP64()), Load(Param("row"), GP64()), Load(Param("x"), GP64())
	e, ownStep := broadcast("e"), broadcast("ownStep")
	for i := range neurons / 8 {
		y, z := YMM(), YMM()
		VMOVUPS(at(row, i), y)
		VMULPS(y, e, z)
		VADDPS(at(gradient, i), z, z)
		VMOVUPS(z, at(gradient, i))
		VMULPS(at(x, i), ownStep, z)
		VSUBPS(z, y, y)
		VMOVUPS(y, at(row, i))
	}
	VZEROUPPER()
	RET()

	TEXT("dotRows", NOSPLIT, "func(a, b *float32) (dot float32)")
	Doc("dotRows returns the product of two rows, added up in 16 lanes. It needs AVX2.")
	Pragma("noescape")
	a, b := Load(Param("a"), GP64()), Load(Param("b"), GP64())
	lanes := [2]reg.VecVirtual{YMM(), YMM()}
	for i := range neurons / 8 {
		y := YMM()
		VMOVUPS(at(a, i), y)
		if i < 2 {
			VMULPS(at(b, i), y, lanes[i])
			continue
		}
		VMULPS(at(b, i), y, y)
		VADDPS(y, lanes[i%2], lanes[i%2])
	}
	VADDPS(lanes[1], lanes[0], lanes[0])
	low, high := lanes[0].AsX(), XMM()
	VEXTRACTF128(U8(1), lanes[0], high)
	VADDPS(high, low, low)
	for _, shuffle := range []uint8{0x4e, 0xb1} {
		VSHUFPS(U8(shuffle), low, low, high)
		VADDPS(high, low, low)
	}
	Store(low, Return("dot"))
	VZEROUPPER()
	RET()
}
