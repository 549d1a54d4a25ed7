// SPDX-License-Identifier: Apache-2.0

package sim

// MaskIn are the inputs of ply11_mask.
type MaskIn struct {
	Rst        bool
	SValid     bool
	SIndex     uint16
	SLast      bool
	SCount     uint16
	SCheck     bool
	SMate      bool
	SStalemate bool
	MReady     bool
}

// MaskOut are its outputs. SReady and the others are registers.
type MaskOut struct {
	SReady     bool
	MValid     bool
	MData      uint64
	MWord      uint8
	MLast      bool
	MCount     uint16
	MCheck     bool
	MMate      bool
	MStalemate bool
}

// MaskWords is the number of words of a mask of 1,968 bits.
const MaskWords = 31

// Mask is ply11_mask: a stream of indices as a mask of 1,968 bits, in words of 64.
type Mask struct {
	In  MaskIn
	Out MaskOut

	put, get int // the memory that is written, that is read
	memory   [2]maskMemory
	stale    bool // both hold what was in them before rst
	at, qAt  uint8
	q        uint64
	qValid   bool
}

type maskMemory struct {
	words [32]uint64
	full  bool // it holds a mask that is not yet out
	told  MaskIn
}

// NewMask returns a model.
func NewMask() *Mask {
	m := &Mask{}
	m.Reset()
	return m
}

// Verilog names the module.
func (m *Mask) Verilog() Verilog {
	return Verilog{Module: "ply11_mask", Files: []string{"rtl/ply11_mask.v"}}
}

// Ports returns the ports.
func (m *Mask) Ports() []Port {
	return append([]Port{
		input("rst", 1, &m.In.Rst),
		input("s_valid", 1, &m.In.SValid),
		output("s_ready", 1, &m.Out.SReady),
		input("s_index", 11, &m.In.SIndex),
		input("s_last", 1, &m.In.SLast),
		input("s_count", 9, &m.In.SCount),
		input("s_check", 1, &m.In.SCheck),
		input("s_mate", 1, &m.In.SMate),
		input("s_stalemate", 1, &m.In.SStalemate),
		output("m_valid", 1, &m.Out.MValid),
		input("m_ready", 1, &m.In.MReady),
	}, given(&m.Out.MValid,
		output("m_data", 64, &m.Out.MData),
		output("m_word", 5, &m.Out.MWord),
		output("m_last", 1, &m.Out.MLast),
		output("m_count", 9, &m.Out.MCount),
		output("m_check", 1, &m.Out.MCheck),
		output("m_mate", 1, &m.Out.MMate),
		output("m_stalemate", 1, &m.Out.MStalemate))...)
}

// Reset makes the memories empty, which takes some clocks.
func (m *Mask) Reset() {
	m.put, m.get, m.stale, m.at, m.qValid = 0, 0, true, 0, false
	m.memory[0].full, m.memory[1].full = true, true
	m.Out.MValid, m.Out.SReady = false, false
}

// Eval does nothing: no output depends on an input of the same clock.
func (m *Mask) Eval() {}

// Step is a clock.
func (m *Mask) Step() {
	w, r := &m.memory[m.put], &m.memory[m.get]
	takes := m.In.SValid && !w.full
	en := !m.Out.MValid || m.In.MReady
	reads := en && r.full
	over := m.at == 31

	if en {
		o := &m.Out
		o.MValid, o.MData, o.MWord, o.MLast = m.qValid && !m.stale, m.q, m.qAt, m.qAt == MaskWords-1
		o.MCount, o.MCheck, o.MMate, o.MStalemate = r.told.SCount, r.told.SCheck, r.told.SMate, r.told.SStalemate
		m.q = r.words[m.at]
		if m.qValid {
			r.words[m.qAt] = 0
			if m.stale {
				m.memory[1].words[m.qAt] = 0
			}
		}
		m.qValid, m.qAt = reads && !over, m.at
	}
	if takes {
		if m.In.SLast {
			w.full, w.told = true, m.In
			m.put ^= 1
		} else {
			w.words[m.In.SIndex>>6&31] |= 1 << (m.In.SIndex & 63)
		}
	}
	if reads {
		m.at = (m.at + 1) & 31
		if over {
			r.full = false
			m.get ^= 1
			if m.stale {
				m.memory[1].full, m.get, m.stale = false, 0, false
			}
		}
	}
	if m.In.Rst {
		m.Reset()
	}
	m.Out.SReady = !m.memory[m.put].full
}
