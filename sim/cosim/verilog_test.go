// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"ply11/bitstream/brenner"
	"ply11/bitstream/jose"
	"ply11/game"
	"ply11/internal/datadir"
	"ply11/internal/testenv"
	"ply11/position"
	"ply11/sim"
	"ply11/sim/eda"
)

// brennerGames are the bits of a game's number of the four layouts of Brenner's: all men are cleared after 511
// games, or after each, three, seven.
var brennerGames = [4]int{sim.MenGames, 1, 2, 3}

var (
	playerAll   = sim.PlayerParams{Modes: 7, Dialect: sim.DialectProgram, Depth: 3}
	playerWords = sim.PlayerParams{Modes: 1, Width: 32, Depth: 2}
)

// A trial is a model and what it is fed with.
type trial struct {
	module   sim.Module
	stimulus sim.Stimulus
}

// gamesTrial plays games with position as the referee.
func gamesTrial(games []line, seed uint64, gap, ready sim.Pattern) trial {
	b, _ := sim.NewBoard(8)
	l := &playlist{lines: games, noise: sim.Random(seed), spice: true}
	ref := &referee{pos: position.Start()}
	s := &sim.BoardStimulus{Board: b, Gap: gap, Ready: ready}
	s.Next, s.Beat = ref.watch(l.next, l)
	return trial{b, s}
}

func smallTrials(n int) []trial {
	var trials []trial
	for _, width := range []int{8, 32, 64} {
		u, s := unpackTrial(width, n*11/width)
		trials = append(trials, trial{u, s})
		p, ps := packTrial(width, n/2)
		trials = append(trials, trial{p, ps})
	}
	for _, free := range []bool{false, true} {
		d, s := decodeTrial(free, n/2)
		trials = append(trials, trial{d, s})
		e, es := encodeTrial(free, n/2)
		trials = append(trials, trial{e, es})
	}
	d := &sim.Decode{}
	trials = append(trials, trial{d, &loop{2048, func(n int) { d.In.Index = uint16(n) }}})
	e, r := &sim.Encode{}, sim.Random(5)
	trials = append(trials, trial{e, &loop{n, func(int) {
		x := r.Next()
		e.In = sim.MoveIn{From: uint8(x & 63), To: uint8(x >> 6 & 63), Promotion: uint8(x>>12&7) & -uint8(x>>15&1)}
	}}})
	rom := &sim.ROM{}
	trials = append(trials, trial{rom, &loop{4096, func(n int) {
		rom.In.En, rom.In.Index = n%7 != 3, uint16(n*5)%2048
	}}})
	return trials
}

// codecTrials are the men, the codecs and the players: noise, games, and games with damaged bytes.
func codecTrials(t *testing.T, games []*game.Game, n int) []trial {
	var trials []trial
	men, ms := noiseMen(n)
	words, ws := noiseWords(n)
	trials = append(trials, trial{men, ms}, trial{words, ws})
	for layout := range 4 {
		f := brennerFeed(t, brenner.Layout(layout), games)
		data := append(f.data, damaged(f, 31, 300).data...)
		r := sim.Random(layout)
		for range n / 4 {
			data = append(data, byte(r.Next()))
		}
		b, s := brennerTrial(layout, data[max(0, len(data)-n):])
		trials = append(trials, trial{b, s})
	}
	words8, main := wordsFeed(t, games), brennerFeed(t, brenner.Main, games)
	p8, _ := sim.NewPlayer(sim.PlayerParams{Modes: 3, Width: 8})
	trials = append(trials, trial{p8, &playerStimulus{
		player: p8,
		feeds:  []feed{words8, main, damaged(words8, 5, 400), damaged(main, 6, 200)},
		gap:    sim.Noise(41, 85), ready: sim.Noise(42, 85),
	}})
	p32, _ := sim.NewPlayer(sim.PlayerParams{Modes: 1, Width: 32})
	trials = append(trials, trial{p32, &playerStimulus{
		player: p32,
		feeds:  []feed{words8, damaged(words8, 7, 500)},
		gap:    sim.Noise(43, 85), ready: sim.Noise(44, 85),
	}})
	pw, _ := sim.NewPlayer(playerWords)
	trials = append(trials, trial{pw, &playerStimulus{
		player: pw,
		feeds:  []feed{{name: "words", data: words8.data}, damaged(words8, 8, 300)},
		gap:    sim.Noise(45, 85), ready: sim.Noise(46, 85),
	}})
	for i, dialect := range jose.Dialects {
		sound := joseGames(t, dialect, games)
		var data []byte
		for _, g := range slices.Concat(sound, damagedJose(dialect, sound, 3, 100), randomJose(dialect, n/400, 4)) {
			data = append(data, g.data...)
		}
		depth := []int{2, 0}[i]
		j, s := joseTrial(int(dialect), depth, data)
		trials = append(trials, trial{j, s})
	}
	stack, ss := noiseStack(n)
	trials = append(trials, trial{stack, ss})
	sound := joseGames(t, jose.Program, games)
	if _, ok := datadir.Dir(); ok {
		sound = append(sound, joseData(t, n/4000+1)...)
	}
	all, _ := sim.NewPlayer(playerAll)
	return append(trials, trial{all, &playerStimulus{
		player: all,
		feeds: []feed{
			joseFeed(jose.Program, playerAll.Depth, sound),
			joseFeed(jose.Program, playerAll.Depth, damagedJose(jose.Program, sound, 9, 120)),
			joseFeed(jose.Program, playerAll.Depth, randomJose(jose.Program, n/800, 5)),
			{name: "words", data: words8.data}, main,
		},
		gap: sim.Noise(47, 90), ready: sim.Noise(48, 85),
	}})
}

