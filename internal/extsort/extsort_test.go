// SPDX-License-Identifier: Apache-2.0

package extsort_test

import (
	"errors"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"ply11/internal/extsort"
)

// TestSort sorts records of several kinds in little memory, so that there are one run, many, and passes over more runs than can be
// merged at once.
func TestSort(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, c := range []struct {
		n      int
		memory int64
		kind   func() extsort.Record
	}{
		{0, 1, nil},
		{1, 1, func() extsort.Record { return extsort.Record{} }},
		{1000, 1 << 20, func() extsort.Record { return extsort.Record{A: rng.Uint64(), B: rng.Uint64()} }},
		{100000, 1 << 20, func() extsort.Record { return extsort.Record{A: rng.Uint64() >> 50 << 50, B: rng.Uint64N(8)} }},
		{100000, 1, func() extsort.Record { return extsort.Record{A: rng.Uint64(), B: rng.Uint64()} }},
		{50000, 1 << 14, func() extsort.Record { return extsort.Record{A: 7, B: rng.Uint64N(1000)} }},
	} {
		for _, buffers := range []int{1, 3} {
			s := extsort.New(filepath.Join(t.TempDir(), "x"), c.memory, buffers)
			var want []extsort.Record
			for range c.n {
				want = append(want, c.kind())
			}
			var group sync.WaitGroup
			for part := range slices.Chunk(want, max(1, (len(want)+buffers-1)/buffers)) {
				group.Go(func() {
					b := s.Buffer()
					for _, r := range part {
						if err := b.Add(r); err != nil {
							t.Error(err)
						}
					}
					if err := b.Flush(); err != nil {
						t.Error(err)
					}
				})
			}
			group.Wait()
			if s.Len() != uint64(c.n) {
				t.Errorf("%d records of %d", s.Len(), c.n)
			}
			slices.SortFunc(want, func(a, b extsort.Record) int {
				if a.Less(b) {
					return -1
				}
				if b.Less(a) {
					return 1
				}
				return 0
			})
			var got []extsort.Record
			err := s.Each(func(list []extsort.Record) error {
				got = append(got, list...)
				return nil
			})
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%d records, %d bytes, %d buffers: not as they should be (%d): %v", c.n, c.memory, buffers, len(got), err)
			}
			s.Close()
		}
	}
}

// TestStop: an error ends the work.
func TestStop(t *testing.T) {
	s := extsort.New(filepath.Join(t.TempDir(), "x"), 1<<20, 1)
	defer s.Close()
	b := s.Buffer()
	for i := range uint64(100000) {
		b.Add(extsort.Record{A: i})
	}
	b.Flush()
	stop := errors.New("stop")
	n := 0
	if err := s.Each(func(list []extsort.Record) error {
		if n++; n == 3 {
			return stop
		}
		return nil
	}); err != stop {
		t.Error(err)
	}
	// No folder, no file.
	s = extsort.New(filepath.Join(t.TempDir(), "none", "x"), 1, 1)
	b = s.Buffer()
	b.Add(extsort.Record{})
	if err := b.Flush(); err == nil {
		t.Error("no error")
	}
}
