// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"

	"ply11/sim/oracle"
)

// Layouts of Brenner's bytes.
const (
	LayoutMain       = 0
	LayoutAlt        = 1
	LayoutAltSwapped = 2
	LayoutAltFixed   = 3
)

// Sorts of a byte; the first six name a man.
const (
	sortQueen = iota
	sortRook
	sortBishop
	sortPawn
	sortKnight
	sortKing
	sortOther
	sortUnassigned
)

// byteFields is what a byte outside texts says.
type byteFields struct {
	sort, dir, n, who uint8
	mm                uint8 // of a pawn: 0 one step, 1 two, 2 takes to its right, 3 left
	prefix            bool
	unknown           bool // result unknown
}

// brennerFields are those of all bytes in all layouts.
var brennerFields = func() (t [4][256]byteFields) {
	for layout := range t {
		for d := range t[layout] {
			t[layout][d] = fieldsOf(layout, uint8(d))
		}
	}
	return t
}()

// fieldsOf reads a byte.
func fieldsOf(layout int, d uint8) byteFields {
	f := byteFields{sort: sortUnassigned, dir: d & 7, who: d >> 6 & 1, mm: d >> 3 & 3}
	other := [4]uint8{0xc0, 0x88, 0x84, 0xa0}[layout] // the extension's byte for an unknown result
	switch {
	case d>>3 == 0:
		f.sort = sortOther
	case d>>3 == 1:
		f.sort = sortKing
	case d>>4 == 1:
		f.sort = sortKnight
		f.who = d >> 3 & 1
	case d>>5 == 1:
		f.sort = sortPawn
		f.who = d & 7
		if layout != LayoutMain {
			f.mm = [4]uint8{2, 0, 1, 3}[f.mm]
		}
	case layout == LayoutMain:
		f.n = d >> 3 & 7
		switch {
		case d&0x80 == 0:
			f.sort = sortQueen
		case d&1 != 0:
			f.sort = sortBishop
		default:
			f.sort = sortRook
		}
		if f.n == 0 {
			f.prefix = true
			f.who = d >> 1 & 3
			switch {
			case d >= 0xc0 && d == other:
				f.sort = sortOther
			case d >= 0xc0:
				f.sort = sortUnassigned
			case d&0x80 == 0 && d&1 != 0:
				f.sort = sortKnight
			}
		}
	default:
		f.sort = [4]uint8{0, sortBishop, sortRook, sortQueen}[d>>6]
		bishop := uint8(0)
		if f.sort == sortBishop {
			bishop = 1
		}
		switch layout {
		case LayoutAlt:
			f.n, f.dir, f.who = d&7, d>>4&3<<1|bishop, d>>3&1
			if f.sort == sortQueen {
				f.dir = d >> 3 & 7
			}
		case LayoutAltSwapped:
			f.n, f.dir, f.who = d>>3&7, d&3<<1|bishop, d>>2&1
			if f.sort == sortQueen {
				f.dir = d & 7
			}
		default:
			f.n, f.dir, f.who = d&7, d>>3&3<<1|bishop, d>>5&1
			if f.sort == sortQueen {
				f.dir = d >> 3 & 7
			}
		}
		if f.sort == sortQueen {
			f.who = 0
		}
		if f.n == 0 {
			f.prefix = true
			switch {
			case f.sort == sortQueen && f.dir&1 != 0:
				f.sort = sortKnight
			case f.who != 0 && d == other:
				f.sort = sortOther
			case f.who != 0:
				f.sort = sortUnassigned
			}
			f.who = f.dir >> 1
		}
	}
	if f.sort == sortQueen && !f.prefix {
		f.who = 0
	}
	f.unknown = f.sort == sortOther && d>>3 != 0
	return f
}

// slotBase is the first slot of a man's sort, over 4.
var slotBase = [8]uint8{sortQueen: 5, sortRook: 4, sortBishop: 3, sortPawn: 6, sortKnight: 2, sortKing: 6, sortOther: 6, sortUnassigned: 6}

// BrennerIn are the inputs of ply11_brenner.
type BrennerIn struct {
	CodecIn
	SData uint8
	StartIn
}

// BrennerOut are its outputs. SReady and the text's are combinational, the others are registers.
type BrennerOut struct {
	CodecOut
	TextValid bool
	TextData  uint8
	TextLast  bool
	LoadReady bool
	Quiet     bool // no operation is under way
}

