// SPDX-License-Identifier: Apache-2.0

package eda

import (
	"os"
	"strings"
	"testing"

	"ply11/internal/testenv"
)

// TestBoardVectors: what the hardware's board makes of a position and a legal move is what package position
// makes of it; and moves that are not legal it refuses.
func TestBoardVectors(t *testing.T) {
	testenv.Tools(t, "iverilog", "vvp", "verilator", "g++", "make")
	v := NewVectors(600)
	for i, ok := range v.Indices {
		if !ok {
			t.Errorf("no vector has index %d", i)
		}
	}
	for _, count := range []struct {
		what      string
		got, want int
	}{
		{"castlings: 4, each with its right and all others", v.Castlings, 4 * 8},
		{"captures en passant: 14 a side", v.EnPassants, 2 * 14},
		{"promotions: 8 files, 4 men a side", v.Promotions, 2 * 8 * 4},
		{"promotions that capture: 14 pairs of squares, 4 men made, 4 taken a side", v.PromotingCaptures, 2 * 14 * 4 * 4},
		{"refused castlings: 8 without the right, 3 or 7 with men between of 2 sides, 1 without a rook", v.RefusedCastlings,
			4*8 + 2*2*(3+7) + 4},
		{"captures without the file: 14 a side", v.RefusedEnPassants, 2 * 14},
		{"no promotion, or onto one of 2 men by 4: 8 files a side", v.RefusedPromotions, 2 * 8 * (1 + 2*4)},
	} {
		if count.got != count.want {
			t.Errorf("%s: %d, want %d", count.what, count.got, count.want)
		}
	}
	t.Logf("%d vectors", v.Count)
	if again := NewVectors(600); again.text.String() != v.text.String() {
		t.Error("the vectors are others the second time")
	}
	w := newWork(t)
	for _, tool := range []string{"icarus", "verilator"} {
		r, err := w.BoardVectors(t.Context(), v, tool)
		if err != nil {
			t.Errorf("%v\n%s", err, r.Output)
		}
		t.Logf("%s: %.1f s of processor time", tool, r.CPU.Seconds())
	}

	// A board that lets the pawn stand that is taken en passant is found out.
	file := w.Path("rtl/ply11_board.v")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const old = "x_took_ep = "
	if strings.Count(string(text), old) != 1 {
		t.Fatalf("%q is not in ply11_board.v once", old)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), old, old+"1'b0 && ", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	few := new(Vectors)
	few.AddAll("4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 1")
	if r, err := w.BoardVectors(t.Context(), few, "icarus"); err == nil || !strings.Contains(r.Output, "FAIL") {
		t.Errorf("an error is not noticed: %v\n%s", err, r.Output)
	}
}
