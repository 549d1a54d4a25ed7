// SPDX-License-Identifier: Apache-2.0

package sim

import "fmt"

// skid is ply11_skid for words of any kind.
type skid[T any] struct {
	ready, full, valid bool
	data, spare        T
}

// step is a clock.
func (s *skid[T]) step(rst, valid bool, data T, ready bool) {
	goes := ready || !s.valid
	take := valid && s.ready
	full := !goes && (s.full || take)
	if goes {
		if s.full {
			s.data = s.spare
		} else {
			s.data = data
		}
		s.valid = s.full || take
	}
	if s.ready {
		s.spare = data
	}
	s.full, s.ready = full, !full
	if rst {
		s.valid, s.full, s.ready = false, false, false
	}
}

// SkidIn are the inputs of ply11_skid.
type SkidIn struct {
	Rst    bool
	SValid bool
	SData  uint64
	MReady bool
}

// SkidOut are its outputs, all registers.
type SkidOut struct {
	SReady bool
	MValid bool
	MData  uint64
}

// Skid is ply11_skid: two registers in a stream.
type Skid struct {
	In  SkidIn
	Out SkidOut

	width int
	skid  skid[uint64]
}

// NewSkid returns a model for words of 1 to 64 bits.
func NewSkid(width int) (*Skid, error) {
	if width < 1 || width > 64 {
		return nil, fmt.Errorf("sim: words of %d bits: 1 to 64 are possible", width)
	}
	return &Skid{width: width}, nil
}

// Verilog names the module.
func (s *Skid) Verilog() Verilog {
	return Verilog{Module: "ply11_skid", Params: []string{fmt.Sprintf("WIDTH=%d", s.width)}, Files: []string{"rtl/ply11_skid.v"}}
}

// Ports returns the ports.
func (s *Skid) Ports() []Port {
	return append([]Port{
		input("rst", 1, &s.In.Rst),
		input("s_valid", 1, &s.In.SValid),
		output("s_ready", 1, &s.Out.SReady),
		input("s_data", s.width, &s.In.SData),
		output("m_valid", 1, &s.Out.MValid),
		input("m_ready", 1, &s.In.MReady),
	}, given(&s.Out.MValid, output("m_data", s.width, &s.Out.MData))...)
}

// Reset empties it.
func (s *Skid) Reset() {
	s.skid = skid[uint64]{}
	s.Eval()
}

// Eval shows the registers.
func (s *Skid) Eval() {
	s.Out = SkidOut{s.skid.ready, s.skid.valid, s.skid.data}
}

// Step is a clock.
func (s *Skid) Step() {
	s.skid.step(s.In.Rst, s.In.SValid, s.In.SData, s.In.MReady)
	s.Eval()
}
