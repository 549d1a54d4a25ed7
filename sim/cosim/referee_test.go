// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"fmt"
	"strings"
	"testing"

	"ply11/bitstream"
	"ply11/bitstream/brenner"
	"ply11/bitstream/jose"
	"ply11/chess"
	"ply11/game"
	"ply11/internal/testenv"
	"ply11/moveindex"
	"ply11/position"
	"ply11/sim"
	"ply11/sim/oracle"
)

// refereedFeed has the main lines of games as words, each with one ply replaced by a random move, and what a player with
// LEGAL 1 gives for it by package position: plies as long as they are legal, an error where the first is not, the end.
func refereedFeed(t *testing.T, games []*game.Game, seed uint64) (f feed, reasons map[oracle.Reason]int, faults int) {
	t.Helper()
	r := sim.Random(seed)
	var all []moveindex.Index
	for _, g := range games {
		line := g.AppendMainLine(nil)
		if len(line) == 0 {
			continue
		}
		state := oracle.NewState(&g.Start)
		if g.Start != position.Start() {
			var err error
			if all, err = bitstream.AppendStart(all, &g.Start); err != nil {
				t.Fatal(err)
			}
		}
		at := int(r.Next() % uint64(len(line)))
		for n, m := range line {
			i := moveindex.Null
			if m != chess.NullMove {
				i, _ = moveindex.Of(m)
			}
			if n == at {
				i = moveindex.Index(r.Next() % moveindex.NumMoves)
				if r.Next()%2 == 0 {
					// One that the board applies.
					for after := state; ; after = state {
						if _, _, fault := after.Play(i); fault == oracle.NoFault {
							break
						}
						i = moveindex.Index(r.Next() % moveindex.NumMoves)
					}
				}
			}
			all = append(all, i)
			state.Play(i)
		}
		all = append(all, g.Result.Index())
	}
	o := oracle.New(oracle.Params{Legal: true, Mate: true})
	o.Words(all)
	data := make([]byte, bitstream.PackedLen(len(all)))
	bitstream.Pack(data, 0, all)
	if used := 11 * len(all) % 8; used != 0 {
		data[len(data)-1] |= 0xff << used
	}
	f = newFeed("words with a ply replaced", oracle.ModeWords, o, append(data, 0xff, 0xff))
	reasons = map[oracle.Reason]int{}
	for _, b := range f.beats {
		switch {
		case b.Kind == oracle.BeatError && b.Reason == oracle.NoReason:
			faults++
		case b.Kind != oracle.BeatEnd:
			reasons[b.Reason]++
		}
	}
	return f, reasons, faults
}

// playModel returns how many clocks it took.
func playModel(t *testing.T, p *sim.Player, s *playerStimulus) (clocks int) {
	t.Helper()
	for s.Drive() {
		clocks++
		p.Eval()
		if err := s.Sample(); err != nil {
			t.Fatal(err)
		}
		p.Step()
	}
	return clocks
}

// With LEGAL 1 the player plays what is sound as ever, in every mode and with variations, and refuses exactly the first
// move of a game that is not legal, with its reason.
func TestPlayerReferee(t *testing.T) {
	games := readGames(t, 200)
	replaced, reasons, faults := refereedFeed(t, games, 9)
	t.Logf("a ply of each of %d games replaced: %d errors of the board, %v", len(games), faults, reasons)
	for _, r := range []oracle.Reason{oracle.ReasonBlocked, oracle.ReasonCheck} {
		if reasons[r] == 0 {
			t.Errorf("no game ends with %v", r)
		}
	}
	for _, params := range []sim.PlayerParams{{Modes: 3, Legal: 1}, {Modes: 1, Width: 32, Legal: 1}} {
		for _, fast := range []bool{true, false} {
			p, err := sim.NewPlayer(params)
			if err != nil {
				t.Fatal(err)
			}
			s := &playerStimulus{player: p, feeds: []feed{wordsFeed(t, games), replaced}, gap: sim.Always, ready: sim.Always}
			if params.Modes&2 != 0 {
				s.feeds = append(s.feeds, brennerFeed(t, brenner.Main, games))
			}
			if !fast {
				s.gap, s.ready = sim.Noise(1, 70), sim.Noise(2, 70)
			}
			playModel(t, p, s)
		}
	}
	params := sim.PlayerParams{Modes: 7, Dialect: sim.DialectProgram, Depth: 3, Legal: 1}
	p, err := sim.NewPlayer(params)
	if err != nil {
		t.Fatal(err)
	}
	playModel(t, p, &playerStimulus{player: p, feeds: []feed{joseFeed(jose.Program, params.Depth, joseGames(t, jose.Program, games)), brennerFeed(t, brenner.Main, games)},
		gap: sim.Noise(3, 80), ready: sim.Noise(4, 80)})
}

