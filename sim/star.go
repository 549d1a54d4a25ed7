// SPDX-License-Identifier: Apache-2.0

package sim

// star is ply11_star inside ply11_moves: three registers deep, it tells what the square asked about
// reaches on its four lines.
type star struct {
	a, b starSquare

	reach, touch [4]uint8 // by axis, the square with file j (axis 2: row j) in bit j
	slider, king uint8    // bit a for axis a
}

// A starSquare is a question to the star, and in the second register what stands on its lines.
type starSquare struct {
	row, file     uint8 // the centre
	line0, line2  uint8 // the row of axis 0, the file of axis 2
	plus, minus   [4]uint8
	align         uint8
	pawn, home    bool
	enemy, second [4]uint8
}

// next returns the square n on from i on a line, as a bit; none outside the board.
func next(i, n uint8) uint8 { return 1 << i << n }

// prior is next backward.
func prior(i, n uint8) uint8 { return 1 << i >> n }

func (s *star) step(m *Moves) {
	// Rays.
	kingF, kingR := uint8(1)<<m.kingFile, uint8(1)<<m.kingRow
	s.slider, s.king = 0, 0
	b := &s.b
	for a := range 4 {
		empty := ^b.enemy[a] & ^b.second[a]
		var ray, hit uint8
		for at := b.plus[a]; at != 0; at <<= 1 {
			ray |= at
			if at&empty == 0 {
				hit |= at
				break
			}
		}
		for at := b.minus[a]; at != 0; at >>= 1 {
			ray |= at
			if at&empty == 0 {
				hit |= at
				break
			}
		}
		s.reach[a] = ray & (b.enemy[a] | ^b.second[a])
		if hit&b.enemy[a]&b.second[a] != 0 {
			s.slider |= 1 << a
		}
		on := kingF
		if a == 2 {
			on = kingR
		}
		if b.align>>a&1 != 0 && hit&on != 0 {
			s.king |= 1 << a
		}
		s.touch[a] = b.plus[a] | b.minus[a]
	}
	if b.pawn {
		s.touch[1] = b.plus[1] & b.enemy[1]
		s.touch[2] = b.plus[2] &^ b.enemy[2]
		s.touch[3] = b.minus[3] & b.enemy[3]
	}
	if b.home {
		s.touch[2] |= 8 &^ b.enemy[2]
	}
	// Lines.
	s.b = s.a
	for j := range 8 {
		put := func(a int, row, file int, plane *[8]uint8) {
			x, y := m.enemy[row&7]>>(file&7)&1, plane[row&7]>>(file&7)&1
			if row != row&7 {
				x, y = 0, 1
			}
			s.b.enemy[a] |= x << j
			s.b.second[a] |= y << j
		}
		if j == 0 {
			s.b.enemy, s.b.second = [4]uint8{}, [4]uint8{}
		}
		r, f := int(s.a.row), int(s.a.file)
		put(0, int(s.a.line0), j, &m.straight)
		put(1, r+j-f, j, &m.oblique)
		put(2, j, int(s.a.line2), &m.straight)
		put(3, r-j+f, j, &m.oblique)
	}
	// The address.
	z := &m.z
	a := starSquare{row: z.row, file: z.file, line0: z.row, line2: z.file, pawn: z.pawn, home: z.pawn && z.row == 1}
	n := uint8(1)
	if m.zTwo || m.zLeap != 0 {
		n = 2
	}
	noRow := m.zLeap == 1 && z.row == 7 || m.zLeap == 2 && z.row == 0
	noFile := m.zLeap == 1 && z.file == 7 || m.zLeap == 2 && z.file == 0
	switch m.zLeap {
	case 1:
		a.line0, a.line2 = (z.row+1)&7, (z.file+1)&7
	case 2:
		a.line0, a.line2 = (z.row-1)&7, (z.file-1)&7
	}
	for axis := range 4 {
		at, none := z.file, noRow
		if axis == 2 {
			at, none = z.row, noFile
		}
		if m.zForward && !none {
			a.plus[axis] = next(at, n)
		}
		if m.zBack && !none {
			a.minus[axis] = prior(at, n)
		}
	}
	kr, kf := int(m.kingRow), int(m.kingFile)
	r, f := int(z.row), int(z.file)
	a.align = bit(r == kr) | bit(r-f == kr-kf)<<1 | bit(f == kf)<<2 | bit(r+f == kr+kf)<<3
	s.a = a
}
