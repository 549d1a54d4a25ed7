// SPDX-License-Identifier: Apache-2.0

package query

import (
	"sync"

	"ply11/chess"
	"ply11/moveindex"
	"ply11/position"
)

// sieve tells from the words of a main line alone that most games cannot meet a program: a piece must have gone where
// none of its sort is at the start, and a square that is to be empty must have been left, before a pawn that must be
// at home has gone. It is for games from the usual position, and costs a twentieth of a replay.
type sieve struct {
	// marks are the needs that a move may meet, by the side and the word; the highest bit is of moves after which the
	// program cannot be met any more.
	marks [2][moveindex.NumWords]uint32
	// need are all needs.
	need uint32
	// moves is the need of the first condition that is a move, if marks has it.
	moves uint32
}

const (
	mostNeeds = 31
	sieveEnd  = 1 << mostNeeds
)

// span returns the plies after which a main line may meet the last condition; first is more than last if there are
// none. known reports whether more words can change it.
func (s *sieve) span(words []moveindex.Index) (first, last int, known bool) {
	met, ready := uint32(0), s.need == 0
	for k, w := range words {
		m := s.marks[k&1][w&(moveindex.NumWords-1)]
		if m&^met == 0 {
			continue
		}
		if m&sieveEnd != 0 {
			last, known = k, true
			break
		}
		if met |= m; !ready && met&s.need == s.need {
			ready, first = true, k+1
		}
	}
	if !known {
		last = len(words)
	}
	if !ready {
		first = last + 1
	}
	return first, last, known
}

// need is what a move must do: bring one of the pieces to one of the squares, empty one, or be a certain move.
type need struct {
	place
	move moveTest // if it has a kind
}

// newSieve makes the sieve of a program, nil if it would pass all.
func newSieve(p *program) *sieve {
	s := new(sieve)
	bits := map[need]uint32{}
	// mark returns the mask of a need, 0 if it is met at the start or one too many.
	mark := func(n need) uint32 {
		if n.move.kind == chess.NoKind && n.place.matches(&usual) {
			return 0
		}
		bit, ok := bits[n]
		if !ok && len(bits) < mostNeeds {
			bit = 1 << len(bits)
			bits[n] = bit
			s.set(bit, &n)
		}
		return bit
	}
	for i := range p.steps {
		c := &p.steps[i].condition
		if b := c.board; b != nil {
			// Pieces first: they exclude more than empty squares.
			for _, occupied := range []bool{true, false} {
				for square := range chess.NoSquare {
					piece := chess.Piece(
						b.kind0>>square&1 | b.kind1>>square&1<<1 | b.kind2>>square&1<<2 | b.black>>square&1<<3)
					if (piece != chess.NoPiece) == occupied {
						s.need |= mark(need{place: place{1 << piece, position.SquareSet(square)}})
					}
				}
			}
		}
		if c.pattern != nil {
			for _, l := range c.pattern.all {
				s.need |= mark(need{place: l})
			}
		}
		if c.move != nil {
			bit := mark(need{move: *c.move})
			if s.need |= bit; i == 0 {
				s.moves = bit
			}
		}
	}
	needs := &p.steps[len(p.steps)-1].needs
	home := needs.home[0] | needs.home[1]
	if s.need == 0 && home == 0 {
		return nil
	}
	for _, w := range touching(home) {
		if m, _ := w.Move(); home.Has(m.From()) || home.Has(m.To()) {
			s.marks[0][w] |= sieveEnd
			s.marks[1][w] |= sieveEnd
		}
	}
	return s
}

func (s *sieve) set(bit uint32, n *need) {
	squares := n.place.squares
	if n.move.kind != chess.NoKind {
		squares = position.SquareSet(n.move.to)
	}
	for _, w := range touching(squares) {
		m, _ := w.Move()
		for color := range chess.Color(2) {
			if n.move.kind != chess.NoKind && n.move.mayBe(m, color) || n.move.kind == chess.NoKind &&
				n.place.mayFollow(m, color) {
				s.marks[color][w] |= bit
			}
		}
	}
}

