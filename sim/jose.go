// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"

	"ply11/moveindex"
	"ply11/sim/oracle"
)

// Dialects of jose's bytes.
const (
	DialectDocument = 0
	DialectProgram  = 1
)

// JoseIn are the inputs of ply11_jose.
type JoseIn struct {
	CodecIn
	SData uint8
	Done  bool
	StartIn
}

// JoseOut are its outputs. SReady and the text's are combinational, the others come from registers.
type JoseOut struct {
	CodecOut
	Quiet     bool // no operation is under way
	TextValid bool
	TextData  uint8
	TextLast  bool
	TextKind  uint8
	Open      bool
	Close     bool
}

// Sorts of a man, as his steps go.
const (
	josePawn = iota
	joseKnight
	joseBishop
	joseRook
	joseQueen
	joseKing
)

// joseByte is what a byte says that is neither a second byte nor text.
type joseByte struct {
	move, castle, null, pair, result, text, open, shut, end, reserved bool
	slot, offset                                                      uint8
}

var joseBytes = func() (t [256]joseByte) {
	for i := range t {
		d := uint8(i)
		b := &t[i]
		b.move = d < 0x9b
		b.castle = d == 0x98 || d == 0x99
		b.null = d == 0x9a
		b.pair = d>>4 == 0xa || d == 0xb0
		b.result = d >= 0xd0 && d <= 0xd3
		b.text = d >= 0xe0 && d <= 0xe4
		b.open, b.shut, b.end = d == 0xf0, d == 0xf1, d == 0xff
		b.reserved = d >= 0x9b && d <= 0x9f || d >= 0xd4 && d <= 0xdf || d >= 0xe5 && d <= 0xef || d >= 0xf2 && d <= 0xfe
		switch {
		case d < 0x20:
			b.slot, b.offset = d>>2, d&3
		case d < 0x30:
			b.slot, b.offset = 8+d>>3&1, d&7
		case d < 0x70:
			b.slot, b.offset = 10+(d-0x30)>>4, d&15
		case d < 0x90:
			b.slot, b.offset = 14, d-0x70
		default:
			b.slot, b.offset = 15, d&7
		}
	}
	return t
}()

// Steps of the knight and the king, by dialect and offset.
var (
	joseKnightSteps = [2][8][2]int8{
		{{1, 2}, {-1, 2}, {-2, 1}, {-2, -1}, {-1, -2}, {1, -2}, {2, -1}, {2, 1}},
		{{2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}, {1, 2}},
	}
	joseKingSteps = [2][8][2]int8{
		{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}, {0, 1}, {0, -1}, {-1, 0}, {1, 0}},
		{{1, 1}, {1, -1}, {-1, -1}, {-1, 1}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}},
	}
)

// joseMen are the men by slot: White's at 0..15, Black's from 16.
type joseMen struct {
	square   [32]uint8
	promoted [32]uint8 // of a pawn: 4 and to what, 0 knight .. 3 queen, once he is promoted
	alive    uint32
	fell     uint32 // in the last ply
}

var joseHomes = func() (m joseMen) {
	for side := range uint8(2) {
		for slot := range uint8(16) {
			square := 56*side + [16]uint8{8: 1, 9: 6, 10: 2, 11: 5, 12: 0, 13: 7, 14: 3, 15: 4}[slot]
			if slot < 8 {
				square = 8 + 40*side + slot
			}
			m.square[16*side+slot] = square
		}
	}
	m.alive = 1<<32 - 1
	return m
}()

// joseLast is the last ply of a line: what takes it back, beside the men that fell.
type joseLast struct {
	slot, from, ep              uint8 // ep: before it
	castle, long, null, promote bool
}

// josePage is what is kept for the end of a variation.
type josePage struct {
	men  joseMen
	last joseLast
	ep   uint8
	side uint8
}

// joseOp is an operation on its way through the stages a and c.
type joseOp struct {
	valid                                 bool
	castle, long, null, promote, promoted bool
	kind, code, side, slot, off, become   uint8
	offset                                uint32
	// Read between a and c.
	sort               uint8
	square, isPromoted uint8
	alive              bool
}

