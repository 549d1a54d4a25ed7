// SPDX-License-Identifier: Apache-2.0

package position

import "ply11/chess"

// Halfmoves without a capture or a pawn's move after which the rules know a draw (FIDE Laws 9.3 and
// 9.6.2); a draw by the second comes without a claim, unless the last move mated.
const (
	fiftyMoveClock       = 100
	seventyFiveMoveClock = 150
)

// IsFiftyMoves reports whether the player to move may claim a draw by the fifty-move rule.
func (p *Position) IsFiftyMoves() bool { return p.HalfmoveClock() >= fiftyMoveClock }

// IsSeventyFiveMoves reports whether the game is drawn by the seventy-five-move rule: the clock has
// run out and the last move did not mate.
func (p *Position) IsSeventyFiveMoves() bool {
	return p.HalfmoveClock() >= seventyFiveMoveClock && !p.IsCheckmate()
}

// IsInsufficientMaterial reports whether neither side can ever mate because of the pieces alone: bare kings, a single
// knight, or bishops that all stand on squares of one colour. (FIDE's Law 5.2.2 knows more: blocked boards.)
func (p *Position) IsInsufficientMaterial() bool {
	if p.ByKind(chess.Pawn)|p.ByKind(chess.Rook)|p.ByKind(chess.Queen) != 0 {
		return false
	}
	knights, bishops := p.ByKind(chess.Knight), p.ByKind(chess.Bishop)
	if knights != 0 {
		return bishops == 0 && knights&(knights-1) == 0
	}
	return bishops&lightSquares == 0 || bishops&darkSquares == 0
}

// History counts repetitions along one line of play, by FIDE Law 9.2.3: same pieces, side to move, castling rights and
// legal en passant capture. The zero value is an empty history.
type History struct {
	seen []Position
}

// Reset empties the history and keeps its memory.
func (h *History) Reset() { h.seen = h.seen[:0] }

// Push adds the position that the line has reached, the start position first, and returns how often it has now
// occurred: 3 allows the claim of a draw, 5 is one (Laws 9.2 and 9.6.1). It looks back as far as the halfmove clock
// says.
func (h *History) Push(p *Position) int {
	key := *p
	key.state &= 1 | rightsBits
	if p.state&epBits != 0 && p.epCaptors(p.Pieces(p.Turn(), chess.Pawn)) != 0 {
		key.state |= p.state & epBits
	}
	n := 1
	back := min(p.HalfmoveClock(), len(h.seen))
	for i := 2; i <= back; i += 2 {
		if h.seen[len(h.seen)-i] == key {
			n++
		}
	}
	h.seen = append(h.seen, key)
	return n
}
