// SPDX-License-Identifier: Apache-2.0

package brenner_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"ply11/bitstream/brenner"
	"ply11/chess"
	"ply11/game"
	"ply11/game/codec"
	"ply11/internal/codectest"
	"ply11/position"
)

// bits reads bytes written as the document writes them, "001 01 100": white space inside a byte is ignored.
func bits(t testing.TB, s string) []byte {
	t.Helper()
	s = strings.NewReplacer(" ", "", "\n", "", "\t", "").Replace(s)
	if len(s)%8 != 0 {
		t.Fatalf("%d bits are not bytes", len(s))
	}
	b := make([]byte, len(s)/8)
	for i, c := range s {
		b[i/8] = b[i/8]<<1 | byte(c-'0')
	}
	return b
}

// "The Scholar's Mate revisited": the 10 bytes with ?, ? and 1-0, and the 7 without.
func TestScholarsMateRevisited(t *testing.T) {
	ten := bits(t, `001 01 100   001 01 100
		01 100 001   0001 0 111
		1 1 011 01 1 0001 1 110
		00000 110    00000 110
		01 010 011   00000 010`)
	if len(ten) != 10 {
		t.Fatalf("the encoded form has %d bytes, in the document 10", len(ten))
	}
	seven := slices.Concat(ten[:6], ten[8:9])
	g := codectest.Line(t, "", "e4 e5 Qh5 Nc6 Bc4 Nf6 $4 Qxf7#")
	g.Result = game.WhiteWins
	for _, c := range []struct {
		bytes []byte
		nag   bool
		end   game.Result
	}{{ten, true, game.WhiteWins}, {seven, false, game.Unknown}} {
		want := g
		if !c.nag {
			want = codectest.Line(t, "", "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#")
		}
		got, err := brenner.Main.Decode(c.bytes, brenner.Strict())
		if err != nil {
			t.Fatal(err)
		}
		if diff := got.Diff(want); diff != "" {
			t.Errorf("%d bytes: %s", len(c.bytes), diff)
		}
		if got.Result != c.end {
			t.Errorf("%d bytes: result %v", len(c.bytes), got.Result)
		}
		encoded, err := brenner.Main.Encode(want)
		if err != nil || !bytes.Equal(encoded, c.bytes) {
			t.Errorf("encoded %08b, want %08b (%v)", encoded, c.bytes, err)
		}
	}
}

// "An example of an encoded half-move is 00110011, which means that Queen's Pawn captures to its right."
func TestQueensPawnCapturesToItsRight(t *testing.T) {
	m := brenner.Main.Meaning(0b00110011)
	if m.Class != brenner.MoveByte || m.Kind != chess.Pawn || m.Number != 3 || m.Pawn != brenner.TakeRight ||
		m.Fields != "001 10 011" {
		t.Errorf("00110011 is %v, fields %s", m, m.Fields)
	}
	g := codectest.Line(t, "", "d4 e5 dxe5")
	b, err := brenner.Main.Encode(g)
	if err != nil || b[2] != 0b00110011 {
		t.Errorf("dxe5 is %08b, %v", b, err)
	}
}

// "More examples": the Queen's Bishop two squares NE, the King's Knight to its NNE, a draw.
func TestMoreExamples(t *testing.T) {
	for _, c := range []struct{ bits, want string }{
		{"1 0 010 00 1", "bishop #0, 2 squares NE"},
		{"0001 1 010", "knight #1, NNE"},
		{"00000 011", ".5-.5"},
	} {
		if got := brenner.Main.Meaning(bits(t, c.bits)[0]); got.String() != c.want {
			t.Errorf("%s is %q, want %q", c.bits, got, c.want)
		}
	}
	// And played: the pawns out of the way, Ng1-h3 is NNE, Bc1-e3 two squares NE.
	g := codectest.Line(t, "", "d4 d5 Be3 e6 Nh3")
	g.Result = game.Draw
	b, err := brenner.Main.Encode(g)
	want := bits(t, "001 01 011 001 01 011  1 0 010 00 1  001 00 100  0001 1 010  00000 011")
	if err != nil || !bytes.Equal(b, want) {
		t.Errorf("%08b, want %08b (%v)", b, want, err)
	}
}

