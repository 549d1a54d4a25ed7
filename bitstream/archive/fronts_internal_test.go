// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"errors"
	"maps"
	"reflect"
	"slices"
	"testing"

	"ply11/game"
	"ply11/moveindex"
)

// TestFronts: what is kept of blocks is neither read nor verified again, is that of the blocks, also of another place,
// and is no more than promised; the words of games are verified each time.
func TestFronts(t *testing.T) {
	data, _ := MustPack(t, []byte(TextOf("fronts", 90)), WithBlockGames(30))
	var kept Fronts
	in := &reads{ReaderAt: bytes.NewReader(data)}
	open := func() *Reader {
		r, err := NewReader(in, int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		r.Keep(&kept)
		return r
	}
	// list tells the filters, tags and lines of all blocks.
	list := func(r *Reader) (filters [][]byte, lines [][]moveindex.Index, err error) {
		var g game.Game
		for n := 1; n <= r.Blocks(); n++ {
			b, e := r.Peek(n)
			if e != nil {
				t.Fatal(e)
			}
			f, ok, e := b.Filter()
			if e != nil || !ok || b.First() != 30*(n-1)+1 || b.Number() != n {
				t.Fatal(b.First(), b.Number(), ok, e)
			}
			filters = append(filters, bytes.Clone(f.raw))
			for i := range b.Len() {
				name, ok, e := b.Tag(i+1, "Event")
				if e != nil || !ok {
					t.Fatal(ok, e)
				}
				if e := b.Tags(i+1, &g); e != nil {
					err = errors.Join(err, e)
				} else if g.Tag("Event") != name {
					t.Fatal(name, g.Tags)
				}
				filters = append(filters, []byte(name))
				line, e := b.MainLine(nil, i+1)
				lines, err = append(lines, line), errors.Join(err, e)
			}
		}
		return filters, lines, err
	}
	filters, lines, err := list(open())
	first, size := in.take()
	list(open()) // keeps the tags
	in.take()
	again, moves, err2 := list(open())
	third, less := in.take()
	if err != nil || err2 != nil || len(filters) != 93 || !reflect.DeepEqual(filters, again) ||
		!reflect.DeepEqual(lines, moves) {
		t.Fatal("other filters or lines", err, err2)
	}
	if third != first-9 || less >= size {
		t.Errorf("%d reads of %d bytes, then %d of %d: a front, a filter and tags of 3 blocks are to be kept", first,
			size, third, less)
	}
	// Dense moves have the same filters when they are decoded.
	coded, _ := MustPack(t, []byte(TextOf("fronts", 90)), WithBlockGames(30), WithDense(true))
	r := MustOpen(t, coded)
	r.Keep(&kept)
	for pass := range 2 {
		for n := range 3 {
			b, _ := r.Peek(n + 1)
			if f, ok, _ := b.Filter(); ok != (pass == 1) || ok && !bytes.Equal(f.raw, filters[31*n]) {
				t.Error("other filters of dense moves", n, ok)
			}
			b.MainLine(nil, 30)
		}
	}
	b := MustBlock(t, MustOpen(t, data), 2)
	for _, c := range b.Columns() {
		data[c.Offset] ^= 1
		_, _, err := list(open())
		if p, _ := open().Peek(2); p.Verify() == nil {
			t.Errorf("Verify finds no damage in %v", c.Kind)
		}
		if damaged := errors.Is(err, ErrCorrupt); damaged != (c.Kind == ColumnMoves) {
			t.Errorf("damage in %v: %v", c.Kind, err)
		}
		data[c.Offset] ^= 1
	}
	for _, games := range []uint32{mostBlockGames, 0} {
		var kept Fronts
		most := mostFrontGames / (int(games) + frontGames)
		for i := range 3 * most {
			sum := digest{byte(i), byte(i >> 8), byte(i >> 16), byte(games >> 12)}
			kept.add(sum, &front{in: &kept, sum: sum, head: head{games: games}})
		}
		if n := len(kept.of); n > most || kept.games > mostFrontGames {
			t.Errorf("%d blocks of %d games, %d in all, are kept", n, games, kept.games)
		}
		list := slices.Collect(maps.Values(kept.of))
		sum := 0
		for _, x := range list[:min(len(list), 64)] {
			x.keepTags(nil) // of a first search
			if sum += len(x.keepTags(make([]byte, 1<<20))); kept.tags > min(sum, mostFrontTags) {
				t.Fatalf("tags of %d bytes are kept", kept.tags)
			}
		}
		before := kept.tags
		for i := range 3 * most {
			kept.add(digest{byte(i), byte(i >> 8), byte(i >> 16), 3}, &front{head: head{games: games}})
		}
		if before != min(sum, mostFrontTags) || kept.tags >= before {
			t.Errorf("of %d bytes of tags %d are kept, and %d when others came", sum, before, kept.tags)
		}
	}
}
