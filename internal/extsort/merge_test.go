// SPDX-License-Identifier: Apache-2.0

package extsort_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"ply11/internal/extsort"
)

// TestMerge sorts rows by keys of all lengths, many of them equal, in memory and through runs, and compares with a
// stable sort in memory.
func TestMerge(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, memory := range []int{1 << 20, 40_000, 300, 0} {
		type row struct{ key, text []byte }
		var list []row
		m := extsort.NewMerge(filepath.Join(t.TempDir(), "x"), memory)
		for i := range 2000 {
			key := bytes.Repeat([]byte{byte(rng.IntN(3))}, rng.IntN(9))
			if rng.IntN(50) == 0 {
				key = append(key, make([]byte, rng.IntN(2000))...)
			}
			r := row{key, fmt.Append(nil, i)}
			list = append(list, r)
			if err := m.Add(r.key, r.text); err != nil {
				t.Fatal(err)
			}
		}
		slices.SortStableFunc(list, func(a, b row) int { return bytes.Compare(a.key, b.key) })
		n := 0
		if err := m.Each(func(text []byte) error {
			if !bytes.Equal(text, list[n].text) {
				t.Fatalf("memory %d: row %d is %s, not %s", memory, n, text, list[n].text)
			}
			n++
			return nil
		}); err != nil || n != len(list) {
			t.Errorf("memory %d: %d rows: %v", memory, n, err)
		}
		m.Close()
	}
}

// TestMergeFaults: an error of the caller ends the work, and a folder that is not there is an error.
func TestMergeFaults(t *testing.T) {
	stop := errors.New("stop")
	for _, memory := range []int{1 << 20, 0} {
		m := extsort.NewMerge(filepath.Join(t.TempDir(), "x"), memory)
		defer m.Close()
		for i := range 9 {
			if err := m.Add([]byte{byte(i)}, nil); err != nil {
				t.Fatal(err)
			}
		}
		n := 0
		if err := m.Each(func([]byte) error {
			if n++; n == 5 {
				return stop
			}
			return nil
		}); err != stop || n != 5 {
			t.Errorf("memory %d: %v after %d rows", memory, err, n)
		}
	}
	m := extsort.NewMerge(filepath.Join(t.TempDir(), "no", "x"), 0)
	if err := errors.Join(m.Add([]byte("a"), nil), m.Add([]byte("b"), nil)); err == nil {
		t.Error("a folder that is not there is no error")
	}
}
