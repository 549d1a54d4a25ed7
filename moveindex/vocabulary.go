// SPDX-License-Identifier: Apache-2.0

package moveindex

import (
	"ply11/chess"
	"slices"
)

// Label is the number that a network's vocabulary gives a move.
type Label int16

// NoLabel stands for a move that is not in the vocabulary.
const NoLabel Label = -1

// Vocabulary is the order in which a network labels moves. All methods cost a look-up or two and do
// not allocate.
type Vocabulary struct {
	name       string
	size       int
	sideToMove bool // the labels are of the board as the side to move sees it
	labelOf    [NumMoves]Label
	indexOf    []Index    // a plain move where the label leaves the piece open
	king       bool       // castling is written as king takes rook
	bare       chess.Kind // a plain label of a pawn to its last rank is a promotion to this
	text       func(v *Vocabulary, l Label) string
}

// The vocabularies.
//
// LC0 is lc0's policy head (1,858 labels): from the side to move, sorted by from-square and to-square,
// then 66 promotions. A promotion to a knight has no letter there: it is the plain label of the two
// squares. Castling is king takes rook, as in lc0's own data (e1h1, e1a1); Index takes the label of the
// king's own step (e1g1, e1c1), which older data holds, for castling as well.
//
// AlphaZero is the 8 x 8 x 73 planes of Silver et al., 2018 (4,672 labels, of which 1,858 can be
// played), from the side to move, its ranks mirrored for Black. A label is 73*square + plane, square as
// here. Planes 0..55 are the queen's moves, 7*direction + distance - 1, the directions N NE E SE S SW W
// NW; 56..63 the knight's, NNE EEN EES SSE SSW WWS WWN NNW; 64..72 promotions, 3*side + piece, side to the
// left, straight on, to the right, piece knight, bishop, rook. A promotion to a queen is the queen's
// move. The paper names the groups but not the order inside the last two: this one is gym-chess's.
//
// Zeta36 is the order of the chess-alpha-zero program (1,968 labels), which turns the board for Black.
// SearchlessChess is DeepMind's (1,968 labels), which does not.
var (
	LC0             = newLC0()
	AlphaZero       = newAlphaZero()
	Zeta36          = newZeta36()
	SearchlessChess = newSearchlessChess()
)

// Vocabularies lists them all.
func Vocabularies() []*Vocabulary { return []*Vocabulary{LC0, AlphaZero, Zeta36, SearchlessChess} }

// Name returns the vocabulary's name, "lc0", "alphazero", "zeta36" or "searchless-chess".
func (v *Vocabulary) Name() string { return v.name }

// Len returns how many labels there are.
func (v *Vocabulary) Len() int { return v.size }

// SideToMove reports whether the labels are of the board as the side to move sees it, so that Black's
// moves are mirrored.
func (v *Vocabulary) SideToMove() bool { return v.sideToMove }

// Text returns a label in the vocabulary's own words: UCI's, or for AlphaZero the from-square and the
// plane, "e2/1". It is empty for what is no label.
func (v *Vocabulary) Text(l Label) string {
	if l < 0 || int(l) >= v.size {
		return ""
	}
	return v.text(v, l)
}

// Label returns the label of the move i by a piece of colour c and kind k. It is NoLabel where the
// vocabulary has no such move, or where no such piece moves so.
func (v *Vocabulary) Label(c chess.Color, k chess.Kind, i Index) Label {
	h, ok := NewHalfmove(c, k, i)
	if !ok {
		return NoLabel
	}
	if v.sideToMove && c == chess.Black {
		i = i.MirrorRanks()
	}
	if v.king && k == chess.King && h.IsCastling() {
		i = castlingRook(i)
	}
	return v.labelOf[i]
}

// OfSquares returns the label of the squares of the move i, which a side makes, with whatever piece it is.
func (v *Vocabulary) OfSquares(c chess.Color, i Index) Label {
	if i >= NumMoves {
		return NoLabel
	}
	if v.sideToMove && c == chess.Black {
		i = i.MirrorRanks()
	}
	return v.labelOf[i]
}

