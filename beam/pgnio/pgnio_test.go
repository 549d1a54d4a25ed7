// SPDX-License-Identifier: Apache-2.0

package pgnio

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/rtrackers/offsetrange"
	"github.com/klauspost/compress/zstd"

	"ply11/beam/internal/files"
	"ply11/game/codec"
	"ply11/game/pgn"
	"ply11/internal/samples"
)

// read runs the DoFn on a restriction, and splits it by a fraction at each claim. It returns the pieces, and what was
// split off.
func read(t *testing.T, f files.File, size int64, rest offsetrange.Restriction, fraction float64) (texts []Text,
	rests []offsetrange.Restriction) {
	t.Helper()
	fn := &readFn{Piece: size}
	tracker := fn.CreateTracker(rest)
	split := func() {
		if _, residual, err := tracker.TrySplit(fraction); err != nil {
			t.Error(err)
		} else if residual != nil {
			rests = append(rests, residual.(offsetrange.Restriction))
		}
	}
	err := fn.ProcessElement(context.Background(), tracker, f, func(x Text) {
		texts = append(texts, x)
		split()
	})
	if err != nil || !tracker.IsDone() || tracker.GetError() != nil {
		t.Fatalf("%+v: %v, done %v, %v", rest, err, tracker.IsDone(), tracker.GetError())
	}
	return texts, rests
}

// join puts pieces into their order.
func join(texts []Text) (all []byte) {
	slices.SortFunc(texts, func(a, b Text) int {
		return cmp.Or(cmp.Compare(a.Place, b.Place),
			cmp.Compare(a.Offset, b.Offset))
	})
	for _, x := range texts {
		if x.Offset != int64(len(all)) {
			return nil
		}
		all = append(all, x.Data...)
	}
	return all
}

// store writes a file and returns what Match tells of it.
func store(t *testing.T, name string, data []byte) files.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	list, err := files.Match(context.Background(), []string{path})
	if err != nil {
		t.Fatal(err)
	}
	return list[0]
}

// countGames counts the games of a text.
func countGames(text []byte) (n int) {
	for range pgn.NewReader(bytes.NewReader(text)).All() {
		n++
	}
	return n
}

// TestPieces: the pieces of a file are its bytes, each once, and no game is cut, for all sizes, cuts and splits.
func TestPieces(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 2))
	for _, name := range samples.Names {
		data := samples.File(name)
		for i, text := range [][]byte{data, bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n")),
			append([]byte("\n\n% a line\n"), data...), bytes.TrimSpace(data)} {
			f := store(t, name, text)
			games := countGames(text)
			for _, size := range []int64{100, 1000, 1<<12 + 1, 1 << 20} {
				what := fmt.Sprintf("%s, form %d, pieces of %d", name, i, size)
				whole, _ := read(t, f, size, offsetrange.Restriction{End: f.Size}, 1)
				if got := join(whole); !bytes.Equal(got, text) {
					t.Fatalf("%s: %d bytes of %d", what, len(got), len(text))
				}
				n := 0
				for _, x := range whole {
					n += countGames(x.Data)
				}
				if n != games {
					t.Errorf("%s: %d games of %d", what, n, games)
				}
				if size == 1000 && len(whole) < 5 {
					t.Errorf("%s: %d pieces", what, len(whole))
				}
				for range 5 {
					cut := 1 + rng.Int64N(f.Size-1)
					a, _ := read(t, f, size, offsetrange.Restriction{End: cut}, 1)
					b, _ := read(t, f, size, offsetrange.Restriction{Start: cut, End: f.Size}, 1)
					if !slices.EqualFunc(append(a, b...), whole, same) {
						t.Fatalf("%s: cut at %d, the pieces are others", what, cut)
					}
				}
				var split []Text
				for queue := []offsetrange.Restriction{{End: f.Size}}; len(queue) > 0; {
					got, more := read(t, f, size, queue[0], []float64{0, 0.5, 0.9}[rng.IntN(3)])
					split, queue = append(split, got...), append(queue[1:], more...)
				}
				join(split)
				if !slices.EqualFunc(split, whole, same) {
					t.Fatalf("%s: split, the pieces are others", what)
				}
			}
		}
	}
}

func same(a, b Text) bool {
	return a.File == b.File && a.Offset == b.Offset && a.Place == b.Place && bytes.Equal(a.Data, b.Data)
}

