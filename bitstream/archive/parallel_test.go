// SPDX-License-Identifier: Apache-2.0

package archive_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"ply11/bitstream/archive"
	"ply11/game/codec"
)

// TestParallelEqualsOne packs and unpacks with several workers: the bytes, the counts and the order of the errors are
// those of one.
func TestParallelEqualsOne(t *testing.T) { archive.EachForm(t, testParallelEqualsOne) }

func testParallelEqualsOne(t *testing.T, dense bool) {
	var b strings.Builder
	for i := range 2500 {
		fmt.Fprintf(&b, "[Event \"Parallel %d\"]\n[White \"A\"]\n[Result \"*\"]\n\n", i)
		switch i % 50 {
		case 7:
			b.WriteString("1. e4 e5 2. Ke3 *\n\n")
		case 8:
			b.WriteString("1. d4 {a comment, [%clk 0:10:00]} (1. c4 $1 e5) 1... d5 *\n\n% an escape\n\n")
		default:
			b.WriteString("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O *\n\n")
		}
		if i == 1200 {
			fmt.Fprintf(&b, "[Event \"long\"]\n\n1. e4 {%s} *\n\n", strings.Repeat("long ", archive.MostText/4))
		}
	}
	text := []byte(b.String())
	pack := func(workers int) ([]byte, archive.Stats, []string) {
		var errs []string
		data, stats := archive.MustPack(t, text, archive.WithWorkers(workers), archive.WithBlockGames(100),
			archive.WithDense(dense), archive.WithReport(func(e *codec.Error) { errs = append(errs, e.Error()) }))
		return data, stats, errs
	}
	want, stats, errs := pack(1)
	if stats.Invalid < 50 || stats.Blocks < 10 {
		t.Fatalf("%+v", stats)
	}
	for _, workers := range []int{2, 5} {
		got, s, e := pack(workers)
		if !bytes.Equal(got, want) || s != stats || strings.Join(e, "\n") != strings.Join(errs, "\n") {
			t.Errorf("%d workers: another archive, other counts, or other errors", workers)
		}
	}
	for _, workers := range []int{1, 2, 5} {
		var out bytes.Buffer
		s, err := archive.Unpack(t.Context(), &out, bytes.NewReader(want), archive.WithWorkers(workers))
		if err != nil || !bytes.Equal(out.Bytes(), text) || s.Games != stats.Games || s.Plies != stats.Plies {
			t.Errorf("%d workers: %v: other text or counts", workers, err)
		}
	}
	// An error of either end stops all workers, and is the one returned.
	for _, workers := range []int{1, 5} {
		if _, err := archive.Pack(t.Context(), io.Discard, io.MultiReader(bytes.NewReader(text[:len(text)/2]),
			failing{}), archive.WithWorkers(workers), archive.WithDense(dense)); !errors.Is(err, errFailing) {
			t.Errorf("Pack of a failing reader: %v", err)
		}
		// What decompressors return where their input is cut off.
		if _, err := archive.Pack(t.Context(), io.Discard, io.MultiReader(bytes.NewReader(text[:len(text)/2]),
			iotest.ErrReader(io.ErrUnexpectedEOF)),
			archive.WithWorkers(workers)); err != io.ErrUnexpectedEOF {
			t.Errorf("Pack of a reader that is cut off: %v", err)
		}
		if _, err := archive.Pack(t.Context(), failing{}, bytes.NewReader(text), archive.WithWorkers(workers),
			archive.WithDense(dense)); !errors.Is(err, errFailing) {
			t.Errorf("Pack to a failing writer: %v", err)
		}
		if _, err := archive.Unpack(t.Context(), failing{}, bytes.NewReader(want),
			archive.WithWorkers(workers)); !errors.Is(err, errFailing) {
			t.Errorf("Unpack to a failing writer: %v", err)
		}
	}
}

var errFailing = errors.New("failing")

type failing struct{}

func (failing) Read([]byte) (int, error)  { return 0, errFailing }
func (failing) Write([]byte) (int, error) { return 0, errFailing }

// TestVerifyWorkers: as many workers as are asked for are at work, and find the same.
func TestVerifyWorkers(t *testing.T) {
	data, _ := archive.MustPack(t, []byte(strings.Repeat("[White \"a\"]\n\n1. e4 e5 *\n\n", 3000)),
		archive.WithBlockGames(50))
	bad := bytes.Clone(data)
	bad[len(bad)/2] ^= 1
	for _, b := range [][]byte{data, bad} {
		want, err := archive.Verify(t.Context(), bytes.NewReader(b), int64(len(b)), archive.WithWorkers(1))
		if err != nil || want.OK() != (&b[0] == &data[0]) {
			t.Fatal(want, err)
		}
		before, most := runtime.NumGoroutine(), 0
		got, err := archive.Verify(t.Context(), bytes.NewReader(b), int64(len(b)), archive.WithWorkers(9),
			archive.WithProgress(func(archive.Stats) { most = max(most, runtime.NumGoroutine()) }))
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("nine workers find %v, %v, and one %v", got, err, want)
		}
		if want.OK() && most < before+9 {
			t.Errorf("%d goroutines are more than before", most-before)
		}
	}
}

// TestLongestGame packs an invalid game as long as can be carried from one piece to the next, in which another seems to
// begin.
func TestLongestGame(t *testing.T) {
	var b strings.Builder
	for range 2 {
		b.WriteString("[Event \"a\"]\n\n1. e4 *\n\n")
		for range 8 {
			b.WriteString("[White \"b\"]\n\n1. e4 {" + strings.Repeat("a comment ", 20_000) + "} *\n\n")
		}
	}
	start := b.Len()
	b.WriteString("[Event \"c\"]\n\n1. e4 {")
	b.WriteString(strings.Repeat("a comment ", archive.MostText/10)[:archive.MostText-1-(b.Len()-start)-2])
	b.WriteString("\n\n[Event ")
	b.WriteString(strings.Repeat("and so on ", 3*archive.MostText/10))
	data, stats := archive.MustPack(t, []byte(b.String()), archive.WithWorkers(1))
	if stats.Games <= 2*9 || stats.Invalid == 0 {
		t.Errorf("%+v", stats)
	}
	if got := archive.MustUnpack(t, data); string(got) != b.String() {
		t.Error(archive.FirstDifference([]byte(b.String()), got))
	}
}
