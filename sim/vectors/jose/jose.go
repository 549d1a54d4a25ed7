// SPDX-License-Identifier: Apache-2.0

// Package jose makes the vectors of ply11_jose's bench: games byte by byte, from the usual and from set-up
// positions, with variations, texts, NAGs, null moves, promotions and faults of every code, and the operations,
// brackets and texts that must come of them. It reads GameText with code of its own: at the end of a variation, it goes
// back to a copy of everything.
//
// A file is called document or program by the dialect, or deep, then .bytes.hex, .events.hex, .texts.hex or .games.hex.
// In hexadecimal digits:
//
//	a byte      {bracket 4: 1 followed, 2 after an error; clocks for END and NEW after it 4; bit 0 the game ends,
//	            bit 1 it becomes an operation 4; byte 8}
//	an event    {sort 4: 0 operation, 1 open, 2 close; kind 4, code 4, index 12, offset 32, the byte that completes it 16}
//	a text      {kind 4, last 4, data 8}
//	a game      {number of its first byte 16, event 16, text 16; position is loaded 4, load_bad 4, en passant file 4, side 4, board 256};
//	            the last line is for the end of them all
package jose

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"ply11/chess"
	"ply11/moveindex"
)

// Kinds of operations, sorts of events.
const (
	opPly, opNew, opEnd, opError    = 0, 1, 2, 3
	sortBeat, sortOpen, sortClose   = 0, 1, 2
	knight, bishop, rook, queen     = 0, 1, 2, 3
	king, pawn                      = 4, 5
	byteNull, byteOpen, byteClose   = 0x9a, 0xf0, 0xf1
	byteEnd, byteResult, byteCastle = 0xff, 0xd0, 0x98
)

// man is one of the 32: White's pawns are 0..7, knights 8 and 9, bishops, rooks, queen 14, king 15; Black's 16 more.
type man struct {
	square   int
	alive    bool
	promoted bool
	to       int // knight..queen
}

// state is what a variation puts back.
type state struct {
	men  [32]man
	ep   int // 0, or the file, 1..8, of a pawn that stepped twice
	side int
}

// last tells of the last ply.
type last struct {
	fell                       [32]bool
	castle, passant, promotion bool
}

type kept struct{ now, before state }

type generator struct {
	dialect, depth int
	rng            *rand.Rand

	bytes, events, texts, games bytes.Buffer
	count, numEvents, numTexts  int

	st, before state
	last       last
	stack      []kept
	hot        [32]bool // whom the bracket before has changed
	revived    [32]bool
	ghost      int // who was taken en passant last, or -1

	begun, startBad, bad, skip, second, inText, moved, result bool
	score, nest, firstAt                                      int
	first, textKind                                           byte

	seen map[string]int

	// What the games so far have shown, and this one shows first.
	shown, fresh map[event]bool
	change       [32]string // what changed a man last
}

// event is what a game shows: that a man was named, after what last changed him, and with what outcome; or
// another outcome of a byte.
type event struct {
	who    int
	change string
	code   int
}

func (g *generator) show(e event) {
	if !g.shown[e] {
		g.fresh[e] = true
	}
}

func usual() (s state) {
	files := [16]int{0, 1, 2, 3, 4, 5, 6, 7, 1, 6, 2, 5, 0, 7, 3, 4}
	for i := range 32 {
		rank := 0
		if i%16 < 8 {
			rank = 1
		}
		if i >= 16 {
			rank = 7 - rank
		}
		s.men[i] = man{square: 8*rank + files[i%16], alive: true}
	}
	return s
}

// ---- a move ----

// ruling is what a move does.
type ruling struct {
	code      int // of the error, or 0
	who       int
	from, to  int
	promotion int // 0, or 4..7 as in package moveindex
	null, own bool
	last      last
	after     state
}

// The document's steps, as drawn in its diagrams.
var (
	knightSteps = [8][2]int{{1, 2}, {-1, 2}, {-2, 1}, {-2, -1}, {-1, -2}, {1, -2}, {2, -1}, {2, 1}}
	kingSteps   = [8][2]int{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}, {0, 1}, {0, -1}, {-1, 0}, {1, 0}}
)

func (g *generator) step(sort, n int) (dx, dy int) {
	n &= 7
	if sort == knight {
		if g.dialect == 1 { // from the other end
			n = 7 - n
		}
		return knightSteps[n][0], knightSteps[n][1]
	}
	dx, dy = kingSteps[n][0], kingSteps[n][1]
	if g.dialect == 1 { // x and y exchanged, the last two turned over
		dx, dy = dy, dx
		if n > 5 {
			dy = -dy
		}
	}
	return dx, dy
}

