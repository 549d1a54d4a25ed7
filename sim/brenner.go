// SPDX-License-Identifier: Apache-2.0

package sim

import "fmt"

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
	Rst    bool
	SValid bool
	SData  uint8
	MReady bool
}

// BrennerOut are its outputs. SReady and the text's are combinational, the others are registers.
type BrennerOut struct {
	SReady    bool
	MValid    bool
	MKind     uint8
	MCode     uint8
	MIndex    uint16
	MOffset   uint32
	InGame    bool
	TextValid bool
	TextData  uint8
	TextLast  bool
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
	renew                       bool
	count                       uint32

	a struct {
		valid, castle, long, pawn, knight, promote      bool
		kind, code, side, slot, new, dir, n, become, mm uint8
		offset                                          uint32
	}
	ep                   uint8 // 8 + file of the last double step, or less than 8
	kill                 bool
	killSide, killSquare uint8
	jump, jumpLong       bool // of the side that does not lose a man
	bad                  bool
	b                    struct {
		valid                           bool
		kind, code, from, to, promotion uint8
		offset                          uint32
	}
	badIndex bool
	told     bool // m_valid and not a NEW, whose other data is free
}

// NewBrenner returns a model for a layout, 0..3.
func NewBrenner(layout int) (*Brenner, error) {
	if layout < 0 || layout > 3 {
		return nil, fmt.Errorf("sim: layout %d: 0 to 3 are possible", layout)
	}
	b := &Brenner{layout: layout, men: newMen(4, 4)}
	b.Reset()
	return b, nil
}

// Verilog names the module.
func (b *Brenner) Verilog() Verilog {
	return Verilog{
		Module: "ply11_brenner",
		Params: []string{fmt.Sprintf("LAYOUT=%d", b.layout)},
		Files:  []string{"rtl/ply11_brenner.v", "rtl/ply11_men.v", "rtl/ply11_encode.v"},
	}
}

// Ports returns the ports.
func (b *Brenner) Ports() []Port {
	ports := append([]Port{
		input("rst", 1, &b.In.Rst),
		input("s_valid", 1, &b.In.SValid),
		output("s_ready", 1, &b.Out.SReady),
		input("s_data", 8, &b.In.SData),
		output("m_valid", 1, &b.Out.MValid),
		input("m_ready", 1, &b.In.MReady),
	}, given(&b.Out.MValid,
		output("m_kind", 2, &b.Out.MKind))...)
	ports = append(ports, given(&b.told,
		output("m_code", 4, &b.Out.MCode),
		output("m_index", 11, &b.Out.MIndex),
		output("m_offset", 32, &b.Out.MOffset))...)
	return append(ports,
		output("in_game", 1, &b.Out.InGame),
		output("text_valid", 1, &b.Out.TextValid),
		output("text_data", 8, &b.Out.TextData),
		output("text_last", 1, &b.Out.TextLast),
		output("men", 448, b.men.word))
}

// Reset waits for the first game.
func (b *Brenner) Reset() {
	b.clear()
	b.men.Reset()
	b.Eval()
}

func (b *Brenner) clear() {
	b.a.valid, b.b.valid, b.Out.MValid = false, false, false
	b.text, b.moved, b.Out.InGame, b.prefix = false, false, false, false
	b.glyphs, b.side, b.renew, b.count = 0, 0, false, 0
	b.bad, b.kill, b.jump, b.ep, b.badIndex, b.told = false, false, false, 0, false, false
}

// Eval sets SReady and the text port.
func (b *Brenner) Eval() {
	b.Out.SReady = (!b.Out.MValid || b.In.MReady) && !b.renew
	b.Out.TextValid = b.In.SValid && b.Out.SReady && b.text
	b.Out.TextData = b.In.SData
	b.Out.TextLast = b.In.SData == 0
}

// Step is a clock.
func (b *Brenner) Step() {
	b.Eval()
	if !b.Out.MValid || b.In.MReady {
		b.index()
		b.man()
		b.grammar()
	} else if b.In.Rst {
		b.men.In = MenIn{Restart: true}
		b.men.Step()
	}
	if b.In.Rst {
		b.clear()
	}
}

// index is stage b: the index.
func (b *Brenner) index() {
	s, o := &b.b, &b.Out
	o.MValid = s.valid && !(b.badIndex && (s.kind == BeatPly || s.kind == BeatError))
	b.told = o.MValid && s.kind != BeatNew
	if !s.valid {
		return
	}
	o.MKind, o.MCode, o.MIndex, o.MOffset = s.kind, s.code, 0, s.offset
	switch s.kind {
	case BeatPly:
		index, ok := encode(s.from, s.to, s.promotion)
		if ok {
			o.MIndex = index
		} else {
			o.MKind = BeatError
			b.badIndex = true
		}
	case BeatEnd:
		b.badIndex = false
	}
}

// steps of the eight directions and of the knight's eight jumps.
var (
	dirFile    = [8]int8{1, 1, 0, -1, -1, -1, 0, 1}
	dirRank    = [8]int8{0, 1, 1, 1, 0, -1, -1, -1}
	knightFile = [8]int8{2, 2, 1, -1, -2, -2, -1, 1}
	knightRank = [8]int8{-1, 1, 2, 2, 1, -1, -2, -2}
)

