// SPDX-License-Identifier: Apache-2.0

package sim

import "ply11/moveindex"

// ChessBaseIn are the inputs of ply11_chessbase.
type ChessBaseIn struct {
	Rst     bool
	SValid  bool
	SNumber uint8
	CBASCII bool
	Board   [4]uint64 // as State.Men
	Side    uint8
	EP      uint8 // 0, or 1..8 the file of the last long step of a pawn, which castling leaves
	MReady  bool
}

// ChessBaseOut are its outputs, all registers or made of registers.
type ChessBaseOut struct {
	SReady bool
	MValid bool
	MNone  bool
	MIndex uint16 // of a move, where MNone is false
}

// ChessBase is ply11_chessbase: the n-th move of ChessBase's generator in a position.
type ChessBase struct {
	In  ChessBaseIn
	Out ChessBaseOut

	move bool // Out.MIndex has a meaning

	run, done, none bool
	left            uint8
	file, rank      uint8
	kind, step      uint8
	atFile, atRank  uint8
	to              uint8 // rank and file
	promotion       uint8
}

// Verilog names the module.
func (c *ChessBase) Verilog() Verilog {
	return Verilog{Module: "ply11_chessbase", Files: []string{"rtl/ply11_chessbase.v", "rtl/ply11_encode.v"}}
}

// Ports returns the ports.
func (c *ChessBase) Ports() []Port {
	return append(append([]Port{
		input("rst", 1, &c.In.Rst),
		input("s_valid", 1, &c.In.SValid),
		output("s_ready", 1, &c.Out.SReady),
		input("s_number", 7, &c.In.SNumber),
		input("cbascii", 1, &c.In.CBASCII),
		input("board", 256, &c.In.Board),
		input("side", 1, &c.In.Side),
		input("ep", 4, &c.In.EP),
		output("m_valid", 1, &c.Out.MValid),
		input("m_ready", 1, &c.In.MReady),
	}, given(&c.Out.MValid, output("m_none", 1, &c.Out.MNone))...), given(&c.move, output("m_index", 11, &c.Out.MIndex))...)
}

// Reset empties the module.
func (c *ChessBase) Reset() {
	*c = ChessBase{In: c.In}
	c.Out.SReady = true
}

// Eval has nothing to do: no output depends on an input of the same clock.
func (c *ChessBase) Eval() {}

// The squares that the steps of a list look at, from the man's own: files and ranks.
var (
	cbKing = [15][2]int8{{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1},
		{1, 0}, {2, 0}, {3, 0}, {-1, 0}, {-2, 0}, {-3, 0}, {-4, 0}} // then castling: f, g, h; d, c, b, a
	cbKnight = [8][2]int8{{-2, -1}, {-2, 1}, {2, -1}, {2, 1}, {-1, -2}, {-1, 2}, {1, -2}, {1, 2}}
	cbRuns   = [8][2]int8{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, 0}, {0, -1}, {1, 0}, {0, 1}}
	cbPawn   = [6][2]int8{{0, 1}, {0, 2}, {0, 1}, {-1, 1}, {1, 1}, {1, 1}} // of White
)

func (c *ChessBase) man(file, rank int8) uint8 {
	s := uint(rank)*8 + uint(file)
	return uint8(c.In.Board[s/16] >> (s % 16 * 4) & 15)
}

// Step is a clock.
func (c *ChessBase) Step() {
	in := &c.In
	taken := in.SValid && c.Out.SReady
	if in.MReady {
		c.done = false
	}
	if c.run {
		c.look()
	}
	if taken {
		c.run, c.done, c.none = in.SNumber != 0, in.SNumber == 0, true
		c.left, c.file, c.rank, c.kind = in.SNumber, 0, 0, 0
	}
	if in.Rst {
		c.run, c.done = false, false
	}
	o := &c.Out
	o.SReady, o.MValid, o.MNone = !c.run && !c.done, c.done, c.none
	if c.move = c.done && !c.none; c.move {
		m := moveindex.NewMove(moveindex.Square(c.rank<<3|c.file), moveindex.Square(c.to))
		if c.promotion != 0 {
			m = moveindex.NewPromotion(m.From(), m.To(), promotionKinds[c.promotion&3])
		}
		i, _ := m.Index()
		o.MIndex = uint16(i)
	}
}

