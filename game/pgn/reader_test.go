// SPDX-License-Identifier: Apache-2.0

package pgn_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"ply11/game"
	"ply11/game/codec"
	"ply11/game/pgn"
	"ply11/internal/bounded"
	"ply11/internal/testenv"
	"ply11/position"
)

// show describes games in one line each, for the tables of tests: the tags, the movetext, the error.
func show(text string, o ...pgn.ReaderOption) string {
	var b strings.Builder
	style := pgn.Style{}
	for g, err := range pgn.NewReader(strings.NewReader(text), o...).All() {
		for _, t := range g.Tags {
			fmt.Fprintf(&b, "%s=%s|", t.Name, t.Value)
		}
		b.Write(pgn.AppendMovetext(nil, g, &style))
		if g.Source.NoTerminator {
			b.WriteString(" (no end)")
		}
		if err != nil {
			fmt.Fprintf(&b, " ! %v", err)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestForgivingReader is what real files hold, and how it is read. The movetext is shown in the zero Style.
func TestForgivingReader(t *testing.T) {
	cases := []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"white space", " \t\r\n\n", ""},
		{"plain", "1. e4 e5 1-0", "1.e4 e5 1-0\n"},
		{"no number", "e4 e5 2 Nf3 *", "1.e4 e5 2.Nf3 *\n"},
		{"no spaces", "1.e4e5 2.Nf3 *", "* ! 1:3: game 1, ply 1: illegal move \"e4e5\""},
		{"no end", "1. e4", "1.e4 * (no end)\n"},
		{"no end, result tag", "[Result \"0-1\"]\n1. e4", "Result=0-1|1.e4 0-1 (no end)\n"},
		{"results", "1-0\n0-1\n1/2-1/2\n*\n1/2\n1:0", "1-0\n0-1\n1/2-1/2\n*\n1/2-1/2\n1-0\n"},
		{"half", "e4 ½-½\ne4 *", "1.e4 1/2-1/2\n1.e4 *\n"},
		{"behind the result, in silence", "1. e4 1-0. 1-0 * !\n* *\n1. d4 1/2-1/2 1. c4 * <br>",
			"1.e4 1-0\n*\n1.d4 1/2-1/2\n1.c4 *\n"},
		{"behind the result", "1. e4 1-0 (forfeit) {x}\n1. d4 * 2. Nf3",
			"1.e4 {x} 1-0 ! 1:11: game 1, ply 2: misplaced element " +
				"\"(forfeit) {x}\", expected the end of the line; the main line is right\n" +
				"1.d4 * ! 2:9: game 2, ply 2: misplaced element \"2. Nf3\", expected the end of the line; the main " +
				"line is right\n"},
		{"behind the result, tags", "e4 0-1 White resigns [A \"1\"] *",
			"1.e4 0-1 ! 1:8: game 1, ply 2: misplaced element " +
				"\"White resigns [A \\\"1\\\"] *\", expected the end of the line; the main line is right\nA=1|*\n"},
		{"results in other words",
			"1/2 - 1/2\n0.5-0.5\n½–½\n1/2–1/2\n1–0\n0–1\n½\n1/2:1/2\n0:0\n1 - 0\n\xbd-\xbd\n0 : 1",
			"1/2-1/2\n1/2-1/2\n1/2-1/2\n1/2-1/2\n1-0\n0-1\n1/2-1/2\n1/2-1/2\n*\n1-0\n1/2-1/2\n0-1\n"},
		{"result of the tag in other words", "[Result \"½–½\"] e4", "Result=½–½|1.e4 1/2-1/2 (no end)\n"},
		{"both have lost", "[Result \"0-0\"] 0-0\n[Result \"0–0\"] e4 e5 Nf3 Nf6 Bc4 Bc5 0-0 {x}\n\n",
			"Result=0-0|*\nResult=0–0|1.e4 e5 2.Nf3 Nf6 3.Bc4 Bc5 {x} *\n"},
		{"castling is no result", "[Result \"0-0\"] e4 e5 Nf3 Nf6 Bc4 Bc5 0-0 0-0 Re1 0-0",
			"Result=0-0|1.e4 e5 2.Nf3 Nf6 3.Bc4 Bc5 4.O-O O-O 5.Re1 *\n"},
		{"castling as the last move", "[Result \"0-0\"] e4 e5 Nf3 Nf6 Bc4 Bc5 4. 0-0",
			"Result=0-0|1.e4 e5 2.Nf3 Nf6 3.Bc4 Bc5 4.O-O * (no end)\n"},
		{"white space of Unicode",
			"\ufeff[A\u00a0\"1\"\u2009]\u00a0\n\u200b[\u3000B \"2\"] " +
				"\u2028\n1.\u00a0e4\u202fe5\u200b\u200e2.\u2003Nf3\u00ad\u0085Nc6\u00a01-0\u00a0\n",
			"A=1|B=2|1.e4 e5 2.Nf3 Nc6 1-0\n"},
		{"white space of Latin-1", "[A \"1\"]\xa0\n1.\xa0e4\xa0e5\x85Nf3\xad\xa0*", "A=1|1.e4 e5 2.Nf3 *\n"},
		{"odd lines among the tags", "[A \"1\"]\n[]\n[B \"2\"]\n[ \"x ] y\"]\n[#]\n[[C \"3\"]\n[D \"4\"]]\n\n1. e4 *",
			"A=1|B=2|C=3|D=4|1.e4 * ! " +
				"2:1: game 1: malformed text \"[]\", expected [Name \"value\"]; the main line is right (and 4 more)\n"},
		{"words that are no moves", "1. e4 TN e5 /diagram/ *\n1. d4 <see diagram 1> ↑ d5 /x/ *",
			"1.e4 $146 e5 $220 *\n" +
				"1.d4 d5 * ! 2:7: game 2, ply 2: misplaced element \"<see diagram 1>\", expected a move; the main " +
				"line is right (and 2 more)\n"},
		{"line ends in comments",
			"1. e4 {[%clk \n0:01] a\t\r\nb\nc} e5 {[%cal Ga1a2,\nGb1b2,\r\nGc1c2, \nGd1d2] x,\ny} *",
			"1.e4 {[%clk 0:01] a b c} 1...e5 {[%cal Ga1a2,Gb1b2,Gc1c2, Gd1d2] x, y} *\n"},
		{"rights that standard chess has not",
			"[Variant \"From Position\"]\n[FEN \"r3k2r/8/8/8/8/8/8/1RR3K1 b KQkq - 0 1\"]\n1... O-O *",
			"Variant=From Position|FEN=r3k2r/8/8/8/8/8/8/1RR3K1 b KQkq - 0 1|1...O-O *\n"},
		{"a control character", "1.\x7fe4 *", "1.e4 *\n"},
		{"a variation that is open behind an error", "1. e4 (1. Qh7 e5 2. Nf3",
			"1.e4 * (no end) ! 1:24: game 1, ply 2: it ends too early, expected ) (and 1 more)\n"},
		{"tags alone", "[A \"1\"]\n[B \"2\"]\n", "A=1|B=2|* (no end)\n"},
		{"tags alone, two games", "[Event \"1\"]\n[B \"2\"]\n\n[Event \"2\"]\n\n[B \"3\"]\n",
			"Event=1|B=2|* (no end)\nEvent=2|B=3|* (no end)\n"},
		{"tags on a line", "[A \"1\"] [B\t\"2\"][C \"3\"] 1. e4 *", "A=1|B=2|C=3|1.e4 *\n"},
		{"duplicate tags", "[A \"1\"]\n[A \"2\"]\n\n*", "A=1|A=2|*\n"},
		{"escapes in tags", `[A "a \"b\" \\ c\d"] *`, `A=a "b" \ c\d|*` + "\n"},
		{"bare quotes in tags", `[A "a "b" c"] *`, `A=a "b" c|*` + "\n"},
		{"backslash at a tag's end", `[A "c:\"] *`, `A=c:\|*` + "\n"},
		{"brackets in tags", `[A "]["] *`, "A=][|*\n"},
		{"space in a tag", `[ A  " 1 " ] *`, "A= 1 |*\n"},
		{"tag without value", "[A]\n[B \"2\"]\n1. e4 *",
			"A=|B=2|1.e4 * ! 1:1: game 1: malformed text \"[A]\", expected [Name \"value\"]; " +
				"the main line is right\n"},
		{"tag without quotes", "[A x y]\n1. e4 *",
			"A=x y|1.e4 * ! 1:1: game 1: malformed text \"[A x y]\", expected [Name \"value\"]; " +
				"the main line is right\n"},
		{"tag without end", "[A \"x\n[B \"2\"]\n1. e4 *",
			"A=x|B=2|1.e4 * ! 1:1: game 1: malformed text \"[A \\\"x\", expected [Name \"value\"]; " +
				"the main line is right\n"},
		{"next game ends this", "[Event \"1\"]\n1. e4\n[Event \"2\"]\n1. d4 *",
			"Event=1|1.e4 * (no end)\nEvent=2|1.d4 *\n"},
		{"no tags, blank line", "1. e4 e5\n\n1. d4 d5", "1.e4 e5 * (no end)\n1.d4 d5 * (no end)\n"},
		{"blank lines in movetext", "1. e4\n\ne5\n\n2. Nf3\n\n*", "1.e4 e5 2.Nf3 *\n"},
		{"escaped lines", "%x\n[A \"1\"]\n% [B \"2\"]\n\n1. e4\n%e5\ne6 *\n%", "A=1|1.e4 e6 *\n"},
		{"cr", "[A \"1\"]\r\r1. e4 ; c\re5 *\r", "A=1|1.e4 {c} 1...e5 *\n"},
		{"crlf", "[A \"1\"]\r\n\r\n1. e4 {a\r\nb} e5\r\n*\r\n", "A=1|1.e4 {a b} 1...e5 *\n"},
		{"bom", "\ufeff[A \"1\"]\n*\n\ufeff[A \"2\"]\n*", "A=1|*\nA=2|*\n"},
		{"comments", "{a} 1. {b} e4 {c} {d} e5 ; e\n *", "{a} {b} 1.e4 {c} {d} 1...e5 {e} *\n"},
		{"comment before the tags", "{a} [A \"1\"] {b} 1. e4 *", "A=1|{a} {b} 1.e4 *\n"},
		{"comment after the end", "1. e4 * {a} ; b\n{c} 1. d4 *", "1.e4 {a} {b} *\n{c} 1.d4 *\n"},
		{"empty comment", "1. e4 {} e5 *", "1.e4 {} 1...e5 *\n"},
		{"nested braces", "1. e4 {a {b} c} e5 *", "1.e4 ; a {b} c\n1...e5 *\n"},
		{"brace in a comment", "1. e4 {a {b} e5 {c} 2. d4 *", "1.e4 ; a {b\n1...e5 {c} 2.d4 *\n"},
		{"tag in a comment", "1. e4 {\n\n[Event \"x\"]\n} e5 *", "1.e4 {[Event \"x\"]} 1...e5 *\n"},
		{"comment without end", "1. e4 {a\n\n[Event \"2\"]\n1. d4 {b} *",
			"1.e4 {a} * (no end) ! 1:7: game 1, ply 2: it ends too early \"{a\", expected }\nEvent=2|1.d4 {b} *\n"},
		{"comment without end at the end", "1. e4 {a",
			"1.e4 {a} * (no end) ! 1:7: game 1, ply 2: it ends too early \"{a\", expected }\n"},
		{"closing brace alone", "1. e4 } e5 *",
			"1.e4 e5 * ! 1:7: game 1, ply 2: misplaced element \"}\", expected a move; " +
				"the main line is right\n"},
		{"variations", "1. e4 (1. d4 d5 (1... Nf6 {x} 2. c4)) (1. c4) e5 *",
			"1.e4 (1.d4 d5 (1...Nf6 {x} 2.c4)) (1.c4) 1...e5 *\n"},
		{"comments in a variation", "1. e4 ({a} 1. d4 {b}) {c} *", "1.e4 ({a} 1.d4 {b}) {c} *\n"},
		{"empty variation", "1. e4 () e5 ({a} $1) *", "1.e4 e5 {a} $1 *\n"},
		{"variation first", "(1. e4) 1. d4 *",
			"1.d4 * ! 1:1: game 1, ply 1: misplaced element \"(\", expected a move that it could replace; " +
				"the main line is right\n"},
		{"variation open", "1. e4 (1. d4 *\n\n[A \"1\"]\n1. c4 *",
			"1.e4 (1.d4) * ! 1:15: game 1, ply 2: it ends too early, expected )\nA=1|1.c4 *\n"},
		{"variation closed twice", "1. e4 (1. d4)) e5 *",
			"1.e4 (1.d4) 1...e5 * ! 1:14: game 1, ply 2: misplaced element \")\", expected no ) without (; " +
				"the main line is right\n"},
		{"result in a variation", "1. e4 (1. d4 1-0) e5 *", "1.e4 (1.d4) 1...e5 *\n"},
		{"glyphs", "1. e4! e5? 2. Nf3!! Nc6?? 3. Bb5!? a6?! 4. Ba4 ! Nf6!!! $13 $255 *",
			"1.e4 $1 e5 $2 2.Nf3 $3 Nc6 $4 3.Bb5 $5 a6 $6 4.Ba4 $1 Nf6 $3 $13 $255 *\n"},
		{"other glyphs", "1. e4 +- e5 = N *", "1.e4 $18 e5 $10 $146 *\n"},
		{"bad nag", "1. e4 $256 e5 $ *",
			"1.e4 e5 * ! 1:7: game 1, ply 2: no such NAG " +
				"\"$256\", expected $0 to $255; the main line is right (and 1 more)\n"},
		{"null moves", "1. e4 -- 2. d4 Z0 3. c4 <> 4. b4 0000 *", "1.e4 -- 2.d4 -- 3.c4 -- 4.b4 -- *\n"},
		{"move texts", "1. e2-e4 e7e5 2. g1f3 Nb8c6 3. Bf1c4 Ng8-f6 4. 0-0 d7xd6 *",
			"1.e4 e5 2.Nf3 Nc6 3.Bc4 Nf6 4.O-O d6 *\n"},
		{"promotions", "[FEN \"8/P1P1P1P1/8/8/8/8/k7/7K w - - 0 1\"]\n1. a8Q+ Kb3 2. c8(N) Kb2 3. e8=r Kb3 4. g8b *",
			"FEN=8/P1P1P1P1/8/8/8/8/k7/7K w - - 0 1|1.a8=Q+ Kb3 2.c8=N Kb2 3.e8=R Kb3 4.g8=B+ *\n"},
		{"en passant", "1. e4 a6 2. e5 d5 3. exd6 e.p. *", "1.e4 a6 2.e5 d5 3.exd6 *\n"},
		{"black number forms", "1 ... e5",
			"* (no end) ! 1:7: game 1, ply 1: illegal move \"e5\": no pawn reaches e5, expected a legal move\n"},
		{"dots", "1.e4 1...e5 2. ... Nf3 2 ...Nc6 *", "1.e4 e5 2.Nf3 Nc6 *\n"},
		{"html", "[A \"1\"]<br />1. e4<br>e5 <br/> *", "A=1|1.e4 e5 *\n"},
		{"illegal move", "1. e4 e5 2. Ke3 d6 *\n1. d4 *", "1.e4 e5 * ! 1:13: game 1, ply 3: illegal move \"Ke3\": no " +
			"king reaches e3, expected a legal move\n1.d4 *\n"},
		{"illegal move in a variation", "1. e4 (1. d4 e7 2. c4 (2. b4)) e5 *", "1.e4 (1.d4) 1...e5 * ! 1:14: game 1, " +
			"ply 2: illegal move \"e7\": e7 holds a pawn of black, expected a legal move; " +
			"the main line is right\n"},
		{"illegal move, no tags", "1. e4 Ke4 2. d4\n\n1. d4 d5", "1.e4 * (no end) ! 1:7: game 1, ply 2: illegal move " +
			"\"Ke4\": no king reaches e4, expected a legal move\n1.d4 d5 * (no end)\n"},
		{"bad fen", "[FEN \"x\"]\n1. e4 *\n[A \"1\"] 1. e4 *", "FEN=x|* ! 1:1: game 1: fen \"x\": "},
		{"setup 0", "[SetUp \"0\"]\n[FEN \"x\"]\n1. e4 *", "SetUp=0|FEN=x|1.e4 *\n"},
		{"black to move", "[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 0 9\"]\n9... Kd7 10. Kd2 *",
			"FEN=4k3/8/8/8/8/8/8/4K3 b - - 0 9|9...Kd7 10.Kd2 *\n"},
		{"variant", "[Variant \"Atomic\"]\n1. e4 {x} (1. Q@e4) P@e5 1-0\n[Variant \"Standard\"] 1. e4 *",
			"Variant=Atomic|1-0 ! 1:1: game 1: unsupported variant \"Atomic\", expected standard chess or " +
				"Chess960\nVariant=Standard|1.e4 *\n"},
		{"chess960 fen", "[FEN \"nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w GBgb - 0 1\"]\n1. e4 *",
			"FEN=nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w GBgb - 0 1|1.e4 *"},
		{"nul bytes", "1. e4\x00e5\x00*", "1.e4 e5 *\n"},
		{"command outside a comment", "1. e4 [%clk 0:01] e5 *",
			"1.e4 e5 * ! 1:7: game 1, ply 2: misplaced element \"[%clk 0:01]\", expected a move; " +
				"the main line is right\n"},
	}
	for _, c := range cases {
		got := show(c.in)
		// Where position words its errors is its own affair: a want without an end is a prefix.
		if got != c.want && (strings.HasSuffix(c.want, "\n") || !strings.HasPrefix(got, c.want)) {
			t.Errorf("%s: %q\n got %s\nwant %s", c.name, c.in, got, c.want)
		}
		// However the bytes arrive, and with anything after them.
		var one strings.Builder
		style := pgn.Style{}
		for g, err := range pgn.NewReader(iotest.OneByteReader(strings.NewReader(c.in))).All() {
			for _, tag := range g.Tags {
				fmt.Fprintf(&one, "%s=%s|", tag.Name, tag.Value)
			}
			one.Write(pgn.AppendMovetext(nil, g, &style))
			if g.Source.NoTerminator {
				one.WriteString(" (no end)")
			}
			if err != nil {
				fmt.Fprintf(&one, " ! %v", err)
			}
			one.WriteByte('\n')
		}
		if one.String() != got {
			t.Errorf("%s: byte by byte\n got %s\nwant %s", c.name, one.String(), got)
		}
	}
}

func TestGameErrorTellsAll(t *testing.T) {
	text := "[Event \"x\"]\n\n1. e4 e5\n2. Nf3 Nf3 3. d4 *\n"
	r := pgn.NewReader(strings.NewReader(text), pgn.WithName("a.pgn"))
	g := game.New()
	err := r.Read(g)
	var e *codec.Error
	if !errors.As(err, &e) {
		t.Fatalf("%T", err)
	}
	at := strings.LastIndex(text, "Nf3")
	if e.File != "a.pgn" || e.Game != 1 || e.Line != 4 || e.Column != 8 || e.Offset != int64(at) || e.Ply != 4 ||
		e.Text != "Nf3" || e.Expected == "" || string(e.Raw) != strings.TrimSpace(text) {
		t.Errorf("%+v", e)
	}
	if !errors.Is(err, position.ErrIllegal) || g.Len() != 3 {
		t.Errorf("%v after %d plies", err, g.Len())
	}
	if err := r.Read(g); err != io.EOF {
		t.Error(err)
	}
	for text, want := range map[string]error{
		"1. Nf3 d6 2. Nd4 d5 3. Nc3 d4 4. Nb5 c6 5. Nd6 *":    position.ErrIllegal,
		"[FEN \"4k3/8/8/8/8/8/8/R3K2R w - - 0 1\"] 1. Rf1 * ": nil,
		"[FEN \"4k3/8/8/8/8/8/K7/R6R w - - 0 1\"] 1. Rd1 * ":  position.ErrAmbiguous,
	} {
		if _, err := read(t, []byte(text)); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", text, err, want)
		}
	}
}

