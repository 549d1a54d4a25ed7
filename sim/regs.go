// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"slices"

	"ply11/sim/oracle"
)

// RegsIn are the inputs of ply11_regs. Of BeatTData the state is used whether it is valid or not.
type RegsIn struct {
	Aresetn    bool
	AWAddr     uint8
	AWValid    bool
	WData      uint32
	WStrb      uint8
	WValid     bool
	BReady     bool
	ARAddr     uint8
	ARValid    bool
	RReady     bool
	LoadReady  bool
	BeatTValid bool
	BeatTReady bool
	BeatTData  [2]uint64
	Board      [4]uint64
	InGame     bool

	// Of ply11_perft.
	PerftReady     bool
	PerftLoadReady bool
	CountValid     bool
	CountDepth     uint8
	Count          uint64
	CountLast      bool
}

// RegsOut are its outputs, all registers.
type RegsOut struct {
	AWReady       bool // and WReady
	BResp         uint8
	BValid        bool
	ARReady       bool
	RData         uint32
	RResp         uint8
	RValid        bool
	IRQ           bool
	PlayerReset   bool
	PlayerRestart bool
	Mode          uint8
	Numbering     uint8
	LoadValid     bool
	LoadAddr      uint8
	LoadData      uint32

	// To ply11_perft, with LoadAddr and LoadData.
	PerftReset     bool
	PerftValid     bool
	PerftDepth     uint8
	PerftLoadValid bool
	CountReady     bool
}

// Addresses of ply11_regs, in bytes.
const (
	RegID         = 0x00
	RegVersion    = 0x04
	RegControl    = 0x08
	RegStatus     = 0x0c
	RegInterrupt  = 0x10
	RegEnable     = 0x14
	RegSnapshot   = 0x18
	RegStart      = 0x1c
	RegGames      = 0x20
	RegPlies      = 0x24
	RegErrors     = 0x28
	RegState      = 0x2c
	RegFirstError = 0x30
	RegFirstByte  = 0x34
	RegLastError  = 0x38
	RegLastByte   = 0x3c
	RegBoard      = 0x40 // rank 1, and so on
	RegStart0     = 0x60 // rank 1, and so on
	RegPerft      = 0x80
	RegCountLow   = 0x84
	RegCountHigh  = 0x88
)

// regCounts are what ply11_regs counts and keeps of errors.
type regCounts struct {
	games, plies, errors uint32
	any                  bool
	first, last          uint8
	firstAt, lastAt      uint32
}

// PeripheralParams are the parameters of ply11_regs and ply11_peripheral.
type PeripheralParams struct {
	PlayerParams
	Perft int // PERFT: plies that perft can count, 2..MaxPerft, or 0 for none
}

// Regs is ply11_regs: AXI4-Lite registers beside the player.
type Regs struct {
	In  RegsIn
	Out RegsOut

	params PeripheralParams

	held         bool
	loads        bool // a word of START waits
	root         bool // words of START that are written are for perft
	forPerft     bool // and so was the one that waits or was last
	counted      bool // the count was offered before
	enable, with uint8
	waits        bool
	event        uint8
	now          regCounts

	taken   uint16
	shot    regCounts
	shotAt  uint32 // STATE
	shotMen [4]uint64
}

// NewRegs returns a model that tells of a player and a perft with these parameters.
func NewRegs(params PeripheralParams) *Regs {
	if params.Width == 0 {
		params.Width = 8
	}
	r := &Regs{params: params}
	r.Reset()
	return r
}

// Verilog names the module.
func (r *Regs) Verilog() Verilog {
	p := r.params
	return Verilog{
		Module: "ply11_regs",
		Params: []string{fmt.Sprintf("MODES=%d", p.Modes), fmt.Sprintf("WIDTH=%d", p.Width), fmt.Sprintf("LAYOUT=%d", p.Layout),
			fmt.Sprintf("DIALECT=%d", p.Dialect), fmt.Sprintf("DEPTH=%d", p.Depth),
			fmt.Sprintf("PERFT=%d", p.Perft)},
		Files: []string{"rtl/ply11_regs.v"},
		Clock: "aclk",
	}
}

