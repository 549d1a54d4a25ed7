// SPDX-License-Identifier: Apache-2.0

package sim

import "fmt"

// MenIn are the inputs of ply11_men.
type MenIn struct {
	Restart    bool
	ReadSide   uint8
	ReadSlot   uint8
	MoveValid  bool
	MoveSide   uint8
	MoveSlot   uint8
	MoveNew    uint8
	MoveTo     uint8
	JumpValid  bool
	JumpSide   uint8
	JumpFrom   uint8
	JumpTo     uint8
	KillValid  bool
	KillSide   uint8
	KillSquare uint8
	LoadClear  bool
	LoadValid  bool
	LoadSquare uint8
	LoadMan    uint8
}

// MenOut are its outputs, all combinational: of the slot that is read, and of the man that is loaded.
type MenOut struct {
	ReadSquare uint8
	ReadAlive  bool
	LoadFull   bool
}

// menSlots is the number of slots a side that can be alive.
const menSlots = 25

// Men is ply11_men: the men of both sides by number.
type Men struct {
	In  MenIn
	Out MenOut

	limit, queens uint8

	square [64]uint8 // of slot s of White at s, of Black at 32+s
	alive  [64]bool
	given  [16]uint8 // numbers given while loading, by man

	known, counted bool // there was a restart, a load_clear
}

// NewMen returns a model that can load limit knights, bishops and rooks and queens queens a side, 1..4.
func NewMen(limit, queens int) (*Men, error) {
	if limit < 1 || limit > 4 || queens < 1 || queens > 4 {
		return nil, fmt.Errorf("sim: %d men of a kind and %d queens: 1 to 4 are possible", limit, queens)
	}
	return newMen(limit, queens), nil
}

func newMen(limit, queens int) *Men {
	return &Men{limit: uint8(limit), queens: uint8(queens), square: homes.square, alive: homes.alive}
}

// Verilog names the module.
func (m *Men) Verilog() Verilog {
	return Verilog{
		Module: "ply11_men",
		Params: []string{fmt.Sprintf("LIMIT=%d", m.limit), fmt.Sprintf("QUEENS=%d", m.queens)},
		Files:  []string{"rtl/ply11_men.v"},
	}
}

// Ports returns the ports.
func (m *Men) Ports() []Port {
	in := &m.In
	ports := []Port{
		input("restart", 1, &in.Restart),
		input("read_side", 1, &in.ReadSide),
		input("read_slot", 5, &in.ReadSlot),
		input("move_valid", 1, &in.MoveValid),
		input("move_side", 1, &in.MoveSide),
		input("move_slot", 5, &in.MoveSlot),
		input("move_new", 5, &in.MoveNew),
		input("move_to", 6, &in.MoveTo),
		input("jump_valid", 1, &in.JumpValid),
		input("jump_side", 1, &in.JumpSide),
		input("jump_from", 6, &in.JumpFrom),
		input("jump_to", 6, &in.JumpTo),
		input("kill_valid", 1, &in.KillValid),
		input("kill_side", 1, &in.KillSide),
		input("kill_square", 6, &in.KillSquare),
		input("load_clear", 1, &in.LoadClear),
		input("load_valid", 1, &in.LoadValid),
		input("load_square", 6, &in.LoadSquare),
		input("load_man", 4, &in.LoadMan),
	}
	ports = append(ports, given(&m.known,
		output("read_square", 6, &m.Out.ReadSquare),
		output("read_alive", 1, &m.Out.ReadAlive),
		output("men", 448, m.word))...)
	return append(ports, given(&m.counted, output("load_full", 1, &m.Out.LoadFull))...)
}

// word returns 64 bits of the port men.
func (m *Men) word(i int) uint64 {
	var w uint64
	for b := range 64 {
		slot, bit := (64*i+b)/7, (64*i+b)%7
		v := m.square[slot] >> bit & 1
		if bit == 6 && m.alive[slot] {
			v = 1
		}
		w |= uint64(v) << b
	}
	return w
}

