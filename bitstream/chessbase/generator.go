// SPDX-License-Identifier: Apache-2.0

package chessbase

import (
	"fmt"
	"math"
	"slices"

	"ply11/chess"
	"ply11/game/codec"
	"ply11/position"
)

// Numbering says how the moves of a position are numbered.
type Numbering uint8

const (
	// NumberingAuto leaves the choice to a reader: Document, and CBASCII where that ends in an illegal move. A writer
	// takes it for Document.
	NumberingAuto Numbering = iota
	// NumberingDocument is the order of section 2.4.
	NumberingDocument
	// NumberingCBASCII is that of a converter of 1993/94. It takes "no en passant file" for the file left of the
	// a-file, so that a pawn on the a-file and its own fifth rank has one number more, which plays nothing, after its
	// moves.
	NumberingCBASCII
)

func (n Numbering) String() string {
	switch n {
	case NumberingAuto:
		return "auto"
	case NumberingDocument:
		return "document"
	case NumberingCBASCII:
		return "cbascii"
	}
	return fmt.Sprintf("Numbering(%d)", uint8(n))
}

// ParseNumbering reads a name as String writes it.
func ParseNumbering(s string) (Numbering, error) {
	for n := NumberingAuto; n <= NumberingCBASCII; n++ {
		if n.String() == s {
			return n, nil
		}
	}
	return NumberingAuto, &chess.ParseError{What: "numbering", Text: s, Want: "auto, document or cbascii"}
}

// MaxNumber is the largest number that a byte of the move list can hold; of a move with a comment it is 126.
const MaxNumber = 127

// Generator is the document's Move Generator (section 2.4): it numbers the moves of one position after the other. It
// holds no pointers: copy it to come back to a position.
//
// It generates more than the rules allow: moves that leave the king in check, castling without the right or through
// check, and en passant captures after castling.
type Generator struct {
	pos       position.Position
	ep        uint8 // the file, 1..8, of the last long pawn move; castling keeps it
	phantoms  bool  // the numbering is CBASCII
	ambiguous bool  // the numberings gave different moves to a number, or may have
}

// NewGenerator returns a generator for the position. NumberingAuto is taken for NumberingDocument.
func NewGenerator(p position.Position, n Numbering) Generator {
	return Generator{pos: p, ep: uint8(p.EnPassantFile()), phantoms: n == NumberingCBASCII}
}

// Position returns the position whose moves are numbered. It must not be changed.
func (g *Generator) Position() *position.Position { return &g.pos }

// EnPassantFile returns the file, 1..8, to which en passant captures are generated, 0 for none. Unlike that of the
// position it survives castling.
func (g *Generator) EnPassantFile() int { return int(g.ep) }

// direction is one step of a piece.
type direction struct{ file, rank int }

// from returns the square to which the step leads, and whether it is on the board.
func (d direction) from(s chess.Square) (chess.Square, bool) {
	file, rank := s.File()+d.file, s.Rank()+d.rank
	return chess.NewSquare(file, rank), file >= 0 && file < 8 && rank >= 0 && rank < 8
}

// The steps of each kind, in the document's order (2.4, points 2 to 6).
var directions = func() (of [8][]direction) {
	of[chess.King] = []direction{{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}}
	of[chess.Knight] = []direction{{-2, -1}, {-2, 1}, {2, -1}, {2, 1}, {-1, -2}, {-1, 2}, {1, -2}, {1, 2}}
	of[chess.Bishop] = []direction{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}
	of[chess.Rook] = []direction{{-1, 0}, {0, -1}, {1, 0}, {0, 1}}
	of[chess.Queen] = slices.Concat(of[chess.Bishop], of[chess.Rook])
	return of
}()

var promotionOrder = [4]chess.Kind{chess.Queen, chess.Rook, chess.Bishop, chess.Knight}

// moves appends the moves of our piece on a square in the order of their numbers. The null move stands for CBASCII's
// number that plays nothing.
func (g *Generator) moves(list []chess.Move, from chess.Square) []chess.Move {
	kind := g.pos.PieceAt(from).Kind()
	if kind == chess.Pawn {
		return g.pawnMoves(list, from)
	}
	own, occupied := g.pos.ByColor(g.pos.Turn()), g.pos.Occupied()
	for _, d := range directions[kind] {
		for to, ok := d.from(from); ok && !own.Has(to); to, ok = d.from(to) {
			list = append(list, chess.NewMove(from, to))
			if kind == chess.King || kind == chess.Knight || occupied.Has(to) {
				break
			}
		}
	}
	// For castling, king and rook are in their places with nobody between; rights and threats do not matter.
	home := 56 * chess.Square(g.pos.Turn())
	if rook := chess.NewPiece(g.pos.Turn(), chess.Rook); kind == chess.King && from == home+4 {
		if g.pos.PieceAt(home+7) == rook && occupied>>home&0x60 == 0 {
			list = append(list, chess.NewMove(from, home+6))
		}
		if g.pos.PieceAt(home) == rook && occupied>>home&0x0e == 0 {
			list = append(list, chess.NewMove(from, home+2))
		}
	}
	return list
}

