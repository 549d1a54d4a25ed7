// SPDX-License-Identifier: Apache-2.0

package piecelist

import (
	"errors"
	"fmt"

	"ply11/chess"
	"ply11/game/codec"
	"ply11/position"
)

// Piece is a piece of the game: its slot in bits 4..0, 0..23, and its colour in bit 5.
type Piece uint8

// Slots of a side, in jose's order. Of several pieces of a kind the first is that of the queen's side; in a set-up
// position, the one that List.Setup meets first.
const (
	Pawns    = 0  // 0..7, a-pawn to h-pawn
	Knights  = 8  // 8, 9
	Bishops  = 10 // 10, 11
	Rooks    = 12 // 12, 13
	Queen    = 14
	King     = 15
	Promoted = 16 // 16..23, what pawn 0..7 became
	NumSlots = 24

	blackShift = 5
	slotMask   = 31

	// None is no piece: who stands on an empty square.
	None Piece = 64
)

// NewPiece returns the piece of a colour and a slot, 0..23.
func NewPiece(c chess.Color, slot int) Piece {
	return Piece(c&1)<<blackShift | Piece(slot&slotMask)
}

// Slot returns the piece's slot, 0..23.
func (m Piece) Slot() int { return int(m & slotMask) }

// Color returns the piece's side. For None it is neither White nor Black.
func (m Piece) Color() chess.Color { return chess.Color(m >> blackShift) }

// String returns colour and slot, as in "white pawn 4" or "black promoted pawn 0".
func (m Piece) String() string {
	if m >= None || m.Slot() >= NumSlots {
		return "nobody"
	}
	s := m.Slot()
	switch {
	case s < Knights:
		return fmt.Sprintf("%v pawn %d", m.Color(), s)
	case s >= Promoted:
		return fmt.Sprintf("%v promoted pawn %d", m.Color(), s-Promoted)
	case s >= Queen:
		return fmt.Sprintf("%v %v", m.Color(), slotKind[s])
	}
	return fmt.Sprintf("%v %v %d", m.Color(), slotKind[s], s&1)
}

// slotKind is the kind of the slots that have one for life.
var slotKind = [Promoted]chess.Kind{
	chess.Pawn, chess.Pawn, chess.Pawn, chess.Pawn,
	chess.Pawn, chess.Pawn, chess.Pawn, chess.Pawn,
	chess.Knight, chess.Knight, chess.Bishop, chess.Bishop,
	chess.Rook, chess.Rook, chess.Queen, chess.King,
}

// Name is a piece's number among the pieces of its colour and kind, as Brenner counts: colour in bit 5, and in bits
// 4..0 pawns 0..7, knights 8..11, bishops 12..15, rooks 16..19, queens 20..23, king 24. A piece of the initial position
// has its name for life; a promoted piece gets one that no living piece has.
type Name uint8

// Where the names of a kind begin.
const (
	pawnName   = 0
	KnightName = 8
	bishopName = 12
	rookName   = 16
	queenName  = 20
	kingName   = 24
	NumNames   = 25
)

var nameBase = [8]Name{
	chess.Pawn: pawnName, chess.Knight: KnightName, chess.Bishop: bishopName,
	chess.Rook: rookName, chess.Queen: queenName, chess.King: kingName,
}

var nameKind = func() (t [32]chess.Kind) {
	for n := range NumNames {
		t[n] = chess.King
	}
	for _, k := range []chess.Kind{chess.Queen, chess.Rook, chess.Bishop, chess.Knight} {
		for n := range nameBase[k] + 4 {
			t[n] = k
		}
	}
	for n := range KnightName {
		t[n] = chess.Pawn
	}
	return
}()

// NewName returns the name of a colour's piece of a kind with a number, 0..3 (0..7 for a pawn, 0 for the king).
func NewName(c chess.Color, k chess.Kind, number int) Name {
	return Name(c&1)<<blackShift | nameBase[k&7] + Name(number)
}

// Kind returns the kind of the pieces of the name; NoKind for what is no name.
func (n Name) Kind() chess.Kind { return nameKind[n&slotMask] }

