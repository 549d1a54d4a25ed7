// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"slices"
	"strings"

	"ply11/sim/oracle"
)

// UARTIn are the inputs of ply11_uart.
type UARTIn struct {
	Rst    bool
	RX     bool
	SValid bool
	SData  uint8
}

// UARTOut are its outputs, all from registers.
type UARTOut struct {
	TX     bool
	MValid bool
	MData  uint8
	Broken bool
	SReady bool
}

// UART is ply11_uart: asynchronous serial, eight data bits, no parity, one stop bit.
type UART struct {
	In  UARTIn
	Out UARTOut

	clocks uint16 // of a bit

	line       uint8 // the last two states of rx, the older in bit 1
	busy, lost bool
	bit        uint8 // 0 start, 1..8 data, 9 stop
	wait       uint16

	space bool
	shift uint16
	left  uint8 // bits to go
	pace  uint16
}

// NewUART returns a model with 4 to 65,535 clocks a bit.
func NewUART(clocks int) (*UART, error) {
	if clocks < 4 || clocks > 65535 {
		return nil, fmt.Errorf("sim: %d clocks a bit: 4 to 65535 are possible", clocks)
	}
	u := &UART{clocks: uint16(clocks)}
	u.Reset()
	return u, nil
}

// Verilog names the module.
func (u *UART) Verilog() Verilog {
	return Verilog{Module: "ply11_uart", Params: []string{fmt.Sprintf("CLOCKS=%d", u.clocks)}, Files: []string{"rtl/ply11_uart.v"}}
}

// Ports returns the ports.
func (u *UART) Ports() []Port {
	return append([]Port{
		input("rst", 1, &u.In.Rst),
		input("rx", 1, &u.In.RX),
		output("tx", 1, &u.Out.TX),
		output("m_valid", 1, &u.Out.MValid),
		output("broken", 1, &u.Out.Broken),
		input("s_valid", 1, &u.In.SValid),
		output("s_ready", 1, &u.Out.SReady),
		input("s_data", 8, &u.In.SData),
	}, given(&u.Out.MValid, output("m_data", 8, &u.Out.MData))...)
}

// Reset waits for a start bit, and sends nothing.
func (u *UART) Reset() {
	u.clear()
	u.Eval()
}

func (u *UART) clear() {
	u.line, u.busy, u.lost = 3, false, false
	u.Out.MValid, u.Out.Broken = false, false
	u.space, u.left = false, 0
}

// Eval shows the registers.
func (u *UART) Eval() { u.Out.TX, u.Out.SReady = !u.space, u.left == 0 }

// Step is a clock.
func (u *UART) Step() {
	u.receive()
	u.send()
	if u.In.Rst {
		u.clear()
	}
	u.Eval()
}

func (u *UART) receive() {
	high := u.line&2 != 0
	u.line = u.line<<1&2 | uint8(b2u(u.In.RX))
	u.Out.MValid, u.Out.Broken = false, false
	switch {
	case !u.busy:
		u.bit, u.wait = 0, u.clocks/2-1
		if high {
			u.lost = false
		} else if !u.lost {
			u.busy = true
		}
	case u.wait != 0:
		u.wait--
	default:
		u.wait = u.clocks - 1
		switch u.bit {
		case 0:
			u.busy = !high // else a glitch
		case 9:
			u.busy = false
			u.Out.MValid, u.Out.Broken, u.lost = high, !high, !high
		default:
			u.Out.MData >>= 1
			if high {
				u.Out.MData |= 0x80
			}
		}
		u.bit++
	}
}

func (u *UART) send() {
	switch {
	case u.left == 0:
		u.pace, u.space = u.clocks-1, false
		if u.In.SValid {
			u.space, u.shift, u.left = true, 0x100|uint16(u.In.SData), 10
		}
	case u.pace != 0:
		u.pace--
	default:
		u.pace = u.clocks - 1
		u.left--
		u.space = u.left != 0 && u.shift&1 == 0
		u.shift = 0x100 | u.shift>>1
	}
}

