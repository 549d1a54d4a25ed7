// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math/bits"

	"ply11/chess"
	"ply11/moveindex"
)

// MovesIn are the inputs of ply11_moves.
type MovesIn struct {
	Rst    bool
	SValid bool
	Board  [4]uint64 // as State.Men
	Side   uint8
	Rights uint8
	EP     uint8
	MReady bool
}

// MovesOut are its outputs. SReady and the others are registers.
type MovesOut struct {
	SReady     bool
	MValid     bool
	MIndex     uint16
	MLast      bool
	MCount     uint16
	MCheck     bool
	MMate      bool
	MStalemate bool
}

// Moves is ply11_moves: the legal moves of a position as a stream of indices.
type Moves struct {
	In  MovesIn
	Out MovesOut

	movesRegs
	star   star
	memory [256]fifoEntry
}

// States of the reading side, as in the Verilog.
const (
	mvIdle    = 0
	mvScan    = 1
	mvWait    = 2
	mvKingF   = 3
	mvLeapers = 4
	mvAgain   = 5
	mvSteps   = 6
	mvLast    = 7
	mvKingB   = 8
	mvVictim  = 9
	mvPause   = 10
	mvMen     = 24
)

// What a star is asked for.
const (
	opNothing = iota
	opMan
	opRise
	opDrop
	opPassant
	opStep
	opCheckF
	opCheckB
	opLeaper
	opTaken
	opEnd
)

// Kinds of an entry of the FIFO.
const (
	kindLines = iota
	kindUp
	kindDown
	kindKing
	kindSlider
	kindKnight
	kindOver
	kindFree
)

// A question goes along with its star.
type question struct {
	op, row, file, allow, castle uint8
	pawn, home, first            bool
}

// A fifoEntry is what a star found.
type fifoEntry struct {
	promotes          bool
	kind, side        uint8
	axes              uint8
	row, file         uint8
	targets           [4]uint8
	kingRow, kingFile uint8
}

// A lineRow is a row of eight squares of a man's targets, on its way to the indices.
type lineRow struct {
	bits, axis, line, kind uint8
	row, file              uint8
	promotes               bool
	side                   uint8
}

type movesRegs struct {
	state, count, at                uint8
	line                            uint32
	lineRow                         uint8
	lineScan, lineLast, lineFlush   bool
	enemy, straight, oblique        [8]uint8
	attacked                        [8]uint8
	ownRows                         uint8
	kingRow, kingFile               uint8
	p2, p1, p0, p_                  uint8
	left, todo                      uint8
	atValid, lineValid              bool
	kinds                           [8]uint8
	todoRow                         uint8
	todoNone, todoOne               bool
	manValid, manPawn, manKnight    bool
	manRow, manFile, manAllow, part uint8
	epLeft, epRight, early          bool
	steps                           uint16
	stepsKnown                      bool

	z                     question
	zTwo, zForward, zBack bool
	zLeap                 uint8
	a, b, c               question
	cLimit                bool
	bLeapers, cLeapers    uint8
	bAttacked, cAttacked  bool

	wasPinned, wasPin1, wasPin3, wasSlider, wasKing  bool
	takenPinned, takenSlider, takenKing, takenChecks bool
	forwardSlider                                    uint8
	firstSafe                                        [2]bool

	cKingRow, cKingFile uint8
	tKingRow, tKingFile uint8
	t, d                fifoEntry // targets, promotes, square
	tOp, dOp            uint8
	tAllow              uint8
	tWrite, dWrite      bool
	dSide               uint8

	q                      fifoEntry
	putAt, getAt           uint8
	room                   bool
	late                   bool // the clock after a reset, in which what was asked before it still comes
	qValid, qFresh         bool
	qLeft                  uint8
	e, f, g, h             lineRow
	eValid, fValid, gValid bool
	eHolds, fHolds, gHolds bool
	hHolds                 bool
	check, checkOne        bool
	checkAxis, checkLine   uint8
	checkBits              uint8
	fX, fY                 uint8
	fSame, fTwice, fNever  bool
	fOpen                  bool
	hValid, hOne           bool
	hPiece                 uint8
	i                      lineRow
	iValid, iLast, iCheck  bool
	iAt, iPiece            uint8
	nValid, nLast, nCheck  bool
	nFrom, nTo, nPromotion uint8
	moves                  uint16
}

