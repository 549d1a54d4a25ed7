// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"testing"

	"ply11/internal/bounded"
)

func SearchColumns(tb testing.TB, data []byte) (kinds []uint8, parts [][]byte, at int64) {
	tb.Helper()
	r := MustOpen(tb, data)
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

// ForgeSearch gives an archive of one part of the index another search part. All checksums are right.
func ForgeSearch(tb testing.TB, data []byte, change func(kinds []uint8, parts [][]byte) ([]uint8, [][]byte)) []byte {
	tb.Helper()
	kinds, parts, at := SearchColumns(tb, data)
	r := MustOpen(tb, data)
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
	end := trailerOf(footer, int64(len(out)))
	return append(append(out, footer...), end.encode()...)
}

// FuzzSearch reads search parts of any columns: what Verify does not find hides no game.
func FuzzSearch(f *testing.F) {
	sound, _ := MustPack(f, []byte(TextOf("a", 6)), WithBlockGames(2))
	kinds, parts, _ := SearchColumns(f, sound)
	var keys []*searchKeys
	for b := range BlocksOf(f, sound) {
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
		PassPanics(t)
		data := ForgeSearch(t, sound, func([]uint8, [][]byte) ([]uint8, [][]byte) {
			return []uint8{kind0, kind1}, [][]byte{part0, part1}
		})
		ReadForged(t, data)
		r := MustOpen(t, data)
		rep, err := Verified(data)
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
				if may, err := s.part.may(s.block, key); rep.OK() && (!may || err != nil) {
					t.Error("Verify does not find that a name is hidden")
				}
			}
		}
	})
}