func TestEncodings(t *testing.T) {
	for _, c := range []struct {
		in, white string
		declared  game.Encoding
		enc       game.Encoding
	}{
		{"Gr\xc3\xbcn", "Grün", game.ASCII, game.UTF8},
		{"Gr\xfcn", "Grün", game.ASCII, game.Latin1},
		{"Gr\xc3\xbcn", "GrÃ¼n", game.Latin1, game.Latin1},
		{"Gr\xfcn", "Grün", game.UTF8, game.UTF8},
		{"Grun", "Grun", game.ASCII, game.ASCII},
		{"\x81\x9f", "\u0081\u009f", game.ASCII, game.Latin1},
	} {
		text := "[White \"" + c.in + "\"]\n\n1. e4 {" + c.in + "} *\n"
		r := pgn.NewReader(strings.NewReader(text), pgn.WithEncoding(c.declared))
		g := game.New()
		if err := r.Read(g); err != nil {
			t.Fatal(err)
		}
		comment := ""
		for e := range g.All() {
			comment += e.Text
		}
		if g.Tag("White") != c.white || comment != c.white || g.Source.Encoding != c.enc {
			t.Errorf("%q: %q, %q, %v", c.in, g.Tag("White"), comment, g.Source.Encoding)
		}
		// Latin-1 is lossless.
		if c.enc == game.Latin1 {
			var out bytes.Buffer
			w := pgn.NewWriter(&out, pgn.Style{Number: pgn.Space, BlankAfterTags: 1, Encoding: game.Latin1})
			w.Write(g)
			w.Close()
			if out.String() != text {
				t.Errorf("%q written as %q", text, out.String())
			}
		}
	}
}