// judge says what the move of byte b, with its second byte s, does.
func (g *generator) judge(b, s byte) ruling {
	st := &g.st
	r := ruling{after: *st, null: b == byteNull}
	side := st.side
	r.after.side = 1 - side
	r.after.ep = 0
	if r.null {
		return r
	}
	promote, promoted := b >= 0xa0 && b < 0xa8, b >= 0xa8
	slot, n := 15, int(b&7)
	switch {
	case promote:
		slot, n = int(b&7), int(s>>2&3)
	case promoted:
		slot, n = int(b&7), int(s&31)
	case b < 0x20:
		slot, n = int(b/4), int(b%4)
	case b < 0x30:
		slot = int(b-0x20)/8 + 8
	case b < 0x70:
		slot, n = int(b-0x30)/16+10, int(b%16)
	case b < 0x90:
		slot, n = 14, int(b-0x70)
	}
	r.who = 16*side + slot
	me := &st.men[r.who]
	r.from, r.to = me.square, me.square
	file, rank := me.square%8, me.square/8
	if b == byteCastle || b == byteCastle+1 {
		r.last.castle = true
		home, corner, inner := 56*side+4, 56*side+7, 56*side+5
		r.to = home + 2
		if b&1 != 0 {
			corner, inner, r.to = home-4, home-1, home-2
		}
		if !me.alive || me.square != home {
			r.code = 5
			return r
		}
		for i := 16 * side; i < 16*side+15; i++ {
			if st.men[i].alive && st.men[i].square == corner {
				r.after.men[i].square = inner
			}
		}
		r.after.men[r.who].square = r.to
		return r
	}
	sort := pawn
	switch {
	case promoted:
		sort = me.to
	case slot == 15:
		sort = king
	case slot == 14:
		sort = queen
	case slot > 7:
		sort = (slot - 8) / 2
	}
	up := 1 - 2*side
	var dx, dy int
	switch sort {
	case knight, king:
		dx, dy = g.step(sort, n)
	case pawn:
		dx, dy = [4]int{0, up, -up, 0}[n], [4]int{up, up, up, 2 * up}[n]
	default:
		// A bishop's offset is a rank on either diagonal, a rook's a rank or a file, a queen's a bishop's or a rook's.
		switch {
		case sort == bishop || sort == queen && n < 16:
			dy = n%8 - rank
			dx = dy
			if n&8 != 0 {
				dx = -dy
			}
		case n&8 == 0:
			dy = n%8 - rank
		default:
			dx = n%8 - file
		}
	}
	tf, tr := file+dx, rank+dy
	most := [pawn + 1]int{knight: 7, bishop: 15, rook: 15, queen: 31}
	switch {
	case !me.alive || me.promoted != promoted:
		r.code = 1
	case promoted && n > most[sort]:
		r.code = 8
	case tf < 0 || tf > 7 || tr < 0 || tr > 7 || dx == 0 && dy == 0:
		r.code = 4
	case promote && (n == 3 || tr != 7-7*side):
		r.code = 4
	}
	if r.code != 0 {
		return r
	}
	r.to = 8*tr + tf
	took := false
	for i, m := range st.men {
		if m.alive && m.square == r.to {
			if i/16 == side {
				r.own = true
			} else {
				r.last.fell[i], took = true, true
			}
		}
	}
	if sort == pawn && dx != 0 && !took && !promote && st.ep == tf+1 && rank == 4-side {
		for i := 16 * (1 - side); i < 16*(1-side)+8; i++ {
			if st.men[i].alive && st.men[i].square == 8*rank+tf {
				r.last.fell[i], r.last.passant = true, true
			}
		}
	}
	for i := range r.last.fell {
		if r.last.fell[i] {
			r.after.men[i].alive = false
		}
	}
	if sort == pawn && n == 3 {
		r.after.ep = tf + 1
	}
	m := &r.after.men[r.who]
	m.square = r.to
	if promote {
		m.promoted, m.to = true, int(s&3)
		r.promotion = 4 + m.to
		r.last.promotion = true
	}
	return r
}

// ---- a byte ----

func (g *generator) push(sort, kind, code int, index moveindex.Index, offset int) {
	fmt.Fprintf(&g.events, "%x%x%x%03x%08x%04x\n", sort, kind, code, uint16(index), offset, g.count)
	g.numEvents++
}

func (g *generator) fail(code, offset int) {
	if !g.bad && !g.skip {
		g.push(sortBeat, opError, code, 0, offset)
		g.seen[fmt.Sprint("error ", code)]++
	}
}

func (g *generator) move(b, s byte, offset int) {
	if g.bad {
		return
	}
	r := g.judge(b, s)
	if !r.null {
		g.show(event{r.who, g.change[r.who], r.code})
		if r.code == 1 {
			// Where he was taken, bit by bit.
			for bit := range 6 {
				g.show(event{r.who, fmt.Sprint("taken there: ", bit, g.st.men[r.who].square>>bit&1), 1})
			}
		}
		g.show(event{int(b) + 256, fmt.Sprint(s&31, g.st.men[r.who].to), r.code})
	}
	if r.code != 0 {
		g.fail(r.code, offset)
		g.bad = true
		return
	}
	index := moveindex.Null
	if !r.null {
		var ok bool
		m := chess.NewMove(chess.Square(r.from), chess.Square(r.to)) | chess.Move(r.promotion)<<12
		if index, ok = moveindex.Of(m); !ok {
			panic(fmt.Errorf("no index: %d to %d, %d", r.from, r.to, r.promotion))
		}
		if g.revived[r.who] {
			g.seen["moves of the revived"]++
		}
		if b >= 0xa8 {
			g.seen["moves of promoted men"]++
		}
	}
	g.push(sortBeat, opPly, 0, index, offset)
	for i, moved := range touched(&g.st, &r.after) {
		switch {
		case !moved:
		case r.last.fell[i] && r.last.passant:
			g.change[i] = "taken en passant"
		case r.last.fell[i]:
			g.change[i] = "taken"
		case r.last.castle && i != r.who:
			g.change[i] = fmt.Sprint("castled to ", r.after.men[i].square)
		case r.promotion != 0:
			g.change[i] = fmt.Sprint("promoted to ", r.promotion)
		default:
			g.change[i] = "moved"
		}
	}
	g.before, g.st, g.last = g.st, r.after, r.last
	if r.last.passant {
		g.ghost = slices.Index(r.last.fell[:], true)
		g.seen["en passant"]++
	}
}

