// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ply11/bitstream/chessbase"
	"ply11/bitstream/codec"
	"ply11/game"
	"ply11/game/pgn"
	"ply11/internal/datadir"
	"ply11/internal/testenv"
	"ply11/moveindex"
	"ply11/position"
	"ply11/sim"
)

var cbfNumberings = []chessbase.Numbering{chessbase.NumberingDocument, chessbase.NumberingCBASCII}

// cbfGame is one game as bytes, with the end, and its start position.
type cbfGame struct {
	start position.Position
	data  []byte
}

// cbfGames encodes games; of those with null moves, what is before them in each line.
func cbfGames(tb testing.TB, n chessbase.Numbering, games []*game.Game) (all []cbfGame) {
	tb.Helper()
	var record chessbase.Record
	for _, g := range games {
		if err := chessbase.EncodeGame(g, &record, n); err != nil && !errors.Is(err, codec.ErrLoss) {
			continue // what has no number
		}
		all = append(all, cbfGame{g.Start, append(bytes.Clone(record.Moves), 0, record.Header[1])})
	}
	if len(all) == 0 {
		tb.Fatal("no games")
	}
	return all
}

// cbfData reads the games of the CBF files, at most limit of a file, and the numbering of each file.
func cbfData(tb testing.TB, limit int) (all map[chessbase.Numbering][]cbfGame) {
	tb.Helper()
	files, err := filepath.Glob(filepath.Join(datadir.Path(tb, "chessbase"), "*.cbf"))
	if err != nil || len(files) == 0 {
		tb.Fatal("no files", err)
	}
	all = make(map[chessbase.Numbering][]cbfGame)
	for _, name := range files {
		cbf, err := os.ReadFile(name)
		if err != nil {
			tb.Fatal(err)
		}
		cbi, err := os.ReadFile(name[:len(name)-1] + "i")
		if err != nil {
			tb.Fatal(err)
		}
		r, err := chessbase.NewReader(bytes.NewReader(cbf), int64(len(cbf)), bytes.NewReader(cbi), int64(len(cbi)))
		if err != nil {
			tb.Fatal(name, err)
		}
		for i := range min(limit, r.Len()) {
			var g game.Game
			var record chessbase.Record
			// A comment that is wrong leaves out no move.
			_ = r.Game(i+1, &g)
			if err := r.ReadRecord(i+1, &record); err != nil {
				tb.Fatal(name, err)
			}
			n := r.Numbering()
			all[n] = append(all[n], cbfGame{g.Start, append(bytes.Clone(record.Moves), 0, record.Header[1])})
		}
	}
	return all
}

// cbfResult is the result that the software's reader gives a game with that byte in its header, as the hardware codes it.
func cbfResult(b byte) uint8 {
	var record chessbase.Record
	var g game.Game
	record.Header[1] = b
	if _, err := chessbase.DecodeGame(&record, &g, chessbase.NumberingDocument); err != nil {
		panic(err) // a game without moves
	}
	return uint8(g.Result.Index() - moveindex.ResultBlackWins)
}

// cbfEvents says what must come of a game's bytes: the codec's generator numbers, State.Play applies, up to the first error; with a
// depth of 0 without variations.
func cbfEvents(n chessbase.Numbering, depth int, g cbfGame, base int) (events []event) {
	type line struct {
		state sim.State
		gen   chessbase.Generator
	}
	at := line{sim.NewState(&g.start), chessbase.NewGenerator(g.start, n)}
	before := at
	var stack []line
	nest, moved, bad := 0, false, false
	fail := func(i int, fault sim.Fault) {
		if !bad {
			d := len(stack) / 2
			events = append(events, event{kind: sim.BeatError, depth: uint8(d), offset: base + i, fault: fault, state: at.state})
		}
		bad = true
	}
	for i := 0; i < len(g.data); i++ {
		b := g.data[i]
		if b == 0 {
			if nest > 0 {
				fail(i, sim.FaultPlace)
			}
			return append(events, event{kind: sim.BeatEnd, result: cbfResult(g.data[i+1]), offset: base + i})
		}
		switch {
		case bad:
		case b == 0xff && !moved:
			fail(i, sim.FaultPlace)
		case b == 0xff && depth > 0 && nest == depth:
			fail(i, sim.FaultDepth)
		case b == 0xff && depth == 0 && nest == 255:
			fail(i, sim.FaultPlace)
		case b == 0xff:
			nest++
			moved = false
			if depth > 0 {
				stack = append(stack, before, at)
				at = before
			}
		case b == 0x80 && nest == 0:
			fail(i, sim.FaultPlace)
		case b == 0x80:
			nest--
			moved = true
			if depth > 0 {
				k := len(stack) - 2
				before, at, stack = stack[k], stack[k+1], stack[:k]
			}
		default:
			moved = true
			if depth == 0 && nest > 0 {
				continue
			}
			m, ok := at.gen.Generated(int(b &^ 0x80))
			if !ok {
				fail(i, sim.FaultOperand)
				continue
			}
			index, _ := m.Index()
			old := at
			if _, _, fault := at.state.Play(index); fault != sim.NoFault {
				fail(i, fault)
				continue
			}
			before = old
			at.gen.Make(m)
			events = append(events, event{kind: sim.BeatPly, index: index, state: at.state, depth: uint8(len(stack) / 2), offset: base + i})
		}
	}
	return events
}