// TestRefuses: a file of another compression, and one that cannot be cut, are errors with the file's name.
func TestRefuses(t *testing.T) {
	for name, want := range map[string]error{"x.pgn.zip": ErrCompressed, "x.PGN.7Z": ErrCompressed,
		"x.txt": ErrNoGame} {
		n := 1
		if want == ErrNoGame {
			n = (maxPiece + 4<<20) / 8
		}
		f := store(t, name, []byte(strings.Repeat("no game\n", n)))
		if err := refused(f); !errors.Is(err, want) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// refused returns the error of the DoFn on a file.
func refused(f files.File) error {
	fn := &readFn{Piece: piece}
	return fn.ProcessElement(context.Background(), fn.CreateTracker(fn.CreateInitialRestriction(f)), f, func(Text) {})
}

// compress returns a text as gzip and zstd make it shorter, by the ends of names.
func compress(t *testing.T, text []byte) map[string][]byte {
	t.Helper()
	var g bytes.Buffer
	w := gzip.NewWriter(&g)
	if _, err := w.Write(text); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{".gz": g.Bytes(), ".zst": z.EncodeAll(text, nil)}
}

// TestCompressed: the pieces of a compressed file are those of its text, each once, and nothing splits it. Their places
// ascend. A file that is cut off is refused, with its name.
func TestCompressed(t *testing.T) {
	text := bytes.Repeat(samples.File(samples.Annotated), 20)
	const size = 5000
	want, _ := read(t, store(t, "x.pgn", text), size, offsetrange.Restriction{End: int64(len(text))}, 1)
	if len(want) < 10 {
		t.Fatalf("%d pieces", len(want))
	}
	for ext, data := range compress(t, text) {
		f := store(t, "x.pgn"+ext, data)
		f.Before, f.All = 1000, 1000+f.Size
		fn := &readFn{Piece: size}
		rest := fn.CreateInitialRestriction(f)
		if list := fn.SplitRestriction(f, rest); len(list) != 1 || list[0] != rest ||
			fn.RestrictionSize(f, rest) != float64(f.Size) {
			t.Errorf("%s: %v of %v", ext, list, rest)
		}
		for _, fraction := range []float64{0, 0.5, 1} {
			got, more := read(t, f, size, rest, fraction)
			if len(more) > 0 {
				t.Errorf("%s is split: %v", ext, more)
			}
			if !slices.EqualFunc(got, want, func(a, b Text) bool {
				return a.Offset == b.Offset &&
					bytes.Equal(a.Data, b.Data)
			}) {
				t.Fatalf("%s: the pieces are others: %d, not %d", ext, len(got), len(want))
			}
			for i, x := range got {
				if x.Place < f.Before || x.Place >= f.All || i > 0 && x.Place < got[i-1].Place {
					t.Errorf("%s: piece %d has the place %d, of %d to %d", ext, i, x.Place, f.Before, f.All)
				}
			}
		}
		for _, n := range []int{1, 3, len(data) / 2, len(data) - 1} {
			name := fmt.Sprintf("cut-%d%s", n, ext)
			if err := refused(store(t, name, data[:n])); !errors.Is(err, codec.ErrTruncated) ||
				!strings.Contains(err.Error(), name) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// TestSteady: what is read at a time does not depend on how the bytes come.
func TestSteady(t *testing.T) {
	s := &steady{r: iotest.OneByteReader(strings.NewReader("eleven bits"))}
	b := make([]byte, 8)
	for _, want := range []string{"eleven b", "its"} {
		if n, err := s.Read(b); err != nil || string(b[:n]) != want {
			t.Errorf("%q, %v, want %q", b[:n], err, want)
		}
	}
	if n, err := s.Read(b); n != 0 || err != io.EOF || s.n != 11 {
		t.Errorf("%d bytes, %v, after %d", n, err, s.n)
	}
}

// TestForward: a file in which one cannot seek gives the same pieces.
func TestForward(t *testing.T) {
	text := samples.File(samples.Annotated)
	const size = 3000
	for at := int64(0); at < int64(len(text)); at += size {
		var got [2][]byte
		for i, in := range []io.Reader{bytes.NewReader(text), io.MultiReader(bytes.NewReader(text))} {
			c := cutter{piece: size}
			if err := c.open(in, at); err != nil {
				t.Fatal(err)
			}
			_, data, err := c.next(at)
			if err != nil {
				t.Fatal(err)
			}
			got[i] = data
		}
		if !bytes.Equal(got[0], got[1]) {
			t.Errorf("the piece of %d is another", at)
		}
	}
}