// TestNameOfAnotherEncoding: a name in UTF-8 in a text of Latin-1 says that its game is in UTF-8, and the game after it
// with the same name, too.
func TestNameOfAnotherEncoding(t *testing.T) {
	text := "[White \"\xfc\"]\n\n*\n" + strings.Repeat("\n[Gr\u00fcn \"x\"]\n\n*\n", 2)
	want := []game.Encoding{game.Latin1, game.UTF8, game.UTF8}
	for g, err := range pgn.NewReader(strings.NewReader(text)).All() {
		if e := g.Source.Encoding; err != nil || e != want[g.Source.Number-1] {
			t.Errorf("game %d: %v, %v", g.Source.Number, e, err)
		}
	}
}

// games returns the games of a text.
func games(tb testing.TB, text []byte) (list []*game.Game) {
	for g, err := range pgn.NewReader(bytes.NewReader(text)).All() {
		if err != nil && g == nil {
			tb.Fatal(err)
		}
		list = append(list, g)
	}
	return list
}

// TestEveryPrefix: wherever a text ends, reading ends, and the games before are the same.
func TestEveryPrefix(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "features.pgn"))
	if err != nil {
		t.Fatal(err)
	}
	whole := games(t, text)
	for n := range text {
		list := games(t, text[:n])
		for i, g := range list {
			if i+1 < len(list) && !g.Equal(whole[i]) {
				t.Fatalf("%d bytes: game %d: %s", n, i+1, g.Diff(whole[i]))
			}
		}
	}
	for _, g := range whole {
		checkRoundTrip(t, g)
	}
	if len(whole) != 6 {
		t.Errorf("%d games", len(whole))
	}
}

