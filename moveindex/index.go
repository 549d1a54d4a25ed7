// SPDX-License-Identifier: Apache-2.0

package moveindex

import (
	"math/bits"
	"ply11/chess"
)

// Index is an eleven-bit word: 0..1967 a move, 1968..2047 a control code of the flat word stream.
type Index uint16

// Sizes of the index, and where its parts begin.
const (
	// Bits is the width of a word.
	Bits = 11
	// NumWords is how many words there are.
	NumWords = 1 << Bits
	// NumMoves is how many of them are moves: 1,456 queen lines, 336 knight moves, 176 promotions.
	NumMoves = 1968
	// FirstPromotion is the first of the promotions, and the number of moves that are none.
	FirstPromotion = 1792
)

// Control codes of the flat stream of words. 2010..2046 are reserved: a reader refuses them.
const (
	ResultBlackWins Index = 1968 // 0-1, and the end of the game
	ResultDraw      Index = 1969 // 1/2-1/2, and the end of the game
	ResultWhiteWins Index = 1970 // 1-0, and the end of the game
	ResultUnknown   Index = 1971 // *, and the end of the game
	Null            Index = 1972 // the null move
	VariationStart  Index = 1973 // a variation begins; it replaces the move before it
	VariationEnd    Index = 1974
	Text            Index = 1975 // the number of bytes in the next word, then the bytes
	NAG             Index = 1976 // a NAG in the next word, 0..255
	NAG1            Index = 1977 // NAG 1
	NAG31           Index = 2007 // NAG 31
	Start           Index = 2008 // a start position in the next 26 words
	Start960        Index = 2009 // a start position of Chess960 in the next 28 words
	FirstReserved   Index = 2010
	LastReserved    Index = 2046
	Idle            Index = 2047 // skipped

	// Invalid is no word: what Of gives for what is no move.
	Invalid Index = 0xffff
)

// Fields of the words below FirstPromotion: bits 5..0 from, bits 7..6 axis, bits 10..8 steps - 1.
const (
	fromMask   = 63
	axisShift  = 6
	stepsShift = 8
)

// promotionField is where a move has its promotion, of which the index has the two low bits.
const promotionField = 12

// WordValid is bit 15 of a ROM word, whose other bits are those of chess.Move: the word is a move.
const WordValid = 1 << 15

// The four axes. Steps are counted modulo 8: seven steps E are one step W.
const (
	axisE = iota
	axisNE
	axisN
	axisNW
)

// axisStep is one step along each axis.
var axisStep = [4]struct{ file, rank int }{axisE: {1, 0}, axisNE: {1, 1}, axisN: {0, 1}, axisNW: {-1, 1}}

// decodeTable and encodeTable hold the arithmetic's results, seven times as fast as it (BenchmarkDecode,
// BenchmarkEncode).
var (
	decodeTable = func() (t [NumWords]chess.Move) {
		for i := range t {
			t[i], _ = decode(Index(i))
		}
		return
	}()
	encodeTable = func() *[1 << 15]Index {
		t := new([1 << 15]Index)
		for i := range t {
			t[i] = encode(chess.Move(i))
		}
		return t
	}()
)

// Move returns the move of an index in 0..1967. For any other word it returns NullMove and false.
func (i Index) Move() (chess.Move, bool) {
	return decodeTable[i&(NumWords-1)], i < NumMoves
}

// Of returns a move's index, and whether it is one of the 1,968: NullMove gives Null and false, what no piece can play
// Invalid and false.
func Of(m chess.Move) (Index, bool) {
	if m >= 1<<15 {
		return Invalid, false
	}
	i := encodeTable[m]
	return i, i < NumMoves
}

