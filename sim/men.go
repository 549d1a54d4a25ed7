// SPDX-License-Identifier: Apache-2.0

package sim

import "fmt"

// MenIn are the inputs of ply11_men.
type MenIn struct {
	Rst     bool
	En      bool // a step
	Restart bool
	// Step p.
	ReadSide uint8
	ReadSlot uint8
	// Step q.
	MoveValid  bool
	MoveCastle bool
	MoveSlot   uint8
	MoveTo     uint8
	MoveAnew   bool
	PassValid  bool
	PassSquare uint8
	PassFile   uint8
	// A set-up position.
	LoadClear  bool
	LoadValid  bool
	LoadSquare uint8
	LoadMan    uint8
}

// MenOut are its outputs, all combinational but Busy.
type MenOut struct {
	Busy     bool
	Square   uint8 // step q: where the man stands
	Alive    bool  // step r: he was alive
	LoadFull bool
}

// Slots with a meaning of their own.
const (
	slotLongRook  = 16
	slotShortRook = 17
	slotKing      = 24
	slotCastled   = 31 // who came to a square: the rook that castled
)

// MenGames is the number of bits of a game's number that ply11_men has by default.
const MenGames = 9

// Men is ply11_men: the men of both sides by number.
type Men struct {
	In  MenIn
	Out MenOut

	last uint32 // the last number of a game

	// Memories: {number of the game, loaded, square 6} by side and slot, and {number of the game, side,
	// slot 5} of who came last to a square, of even and of odd ranks.
	slots [64]uint32
	came  [2][32]uint32

	game           uint32
	restart, setup bool
	clear          uint8
	castled        [4]bool // 2*side, and 1 for the long one

	given [16]uint8 // numbers given while loading, by man

	q, next menRead // step q, and what it becomes
	r       menCame

	cleared, counted bool // all memories were cleared, there was a load_clear: what is told is known
}

// A menRead is the man that was named a step ago.
type menRead struct {
	entry       uint32
	side, slot  uint8
	home        uint8 // where he stands if he has no entry
	atHome      bool  // if he is there
	homeCastled bool  // there as the rook that castled
	known       bool
}

// A menCame is the man that was named two steps ago.
type menCame struct {
	came         uint32
	name         uint32
	placed, king bool
	known        bool
}

// NewMen returns a model whose games have numbers of so many bits, 1..9.
func NewMen(games int) (*Men, error) {
	if games < 1 || games > 9 {
		return nil, fmt.Errorf("sim: numbers of games of %d bits: 1 to 9 are possible", games)
	}
	m := &Men{last: 1<<games - 1}
	m.Reset()
	return m, nil
}

// Verilog names the module.
func (m *Men) Verilog() Verilog {
	return Verilog{Module: "ply11_men", Params: []string{m.param()}, Files: []string{"rtl/ply11_men.v"}}
}

func (m *Men) param() string {
	games := 0
	for m.last>>games != 0 {
		games++
	}
	return fmt.Sprintf("GAMES=%d", games)
}

// Ports returns the ports.
func (m *Men) Ports() []Port {
	in := &m.In
	ports := []Port{
		input("rst", 1, &in.Rst),
		input("en", 1, &in.En),
		input("restart", 1, &in.Restart),
		output("busy", 1, &m.Out.Busy),
		input("read_side", 1, &in.ReadSide),
		input("read_slot", 5, &in.ReadSlot),
		input("move_valid", 1, &in.MoveValid),
		input("move_castle", 1, &in.MoveCastle),
		input("move_slot", 5, &in.MoveSlot),
		input("move_to", 6, &in.MoveTo),
		input("move_anew", 1, &in.MoveAnew),
		input("pass_valid", 1, &in.PassValid),
		input("pass_square", 6, &in.PassSquare),
		input("pass_file", 3, &in.PassFile),
		input("load_clear", 1, &in.LoadClear),
		input("load_valid", 1, &in.LoadValid),
		input("load_square", 6, &in.LoadSquare),
		input("load_man", 4, &in.LoadMan),
	}
	ports = append(ports, given(&m.q.known, output("square", 6, &m.Out.Square))...)
	ports = append(ports, given(&m.r.known, output("alive", 1, &m.Out.Alive))...)
	return append(ports, given(&m.counted, output("load_full", 1, &m.Out.LoadFull))...)
}

// Reset is the state after rst and the 64 clocks that follow it.
func (m *Men) Reset() {
	*m = Men{In: m.In, last: m.last, game: 1}
	m.Eval()
}

// home is where a slot starts, and whether it is there.
func home(side, slot uint8) (square uint8, there bool) {
	file := slot & 7
	there = slot < 8
	switch slot {
	case 8, 9, 12, 13, 16, 17, 20, 24:
		there = true
		file = [...]uint8{8: 1, 9: 6, 12: 2, 13: 5, 16: 0, 17: 7, 20: 3, 24: 4}[slot]
	}
	rank := 7 * side
	if slot < 8 {
		rank = 1 + 5*side
	}
	return 8*rank + file, there
}

// homes are all of them, by side and slot.
var homes = func() (t [64]struct {
	square uint8
	there  bool
}) {
	for i := range uint8(64) {
		t[i].square, t[i].there = home(i>>5, i&31)
	}
	return t
}()

// base is a kind's first slot and how many there can be.
func (m *Men) base(kind uint8) (slot, most uint8) {
	switch kind {
	case 1:
		return slotKing, 1
	case 2:
		return 20, 4
	case 3:
		return 8, 4
	case 4:
		return 12, 4
	case 5:
		return 16, 4
	case 6:
		return 0, 8
	}
	return 0, 0
}

