// SPDX-License-Identifier: Apache-2.0

package archive_test

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/game/pgn"
	"ply11/internal/datadir"
)

// published returns games as Lichess publishes them: main lines, with the commands of those names in one comment behind
// each move.
func published(t *testing.T, text []byte, keep func(n int) bool, names string) []byte {
	t.Helper()
	command := regexp.MustCompile(`\[%(` + names + `) [^\]]*\]`)
	style := pgn.Style{Number: pgn.Space, Braces: pgn.Space, BlankAfterTags: 1, BlankAfterGame: 1}
	r := pgn.NewReader(bytes.NewReader(text))
	var out []byte
	var g game.Game
	for n := 0; ; n++ {
		err := r.Read(&g)
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		if !keep(n) {
			continue
		}
		p := game.Game{Start: g.Start, Result: g.Result, Tags: g.Tags}
		var b game.Builder
		b.Reset(&p)
		var comments []string
		flush := func() {
			if len(comments) > 0 {
				b.AddText([]byte(strings.Join(comments, " ")))
			}
			comments = comments[:0]
		}
		depth := 0
		for c := g.Cursor(); c.Next(); {
			switch {
			case c.Kind == game.VariationStart:
				depth++
			case c.Kind == game.VariationEnd:
				depth--
			case depth > 0:
			case c.Kind == game.MoveEvent:
				flush()
				b.Move(c.Move)
			case c.Kind == game.Comment && names != "":
				comments = append(comments, command.FindAllString(c.Text, -1)...)
			}
		}
		flush()
		b.Flush()
		out = pgn.AppendGame(out, &p, &style)
	}
}

// columnSizes packs a text, and returns the sizes of the columns, and of the archive.
func columnSizes(t *testing.T, text []byte) (map[archive.ColumnKind]int64, int) {
	t.Helper()
	data, _ := archive.MustPack(t, text, archive.WithDense(true))
	if got := archive.MustUnpack(t, data); !bytes.Equal(got, text) {
		t.Fatal(archive.FirstDifference(text, got))
	}
	sizes := map[archive.ColumnKind]int64{}
	r := archive.MustOpen(t, data)
	for n := range r.Blocks() {
		b := archive.MustBlock(t, r, n+1)
		for _, c := range b.Columns() {
			sizes[c.Kind] += c.Stored
		}
	}
	return sizes, len(data)
}

// TestScoreSize pins what clocks and evaluations take in a dense archive of games as Lichess publishes them.
func TestScoreSize(t *testing.T) {
	text := archive.ReadData(t, datadir.Path(t, "pgn", "annotated", "lichess-1k.pgn.zst"))
	for _, x := range []struct {
		name          string
		keep          func(n int) bool
		games         int
		clocks, evals int64 // bytes of their columns
	}{
		{"all", func(int) bool { return true }, 1000, 37528, 46549},
		{"three of ten", func(n int) bool { return n%10 >= 7 }, 300, 11192, 13683},
	} {
		_, without := columnSizes(t, published(t, text, x.keep, ""))
		clocked := published(t, text, x.keep, "clk")
		clocks := bytes.Count(clocked, []byte("[%clk "))
		sizes, total := columnSizes(t, clocked)
		perClock := float64(8*sizes[archive.ColumnClocks]) / float64(clocks)
		t.Logf("%s: %.1f bytes a game, %.1f without clocks; %d clocks of %.3f bits, %.3f with all that comes with "+
			"them", x.name,
			float64(total)/float64(x.games), float64(without)/float64(x.games), clocks, perClock,
			float64(8*(total-without))/float64(clocks))
		if sizes[archive.ColumnClocks] != x.clocks || perClock > 4.2 {
			t.Errorf("%s: the clocks take %d bytes, want %d; %.3f bits each", x.name, sizes[archive.ColumnClocks],
				x.clocks, perClock)
		}
		scored := published(t, text, x.keep, "clk|eval")
		evals := bytes.Count(scored, []byte("[%eval "))
		sizes, total = columnSizes(t, scored)
		perEval := float64(8*sizes[archive.ColumnEvals]) / float64(evals)
		t.Logf("%s: %.1f bytes a game with evaluations; %d of them, %.3f bits each", x.name,
			float64(total)/float64(x.games), evals, perEval)
		if sizes[archive.ColumnEvals] != x.evals || perEval > 7 {
			t.Errorf("%s: the evaluations take %d bytes, want %d; %.3f bits each", x.name, sizes[archive.ColumnEvals],
				x.evals, perEval)
		}
	}
}
