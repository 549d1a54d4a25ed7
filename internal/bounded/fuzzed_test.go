// SPDX-License-Identifier: Apache-2.0

//go:build fuzzed

package bounded

import (
	"reflect"
	"testing"
)

// FuzzLine is run by TestBound, and must pass.
func FuzzLine(f *testing.F) { fuzz(f, 1) }

// FuzzSquare is run by TestBound, and must fail.
func FuzzSquare(f *testing.F) { fuzz(f, 2) }

func fuzz(f *testing.F, power int) {
	f.Add([]byte("some text"), 1)
	Fuzz(f, func(t *testing.T, text []byte, _ int) {
		n := len(text)
		if power == 2 {
			n = n * n / 200
		}
		for range n {
			size([]reflect.Value{{}}) // a function that has counters
		}
	})
}