// cbfFeed puts games together, each with its start position if it is not the usual one.
func cbfFeed(n chessbase.Numbering, depth int, games []cbfGame) feed {
	f := feed{name: "chessbase " + n.String(), mode: sim.ModeChessBase, loads: map[int]*sim.State{}}
	usual := position.Start()
	for _, g := range games {
		if g.start != usual {
			s := sim.NewState(&g.start)
			f.loads[len(f.data)] = &s
		}
		f.events = append(f.events, cbfEvents(n, depth, g, len(f.data))...)
		f.data = append(f.data, g.data...)
	}
	return f
}

// damagedCBF changes, cuts and doubles bytes of games. Every game still ends, once.
func damagedCBF(games []cbfGame, seed, every uint64) (out []cbfGame) {
	r := sim.Random(seed)
	for _, g := range games {
		var data []byte
		end := len(g.data) - 2
		for _, b := range g.data[:end] {
			switch r.Next() % every {
			case 0:
				b = max(byte(r.Next()), 1)
			case 1:
				continue
			case 2:
				data = append(data, b)
			case 3:
				b = [...]byte{0xff, 0x80}[r.Next()%2]
			}
			data = append(data, b)
		}
		out = append(out, cbfGame{g.start, append(data, g.data[end:]...)})
	}
	return out
}

// The model of the player plays ChessBase's games, also those with start positions and variations, as the software codec reads them,
// and finds errors at the same byte.
func TestPlayerChessBase(t *testing.T) {
	games := readGames(t, 16)
	for i, n := range cbfNumberings {
		for _, depth := range [][]int{{0, 1}, {8}}[i] {
			p, err := sim.NewPlayer(sim.PlayerParams{Modes: 8, Numbering: i, Depth: depth})
			if err != nil {
				t.Fatal(err)
			}
			sound := cbfGames(t, n, games)
			playFeeds(t, p, sim.Always, sim.Always, cbfFeed(n, depth, sound))
			short := sound[:min(len(sound), 20)]
			playFeeds(t, p, sim.Noise(1, 70), sim.Noise(2, 70), cbfFeed(n, depth, short))
			found := [16]int{}
			for seed := range uint64(2) {
				f := cbfFeed(n, depth, damagedCBF(sound, seed, 40))
				for _, e := range f.events {
					if e.kind == sim.BeatError {
						found[e.fault]++
					}
				}
				playFeeds(t, p, sim.Always, sim.Noise(seed, 80), f)
			}
			t.Logf("%v, depth %d: errors %v", n, depth, found)
			if found[sim.FaultPlace] == 0 || found[sim.FaultOperand] == 0 {
				t.Errorf("%v, depth %d: errors %v", n, depth, found)
			}
		}
	}
}

// The games of the CBF files: with make test some of each file, with make long all.
func TestPlayerChessBaseData(t *testing.T) {
	limit := 8
	if testenv.Long {
		limit = 1 << 30
	}
	plies, games, starts, clocks, depths := 0, 0, 0, 0, [32]int{}
	for n, all := range cbfData(t, limit) {
		numbering := sim.NumberingDocument
		if n == chessbase.NumberingCBASCII {
			numbering = sim.NumberingCBASCII
		}
		p, err := sim.NewPlayer(sim.PlayerParams{Modes: 15, Numbering: numbering, Depth: 16})
		if err != nil {
			t.Fatal(err)
		}
		f := cbfFeed(n, 16, all)
		for _, e := range f.events {
			if e.kind == sim.BeatError {
				t.Fatalf("%v: %v at byte %d", n, e.fault, e.offset)
			}
			depths[e.depth]++
			plies++
		}
		games += len(all)
		starts += len(f.loads)
		playFeeds(t, p, sim.Always, func() bool { clocks++; return true }, f)
	}
	plies -= games
	t.Logf("%d games, %d from set-up positions, %d plies, %.1f clocks each; by depth %v", games, starts, plies, float64(clocks)/float64(plies), depths)
	if games == 0 || depths[1] == 0 {
		t.Error("too few games or variations")
	}
}

