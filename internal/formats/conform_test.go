// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"
	"testing/iotest"

	"ply11/game"
	"ply11/game/codec"
	"ply11/internal/codectest"
)

// tested is a codec, as the conformance test knows it.
type tested struct {
	Name string
	// Write returns a writer of a file, which may be several put together.
	Write func(w io.Writer, options ...codec.WriterOption) codec.Writer
	// Read returns a reader of a file of Write. The error is that of opening it.
	Read func(file []byte) (codec.Reader, error)
	// Stream is Read for a file that is read from its front; nil where that cannot be.
	Stream func(r io.Reader) codec.Reader
	// OneGame: the lines of all games become one game.
	OneGame bool
	// Lossless: there is no game that the format cannot hold.
	Lossless bool
	// BadOption returns readers and writers with an option that is not valid.
	BadOption func() (codec.Reader, codec.Writer)
}

func sampleGames(t testing.TB) []*game.Game {
	var list []*game.Game
	for _, moves := range []string{"e4 e5 Nf3 Nc6 Bb5 a6", "d4 d5 c4 e6", "c4 e5 Nc3 Nf6 g3 d5 cxd5 Nxd5",
		"a4 b5 axb5 a6 bxa6 Bb7 axb7 Nc6 bxa8=Q Qxa8 Nf3 e6 g3 Bd6 Bg2 Nf6 O-O O-O"} {
		list = append(list, codectest.Line(t, "", moves))
	}
	return list
}

// lossyGame is a game that few formats hold.
func lossyGame(t testing.TB) *game.Game {
	g := codectest.Line(t, "", "e4 {x} $141 ( d4 -- ) e5 $1 {more_of_it} ( c5 ( e6 $6 ) Nf3 ) Nf3")
	g.AddTag("Annotator", "nobody")
	return g
}

func (f *tested) file(t testing.TB, games []*game.Game) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := codectest.WriteAll(f.Write(&b), games); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// drain reads to the end, and verifies what every reader promises on the way. It returns the games without an error,
// the number of games' errors, and the final error.
func drain(t testing.TB, r codec.Reader, most int) (games []*game.Game, bad int, final error) {
	t.Helper()
	g := game.New()
	last := 0
	for range most {
		g.AddTag("left", "over") // Read must reset it
		err := r.Read(g)
		if _, ok := g.LookupTag("left"); ok {
			t.Fatalf("game %d: it was not reset", last+1)
		}
		var e *codec.Error
		switch {
		case err == nil:
			if last++; g.Source.Number < last {
				t.Fatalf("game %d has the number %d", last, g.Source.Number)
			}
			last = g.Source.Number
			games = append(games, g.Clone())
			continue
		case errors.As(err, &e) && err != io.EOF:
			if bad++; e.Err == nil || e.Error() == "" || e.Game < 0 || e.Ply < 0 || e.Offset < -1 {
				t.Fatalf("malformed error %#v", e)
			}
			if e.Game > 0 {
				if e.Game < last {
					t.Fatalf("the error of game %d comes after game %d: %v", e.Game, last, err)
				}
				last = e.Game - 1 // what is found where a game should be may not be one
			}
			continue
		}
		if g.NumMoves() > 0 || len(g.Tags) > 0 {
			t.Fatalf("with %v comes a game", err)
		}
		for range 2 { // the end is the end
			if again := r.Read(g); again == nil || again.Error() != err.Error() {
				t.Fatalf("after %v comes %v", err, again)
			}
		}
		for g, again := range r.All() {
			if err == io.EOF || g != nil || again.Error() != err.Error() {
				t.Fatalf("after %v, All gives %v, %v", err, g, again)
			}
		}
		return games, bad, err
	}
	t.Fatalf("it does not end: %d games and %d errors", len(games), bad)
	return nil, 0, nil
}

