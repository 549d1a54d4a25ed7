// SPDX-License-Identifier: Apache-2.0

package clients

import (
	"bytes"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"ply11/bitstream"
	"ply11/chess"
	"ply11/game"
	"ply11/game/codec"
	"ply11/game/pgn"
	"ply11/internal/samples"
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
	return games
}

// events returns a game as the driver shows it.
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

// TestWords compares docs/WORDS.md, as the core does it, with package bitstream: the games of a file that Go writes,
// with text buffers of any size, and the bytes that C writes for them.
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

// TestStart960: the start of a game of Chess960, whose bits are put together as docs/WORDS.md has them, is the position
// that a FEN tells.
func TestStart960(t *testing.T) {
	words := func(p position.Position, files [4]int, spare int64) []moveindex.Index {
		bits, at := new(big.Int), uint(0)
		put := func(n uint, v int) {
			bits.Or(bits, new(big.Int).Lsh(big.NewInt(int64(v)), at))
			at += n
		}
		for s := range chess.Square(64) {
			put(4, int(p.PieceAt(s)))
		}
		put(1, int(p.Turn()))
		put(4, int(p.Castling()))
		put(4, p.EnPassantFile())
		put(8, p.HalfmoveClock())
		put(13, p.FullmoveNumber())
		for _, f := range files {
			put(3, f)
		}
		put(10, int(spare))
		list := []moveindex.Index{moveindex.Start960}
		for i := range uint(28) {
			w := new(big.Int).Rsh(bits, 11*i)
			list = append(list, moveindex.Index(w.And(w, big.NewInt(2047)).Int64()))
		}
		return append(list, moveindex.ResultDraw)
	}
	const right = "1r2k1r1/8/8/8/8/8/8/RR2K1RR w GBgb - 7 9"
	p, err := position.ParseFEN(right)
	if err != nil {
		t.Fatal(err)
	}
	bare, err := position.ParseFEN("4k3/8/8/8/8/8/8/R3K3 b - - 0 1")
	if err != nil {
		t.Fatal(err)
	}
	usual := position.Start()
	usual960 := usual.ToChess960()
	eachBuild(t, func(t *testing.T, b *build) {
		for _, c := range []struct {
			p     position.Position
			files [4]int
			spare int64
			want  string
		}{
			{p, [4]int{6, 1, 6, 1}, 0, "start " + p.FEN()},
			{usual960, [4]int{7, 0, 7, 0}, 0, "start " + usual960.FEN()},
			{bare, [4]int{}, 0, "start " + bare.FEN()},
			{bare, [4]int{0, 0, 0, 1}, 0, "error 1 28 impossible castling rights"},
			{p, [4]int{1, 6, 6, 1}, 0, "error 1 28 impossible castling rights"},
			{p, [4]int{5, 1, 6, 1}, 0, "error 1 28 impossible castling rights"},
			{p, [4]int{6, 1, 6, 1}, 512, "error 1 28 impossible castling rights"},
		} {
			if out := b.driver(t, packed(t, words(c.p, c.files, c.spare)), "decode", "9", "0"); !strings.HasPrefix(out,
				c.want) {
				t.Errorf("%v %v %d is %q, want %q", c.p, c.files, c.spare, out, c.want)
			}
		}
	})
}

// packed returns a .words file.
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

// TestWordsRefused gives breaches of the grammar to both readers: they must refuse the same word.
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
		{"a man with code 7", changed(2, 7), "impossible board"},
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
				var g game.Game
				err := bitstream.NewReader(strings.NewReader(file)).Read(&g)
				we, ok := err.(*codec.Error)
				if !ok {
					t.Errorf("%s: Go says %v", c.name, err)
					continue
				}
				out := b.driver(t, file, "decode", "100", "4")
				_, got, _ := strings.Cut(out, "error ")
				if want := fmt.Sprintf("1 %d %s", we.Offset, c.status); !strings.HasPrefix(got, want) {
					t.Errorf("%s: C says %q, Go %v", c.name, out, err)
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

// TestWordsMutated changes words of right streams: both readers take the same games, or refuse the same word.
func TestWordsMutated(t *testing.T) {
	var all []moveindex.Index
	games := streamGames(t)
	rng := rand.New(rand.NewPCG(20, 47))
	type mutant struct{ file, want string }
	var mutants []mutant
	for range testenv.Pick(300, 10) {
		g := games[rng.IntN(len(games))]
		words, err := bitstream.AppendGame(all[:0], g)
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
			if len(words) == 0 || bytes.Contains(wordBytes(words), wordBytes([]moveindex.Index{moveindex.Start960})) {
				words = append(words[:0], moveindex.ResultDraw)
			}
		}
		file := packed(t, words)
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
				fmt.Fprintf(&b, "error %d %d ", n, we.Offset)
			}
			break
		}
		mutants = append(mutants, mutant{file, b.String()})
	}
	eachBuild(t, func(t *testing.T, b *build) {
		for _, m := range mutants {
			got := b.driver(t, m.file, "decode", "5000", "8")
			at := strings.Index(got, "error ")
			if at < 0 {
				if got != m.want {
					t.Fatalf("% x:\n%s\nwant\n%s", m.file, got, m.want)
				}
				continue
			}
			// C tells the events of a game that breaks off, Go those of whole games; a text with NUL is refused by C
			// where it stands.
			games, fault, _ := strings.Cut(m.want, "error ")
			if !strings.HasPrefix(got, games) || !strings.HasPrefix(got[at+len("error "):], fault) &&
				!strings.Contains(got, "a text that") {
				t.Fatalf("% x:\n%s\nwant\n%s", m.file, got, m.want)
			}
		}
	})
}

func wordBytes(words []moveindex.Index) []byte {
	var b []byte
	for _, w := range words {
		b = append(b, byte(w), byte(w>>8))
	}
	return b
}