// NewMoves returns a model.
func NewMoves() *Moves {
	m := &Moves{}
	m.Reset()
	return m
}

// Verilog names the module.
func (m *Moves) Verilog() Verilog {
	return Verilog{
		Module: "ply11_moves",
		Files:  []string{"rtl/ply11_moves.v", "rtl/ply11_moves_find.v", "rtl/ply11_moves_emit.v", "rtl/ply11_star.v", "rtl/ply11_encode.v"},
	}
}

// Ports returns the ports.
func (m *Moves) Ports() []Port {
	return append([]Port{
		input("rst", 1, &m.In.Rst),
		input("s_valid", 1, &m.In.SValid),
		output("s_ready", 1, &m.Out.SReady),
		input("board", 256, &m.In.Board),
		input("side", 1, &m.In.Side),
		input("rights", 4, &m.In.Rights),
		input("ep", 4, &m.In.EP),
		output("m_valid", 1, &m.Out.MValid),
		input("m_ready", 1, &m.In.MReady),
	}, given(&m.Out.MValid,
		output("m_index", 11, &m.Out.MIndex),
		output("m_last", 1, &m.Out.MLast),
		output("m_count", 9, &m.Out.MCount),
		output("m_check", 1, &m.Out.MCheck),
		output("m_mate", 1, &m.Out.MMate),
		output("m_stalemate", 1, &m.Out.MStalemate))...)
}

// Reset empties the module.
func (m *Moves) Reset() {
	m.movesRegs = movesRegs{room: true, qFresh: true, hOne: true}
	m.star = star{}
	m.Out = MovesOut{}
}

// Eval does nothing: no output depends on an input of the same clock.
func (m *Moves) Eval() {}

func beside(b uint8) uint8 { return b<<1 | b>>1 }
func beyond(b uint8) uint8 { return b<<2 | b>>2 }
func others(b uint8) uint8 { return b & (b - 1) }

// lowest is the number of the lowest bit, the highest of n where none is set.
func lowest(b uint8, n uint8) uint8 {
	if b == 0 {
		return n - 1
	}
	return uint8(bits.TrailingZeros8(b))
}

// columns returns the squares of a row for whose man, as the side to move sees him, is holds.
func columns(line uint32, is func(man uint8) bool) (b uint8) {
	for f := range 8 {
		if is(uint8(line>>(4*f)) & 15) {
			b |= 1 << f
		}
	}
	return b
}

