// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"context"
	"io"
	"testing"

	"ply11/game"
	"ply11/internal/bounded"
)

// searchColumns returns the columns of the search part of an archive that has one part of the index, and where it begins.
func searchColumns(tb testing.TB, data []byte) (kinds []uint8, parts [][]byte, at int64) {
	tb.Helper()
	r, err := NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		tb.Fatal(err)
	}
	s, ok, err := r.Summary(1)
	if err != nil || !ok {
		tb.Fatal("no search part", err)
	}
	for i, c := range s.part.columns {
		b, err := s.part.column(i)
		if err != nil {
			tb.Fatal(err)
		}
		kinds, parts = append(kinds, c.kind), append(parts, bytes.Clone(b))
	}
	return kinds, parts, s.part.at - searchFixed
}

// forgeSearch gives an archive of one part of the index another search part: the columns that change makes of its own, or, with none, what stands in
// for it. All checksums are right.
func forgeSearch(tb testing.TB, data []byte, change func(kinds []uint8, parts [][]byte) ([]uint8, [][]byte)) []byte {
	tb.Helper()
	kinds, parts, at := searchColumns(tb, data)
	r, err := NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		tb.Fatal(err)
	}
	if _, err := r.locate(0, false); err != nil {
		tb.Fatal(err)
	}
	search, columns := joinSearch(change(kinds, parts))
	out := append(bytes.Clone(data[:at]), search...)
	p := part{0, r.nodes[0].refs, columns}
	index := p.encode()
	root := r.root
	e := root.top[0][0]
	e.at, e.size, e.sum = uint64(len(out)), uint32(len(index)), digestOf(index)
	root.top[0] = []ref{e}
	out = append(out, index...)
	footer := root.encode()
	end := trailer{uint64(len(out)), uint32(len(footer)), digestOf(footer)}
	return append(append(out, footer...), end.encode()...)
}

// TestSearchIsVerified changes search parts, and makes all checksums right again: Verify finds what hides a game, and nothing else.
func TestSearchIsVerified(t *testing.T) {
	eachForm(t, func(t *testing.T, dense bool) {
		sound, _ := mustPack(t, []byte(textOf("a", 20)), WithDense(dense), WithBlockGames(5))
		whole := func(change func(kinds []uint8, parts [][]byte) ([]uint8, [][]byte)) bool {
			b := forgeSearch(t, sound, change)
			rep, err := Verify(context.Background(), bytes.NewReader(b), int64(len(b)))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Unpack(context.Background(), io.Discard, bytes.NewReader(b)); err != nil {
				t.Fatal(err) // what is searched is no part of the text
			}
			if !rep.OK() && (len(rep.Errors) != 1 || rep.Games != 20) {
				t.Fatalf("%v of %d games", rep.Errors, rep.Games)
			}
			return rep.OK()
		}
		kinds, parts, _ := searchColumns(t, sound)
		if len(kinds) != 2 || kinds[0] != searchRanges || kinds[1] != searchNames {
			t.Fatal(kinds)
		}
		if !whole(func(k []uint8, p [][]byte) ([]uint8, [][]byte) { return k, p }) {
			t.Error("the same columns are not sound")
		}
		if !whole(func(k []uint8, p [][]byte) ([]uint8, [][]byte) {
			return []uint8{searchRanges, 7, searchNames, 255}, [][]byte{p[0], []byte("later"), p[1], {1}}
		}) {
			t.Error("columns of later versions are not passed over")
		}
		if !whole(func(k []uint8, p [][]byte) ([]uint8, [][]byte) { return []uint8{9}, [][]byte{{1}} }) {
			t.Error("a search part without a known column is not sound")
		}
		for i := range parts[1] {
			for bit := range 8 {
				set := parts[1][i]>>bit&1 != 0
				if got := whole(func(k []uint8, p [][]byte) ([]uint8, [][]byte) { p[1][i] ^= 1 << bit; return k, p }); got == set {
					t.Fatalf("bit %d of byte %d of the names, which was %v, is changed: Verify finds nothing: %v", bit, i, set, got)
				}
			}
		}
		for at := 0; at < len(parts[0]); at += 2 {
			for _, by := range []int{-1, 1} {
				old := le.Uint16(parts[0][at:])
				narrower := at%4 == 0 && by > 0 || at%4 == 2 && by < 0
				none := le.Uint16(parts[0][at&^3:]) == noLeast // no number, so it cannot be narrower
				if got := whole(func(k []uint8, p [][]byte) ([]uint8, [][]byte) {
					le.PutUint16(p[0][at:], uint16(int(old)+by))
					return k, p
				}); !none && got == narrower {
					t.Errorf("the number at %d of the ranges, %d, is changed by %d: Verify finds nothing: %v", at, old, by, got)
				}
			}
		}
	})
}

