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
	Pieces [4]uint64 // the piece on square s in bits 4*(s mod 16) of Pieces[s/16], as chess.Piece
	Side   uint8     // 1: Black to move
	Rights uint8     // bits 0..3: K Q k q
	EP     uint8     // 0 none, 1..8 file of the pawn that stepped twice
	Ply    uint16    // applied moves; wraps
}

var initial = State{
	Pieces: [4]uint64{0x6666666653412435, 0, 0, 0xdbc9acbdeeeeeeee},
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
	for sq := range chess.NoSquare {
		s.Put(sq, p.PieceAt(sq))
	}
	return s
}

// Piece returns the piece on a square, 0..63.
func (s *State) Piece(sq chess.Square) chess.Piece {
	return chess.Piece(s.Pieces[sq>>4&3]>>(sq&15*4)) & 15
}

// Put sets a piece, or none, on a square, 0..63.
func (s *State) Put(sq chess.Square, piece chess.Piece) {
	shift := sq & 15 * 4
	word := &s.Pieces[sq>>4&3]
	*word = *word&^(15<<shift) | uint64(piece)<<shift
}

// Digits returns the pieces as 64 hexadecimal digits, h8 first, as a simulator writes board.
func (s *State) Digits() string {
	return fmt.Sprintf("%016x%016x%016x%016x", s.Pieces[3], s.Pieces[2], s.Pieces[1], s.Pieces[0])
}

// row returns a rank, 0..7, as the load port takes it: the piece on file f in bits 4*f.
func (s *State) row(rank int) uint32 { return uint32(s.Pieces[rank>>1&3] >> (rank & 1 * 32)) }

// LoadData returns what the load port of ply11_board takes at an address 0..8 to set the state.
func (s *State) LoadData(addr int) uint32 {
	if addr < 8 {
		return s.row(addr)
	}
	return uint32(s.Side) | uint32(s.Rights)<<1 | uint32(s.EP)<<5 | uint32(s.Ply)<<9
}

// WellFormed reports whether ply11_words and the load port take the position: every piece is one, each side has one
// king, and the en passant file is at most 8.
func (s *State) WellFormed() bool {
	var kings [2]int
	for sq := range chess.NoSquare {
		switch piece := uint8(s.Piece(sq)); {
		case piece&7 == 7 || piece == 8:
			return false
		case piece&7 == uint8(chess.King):
			kings[piece>>3]++
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
			b.WriteByte(letters[s.Piece(chess.NewSquare(file, rank))])
		}
		b.WriteByte('\n')
	}
	b.WriteString("   a b c d e f g h\n")
	side, ep := "White", "-"
	if s.Side != 0 {
		side = "Black"
	}
	if s.EP >= 1 && s.EP <= 8 {
		ep = string(rune('a' + s.EP - 1))
	} else if s.EP != 0 {
		ep = fmt.Sprint(s.EP)
	}
	fmt.Fprintf(&b, "%s to move, castling %s, en passant %s, ply %d\n", side,
		position.CastlingRights(s.Rights&15), ep, s.Ply)
	return b.String()
}

// between are the nibbles of a rank that must be empty for castling, by wing.
var between = [2]uint32{0x07700000, 0x00007770}

// wing returns the bit of the right by which a piece's move is castling, or -1.
func (s *State) wing(piece chess.Piece, m chess.Move) int {
	home := chess.E1
	if s.Side != 0 {
		home = chess.E8
	}
	switch {
	case piece.Kind() != chess.King || m.From() != home:
	case m.To() == home+2:
		return 2 * int(s.Side)
	case m.To() == home-2:
		return 2*int(s.Side) + 1
	}
	return -1
}

// Check returns why ply11_board refuses a word in the position, or NoFault. The null move is always applied.
func (s *State) Check(i moveindex.Index) Fault {
	m, ok := i.Move()
	if !ok {
		if i == moveindex.Null {
			return NoFault
		}
		return FaultCode
	}
	piece, target := s.Piece(m.From()), s.Piece(m.To())
	switch {
	case piece.Kind() == chess.NoKind:
		return FaultEmpty
	case uint8(piece.Color()) != s.Side:
		return FaultOpponent
	case target.Kind() != chess.NoKind && target.Color() == piece.Color():
		return FaultOwn
	case target.Kind() == chess.King || !s.goes(piece, m, target.Kind() != chess.NoKind):
		return FaultGeometry
	}
	if w := s.wing(piece, m); w >= 0 && (s.Rights>>w&1 == 0 || s.row(m.From().Rank())&between[w&1] != 0) {
		return FaultCastling
	}
	return NoFault
}

// goes reports whether a piece moves so on an empty board, but for what he takes.
func (s *State) goes(piece chess.Piece, m chess.Move, takes bool) bool {
	from, to := m.From(), m.To()
	attacked := position.Attacks(piece, from, 0)>>to&1 != 0
	if piece.Kind() != chess.Pawn {
		return m.Promotion() == chess.NoKind && (attacked || s.wing(piece, m) >= 0)
	}
	up, second, fifth, last := chess.Square(8), 1, 4, 7
	if s.Side != 0 {
		up, second, fifth, last = -up, 6, 3, 0
	}
	switch {
	case (to.Rank() == last) != (m.Promotion() != chess.NoKind):
		return false
	case attacked:
		return takes || from.Rank() == fifth && to.File()+1 == int(s.EP)
	}
	return !takes && (to == from+up || to == from+2*up && from.Rank() == second)
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

// Play applies a word if Check lets it pass. It returns the piece that moves and what it captures, 0 and 0 for the null
// move and for what is refused, which changes nothing.
func (s *State) Play(i moveindex.Index) (piece, captured chess.Piece, f Fault) {
	if f = s.Check(i); f != NoFault {
		return 0, 0, f
	}
	ep := uint8(0)
	if m, ok := i.Move(); ok {
		from, to := m.From(), m.To()
		piece, captured = s.Piece(from), s.Piece(to)
		wing := s.wing(piece, m)
		s.Put(from, chess.NoPiece)
		s.Put(to, piece)
		switch {
		case wing >= 0:
			corner := to + 1
			if wing&1 != 0 {
				corner = to - 2
			}
			s.Put(corner, chess.NoPiece)
			s.Put((from+to)/2, chess.NewPiece(piece.Color(), chess.Rook))
		case piece.Kind() == chess.Pawn && m.Promotion() != chess.NoKind:
			s.Put(to, chess.NewPiece(piece.Color(), m.Promotion()))
		case piece.Kind() == chess.Pawn && from.File() == to.File() && (from.Rank()+to.Rank())&1 == 0:
			ep = uint8(to.File()) + 1
		}
		if piece.Kind() == chess.Pawn && from.File() != to.File() && captured.Kind() == chess.NoKind {
			captured = chess.NewPiece(piece.Color().Other(), chess.Pawn)
			s.Put(chess.NewSquare(to.File(), from.Rank()), chess.NoPiece)
		}
		s.Rights &= keep[from] & keep[to]
	}
	s.EP = ep
	s.Side ^= 1
	s.Ply++
	return piece, captured, NoFault
}
