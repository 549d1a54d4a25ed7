// SPDX-License-Identifier: Apache-2.0

package archive_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/game/codec"
	"ply11/internal/testenv"
)

// TestSelectionKeepsTexts copies games of every file between archives of both forms, in order and out of it. Each keeps
// its text, content and marks.
func TestSelectionKeepsTexts(t *testing.T) {
	copied := 0
	for _, path := range gameFiles(t) {
		text := archive.ReadData(t, path)
		if !testenv.Long {
			text = sampleOf(text, 15_000)
		}
		rng := rand.New(rand.NewPCG(11, uint64(len(text))))
		dense := rng.IntN(2) == 0
		data, _ := archive.MustPack(t, text, archive.WithBlockGames(5), archive.WithDense(dense))
		list := archive.ReadSequential(t, data, text)
		if len(list) == 0 {
			continue
		}
		var picked []int
		for range 1 + rng.IntN(2*len(list)) {
			picked = append(picked, rng.IntN(len(list)))
		}
		if rng.IntN(3) == 0 { // all, in order
			picked = rng.Perm(len(list))
			for i := range picked {
				picked[i] = i
			}
		}
		var out bytes.Buffer
		w := archive.NewSelection(&out, archive.WithBlockGames(7), archive.WithDense(!dense))
		r := archive.MustOpen(t, data)
		var want []string
		for _, i := range picked {
			b, n, err := r.Find(i + 1)
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Copy(b, n); err != nil {
				t.Fatalf("%s: game %d: %v", path, i+1, err)
			}
			want = append(want, list[i].Text)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		for i := range want[:len(want)-1] { // an end of line is added where there is none before another game
			if !strings.HasSuffix(want[i], "\n") && !strings.HasSuffix(want[i], "\r") {
				end := "\n"
				if b, _, err := r.Find(picked[i] + 1); err != nil {
					t.Fatal(err)
				} else if style, _ := b.Style(); style.CRLF {
					end = "\r\n"
				}
				want[i] += end
			}
		}
		if got := archive.MustUnpack(t, out.Bytes()); string(got) != strings.Join(want, "") {
			t.Fatalf("%s: %s", filepath.Base(path), archive.FirstDifference([]byte(strings.Join(want, "")), got))
		}
		rep, err := archive.Verified(out.Bytes())
		if err != nil || !rep.OK() || !rep.Hashed {
			t.Fatalf("%s: %v, %v, hashed %v", path, err, rep.Errors, rep.Hashed)
		}
		s := archive.MustOpen(t, out.Bytes())
		if s.Canonical() || s.Len() != len(picked) {
			t.Fatalf("%s: canonical %v, %d games", path, s.Canonical(), s.Len())
		}
		var g game.Game
		for k, i := range picked {
			b, n, err := s.Find(k + 1)
			if err != nil {
				t.Fatal(err)
			}
			if err := b.Game(n, &g); err != nil {
				t.Fatal(err)
			}
			if diff := list[i].Game.Diff(&g); diff != "" {
				t.Fatalf("%s: game %d: %s", path, i+1, diff)
			}
			x, _, err := b.Exception(n)
			if err != nil || x.Invalid != list[i].Except.Invalid || x.Partial != list[i].Except.Partial {
				t.Fatalf("%s: game %d is marked %+v, not %+v; %v", path, i+1, x, list[i].Except, err)
			}
			copied++
		}
	}
	t.Logf("%d games", copied)
}

// TestSelectionOfLayouts copies games of two layouts by turns and in runs: a run has a block of its own.
func TestSelectionOfLayouts(t *testing.T) {
	one, _ := archive.MustPack(t, []byte(strings.Repeat("[Event \"?\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n", 300)))
	two, _ := archive.MustPack(t,
		[]byte(strings.Repeat("[Event \"?\"]\r\n\r\n1.e4 e5\r\n2.Nf3 Nc6\r\n3.Bb5 a6 *\r\n\r\n", 300)))
	size := func(turn int) (int, int) {
		var out bytes.Buffer
		w := archive.NewSelection(&out)
		for i := range 300 {
			for _, data := range [][]byte{one, two}[(i/turn)%2:][:1] {
				b, n, err := archive.MustOpen(t, data).Find(i + 1)
				if err != nil {
					t.Fatal(err)
				}
				if err := w.Copy(b, n); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		departing := 0
		for b := range archive.BlocksOf(t, out.Bytes()) {
			departing += b.Departing()
		}
		return w.Stats().Blocks, departing
	}
	if blocks, departing := size(100); blocks != 3 || departing != 0 {
		t.Errorf("runs of 100 games: %d blocks, %d patches", blocks, departing)
	}
	if blocks, departing := size(1); blocks > 5 || departing > 160 {
		t.Errorf("by turns: %d blocks, %d patches", blocks, departing)
	}
}

// TestCanonicalCopy copies to a canonical archive: it has the content, and the text of invalid games.
func TestCanonicalCopy(t *testing.T) {
	data, text := archive.SmallArchive(t, false)
	list := archive.ReadSequential(t, data, []byte(text))
	var out, canonical bytes.Buffer
	w := archive.NewWriter(&out)
	for b := range archive.BlocksOf(t, data) {
		for n := 1; n <= b.Len(); n++ {
			if err := w.Copy(b, n); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r := archive.MustOpen(t, out.Bytes())
	if !r.Canonical() || r.Len() != len(list) {
		t.Fatalf("canonical %v, %d games", r.Canonical(), r.Len())
	}
	for i := range list {
		var g game.Game
		if err := r.Game(i+1, &g); err != nil || !g.Equal(list[i].Game) {
			t.Errorf("game %d: %v, %s", i+1, err, list[i].Game.Diff(&g))
		}
		if got, err := r.AppendText(nil, i+1); err != nil || list[i].Except.Invalid != (string(got) == list[i].Text) &&
			list[i].Except.Invalid {
			t.Errorf("game %d: %q, %v", i+1, got, err)
		}
	}
	// A game from anywhere can be among those of a selection.
	sel := archive.NewSelection(&canonical)
	for b := range archive.BlocksOf(t, data) {
		if b.Number() > 1 {
			continue
		}
		for _, do := range []func() error{func() error { return sel.Copy(b, 1) },
			func() error { return sel.Write(list[1].Game) },
			func() error { return sel.Copy(b, 2) }} {
			if err := do(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := sel.Close(); err != nil {
		t.Fatal(err)
	}
	style := archive.GamesStyle()
	middle, _ := archive.Render(nil, list[1].Game, &style)
	if got, want := archive.MustUnpack(t, canonical.Bytes()), list[0].Text+string(middle)+list[1].Text; string(got) !=
		want {
		t.Error(archive.FirstDifference([]byte(want), got))
	}
}

// TestWriterTags: a Writer refuses tags that would not be read back, and takes all others.
func TestWriterTags(t *testing.T) {
	var many []game.Tag
	for i := range 30 {
		many = append(many, game.Tag{Name: strings.Repeat("n", 1<<20) + fmt.Sprint(i), Value: "x"})
	}
	for _, c := range []struct {
		name  string
		tags  []game.Tag // one a game
		err   error      // of NewWriter's
		whole bool       // NewSelection keeps the game as its text
	}{
		{"no name", []game.Tag{{Name: "", Value: "x"}}, nil, true},
		{"control bytes", []game.Tag{{Name: "\x01]\n", Value: "\x00\x01\x02\x03"}}, nil, true},
		{"not UTF-8", []game.Tag{{Name: "\xff", Value: "\xff"}}, nil, true},
		{"NUL in a name", []game.Tag{{Name: "A\x00B", Value: "x"}}, codec.ErrLoss, true},
		{"long", []game.Tag{{Name: strings.Repeat("n", 1<<20), Value: strings.Repeat("v", 2<<20)}}, nil, true},
		{"as long as can be", []game.Tag{{Name: "A", Value: strings.Repeat("\x00", 4<<20-100)}}, nil, true},
		{"name too long", []game.Tag{{Name: strings.Repeat("n", 4<<20), Value: "x"}}, codec.ErrLimit, false},
		{"value too long", []game.Tag{{Name: "A", Value: strings.Repeat("v", 17<<20)}}, codec.ErrLimit, false},
		{"names of many games", many, nil, true},
	} {
		for k, open := range []func(io.Writer, ...archive.WriterOption) *archive.Writer{
			archive.NewWriter, archive.NewSelection} {
			want := c.err
			if k == 1 && c.whole {
				want = nil
			}
			var out bytes.Buffer
			w := open(&out)
			for i := range c.tags {
				g := game.New()
				g.Tags = c.tags[i : i+1]
				if err := w.Write(g); !errors.Is(err, want) || err != nil && want == nil {
					t.Fatalf("%s: %v, want %v", c.name, err, want)
				}
			}
			if want != nil {
				continue
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			rep, err := archive.Verify(t.Context(), bytes.NewReader(out.Bytes()), int64(out.Len()))
			if err != nil || !rep.OK() || rep.Games != len(c.tags) {
				t.Errorf("%s: %v, %+v", c.name, err, rep)
				continue
			}
			r := archive.MustOpen(t, out.Bytes())
			for i := range c.tags {
				var g game.Game
				if err := r.Game(i+1, &g); err != nil || c.err == nil && !slices.Equal(g.Tags, c.tags[i:i+1]) {
					t.Errorf("%s: game %d has other tags: %v", c.name, i+1, err)
				}
			}
		}
	}
}
