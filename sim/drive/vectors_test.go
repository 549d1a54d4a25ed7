// SPDX-License-Identifier: Apache-2.0

package drive

import (
	"os"
	"strings"
	"testing"
)

// TestBoardVectors: what the hardware's board makes of a position and a legal move is what package position
// makes of it.
func TestBoardVectors(t *testing.T) {
	v := NewVectors(600)
	for i, ok := range v.Indices {
		if !ok {
			t.Errorf("no vector has index %d", i)
		}
	}
	t.Logf("%d vectors: %d castlings, %d en passants, %d promotions, %d promotions that capture", v.Count, v.Castlings, v.EnPassants,
		v.Promotions, v.PromotingCaptures)
	// Both sides' wings, each with the other rights in all ways; 14 captures a side; 8 files and 14 captures,
	// of four men, to four men, a side.
	if v.Castlings < 32 || v.EnPassants < 28 || v.Promotions < 64 || v.PromotingCaptures < 448 {
		t.Error("not all castlings, en passants and promotions are there")
	}
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
