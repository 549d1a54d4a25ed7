// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"

	"ply11/chess"
	"ply11/sim/oracle"
)

// MaxDepth is the greatest DEPTH of ply11_stack, ply11_words, ply11_jose and ply11_player.
const MaxDepth = 31

// checkDepth verifies a DEPTH of a codec, which may be 0.
func checkDepth(depth int) error {
	if depth < 0 || depth > MaxDepth {
		return fmt.Errorf("sim: %d variations inside each other: 0 to %d are possible", depth, MaxDepth)
	}
	return nil
}

// StackIn are the inputs of ply11_stack.
type StackIn struct {
	Rst      bool
	Open     bool
	Close    bool
	Idle     bool
	Step     bool
	PlyValid bool
	EndValid bool
	From     uint8
	To       uint8
	Man      uint8
	Captured uint8
	State    oracle.State // board, side, rights, ep, ply
}

// StackOut are its outputs. LoadData is combinational, the others come from registers.
type StackOut struct {
	Done      bool
	Depth     uint8
	LoadValid bool
	LoadAddr  uint8
	LoadData  uint32
}

// Stack is ply11_stack: variations for ply11_board.
type Stack struct {
	In  StackIn
	Out StackOut

	depth int // DEPTH
	n     uint8

	last  lastPly // what takes back the last ply
	shown struct{ rights, ep uint8 }
	back  oracle.State // the position before it
	pages []page
}

// A lastPly is the last ply of a line, and rights and en passant file before it.
type lastPly struct {
	from, to, man, captured, rights, ep uint8
}

// A page is what is kept for the end of a variation.
type page struct {
	state oracle.State
	last  lastPly
}

// NewStack returns a model that keeps depth positions, 1..31.
func NewStack(depth int) (*Stack, error) {
	if depth < 1 || depth > MaxDepth {
		return nil, fmt.Errorf("sim: a stack of %d positions: 1 to %d are possible", depth, MaxDepth)
	}
	return &Stack{depth: depth, pages: make([]page, MaxDepth+1)}, nil
}

// Verilog names the module.
func (s *Stack) Verilog() Verilog {
	return Verilog{Module: "ply11_stack", Params: []string{fmt.Sprintf("DEPTH=%d", s.depth)}, Files: []string{"rtl/ply11_stack.v"}}
}

// Ports returns the ports.
func (s *Stack) Ports() []Port {
	in, o := &s.In, &s.Out
	ports := []Port{
		input("rst", 1, &in.Rst),
		input("open", 1, &in.Open),
		input("close", 1, &in.Close),
		output("done", 1, &o.Done),
		output("depth", 5, &o.Depth),
		input("idle", 1, &in.Idle),
		input("step", 1, &in.Step),
		input("ply_valid", 1, &in.PlyValid),
		input("end_valid", 1, &in.EndValid),
		input("from", 6, &in.From),
		input("to", 6, &in.To),
		input("man", 4, &in.Man),
		input("captured", 4, &in.Captured),
		input("board", 256, &in.State.Men),
		input("side", 1, &in.State.Side),
		input("rights", 4, &in.State.Rights),
		input("ep", 4, &in.State.EP),
		input("ply", 16, &in.State.Ply),
		output("load_valid", 1, &o.LoadValid),
	}
	return append(ports, given(&o.LoadValid,
		output("load_addr", 4, &o.LoadAddr),
		output("load_data", 32, &o.LoadData))...)
}

// Reset keeps nothing.
func (s *Stack) Reset() {
	s.n, s.Out.Depth = 0, 0
	s.last = lastPly{}
	s.Eval()
}

// Eval sets the load port.
func (s *Stack) Eval() {
	s.Out.Done = s.n == 15
	s.Out.LoadValid = s.n >= 3 && s.n <= 11
	if !s.Out.LoadValid {
		return
	}
	from := &s.back
	if s.In.Close {
		from = &s.pages[(s.Out.Depth-1)&31].state
	}
	s.Out.LoadAddr = s.n - 3
	s.Out.LoadData = from.LoadData(int(s.n - 3))
}

// Step is a clock.
func (s *Stack) Step() {
	in := &s.In
	if in.PlyValid {
		s.last = lastPly{in.From, in.To, in.Man, in.Captured, s.shown.rights, s.shown.ep}
	}
	if in.Step {
		s.shown.rights, s.shown.ep = in.State.Rights, in.State.EP
	}
	switch {
	case s.n == 0:
		if (in.Open || in.Close) && in.Idle {
			s.n = 1
		}
	default:
		switch s.n {
		case 2:
			// The board does not change before a rank of it has been read.
			s.takeBack()
			if in.Open {
				s.pages[s.Out.Depth].state = in.State
			}
		case 12:
			if in.Open {
				s.pages[s.Out.Depth].last = s.last
			} else {
				s.last = s.pages[(s.Out.Depth-1)&31].last
			}
		case 15:
			if in.Close {
				s.Out.Depth = (s.Out.Depth - 1) & 31
			} else {
				s.Out.Depth = (s.Out.Depth + 1) & 31
			}
		}
		s.n = (s.n + 1) & 15
	}
	if in.EndValid {
		s.Out.Depth = 0
	}
	if in.Rst {
		s.n, s.Out.Depth = 0, 0
		s.last = lastPly{}
	}
	s.Eval()
}

// takeBack works out the position before the last ply.
func (s *Stack) takeBack() {
	l, b := &s.last, &s.back
	*b = s.In.State
	b.Side ^= 1
	b.Rights, b.EP = l.rights, l.ep
	b.Ply--
	kind := l.man & 7
	if kind == 0 {
		return
	}
	beside := l.from&56 | l.to&7
	fifth := uint8(4)
	if l.man&8 != 0 {
		fifth = 3
	}
	passant := kind == 6 && l.captured&7 == 6 && (l.from^l.to)&7 != 0 && l.ep == l.to&7+1 && l.from>>3 == fifth &&
		b.Man(chess.Square(beside)) == 0
	b.Put(chess.Square(l.to), chess.Piece(l.captured))
	if passant {
		b.Put(chess.Square(l.to), chess.Piece(0))
		b.Put(chess.Square(beside), chess.Piece(l.captured))
	}
	b.Put(chess.Square(l.from), chess.Piece(l.man))
	if kind == 1 && l.from&7 == 4 && l.to&3 == 2 {
		corner, inner := l.from&56, l.from&56|3
		if l.to&4 != 0 {
			corner, inner = l.from&56|7, l.from&56|5
		}
		b.Put(chess.Square(corner), chess.Piece(l.man&8|5))
		b.Put(chess.Square(inner), chess.Piece(0))
	}
}
