// SPDX-License-Identifier: Apache-2.0

package pgn_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"ply11/chess"
	"ply11/game"
	"ply11/game/codec"
	"ply11/game/pgn"
	"ply11/internal/datadir"
	"ply11/internal/samples"
	"ply11/position"
)

// styles are layouts that keep everything; export is apart, since it orders tags.
var styles = map[string]pgn.Style{
	"zero":    {},
	"compact": pgn.Compact(),
	"line":    pgn.Line(),
	"narrow": {Width: 12, Number: pgn.Space | pgn.Break, Braces: pgn.Space | pgn.Break, Parens: pgn.Space | pgn.Break,
		Glyphs: true, CRLF: true, BlankAfterTags: 1},
	"trailing spaces": {Width: 20, Lines: pgn.SpaceAfterWords, Number: pgn.Break, Braces: pgn.Break,
		Parens: pgn.Break, FirstBreaks: 2, BlankAfterTags: 1, BlankAfterGame: 2},
	"plies": {Width: 30, Lines: pgn.FitPlies, Number: pgn.Space, Bytes: true, Result: pgn.ResultLine,
		NAGNumber: true, NoCommentNumber: true},
	"pairs":  {Width: 30, Lines: pgn.FitPairs, KeepComments: true, Braces: pgn.Space, Parens: pgn.Space},
	"filled": {Width: 40, Lines: pgn.FillPairs, Result: pgn.ResultTwoSpaces},
}

var rng = rand.New(rand.NewPCG(1, 2))

// randomStyle is one of those in which a text can be read again as it was.
func randomStyle() pgn.Style {
	coin := func() bool { return rng.IntN(2) == 0 }
	joint := func() pgn.Joint { return pgn.Joint(rng.IntN(4)) }
	return pgn.Style{Width: rng.IntN(90), Bytes: coin(), Lines: pgn.LineRule(rng.IntN(5)), Number: joint(),
		Braces: joint(), Parens: joint(), KeepComments: coin(), NoCommentNumber: coin(), NAGNumber: coin(),
		Glyphs: coin(), Result: pgn.ResultRule(rng.IntN(4)), FirstBreaks: uint8(rng.IntN(3)), CRLF: coin(),
		BlankAfterTags: rng.IntN(2)}
}

// checkRoundTrip writes a game in every style, and in a random one, and reads it back.
func checkRoundTrip(t *testing.T, g *game.Game) {
	t.Helper()
	back := game.New()
	readBack := func(name string, text []byte) bool {
		t.Helper()
		r := pgn.NewReader(bytes.NewReader(text), pgn.WithEncoding(game.UTF8), pgn.MaxNesting(10_000),
			pgn.MaxGame(1<<24), pgn.MaxComment(1<<24), pgn.MaxTag(1<<24), pgn.MaxTags(1<<20), pgn.MaxMoves(1<<20),
			pgn.MaxItems(1<<20))
		if err := r.Read(back); err != nil {
			t.Errorf("%s: %v\n%.2000s", name, err, text)
			return false
		}
		if err := r.Read(game.New()); err != io.EOF {
			t.Errorf("%s: reads as more than one game\n%.2000s", name, text)
			return false
		}
		return true
	}
	var text []byte
	list := maps.Clone(styles)
	random := randomStyle()
	list[fmt.Sprintf("%+v", random)] = random
	for name, s := range list {
		text = pgn.AppendGame(text[:0], g, &s)
		if readBack(name, text) {
			if d := g.Diff(back); d != "" {
				t.Errorf("%s: %s\n%.2000s", name, d, text)
			}
		}
		if (s.Width > 14 || name == "narrow") && s.Lines == pgn.FitWords && s.Result == pgn.ResultWord && g.Plain() {
			movetext := pgn.AppendMovetext(nil, g, &s)
			for line := range strings.SplitSeq(string(movetext), "\n") {
				if line = strings.TrimSuffix(line, "\r"); len(line) > s.Width || strings.HasSuffix(line, " ") {
					t.Errorf("%s: line %q", name, line)
				}
			}
		}
	}
	export := pgn.Export()
	text = pgn.AppendGame(text[:0], g, &export)
	if readBack("export", text) {
		again := pgn.AppendGame(nil, back, &export)
		if !bytes.Equal(again, text) {
			t.Errorf("export is no fixed point:\n%.2000s\n%.2000s", text, again)
		}
		back.Tags = g.Tags
		if d := g.Diff(back); d != "" {
			t.Errorf("export: %s\n%.2000s", d, text)
		}
	}
}

