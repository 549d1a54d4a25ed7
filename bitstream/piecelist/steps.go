// SPDX-License-Identifier: Apache-2.0

package piecelist

import (
	"fmt"

	"ply11/chess"
	"ply11/game/codec"
	"ply11/moveindex"
	"ply11/position"
)

// Step is where a byte takes a piece from a square: the move's index in bits 15..0, the target in 21..16, and flags.
type Step uint32

// What a step must be asked besides.
const (
	stepTo         = 16
	pawnTakes Step = 1 << 29 // maybe en passant
	lastRank  Step = 1 << 30 // of a pawn
	offBoard  Step = 1 << 31 // or nowhere
)

// Steps is the steps of a byte from each square.
type Steps [64]Step

// NewStep returns a step to a file and a rank, which may be off the board.
func NewStep(from chess.Square, file, rank int, pawn bool) Step {
	if file&^7 != 0 || rank&^7 != 0 || file == from.File() && rank == from.Rank() {
		return offBoard
	}
	to := chess.NewSquare(file, rank)
	i, _ := moveindex.Of(chess.NewMove(from, to))
	s := Step(i) | Step(to)<<stepTo
	if pawn && file != from.File() {
		s |= pawnTakes
	}
	if pawn && (rank == 0 || rank == 7) {
		s |= lastRank
	}
	return s
}

// To returns the target, and false for a step off the board.
func (s Step) To() (chess.Square, bool) { return chess.Square(s >> stepTo & 63), s&offBoard == 0 }

// Follow makes a step of a side's piece, other than a promotion, and returns its index. An error is that of package
// codec for what cannot be: a piece that is gone, a step off the board or onto a piece of one's own, a pawn that takes
// nobody or should become something.
func (m *List) Follow(who Piece, turn chess.Color, steps *Steps) (moveindex.Index, error) {
	from := m.Square(who)
	if from >= Gone {
		return 0, codec.ErrNoPiece
	}
	s := steps[from]
	to := chess.Square(s >> stepTo & 63)
	if s >= pawnTakes {
		switch {
		case s&offBoard != 0:
			return 0, codec.ErrOffBoard
		case s&lastRank != 0:
			return 0, fmt.Errorf("%w: a pawn on its last rank", codec.ErrPromotion)
		}
		if err := m.takes(turn, from, to); err != nil {
			return 0, err
		}
	}
	if m.At(to).Color() == turn {
		return 0, codec.ErrOwnPiece
	}
	m.Move(who, to)
	return moveindex.Index(s), nil
}

// FollowTo makes a step of a pawn that gets a name, and returns its index. Errors are as those of Follow.
func (m *List) FollowTo(pawn Piece, n Name, steps *Steps) (moveindex.Index, error) {
	from := m.Square(pawn)
	if from >= Gone {
		return 0, codec.ErrNoPiece
	}
	s := steps[from]
	to, on := s.To()
	switch {
	case !on:
		return 0, codec.ErrOffBoard
	case m.At(to).Color() == pawn.Color():
		return 0, codec.ErrOwnPiece
	case s&lastRank == 0:
		return 0, fmt.Errorf("%w: a pawn that does not reach its last rank", codec.ErrPromotion)
	case s&pawnTakes != 0 && m.At(to) == None:
		return 0, codec.ErrNothingToTake
	}
	i, ok := moveindex.Of(chess.NewPromotion(from, to, n.Kind()))
	if !ok {
		return 0, position.ErrIllegal // two steps to the last rank
	}
	m.PromoteAs(pawn, to, n)
	return i, nil
}

// Prepare returns the error of a move that a side cannot make, and takes what is captured en passant. fits says that
// the piece's steps have the move; without one, it may be castling, which is then made.
func (m *List) Prepare(turn chess.Color, mv chess.Move, fits bool) error {
	from, to := mv.From(), mv.To()
	who := m.At(from)
	k := m.Kind(who)
	diagonal := (from^to)&7 != 0
	switch {
	case who.Color() != turn:
		return codec.ErrNoPiece
	case m.At(to).Color() == turn:
		return codec.ErrOwnPiece
	case mv.Promotion() != chess.NoKind && (k != chess.Pawn || !fits), !fits && (k != chess.King || !isCastling(mv)):
		return position.ErrIllegal
	case !fits:
		if !m.Castle(turn, to > from) {
			return codec.ErrCastling
		}
		return nil
	case k != chess.Pawn:
		return nil
	case mv.Promotion() != chess.NoKind:
		if diagonal && m.At(to) == None {
			return codec.ErrNothingToTake
		}
		return nil
	case to-8 >= 48: // or its first
		return fmt.Errorf("%w: a pawn on its last rank", codec.ErrPromotion)
	case !diagonal:
		return nil
	}
	return m.takes(turn, from, to)
}

// takes removes whom a pawn takes en passant. It is codec.ErrNothingToTake if nobody stands on the target or beside.
func (m *List) takes(turn chess.Color, from, to chess.Square) error {
	if m.At(to) != None {
		return nil
	}
	passed := from&56 | to&7
	who := m.At(passed)
	if who.Color() != turn^1 || m.Kind(who) != chess.Pawn {
		return codec.ErrNothingToTake
	}
	m.Remove(passed)
	return nil
}

// isCastling reports whether a king's move is its step of two files on its home rank.
func isCastling(mv chess.Move) bool {
	switch mv {
	case chess.NewMove(chess.E1, chess.G1), chess.NewMove(chess.E1, chess.C1),
		chess.NewMove(chess.E8, chess.G8), chess.NewMove(chess.E8, chess.C8):
		return true
	}
	return false
}