// unknownResult is the byte of a layout for the result *, or 0.
func unknownResult(l brenner.Layout) uint8 {
	for b := range 256 {
		if l.Meaning(uint8(b)).Class == brenner.UnknownResult {
			return uint8(b)
		}
	}
	return 0
}

// "Bit fields are interpreted as integers": the tables of the document, byte for byte, for each layout.
func TestTables(t *testing.T) {
	sliders := map[brenner.Layout][3]string{ // queen, rook, bishop; n number of squares, d direction, w which
		brenner.Main:       {"01nnnddd", "1wnnndd0", "1wnnndd1"},
		brenner.Alt:        {"11dddnnn", "10ddwnnn", "01ddwnnn"},
		brenner.AltSwapped: {"11nnnddd", "10nnnwdd", "01nnnwdd"},
		brenner.AltFixed:   {"11dddnnn", "10wddnnn", "01wddnnn"},
	}
	prefixes := map[brenner.Layout][4]string{ // queen, knight, rook, bishop; d the number
		brenner.Main:       {"01000dd0", "01000dd1", "10000dd0", "10000dd1"},
		brenner.Alt:        {"11dd0000", "11dd1000", "10dd0000", "01dd0000"},
		brenner.AltSwapped: {"11000dd0", "11000dd1", "100000dd", "010000dd"},
		brenner.AltFixed:   {"11dd0000", "11dd1000", "100dd000", "010dd000"},
	}
	compass := strings.Fields("E NE N NW W SW S SE")
	straight := strings.Fields("E N W S")
	diagonal := strings.Fields("NE NW SW SE")
	knight := strings.Fields("EES EEN NNE NNW WWN WWS SSW SSE")
	pawn := strings.Split("step 1,step 2,take right,take left", ",")
	altPawn := strings.Split("take right,step 1,step 2,take left", ",")
	others := strings.Fields("text 0-1 1-0 .5-.5 O-O O-O-O ? !")
	// fill puts values into a pattern's letters, from the right.
	fill := func(pattern string, n, d, w int) int {
		value := map[byte]int{'n': n, 'd': d, 'w': w}
		b := 0
		for i := 7; i >= 0; i-- {
			switch c := pattern[i]; c {
			case '1':
				b |= 1 << (7 - i)
			case '0':
			default:
				b |= value[c] & 1 << (7 - i)
				value[c] >>= 1
			}
		}
		return b
	}
	for _, l := range brenner.Layouts {
		t.Run(l.String(), func(t *testing.T) {
			if sliders[l][0] == "" || prefixes[l][0] == "" {
				t.Fatal("what the document says of the layout is not in this test")
			}
			if l.String() == "" || unknownResult(l) == 0 {
				t.Errorf("layout %d has the name %q, and the byte %#x for an unknown result", int(l), l,
					unknownResult(l))
			}
			var seen [256]string
			expect := func(b int, format string, args ...any) {
				want := fmt.Sprintf(format, args...)
				if seen[b] != "" {
					t.Errorf("%08b means %q and %q", b, seen[b], want)
				}
				seen[b] = want
				if got := l.Meaning(uint8(b)).String(); got != want {
					t.Errorf("%08b is %q, want %q", b, got, want)
				}
			}
			sq := func(n int) string {
				if n == 1 {
					return "1 square"
				}
				return fmt.Sprint(n, " squares")
			}
			for n := 1; n < 8; n++ {
				for d := range 8 {
					expect(fill(sliders[l][0], n, d, 0), "queen, %s %s", sq(n), compass[d])
				}
				for d := range 4 {
					for w := range 2 {
						expect(fill(sliders[l][1], n, d, w), "rook #%d, %s %s", w, sq(n), straight[d])
						expect(fill(sliders[l][2], n, d, w), "bishop #%d, %s %s", w, sq(n), diagonal[d])
					}
				}
			}
			for i, kind := range strings.Fields("queen knight rook bishop") {
				for d := range 4 {
					expect(fill(prefixes[l][i], 0, d, 0), "%s #%d moves next", kind, d)
				}
			}
			mm := pawn
			if l != brenner.Main {
				mm = altPawn
			}
			for d := range 4 {
				for w := range 8 {
					expect(fill("001ddwww", 0, d, w), "pawn #%d, %s", w, mm[d])
				}
			}
			for d := range 8 {
				for w := range 2 {
					expect(fill("0001wddd", 0, d, w), "knight #%d, %s", w, knight[d])
				}
				expect(fill("00001ddd", 0, d, 0), "king, %s", compass[d])
				expect(fill("00000ddd", 0, d, 0), "%s", others[d])
			}
			// "248 of the 256 possible byte patterns are utilized."
			var unused []string
			for b := range 256 {
				if seen[b] == "" {
					unused = append(unused, fmt.Sprintf("%08b", b))
				}
			}
			want := map[brenner.Layout]string{ // "of the format: 11 000 mmm"; "10dd1000 and 01dd1000"
				brenner.Main:       "11000000 11000001 11000010 11000011 11000100 11000101 11000110 11000111",
				brenner.Alt:        "01001000 01011000 01101000 01111000 10001000 10011000 10101000 10111000",
				brenner.AltSwapped: "01000100 01000101 01000110 01000111 10000100 10000101 10000110 10000111",
				brenner.AltFixed:   "01100000 01101000 01110000 01111000 10100000 10101000 10110000 10111000",
			}[l]
			if got := strings.Join(unused, " "); got != want {
				t.Errorf("unassigned are %s, want %s", got, want)
			}
			for _, s := range unused {
				b := bits(t, s)[0]
				m := l.Meaning(b)
				if b == map[brenner.Layout]uint8{brenner.Main: 0xc0, brenner.Alt: 0x88, brenner.AltSwapped: 0x84,
					brenner.AltFixed: 0xa0}[l] {
					if m.Class != brenner.UnknownResult {
						t.Errorf("%s is %v, want the extension for an unknown result", s, m)
					}
				} else if m.Class != brenner.Unassigned {
					t.Errorf("%s is %v, want unassigned", s, m)
				}
			}
		})
	}
}

