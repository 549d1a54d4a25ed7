// SPDX-License-Identifier: Apache-2.0

package extsort_test

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"ply11/internal/extsort"
	"ply11/internal/testenv"
)

// fill gives records to a sorter.
func fill(tb testing.TB, s *extsort.Sorter, list []extsort.Record, buffers int) {
	tb.Helper()
	var group sync.WaitGroup
	for part := range slices.Chunk(list, max(1, (len(list)+buffers-1)/buffers)) {
		group.Go(func() {
			b := s.Buffer()
			for _, r := range part {
				if err := b.Add(r); err != nil {
					tb.Error(err)
				}
			}
			if err := b.Flush(); err != nil {
				tb.Error(err)
			}
		})
	}
	group.Wait()
	if s.Len() != uint64(len(list)) {
		tb.Errorf("%d records of %d", s.Len(), len(list))
	}
}

func compare(a, b extsort.Record) int {
	switch {
	case a.Less(b):
		return -1
	case b.Less(a):
		return 1
	}
	return 0
}

// kinds are records of several kinds.
func kinds(rng *rand.Rand) map[string]func(i int) extsort.Record {
	return map[string]func(i int) extsort.Record{
		"hashes": func(int) extsort.Record { return extsort.Record{A: rng.Uint64(), B: rng.Uint64()} },
		"few hashes": func(int) extsort.Record {
			return extsort.Record{A: rng.Uint64() >> 59 << 59, B: rng.Uint64N(8)}
		},
		"ends":       func(int) extsort.Record { return extsort.Record{A: -rng.Uint64N(2), B: -rng.Uint64N(2)} },
		"one hash":   func(int) extsort.Record { return extsort.Record{A: 7 << 61, B: rng.Uint64N(100000)} },
		"one record": func(int) extsort.Record { return extsort.Record{A: 1 << 63, B: 5 << 57} },
		"one and many": func(i int) extsort.Record {
			return extsort.Record{A: rng.Uint64() * uint64(i%2), B: uint64(i) / 7}
		},
		"low bits": func(int) extsort.Record { return extsort.Record{A: rng.Uint64N(3), B: rng.Uint64()} },
		"near each": func(int) extsort.Record {
			return extsort.Record{A: 1<<63 - 500 + rng.Uint64N(1000), B: rng.Uint64N(2)}
		},
		"sorted":        func(i int) extsort.Record { return extsort.Record{A: uint64(i) << 44, B: uint64(i)} },
		"the other way": func(i int) extsort.Record { return extsort.Record{A: -uint64(i) << 44, B: -uint64(i)} },
	}
}

// TestSort sorts kinds of records in much and little memory, with parts of all sizes, and more or fewer than foreseen.
// Each gives all in order.
func TestSort(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	path, split := filepath.Join(t.TempDir(), "x"), 0
	for name, kind := range kinds(rng) {
		for _, c := range []struct {
			n              int
			memory         int64
			part, expected uint64
			low, high      uint
		}{
			{0, 1, 0, 0, 64, 0},
			{1, 1, 0, 1, 64, 0},
			{1000, 1 << 20, 0, 1000, 64, 0},
			{1000, 1 << 20, 1, 1000, 20, 12},
			{8000, 1 << 20, 1000, 8000, 44, 20},
			{8000, 1, 0, 0, 64, 0},
			{8000, 1 << 17, 500, 8000, 23, 11},
			{8000, 1 << 16, 500, 300, 0, 64},
			{8000, 1 << 30, 100, 1 << 20, 1, 1},
			{8000, 1 << 18, 100, 8000, 0, 0},
		} {
			for _, workers := range testenv.First([]int{3, 1}, 1) {
				c.n /= testenv.Pick(1, 4)
				what := fmt.Sprintf("%s, %+v, %d goroutines", name, c, workers)
				from := 64 - c.high
				list := make([]extsort.Record, c.n)
				for i := range list {
					list[i] = kind(i)
					b := list[i].B
					list[i].B = b&(1<<c.low-1) | b>>from<<from
				}
				s := extsort.New(extsort.Options{Path: path, Memory: c.memory, Workers: workers, Records: c.expected,
					Part: c.part, Low: c.low, High: c.high, From: from})
				fill(t, s, list, workers)
				var got []extsort.Record
				calls := 0
				err := s.Each(func(list []extsort.Record) error {
					if calls++; len(list) == 0 {
						t.Errorf("%s: no records", what)
					}
					got = append(got, list...)
					clear(list)
					return nil
				})
				split += max(0, calls-s.Parts())
				slices.SortFunc(list, compare)
				if err != nil || !slices.Equal(got, list) {
					t.Fatalf("%s: not as they should be (%d): %v", what, len(got), err)
				}
				s.Close()
			}
		}
	}
	if split < testenv.Pick(1000, 100) {
		t.Errorf("parts were split %d times: it tests too little", split)
	}
}

