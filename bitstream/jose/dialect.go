// SPDX-License-Identifier: Apache-2.0

package jose

import (
	"fmt"

	"ply11/bitstream/piecelist"
	"ply11/chess"
)

// Dialect is one of the two readings of the document's byte codes.
type Dialect uint8

// The dialects.
const (
	// Document has knights and kings as the document's diagrams, x to the right, y up, and text after its byte.
	Document Dialect = iota
	// Program has knights and kings as the program that wrote such databases, and text in a second column, Comments.
	Program

	numDialects = 2
)

var Dialects = [numDialects]Dialect{Document, Program}

func (d Dialect) String() string {
	switch d {
	case Document:
		return "document"
	case Program:
		return "program"
	}
	return "invalid"
}

// The byte codes of section 1.
const (
	codePawns     = 0x00 // four for each pawn
	codeKnights   = 0x20 // eight for each
	codeBishops   = 0x30 // sixteen for each
	codeRooks     = 0x50 // sixteen for each
	codeQueen     = 0x70 // thirty-two
	codeKing      = 0x90 // eight
	codeKingside  = 0x98
	codeQueenside = 0x99
	codeNull      = 0x9a
	codePromotion = 0xa0 // [+], one for each pawn
	codePromoted  = 0xa8 // [+], one for each promoted pawn
	codeNAG       = 0xb0 // [+]; the NAGs 1 to 31 follow it
	codeResult    = 0xd0 // four, in the order of the index's codes
	codeText      = 0xe0 // text, and four records of errors
	codeStart     = 0xf0
	codeEndVar    = 0xf1
	codeEnd       = 0xff

	// secondByte is set in each second byte of a move, which is never 0.
	secondByte = 0x20
)

// Class says what a byte is.
type Class uint8

// The classes.
const (
	Reserved Class = iota
	MoveByte
	CastlingByte
	NullByte
	PromotionByte    // and a second byte
	PromotedByte     // and a second byte
	NAGByte          // and a second byte, the code
	NAGCode          // 1 to 31
	ResultByte       // one of four
	TextByte         // and the text
	ErrorByte        // a record of an error, and its text
	VariationByte    // a variation begins
	VariationEndByte // a variation ends
	EndByte          // the end of the data
)

// Meaning is what a byte says, where it is not a second byte or text.
type Meaning struct {
	Class  Class
	Slot   int // of a move, promotion or promoted piece: the piece's slot, as package pieces numbers them
	Offset int // of a move
	Code   int // of a NAG: 1..31; of a result or a record of an error: 0..3
}

// Records of errors, by Meaning.Code: their names in the document, and what the comments that hold them begin with,
// after "[%".
var (
	errorNames    = [4]string{"move not readable", "illegal move", "ambiguous move", "unrecognized input"}
	errorCommands = [4]string{"unreadable", "illegal", "ambiguous", "unrecognized"}
)

var slotNames = [piecelist.NumSlots]string{
	"a-pawn", "b-pawn", "c-pawn", "d-pawn", "e-pawn", "f-pawn", "g-pawn", "h-pawn",
	"queen's knight", "king's knight", "queen's bishop", "king's bishop", "queen's rook", "king's rook", "queen",
	"king",
	`"a" promotion piece`, `"b" promotion piece`, `"c" promotion piece`, `"d" promotion piece`,
	`"e" promotion piece`, `"f" promotion piece`, `"g" promotion piece`, `"h" promotion piece`}

// String describes the byte, as in "move of the e-pawn, offset 3".
func (m Meaning) String() string {
	switch m.Class {
	case MoveByte:
		return fmt.Sprintf("move of the %s, offset %x", slotNames[m.Slot], m.Offset)
	case CastlingByte:
		return [2]string{"kingside castling", "queenside castling"}[m.Code]
	case PromotionByte, PromotedByte:
		return classNames[m.Class] + slotNames[m.Slot]
	case NAGCode:
		return fmt.Sprintf("annotation $%d", m.Code)
	case ResultByte:
		return [4]string{"result: black wins", "result: draw", "result: white wins", "result unknown"}[m.Code]
	case ErrorByte:
		return "error: " + errorNames[m.Code]
	}
	return classNames[m.Class]
}

