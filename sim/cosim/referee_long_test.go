// SPDX-License-Identifier: Apache-2.0

//go:build long

package cosim

import (
	"slices"
	"strings"
	"testing"

	"ply11/bitstream/brenner"
	"ply11/bitstream/chessbase"
	"ply11/bitstream/jose"
	"ply11/chess"
	"ply11/game"
	"ply11/internal/datadir"
	"ply11/moveindex"
	"ply11/position"
	"ply11/sim"
	"ply11/sim/eda/edatest"
	"ply11/sim/oracle"
)

// A referee behind ChessBase's numbers: what its generator makes beyond the rules is an error 7.
func TestPlayerChessBaseLegal(t *testing.T) {
	params := oracle.Params{Depth: 2, Legal: true}
	o := oracle.New(params)
	var data []byte
	g := chessbase.NewGenerator(position.Start(), chessbase.NumberingDocument)
	// 1 e4 e5 2 Qh5 Ke7 3 Qxe5, and in the place of 3 Ke6, beside the queen.
	for _, uci := range []string{"e2e4", "e7e5", "d1h5", "e8e7", "h5e5", "e7e6"} {
		m, err := chess.ParseUCI(uci)
		edatest.Must(t, err)
		number, ok := g.GeneratedNumber(m)
		if !ok {
			t.Fatal(uci)
		}
		data = append(data, byte(number))
		if g.Position().IsLegal(m) {
			g.Make(m)
		}
	}
	data = append(data, 0, 2)
	o.ChessBase(chessbase.NumberingDocument, data)
	f := newFeed(o, data)
	if b := f.beats[5]; b.Kind != oracle.BeatError || b.Reason != oracle.ReasonCheck {
		t.Fatalf("%+v", b)
	}
	// And games that are legal, with variations.
	sound := spread(cbfGames(t, chessbase.NumberingDocument, readGames(t, 10)), sim.Narrow/2-1,
		func(part []cbfGame) feed {
			return cbfFeed(chessbase.NumberingDocument, params, part)
		})
	codec := playerOf(t, "chessbase-document", func(p *playerSetup) { p.depth, p.legal = 2, 1 })
	playFeeds(t, new(Harnesses), codec, nil, append(sound, f)...)
}

// With LEGAL 1 the player plays what is sound as ever in the other modes, too, and where it knows them all.
func TestPlayerRefereeModes(t *testing.T) {
	games := readGames(t, 200)
	every := func(p *playerSetup) { p.modes, p.depth, p.legal = 7, 3, 1 }
	for name, change := range map[string]func(*playerSetup){
		"brenner-main": func(p *playerSetup) { p.legal = 1 },
		"jose-program": every,
		"words":        every,
	} {
		codec := playerOf(t, name, change)
		params := oracle.Params{Depth: codec.setup.depth, Legal: true}
		switch codec.mode {
		case oracle.ModeWords:
			playFeeds(t, new(Harnesses), codec, nil, newReplaced(t, params, games, 9, sim.Narrow/2).feeds...)
			playFeeds(t, new(Harnesses), codec, nil, wordFeeds(t, params, games)...)
		case oracle.ModeBrenner:
			playFeeds(t, new(Harnesses), codec, nil, brennerFeeds(t, params, brenner.Main, games)...)
		default:
			playFeeds(t, new(Harnesses), codec, nil,
				joseFeeds(jose.Program, params, joseGames(t, jose.Program, games))...)
		}
	}
}

// The games that jose's own program wrote, with their variations.
func TestPlayerJoseData(t *testing.T) {
	games := joseData(t, 1000)
	codec := playerOf(t, "jose-program", func(p *playerSetup) { p.depth = 8 })
	feeds, loads, depths := joseFeeds(jose.Program, oracle.Params{Depth: 8}, games), 0, [32]int{}
	for _, f := range feeds {
		loads += len(f.loads)
		for _, b := range f.beats {
			if b.Kind == oracle.BeatError {
				t.Fatalf("error at %d", b.Offset)
			}
			depths[b.Depth]++
		}
	}
	t.Logf("%d games, %d from set-up positions, plies by depth %v", len(games), loads, depths)
	if len(games) != 734 || loads == 0 || depths[3] == 0 {
		t.Error("too few games, start positions or variations")
	}
	playFeeds(t, new(Harnesses), codec, nil, feeds...)
}

