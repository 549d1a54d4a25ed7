// SPDX-License-Identifier: Apache-2.0

// Package bounded bounds the work of the fuzz targets. It counts how many blocks of the project's code run, which is
// the same on every machine; no time is measured.
//
// Tests count if they are built with counters in all packages:
//
//	go test -cover -covermode=atomic -coverpkg=ply11/... -run Fuzz ./codegen
//
// The step fuzz of internal/testrun builds them so. Without counters Fuzz is f.Fuzz.
package bounded

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"
	"unsafe"
)

const (
	once    = 30_000_000 // steps that any input may take
	perByte = 10_000     // and as many more for each of its bytes
	// steps of a short input below which a long one is not compared with it: what has its cost once, such as a table
	free   = 200_000
	inputs = 40 // how many inputs are made long
)

// Fuzz is f.Fuzz(fn), for a test that has counters with a bound: an input that takes too many steps fails. The first
// inputs of a run, which are the seeds, are also made long, twice: a piece of one stands again and again behind a
// beginning of it. The longer one may not cost more a byte.
func Fuzz(f *testing.F, fn any) {
	f.Helper()
	if testing.CoverMode() != "atomic" {
		f.Fuzz(fn)
		return
	}
	target := reflect.ValueOf(fn)
	run := func(args []reflect.Value) int {
		before := taken()
		target.Call(args)
		return int(taken() - before)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	tried := 0
	f.Fuzz(reflect.MakeFunc(target.Type(), func(args []reflect.Value) []reflect.Value {
		t := args[0].Interface().(*testing.T)
		if size, n := size(args), run(args); n > once+perByte*size {
			t.Errorf("%d bytes take %d steps", size, n)
		}
		if fuzz := flag.Lookup("test.fuzz"); fuzz.Value.String() != "" {
			return nil // the step fuzz has made the seeds long before
		}
		tried++
		for range inputs / tried {
			which, begin, unit := pieces(rng, args)
			if unit == nil || t.Failed() {
				break
			}
			var sizes, counts [2]int
			for i, length := range []int{1 << 12, 1 << 16} {
				text := append(bytes.Clone(begin), bytes.Repeat(unit, 1+length/len(unit))...)
				again := slices.Clone(args)
				again[which] = reflect.ValueOf(text).Convert(args[which].Type())
				t.Logf("in place of argument %d: %d bytes of it, and %q until there are %d", which, len(begin), unit,
					len(text))
				sizes[i], counts[i] = size(again), run(again)
			}
			if counts[1] > once+perByte*sizes[1] || counts[1]*sizes[0] > 2*sizes[1]*max(counts[0], free) {
				t.Errorf("%d bytes take %d steps, but %d bytes take %d", sizes[0], counts[0], sizes[1], counts[1])
			}
		}
		return nil
	}).Interface())
}

// size is how many bytes the arguments have.
func size(args []reflect.Value) (n int) {
	for _, a := range args[1:] {
		switch a.Kind() {
		case reflect.String, reflect.Slice:
			n += a.Len()
		default:
			n += int(a.Type().Size())
		}
	}
	return n
}

// pieces takes a beginning, which may be empty or the whole, and a piece, of which one byte may be changed, out of an
// argument that has bytes. There is no piece if none has.
func pieces(rng *rand.Rand, args []reflect.Value) (which int, begin, unit []byte) {
	for _, which := range rng.Perm(len(args)) {
		a := args[which]
		if which == 0 || a.Kind() != reflect.String && a.Kind() != reflect.Slice || a.Len() == 0 {
			continue
		}
		sample := a.Convert(reflect.TypeFor[[]byte]()).Bytes()
		begin := sample[:min(rng.IntN(200)*rng.IntN(2), len(sample))]
		if rng.IntN(4) == 0 {
			begin = sample
		}
		at := rng.IntN(len(sample))
		unit := bytes.Clone(sample[at:min(at+1<<rng.IntN(8), len(sample))])
		if rng.IntN(3) == 0 {
			unit[rng.IntN(len(unit))] = byte(rng.IntN(256))
		}
		return which, begin, unit
	}
	return 0, nil, nil
}

// block is a list of counters as Go's library has it (internal/coverage/rtcov.CovCounterBlob).
type block struct {
	first *uint32
	n     uint64
}

// counters is defined by Go's runtime, for its library alone. What package runtime/coverage offers in its place refuses
// to work in tests.
//
//go:linkname counters internal/coverage/cfile.getCovCounterList
func counters() []block

// taken is the sum of all counters, modulo 1<<32. A function that has not run is zeros; one that has run begins with
// the number of its counters, and two numbers that say which function it is.
func taken() (sum uint32) {
	for _, b := range counters() {
		list := unsafe.Slice(b.first, b.n)
		for i := 0; i < len(list); {
			n := int(atomic.LoadUint32(&list[i]))
			if n == 0 {
				i++
				continue
			}
			for i += 3; n > 0; n-- {
				sum += atomic.LoadUint32(&list[i])
				i++
			}
		}
	}
	return sum
}
