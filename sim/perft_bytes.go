// SPDX-License-Identifier: Apache-2.0

package sim

import "fmt"

// PerftBytesIn are the inputs of ply11_perft_bytes.
type PerftBytesIn struct {
	Rst    bool
	SValid bool
	SData  uint8
	MReady bool
}

// PerftBytesOut are its outputs. SReady depends on no input.
type PerftBytesOut struct {
	SReady bool
	MValid bool
	MData  uint8
}

// PerftBytes is ply11_perft_bytes: ply11_perft for a line of bytes.
type PerftBytes struct {
	In  PerftBytesIn
	Out PerftBytesOut

	most  int // DEPTH
	perft *Perft

	state     uint8
	depth, at uint8
	word      bool
	root      uint32
	left      uint8
	last      bool
	answer    [9]uint8
}

// States of PerftBytes.
const (
	perftOrder = iota
	perftRoot
	perftAsk
	perftTell
)

// NewPerftBytes returns a model that counts up to depth plies, 2 to MaxPerft.
func NewPerftBytes(depth int) (*PerftBytes, error) {
	inner, err := NewPerft(depth)
	if err != nil {
		return nil, err
	}
	p := &PerftBytes{most: depth, perft: inner}
	p.Reset()
	return p, nil
}

// Verilog names the module.
func (p *PerftBytes) Verilog() Verilog {
	return Verilog{
		Module: "ply11_perft_bytes",
		Params: []string{fmt.Sprintf("DEPTH=%d", p.most)},
		Files:  append([]string{"rtl/ply11_perft_bytes.v"}, p.perft.Verilog().Files...),
	}
}

// Ports returns the ports.
func (p *PerftBytes) Ports() []Port {
	return append([]Port{
		input("rst", 1, &p.In.Rst),
		input("s_valid", 1, &p.In.SValid),
		output("s_ready", 1, &p.Out.SReady),
		input("s_data", 8, &p.In.SData),
		output("m_valid", 1, &p.Out.MValid),
		input("m_ready", 1, &p.In.MReady),
	}, given(&p.Out.MValid, output("m_data", 8, &p.Out.MData))...)
}

// Reset waits for an order about the usual initial position.
func (p *PerftBytes) Reset() {
	p.perft.Reset()
	p.state, p.word, p.left = perftOrder, false, 0
	p.show()
}

// Eval has nothing to do: no output depends on an input of the same clock.
func (p *PerftBytes) Eval() {}

func (p *PerftBytes) show() {
	p.Out = PerftBytesOut{
		SReady: p.state == perftOrder || p.state == perftRoot && !p.word, MValid: p.left != 0, MData: p.answer[0],
	}
}

// Step is a clock.
func (p *PerftBytes) Step() {
	in, q := &p.In, &p.perft.In
	o := p.perft.Out
	take := in.SValid && p.Out.SReady
	free := p.state == perftTell && p.left == 0 && !p.last
	*q = PerftIn{
		Rst: in.Rst, SValid: p.state == perftAsk, SDepth: p.depth,
		LoadValid: p.word, LoadAddr: p.at >> 2, LoadData: p.root, MReady: free,
	}
	p.perft.Step()
	sent := p.left != 0
	if take {
		p.root = p.root>>8 | uint32(in.SData)<<24
	}
	switch p.state {
	case perftOrder:
		p.at, p.last = 0, false
		if take {
			p.depth, p.state = in.SData&15, perftAsk
			if in.SData&0x80 != 0 {
				p.state = perftRoot
			}
		}
	case perftRoot:
		loaded := p.word && o.LoadReady
		if take {
			if p.at&3 == 3 {
				p.word = true
			} else {
				p.at++
			}
		}
		if loaded {
			p.word = false
			if p.at&32 != 0 {
				p.state = perftAsk
			}
			p.at++
		}
	case perftAsk:
		if o.SReady {
			p.state = perftTell
		}
	default:
		if p.last && !sent {
			p.state = perftOrder
		}
	}
	if sent && in.MReady {
		p.left--
		copy(p.answer[:], p.answer[1:])
		p.answer[8] = 0
	}
	if free && o.MValid {
		p.left, p.last = 9, o.MLast
		p.answer[0] = o.MDepth | uint8(b2u(o.MLast))<<7
		for i := range 8 {
			p.answer[1+i] = uint8(o.MCount >> (8 * i))
		}
	}
	if in.Rst {
		p.state, p.word, p.left = perftOrder, false, 0
	}
	p.show()
}
