// SPDX-License-Identifier: Apache-2.0

package brenner

import (
	"fmt"

	"ply11/bitstream/piecelist"
	"ply11/chess"
	"ply11/moveindex"
)

// Layout is one of the ways in which the document lays out the fields of a byte.
type Layout uint8

// The layouts. In a sliding piece's byte, nnn is the number of squares, d a direction, w which piece.
const (
	// Main is the document's first table: queen 01 nnn ddd, rook 1 w nnn dd 0, bishop 1 w nnn dd 1.
	Main Layout = iota
	// Alt is its alternate notation: queen 11 ddd nnn, rook 10 dd w nnn, bishop 01 dd w nnn.
	Alt
	// AltSwapped is Alt with distance and direction exchanged: queen 11 nnn ddd, rook 10 nnn w dd,
	// bishop 01 nnn w dd.
	AltSwapped
	// AltFixed is Alt in the order type, which, direction, number of squares: queen 11 ddd nnn,
	// rook 10 w dd nnn, bishop 01 w dd nnn.
	AltFixed

	// numLayouts fills the two bits of LAYOUT in register STATUS (hdl/registers.tsv). A fifth layout needs a third bit
	// there and in the modules' checks of parameters.
	numLayouts = iota
)

var Layouts = [...]Layout{Main, Alt, AltSwapped, AltFixed}

var layoutNames = [...]string{Main: "main", Alt: "alt", AltSwapped: "alt-swapped", AltFixed: "alt-fixed"}

var (
	_ [numLayouts]Layout = Layouts
	_ [numLayouts]string = layoutNames
	_ [numLayouts]uint8  = unknownResult
)

// String returns the layout's name.
func (l Layout) String() string {
	if l >= numLayouts {
		return "invalid"
	}
	return layoutNames[l]
}

// Direction is a direction as the document numbers it: E, NE, N and so on; a knight's EES, EEN, NNE and so on.
type Direction uint8

// The directions of all pieces but the knight.
const (
	East Direction = iota
	NorthEast
	North
	NorthWest
	West
	SouthWest
	South
	SouthEast
)

var directionNames = [8]string{"E", "NE", "N", "NW", "W", "SW", "S", "SE"}
var knightNames = [8]string{"EES", "EEN", "NNE", "NNW", "WWN", "WWS", "SSW", "SSE"}

