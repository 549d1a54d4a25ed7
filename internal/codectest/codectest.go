// SPDX-License-Identifier: Apache-2.0

// Package codectest holds what the tests of the codecs share: games from PGN or from a line of moves, words, real
// games, and tests that all codecs run.
package codectest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"ply11/chess"
	"ply11/game"
	"ply11/game/codec"
	"ply11/game/pgn"
	"ply11/internal/datadir"
	"ply11/internal/samples"
	"ply11/moveindex"
	"ply11/position"
)

// Parse reads one game of PGN.
func Parse(t testing.TB, text string) *game.Game {
	t.Helper()
	g := new(game.Game)
	if err := pgn.NewReader(strings.NewReader(text)).Read(g); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return g
}

// Movetext returns a game in one line, without its tags.
func Movetext(g *game.Game) string {
	return strings.TrimSpace(string(pgn.AppendMovetext(nil, g, &pgn.Style{Number: pgn.Space, Glyphs: true})))
}

// Line makes a game of moves in SAN, from a position in FEN or, where that is empty, the usual one. Tokens $n, (, ) and
// {comment} (without spaces, _ for them) are NAGs, variations and comments.
func Line(t testing.TB, fen, moves string) *game.Game {
	t.Helper()
	g := game.New()
	if fen != "" {
		p, err := position.ParseFEN(fen)
		if err != nil {
			t.Fatal(err)
		}
		g.SetStart(p)
	}
	Extend(t, g, moves)
	return g
}

// Extend puts moves into a game that has none, as Line does.
func Extend(t testing.TB, g *game.Game, moves string) {
	t.Helper()
	var b game.Builder
	b.Reset(g)
	line := position.NewLine(g.Start)
	for _, s := range strings.Fields(moves) {
		switch {
		case s == "(":
			if err := b.StartVariation(); err != nil {
				t.Fatal(err)
			}
			line.Open()
		case s == ")":
			if err := b.EndVariation(); err != nil {
				t.Fatal(err)
			}
			line.Close()
		case s[0] == '$':
			var n uint8
			fmt.Sscanf(s, "$%d", &n)
			b.NAG(n)
		case s[0] == '{':
			b.Comment(strings.ReplaceAll(strings.Trim(s, "{}"), "_", " "))
		default:
			m, err := line.At.ParseSANLenient(s)
			if err != nil {
				t.Fatalf("%s in %s: %v", s, line.At.FEN(), err)
			}
			b.Move(m)
			line.Make(m)
		}
	}
}

// Words makes words of moves in UCI and, after "#", of numbers.
func Words(t testing.TB, s string) []moveindex.Index {
	t.Helper()
	var words []moveindex.Index
	for _, f := range strings.Fields(s) {
		if n, ok := strings.CutPrefix(f, "#"); ok {
			w, err := strconv.ParseUint(n, 10, 16)
			if err != nil {
				t.Fatal(err)
			}
			words = append(words, moveindex.Index(w))
			continue
		}
		m, err := chess.ParseUCI(f)
		if err != nil {
			t.Fatal(err)
		}
		i, ok := moveindex.Of(m)
		if !ok {
			t.Fatal(f)
		}
		words = append(words, i)
	}
	return words
}

// File is a file in memory, for writers that seek.
type File struct {
	Bytes []byte
	at    int64
}

func (f *File) Write(p []byte) (int, error) {
	if n := int(f.at) + len(p); n > len(f.Bytes) {
		f.Bytes = append(f.Bytes, make([]byte, n-len(f.Bytes))...)
	}
	copy(f.Bytes[f.at:], p)
	f.at += int64(len(p))
	return len(p), nil
}

func (f *File) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekStart:
		f.at = offset
	case io.SeekCurrent:
		f.at += offset
	case io.SeekEnd:
		f.at = int64(len(f.Bytes)) + offset
	}
	return f.at, nil
}

// Corpus is master-50k, or where it is absent the project's own games, without the tags.
type Corpus struct {
	Words [][]moveindex.Index // of each game the moves, then the result
	Plies int
}

var corpus struct {
	sync.Once
	Corpus
}

