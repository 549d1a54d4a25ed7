// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"ply11/bitstream/brenner"
	"ply11/bitstream/jose"
	"ply11/game"
	"ply11/game/pgn"
	"ply11/internal/datadir"
	"ply11/internal/gamegen"
	"ply11/internal/samples"
	"ply11/internal/testenv"
	"ply11/sim"
	"ply11/sim/eda"
	"ply11/sim/eda/edatest"
	"ply11/sim/oracle"
)

func newHarnesses(t *testing.T, codecs []Codec, tools ...string) *Harnesses {
	t.Helper()
	hs, err := NewHarnesses(t.Context(), edatest.NewWork(t, edatest.Simulators...), codecs, tools)
	edatest.Must(t, err)
	return hs
}

// eachGame calls f with the games of a file, at most limit of them (0 is all), each new and whole or as far as it is
// valid.
func eachGame(t *testing.T, path string, limit int, f func(n int, g *game.Game)) {
	t.Helper()
	file, err := os.Open(path)
	edatest.Must(t, err)
	defer file.Close()
	var r io.Reader = file
	if strings.HasSuffix(path, ".zst") {
		z, err := zstd.NewReader(file, zstd.WithDecoderConcurrency(1))
		edatest.Must(t, err)
		defer z.Close()
		r = z
	}
	n := 0
	for g := range pgn.NewReader(r, pgn.WithName(path)).All() {
		if g == nil {
			t.Fatalf("%s: game %d", path, n+1)
		}
		n++
		f(n, g)
		if n == limit {
			break
		}
	}
	if n == 0 {
		t.Fatalf("%s: no games", path)
	}
}

// edgePGN is games of random legal moves that are rich in what is rare.
var edgePGN = filepath.Join("..", "..", "testdata", "edge.pgn")

var edgeFiles = []string{
	"edge/gnuchess_3plus_promotions.pgn", "edge/gnuchess_over250plies.pgn", "edge/gnuchess_underpromotions.pgn",
	"edge/openrating_underpromotions.pgn", "annotated/perle.pgn", "annotated/HumansVsComputers.pgn",
	"annotated/starter.pgn", "annotated/annotations.pgn", "annotated/studies.pgn", "annotated/mate_in_3.pgn",
	"annotated/lichess-1k.pgn.zst",
}

// edgePath returns the path of a file below PLY11_DATA/pgn, or of the samples that are like it.
func edgePath(t *testing.T, name string) string {
	path, _ := datadir.PathOr(samples.Like(name), append([]string{"pgn"}, strings.Split(name, "/")...)...)
	return path
}

// shorten returns a game without its tags, and its comments cut, which cost Icarus time.
func shorten(g *game.Game) *game.Game {
	const longest = 12
	s := game.New()
	s.SetStart(g.Start)
	s.Result = g.Result
	var b game.Builder
	b.Reset(s)
	for e := range g.All() {
		switch e.Kind {
		case game.MoveEvent:
			b.Move(e.Move)
		case game.NAG:
			b.NAG(e.NAG)
		case game.Comment:
			b.Comment(strings.ToValidUTF8(e.Text[:min(longest, len(e.Text))], ""))
		case game.VariationStart:
			b.StartVariation()
		case game.VariationEnd:
			b.EndVariation()
		}
	}
	return s
}

// closeCross ends a cross-check, which must find no difference.
func closeCross(t *testing.T, c *Cross) []CrossResult {
	t.Helper()
	results, err := c.Close()
	if err != nil {
		t.Error(edatest.Failure(err))
	}
	for _, r := range results {
		if r.Difference != nil {
			path := filepath.Join(t.ArtifactDir(), r.Codec+"_"+r.Tool+".vcd")
			var b bytes.Buffer
			if err := r.Difference.WriteVCD(&b); err == nil && os.WriteFile(path, b.Bytes(), 0o666) == nil {
				r.Difference.VCD = path
			}
			t.Errorf("%s: %v", r.Codec, r.Difference)
		}
		refused := 0
		for _, n := range r.Refused {
			refused += n
		}
		t.Logf("%s in %s: %d games, %d plies, %d clocks, %.2f s, %.0f plies/s; %d not held",
			r.Codec, r.Tool, r.Games, r.Plies, r.Clocks, r.CPU.Seconds(), r.PliesPerSecond(), refused)
	}
	return results
}