func touched(a, b *state) (t [32]bool) {
	for i := range t {
		t[i] = a.men[i] != b.men[i]
	}
	return t
}

func (g *generator) follow(b byte) {
	g.revived = [32]bool{}
	if b == byteClose {
		g.push(sortClose, 0, 0, 0, 0)
		k := g.stack[len(g.stack)-1]
		g.stack = g.stack[:len(g.stack)-1]
		g.hot = touched(&g.st, &k.now)
		g.changed("put back: ")
		g.st, g.before, g.last = k.now, k.before, last{}
		return
	}
	g.push(sortOpen, 0, 0, 0, 0)
	g.stack = append(g.stack, kept{g.st, g.before})
	g.hot = touched(&g.st, &g.before)
	g.changed("taken back: ")
	for i, fell := range g.last.fell {
		g.revived[i] = fell
		if fell {
			g.seen["captures taken back"]++
			if g.before.men[i].promoted {
				g.seen["captures of promoted men taken back"]++
			}
		}
	}
	for name, is := range map[string]bool{"castlings": g.last.castle, "en passant": g.last.passant,
		"promotions": g.last.promotion} {
		if is {
			g.seen[name+" taken back"]++
		}
	}
	g.st, g.last = g.before, last{}
}

// changed notes whom a bracket has changed.
func (g *generator) changed(how string) {
	for i, hot := range g.hot {
		if hot {
			was, what, found := strings.Cut(g.change[i], ": ")
			if !found {
				was, what = "", g.change[i]
			}
			if was == "put back" {
				was = "again, "
			} else {
				was = ""
			}
			g.change[i] = was + how + what
		}
	}
}

func between(b, low, high byte) bool { return low <= b && b <= high }

func reserved(b byte) bool {
	return between(b, 0x9b, 0x9f) || between(b, 0xd4, 0xdf) || between(b, 0xe5, 0xef) || between(b, 0xf2, 0xfe)
}

func (g *generator) text(kind byte, last bool, data byte) {
	flag := 0
	if last {
		flag = 1
	}
	fmt.Fprintf(&g.texts, "%x%x%02x\n", kind, flag, data)
	g.numTexts++
}

// feed sends a byte.
func (g *generator) feed(list ...byte) {
	for _, b := range list {
		g.byte(b)
	}
}

func (g *generator) byte(b byte) {
	ends, op, due, bracket := 0, 0, 0, 0
	start := !g.begun && g.startBad
	g.begun, g.startBad = true, false
	played := g.depth > 0 || g.nest == 0
	switch {
	case g.inText:
		g.text(g.textKind, b == 0, b)
		g.inText = b != 0
	case g.second:
		g.second = false
		if g.first == 0xb0 {
			break
		}
		g.moved = true
		op = 2
		if g.skip {
			break
		}
		if b == 0 {
			g.fail(8, g.firstAt)
			g.skip = true
		} else if played {
			g.move(g.first, b, g.firstAt)
		}
	default:
		isResult := b&0xfc == byteResult
		limit := g.depth
		if limit == 0 {
			limit = 255
		}
		deep := b == byteOpen && g.nest == limit
		misplaced := g.result && b != byteEnd || b == byteOpen && !g.moved || b == byteClose && g.nest == 0 ||
			(b == byteEnd || isResult) && g.nest != 0 || g.depth == 0 && deep
		wrong := (start || misplaced || deep || reserved(b)) && !g.skip
		if !g.skip && !g.bad {
			g.show(event{int(b), fmt.Sprint(played, g.nest == 0, g.moved, g.result), 0})
		}
		g.second = between(b, 0xa0, 0xb0)
		g.first, g.firstAt = b, g.count
		if between(b, 0xe0, 0xe4) {
			if g.dialect == 0 {
				g.inText, g.textKind = true, b&7
			} else {
				g.text(b&7, true, 0)
			}
		}
		if isResult {
			g.result, g.score = true, int(b&3)
		}
		if wrong {
			op = 2
			code := 6
			switch {
			case start:
				code = 9
			case misplaced:
				code = 7
			case deep:
				code = 10
			}
			g.fail(code, g.count)
			g.skip = true
		}
		if b < 0x9b {
			g.moved = true
			if !g.skip && played {
				op = 2
				g.move(b, 0, g.count)
			}
		}
		if (b == byteOpen || b == byteClose) && !g.skip {
			if g.depth > 0 {
				bracket = 2
				if !g.bad {
					bracket = 1
					g.follow(b)
				}
			}
			if b == byteOpen {
				g.nest++
			} else {
				g.nest--
			}
			g.moved = b == byteClose
		}
		if b == byteEnd {
			op, ends, due = 2, 1, 1
			if wrong {
				due = 2
			}
			score := 3
			if g.result {
				score = g.score
			}
			g.push(sortBeat, opEnd, score, 0, g.count)
			g.push(sortBeat, opNew, 0, 0, 0)
			g.begun, g.bad, g.skip, g.result, g.moved, g.nest = false, false, false, false, false, 0
			g.st, g.before, g.last, g.hot, g.revived = usual(), state{}, last{}, [32]bool{}, [32]bool{}
			g.stack = g.stack[:0]
			g.ghost = -1
			g.change = [32]string{}
		}
	}
	fmt.Fprintf(&g.bytes, "%x%x%x%02x\n", bracket, due, ends|op, b)
	g.count++
}

