// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ply11/bitstream/chessbase"
	"ply11/game"
	"ply11/game/codec"
	"ply11/game/pgn"
	"ply11/internal/datadir"
	"ply11/internal/testenv"
	"ply11/position"
	"ply11/sim"
	"ply11/sim/eda/edatest"
	"ply11/sim/oracle"
)

var cbfNumberings = []chessbase.Numbering{chessbase.NumberingDocument, chessbase.NumberingCBASCII}

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

func cbfData(tb testing.TB, limit int) (all map[chessbase.Numbering][]cbfGame) {
	tb.Helper()
	files, err := filepath.Glob(filepath.Join(datadir.Path(tb, "chessbase"), "*.cbf"))
	if err != nil || len(files) == 0 {
		tb.Fatal("no files", err)
	}
	all = make(map[chessbase.Numbering][]cbfGame)
	for _, name := range files {
		cbf, err := os.ReadFile(name)
		edatest.Must(tb, err)
		cbi, err := os.ReadFile(name[:len(name)-1] + "i")
		edatest.Must(tb, err)
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

func cbfFeed(n chessbase.Numbering, p oracle.Params, games []cbfGame) feed {
	o := oracle.New(p)
	var data []byte
	for _, g := range games {
		if g.start != position.Start() {
			o.Load(&g.start)
		}
		data = append(data, g.data[:o.ChessBase(n, g.data)]...)
	}
	return newFeed(o, data)
}

// damagedCBF changes, cuts and doubles bytes of games, all of which still end.
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

// ChessBase's games are played, also those with start positions and variations, as the software codec reads them, and
// errors are found at the same byte.
func TestPlayerChessBase(t *testing.T) {
	games := readGames(t, 16)
	for i, codec := range FindCodecs("chessbase") {
		n, params := cbfNumberings[i], oracle.Params{Depth: codec.setup.depth}
		sound := cbfGames(t, n, games)
		all := slices.Clone(sound)
		for seed := range uint64(2) {
			all = append(all, damagedCBF(sound, seed, 40)...)
		}
		feeds := spread(all, sim.Narrow/2, func(part []cbfGame) feed { return cbfFeed(n, params, part) })
		p := playFeeds(t, new(Harnesses), codec, nil, feeds...)
		if p.errors[oracle.FaultPlace] == 0 || p.errors[oracle.FaultOperand] == 0 {
			t.Errorf("%v: errors %v", n, p.errors)
		}
	}
}

// The games of the CBF files: with make test some of each file, with make long all.
func TestPlayerChessBaseData(t *testing.T) {
	testenv.Slow(t)
	limit := 8
	if testenv.Long {
		limit = 1 << 30
	}
	data := cbfData(t, limit)
	var clocks, plies int64
	starts, depths := 0, [32]int{}
	for i, codec := range FindCodecs("chessbase") {
		n := cbfNumberings[i]
		streams := sim.Narrow
		// so that none is played again with stalls, and clocks a ply are those of an input in every clock
		if len(data[n]) >= sim.Wide {
			streams = sim.Wide
		}
		feeds := spread(data[n], streams, func(part []cbfGame) feed {
			return cbfFeed(n, oracle.Params{Depth: codec.setup.depth}, part)
		})
		for _, f := range feeds {
			for _, b := range f.beats {
				if b.Kind == oracle.BeatError && b.Codes != 1<<oracle.FaultDepth {
					t.Fatalf("%v: error %#x at byte %d", n, b.Codes, b.Offset)
				}
				depths[b.Depth]++
			}
			starts += len(f.loads)
		}
		p := playFeeds(t, new(Harnesses), codec, nil, feeds...)
		clocks, plies = clocks+p.clocks, plies+p.plies
	}
	t.Logf("%d games, %d from set-up positions, %d plies, %.1f clocks each; by depth %v",
		len(data[cbfNumberings[0]])+len(data[cbfNumberings[1]]),
		starts, plies, float64(clocks)/float64(plies), depths)
	if plies == 0 || depths[1] == 0 {
		t.Error("too few games or variations")
	}
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
	c, err := NewCross(t.Context(), hs, CrossPlan{Codecs: codecs, Tools: []string{ToolIcarus}})
	edatest.Must(t, err)
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

// Of each value that the header's byte can have, the player gives the result that the software's reader gives the game.
func TestChessBaseResults(t *testing.T) {
	var games []cbfGame
	for b := range 256 {
		games = append(games, cbfGame{position.Start(), []byte{11, 0, byte(b)}})
	}
	codec := FindCodecs("chessbase")[0]
	feeds := spread(games, sim.Narrow/2, func(part []cbfGame) feed {
		return cbfFeed(chessbase.NumberingDocument, oracle.Params{Depth: codec.setup.depth}, part)
	})
	var found [4]int
	for _, f := range feeds {
		for _, b := range f.beats {
			if b.Kind == oracle.BeatEnd {
				found[b.Result]++
			}
		}
	}
	if found != [4]int{63, 64, 64, 65} {
		t.Errorf("results %v: the byte of a game without one is 10, or has the low bits 3", found)
	}
	playFeeds(t, new(Harnesses), codec, nil, feeds...)
}
