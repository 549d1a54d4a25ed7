// SPDX-License-Identifier: Apache-2.0

// Package jose makes the vectors of ply11_jose's bench: the operations, brackets and texts that must come of games byte
// by byte. It reads GameText with code of its own, as the module does, which knows no board: it looks for nobody
// between and for no check. At the end of a variation, it goes back to a copy of everything.
//
// The stimulus is the bytes and the start positions that stand in the files. The games were chosen among hundreds of
// thousands at random, for what they show: each man named after each thing that can have changed him, brackets taken
// back and put back, every error; and games by hand for what chance does not bring. A game that is added to them by
// hand (a line for each byte, and one of its start) gets the rest from this package.
//
// A file is called document or program by the dialect, or deep, whose variations are up to 32 inside each other, then
// .bytes.hex, .events.hex, .texts.hex or .games.hex. In hexadecimal digits:
//
//	a byte      {bracket 4: 1 followed, 2 after an error; clocks for END and NEW after it 4; bit 0 the game ends,
//	            bit 1 it becomes an operation 4; byte 8}
//	an event    {sort 4: 0 operation, 1 open, 2 close; kind 4, code 4, index 12, offset 32,
//	            the byte that completes it 16}
//	a text      {kind 4, last 4, data 8}
//	a game      {number of its first byte 16, event 16, text 16;
//	            position is loaded 4, load_bad 4, en passant file 4, side 4, board 256};
//	            the last line is for the end of them all
package jose

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"ply11/chess"
	"ply11/hdl"
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

type kept struct{ now, before state }

type reader struct {
	dialect, depth int

	bytes, events, texts, games bytes.Buffer
	count, numEvents, numTexts  int

	st, before state
	stack      []kept

	begun, startBad, bad, skip, second, inText, moved, result bool
	score, nest, firstAt                                      int
	first, textKind                                           byte
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
	null      bool
	after     state
}

// The document's steps, as drawn in its diagrams.
var (
	knightSteps = [8][2]int{{1, 2}, {-1, 2}, {-2, 1}, {-2, -1}, {-1, -2}, {1, -2}, {2, -1}, {2, 1}}
	kingSteps   = [8][2]int{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}, {0, 1}, {0, -1}, {-1, 0}, {1, 0}}
)

func (g *reader) step(sort, n int) (dx, dy int) {
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
func (g *reader) judge(b, s byte) ruling {
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
		if m.alive && m.square == r.to && i/16 != side {
			r.after.men[i].alive, took = false, true
		}
	}
	if sort == pawn && dx != 0 && !took && !promote && st.ep == tf+1 && rank == 4-side {
		for i := 16 * (1 - side); i < 16*(1-side)+8; i++ {
			if st.men[i].alive && st.men[i].square == 8*rank+tf {
				r.after.men[i].alive = false
			}
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
	}
	return r
}

// ---- a byte ----

func (g *reader) push(sort, kind, code int, index moveindex.Index, offset int) {
	fmt.Fprintf(&g.events, "%x%x%x%03x%08x%04x\n", sort, kind, code, uint16(index), offset, g.count)
	g.numEvents++
}

func (g *reader) fail(code, offset int) {
	if !g.bad && !g.skip {
		g.push(sortBeat, opError, code, 0, offset)
	}
}

func (g *reader) move(b, s byte, offset int) {
	if g.bad {
		return
	}
	r := g.judge(b, s)
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
	}
	g.push(sortBeat, opPly, 0, index, offset)
	g.before, g.st = g.st, r.after
}

func (g *reader) follow(b byte) {
	if b == byteClose {
		g.push(sortClose, 0, 0, 0, 0)
		k := g.stack[len(g.stack)-1]
		g.stack = g.stack[:len(g.stack)-1]
		g.st, g.before = k.now, k.before
		return
	}
	g.push(sortOpen, 0, 0, 0, 0)
	g.stack = append(g.stack, kept{g.st, g.before})
	g.st = g.before
}

func between(b, low, high byte) bool { return low <= b && b <= high }

func reserved(b byte) bool {
	return between(b, 0x9b, 0x9f) || between(b, 0xd4, 0xdf) || between(b, 0xe5, 0xef) || between(b, 0xf2, 0xfe)
}

func (g *reader) text(kind byte, last bool, data byte) {
	flag := 0
	if last {
		flag = 1
	}
	fmt.Fprintf(&g.texts, "%x%x%02x\n", kind, flag, data)
	g.numTexts++
}

// byte reads one, and writes what must come of it.
func (g *reader) byte(b byte) {
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
			g.st, g.before = usual(), state{}
			g.stack = g.stack[:0]
		}
	}
	fmt.Fprintf(&g.bytes, "%x%x%x%02x\n", bracket, due, ends|op, b)
	g.count++
}

// ---- games ----

// begin begins a game with what is loaded before it, as a line has it: the men get their numbers from a8 to h1.
func (g *reader) begin(load string) {
	fmt.Fprintf(&g.games, "%04x%04x%04x%s\n", g.count, g.numEvents, g.numTexts, load)
	if load[0] == '0' {
		return
	}
	digit := func(at int) int {
		n, err := strconv.ParseUint(load[at:at+1], 16, 4)
		if err != nil {
			panic(err)
		}
		return int(n)
	}
	g.st = state{ep: digit(2), side: digit(3)}
	g.startBad = digit(1) == 1
	slots := [8]int{1: 15, 2: 14, 3: 8, 4: 10, 5: 12, 6: 0}
	limits := [8]int{1: 1, 2: 1, 3: 2, 4: 2, 5: 2, 6: 8}
	var given [16]int
	for s := 63; s >= 0; s-- {
		square := s ^ 7
		m := digit(4 + 63 - square)
		switch {
		case m == 0:
		case given[m] == limits[m&7]: // one without a number
			g.startBad = true
		default:
			g.st.men[16*(m>>3)+slots[m&7]+given[m]] = man{square: square, alive: true}
			given[m]++
		}
	}
}

// A config is one set of files: a dialect, and how many variations inside each other are followed.
type config struct {
	name           string
	dialect, depth int
}

// Files returns the files, by their names below the root of the project.
func Files() map[string][]byte {
	files := make(map[string][]byte)
	for _, c := range []config{{"document", 0, 0}, {"program", 1, 3}, {"deep", 1, 31}} {
		c.run(files)
	}
	return files
}

// lines are those of a file of the tree.
func (c config) lines(kind string) []string {
	text, err := hdl.FS.ReadFile(c.path(kind))
	if err != nil {
		panic(err)
	}
	return strings.Fields(string(text))
}

func (c config) path(kind string) string { return "tb/ply11_jose/" + c.name + "." + kind + ".hex" }

// run makes the files of games that stand in the tree.
func (c config) run(files map[string][]byte) {
	g := &reader{dialect: c.dialect, depth: c.depth, st: usual()}
	games := c.lines("games")
	for _, line := range c.lines("bytes") {
		b, err := strconv.ParseUint(line[3:], 16, 8)
		if err != nil {
			panic(err)
		}
		if !g.begun {
			if len(games) < 2 {
				panic(fmt.Errorf("%s: byte %d begins a game that has no line", c.path("games"), g.count))
			}
			g.begin(games[0][12:])
			games = games[1:]
		}
		g.byte(byte(b))
	}
	g.begin(games[0][12:])
	for kind, text := range map[string][]byte{"bytes": g.bytes.Bytes(), "events": g.events.Bytes(),
		"texts": g.texts.Bytes(), "games": g.games.Bytes()} {
		if len(text) > 0 {
			files["hdl/"+c.path(kind)] = text
		}
	}
}