// ---- games ----

// candidate returns the bytes of a move of somebody, often of one whom a bracket has changed, or a pawn.
func (g *generator) candidate() (b, s byte) {
	who := g.rng.IntN(16)
	switch g.rng.IntN(4) {
	case 0, 1:
		for k := range 16 {
			if g.hot[16*g.st.side+(who+k)%16] {
				who = (who + k) % 16
				break
			}
		}
	case 2:
		who %= 8
	}
	m := &g.st.men[16*g.st.side+who]
	n := byte(g.rng.IntN(32))
	switch {
	case who < 8 && m.promoted:
		return 0xa8 + byte(who), 0x20 + n
	case who < 8:
		if m.square/8 == 6-5*g.st.side {
			return 0xa0 + byte(who), 0x20 + n%4*4 + byte(g.rng.IntN(4))
		}
		return byte(4*who) + n%4, 0
	case who < 10:
		return 0x20 + byte(8*(who-8)) + n%8, 0
	case who < 14:
		return 0x30 + byte(16*(who-10)) + n%16, 0
	case who == 14:
		return 0x70 + n, 0
	}
	if g.rng.IntN(2) == 0 {
		return byteCastle + n%2, 0
	}
	return 0x90 + n%8, 0
}

// sound tells whether a move is one that a player might make who does not care for what stands between, or checks.
func (g *generator) sound(r *ruling) bool {
	if r.code != 0 || r.own {
		return false
	}
	took := r.last.fell != [32]bool{}
	if me := &g.st.men[r.who]; r.who%16 < 8 && !me.promoted {
		if (r.from%8 != r.to%8) != took ||
			(r.to-r.from == 16 || r.from-r.to == 16) && r.from/8 != 1+5*g.st.side ||
			r.promotion == 0 && (r.to > 55 || r.to < 8) {
			return false
		}
	}
	if r.last.castle {
		for _, m := range g.st.men {
			if m.alive && (m.square == r.to || m.square == (r.to+r.from)/2) {
				return false
			}
		}
	}
	// The kings last a little.
	return !(r.last.fell[15] || r.last.fell[31]) || g.rng.IntN(8) == 0
}

// ply sends a move; what is rare is taken where it is found.
func (g *generator) ply() {
	best, found := -1, 0
	var b, s byte
	for i := range 80 {
		cb, cs := g.candidate()
		if i < 32 && i%4 != 0 && i%4 != 3 { // a pawn takes
			cb, cs = byte(i), 0
		} else if i == 3 || i == 7 {
			cb, cs = byteCastle+byte(i/4), 0
		}
		r := g.judge(cb, cs)
		if found == 8 && i >= 32 {
			break
		}
		// What is not at random is only for what is rare.
		if !g.sound(&r) || i < 32 && cs == 0 && cb < 32 && cb%4%3 != 0 && !r.last.passant {
			continue
		}
		found++
		value := 0
		switch {
		case r.last.passant:
			value = 6
		case r.last.castle:
			value = 5
		case r.last.promotion:
			value = 4
		case r.last.fell != [32]bool{}:
			value = 3
			for i, fell := range r.last.fell {
				if fell && g.st.men[i].promoted {
					value = 7
				}
			}
		case g.hot[r.who]:
			value = 2
		}
		if e := (event{r.who, g.change[r.who], 0}); !g.shown[e] && !g.fresh[e] {
			value = 8
		}
		if r.after.ep != 0 {
			for _, m := range r.after.men[16*(1-g.st.side):][:8] {
				if m.alive && m.square/8 == r.to/8 && (m.square == r.to+1 || m.square == r.to-1) {
					value = 5
				}
			}
		}
		if value > best || g.rng.IntN(8) == 0 {
			best, b, s = value, cb, cs
		}
	}
	switch {
	case found == 0:
		g.feed(byteNull)
	case s != 0:
		g.feed(b, s)
	default:
		g.feed(b)
	}
}

func (g *generator) comment() {
	g.feed(0xe0 + byte(g.rng.IntN(5)))
	if g.dialect == 0 {
		for range max(0, g.rng.IntN(16)-4) {
			g.feed(byte(1 + g.rng.IntN(255)))
		}
		g.feed(0)
	}
}

