// SPDX-License-Identifier: Apache-2.0

package position

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"ply11/chess"
)

// Every error of a reader of positions is one of these by errors.Is; SetupError and FENError say more.
var (
	// ErrSyntax: the text is not of the notation at all.
	ErrSyntax = errors.New("syntax error")
	// ErrBoard: pieces that cannot stand so, by number or place (kings, pawns on the first rank).
	ErrBoard = errors.New("impossible board")
	// ErrCastlingRights: a right to castle without the king or the rook in its place.
	ErrCastlingRights = errors.New("impossible castling rights")
	// ErrEnPassant: an en passant square that no double push can have left.
	ErrEnPassant = errors.New("impossible en passant square")
	// ErrOppositeCheck: the side that is not to move is in check.
	ErrOppositeCheck = errors.New("side not to move is in check")
	// ErrCounters: a halfmove clock or a move number out of range.
	ErrCounters = errors.New("bad counters")
	// ErrUnsupported: a game of a variant that is not played here.
	ErrUnsupported = errors.New("unsupported variant")
)

// SetupError says why a position is refused.
type SetupError struct {
	Reason string // for people: "white has 2 kings", "white pawn on a1"
	Err    error  // which of the sentinels above it is
}

func (e *SetupError) Error() string { return e.Err.Error() + ": " + e.Reason }

// Unwrap returns the sentinel.
func (e *SetupError) Unwrap() error { return e.Err }

// The largest counters that are taken. A game may go on beyond them.
const (
	MaxHalfmoveClock  = 65535
	MaxFullmoveNumber = 65535
)

// Setup is a position spelt out.
type Setup struct {
	Board    [64]chess.Piece // by square, a1 first
	Turn     chess.Color
	Castling CastlingRights
	Chess960 bool // the rights are those of Chess960, and Rooks says of which rooks; false without a right
	// the file of the rook, 0..7, of the rights K, Q, k, q; 0 without the right, and in standard chess
	Rooks          [4]uint8
	EnPassantFile  int // file of the pawn that was just pushed by two squares, 1..8; 0 none
	HalfmoveClock  int // 0..MaxHalfmoveClock
	FullmoveNumber int // 1..MaxFullmoveNumber
}

// Setup returns the position spelt out.
func (p *Position) Setup() Setup {
	s := Setup{
		Turn: p.Turn(), Castling: p.Castling(), EnPassantFile: p.EnPassantFile(),
		HalfmoveClock: p.HalfmoveClock(), FullmoveNumber: p.FullmoveNumber(),
	}
	for i := range s.Board {
		s.Board[i] = p.PieceAt(chess.Square(i))
	}
	s.Chess960 = p.IsChess960()
	for right := range uint(4) {
		if s.Chess960 && s.Castling>>right&1 != 0 {
			s.Rooks[right] = uint8(p.rookFile(right))
		}
	}
	return s
}

// raw packs an unchecked setup.
func (s *Setup) raw() Position {
	var p Position
	for i, piece := range s.Board {
		p.kind0 |= Bitboard(piece&1) << (i & 63)
		p.kind1 |= Bitboard(piece>>1&1) << (i & 63)
		p.kind2 |= Bitboard(piece>>2&1) << (i & 63)
		p.black |= Bitboard(piece>>3&1) << (i & 63)
	}
	p.state = uint64(s.FullmoveNumber-1)*2 + uint64(s.Turn&1) |
		uint64(s.Castling&AllCastling)<<rightsShift |
		uint64(s.EnPassantFile&15)<<epShift |
		uint64(s.HalfmoveClock)<<clockShift
	for right, file := range s.Rooks {
		if s.Chess960 && s.Castling>>right&1 != 0 {
			p.state |= uint64(int(file)+right&1) << (rooksShift + 3*right)
		}
	}
	return p
}

// Position checks the setup and returns the position. A *SetupError refuses a number of kings other than one a side,
// pawns on the first or last rank; castling rights without king or rook in place (in Chess960: the king on his home
// rank, and the rook on the right side of him); an en passant file without the pawn that was pushed, or with pieces on
// the squares that it came over; counters out of range; the side not to move in check.
//
// A position that passes need not be reachable by a game: real files have games that begin with seventeen pieces of a
// side. ParseFEN refuses more.
func (s *Setup) Position() (Position, error) { return s.position(true) }

// position is Position, unless lenient with checkStrict.
func (s *Setup) position(lenient bool) (Position, error) {
	if err := s.check(); err != nil {
		return Position{}, err
	}
	if !lenient {
		if err := s.checkStrict(); err != nil {
			return Position{}, err
		}
	}
	p := s.raw()
	other := p.Turn().Other()
	if c := p.Attackers(p.KingSquare(other), p.Turn()); c != 0 {
		return Position{}, &SetupError{
			Reason: fmt.Sprintf("%s is attacked from %s", other, squareList(c)),
			Err:    ErrOppositeCheck,
		}
	}
	return p, nil
}

