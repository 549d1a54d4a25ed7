// SPDX-License-Identifier: Apache-2.0

package oracle

import (
	"fmt"
	"strings"

	"ply11/chess"
	"ply11/moveindex"
	"ply11/position"
)

// A State is a position as ply11_board keeps it.
type State struct {
	Men    [4]uint64 // the man on square s in bits 4*(s mod 16) of Men[s/16], as chess.Piece
	Side   uint8     // 1: Black to move
	Rights uint8     // bits 0..3: K Q k q
	EP     uint8     // 0 none, 1..8 file of the pawn that stepped twice
	Ply    uint16    // applied moves; wraps
}

var initial = State{
	Men:    [4]uint64{0x6666666653412435, 0, 0, 0xdbc9acbdeeeeeeee},
	Rights: 15,
}

// Initial returns the usual initial position, at ply 0.
func Initial() State { return initial }

// NewState returns the state of a position. Its ply is the game's, modulo 65,536.
func NewState(p *position.Position) State {
	s := State{
		Side:   uint8(p.Turn()),
		Rights: uint8(p.Castling()),
		EP:     uint8(p.EnPassantFile()),
		Ply:    uint16(p.Ply()),
	}
	for sq := chess.A1; sq < chess.NoSquare; sq++ {
		s.put(uint8(sq), uint8(p.PieceAt(sq)))
	}
	return s
}

// Man returns the man on a square, 0..63.
func (s *State) Man(sq chess.Square) chess.Piece {
	return chess.Piece(s.man(uint8(sq)))
}

// Digits returns the men as 64 hexadecimal digits, h8 first, as a simulator writes board.
func (s *State) Digits() string {
	return fmt.Sprintf("%016x%016x%016x%016x", s.Men[3], s.Men[2], s.Men[1], s.Men[0])
}

// Put sets a man, or none, on a square, 0..63.
func (s *State) Put(sq chess.Square, man chess.Piece) { s.put(uint8(sq), uint8(man)) }

func (s *State) man(sq uint8) uint8 {
	return uint8(s.Men[sq>>4&3]>>(sq&15*4)) & 15
}

func (s *State) put(sq, man uint8) {
	shift := sq & 15 * 4
	word := &s.Men[sq>>4&3]
	*word = *word&^(15<<shift) | uint64(man)<<shift
}

// row returns a rank, 0..7, as the load port takes it: the man on file f in bits 4*f.
func (s *State) row(rank int) uint32 { return uint32(s.Men[rank>>1&3] >> (rank & 1 * 32)) }

func (s *State) setRow(rank int, row uint32) {
	shift := rank & 1 * 32
	word := &s.Men[rank>>1&3]
	*word = *word&^(0xffffffff<<shift) | uint64(row)<<shift
}

// LoadData returns what the load port of ply11_board takes at an address 0..8 to set the state.
func (s *State) LoadData(addr int) uint32 {
	if addr < 8 {
		return s.row(addr)
	}
	return uint32(s.Side) | uint32(s.Rights)<<1 | uint32(s.EP)<<5 | uint32(s.Ply)<<9
}

// Load does what the load port does at an address; one above 8 changes nothing.
func (s *State) Load(addr uint8, data uint32) {
	switch {
	case addr < 8:
		s.setRow(int(addr), data)
	case addr == 8:
		s.Side = uint8(data) & 1
		s.Rights = uint8(data>>1) & 15
		s.EP = uint8(data>>5) & 15
		s.Ply = uint16(data >> 9)
	}
}

// WellFormed reports whether ply11_words and the load port take the position: every man is one, each side has one king,
// and the en passant file is at most 8.
func (s *State) WellFormed() bool {
	var kings [2]int
	for sq := range chess.NoSquare {
		switch man := uint8(s.Man(sq)); {
		case man&7 == 7 || man == 8:
			return false
		case man&7 == uint8(chess.King):
			kings[man>>3]++
		}
	}
	return s.EP <= 8 && kings == [2]int{1, 1}
}

// String draws the board, rank 8 above, with the rest of the state below it.
func (s State) String() string {
	const letters = ".KQNBRP?_kqnbrp?"
	var b strings.Builder
	for rank := 7; rank >= 0; rank-- {
		fmt.Fprintf(&b, "%d ", rank+1)
		for file := range 8 {
			b.WriteByte(' ')
			b.WriteByte(letters[s.man(uint8(8*rank+file))])
		}
		b.WriteByte('\n')
	}
	b.WriteString("   a b c d e f g h\n")
	side, rights, ep := "White", "", "-"
	if s.Side != 0 {
		side = "Black"
	}
	for i, c := range "KQkq" {
		if s.Rights>>i&1 != 0 {
			rights += string(c)
		}
	}
	if rights == "" {
		rights = "-"
	}
	if s.EP >= 1 && s.EP <= 8 {
		ep = string(rune('a' + s.EP - 1))
	} else if s.EP != 0 {
		ep = fmt.Sprint(s.EP)
	}
	fmt.Fprintf(&b, "%s to move, castling %s, en passant %s, ply %d\n", side, rights, ep, s.Ply)
	return b.String()
}

const (
	shapeDouble = 1 << iota // a pawn's double step, if a pawn makes it
	shapeFifth              // a pawn's capture from the fifth rank
)

// A shape is what an index means for each man.
type shape struct {
	from, to  uint8
	promotion uint8   // 0, or 4 knight .. 7 queen
	becomes   uint8   // kind of the new man, 0 without promotion
	men       uint8   // bit k: a man of kind k, 1..5, goes so
	push      [2]bool // a pawn of that side pushes so
	take      [2]bool // a pawn of that side captures so
	flags     uint8
	wing      uint8 // 1 + bit of the right, for a king's castling; else 0
}