// decode is the arithmetic of the index, from the word to the move.
func decode(i Index) (chess.Move, bool) {
	if i >= NumMoves {
		return chess.NullMove, false
	}
	if i >= FirstPromotion {
		p := int(i) - FirstPromotion
		j := p>>4<<1 | p&1
		fromFile, rank := (j+1)/3, 6
		toFile, toRank := j-2*fromFile, 7
		if p>>3&1 == 1 {
			rank, toRank = 1, 0
		}
		return chess.NewPromotion(chess.NewSquare(fromFile, rank), chess.NewSquare(toFile, toRank),
			chess.PromotionKinds[p>>1&3]), true
	}
	from := chess.Square(i & fromMask)
	step := axisStep[i>>axisShift&3]
	n := int(i>>stepsShift) + 1
	file, rank := from.File(), from.Rank()
	toFile, toRank := file+n*step.file, rank+n*step.rank
	wrapsFile, wrapsRank := toFile&^7 != 0, toRank&^7 != 0
	to := chess.NewSquare(toFile, toRank)
	if step.file != 0 && step.rank != 0 && wrapsFile != wrapsRank {
		return knight(file, rank, to.File()-file, to.Rank()-rank), true
	}
	return chess.NewMove(from, to), true
}

// knight returns the knight move that lives in the diagonal code from (file, rank) by the wrapped
// displacement (deltaFile, deltaRank), whose absolute values add up to 8: the tiling of a stack of
// rectangles, 8-a by a, onto the two rectangles of 7 by 6 from which knights start.
func knight(file, rank, deltaFile, deltaRank int) chess.Move {
	sx, sy := deltaFile < 0, deltaRank < 0
	a := deltaFile
	if sx {
		a = -a
	}
	u, v := mirrorIf(sx, file), mirrorIf(sy, rank)
	var x, y int
	switch a {
	case 3, 4:
		x, y = u, v
	case 5:
		x, y = v, 5-u
	case 6:
		x, y = 5+u, v
	case 2:
		x, y = 4+u/2, 2*v+u%2
	case 1:
		x, y = u, 4
	case 7:
		x, y = v, 5
	}
	toX, toY := x+1, y+2
	if bits.OnesCount(uint(a))&1 == 1 {
		x, y = y, x
		toX, toY = x+2, y+1
	}
	return chess.NewMove(chess.NewSquare(mirrorIf(sx, x), mirrorIf(sy, y)),
		chess.NewSquare(mirrorIf(sx, toX), mirrorIf(sy, toY)))
}

func mirrorIf(mirror bool, coordinate int) int {
	if mirror {
		return 7 - coordinate
	}
	return coordinate
}

// encode is the arithmetic of the index, from the move to the word.
func encode(m chess.Move) Index {
	switch {
	case m == chess.NullMove:
		return Null
	case m>>promotionField != 0:
		return encodePromotion(m)
	}
	from, to := m.From(), m.To()
	file, rank := from.File(), from.Rank()
	dx, dy := to.File()-file, to.Rank()-rank
	switch {
	case dx == 0 && dy == 0:
		return Invalid
	case dy == 0:
		return pack(from, axisE, dx)
	case dx == 0:
		return pack(from, axisN, dy)
	case dx == dy:
		return pack(from, axisNE, dy)
	case dx == -dy:
		return pack(from, axisNW, dy)
	case dx*dx+dy*dy != 5:
		return Invalid
	}
	// A knight: its start, mirrored so that it moves up and to the right, names the rectangle.
	sx, sy := dx < 0, dy < 0
	x, y := mirrorIf(sx, file), mirrorIf(sy, rank)
	var a, u, v int
	if dy*dy == 4 {
		switch {
		case x >= 5:
			a, u, v = 6, x-5, y
		case y >= 3:
			a, u, v = 5, 5-y, x
		default:
			a, u, v = 3, x, y
		}
	} else {
		x, y = y, x
		switch {
		case y == 4:
			a, u, v = 1, x, 0
		case y == 5:
			a, u, v = 7, 0, x
		case x >= 4:
			a, u, v = 2, 2*(x-4)+y&1, y>>1
		default:
			a, u, v = 4, x, y
		}
	}
	from = chess.NewSquare(mirrorIf(sx, u), mirrorIf(sy, v))
	axis, n := axisNE, 8-a
	if sx == sy {
		axis = axisNW
	}
	if sy {
		n = a
	}
	return pack(from, axis, n)
}

