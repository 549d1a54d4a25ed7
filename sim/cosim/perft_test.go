// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"context"
	"errors"
	"slices"
	"testing"

	"ply11/position"
	"ply11/sim"
	"ply11/sim/oracle"
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

// The Verilog of ply11_perft does in each clock what the model does, with pauses of the one who takes the counts.
func TestPerftVerilog(t *testing.T) {
	b := newBench(t)
	for _, k := range []struct {
		fen   string
		depth int
	}{{kiwipete, 1}, {"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 3}, {"8/8/8/8/8/5k2/5p2/5K2 b - - 0 1", 3}} {
		p := fromFEN(t, k.fen)
		m, err := sim.NewPerft(sim.MaxPerft)
		if err != nil {
			t.Fatal(err)
		}
		s := &perftStimulus{ctx: t.Context(), m: m, p: p, state: oracle.NewState(p), depth: k.depth, ready: sim.Noise(7, 40)}
		if end := b.play(t, ToolIcarus, trial{m, s}); end.Difference != nil {
			t.Error(end.Difference)
		}
		if len(s.Counts) != k.depth+1 {
			t.Errorf("%s: counts %d", k.fen, s.Counts)
		}
	}
}

// The model alone counts; what is not a depth is refused, and the end of the context ends it.
func TestPerftCount(t *testing.T) {
	p := fromFEN(t, kiwipete)
	got, err := Perft(t.Context(), nil, p, 2)
	if err != nil || !slices.Equal(got.Counts, []uint64{1, 48, 2039}) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, depth := range []int{-1, sim.MaxPerft + 1} {
		if _, err := Perft(t.Context(), nil, p, depth); err == nil {
			t.Errorf("a depth of %d is taken", depth)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Perft(ctx, nil, p, 5); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
