// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"

	"ply11/moveindex"
)

// GearboxIn are the inputs of ply11_gearbox.
type GearboxIn struct {
	Rst    bool
	SValid bool
	SData  uint64
	SLast  bool
	MReady bool
}

// GearboxOut are its outputs. SReady is combinational, the others are registers.
type GearboxOut struct {
	SReady bool
	MValid bool
	MData  uint64
	MLast  bool
}

// Gearbox is ply11_gearbox: it regroups a stream of words of one width into words of another, low bits
// first.
type Gearbox struct {
	In  GearboxIn
	Out GearboxOut

	in, out uint // widths, 3..64, not equal

	hist uint64 // narrow: the word that is cut; wide: the bits not yet output
	pos  uint   // narrow: where the next output word begins in hist; wide: bits in hist
	full bool   // narrow: hist holds a word
	last bool   // narrow: that word is the last of its frame
	// flush: wide: words of ones go in.
	flush bool

	v1, last1 bool
	data1     uint64
}

// newGearbox returns a model with words of in bits at the input and of out bits at the output, 3..64 and not equal.
func newGearbox(in, out int) *Gearbox {
	g := &Gearbox{in: uint(in), out: uint(out)}
	g.Reset()
	return g
}

// Verilog names the module.
func (g *Gearbox) Verilog() Verilog {
	return Verilog{
		Module: "ply11_gearbox",
		Params: []string{fmt.Sprintf("IN=%d", g.in), fmt.Sprintf("OUT=%d", g.out)},
		Files:  []string{"rtl/ply11_gearbox.v"},
	}
}

// Ports returns the ports.
func (g *Gearbox) Ports() []Port {
	return append([]Port{
		input("rst", 1, &g.In.Rst),
		input("s_valid", 1, &g.In.SValid),
		output("s_ready", 1, &g.Out.SReady),
		input("s_data", int(g.in), &g.In.SData),
		input("s_last", 1, &g.In.SLast),
		output("m_valid", 1, &g.Out.MValid),
		input("m_ready", 1, &g.In.MReady),
	}, given(&g.Out.MValid,
		output("m_data", int(g.out), &g.Out.MData),
		output("m_last", 1, &g.Out.MLast))...)
}

// Reset empties the module.
func (g *Gearbox) Reset() {
	g.clear()
	g.Eval()
}

func (g *Gearbox) clear() {
	g.full, g.flush, g.v1, g.Out.MValid = false, false, false, false
	g.pos = 0
	if g.in < g.out {
		g.hist = 0
	}
}

// Eval sets SReady.
func (g *Gearbox) Eval() {
	en := !g.Out.MValid || g.In.MReady
	if g.in > g.out {
		g.Out.SReady = en && (!g.full || g.pos+g.out >= g.in)
	} else {
		g.Out.SReady = en && !g.flush
	}
}

// Step is a clock.
func (g *Gearbox) Step() {
	if !g.Out.MValid || g.In.MReady {
		g.Out.MValid, g.Out.MData, g.Out.MLast = g.v1, g.data1, g.last1
		if g.in > g.out {
			g.narrow()
		} else {
			g.wide()
		}
	}
	if g.In.Rst {
		g.clear()
	}
}

// narrow cuts several words from one.
func (g *Gearbox) narrow() {
	end := g.pos + g.out
	done := end >= g.in
	whole := g.last || end == g.in
	g.v1 = g.full && (!done || whole || g.In.SValid)
	if g.v1 {
		data := g.hist >> g.pos
		if done {
			next := g.In.SData
			if g.last {
				next = ^uint64(0)
			}
			data |= next << (g.in - g.pos)
		}
		g.data1 = data & mask(g.out)
		g.last1 = g.last && done
		switch {
		case !done:
			g.pos = end
		case g.last:
			g.pos = 0
		default:
			g.pos = end - g.in
		}
	}
	if g.In.SValid && (!g.full || done) {
		g.hist, g.last, g.full = g.In.SData&mask(g.in), g.In.SLast, true
	} else if done && whole {
		g.full = false
	}
}

// wide gathers several words into one.
func (g *Gearbox) wide() {
	word := g.In.SData & mask(g.in)
	if g.flush {
		word = mask(g.in)
	}
	if !g.flush && !g.In.SValid {
		g.v1 = false
		return
	}
	end := g.pos + g.in
	data := g.hist | word<<g.pos
	g.v1 = end >= g.out
	exact := end == g.out
	g.last1 = g.flush || g.In.SLast && exact
	if !g.v1 {
		g.hist, g.pos = data, end
	} else {
		g.data1 = data & mask(g.out)
		g.hist, g.pos = word>>(g.out-g.pos), end-g.out
		if g.flush {
			g.hist, g.pos = 0, 0
		}
	}
	if g.flush {
		g.flush = !g.v1
	} else {
		g.flush = g.In.SLast && !exact
	}
}

func mask(bits uint) uint64 { return 1<<bits - 1 }

// UnpackIn are the inputs of ply11_unpack.
type UnpackIn struct {
	Rst      bool
	SkipIdle bool
	SValid   bool
	SData    uint64
	MReady   bool
}