// conform fails unless a codec is what package codec says.
func conform(t *testing.T, f *tested) {
	games := sampleGames(t)
	file := f.file(t, games)
	want := len(games)
	if f.OneGame {
		want = 1
	}
	most := len(file) + want + 110 // steps to read any file of this length, with errors
	open := func(t *testing.T, file []byte) codec.Reader {
		t.Helper()
		r, err := f.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	t.Run("good", func(t *testing.T) {
		got, bad, final := drain(t, open(t, file), most)
		if len(got) != want || bad > 0 || final != io.EOF {
			t.Fatalf("%d games of %d, %d errors, %v", len(got), want, bad, final)
		}
		for i, g := range got {
			if f.OneGame {
				break
			}
			if d := codecDiff(g, games[i]); d != "" {
				t.Errorf("game %d: %s", i+1, d)
			}
			if g.Source.Number != i+1 {
				t.Errorf("game %d has the number %d", i+1, g.Source.Number)
			}
		}
		// All gives the same games, which may be kept.
		var all []*game.Game
		r := open(t, file)
		for g, err := range r.All() {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, g)
		}
		if !slices.EqualFunc(all, got, func(a, b *game.Game) bool { return a.Equal(b) }) {
			t.Error("All gives other games than Read")
		}
		// And from where Read has come to, of which some may be left for later.
		if r = open(t, file); !f.OneGame {
			if err := r.Read(game.New()); err != nil {
				t.Fatal(err)
			}
			for g := range r.All() {
				if d := codecDiff(g, games[1]); d != "" {
					t.Errorf("All after Read: %s", d)
				}
				break
			}
			g := game.New()
			if err := r.Read(g); err != nil || codecDiff(g, games[2]) != "" {
				t.Errorf("Read after All: %v, %s", err, codecDiff(g, games[2]))
			}
		}
		if c, ok := r.(interface{ Len() int }); ok && c.Len() >= 0 && c.Len() != want {
			t.Errorf("Len is %d, not %d", c.Len(), want)
		}
		if again := f.file(t, games); !bytes.Equal(again, file) {
			t.Error("the same games give other bytes")
		}
	})
	t.Run("empty", func(t *testing.T) {
		r, err := f.Read(nil)
		if err != nil {
			return // it is told at once
		}
		if got, _, final := drain(t, r, most); len(got) > 1 || len(got) == 1 && got[0].NumMoves() > 0 {
			t.Errorf("%d games, %v", len(got), final)
		}
		// A file of no games is whole.
		if r, err = f.Read(f.file(t, nil)); err != nil {
			t.Fatal(err)
		}
		if got, bad, final := drain(t, r, most); len(got) > 1 || !f.OneGame && len(got) > 0 || bad > 0 ||
			final != io.EOF {
			t.Errorf("no games: %d games, %d errors, %v", len(got), bad, final)
		}
	})
	t.Run("truncated", func(t *testing.T) {
		// Of every prefix come the games that it has whole, at most with one that is shorter.
		all := append(games[:len(games):len(games)], lossyGame(t), games[0])
		var file bytes.Buffer
		if err := codectest.WriteAll(f.Write(&file, codec.Lossy(nil)), all); err != nil {
			t.Fatal(err)
		}
		whole, bad, final := drain(t, open(t, file.Bytes()), file.Len()+110)
		if bad > 0 || final != io.EOF {
			t.Fatalf("%d errors, %v", bad, final)
		}
		for n := range file.Len() {
			r, err := f.Read(file.Bytes()[:n])
			if err != nil {
				continue
			}
			got, _, _ := drain(t, r, file.Len()+110)
			if len(got) > len(whole) {
				t.Fatalf("%d bytes of %d have %d games of %d", n, file.Len(), len(got), len(whole))
			}
			for i, g := range got {
				if i+1 < len(got) && codecDiff(g, whole[i]) != "" || g.NumMoves() > whole[i].NumMoves() {
					t.Fatalf("%d bytes of %d: game %d: %s", n, file.Len(), i+1, codecDiff(g, whole[i]))
				}
			}
		}
	})
	t.Run("erroneous", func(t *testing.T) {
		for n := range file {
			for _, flip := range []byte{1, 0x10, 0x80, 0xff} {
				bad := bytes.Clone(file)
				bad[n] ^= flip
				if r, err := f.Read(bad); err == nil {
					drain(t, r, most)
				}
			}
		}
	})
	if f.Stream != nil { // else it is not read from its front
		t.Run("broken input", func(t *testing.T) {
			broken := errors.New("broken")
			for n := range file {
				r := f.Stream(io.MultiReader(bytes.NewReader(file[:n]), iotest.ErrReader(broken)))
				if _, _, final := drain(t, r, most); !errors.Is(final, broken) {
					t.Fatalf("after %d bytes: %v", n, final)
				}
			}
			// In small pieces, and with the end together with the last of them.
			for name, src := range map[string]io.Reader{"one byte": iotest.OneByteReader(bytes.NewReader(file)),
				"end with data": iotest.DataErrReader(bytes.NewReader(file))} {
				if got, bad, final := drain(t, f.Stream(src), most); len(got) != want || bad > 0 || final != io.EOF {
					t.Errorf("%s: %d games, %d errors, %v", name, len(got), bad, final)
				}
			}
		})
	}
	t.Run("writer", func(t *testing.T) {
		var out bytes.Buffer
		w := f.Write(&out)
		if err := codectest.WriteAll(w, games); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := w.Write(games[0]); !errors.Is(err, codec.ErrClosed) {
				t.Errorf("Write after Close: %v", err)
			}
			if err := w.Close(); err != nil {
				t.Errorf("Close again: %v", err)
			}
		}
		if !bytes.Equal(out.Bytes(), file) {
			t.Error("what comes after Close has written")
		}
		// An error of the output is final, wherever it comes.
		broken := errors.New("broken")
		for n := 0; n < len(file); n += max(1, len(file)/50) {
			w := f.Write(&shortWriter{n, broken})
			var first error
			for _, g := range games {
				if err := w.Write(g); err != nil {
					first = err
					break
				}
			}
			closed := w.Close()
			if !errors.Is(closed, broken) || first != nil && !errors.Is(first, broken) {
				t.Fatalf("after %d bytes: Write %v, Close %v", n, first, closed)
			}
			if err := w.Write(games[0]); !errors.Is(err, broken) {
				t.Errorf("Write after that: %v", err)
			}
			if err := w.Close(); !errors.Is(err, broken) {
				t.Errorf("Close again: %v", err)
			}
		}
	})
	t.Run("losses", func(t *testing.T) {
		g := lossyGame(t)
		var out bytes.Buffer
		w := f.Write(&out)
		if f.Lossless {
			if err := errors.Join(w.Write(g), w.Close()); err != nil {
				t.Error(err)
			}
			return
		}
		// Refused, with each loss named, and the writer can be used on.
		if err := w.Write(games[0]); err != nil {
			t.Fatal(err)
		}
		var loss *codec.LossError
		err := w.Write(g)
		if !errors.As(err, &loss) || !errors.Is(err, codec.ErrLoss) || len(loss.Names) == 0 || loss.Game != 2 ||
			loss.Format == "" {
			t.Fatalf("a game that cannot be held: %v", err)
		}
		if err := codectest.WriteAll(w, games[1:]); err != nil || !bytes.Equal(out.Bytes(), file) {
			t.Errorf("after a game that was refused: %v", err)
		}
		// Or dropped, and told.
		var told []string
		w = f.Write(io.Discard, codec.Lossy(func(l *codec.LossError) {
			told = append(told, fmt.Sprint(l.Game, l.Names))
		}))
		if err := errors.Join(w.Write(games[0]), w.Write(g), w.Write(g), w.Close()); err != nil || len(told) != 2 ||
			told[0] != fmt.Sprint(2, loss.Names) || told[1] != fmt.Sprint(3, loss.Names) {
			t.Errorf("lossy: %q, %v", told, err)
		}
	})
	if f.BadOption != nil {
		t.Run("options", func(t *testing.T) {
			r, w := f.BadOption()
			if r != nil {
				if _, _, final := drain(t, r, most); !errors.Is(final, codec.ErrOption) {
					t.Errorf("reader: %v", final)
				}
			}
			if w != nil {
				if err := w.Write(games[0]); !errors.Is(err, codec.ErrOption) {
					t.Errorf("Write: %v", err)
				}
				if err := w.Close(); !errors.Is(err, codec.ErrOption) {
					t.Errorf("Close: %v", err)
				}
			}
		})
	}
}

// codecDiff returns the first difference of start, result and moves.
func codecDiff(a, b *game.Game) string {
	a, b = a.Clone(), b.Clone()
	a.Tags, b.Tags = nil, nil
	return a.Diff(b)
}

// shortWriter takes n bytes, and then has an error.
type shortWriter struct {
	n   int
	err error
}

func (w *shortWriter) Write(b []byte) (int, error) {
	if len(b) > w.n {
		n := w.n
		w.n = 0
		return n, w.err
	}
	w.n -= len(b)
	return len(b), nil
}