// bus are the ports of AXI4-Lite and the interrupt.
func (r *Regs) bus() []Port {
	i, o := &r.In, &r.Out
	ports := append([]Port{
		input("s_axil_awaddr", 8, &i.AWAddr),
		input("s_axil_awvalid", 1, &i.AWValid),
		output("s_axil_awready", 1, &o.AWReady),
		input("s_axil_wdata", 32, &i.WData),
		input("s_axil_wstrb", 4, &i.WStrb),
		input("s_axil_wvalid", 1, &i.WValid),
		output("s_axil_wready", 1, &o.AWReady),
		output("s_axil_bvalid", 1, &o.BValid),
		input("s_axil_bready", 1, &i.BReady),
		input("s_axil_araddr", 8, &i.ARAddr),
		input("s_axil_arvalid", 1, &i.ARValid),
		output("s_axil_arready", 1, &o.ARReady),
		output("s_axil_rvalid", 1, &o.RValid),
		input("s_axil_rready", 1, &i.RReady),
		output("irq", 1, &o.IRQ),
	}, given(&o.BValid, output("s_axil_bresp", 2, &o.BResp))...)
	return append(ports, given(&o.RValid, output("s_axil_rdata", 32, &o.RData), output("s_axil_rresp", 2, &o.RResp))...)
}

// Ports returns the ports.
func (r *Regs) Ports() []Port {
	i, o := &r.In, &r.Out
	ports := append(append([]Port{input("aresetn", 1, &i.Aresetn)}, r.bus()...),
		output("player_reset", 1, &o.PlayerReset),
		output("player_restart", 1, &o.PlayerRestart),
		output("mode", 2, &o.Mode),
		output("numbering", 1, &o.Numbering),
		output("load_valid", 1, &o.LoadValid),
		input("load_ready", 1, &i.LoadReady),
		input("beat_tvalid", 1, &i.BeatTValid),
		input("beat_tready", 1, &i.BeatTReady),
		input("beat_tdata", 128, func(w int) uint64 { return i.BeatTData[w] }),
		input("board", 256, &i.Board),
		input("in_game", 1, &i.InGame),
		output("perft_reset", 1, &o.PerftReset),
		output("perft_valid", 1, &o.PerftValid),
		output("perft_load_valid", 1, &o.PerftLoadValid),
		output("count_ready", 1, &o.CountReady),
		input("perft_ready", 1, &i.PerftReady),
		input("perft_load_ready", 1, &i.PerftLoadReady),
		input("count_valid", 1, &i.CountValid),
		input("count_depth", 4, &i.CountDepth),
		input("count", 64, &i.Count),
		input("count_last", 1, &i.CountLast))
	ports = append(ports, given(&o.PerftValid, output("perft_depth", 4, &o.PerftDepth))...)
	return append(ports, given(&r.loads, output("load_addr", 4, &o.LoadAddr), output("load_data", 32, &o.LoadData))...)
}

// Reset is what a long aresetn leaves.
func (r *Regs) Reset() {
	*r = Regs{In: r.In, params: r.params}
	r.Out.ARReady = true
}

// Eval has nothing to do: all outputs are registers.
func (r *Regs) Eval() {}

