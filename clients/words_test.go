// SPDX-License-Identifier: Apache-2.0

package clients_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"ply11/bitstream"
	"ply11/game"
	"ply11/game/codec"
	"ply11/game/pgn"
	"ply11/internal/gamegen"
	"ply11/internal/samples"
	"ply11/internal/start960"
	"ply11/internal/testenv"
	"ply11/moveindex"
	"ply11/position"
)

// streamGames are games with everything that a stream of words can hold.
func streamGames(t *testing.T) []*game.Game {
	t.Helper()
	texts := []string{
		"1. e4! (1. d4 {x}) e5 1/2-1/2",
		"*",
		"{before} {again} $5 1. e4 {a} $1 $140 $255 $0 (1. d4 {b} d5 (1... Nf6 2. c4 {c}) 2. c4) (1. c4 -- 2. d4) " +
			"1... e5 2. Nf3 {é ♔ \U0001f600} Nc6 {} 0-1",
		"[FEN \"r3k2r/8/8/3pP3/8/8/8/R3K2R w Kq d6 17 8187\"]\n\n{first} 20. exd6 (20. Rb1) Kd7 1-0",
		"[FEN \"8/8/8/4k3/8/8/4P3/4K3 b - - 255 77\"]\n\n77... Kd4 1/2-1/2",
	}
	for _, n := range []int{1, 10, 11, 12, 2045, 2046, 2047, 4092, 5001} {
		texts = append(texts, "1. e4 {"+strings.Repeat("é", n/2)+strings.Repeat("x", n%2)+"} *")
	}
	for _, name := range samples.Names {
		texts = append(texts, string(samples.File(name)))
	}
	var games []*game.Game
	for _, text := range texts {
		for g, err := range pgn.NewReader(strings.NewReader(text + "\n")).All() {
			if err != nil {
				t.Fatalf("%.60q: %v", text, err)
			}
			games = append(games, g.Clone())
		}
	}
	for n := 0; n < start960.Positions; n += 37 {
		g := gamegen.Chess960(n)
		g.Tags = nil
		games = append(games, g)
	}
	return games
}

func events(b *strings.Builder, g *game.Game) {
	if g.Start == position.Start() {
		b.WriteString("begin\n")
	} else {
		fmt.Fprintf(b, "start %v\n", g.Start)
	}
	for c := g.Cursor(); c.Next(); {
		switch c.Kind {
		case game.VariationStart:
			b.WriteString("(\n")
		case game.VariationEnd:
			b.WriteString(")\n")
		case game.NAG:
			fmt.Fprintf(b, "nag %d\n", c.NAG)
		case game.Comment:
			fmt.Fprintf(b, "text %x\n", c.Text)
		default:
			fmt.Fprintf(b, "move %v\n", c.Move)
		}
	}
	fmt.Fprintf(b, "result %d\n", g.Result.Index())
}