var classNames = [...]string{Reserved: "reserved", NullByte: "null move", PromotionByte: "promotion move: ",
	PromotedByte: "promoted piece move: ", NAGByte: "annotation, code in the second byte", TextByte: "text comment",
	VariationByte: "start of variation", VariationEndByte: "end of variation", EndByte: "end of data"}

// codes are the byte codes of section 1. Those with a number of offsets are of a slot and the following; of the others,
// Meaning.Code counts from code.
var codes = [...]struct {
	first   uint8
	count   int
	class   Class
	slot    int
	offsets int
	code    int
}{
	{codePawns, 32, MoveByte, piecelist.Pawns, 4, 0},
	{codeKnights, 16, MoveByte, piecelist.Knights, 8, 0},
	{codeBishops, 32, MoveByte, piecelist.Bishops, 16, 0},
	{codeRooks, 32, MoveByte, piecelist.Rooks, 16, 0},
	{codeQueen, 32, MoveByte, piecelist.Queen, 32, 0},
	{codeKing, 8, MoveByte, piecelist.King, 8, 0},
	{codeKingside, 2, CastlingByte, piecelist.King, 0, 0},
	{codeNull, 1, NullByte, 0, 0, 0},
	{codePromotion, 8, PromotionByte, piecelist.Pawns, 1, 0},
	{codePromoted, 8, PromotedByte, piecelist.Promoted, 1, 0},
	{codeNAG, 1, NAGByte, 0, 0, 0},
	{codeNAG + 1, 31, NAGCode, 0, 0, 1},
	{codeResult, 4, ResultByte, 0, 0, 0},
	{codeText, 1, TextByte, 0, 0, 0},
	{codeText + 1, 4, ErrorByte, 0, 0, 0},
	{codeStart, 1, VariationByte, 0, 0, 0},
	{codeEndVar, 1, VariationEndByte, 0, 0, 0},
	{codeEnd, 1, EndByte, 0, 0, 0},
}

// MeaningOf returns what a byte says, in both dialects. What the offsets of knights and kings mean differs.
func MeaningOf(b uint8) Meaning {
	for _, c := range codes {
		switch n := int(b) - int(c.first); {
		case n < 0 || n >= c.count:
		case c.offsets > 0:
			return Meaning{Class: c.class, Slot: c.slot + n/c.offsets, Offset: n % c.offsets}
		default:
			return Meaning{Class: c.class, Slot: c.slot, Code: c.code + n}
		}
	}
	return Meaning{}
}

// promotionKinds is the promotion piece yy of section 2.7.
var promotionKinds = chess.PromotionKinds // knight, bishop, rook, queen

// Offsets of knights and kings, as files and ranks.
var (
	knightDelta = [numDialects][8][2]int{
		Document: {{1, 2}, {-1, 2}, {-2, 1}, {-2, -1}, {-1, -2}, {1, -2}, {2, -1}, {2, 1}},
		Program:  {{2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}, {1, 2}},
	}
	kingDelta = [numDialects][8][2]int{
		Document: {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}, {0, 1}, {0, -1}, {-1, 0}, {1, 0}},
		Program:  {{1, 1}, {1, -1}, {-1, -1}, {-1, 1}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}},
	}
)

// The rows of steps: the queen's 32 offsets, first a bishop's 16, then a rook's, and the knight's, the king's, White's
// and Black's pawns'.
const (
	rowBishop = 0
	rowRook   = 16
	rowKnight = 32
	rowKing   = 40
	rowPawns  = 48
	numRows   = 64 // of which 56 are used
)

