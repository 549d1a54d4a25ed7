// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"ply11/position"
)

// kiwipete is Peter McKenzie's position, in which there is every kind of move.
const kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

func fromFEN(t *testing.T, fen string) *position.Position {
	t.Helper()
	p, err := position.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	return &p
}

// The Verilog counts as package position does; what is not a depth is refused, and the end of the context ends it.
func TestPerft(t *testing.T) {
	p, err := NewPerft(t.Context(), newWork(t), ToolIcarus, 1)
	if err != nil {
		t.Fatal(failure(err))
	}
	defer p.Close()
	for _, c := range []struct {
		fen  string
		want []uint64
	}{{kiwipete, []uint64{1, 48, 2039}}, {"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", []uint64{1, 0, 0, 0}},
		{"8/8/8/8/8/5k2/5p2/5K2 b - - 0 1", []uint64{1, 5}}} {
		got, err := p.Count(t.Context(), fromFEN(t, c.fen), len(c.want)-1)
		if err != nil || !slices.Equal(got.Counts, c.want) || got.Clocks == 0 || got.CPU == 0 {
			t.Errorf("%s: %+v, %v", c.fen, got, err)
		}
	}
	for _, depth := range []int{-1, MaxPerft + 1} {
		if _, err := p.Count(t.Context(), fromFEN(t, kiwipete), depth); err == nil {
			t.Errorf("a depth of %d is taken", depth)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Count(ctx, fromFEN(t, kiwipete), 5); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if _, err := NewPerft(t.Context(), newWork(t), ToolGo, 1); err == nil {
		t.Error("the tool go is taken")
	}
	for _, cores := range []int{0, MaxPerftCores + 1} {
		if _, err := NewPerft(t.Context(), newWork(t), ToolIcarus, cores); err == nil {
			t.Errorf("%d cores are taken", cores)
		}
	}
}

// Two cores take fewer clocks than one for the same order.
func TestPerftCores(t *testing.T) {
	var clocks [2]int64
	for i := range clocks {
		p, err := NewPerft(t.Context(), newWork(t), ToolIcarus, i+1)
		if err != nil {
			t.Fatal(failure(err))
		}
		defer p.Close()
		got, err := p.Count(t.Context(), fromFEN(t, "k7/p7/P7/8/8/8/8/K7 w - - 0 1"), 4)
		if err != nil {
			t.Fatal(failure(err))
		}
		clocks[i] = int64(got.Clocks)
	}
	if clocks[1] >= clocks[0] {
		t.Errorf("one core takes %d clocks and two take %d", clocks[0], clocks[1])
	}
}

// A sum that is wrong is told.
func TestPerftDiffers(t *testing.T) {
	w := newWork(t)
	file := w.Path("rtl/ply11_perft.v")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const old = "sum_q + {55'd0, add_count}"
	if strings.Count(string(text), old) != 1 {
		t.Fatalf("%q is not in ply11_perft.v once", old)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), old, old+" + 64'd1", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	p, err := NewPerft(t.Context(), w, ToolIcarus, 1)
	if err != nil {
		t.Fatal(failure(err))
	}
	defer p.Close()
	if _, err := p.Count(t.Context(), fromFEN(t, kiwipete), 1); !errors.Is(err, ErrPerft) {
		t.Errorf("%v", err)
	}
}