// TestStop: an error ends all work, and is returned.
func TestStop(t *testing.T) {
	var list []extsort.Record
	for i := range uint64(100000) {
		list = append(list, extsort.Record{A: i * 0x9e3779b97f4a7c15, B: i})
	}
	stop := errors.New("stop")
	for _, at := range []int{1, 3, 20} {
		s := extsort.New(extsort.Options{Path: filepath.Join(t.TempDir(), "x"), Memory: 1 << 20, Workers: 3,
			Records: 100000, Part: 2000, Low: 64})
		fill(t, s, list, 2)
		n := 0
		if err := s.Each(func([]extsort.Record) error {
			if n++; n == at {
				return stop
			}
			return nil
		}); err != stop || n != at {
			t.Error(err, n)
		}
		s.Close()
	}
}

// TestFaults: no folder, a closed file, and damage are errors.
func TestFaults(t *testing.T) {
	s := extsort.New(extsort.Options{Path: filepath.Join(t.TempDir(), "none", "x")})
	b := s.Buffer()
	b.Add(extsort.Record{})
	if err := b.Flush(); err == nil {
		t.Error("no folder, and no error")
	}
	s.Close()
	options := extsort.Options{Path: filepath.Join(t.TempDir(), "x"), Memory: 1 << 17, Workers: 2, Records: 50000,
		Part: 20000, Low: 64}
	var list []extsort.Record
	for i := range uint64(50000) {
		list = append(list, extsort.Record{A: i * 0x9e3779b97f4a7c15, B: i})
	}
	s = extsort.New(options)
	b = s.Buffer()
	var err error
	for i := range list {
		if err = b.Add(list[i]); err != nil {
			break
		}
		if i == 10000 {
			s.File().Close()
		}
	}
	if err == nil {
		t.Error("the file is closed, and no error")
	}
	s.Close()
	rng := rand.New(rand.NewPCG(1, 3))
	damaged := 0
	for range 100 {
		s := extsort.New(options)
		fill(t, s, list, 2)
		size, err := s.File().Seek(0, io.SeekEnd)
		if err != nil {
			t.Fatal(err)
		}
		head := rng.Int64N((size+s.Chunk()-1)/s.Chunk()) * s.Chunk()
		switch rng.IntN(4) {
		case 0:
			err = s.File().Truncate(rng.Int64N(size))
		case 1: // no chunk before
			_, err = s.File().WriteAt(make([]byte, 8), head)
		default:
			_, err = s.File().WriteAt([]byte{byte(rng.Uint32()), byte(rng.Uint32()), byte(rng.Uint32() % 3)},
				head+rng.Int64N(16))
		}
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		if err := s.Each(func(list []extsort.Record) error {
			n += len(list)
			return nil
		}); err != nil {
			damaged++
			if !errors.Is(err, extsort.ErrDamaged) {
				t.Error(err)
			}
		} else if n != len(list) {
			t.Errorf("%d records of %d, and no error", n, len(list))
		}
		s.Close()
	}
	if damaged < 25 {
		t.Errorf("%d of 100 files were found to be damaged", damaged)
	}
}