// rowOf is where the rows of a kind begin.
func rowOf(k chess.Kind, c chess.Color) int {
	switch k {
	case chess.Knight:
		return rowKnight
	case chess.Bishop:
		return rowBishop
	case chess.Rook:
		return rowRook
	case chess.King:
		return rowKing
	case chess.Pawn:
		return rowPawns + 4*int(c)
	}
	return 0
}

var offsets = [8]int{chess.King: 8, chess.Queen: 32, chess.Knight: 8, chess.Bishop: 16,
	chess.Rook: 16, chess.Pawn: 4}

type tables struct {
	// steps is where a row takes a piece.
	steps [numRows]piecelist.Steps
	// decode is, by colour and byte: the slot in bits 3..0, the row in bits 9..4, above the Class less MoveByte.
	decode [2][256]uint16
	// encode is, by kind (a black pawn's is NoKind) and the low 12 bits of a move, the offset, or noOffset.
	encode [8][4096]uint8
}

const (
	decodeRow   = 4
	decodeClass = 12
	noOffset    = 0xff
)

var base = [16]uint8{0x00, 0x04, 0x08, 0x0c, 0x10, 0x14, 0x18, 0x1c, 0x20, 0x28, 0x30, 0x40, 0x50, 0x60, 0x70, 0x90}

var dialects = func() (t [numDialects]tables) {
	for _, d := range Dialects {
		t[d].fill(d)
	}
	return
}()

func (t *tables) fill(d Dialect) {
	for row := range t.steps {
		for from := range chess.Square(64) {
			t.steps[row][from] = step(d, row, from)
		}
	}
	slotKinds := [16]chess.Kind{8: chess.Knight, 9: chess.Knight, 10: chess.Bishop, 11: chess.Bishop,
		12: chess.Rook, 13: chess.Rook, 14: chess.Queen, 15: chess.King}
	for s := range 8 {
		slotKinds[s] = chess.Pawn
	}
	for c := range chess.Color(2) {
		for b := range 256 {
			m := MeaningOf(uint8(b))
			e := uint16(m.Class-MoveByte) << decodeClass
			if m.Class == MoveByte {
				e |= uint16(m.Slot) | uint16(rowOf(slotKinds[m.Slot], c)+m.Offset)<<decodeRow
			}
			t.decode[c][b] = e
		}
	}
	for k := range t.encode {
		for i := range t.encode[k] {
			t.encode[k][i] = noOffset
		}
	}
	for k := chess.King; k <= chess.Pawn; k++ {
		for c := range chess.Color(2) {
			table := k
			if k == chess.Pawn && c == chess.Black {
				table = chess.NoKind
			}
			for offset := range offsets[k] {
				for from, s := range t.steps[rowOf(k, c)+offset] {
					if to, ok := s.To(); ok {
						t.encode[table][chess.NewMove(chess.Square(from), to)] = uint8(offset)
					}
				}
			}
		}
	}
}

func step(d Dialect, row int, from chess.Square) piecelist.Step {
	file, rank := from.File(), from.Rank()
	toFile, toRank := file, rank
	switch n := row & 7; {
	case row < rowRook:
		toRank = n
		toFile += n - rank // rising
		if row >= rowBishop+8 {
			toFile = file - (n - rank)
		}
	case row < rowRook+8:
		toRank = n
	case row < rowKnight:
		toFile = n
	case row < rowKing:
		toFile, toRank = file+knightDelta[d][n][0], rank+knightDelta[d][n][1]
	case row < rowPawns:
		toFile, toRank = file+kingDelta[d][n][0], rank+kingDelta[d][n][1]
	case row < rowPawns+8:
		forward := 1
		if row >= rowPawns+4 {
			forward = -1
		}
		switch toRank += forward; row & 3 {
		case 1:
			toFile = file + forward
		case 2:
			toFile = file - forward
		case 3:
			toRank += forward
		}
	}
	return piecelist.NewStep(from, toFile, toRank, row >= rowPawns)
}
