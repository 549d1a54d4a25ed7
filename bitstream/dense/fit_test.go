// SPDX-License-Identifier: Apache-2.0

package dense

import (
	"math"
	"testing"

	"ply11/testdata"
)

// TestFit: the model knows its own games better than the shared one does. Each pass costs less than the one before.
func TestFit(t *testing.T) {
	games := lines(t, []byte(testdata.Famous), 0)
	last := math.Inf(1)
	m, err := readModel(Fit(games, func(pass int, bits float64) {
		if !(bits < last) {
			t.Errorf("pass %d took %.3f bits a ply, the one before %.3f", pass, bits, last)
		}
		last = bits
	}))
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