func (g *generator) out() {
	for g.nest > 0 {
		g.feed(byteClose)
	}
}

func (g *generator) any(n int) byte { return byte(g.rng.IntN(n)) }

// dead names somebody who is dead, and whose death was not seen yet, or goes further than a promoted man's offsets.
func (g *generator) dead() bool {
	if g.depth == 0 {
		g.out()
	}
	for range 2 {
		for _, i := range g.rng.Perm(16) {
			who := 16*g.st.side + i
			if m := g.st.men[who]; m.alive && m.promoted && m.to != queen && g.rng.IntN(2) == 0 {
				g.feed(0xa8+byte(i), byte(0x30+g.rng.IntN(16)))
				return true
			}
			if g.st.men[who].alive || g.last.fell[who] || g.change[who] == "" || g.shown[event{who, g.change[who], 1}] {
				continue
			}
			switch {
			case i < 8:
				g.feed(byte(4 * i))
			case i < 10:
				g.feed(0x20 + byte(8*(i-8)))
			case i < 15:
				g.feed(0x30 + byte(16*(i-10)))
			default:
				g.feed(0x90)
			}
			return true
		}
		g.feed(byteNull)
	}
	return false
}

// fault sends something wrong.
func (g *generator) fault() {
	if g.ghost >= 0 && !g.st.men[g.ghost].alive && (g.depth > 0 || g.nest == 0) {
		// He was taken en passant.
		for g.last.fell[g.ghost] || g.ghost/16 != g.st.side {
			g.feed(byteNull)
		}
		g.feed(byte(4 * (g.ghost % 8)))
		return
	}
	if g.rng.IntN(2) == 0 && g.dead() {
		return
	}
	switch g.rng.IntN(14) {
	case 0:
		g.feed(0x9b + g.any(5))
	case 1:
		g.feed([]byte{0xd4 + g.any(12), 0xe5 + g.any(11), 0xf2 + g.any(13)}[g.rng.IntN(3)])
	case 2:
		g.feed(0xa0+g.any(16), 0)
	case 3:
		g.out()
		g.feed(byteClose)
	case 4:
		if !g.moved {
			g.feed(byteNull)
		}
		if g.depth == 0 || g.nest < g.depth {
			g.feed(byteOpen)
		}
		g.feed(byteOpen)
	case 5:
		if g.moved && g.nest == 0 {
			g.feed(byteOpen)
		}
		g.feed(byteResult + g.any(4))
	case 6:
		g.out()
		g.feed(byteResult+g.any(4), []byte{byteResult + g.any(4), 0xe0 + g.any(5), g.any(255)}[g.rng.IntN(3)])
	case 7, 8: // castling, when the king has gone astray
		if g.depth == 0 {
			g.out()
		}
		for range 12 {
			c := byteCastle + g.any(2)
			if r := g.judge(c, 0); r.code != 0 && !g.last.fell[r.who] {
				g.feed(c)
				return
			}
			if r := g.judge(0x90+g.any(8), 0); r.code == 0 && g.rng.IntN(2) == 0 {
				g.ply()
			} else {
				g.feed(byteNull)
			}
		}
	case 9:
		for g.depth > 0 && !g.skip && !g.bad {
			g.ply()
			g.feed(byteOpen)
		}
	default: // of somebody, often of a dead man, but not of one who has just fallen
		if g.depth == 0 {
			g.out()
		}
		for i := range 200 {
			b, s := g.candidate()
			switch g.rng.IntN(8) {
			case 0:
				b, s = 0xa0+g.any(16), 0x20+g.any(32)
			case 1:
				b, s = byteCastle+g.any(2), 0
			case 2:
				b, s = g.any(32), 0
			}
			r := g.judge(b, s)
			if r.code == 0 || g.last.fell[r.who] || i < 100 && g.st.men[r.who].alive && g.rng.IntN(2) == 0 {
				continue
			}
			g.feed(b)
			if s != 0 {
				g.feed(s)
			}
			return
		}
	}
}

