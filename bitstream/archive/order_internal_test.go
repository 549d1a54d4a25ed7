// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"ply11/bitstream"
	"ply11/game"
	"ply11/moveindex"
	"ply11/position"
)

// Sequential is what is read of a game front to back.
type Sequential struct {
	Text   string
	Game   *game.Game
	Line   []moveindex.Index
	Start  position.Position
	result game.Result
	Except Exception
	places []position.Position // after ply 0, 1, …
}

// ReadSequential reads an archive front to back, and proves that it is the text.
func ReadSequential(t *testing.T, archive, text []byte) (list []Sequential) {
	t.Helper()
	var got []byte
	for b := range BlocksOf(t, archive) {
		first := len(list)
		for i := range b.Len() {
			var q Sequential
			g := game.New()
			part, err := b.AppendText(nil, i+1, g)
			if err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				got = append(got, b.except.lead...)
			}
			got = append(got, part...)
			q.Text, q.Game, q.Start, q.result = string(part), g, g.Start, g.Result
			p := g.Start
			q.places = append(q.places, p)
			for _, m := range g.AppendMainLine(nil) {
				w, _ := moveindex.Of(m)
				q.Line = append(q.Line, w)
				p.Make(m)
				q.places = append(q.places, p)
			}
			if q.Except, _, err = b.Exception(i + 1); err != nil {
				t.Fatal(err)
			}
			q.Except.patch = nil
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
		t.Fatal("read front to back: " + FirstDifference(text, got))
	}
	return list
}

// Step asks a Block or a Reader for a game, by its number from 1.
type Step func(n int, want *Sequential) error

// CommonSteps are the methods that Block and Reader have. Their first game has a number in the archive.
func CommonSteps(r interface {
	Game(n int, g *game.Game) error
	Tags(n int, g *game.Game) error
	MainLine(dst []moveindex.Index, n int) ([]moveindex.Index, error)
	Start(n int) (position.Position, error)
}, first int, text func(n int) ([]byte, error)) []Step {
	var g game.Game
	var line []moveindex.Index
	return []Step{
		func(n int, want *Sequential) error {
			if err := r.Game(n-first+1, &g); err != nil || !g.Equal(want.Game) {
				return fmt.Errorf("game %d: %s, %w", n, want.Game.Diff(&g), err)
			}
			return nil
		},
		func(n int, want *Sequential) error {
			if err := r.Tags(n-first+1, &g); err != nil || !slices.Equal(want.Game.Tags, g.Tags) ||
				g.Result != want.result || g.Len() > 0 {
				return fmt.Errorf("game %d: Tags: %v, %v, %w", n, g.Tags, g.Result, err)
			}
			return nil
		},
		func(n int, want *Sequential) (err error) {
			if line, err = r.MainLine(line[:0], n-first+1); err != nil || !slices.Equal(line, want.Line) {
				return fmt.Errorf("game %d: MainLine: %v, %v", n, line, err)
			}
			return nil
		},
		func(n int, want *Sequential) error {
			if p, err := r.Start(n - first + 1); err != nil || p != want.Start {
				return fmt.Errorf("game %d: Start: %v, %v", n, p.FEN(), err)
			}
			return nil
		},
		func(n int, want *Sequential) error {
			if text, err := text(n - first + 1); err != nil || string(text) != want.Text {
				return fmt.Errorf("game %d: AppendText: %q, %v; want %q", n, text, err, want.Text)
			}
			return nil
		},
	}
}

// BlockSteps are all methods of a Block.
func BlockSteps(b *Block, list []Sequential, rng *rand.Rand) []Step {
	var g game.Game
	var line []moveindex.Index
	first := int(b.First())
	return append(CommonSteps(b, first, func(n int) ([]byte, error) {
		if rng.IntN(2) == 0 {
			return b.AppendText(nil, n, nil)
		}
		text, err := b.AppendText(nil, n, &g)
		if want := list[first-2+n].Game; err == nil && !g.Equal(want) {
			err = errors.New(want.Diff(&g))
		}
		return text, err
	}), []Step{
		func(n int, want *Sequential) error {
			if r, err := b.Result(n - first + 1); err != nil || r != want.result {
				return fmt.Errorf("game %d: Result: %v, %v", n, r, err)
			}
			return nil
		},
		func(n int, want *Sequential) error {
			x, ok, err := b.Exception(n - first + 1)
			if x.patch = nil; err != nil || x.Invalid != want.Except.Invalid || x.Partial != want.Except.Partial ||
				x.Text != want.Except.Text || ok != (x.Invalid || x.Partial || x.Text) {
				return fmt.Errorf("game %d: Exception: %v, %v, %v", n, x, ok, err)
			}
			return nil
		},
		func(n int, want *Sequential) error { // every ply where its address says
			bit, plies, err := b.Address(n - first + 1)
			if err != nil || plies != len(want.Line) {
				return fmt.Errorf("game %d: Address: %d plies, %v", n, plies, err)
			}
			moves, err := b.MoveColumn()
			if err != nil {
				return err
			}
			p := want.Start
			for k, w := range want.Line {
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
		func(n int, want *Sequential) error { // all words
			words, err := b.appendWords(line[:0])
			if err != nil || len(words) != b.Words() {
				return fmt.Errorf("AppendWords: %d words, %v; want %d", len(words), err, b.Words())
			}
			for i := range b.Len() {
				if k := bitstream.StartSize(words[0]); k > 0 {
					words = words[k+1:]
				}
				own := list[first-1+i].Line
				if !slices.Equal(words[:len(own)], own) {
					return fmt.Errorf("game %d: AppendWords has another main line", first+i)
				}
				words = words[len(own)+1:]
			}
			return nil
		},
	}...)
}

// TestTagsAgain: the tags of a game that was read last are not looked for again.
func TestTagsAgain(t *testing.T) {
	archive, _ := SmallArchive(t, false)
	b := MustBlock(t, MustOpen(t, archive), 1)
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
		if !slices.Equal(again.Tags, first.Tags) || again.Result != first.Result ||
			again.Source.Number != first.Source.Number {
			t.Errorf("game %d: %v, not %v", n, again.Tags, first.Tags)
		}
	}
}