// square is where the man of step q stands, and whether he is the rook of a castling.
func (m *Men) square() (square uint8, castled bool) {
	q := &m.q
	if q.entry>>7 != m.game {
		return q.home, q.homeCastled
	}
	square = uint8(q.entry & 63)
	if q.entry&64 != 0 {
		switch corner := 56 * q.side; {
		case square == corner && m.castled[2*q.side+1]:
			return square + 3, true
		case square == corner+7 && m.castled[2*q.side]:
			return square - 2, true
		}
	}
	return square, false
}

// alive tells whether the man of step r was alive.
func (m *Men) alive() bool {
	r := &m.r
	return r.king || r.placed && (r.came>>6 != m.game || r.came&63 == r.name)
}

// full tells whether there is no number left for the man that is loaded.
func (m *Men) full() bool {
	kind := m.In.LoadMan & 7
	_, most := m.base(kind)
	return kind != 0 && m.given[m.In.LoadMan&15] >= most
}

// Eval sets the outputs.
func (m *Men) Eval() {
	m.Out.Square, _ = m.square()
	m.Out.Alive = m.alive()
	m.Out.LoadFull = m.full()
}

// Step is a clock.
func (m *Men) Step() {
	in := &m.In
	if in.En {
		m.read()
	}
	load := in.LoadValid && in.LoadMan&7 != 0 && !m.full()
	if m.Out.Busy || load || in.En && in.MoveValid {
		m.write(load)
	}
	if load {
		m.given[in.LoadMan&15]++
	}
	if in.LoadClear {
		m.given = [16]uint8{}
		m.counted = true
	}

	begin := in.Rst || in.LoadClear || in.En && in.Restart && m.game == m.last
	if m.Out.Busy {
		if m.clear == 63 {
			m.Out.Busy, m.cleared = false, true
		}
		m.clear = (m.clear + 1) & 63
	}
	if in.En {
		if in.MoveValid && in.MoveCastle {
			m.castled[2*m.q.side+^in.MoveTo>>2&1] = true
		}
		if m.restart {
			if m.game++; m.game > m.last {
				m.game = 1
			}
			m.castled, m.setup = [4]bool{}, false
		}
		m.restart = in.Restart
		// Field by field: the copy of a whole struct waits for the bytes that were just stored into it.
		q, n := &m.q, &m.next
		q.entry, q.side, q.slot = n.entry, n.side, n.slot
		q.home, q.atHome, q.homeCastled, q.known = n.home, n.atHome, n.homeCastled, n.known
	}
	if in.LoadClear {
		m.castled, m.setup = [4]bool{}, true
	}
	if in.Rst {
		m.game, m.castled, m.setup, m.restart = 1, [4]bool{}, false, false
	}
	if begin {
		m.Out.Busy, m.clear = true, 0
	}
}

// read sets step r and what step q becomes, before anything is written.
func (m *Men) read() {
	in := &m.In
	square, castled := m.square()
	q, r := &m.q, &m.r
	r.came = m.came[square>>3&1][square>>4<<3|square&7]
	r.name = uint32(q.side)<<5 | uint32(q.slot)
	if castled {
		r.name |= slotCastled
	}
	r.placed = q.entry>>7 == m.game || q.atHome
	r.king = q.slot == slotKing
	r.known = q.known

	side, slot := in.ReadSide&1, in.ReadSlot&31
	n, h := &m.next, &homes[side<<5|slot]
	n.entry, n.side, n.slot = m.slots[side<<5|slot], side, slot
	n.home, n.atHome, n.homeCastled, n.known = h.square, h.there && !m.setup, false, m.cleared
	switch {
	case slot == slotLongRook && m.castled[2*side+1]:
		n.home, n.homeCastled = n.home+3, true
	case slot == slotShortRook && m.castled[2*side]:
		n.home, n.homeCastled = n.home-2, true
	}
}

// write writes to the memories.
func (m *Men) write(load bool) {
	in := &m.In
	if m.Out.Busy {
		m.slots[m.clear] = 0
		m.came[0][m.clear&31], m.came[1][m.clear&31] = 0, 0
		return
	}
	tag := m.game
	if in.LoadValid {
		if load {
			base, _ := m.base(in.LoadMan & 7)
			m.slots[in.LoadMan>>3&1<<5|base+m.given[in.LoadMan&15]] = tag<<7 | 64 | uint32(in.LoadSquare&63)
		}
	} else {
		m.slots[m.q.side<<5|in.MoveSlot&31] = tag<<7 | uint32(in.MoveTo&63)
	}
	if !in.En || !in.MoveValid {
		return
	}
	to, name := in.MoveTo&63, in.MoveSlot&31
	if in.MoveCastle {
		name = slotCastled
		if to&4 == 0 {
			to = to&56 | 3
		} else {
			to = to&56 | 5
		}
	}
	entry := tag<<6 | uint32(m.q.side)<<5 | uint32(name)
	if in.MoveAnew || in.PassValid {
		from, _ := m.square()
		here := m.q.home
		if m.q.entry>>7 == m.game {
			here = uint8(m.q.entry & 63)
		}
		switch {
		case in.MoveAnew:
			m.came[to>>3&1^1][from>>4<<3|from&7] = entry
		case here == in.PassSquare&63:
			m.came[to>>3&1^1][from>>4<<3|in.PassFile&7] = entry
		}
	}
	m.came[to>>3&1][to>>4<<3|to&7] = entry
}