// Jose is ply11_jose: jose's GameText to indices.
type Jose struct {
	In  JoseIn
	Out JoseOut

	dialect, depth int

	// The grammar.
	second, text, moved, result, skip, renew, ending, startBad bool
	first, textKind, score, side                               uint8
	nest                                                       uint8
	open, shut                                                 bool // a bracket waits or is followed
	count, firstAt                                             uint32

	a, c joseOp
	b    struct {
		valid, null                     bool
		kind, code, from, to, promotion uint8
		offset                          uint32
	}
	men           joseMen
	pawns         [2]uint8 // loaded
	ep            uint8
	last          joseLast
	bad, badIndex bool

	run, asked bool
	k          uint8
	level      uint8
	pages      []josePage

	told bool // m_valid and not a NEW, whose other data is free
}

// NewJose returns a model for a dialect, 0 document or 1 program, that follows depth variations inside each
// other, 0..31.
func NewJose(dialect, depth int) (*Jose, error) {
	if dialect < 0 || dialect > 1 {
		return nil, fmt.Errorf("sim: dialect %d: 0 and 1 are possible", dialect)
	}
	if err := checkDepth(depth); err != nil {
		return nil, err
	}
	j := &Jose{dialect: dialect, depth: depth}
	if depth > 0 {
		j.pages = make([]josePage, MaxDepth+1)
	}
	j.Reset()
	return j, nil
}

// Verilog names the module.
func (j *Jose) Verilog() Verilog {
	return Verilog{
		Module: "ply11_jose",
		Params: []string{fmt.Sprintf("DIALECT=%d", j.dialect), fmt.Sprintf("DEPTH=%d", j.depth)},
		Files:  []string{"rtl/ply11_jose.v", "rtl/ply11_encode.v"},
	}
}

// Ports returns the ports.
func (j *Jose) Ports() []Port {
	in, o := &j.In, &j.Out
	ports := append(codecPorts(&in.CodecIn, input("s_data", 8, &in.SData), &o.CodecOut, &j.told, &j.told),
		output("quiet", 1, &o.Quiet),
		output("text_valid", 1, &o.TextValid))
	ports = append(ports, given(&o.TextValid,
		output("text_data", 8, &o.TextData),
		output("text_last", 1, &o.TextLast),
		output("text_kind", 3, &o.TextKind))...)
	return append(append(ports,
		output("open", 1, &o.Open),
		output("close", 1, &o.Close),
		input("done", 1, &in.Done)), in.StartIn.ports()...)
}

// Reset waits for the first game.
func (j *Jose) Reset() {
	j.clear()
	j.Eval()
}

func (j *Jose) clear() {
	j.a.valid, j.c.valid, j.b.valid, j.Out.MValid, j.told = false, false, false, false, false
	j.second, j.text, j.moved, j.result, j.skip, j.renew, j.ending, j.startBad = false, false, false, false, false, false, false, false
	j.side, j.nest, j.count = 0, 0, 0
	j.open, j.shut, j.run, j.level = false, false, false, 0
	j.bad, j.badIndex, j.ep = false, false, 0
	j.men = joseHomes
	j.Out.InGame, j.Out.Open, j.Out.Close = false, false, false
}

// Eval sets SReady and the text port.
func (j *Jose) Eval() {
	o := &j.Out
	o.Quiet = !(o.InGame || j.renew || j.ending || j.a.valid || j.c.valid || j.b.valid || o.MValid)
	o.SReady = (!o.MValid || j.In.MReady) && !j.renew && !j.ending && !j.open && !j.shut
	take := j.In.SValid && o.SReady
	if j.dialect == DialectDocument {
		o.TextValid = take && j.text
		o.TextData, o.TextLast, o.TextKind = j.In.SData, j.In.SData == 0, j.textKind
		return
	}
	o.TextValid = take && !j.second && joseBytes[j.In.SData].text
	o.TextData, o.TextLast, o.TextKind = 0, true, j.In.SData&7
}

// Step is a clock.
func (j *Jose) Step() {
	j.Eval()
	if !j.Out.MValid || j.In.MReady {
		j.advance()
	}
	if j.In.Rst {
		j.clear()
	}
	j.Out.Open, j.Out.Close = j.run && j.open && !j.asked, j.run && j.shut && !j.asked
}

// advance moves all stages on, the last first.
func (j *Jose) advance() {
	empty := !j.a.valid && !j.c.valid && !j.b.valid && !j.Out.MValid
	hopeless := j.bad || j.badIndex
	j.index()
	var c joseOp
	if j.a.valid {
		c = j.read()
	}
	j.target()
	if j.open || j.shut {
		j.variation(empty, hopeless)
	}
	if j.a.valid && j.a.kind == oracle.BeatNew {
		j.men = joseHomes
		j.ep, j.level = 0, 0
	}
	j.c = c
	j.grammar()
	if in := &j.In; in.LoadClear || in.LoadValid || in.LoadState {
		j.load()
	}
}