// pack returns the word of n steps, modulo 8, along an axis.
func pack(from chess.Square, axis, n int) Index {
	return Index((n-1)&7)<<stepsShift | Index(axis)<<axisShift | Index(from)
}

// encodePromotion returns the index of a move whose promotion field is not 0, or Invalid.
func encodePromotion(m chess.Move) Index {
	from, to := m.From(), m.To()
	code := m >> promotionField
	delta := uint(to.File() - from.File() + 1)
	if code < 4 || code > 7 || delta > 2 {
		return Invalid
	}
	var black Index
	switch {
	case from>>3 == 6 && to>>3 == 7:
	case from>>3 == 1 && to>>3 == 0:
		black = 8
	default:
		return Invalid
	}
	j := Index(2*from.File() + to.File())
	return FirstPromotion + j>>1<<4 + black + Index(code&3)<<1 + j&1
}

// MirrorRanks returns the index of the same move by the other side (a1 and a8 change places). Control
// codes stay as they are.
func (i Index) MirrorRanks() Index {
	switch {
	case i < FirstPromotion:
		axis, n := i>>axisShift&3, i>>stepsShift+1
		if axis != axisE {
			n = 8 - n
		}
		return (n-1)<<stepsShift | (-axis&3)<<axisShift | i&fromMask ^ 56
	case i < NumMoves:
		return i ^ 8
	}
	return i
}

// MirrorFiles returns the index of the same move in the looking glass (a1 and h1 change places).
// Control codes stay as they are.
func (i Index) MirrorFiles() Index {
	switch {
	case i < FirstPromotion:
		axis, n := i>>axisShift&3, i>>stepsShift+1
		if axis == axisE {
			n = 8 - n
		}
		return (n-1)<<stepsShift | (-axis&3)<<axisShift | i&fromMask ^ 7
	case i < NumMoves:
		p := i - FirstPromotion
		j := 21 - (p>>4<<1 | p&1)
		return FirstPromotion + j>>1<<4 + p&14 + j&1
	}
	return i
}

// Class says what a word is.
type Class uint8

// The classes.
const (
	ClassInvalid   Class = iota // above 2047
	ClassRook                   // along a file or a rank
	ClassBishop                 // along a diagonal
	ClassKnight                 // a knight's move
	ClassPromotion              // a pawn's move to its last rank, with what it becomes
	ClassControl                // 1968..2009 and 2047
	ClassReserved               // 2010..2046
)

// String returns the class's name, as the table has it.
func (c Class) String() string {
	switch c {
	case ClassRook:
		return "rook"
	case ClassBishop:
		return "bishop"
	case ClassKnight:
		return "knight"
	case ClassPromotion:
		return "promotion"
	case ClassControl:
		return "control"
	case ClassReserved:
		return "reserved"
	}
	return "invalid"
}

// Class returns what the word is.
func (i Index) Class() Class {
	switch {
	case i >= NumWords:
		return ClassInvalid
	case i >= FirstReserved && i <= LastReserved:
		return ClassReserved
	case i >= NumMoves:
		return ClassControl
	case i >= FirstPromotion:
		return ClassPromotion
	}
	m := decodeTable[i]
	dx, dy := int(m>>6&7)-int(m&7), int(m>>9&7)-int(m>>3&7)
	switch {
	case dx == 0 || dy == 0:
		return ClassRook
	case dx == dy || dx == -dy:
		return ClassBishop
	}
	return ClassKnight
}

// Word returns the ROM word of an index: the move with bit 15 set, or 0 for what is no move.
func (i Index) Word() uint16 {
	if m, ok := i.Move(); ok {
		return uint16(m) | WordValid
	}
	return 0
}