var shapes = newShapes()

func newShapes() *[moveindex.NumMoves]shape {
	t := new([moveindex.NumMoves]shape)
	for i := range t {
		m, _ := moveindex.Index(i).Move()
		s := &t[i]
		s.from, s.to = uint8(m.From()), uint8(m.To())
		s.promotion = uint8(m >> 12)
		s.becomes = uint8(m.Promotion())
		df := m.To().File() - m.From().File()
		dr := m.To().Rank() - m.From().Rank()
		adf, adr := max(df, -df), max(dr, -dr)
		rank := m.From().Rank()
		if s.becomes == 0 {
			if adf <= 1 && adr <= 1 {
				s.men |= 1 << chess.King
			}
			if df == 0 || dr == 0 {
				s.men |= 1<<chess.Rook | 1<<chess.Queen
			}
			if adf == adr {
				s.men |= 1<<chess.Bishop | 1<<chess.Queen
			}
			if adf*adr == 2 {
				s.men |= 1 << chess.Knight
			}
			if dr == 0 && adf == 2 && m.From().File() == 4 && (rank == 0 || rank == 7) {
				s.wing = 1
				if df < 0 {
					s.wing++
				}
				if rank == 7 {
					s.wing += 2
				}
			}
		}
		for side, forward := range [2]int{1, -1} {
			last := [2]int{7, 0}[side]
			second := [2]int{1, 6}[side]
			reaches := m.To().Rank() == last
			if dr == forward && reaches == (s.becomes != 0) {
				s.push[side] = adf == 0
				s.take[side] = adf == 1
				if s.take[side] && rank == [2]int{4, 3}[side] {
					s.flags |= shapeFifth
				}
			}
			if s.becomes == 0 && df == 0 && dr == 2*forward && rank == second {
				s.push[side] = true
				s.flags |= shapeDouble
			}
		}
	}
	return t
}

// between are the nibbles of a rank that must be empty for castling, by wing.
var between = [2]uint32{0x07700000, 0x00007770}

// Check returns why ply11_board refuses a word in the position, or NoFault. The null move is always applied.
func (s *State) Check(i moveindex.Index) Fault {
	if i >= moveindex.NumMoves {
		if i == moveindex.Null {
			return NoFault
		}
		return FaultCode
	}
	m := &shapes[i]
	return s.check(m, s.man(m.from), s.man(m.to))
}

func (s *State) check(m *shape, man, target uint8) Fault {
	kind, taken := man&7, target&7
	switch {
	case kind == 0:
		return FaultEmpty
	case man>>3 != s.Side:
		return FaultOpponent
	case taken != 0 && target>>3 == s.Side:
		return FaultOwn
	case taken == uint8(chess.King):
		return FaultGeometry
	}
	switch kind {
	case uint8(chess.Pawn):
		side := s.Side & 1
		switch {
		case m.push[side] && taken == 0:
		case m.take[side] && (taken != 0 || m.flags&shapeFifth != 0 && m.to&7+1 == s.EP):
		default:
			return FaultGeometry
		}
	case uint8(chess.King):
		if m.wing != 0 && (m.wing-1)>>1 == s.Side {
			if s.Rights>>(m.wing-1)&1 == 0 || s.row(int(m.from>>3))&between[(m.wing-1)&1] != 0 {
				return FaultCastling
			}
			return NoFault
		}
		fallthrough
	default:
		if m.men>>kind&1 == 0 {
			return FaultGeometry
		}
	}
	return NoFault
}

// keep are the rights that remain when a square is left or reached.
var keep = func() (k [64]uint8) {
	for s := range k {
		k[s] = 15
	}
	k[chess.H1], k[chess.A1], k[chess.E1] = 15&^1, 15&^2, 15&^3
	k[chess.H8], k[chess.A8], k[chess.E8] = 15&^4, 15&^8, 15&^12
	return k
}()

// Play applies a word if Check lets it pass. It returns the man that moves and what it captures, 0 and 0 for the null
// move and for what is refused, which changes nothing.
func (s *State) Play(i moveindex.Index) (man, captured chess.Piece, f Fault) {
	if i >= moveindex.NumMoves {
		if i != moveindex.Null {
			return 0, 0, FaultCode
		}
		s.Side ^= 1
		s.EP = 0
		s.Ply++
		return 0, 0, NoFault
	}
	m := &shapes[i]
	mover, target := s.man(m.from), s.man(m.to)
	if f = s.check(m, mover, target); f != NoFault {
		return 0, 0, f
	}
	ep := uint8(0)
	s.put(m.from, 0)
	switch mover & 7 {
	case uint8(chess.Pawn):
		if m.flags&shapeDouble != 0 {
			ep = m.to&7 + 1
		}
		if m.flags&shapeFifth != 0 && target&7 == 0 {
			s.put(m.from&56|m.to&7, 0)
			target = uint8(chess.Pawn) | (s.Side^1)<<3
		}
		if m.becomes != 0 {
			s.put(m.to, m.becomes|s.Side<<3)
		} else {
			s.put(m.to, mover)
		}
	case uint8(chess.King):
		if m.wing != 0 && (m.wing-1)>>1 == s.Side {
			home := m.from & 56
			rook := uint8(chess.Rook) | s.Side<<3
			if m.to&7 == 6 {
				s.put(home|7, 0)
				s.put(home|5, rook)
			} else {
				s.put(home, 0)
				s.put(home|3, rook)
			}
		}
		s.put(m.to, mover)
	default:
		s.put(m.to, mover)
	}
	s.Rights &= keep[m.from] & keep[m.to]
	s.EP = ep
	s.Side ^= 1
	s.Ply++
	return chess.Piece(mover), chess.Piece(target), NoFault
}