// "We select compass directions from the normal printed diagram orientation", for both colours; a pawn's right
// and left are its own. "Pieces and pawns are labeled #0, #1, ... from the QR end to the KR end."
func TestDirectionsAndLabels(t *testing.T) {
	for _, c := range []struct{ moves, bits string }{
		// Black's pieces too go by the diagram's compass: Nb8-c6 is SSE, Bf8-c5 three squares SW, Ke8-e7 S.
		{"e4 e5 Nc3 Nc6 Nf3 Bc5 Ke2 Ke7", `00101100 00101100 0001 0 010 0001 0 111 0001 1 011 1 1 011 10 1
			00001 010 00001 110`},
		// Black's right is toward the a-file: d5xc4 takes right, d5xe4 takes left.
		{"c4 d5 a3 dxc4", "00101010 00101011 00100000 001 10 011"},
		{"e4 d5 a3 dxe4", "00101100 00101011 00100000 001 11 011"},
		// White's is toward the h-file.
		{"e4 d5 exd5", "00101100 00101011 001 11 100"},
		{"e4 f5 exf5", "00101100 00101101 001 10 100"},
		// En passant, by White and by Black.
		{"e4 a6 e5 d5 exd6", "00101100 00100000 00100100 00101011 001 11 100"},
		{"a3 d5 a4 d4 e4 dxe3", "00100000 00101011 00100000 00100011 00101100 001 11 011"},
		// A pawn keeps the number of the file it started on.
		{"e4 d5 exd5 c6 dxc6 a6 cxb7", "00101100 00101011 00111100 00100010 00111100 00100000 001 11 100"},
		// Rooks: #1 castles, and moves on as #1. O-O, O-O-O.
		{"e4 e5 Nf3 Nf6 Bc4 Bc5 O-O O-O Re1", `00101100 00101100 00011011 00011110 11011011 11011101 00000 100
			00000 100 1 1 001 10 0`},
		{"d4 d5 Nc3 Nc6 Bf4 Bf5 Qd3 Qd6 O-O-O O-O-O", `00101011 00101011 00010010 00010111 1 0 011 00 1
			1 0 011 11 1 01 010 010 01 010 110 00000 101 00000 101`},
		// A queen to the right edge and back, a rook up the board.
		{"h4 d5 Rh3 Qd6 Ra3", "00101111 00101011 1 1 010 01 0 01 010 110 1 1 111 10 0"},
	} {
		want := bits(t, c.bits)
		g := codectest.Line(t, "", c.moves)
		got, err := brenner.Main.Encode(g)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: encoded\n%08b, want\n%08b (%v)", c.moves, got, want, err)
			continue
		}
		back, err := brenner.Main.Decode(want)
		if err != nil {
			t.Errorf("%s: %v", c.moves, err)
		} else if diff := back.Diff(g); diff != "" {
			t.Errorf("%s: %s", c.moves, diff)
		}
	}
}

