// SPDX-License-Identifier: Apache-2.0

package archive_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ply11/bitstream/archive"
	"ply11/bitstream/dense"
	"ply11/chess"
	"ply11/game"
)

// isDense returns how many blocks with games an archive has, and how many are dense.
func isDense(tb testing.TB, data []byte) (blocks, coded int) {
	tb.Helper()
	for b := range archive.BlocksOf(tb, data) {
		if b.Len() > 0 {
			blocks++
		}
		if b.Dense() {
			coded++
		}
	}
	return blocks, coded
}

// TestDenseOddGames packs them, and reads each.
func TestDenseOddGames(t *testing.T) {
	text := []byte(archive.OddText())
	for _, games := range []int{1, 3, 1024} {
		fixed, _ := archive.MustPack(t, text, archive.WithBlockGames(games))
		coded, stats := archive.MustPack(t, text, archive.WithBlockGames(games), archive.WithDense(true))
		if blocks, n := isDense(t, coded); n != blocks {
			t.Errorf("%d of %d blocks are dense", n, blocks)
		}
		if got := archive.MustUnpack(t, coded); !bytes.Equal(got, text) {
			t.Fatal(archive.FirstDifference(text, got))
		}
		archive.Whole(t, coded)
		if stats.Fixed != 0 {
			t.Errorf("%d blocks are fixed", stats.Fixed)
		}
		if stats.Invalid < 3 {
			t.Errorf("%d games are invalid", stats.Invalid)
		}
		if got := archive.MustCopy(t, []archive.CopyOption{archive.WithDense(true)}, fixed); !bytes.Equal(got, coded) {
			t.Error("the recoded archive is not the packed one")
		}
		if got := archive.MustCopy(t, []archive.CopyOption{archive.WithDense(false)}, coded); !bytes.Equal(got, fixed) {
			t.Error("recoded back it is not the one of fixed moves")
		}
		for _, data := range [][]byte{fixed, coded} {
			if err := checkOrders(t, data, text, rand.New(rand.NewPCG(1, uint64(games)))); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestIllegalMovesStayFixed writes a game that package dense cannot code.
func TestIllegalMovesStayFixed(t *testing.T) {
	var g game.Game
	g.Reset()
	var build game.Builder
	build.Reset(&g)
	build.Move(chess.NewMove(chess.E2, chess.E5))
	build.Flush()
	var out bytes.Buffer
	w := archive.NewWriter(&out, archive.WithDense(true), archive.WithBlockGames(1))
	for _, g := range []*game.Game{archive.Parse(t, "1. e4 *"), &g, archive.Parse(t, "1. d4 *")} {
		if err := w.Write(g); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if blocks, coded := isDense(t, out.Bytes()); blocks != 3 || coded != 2 || w.Stats().Fixed != 1 {
		t.Errorf("%d of %d blocks are dense, want 2 of 3; %d are told to be fixed", coded, blocks, w.Stats().Fixed)
	}
	r := archive.MustOpen(t, out.Bytes())
	for n := 1; n <= 3; n++ {
		if line, err := r.MainLine(nil, n); err != nil || len(line) != 1 {
			t.Errorf("game %d: %v, %v", n, line, err)
		}
	}
}

// TestDenseVersions gives readers a block of a later model.
func TestDenseVersions(t *testing.T) {
	coded, _ := archive.SmallArchive(t, true)
	s := archive.NewScanner(bytes.NewReader(coded))
	b, err := s.Next()
	if err != nil {
		t.Fatal(err)
	}
	k := slices.IndexFunc(b.Columns(), func(c archive.Column) bool { return c.Kind == archive.ColumnDense })
	later := bytes.Clone(coded)
	later[b.Columns()[k].Offset] = dense.Version + 1
	archive.Reseal(later)
	if _, err := archive.Unpack(t.Context(), io.Discard, bytes.NewReader(later),
		archive.WithWorkers(1)); !errors.Is(err, archive.ErrVersion) {
		t.Errorf("a later model: %v", err)
	}
}

// TestDenseSize: dense archives take at most 42 bytes a game, on games that the model was not made from.
func TestDenseSize(t *testing.T) {
	data, stats := archive.MustPack(t, archive.LastGames(t, 10000), archive.WithDense(true),
		archive.WithBlockGames(1000))
	perGame := float64(len(data)) / float64(stats.Games)
	if t.Logf("%d bytes, %.2f a game", len(data), perGame); perGame > 42 || stats.Games != 10000 {
		t.Errorf("%d games of %.2f bytes, more than 42", stats.Games, perGame)
	}
}

// TestTamperedGames reads columns of games that lie under sound checksums.
func TestTamperedGames(t *testing.T) {
	const text = "1. e4 e5 1-0\n\n[Event \"?\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[SetUp \"1\"]\n\n1. e3 " +
		"Ke7 0-1\n\n[Event \"?\"]\n\n1. d4 *\n\n"
	start := 3 + 1 + 1 + 1 + 1 // plies, results, no long games, one start, after one game
	read := func(data []byte) *archive.Block {
		b, err := archive.NewScanner(bytes.NewReader(data)).Next()
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	var g game.Game
	sound := read(archive.Tampered(t, text, func([]byte) {}))
	for i := range 3 {
		if err := sound.Game(i+1, &g); err != nil {
			t.Fatal(err)
		}
	}
	// Two kings for White: game 2 cannot be read, nor what follows, in whatever order they are asked for; game 1 can.
	b := read(archive.Tampered(t, text, func(table []byte) { table[start] |= 1 }))
	for _, i := range []int{1, 0, 2, 1, 2, 0} {
		err := b.Game(i+1, &g)
		if (err == nil) != (i == 0) || err != nil && !errors.Is(err, archive.ErrCorrupt) {
			t.Errorf("game %d: %v", i+1, err)
		}
		if i == 0 && g.Len() != 2 {
			t.Errorf("game 1 has %d plies", g.Len())
		}
	}
	for name, change := range map[string]func([]byte){
		"a result of no game":      func(table []byte) { table[3] |= 0x40 },
		"a bit after the start":    func(table []byte) { table[start+archive.StartBytes-1] |= 0x80 },
		"a game after the last":    func(table []byte) { table[start-1] = 3 },
		"another number of plies":  func(table []byte) { table[0]++ },
		"more starts than games":   func(table []byte) { table[start-2] = 4 },
		"long games without plies": func(table []byte) { table[start-3] = 1 },
	} {
		b := read(archive.Tampered(t, text, change))
		if err := b.Game(1, &g); !errors.Is(err, archive.ErrCorrupt) ||
			!strings.Contains(err.Error(), "unsound column of games") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestRepack makes blocks of other sizes.
func TestRepack(t *testing.T) {
	text := []byte(archive.OddText())
	repack := func(data []byte, options ...archive.CopyOption) []byte {
		t.Helper()
		var out bytes.Buffer
		src := []io.Reader{bytes.NewReader(data)}
		if _, err := archive.Copy(t.Context(), &out, src, options...); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	exact, _ := archive.MustPack(t, text)
	canonical, _ := archive.MustPack(t, text, archive.WithCanonical(true), archive.WithDense(true))
	for i, o := range [][]archive.CopyOption{{archive.WithBlockGames(3)},
		{archive.WithBlockGames(2), archive.WithDense(true)}} {
		want, _ := archive.MustPack(t, text, archive.WithBlockGames(3-i), archive.WithDense(i > 0))
		if !bytes.Equal(repack(exact, o...), want) {
			t.Errorf("options %d: not what Pack makes of the text", i)
		}
		small := repack(canonical, o...)
		if got, want := archive.MustUnpack(t, small), archive.MustUnpack(t, canonical); !bytes.Equal(got, want) {
			t.Error("canonical: " + archive.FirstDifference(want, got))
		}
		if blocks, _ := isDense(t, small); blocks < 5 {
			t.Errorf("%d blocks", blocks)
		}
	}
	bad := bytes.Clone(exact)
	bad[len(bad)/2] ^= 1
	if _, err := archive.Copy(t.Context(), io.Discard, []io.Reader{bytes.NewReader(bad)},
		archive.WithBlockGames(9)); !errors.Is(err, archive.ErrCorrupt) {
		t.Errorf("a damaged archive: %v", err)
	}
	if _, err := archive.Copy(t.Context(), failing{}, []io.Reader{bytes.NewReader(exact)},
		archive.WithBlockGames(9)); !errors.Is(err, errFailing) {
		t.Errorf("to a failing writer: %v", err)
	}
	if _, err := archive.Copy(t.Context(), failing{}, []io.Reader{bytes.NewReader(exact)},
		archive.WithDense(true)); !errors.Is(err, errFailing) {
		t.Errorf("Recode to a failing writer: %v", err)
	}
}
