// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ply11/bitstream"
	"ply11/game"
	"ply11/game/pgn"
	"ply11/internal/datadir"
	"ply11/internal/testenv"
	"ply11/moveindex"
	"ply11/position"
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

// sampleOf returns the first bytes of a text, up to where a game ends, and all of it with the tag long.
func sampleOf(text []byte, most int) []byte {
	if len(text) <= most {
		return text
	}
	if at := nextGame(text, most); at >= 0 {
		return text[:at]
	}
	return text
}

// sequential is what is read of a game front to back.
type sequential struct {
	text   string
	game   *game.Game
	line   []moveindex.Index
	start  position.Position
	result game.Result
	except Exception
	places []position.Position // after ply 0, 1, …
}

// readSequential reads an archive front to back, and proves that it is the text.
func readSequential(t *testing.T, archive, text []byte) (list []sequential) {
	t.Helper()
	var got []byte
	for b := range blocksOf(t, archive) {
		first := len(list)
		for i := range b.Len() {
			var q sequential
			g := game.New()
			part, err := b.AppendText(nil, i+1, g)
			if err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				got = append(got, b.except.lead...)
			}
			got = append(got, part...)
			q.text, q.game, q.start, q.result = string(part), g, g.Start, g.Result
			p := g.Start
			q.places = append(q.places, p)
			for _, m := range g.AppendMainLine(nil) {
				w, _ := moveindex.Of(m)
				q.line = append(q.line, w)
				p.Make(m)
				q.places = append(q.places, p)
			}
			if q.except, _, err = b.Exception(i + 1); err != nil {
				t.Fatal(err)
			}
			q.except.patch = nil
			list = append(list, q)
		}
		if b.Len() == 0 {
			got = append(got, b.except.lead...)
			all, err := b.AppendAll(nil)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, all...)
		}
		if first+1 != b.First() {
			t.Fatalf("game %d is the first of the block, not %d", b.First(), first+1)
		}
	}
	if !bytes.Equal(got, text) {
		t.Fatal("read front to back: " + firstDifference(text, got))
	}
	return list
}

// step asks a Block or a Reader for a game, by its number from 1.
type step func(n int, want *sequential) error

func differs(what string, n int) error {
	return fmt.Errorf("game %d: %s is not that of the sequential read", n, what)
}

func checkGame(n int, want *sequential, g *game.Game, err error) error {
	if err != nil {
		return fmt.Errorf("game %d: %w", n, err)
	}
	if diff := want.game.Diff(g); diff != "" {
		return fmt.Errorf("game %d: %s", n, diff)
	}
	return nil
}

func checkTags(n int, want *sequential, g *game.Game, err error) error {
	if err != nil {
		return fmt.Errorf("game %d: %w", n, err)
	}
	if !slices.Equal(want.game.Tags, g.Tags) || g.Result != want.result || g.Len() > 0 {
		return differs("Tags", n)
	}
	return nil
}

// readerSteps are all methods of a Reader for a game.
func readerSteps(r *Reader) []step {
	var g game.Game
	var line []moveindex.Index
	return []step{
		func(n int, want *sequential) error { err := r.Game(n, &g); return checkGame(n, want, &g, err) },
		func(n int, want *sequential) error { err := r.Tags(n, &g); return checkTags(n, want, &g, err) },
		func(n int, want *sequential) error {
			text, err := r.AppendText([]byte("before"), n)
			if err != nil || string(text) != "before"+want.text {
				return fmt.Errorf("game %d: AppendText: %q, %v; want %q", n, text, err, want.text)
			}
			return nil
		},
		func(n int, want *sequential) (err error) {
			if line, err = r.MainLine(line[:0], n); err != nil || !slices.Equal(line, want.line) {
				return fmt.Errorf("game %d: MainLine: %v, %v", n, line, err)
			}
			return nil
		},
		func(n int, want *sequential) error {
			if p, err := r.Start(n); err != nil || p != want.start {
				return fmt.Errorf("game %d: Start: %v, %v", n, p.FEN(), err)
			}
			return nil
		},
	}
}