// promotions is a game in which White makes a second and a third queen, a knight and a rook.
const promotions = `a4 b5 axb5 a6 bxa6 Bb7 axb7 Nc6 bxa8=Q g5 h4 gxh4 g3 hxg3 Qxd8+ Kxd8 fxg3 h5 g4 hxg4 Rh5 g3
	Rg5 g2 b4 gxf1=N b5 Ng3 b6 f5 b7 d5 b8=R+ Kd7`

// "When the nnn field is 0, there is a special meaning": the table of promoted pieces. "Such a byte will precede a
// normal byte for a piece of that type. If preceding a pawn move, these bytes indicate pawn promotion."
func TestPromotedPieces(t *testing.T) {
	g := codectest.Line(t, "", promotions)
	got, err := brenner.Main.Encode(g)
	if err != nil {
		t.Fatal(err)
	}
	// bxa8=Q: the prefix of queen #1, then pawn #0 (it began on the a-file) takes left.
	for _, want := range []string{
		"01 000 01 0 001 11 000", // bxa8=Q, queen #1
		"01 000 01 0 01 011 000", // Qa8xd8, queen #1, three squares E
		"01 000 10 1 001 10 111", // gxf1=N, the h-pawn takes to its right; the number above the two starting
		"01 000 10 1 0001 0 010", // its move, w = 0, NNE
		"10 000 10 0 001 00 001", // b8=R, pawn #1, rook #2
	} {
		if !bytes.Contains(got, bits(t, want)) {
			t.Errorf("%08b does not contain %s", got, want)
		}
	}
	for _, l := range brenner.Layouts {
		b, err := l.Encode(g)
		if err != nil || len(b) != len(got) {
			t.Fatalf("%v: %d bytes, %v", l, len(b), err)
		}
		back, err := l.Decode(b)
		if err != nil {
			t.Fatalf("%v: %v", l, err)
		}
		if diff := back.Diff(g); diff != "" {
			t.Errorf("%v: %s", l, diff)
		}
	}
}

// "A reader takes a prefix for #0 and #1 too; after a prefix, the w of the next byte is ignored on reading."
func TestPrefixOfStartingPieces(t *testing.T) {
	for _, c := range []struct{ bits, san string }{
		{"01 000 01 1 0001 0 011", "Nf3"}, // knight #1 by prefix, w = 0
		{"01 000 01 1 0001 1 011", "Nf3"},
		{"01 000 00 1 0001 1 010", "Nc3"}, // knight #0 by prefix, w = 1
	} {
		g, err := brenner.Main.Decode(bits(t, c.bits))
		if err != nil {
			t.Errorf("%s: %v", c.bits, err)
			continue
		}
		if want := codectest.Line(t, "", c.san); g.Diff(want) != "" {
			t.Errorf("%s: %s", c.bits, g.Diff(want))
		}
		// Written without it.
		if b, _ := brenner.Main.Encode(g); len(b) != 1 {
			t.Errorf("%s is written as %08b", c.san, b)
		}
	}
}