// Number returns the number among the pieces of that colour and kind.
func (n Name) Number() int { return int(n&slotMask - nameBase[n.Kind()]) }

// Color returns the side.
func (n Name) Color() chess.Color { return chess.Color(n >> blackShift & 1) }

// String returns the name as in "white knight #1".
func (n Name) String() string { return fmt.Sprintf("%v %v #%d", n.Color(), n.Kind(), n.Number()) }

// Gone is where a piece stands that is not on the board.
const Gone = chess.NoSquare

// List is the pieces of a game. Take one from Start, or Reset or Setup it. It is a value of 384 bytes without pointers
// and may be copied.
type List struct {
	at    [64]Piece      // who stands on a square
	where [128]uint8     // where a piece stands; [None] is written and never asked for
	kind  [64]chess.Kind // what a piece is
	named [64]Piece      // who holds a name (who held it last, if he is gone)
	name  [64]Name       // the name of a piece
}

// start is the pieces of the usual initial position.
var start = func() (m List) {
	p := position.Start()
	if err := m.Setup(&p); err != nil {
		panic(err) // not reached: 16 pieces a side, a slot for each
	}
	return
}()

// Start returns the pieces of the usual initial position, numbered from the a-file to the h-file.
func Start() List { return start }

// Reset puts all pieces back to the usual initial position.
func (m *List) Reset() { *m = start }

// TooManyError names pieces of which a position, or a promotion, has too many.
type TooManyError struct {
	Color chess.Color
	Kind  chess.Kind
	Count int // how many there are, or would be
	Limit int // how many have a number
}

func (e *TooManyError) Error() string {
	return fmt.Sprintf("%d %vs of %v, where %d have a number", e.Count, e.Kind, e.Color, e.Limit)
}

// Unwrap returns codec.ErrTooManyPieces.
func (e *TooManyError) Unwrap() error { return codec.ErrTooManyPieces }

// slots is where the slots of a kind begin, and how many there are.
var slots = [8]struct{ first, count int }{
	chess.Pawn: {Pawns, 8}, chess.Knight: {Knights, 2}, chess.Bishop: {Bishops, 2},
	chess.Rook: {Rooks, 2}, chess.Queen: {Queen, 1}, chess.King: {King, 1},
}

// Setup numbers the pieces of a position: from a8 to h8, then from a7, down to h1. More pieces of a kind than the
// initial position has are a TooManyError (several kinds: errors joined), castling rights of Chess960 are
// codec.ErrChess960; m is then not valid.
func (m *List) Setup(p *position.Position) error { return m.setup(p, false) }

// SetupNamed is Setup for up to four knights, bishops, rooks and queens of a side, as many as have names. Those beyond
// the initial position's take slots of promoted pawns, so pawns and they are eight at most.
func (m *List) SetupNamed(p *position.Position) error { return m.setup(p, true) }

func (m *List) setup(p *position.Position, named bool) error {
	if p.IsChess960() {
		return codec.ErrChess960
	}
	*m = List{}
	for i := range m.at {
		m.at[i], m.named[i] = None, None
	}
	for i := range m.where {
		m.where[i] = uint8(Gone)
	}
	for c := range chess.Color(2) {
		for s, k := range slotKind {
			m.give(NewPiece(c, s), NewName(c, k, s-slots[k].first))
		}
	}
	var count [2][8]int
	slot := [2]int{NumSlots, NumSlots} // the last that was taken for a piece beyond the initial position's
	for rank := 7; rank >= 0; rank-- {
		for file := range 8 {
			s := chess.NewSquare(file, rank)
			piece := p.PieceAt(s)
			if piece == chess.NoPiece {
				continue
			}
			c, k := piece.Color(), piece.Kind()
			n := count[c][k]
			count[c][k]++
			who := NewPiece(c, slots[k].first+n)
			if n >= slots[k].count {
				if !named || n >= 4 || k == chess.King || k == chess.Pawn || slot[c] == Promoted {
					continue
				}
				slot[c]--
				who = NewPiece(c, slot[c])
				m.give(who, NewName(c, k, n))
			}
			m.at[s], m.where[who] = who, uint8(s)
		}
	}
	var errs []error
	for c := range chess.Color(2) {
		for k := chess.King; k <= chess.Pawn; k++ {
			limit := slots[k].count
			switch {
			case named && k == chess.Pawn:
				limit = slot[c] - Promoted
			case named && k != chess.King:
				limit = 4
			}
			if n := count[c][k]; n > limit {
				errs = append(errs, &TooManyError{Color: c, Kind: k, Count: n, Limit: limit})
			}
		}
	}
	if len(errs) == 1 {
		return errs[0]
	}
	return errors.Join(errs...)
}