// A bench builds the harness of each module once, in each simulator.
type bench struct {
	work  *eda.Work
	built map[string]*Harness
}

func newBench(t *testing.T) *bench {
	t.Helper()
	testenv.Tools(t, "iverilog", "vvp", "verilator", "g++", "make")
	w, err := eda.NewWork()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return &bench{work: w, built: make(map[string]*Harness)}
}

// play runs a trial over a link to a simulator, and returns what came of it.
func (b *bench) play(t *testing.T, tool string, one trial) End {
	t.Helper()
	v := one.module.Verilog()
	key := fmt.Sprint(tool, v.Module, v.Params)
	if b.built[key] == nil {
		h, err := NewHarness(t.Context(), b.work, one.module, tool)
		if err != nil {
			t.Fatal(failure(err))
		}
		b.built[key] = h
	}
	link, err := NewLink(t.Context(), one.module, b.built[key])
	if err != nil {
		t.Fatal(failure(err))
	}
	playErr := link.Play(one.stimulus)
	ends, err := link.Close()
	if playErr != nil {
		t.Fatalf("%s: %v", v.Module, playErr)
	}
	if err != nil {
		t.Fatal(failure(err))
	}
	if d := ends[0].Difference; d == nil && ends[0].Clocks != link.Now() {
		t.Errorf("%s: %d of %d clocks are compared", v.Module, ends[0].Clocks, link.Now())
	}
	return ends[0]
}

// All models and the Verilog, in both simulators, clock by clock: every pair of periodic patterns of idle
// and back-pressure, noise, games, words that are refused, loads, resets.
func TestVerilog(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	few, many := famousLines(t), famousLines(t)
	few = append(few, fileLines(t, 10, "pgn", "edge", "openrating_underpromotions.pgn")...)
	few = append(few, fileLines(t, 5, "pgn", "annotated", "studies.pgn")...)
	many = append(many, fileLines(t, 300, "pgn", "master", "master-50k.pgn.zst")...)
	many = append(many, fileLines(t, 20, "pgn", "edge", "openrating_underpromotions.pgn")...)
	for _, tool := range []string{ToolIcarus, ToolVerilator} {
		if !testenv.Long && tool == ToolVerilator {
			continue // a minute to build: genrom prove runs the modules' benches in it, and TestCross games
		}
		games, small, noise := few, 2000, 4000
		codec := readGames(t, 4)
		codec = codec[:min(6, len(codec))]
		if tool == ToolVerilator {
			games, small, noise = many, 8000, 40000
			codec = readGames(t, 12)
		}
		t.Run(tool, func(t *testing.T) {
			board, noiseStimulus := noiseBoard(6, noise)
			gap, ready := sweep(21)
			for name, trials := range map[string][]trial{
				"modules and noise": append(smallTrials(small), trial{board, noiseStimulus}),
				"codecs":            codecTrials(t, codec, noise),
				"games":             {gamesTrial(games, 1, sim.Noise(8, 90), sim.Noise(9, 90))},
				"games at a sweep":  {gamesTrial(famousLines(t)[:8], 2, gap, ready)},
			} {
				var clocks []int
				for _, one := range trials {
					end := b.play(t, tool, one)
					if end.Difference != nil {
						t.Errorf("%s: %v", name, end.Difference)
					}
					clocks = append(clocks, end.Clocks)
				}
				t.Logf("%s: %v clocks", name, clocks)
			}
			checkSeededError(t, b, tool)
		})
	}
}

// failure adds what a program printed to its error.
func failure(err error) string {
	if r, ok := err.(*eda.RunError); ok {
		return fmt.Sprintf("%v\n%s", err, r.Output)
	}
	return err.Error()
}

// wrongBoard is a model with an error: White loses a right after a double step on the e-file.
type wrongBoard struct{ *sim.Board }

func (w wrongBoard) Step() {
	w.Board.Step()
	w.Out.State.Rights &^= 2 * (w.Out.State.EP & 1)
}

// checkSeededError shows that a difference is found, told and drawn.
func checkSeededError(t *testing.T, b *bench, tool string) {
	t.Helper()
	one := gamesTrial(famousLines(t)[:1], 3, nil, nil)
	one.stimulus.(*sim.BoardStimulus).Beat = nil
	one.module = wrongBoard{one.module.(*sim.Board)}
	d := b.play(t, tool, one).Difference
	if d == nil {
		t.Fatal("no difference")
	}
	text := d.Error()
	if d.Signal != "rights" || d.Tool != tool || !strings.Contains(text, "expected d, found f") || strings.Count(text, "a b c d e f g h") != 2 {
		t.Errorf("difference is told as\n%s", text)
	}
	var vcd bytes.Buffer
	if err := d.WriteVCD(&vcd); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"$scope module expected $end", "$scope module found $end", "rights [3:0]", fmt.Sprintf("#%d\n", 10*d.Clock)} {
		if !strings.Contains(vcd.String(), part) {
			t.Errorf("no %q in the VCD", part)
		}
	}
}
