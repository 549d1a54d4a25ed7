// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"bufio"
	"bytes"
	"os"
	"strings"
	"testing"

	"ply11/moveindex"
	"ply11/sim/eda"
	"ply11/sim/eda/edatest"
)

// An error in the decoder, and in what comes back, is noticed.
func TestDecodeNotices(t *testing.T) {
	w := edatest.NewWork(t, edatest.Simulators...)
	file := w.Path("rtl/ply11_decode.v")
	text, err := os.ReadFile(file)
	edatest.Must(t, err)
	mutants, err := eda.Mutants(false)
	edatest.Must(t, err)
	sown := false
	for _, m := range mutants {
		if m.Check == "sat.index_roundtrip" {
			sown = true
			edatest.Must(t, os.WriteFile(file, []byte(strings.Replace(string(text), m.Old, m.New, 1)), 0o666))
		}
	}
	if !sown {
		t.Fatal("no mutant of sat.index_roundtrip")
	}
	m, err := NewMoves(w)
	edatest.Must(t, err)
	defer m.Close()
	for i := range moveindex.Index(moveindex.NumMoves) {
		move, _ := i.Move()
		edatest.Must(t, m.Add(move))
	}
	d, err := m.Decode(t.Context(), ToolIcarus)
	edatest.Must(t, err)
	if d.Mismatches == 0 || !strings.Contains(d.First, "went in as index") {
		t.Errorf("the error is not noticed: %+v", d)
	}

	// Less comes back than went in.
	d = Decoded{}
	back := bufio.NewReader(bytes.NewReader(make([]byte, 7)))
	if err := m.compare(&d, back); err != nil || d.Mismatches != moveindex.NumMoves {
		t.Errorf("cut: %+v, %v", d, err)
	}
}
