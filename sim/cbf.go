// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"

	"ply11/sim/oracle"
)

// Numberings of moves of ply11_cbf and ply11_player.
const (
	NumberingDocument = 0
	NumberingCBASCII  = 1
)

// CBFIn are the inputs of ply11_cbf.
type CBFIn struct {
	CodecIn
	Numbering uint8 // at a game's first byte: NumberingDocument or NumberingCBASCII
	SData     uint8
	Idle      bool      // the position stays
	Board     [4]uint64 // as State.Men
	Side      uint8
	Done      bool
	LoadState bool
	LoadEP    uint8
	LoadBad   bool
}

// CBFOut are its outputs, which come from registers.
type CBFOut struct {
	CodecOut
	Open  bool
	Close bool
	Quiet bool
}

// CBF is ply11_cbf: ChessBase's move bytes in, operations for ply11_board out.
type CBF struct {
	In  CBFIn
	Out CBFOut

	depth     int
	numbering uint8 // of this game
	chessbase ChessBase
	coded     bool // Out.MCode has a meaning
	indexed   bool // Out.MIndex has a meaning

	valid      bool
	result     bool // the next byte is the result
	begun      bool
	moved      bool // in this line
	skip       bool // after an error
	renew      bool // a NEW is due
	run, asked bool // a move is wanted, and is being counted
	number     uint8
	nest       uint8
	open, shut bool // a bracket is followed
	startBad   bool
	count      uint32
	settle     uint8 // clocks until the outputs show what was loaded
	ep, before uint8 // now, and before the last move
	pages      [MaxDepth + 1][2]uint8
	kind, code uint8
	index      uint16
	offset     uint32
}

// NewCBF returns a model that follows depth variations inside each other, 0..31; with 0 it steps over them.
func NewCBF(depth int) (*CBF, error) {
	if err := checkDepth(depth); err != nil {
		return nil, err
	}
	c := &CBF{depth: depth}
	c.Reset()
	return c, nil
}

// Verilog names the module.
func (c *CBF) Verilog() Verilog {
	return Verilog{
		Module: "ply11_cbf",
		Params: []string{fmt.Sprintf("DEPTH=%d", c.depth)},
		Files:  []string{"rtl/ply11_cbf.v", "rtl/ply11_chessbase.v", "rtl/ply11_encode.v"},
	}
}

// Ports returns the ports.
func (c *CBF) Ports() []Port {
	in, o := &c.In, &c.Out
	return append(codecPorts(&in.CodecIn, input("s_data", 8, &in.SData), &o.CodecOut, &c.coded, &c.indexed),
		input("numbering", 1, &in.Numbering),
		input("idle", 1, &in.Idle),
		input("board", 256, &in.Board),
		input("side", 1, &in.Side),
		output("open", 1, &o.Open),
		output("close", 1, &o.Close),
		input("done", 1, &in.Done),
		output("quiet", 1, &o.Quiet),
		input("load_state", 1, &in.LoadState),
		input("load_ep", 4, &in.LoadEP),
		input("load_bad", 1, &in.LoadBad))
}

// Reset waits for the first game.
func (c *CBF) Reset() {
	*c = CBF{In: c.In, depth: c.depth, settle: 15}
	c.chessbase.Reset()
	c.show()
}

// Eval has nothing to do: no output depends on an input of the same clock.
func (c *CBF) Eval() {}

// show sets the outputs.
func (c *CBF) show() {
	o := &c.Out
	o.SReady = !c.valid && !c.run && !c.renew && !c.open && !c.shut
	o.MValid, o.MKind, o.MCode, o.MIndex, o.MOffset = c.valid, c.kind, c.code, c.index, c.offset
	o.InGame, o.Open, o.Close = c.begun, c.open, c.shut
	o.Quiet = !c.begun && !c.renew && !c.valid
	c.coded = c.valid && (c.kind == oracle.BeatEnd || c.kind == oracle.BeatError)
	c.indexed = c.valid && c.kind != oracle.BeatNew
}

// offer puts an operation to the outputs.
func (c *CBF) offer(kind, code uint8, index uint16) {
	c.valid, c.kind, c.code, c.index = true, kind, code, index
}

// Step is a clock.
func (c *CBF) Step() {
	in := &c.In
	if in.Rst {
		c.Reset()
		return
	}
	// What was so before the clock.
	take := in.SValid && c.Out.SReady
	offered, nested, asks := c.valid, c.nest != 0, c.run && in.Idle && c.settle == 0
	m := &c.chessbase
	found, none, index, ep := m.Out.MValid, m.Out.MNone, m.Out.MIndex, m.Out.MEP
	if c.run {
		q := &m.In
		q.SValid, q.SNumber, q.CBASCII = asks && !c.asked, c.number, c.numbering == NumberingCBASCII
		q.Board, q.Side, q.EP, q.MReady = in.Board, in.Side, c.ep, true
		m.Step()
	}

	if in.MReady {
		c.valid = false
	}
	if c.settle > 0 {
		c.settle--
	}
	if c.renew && !offered {
		c.offer(oracle.BeatNew, 0, 0)
		c.renew, c.ep = false, 0
	}
	if asks {
		c.asked = true
	}
	if found {
		c.run, c.asked = false, false
		if none {
			c.offer(oracle.BeatError, uint8(oracle.FaultOperand), 0)
			c.skip = true
		} else {
			c.offer(oracle.BeatPly, 0, index)
		}
		c.before, c.ep = c.ep, ep
	}
	if take {
		c.take(in.SData, nested)
	}
	if in.Done {
		switch {
		case c.open:
			c.pages[c.nest-1] = [2]uint8{c.before, c.ep}
			c.ep = c.before
		case c.shut:
			c.before, c.ep = c.pages[c.nest][0], c.pages[c.nest][1]
		}
		c.open, c.shut, c.settle = false, false, 15
	}
	if in.LoadState {
		c.settle, c.ep, c.startBad, c.renew = 15, in.LoadEP, in.LoadBad, in.LoadBad
	}
	c.show()
}

// take is a byte; nested tells that it is inside a variation.
func (c *CBF) take(d uint8, nested bool) {
	at := c.count
	c.count++
	badStart := !c.begun && c.startBad
	if !c.begun {
		c.numbering = c.In.Numbering
	}
	c.begun, c.startBad = true, false
	if c.result {
		result := d & 3
		if d == 0x10 {
			result = 3 // the converter CBASCII writes it into games without a result
		}
		c.offer(oracle.BeatEnd, result, 0)
		c.renew = true
		c.result, c.begun, c.moved, c.skip, c.nest = false, false, false, false, 0
		return
	}
	c.offset, c.number = at, d&127
	c.result = d == 0
	if c.skip {
		return
	}
	deepest := c.depth
	if deepest == 0 {
		deepest = 255
	}
	opens, closes := d == 0xff, d == 0x80
	deep := opens && int(c.nest) == deepest
	fault := oracle.NoFault
	switch {
	case badStart:
		fault = oracle.FaultStart
	case opens && !c.moved, closes && !nested, d == 0 && nested, deep && c.depth == 0:
		fault = oracle.FaultPlace
	case deep:
		fault = oracle.FaultDepth
	}
	switch {
	case fault != oracle.NoFault:
		c.offer(oracle.BeatError, uint8(fault), 0)
		c.skip = true
	case opens:
		c.moved, c.open = false, c.depth != 0
		c.nest++
	case closes:
		c.moved, c.shut = true, c.depth != 0
		c.nest--
	case d != 0:
		c.moved = true
		c.run = c.depth != 0 || !nested
	}
}
