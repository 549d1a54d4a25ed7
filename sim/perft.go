// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"

	"ply11/moveindex"
	"ply11/sim/oracle"
)

// PerftIn are the inputs of ply11_perft.
type PerftIn struct {
	Rst       bool
	SValid    bool
	SDepth    uint8
	LoadValid bool
	LoadAddr  uint8
	LoadData  uint32
	MReady    bool
}

// PerftOut are its outputs. All come from registers.
type PerftOut struct {
	SReady    bool
	LoadReady bool
	MValid    bool
	MDepth    uint8
	MCount    uint64
	MLast     bool
}

// MaxPerft is the greatest depth that ply11_perft can count.
const MaxPerft = 10

// Perft is ply11_perft: it counts the positions that legal moves reach, ply by ply.
type Perft struct {
	In  PerftIn
	Out PerftOut

	most  int // DEPTH
	board *Board
	moves *Moves

	perftRegs
	copy  oracle.State
	stack [2048]uint16
	pages [16]oracle.State
	sums  [16]uint64
}

type perftRegs struct {
	state, at, depth, level, parent uint8
	back, leaf, held, adds          bool
	waits                           uint8
	used, top, move                 uint16
	sumQ                            uint64
	addAt                           uint8
	add                             uint16
}

// States of the walk, as in the Verilog.
const (
	pfIdle = iota
	pfClear
	pfEnter
	pfList
	pfTop
	pfUp
	pfLoad
	pfPlay
	pfDrain
	pfRead
	pfTell
)

// perftMark ends a list on the stack.
const perftMark = uint16(moveindex.Idle)

// NewPerft returns a model that counts up to a depth of 2..MaxPerft.
func NewPerft(depth int) (*Perft, error) {
	if depth < 2 || depth > MaxPerft {
		return nil, fmt.Errorf("sim: a depth of %d: 2 to %d are possible", depth, MaxPerft)
	}
	b, err := NewBoard(1)
	if err != nil {
		return nil, err
	}
	p := &Perft{most: depth, board: b, moves: NewMoves()}
	p.Reset()
	return p, nil
}

// Verilog names the module.
func (p *Perft) Verilog() Verilog {
	return Verilog{
		Module: "ply11_perft",
		Params: []string{fmt.Sprintf("DEPTH=%d", p.most)},
		Files:  []string{"rtl/ply11_perft.v", "rtl/ply11_board.v", "rtl/ply11_moves.v", "rtl/ply11_moves_find.v", "rtl/ply11_moves_emit.v", "rtl/ply11_star.v", "rtl/ply11_encode.v"},
	}
}

// Ports returns the ports.
func (p *Perft) Ports() []Port {
	return append([]Port{
		input("rst", 1, &p.In.Rst),
		input("s_valid", 1, &p.In.SValid),
		output("s_ready", 1, &p.Out.SReady),
		input("s_depth", 4, &p.In.SDepth),
		input("load_valid", 1, &p.In.LoadValid),
		output("load_ready", 1, &p.Out.LoadReady),
		input("load_addr", 4, &p.In.LoadAddr),
		input("load_data", 32, &p.In.LoadData),
		output("m_valid", 1, &p.Out.MValid),
		input("m_ready", 1, &p.In.MReady),
	}, given(&p.Out.MValid,
		output("m_depth", 4, &p.Out.MDepth),
		output("m_count", 64, &p.Out.MCount),
		output("m_last", 1, &p.Out.MLast))...)
}

// Reset ends the walk and sets up the usual initial position.
func (p *Perft) Reset() {
	p.board.Reset()
	p.board.In = BoardIn{MReady: true}
	p.board.Eval()
	p.moves.Reset()
	p.perftRegs = perftRegs{}
	p.show()
}

// Eval does nothing: no output depends on an input of the same clock.
func (p *Perft) Eval() {}

// show sets the outputs.
func (p *Perft) show() {
	o := &p.Out
	o.SReady = p.state == pfIdle
	o.LoadReady = o.SReady && p.board.Out.LoadReady
	o.MValid = p.state == pfTell
	o.MDepth, o.MCount, o.MLast = p.at, p.sumQ, p.at == p.depth
}