// Step is a clock.
func (r *Regs) Step() {
	in, o := &r.In, &r.Out
	rst := !in.Aresetn
	at := in.AWAddr & 0xfc
	start := (at == RegStart || at >= RegStart0 && at < RegPerft) && !r.loads && !r.held && in.WStrb == 15 && !(r.root && !in.PerftReady)
	asks := in.WStrb&1 != 0 && in.WData&16 != 0
	order := r.params.Perft != 0 && at == RegPerft && !(asks && (!in.PerftReady || o.PerftLoadValid))
	take := o.AWReady
	low := take && in.WStrb&1 != 0

	// Of this clock, before anything changes.
	value, there := r.read(in.ARAddr & 0xfc)
	fresh := in.BeatTValid && !r.waits
	kind := uint8(in.BeatTData[0] & 3)
	ply, end, bad := fresh && kind == oracle.BeatPly, fresh && kind == oracle.BeatEnd, fresh && kind == oracle.BeatError
	clear := low && at == RegControl && in.WData&2 != 0
	snap := low && at == RegSnapshot && in.WData&1 != 0 || end && r.with&1 != 0 || bad && r.with&2 != 0
	irq := r.event&r.enable != 0
	reset := r.held

	// Beats.
	n := &r.now
	code, offset := uint8(in.BeatTData[0]>>8&15), uint32(in.BeatTData[1])
	if clear {
		n.games, n.plies, n.errors = 0, 0, 0
	} else {
		n.games += b2u(end)
		n.plies += b2u(ply)
		n.errors += b2u(bad)
	}
	if !n.any {
		n.first, n.firstAt = code, offset
	}
	if bad {
		n.last, n.lastAt = code, offset
	}
	n.any = !clear && (n.any || bad)
	quit := uint8(0)
	if low && at == RegInterrupt {
		quit = uint8(in.WData & 7)
	}
	counted := r.params.Perft != 0 && in.CountValid && !r.counted
	r.counted = in.CountValid
	r.event = r.event&^quit | uint8(b2u(end)|b2u(bad)<<1|b2u(counted)<<2)
	if clear {
		r.event = 0
	}
	o.IRQ = irq
	r.waits = in.BeatTValid && !in.BeatTReady
	if snap {
		r.taken++
		r.shot = *n
		r.shotMen = in.Board
		d := in.BeatTData[1] >> 32
		r.shotAt = uint32(d&0xffff | d>>28&15<<16 | d>>24&15<<20 | in.BeatTData[0]>>7&1<<24 | d>>16&31<<27)
	}

	// A start position.
	if in.LoadReady && !r.forPerft || in.PerftLoadReady && r.forPerft {
		r.loads = false
	}
	if take && start {
		r.loads, r.forPerft = true, r.root
		o.LoadAddr, o.LoadData = 8, in.WData&0xffff<<9|in.WData>>16&15<<5|in.WData>>20&15<<1|in.WData>>24&1
		if at >= RegStart0 {
			o.LoadAddr, o.LoadData = (at-RegStart0)/4, in.WData
		}
	}
	if rst || r.held {
		r.loads = false
	}
	o.LoadValid, o.PerftLoadValid = r.loads && !r.forPerft, r.loads && r.forPerft

	// Perft.
	o.PerftReset = low && order && in.WData&64 != 0
	next := low && order && in.WData&32 != 0 && in.CountValid
	o.PerftValid = low && order && in.WData&16 != 0
	if low && order {
		o.PerftDepth = uint8(in.WData & 15)
	}
	o.CountReady = next
	if take && order && in.WStrb&2 != 0 {
		r.root = in.WData&256 != 0
	}

	// What is written.
	if low && at == RegControl {
		r.held = in.WData&1 != 0
	}
	if take && at == RegControl && in.WStrb&2 != 0 {
		o.Mode, o.Numbering = uint8(in.WData>>8&3), uint8(in.WData>>10&1)
	}
	if low && at == RegEnable {
		r.enable = uint8(in.WData & 7)
	}
	if low && at == RegSnapshot {
		r.with = uint8(in.WData >> 1 & 3)
	}
	o.PlayerReset = reset
	o.PlayerRestart = low && at == RegControl && in.WData&4 != 0

	// The bus.
	ready := in.AWValid && in.WValid && !take && (!o.BValid || in.BReady)
	if in.BReady {
		o.BValid = false
	}
	if take {
		o.BValid = true
		o.BResp = 2
		if at == RegControl || at == RegInterrupt || at == RegEnable || at == RegSnapshot || start || order {
			o.BResp = 0
		}
	}
	o.AWReady = ready
	asked := in.ARValid && !o.RValid
	if in.RReady {
		o.RValid = false
	}
	if asked {
		o.RValid, o.RData, o.RResp = true, value, 0
		if !there {
			o.RResp = 2
		}
	}
	o.ARReady = !o.RValid
	if rst {
		r.Reset()
	}
}

// read returns a register.
func (r *Regs) read(at uint8) (value uint32, ok bool) {
	p, s := &r.params, &r.shot
	switch at {
	case RegID:
		return 0x504c3131, true
	case RegVersion:
		return 0x00010003, true
	case RegControl:
		return b2u(r.held) | uint32(r.Out.Mode)<<8 | uint32(r.Out.Numbering)<<10, true
	case RegStatus:
		return b2u(r.In.InGame) | b2u(r.In.BeatTValid)<<1 | b2u(r.now.any)<<2 | b2u(r.loads)<<3 |
			uint32(p.Perft)<<4 | uint32(p.Modes)<<8 | uint32(p.Layout)<<12 | uint32(p.Dialect)<<14 |
			uint32(p.Width)<<16 | uint32(p.Depth)<<24, true
	case RegInterrupt:
		return uint32(r.event), true
	case RegEnable:
		return uint32(r.enable), true
	case RegSnapshot:
		return uint32(r.with)<<1 | uint32(r.taken)<<16, true
	case RegGames:
		return s.games, true
	case RegPlies:
		return s.plies, true
	case RegErrors:
		return s.errors, true
	case RegState:
		return r.shotAt, true
	}
	if at >= RegPerft {
		in := &r.In
		if p.Perft == 0 {
			return 0, false
		}
		var told, low, high uint32
		if in.CountValid && !r.Out.CountReady {
			told, low, high = 1<<17|b2u(in.CountLast)<<18|uint32(in.CountDepth)<<20, uint32(in.Count), uint32(in.Count>>32)
		}
		switch at {
		case RegPerft:
			return uint32(r.Out.PerftDepth) | b2u(r.root)<<8 | b2u(!in.PerftReady || r.Out.PerftValid)<<16 | told, true
		case RegCountLow:
			return low, true
		case RegCountHigh:
			return high, true
		}
		return 0, false
	}
	if at >= RegBoard && at < RegStart0 {
		i := (at - RegBoard) / 4
		return uint32(r.shotMen[i/2] >> (i % 2 * 32)), true
	}
	if at >= RegFirstError && at <= RegLastByte && !s.any {
		return 0, true
	}
	switch at {
	case RegFirstError:
		return 1<<31 | uint32(s.first), true
	case RegFirstByte:
		return s.firstAt, true
	case RegLastError:
		return 1<<31 | uint32(s.last), true
	case RegLastByte:
		return s.lastAt, true
	}
	return 0, false
}