// "The writer takes the lowest number not held by a living piece, looking first above the starting pieces, then among
// the captured starting pieces."
func TestNumbersOfPromotedPieces(t *testing.T) {
	g := codectest.Line(t, "",
		`a4 b5 axb5 Nf6 b6 Ng8 bxa7 Nf6 axb8=Q Ng8 b4 Nf6 b5 Ng8 b6 Nf6 bxc7 Ng8 cxd8=Q+ Kxd8 Qa7 Nf6 c4 Ng8 c5 Nf6 c6 Ng8
		cxd7 Nf6 dxc8=Q+ Rxc8 d4 Ng8 d5 Nf6 d6 Ng8 dxe7+ Ke8 exf8=Q+ Kxf8`)
	b, err := brenner.Main.Encode(g)
	if err != nil {
		t.Fatal(err)
	}
	// axb8=Q is #1; cxd8=Q would be #2 and is taken at once; dxc8=Q is #2 again, and exf8=Q too.
	for i, want := range []string{"01 000 01 0 001 10 000", "01 000 10 0 001 10 001", "01 000 10 0 001 11 010",
		"01 000 10 0 001 10 011"} {
		if !bytes.Contains(b, bits(t, want)) {
			t.Errorf("promotion %d: no %s in %08b", i+1, want, b)
		}
	}
}

// A promoted piece's number taken from a captured starting piece is written and read without a prefix.
func TestNumberOfACapturedPiece(t *testing.T) {
	for _, l := range brenner.Layouts {
		g := codectest.Line(t, "", captured)
		b, err := l.Encode(g)
		if err != nil {
			t.Fatal(err)
		}
		if l == brenner.Main {
			// gxh8=Q is #0: the h-pawn takes right; then Ng8-f6, and Qh8xh7, one square S.
			want := bits(t, "01 000 00 0 001 10 111 0001 1 110 01 001 110")
			if !bytes.Contains(b, want[:2]) || !bytes.Contains(b, want[3:]) {
				t.Errorf("no %08b in %08b", want, b)
			}
		}
		back, err := l.Decode(b)
		if err != nil {
			t.Fatalf("%v: %v", l, err)
		}
		if diff := back.Diff(g); diff != "" {
			t.Errorf("%v: %s", l, diff)
		}
	}
}

// captured is a game in which White has lost its queen, makes four, and moves the fourth, which is #0.
const captured = `e4 d5 Qg4 Bxg4 exd5 c6 dxc6 Na6 cxb7 Nc7 bxa8=Q Bc8 Qxa7 Nf6 a4 Ng8 a5 Nf6 a6 Ng8 Qb8 Nf6 a7 Ng8 a8=Q Nf6
	b4 Ng8 b5 Nf6 b6 Ng8 b7 Nf6 bxc8=Q Ng8 h4 Nf6 h5 Ng8 h6 Nf6 hxg7 Ng8 gxh8=Q Nf6 Qxh7 Ng8`

// Text: "Before the moves begin, strings can be inserted to give the White player's name, ..."; "Each such string
// will begin with a unique identifying byte"; "Following moves, a text string is a comment".
func TestText(t *testing.T) {
	g := codectest.Line(t, "", "e4 $1 {best_by_test} e5 {j'adoube} {and_more} Nf3")
	for _, tag := range []game.Tag{{Name: "Event", Value: "Match"}, {Name: "Site", Value: "London"},
		{Name: "Date", Value: "1851.??.??"},
		{Name: "White", Value: "Anderssen"}, {Name: "Black", Value: "Kieseritzky"},
		{Name: "Opening", Value: "King's Gambit"}} {
		g.AddTag(tag.Name, tag.Value)
	}
	g.Result = game.BlackWins
	for _, l := range brenner.Layouts {
		want := "\x00WAnderssen\x00\x00BKieseritzky\x00\x00D1851.??.??\x00\x00LLondon\x00\x00TMatch\x00\x00VKing's " +
			"Gambit\x00"
		e4 := byte(0b001_01_100)
		if l != brenner.Main {
			e4 = 0b001_10_100
		}
		nf3 := byte(0b0001_1_011)
		want += string(e4) + "\x07\x00best by test\x00" + string(e4) + "\x00j'adoube\x00\x00and more\x00" +
			string(nf3) + "\x01"
		b, err := l.Encode(g)
		if err != nil || string(b) != want {
			t.Fatalf("%v: %q, want %q (%v)", l, b, want, err)
		}
		back, err := l.Decode(b)
		if err != nil {
			t.Fatal(err)
		}
		if diff := back.Diff(g); diff != "" {
			t.Errorf("%v: %s", l, diff)
		}
	}
	// Before the moves, an unknown first byte makes the text a comment before move 1, amid the tags, in any order.
	back, err := brenner.Main.Decode([]byte("\x00Odds of a pawn\x00\x00LHere\x00\x00WNobody\x00\x00W?\x00\x2c"))
	if err != nil {
		t.Fatal(err)
	}
	want := game.New()
	var builder game.Builder
	builder.Reset(want)
	builder.Comment("Odds of a pawn")
	codectest.Extend(t, want, "e4")
	want.AddTag("Site", "Here")
	want.AddTag("White", "Nobody")
	if diff := back.Diff(want); diff != "" {
		t.Error(diff)
	}
	b, err := brenner.Main.Encode(back)
	if err != nil || string(b) != "\x00WNobody\x00\x00LHere\x00\x00Odds of a pawn\x00\x2c" {
		t.Errorf("%q, %v", b, err)
	}
}