// TestSearchParts: what is copied, added and recovered has search parts as the archives had them, and dead ones are none of the archive.
func TestSearchParts(t *testing.T) {
	one, _ := mustPack(t, []byte(textOf("b", 1)))
	plain, _ := mustPack(t, []byte(textOf("c", 3)), WithFilter(false), WithBlockGames(1))
	first, _ := mustPack(t, []byte(textOf("a", 70)), WithBlockGames(1))
	text := append(mustUnpack(t, first), mustUnpack(t, one)...)
	known := func(data []byte) (n int) {
		r := mustOpen(t, data)
		for k := 1; k <= r.Blocks(); k++ {
			s, ok, err := r.Summary(k)
			if err != nil {
				t.Fatal(err)
			}
			if ok && !s.HasPlayer("nobody at all") {
				n++
			}
		}
		return n
	}
	whole := func(name string, data []byte, blocks int) {
		t.Helper()
		if n := known(data); n < blocks-3 || n > blocks {
			t.Errorf("%s: a search part tells of %d blocks, and not of %d", name, n, blocks)
		}
		if rep, err := Verify(context.Background(), bytes.NewReader(data), int64(len(data))); err != nil || !rep.OK() {
			t.Errorf("%s: %v, %v", name, rep.Errors, err)
		}
	}
	whole("packed", first, 70)
	whole("copied", mustRecode(t, nil, first), 70)
	whole("joined", mustRecode(t, nil, first, one), 71)
	appended := mustAppend(t, first, nil, one)
	whole("appended", appended, 71)
	if n := known(mustRecode(t, nil, plain)); n != 0 {
		t.Errorf("a copy of a plain archive tells of %d blocks", n)
	}
	whole("plain ones appended", mustAppend(t, first, nil, plain), 70)
	whole("appended to a plain one", mustAppend(t, plain, nil, first), 70)
	var out bytes.Buffer
	if rep, err := Recover(context.Background(), &out, bytes.NewReader(appended), int64(len(appended))); err != nil || !rep.OK() || !bytes.Equal(mustUnpack(t, out.Bytes()), text) {
		t.Errorf("Recover: %v, %v", rep.Errors, err)
	}
	whole("recovered", out.Bytes(), 71)
	r := mustOpen(t, mustRecode(t, nil, appended))
	if dead, err := r.Dead(); err != nil || dead != 0 {
		t.Errorf("%d bytes of a copy are dead, %v", dead, err)
	}
}

// FuzzSearch reads search parts of any columns: they answer or are corrupt, all readers agree that the text is sound, and what Verify does not find hides no game.
func FuzzSearch(f *testing.F) {
	sound, _ := mustPack(f, []byte(textOf("a", 6)), WithBlockGames(2))
	kinds, parts, _ := searchColumns(f, sound)
	var keys []*searchKeys
	for b := range blocksOf(f, sound) {
		k, err := b.searchKeys()
		if err != nil {
			f.Fatal(err)
		}
		keys = append(keys, k)
	}
	f.Add(kinds[0], parts[0], kinds[1], parts[1], "A", 1900)
	f.Add(kinds[0], parts[0][1:], kinds[1], parts[1][:1], "", 0)
	f.Add(kinds[1], parts[1], kinds[1]+1, parts[1], "b", -1)
	bounded.Fuzz(f, func(t *testing.T, kind0 uint8, part0 []byte, kind1 uint8, part1 []byte, name string, year int) {
		if len(part0) == 0 || len(part1) == 0 || len(part0)+len(part1) > 10_000 {
			return
		}
		passPanics(t)
		data := forgeSearch(t, sound, func([]uint8, [][]byte) ([]uint8, [][]byte) {
			return []uint8{kind0, kind1}, [][]byte{part0, part1}
		})
		readForged(t, data)
		r := mustOpen(t, data)
		rep, err := Verify(context.Background(), bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		for n := 1; n <= r.Blocks(); n++ {
			s, ok, err := r.Summary(n)
			if err != nil || !ok {
				if rep.OK() {
					t.Fatalf("Verify finds nothing, and %v, %v", ok, err)
				}
				continue
			}
			s.HasPlayer(name)
			s.HasYear(year, year+1)
			s.HasRating(year, year)
			k := keys[n-1]
			if y := int(k.years.least); rep.OK() && y != noLeast && !s.HasYear(y, y) {
				t.Error("Verify does not find that a year is hidden")
			}
			for key := range k.names {
				if may, err := s.part.may(&tableNames, s.block, key); rep.OK() && (!may || err != nil) {
					t.Error("Verify does not find that a name is hidden")
				}
			}
		}
	})
}

// TestSearchEdited: the search part of games that were changed tells of them.
func TestSearchEdited(t *testing.T) {
	eachForm(t, func(t *testing.T, dense bool) {
		data, _ := mustPack(t, []byte(textOf("a", 20)), WithDense(dense), WithBlockGames(5))
		now := mustEdit(t, data, []Change{{Game: 7, Set: []game.Tag{{Name: "White", Value: "Newcomer"}, {Name: "Date", Value: "2111.01.01"}}}})
		r := mustOpen(t, now)
		for n := 1; n <= r.Blocks(); n++ {
			s, ok, err := r.Summary(n)
			if err != nil || !ok || s.HasPlayer("Newcomer") != (n == 2) || s.HasYear(2111, 2111) != (n == 2) {
				t.Errorf("block %d: %v, %v, the player %v, the year %v", n, ok, err, s.HasPlayer("Newcomer"), s.HasYear(2111, 2111))
			}
		}
		if rep, err := Verify(context.Background(), bytes.NewReader(now), int64(len(now))); err != nil || !rep.OK() {
			t.Error(rep.Errors, err)
		}
	})
}