// RealGames returns the games of master-50k, read once, or the project's own plain games.
func RealGames(tb testing.TB) Corpus {
	tb.Helper()
	corpus.Do(func() {
		src, real := datadir.Open(tb, samples.Plain, "pgn", "master", "master-50k.pgn.zst")
		for g, err := range pgn.NewReader(src).All() {
			if err != nil || g == nil {
				continue
			}
			words := make([]moveindex.Index, 0, g.Len()+1)
			for _, m := range g.MainLine() {
				i, _ := moveindex.Of(m)
				words = append(words, i)
			}
			corpus.Plies += len(words)
			corpus.Words = append(corpus.Words, append(words, g.Result.Index()))
		}
		if n := len(corpus.Words); real && n < 49_990 {
			tb.Fatalf("%d games of 50,000", n)
		}
	})
	return corpus.Corpus
}

// First returns the first n games.
func (c Corpus) First(n int) Corpus {
	f := Corpus{Words: c.Words[:min(n, len(c.Words))]}
	for _, w := range f.Words {
		f.Plies += len(w) - 1
	}
	return f
}

func (c Corpus) Games() (games []*game.Game) {
	for _, words := range c.Words {
		g := game.New()
		var b game.Builder
		b.Reset(g)
		for _, w := range words {
			if m, ok := w.Move(); ok {
				b.Move(m)
			} else {
				g.Result, _ = game.ResultOf(w)
			}
		}
		games = append(games, g)
	}
	return games
}

// CheckWords fails unless src is decoded within its bounds, and what decodes without an error encodes to bytes that
// decode to the same.
func CheckWords(t *testing.T, src []byte, encode func(dst []byte, words []moveindex.Index) ([]byte, int, error),
	decode func(dst []moveindex.Index, src []byte) ([]moveindex.Index, int, error)) {
	t.Helper()
	words, n, err := decode(nil, src)
	if n > len(src) {
		t.Fatalf("%d bytes of %d", n, len(src))
	}
	buf, k, eerr := encode(nil, words)
	if err != nil {
		return
	}
	if eerr != nil || k != len(words) {
		t.Fatalf("%v is not encoded: %v", words, eerr)
	}
	again, n, err := decode(nil, buf)
	if err != nil || n != len(buf) || !slices.Equal(words, again) {
		t.Fatalf("%v becomes %v (%v)", words, again, err)
	}
}

// CheckGames fails unless a file is read to its end, its errors are of games and lie in it, and the good games are the
// same when they are written and read again.
func CheckGames(t *testing.T, file []byte, r codec.Reader, write func(io.Writer) codec.Writer,
	read func(io.Reader) codec.Reader) {
	t.Helper()
	var games []*game.Game
	for g, err := range r.All() {
		var e *codec.Error
		switch {
		case err == nil:
			games = append(games, g)
		case g == nil: // of the input
		case !errors.As(err, &e) || e.Offset < 0 || e.Offset > int64(len(file)):
			t.Fatal(err)
		}
	}
	SameAgain(t, games, write, read)
}

// SameAgain fails unless games that are written and read again are the same, and no more.
func SameAgain(tb testing.TB, games []*game.Game, write func(io.Writer) codec.Writer,
	read func(io.Reader) codec.Reader) {
	tb.Helper()
	var file bytes.Buffer
	if err := WriteAll(write(&file), games); err != nil {
		tb.Fatalf("not written: %v", err)
	}
	r := read(bytes.NewReader(file.Bytes()))
	var back game.Game
	for i, g := range games {
		if err := r.Read(&back); err != nil {
			tb.Fatalf("game %d is not read again from %.2000x: %v", i+1, file.Bytes(), err)
		}
		if diff := back.Diff(g); diff != "" {
			tb.Fatalf("game %d of %.2000x: %s", i+1, file.Bytes(), diff)
		}
	}
	if err := r.Read(&back); err != io.EOF {
		tb.Fatalf("more games: %v", err)
	}
}

// WriteAll writes games, and closes the writer.
func WriteAll(w codec.Writer, games []*game.Game) error {
	for _, g := range games {
		if err := w.Write(g); err != nil {
			return err
		}
	}
	return w.Close()
}
