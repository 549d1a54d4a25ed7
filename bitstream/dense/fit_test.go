// SPDX-License-Identifier: Apache-2.0

package dense

import (
	"bytes"
	"math"
	"testing"
)

// TestFit: the same games give the same model, by assembly and without, and it knows them better than the shared one
// does. Each pass costs less than the one before.
func TestFit(t *testing.T) {
	games := famousGames(t)
	var first []byte
	eachAssembly(func(name string) {
		last := math.Inf(1)
		file := Fit(games, func(pass int, bits float64) {
			if !(bits < last) {
				t.Errorf("%s: pass %d took %.3f bits a ply, the one before %.3f", name, pass, bits, last)
			}
			last = bits
		})
		if first == nil {
			first = file
		}
		if !bytes.Equal(file, first) {
			t.Errorf("%s: another model", name)
		}
	})
	m, err := readModel(first)
	if err != nil {
		t.Fatal(err)
	}
	var e Encoder
	usual := len(encode(t, &e, games))
	e.c.model = m
	e.c.local.init(maxLocal)
	if fitted := len(encode(t, &e, games)); fitted*2 > usual {
		t.Errorf("the games take %d bytes by a model of their own, and %d by the shared one", fitted, usual)
	}
}
