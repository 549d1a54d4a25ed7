// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"

	"ply11/chess"
	"ply11/moveindex"
)

// Decoded is a move as the decoders give it. While IsMove is false the others are free.
type Decoded struct {
	From, To  uint8
	Promotion uint8 // 0 none, 4 knight, 5 bishop, 6 rook, 7 queen
	IsMove    bool
}

// decode is ply11_decode.
func decode(index uint16) Decoded {
	m, ok := moveindex.Index(index).Move()
	return Decoded{uint8(m.From()), uint8(m.To()), uint8(m >> 12), ok}
}

// encode is ply11_encode.
func encode(from, to, promotion uint8) (index uint16, isMove bool) {
	m := chess.Move(from&63) | chess.Move(to&63)<<6 | chess.Move(promotion&7)<<12
	i, ok := moveindex.Of(m)
	return uint16(i), ok
}

// Decode is ply11_decode, which has no clock: Eval gives Out for In.
type Decode struct {
	In  struct{ Index uint16 }
	Out Decoded
}

// Verilog names the module.
func (d *Decode) Verilog() Verilog {
	return Verilog{Module: "ply11_decode", Files: []string{"rtl/ply11_decode.v"}, Combinational: true}
}

// Ports returns the ports.
func (d *Decode) Ports() []Port {
	return append([]Port{
		input("index", 11, &d.In.Index),
		output("is_move", 1, &d.Out.IsMove),
	}, given(&d.Out.IsMove,
		output("from", 6, &d.Out.From),
		output("to", 6, &d.Out.To),
		output("promotion", 3, &d.Out.Promotion))...)
}

// Reset does nothing.
func (d *Decode) Reset() { d.Eval() }

// Eval decodes.
func (d *Decode) Eval() { d.Out = decode(d.In.Index) }

// Step does nothing.
func (d *Decode) Step() {}

// MoveIn is a move at the input of an encoder.
type MoveIn struct{ From, To, Promotion uint8 }

// Encode is ply11_encode, which has no clock: Eval gives Out for In. Index is free where IsMove is false.
type Encode struct {
	In  MoveIn
	Out struct {
		Index  uint16
		IsMove bool
	}
}

// Verilog names the module.
func (e *Encode) Verilog() Verilog {
	return Verilog{Module: "ply11_encode", Files: []string{"rtl/ply11_encode.v"}, Combinational: true}
}

// Ports returns the ports.
func (e *Encode) Ports() []Port {
	return append([]Port{
		input("from", 6, &e.In.From),
		input("to", 6, &e.In.To),
		input("promotion", 3, &e.In.Promotion),
		output("is_move", 1, &e.Out.IsMove),
	}, given(&e.Out.IsMove, output("index", 11, &e.Out.Index))...)
}

// Reset does nothing.
func (e *Encode) Reset() { e.Eval() }

// Eval encodes.
func (e *Encode) Eval() { e.Out.Index, e.Out.IsMove = encode(e.In.From, e.In.To, e.In.Promotion) }

// Step does nothing.
func (e *Encode) Step() {}

// DecodePipeIn are the inputs of ply11_decode_pipe.
type DecodePipeIn struct {
	Rst    bool
	SValid bool
	SIndex uint16
	MReady bool
}

// DecodePipeOut are its outputs. SReady is combinational, the others are registers.
type DecodePipeOut struct {
	SReady bool
	MValid bool
	Move   Decoded
}

// DecodeLatency is the latency of ply11_decode_pipe in clocks.
const DecodeLatency = 4

// DecodePipe is ply11_decode_pipe: four clocks of latency, a move a clock.
type DecodePipe struct {
	In  DecodePipeIn
	Out DecodePipeOut

	// Free is HANDSHAKE = 0: always ready, and m_ready ignored.
	Free bool

	index [DecodeLatency - 1]uint16 // a ring; the oldest at head
	head  int
	valid uint8 // bit k: the stage k + 1 holds a word, of stages 1 to 3
}

// Verilog names the module.
func (d *DecodePipe) Verilog() Verilog {
	return Verilog{
		Module: "ply11_decode_pipe",
		Params: []string{handshake(d.Free)},
		Files:  []string{"rtl/ply11_decode_pipe.v", "rtl/ply11_decode.v"},
	}
}

func handshake(free bool) string {
	if free {
		return "HANDSHAKE=0"
	}
	return "HANDSHAKE=1"
}

// Ports returns the ports.
func (d *DecodePipe) Ports() []Port {
	ports := append([]Port{
		input("rst", 1, &d.In.Rst),
		input("s_valid", 1, &d.In.SValid),
		output("s_ready", 1, &d.Out.SReady),
		input("s_index", 11, &d.In.SIndex),
		output("m_valid", 1, &d.Out.MValid),
		input("m_ready", 1, &d.In.MReady),
	}, given(&d.Out.MValid, output("m_is_move", 1, &d.Out.Move.IsMove))...)
	// IsMove is false while nothing is there, too.
	return append(ports, given(&d.Out.Move.IsMove,
		output("m_from", 6, &d.Out.Move.From),
		output("m_to", 6, &d.Out.Move.To),
		output("m_promotion", 3, &d.Out.Move.Promotion))...)
}

// Reset empties the module.
func (d *DecodePipe) Reset() {
	d.valid, d.Out.MValid, d.Out.Move = 0, false, Decoded{}
	d.Eval()
}

