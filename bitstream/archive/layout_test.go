// SPDX-License-Identifier: Apache-2.0

package archive_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"testing"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/game/pgn"
)

// layoutVector is a game and the text that a layout makes of it, for a rule of docs/FORMAT.md that can be misread.
type layoutVector struct {
	Rule    string `json:"rule"`
	Layout  string `json:"layout"` // the eight bytes of a block's header, in hexadecimal
	PGN     string `json:"pgn"`
	Text    string `json:"text"` // in ISO 8859-1, each character stands for the byte of its number
	Misread string `json:"misread"`
}

const layoutFile = "../../docs/vectors/layout.json"

// layouts are the vectors, without what is made.
func layouts() []layoutVector {
	v := func(rule string, s pgn.Style, text, misread string) layoutVector {
		b := archive.EncodeStyle(&s)
		return layoutVector{Rule: rule, Layout: hex.EncodeToString(b[:]), PGN: text, Misread: misread}
	}
	const both = pgn.Space | pgn.Break
	line := pgn.Style{Width: 20, Number: both}
	bare := pgn.Style{Width: 20, Number: pgn.Break}
	glued := pgn.Style{Width: 20, Number: pgn.Space}
	with := func(s pgn.Style, change func(*pgn.Style)) pgn.Style {
		change(&s)
		return s
	}
	lines := func(rule pgn.LineRule) pgn.Style { return with(glued, func(s *pgn.Style) { s.Lines = rule }) }
	glyphs := with(bare, func(s *pgn.Style) { s.Glyphs = true })
	commas := with(glued, func(s *pgn.Style) { s.Braces, s.ChessBase = pgn.Break, true })
	result := func(rule pgn.ResultRule) pgn.Style { return with(line, func(s *pgn.Style) { s.Result = rule }) }
	roster := pgn.Style{Roster: true}
	latin1 := pgn.Style{Encoding: game.Latin1}
	return []layoutVector{
		v("no line ends before %", glued, "1. e4 {abcdefghijkl %z y} *", "1. e4 {abcdefghijkl\n%z y} *\n"),
		v("no line ends at a space beside another", glued, "1. e4 {abcdefghijk  mno p} *",
			"1. e4 {abcdefghijk \nmno p} *\n"),
		v("no line ends after a comma in a command", glued, "1. e4 {[%cal Ga1a2, Gb1b2] x, y} *",
			"1. e4 {[%cal Ga1a2,\nGb1b2] x, y} *\n"),
		v("no line ends before ; which is measured with what stands before it", glued,
			"1. e4 e5 2. Nf3 ;a}b\n2... Nc6 *", "1. e4 e5 2. Nf3 ; a}b\n2... Nc6 *\n"),
		v("a ) after ; begins the next line", glued, "1. e4 (1. d4 ;a}b\n) e5 (;c}d\n1... c5) *",
			"1. e4 (1. d4 ; a}b)\n1... e5 (; c}d\n1... c5) *\n"),
		v("a ! is measured with its move", glyphs, "1. e4 e5 2. f4 d6 3. d4! d5 *", "1.e4 e5 2.f4 d6 3.d4!\nd5 *\n"),
		v("a ) without a joint is measured with what stands before it", bare, "1. e4 e5 (1... c5 2. f4) 2. Nf3 *",
			"1.e4 e5 (1...c5 2.f4)\n2.Nf3 *\n"),
		v("a ( without a joint goes to the next line with what follows", with(line,
			func(s *pgn.Style) { s.Parens = pgn.Break }), "1. e4 e5 2. Nf3 (2. f4) Nc6 (2... d6) *",
			"1. e4 e5 2. Nf3\n(2. f4) 2... Nc6\n(2... d6) *\n"),
		v("a comment behind ( has joint 3 for 2", with(line, func(s *pgn.Style) { s.Parens = pgn.Break }),
			"1. e4 e5 ({a} 1... d5) *", "1. e4 e5 ({a} 1...\nd5) *\n"),
		v("a space stays at the end of a line if it fits there", lines(pgn.SpaceAfterWords),
			"1. e4 e5 2. Nf3 Nc6 (2... d6) *", "1. e4 e5 2. Nf3 Nc6\n(2... d6) *\n"),
		v("a space that does not fit is a line end", lines(pgn.SpaceAfterWords), "1. e4 {abcdefghijkl} 1... e5 *",
			"1. e4 {abcdefghijkl} \n1... e5 *\n"),
		v("lines end before plies alone", lines(pgn.FitPlies), "1. e4 {abcdef ghijkl} e5 {m} 2. Nf3 *",
			"1. e4 {abcdef\nghijkl} 1... e5 {m}\n2. Nf3 *\n"),
		v("lines end before White's numbers alone", lines(pgn.FitPairs), "1. e4 e5 2. Nf3 Nc6 3. Bb5 {a} a6 *",
			"1. e4 e5 2. Nf3 Nc6\n3. Bb5 {a} 3... a6\n*\n"),
		v("a line ends behind the pair that reaches the width", lines(pgn.FillPairs), "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *",
			"1. e4 e5 2. Nf3 Nc6\n3. Bb5 a6 *\n"),
		v("two spaces and a result are not measured", result(pgn.ResultTwoSpaces), "1. e4 e5 2. Nf3 Nc6 *",
			"1. e4 e5 2. Nf3 Nc6\n*\n"),
		v("one space and a result are not measured", result(pgn.ResultSpace), "1. e4 e5 2. Nf3 Nc6 *",
			"1. e4 e5 2. Nf3 Nc6\n*\n"),
		v("the last comment and the result begin a line", result(pgn.ResultLine), "1. e4 {a} e5 {b} *",
			"1. e4 {a} 1... e5\n{b}\n*\n"),
		v("a result without a comment begins a line", result(pgn.ResultLine), "1. e4 {a} e5 *",
			"1. e4\n{a} 1... e5 *\n"),
		v("line ends follow each comment before the first move", with(lines(pgn.SpaceAfterWords),
			func(s *pgn.Style) { s.FirstBreaks = 1 }), "{a} {b} 1. e4 {c} e5 *", "{a} {b} \n1. e4 {c} 1... e5 *\n"),
		v("a word of a comment is measured with the character after it", commas, "1. e4 {abcdefgh ijkl mn} *",
			"1. e4 {abcdefgh ijkl\nmn} *\n"),
		v("a line may end after a comma in a word", commas, "1. e4 {[%cal Ga1a2,Gb1b2]} *",
			"1. e4 {[%cal\nGa1a2,Gb1b2]} *\n"),
		v("the width counts characters", glued, "1. e4 {\u00e9\u00e9\u00e9\u00e9\u00e9 abcdef} *",
			"1. e4 {\u00e9\u00e9\u00e9\u00e9\u00e9\nabcdef} *\n"),
		v("or bytes", with(glued, func(s *pgn.Style) { s.Bytes = true }),
			"1. e4 {\u00e9\u00e9\u00e9\u00e9\u00e9 abcdef} *",
			"1. e4 {\u00e9\u00e9\u00e9\u00e9\u00e9 abcdef}\n*\n"),
		v("of the text in ISO 8859-1", with(glued, func(s *pgn.Style) { s.Bytes, s.Encoding = true, game.Latin1 }),
			"1. e4 {\u00e9\u00e9\u00e9\u00e9\u00e9 abcdef} *", "1. e4 {\u00e9\u00e9\u00e9\u00e9\u00e9\nabcdef} *\n"),
		v("what is longer than the width has its own line", line, "1. e4 {abcdefghijklmnopqrstuvwxyz} e5 *",
			"1. e4 {abcdefghijklmnopqrstuvwxyz} 1... e5 *\n"),
		v("the roster's defaults, and the order of other tags", roster,
			"[Zz \"1\"]\n[White \"W\"]\n[Aa \"2\"]\n[White \"again\"]\n[Aa \"1\"]\n\n1. e4 1-0",
			"[Event \"\"]\n[Site \"\"]\n[Date \"?\"]\n[Round \"\"]\n[White \"W\"]\n[Black \"\"]\n[Result \"*\"]\n[Aa "+
				"\"1\"]\n[Aa \"2\"]\n[White \"again\"]\n[Zz \"1\"]\n1.e4 1-0\n"),
		v("SetUp and FEN that are added go after all other tags", pgn.Style{},
			"[Zz \"1\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[Aa \"2\"]\n\n1. e3 *",
			"[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[Zz \"1\"]\n[Aa \"2\"]\n1.e3 *\n"),
		v("a roster sorts them in among the others", roster,
			"[Zz \"1\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[Aa \"2\"]\n\n1. e3 *",
			"[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black "+
				"\"?\"]\n[Result \"*\"]\n[Aa \"2\"]\n[Zz \"1\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 "+
				"1\"]\n1.e3 *\n"),
		v("a character that ISO 8859-1 does not have is ?", latin1, "[White \"\u00e9 \u0141\"]\n\n1. e4 *",
			"[White \"\u00e9 L\"]\n1.e4 *\n"),
	}
}