// setUp makes a start position, numbers its men as they are met from a8 to h1, and returns what is loaded. fault 1: it
// is malformed, 2: somebody has no number.
func (g *generator) setUp(fault int) string {
	var men [64]int // as on the board
	put := func(square, man int, one bool) {
		if one {
			men[square] = man
		}
	}
	coin := func() bool { return g.rng.IntN(2) == 0 }
	for s := range men {
		kind := [16]int{2, 3, 4, 5, 6, 6, 6, 6, 6, 6}[g.rng.IntN(16)]
		if kind == 6 && (s < 8 || s > 55) || kind == 0 {
			continue
		}
		men[s] = kind + 8*g.rng.IntN(2)
	}
	for side, home := range [2]int{0, 56} {
		if coin() {
			men[home+4] = 1 + 8*side
			men[home+5], men[home+6] = 0, 0
			// Whoever stands in the corner jumps.
			put(home+7, []int{5, 5, 6, 2 + g.rng.IntN(4)}[g.rng.IntN(4)]+8*side, coin())
			if coin() {
				men[home], men[home+1], men[home+2], men[home+3] = []int{5, 5, 6, 2 + g.rng.IntN(4)}[g.rng.IntN(4)]+
					8*side, 0, 0, 0
			}
		} else {
			men[20+g.rng.IntN(8)+16*side] = 1 + 8*side
		}
	}
	g.st = state{side: g.rng.IntN(2)}
	us, them := 6+8*g.st.side, 14-8*g.st.side
	row := 32 - 8*g.st.side
	if coin() {
		// A pawn that has stepped twice, or may soon.
		file := g.rng.IntN(7)
		men[row+file], men[row+file+1] = us, them
		men[row+file+9-16*g.st.side] = 0
		if coin() {
			men[row+file], men[row+file+1] = them, us
		}
	}
	g.startBad = fault == 1
	slots := [8]int{1: 15, 2: 14, 3: 8, 4: 10, 5: 12, 6: 0}
	limits := [8]int{1: 1, 2: 1, 3: 2, 4: 2, 5: 2, 6: 8}
	var given [16]int
	for rank := 7; rank >= 0; rank-- {
		for file := range 8 {
			s := 8*rank + file
			m := men[s]
			if m == 0 {
				continue
			}
			if given[m] == limits[m&7] {
				if fault == 2 && g.rng.IntN(4) == 0 {
					g.startBad = true
				} else {
					men[s] = 0
				}
				continue
			}
			g.st.men[16*(m>>3)+slots[m&7]+given[m]] = man{square: s, alive: true}
			given[m]++
		}
	}
	// A pawn that may have stepped twice, better beside another's.
	for _, file := range g.rng.Perm(8) {
		behind := row + file + 8 - 16*g.st.side
		if men[row+file] == them && men[behind] == 0 {
			if g.st.ep == 0 || file < 7 && men[row+file+1] == us || file > 0 && men[row+file-1] == us {
				g.st.ep = file + 1
			}
		}
	}
	bad := 0
	if fault == 1 {
		bad = 1
		// Codes that no man has.
		for _, s := range []int{3, 20, 44} {
			if men[s] == 0 {
				men[s] = 7 + s&8
			}
		}
	}
	text := fmt.Sprintf("1%x%x%x", bad, g.st.ep, g.st.side)
	for s := 63; s >= 0; s-- {
		text += fmt.Sprintf("%x", men[s])
	}
	g.seen["positions loaded"]++
	return text
}

func (g *generator) begin(load string) {
	fmt.Fprintf(&g.games, "%04x%04x%04x%s\n", g.count, g.numEvents, g.numTexts, load)
}

var noLoad = fmt.Sprintf("%068x", 0)

// load begins with a position.
func (g *generator) load(side, ep int, men [64]byte) {
	text := fmt.Sprintf("10%x%x", ep, side)
	g.st = state{side: side, ep: ep}
	var given [16]int
	for s := 63; s >= 0; s-- {
		text += fmt.Sprintf("%x", men[s])
		at := s ^ 7 // as they are numbered
		if m := men[at]; m != 0 {
			g.st.men[16*(int(m)>>3)+[8]int{1: 15, 3: 8, 6: 0}[m&7]+given[m]] = man{square: at, alive: true}
			given[m]++
		}
	}
	g.begin(text)
}

func (g *generator) game(number int) {
	load := noLoad
	if number%5 != 0 && number%5 != 3 {
		load = g.setUp(map[int]int{1: 1, 9: 2}[number%20])
	}
	g.begin(load)
	if g.rng.IntN(8) == 0 {
		g.comment()
	}
	steps := 2 + g.rng.IntN(32)
	if number%7 == 6 {
		steps %= 10
	}
	if g.rng.IntN(8) == 0 {
		steps = 0
	}
	for range steps {
		if g.skip {
			break
		}
		opens := 2
		if g.last.castle || g.last.promotion || g.last.fell != [32]bool{} {
			opens = 6
		}
		most := g.depth
		if g.depth == 0 {
			opens, most = 1, 4
		}
		switch x := g.rng.IntN(32); {
		case g.moved && g.nest < most && !g.bad && g.rng.IntN(16) < opens:
			g.feed(byteOpen)
		case x == 0:
			g.comment()
		case x == 1:
			g.feed(0xb1 + g.any(31))
		case x == 2:
			g.feed(0xb0, g.any(256))
		case x == 3:
			g.feed(byteNull)
		case g.nest > 0 && (x < 7 || g.depth == 0 && x < 12):
			g.feed(byteClose)
			if g.depth > 0 && !g.bad && g.rng.IntN(2) == 0 {
				g.feed(byteOpen) // another one in its place
			}
		case g.nest > 0 && g.depth == 0: // stepped over, whatever it is
			if g.rng.IntN(2) == 0 {
				g.feed(g.any(0x9b))
			} else {
				g.feed(0xa0+g.any(16), 1+g.any(255))
			}
		default:
			g.ply()
		}
	}
	if number%2 == 1 || g.rng.IntN(4) == 0 {
		g.fault()
	}
	if g.skip || g.bad {
		// Garbage of which nothing may come; second bytes and texts hide an end.
		for range 8 {
			b := g.any(256)
			if b == byteEnd && !g.second && !g.inText {
				b = 1
			}
			g.feed(b)
		}
		if g.inText {
			g.feed(0)
		}
		if g.second {
			g.feed(byteEnd)
		}
	} else {
		if g.rng.IntN(16) != 0 {
			g.out()
		}
		if g.nest == 0 && g.rng.IntN(8) != 0 {
			g.feed(byteResult + g.any(4))
		}
	}
	g.feed(byteEnd)
}