// blockSteps are all methods of a Block.
func blockSteps(b *Block, list []sequential, rng *rand.Rand) []step {
	var g game.Game
	var line []moveindex.Index
	first := int(b.First())
	return []step{
		func(n int, want *sequential) error { err := b.Game(n-first+1, &g); return checkGame(n, want, &g, err) },
		func(n int, want *sequential) error { err := b.Tags(n-first+1, &g); return checkTags(n, want, &g, err) },
		func(n int, want *sequential) error {
			into := &g
			if rng.IntN(2) == 0 {
				into = nil
			}
			text, err := b.AppendText(nil, n-first+1, into)
			if err != nil || string(text) != want.text {
				return fmt.Errorf("game %d: AppendText: %q, %v; want %q", n, text, err, want.text)
			}
			if into != nil {
				return checkGame(n, want, &g, nil)
			}
			return nil
		},
		func(n int, want *sequential) (err error) {
			if line, err = b.MainLine(line[:0], n-first+1); err != nil || !slices.Equal(line, want.line) {
				return fmt.Errorf("game %d: MainLine: %v, %v", n, line, err)
			}
			return nil
		},
		func(n int, want *sequential) error {
			if p, err := b.Start(n - first + 1); err != nil || p != want.start {
				return fmt.Errorf("game %d: Start: %v, %v", n, p.FEN(), err)
			}
			return nil
		},
		func(n int, want *sequential) error {
			if r, err := b.Result(n - first + 1); err != nil || r != want.result {
				return fmt.Errorf("game %d: Result: %v, %v", n, r, err)
			}
			return nil
		},
		func(n int, want *sequential) error {
			x, ok, err := b.Exception(n - first + 1)
			if x.patch = nil; err != nil || x.Invalid != want.except.Invalid || x.Partial != want.except.Partial ||
				x.Text != want.except.Text || ok != (x.Invalid || x.Partial || x.Text) {
				return fmt.Errorf("game %d: Exception: %v, %v, %v", n, x, ok, err)
			}
			return nil
		},
		func(n int, want *sequential) error { // every ply where its address says
			bit, plies, err := b.Address(n - first + 1)
			if err != nil || plies != len(want.line) {
				return fmt.Errorf("game %d: Address: %d plies, %v", n, plies, err)
			}
			moves, err := b.MoveColumn()
			if err != nil {
				return err
			}
			p := want.start
			for k, w := range want.line {
				got, ok := bitstream.At(moves, bit+uint64(k)*moveindex.Bits)
				if !ok || got != w {
					return fmt.Errorf("game %d: ply %d at its address is %d, not %d", n, k+1, got, w)
				}
				if p.MakeIndex(got); p != want.places[k+1] {
					return fmt.Errorf("game %d: another position after ply %d", n, k+1)
				}
			}
			return nil
		},
		func(n int, want *sequential) error { // all words
			words, err := b.appendWords(line[:0])
			if err != nil || len(words) != b.Words() {
				return fmt.Errorf("AppendWords: %d words, %v; want %d", len(words), err, b.Words())
			}
			for i := range b.Len() {
				if k := bitstream.StartSize(words[0]); k > 0 {
					words = words[k+1:]
				}
				own := list[first-1+i].line
				if !slices.Equal(words[:len(own)], own) {
					return fmt.Errorf("game %d: AppendWords has another main line", first+i)
				}
				words = words[len(own)+1:]
			}
			return nil
		},
		func(n int, want *sequential) error { // every position, with another game read in between
			seen := 0
			var bad error
			err := b.Replay(func(i, ply int, p *position.Position) bool {
				if bad == nil && *p != list[first-2+i].places[ply] {
					bad = fmt.Errorf("game %d: Replay: another position after ply %d", first-1+i, ply)
				}
				seen++
				if first-1+i == n && ply == 1 {
					if err := b.Game(1+rng.IntN(b.Len()), &g); err != nil {
						bad = err
					}
					return rng.IntN(2) == 0
				}
				return bad == nil
			})
			if bad == nil && seen < b.Len() {
				bad = fmt.Errorf("Replay: %d positions", seen)
			}
			if err != nil {
				return err
			}
			return bad
		},
	}
}

// TestEveryOrder reads the games of every file in random orders, through every method of Reader and Block: each is the
// game that the sequential read gives, and the text of the source; every position is that of a replay.
func TestEveryOrder(t *testing.T) {
	for _, path := range gameFiles(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			whole := readData(t, path)
			for _, games := range []int{1, 7, 1024} {
				text := whole
				if !testenv.Long {
					text = sampleOf(whole, map[int]int{1: 5_000, 7: 12_000, 1024: 25_000}[games]/testenv.Pick(1, 5))
				}
				for _, dense := range []bool{false, true} {
					rng := rand.New(rand.NewPCG(uint64(games), uint64(len(text))))
					archive, _ := mustPack(t, text, WithBlockGames(games), WithDense(dense))
					if err := checkOrders(t, archive, text, rng); err != nil {
						t.Fatalf("dense %v, blocks of %d games: %v", dense, games, err)
					}
				}
			}
		})
	}
}

