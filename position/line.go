// SPDX-License-Identifier: Apache-2.0

package position

import (
	"strconv"

	"ply11/chess"
)

// Line follows the moves of a game through its variations. Use NewLine or Reset before the first use.
type Line struct {
	// At is the position after the last move.
	At Position

	before Position // the last move
	base   int      // Ply of the start
	around []fork   // the lines around, the main line first
}

type fork struct{ before, at Position }

// NewLine returns a Line at the start of a game.
func NewLine(start Position) *Line {
	l := new(Line)
	l.Reset(start)
	return l
}

// Reset goes to the start of another game.
func (l *Line) Reset(start Position) {
	l.At, l.before, l.base = start, start, start.Ply()
	l.around = l.around[:0]
}

// Make makes a move, which must be legal, or chess.NullMove.
func (l *Line) Make(m chess.Move) {
	l.before = l.At
	l.At.Make(m)
}

// AppendSANMake appends the SAN of a move to dst and makes the move, as Position.AppendSANMake does.
func (l *Line) AppendSANMake(dst []byte, m chess.Move) []byte {
	l.before = l.At
	return l.At.AppendSANMake(dst, m)
}

// Open begins a variation that replaces the last move: it goes back to the position before it.
func (l *Line) Open() {
	l.around = append(l.around, fork{l.before, l.At})
	l.At = l.before
}

// Close ends the variation and goes back to the line around it. In the main line it reports false.
func (l *Line) Close() bool {
	n := len(l.around) - 1
	if n < 0 {
		return false
	}
	l.before, l.At = l.around[n].before, l.around[n].at
	l.around = l.around[:n]
	return true
}

// Depth returns the number of variations around the last move; 0 in the main line.
func (l *Line) Depth() int { return len(l.around) }

// Ply returns the number of plies from the start to here, in this line.
func (l *Line) Ply() int { return l.At.Ply() - l.base }

// MoveNumber returns what PGN writes before the next move: "12." for White, "12..." for Black.
func (p *Position) MoveNumber() string {
	if p.Turn() == chess.Black {
		return strconv.Itoa(p.FullmoveNumber()) + "..."
	}
	return strconv.Itoa(p.FullmoveNumber()) + "."
}