// TopHX8KIn is the input of ply11_top_hx8k.
type TopHX8KIn struct{ RX bool }

// TopHX8KOut are its outputs.
type TopHX8KOut struct {
	TX   bool
	CTSN bool
	LED  uint8
}

// TopHX8KParams are its parameters.
type TopHX8KParams struct {
	Modes  int // MODES: bit 0 words, bit 1 Brenner, bit 2 jose; 0 is all three
	Perft  int // PERFT: 1 has perft, too
	Clocks int // CLOCKS: clocks of a bit, 4 to 65,535
	Limit  int // LIMIT: bytes in the buffer above which the sender is asked to stop, 0 to 511
}

// TopHX8K is ply11_top_hx8k: the player, and perft, behind a serial line.
type TopHX8K struct {
	In  TopHX8KIn
	Out TopHX8KOut

	params TopHX8KParams
	uart   *UART
	player *Player
	perft  *PerftBytes // nil without PERFT

	up           uint8
	rst, hold    bool
	chosen, lost bool
	counts       bool // perft was chosen
	perftRst     bool
	mode         uint8
	buffer       [512]uint8
	put, get     uint16 // modulo 1,024
	headValid    bool
	head         uint8
	cts          bool

	outValid bool
	beat     uint32
	left     uint8
	fault    bool
	plies    uint8
	vague    bool  // the beat's index has no meaning
	sending  uint8 // the byte of it that is on the line
	exact    bool  // so tx has one
}

// NewTopHX8K returns a model.
func NewTopHX8K(params TopHX8KParams) (*TopHX8K, error) {
	if params.Modes == 0 {
		params.Modes = 7
	}
	if params.Modes < 1 || params.Modes > 7 {
		return nil, fmt.Errorf("sim: modes %d: 1 to 7 are possible", params.Modes)
	}
	if params.Perft < 0 || params.Perft > 1 {
		return nil, fmt.Errorf("sim: perft %d: 0 and 1 are possible", params.Perft)
	}
	if params.Limit < 0 || params.Limit > 511 {
		return nil, fmt.Errorf("sim: a limit of %d bytes: 0 to 511 are possible", params.Limit)
	}
	t := &TopHX8K{params: params}
	var err error
	if t.uart, err = NewUART(params.Clocks); err != nil {
		return nil, err
	}
	if t.player, err = NewPlayer(PlayerParams{Modes: params.Modes}); err != nil {
		return nil, err
	}
	if params.Perft != 0 {
		if t.perft, err = NewPerftBytes(MaxPerft); err != nil {
			return nil, err
		}
	}
	t.Reset()
	return t, nil
}

// Verilog names the module.
func (t *TopHX8K) Verilog() Verilog {
	p := t.params
	v := Verilog{
		Module: "ply11_top_hx8k",
		Params: []string{
			fmt.Sprintf("MODES=%d", p.Modes), fmt.Sprintf("PERFT=%d", p.Perft), fmt.Sprintf("CLOCKS=%d", p.Clocks), fmt.Sprintf("LIMIT=%d", p.Limit),
		},
		Files: append([]string{"rtl/ply11_top_hx8k.v", "rtl/ply11_uart.v"}, t.player.Verilog().Files...),
	}
	if t.perft != nil {
		for _, f := range t.perft.Verilog().Files {
			if !slices.Contains(v.Files, f) {
				v.Files = append(v.Files, f)
			}
		}
	}
	return v
}

// Ports returns the ports.
func (t *TopHX8K) Ports() []Port {
	return []Port{
		input("rx", 1, &t.In.RX),
		output("cts_n", 1, &t.Out.CTSN),
		output("led", 8, &t.Out.LED),
		given(&t.exact, output("tx", 1, &t.Out.TX))[0],
	}
}

// Reset is power-up.
func (t *TopHX8K) Reset() {
	t.up, t.rst, t.hold = 0, true, true
	t.uart.Reset()
	t.player.Reset()
	if t.perft != nil {
		t.perft.Reset()
	}
	t.perftRst = true
	t.clear()
	t.Eval()
}