// Files returns the files, by their names below the root of the project.
func Files() map[string][]byte {
	files := make(map[string][]byte)
	for _, c := range []config{
		{"document", 0, 0, 100, 1},
		{"program", 1, 3, 75, 5},
	} {
		c.run(files)
	}
	deep(files)
	return files
}

// deep makes games, in the program's dialect, whose variations are 1, 2, 5, 9, 17 and 31 inside each other and all end,
// and one in which they are 32. A player that follows fewer plays the first of them.
func deep(files map[string][]byte) {
	g := &generator{dialect: 1, depth: 31, rng: rand.New(rand.NewPCG(31, 5)), st: usual(), seen: map[string]int{},
		ghost: -1, shown: map[event]bool{}}
	for _, depth := range []int{1, 2, 5, 9, 17, 31, 32} {
		g.fresh = map[event]bool{}
		g.begin(noLoad)
		for range depth {
			g.ply()
			g.feed(byteOpen)
		}
		if !g.skip {
			g.ply()
			for g.nest > 0 {
				g.feed(byteClose)
				// Those whom the variation has moved are where they were; of the main line, which was put aside first,
				// most are asked.
				plies := 2
				if g.nest == 0 {
					plies = 16
				}
				for range plies {
					g.ply()
				}
			}
		}
		g.feed(byteEnd)
	}
	g.begin(noLoad)
	g.write("deep", files)
}

// write gives the files their names.
func (g *generator) write(name string, files map[string][]byte) {
	for kind, text := range map[string][]byte{"bytes": g.bytes.Bytes(), "events": g.events.Bytes(),
		"texts": g.texts.Bytes(), "games": g.games.Bytes()} {
		if len(text) > 0 {
			files["hdl/tb/ply11_jose/"+name+"."+kind+".hex"] = text
		}
	}
}

// A config is one set of files: a dialect, how many variations inside each other are followed, and how many games
// there are, chosen by a seed.
type config struct {
	name           string
	dialect, depth int
	games          int
	seed           uint64
}

const (
	tries = 600  // so many games are made for each of them, for those that show something new
	most  = 9000 // bytes
)

