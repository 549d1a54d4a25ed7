// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"errors"
	"math/bits"
	"slices"

	"ply11/sim/oracle"
)

// PlayerAXISIn are the inputs of ply11_player_axis.
type PlayerAXISIn struct {
	Aresetn    bool
	Reset      bool // by software: the rest of a packet is dropped
	Restart    bool // the next beat begins a packet
	Mode       uint8
	Numbering  uint8 // ChessBase's, of the next packet
	STValid    bool
	STData     uint64
	STKeep     uint8
	STLast     bool
	LoadValid  bool
	LoadAddr   uint8
	LoadData   uint32
	MTReady    bool
	TextTReady bool
}

// PlayerAXISOut are its outputs.
type PlayerAXISOut struct {
	STReady    bool
	LoadReady  bool
	MTValid    bool
	MTData     [2]uint64 // low bits first
	MTLast     bool
	TextTValid bool
	TextTData  uint8
	TextTLast  bool
	TextTUser  uint64 // the byte's number, its kind above
	State      oracle.State
	InGame     bool
}

// States of ply11_player_axis.
const (
	axisClosed = iota
	axisOpen
	axisFlush
	axisBroken
)

// axisBeat is what travels through the skid buffer.
type axisBeat struct {
	data            uint64
	keep            uint8
	last            bool
	mode, numbering uint8
}

// PlayerAXIS is ply11_player_axis: the player with AXI4-Stream.
type PlayerAXIS struct {
	In  PlayerAXISIn
	Out PlayerAXISOut

	player *Player
	skid   skid[axisBeat]

	state           uint8
	reset           bool
	mode, numbering uint8
	quiet           int // clocks of axisFlush in which nothing came out
	count           uint32

	packet, drop bool // a packet has begun at the input; its rest is dropped
	due          bool // a reset waits until the record that is offered was taken

	put, take, textRoom bool // of this clock

	age   uint8 // clocks so far, up to 8
	known bool  // the player's first reset has reached the board
}

// NewPlayerAXIS returns a model.
func NewPlayerAXIS(params PlayerParams) (*PlayerAXIS, error) {
	if params.Legal != 0 {
		return nil, errors.New("sim: ply11_player_axis has no LEGAL")
	}
	p, err := NewPlayer(params)
	if err != nil {
		return nil, err
	}
	a := &PlayerAXIS{player: p}
	a.Reset()
	return a, nil
}

// Params returns the parameters of the player, with the defaults filled in.
func (a *PlayerAXIS) Params() PlayerParams { return a.player.params }

// Verilog names the module.
func (a *PlayerAXIS) Verilog() Verilog {
	v := a.player.Verilog()
	return Verilog{
		Module: "ply11_player_axis",
		Params: v.Params,
		Files:  slices.Concat([]string{"rtl/ply11_player_axis.v", "rtl/ply11_skid.v"}, v.Files),
		Clock:  "aclk",
	}
}

// Ports returns the ports.
func (a *PlayerAXIS) Ports() []Port {
	ports := append([]Port{
		input("aresetn", 1, &a.In.Aresetn), input("reset", 1, &a.In.Reset),
		input("restart", 1, &a.In.Restart), input("mode", 2, &a.In.Mode), input("numbering", 1, &a.In.Numbering),
	}, a.streams()...)
	i, o := &a.In, &a.Out
	ports = append(ports,
		input("load_valid", 1, &i.LoadValid),
		output("load_ready", 1, &o.LoadReady),
		input("load_addr", 4, &i.LoadAddr),
		input("load_data", 32, &i.LoadData),
		output("in_game", 1, &o.InGame))
	return append(ports, given(&a.known, positionPorts(&o.State, output, "")...)...)
}

// streams are the ports of the three streams.
func (a *PlayerAXIS) streams() []Port {
	i, o := &a.In, &a.Out
	ports := append([]Port{
		input("s_axis_tvalid", 1, &i.STValid),
		output("s_axis_tready", 1, &o.STReady),
		input("s_axis_tdata", a.player.params.Width, &i.STData),
		input("s_axis_tkeep", a.player.params.Width/8, &i.STKeep),
		input("s_axis_tlast", 1, &i.STLast),
		output("m_axis_tvalid", 1, &o.MTValid),
		input("m_axis_tready", 1, &i.MTReady),
		output("m_axis_text_tvalid", 1, &o.TextTValid),
		input("m_axis_text_tready", 1, &i.TextTReady),
	}, given(&o.MTValid,
		output("m_axis_tdata", 128, func(w int) uint64 { return o.MTData[w] }),
		output("m_axis_tlast", 1, &o.MTLast))...)
	return append(ports, given(&o.TextTValid,
		output("m_axis_text_tdata", 8, &o.TextTData),
		output("m_axis_text_tlast", 1, &o.TextTLast),
		output("m_axis_text_tuser", 35, &o.TextTUser))...)
}

// Reset waits for the first packet.
func (a *PlayerAXIS) Reset() {
	a.player.Reset()
	a.skid = skid[axisBeat]{}
	a.state, a.reset, a.mode, a.quiet, a.count = axisClosed, true, 0, 0, 0
	a.packet, a.drop, a.due = false, false, false
	a.Out = PlayerAXISOut{}
	a.Eval()
}