func (t *TopHX8K) clear() {
	t.put, t.get, t.headValid, t.chosen, t.counts, t.mode, t.lost, t.cts = 0, 0, false, false, false, 0, false, false
	t.outValid, t.fault, t.plies = false, false, 0
}

// Eval shows the outputs.
func (t *TopHX8K) Eval() {
	in := &t.player.In
	in.Rst, in.Mode, in.SValid, in.SData, in.MReady = t.hold, t.mode, t.headValid && !t.hold, uint64(t.head), !t.outValid
	t.player.Eval()
	t.uart.In = UARTIn{Rst: t.up != 15, RX: t.In.RX, SValid: t.outValid, SData: uint8(t.beat)}
	if t.counts {
		t.uart.In.SValid, t.uart.In.SData = t.perft.Out.MValid, t.perft.Out.MData
	}
	t.uart.Eval()
	t.exact = !t.vague || t.counts || t.uart.Out.SReady || t.sending == 0 || t.sending == 3
	t.Out = TopHX8KOut{
		TX: t.uart.Out.TX, CTSN: t.cts,
		LED: t.plies<<4 | uint8(b2u(t.lost)<<3|b2u(t.fault)<<2|b2u(t.player.Out.InGame)<<1|b2u(t.chosen)),
	}
}

// Step is a clock.
func (t *TopHX8K) Step() {
	t.Eval()
	boot, rst := t.up != 15, t.rst
	u, o := t.uart.Out, &t.player.Out
	used := (t.put - t.get) & 1023
	full := used&512 != 0
	t.rst = boot || u.Broken && u.MData == 0
	t.hold = rst || !t.chosen || t.counts
	t.cts = int(used) > t.params.Limit
	ready := o.SReady
	if t.perft != nil {
		if t.counts {
			ready = t.perft.Out.SReady && !t.perftRst
		}
		t.perft.In = PerftBytesIn{Rst: t.perftRst, SValid: t.headValid && !t.perftRst, SData: t.head, MReady: u.SReady && t.counts}
		t.perftRst = rst || !t.counts
	}
	// The beat, byte by byte.
	switch {
	case t.outValid && u.SReady:
		t.beat >>= 8
		t.sending = 3 - t.left
		t.outValid = t.left != 0
		t.left = (t.left - 1) & 3
	case !t.outValid && o.MValid:
		code := o.MError
		switch o.MKind {
		case oracle.BeatPly:
			code = o.MCaptured
			t.plies = (t.plies + 1) & 15
		case oracle.BeatEnd:
			code = o.MResult
		case oracle.BeatError:
			t.fault = true
		}
		t.beat = uint32(o.MOffset)<<24 | uint32(o.MMan)<<20 | uint32(o.MIndex)<<8 | uint32(o.MKind)<<6 | uint32(b2u(o.MDepth != 0))<<4 |
			uint32(code)
		t.left, t.outValid, t.vague = 3, true, !t.player.exact
	}
	// The buffer.
	if used != 0 && (!t.headValid || ready) {
		t.head, t.headValid = t.buffer[t.get&511], true
		t.get = (t.get + 1) & 1023
	} else if ready {
		t.headValid = false
	}
	switch {
	case u.MValid && t.chosen && full:
		t.lost = true
	case u.MValid && t.chosen:
		t.buffer[t.put&511] = u.MData
		t.put = (t.put + 1) & 1023
	case u.MValid:
		if i := strings.IndexByte("wbj", u.MData); i >= 0 && t.params.Modes>>i&1 != 0 {
			t.chosen, t.mode = true, uint8(i)
		} else if u.MData == 'p' && t.perft != nil {
			t.chosen, t.counts, t.mode = true, true, 0
		}
	}
	t.lost = t.lost || u.Broken
	if rst {
		t.clear()
	}
	if boot {
		t.up++
	}
	t.uart.Step()
	t.player.Step()
	if t.perft != nil {
		t.perft.Step()
	}
	t.Eval()
}