// With MATE 1 the player tells check, mate and stalemate with every ply and error as package position does; and jose's games with
// variations come through as ever.
func TestPlayerMate(t *testing.T) {
	games := readGames(t, 20)
	replaced, _, _ := refereedFeed(t, games, 9)
	var all []moveindex.Index
	stalemate := strings.Fields("e2e3 a7a5 d1h5 a8a6 h5a5 h7h5 h2h4 a6h6 a5c7 f7f6 c7d7 e8f7 d7b7 d8d3 b7b8 d3h7 b8c8 f7g6 c8e6")
	for seed := range uint64(12) {
		pos, r := position.Start(), sim.Random(seed+1)
		var buf [256]chess.Move
		for ply := range 400 {
			list := pos.LegalMoves(buf[:0])
			if len(list) == 0 {
				break
			}
			m := list[r.Next()%uint64(len(list))]
			if seed == 0 {
				m, _ = chess.ParseUCI(stalemate[ply])
			}
			i, _ := moveindex.Of(m)
			pos.Make(m)
			all = append(all, i)
		}
		all = append(all, moveindex.ResultDraw)
	}
	for len(all)%8 != 0 {
		all = append(all, moveindex.Idle)
	}
	data := make([]byte, bitstream.PackedLen(len(all)))
	bitstream.Pack(data, 0, all)
	o := oracle.New(oracle.Params{Legal: true, Mate: true})
	o.Words(all)
	ends := newFeed("games to the end", oracle.ModeWords, o, data)
	seen := map[oracle.Flags]int{}
	for _, b := range ends.beats {
		if b.Flags != nil {
			seen[*b.Flags]++
		}
	}
	t.Logf("%v", seen)
	for _, f := range []oracle.Flags{{}, {Check: true}, {Check: true, Mate: true}, {Stalemate: true}} {
		if seen[f] == 0 {
			t.Errorf("no position with %+v", f)
		}
	}
	for _, fast := range []bool{true, false} {
		p, err := sim.NewPlayer(sim.PlayerParams{Modes: 1, Width: 32, Legal: 1, Mate: 1})
		if err != nil {
			t.Fatal(err)
		}
		s := &playerStimulus{player: p, feeds: []feed{ends, wordsFeed(t, games), replaced}, gap: sim.Always, ready: sim.Always}
		if !fast {
			s.gap, s.ready = sim.Noise(1, 70), sim.Noise(2, 20)
		}
		clocks := playModel(t, p, s)
		beats := 0
		for _, f := range s.feeds {
			beats += len(f.beats)
		}
		t.Logf("%.1f clocks a beat", float64(clocks)/float64(beats))
	}
	params := sim.PlayerParams{Modes: 4, Dialect: sim.DialectProgram, Depth: 3, Legal: 1, Mate: 1}
	p, err := sim.NewPlayer(params)
	if err != nil {
		t.Fatal(err)
	}
	playModel(t, p, &playerStimulus{player: p, feeds: []feed{joseFeed(jose.Program, params.Depth, joseGames(t, jose.Program, games))},
		gap: sim.Noise(3, 80), ready: sim.Noise(4, 80)})
	if _, err := sim.NewPlayer(sim.PlayerParams{Modes: 1, Mate: 1}); err == nil {
		t.Error("MATE 1 is possible without LEGAL 1")
	}
}

// The Verilog of the player with MATE 1 does in each clock what the model does.
func TestPlayerMateVerilog(t *testing.T) {
	t.Parallel()
	testenv.Tools(t, "iverilog", "vvp")
	b := newBench(t)
	games := readGames(t, 2)
	replaced, _, _ := refereedFeed(t, games, 9)
	p, err := sim.NewPlayer(sim.PlayerParams{Modes: 1, Width: 32, Legal: 1, Mate: 1})
	if err != nil {
		t.Fatal(err)
	}
	feeds := []feed{replaced}
	tool := ToolIcarus
	if testenv.Long {
		games = readGames(t, 60)
		tool, feeds = ToolVerilator, append(feeds, damaged(replaced, 3, 300), wordsFeed(t, games))
	}
	end := b.play(t, tool, trial{p, &playerStimulus{player: p, feeds: feeds, gap: sim.Noise(5, 90), ready: sim.Noise(6, 60)}})
	if end.Difference != nil {
		t.Error(end.Difference)
	}
}

// The Verilog of the player with LEGAL 1 does in each clock what the model does, with sound games, with moves that are not
// legal and with damaged bytes.
func TestPlayerRefereeVerilog(t *testing.T) {
	t.Parallel()
	testenv.Tools(t, "iverilog", "vvp", "verilator", "g++", "make")
	b := newBench(t)
	games := readGames(t, 40)
	for _, tool := range []string{ToolIcarus, ToolVerilator} {
		n := len(games)
		if tool == ToolIcarus {
			n = 6
		}
		replaced, _, _ := refereedFeed(t, games[:n], 9)
		words := wordsFeed(t, games[:n])
		for _, params := range []sim.PlayerParams{{Modes: 1, Width: 32, Legal: 1}, {Modes: 7, Dialect: sim.DialectProgram, Depth: 3, Legal: 1}} {
			if !testenv.Long && tool == ToolVerilator {
				continue // half a minute to build; bench.player.legal runs in it
			}
			t.Run(fmt.Sprintf("%s/modes=%d", tool, params.Modes), func(t *testing.T) {
				p, err := sim.NewPlayer(params)
				if err != nil {
					t.Fatal(err)
				}
				feeds := []feed{replaced, damaged(replaced, 3, 300)}
				if params.Depth == 0 {
					feeds = append(feeds, words)
				} else {
					feeds = append(feeds, feed{name: "words", data: words.data}, brennerFeed(t, brenner.Main, games[:n]),
						joseFeed(jose.Program, params.Depth, joseGames(t, jose.Program, games[:n])))
				}
				end := b.play(t, tool, trial{p, &playerStimulus{player: p, feeds: feeds, gap: sim.Noise(5, 90), ready: sim.Noise(6, 85)}})
				if end.Difference != nil {
					t.Error(end.Difference)
				}
			})
		}
	}
}