// index is stage b: the index.
func (j *Jose) index() {
	s, o := &j.b, &j.Out
	o.MValid = s.valid && !(j.badIndex && (s.kind == oracle.BeatPly || s.kind == oracle.BeatError))
	j.told = o.MValid && s.kind != oracle.BeatNew
	if !s.valid {
		return
	}
	o.MKind, o.MCode, o.MIndex, o.MOffset = s.kind, s.code, 0, s.offset
	switch s.kind {
	case oracle.BeatPly:
		index, ok := encode(s.from, s.to, s.promotion)
		switch {
		case s.null:
			o.MIndex = uint16(moveindex.Null)
		case ok:
			o.MIndex = index
		default:
			o.MKind = oracle.BeatError
			j.badIndex = true
		}
	case oracle.BeatEnd:
		j.badIndex = false
	}
}

// read is stage a: the man is read.
func (j *Jose) read() joseOp {
	c := j.a
	i := c.side<<4 | c.slot
	c.square, c.isPromoted, c.alive = j.men.square[i], j.men.promoted[i], j.men.alive>>i&1 != 0
	switch {
	case c.promoted:
		c.sort = joseKnight + c.isPromoted&3
	case c.slot < 8:
		c.sort = josePawn
	case c.slot < 14:
		c.sort = joseKnight + (c.slot-8)>>1
	default:
		c.sort = joseQueen + c.slot&1
	}
	return c
}

// target is stage c: where the man goes, and what that does to the men.
func (j *Jose) target() {
	c, b := &j.c, &j.b
	b.valid = c.valid && !(j.bad && (c.kind == oracle.BeatPly || c.kind == oracle.BeatError))
	if !c.valid {
		return
	}
	b.kind, b.code, b.offset, b.null = c.kind, c.code, c.offset, c.null
	switch c.kind {
	case oracle.BeatPly:
		j.ply()
	case oracle.BeatError:
		j.bad = true
	case oracle.BeatEnd:
		j.bad = false
	}
}

// ply is what stage c does with a move.
func (j *Jose) ply() {
	c, b := &j.c, &j.b
	file, rank := c.square&7, c.square>>3
	n := c.off & 7
	var df, dr int8
	tf := uint8(255)
	forward := int8(1) - 2*int8(c.side)
	rise := int8(n) - int8(rank)
	sort := c.sort
	if sort == joseQueen {
		sort = joseBishop + c.off>>4
	}
	switch sort {
	case josePawn:
		dr = forward
		switch n & 3 {
		case 1:
			df = forward
		case 2:
			df = -forward
		case 3:
			dr = 2 * forward
		}
	case joseKnight:
		s := &joseKnightSteps[j.dialect&1][n]
		df, dr = s[0], s[1]
	case joseKing:
		s := &joseKingSteps[j.dialect&1][n]
		df, dr = s[0], s[1]
	case joseBishop:
		df, dr = rise, rise
		if c.off&8 != 0 {
			df = -rise
		}
	default:
		dr = rise
		if c.off&8 != 0 {
			dr, tf = 0, n
		}
	}
	sf, sr := file+uint8(df), rank+uint8(dr)
	if tf > 7 {
		tf = sf & 7
	}
	to := sr&7<<3 | tf
	astray := (sf|sr)&8 != 0 || to == c.square
	there := c.alive && c.isPromoted>>2 != 0 == c.promoted
	beyond := c.promoted && (c.sort == joseKnight && c.off>>3 != 0 || (c.sort == joseBishop || c.sort == joseRook) && c.off>>4 != 0)
	wrong := !c.null
	if c.castle {
		home := 56*c.side | 4
		wrong = !c.alive || c.square != home
		to = home + 2
		if c.long {
			to = home - 2
		}
	} else if wrong {
		wrong = !there || beyond || astray
	}
	switch {
	case c.castle:
		b.code = uint8(oracle.FaultCastling)
	case !there:
		b.code = uint8(oracle.FaultEmpty)
	case beyond:
		b.code = uint8(oracle.FaultOperand)
	default:
		b.code = uint8(oracle.FaultGeometry)
	}
	b.from, b.to, b.promotion = c.square, to, 0
	if c.promote {
		b.promotion = 4 | c.become
	}
	if wrong {
		b.kind = oracle.BeatError
		j.bad = true
		return
	}
	ep := j.ep
	j.ep = tf
	if c.sort == josePawn && !c.null && n&3 == 3 {
		j.ep |= 8
	}
	j.last = joseLast{c.slot, c.square, ep, c.castle, c.long, c.null, c.promote}
	m := &j.men
	m.fell = 0
	if c.null {
		return
	}
	// Who falls.
	other := 16 - c.side<<4
	for i := other; i < other+16; i++ {
		if m.square[i] == to {
			m.fell |= 1 << i & m.alive
		}
	}
	if m.fell == 0 && c.sort == josePawn && (n == 1 || n == 2) && !c.promote && ep == 8|tf && rank == 4-c.side {
		passed := (4-c.side)<<3 | tf
		for i := other; i < other+8; i++ {
			if m.square[i] == passed {
				m.fell |= 1 << i & m.alive
			}
		}
	}
	if c.castle {
		j.jump(c.side, castlingCorner(c.long), castlingInner(c.long))
	}
	i := c.side<<4 | c.slot
	m.square[i] = to
	m.alive = m.alive&^m.fell | 1<<i
	if c.promote {
		m.promoted[i] = 4 | c.become
	}
}