// TestLayoutVectors makes the texts. Games whose tags SetUp and FEN are to be added have none.
func TestLayoutVectors(t *testing.T) {
	list := layouts()
	for i := range list {
		x := &list[i]
		b, err := hex.DecodeString(x.Layout)
		if err != nil {
			t.Fatal(err)
		}
		style, err := archive.DecodeStyle([8]byte(b))
		if err != nil {
			t.Fatal(err)
		}
		g := archive.Parse(t, x.PGN)
		if _, ok := g.LookupTag("FEN"); ok {
			g.DeleteTag("FEN")
			g.DeleteTag("SetUp")
		}
		text, _ := archive.Render(nil, g, &style)
		// in JSON, each byte is the character that it stands for
		if x.Text = string(text); style.Encoding == game.Latin1 {
			runes := make([]rune, len(text))
			for k, c := range text {
				runes[k] = rune(c)
			}
			x.Text = string(runes)
		}
		if x.Text == x.Misread {
			t.Errorf("%s: the misreading makes the same text", x.Rule)
		}
		t.Logf("%s:\n%s---\n%s", x.Rule, x.Text, x.Misread)
	}
	got, err := json.MarshalIndent(list, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	if *archive.Update {
		if err := os.WriteFile(layoutFile, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(layoutFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Fatalf("%s is not what is made: %s", layoutFile, archive.FirstDifference(want, got))
	}
}