// TestMemoryIsBounded: what has no end, in every place where something can have none.
func TestMemoryIsBounded(t *testing.T) {
	testenv.Slow(t)
	const size = 24 << 20
	for name, c := range map[string]struct{ head, body string }{
		"spaces":      {"", " "},
		"line ends":   {"1. e4 ", "\n"},
		"escape":      {"%", "x"},
		"comment":     {"1. e4 {", "x"},
		"semicolon":   {"1. e4 ;", "x"},
		"comments":    {"1. e4 ", "{}"},
		"braces":      {"1. e4 ", "{"},
		"opening":     {"1. e4 {", "{}"},
		"parens":      {"1. e4 ", "("},
		"nested":      {"", "e4 ("},
		"variations":  {"e4 ", "(d4)"},
		"tags":        {"", "[A \"1\"]"},
		"tag value":   {"[A \"", "x"},
		"tag name":    {"[", "x"},
		"brackets":    {"e4 ", "["},
		"word":        {"1. ", "x"},
		"digits":      {"1. e4 ", "7"},
		"dots":        {"1. e4 1", "."},
		"nags":        {"e4 ", "$1"},
		"glyphs":      {"e4 ", "!"},
		"null moves":  {"", "-- "},
		"moves":       {"", "Nf3 Nf6 Ng1 Ng8 "},
		"results":     {"", "*"},
		"games":       {"", "e4 * "},
		"errors":      {"", "x *\n"},
		"empty games": {"", "[A \"\"]*"},
		"high bytes":  {"[A \"\xff\"] {", "\xff"},
		"zeros":       {"", "\x00"},
	} {
		t.Run(name, func(t *testing.T) {
			src := io.MultiReader(strings.NewReader(c.head), io.LimitReader(&repeater{text: c.body}, size))
			r := pgn.NewReader(src)
			g := game.New()
			n, most := 0, uint64(0)
			var m runtime.MemStats
			for {
				err := r.Read(g)
				if err == io.EOF {
					break
				}
				var bad *codec.Error
				if err != nil && !errors.As(err, &bad) {
					t.Fatal(err)
				}
				if n++; n&(n-1) == 0 || n%100_000 == 0 {
					runtime.GC()
					runtime.ReadMemStats(&m)
					most = max(most, m.HeapAlloc)
				}
			}
			runtime.GC()
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapAlloc)
			runtime.KeepAlive(r)
			runtime.KeepAlive(g)
			if most > 16<<20 {
				t.Errorf("%d bytes", most)
			}
		})
	}
}