// Eval sets SReady.
func (d *DecodePipe) Eval() { d.Out.SReady = d.Free || d.In.MReady || !d.Out.MValid }

// Step is a clock.
func (d *DecodePipe) Step() {
	if d.Free || d.In.MReady || !d.Out.MValid {
		const stages = DecodeLatency - 1
		d.Out.MValid = d.valid>>(stages-1)&1 != 0
		d.Out.Move = Decoded{}
		if d.Out.MValid {
			d.Out.Move = decode(d.index[d.head])
		}
		d.index[d.head] = d.In.SIndex
		if d.head++; d.head == stages {
			d.head = 0
		}
		d.valid = d.valid << 1 & (1<<stages - 1)
		if d.In.SValid {
			d.valid |= 1
		}
	}
	if d.In.Rst {
		d.valid, d.Out.MValid, d.Out.Move = 0, false, Decoded{}
	}
}

// EncodeLatency is the latency of ply11_encode_pipe in clocks.
const EncodeLatency = 7

// EncodePipeIn are the inputs of ply11_encode_pipe.
type EncodePipeIn struct {
	Rst    bool
	SValid bool
	Move   MoveIn
	MReady bool
}

// EncodePipeOut are its outputs. SReady is combinational, the others are registers. MIndex is free where
// MIsMove is false.
type EncodePipeOut struct {
	SReady  bool
	MValid  bool
	MIndex  uint16
	MIsMove bool
}

// EncodePipe is ply11_encode_pipe: seven clocks of latency, a move a clock.
type EncodePipe struct {
	In  EncodePipeIn
	Out EncodePipeOut

	// Free is HANDSHAKE = 0: always ready, and m_ready ignored.
	Free bool

	moves [EncodeLatency - 1]MoveIn // a ring; the oldest at head
	head  int
	valid uint8 // bit k: the stage k + 1 holds a move, of stages 1 to 6
}

// Verilog names the module.
func (e *EncodePipe) Verilog() Verilog {
	return Verilog{
		Module: "ply11_encode_pipe",
		Params: []string{handshake(e.Free)},
		Files:  []string{"rtl/ply11_encode_pipe.v"},
	}
}

// Ports returns the ports.
func (e *EncodePipe) Ports() []Port {
	ports := append([]Port{
		input("rst", 1, &e.In.Rst),
		input("s_valid", 1, &e.In.SValid),
		output("s_ready", 1, &e.Out.SReady),
		input("s_from", 6, &e.In.Move.From),
		input("s_to", 6, &e.In.Move.To),
		input("s_promotion", 3, &e.In.Move.Promotion),
		output("m_valid", 1, &e.Out.MValid),
		input("m_ready", 1, &e.In.MReady),
	}, given(&e.Out.MValid, output("m_is_move", 1, &e.Out.MIsMove))...)
	return append(ports, given(&e.Out.MIsMove, output("m_index", 11, &e.Out.MIndex))...)
}

// Reset empties the module.
func (e *EncodePipe) Reset() {
	e.valid, e.Out.MValid, e.Out.MIsMove = 0, false, false
	e.Eval()
}

// Eval sets SReady.
func (e *EncodePipe) Eval() { e.Out.SReady = e.Free || e.In.MReady || !e.Out.MValid }

// Step is a clock.
func (e *EncodePipe) Step() {
	if e.Free || e.In.MReady || !e.Out.MValid {
		const stages = EncodeLatency - 1
		m := &e.moves[e.head]
		e.Out.MValid = e.valid>>(stages-1)&1 != 0
		e.Out.MIsMove = false
		if e.Out.MValid {
			e.Out.MIndex, e.Out.MIsMove = encode(m.From, m.To, m.Promotion)
		}
		*m = e.In.Move
		if e.head++; e.head == stages {
			e.head = 0
		}
		e.valid = e.valid << 1 & (1<<stages - 1)
		if e.In.SValid {
			e.valid |= 1
		}
	}
	if e.In.Rst {
		e.valid, e.Out.MValid, e.Out.MIsMove = 0, false, false
	}
}

// ROM is ply11_rom: the table, with a registered output that holds while En is false.
type ROM struct {
	In struct {
		En    bool
		Index uint16
	}
	Out struct{ Word uint16 }

	known bool // something has been read
}

// Verilog names the module.
func (r *ROM) Verilog() Verilog {
	return Verilog{Module: "ply11_rom", Files: []string{"rtl/ply11_rom.v", "rtl/ply11_rom_case.v"}}
}

// Ports returns the ports.
func (r *ROM) Ports() []Port {
	return append([]Port{
		input("en", 1, &r.In.En),
		input("index", 11, &r.In.Index),
	}, given(&r.known, output("word", 16, &r.Out.Word))...)
}

// Reset does nothing to a ROM, which has no reset: its output is unknown until it is first enabled.
func (r *ROM) Reset() {}

// Eval does nothing: the output is a register.
func (r *ROM) Eval() {}

// Step is a clock.
func (r *ROM) Step() {
	if r.In.En {
		r.Out.Word, r.known = moveindex.Index(r.In.Index&2047).Word(), true
	}
}

// String gives the move in UCI notation.
func (d Decoded) String() string {
	if !d.IsMove {
		return "none"
	}
	return fmt.Sprint(chess.Move(d.From) | chess.Move(d.To)<<6 | chess.Move(d.Promotion)<<12)
}