// promotionKinds are the kinds of men of the promotions 4 to 7.
var promotionKinds = [4]moveindex.Kind{moveindex.Knight, moveindex.Bishop, moveindex.Rook, moveindex.Queen}

// look reads a square.
func (c *ChessBase) look() {
	side := c.In.Side
	file, rank := int8(c.file), int8(c.rank)
	if c.kind == 0 {
		man := c.man(file, rank)
		if man == 0 || man>>3 != side || man&7 == 7 {
			c.nextSquare()
			return
		}
		c.kind, c.step = man&7, 0
		if c.kind == 5 {
			c.step = 4
		}
		c.atFile, c.atRank = c.file, c.rank
		return
	}
	kind, step := c.kind, c.step
	slides := kind == 2 || kind == 4 || kind == 5
	var d [2]int8
	switch {
	case slides:
		d = cbRuns[step&7]
		file, rank = int8(c.atFile), int8(c.atRank)
	case kind == 6:
		d = cbPawn[step]
		if step == 5 && c.In.EP == c.file {
			d[0] = -1
		}
		if side != 0 {
			d[1] = -d[1]
		}
	case kind == 3:
		d = cbKnight[step]
	default:
		d = cbKing[step]
	}
	file, rank = file+d[0], rank+d[1]
	on := file&^7 == 0 && rank&^7 == 0
	man := c.man(file&7, rank&7)
	none := man == 0
	own, enemy := !none && man>>3 == side, !none && man>>3 != side

	counts, ends, next := on && !own, false, step+1
	size, phantom := uint8(1), false
	last := 7 * (1 - side) // the rank at the far end, for the side to move
	forward := func(r uint8) uint8 { return 7*side ^ r }
	switch {
	case slides:
		if on && none {
			next = step
		} else {
			ends = step&3 == 3 && (step >= 4 || kind == 4)
		}
	case kind == 6:
		if c.rank == last^1 && step != 1 {
			size = 4
		}
		switch step {
		case 0:
			counts = false
			switch {
			case !on || !none:
				next = 3
			case c.rank != forward(1):
				next = 2
			}
		case 1:
			counts = on && none
		case 2:
			counts = true
		case 3, 4:
			counts = on && enemy
			ends = step == 4 && c.rank != forward(4)
		default:
			beside := c.In.EP != 0 && (c.In.EP == c.file || c.In.EP == c.file+2)
			phantom = c.In.EP == 0 && c.file == 0 && c.In.CBASCII
			counts, ends = beside || phantom, true
		}
	case kind == 1 && step >= 8:
		counts = false
		switch step {
		case 8, 9:
			if !none {
				next = 11
			}
		case 10, 14:
			counts = own && man&7 == 5
			ends = step == 14
		default:
			ends = !none
		}
	default:
		ends = step == 7 && !(kind == 1 && c.file == 4 && c.rank == forward(0))
	}

	found := counts && c.left <= size
	c.to = uint8(rank&7)<<3 | uint8(file&7)
	if kind == 1 && step >= 8 {
		c.to = uint8(rank&7)<<3 | 2
		if step == 10 {
			c.to |= 4
		}
	}
	c.promotion = 0
	if size == 4 {
		c.promotion = -c.left & 7
	}
	if counts {
		c.left = (c.left - size) & 127
	}
	c.step = next & 15
	c.atFile, c.atRank = c.file, c.rank
	if next == step {
		c.atFile, c.atRank = uint8(file), uint8(rank)
	}
	switch {
	case found:
		c.run, c.done, c.none = false, true, phantom
	case ends:
		c.kind = 0
		c.nextSquare()
	}
}

// nextSquare goes on to a2 behind a1, to b1 behind a8.
func (c *ChessBase) nextSquare() {
	at := (c.file<<3 | c.rank) + 1
	c.file, c.rank = at>>3&7, at&7
	if at == 64 {
		c.run, c.done, c.none = false, true, true
	}
}
