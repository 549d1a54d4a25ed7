// SPDX-License-Identifier: Apache-2.0

package extsort

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ply11/internal/tempfile"
)

// keyedRow is a row with what it is sorted by.
type keyedRow struct {
	Record
	row string
}

// sortedRows sorts rows in memory.
func sortedRows(list []keyedRow, first bool) []keyedRow {
	want := slices.Clone(list)
	slices.SortFunc(want, func(a, b keyedRow) int { return cmp.Or(cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B)) })
	if first {
		want = slices.CompactFunc(want, func(a, b keyedRow) bool { return a.A == b.A })
	}
	return want
}

// TestRows: rows of all lengths come in order, whole and in pieces, or the first of each A.
func TestRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	same := func(int) uint64 { return 7 }
	for name, c := range map[string]struct {
		n, most int // rows, and the most bytes of one
		key     func(i int) uint64
	}{
		"none":             {0, 1, same},
		"one":              {1, 1, same},
		"random":           {50_000, 40, func(int) uint64 { return rng.Uint64() }},
		"in memory":        {500, 40, func(int) uint64 { return rng.Uint64() }},
		"large rows":       {30, 2 * rowsPart / 10, func(int) uint64 { return rng.Uint64() }},
		"a row beyond all": {3, 2 * rowsPart, func(int) uint64 { return rng.Uint64() }},
		// more than is sorted at once: dealt out twice
		"few high bits":      {400_000, 80, func(int) uint64 { return rng.Uint64() >> 13 }},
		"low bits alone":     {200_000, 120, func(int) uint64 { return rng.Uint64() & 0xffff }},
		"one A":              {200_000, 120, same},
		"one A among others": {200_000, 120, func(i int) uint64 { return uint64(i%2) * rng.Uint64() }},
	} {
		for _, first := range []bool{false, true} {
			if c.n > 50_000 && first != strings.HasPrefix(name, "one A") && testing.Short() {
				continue // each once
			}
			t.Run(fmt.Sprint(name, first), func(t *testing.T) {
				dir := t.TempDir()
				r := NewRows(filepath.Join(dir, "x"), first)
				defer r.Close()
				var list []keyedRow
				blank := make([]byte, c.most)
				for i := range c.n {
					row := blank[:rng.IntN(c.most+1)]
					for k := range min(len(row), 8) {
						row[k] = byte(rng.Uint32())
					}
					e := keyedRow{Record{c.key(i), uint64(c.n-i) * 3}, string(row)}
					if err := r.Add(e.Record, row); err != nil {
						t.Fatal(err)
					}
					list = append(list, e)
				}
				if err := r.Sort(); err != nil {
					t.Fatal(err)
				}
				want := sortedRows(list, first)
				n := 0
				if err := r.Each(func(key Record, row []byte) error {
					if n >= len(want) || want[n].Record != key || want[n].row != string(row) {
						t.Fatalf("row %d of %d is %v with %d bytes", n, len(want), key, len(row))
					}
					n++
					return nil
				}); err != nil || n != len(want) {
					t.Fatalf("%v: %d rows, want %d", err, n, len(want))
				}
				if first {
					return
				}
				if r.Len() != uint64(len(want)) {
					t.Fatalf("%d rows, want %d", r.Len(), len(want))
				}
				cursor := r.Cursor()
				for range min(len(want), 20) {
					from := rng.IntN(len(want))
					to := min(from+rng.IntN(1000), len(want)+5)
					at := from
					if err := cursor.Each(uint64(from), uint64(to), func(key Record, row []byte) error {
						if want[at].Record != key || want[at].row != string(row) {
							t.Fatalf("row %d is %v", at, key)
						}
						at++
						return nil
					}); err != nil || at != min(to, len(want)) {
						t.Fatalf("%v: rows %d to %d end at %d", err, from, to, at)
					}
				}
			})
		}
	}
}

// TestRowsMemory: parts have their bound, and what comes again and again is not in the file.
func TestRowsMemory(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	row := make([]byte, 50)
	r := NewRows(filepath.Join(t.TempDir(), "x"), true)
	defer r.Close()
	for i := range uint64(2_000_000) {
		if err := r.Add(Record{uint64(rng.IntN(100)) << 57, i}, row); err != nil {
			t.Fatal(err)
		}
	}
	if r.file != nil {
		t.Errorf("100 rows, which come again and again, take a file of %d bytes", r.end)
	}
	r = NewRows(filepath.Join(t.TempDir(), "x"), false)
	defer r.Close()
	for i := range uint64(600_000) {
		if err := r.Add(Record{rng.Uint64() >> (i % 40), i}, row); err != nil {
			t.Fatal(err)
		}
	}
	buffered := 0
	for i := range r.deal.lists {
		buffered += cap(r.deal.lists[i].tail)
	}
	if most := len(r.deal.lists) * rowChunk * 5 / 4; buffered > most {
		t.Errorf("%d bytes wait, at most %d may", buffered, most)
	}
	if err := r.Sort(); err != nil {
		t.Fatal(err)
	}
	for _, p := range r.parts {
		if p.bytes > rowsPart {
			t.Errorf("a part of %d bytes", p.bytes)
		}
	}
}

// TestRowsFile: the temporary file is gone after Close; a damaged one is an error.
func TestRowsFile(t *testing.T) {
	defer func() { tempfile.Named = false }()
	for _, tempfile.Named = range []bool{false, true} {
		dir := t.TempDir()
		r := NewRows(filepath.Join(dir, "x"), false)
		row := bytes.Repeat([]byte{1}, 1000)
		for i := range uint64(40_000) {
			if err := r.Add(Record{i * 0x9e3779b97f4a7c15, i}, row); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.Sort(); err != nil {
			t.Fatal(err)
		}
		if list, _ := os.ReadDir(dir); (len(list) == 1) != tempfile.Named {
			t.Errorf("there are %d names", len(list))
		}
		for _, at := range []int64{8, 16, 25, 26} {
			var b [8]byte
			r.file.ReadAt(b[:], at)
			var bad [8]byte
			binary.LittleEndian.PutUint64(bad[:], ^binary.LittleEndian.Uint64(b[:]))
			r.file.WriteAt(bad[:], at)
			err := r.Each(func(Record, []byte) error { return nil })
			if err == nil && at != 16 { // (another A is not seen)
				t.Errorf("byte %d: a damaged file is no error", at)
			}
			r.file.WriteAt(b[:], at)
		}
		r.Close()
		if list, _ := os.ReadDir(dir); len(list) != 0 {
			t.Errorf("%s is left", list[0].Name())
		}
	}
	r := NewRows(filepath.Join(t.TempDir(), "no", "x"), false)
	var err error
	for i := uint64(0); i < 100 && err == nil; i++ {
		err = r.Add(Record{i, i}, make([]byte, rowChunk))
	}
	if err == nil {
		t.Error("a folder that there is not is no error")
	}
}
