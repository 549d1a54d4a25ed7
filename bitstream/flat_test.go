// SPDX-License-Identifier: Apache-2.0

package bitstream_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"ply11/bitstream"
	"ply11/chess"
	"ply11/game"
	"ply11/game/codec"
	"ply11/internal/bounded"
	"ply11/internal/codectest"
	"ply11/internal/gamegen"
	"ply11/internal/start960"
	"ply11/moveindex"
	"ply11/position"
)

// index returns the word of a move.
func index(uci string) moveindex.Index {
	m, err := chess.ParseUCI(uci)
	if err != nil {
		panic(err)
	}
	i, _ := moveindex.Of(m)
	return i
}

// TestGoldenWords fixes the words of a small game, worked out by hand from the grammar.
func TestGoldenWords(t *testing.T) {
	g := codectest.Parse(t, `{Hi} 1. e4! $32 (1. d4 {x}) e5 -- 1/2-1/2`)
	want := []moveindex.Index{
		// "Hi" is 0x48, 0x69: 16 bits, 0x6948, in words of 11.
		moveindex.Text, 2, 0x6948 & 2047, 0x6948 >> 11,
		index("e2e4"), 1977, 1976, 32, 1973, index("d2d4"), 1975, 1, 0x78, 1974, index("e7e5"),
		1972, 1969,
	}
	got, err := bitstream.AppendGame(nil, g)
	if err != nil || !slices.Equal(got, want) {
		t.Fatalf("words are %d, %v, want %d", got, err, want)
	}
	// e2e4: axis N = 2, two steps, from e2 = 12: 1 << 8 | 2 << 6 | 12.
	if got[4] != 0x18c {
		t.Errorf("e2e4 is %#x", got[4])
	}
}

const annotated = `[Event "x"]

{before} {again} $5 1. e4 {a} $1 $140 $255 $0 (1. d4 {b} d5 (1... Nf6 2. c4 {c}) 2. c4) (1. c4 -- 2. d4) 1... e5
2. Nf3 {` + "é ♔ \U0001f600" + `} Nc6 {} *`

// backAndForth writes a game as words and reads it again.
func backAndForth(tb testing.TB, g *game.Game) []moveindex.Index {
	tb.Helper()
	words, err := bitstream.AppendGame(nil, g)
	if err != nil {
		tb.Fatal(err)
	}
	var got game.Game
	n, err := bitstream.DecodeGame(words, &got)
	if err != nil || n != len(words) {
		tb.Fatalf("DecodeGame takes %d of %d words: %v", n, len(words), err)
	}
	bare := g.Clone()
	bare.Tags, got.Tags = nil, nil
	if d := bare.Diff(&got); d != "" {
		tb.Fatal(d)
	}
	return words
}

func TestGameBackAndForth(t *testing.T) {
	words := backAndForth(t, codectest.Parse(t, annotated))
	// Idle words may stand anywhere.
	var idle []moveindex.Index
	for _, w := range words {
		idle = append(idle, moveindex.Idle, w, moveindex.Idle)
	}
	var a, b game.Game
	if _, err := bitstream.DecodeGame(idle, &a); err != nil {
		t.Fatal(err)
	}
	bitstream.DecodeGame(words, &b)
	if d := a.Diff(&b); d != "" {
		t.Fatal(d)
	}
}

// TestTextLengths writes texts around the length at which they are cut.
func TestTextLengths(t *testing.T) {
	for _, n := range []int{0, 1, 10, 11, 12, 2045, 2046, 2047, 4091, 4092, 4093, 5000} {
		g := codectest.Parse(t, "1. e4 *")
		text := strings.Repeat("é", n/2) + strings.Repeat("x", n%2)
		var b game.Builder
		b.Reset(g)
		b.Comment(text)
		b.Comment("next")
		words := backAndForth(t, g)
		if slices.Contains(words, moveindex.Idle) {
			t.Fatalf("a text of %d bytes holds an idle word", n)
		}
	}
}

