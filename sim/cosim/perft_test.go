// SPDX-License-Identifier: Apache-2.0

package cosim_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"ply11/position"
	"ply11/sim/cosim"
	"ply11/sim/eda/edatest"
)

// kiwipete is Peter McKenzie's position, in which there is every kind of move.
const kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

func fromFEN(t *testing.T, fen string) *position.Position {
	t.Helper()
	p, err := position.ParseFEN(fen)
	edatest.Must(t, err)
	return &p
}

// Two cores take fewer clocks than one for the same order.
func TestPerftCores(t *testing.T) {
	var clocks [2]int64
	for i := range clocks {
		p, err := cosim.NewPerft(t.Context(), edatest.NewWork(t, edatest.Simulators...), cosim.ToolIcarus, i+1)
		edatest.Must(t, err)
		defer p.Close()
		got, err := p.Count(t.Context(), fromFEN(t, "k7/p7/P7/8/8/8/8/K7 w - - 0 1"), 4)
		edatest.Must(t, err)
		clocks[i] = int64(got.Clocks)
	}
	if clocks[1] >= clocks[0] {
		t.Errorf("one core takes %d clocks and two take %d", clocks[0], clocks[1])
	}
}

// A sum that is wrong is told.
func TestPerftDiffers(t *testing.T) {
	w := edatest.NewWork(t, edatest.Simulators...)
	file := w.Path("rtl/ply11_perft.v")
	text, err := os.ReadFile(file)
	edatest.Must(t, err)
	const old = "sum_q + {55'd0, add_count}"
	if strings.Count(string(text), old) != 1 {
		t.Fatalf("%q is not in ply11_perft.v once", old)
	}
	edatest.Must(t, os.WriteFile(file, []byte(strings.Replace(string(text), old, old+" + 64'd1", 1)), 0o666))
	p, err := cosim.NewPerft(t.Context(), w, cosim.ToolIcarus, 1)
	edatest.Must(t, err)
	defer p.Close()
	if _, err := p.Count(t.Context(), fromFEN(t, kiwipete), 1); !errors.Is(err, cosim.ErrPerft) {
		t.Errorf("%v", err)
	}
}
