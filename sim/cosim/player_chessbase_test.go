// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"bytes"
	"errors"
	"math/bits"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ply11/bitstream/chessbase"
	"ply11/bitstream/codec"
	"ply11/chess"
	"ply11/game"
	"ply11/game/pgn"
	"ply11/internal/datadir"
	"ply11/internal/testenv"
	"ply11/position"
	"ply11/sim"
	"ply11/sim/oracle"
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

// cbfFeed puts games together, each with its start position if it is not the usual one.
func cbfFeed(n chessbase.Numbering, p oracle.Params, games []cbfGame) feed {
	o := oracle.New(p)
	var data []byte
	for _, g := range games {
		if g.start != position.Start() {
			o.Load(&g.start)
		}
		data = append(data, g.data[:o.ChessBase(n, g.data)]...)
	}
	f := newFeed("chessbase "+n.String(), oracle.ModeChessBase, o, data)
	if n == chessbase.NumberingCBASCII {
		f.numbering = sim.NumberingCBASCII
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
			params := oracle.Params{Depth: depth}
			p, err := sim.NewPlayer(sim.PlayerParams{Modes: 8, Depth: depth})
			if err != nil {
				t.Fatal(err)
			}
			sound := cbfGames(t, n, games)
			playFeeds(t, p, sim.Always, sim.Always, cbfFeed(n, params, sound))
			short := sound[:min(len(sound), 20)]
			playFeeds(t, p, sim.Noise(1, 70), sim.Noise(2, 70), cbfFeed(n, params, short))
			found := [16]int{}
			for seed := range uint64(2) {
				f := cbfFeed(n, params, damagedCBF(sound, seed, 40))
				for _, b := range f.beats {
					if b.Kind == oracle.BeatError {
						found[bits.TrailingZeros16(b.Codes)]++
					}
				}
				playFeeds(t, p, sim.Always, sim.Noise(seed, 80), f)
			}
			t.Logf("%v, depth %d: errors %v", n, depth, found)
			if found[oracle.FaultPlace] == 0 || found[oracle.FaultOperand] == 0 {
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
		p, err := sim.NewPlayer(sim.PlayerParams{Modes: 15, Depth: 16})
		if err != nil {
			t.Fatal(err)
		}
		f := cbfFeed(n, oracle.Params{Depth: 16}, all)
		for _, b := range f.beats {
			if b.Kind == oracle.BeatError {
				t.Fatalf("%v: error %#x at byte %d", n, b.Codes, b.Offset)
			}
			depths[b.Depth]++
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
	params := oracle.Params{Depth: 2, Legal: true}
	o := oracle.New(params)
	var data []byte
	g := chessbase.NewGenerator(position.Start(), chessbase.NumberingDocument)
	// 1 e4 e5 2 Qh5 Ke7 3 Qxe5, and in the place of 3 Ke6, beside the queen.
	for _, uci := range []string{"e2e4", "e7e5", "d1h5", "e8e7", "h5e5", "e7e6"} {
		m, err := chess.ParseUCI(uci)
		if err != nil {
			t.Fatal(err)
		}
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
	f := newFeed("a king goes into check", oracle.ModeChessBase, o, data)
	if b := f.beats[5]; b.Kind != oracle.BeatError || b.Reason != oracle.ReasonCheck {
		t.Fatalf("%+v", b)
	}
	// And games that are legal, with variations.
	sound := cbfFeed(chessbase.NumberingDocument, params, cbfGames(t, chessbase.NumberingDocument, readGames(t, 10)))
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
	var games []cbfGame
	for b := range 256 {
		games = append(games, cbfGame{position.Start(), []byte{11, 0, byte(b)}})
	}
	f := cbfFeed(chessbase.NumberingDocument, oracle.Params{}, games)
	var found [4]int
	for _, b := range f.beats {
		if b.Kind == oracle.BeatEnd {
			found[b.Result]++
		}
	}
	if found != [4]int{63, 64, 64, 65} {
		t.Errorf("results %v: the byte of a game without one is 10, or has the low bits 3", found)
	}
	end := newBench(t).play(t, ToolIcarus, trial{p, &playerStimulus{player: p, feeds: []feed{f}, gap: sim.Always, ready: sim.Always}})
	if end.Difference != nil {
		t.Error(end.Difference)
	}
}