// Step is a clock.
func (m *Moves) Step() {
	n := m.movesRegs // what the registers become
	reach, touch, slider, king := m.star.reach, m.star.touch, m.star.slider, m.star.king

	// Reading.
	n.room = m.putAt-m.getAt < 128
	begins := m.state == mvIdle && m.In.SValid && m.room
	walk := m.state&8 != 0
	inMen := m.state&16 != 0
	takes := m.manPawn && (m.epLeft || m.epRight)
	manDone := !takes || m.part&1 != 0
	if m.manKnight {
		manDone = m.part&2 != 0
	}
	asks := inMen && m.manValid
	manNext := inMen && manDone || !m.manValid
	fetch := walk && m.lineValid && (m.todoNone || manNext && m.todoOne)
	if !walk || !m.lineValid || fetch {
		rank := m.at
		flip := uint32(0)
		if m.In.Side != 0 {
			rank ^= 7
			flip = 0x88888888
		}
		n.line = uint32(m.In.Board[rank>>1]>>(rank&1*32)) ^ flip
		n.lineRow = m.at
	}
	n.lineScan = begins || m.state == mvScan
	n.lineLast = m.lineScan && m.lineRow == 7
	n.lineFlush = m.lineLast

	isEnemy := columns(m.line, func(m uint8) bool { return m > 8 })
	isStraight := columns(m.line, func(m uint8) bool { return m > 0 && m < 8 || m == 10 || m == 13 })
	isOblique := columns(m.line, func(m uint8) bool { return m > 0 && m < 8 || m == 10 || m == 12 })
	isKing := columns(m.line, func(m uint8) bool { return m == 1 })
	isMan := columns(m.line, func(m uint8) bool { return m > 1 && m < 8 })
	isKnight := columns(m.line, func(m uint8) bool { return m == 11 })
	isPawn := columns(m.line, func(m uint8) bool { return m == 14 })
	isCrown := columns(m.line, func(m uint8) bool { return m == 9 })
	nearRow := beyond(isKnight) | beside(isCrown) | isCrown
	if m.lineScan {
		n.enemy[m.lineRow], n.straight[m.lineRow], n.oblique[m.lineRow] = isEnemy, isStraight, isOblique
		n.ownRows &^= 1 << m.lineRow
		if isMan != 0 {
			n.ownRows |= 1 << m.lineRow
		}
		if isKing != 0 {
			n.kingRow = m.lineRow
			n.kingFile = 0
			for f := range uint8(8) {
				if isKing>>f&1 != 0 {
					n.kingFile |= f
				}
			}
		}
		n.p2, n.p1, n.p0, n.p_ = m.p1|nearRow|beside(isPawn), m.p0|beside(isCrown), m.p_|nearRow, beside(isKnight)
		if m.lineRow >= 2 {
			n.attacked[m.lineRow-2] = m.p2 | beside(isKnight)
		}
	} else {
		n.p2, n.p1, n.p0, n.p_ = m.p1, 0, 0, 0
	}
	if m.lineLast {
		n.attacked[6] = m.p2
	}
	if m.lineFlush {
		n.attacked[7] = m.p2
	}

	// Asking.
	n.z = question{row: m.kingRow, file: m.kingFile, allow: m.manAllow}
	n.zTwo, n.zLeap, n.zForward, n.zBack = false, 0, true, true
	n.early = false
	switch {
	case m.state == mvKingF || m.state == mvAgain:
		n.at, n.atValid, n.left = lowest(m.ownRows, 8), m.ownRows != 0, others(m.ownRows)
	case walk && (fetch || !m.lineValid):
		n.at, n.atValid, n.left = lowest(m.left, 8), m.left != 0, others(m.left)
	}
	if !walk {
		n.lineValid = false
	} else if fetch || !m.lineValid {
		n.lineValid = m.atValid
	}
	rest := others(m.todo)
	first := lowest(m.todo, 8)
	kind := m.kinds[first]
	if fetch {
		n.todo, n.todoNone, n.todoOne, n.todoRow = isMan, false, others(isMan) == 0, m.lineRow
		for f := range 8 {
			n.kinds[f] = uint8(m.line>>(4*f)) & 7
		}
	} else if manNext {
		n.todo, n.todoNone, n.todoOne = rest, m.todoOne, others(rest) == 0
	}
	epFile := (m.In.EP - 1) & 7
	if manNext {
		n.manValid, n.manRow, n.manFile = !m.todoNone, m.todoRow, first
		n.manKnight, n.manPawn = kind == 3, kind == 6
		n.manAllow = [8]uint8{2: 15, 4: 10, 5: 5, 6: 14}[kind]
		onFifth := m.In.EP != 0 && m.todoRow == 4
		n.epLeft = onFifth && first != 7 && first+1 == epFile
		n.epRight = onFifth && first != 0 && first == epFile+1
		n.part = 0
	} else if inMen {
		n.part = (m.part + 1) & 3
	}
	switch m.state {
	case mvIdle:
		n.at = 0
		if begins {
			n.at, n.state = 1, mvScan
		}
	case mvScan:
		n.at = (m.at + 1) & 7
		if m.at == 7 {
			n.state = mvWait
		}
	case mvWait:
		n.todo, n.todoNone, n.todoOne, n.manValid = 0, true, true, false
		n.state = mvKingF
	case mvKingF:
		n.z.op, n.zBack = opCheckF, false
		n.state = mvKingB
	case mvKingB:
		n.z.op, n.zForward = opCheckB, false
		n.state = mvVictim
	case mvVictim:
		if m.In.EP != 0 {
			n.z.op = opTaken
		}
		n.z.row, n.z.file = 4, epFile
		n.state, n.count, n.early = mvMen, 0, true
	case mvMen:
		if m.early && m.bAttacked {
			n.state = mvLeapers
		} else if !m.manValid && m.todoNone && !m.lineValid && !m.atValid && m.stepsKnown {
			n.state = mvLast
			if m.steps != 0 {
				n.state = mvSteps
			}
		}
		if asks {
			n.z.row, n.z.file, n.z.op, n.z.pawn = m.manRow, m.manFile, opMan, m.manPawn
			n.z.home = m.manPawn && m.manRow == 6
			if m.part != 0 {
				n.z.pawn = false
				if m.manKnight {
					n.z.op, n.zLeap = opDrop, m.part
					if m.part&1 != 0 {
						n.z.op = opRise
					}
				} else {
					n.z.op, n.zForward, n.zBack, n.z.allow = opPassant, m.epLeft, m.epRight, bit(m.epRight)<<3|bit(m.epLeft)<<1
				}
			}
		}
	case mvLeapers:
		n.todo, n.todoNone, n.todoOne, n.manValid = 0, true, true, false
		row := (m.kingRow + [8]uint8{6, 7, 1, 2, 1, 1, 1, 1}[m.count]) & 7
		none := m.count == 0 && m.kingRow < 2 || m.count == 1 && m.kingRow < 1 ||
			m.count == 3 && m.kingRow > 5 || (m.count == 2 || m.count > 3) && m.kingRow > 6
		n.at = row
		if !none {
			n.z.op = opLeaper
		}
		n.z.row, n.zTwo, n.z.home = row, m.count == 1 || m.count == 2, m.count == 4
		n.count = (m.count + 1) & 7
		if m.count == 4 {
			n.state = mvAgain
		}
	case mvAgain:
		n.state = mvPause
	case mvPause:
		n.state = mvMen
	case mvSteps:
		castle := m.steps&255 == 0
		step := lowest(uint8(m.steps), 8)
		var dr, df uint8
		switch {
		case castle && m.steps>>8&1 != 0:
			df = 2
		case castle:
			df = 6
		default:
			if step&3 != 2 {
				df = 1 + step>>2*6
			}
			if step&3 != 0 {
				dr = 1
				if (step>>2 != 0) != (step&3 == 3) {
					dr = 7
				}
			}
		}
		n.z.op, n.z.row, n.z.file = opStep, (m.kingRow+dr)&7, (m.kingFile+df)&7
		n.z.castle = bit(castle && m.steps>>8&1 != 0) | bit(castle && m.steps>>8&1 == 0)<<1
		n.z.first, n.z.home = step&3 == 0, step>>2 != 0
		if m.steps&(m.steps-1) == 0 {
			n.state = mvLast
		}
	default:
		n.z.op = opEnd
		n.at, n.state = 0, mvIdle
	}

	// Along with the star.
	n.a, n.b, n.c = m.z, m.a, m.b
	n.cLimit = m.b.pawn || m.b.op == opRise || m.b.op == opDrop || m.b.op == opPassant || m.b.op == opLeaper
	n.bAttacked = m.attacked[m.a.row]>>m.a.file&1 != 0
	n.cAttacked = m.bAttacked
	switch {
	case m.a.op != opLeaper:
		n.bLeapers = 255
	case m.a.home:
		n.bLeapers = isPawn
	default:
		n.bLeapers = isKnight
	}
	n.cLeapers = m.bLeapers

	// What was found.
	pin := slider & king
	pinned := pin != 0
	var found uint8
	for a := range 4 {
		if reach[a]&touch[a] != 0 {
			found |= 1 << a
		}
	}
	safe := slider == 0 && !m.cAttacked
	switch m.c.op {
	case opMan:
		n.wasPinned, n.wasPin1, n.wasPin3 = pinned, pin&2 != 0, pin&8 != 0
		n.wasSlider, n.wasKing = slider&1 != 0, king&1 != 0
	case opTaken:
		n.takenPinned = pin&10 != 0
		n.takenSlider, n.takenKing = slider&1 != 0, king&1 != 0
		n.takenChecks = m.kingRow == 3 && (m.kingFile+1 == epFile || m.kingFile == epFile+1)
	case opCheckF:
		n.forwardSlider, n.firstSafe = slider, [2]bool{}
		n.steps = m.steps&^15 | uint16(found)
	case opCheckB:
		home := m.enemy[0] | m.straight[0]
		rights := m.In.Rights >> (2 * m.In.Side)
		var castlings uint16
		if slider == 0 && m.forwardSlider == 0 && !m.cAttacked {
			if rights&1 != 0 && home&0x60 == 0 {
				castlings |= 1
			}
			if rights&2 != 0 && home&0x0e == 0 {
				castlings |= 2
			}
		}
		n.steps = castlings<<8 | uint16(found&^m.forwardSlider)<<4 | m.steps&15&^uint16(slider)
		n.stepsKnown = true
	case opStep:
		if m.c.first && m.c.castle == 0 {
			n.firstSafe[bit(m.c.home)] = safe
		}
	}
	if m.state == mvSteps {
		n.steps = m.steps & (m.steps - 1)
	}
	if m.state == mvWait {
		n.stepsKnown = false
	}
	passant := !m.takenPinned && !(m.takenSlider && m.wasKing) && !(m.takenKing && m.wasSlider)
	var allow uint8
	switch m.c.op {
	case opMan:
		allow = m.c.allow
		if pinned {
			allow &= pin
		}
	case opRise, opDrop:
		if !m.wasPinned {
			allow = 5
		}
	case opPassant:
		if passant {
			allow = m.c.allow & (bit(!m.wasPinned || m.wasPin3)<<3 | bit(!m.wasPinned || m.wasPin1)<<1)
		}
	case opCheckF, opCheckB:
		allow = slider
	case opLeaper:
		allow = 1
	}
	for a := range 4 {
		n.t.targets[a] = reach[a]
		if m.cLimit {
			n.t.targets[a] &= touch[a]
		}
	}
	n.t.targets[0] &= m.cLeapers
	n.tAllow, n.tOp = allow, m.c.op
	n.t.row, n.t.file = m.c.row, m.c.file
	n.t.promotes = m.c.pawn && m.c.home
	if m.c.op == opPassant {
		n.t.promotes = m.takenChecks
	}
	n.tWrite = m.c.op == opEnd || m.c.op == opStep && safe &&
		(m.c.castle == 0 || m.c.castle == 1 && m.firstSafe[0] || m.c.castle == 2 && m.firstSafe[1])
	n.d, n.dOp, n.dWrite = m.t, m.tOp, m.tWrite
	for a := range 4 {
		if m.tAllow>>a&1 == 0 {
			n.d.targets[a] = 0
		}
	}
	n.cKingRow, n.cKingFile = m.kingRow, m.kingFile
	n.tKingRow, n.tKingFile = m.cKingRow, m.cKingFile
	n.d.kingRow, n.d.kingFile = m.tKingRow, m.tKingFile
	if m.state == mvKingF {
		n.dSide = m.In.Side
	}

	// The FIFO.
	entry := m.d
	entry.kind = [16]uint8{opRise: kindUp, opDrop: kindDown, opPassant: kindFree, opStep: kindKing,
		opCheckF: kindSlider, opCheckB: kindSlider, opLeaper: kindKnight, opEnd: kindOver}[m.dOp]
	entry.side = m.dSide
	for a := range 4 {
		entry.axes |= bit(m.d.targets[a] != 0) << a
	}
	put := m.dWrite || entry.axes != 0
	entry.axes |= bit(m.dWrite)
	if m.dOp == opStep {
		entry.targets[0] |= m.d.kingRow<<3 | m.d.kingFile
	}

	// A line a clock.
	en := !m.Out.MValid || m.In.MReady
	hDone := m.hOne && (!m.h.promotes || m.hPiece == 3)
	hGo := en && hDone
	q := &m.q
	axes := m.qLeft
	if m.qFresh {
		axes = q.axes
	}
	axis := lowest(axes, 4)
	holds := q.kind == kindSlider || q.kind == kindKnight || q.kind == kindOver && m.check
	take := m.qValid && hGo && !(m.eHolds || m.fHolds || m.gHolds || m.hHolds)
	pop := take && others(axes) == 0
	if pop || !m.qValid {
		n.q, n.qValid = m.memory[m.getAt], m.getAt != m.putAt
		n.getAt += bit(n.qValid)
	}
	if put {
		m.memory[m.putAt] = entry
		n.putAt++
	}
	if hGo {
		n.eValid, n.eHolds = take, take && holds
		n.fValid, n.fHolds, n.gValid, n.gHolds = m.eValid, m.eHolds, m.fValid, m.fHolds
		la, lb := q.row, uint8(0)
		if axis == 2 {
			la = q.file
		}
		switch {
		case q.kind == kindUp:
			lb = 1
		case q.kind == kindDown:
			lb = 7
		case axis&1 != 0:
			lb = q.file
		}
		if axis == 1 {
			lb = -lb
		}
		n.e = lineRow{q.targets[axis], axis, (la + lb) & 7, q.kind, q.row, q.file, q.promotes, q.side}
		n.f, n.g = m.e, m.f
		e, k := m.e.line, m.checkLine
		sum, diffA, diffB := (e+k)&7, (k-e)&7, (e-k)&7
		switch m.e.axis<<2 | m.checkAxis {
		case 0<<2 | 1, 3 << 2:
			n.fX, n.fY = diffB, diffB
		case 0<<2 | 2, 2 << 2:
			n.fX, n.fY = k, e
		case 0<<2 | 3, 1 << 2:
			n.fX, n.fY = diffA, diffA
		case 2<<2 | 1:
			n.fX, n.fY = sum, e
		case 2<<2 | 3:
			n.fX, n.fY = diffA, e
		case 1<<2 | 2:
			n.fX, n.fY = k, sum
		case 3<<2 | 2:
			n.fX, n.fY = k, diffB
		case 1<<2 | 3:
			n.fX, n.fY = diffA>>1, diffA>>1
		default:
			n.fX, n.fY = diffB>>1, diffB>>1
		}
		n.fSame = m.e.axis == m.checkAxis && e == k
		n.fTwice = m.e.axis&m.checkAxis&1 != 0
		n.fNever = m.e.axis == m.checkAxis || n.fTwice && diffA&1 != 0
		n.fOpen = !m.check || m.e.kind == kindKing || m.e.kind == kindOver || m.e.kind == kindFree && m.e.promotes && m.checkOne
		cut := uint8(0)
		switch {
		case m.fOpen:
			cut = 255
		case m.fSame:
			cut = m.checkBits
		case m.fNever:
		case m.fTwice:
			cut = m.checkBits & (0x11 << (m.fX & 3))
		case m.checkBits>>m.fY&1 != 0:
			cut = 1 << m.fX
		}
		n.g.bits = m.f.bits & cut
	}
	if take {
		n.qLeft = others(axes)
	}
	n.qFresh = pop || m.qFresh && !take || !m.qValid

	// An index a clock.
	hRest := others(m.h.bits)
	isCheck := m.h.kind == kindSlider || m.h.kind == kindKnight
	whole := m.h.kind == kindKing || m.h.kind == kindOver
	if en {
		if hDone {
			n.hValid, n.hHolds, n.h, n.hPiece = m.gValid, m.gHolds, m.g, 0
			k := m.g.kind
			n.hOne = !m.gValid || k == kindKing || k == kindOver || k == kindSlider || k == kindKnight || others(m.g.bits) == 0
			n.h.promotes = m.g.promotes && k == kindLines && m.gValid && m.g.bits != 0
		} else {
			n.hPiece = (m.hPiece + 1) & 3
			if !m.h.promotes || m.hPiece == 3 {
				n.h.bits, n.hOne = hRest, others(hRest) == 0
			}
		}
		if m.hValid && isCheck {
			single := !m.check && (m.h.kind == kindSlider || hRest == 0)
			n.check, n.checkOne, n.checkAxis, n.checkLine, n.checkBits = true, single, m.h.axis, m.h.line, 0
			if single {
				n.checkBits = m.h.bits
			}
		}
		if m.hValid && m.h.kind == kindOver {
			n.check = false
		}
		n.iValid = m.hValid && !isCheck && (whole || m.h.bits != 0)
		n.iLast, n.iCheck, n.i, n.iAt, n.iPiece = m.h.kind == kindOver, m.check, m.h, lowest(m.h.bits, 1), m.hPiece

		n.nValid, n.nLast, n.nCheck = m.iValid, m.iLast, m.iCheck
		toFile, toRow := m.iAt, m.i.line
		switch m.i.axis {
		case 1:
			toRow = (m.i.line + m.iAt) & 7
		case 2:
			toFile, toRow = m.i.line, m.iAt
		case 3:
			toRow = (m.i.line - m.iAt) & 7
		}
		from, to := m.i.row<<3|m.i.file, toRow<<3|toFile
		if m.i.kind == kindKing {
			from, to = m.i.bits&63, from
		}
		flip := m.i.side * 56
		n.nFrom, n.nTo, n.nPromotion = from^flip, to^flip, 0
		if m.i.promotes {
			n.nPromotion = 4 | m.iPiece
		}

		o := &m.Out
		o.MValid, o.MLast, o.MCount, o.MCheck = m.nValid, m.nLast, m.moves, m.nCheck
		o.MMate = m.nLast && m.nCheck && m.moves == 0
		o.MStalemate = m.nLast && !m.nCheck && m.moves == 0
		o.MIndex = uint16(moveindex.Idle)
		if m.nValid && !m.nLast {
			i, _ := moveindex.Of((chess.Move(m.nFrom) | chess.Move(m.nTo)<<6 | chess.Move(m.nPromotion)<<12))
			o.MIndex = uint16(i)
		}
		if m.nValid {
			n.moves = m.moves + 1
			if m.nLast {
				n.moves = 0
			}
		}
	}

	m.star.step(m)
	if m.In.Rst || m.late {
		n.putAt, n.getAt, n.qValid, n.room, n.tAllow = 0, 0, false, true, 0
	}
	n.late = m.In.Rst
	if m.In.Rst {
		n.lineScan, n.lineLast, n.lineFlush = false, false, false
		n.state, n.at = mvIdle, 0
		n.z.op, n.a.op, n.b.op, n.c.op, n.tOp, n.dOp, n.tWrite, n.dWrite = 0, 0, 0, 0, 0, 0, false, false
		n.eValid, n.fValid, n.gValid, n.eHolds, n.fHolds, n.gHolds = false, false, false, false, false, false
		n.qFresh, n.hValid, n.hOne, n.h.promotes, n.hHolds, n.iValid, n.check = true, false, true, false, false, false, false
		n.nValid, n.moves = false, 0
		m.Out.MValid = false
	}
	m.movesRegs = n
	m.Out.SReady = n.state == mvLast
}

func bit(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}
