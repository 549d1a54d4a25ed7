// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"bufio"
	"bytes"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"ply11/chess"
	"ply11/moveindex"
	"ply11/sim/eda"
)

// All 1,968 moves, in no order, pass through all three tools.
func TestDecode(t *testing.T) {
	w := newWork(t)
	m, err := NewMoves(w)
	must(t, err)
	defer m.Close()
	for _, i := range rand.New(rand.NewPCG(1, 2)).Perm(moveindex.NumMoves) {
		move, _ := moveindex.Index(i).Move()
		must(t, m.Add(move))
	}
	if err := m.Add(chess.NewMove(chess.A1, chess.D2)); err == nil {
		t.Error("a move that no piece can make is added")
	}
	for _, tool := range Tools {
		d, err := m.Decode(t.Context(), tool)
		if err != nil {
			t.Errorf("%s: %v", tool, err)
		} else if d.Plies != moveindex.NumMoves || d.Mismatches != 0 || d.CPU <= 0 {
			t.Errorf("%s: %+v", tool, d)
		}
	}
}

// An error in the decoder, and in what comes back, is noticed.
func TestDecodeNotices(t *testing.T) {
	w := newWork(t)
	file := w.Path("rtl/ply11_decode.v")
	text, err := os.ReadFile(file)
	must(t, err)
	mutants, err := eda.Mutants(false)
	must(t, err)
	sown := false
	for _, m := range mutants {
		if m.Check == "sat.index_roundtrip" {
			sown = true
			must(t, os.WriteFile(file, []byte(strings.Replace(string(text), m.Old, m.New, 1)), 0o666))
		}
	}
	if !sown {
		t.Fatal("no mutant of sat.index_roundtrip")
	}
	m, err := NewMoves(w)
	must(t, err)
	defer m.Close()
	for i := range moveindex.Index(moveindex.NumMoves) {
		move, _ := i.Move()
		must(t, m.Add(move))
	}
	d, err := m.Decode(t.Context(), ToolIcarus)
	must(t, err)
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