// Brenner is ply11_brenner: Brenner's bytes to indices.
type Brenner struct {
	In  BrennerIn
	Out BrennerOut

	layout int
	men    *Men

	text, filled, moved, prefix bool
	prefixSort, prefixWho       uint8
	glyphs, side                uint8
	renew, ending               bool
	score                       uint8
	startBad                    bool // the position that was loaded
	count                       uint32

	p, q brennerByte
	ep   uint8    // 8 + file of the last double step, or less than 8
	row  [2]uint8 // of a position that is loaded, the occupied squares of ranks 6 and 3
	r    struct {
		valid, prefix, castle, astray   bool
		kind, code, from, to, promotion uint8
		offset                          uint32
	}
	held bool // the number that a prefix names is a living man's
	bad  bool // an error in this game
	told bool // m_valid and not a NEW, whose other data is free
}

// A brennerByte is a byte at stages p and q.
type brennerByte struct {
	valid, castle, pawn, knight, promote, prefix    bool
	kind, code, side, slot, new, dir, n, become, mm uint8
	offset                                          uint32
}

// NewBrenner returns a model for a layout, 0..3.
func NewBrenner(layout int) (*Brenner, error) { return NewBrennerGames(layout, MenGames) }

// NewBrennerGames returns a model for a layout, 0..3, whose games have numbers of so many bits, 1..9.
func NewBrennerGames(layout, games int) (*Brenner, error) {
	if layout < 0 || layout > 3 {
		return nil, fmt.Errorf("sim: layout %d: 0 to 3 are possible", layout)
	}
	men, err := NewMen(games)
	if err != nil {
		return nil, err
	}
	b := &Brenner{layout: layout, men: men}
	b.Reset()
	return b, nil
}

// Verilog names the module.
func (b *Brenner) Verilog() Verilog {
	return Verilog{
		Module: "ply11_brenner",
		Params: []string{fmt.Sprintf("LAYOUT=%d", b.layout), b.men.param()},
		Files:  []string{"rtl/ply11_brenner.v", "rtl/ply11_men.v", "rtl/ply11_encode.v"},
	}
}

// Ports returns the ports.
func (b *Brenner) Ports() []Port {
	in := &b.In
	ports := codecPorts(&in.CodecIn, input("s_data", 8, &in.SData), &b.Out.CodecOut, &b.told, &b.told)
	return append(append(ports,
		output("text_valid", 1, &b.Out.TextValid),
		output("text_data", 8, &b.Out.TextData),
		output("text_last", 1, &b.Out.TextLast),
		output("quiet", 1, &b.Out.Quiet),
		output("load_ready", 1, &b.Out.LoadReady)), in.StartIn.ports()...)
}

// Reset waits for the first game.
func (b *Brenner) Reset() {
	b.clear()
	b.men.Reset()
	b.Eval()
}

func (b *Brenner) clear() {
	b.p.valid, b.q.valid, b.r.valid, b.Out.MValid = false, false, false, false
	b.text, b.moved, b.Out.InGame, b.prefix = false, false, false, false
	b.glyphs, b.side, b.renew, b.ending, b.startBad, b.count = 0, 0, false, false, false, 0
	b.bad, b.ep, b.told = false, 0, false
}

// Eval sets SReady, LoadReady and the text port.
func (b *Brenner) Eval() {
	b.Out.LoadReady = !b.men.Out.Busy
	b.Out.Quiet = !(b.Out.InGame || b.renew || b.ending || b.p.valid || b.q.valid || b.r.valid || b.Out.MValid)
	b.Out.SReady = (!b.Out.MValid || b.In.MReady) && !b.renew && !b.ending && !b.men.Out.Busy
	b.Out.TextValid = b.In.SValid && b.Out.SReady && b.text
	b.Out.TextData = b.In.SData
	b.Out.TextLast = b.In.SData == 0
}

// Step is a clock.
func (b *Brenner) Step() {
	b.Eval()
	in, m := &b.In, b.men
	loads := in.LoadClear || in.LoadValid || in.LoadState
	en := !b.Out.MValid || in.MReady
	if loads || in.Rst {
		m.In = MenIn{
			Rst: in.Rst, LoadClear: in.LoadClear,
			LoadValid: in.LoadValid, LoadSquare: in.LoadSquare, LoadMan: in.LoadMan,
		}
	}
	m.In.En = en
	if en {
		m.In.Restart = b.renew
		m.In.ReadSide, m.In.ReadSlot = b.p.side, b.p.slot
		b.index()
		b.man()
		b.q = b.p
		b.grammar()
	}
	if loads {
		b.load()
	}
	if en || loads || in.Rst || m.Out.Busy {
		m.Step()
	}
	if loads || in.Rst {
		m.In = MenIn{}
	}
	if in.Rst {
		b.clear()
	}
}

