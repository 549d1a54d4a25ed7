// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"ply11/chess"
	"ply11/moveindex"
)

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
	MEP    uint8  // In.EP after it
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
	ep              uint8

	// The square that is looked at, and its rank, as the clock before read them.
	read               bool
	on                 bool
	fileRead, rankRead uint8
	men                uint32
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
	}, given(&c.Out.MValid, output("m_none", 1, &c.Out.MNone))...), given(&c.move,
		output("m_index", 11, &c.Out.MIndex),
		output("m_ep", 4, &c.Out.MEP))...)
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

// ahead returns file and rank of the square that is read in this clock, and whether it is on the board: that of the step, that of
// the order, or the one after it.
func (c *ChessBase) ahead() (file, rank int8, on bool) {
	if c.kind == 0 {
		at := c.file<<3 | c.rank
		if c.read {
			at++
		}
		return int8(at >> 3 & 7), int8(at & 7), true
	}
	var d [2]int8
	file, rank = int8(c.file), int8(c.rank)
	switch {
	case c.slides():
		d = cbRuns[c.step&7]
		file, rank = int8(c.atFile), int8(c.atRank)
	case c.kind == 6:
		d = cbPawn[c.step]
		if c.step == 5 && c.In.EP == c.file {
			d[0] = -1
		}
		if c.In.Side != 0 {
			d[1] = -d[1]
		}
	case c.kind == 3:
		d = cbKnight[c.step]
	default:
		d = cbKing[c.step]
	}
	file, rank = file+d[0], rank+d[1]
	return file & 7, rank & 7, file&^7 == 0 && rank&^7 == 0
}

// slides tells whether the man is a queen, bishop or rook.
func (c *ChessBase) slides() bool { return c.kind == 2 || c.kind == 4 || c.kind == 5 }

// Step is a clock.
func (c *ChessBase) Step() {
	in := &c.In
	taken := in.SValid && c.Out.SReady
	if in.MReady {
		c.done = false
	}
	if c.run {
		file, rank, on := c.ahead()
		looks, kind := c.read, c.kind
		if looks {
			c.look()
		}
		// The square after one without a man of the side to move is read already.
		c.read = !looks || kind == 0 && c.kind == 0
		c.fileRead, c.rankRead, c.on = uint8(file), uint8(rank), on
		c.men = uint32(c.In.Board[rank>>1] >> (rank & 1 * 32))
	}
	if taken {
		c.run, c.done, c.none = in.SNumber != 0, in.SNumber == 0, true
		c.left, c.file, c.rank, c.kind, c.read = in.SNumber, 0, 0, 0, false
	}
	if in.Rst {
		c.run, c.done = false, false
	}
	o := &c.Out
	o.SReady, o.MValid, o.MNone, o.MEP = !c.run && !c.done, c.done, c.none, c.ep
	if c.move = c.done && !c.none; c.move {
		m := chess.NewMove(chess.Square(c.rank<<3|c.file), chess.Square(c.to))
		if c.promotion != 0 {
			m = chess.NewPromotion(m.From(), m.To(), promotionKinds[c.promotion&3])
		}
		i, _ := moveindex.Of(m)
		o.MIndex = uint16(i)
	}
}

// promotionKinds are the kinds of men of the promotions 4 to 7.
var promotionKinds = [4]chess.Kind{chess.Knight, chess.Bishop, chess.Rook, chess.Queen}

// look counts with the square that was read.
func (c *ChessBase) look() {
	side := c.In.Side
	man := uint8(c.men >> (4 * c.fileRead) & 15)
	if c.kind == 0 {
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
	slides, on := c.slides(), c.on
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
	c.to, c.ep = c.rankRead<<3|c.fileRead, 0
	switch {
	case kind == 1 && step >= 8:
		c.to, c.ep = c.rankRead<<3|2, c.In.EP
		if step == 10 {
			c.to |= 4
		}
	case kind == 6 && step == 1:
		c.ep = c.file + 1
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
		c.atFile, c.atRank = c.fileRead, c.rankRead
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