// checkOrders reads an archive in random orders.
func checkOrders(t *testing.T, archive, text []byte, rng *rand.Rand) error {
	t.Helper()
	list := readSequential(t, archive, text)
	n := 0
	for want := range pgn.NewReader(bytes.NewReader(text)).All() {
		if n >= len(list) {
			return fmt.Errorf("game %d is missing", n+1)
		}
		// An invalid game, or one whose annotations the columns cannot hold, is not all there.
		if got := &list[n]; !want.Equal(got.game) && !got.except.Invalid && !got.except.Partial {
			// The encoding of a text is found out for a part of it.
			alone := game.New()
			if err := pgn.NewReader(strings.NewReader(got.text)).Read(alone); err != nil || !alone.Equal(got.game) {
				return fmt.Errorf("game %d is not that of the text: %s", n+1, want.Diff(got.game))
			}
		}
		n++
	}
	if n != len(list) {
		return fmt.Errorf("%d games, not %d", len(list), n)
	}
	open := func() *Reader {
		r, err := NewReader(bytes.NewReader(archive), int64(len(archive)))
		if err != nil {
			t.Fatal(err)
		}
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
		steps := blockSteps(b, list, rng)
		costly := len(steps) - 3 // the last read all of the block
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

// TestAnnotatedNeighbours is the least case: annotated games among plain ones, by number.
func TestAnnotatedNeighbours(t *testing.T) {
	text := []byte("[Event \"a\"]\n\n1. e4 {x} e5 *\n\n[Event \"b\"]\n\n1. d4 d5 *\n\n[Event \"c\"]\n\n1. c4 {second} c5 *\n\n")
	eachForm(t, func(t *testing.T, dense bool) {
		archive, _ := mustPack(t, text, WithDense(dense))
		for n, want := range []string{"[Event \"a\"]\n\n1. e4 {x} e5 *\n\n", "[Event \"b\"]\n\n1. d4 d5 *\n\n", "[Event \"c\"]\n\n1. c4 {second} c5 *\n\n"} {
			r, err := NewReader(bytes.NewReader(archive), int64(len(archive)))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := r.AppendText(nil, n+1); err != nil || string(got) != want {
				t.Errorf("game %d is %q, %v", n+1, got, err)
			}
		}
	})
}

// TestTagsAgain: the tags of a game that was read last are there without a walk over those of the games before it, and are the same.
func TestTagsAgain(t *testing.T) {
	archive, _ := smallArchive(t, false)
	b, err := mustOpen(t, archive).Block(1)
	if err != nil {
		t.Fatal(err)
	}
	var first, again game.Game
	for n := b.Len(); n > 0; n-- {
		if err := b.Game(n, &first); err != nil {
			t.Fatal(err)
		}
		b.cursorOpen = false
		if err := b.Tags(n, &again); err != nil {
			t.Fatal(err)
		}
		if b.cursorOpen {
			t.Errorf("game %d: its tags are looked for again", n)
		}
		if !slices.Equal(again.Tags, first.Tags) || again.Result != first.Result || again.Source.Number != first.Source.Number {
			t.Errorf("game %d: %v, not %v", n, again.Tags, first.Tags)
		}
	}
}

// TestResultsOfOthers: a tag Result that repeats the value of the game before it, and is not the game's own result, is there in every order.
func TestResultsOfOthers(t *testing.T) {
	text := []byte("[Result \"1-0\"]\n\n1. e4 1-0\n\n[Result \"1-0\"]\n\n1. e4 0-1\n\n[Result \"1-0\"]\n\n1. e4 *\n\n[Result \"*\"]\n\n1. e4 *\n\n[Result \"*\"]\n\n1. d4 0-1\n")
	want := []string{"1-0", "1-0", "1-0", "*", "*"}
	eachForm(t, func(t *testing.T, dense bool) {
		archive, _ := mustPack(t, text, WithDense(dense))
		if err := checkOrders(t, archive, text, rand.New(rand.NewPCG(1, 2))); err != nil {
			t.Error(err)
		}
		for _, order := range [][]int{{3, 2, 1}, {5, 4, 3}, {2, 3, 5}, {1, 3}, {2, 5}} {
			r := mustOpen(t, archive)
			for _, n := range order {
				var g game.Game
				if err := r.Tags(n, &g); err != nil || g.Tag("Result") != want[n-1] {
					t.Errorf("%v, game %d: the tag is %q, want %q; %v", order, n, g.Tag("Result"), want[n-1], err)
				}
			}
		}
	})
}