// repeater gives a text again and again.
type repeater struct {
	text string
	at   int
}

func (r *repeater) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = r.text[r.at%len(r.text)]
		r.at++
	}
	return len(b), nil
}

// TestAfterTheLimit: a game beyond the limits does not cost the next.
func TestAfterTheLimit(t *testing.T) {
	big := "[Event \"big\"]\n\n1. e4 {" + strings.Repeat("x ", 1<<20) + "} e5 1-0\n\n"
	for _, text := range []string{
		// Comments whole and open before the limit, and the next games right after it.
		"[Event \"a\"]\n\n1. d4 *\n\n" + "[Event \"big\"]\n\n1. e4 " + strings.Repeat("{c} (1. d4) ", 1<<17) +
			"1-0\n\n[Event \"b\"]\n\n1. c4 *\n\n[Event \"c\"]\n\n1. b4 *\n",
		"[Event \"a\"]\n\n1. d4 *\n\n" + big + "[Event \"b\"]\n\n1. c4 *\n\n[Event \"c\"]\n\n1. b4 *\n",
	} {
		var events []string
		var errs []error
		end := int64(0)
		for g, err := range pgn.NewReader(strings.NewReader(text)).All() {
			events = append(events, g.Tag("Event"))
			errs = append(errs, err)
			if g.Source.Start < end {
				t.Errorf("game at %d, after %d", g.Source.Start, end)
			}
			end = g.Source.End
			if e := g.Tag("Event"); err == nil && !strings.HasPrefix(text[g.Source.Start:], "[Event \""+e+"\"]") {
				t.Errorf("game %s is not at %d", e, g.Source.Start)
			}
		}
		if len(errs) > 1 {
			var e *codec.Error
			if errors.As(errs[1], &e); e == nil || e.Game != 2 {
				t.Errorf("%v", errs[1])
			}
		}
		if fmt.Sprint(events) != "[a big b c]" || errs[0] != nil || !errors.Is(errs[1], codec.ErrLimit) ||
			errs[2] != nil || errs[3] != nil {
			t.Errorf("%v %v", events, errs)
		}
	}
}