// Index returns the index of what a label means for a piece of colour c and kind k. It is Invalid where no
// such piece moves so, and for what is no label.
func (v *Vocabulary) Index(c chess.Color, k chess.Kind, l Label) Index {
	if l < 0 || int(l) >= v.size {
		return Invalid
	}
	i := v.indexOf[l]
	if i == Invalid {
		return Invalid
	}
	if m, _ := i.Move(); k == chess.Pawn && v.bare != chess.NoKind && m.To().Rank() == 7 &&
		m.Promotion() == chess.NoKind {
		i, _ = Of(chess.NewPromotion(m.From(), m.To(), v.bare))
	} else if k == chess.King && v.king {
		i = castlingStep(i)
	}
	if v.sideToMove && c == chess.Black {
		i = i.MirrorRanks()
	}
	if _, ok := NewHalfmove(c, k, i); !ok {
		return Invalid
	}
	return i
}

// The two castlings of a king on e1, as its own step and as king takes rook.
var (
	castlingShort, castlingLong = indexOf(chess.NewMove(chess.E1, chess.G1)),
		indexOf(chess.NewMove(chess.E1, chess.C1))
	castlingShortRook, castlingLongRook = indexOf(chess.NewMove(chess.E1, chess.H1)),
		indexOf(chess.NewMove(chess.E1, chess.A1))
)

// castlingRook returns king takes rook for the king's own step from e1.
func castlingRook(i Index) Index {
	if i == castlingShort {
		return castlingShortRook
	}
	return castlingLongRook
}

// castlingStep returns the king's own step for king takes rook from e1, and every other index as it is.
func castlingStep(i Index) Index {
	switch i {
	case castlingShortRook:
		return castlingShort
	case castlingLongRook:
		return castlingLong
	}
	return i
}

// indexOf returns the index of a move that is one.
func indexOf(m chess.Move) Index {
	i, _ := Of(m)
	return i
}

// newVocabulary returns the vocabulary whose labels are the given moves, in order.
func newVocabulary(name string, moves []chess.Move) *Vocabulary {
	v := &Vocabulary{name: name, size: len(moves), indexOf: make([]Index, len(moves)), text: uciText}
	for i := range v.labelOf {
		v.labelOf[i] = NoLabel
	}
	for l, m := range moves {
		i := indexOf(m)
		v.indexOf[l], v.labelOf[i] = i, Label(l)
	}
	return v
}

// uciText is the text of a vocabulary whose labels are moves.
func uciText(v *Vocabulary, l Label) string {
	m, _ := v.indexOf[l].Move()
	return m.String()
}

func newLC0() *Vocabulary {
	var moves []chess.Move
	for i := range Index(FirstPromotion) {
		moves = append(moves, decodeTable[i])
	}
	bySquares := func(a, b chess.Move) int {
		return 64*(int(a.From())-int(b.From())) + int(a.To()) - int(b.To())
	}
	slices.SortStableFunc(moves, bySquares)
	for from := chess.A7; from <= chess.H7; from++ {
		for to := max(chess.A8, from+7); to <= min(chess.H8, from+9); to++ {
			for _, k := range [3]chess.Kind{chess.Queen, chess.Rook, chess.Bishop} {
				moves = append(moves, chess.NewPromotion(from, to, k))
			}
		}
	}
	v := newVocabulary("lc0", moves)
	v.sideToMove, v.king, v.bare = true, true, chess.Knight
	for i := Index(FirstPromotion); i < NumMoves; i++ {
		if m := decodeTable[i]; m.Promotion() == chess.Knight && m.To().Rank() == 7 {
			v.labelOf[i] = v.labelOf[indexOf(chess.NewMove(m.From(), m.To()))]
		}
	}
	return v
}

// The planes of AlphaZero, in order.
var (
	planeDirections = [8]leap{{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}}
	planeKnights    = [8]leap{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}
	planePieces     = [3]chess.Kind{chess.Knight, chess.Bishop, chess.Rook}
)

const (
	numPlanes      = 73
	firstKnight    = 56
	firstUnderling = 64
)

// planeMove returns the move of a plane from a square, as White sees it, if it stays on the board.
func planeMove(from chess.Square, plane int) (chess.Move, bool) {
	var step leap
	n, kind := 1, chess.NoKind
	switch {
	case plane < firstKnight:
		step, n = planeDirections[plane/7], plane%7+1
	case plane < firstUnderling:
		step = planeKnights[plane-firstKnight]
	case from.Rank() == 6:
		p := plane - firstUnderling
		step, kind = leap{p/3 - 1, 1}, planePieces[p%3]
	default:
		return 0, false
	}
	file, rank := from.File()+n*step.file, from.Rank()+n*step.rank
	if file&^7 != 0 || rank&^7 != 0 {
		return 0, false
	}
	return chess.NewPromotion(from, chess.NewSquare(file, rank), kind), true
}