// crossed are the codecs that TestCross plays: of Brenner's layouts the two that differ most, because Verilator takes
// long to build a player. ChessBase has tests of its own.
func crossed() []Codec {
	return slices.DeleteFunc(Codecs(), func(c Codec) bool {
		return c.mode == oracle.ModeChessBase || !testenv.Long &&
			(c.Name == "brenner-alt" || c.Name == "brenner-alt-fixed")
	})
}

// The cross-check: games as each codec writes them, played by the netlist, by Icarus and by Verilator; every
// ply against position, every output in every clock against the netlist.
func TestCross(t *testing.T) {
	t.Parallel()
	hs := newHarnesses(t, crossed(), ToolIcarus, ToolVerilator)
	newCross := func(t *testing.T, spread bool, tools ...string) *Cross {
		c, err := NewCross(t.Context(), hs, CrossPlan{Codecs: crossed(), Tools: tools, Spread: spread})
		edatest.Must(t, err)
		return c
	}
	t.Run("edge", func(t *testing.T) {
		c := newCross(t, false, ToolGo, ToolIcarus, ToolVerilator)
		n := 0
		eachGame(t, edgePGN, 0, func(_ int, g *game.Game) { n++; c.Add(g) })
		c.Add(gamegen.Chess960(17))
		n++
		for _, r := range closeCross(t, c) {
			if r.Refused[refused960] != 1 {
				t.Errorf("%s in %s: %v refused", r.Codec, r.Tool, r.Refused)
			}
			held := int64(n)
			for _, k := range r.Refused {
				held -= int64(k)
			}
			if r.Games != held || r.Plies < 900 || r.Clocks < 1800 {
				t.Errorf("%s in %s: %d games of %d, %d plies, %d clocks", r.Codec, r.Tool, r.Games, held, r.Plies,
					r.Clocks)
			}
		}
	})
	t.Run("edge files by Verilator", func(t *testing.T) {
		c := newCross(t, false, ToolVerilator)
		for _, name := range edgeFiles {
			limit := 0
			if strings.Contains(name, "lichess") {
				limit = 30
			}
			eachGame(t, edgePath(t, name), limit, func(_ int, g *game.Game) { c.Add(g) })
		}
		closeCross(t, c)
	})
	// Icarus is slow: a game goes to one codec only, without tags and with short comments, and of the edge files every
	// twenty-fourth.
	t.Run("edge files by Icarus", func(t *testing.T) {
		c := newCross(t, true, ToolIcarus)
		for _, name := range edgeFiles {
			limit := 0
			if strings.Contains(name, "lichess") {
				limit = 60
			}
			eachGame(t, edgePath(t, name), limit, func(n int, g *game.Game) {
				if n%24 == 1 {
					c.Add(shorten(g))
				}
			})
		}
		closeCross(t, c)
	})
	t.Run("2000 games by Verilator", func(t *testing.T) {
		c := newCross(t, false, ToolVerilator)
		n := int64(0)
		eachGame(t, edgePath(t, "master/master-50k.pgn.zst"), 2000, func(_ int, g *game.Game) { n++; c.Add(g) })
		for _, r := range closeCross(t, c) {
			if r.Games != n || n < 100 {
				t.Errorf("%s: %d games", r.Codec, r.Games)
			}
		}
	})
	t.Run("150 games by Icarus", func(t *testing.T) {
		c := newCross(t, true, ToolIcarus)
		games, n := int64(0), int64(0)
		eachGame(t, edgePath(t, "master/master-50k.pgn.zst"), 150, func(_ int, g *game.Game) { n++; c.Add(shorten(g)) })
		for _, r := range closeCross(t, c) {
			games += r.Games
		}
		if games != n || n < 100 {
			t.Errorf("%d games", games)
		}
	})
	// The games that jose's own program encoded, some from set-up positions.
	t.Run("jose's files", func(t *testing.T) {
		codec := FindCodecs("jose-program")[0]
		for tool, limit := range map[string]int{ToolIcarus: 2, ToolVerilator: 1000} {
			games := joseData(t, limit)
			feeds, loads := joseFeeds(jose.Program, oracle.Params{Depth: codec.setup.depth}, games), 0
			if tool == ToolIcarus {
				o := oracle.New(oracle.Params{Depth: codec.setup.depth})
				feeds = []feed{newFeed(o, joseStream(o, jose.Program, games, 0, 0))}
			}
			for _, f := range feeds {
				loads += len(f.loads)
			}
			p := playFeeds(t, hs, codec, []string{tool}, feeds...)
			if p.errors != [16]int{} || p.games < int64(len(games)) || loads == 0 {
				t.Errorf("%s: %d games of %d, %d start positions, errors %v", tool, p.games, len(games), loads,
					p.errors)
			}
		}
	})
	for _, tool := range []string{ToolIcarus, ToolVerilator} {
		t.Run("seeded errors in "+tool, func(t *testing.T) { testSeeded(t, hs, tool) })
		t.Run("faults in "+tool, func(t *testing.T) { testFaults(t, hs, tool) })
	}
}