// Step is a clock. It allocates nothing.
func (p *Perft) Step() {
	n := p.perftRegs // what the registers become
	beat := &p.moves.Out
	loads := p.state == pfLoad && p.at != 0
	loaded := loads && p.at == 9

	counts := p.waits != 0
	taken := beat.MValid && !p.adds
	ends := taken && beat.MLast
	enters := p.state == pfEnter && (!p.held || beat.SReady)

	// The board and the moves of its position.
	b := &p.board.In
	b.Rst, b.MReady = p.In.Rst, true
	b.SValid, b.SOp, b.SIndex = loaded && !p.back, OpMove, p.move
	b.LoadValid, b.LoadAddr, b.LoadData = p.state == pfIdle && p.In.LoadValid, p.In.LoadAddr&15, p.In.LoadData
	if loads {
		b.LoadValid, b.LoadAddr, b.LoadData = true, p.at-1, p.pages[p.parent].LoadData(int(p.at-1))
	}
	m := &p.moves.In
	m.Rst, m.MReady = p.In.Rst, !p.adds
	m.SValid, m.Board, m.Side, m.Rights, m.EP = p.held, p.copy.Men, p.copy.Side, p.copy.Rights, p.copy.EP

	// The walk.
	switch p.state {
	case pfIdle:
		n.at, n.depth, n.level, n.back, n.used = 0, min(p.In.SDepth&15, uint8(p.most)), 0, false, 0
		if p.In.SValid {
			n.state = pfClear
		}
	case pfClear:
		p.sums[p.at] = uint64(bit(p.at == 0))
		n.at = (p.at + 1) & 15
		n.leaf = p.depth == 1
		if p.at == 15 {
			n.state = pfEnter
			if p.depth == 0 {
				n.state = pfDrain
			}
		}
	case pfEnter:
		n.at = 0
		if enters {
			switch {
			case !p.leaf:
				n.state = pfList
				p.pages[p.level] = p.board.Out.State
			case p.level == 0:
				n.state = pfDrain
			default:
				n.state = pfTop
			}
		}
	case pfList:
		if p.at != 9 {
			n.at = p.at + 1
		}
		if ends && !counts {
			n.level, n.state = p.level+1, pfTop
		}
	case pfTop:
		n.at, n.move, n.parent, n.leaf = 0, p.top, p.level-1, p.level+1 == p.depth
		n.used--
		n.state = pfLoad
		if p.top == perftMark {
			if p.level == 1 {
				n.back = true
			} else {
				n.level, n.state = p.level-1, pfUp
			}
		}
	case pfUp:
		n.state = pfTop
	case pfLoad:
		n.at = p.at + 1
		if loaded {
			n.state = pfPlay
			if p.back {
				n.state = pfDrain
			}
		}
	case pfPlay:
		if p.board.Out.MValid {
			n.state = pfEnter
		}
	case pfDrain:
		n.at = 0
		if !counts {
			n.state = pfRead
		}
	case pfRead:
		n.state = pfTell
	default:
		if p.In.MReady {
			n.at, n.state = (p.at+1)&15, pfRead
			if p.at == p.depth {
				n.state = pfIdle
			}
		}
	}

	// The memories.
	n.top = p.stack[(p.used-1)&2047]
	sumAt := p.depth
	switch {
	case p.state == pfRead || p.state == pfTell:
		sumAt = p.at
	case !counts:
		sumAt = (p.level + 1) & 15
	}
	n.sumQ = p.sums[sumAt]
	n.adds, n.addAt, n.add = ends, sumAt, beat.MCount
	if p.adds {
		p.sums[p.addAt] = p.sumQ + uint64(p.add)
	}
	switch {
	case enters && !p.leaf:
		p.stack[p.used] = perftMark
		n.used++
	case taken && !beat.MLast && !counts:
		p.stack[p.used] = beat.MIndex
		n.used++
	}
	n.used &= 2047

	if enters {
		p.copy, n.held = p.board.Out.State, true
		if p.leaf {
			n.waits++
		}
	} else if beat.SReady {
		n.held = false
	}
	if ends && counts {
		n.waits--
	}
	if p.In.Rst {
		n.state, n.held, n.waits, n.adds = pfIdle, false, 0, false
	}
	p.perftRegs = n
	p.board.Step()
	p.board.Eval()
	p.moves.Step()
	p.show()
}