func (m *List) give(who Piece, n Name) {
	m.kind[who&63], m.name[who&63], m.named[n&63] = n.Kind(), n, who
}

// At returns the piece on a square, or None.
func (m *List) At(s chess.Square) Piece { return m.at[s&63] }

// Square returns where a piece stands, or Gone: captured, promoted, or not there from the start.
func (m *List) Square(who Piece) chess.Square { return chess.Square(m.where[who&127]) }

// Alive reports whether a piece stands on the board.
func (m *List) Alive(who Piece) bool { return m.where[who&127] < 64 }

// Kind returns what a piece is, or was; for an unused slot of a promoted piece, NoKind.
func (m *List) Kind(who Piece) chess.Kind { return m.kind[who&63] }

// Named returns the piece that has a name, or had it last; None if none ever did.
func (m *List) Named(n Name) Piece { return m.named[n&63] }

// Name returns the name of a piece that is, or was, on the board.
func (m *List) Name(who Piece) Name { return m.name[who&63] }

// FreeName returns the name that a piece newly promoted to a kind gets: of the numbers that no living piece holds the
// lowest, first above those of the starting pieces, then among these. It is false where all four are held.
func (m *List) FreeName(c chess.Color, k chess.Kind) (Name, bool) {
	first := slots[k&7].count
	for i := range 4 {
		n := NewName(c, k, (first+i)&3)
		if !m.Alive(m.named[n&63]) {
			return n, true
		}
	}
	return 0, false
}

// Move puts a living piece on a square and takes from the board the one that stands there. It is all that a move is but
// for castling, en passant and promotion.
func (m *List) Move(who Piece, to chess.Square) {
	m.where[m.at[to&63]&127] = uint8(Gone)
	m.at[m.where[who&127]&63] = None
	m.at[to&63] = who
	m.where[who&127] = uint8(to & 63)
}

// Remove takes the piece on a square from the board.
func (m *List) Remove(s chess.Square) {
	m.where[m.at[s&63]&127] = uint8(Gone)
	m.at[s&63] = None
}

// Castle castles. It is false, and nothing is changed, unless the king stands on its home square, a rook of its side in
// the corner, and nothing between. Rights and checks are not looked at.
func (m *List) Castle(c chess.Color, kingside bool) bool {
	king := NewPiece(c, King)
	home := chess.Square(c&1) * 56
	corner, rookTo, kingTo, next := home, home+3, home+2, home+1
	if kingside {
		corner, rookTo, kingTo, next = home+7, home+5, home+6, home+6
	}
	rook := m.at[corner]
	if m.where[king] != uint8(home+4) || rook>>blackShift != Piece(c&1) ||
		m.kind[rook&63] != chess.Rook ||
		m.at[rookTo] != None || m.at[kingTo] != None || m.at[next] != None {
		return false
	}
	m.Move(king, kingTo)
	m.Move(rook, rookTo)
	return true
}

// PromotedPiece returns the piece that a pawn becomes.
func PromotedPiece(pawn Piece) Piece { return pawn&^slotMask | Promoted | pawn&7 }

// PromoteAs takes a living pawn from the board and puts the piece of slot Promoted + the pawn's, with a name, on a
// square.
func (m *List) PromoteAs(pawn Piece, to chess.Square, n Name) {
	m.Move(pawn, to)
	who := PromotedPiece(pawn)
	m.where[pawn&127] = uint8(Gone)
	m.at[to&63] = who
	m.where[who&127] = uint8(to & 63)
	m.give(who, n)
}
