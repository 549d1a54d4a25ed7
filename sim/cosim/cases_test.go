// SPDX-License-Identifier: Apache-2.0

package cosim_test

import (
	"ply11/chess"
	"ply11/position"
)

// casesOf returns what is in a position, by the names of allCases.
func casesOf(p *position.Position) (names []string) {
	add := func(name string, is bool) {
		if is {
			names = append(names, name)
		}
	}
	add("check", p.InCheck())
	add("double check", p.Checkers().Count() > 1)
	add("mate", p.IsCheckmate())
	add("stalemate", p.IsStalemate())
	var castles, promotes, passes bool
	king := p.KingSquare(p.Turn())
	moves := p.LegalMoves(nil)
	for _, m := range moves {
		d := int(m.To()) - int(m.From())
		castles = castles || m.From() == king && (d == 2 || d == -2)
		promotes = promotes || m.Promotion() != 0
		passes = passes || p.PieceAt(m.From()).Kind() == chess.Pawn && d%8 != 0 && p.PieceAt(m.To()) == chess.NoPiece
	}
	add("castling", castles)
	add("promotion", promotes)
	add("en passant", passes)
	add("en passant in check", passes && p.InCheck())
	add("a pinned piece", pinned(p, king))
	row, diagonal := opened(p, king)
	add("en passant that would open a row", row)
	add("en passant that would open a diagonal", diagonal)
	return names
}

// sliders are the pieces that would give check if only the squares of occupied had pieces.
func sliders(p *position.Position, king chess.Square, occupied position.Bitboard) (straight,
	oblique position.Bitboard) {
	them := p.ByColor(p.Turn().Other()) & occupied
	queens := p.ByKind(chess.Queen)
	rook := chess.NewPiece(p.Turn(), chess.Rook)
	bishop := chess.NewPiece(p.Turn(), chess.Bishop)
	return position.Attacks(rook, king, occupied) & them & (queens | p.ByKind(chess.Rook)),
		position.Attacks(bishop, king, occupied) & them & (queens | p.ByKind(chess.Bishop))
}

func pinned(p *position.Position, king chess.Square) bool {
	s0, o0 := sliders(p, king, p.Occupied())
	for own := p.ByColor(p.Turn()) &^ position.SquareSet(king); own != 0; own &= own - 1 {
		s, o := sliders(p, king, p.Occupied()&^(own&-own))
		if s != s0 || o != o0 {
			return true
		}
	}
	return false
}

// opened reports whether a pawn could take en passant but for a row, or a diagonal through the pawn taken.
func opened(p *position.Position, king chess.Square) (row, diagonal bool) {
	to := p.EnPassantSquare()
	if to >= chess.NoSquare || p.InCheck() {
		return false, false
	}
	taken := position.SquareSet(to ^ 8)
	for pawns := p.Pieces(p.Turn(), chess.Pawn); pawns != 0; pawns &= pawns - 1 {
		from := pawns.First()
		if d := from.File() - to.File(); from.Rank() != (to^8).Rank() || d != 1 && d != -1 {
			continue
		}
		both := p.Occupied()&^(pawns&-pawns|taken) | position.SquareSet(to)
		s1, o1 := sliders(p, king, both)
		s2, _ := sliders(p, king, both|pawns&-pawns)
		s3, o3 := sliders(p, king, both|taken)
		row = row || s1 != 0 && s2 == 0 && s3 == 0
		diagonal = diagonal || o1 != 0 && o3 == 0
	}
	return row, diagonal
}