func b2u(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// Peripheral is ply11_peripheral: PlayerAXIS with Regs, and Perft where it has one. Its inputs and outputs are those of the two that are
// not between them.
type Peripheral struct {
	Player *PlayerAXIS
	Regs   *Regs
	Perft  *Perft // nil without PERFT
}

// NewPeripheral returns a model.
func NewPeripheral(params PeripheralParams) (*Peripheral, error) {
	a, err := NewPlayerAXIS(params.PlayerParams)
	if err != nil {
		return nil, err
	}
	p := &Peripheral{Player: a, Regs: NewRegs(params)}
	if params.Perft != 0 {
		if p.Perft, err = NewPerft(params.Perft); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Verilog names the module.
func (p *Peripheral) Verilog() Verilog {
	v := p.Player.Verilog()
	v.Module = "ply11_peripheral"
	v.Files = slices.Concat([]string{"rtl/ply11_peripheral.v", "rtl/ply11_regs.v"}, v.Files)
	if p.Perft != nil {
		v.Params = append(v.Params, fmt.Sprintf("PERFT=%d", p.Perft.most))
		v.Files = append(v.Files, "rtl/ply11_perft.v", "rtl/ply11_moves.v", "rtl/ply11_moves_find.v", "rtl/ply11_moves_emit.v", "rtl/ply11_star.v")
	}
	return v
}

// Ports returns the ports.
func (p *Peripheral) Ports() []Port {
	return slices.Concat([]Port{input("aresetn", 1, &p.Regs.In.Aresetn)}, p.Regs.bus(), p.Player.streams())
}

// Reset resets all of it.
func (p *Peripheral) Reset() {
	p.Player.Reset()
	p.Regs.Reset()
	if p.Perft != nil {
		p.Perft.Reset()
	}
	p.Eval()
}

// Eval sets all outputs.
func (p *Peripheral) Eval() {
	a, r := p.Player, p.Regs
	a.In.Aresetn, a.In.Mode, a.In.Numbering = r.In.Aresetn, r.Out.Mode, r.Out.Numbering
	a.In.Reset, a.In.Restart = r.Out.PlayerReset, r.Out.PlayerRestart
	a.In.LoadValid, a.In.LoadAddr, a.In.LoadData = r.Out.LoadValid, r.Out.LoadAddr, r.Out.LoadData
	a.Eval()
	r.In.LoadReady = a.Out.LoadReady
	r.In.BeatTValid, r.In.BeatTReady, r.In.BeatTData = a.Out.MTValid, a.In.MTReady, a.Out.MTData
	r.In.Board, r.In.InGame = a.Out.State.Men, a.Out.InGame
	if p.Perft != nil {
		o, q := &p.Perft.Out, &p.Perft.In
		*q = PerftIn{
			Rst: !r.In.Aresetn || r.Out.PerftReset, SValid: r.Out.PerftValid, SDepth: r.Out.PerftDepth,
			LoadValid: r.Out.PerftLoadValid, LoadAddr: r.Out.LoadAddr, LoadData: r.Out.LoadData, MReady: r.Out.CountReady,
		}
		r.In.PerftReady, r.In.PerftLoadReady = o.SReady, o.LoadReady
		r.In.CountValid, r.In.CountDepth, r.In.Count, r.In.CountLast = o.MValid, o.MDepth, o.MCount, o.MLast
	}
}

// Step is a clock.
func (p *Peripheral) Step() {
	p.Eval()
	p.Player.Step()
	p.Regs.Step()
	if p.Perft != nil {
		p.Perft.Step()
	}
	p.Eval()
}
