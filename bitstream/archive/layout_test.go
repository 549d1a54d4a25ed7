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
	Text    string `json:"text"` // with bit 12 of the flags, each character stands for the byte of its number
	Misread string `json:"misread"`
}

const layoutFile = "../../docs/vectors/layout.json"

// layouts are the vectors, without what is made.
func layouts() []layoutVector {
	v := func(rule string, s pgn.Style, text, misread string) layoutVector {
		b := archive.EncodeStyle(&s)
		return layoutVector{Rule: rule, Layout: hex.EncodeToString(b[:]), PGN: text, Misread: misread}
	}
	line := pgn.Style{Width: 20, NumberSpace: true, SplitNumber: true}
	bare := pgn.Style{Width: 20, SplitNumber: true}
	glued := pgn.Style{Width: 20, NumberSpace: true}
	wide := glued
	wide.Width = 22
	after := pgn.Style{Width: 20, NumberSpace: true, Break: pgn.BreakAfterSpace}
	glyphs := bare
	glyphs.Glyphs = true
	roster := pgn.Style{Roster: true}
	latin1 := pgn.Style{Encoding: game.Latin1}
	return []layoutVector{
		v("the space before % is written beyond the width", glued, "1. e4 {abcdefghijkl %z y} *",
			"1. e4 {abcdefghijkl\n%z y} *\n"),
		v("a space before another space is written beyond the width, and the word after the second is tested by "+
			"itself", glued, "1. e4 {abcdefghijkl  mno p} *",
			"1. e4 {abcdefghijkl  mno\np} *\n"),
		v("no line is broken before ;", glued, "1. e4 e5 2. Nf3 ;a}b\n2... Nc6 *",
			"1. e4 e5 2. Nf3\n; a}b\n2... Nc6 *\n"),
		v("( is a word of its own before ;, and ) begins the next line", glued,
			"1. e4 (1. d4 ;a}b\n) e5 (;c}d\n1... c5) *",
			"1. e4 (1. d4 ; a}b)\n1... e5 (; c}d\n1... c5) *\n"),
		v("after a number that is a word, the SAN alone must fit, without !", glyphs, "1. e4 e5 2. f4 d6 3. d4! d5 *",
			"1.e4 e5 2.f4 d6 3.\nd4! d5 *\n"),
		v("after a number that is a word, the SAN alone must fit, without )", bare, "1. e4 e5 (1... c5 2. f4) 2. Nf3 *",
			"1.e4 e5 (1...c5 2.\nf4) 2.Nf3 *\n"),
		v("any other word takes what is put at its end to the next line", wide, "1. e4 e5 2. Nf3 (2. f4) Nc6 *",
			"1. e4 e5 2. Nf3 (2. f4)\n2... Nc6 *\n"),
		v("what follows a space that is always written goes with the last word before it that was tested", wide,
			"1. e4 e5 (1... c5 {ab %z}) 2. Nf3 Nc6 3. d4 *",
			"1. e4 e5 (1... c5 {ab\n%z}) 2. Nf3 Nc6\n3. d4 *\n"),
		v("with bit 13, too, and the space before it stays", after, "1. e4 e5 2. Nf3 Nc6 (2... d6) *",
			"1. e4 e5 2. Nf3 Nc6\n(2... d6) *\n"),
		v("a word that is longer than the width has its own line", line, "1. e4 {abcdefghijklmnopqrstuvwxyz} e5 *",
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