// pawnMoves is moves of a pawn (2.4, point 7): two squares ahead, one, a capture toward the a-file, then the h-file,
// and en passant.
func (g *Generator) pawnMoves(list []chess.Move, from chess.Square) []chess.Move {
	turn, occupied := g.pos.Turn(), g.pos.Occupied()
	up, home, fifth := 1, 1, 4
	if turn == chess.Black {
		up, home, fifth = -1, 6, 3
	}
	add := func(to chess.Square) {
		if from.Rank() != 7-home {
			list = append(list, chess.NewMove(from, to))
			return
		}
		for _, kind := range promotionOrder {
			list = append(list, chess.NewPromotion(from, to, kind))
		}
	}
	ahead, _ := direction{0, up}.from(from)
	if free := !occupied.Has(ahead); free {
		if two, _ := (direction{0, up}).from(ahead); from.Rank() == home && !occupied.Has(two) {
			add(two)
		}
		add(ahead)
	}
	for _, side := range [2]int{-1, 1} {
		if to, ok := (direction{side, up}).from(from); ok && g.pos.ByColor(turn.Other()).Has(to) {
			add(to)
		}
	}
	// The file alone decides. Files count from 1 here, so that "none" is left of the a-file: hence CBASCII's number.
	if d := from.File() + 1 - int(g.ep); from.Rank() == fifth && (d == 1 || d == -1) {
		switch {
		case g.ep != 0:
			add(chess.NewSquare(int(g.ep)-1, fifth+up))
		case g.phantoms:
			list = append(list, chess.NullMove)
		}
		g.ambiguous = g.ambiguous || g.ep == 0
	}
	return list
}

// list appends the moves up to and with those of the piece that has the number most, from 0.
func (g *Generator) list(list []chess.Move, most int) []chess.Move {
	own := g.pos.ByColor(g.pos.Turn())
	for file := range 8 {
		for rank := 0; rank < 8 && len(list) <= most; rank++ {
			if s := chess.NewSquare(file, rank); own.Has(s) {
				list = g.moves(list, s)
			}
		}
	}
	return list
}

// Count returns how many moves the position has.
func (g *Generator) Count() int {
	own := *g
	return len(own.list(nil, math.MaxInt))
}

// Generated returns the move of a number, from 1, legal or not. It is false where the number is beyond the list, or
// plays nothing.
func (g *Generator) Generated(number int) (chess.Move, bool) {
	var buf [256]chess.Move
	if list := g.list(buf[:0], number-1); number >= 1 && number <= len(list) {
		return list[number-1], list[number-1] != chess.NullMove
	}
	return 0, false
}

// Move returns the move of a number. The error is codec.ErrReserved for a number that plays nothing,
// position.ErrIllegal for a move that the rules forbid, which is returned too.
func (g *Generator) Move(number int) (chess.Move, error) {
	m, ok := g.Generated(number)
	if !ok {
		return 0, codec.ErrReserved
	}
	if !g.pos.IsLegal(m) {
		return m, position.ErrIllegal
	}
	return m, nil
}

// Number returns the number, from 1, of a legal move, which can be above MaxNumber. The error is position.ErrIllegal.
func (g *Generator) Number(m chess.Move) (int, error) {
	if n, ok := g.GeneratedNumber(m); ok && g.pos.IsLegal(m) {
		return n, nil
	}
	return 0, position.ErrIllegal
}

// GeneratedNumber returns the number, from 1, of a move, legal or not, and whether the generator has it.
func (g *Generator) GeneratedNumber(m chess.Move) (int, bool) {
	own := *g
	var buf [256]chess.Move
	n := slices.Index(own.list(buf[:0], math.MaxInt), m) + 1
	return n, n > 0 && m != chess.NullMove
}

// Make makes a legal move.
func (g *Generator) Make(m chess.Move) {
	from, to := m.From(), m.To()
	castling := (from-to == 2 || to-from == 2) && g.pos.KingSquare(g.pos.Turn()) == from
	g.pos.Make(m)
	if !castling {
		g.ep = uint8(g.pos.EnPassantFile())
	}
}
