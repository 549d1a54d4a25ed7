// SPDX-License-Identifier: Apache-2.0

package dataset

import (
	"ply11/chess"
	"ply11/position"
)

// pieceValue are the values of pieces. A king is worth more than all others.
var pieceValue = [8]int{chess.Pawn: 1, chess.Knight: 3, chess.Bishop: 3, chess.Rook: 5, chess.Queen: 9,
	chess.King: 1000}

// isQuiet reports whether the mover is not in check and wins no material by capture or promotion. buf is for moves.
func isQuiet(p *position.Position, buf *[]chess.Move) bool {
	if p.InCheck() {
		return false
	}
	*buf = p.LegalMoves((*buf)[:0])
	for _, m := range *buf {
		if exchange(p, m) > 0 {
			return false
		}
	}
	return true
}

// exchange returns what a legal move wins by static exchange: both sides capture on its target with the least piece, or
// stop. Pins are not seen, and pawns that capture later do not promote.
func exchange(p *position.Position, m chess.Move) int {
	from, to := m.From(), m.To()
	piece := p.PieceAt(from).Kind()
	var gains [65]int // of each capture, if it were the last
	switch taken := p.PieceAt(to); {
	case p.IsCastling(m): // (in Chess960 the target is the own rook)
		return 0
	case taken != chess.NoPiece:
		gains[0] = pieceValue[taken.Kind()]
	case isEnPassant(p, m):
		gains[0] = pieceValue[chess.Pawn]
	case m.Promotion() == 0:
		return 0
	}
	occupied := p.Occupied() &^ position.SquareSet(from)
	if isEnPassant(p, m) {
		occupied &^= position.SquareSet(chess.Square(int(to)&7 | int(from)&56))
	}
	on := pieceValue[piece] // what can be taken next
	if kind := m.Promotion(); kind != 0 {
		on = pieceValue[kind]
		gains[0] += on - pieceValue[chess.Pawn]
	}
	side := p.Turn().Other()
	n := 0
	for n < len(gains)-1 {
		kind, at := leastAttacker(p, to, side, occupied)
		if kind == chess.NoKind {
			break
		}
		occupied &^= position.SquareSet(at)
		if kind == chess.King {
			if other, _ := leastAttacker(p, to, side.Other(), occupied); other != chess.NoKind {
				break
			}
		}
		n++
		gains[n] = on - gains[n-1]
		on = pieceValue[kind]
		side = side.Other()
	}
	for ; n > 0; n-- {
		gains[n-1] = min(gains[n-1], -gains[n]) // only if that is better
	}
	return gains[0]
}

// leastAttacker finds the least piece of a side that attacks a square through what is gone.
func leastAttacker(p *position.Position, to chess.Square, side chess.Color, occupied position.Bitboard) (chess.Kind,
	chess.Square) {
	for _, kind := range engineKinds {
		piece := chess.NewPiece(side, kind)
		if kind == chess.Pawn {
			piece = chess.NewPiece(side.Other(), kind)
		}
		if from := p.Pieces(side, kind) & occupied & position.Attacks(piece, to, occupied); from != 0 {
			return kind, from.First()
		}
	}
	return chess.NoKind, chess.NoSquare
}
