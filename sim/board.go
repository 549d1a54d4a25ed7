// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"

	"ply11/moveindex"
	"ply11/sim/oracle"
)

// Operations of ply11_board.
const (
	OpMove uint8 = 0 // apply an index
	OpNew  uint8 = 1 // the usual initial position
	OpPass uint8 = 2 // nothing
)

// BoardLatency is the latency of ply11_board in clocks.
const BoardLatency = 9

// BoardIn are the inputs of ply11_board.
type BoardIn struct {
	Rst       bool
	SValid    bool
	SOp       uint8
	SIndex    uint16
	SUser     uint64
	LoadValid bool
	LoadAddr  uint8
	LoadData  uint32
	Hush      bool
	MReady    bool
}

// BoardOut are its outputs. SReady and LoadReady are combinational, the others are registers. NextValid and
// NextOp are of the operation in the stage before the outputs.
type BoardOut struct {
	SReady     bool
	LoadReady  bool
	NextValid  bool
	NextOp     uint8
	MValid     bool
	MOp        uint8
	MUser      uint64
	MError     uint8 // a Fault
	MFrom      uint8
	MTo        uint8
	MPromotion uint8
	MMan       uint8
	MCaptured  uint8
	State      oracle.State // board, side, rights, ep, ply
}

// Board is ply11_board: a board that applies one index a clock, nine clocks after it was accepted.
//
// The model keeps one position, where the hardware reads its board three operations too early and makes
// up for them: what it reads past its board is here already done.
type Board struct {
	In  BoardIn
	Out BoardOut

	user uint // USER_WIDTH
	stop bool // STOP

	// ring holds the operations in the stages a b c d r g x w o, stage k at head+k; valid is theirs, a in
	// bit 0.
	ring  [16]boardOp
	head  uint8
	valid uint16

	reset bool // rst was 1: the initial position is on its way to stage x

	// What stage x does: a move is tried, or the initial position comes, or a load.
	try, fresh, load bool
	addr             uint8
	data             uint32

	state   oracle.State // after the operation in w
	beat    boardBeat    // of the operation in w
	stopped bool         // a move up to the one in w was refused; with STOP
}

type boardOp struct {
	user  uint64
	index uint16
	op    uint8
}

type boardBeat struct {
	fault, from, to, promotion, man, captured uint8
}

// NewBoard returns a model whose operations carry a tag of userWidth bits, 1..64. With STOP 0 it judges each
// move by itself.
func NewBoard(userWidth int) (*Board, error) { return newBoard(userWidth, false) }

// NewBoardStop returns a model that after a move that is refused applies none until the next NEW.
func NewBoardStop(userWidth int) (*Board, error) { return newBoard(userWidth, true) }

func newBoard(userWidth int, stop bool) (*Board, error) {
	if userWidth < 1 || userWidth > 64 {
		return nil, fmt.Errorf("sim: a tag of %d bits: 1 to 64 are possible", userWidth)
	}
	b := &Board{user: uint(userWidth), stop: stop}
	b.Reset()
	return b, nil
}

// Position returns the position after the operations that have reached the stage before the outputs.
func (b *Board) Position() oracle.State { return b.state }

// Verilog names the module.
func (b *Board) Verilog() Verilog {
	return Verilog{
		Module: "ply11_board",
		Params: []string{fmt.Sprintf("USER_WIDTH=%d", b.user), fmt.Sprintf("STOP=%d", b2u(b.stop))},
		Files:  []string{"rtl/ply11_board.v"},
	}
}

