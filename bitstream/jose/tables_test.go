// SPDX-License-Identifier: Apache-2.0

package jose

import (
	"fmt"
	"strings"
	"testing"

	"ply11/bitstream/piecelist"
	"ply11/chess"
)

// diagram is a diagram of the document: rows of cells from the top, "x" the piece, "." an empty cell.
type diagram string

// offsets returns the offsets of a diagram, each with its files and ranks from the piece.
func (d diagram) offsets() map[int][2]int {
	rows := strings.Split(strings.TrimSpace(string(d)), "\n")
	var x, y int
	cells := map[int][2]int{}
	for i, row := range rows {
		for j, cell := range strings.Fields(row) {
			var n int
			switch _, err := fmt.Sscanf(cell, "%x", &n); {
			case cell == "x":
				x, y = j, i
			case err == nil:
				cells[n] = [2]int{j, -i}
			}
		}
	}
	for n, c := range cells {
		cells[n] = [2]int{c[0] - x, c[1] + y}
	}
	return cells
}

// The diagrams of sections 2.1 to 2.6.
const (
	pawnDiagram diagram = `
		. 3 .
		2 0 1
		. x .`
	knightDiagram diagram = `
		. 1 . 0 .
		2 . . . 7
		. . x . .
		3 . . . 6
		. 4 . 5 .`
	bishopDiagram diagram = `
		. f . . . . . 7 .
		. . e . . . 6 . .
		. . . d . 5 . . .
		. . . . x . . . .
		. . . 3 . b . . .
		. . 2 . . . a . .
		. 1 . . . . . 9 .
		0 . . . . . . . 8`
	rookDiagram diagram = `
		. . . . 7 . . .
		. . . . 6 . . .
		. . . . 5 . . .
		8 9 a b x d e f
		. . . . 3 . . .
		. . . . 2 . . .
		. . . . 1 . . .
		. . . . 0 . . .`
	queenDiagram diagram = `
		. f . . 17 . . 7 .
		. . e . 16 . 6 . .
		. . . d 15 5 . . .
		18 19 1a 1b x 1d 1e 1f .
		. . . 3 13 b . . .
		. . 2 . 12 . a . .
		. 1 . . 11 . . 9 .
		0 . . . 10 . . . 8`
	kingDiagram diagram = `
		1 4 0
		6 x 7
		2 5 3`
)

// "2.1 Offsets of Pawn Moves" to "2.6 Offsets of King Moves": each diagram, with its piece on e5 (there the sliding
// pieces' offsets are drawn), is what the codec plays; a black pawn's is turned round.
func TestDiagrams(t *testing.T) {
	e5 := chess.E5
	for _, c := range []struct {
		name    string
		diagram diagram
		count   int
		row     int
		turned  bool
		d       Dialect
	}{
		{"2.1 pawn", pawnDiagram, 4, rowPawns, false, Document},
		{"2.1 pawn, black", pawnDiagram, 4, rowPawns + 4, true, Document},
		{"2.2 knight", knightDiagram, 8, rowKnight, false, Document},
		{"2.3 bishop", bishopDiagram, 14, rowBishop, false, Document},
		{"2.4 rook", rookDiagram, 14, rowRook, false, Document},
		{"2.5 queen", queenDiagram, 28, rowBishop, false, Document},
		{"2.6 king", kingDiagram, 8, rowKing, false, Document},
		{"2.1 pawn", pawnDiagram, 4, rowPawns, false, Program},
		{"2.3 bishop", bishopDiagram, 14, rowBishop, false, Program},
		{"2.4 rook", rookDiagram, 14, rowRook, false, Program},
		{"2.5 queen", queenDiagram, 28, rowBishop, false, Program},
	} {
		cells := c.diagram.offsets()
		if len(cells) != c.count {
			t.Errorf("%s: %d offsets in the diagram", c.name, len(cells))
		}
		for offset, delta := range cells {
			df, dr := delta[0], delta[1]
			if c.turned {
				df, dr = -df, -dr
			}
			to, on := dialects[c.d].steps[c.row+offset][e5].To()
			file, rank := e5.File()+df, e5.Rank()+dr
			if file&^7 != 0 || rank&^7 != 0 {
				// The diagrams of bishop and queen are a column wider than the board.
				if on {
					t.Errorf("%v %s: offset %x is not off the board", c.d, c.name, offset)
				}
				continue
			}
			if want := chess.NewSquare(file, rank); !on || to != want {
				t.Errorf("%v %s: offset %x goes to %v, want %v", c.d, c.name, offset, to, want)
			}
		}
	}
}

