// SPDX-License-Identifier: Apache-2.0

//go:build long

package cosim

import (
	"testing"

	"ply11/game"
	"ply11/internal/datadir"
	"ply11/internal/movesets"
	"ply11/sim"
	"ply11/sim/oracle"
)

// Of 100,000 positions all 2,048 codes: 204,800,000 verdicts of package position, the model and the Verilog.
func TestVerdictsAll(t *testing.T) {
	s := playVerdicts(t, newBench(t), ToolVerilator, 100_000, false, 7)
	for r := oracle.NoReason; r <= oracle.ReasonCheck; r++ {
		// No position that package position takes has a right without its rook, or an en passant file without its pawn.
		if never := r == oracle.ReasonRook || r == oracle.ReasonPawn; s.reasons[r] == 0 != never {
			t.Errorf("%d moves with %v", s.reasons[r], r)
		}
	}
	for _, c := range movesets.AllCases {
		if s.cases[c] == 0 {
			t.Errorf("no position with %s", c)
		}
	}
}

// 2,000 games of master-50k, each with a ply replaced by a random code: the player with LEGAL 1 plays what is legal, and refuses
// the first move that is not, at its ply and with its reason; model and Verilog.
func TestPlayerRefereeMaster(t *testing.T) {
	var games []*game.Game
	eachGame(t, datadir.Path(t, "pgn", "master", "master-50k.pgn.zst"), 2000, func(_ int, g *game.Game) { games = append(games, g) })
	replaced, reasons, faults := refereedFeed(t, games, 16)
	p, err := sim.NewPlayer(sim.PlayerParams{Modes: 1, Width: 32, Legal: 1})
	if err != nil {
		t.Fatal(err)
	}
	end := newBench(t).play(t, ToolVerilator, trial{p, &playerStimulus{player: p, feeds: []feed{replaced}, gap: sim.Always, ready: sim.Always}})
	if end.Difference != nil {
		t.Error(end.Difference)
	}
	refused := -reasons[oracle.NoReason]
	for _, count := range reasons {
		refused += count
	}
	t.Logf("%d games, %d legal plies; %d games refused by the board, %d by the referee: %v; %d clocks", len(games), reasons[oracle.NoReason], faults,
		refused, reasons, end.Clocks)
	if len(games) != 2000 || refused == 0 || faults == 0 || refused+faults >= len(games) {
		t.Errorf("of %d games %d are refused by the board and %d by the referee", len(games), faults, refused)
	}
}