// TestRoundTripOfSamples writes the project's own games and reads them again: each comes back, and in the layout of its
// file its bytes do.
func TestRoundTripOfSamples(t *testing.T) {
	plain := pgn.Export()
	plain.Number, plain.Roster = 0, false
	for name, style := range map[string]pgn.Style{
		samples.Plain: plain, samples.Promotions: plain, samples.Clocks: pgn.Line(), samples.Annotated: pgn.Export(),
		samples.Setup: pgn.Export(),
	} {
		text, err := os.ReadFile(datadir.Sample(name))
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		w := pgn.NewWriter(&out, style)
		for g, err := range pgn.NewReader(bytes.NewReader(text)).All() {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			checkRoundTrip(t, g)
			if err := w.Write(g); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(out.Bytes(), text) {
			t.Errorf("%s: other bytes", name)
		}
	}
}

func TestRoundTripOfRealFiles(t *testing.T) {
	for _, f := range realFiles(t) {
		text := readData(t, append([]string{"pgn"}, strings.Split(f.file, "/")...)...)
		n := 0
		for g, err := range pgn.NewReader(bytes.NewReader(text)).All() {
			// One in ten of the large file, all of the others.
			if n++; err == nil && (f.games < 5000 || n%10 == 0) {
				checkRoundTrip(t, g)
			}
			if t.Failed() {
				t.Fatalf("%s, game %d", f.file, n)
			}
		}
	}
}

// TestBytesOfRealFiles: with a Style, the files of two programs are written again byte for byte.
func TestBytesOfRealFiles(t *testing.T) {
	lichess := pgn.Line()
	lichess.BlankAfterGame = 2
	for _, c := range []struct {
		style     pgn.Style
		different int // games that differ
		parts     []string
	}{
		{lichess, 0, []string{"pgn", "annotated", "lichess-1k.pgn.zst"}},
		// Backslashes in tags are not always escaped.
		{pgn.Style{Width: 74, Bytes: true, Lines: pgn.SpaceAfterWords, Number: pgn.Break, BlankAfterTags: 1,
			BlankAfterGame: 1, Encoding: game.Latin1}, 101, []string{"pgn", "master", "master-50k.pgn.zst"}},
	} {
		text := readData(t, c.parts...)
		r := pgn.NewReader(bytes.NewReader(text), pgn.WithEncoding(c.style.Encoding))
		g := game.New()
		different := 0
		var out bytes.Buffer
		for r.Read(g) == nil {
			out.Reset()
			w := pgn.NewWriter(&out, c.style)
			if err := errors.Join(w.Write(g), w.Close()); err != nil {
				t.Fatal(err)
			}
			want := text[g.Source.Start:g.Source.End]
			if got := bytes.TrimRight(out.Bytes(), "\n"); !bytes.Equal(got, want) {
				if different++; different > c.different {
					t.Fatalf("got\n%s\nwant\n%s", got, want)
				}
			}
		}
		if different != c.different {
			t.Errorf("%v: %d games differ, want %d", c.parts, different, c.different)
		}
	}
}

// TestDeepVariations: no recursion, neither on the way in nor on the way out.
func TestDeepVariations(t *testing.T) {
	const depth = 5000
	text := "1. e4 " + strings.Repeat("(1. e4 ", depth) + strings.Repeat(")", depth) + " *"
	r := pgn.NewReader(strings.NewReader(text), pgn.MaxNesting(depth))
	g := game.New()
	if err := r.Read(g); err != nil {
		t.Fatal(err)
	}
	if g.NumVariations() != depth {
		t.Errorf("%d variations", g.NumVariations())
	}
	checkRoundTrip(t, g.Clone())

	r = pgn.NewReader(strings.NewReader(text + " 1. d4 *"))
	if err := r.Read(g); !errors.Is(err, codec.ErrLimit) || g.Len() != 1 || g.NumVariations() != 256 {
		t.Errorf("%v, %d plies, %d variations", err, g.Len(), g.NumVariations())
	}
	if err := r.Read(g); err != nil || g.Len() != 1 {
		t.Errorf("the next game: %v, %d plies", err, g.Len())
	}
}

// TestHostileTexts: what PGN cannot hold as it is.
func TestHostileTexts(t *testing.T) {
	texts := []string{"", "}", "{", "{}", "}{", "a } b { c", "; x", "% y", "a % b", "[Event \"x\"]", "1-0", "*",
		"a  b   c", "[%cal Ga1a2, Gb1b2, Gc1c2, Gd1d2, Ge1e2, Gf1f2] x",
		strings.Repeat("word ", 50) + "% [Event \"x\"] end", "ü ½ \U0001f600", "\\", "\"", "(", "$1",
		strings.Repeat("x", 300)}
	m, _ := chess.ParseUCI("e2e4")
	for _, s := range texts {
		for _, u := range texts {
			g := game.New()
			var b game.Builder
			b.Reset(g)
			g.AddTag("Event", s)
			g.AddTag("Event", u)
			b.Comment(s)
			b.Move(m)
			b.Comment(u)
			b.StartVariation()
			b.Comment(s)
			b.Comment(u)
			b.Move(m)
			b.Comment(s)
			b.EndVariation()
			b.Comment(u)
			g.Result = game.Draw
			checkRoundTrip(t, g)
			if t.Failed() {
				t.Fatalf("%q, %q", s, u)
			}
		}
	}
}

func TestExportFormat(t *testing.T) {
	p, err := position.ParseFEN("4k3/P7/8/8/8/8/8/4K3 b - - 3 40")
	if err != nil {
		t.Fatal(err)
	}
	g := game.New()
	g.AddTag("Zebra", `a "b" \c`)
	g.AddTag("Black", "B")
	g.AddTag("Annotator", "x")
	g.SetStart(p)
	var b game.Builder
	b.Reset(g)
	b.NAG(13)
	for _, s := range []string{"e8d7", "a7a8q"} {
		m, _ := chess.ParseUCI(s)
		b.Move(m)
		b.NAG(1)
		b.NAG(146)
	}
	b.Move(chess.NullMove)
	b.Comment("a null move, and a comment that is rather longer than one line of text is allowed to be")
	want := `[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "?"]
[Black "B"]
[Result "*"]
[Annotator "x"]
[FEN "4k3/P7/8/8/8/8/8/4K3 b - - 3 40"]
[SetUp "1"]
[Zebra "a \"b\" \\c"]

$13 40... Kd7 $1 $146 41. a8=Q $1 $146 -- {a null move, and a comment that is
rather longer than one line of text is allowed to be} *

`
	s := pgn.Export()
	if got := string(pgn.AppendGame(nil, g, &s)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	checkRoundTrip(t, g)
}

func TestWriterRefusesWhatLatin1HasNot(t *testing.T) {
	var out bytes.Buffer
	s := pgn.Compact()
	s.Encoding = game.Latin1
	w := pgn.NewWriter(&out, s)
	g := game.New()
	g.AddTag("White", "Gr\u00fcnfeld")
	if err := w.Write(g); err != nil {
		t.Error(err)
	}
	g.SetTag("White", "\u0416")
	if err := w.Write(g); !errors.Is(err, codec.ErrText) {
		t.Error(err)
	}
	if err := w.Close(); err != nil || out.String() != "[White \"Gr\xfcnfeld\"]\n*\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
}

func TestWriterKeepsTheOutputsError(t *testing.T) {
	broken := errors.New("broken")
	r, out := io.Pipe()
	r.CloseWithError(broken)
	w := pgn.NewWriter(out)
	g := game.New()
	for range 10_000 {
		w.Write(g)
	}
	if err := w.Close(); err != broken {
		t.Error(err)
	}
}

func ExampleStyle() {
	g := game.New()
	pgn.NewReader(strings.NewReader("1.e4 c5 {Sicilian} 2.Nf3 d6?! 1-0")).Read(g)
	style := pgn.Style{Width: 20, Number: pgn.Space, Braces: pgn.Space | pgn.Break, Glyphs: true}
	fmt.Printf("%s\n", pgn.AppendMovetext(nil, g, &style))
	// Output:
	// 1. e4 c5 { Sicilian
	// } 2. Nf3 d6?! 1-0
}
