// SPDX-License-Identifier: Apache-2.0

package archive_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/game/pgn"
	"ply11/internal/datadir"
	"ply11/internal/testenv"
)

// gameFiles returns all files of games below the project's testdata folders, and below PLY11_DATA if it is there.
func gameFiles(t *testing.T) (files []string) {
	t.Helper()
	roots := []string{filepath.Join("..", "..")}
	if dir, ok := datadir.Dir(); ok {
		roots = append(roots, filepath.Join(dir, "pgn"))
	} else {
		t.Logf("the folder of real data is absent (set %s): the project's own files alone", datadir.Env)
	}
	for _, root := range roots {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && (strings.HasSuffix(path, ".pgn") || strings.HasSuffix(path, ".pgn.zst")) {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(files) < 5 {
		t.Fatalf("%d files of games: some are missing", len(files))
	}
	return files
}

// sampleOf returns the first bytes of a text, up to where a game ends.
func sampleOf(text []byte, most int) []byte {
	if len(text) <= most {
		return text
	}
	if at := archive.NextGame(text, most); at >= 0 {
		return text[:at]
	}
	return text
}

// readerSteps are all methods of a Reader for a game.
func readerSteps(r *archive.Reader) []archive.Step {
	return archive.CommonSteps(r, 1, func(n int) ([]byte, error) {
		text, err := r.AppendText([]byte("before"), n)
		return bytes.TrimPrefix(text, []byte("before")), err
	})
}

// TestEveryOrder reads the games of every file in random orders, through every method of Reader and Block: each is the
// game of the sequential read, and the text of the source.
func TestEveryOrder(t *testing.T) {
	testenv.Slow(t)
	for _, path := range gameFiles(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			whole := archive.ReadData(t, path)
			for _, games := range []int{1, 7, 1024} {
				text := whole
				if !testenv.Long {
					text = sampleOf(whole, map[int]int{1: 5_000, 7: 12_000, 1024: 25_000}[games]/testenv.Pick(1, 5))
				}
				for _, dense := range []bool{false, true} {
					rng := rand.New(rand.NewPCG(uint64(games), uint64(len(text))))
					data, _ := archive.MustPack(t, text, archive.WithBlockGames(games), archive.WithDense(dense))
					if err := checkOrders(t, data, text, rng); err != nil {
						t.Fatalf("dense %v, blocks of %d games: %v", dense, games, err)
					}
				}
			}
		})
	}
}

// checkOrders reads an archive in random orders.
func checkOrders(t *testing.T, data, text []byte, rng *rand.Rand) error {
	t.Helper()
	list := archive.ReadSequential(t, data, text)
	n := 0
	for want := range pgn.NewReader(bytes.NewReader(text)).All() {
		if n >= len(list) {
			return fmt.Errorf("game %d is missing", n+1)
		}
		// An invalid game, or one whose annotations the columns cannot hold, is not all there.
		if got := &list[n]; !want.Equal(got.Game) && !got.Except.Invalid && !got.Except.Partial {
			// The encoding of a text is found out for a part of it.
			alone := game.New()
			if err := pgn.NewReader(strings.NewReader(got.Text)).Read(alone); err != nil || !alone.Equal(got.Game) {
				return fmt.Errorf("game %d is not that of the text: %s", n+1, want.Diff(got.Game))
			}
		}
		n++
	}
	if n != len(list) {
		return fmt.Errorf("%d games, not %d", len(list), n)
	}
	open := func() *archive.Reader {
		r := archive.MustOpen(t, data)
		return r
	}
	if n == 0 {
		return nil
	}
	used := open()
	steps := readerSteps(used)
	for _, i := range rng.Perm(n) {
		if err := steps[rng.IntN(len(steps))](i+1, &list[i]); err != nil {
			return fmt.Errorf("used reader: %w", err)
		}
	}
	for range min(n, 12) {
		i := rng.IntN(n)
		fresh := readerSteps(open())
		if err := fresh[rng.IntN(len(fresh))](i+1, &list[i]); err != nil {
			return fmt.Errorf("fresh reader: %w", err)
		}
	}
	var seen []bool
	for _, k := range rng.Perm(used.Blocks()) {
		b, err := used.Block(k + 1)
		if err != nil {
			return err
		}
		steps := archive.BlockSteps(b, list, rng)
		costly := len(steps) - 2 // the last read all of the block
		seen = append(seen[:0], make([]bool, b.Len())...)
		for range 2 * b.Len() {
			i := rng.IntN(b.Len())
			s := rng.IntN(costly)
			if rng.IntN(b.Len()) < 3 {
				s = rng.IntN(len(steps))
			}
			seen[i] = true
			if err := steps[s](int(b.First())+i, &list[int(b.First())-1+i]); err != nil {
				return fmt.Errorf("block %d: %w", k+1, err)
			}
			if rng.IntN(2*b.Len()) == 0 {
				if err := b.Verify(); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// TestTag: a tag alone is that of the whole game, in every order of games and names, also where a game or the column
// has a name twice, and where a value is escaped, repeated, or the result of another game.
func TestTag(t *testing.T) {
	text := []byte("[Event \"A\"]\n[Event \"B\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n[Event \"B\"]\n[White " +
		"\"\x01\x02\x03x\"]\n[Result \"1-0\"]\n\n1. e4 0-1\n\n" +
		"[White \"\x03\"]\n[Event \"\"]\n\n1. d4 *\n\n[Event \"A\"]\n[White \"\x03\"]\n[Event \"A\"]\n[Event " +
		"\"C\"]\n[Result \"*\"]\n\n1. e4 *\n\n1. c4 *\n\n[Event \"C\"]\n[Result \"1-0\"]\n\n1. d4 1-0\n")
	archive.EachForm(t, func(t *testing.T, dense bool) {
		small, _ := archive.SmallArchive(t, dense)
		odd, stats := archive.MustPack(t, text, archive.WithDense(dense))
		if stats.Games != 6 || stats.Blocks != 1 {
			t.Fatalf("%d games in %d blocks", stats.Games, stats.Blocks)
		}
		for _, data := range [][]byte{odd, small, archive.ForgeNames(t, odd, "White", "Event")} {
			r, alone := archive.MustOpen(t, data), archive.MustOpen(t, data)
			games := make([]game.Game, r.Len())
			for n := range games {
				if err := r.Tags(n+1, &games[n]); err != nil {
					t.Fatal(err)
				}
			}
			random := rand.New(rand.NewPCG(3, 4))
			for k := range 2000 {
				n := random.IntN(len(games))
				if k < len(games) {
					n = k // in their order, first
				}
				b, i, err := alone.Find(n + 1)
				if err != nil {
					t.Fatal(err)
				}
				for _, name := range []string{"Event", "White", "Result", "Site", "", "none"} {
					want, has := games[n].LookupTag(name)
					if got, ok, err := b.Tag(i, name); got != want || ok != has || err != nil {
						t.Fatalf("game %d: %s is %q, %v, %v, want %q, %v", n+1, name, got, ok, err, want, has)
					}
				}
			}
			b := archive.MustBlock(t, alone, 1)
			for _, n := range []int{0, -1, b.Len() + 1} {
				if _, _, err := b.Tag(n, "Event"); !errors.Is(err, archive.ErrNoGame) {
					t.Errorf("game %d: %v", n, err)
				}
			}
		}
	})
}
