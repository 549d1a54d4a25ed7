// SPDX-License-Identifier: Apache-2.0

package position

import "ply11/moveindex"

// Label returns the label that a vocabulary gives a move of the position, NoLabel where no piece of its square moves
// so. Castling of Chess960 has the label of the king's square and the rook's.
func (p *Position) Label(v *moveindex.Vocabulary, i moveindex.Index) moveindex.Label {
	m, ok := i.Move()
	if !ok {
		return moveindex.NoLabel
	}
	if p.IsChess960() && p.IsCastling(m) {
		return v.OfSquares(p.Turn(), i)
	}
	piece := p.PieceAt(m.From())
	return v.Label(piece.Color(), piece.Kind(), i)
}
