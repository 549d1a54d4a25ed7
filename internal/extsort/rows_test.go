// SPDX-License-Identifier: Apache-2.0

package extsort

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"ply11/internal/tempfile"
)

type keyed struct{ key, row string }

// TestRows sorts rows by keys of all lengths, many of them equal, in memory and through runs, and compares with a
// stable sort in memory: whole, in pieces, and the first of each beginning.
func TestRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, memory := range []int{1 << 22, 40_000, 300, 0} {
		for _, first := range []int{0, 2} {
			r := NewRows(filepath.Join(t.TempDir(), "x"), memory, first)
			defer r.Close()
			var want []keyed
			for i := range 3000 {
				key := bytes.Repeat([]byte{byte(rng.IntN(3))}, rng.IntN(9))
				if rng.IntN(50) == 0 {
					key = append(key, make([]byte, rng.IntN(2000))...)
				}
				e := keyed{string(key), fmt.Sprint(i)}
				want = append(want, e)
				if err := r.Add(key, []byte(e.row)); err != nil {
					t.Fatal(err)
				}
			}
			slices.SortStableFunc(want, func(a, b keyed) int { return bytes.Compare([]byte(a.key), []byte(b.key)) })
			if first > 0 {
				want = slices.CompactFunc(want, func(a, b keyed) bool {
					return a.key[:min(first, len(a.key))] == b.key[:min(first, len(b.key))]
				})
			}
			if first == 0 || memory == 300 {
				if err := r.Sort(); err != nil || r.Len() != uint64(len(want)) {
					t.Fatalf("memory %d: %d rows, want %d: %v", memory, r.Len(), len(want), err)
				}
				cursor := r.Cursor()
				for range 200 {
					from := rng.IntN(len(want))
					to := min(from+rng.IntN(400), len(want)+5)
					got := rowsOf(t, func(do func(key, row []byte) error) error {
						return cursor.Each(uint64(from), uint64(to), do)
					})
					if !slices.Equal(got, want[from:max(from, min(to, len(want)))]) {
						t.Fatalf("memory %d: rows %d to %d are others", memory, from, to)
					}
				}
			}
			if got := rowsOf(t, r.Each); !slices.Equal(got, want) {
				t.Errorf("memory %d, first %d: %d rows, want %d", memory, first, len(got), len(want))
			}
		}
	}
}

func rowsOf(t *testing.T, each func(do func(key, row []byte) error) error) (list []keyed) {
	t.Helper()
	if err := each(func(key, row []byte) error {
		list = append(list, keyed{string(key), string(row)})
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return list
}

// TestRowsMemory: what comes again and again is not in the file.
func TestRowsMemory(t *testing.T) {
	r := NewRows(filepath.Join(t.TempDir(), "x"), 1<<16, 1)
	defer r.Close()
	for i := range 200_000 {
		if err := r.Add([]byte{byte(i % 100), byte(i >> 8), byte(i >> 16)}, make([]byte, 50)); err != nil {
			t.Fatal(err)
		}
	}
	if r.file != nil || cap(r.bytes) > 1<<17 {
		t.Errorf("100 rows, which come again and again, take a file, or %d bytes", cap(r.bytes))
	}
	if n := len(rowsOf(t, r.Each)); n != 100 {
		t.Errorf("%d rows, want 100", n)
	}
}

// TestRowsFaults: an error of the caller ends the work, a damaged file is an error, as is a folder that is not there,
// and the file is gone after Close.
func TestRowsFaults(t *testing.T) {
	defer func() { tempfile.Named = false }()
	stop := errors.New("stop")
	for _, tempfile.Named = range []bool{false, true} {
		for _, memory := range []int{1 << 20, 0} {
			dir := t.TempDir()
			r := NewRows(filepath.Join(dir, "x"), memory, 0)
			for i := range 9 {
				if err := r.Add([]byte{byte(i)}, nil); err != nil {
					t.Fatal(err)
				}
			}
			if err := r.Sort(); err != nil {
				t.Fatal(err)
			}
			n := 0
			if err := r.Each(func(_, _ []byte) error {
				if n++; n == 5 {
					return stop
				}
				return nil
			}); err != stop || n != 5 {
				t.Errorf("memory %d: %v after %d rows", memory, err, n)
			}
			if memory == 0 {
				r.file.WriteAt([]byte{200}, 6) // the length of the third key
				if err := r.Each(func(_, _ []byte) error { return nil }); !errors.Is(err, errDamaged) {
					t.Errorf("a damaged file: %v", err)
				}
			}
			r.Close()
			if list, _ := os.ReadDir(dir); len(list) != 0 {
				t.Errorf("%s is left", list[0].Name())
			}
		}
	}
	r := NewRows(filepath.Join(t.TempDir(), "no", "x"), 0, 0)
	if err := errors.Join(r.Add([]byte("a"), nil), r.Add([]byte("b"), nil)); err == nil {
		t.Error("a folder that is not there is no error")
	}
}