// load is a clock of the load port.
func (b *Brenner) load() {
	in := &b.In
	if in.LoadValid && b.men.full() {
		b.startBad = true
	} else if in.LoadClear {
		b.startBad = false
	}
	if in.LoadValid {
		row := -1
		switch in.LoadSquare >> 3 {
		case 5:
			row = 0
		case 2:
			row = 1
		}
		if row >= 0 {
			bit := uint8(1) << (in.LoadSquare & 7)
			b.row[row] &^= bit
			if in.LoadMan != 0 {
				b.row[row] |= bit
			}
		}
	}
	if in.LoadState {
		b.side = in.LoadSide
		b.startBad = b.startBad || in.LoadBad
		b.renew = b.renew || b.startBad
		b.ep = (in.LoadEP - 1) & 7
		if in.LoadEP != 0 && b.row[in.LoadSide&1]>>b.ep&1 == 0 {
			b.ep |= 8
		}
	}
}

// index is stage r: whether the man was alive, and the index.
func (b *Brenner) index() {
	s, o := &b.r, &b.Out
	o.MValid = s.valid && !(b.bad && (s.kind == oracle.BeatPly || s.kind == oracle.BeatError))
	b.told = o.MValid && s.kind != oracle.BeatNew
	if s.prefix {
		b.held = b.men.alive()
	}
	if !s.valid {
		return
	}
	o.MKind, o.MCode, o.MIndex, o.MOffset = s.kind, s.code, 0, s.offset
	switch s.kind {
	case oracle.BeatPly:
		alive := b.men.alive()
		taken := s.promotion != 0 && b.held
		switch {
		case s.castle:
			o.MCode = 5
		case !alive:
			o.MCode = 1
		case taken:
			o.MCode = 7
		default:
			o.MCode = 4
		}
		index, ok := encode(s.from, s.to, s.promotion)
		if ok && alive && !taken && !s.astray {
			o.MIndex = index
		} else {
			o.MKind = oracle.BeatError
			b.bad = true
		}
	case oracle.BeatError:
		b.bad = true
	case oracle.BeatEnd:
		b.bad = false
	}
}

// steps of the eight directions and of the knight's eight jumps.
var (
	dirFile    = [8]int8{1, 1, 0, -1, -1, -1, 0, 1}
	dirRank    = [8]int8{0, 1, 1, 1, 0, -1, -1, -1}
	knightFile = [8]int8{2, 2, 1, -1, -2, -2, -1, 1}
	knightRank = [8]int8{-1, 1, 2, 2, 1, -1, -2, -2}
)

// man is stage q: the man, and where he goes.
func (b *Brenner) man() {
	q, r, m := &b.q, &b.r, b.men
	r.valid, r.kind, r.code, r.offset, r.prefix = q.valid, q.kind, q.code, q.offset, q.prefix
	m.In.MoveValid = q.valid && q.kind == oracle.BeatPly
	if !m.In.MoveValid {
		if q.valid && q.kind == oracle.BeatNew {
			b.ep = 0
		}
		return
	}
	square, _ := m.square()
	var df, dr int8
	forward := int8(1) - 2*int8(q.side)
	switch {
	case q.pawn:
		dr = forward
		switch q.mm {
		case 1:
			dr = 2 * forward
		case 2:
			df = forward
		case 3:
			df = -forward
		}
	case q.knight:
		df, dr = knightFile[q.dir], knightRank[q.dir]
	default:
		df, dr = dirFile[q.dir]*int8(q.n), dirRank[q.dir]*int8(q.n)
	}
	tf, tr := square&7+uint8(df), square>>3+uint8(dr)
	r.astray = (tf|tr)&8 != 0 || q.castle && square != 56*q.side|4
	tf &= 7
	r.from, r.to, r.promotion, r.castle = square, tr&7<<3|tf, 0, q.castle
	m.In.MoveCastle, m.In.MoveSlot, m.In.MoveTo = q.castle, q.slot, r.to
	m.In.MoveAnew = q.promote
	m.In.PassValid, m.In.PassFile = q.pawn && q.mm&2 != 0 && !q.promote && b.ep > 7, b.ep&7
	m.In.PassSquare = (4-q.side)<<3 | (b.ep-uint8(df))&7
	if q.promote {
		r.promotion = 4 | q.become
		m.In.MoveSlot = q.new
	}
	b.ep = tf
	if q.pawn && q.mm == 1 {
		b.ep |= 8
	}
}

