// SPDX-License-Identifier: Apache-2.0

package archive_test

import (
	"bytes"
	"io"
	"testing"

	"ply11/bitstream/archive"
)

// TestSearchIsVerified changes search parts, with right checksums: Verify finds what hides a game, and nothing else.
func TestSearchIsVerified(t *testing.T) {
	archive.EachForm(t, func(t *testing.T, dense bool) {
		sound, _ := archive.MustPack(t, []byte(archive.TextOf("a", 20)), archive.WithDense(dense),
			archive.WithBlockGames(5))
		whole := func(change func(kinds []uint8, parts [][]byte) ([]uint8, [][]byte)) bool {
			b := archive.ForgeSearch(t, sound, change)
			rep, err := archive.Verified(b)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := archive.Unpack(t.Context(), io.Discard, bytes.NewReader(b)); err != nil {
				t.Fatal(err) // what is searched is no part of the text
			}
			if !rep.OK() && (len(rep.Errors) != 1 || rep.Games != 20) {
				t.Fatalf("%v of %d games", rep.Errors, rep.Games)
			}
			return rep.OK()
		}
		kinds, parts, _ := archive.SearchColumns(t, sound)
		if len(kinds) != 2 || kinds[0] != archive.SearchRanges || kinds[1] != archive.SearchNames {
			t.Fatal(kinds)
		}
		if !whole(func(k []uint8, p [][]byte) ([]uint8, [][]byte) { return k, p }) {
			t.Error("the same columns are not sound")
		}
		if !whole(func(k []uint8, p [][]byte) ([]uint8, [][]byte) {
			return []uint8{archive.SearchRanges, 7, archive.SearchNames, 255},
				[][]byte{p[0], []byte("later"), p[1], {1}}
		}) {
			t.Error("columns of later versions are not passed over")
		}
		if !whole(func(k []uint8, p [][]byte) ([]uint8, [][]byte) { return []uint8{9}, [][]byte{{1}} }) {
			t.Error("a search part without a known column is not sound")
		}
		for i := range parts[1] {
			for bit := range 8 {
				set := parts[1][i]>>bit&1 != 0
				if got := whole(func(k []uint8, p [][]byte) ([]uint8, [][]byte) {
					p[1][i] ^= 1 << bit
					return k,
						p
				}); got == set {
					t.Fatalf("bit %d of byte %d of the names, which was %v, is changed: Verify finds nothing: %v", bit,
						i, set, got)
				}
			}
		}
		for at := 0; at < len(parts[0]); at += 2 {
			for _, by := range []int{-1, 1} {
				old := archive.Le.Uint16(parts[0][at:])
				narrower := at%4 == 0 && by > 0 || at%4 == 2 && by < 0
				none := archive.Le.Uint16(parts[0][at&^3:]) == archive.NoLeast // no number, so it cannot be narrower
				if got := whole(func(k []uint8, p [][]byte) ([]uint8, [][]byte) {
					archive.Le.PutUint16(p[0][at:], uint16(int(old)+by))
					return k, p
				}); !none && got == narrower {
					t.Errorf("the number at %d of the ranges, %d, is changed by %d: Verify finds nothing: %v", at, old,
						by, got)
				}
			}
		}
		named, _ := archive.MustPack(t, []byte(archive.NamesText("a", 20)), archive.WithDense(dense))
		edited := archive.ForgeSearch(t, archive.MustEdit(t, named, []archive.Change{{Game: 1, Delete: true}}),
			func(k []uint8, p [][]byte) ([]uint8, [][]byte) { clear(p[1]); return k, p })
		if rep, err := archive.Verified(edited); err != nil || rep.OK() {
			t.Errorf("names are hidden in an edited archive: %v, %v", rep, err)
		}
	})
}

// TestSearchParts: what is copied, added and recovered has search parts as the archives had them.
func TestSearchParts(t *testing.T) {
	one, _ := archive.MustPack(t, []byte(archive.TextOf("b", 1)))
	plain, _ := archive.MustPack(t, []byte(archive.TextOf("c", 3)), archive.WithFilter(false),
		archive.WithBlockGames(1))
	first, _ := archive.MustPack(t, []byte(archive.TextOf("a", 70)), archive.WithBlockGames(1))
	text := append(archive.MustUnpack(t, first), archive.MustUnpack(t, one)...)
	known := func(data []byte) (n int) {
		r := archive.MustOpen(t, data)
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
		archive.Whole(t, data)
	}
	whole("packed", first, 70)
	whole("copied", archive.MustCopy(t, nil, first), 70)
	whole("joined", archive.MustCopy(t, nil, first, one), 71)
	appended := archive.MustAppend(t, first, nil, one)
	whole("appended", appended, 71)
	if n := known(archive.MustCopy(t, nil, plain)); n != 0 {
		t.Errorf("a copy of a plain archive tells of %d blocks", n)
	}
	whole("plain ones appended", archive.MustAppend(t, first, nil, plain), 70)
	whole("appended to a plain one", archive.MustAppend(t, plain, nil, first), 70)
	out, rep := archive.Recovered(t, appended)
	if !rep.OK() || !bytes.Equal(archive.MustUnpack(t, out), text) {
		t.Errorf("Recover: %v", rep.Errors)
	}
	whole("recovered", out, 71)
	r := archive.MustOpen(t, archive.MustCopy(t, nil, appended))
	if dead, err := r.Dead(); err != nil || dead != 0 {
		t.Errorf("%d bytes of a copy are dead, %v", dead, err)
	}
}
