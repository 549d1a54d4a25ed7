// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"

	"ply11/chess"
	"ply11/position"
	"ply11/sim/oracle"
)

// LegalIn are the inputs of ply11_legal: the outputs of ply11_board, and MReady.
type LegalIn struct {
	Rst        bool
	SValid     bool
	SOp        uint8
	SUser      uint64
	SError     uint8
	SFrom      uint8
	STo        uint8
	SPromotion uint8
	SMan       uint8
	SCaptured  uint8
	State      oracle.State
	BoardNext  bool // NextValid of the board
	BoardLoad  bool // LoadReady of the board
	Hush       bool
	MReady     bool
}

// LegalOut are its outputs. SReady and LoadReady are combinational, the others are registers. NextValid and NextOp are of
// the beat in the stage before the outputs.
type LegalOut struct {
	SReady     bool
	LoadReady  bool
	NextValid  bool
	NextOp     uint8
	MValid     bool
	MOp        uint8
	MUser      uint64
	MError     uint8 // a Fault
	MReason    uint8 // a Reason
	MFrom      uint8
	MTo        uint8
	MPromotion uint8
	MMan       uint8
	MCaptured  uint8
	State      oracle.State
}

// LegalLatency is the latency of ply11_legal in clocks; castling takes two more.
const LegalLatency = 6

// Legal is ply11_legal: it judges by all the rules the moves that a ply11_board applies.
type Legal struct {
	In  LegalIn
	Out LegalOut

	user uint // USER_WIDTH

	before        oracle.State // the position before the board's
	free          bool         // BoardLoad in the clock before
	k, p, l, r, v legalSlot
	stopped       bool
	clocks        uint8 // since Reset, as long as known is false
	known         bool
}

// A legalSlot is a place in the pipeline.
type legalSlot struct {
	in      LegalIn
	castles bool
	part    uint8 // of castling, how many squares were asked
	hold    bool  // it asks for one of them, and is no beat
	reason  oracle.Reason
}

// NewLegal returns a model whose beats carry a tag of userWidth bits, 1..64.
func NewLegal(userWidth int) (*Legal, error) {
	if userWidth < 1 || userWidth > 64 {
		return nil, fmt.Errorf("sim: a tag of %d bits: 1 to 64 are possible", userWidth)
	}
	m := &Legal{user: uint(userWidth)}
	m.Reset()
	return m, nil
}

// Verilog names the module.
func (m *Legal) Verilog() Verilog {
	return Verilog{
		Module: "ply11_legal",
		Params: []string{fmt.Sprintf("USER_WIDTH=%d", m.user)},
		Files:  []string{"rtl/ply11_legal.v"},
	}
}

// Ports returns the ports.
func (m *Legal) Ports() []Port {
	ports := append([]Port{
		input("rst", 1, &m.In.Rst),
		input("s_valid", 1, &m.In.SValid),
		output("s_ready", 1, &m.Out.SReady),
		input("s_op", 2, &m.In.SOp),
		input("s_user", int(m.user), &m.In.SUser),
		input("s_error", 3, &m.In.SError),
		input("s_from", 6, &m.In.SFrom),
		input("s_to", 6, &m.In.STo),
		input("s_promotion", 3, &m.In.SPromotion),
		input("s_man", 4, &m.In.SMan),
		input("s_captured", 4, &m.In.SCaptured),
		input("board_next", 1, &m.In.BoardNext),
		input("board_load_ready", 1, &m.In.BoardLoad),
		output("load_ready", 1, &m.Out.LoadReady),
		input("board", 256, &m.In.State.Men),
		input("side", 1, &m.In.State.Side),
		input("rights", 4, &m.In.State.Rights),
		input("ep", 4, &m.In.State.EP),
		input("ply", 16, &m.In.State.Ply),
		output("next_valid", 1, &m.Out.NextValid),
		input("hush", 1, &m.In.Hush),
		output("m_valid", 1, &m.Out.MValid),
		input("m_ready", 1, &m.In.MReady),
	}, given(&m.Out.MValid,
		output("m_op", 2, &m.Out.MOp),
		output("m_user", int(m.user), &m.Out.MUser),
		output("m_error", 3, &m.Out.MError),
		output("m_reason", 4, &m.Out.MReason),
		output("m_from", 6, &m.Out.MFrom),
		output("m_to", 6, &m.Out.MTo),
		output("m_promotion", 3, &m.Out.MPromotion),
		output("m_man", 4, &m.Out.MMan),
		output("m_captured", 4, &m.Out.MCaptured))...)
	ports = append(ports, given(&m.Out.NextValid, output("next_op", 2, &m.Out.NextOp))...)
	// The position is that of the board, when it has come through.
	return append(ports, given(&m.known, positionPorts(&m.Out.State, output, "m_")...)...)
}

// Reset empties the pipeline.
func (m *Legal) Reset() {
	*m = Legal{In: m.In, user: m.user, before: oracle.Initial()}
	for _, s := range []*legalSlot{&m.k, &m.p, &m.l, &m.r, &m.v} {
		s.in.State = oracle.Initial()
	}
	m.Out.State = oracle.Initial()
	m.Eval()
}

// more says that castling in p asks for another square.
func (m *Legal) more() bool { return m.p.castles && m.p.part < 2 }