// delta is the step of each direction, knightDelta a knight's, as files and ranks.
var (
	delta       = [8][2]int{{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}
	knightDelta = [8][2]int{{2, -1}, {2, 1}, {1, 2}, {-1, 2}, {-2, 1}, {-2, -1}, {-1, -2}, {1, -2}}
)

// PawnStep is what a pawn does. Right and left are its own: a black pawn's right is toward the a-file.
type PawnStep uint8

// The pawn's moves, in the order of the document's first table.
const (
	Step1 PawnStep = iota
	Step2
	TakeRight
	TakeLeft
)

var pawnNames = [4]string{"step 1", "step 2", "take right", "take left"}

// Class says what a byte is.
type Class uint8

// The classes.
const (
	Unassigned    Class = iota // one of the eight patterns that the layout does not use
	MoveByte                   // a piece's move
	PrefixByte                 // names a promoted piece, or what a pawn becomes
	TextByte                   // begins and ends text
	ResultByte                 // 0-1, 1-0, .5-.5
	CastlingByte               // O-O, O-O-O
	GlyphByte                  // ?, !
	UnknownResult              // an unassigned pattern, used for the result *
)

var classNames = [...]string{"unassigned", "move", "prefix", "text", "result", "castling", "glyph", "result"}

func (c Class) String() string { return classNames[c&7] }

// Meaning is what a byte says in a layout.
type Meaning struct {
	Class     Class
	Kind      chess.Kind      // of a move or a prefix: the kind of piece
	Number    int             // of a move or a prefix: which piece of its kind
	Direction Direction       // of a move, but for a pawn's
	Steps     int             // of a move: the number of squares, 1..7; 1 for a knight
	Pawn      PawnStep        // of a pawn's move
	Result    moveindex.Index // of a result
	Kingside  bool            // of castling
	Glyph     byte            // '?' or '!'
	// Fields is the byte's bits, the fields separated by spaces, as the document writes them.
	Fields string
}

// String describes the byte, as in "bishop #0, 2 squares NE" or "rook #2 moves next".
func (m Meaning) String() string {
	switch m.Class {
	case MoveByte:
		switch m.Kind {
		case chess.Pawn:
			return fmt.Sprintf("pawn #%d, %s", m.Number, pawnNames[m.Pawn])
		case chess.Knight:
			return fmt.Sprintf("knight #%d, %s", m.Number, knightNames[m.Direction])
		case chess.King:
			return fmt.Sprintf("king, %s", directionNames[m.Direction])
		case chess.Queen:
			return fmt.Sprintf("queen, %s %s", squares(m.Steps), directionNames[m.Direction])
		}
		return fmt.Sprintf("%v #%d, %s %s", m.Kind, m.Number, squares(m.Steps), directionNames[m.Direction])
	case PrefixByte:
		return fmt.Sprintf("%v #%d moves next", m.Kind, m.Number)
	case TextByte:
		return "text"
	case ResultByte:
		return map[moveindex.Index]string{moveindex.ResultBlackWins: "0-1", moveindex.ResultWhiteWins: "1-0",
			moveindex.ResultDraw: ".5-.5"}[m.Result]
	case CastlingByte:
		if m.Kingside {
			return "O-O"
		}
		return "O-O-O"
	case GlyphByte:
		return string(m.Glyph)
	case UnknownResult:
		return "result unknown (extension)"
	}
	return "unassigned"
}

func squares(n int) string {
	if n == 1 {
		return "1 square"
	}
	return fmt.Sprintf("%d squares", n)
}

// The patterns of all layouts.
const (
	pawnPattern   = "001 dd www"
	knightPattern = "0001 w ddd"
	kingPattern   = "00001 ddd"
)

// patterns are the bytes as the document writes them: n is the number of squares, d the direction, w which piece. The
// prefixes, which name a piece, are a slider's bytes of no squares.
var patterns = [numLayouts]struct{ moves, prefixes map[chess.Kind]string }{
	Main: {
		map[chess.Kind]string{chess.Queen: "01 nnn ddd", chess.Rook: "1 w nnn dd 0", chess.Bishop: "1 w nnn dd 1"},
		map[chess.Kind]string{chess.Queen: "01 000 ww 0", chess.Knight: "01 000 ww 1", chess.Rook: "10 000 ww 0",
			chess.Bishop: "10 000 ww 1"},
	},
	Alt: {
		map[chess.Kind]string{chess.Queen: "11 ddd nnn", chess.Rook: "10 dd w nnn", chess.Bishop: "01 dd w nnn"},
		map[chess.Kind]string{chess.Queen: "11 ww 0 000", chess.Knight: "11 ww 1 000", chess.Rook: "10 ww 0 000",
			chess.Bishop: "01 ww 0 000"},
	},
	AltSwapped: {
		map[chess.Kind]string{chess.Queen: "11 nnn ddd", chess.Rook: "10 nnn w dd", chess.Bishop: "01 nnn w dd"},
		map[chess.Kind]string{chess.Queen: "11 000 ww 0", chess.Knight: "11 000 ww 1", chess.Rook: "10 000 0 ww",
			chess.Bishop: "01 000 0 ww"},
	},
	AltFixed: {
		map[chess.Kind]string{chess.Queen: "11 ddd nnn", chess.Rook: "10 w dd nnn", chess.Bishop: "01 w dd nnn"},
		map[chess.Kind]string{chess.Queen: "11 ww 0 000", chess.Knight: "11 ww 1 000", chess.Rook: "10 0 ww 000",
			chess.Bishop: "01 0 ww 000"},
	},
}

// Patterns returns the name and the pattern of each kind of byte (as at Main; x is a mark). Of two that a byte fits,
// the first is meant.
func (l Layout) Patterns() [][2]string {
	list := [][2]string{{"pawn", pawnPattern}, {"knight", knightPattern}, {"king", kingPattern},
		{"mark", "00000 xxx"}}
	for _, kind := range []chess.Kind{chess.Queen, chess.Rook, chess.Bishop, chess.Knight} {
		list = append(list, [2]string{"next: " + kind.String(), patterns[l].prefixes[kind]})
	}
	for _, kind := range []chess.Kind{chess.Bishop, chess.Rook, chess.Queen} {
		list = append(list, [2]string{kind.String(), patterns[l].moves[kind]})
	}
	return list
}

// fill puts values into a pattern, and returns the byte and its bits by field.
func fill(pattern string, n, d, w int) (b uint8, fields string) {
	values := map[byte]int{'n': n, 'd': d, 'w': w, '1': 1}
	text := []byte(pattern)
	bit := uint8(1)
	for i := len(text) - 1; i >= 0; i-- {
		c := text[i]
		if c == ' ' {
			continue
		}
		text[i] = '0'
		if values[c]&1 == 1 {
			text[i] = '1'
			b |= bit
		}
		if c != '1' {
			values[c] >>= 1
		}
		bit <<= 1
	}
	return b, string(text)
}

// unknownResult is the pattern, unassigned in the document, for the result *.
var unknownResult = [...]uint8{Main: 0xc0, Alt: 0x88, AltSwapped: 0x84, AltFixed: 0xa0}

var others = [8]Meaning{
	{Class: TextByte},
	{Class: ResultByte, Result: moveindex.ResultBlackWins},
	{Class: ResultByte, Result: moveindex.ResultWhiteWins},
	{Class: ResultByte, Result: moveindex.ResultDraw},
	{Class: CastlingByte, Kingside: true},
	{Class: CastlingByte},
	{Class: GlyphByte, Glyph: '?'},
	{Class: GlyphByte, Glyph: '!'},
}

// each calls f with every byte that the layout assigns; a byte with two meanings comes twice.
func (l Layout) each(f func(b uint8, m Meaning)) {
	add := func(m Meaning, pattern string, n, d, w int) {
		var b uint8
		b, m.Fields = fill(pattern, n, d, w)
		f(b, m)
	}
	moves := patterns[l].moves
	for n := 1; n < 8; n++ {
		for d := range 8 {
			m := Meaning{Class: MoveByte, Kind: chess.Queen, Direction: Direction(d), Steps: n}
			add(m, moves[m.Kind], n, d, 0)
			m.Kind = chess.Rook
			if d&1 == 1 {
				m.Kind = chess.Bishop
			}
			for m.Number = range 2 {
				add(m, moves[m.Kind], n, d>>1, m.Number)
			}
		}
	}
	steps := [4]PawnStep{Step1, Step2, TakeRight, TakeLeft}
	if l != Main {
		steps = [4]PawnStep{TakeRight, Step1, Step2, TakeLeft}
	}
	for d, step := range steps {
		for w := range 8 {
			add(Meaning{Class: MoveByte, Kind: chess.Pawn, Number: w, Pawn: step, Steps: 1}, pawnPattern, 0, d, w)
		}
	}
	for d := range 8 {
		m := Meaning{Class: MoveByte, Kind: chess.Knight, Direction: Direction(d), Steps: 1}
		for m.Number = range 2 {
			add(m, knightPattern, 0, d, m.Number)
		}
		m.Kind, m.Number = chess.King, 0
		add(m, kingPattern, 0, d, 0)
		add(others[d], "00000 ddd", 0, d, 0)
	}
	for kind, pattern := range patterns[l].prefixes {
		for w := range 4 {
			add(Meaning{Class: PrefixByte, Kind: kind, Number: w}, pattern, 0, 0, w)
		}
	}
}

// Meaning returns what a byte says, outside of text.
func (l Layout) Meaning(b uint8) Meaning {
	if l >= numLayouts {
		return Meaning{}
	}
	return layouts[l].meaning[b]
}

// The rows of steps: a direction and a number of squares; with 0 squares a knight's direction; then the pawns',
// White's and Black's.
const (
	rowPawns = 64
	numRows  = 72
)

func (m *Meaning) row(c chess.Color) int {
	switch m.Kind {
	case chess.Pawn:
		return rowPawns + int(c)*4 + int(m.Pawn)
	case chess.Knight:
		return int(m.Direction) << 3
	}
	return int(m.Direction)<<3 | m.Steps
}

// steps is where a row takes a piece.
var steps = func() (t [numRows]piecelist.Steps) {
	for row := range t {
		for from := range chess.Square(64) {
			df, dr := 0, 0
			switch n := row & 7; {
			case row >= rowPawns:
				forward := 1
				if row >= rowPawns+4 {
					forward = -1
				}
				switch dr = forward; PawnStep(row & 3) {
				case Step2:
					dr = 2 * forward
				case TakeRight:
					df = forward
				case TakeLeft:
					df = -forward
				}
			case n == 0:
				df, dr = knightDelta[row>>3][0], knightDelta[row>>3][1]
			default:
				df, dr = n*delta[row>>3][0], n*delta[row>>3][1]
			}
			t[row][from] = piecelist.NewStep(from, from.File()+df, from.Rank()+dr, row >= rowPawns)
		}
	}
	return
}()

// stepOf is the row, 0..63, of each move by its low 12 bits: the other way.
var stepOf = func() (t [4096]uint8) {
	for row := range rowPawns {
		for from, s := range steps[row] {
			if to, ok := s.To(); ok {
				t[chess.NewMove(chess.Square(from), to)] = uint8(row)
			}
		}
	}
	return
}()

// An entry of decode: the name (without colour) in bits 4..0, the row in bits 11..5, above the Class less MoveByte.
const (
	decodeRow   = 5
	decodeClass = 12
)

// An entry of encode: the byte in bits 7..0, the prefix in bits 15..8, 0 for none; 0 is no move.
const encodePrefix = 8

type tables struct {
	meaning [256]Meaning
	decode  [2][256]uint16    // by colour
	encode  [2][32][64]uint16 // by colour, name, row
	prefix  [32]uint8         // by name
	unknown uint8
}

var layouts = func() (t [numLayouts]tables) {
	for _, l := range Layouts {
		t[l].fill(l)
	}
	return
}()

func (t *tables) fill(l Layout) {
	t.unknown = unknownResult[l]
	l.each(func(b uint8, m Meaning) { t.meaning[b] = m })
	for b := range t.meaning {
		m := &t.meaning[b]
		if m.Class == Unassigned {
			if uint8(b) == t.unknown {
				m.Class, m.Result = UnknownResult, moveindex.ResultUnknown
			}
			m.Fields = fmt.Sprintf("%08b", b)
		}
		if m.Class == PrefixByte {
			t.prefix[piecelist.NewName(chess.White, m.Kind, m.Number)] = uint8(b)
		}
	}
	for c := range chess.Color(2) {
		for b := range t.meaning {
			m := &t.meaning[b]
			e := uint16(m.Class-MoveByte) << decodeClass
			if m.Class == MoveByte {
				e |= uint16(piecelist.NewName(chess.White, m.Kind, m.Number)) | uint16(m.row(c))<<decodeRow
			}
			t.decode[c][b] = e
		}
		for name := range piecelist.Name(piecelist.NumNames) {
			kind, number := name.Kind(), name.Number()
			var prefix uint16
			if kind == chess.Queen && number > 0 || kind != chess.Pawn && number > 1 {
				prefix = uint16(t.prefix[name]) << encodePrefix
				number = 0
			}
			for b := range t.meaning {
				m := &t.meaning[b]
				if m.Class != MoveByte || m.Kind != kind || m.Number != number {
					continue
				}
				row := m.row(c)
				if kind == chess.Pawn {
					// A pawn's move is looked up by direction and squares.
					row = pawnRow(c, m.Pawn)
				}
				t.encode[c][name][row] = uint16(b) | prefix
			}
		}
	}
}

func pawnRow(c chess.Color, step PawnStep) int {
	direction, n := [4]Direction{Step1: North, Step2: North, TakeRight: NorthEast, TakeLeft: NorthWest}[step], 1
	if c == chess.Black {
		direction ^= 4
	}
	if step == Step2 {
		n = 2
	}
	return int(direction)<<3 | n
}