func TestStarts(t *testing.T) {
	for _, fen := range []string{
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1",
		"r3k2r/8/8/3pP3/8/8/8/R3K2R w Kq d6 17 8187",
		"8/8/8/4k3/8/8/4P3/4K3 w - - 255 77",
	} {
		p, err := position.ParseFENLenient(fen)
		if err != nil {
			t.Fatal(err)
		}
		words, err := bitstream.AppendStart(nil, &p)
		if err != nil || len(words) != bitstream.StartWords+1 || words[0] != moveindex.Start {
			t.Fatal(words, err)
		}
		got, err := bitstream.DecodeStart(words[1:])
		if err != nil || got != p {
			t.Errorf("%s becomes %s, %v", fen, got.FEN(), err)
		}
	}
	p, err := position.ParseFENLenient("8/8/8/4k3/8/8/4P3/4K3 w - - 256 300")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bitstream.AppendStart(nil, &p); !errors.Is(err, codec.ErrLoss) {
		t.Errorf("a clock of 256: %v", err)
	}
}

// TestStarts960 writes start positions of Chess960, reads them, and changes each bit that must not be set.
func TestStarts960(t *testing.T) {
	for _, c := range []struct {
		fen   string
		rooks int // bits 286..297
	}{
		{"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 7 | 5<<3 | 7<<6 | 5<<9},
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1", 7 | 7<<6},
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b Ah - 0 1", 7 << 6},
		{"3k3r/8/8/3pP3/8/8/8/1RRK2RR w GB d6 0 42", 6 | 1<<3},
	} {
		p, err := position.ParseFENLenient(c.fen)
		if err != nil {
			t.Fatal(err)
		}
		words, err := bitstream.AppendStart(nil, &p)
		if err != nil || len(words) != bitstream.Start960Words+1 || words[0] != moveindex.Start960 ||
			bitstream.StartSize(words[0]) != bitstream.Start960Words {
			t.Fatal(words, err)
		}
		if int(words[27])|int(words[28])<<11 != c.rooks {
			t.Errorf("%s: the rooks are %b, %b", c.fen, words[27], words[28])
		}
		got, err := bitstream.DecodeStart(words[1:])
		if err != nil || got != p {
			t.Errorf("%s becomes %s, %v", c.fen, got.FEN(), err)
		}
		// What names a rook's file without the right, or has a bit after the files, is refused; so is another rook.
		for bit := range 2 * moveindex.Bits {
			words[27+bit/moveindex.Bits] ^= 1 << (bit % moveindex.Bits)
			if got, err := bitstream.DecodeStart(words[1:]); err == nil && got == p || err != nil &&
				!errors.Is(err, codec.ErrStart) || bit >= 12 && err == nil {
				t.Errorf("%s, bit %d: %s, %v", c.fen, 286+bit, got.FEN(), err)
			}
			words[27+bit/moveindex.Bits] ^= 1 << (bit % moveindex.Bits)
		}
		words[1+257/11] &^= 1 << (257 % 11) // the rights are four bits from 257 on
		words[1+258/11] &^= 1 << (258 % 11)
		words[1+259/11] &^= 1 << (259 % 11)
		words[1+260/11] &^= 1 << (260 % 11)
		if _, err := bitstream.DecodeStart(words[1:]); !errors.Is(err, codec.ErrStart) {
			t.Errorf("%s without rights: %v", c.fen, err)
		}
		for _, n := range []int{0, 25, 27, 29} {
			if _, err := bitstream.DecodeStart(append(words[:29:29], 0)[1 : 1+n]); !errors.Is(err, codec.ErrStart) {
				t.Errorf("%d words: %v", n, err)
			}
		}
	}
}

// TestGames960 writes games of Chess960 as words, and reads them.
func TestGames960(t *testing.T) {
	castlings := 0
	for n := 0; n < start960.Positions; n += 37 {
		g := gamegen.Chess960(n)
		words := backAndForth(t, g)
		if words[0] != moveindex.Start960 {
			t.Fatalf("start %d: word %d", n, words[0])
		}
		var out bytes.Buffer
		w := bitstream.NewWriter(&out)
		if g.DeleteTag("Event"); w.Write(withTags(g, "FEN", "SetUp", "Variant", "Result")) != nil || w.Close() != nil {
			t.Fatalf("start %d: not written", n)
		}
		back := game.New()
		if err := bitstream.NewReader(&out).Read(back); err != nil || back.Start != g.Start ||
			back.Tag("FEN") != g.Start.FEN() {
			t.Fatalf("start %d: %v, %s", n, err, back.Start.FEN())
		}
		at := g.Start
		for _, m := range g.AppendMainLine(nil) {
			if at.IsChess960() && at.IsCastling(m) {
				castlings++
			}
			at.Make(m)
		}
	}
	if castlings < 10 {
		t.Errorf("%d castlings", castlings)
	}
}

// withTags returns the game with those of its tags alone.
func withTags(g *game.Game, names ...string) *game.Game {
	g = g.Clone()
	g.Tags = slices.DeleteFunc(g.Tags, func(tag game.Tag) bool { return !slices.Contains(names, tag.Name) })
	return g
}

// TestGrammar asks for the error of each breach of the grammar, and where it is.
func TestGrammar(t *testing.T) {
	e4, e5, d4 := index("e2e4"), index("e7e5"), index("d2d4")
	end := moveindex.ResultDraw
	tests := []struct {
		name  string
		words []moveindex.Index
		err   error
		word  uint64
	}{
		{"reserved", []moveindex.Index{e4, 2010, end}, codec.ErrReserved, 1},
		{"start of chess960 that is not at the front", []moveindex.Index{e4, 2009, end}, codec.ErrGrammar, 1},
		{"last reserved", []moveindex.Index{2046}, codec.ErrReserved, 0},
		{"variation without a move before", []moveindex.Index{1973, e4, 1974, end}, codec.ErrGrammar, 0},
		{"empty variation", []moveindex.Index{e4, 1973, 1974, end}, codec.ErrGrammar, 2},
		{"end without start", []moveindex.Index{e4, 1974, end}, codec.ErrGrammar, 1},
		{"result in a variation", []moveindex.Index{e4, 1973, d4, end}, codec.ErrGrammar, 3},
		{"start not at the front", []moveindex.Index{e4, 2008, end}, codec.ErrGrammar, 1},
		{"end of the stream", []moveindex.Index{e4, e5}, codec.ErrTruncated, 2},
		{"end in a text", []moveindex.Index{e4, 1975, 3, 1}, codec.ErrTruncated, 4},
		{"end in a NAG", []moveindex.Index{e4, 1976}, codec.ErrTruncated, 2},
		{"NAG 256", []moveindex.Index{e4, 1976, 256, end}, codec.ErrNAG, 2},
		{"spare bits", []moveindex.Index{1975, 1, 0x178, end}, codec.ErrText, 2},
		{"not UTF-8", []moveindex.Index{1975, 1, 0xff, end}, codec.ErrText, 2},
		{"NUL", []moveindex.Index{1975, 1, 0, end}, codec.ErrText, 2},
		{"illegal move", []moveindex.Index{e4, d4, end}, position.ErrIllegal, 1},
		{"start of nothing", append(append([]moveindex.Index{2008}, make([]moveindex.Index, 26)...), end),
			codec.ErrStart, 26},
	}
	for _, test := range tests {
		var g game.Game
		_, err := bitstream.DecodeGame(test.words, &g)
		var e *codec.Error
		if !errors.Is(err, test.err) || !errors.As(err, &e) || e.Offset != int64(test.word) {
			t.Errorf("%s: %v, want %v at word %d", test.name, err, test.err, test.word)
		}
	}
	// A piece of 2,046 bytes that none continues.
	long, _ := bitstream.AppendText(nil, strings.Repeat("x", 2046))
	if got := long[len(long)-2:]; got[0] != moveindex.Text || got[1] != 0 {
		t.Errorf("a text of 2,046 bytes ends in %d", got)
	}
	var g game.Game
	if _, err := bitstream.DecodeGame(append(long[:len(long)-2:len(long)-2], end), &g); !errors.Is(err, codec.ErrText) {
		t.Errorf("a piece that none continues: %v", err)
	}
}

func TestStream(t *testing.T) {
	var out bytes.Buffer
	w := bitstream.NewWriter(&out, codec.Lossy(nil))
	games := []string{annotated, "1. e4 e5 1-0", "*", "[FEN \"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e3 *"}
	for _, text := range games {
		if err := w.Write(codectest.Parse(t, text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if out.Len()%11 != 0 {
		t.Errorf("%d bytes are no multiple of 11", out.Len())
	}
	two := append(bytes.Clone(out.Bytes()), out.Bytes()...) // files may be put together
	two = append(two, 0xff, 0xff)
	r := bitstream.NewReader(bytes.NewReader(two))
	var g game.Game
	for i := range 2 * len(games) {
		if err := r.Read(&g); err != nil {
			t.Fatalf("game %d: %v", i+1, err)
		}
		want := codectest.Parse(t, games[i%len(games)])
		want.Tags, g.Tags = nil, nil
		if d := want.Diff(&g); d != "" {
			t.Fatalf("game %d: %s", i+1, d)
		}
	}
	if err := r.Read(&g); err != io.EOF {
		t.Fatalf("at the end: %v", err)
	}
	// After a bad game comes the next.
	bad := []moveindex.Index{index("e2e4"), index("e2e4"), moveindex.ResultDraw, index("e2e4"),
		moveindex.ResultWhiteWins}
	p := bitstream.NewPackerBytes(nil, 0)
	p.Words(bad)
	r = bitstream.NewReader(bytes.NewReader(p.Bytes()))
	if err := r.Read(&g); !errors.Is(err, position.ErrIllegal) {
		t.Errorf("illegal move: %v", err)
	}
	if err := r.Read(&g); err != nil || g.Len() != 1 || g.Result != game.WhiteWins {
		t.Errorf("the game after it: %v", err)
	}
	// A game with the greatest number of words is read, and with one more it is not, but the game after it.
	for over, want := range []error{nil, codec.ErrLimit} {
		words := slices.Repeat([]moveindex.Index{moveindex.NAG1}, 1<<22+over)
		words[0], words[len(words)-1] = index("e2e4"), moveindex.ResultDraw
		p := bitstream.NewPackerBytes(nil, 0)
		p.Words(words)
		p.Words([]moveindex.Index{moveindex.ResultWhiteWins})
		r := bitstream.NewReader(bytes.NewReader(p.Bytes()))
		if err := r.Read(&g); !errors.Is(err, want) {
			t.Errorf("%d words: %v", len(words), err)
		}
		if err := r.Read(&g); err != nil || g.Result != game.WhiteWins {
			t.Errorf("after %d words: %v", len(words), err)
		}
	}
}

func FuzzDecodeGame(f *testing.F) {
	seed := func(text string) {
		words, err := bitstream.AppendGame(nil, codectest.Parse(f, text))
		if err != nil {
			f.Fatal(err)
		}
		p := bitstream.NewPackerBytes(nil, 0)
		p.Words(words)
		f.Add(p.Bytes())
	}
	seed(annotated)
	seed("[FEN \"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e3 *")
	bounded.Fuzz(f, func(t *testing.T, b []byte) {
		r := bitstream.NewReader(bytes.NewReader(b))
		var g game.Game
		for {
			err := r.Read(&g)
			if err == io.EOF {
				return
			}
			var w *codec.Error
			if err != nil {
				if !errors.As(err, &w) {
					return
				}
				continue
			}
			backAndForth(t, &g)
		}
	})
}

func ExampleAppendGame() {
	g := game.New()
	var b game.Builder
	b.Reset(g)
	e4, _ := chess.ParseUCI("e2e4")
	b.Move(e4)
	b.NAG(1)
	g.Result = game.Draw
	words, _ := bitstream.AppendGame(nil, g)
	fmt.Println(words)
	p := bitstream.NewPackerBytes(nil, 0)
	p.Words(words)
	fmt.Printf("%x\n", p.Bytes())
	// Output:
	// [396 1977 1969]
	// 8cc97decff
}

func ExampleUnpack() {
	words := make([]moveindex.Index, 3)
	n := bitstream.Unpack(words, []byte{0x8c, 0xc9, 0x7d, 0xec, 0xff}, 0)
	fmt.Println(n, words)
	// Output: 3 [396 1977 1969]
}