func (c config) run(files map[string][]byte) {
	g := &generator{dialect: c.dialect, depth: c.depth, st: usual(), seen: map[string]int{}, ghost: -1,
		shown: map[event]bool{}}
	// Games that show something new, much of it at first; and the first ones anyway.
	wanted := c.games - 2
	for i := 0; i < wanted*tries; i++ {
		trial := *g
		trial.rng = rand.New(rand.NewPCG(c.seed, uint64(i)))
		trial.bytes, trial.events, trial.texts, trial.games = bytes.Buffer{}, bytes.Buffer{}, bytes.Buffer{},
			bytes.Buffer{}
		trial.stack, trial.seen, trial.fresh = nil, map[string]int{}, map[event]bool{}
		trial.game(i)
		value := 0
		for e := range trial.fresh {
			switch {
			case e.who < 32 && e.code == 1:
				value += 6 // there is but one in a game
			case strings.Contains(e.change, "castled") || strings.Contains(e.change, "again"):
				value += 4
			default:
				value++
			}
		}
		// So much for each hundred bytes, in the end any.
		if i >= wanted && (100*value < (trial.count-g.count)*(80-80*i/(wanted*tries)) || value == 0 ||
			trial.count > most) {
			continue
		}
		for e := range trial.fresh {
			g.shown[e] = true
		}
		for name, n := range g.seen {
			trial.seen[name] += n
		}
		for _, b := range [...]struct{ all, game *bytes.Buffer }{{&g.bytes, &trial.bytes}, {&g.events, &trial.events},
			{&g.texts, &trial.texts},
			{&g.games, &trial.games}} {
			b.all.Write(b.game.Bytes())
		}
		trial.bytes, trial.events, trial.texts, trial.games = g.bytes, g.events, g.texts, g.games
		*g = trial
	}
	g.rng, g.fresh = rand.New(rand.NewPCG(c.seed, 6)), map[event]bool{}
	// 1 a4 h6 2 a5 h5 3 a6 h4 4 axb7 h3 5 bxa8=Q Bb7 6 -- Bxa8 (6 -- a6 7 Qxb8) 7 -- Bxh1, and the queen moves, who is
	// dead.
	g.begin(noLoad)
	g.feed(0x03, 0x1c, 0x00, 0x1c, 0x00, 0x1c, 0x01, 0x1c, 0xa0, 0x2b, 0x36, 0x9a, 0x3f, 0xf0, 0x00, 0xa8, 0x39, 0xf1,
		0x9a, 0x38,
		0xa8, 0x39, 0xff)
	// Pawns are loaded beside each other, g and h, and nobody may be taken en passant: g takes nobody, h lives.
	for side := range 2 {
		men := [64]byte{4: 1, 60: 9}
		row := 32 - 8*side
		men[row+6], men[row+7] = byte(6+8*side), byte(14-8*side)
		g.load(side, 0, men)
		g.feed(1+byte(side), byteNull, byteNull, 0, byteEnd)
	}
	// Castling, and the king is away from home by one bit of his square.
	for i := range 12 {
		side, home := i%2, 4+i%2*56
		men := [64]byte{4: 1, 60: 9}
		men[home], men[home^1<<(i/2)] = 0, men[home]
		g.load(side, 0, men)
		g.feed(byteCastle+byte(i/2%2), byteEnd)
	}
	// A king and a knight on a side edge, and each step of theirs that goes over it.
	for i := range 32 {
		file, sort, n := i/16*7, [...]int{king, knight}[i/8%2], i%8
		if dx, _ := g.step(sort, n); file+dx >= 0 && file+dx <= 7 {
			continue
		}
		men := [64]byte{60: 9}
		men[24+file], men[32+file] = 1, 3
		g.load(0, 0, men)
		g.feed(map[int]byte{king: 0x90, knight: 0x20}[sort]+byte(n), byteEnd)
	}
	// En passant to the h-file, on which one of the same side stands two ranks behind: he lives. Who he is, those
	// before him say.
	for i := range 14 {
		side, who := i%2, i/2+1-i%2
		row := 32 - 8*side
		men := [64]byte{4: 1, 60: 9}
		for f := range who - 1 + side {
			men[row+16*side+f] = byte(6 + 8*side)
		}
		men[row+6], men[row+7], men[row-1+16*side] = byte(6+8*side), byte(14-8*side), byte(6+8*side)
		g.load(side, 8, men)
		taker := who - 1
		if side == 1 {
			taker = who + 1
		}
		g.feed(byte(4*taker)+1+byte(side), byteNull, byte(4*who), byteEnd)
	}
	// A pawn goes to the file of a double step beside it, and somebody stands where it goes: a knight of the other
	// side, who falls for the pawn that stepped; or nobody. Then the pawn that stepped is named.
	for i := range 4 {
		side, row := i%2, 32-8*(i%2)
		target := row + 8 - 16*side + 7
		men := [64]byte{4: 1, 60: 9}
		men[row+6], men[row+7] = byte(6+8*side), byte(14-8*side)
		if i < 2 {
			men[target] = byte(11 - 8*side)
		}
		g.load(side, 8, men)
		g.feed(1+byte(side), byteNull, byteNull, 0, byteEnd)
	}
	// A knight takes a pawn on f5 (f4) and goes away; another pawn goes there in two steps and is taken en passant. In
	// the variation instead of that the first one is still dead.
	for i := range 14 {
		side, who := i%2, 1+i/2
		if side == 1 {
			who--
		}
		row, up := 32-8*side, 8-16*side
		men := [64]byte{4: 1, 60: 9}
		mine, other := byte(8*side), byte(8-8*side)
		men[row+4], men[row-up+3] = mine+6, mine+3
		men[row+5], men[row+2*up+5] = other+6, other+6
		for k := range who - 1 + side { // before him
			men[[]int{40, 48}[k%2]+[]int{0, 1, 2, 7}[k/2]] = other + 6
		}
		g.load(side, 0, men)
		knightTo := func(dx, dy int) byte {
			for n := range 8 {
				if x, y := g.step(knight, n); x == dx && y == dy*(1-2*side) {
					return 0x20 + byte(n)
				}
			}
			return 0
		}
		steps := byte(0)
		for k, m := range g.st.men[16*(1-side):][:8] {
			if m.alive && m.square == row+2*up+5 {
				steps = byte(4*k) + 3
			}
		}
		g.feed(knightTo(2, 1), byteNull, knightTo(1, -2), steps, 1+byte(side), byteOpen, byteNull, byte(4*who))
		if g.depth == 0 {
			g.out()
		}
		g.feed(byteEnd)
	}
	// Variations that are stepped over, 255 inside each other and one more.
	g.begin(noLoad)
	if c.depth == 0 {
		for range 256 {
			g.feed(0x04, byteOpen)
		}
	}
	g.feed(byteEnd)
	// 100 inside each other and back; on the way, at each depth one that ends at once.
	g.begin(noLoad)
	if c.depth == 0 {
		for range 100 {
			g.feed(0x04, byteOpen, 0x04, byteClose, byteOpen)
		}
		for range 100 {
			g.feed(0x04, byteClose)
		}
	}
	g.feed(byteResult, byteEnd)
	// Each reserved byte.
	for b := range 256 {
		if reserved(byte(b)) {
			g.begin(noLoad)
			g.feed(byte(b), 0x04, byteEnd)
		}
	}
	g.begin(noLoad)
	g.write(c.name, files)
	for _, code := range []int{1, 4, 5, 6, 7, 8, 9, 10} {
		if g.seen[fmt.Sprint("error ", code)] == 0 && (code != 10 || g.depth > 0) {
			panic(fmt.Errorf("no error %d: take another seed", code))
		}
	}
}