func TestReaderGivesTheInputsError(t *testing.T) {
	broken := errors.New("broken")
	r := pgn.NewReader(io.MultiReader(strings.NewReader("1. e4 * 1. d4 d5"), iotest.ErrReader(broken)))
	g := game.New()
	for n, want := range []error{nil, nil, broken, broken} {
		if err := r.Read(g); err != want || err == nil && g.Len() != n+1 {
			t.Error(err)
		}
	}
}

// bare is what games have, but for their comments.
func bare(text []byte, o ...pgn.ReaderOption) (list []string) {
	for g, err := range pgn.NewReader(bytes.NewReader(text), append(o, pgn.MaxItems(9), pgn.MaxComment(9))...).All() {
		s := fmt.Sprint(g.Source.Start, g.Source.End, g.Tags, g.Result, err)
		for e := range g.All() {
			if e.Kind != game.Comment {
				s += fmt.Sprint(e)
			}
		}
		list = append(list, s)
	}
	return list
}

// FuzzRead: no panic; ranges in order; bounded work; the same games whether the text comes in one piece or byte by
// byte, and but for comments without them; what was read without error is written and read back the same.
func FuzzRead(f *testing.F) {
	text, err := os.ReadFile(filepath.Join("testdata", "features.pgn"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	for _, s := range []string{"1. e4 {a {b} c} e5 (1... c5!? $10) *", "[A \"x \"y\"]\n%\n1. -- ; }\n\n1.",
		"\ufeff[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 0 9\"] Kd7 1/2",
		"[A \"\xff\"] e4 {\r\r\n[B \"\"]} (e4", "1. e4 {\n\n[Event \"x\"]\n{ e5 1-0", "[Variant \"x\"]\n\n1. e4\n\n1. ",
		"e8(Q) (0-0-0) 1:0 <br>", "[]\n[[A \"0-0\"]]\n[Result \"0-0\"]\xa0\n[\u00a0B \"\"] 1.\u00a0e4 ½–½ (x) 1-0\n0-0",
		"e4 TN <x y> /z/ \u2192 {a \n b,\n[%c ,\n, \nx]} e5 0.5-0.5 1. 1 - 0"} {
		f.Add([]byte(s))
	}
	bounded.Fuzz(f, func(t *testing.T, text []byte) {
		end := int64(0)
		n := 0
		for g, err := range pgn.NewReader(bytes.NewReader(text)).All() {
			if n++; n > len(text)+1 {
				t.Fatal("more games than bytes")
			}
			s := g.Source
			if s.Start < end || s.End <= s.Start || s.End > int64(len(text)) {
				t.Fatalf("range %d..%d after %d", s.Start, s.End, end)
			}
			end = s.End
			if err == nil {
				checkRoundTrip(t, g)
			}
		}
		whole, work := gamesOf(bytes.NewReader(text))
		if limit := pgn.MostWork(len(text)); work > limit {
			t.Errorf("%d steps for %d bytes, more than %d", work, len(text), limit)
		}
		pieces, _ := gamesOf(iotest.OneByteReader(bytes.NewReader(text)))
		if diff := cmp.Diff(whole, pieces); diff != "" {
			t.Errorf("-whole +byte by byte\n%s", diff)
		}
		if diff := cmp.Diff(bare(text), bare(text, pgn.WithoutComments())); diff != "" {
			t.Errorf("-left out +not read\n%s", diff)
		}
	})
}

// One game in Latin-1 says nothing of the others: each has its own encoding, whatever comes first.
func TestEncodingOfEachGame(t *testing.T) {
	utf8, latin := "Gr\xc3\xbcnfeld, Jos\xc3\xa9", "Gr\xfcnfeld, Jos\xe9"
	names := []string{latin, utf8, "Smith", utf8, latin, "Smith", utf8}
	for first := range names {
		var b strings.Builder
		order := append(names[first:len(names):len(names)], names[:first]...)
		for _, name := range order {
			b.WriteString("[Event \"x\"]\n[White \"" + name + "\"]\n\n1. e4 {" + name + "} e5 *\n\n")
		}
		n := 0
		for g, err := range pgn.NewReader(strings.NewReader(b.String())).All() {
			if err != nil {
				t.Fatal(err)
			}
			want, comment := "Gr\u00fcnfeld, Jos\u00e9", ""
			if order[n] == "Smith" {
				want = "Smith"
			}
			for e := range g.All() {
				comment += e.Text
			}
			if g.Tag("White") != want || comment != want {
				t.Errorf("from %d, game %d: %q and %q, want %q", first, n+1, g.Tag("White"), comment, want)
			}
			if wide := (g.Source.Encoding == game.Latin1) == (order[n] == latin); !wide && want != "Smith" {
				t.Errorf("from %d, game %d: encoding %v", first, n+1, g.Source.Encoding)
			}
			n++
		}
		if n != len(names) {
			t.Errorf("%d games", n)
		}
	}
}