// home is where a slot starts, and whether it is alive there.
func home(side, slot uint8) (square uint8, alive bool) {
	file := slot & 7
	alive = slot < 8
	switch slot {
	case 8, 9, 12, 13, 16, 17, 20, 24:
		alive = true
		file = [...]uint8{8: 1, 9: 6, 12: 2, 13: 5, 16: 0, 17: 7, 20: 3, 24: 4}[slot]
	}
	rank := 7 * side
	if slot < 8 {
		rank = 1 + 5*side
	}
	return 8*rank + file, alive
}

// homes are all of them, slots from 25 on dead and on square 0.
var homes = func() (t struct {
	square [64]uint8
	alive  [64]bool
}) {
	for side := range uint8(2) {
		for slot := range uint8(menSlots) {
			t.square[32*side+slot], t.alive[32*side+slot] = home(side, slot)
		}
	}
	return t
}()

// Reset puts the men on their initial squares, as restart does: the module has no rst, and before its first
// restart nothing in it is known.
func (m *Men) Reset() {
	m.square, m.alive = homes.square, homes.alive
	m.known = true
	m.Eval()
}

// base is a kind's first slot and how many can be loaded.
func (m *Men) base(kind uint8) (slot, most uint8) {
	switch kind {
	case 1:
		return 24, 1
	case 2:
		return 20, m.queens
	case 3:
		return 8, m.limit
	case 4:
		return 12, m.limit
	case 5:
		return 16, m.limit
	case 6:
		return 0, 8
	}
	return 0, 0
}

// Eval reads.
func (m *Men) Eval() {
	i := m.In.ReadSide&1<<5 | m.In.ReadSlot&31
	m.Out.ReadSquare, m.Out.ReadAlive = m.square[i], m.alive[i]
	kind := m.In.LoadMan & 7
	_, most := m.base(kind)
	m.Out.LoadFull = kind != 0 && m.given[m.In.LoadMan&15] >= most
}

// Step is a clock.
func (m *Men) Step() {
	in := &m.In
	if in.LoadValid || in.LoadClear {
		m.Eval()
	}
	load := in.LoadValid && in.LoadMan&7 != 0 && !m.Out.LoadFull
	man := in.LoadMan & 15
	number := m.given[man]
	if load {
		m.given[man]++
	}
	if in.LoadClear {
		m.given = [16]uint8{}
		m.counted = true
	}
	if in.Restart {
		m.square, m.alive = homes.square, homes.alive
		m.known = true
		return
	}
	// Who is met is decided before anything changes.
	if in.JumpValid || in.KillValid {
		for side := range uint8(2) {
			jump := in.JumpValid && in.JumpSide == side
			kill := in.KillValid && in.KillSide == side
			if !jump && !kill {
				continue
			}
			for slot := 32 * side; slot < 32*side+menSlots; slot++ {
				switch {
				case !m.alive[slot]:
				case jump:
					if m.square[slot] == in.JumpFrom {
						m.square[slot] = in.JumpTo
					}
				case m.square[slot] == in.KillSquare:
					m.alive[slot] = false
				}
			}
		}
	}
	if in.MoveValid {
		if in.MoveSlot < menSlots && in.MoveSlot != in.MoveNew {
			m.alive[32*in.MoveSide+in.MoveSlot] = false
		}
		if in.MoveNew < menSlots {
			m.square[32*in.MoveSide+in.MoveNew] = in.MoveTo
			m.alive[32*in.MoveSide+in.MoveNew] = true
		}
	}
	if load {
		base, _ := m.base(man & 7)
		if slot := (base + number) & 31; slot < menSlots {
			m.square[man>>3<<5|slot] = in.LoadSquare
			m.alive[man>>3<<5|slot] = true
		}
	}
	if in.LoadClear {
		m.alive = [64]bool{}
	}
}