// Glyphs: "$2 = ?, $1 = !, !! $3, ?? $4, !? $5, ?! $6"; they come first, then text, then the result.
func TestGlyphs(t *testing.T) {
	for nag, want := range []string{1: "\x07", 2: "\x06", 3: "\x07\x07", 4: "\x06\x06", 5: "\x07\x06", 6: "\x06\x07"} {
		if nag == 0 {
			continue
		}
		g := codectest.Line(t, "", fmt.Sprintf("e4 {text} $%d", nag))
		g.Result = game.Draw
		b, err := brenner.Main.Encode(g)
		if err != nil || string(b) != "\x2c"+want+"\x00text\x00\x03" {
			t.Errorf("$%d: %q (%v)", nag, b, err)
		}
		back, err := brenner.Main.Decode(b)
		if err != nil || back.Diff(func() *game.Game {
			g := codectest.Line(t, "", fmt.Sprintf("e4 $%d {text}", nag))
			g.Result = game.Draw
			return g
		}()) != "" {
			t.Errorf("$%d: %v", nag, err)
		}
	}
}

// "The game ends with 0-1, 1-0 or .5-.5; what follows belongs to the next game." A result * is written by the
// extension where another game follows.
func TestSeveralGames(t *testing.T) {
	for _, l := range brenner.Layouts {
		var games []*game.Game
		for _, r := range []game.Result{game.WhiteWins, game.Unknown, game.Draw, game.Unknown, game.BlackWins,
			game.Unknown} {
			g := codectest.Line(t, "", "e4 e5 Nf3 {text}")
			g.AddTag("White", "A")
			g.Result = r
			games = append(games, g)
		}
		games[3] = game.New() // nothing at all, and another after it
		var file bytes.Buffer
		w := brenner.NewWriter(&file, l)
		var want []byte
		for i, g := range games {
			if err := w.Write(g); err != nil {
				t.Fatal(err)
			}
			b, _ := l.Encode(g)
			want = append(want, b...)
			if g.Result == game.Unknown && i < len(games)-1 {
				want = append(want, unknownResult(l))
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(file.Bytes(), want) {
			t.Errorf("%v: %x, want %x", l, file.Bytes(), want)
		}
		n := 0
		for g, err := range brenner.NewReader(bytes.NewReader(file.Bytes()), l).All() {
			if err != nil {
				t.Fatal(err)
			}
			if diff := g.Diff(games[n]); diff != "" {
				t.Errorf("%v, game %d: %s", l, n+1, diff)
			}
			n++
		}
		if n != len(games) {
			t.Errorf("%v: %d games, want %d", l, n, len(games))
		}
		// Strict reading refuses the extension, and reads the rest of the file.
		var failed []int
		n = 0
		for _, err := range brenner.NewReader(bytes.NewReader(file.Bytes()), l, brenner.Strict()).All() {
			if n++; err != nil {
				failed = append(failed, n)
				if !errors.Is(err, codec.ErrReserved) {
					t.Error(err)
				}
			}
		}
		if !slices.Equal(failed, []int{2, 4}) || n != 6 {
			t.Errorf("%v: strictly, games %v of %d are refused, want 2 and 4 of 6", l, failed, n)
		}
	}
	// A file of one game of nothing is not a file of no game.
	var file bytes.Buffer
	w := brenner.NewWriter(&file, brenner.Main)
	w.Write(game.New())
	w.Close()
	if !bytes.Equal(file.Bytes(), []byte{0xc0}) {
		t.Errorf("an empty game is %x", file.Bytes())
	}
}

// "It cannot hold variations, other tags, other NAGs, set-up positions or null moves. Encoding such a game is
// refused by default, naming each thing that would be lost; with the option to drop them, they are
// dropped and reported."
func TestLosses(t *testing.T) {
	queens5 := codectest.Line(t, "", captured+" g4 Nf6 g5 Ng8 g6 Nf6 g7 Ng8 gxf8=Q+ Kxf8")
	fen, err := position.ParseFEN("7k/3P4/7K/8/8/8/8/8 w - - 6 55")
	if err != nil {
		t.Fatal(err)
	}
	setup := game.New()
	setup.SetStart(fen)
	codectest.Extend(t, setup, "d8=Q#")
	before := game.New()
	var b game.Builder
	b.Reset(before)
	b.Comment("White is a pawn up")
	b.Comment("")
	b.NAG(3)
	b.Comment("n\x00l")
	codectest.Extend(t, before, "e4")
	tags := codectest.Line(t, "", "e4")
	for _, tag := range []game.Tag{{Name: "Event", Value: "?"}, {Name: "Round", Value: "?"},
		{Name: "Date", Value: "????.??.??"},
		{Name: "White", Value: "A\x00B"}, {Name: "Result", Value: "*"}, {Name: "ECO", Value: "B00"},
		{Name: "Round", Value: "3"},
		{Name: "FEN", Value: "x"}} {
		tags.AddTag(tag.Name, tag.Value)
	}
	for _, c := range []struct {
		name  string
		g     *game.Game
		want  []string
		bytes int
	}{
		{"variations", codectest.Line(t, "", "e4 ( d4 ( c4 ) d5 {lost} ) e5 ( c5 )"),
			[]string{"variation at ply 1", "variation at ply 2"}, 2},
		{"NAGs", codectest.Line(t, "", "e4 $1 $2 e5 $14 $0 $7"), []string{"NAG $2 at ply 1", "NAG $14 at ply 2",
			"NAG $0 at ply 2", "NAG $7 at ply 2"}, 3},
		{"null move", codectest.Line(t, "", "e4 -- d4 d5 {lost}"), []string{"null move at ply 2 and what follows it"},
			1},
		{"set-up", setup, []string{"tag SetUp", "tag FEN", "start position and all moves"}, 0},
		{"before the moves", before, []string{"comment before the moves that begins with W",
			"empty comment before the moves",
			"NAG $3 before the moves", "comment with a NUL at ply 0"}, 1},
		{"tags", tags, []string{"tag White with a NUL or without UTF-8", "tag ECO", "tag Round"}, 1},
		{"fifth queen", queens5, []string{"fifth white queen at ply 57 and what follows it"}, 62},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, err := brenner.Main.Encode(c.g)
			var loss *codec.LossError
			if !errors.As(err, &loss) || !errors.Is(err, codec.ErrLoss) || !slices.Equal(loss.Names, c.want) {
				t.Fatalf("losses are %v, want %q", err, c.want)
			}
			if len(b) != c.bytes {
				t.Errorf("lossy: %d bytes (%x), want %d", len(b), b, c.bytes)
			}
			if _, err := brenner.Main.Decode(b); err != nil {
				t.Errorf("what was written is not read: %v", err)
			}
		})
	}
}