// "Program: knight 0..7 = (Δfile, Δrank) (2,1) (2,-1) ...; king 0..7 = (1,1) (1,-1) ...": the document's diagrams
// transposed, and for the king 6 and 7 exchanged.
func TestProgramOffsets(t *testing.T) {
	knight, king := knightDiagram.offsets(), kingDiagram.offsets()
	king[6], king[7] = king[7], king[6]
	for n := range 8 {
		if d := knight[n]; knightDelta[Program][n] != [2]int{d[1], d[0]} {
			t.Errorf("knight %d is %v", n, knightDelta[Program][n])
		}
		if d := king[n]; kingDelta[Program][n] != [2]int{d[1], d[0]} {
			t.Errorf("king %d is %v", n, kingDelta[Program][n])
		}
	}
	if knightDelta[Program] != [8][2]int{{2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}, {1, 2}} ||
		kingDelta[Program] != [8][2]int{{1, 1}, {1, -1}, {-1, -1}, {-1, 1}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
		t.Error("not the lists that are the truth")
	}
}

// "Sliding moves carry the absolute rank or file of the target": from every square, to every other on its lines.
func TestAbsoluteOffsets(t *testing.T) {
	for from := range chess.Square(64) {
		for to := range chess.Square(64) {
			df, dr := to.File()-from.File(), to.Rank()-from.Rank()
			want := noOffset
			switch {
			case from == to:
			case df == 0:
				want = 0x10 + to.Rank()
			case dr == 0:
				want = 0x18 + to.File()
			case df == dr:
				want = to.Rank()
			case df == -dr:
				want = 8 + to.Rank()
			}
			for _, k := range []chess.Kind{chess.Queen, chess.Rook, chess.Bishop} {
				w := want
				switch {
				case k == chess.Bishop && w >= 0x10:
					w = noOffset
				case k == chess.Rook && w < 0x10:
					w = noOffset
				case k == chess.Rook && w != noOffset:
					w -= 0x10
				}
				for _, d := range Dialects {
					if got := dialects[d].encode[k][chess.NewMove(from, to)&4095]; int(got) != w {
						t.Errorf("%v %v%v is %x, want %x", k, from, to, got, w)
					}
				}
			}
		}
	}
}

// The slots are those of package pieces.
func TestBases(t *testing.T) {
	for slot, b := range base {
		if m := MeaningOf(b); m.Class != MoveByte || m.Slot != slot || m.Offset != 0 {
			t.Errorf("slot %d begins with %#x, %v", slot, b, m)
		}
	}
	if base[piecelist.Queen] != codeQueen || base[piecelist.King] != codeKing {
		t.Error("queen or king")
	}
}

func TestSurrogates(t *testing.T) {
	for _, s := range []string{"\xed\xa0\xb4\xed\xb4\xc3\xa9", "\xed\xa0\xc3\xa9", "\xee\xa0\xb4\xed\xb4\x9e",
		"\xed\xa0\xb4\xed\xa0\xb4"} {
		if got, ok := appendUTF8(nil, []byte(s)); ok {
			t.Errorf("%q is read as %q", s, got)
		}
	}
	if got, ok := appendUTF8(nil, []byte("a\xed\x9f\xbf\xed\x80\x80b")); !ok || string(got) != "a\xed\x9f\xbf퀀b" {
		t.Errorf("%q, %v", got, ok)
	}
}
