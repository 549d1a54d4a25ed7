// SPDX-License-Identifier: Apache-2.0

package brenner

import (
	"bytes"
	"testing"

	"ply11/moveindex"
)

func TestScholarsMate(t *testing.T) {
	b := []byte{0b00101100, 0b00101100, 0b01100001, 0b00010111, 0b11011011, 0b00011110, 0b00000110, 0b00000110, 0b01010011, 0b00000010}
	w, n, err := Main.DecodeIndices(nil, b)
	for _, x := range w {
		m, _ := x.Move()
		t.Log(x, m)
	}
	t.Log(n, err)
	out, k, err := Main.EncodeIndices(nil, w)
	if !bytes.Equal(out, b) {
		t.Errorf("% x %d %v", out, k, err)
	}
	g, err := Main.Decode(b, Options{})
	t.Log(err, g.Result)
	o, l, err := Main.Encode(g, Options{})
	t.Logf("% x %v %v", o, l, err)
	_ = moveindex.A1
}