// testSeeded: a difference of the netlist and the Verilog is found in its clock, wherever in a batch, with the game,
// and drawn; so is a difference of the netlist and the rules.
func testSeeded(t *testing.T, hs *Harnesses, tool string) {
	codec := FindCodecs("words")[0]
	var g *game.Game
	eachGame(t, edgePGN, 1, func(_ int, one *game.Game) { g = one })
	for _, at := range []int{settle, batchClocks - 1, batchClocks + 10} {
		p, err := newPlayer(t.Context(), codec, sim.Wide, hs.of(codec, []string{tool}))
		edatest.Must(t, err)
		last := len(p.streams) - 1
		at /= len(p.streams)
		at = max(at, settle)
		data, h, err := codec.encoder().encode(nil, newCrossGame(1, g))
		edatest.Must(t, err)
		for i := range p.streams {
			p.streams[i].ended = true
			p.streams[i].push(append(data[:len(data):len(data)], 255, 255, 255),
				newCrossGame(i+1, g).wants(h, codec.setup.depth))
		}
		p.reset()
		for p.m.Clock() < at+100 {
			p.drive()
			p.m.Eval()
			p.history.clock(p.m)
			p.sample()
			// For the simulator, a piece is another, in one clock and stream.
			spoiled := p.m.Clock() == at
			piece := boardRegister(p, last)
			if spoiled {
				*piece ^= 1 << last
			}
			p.link.clock(p.m, true)
			if spoiled {
				*piece ^= 1 << last
			}
			p.m.Step()
		}
		ends, err := p.link.Close()
		if err != nil || len(ends) != 1 || ends[0].Difference == nil || p.mismatch != nil {
			t.Fatalf("clock %d: %v, %+v, %v", at, err, ends, p.mismatch)
		}
		d := ends[0].Difference
		if d.Clock != at || d.Signal != "board" || d.Tool != tool || at > settle && d.Game != last+1 {
			t.Errorf("clock %d: %v", at, d)
		}
		var vcd bytes.Buffer
		edatest.Must(t, d.WriteVCD(&vcd))
		text := d.Error()
		if strings.Count(text, "a b c d e f g h") != 2 || strings.Count(vcd.String(), "[255:0]") != 2 ||
			!strings.Contains(vcd.String(), fmt.Sprintf("#%d\n", 10*at)) || d.Clock-d.first != min(at, clocksBefore) {
			t.Errorf("clock %d: %s\n%s", at, text, vcd.String())
		}
	}

	// What position says is another: the rights, or a move that is not there.
	for _, spoil := range []func(*crossGame){
		func(g *crossGame) { g.plies[40].State.Rights ^= 1 },
		func(g *crossGame) { g.g = g.g.Clone(); g.g.Result = game.Draw; g.plies[40].State.EP ^= 3 },
	} {
		c, err := NewCross(t.Context(), hs, CrossPlan{Codecs: FindCodecs("words"), Tools: []string{tool}})
		edatest.Must(t, err)
		c.Add(g)
		cg := newCrossGame(2, g)
		spoil(cg)
		c.lanes[0].in <- cg
		results, err := c.Close()
		edatest.Must(t, err)
		if len(results) != 2 || results[0].Tool != ToolGo || results[1].Difference != nil {
			t.Fatalf("%+v", results)
		}
		d := results[0].Difference
		if d == nil || d.Game != 2 || d.Ply != 40 || tool == ToolIcarus && results[0].Games != 1 ||
			strings.Count(d.Error(), "a b c d e f g h") != 2 {
			t.Errorf("%v", d)
		}
		// The dump has all registers of the netlist, to the clock of the difference.
		var vcd bytes.Buffer
		if err := d.WriteVCD(&vcd); err != nil || strings.Count(vcd.String(), "$var reg ") < 50 ||
			!strings.Contains(vcd.String(), "$scope module u_board $end") ||
			!strings.HasSuffix(vcd.String(), fmt.Sprintf("#%d\n", 10*d.Clock+10)) {
			t.Errorf("%v: a dump of %d bytes", err, vcd.Len())
		}
	}
}