func newAlphaZero() *Vocabulary {
	v := &Vocabulary{name: "alphazero", size: 64 * numPlanes, sideToMove: true, bare: chess.Queen}
	for i := range v.labelOf {
		v.labelOf[i] = NoLabel
	}
	v.indexOf = make([]Index, v.size)
	for l := range v.indexOf {
		v.indexOf[l] = Invalid
		if m, ok := planeMove(chess.Square(l/numPlanes), l%numPlanes); ok {
			i := indexOf(m)
			v.indexOf[l], v.labelOf[i] = i, Label(l)
		}
	}
	for i := Index(FirstPromotion); i < NumMoves; i++ {
		if m := decodeTable[i]; m.Promotion() == chess.Queen && m.To().Rank() == 7 {
			v.labelOf[i] = v.labelOf[indexOf(chess.NewMove(m.From(), m.To()))]
		}
	}
	v.text = func(_ *Vocabulary, l Label) string {
		plane := int(l) % numPlanes
		return chess.Square(int(l)/numPlanes).String() + "/" + string(append([]byte(nil), '0'+byte(plane/10),
			'0'+byte(plane%10)))
	}
	return v
}

// zeta36Knights is the order of the knight's leaps in the chess-alpha-zero program.
var zeta36Knights = []leap{{-2, -1}, {-1, -2}, {-2, 1}, {1, -2}, {2, -1}, {-1, 2}, {2, 1}, {1, 2}}

func newZeta36() *Vocabulary {
	var moves []chess.Move
	for file := range 8 {
		for rank := range 8 {
			from := chess.NewSquare(file, rank)
			add := func(toFile, toRank int) {
				to := chess.NewSquare(toFile, toRank)
				if toFile&^7 == 0 && toRank&^7 == 0 && to != from {
					moves = append(moves, chess.NewMove(from, to))
				}
			}
			for t := range 8 {
				add(t, rank)
			}
			for t := range 8 {
				add(file, t)
			}
			for t := -7; t <= 7; t++ {
				add(file+t, rank+t)
			}
			for t := -7; t <= 7; t++ {
				add(file+t, rank-t)
			}
			for _, l := range zeta36Knights {
				add(file+l.file, rank+l.rank)
			}
		}
	}
	for file := range 8 {
		for _, k := range [4]chess.Kind{chess.Queen, chess.Rook, chess.Bishop, chess.Knight} {
			for _, toFile := range [3]int{file, file - 1, file + 1} {
				if toFile&^7 == 0 {
					moves = append(moves,
						chess.NewPromotion(chess.NewSquare(file, 1), chess.NewSquare(toFile, 0), k),
						chess.NewPromotion(chess.NewSquare(file, 6), chess.NewSquare(toFile, 7), k))
				}
			}
		}
	}
	v := newVocabulary("zeta36", moves)
	v.sideToMove = true
	return v
}

func newSearchlessChess() *Vocabulary {
	var moves []chess.Move
	for from := chess.A1; from <= chess.H8; from++ {
		for _, knights := range [2]bool{false, true} {
			for to := chess.A1; to <= chess.H8; to++ {
				i, ok := Of(chess.NewMove(from, to))
				if ok && from != to && (i.Class() == ClassKnight) == knights {
					moves = append(moves, chess.NewMove(from, to))
				}
			}
		}
	}
	for _, rank := range [2]int{1, 6} {
		for file := range 8 {
			for _, toFile := range [3]int{file, file - 1, file + 1} {
				if toFile&^7 != 0 {
					continue
				}
				for _, k := range [4]chess.Kind{chess.Queen, chess.Rook, chess.Bishop, chess.Knight} {
					moves = append(moves, chess.NewPromotion(chess.NewSquare(file, rank),
						chess.NewSquare(toFile, rank/6*7), k))
				}
			}
		}
	}
	return newVocabulary("searchless-chess", moves)
}