// With MATE 1 the player tells check, mate and stalemate with every ply and error as package position does; and jose's
// games with variations come through as ever.
func TestPlayerMate(t *testing.T) {
	games := readGames(t, 20)
	params := oracle.Params{Legal: true, Mate: true}
	var ends [][]moveindex.Index
	stalemate := strings.Fields(
		"e2e3 a7a5 d1h5 a8a6 h5a5 h7h5 h2h4 a6h6 a5c7 f7f6 c7d7 e8f7 d7b7 d8d3 b7b8 d3h7 b8c8 f7g6 c8e6")
	for seed := range uint64(12) {
		var all []moveindex.Index
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
		ends = append(ends, append(all, moveindex.ResultDraw))
	}
	feeds := spread(ends, len(ends), func(part [][]moveindex.Index) feed {
		o := oracle.New(params)
		o.Words(part[0])
		return newFeed(o, packWords(part[0]))
	})
	seen := map[oracle.Flags]int{}
	for _, f := range feeds {
		for _, b := range f.beats {
			if b.Flags != nil {
				seen[*b.Flags]++
			}
		}
	}
	t.Logf("%v", seen)
	for _, f := range []oracle.Flags{{}, {Check: true}, {Check: true, Mate: true}, {Stalemate: true}} {
		if seen[f] == 0 {
			t.Errorf("no position with %+v", f)
		}
	}
	mate := func(p *playerSetup) { p.legal, p.mate = 1, 1 }
	codec := playerOf(t, "words-32", mate)
	feeds = append(feeds, newReplaced(t, params, games, 9, 20).feeds...)
	playFeeds(t, new(Harnesses), codec, nil, feeds...)
	// As many as there are streams, at full speed.
	p := playFeeds(t, new(Harnesses), codec, nil, slices.Concat(wordFeeds(t, params, games),
		wordFeeds(t, params, games))...)
	t.Logf("%.1f clocks a ply", float64(p.clocks)/float64(p.plies))
	codec = playerOf(t, "jose-program", func(p *playerSetup) { mate(p); p.depth = 3 })
	params.Depth = 3
	playFeeds(t, new(Harnesses), codec, nil, joseFeeds(jose.Program, params, joseGames(t, jose.Program, games))...)
}

// 2,000 games of master-50k, each with a ply replaced by a random code: the player with LEGAL 1 plays what is legal,
// and refuses the first move that is not, at its ply and with its reason; the netlist and the Verilog.
func TestPlayerRefereeMaster(t *testing.T) {
	var games []*game.Game
	eachGame(t, datadir.Path(t, "pgn", "master", "master-50k.pgn.zst"), 2000, func(_ int, g *game.Game) {
		games = append(games, g)
	})
	codecs := Refereed(FindCodecs("words-32"))
	r := newReplaced(t, oracle.Params{Legal: true}, games, 16, sim.Narrow)
	p := playFeeds(t, newHarnesses(t, codecs, ToolVerilator), codecs[0], []string{ToolVerilator}, r.feeds...)
	refused := -r.reasons[oracle.NoReason]
	for _, count := range r.reasons {
		refused += count
	}
	t.Logf("%d games, %d legal plies; %d games refused by the board, %d by the referee: %v; %d clocks", len(games),
		r.reasons[oracle.NoReason], r.faults,
		refused, r.reasons, p.clocks)
	if len(games) != 2000 || refused == 0 || r.faults == 0 || refused+r.faults >= len(games) {
		t.Errorf("of %d games %d are refused by the board and %d by the referee", len(games), r.faults, refused)
	}
}

// playerOf is a codec's player with other parameters, of which Yosys makes the netlist.
func playerOf(t *testing.T, name string, change func(*playerSetup)) Codec {
	t.Helper()
	c := FindCodecs(name)[0]
	change(&c.setup)
	v, err := c.setup.verilog()
	edatest.Must(t, err)
	c.Name = v.String()
	return c
}