// man is stage a: the man, and where he goes.
func (b *Brenner) man() {
	a, m := &b.a, b.men
	b.b.valid = a.valid && !(b.bad && (a.kind == BeatPly || a.kind == BeatError))
	b.b.kind, b.b.code, b.b.offset = a.kind, a.code, a.offset
	m.In = MenIn{
		Restart:   b.In.Rst || a.valid && a.kind == BeatNew,
		KillValid: b.kill, KillSide: b.killSide, KillSquare: b.killSquare,
	}
	if b.jump {
		home := 56 * (b.killSide ^ 1)
		m.In.JumpValid, m.In.JumpSide, m.In.JumpFrom, m.In.JumpTo = true, b.killSide^1, home|7, home|5
		if b.jumpLong {
			m.In.JumpFrom, m.In.JumpTo = home, home|3
		}
	}
	b.kill, b.jump = false, false
	if a.valid && a.kind == BeatPly {
		b.ply()
	} else if a.valid {
		switch a.kind {
		case BeatError:
			b.bad = true
		case BeatEnd:
			b.bad = false
		case BeatNew:
			b.ep = 0
		}
	}
	if m.In.Restart || m.In.KillValid || m.In.MoveValid {
		m.Step()
	}
}

// ply is what stage a does with a move.
func (b *Brenner) ply() {
	a, m := &b.a, b.men
	square, alive := m.square[a.side<<5|a.slot], m.alive[a.side<<5|a.slot]
	var df, dr int8
	forward := int8(1) - 2*int8(a.side)
	switch {
	case a.pawn:
		dr = forward
		switch a.mm {
		case 1:
			dr = 2 * forward
		case 2:
			df = forward
		case 3:
			df = -forward
		}
	case a.knight:
		df, dr = knightFile[a.dir], knightRank[a.dir]
	default:
		df, dr = dirFile[a.dir]*int8(a.n), dirRank[a.dir]*int8(a.n)
	}
	tf, tr := square&7+uint8(df), square>>3+uint8(dr)
	outside := !a.castle && (tf|tr)&8 != 0
	tf &= 7
	from, to := square, tr&7<<3|tf
	home := 56 * a.side
	if a.castle {
		from, to = home|4, home|6
		if a.long {
			to = home | 2
		}
	}
	taken := a.promote && m.alive[a.side<<5|a.new]
	fifth := 4 - a.side
	passant := a.pawn && a.mm&2 != 0 && !a.promote && b.ep == 8|tf && square>>3 == fifth
	if !outside {
		m.In.MoveValid, m.In.MoveSide, m.In.MoveSlot, m.In.MoveNew, m.In.MoveTo = true, a.side, a.slot, a.slot, to
		if a.promote {
			m.In.MoveNew = a.new
		}
		b.kill, b.killSide, b.killSquare = true, a.side^1, to
		b.jump, b.jumpLong = a.castle, a.long
		if passant {
			b.killSquare = square&56 | tf
		}
	}
	b.ep = tf
	if a.pawn && a.mm == 1 {
		b.ep |= 8
	}
	displaced := a.castle && square != home|4
	switch {
	case a.castle:
		b.b.code = 5
	case !alive:
		b.b.code = 1
	case taken:
		b.b.code = 7
	default:
		b.b.code = 4
	}
	if !alive || outside || taken || displaced {
		b.b.kind = BeatError
		b.bad = true
	}
	b.b.from, b.b.to, b.b.promotion = from, to, 0
	if a.promote {
		b.b.promotion = a.become
	}
}

// grammar is stage s: a byte's fields and what may follow what.
func (b *Brenner) grammar() {
	a := &b.a
	take := b.In.SValid && b.Out.SReady
	renew := b.renew
	b.renew = false
	if !take {
		a.valid = renew
		a.kind = BeatNew
		return
	}
	d := b.In.SData
	count := b.count
	b.count++
	b.Out.InGame = true
	if b.text {
		a.valid = d == 0 && !b.filled && !b.moved
		a.kind, a.code, a.offset, a.side = BeatError, 7, count, b.side
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

	a.valid = isMan || castle || result || unassigned || misplaced
	switch {
	case result:
		a.kind = BeatEnd
		a.code = [4]uint8{3, 0, 2, 1}[low&3]
		if f.unknown {
			a.code = 3
		}
	case unassigned:
		a.kind, a.code = BeatError, 6
	case misplaced:
		a.kind, a.code = BeatError, 7
	default:
		a.kind, a.code = BeatPly, 7
	}
	a.offset, a.side = count, b.side
	a.castle, a.long = castle, d&1 != 0
	a.pawn, a.knight = isMan && f.sort == sortPawn, f.sort == sortKnight
	a.promote = b.prefix && f.sort == sortPawn
	switch {
	case f.sort == sortPawn:
		a.slot = f.who
	case f.sort == sortKing || castle:
		a.slot = 24
	default:
		number := f.who & 3
		if b.prefix {
			number = b.prefixWho
		}
		a.slot = slotBase[f.sort]<<2 | number
	}
	a.new = slotBase[b.prefixSort]<<2 | b.prefixWho
	switch b.prefixSort {
	case sortKnight:
		a.become = 4
	case sortBishop:
		a.become = 5
	case sortRook:
		a.become = 6
	default:
		a.become = 7
	}
	a.dir, a.n, a.mm = f.dir, f.n, f.mm
	if f.sort == sortKing {
		a.n = 1
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
		b.renew = true
	}
}