// A referee behind ChessBase's numbers: what its generator makes beyond the rules is an error 7.
func TestPlayerChessBaseLegal(t *testing.T) {
	p, err := sim.NewPlayer(sim.PlayerParams{Modes: 8, Depth: 2, Legal: 1})
	if err != nil {
		t.Fatal(err)
	}
	f := feed{mode: sim.ModeChessBase, name: "a king goes into check"}
	start := position.Start()
	state := sim.NewState(&start)
	g := chessbase.NewGenerator(start, chessbase.NumberingDocument)
	// 1 e4 e5 2 Qh5 Ke7 3 Qxe5, and in the place of 3 Ke6, beside the queen.
	for _, uci := range []string{"e2e4", "e7e5", "d1h5", "e8e7", "h5e5", "e7e6"} {
		from, to := moveindex.Square(uci[0]-'a'+(uci[1]-'1')*8), moveindex.Square(uci[2]-'a'+(uci[3]-'1')*8)
		m := moveindex.NewMove(from, to)
		number, ok := g.GeneratedNumber(m)
		if !ok {
			t.Fatal(uci)
		}
		at := len(f.data)
		f.data = append(f.data, byte(number))
		if !g.Position().IsLegal(m) {
			f.events = append(f.events, event{kind: sim.BeatError, fault: sim.FaultStopped, reason: 8, offset: at, state: state})
			break
		}
		index, _ := m.Index()
		g.Make(m)
		state.Play(index)
		f.events = append(f.events, event{kind: sim.BeatPly, index: index, state: state, offset: at})
	}
	f.events = append(f.events, event{kind: sim.BeatEnd, result: 2, offset: len(f.data)})
	f.data = append(f.data, 0, 2)
	// And games that are legal, with variations.
	sound := cbfFeed(chessbase.NumberingDocument, 2, cbfGames(t, chessbase.NumberingDocument, readGames(t, 10)))
	playFeeds(t, p, sim.Always, sim.Always, f, sound)
}

// shortPGN has a variation in a variation, castling that leaves an en passant file, and a start position.
const shortPGN = `
1. e4 e5 (1... c5 2. Nf3 (2. c3 d5) (2. d4) 2... d6) 2. Nf3 1/2-1/2

[FEN "4k2r/8/8/4P3/8/8/3P4/4K3 w k - 0 1"]

1. d4 O-O 2. e6 *

[FEN "4k3/8/8/P6P/1p6/8/2P5/4K3 w - - 0 1"]

1. c4 (1. h6 Kd7) 1... bxc3 1-0
`

// Icarus does in each clock what the model does, with idle clocks and back-pressure in every second game.
func TestCrossChessBase(t *testing.T) {
	codecs := FindCodecs("chessbase")
	hs := newHarnesses(t, codecs, ToolIcarus)
	c, err := NewCross(t.Context(), hs, CrossPlan{Codecs: codecs, Tools: []string{ToolIcarus}, Patterns: 200})
	if err != nil {
		t.Fatal(err)
	}
	if testenv.Long {
		eachGame(t, edgePGN, 0, func(_ int, g *game.Game) { c.Add(g) })
	}
	for g := range pgn.NewReader(strings.NewReader(shortPGN)).All() {
		c.Add(g)
	}
	for _, r := range closeCross(t, c) {
		if r.Games < 3 {
			t.Errorf("%s: %d games", r.Codec, r.Games)
		}
	}
}

// Of each value that the header's byte can have, Verilog and model give the result that the software's reader gives the game.
func TestChessBaseResults(t *testing.T) {
	p, err := sim.NewPlayer(sim.PlayerParams{Modes: 8})
	if err != nil {
		t.Fatal(err)
	}
	f := feed{name: "results", mode: sim.ModeChessBase}
	var found [4]int
	for b := range 256 {
		g := cbfGame{position.Start(), []byte{11, 0, byte(b)}}
		f.events = append(f.events, cbfEvents(chessbase.NumberingDocument, 0, g, len(f.data))...)
		f.data = append(f.data, g.data...)
		found[f.events[len(f.events)-1].result]++
	}
	if found != [4]int{63, 64, 64, 65} {
		t.Errorf("results %v: the byte of a game without one is 10, or has the low bits 3", found)
	}
	end := newBench(t).play(t, ToolIcarus, trial{p, &playerStimulus{player: p, feeds: []feed{f}, gap: sim.Always, ready: sim.Always}})
	if end.Difference != nil {
		t.Error(end.Difference)
	}
}