// Eval sets SReady and LoadReady.
func (m *Legal) Eval() {
	m.Out.SReady = (!m.Out.MValid || m.In.MReady) && !m.more()
	m.Out.LoadReady = m.In.BoardLoad && m.free && !m.In.BoardNext && !m.In.SValid &&
		!(m.k.in.SValid || m.p.in.SValid || m.l.in.SValid || m.r.in.SValid || m.v.in.SValid || m.Out.MValid)
}

// Step is a clock.
func (m *Legal) Step() {
	m.Eval()
	if m.clocks++; m.clocks > 9 {
		m.clocks, m.known = 9, true
	}
	en, goes := !m.Out.MValid || m.In.MReady, m.Out.SReady
	if en {
		m.verdict()
		m.v, m.r, m.l = m.r, m.l, m.p
		if m.more() {
			m.l.hold, m.l.in.SValid = true, false
			m.p.part++
		}
	}
	if goes {
		m.p = m.k
		m.k = legalSlot{in: m.In}
		m.judge(&m.k)
	}
	if !m.In.SValid || goes {
		m.before = m.In.State
	}
	m.free = m.In.BoardLoad && !m.In.Rst
	if m.In.Rst {
		for _, s := range []*legalSlot{&m.k, &m.p, &m.l, &m.r, &m.v} {
			s.in.SValid, s.castles, s.hold, s.reason = false, false, false, 0
		}
		m.stopped, m.Out.MValid = false, false
	}
	m.Out.NextValid, m.Out.NextOp = m.v.in.SValid, m.v.in.SOp
}

// judge finds why the move of a slot is not legal, if it is not.
func (m *Legal) judge(s *legalSlot) {
	in := &s.in
	kind, black := in.SMan&7, in.SMan>>3
	if !in.SValid || in.SOp != OpMove || in.SError != 0 || kind == 0 {
		return
	}
	from, to := chess.Square(in.SFrom), chess.Square(in.STo)
	king := chess.NoSquare
	var occupied position.Bitboard
	for sq := chess.A1; sq < chess.NoSquare; sq++ {
		man := uint8(in.State.Man(sq))
		if man != 0 {
			occupied |= position.SquareSet(sq)
		}
		if man == uint8(chess.King)|black<<3 {
			king = sq
		}
	}
	// attacked tells whether in the position after the move an enemy looks at a square.
	attacked := func(sq chess.Square) bool {
		if sq == chess.NoSquare {
			return false
		}
		looks := func(kind chess.Kind, men ...chess.Kind) bool {
			for b := position.Attacks(chess.NewPiece(chess.Color(black), kind), sq, occupied); b != 0; b &= b - 1 {
				man := in.State.Man(b.First())
				for _, k := range men {
					if man == chess.NewPiece(chess.Color(1-black), k) {
						return true
					}
				}
			}
			return false
		}
		return looks(chess.Rook, chess.Rook, chess.Queen) || looks(chess.Bishop, chess.Bishop, chess.Queen) ||
			looks(chess.Knight, chess.Knight) || looks(chess.Pawn, chess.Pawn) || looks(chess.King, chess.King)
	}
	b := &m.before
	if kind == uint8(chess.King) && from.File() == 4 && to&3 == 2 {
		s.castles = true
		corner, next := to+1, to-1
		if to.File() == 2 {
			corner, next = to-2, to+1
		}
		switch {
		case uint8(b.Man(corner)) != uint8(chess.Rook)|black<<3:
			s.reason = oracle.ReasonRook
		case attacked(from):
			s.reason = oracle.ReasonOut
		case attacked(next):
			s.reason = oracle.ReasonThrough
		case attacked(to):
			s.reason = oracle.ReasonInto
		}
		return
	}
	passant, over, beside, behind := false, to, to^8, to
	if kind == uint8(chess.Pawn) {
		behind = to + 8
		if black != 0 {
			behind = to - 8
		}
		passant = from.File() != to.File() && b.EP == uint8(to.File())+1 && to.Rank() == 5-3*int(black) && uint8(b.Man(over)) == 0
	}
	switch {
	case kind != uint8(chess.Knight) && position.Between(from, to)&occupied != 0:
		s.reason = oracle.ReasonBlocked
	case passant && (uint8(b.Man(beside)) != uint8(chess.Pawn)|(1-black)<<3 || uint8(b.Man(behind)) != 0):
		s.reason = oracle.ReasonPawn
	case !attacked(king):
	case passant:
		s.reason = oracle.ReasonPassant
	default:
		s.reason = oracle.ReasonCheck
	}
}

// verdict is the step to the outputs.
func (m *Legal) verdict() {
	s, o := &m.v, &m.Out
	in := &s.in
	stays := m.stopped && !(in.SValid && in.SOp == OpNew)
	valid := in.SValid
	o.MValid = valid && !m.In.Hush
	o.MOp, o.MUser, o.MError, o.MReason = in.SOp, in.SUser&(1<<m.user-1), in.SError, 0
	o.MFrom, o.MTo, o.MPromotion, o.MMan, o.MCaptured = in.SFrom, in.STo, in.SPromotion, in.SMan, in.SCaptured
	if s.hold {
		return
	}
	refused := stays || s.reason != 0
	if valid && in.SOp == OpMove && refused {
		o.MError, o.MMan, o.MCaptured = uint8(oracle.FaultStopped), 0, 0
		if !stays {
			o.MReason = uint8(s.reason)
		}
	}
	m.stopped = refused
	if !refused {
		o.State = in.State
	}
}