// castlingCorner and castlingInner are the rook's files.
func castlingCorner(long bool) uint8 {
	if long {
		return 0
	}
	return 7
}

func castlingInner(long bool) uint8 {
	if long {
		return 3
	}
	return 5
}

// jump moves whoever of a side but the king stands on a file of the home rank to another.
func (j *Jose) jump(side, from, to uint8) {
	m := &j.men
	home := 56 * side
	for i := side << 4; i < side<<4+15; i++ {
		if m.alive>>i&1 != 0 && m.square[i] == home|from {
			m.square[i] = home | to
		}
	}
}

// variation follows a bracket: it waits, then the men are kept or put back one by one. Here that is done at
// once, in the step in which the rest changes.
func (j *Jose) variation(empty, hopeless bool) {
	if !j.run {
		switch {
		case !empty:
		case hopeless:
			j.open, j.shut = false, false
		default:
			j.run, j.asked, j.k = true, j.In.Done, 0
		}
		return
	}
	asked := j.asked || j.In.Done
	switch {
	case j.k == 33 && j.open:
		j.pages[j.level] = josePage{j.men, j.last, j.ep, j.side}
		j.level = (j.level + 1) & 31
		j.takeBack()
	case j.k == 33:
		j.level = (j.level - 1) & 31
		p := &j.pages[j.level]
		j.men, j.last, j.ep, j.side = p.men, p.last, p.ep, p.side
	case j.k == 34 && asked:
		j.run, j.open, j.shut = false, false, false
	}
	j.asked = asked
	if j.k != 34 {
		j.k++
	}
}

// takeBack takes the last ply back.
func (j *Jose) takeBack() {
	l, m := &j.last, &j.men
	side := j.side ^ 1
	j.side = side
	j.ep = l.ep
	if l.null {
		return
	}
	if l.castle {
		j.jump(side, castlingInner(l.long), castlingCorner(l.long))
	}
	i := side<<4 | l.slot
	m.square[i] = l.from
	m.alive |= m.fell | 1<<i
	if l.promote {
		m.promoted[i] = 0
	}
}

// grammar is stage s: what may follow what.
func (j *Jose) grammar() {
	a := &j.a
	take := j.In.SValid && j.Out.SReady
	if !take {
		a.valid = j.renew || j.ending
		a.kind = oracle.BeatNew
		if j.ending {
			a.kind, a.offset = oracle.BeatEnd, j.firstAt
			a.code = j.scoreCode()
		}
		j.renew, j.ending = j.ending, false
		return
	}
	d := j.In.SData
	at := j.count
	j.count++
	begun := j.Out.InGame
	badStart := !begun && j.startBad
	j.Out.InGame = true
	j.startBad = false
	a.valid = false
	played := j.depth != 0 || j.nest == 0
	switch {
	case j.text:
		j.text = d != 0
	case j.second:
		j.second = false
		if j.first&16 != 0 {
			return
		}
		a.valid = played && !j.skip
		*a = joseOp{
			valid: a.valid, kind: oracle.BeatPly, code: uint8(oracle.FaultOperand), offset: j.firstAt, side: j.side, long: d&1 != 0,
			promote: j.first&8 == 0, promoted: j.first&8 != 0, become: d & 3, slot: j.first & 7, off: d >> 2 & 3,
		}
		if a.promoted {
			a.off = d & 31
		}
		if a.valid {
			j.side ^= 1
		}
		j.moved = true
		if d == 0 && !j.skip {
			a.valid, a.kind = true, oracle.BeatError
			j.skip = true
		}
	default:
		j.plain(d, at, badStart, played)
	}
}