// boardRegister returns the register of the lowest bit of the piece on c1, in 64 streams.
func boardRegister(p *machinePlayer, stream int) *uint64 {
	before := p.m.Get(p.ports.board[0], stream)
	for i := range p.m.Registers() {
		r := &p.m.Registers()[i]
		*r ^= 1 << stream
		after := p.m.Get(p.ports.board[0], stream)
		*r ^= 1 << stream
		if before^after == 1<<8 {
			return r
		}
	}
	return nil
}

// A player with LEGAL 1 is compared once all stages of its referee have moved on.
func TestCrossLegal(t *testing.T) {
	t.Parallel()
	codecs := Refereed(FindCodecs("words-32"))
	tools := []string{ToolGo, ToolIcarus}
	if testenv.Long {
		tools = append(tools, ToolVerilator)
	}
	c, err := NewCross(t.Context(), newHarnesses(t, codecs, tools[1:]...), CrossPlan{Codecs: codecs, Tools: tools})
	edatest.Must(t, err)
	eachGame(t, edgePGN, 4, func(_ int, g *game.Game) { c.Add(g) })
	for _, r := range closeCross(t, c) {
		if r.Games != 4 {
			t.Errorf("%s: %d games in %s", r.Codec, r.Games, r.Tool)
		}
	}
}

// The parameters of the codecs' players are those of the netlists that are stored, and the netlists have the ports.
func TestNetlistsOfCodecs(t *testing.T) {
	circuits, err := eda.Netlists()
	edatest.Must(t, err)
	byName := make(map[string]eda.Circuit)
	for _, c := range circuits {
		if c.Top == "ply11_player" {
			byName[c.Name] = c
		}
	}
	seen := make(map[string]bool)
	for _, legal := range []bool{false, true} {
		codecs := Codecs()
		if legal {
			codecs = Refereed(codecs)
		}
		for _, codec := range codecs {
			c, ok := byName[codec.circuit()]
			if !ok {
				if !legal {
					t.Errorf("%s has no netlist", codec.Name)
				}
				continue
			}
			seen[c.Name] = true
			v, err := codec.setup.verilog()
			edatest.Must(t, err)
			for _, p := range c.Params {
				if !slices.Contains(v.Params, p) {
					t.Errorf("%s: the netlist has %s, the player %v", c.Name, p, v.Params)
				}
			}
			// What the table leaves out has no effect there, or is the default.
			named := strings.Join(c.Params, " ")
			for _, p := range v.Params {
				name, value, _ := strings.Cut(p, "=")
				other := name == "LAYOUT" && codec.setup.modes != 2 || name == "DIALECT" && codec.setup.modes != 4
				standard := value == "0" || p == "WIDTH=8"
				if !strings.Contains(named, name+"=") && !other && !standard &&
					!(name == "DEPTH" && codec.setup.modes == 2) {
					t.Errorf("%s: the player has %s, the netlist %s", c.Name, p, named)
				}
			}
			d, err := codec.design(t.Context())
			edatest.Must(t, err)
			if _, err := newPlayerPorts(d.net, codec.setup.width); err != nil {
				t.Error(err)
			}
		}
	}
	for name, c := range byName {
		if !seen[name] && c.Top == "ply11_player" {
			t.Errorf("no codec has the netlist %s", name)
		}
	}
}