// TestWords compares the core with package bitstream: the games of a file that Go writes, with text buffers of any
// size, and the bytes that C writes for them.
func TestWords(t *testing.T) {
	var file bytes.Buffer
	var want strings.Builder
	w := bitstream.NewWriter(&file, codec.Lossy(nil))
	for _, g := range streamGames(t) {
		if err := w.Write(g); err != nil {
			t.Fatal(err)
		}
		events(&want, g)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	eachBuild(t, func(t *testing.T, b *build) {
		for _, text := range []string{"1", "7", "100000"} {
			sameLines(t, b.driver(t, file.String(), "decode", text, "8"), want.String())
		}
		back := b.driver(t, want.String(), "encode")
		if back != file.String() {
			t.Errorf("C writes %d bytes, Go %d, and they differ", len(back), file.Len())
		}
	})
}

func packed(t *testing.T, words []moveindex.Index) string {
	t.Helper()
	var file bytes.Buffer
	p := bitstream.NewPacker(&file)
	p.Words(words)
	for p.Count()%8 != 0 {
		p.Word(moveindex.Idle)
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	return file.String()
}

// TestWordsRefused gives breaches of the grammar to both readers: they refuse the same word.
func TestWordsRefused(t *testing.T) {
	const e4, d4 = 396, 395
	long, err := bitstream.AppendText(nil, strings.Repeat("x", 2046))
	if err != nil {
		t.Fatal(err)
	}
	start := func(fen string) []moveindex.Index {
		p, err := position.ParseFEN(fen)
		if err != nil {
			t.Fatal(err)
		}
		words, err := bitstream.AppendStart(nil, &p)
		if err != nil {
			t.Fatal(err)
		}
		return words
	}
	usual := start(startFEN)
	changed := func(at int, w moveindex.Index) []moveindex.Index {
		words := append([]moveindex.Index(nil), usual...)
		words[at] = w
		return append(words, e4, 1969)
	}
	cases := []struct {
		name   string
		words  []moveindex.Index
		status string
	}{
		{"reserved", []moveindex.Index{e4, 2010, 1969}, "reserved code"},
		{"last reserved", []moveindex.Index{2046}, "reserved code"},
		{"variation without a move before", []moveindex.Index{1973, e4, 1974, 1969}, "a code where it may not stand"},
		{"variation before a line's move", []moveindex.Index{e4, 1973, 1973, d4, 1974, 1974, 1969},
			"a code where it may not stand"},
		{"empty variation", []moveindex.Index{e4, 1973, 1974, 1969}, "a code where it may not stand"},
		{"end without start", []moveindex.Index{e4, 1974, 1969}, "a code where it may not stand"},
		{"result in a variation", []moveindex.Index{e4, 1973, d4, 1969}, "a code where it may not stand"},
		{"start not at the front", []moveindex.Index{e4, 2008, 1969}, "a code where it may not stand"},
		{"end inside a game", []moveindex.Index{e4}, "the stream ends inside a game"},
		{"end inside a text", []moveindex.Index{e4, 1975, 3, 1}, "the stream ends inside a game"},
		{"end inside a NAG", []moveindex.Index{e4, 1976}, "the stream ends inside a game"},
		{"end inside a start", usual[:20], "the stream ends inside a game"},
		{"NAG 256", []moveindex.Index{e4, 1976, 256, 1969}, "a NAG above 255"},
		{"spare bits", []moveindex.Index{1975, 1, 0x178, 1969}, "a text that is not valid"},
		{"not UTF-8", []moveindex.Index{1975, 1, 0xff, 1969}, "a text that is not valid"},
		{"overlong UTF-8", []moveindex.Index{1975, 2, 0xe0 | 0x80<<8&2047, 0x80 >> 3, 1969},
			"a text that is not valid"},
		{"NUL", []moveindex.Index{1975, 1, 0, 1969}, "a text that is not valid"},
		{"a character that does not end", []moveindex.Index{1975, 1, 0xc3, 1969}, "a text that is not valid"},
		{"piece that none continues", append(long[:len(long)-2:len(long)-2], 1969), "a text that is not valid"},
		{"illegal move", []moveindex.Index{e4, e4, 1969}, "illegal move"},
		{"null move in check", append(start("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"), 1972, 1969), "illegal move"},
		{"a piece with code 7", changed(2, 7), "impossible board"},
		{"no king", changed(2, usual[2]&^(15<<5)), "impossible board"},
		{"an en passant file", changed(24, usual[24]|7<<8), ""},
		{"number 0", changed(25, usual[25]&^(1<<9)), "bad counters"},
	}
	eachBuild(t, func(t *testing.T, b *build) {
		for _, c := range cases {
			// Idle words between all others change nothing but the places.
			var idle []moveindex.Index
			for _, w := range c.words {
				idle = append(idle, moveindex.Idle, w)
			}
			for _, words := range [][]moveindex.Index{c.words, idle} {
				file := packed(t, words)
				_, fault := readWords(file)
				if got := sameWords(t, b, file); fault == "" || !strings.Contains(got, "error "+fault+c.status) {
					t.Errorf("%s: C says %q, Go %q", c.name, got, fault)
				}
			}
		}
		for file, want := range map[string]string{
			"":         "",
			"\xff":     "",
			"\xff\xff": "",
			"\x00\x00": "error 1 0 illegal move",
			"\xff\x0f": "error 0 1 bits after the last word are not ones",
		} {
			if out := strings.TrimSpace(b.driver(t, file, "decode", "9", "1")); !strings.HasSuffix(out, want) ||
				want == "" && out != "" {
				t.Errorf("% x: %q, want %q", file, out, want)
			}
		}
		if out := b.driver(t, packed(t, []moveindex.Index{e4, 1973, d4, 1974, 1969}), "decode", "9",
			"0"); !strings.Contains(out, "error 1 1 variations are too deep") {
			t.Errorf("a variation without memory for it: %q", out)
		}
	})
}

// readWords returns the games that Go reads of a .words file, and an error's game and word.
func readWords(file string) (games, fault string) {
	var b strings.Builder
	r := bitstream.NewReader(strings.NewReader(file))
	for n := 1; ; n++ {
		var g game.Game
		err := r.Read(&g)
		if err == nil {
			events(&b, &g)
			continue
		}
		if we, ok := err.(*codec.Error); ok {
			fault = fmt.Sprintf("%d %d ", n, we.Offset)
		}
		return b.String(), fault
	}
}

// sameWords compares what C reads of a .words file with what Go does, and returns it. C also prints the events of a
// game that breaks off.
func sameWords(t *testing.T, b *build, file string) string {
	t.Helper()
	games, fault := readWords(file)
	got := b.driver(t, file, "decode", "5000", "8")
	told, rest, refused := strings.Cut(got, "error ")
	if !refused && (told != games || fault != "") || refused && (!strings.HasPrefix(told, games) ||
		!strings.HasPrefix(rest, fault) && !strings.Contains(rest, "a text that")) {
		t.Fatalf("% x:\n%s\nwant\n%s%s", file, got, games, fault)
	}
	return got
}

// TestWordsMutated changes words of right streams: both readers take the same games, or refuse the same word.
func TestWordsMutated(t *testing.T) {
	games := streamGames(t)
	rng := rand.New(rand.NewPCG(20, 47))
	var mutants []string
	for range testenv.Pick(300, 10) {
		words, err := bitstream.AppendGame(nil, games[rng.IntN(len(games))])
		if err != nil {
			t.Fatal(err)
		}
		for range 1 + rng.IntN(3) {
			at := rng.IntN(len(words))
			switch rng.IntN(4) {
			case 0:
				words[at] = moveindex.Index(rng.IntN(2048))
			case 1:
				words[at] = 1968 + moveindex.Index(rng.IntN(41))
			case 2:
				words = append(words[:at], words[at+1:]...)
			default:
				words = append(words[:at], words[min(at+rng.IntN(9), len(words)):]...)
			}
			if len(words) == 0 {
				words = append(words, moveindex.ResultDraw)
			}
		}
		mutants = append(mutants, packed(t, words))
	}
	eachBuild(t, func(t *testing.T, b *build) {
		for _, file := range mutants {
			sameWords(t, b, file)
		}
	})
}