// grammar is stage s: a byte's fields and what may follow what.
func (b *Brenner) grammar() {
	p := &b.p
	take := b.In.SValid && b.Out.SReady
	renew, ending := b.renew, b.ending
	b.renew, b.ending = ending, false
	p.prefix = false
	if !take {
		p.valid = renew || ending
		p.kind = oracle.BeatNew
		if ending {
			p.kind, p.code, p.offset = oracle.BeatEnd, b.score, b.count-1
		}
		return
	}
	d := b.In.SData
	count := b.count
	b.count++
	badStart := !b.Out.InGame && b.startBad
	b.startBad = false
	b.Out.InGame = true
	if b.text {
		p.valid = d == 0 && !b.filled && !b.moved
		p.kind, p.code, p.offset, p.side = oracle.BeatError, uint8(oracle.FaultPlace), count, b.side
		b.filled = true
		b.text = d != 0
		return
	}
	f := &brennerFields[b.layout][d]
	plain := f.sort == sortOther && !f.unknown
	low := d & 7
	quote := plain && low == 0
	result := f.unknown || plain && low >= 1 && low <= 3
	castle := plain && (low == 4 || low == 5)
	glyph := plain && low >= 6
	prefix := f.prefix && f.sort <= sortKing
	isMan := f.sort <= sortKing && !prefix
	match := isMan && (f.sort == sortPawn || f.sort == b.prefixSort)
	misplaced := b.prefix && !match || glyph && (!b.moved || b.glyphs == 2)
	unassigned := f.sort == sortUnassigned
	score := [4]uint8{3, 0, 2, 1}[low&3]
	if f.unknown {
		score = 3
	}

	p.valid = isMan || castle || result || unassigned || misplaced || badStart
	switch {
	case badStart:
		p.kind, p.code = oracle.BeatError, uint8(oracle.FaultStart)
	case result:
		p.kind, p.code = oracle.BeatEnd, score
	case unassigned:
		p.kind, p.code = oracle.BeatError, uint8(oracle.FaultCode)
	case misplaced:
		p.kind, p.code = oracle.BeatError, uint8(oracle.FaultPlace)
	default:
		p.kind, p.code = oracle.BeatPly, uint8(oracle.FaultPlace)
	}
	p.offset, p.side = count, b.side
	p.castle = castle
	p.pawn, p.knight = isMan && f.sort == sortPawn, f.sort == sortKnight
	p.promote = b.prefix && f.sort == sortPawn
	p.prefix = prefix
	switch {
	case f.sort == sortPawn:
		p.slot = f.who
	case f.sort == sortKing || castle:
		p.slot = slotKing
	default:
		number := f.who & 3
		if b.prefix {
			number = b.prefixWho
		}
		p.slot = slotBase[f.sort]<<2 | number
	}
	p.new = slotBase[b.prefixSort]<<2 | b.prefixWho
	switch b.prefixSort {
	case sortKnight:
		p.become = 0
	case sortBishop:
		p.become = 1
	case sortRook:
		p.become = 2
	default:
		p.become = 3
	}
	p.dir, p.n, p.mm = f.dir, f.n, f.mm
	switch {
	case castle:
		p.dir, p.n = low&1<<2, 2
	case f.sort == sortKing:
		p.n = 1
	}

	if quote {
		b.text, b.filled = true, false
	}
	b.prefix, b.prefixSort, b.prefixWho = prefix && !b.prefix, f.sort, f.who&3
	if glyph && b.glyphs != 2 {
		b.glyphs++
	}
	if isMan || castle {
		b.side ^= 1
		b.moved = true
		b.glyphs = 0
	}
	if result {
		b.side, b.glyphs = 0, 0
		b.moved, b.Out.InGame = false, false
		b.renew, b.ending, b.score = !badStart, badStart, score
	}
}