// touching returns the moves that may change one of the squares, some of them several times.
func touching(squares position.Bitboard) (list []moveindex.Index) {
	of := touches()
	for ; squares != 0; squares &= squares - 1 {
		list = append(list, of[squares.First()]...)
	}
	return list
}

var touches = sync.OnceValue(func() *[64][]moveindex.Index {
	of := new([64][]moveindex.Index)
	for w := range moveindex.Index(moveindex.NumMoves) {
		m, _ := w.Move()
		from, to := m.From(), m.To()
		squares := position.SquareSet(from) | position.SquareSet(to)
		if reaches(chess.King, chess.White, m) && from.File() == 4 && to.File()&3 == 2 { // as castling
			squares |= position.RankOf(from.Rank()) & (position.FileOf((from.File()+to.File())/2) |
				position.FileOf(0) | position.FileOf(7))
		}
		if reaches(chess.Pawn, chess.White, m) || reaches(chess.Pawn, chess.Black, m) { // as en passant
			squares |= position.SquareSet(chess.NewSquare(to.File(), from.Rank()))
		}
		for ; squares != 0; squares &= squares - 1 {
			of[squares.First()] = append(of[squares.First()], w)
		}
	}
	return of
})

// reaches reports whether a piece may make the move on some board; castling is the king's.
func reaches(kind chess.Kind, color chess.Color, m chess.Move) bool {
	from, to := m.From(), m.To()
	df, dr := to.File()-from.File(), to.Rank()-from.Rank()
	if p := m.Promotion(); p != chess.NoKind {
		return kind == chess.Pawn && (dr > 0) == (color == chess.White)
	}
	straight, oblique := df == 0 || dr == 0, df == dr || df == -dr
	switch kind {
	case chess.King:
		return max(df, -df, dr, -dr) == 1 || dr == 0 && (df == 2 || df == -2) && from.File() == 4
	case chess.Queen:
		return straight || oblique
	case chess.Rook:
		return straight
	case chess.Bishop:
		return oblique
	case chess.Knight:
		return !straight && !oblique
	}
	if color == chess.Black {
		dr = -dr
	}
	return dr == 1 && df >= -1 && df <= 1 || dr == 2 && df == 0
}

// mayBe reports whether the move may pass the test.
func (t *moveTest) mayBe(m chess.Move, color chess.Color) bool {
	return color == t.color && m.To() == t.to && t.from.Has(m.From()) && reaches(t.kind, color, m) &&
		(t.promotion == chess.NoKind || t.promotion == m.Promotion())
}

// mayFollow reports whether the move may make the place.
func (l *place) mayFollow(m chess.Move, color chess.Color) bool {
	from, to := m.From(), m.To()
	castling := reaches(chess.King, color, m) && (from.File()-to.File() == 2 || to.File()-from.File() == 2)
	rook, corner := chess.NewSquare((from.File()+to.File())/2, from.Rank()), chess.NewSquare(0, from.Rank())
	if to.File() > from.File() {
		corner = chess.NewSquare(7, from.Rank())
	}
	if l.squares.Has(to) {
		for kind := chess.King; kind <= chess.Pawn; kind++ {
			if l.pieces>>chess.NewPiece(color, kind)&1 == 0 {
				continue
			}
			if p := m.Promotion(); p == kind || p == chess.NoKind && reaches(kind, color, m) {
				return true
			}
		}
	}
	if castling && l.pieces>>chess.NewPiece(color, chess.Rook)&1 != 0 && l.squares.Has(rook) {
		return true
	}
	if l.pieces&empty == 0 {
		return false
	}
	// A pawn that is taken en passant leaves its square, too.
	taken := chess.NewSquare(to.File(), from.Rank())
	return l.squares.Has(from) || castling && l.squares.Has(corner) ||
		reaches(chess.Pawn, color, m) && from.File() != to.File() && l.squares.Has(taken)
}
