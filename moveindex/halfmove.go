// SPDX-License-Identifier: Apache-2.0

package moveindex

import (
	"ply11/chess"
	"slices"
)

// Halfmove is the dense number, 0..7751, of a coloured halfmove: a colour, a piece, and a move that this
// piece can make. They are sorted by colour (White first), piece (K Q R B N P) and index; a castling is a
// row of its own among the king's. These are the "about 7000 possible half-moves" of Brenner's
// suggestion for hardware.
type Halfmove uint16

// NumHalfmoves is how many coloured halfmoves there are: for each colour K 420 and two castlings, Q 1456,
// R 896, B 560, N 336, P 206.
const NumHalfmoves = 7752

// Fields of a halfmove's ROM word: bits 10..0 index, 13..11 the piece's Kind, 14 black, 15 valid.
const (
	halfmoveKindShift  = 11
	halfmoveColorShift = 14
	halfmoveIndexMask  = NumWords - 1
)

// kinds is the order of the pieces in the numbering, kindRank the place of each in it.
var (
	kinds    = [6]chess.Kind{chess.King, chess.Queen, chess.Rook, chess.Bishop, chess.Knight, chess.Pawn}
	kindRank = [8]int{chess.King: 0, chess.Queen: 1, chess.Rook: 2, chess.Bishop: 3, chess.Knight: 4, chess.Pawn: 5}
)

// halfmoveWords holds the ROM words in order, halfmoveOf the number + 1 of each colour, piece and index.
var (
	halfmoveWords = enumerate()
	halfmoveOf    = func() (t [2][8][NumMoves]uint16) {
		for h, w := range halfmoveWords {
			t[w>>halfmoveColorShift&1][w>>halfmoveKindShift&7][w&halfmoveIndexMask] = uint16(h + 1)
		}
		return
	}()
)

// A leap is a step of one piece in files and ranks.
type leap struct{ file, rank int }

var (
	rookLines   = []leap{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}
	bishopLines = []leap{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}
	queenLines  = slices.Concat(rookLines, bishopLines)
	knightLeaps = []leap{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}
)

// enumerate finds every coloured halfmove from the rules of how pieces move, and folds it onto the index.
func enumerate() []uint16 {
	var made [2][len(kinds)][NumMoves]bool
	add := func(c chess.Color, k chess.Kind, m chess.Move) {
		i, _ := Of(m)
		made[c][kindRank[k]][i] = true
	}
	for _, c := range [2]chess.Color{chess.White, chess.Black} {
		for from := chess.A1; from <= chess.H8; from++ {
			// walk adds the moves of k along each line, of n steps at the most.
			walk := func(k chess.Kind, lines []leap, n int) {
				for _, line := range lines {
					file, rank := from.File(), from.Rank()
					for range n {
						file, rank = file+line.file, rank+line.rank
						if file&^7 != 0 || rank&^7 != 0 {
							break
						}
						add(c, k, chess.NewMove(from, chess.NewSquare(file, rank)))
					}
				}
			}
			walk(chess.King, queenLines, 1)
			walk(chess.Queen, queenLines, 7)
			walk(chess.Rook, rookLines, 7)
			walk(chess.Bishop, bishopLines, 7)
			walk(chess.Knight, knightLeaps, 1)
			enumeratePawn(c, from, add)
		}
		home := [2]chess.Square{chess.E1, chess.E8}[c]
		add(c, chess.King, chess.NewMove(home, home+2))
		add(c, chess.King, chess.NewMove(home, home-2))
	}
	// By colour, piece and index. To sort them took 2 ms of the start of every program.
	words := make([]uint16, 0, NumHalfmoves)
	for c := range made {
		for rank, k := range kinds {
			for i, ok := range made[c][rank] {
				if ok {
					words = append(words, WordValid|uint16(c)<<halfmoveColorShift|uint16(k)<<halfmoveKindShift|uint16(
						i))
				}
			}
		}
	}
	return words
}

// enumeratePawn adds a pawn's moves: one step, two from its home rank, a capture to either side, and
// each kind of promotion on the last rank.
func enumeratePawn(c chess.Color, from chess.Square, add func(chess.Color, chess.Kind, chess.Move)) {
	forward, home, last := 1, 1, 7
	if c == chess.Black {
		forward, home, last = -1, 6, 0
	}
	if from.Rank() == 0 || from.Rank() == 7 {
		return
	}
	for _, side := range [3]int{0, -1, 1} {
		file, rank := from.File()+side, from.Rank()+forward
		if file&^7 != 0 {
			continue
		}
		to := chess.NewSquare(file, rank)
		if rank == last {
			for _, k := range chess.PromotionKinds {
				add(c, chess.Pawn, chess.NewPromotion(from, to, k))
			}
			continue
		}
		add(c, chess.Pawn, chess.NewMove(from, to))
	}
	if from.Rank() == home {
		add(c, chess.Pawn, chess.NewMove(from, chess.NewSquare(from.File(), home+2*forward)))
	}
}

// NewHalfmove returns the number of the move i by a piece of colour c and kind k, and whether such a piece
// can ever make it. A king's step of two squares from its home is castling. It costs one look-up.
func NewHalfmove(c chess.Color, k chess.Kind, i Index) (Halfmove, bool) {
	if i >= NumMoves {
		return 0, false
	}
	n := halfmoveOf[c&1][k&7][i]
	return Halfmove(n - 1), n != 0
}

// Word returns the halfmove's ROM word: bits 10..0 the index, 13..11 the piece in ChessBase's numbers
// 1..6, 14 black, 15 valid. It is 0 from NumHalfmoves on.
func (h Halfmove) Word() uint16 {
	if h >= NumHalfmoves {
		return 0
	}
	return halfmoveWords[h]
}

// Color returns the side that moves.
func (h Halfmove) Color() chess.Color { return chess.Color(h.Word() >> halfmoveColorShift & 1) }

// Piece returns the kind of piece that moves; a promotion is a pawn's move.
func (h Halfmove) Piece() chess.Kind { return chess.Kind(h.Word() >> halfmoveKindShift & 7) }

// Index returns the index of the move, or Invalid from NumHalfmoves on.
func (h Halfmove) Index() Index {
	if h >= NumHalfmoves {
		return Invalid
	}
	return Index(halfmoveWords[h] & halfmoveIndexMask)
}

// Move returns the move.
func (h Halfmove) Move() chess.Move {
	m, _ := h.Index().Move()
	return m
}

// IsCastling reports whether the halfmove is castling.
func (h Halfmove) IsCastling() bool {
	m := h.Move()
	d := int(m.To()) - int(m.From())
	return h.Piece() == chess.King && (d == 2 || d == -2)
}

// String returns the piece's FEN letter and the move in UCI, "Ke1g1", "pe7e5".
func (h Halfmove) String() string {
	if h >= NumHalfmoves {
		return "-"
	}
	return chess.NewPiece(h.Color(), h.Piece()).String() + h.Move().String()
}