func (j *Jose) scoreCode() uint8 {
	if j.result {
		return j.score
	}
	return 3
}

// plain takes a byte that is neither a second byte nor text.
func (j *Jose) plain(d uint8, at uint32, badStart, played bool) {
	a, f := &j.a, &joseBytes[d]
	tooDeep := f.open && int(j.nest) == j.depth
	if j.depth == 0 {
		tooDeep = f.open && j.nest == 255
	}
	misplaced := j.result && !f.end || f.open && !j.moved || f.shut && j.nest == 0 || (f.result || f.end) && j.nest != 0 ||
		j.depth == 0 && tooDeep
	over := j.depth != 0 && tooDeep
	badByte := !j.skip && (badStart || misplaced || over || f.reserved)
	ply := f.move && played && !j.skip

	*a = joseOp{
		valid: ply || badByte || f.end, kind: oracle.BeatPly, offset: at, side: j.side,
		castle: f.castle, long: d&1 != 0, null: f.null, become: d & 3, slot: f.slot, off: f.offset,
	}
	switch {
	case badByte:
		a.kind = oracle.BeatError
	case f.end:
		a.kind = oracle.BeatEnd
	}
	switch {
	case f.end && !badByte:
		a.code = j.scoreCode()
	case badStart:
		a.code = uint8(oracle.FaultStart)
	case misplaced:
		a.code = uint8(oracle.FaultPlace)
	case over:
		a.code = uint8(oracle.FaultDepth)
	default:
		a.code = uint8(oracle.FaultCode)
	}

	j.second, j.first, j.firstAt = f.pair, d&31, at
	if j.dialect == DialectDocument {
		j.text, j.textKind = f.text, d&7
	}
	if f.result {
		j.result, j.score = true, d&3
	}
	if ply {
		j.side ^= 1
	}
	if f.move {
		j.moved = true
	}
	if !j.skip && !badByte {
		if f.open {
			j.nest++
			j.moved = false
		}
		if f.shut {
			j.nest--
			j.moved = true
		}
		if j.depth != 0 {
			j.open, j.shut = f.open, f.shut
		}
	}
	if f.end {
		j.Out.InGame = false
		j.renew, j.ending = !badByte, badByte
		j.side, j.nest = 0, 0
		j.moved, j.skip, j.result = false, false, false
	} else if badByte {
		j.skip = true
	}
}

// load takes a start position.
func (j *Jose) load() {
	in, m := &j.In, &j.men
	kind, side := in.LoadMan&7, in.LoadMan>>3&1
	if in.LoadState {
		j.side = in.LoadSide & 1
		j.startBad = in.LoadBad || j.startBad
		j.renew = j.renew || j.startBad
		j.ep = (in.LoadEP - 1) & 7
		if in.LoadEP != 0 {
			j.ep |= 8
		}
	}
	alive := func(slot uint8) uint8 { return uint8(m.alive >> (side<<4 | slot) & 1) }
	var slot, full uint8
	load := in.LoadValid && kind != 0 && kind != 7
	if load {
		switch kind {
		case 1:
			slot, full = 15, alive(15)
		case 2:
			slot, full = 14, alive(14)
		case 3:
			slot, full = 8+alive(8), alive(9)
		case 4:
			slot, full = 10+alive(10), alive(11)
		case 5:
			slot, full = 12+alive(12), alive(13)
		default:
			slot, full = j.pawns[side], alive(7)
		}
		if full == 0 && kind == 6 {
			j.pawns[side] = (j.pawns[side] + 1) & 7
		}
	}
	if in.LoadClear {
		j.startBad = false
		j.pawns = [2]uint8{}
		m.alive, m.fell, m.promoted = 0, 0, [32]uint8{}
	}
	if load && full != 0 {
		j.startBad = true
	} else if load {
		i := side<<4 | slot
		m.square[i] = in.LoadSquare
		if !in.LoadClear {
			m.alive |= 1 << i
			m.promoted[i] = 0
		}
	}
}