// UnpackOut are its outputs. SReady is combinational, the others are registers.
type UnpackOut struct {
	SReady bool
	MValid bool
	MData  uint16
}

// Unpack is ply11_unpack: bytes to eleven-bit words.
type Unpack struct {
	In  UnpackIn
	Out UnpackOut

	gearbox *Gearbox
}

// NewUnpack returns a model with a WIDTH of 8, 32 or 64 bits.
func NewUnpack(width int) (*Unpack, error) {
	if width != 8 && width != 32 && width != 64 {
		return nil, fmt.Errorf("sim: an input of %d bits: 8, 32 or 64 are possible", width)
	}
	return &Unpack{gearbox: newGearbox(width, 11)}, nil
}

// Verilog names the module.
func (u *Unpack) Verilog() Verilog {
	return Verilog{
		Module: "ply11_unpack",
		Params: []string{fmt.Sprintf("WIDTH=%d", u.gearbox.in)},
		Files:  []string{"rtl/ply11_unpack.v", "rtl/ply11_gearbox.v"},
	}
}

// Ports returns the ports.
func (u *Unpack) Ports() []Port {
	return append([]Port{
		input("rst", 1, &u.In.Rst),
		input("skip_idle", 1, &u.In.SkipIdle),
		input("s_valid", 1, &u.In.SValid),
		output("s_ready", 1, &u.Out.SReady),
		input("s_data", int(u.gearbox.in), &u.In.SData),
		output("m_valid", 1, &u.Out.MValid),
		input("m_ready", 1, &u.In.MReady),
	}, given(&u.Out.MValid, output("m_data", 11, &u.Out.MData))...)
}

// Reset empties the module.
func (u *Unpack) Reset() {
	u.Out.MValid = false
	u.gearbox.Reset()
	u.Eval()
}

// Eval sets SReady.
func (u *Unpack) Eval() {
	u.feed()
	u.gearbox.Eval()
	u.Out.SReady = u.gearbox.Out.SReady
}

// feed gives the gearbox its inputs: field by field, since the copy of a whole struct waits for the bytes
// that were just stored into it.
func (u *Unpack) feed() {
	g := u.gearbox
	g.In.Rst, g.In.SValid, g.In.SData = u.In.Rst, u.In.SValid, u.In.SData
	g.In.MReady = !u.Out.MValid || u.In.MReady
}

// Step is a clock.
func (u *Unpack) Step() {
	u.feed()
	g := u.gearbox
	if g.In.MReady {
		word := uint16(g.Out.MData)
		u.Out.MValid = g.Out.MValid && !(u.In.SkipIdle && word == uint16(moveindex.Idle))
		u.Out.MData = word
	}
	if u.In.Rst {
		u.Out.MValid = false
	}
	g.Step()
}

// PackIn are the inputs of ply11_pack.
type PackIn struct {
	Rst    bool
	SValid bool
	SData  uint16
	SLast  bool
	MReady bool
}

// PackOut are its outputs. SReady is combinational, the others are registers.
type PackOut = GearboxOut

// Pack is ply11_pack: eleven-bit words to bytes.
type Pack struct {
	In  PackIn
	Out PackOut

	gearbox *Gearbox
}

// NewPack returns a model with a WIDTH of 8, 32 or 64 bits.
func NewPack(width int) (*Pack, error) {
	if width != 8 && width != 32 && width != 64 {
		return nil, fmt.Errorf("sim: an output of %d bits: 8, 32 or 64 are possible", width)
	}
	return &Pack{gearbox: newGearbox(11, width)}, nil
}

// Verilog names the module.
func (p *Pack) Verilog() Verilog {
	return Verilog{
		Module: "ply11_pack",
		Params: []string{fmt.Sprintf("WIDTH=%d", p.gearbox.out)},
		Files:  []string{"rtl/ply11_pack.v", "rtl/ply11_gearbox.v"},
	}
}

// Ports returns the ports.
func (p *Pack) Ports() []Port {
	return append([]Port{
		input("rst", 1, &p.In.Rst),
		input("s_valid", 1, &p.In.SValid),
		output("s_ready", 1, &p.Out.SReady),
		input("s_data", 11, &p.In.SData),
		input("s_last", 1, &p.In.SLast),
		output("m_valid", 1, &p.Out.MValid),
		input("m_ready", 1, &p.In.MReady),
	}, given(&p.Out.MValid,
		output("m_data", int(p.gearbox.out), &p.Out.MData),
		output("m_last", 1, &p.Out.MLast))...)
}

// Reset empties the module.
func (p *Pack) Reset() {
	p.gearbox.Reset()
	p.Out = p.gearbox.Out
}

// Eval sets SReady.
func (p *Pack) Eval() {
	g := p.gearbox
	g.In = GearboxIn{p.In.Rst, p.In.SValid, uint64(p.In.SData), p.In.SLast, p.In.MReady}
	g.Eval()
	p.Out = g.Out
}

// Step is a clock.
func (p *Pack) Step() {
	p.Eval()
	p.gearbox.Step()
	p.Out = p.gearbox.Out
}