// Bad input: "an error with offset, game and ply; the rest of the file is still read".
func TestErrors(t *testing.T) {
	good := bits(t, "00101100 00101100 00000001") // e4 e5 0-1
	for _, c := range []struct {
		name, bits string
		err        error
		offset     int64
		ply        int
	}{
		{"unassigned", "00101100 11000001", codec.ErrReserved, 1, 2},
		{"off the board", "00001 110", codec.ErrOffBoard, 0, 1},
		{"own piece", "00001 010", codec.ErrOwnPiece, 0, 1},
		{"queen #1 that is not", "01 000 01 0 01 001 010", codec.ErrNoPiece, 0, 1},
		{"pawn taken", "00101100 00101011 00111100 00101011", codec.ErrNoPiece, 3, 4}, // e4 d5 exd5, d-pawn
		{"through pieces", "1 0 010 01 0", position.ErrIllegal, 0, 1},                 // Ra1-a3
		{"pawn takes nobody", "001 10 000", codec.ErrNothingToTake, 0, 1},
		{"castling through pieces", "00000 100", codec.ErrCastling, 0, 1},
		{"castling through pieces, black", "00101100 00101100 00001010 00000 100 00000 100", codec.ErrCastling, 3, 4},
		{"castling away from home", "00101100 00101100 00001010 00100000 00000 100", codec.ErrCastling, 4, 5},
		{"prefix and other piece", "10 000 00 0 0001 0 010", codec.ErrGrammar, 0, 1},
		{"prefix and text", "10 000 00 0 00000000 00000000", codec.ErrGrammar, 0, 1},
		{"prefix and a result", "10 000 00 0 00000 010", codec.ErrGrammar, 0, 1},
		{"prefix elsewhere", "01 000 01 0 001 00 000", codec.ErrPromotion, 0, 1},
		{"living number", "01 000 00 0 001 00 000", codec.ErrNumberTaken, 0, 1},
		{"glyph first", "00000 110", codec.ErrGrammar, 0, 0},
		{"three glyphs", "00101100 00000 110 00000 110 00000 110", codec.ErrGrammar, 1, 1},
		{"glyph after text", "00101100 00000000 01000001 00000000 00000 111", codec.ErrGrammar, 4, 1},
		{"empty before moves", "00000000 00000000", codec.ErrText, 0, 0},
		{"not UTF-8", "00101100 00000000 11111111 00000000", codec.ErrText, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			bad := bits(t, c.bits)
			file := slices.Concat(good, bad, []byte{0b00000010}, good)
			n := 0
			for g, err := range brenner.NewReader(bytes.NewReader(file), brenner.Main).All() {
				n++
				var e *codec.Error
				switch {
				case n != 2 && c.name != "prefix and a result":
					if err != nil || g.Len() != 2 {
						t.Errorf("game %d: %v", n, err)
					}
				case n == 2:
					if !errors.Is(err, c.err) || !errors.As(err, &e) {
						t.Fatalf("%v, want %v", err, c.err)
					}
					if e.Offset != 3+c.offset || e.Ply != c.ply || e.Game != 2 {
						t.Errorf("%v: offset %d, ply %d, game %d; want %d, %d, 2", err, e.Offset, e.Ply, e.Game,
							3+c.offset, c.ply)
					}
					if g.Len() != max(c.ply-1, 0) && c.ply > 0 && !errors.Is(err, codec.ErrGrammar) &&
						!errors.Is(err, codec.ErrText) {
						t.Errorf("%d plies came with the error, want %d", g.Len(), c.ply-1)
					}
				}
			}
			if n < 3 {
				t.Errorf("%d games, want 3", n)
			}
		})
	}
	// A pawn on its last rank without a prefix.
	g := codectest.Line(t, "", "a4 b5 axb5 a6 bxa6 Bb7 axb7 Nc6 bxa8=Q")
	b, _ := brenner.Main.Encode(g)
	b = slices.Delete(b, len(b)-2, len(b)-1)
	if _, err := brenner.Main.Decode(b); !errors.Is(err, codec.ErrPromotion) {
		t.Errorf("no prefix: %v", err)
	}
	// Text that does not end; a single game with another after it; a prefix at the end.
	for s, want := range map[string]error{"\x2c\x00text": codec.ErrTruncated, "\x2c\x03\x2c": codec.ErrGrammar,
		"\x2c\x80": codec.ErrTruncated} {
		if _, err := brenner.Main.Decode([]byte(s)); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", s, err, want)
		}
	}
}