// Ports returns the ports.
func (b *Board) Ports() []Port {
	ports := append([]Port{
		input("rst", 1, &b.In.Rst),
		input("s_valid", 1, &b.In.SValid),
		output("s_ready", 1, &b.Out.SReady),
		input("s_op", 2, &b.In.SOp),
		input("s_index", 11, &b.In.SIndex),
		input("s_user", int(b.user), &b.In.SUser),
		input("load_valid", 1, &b.In.LoadValid),
		output("load_ready", 1, &b.Out.LoadReady),
		input("load_addr", 4, &b.In.LoadAddr),
		input("load_data", 32, &b.In.LoadData),
		output("next_valid", 1, &b.Out.NextValid),
		input("hush", 1, &b.In.Hush),
		output("m_valid", 1, &b.Out.MValid),
		input("m_ready", 1, &b.In.MReady),
	}, given(&b.Out.MValid,
		output("m_op", 2, &b.Out.MOp),
		output("m_user", int(b.user), &b.Out.MUser),
		output("m_error", 3, &b.Out.MError),
		output("m_from", 6, &b.Out.MFrom),
		output("m_to", 6, &b.Out.MTo),
		output("m_promotion", 3, &b.Out.MPromotion),
		output("m_man", 4, &b.Out.MMan),
		output("m_captured", 4, &b.Out.MCaptured))...)
	ports = append(ports, given(&b.Out.NextValid, output("next_op", 2, &b.Out.NextOp))...)
	return append(ports, positionPorts(&b.Out.State, output, "")...)
}

// Reset empties the pipeline and puts the men on their initial squares.
func (b *Board) Reset() {
	b.valid, b.reset = 0, true
	b.try, b.load, b.fresh, b.stopped = false, false, false, false
	b.state = oracle.Initial()
	b.Out = BoardOut{State: oracle.Initial()}
	b.Eval()
}

// Eval sets SReady and LoadReady.
func (b *Board) Eval() {
	b.Out.SReady = b.valid&boardOut == 0 || b.In.MReady
	b.Out.LoadReady = b.Out.SReady && b.quiet()
}

// Bits of Board.valid.
const (
	boardWrite  = 0x80  // w
	boardOut    = 0x100 // o
	boardBefore = 0x3f  // a to g
)

// quiet says that a load may follow.
func (b *Board) quiet() bool { return b.valid&boardBefore == 0 && !b.reset }

// Step is a clock. It allocates nothing.
func (b *Board) Step() {
	if b.valid&boardOut == 0 || b.In.MReady {
		b.advance()
	}
	if b.In.Rst {
		b.valid = 0
		b.reset = true
	}
	b.Out.MValid, b.Out.NextValid = b.valid&boardOut != 0, b.valid&boardWrite != 0
	b.Out.NextOp = b.ring[(b.head+7)&15].op
}

// advance moves every stage on.
func (b *Board) advance() {
	// w to o.
	o := &b.Out
	o.State = b.state
	if b.valid&boardWrite != 0 {
		w := &b.ring[(b.head+7)&15]
		o.MOp, o.MUser = w.op, w.user
		o.MError, o.MFrom, o.MTo, o.MPromotion = b.beat.fault, b.beat.from, b.beat.to, b.beat.promotion
		o.MMan, o.MCaptured = b.beat.man, b.beat.captured
	}
	// x to w.
	b.beat = boardBeat{}
	switch {
	case b.fresh:
		b.state = oracle.Initial()
		b.stopped = false
	case b.load:
		b.state.Load(b.addr, b.data)
	case b.try:
		i := b.ring[(b.head+6)&15].index
		if b.stopped {
			b.beat.fault = uint8(oracle.FaultStopped)
		} else {
			man, captured, fault := b.state.Play(moveindex.Index(i))
			b.beat.man, b.beat.captured, b.beat.fault = uint8(man), uint8(captured), uint8(fault)
			b.stopped = b.stop && fault != oracle.NoFault
		}
		if i < moveindex.NumMoves {
			m, _ := moveindex.Index(i).Move()
			b.beat.from, b.beat.to, b.beat.promotion = uint8(m.From()), uint8(m.To()), uint8(m>>12)
		}
	}
	// g to x; a load has the place of an operation.
	g := &b.ring[(b.head+5)&15]
	valid := b.valid&0x20 != 0
	b.try = valid && g.op == OpMove
	b.fresh = valid && g.op == OpNew || b.reset
	b.load = b.In.LoadValid && b.quiet()
	b.reset = false
	b.addr, b.data = b.In.LoadAddr, b.In.LoadData
	// The stages before.
	b.head = (b.head - 1) & 15
	b.valid = b.valid << 1 & 0x1ff
	if b.In.Hush {
		b.valid &^= boardOut
	}
	if b.In.SValid {
		b.valid |= 1
		b.ring[b.head] = boardOp{b.In.SUser & (1<<b.user - 1), b.In.SIndex & 2047, b.In.SOp & 3}
	}
}