func (s *Setup) check() error {
	fail := func(err error, format string, args ...any) error {
		return &SetupError{Reason: fmt.Sprintf(format, args...), Err: err}
	}
	var count [16]int
	for i, piece := range s.Board {
		square := chess.Square(i)
		switch {
		case piece == chess.NoPiece:
			continue
		case piece > chess.BlackPawn || piece.Kind() < chess.King || piece.Kind() > chess.Pawn:
			return fail(ErrBoard, "no piece has the code %d, on %s", piece, square)
		case piece.Kind() == chess.Pawn && (square.Rank() == 0 || square.Rank() == 7):
			return fail(ErrBoard, "%s pawn on %s", piece.Color(), square)
		}
		count[piece]++
	}
	for _, c := range [2]chess.Color{chess.White, chess.Black} {
		if n := count[chess.NewPiece(c, chess.King)]; n == 0 {
			return fail(ErrBoard, "%s has no king", c)
		} else if n > 1 {
			return fail(ErrBoard, "%s has %d kings", c, n)
		}
	}
	if s.Turn > chess.Black {
		return fail(ErrSyntax, "no colour has the code %d", s.Turn)
	}
	if s.Castling&^AllCastling != 0 {
		return fail(ErrSyntax, "no castling right has the code %d", s.Castling)
	}
	for i := range 4 {
		if s.Castling>>i&1 != 0 {
			if err := s.checkCastling(i); err != nil {
				return err
			}
		}
	}
	if err := s.checkEnPassant(); err != nil {
		return err
	}
	if s.HalfmoveClock < 0 || s.HalfmoveClock > MaxHalfmoveClock {
		return fail(ErrCounters, "halfmove clock %d is not in 0..%d", s.HalfmoveClock, MaxHalfmoveClock)
	}
	if s.FullmoveNumber < 1 || s.FullmoveNumber > MaxFullmoveNumber {
		return fail(ErrCounters, "move number %d is not in 1..%d", s.FullmoveNumber, MaxFullmoveNumber)
	}
	return nil
}

// checkCastling checks one right: bit 0..3 of CastlingRights.
func (s *Setup) checkCastling(right int) error {
	color, home, corner := chess.Color(right>>1), 56*(right>>1), 7*(1-right&1)
	name := "KQkq"[right : right+1]
	fail := func(format string, args ...any) error {
		return &SetupError{Err: ErrCastlingRights, Reason: name + " without the " + color.String() + " " + fmt.Sprintf(
			format, args...)}
	}
	rook := chess.NewPiece(color, chess.Rook)
	if s.Chess960 {
		king, file := s.homeKing(color), int(s.Rooks[right])
		switch {
		case king < 0:
			return fail("king on his home rank")
		case file > 7 || s.Board[home+file] != rook || file == king || (file < king) != (right&1 != 0):
			return fail("rook on file %d, the king on %s", file, chess.Square(home+king))
		}
		return nil
	}
	if s.Board[home+4] != chess.NewPiece(color, chess.King) {
		return fail("king on %s", chess.Square(home+4))
	}
	if s.Board[home+corner] != rook {
		return fail("rook on %s", chess.Square(home+corner))
	}
	return nil
}

// homeKing returns the file of a side's king, 0..7, and -1 if he is not on his home rank.
func (s *Setup) homeKing(color chess.Color) int {
	return slices.Index(s.Board[56*int(color&1):][:8], chess.NewPiece(color, chess.King))
}

// outerRook returns the file of the outermost rook on that side of the king, on file king, that a right is for, or -1.
func (s *Setup) outerRook(right, king int) int {
	rank := s.Board[56*(right>>1):][:8]
	rook := chess.NewPiece(chess.Color(right>>1), chess.Rook)
	if right&1 != 0 {
		return slices.Index(rank[:king], rook)
	}
	for file := 7; file > king; file-- {
		if rank[file] == rook {
			return file
		}
	}
	return -1
}

func (s *Setup) checkEnPassant() error {
	if s.EnPassantFile == 0 {
		return nil
	}
	fail := func(format string, args ...any) error {
		return &SetupError{Reason: fmt.Sprintf(format, args...), Err: ErrEnPassant}
	}
	if s.EnPassantFile < 0 || s.EnPassantFile > 8 {
		return fail("no file has the number %d", s.EnPassantFile)
	}
	file, mover := s.EnPassantFile-1, s.Turn.Other()
	from, over, to := 8+file, 16+file, 24+file
	if mover == chess.Black {
		from, over, to = 48+file, 40+file, 32+file
	}
	if s.Board[to] != chess.NewPiece(mover, chess.Pawn) {
		return fail("no %s pawn on %s", mover, chess.Square(to))
	}
	for _, square := range [2]int{over, from} {
		if s.Board[square] != chess.NoPiece {
			return fail("%s is not empty", chess.Square(square))
		}
	}
	return nil
}

// checkStrict refuses what Position takes and no game can have: more pieces of a kind than pawns can
// have been promoted to, and a double push that left the halfmove clock running.
func (s *Setup) checkStrict() error {
	var count [2][8]int
	for _, piece := range s.Board {
		count[piece.Color()&1][piece.Kind()&7]++
	}
	for c := range count {
		n := &count[c]
		color := chess.Color(c)
		if n[chess.Pawn] > 8 {
			return &SetupError{Err: ErrBoard, Reason: fmt.Sprintf("%s has %d pawns", color, n[chess.Pawn])}
		}
		promoted := max(0, n[chess.Queen]-1) + max(0, n[chess.Rook]-2) +
			max(0, n[chess.Bishop]-2) + max(0, n[chess.Knight]-2)
		if promoted > 8-n[chess.Pawn] {
			return &SetupError{Err: ErrBoard, Reason: fmt.Sprintf(
				"%s has %d promoted pieces and %d pawns", color, promoted, n[chess.Pawn])}
		}
	}
	if s.EnPassantFile != 0 && s.HalfmoveClock != 0 {
		return &SetupError{Err: ErrCounters, Reason: fmt.Sprintf(
			"halfmove clock %d after the double push of a pawn", s.HalfmoveClock)}
	}
	return nil
}

// squareList writes a set as "a1 and b2", "a1, b2 and c3".
func squareList(b Bitboard) string {
	var names []string
	for ; b != 0; b &= b - 1 {
		names = append(names, b.First().String())
	}
	return joinList(names, "and")
}

func joinList(names []string, word string) string {
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " " + word + " " + names[n-1]
	}
	return strings.Join(names, "")
}