// Codecs are found by their names and those of their documents.
func TestFindCodecs(t *testing.T) {
	for name, want := range map[string]int{"words": 1, "brenner": len(brenner.Layouts), "brenner-alt": 1, "jose": 2,
		"chessbase": 2, "all": len(Codecs()), "": 0, "huffman": 0} {
		if got := len(FindCodecs(name)); got != want {
			t.Errorf("%q: %d codecs, want %d", name, got, want)
		}
	}
	for loss, want := range map[string]string{
		"variation at ply 31": "variation",
		"NAG $22 at ply 7":    "NAG",
		"tag Annotator":       "tags",
		"fifth black bishop at ply 9 and what follows it": "fifth black bishop and what follows it",
		"ply 9 and what follows it":                       "moves and what follows it",
	} {
		if got := kindOf(loss); got != want {
			t.Errorf("%q is counted as %q, want %q", loss, got, want)
		}
	}
	many := make(map[string]int)
	for i := range 1000 {
		count(many, fmt.Sprint(i))
	}
	if len(many) > 31 || many["others"] != 970 {
		t.Errorf("%d names", len(many))
	}
}

// Several lanes at once, one of them with a simulator (the race detector looks at tests of this name).
func TestCrossParallel(t *testing.T) {
	t.Parallel()
	hs := newHarnesses(t, FindCodecs("words"), ToolIcarus)
	codecs := slices.Concat(FindCodecs("words"), FindCodecs("brenner-main"), FindCodecs("jose-program"))
	c, err := NewCross(t.Context(), hs, CrossPlan{Codecs: codecs, Tools: []string{ToolGo, ToolIcarus}})
	edatest.Must(t, err)
	eachGame(t, edgePGN, 0, func(_ int, g *game.Game) { c.Add(g) })
	results := closeCross(t, c)
	if len(results) != len(codecs)+1 {
		t.Errorf("%d results", len(results))
	}
	for _, r := range results {
		if strings.HasPrefix(r.Codec, "brenner") &&
			(r.Refused["more pieces of a kind than there are numbers for"] != 1 ||
				r.Lost["variation"] != 5) {
			t.Errorf("%s: %v, %v", r.Codec, r.Refused, r.Lost)
		}
	}
}

// A canceled check ends, and says so.
func TestCrossCanceled(t *testing.T) {
	hs := newHarnesses(t, FindCodecs("words"), ToolIcarus)
	ctx, cancel := context.WithCancel(t.Context())
	c, err := NewCross(ctx, hs, CrossPlan{Codecs: FindCodecs("words"), Tools: []string{ToolIcarus}})
	edatest.Must(t, err)
	eachGame(t, edgePGN, 4, func(n int, g *game.Game) {
		if n == 3 {
			cancel()
		}
		c.Add(g)
	})
	if _, err := c.Close(); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// A game as jose's bytes, through the netlist; the same with NewHarnesses in simulators.
func ExampleCross() {
	cross, err := NewCross(context.Background(), new(Harnesses),
		CrossPlan{Codecs: FindCodecs("jose"), Tools: []string{ToolGo}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for g := range pgn.NewReader(strings.NewReader("1. e4 e5 2. Qh5 (2. Nf3 Nc6) 2... Ke7 3. Qxe5# 1-0")).All() {
		cross.Add(g)
	}
	results, err := cross.Close()
	for _, r := range results {
		fmt.Println(r.Codec, r.Games, "game,", r.Plies, "plies, difference:", r.Difference)
	}
	fmt.Println(err)
	// Output:
	// jose-document 1 game, 7 plies, difference: <nil>
	// jose-program 1 game, 5 plies, difference: <nil>
	// <nil>
}
