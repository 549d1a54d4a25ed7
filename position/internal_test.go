// SPDX-License-Identifier: Apache-2.0

package position

import "ply11/chess"

// What the tests outside need of what is private.

var (
	PolyglotKeys = polyglotKeys
	SquareList   = squareList
)

const (
	Unique    = unique
	NoneFits  = noneFits
	Exposed   = exposed
	Ambiguous = ambiguous
)

func (p *Position) Resolve(kind chess.Kind, to chess.Square, from Bitboard, promotion chess.Kind) (chess.Move, fit) {
	return p.resolve(kind, to, from, promotion)
}

func (p *Position) IsPseudoLegal(m chess.Move) bool { return p.isPseudoLegal(m) }

// Impossible returns values of Position that no reader gives.
func Impossible() []Position {
	return []Position{{}, {state: ^uint64(0)}, {AllSquares, AllSquares, AllSquares, AllSquares, ^uint64(0)}}
}