// Eval sets all outputs.
func (a *PlayerAXIS) Eval() {
	o, p, in := &a.Out, a.player, &a.skid.data
	a.textRoom = !o.TextTValid || a.In.TextTReady
	open := a.state == axisOpen && !a.reset && !a.due
	flow := open && a.textRoom
	some := in.keep != 0
	a.put = a.skid.valid && !a.drop && flow && some
	data := in.data
	for i := range a.player.params.Width / 8 {
		if in.keep>>i&1 == 0 {
			data |= 255 << (8 * i)
		}
	}
	p.In = PlayerIn{
		Rst: a.reset, Mode: a.mode, Numbering: a.numbering, SValid: a.put, SData: data,
		LoadValid: a.In.LoadValid && open, LoadAddr: a.In.LoadAddr, LoadData: a.In.LoadData, MReady: a.In.MTReady,
	}
	p.Eval()
	a.take = a.drop || flow && (p.Out.SReady || !some)
	o.STReady = a.skid.ready
	o.LoadReady = p.Out.LoadReady && open

	q, broken := &p.Out, a.state == axisBroken
	o.State, o.InGame = q.State, q.InGame
	o.MTValid = broken || q.MValid && !a.reset
	o.MTLast = broken || q.MKind == oracle.BeatEnd
	kind, result, code, index, offset, depth := q.MKind, q.MResult, q.MError, q.MIndex, q.MOffset, q.MDepth
	men := uint64(q.MFrom) | uint64(q.MTo)<<8 | uint64(q.MPromotion)<<16 | uint64(q.MMan)<<24 | uint64(q.MCaptured)<<28
	if kind == oracle.BeatEnd || kind == oracle.BeatError && oracle.Fault(code).OfStart() {
		index = 0
	}
	if broken {
		kind, result, code, index, offset, depth, men = oracle.BeatError, 0, uint8(oracle.FaultCut), 0, a.count, 0, 0
	}
	s := &o.State
	o.MTData[0] = uint64(kind) | uint64(s.Side)<<7 | uint64(code)<<8 | uint64(result)<<12 | uint64(index)<<16 | men<<32
	o.MTData[1] = uint64(offset) | uint64(s.Ply)<<32 | uint64(depth)<<48 | uint64(s.Rights)<<56 | uint64(s.EP)<<60
}

// Step is a clock.
func (a *PlayerAXIS) Step() {
	a.Eval()
	o, p, in := &a.Out, a.player, a.skid.data
	waits := o.MTValid && !a.In.MTReady
	rst := !a.In.Aresetn || (a.In.Reset || a.due) && !waits
	due := a.In.Aresetn && (a.In.Reset || a.due) && waits
	live := a.skid.valid && !a.drop
	taken := live && a.take
	if a.In.STValid && o.STReady {
		a.packet = !a.In.STLast
	}
	if a.skid.valid && in.last {
		a.drop = false
	}
	if a.textRoom {
		o.TextTValid, o.TextTData, o.TextTLast = p.Out.TextValid, p.Out.TextData, p.Out.TextLast
		o.TextTUser = uint64(a.count) | uint64(p.Out.TextKind)<<32
	}
	reset, state := a.state == axisClosed, a.state
	// Nothing is left; a number of ChessBase's takes longer.
	most := 63
	if a.mode == oracle.ModeChessBase && a.player.params.Modes&8 != 0 {
		most = 2047
	}
	silent := state == axisFlush && !p.Out.MValid
	quiet := silent && a.quiet == most
	a.quiet++
	if !silent || quiet {
		a.quiet = 0
	}
	switch state {
	case axisClosed:
		if live || a.In.LoadValid {
			a.mode, a.numbering = a.In.Mode, a.In.Numbering
			if live {
				a.mode, a.numbering = in.mode, in.numbering
			}
			a.state = axisOpen
		}
	case axisOpen:
		if taken && in.last {
			a.state = axisFlush
		}
	case axisFlush:
		if quiet {
			a.state = axisClosed
			if p.Out.InGame {
				a.state = axisBroken
			}
		}
	default:
		if a.In.MTReady {
			a.state = axisClosed
		}
	}
	if taken {
		a.count += uint32(bits.OnesCount8(in.keep))
	}
	if state == axisClosed {
		a.count = 0
	}
	p.Step()
	a.skid.step(!a.In.Aresetn || a.In.Reset, a.In.STValid, axisBeat{a.In.STData, a.In.STKeep, a.In.STLast, a.In.Mode & 3, a.In.Numbering & 1}, a.take)
	a.reset, a.due = reset, due
	if a.age < 8 {
		a.age++
	}
	a.known = a.age == 8
	if rst {
		a.state, a.reset, a.mode = axisClosed, true, 0
	}
	if !a.In.Aresetn || a.In.Reset && a.textRoom {
		o.TextTValid = false
	}
	if a.In.Reset {
		a.drop = a.packet
	}
	if !a.In.Aresetn || a.In.Restart {
		a.packet, a.drop = false, false
	}
	a.Eval()
}
