// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"bytes"
	"context"
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
	"ply11/sim/eda"
)

// Instances of the rig that the tests share.
const (
	rigBoard = iota
	rigUnpack8
	rigUnpack32
	rigUnpack64
	rigPack8
	rigPack32
	rigPack64
	rigDecode
	rigEncode
	rigDecodePipe
	rigDecodeFree
	rigEncodePipe
	rigEncodeFree
	rigROM
	rigMen
	rigWords
	rigBrenner0 // main, alt, alt-swapped, alt-fixed
	rigBrenner1
	rigBrenner2
	rigBrenner3
	rigPlayer8
	rigPlayer32
	rigJose0 // document, depth 2
	rigJose1 // program, depth 0
	rigStack
	rigPlayerAll   // all modes, program, depth 3
	rigPlayerWords // words of 32 bits, depth 2
)

// brennerGames are the bits of a game's number of the four layouts of Brenner's: all men are cleared after 511
// games, or after each, three, seven.
var brennerGames = [4]int{MenGames, 1, 2, 3}

func newSharedRig(w *eda.Work) (*Rig, error) {
	board, _ := NewBoard(8)
	modules := []Module{board}
	for _, width := range []int{8, 32, 64} {
		u, _ := NewUnpack(width)
		modules = append(modules, u)
	}
	for _, width := range []int{8, 32, 64} {
		p, _ := NewPack(width)
		modules = append(modules, p)
	}
	modules = append(modules, &Decode{}, &Encode{}, &DecodePipe{}, &DecodePipe{Free: true}, &EncodePipe{}, &EncodePipe{Free: true}, &ROM{})
	men, _ := NewMen(2)
	modules = append(modules, men, NewWords())
	for layout := range 4 {
		b, _ := NewBrennerGames(layout, brennerGames[layout])
		modules = append(modules, b)
	}
	for _, m := range [][3]int{{3, 8, 0}, {1, 32, 0}} {
		p, err := NewPlayer(PlayerParams{Modes: m[0], Width: m[1], Layout: m[2]})
		if err != nil {
			return nil, err
		}
		modules = append(modules, p)
	}
	jose0, _ := NewJose(DialectDocument, 2)
	jose1, _ := NewJose(DialectProgram, 0)
	stack, _ := NewStack(3)
	modules = append(modules, jose0, jose1, stack)
	for _, params := range []PlayerParams{playerAll, playerWords} {
		p, err := NewPlayer(params)
		if err != nil {
			return nil, err
		}
		modules = append(modules, p)
	}
	return NewRig(w, modules...)
}

var (
	playerAll   = PlayerParams{Modes: 7, Dialect: DialectProgram, Depth: 3}
	playerWords = PlayerParams{Modes: 1, Width: 32, Depth: 2}
)

// gamesTrial plays games with position as the referee.
func gamesTrial(games []line, seed uint64, gap, ready Pattern) Trial {
	b, _ := NewBoard(8)
	l := &playlist{lines: games, noise: random(seed), spice: true}
	ref := &referee{pos: position.Start()}
	s := &BoardStimulus{Board: b, Gap: gap, Ready: ready}
	s.Next, s.Beat = ref.watch(l.next, l)
	return Trial{rigBoard, b, s}
}

func smallTrials(n int) []Trial {
	var trials []Trial
	for i, width := range []int{8, 32, 64} {
		u, s := unpackTrial(width, n*11/width)
		trials = append(trials, Trial{rigUnpack8 + i, u, s})
		p, ps := packTrial(width, n/2)
		trials = append(trials, Trial{rigPack8 + i, p, ps})
	}
	for i, free := range []bool{false, true} {
		d, s := decodeTrial(free, n/2)
		trials = append(trials, Trial{rigDecodePipe + i, d, s})
		e, es := encodeTrial(free, n/2)
		trials = append(trials, Trial{rigEncodePipe + i, e, es})
	}
	d := &Decode{}
	trials = append(trials, Trial{rigDecode, d, &loop{2048, func(n int) { d.In.Index = uint16(n) }}})
	e, r := &Encode{}, random(5)
	trials = append(trials, Trial{rigEncode, e, &loop{n, func(int) {
		x := r.next()
		e.In = MoveIn{uint8(x & 63), uint8(x >> 6 & 63), uint8(x>>12&7) & -uint8(x>>15&1)}
	}}})
	rom := &ROM{}
	trials = append(trials, Trial{rigROM, rom, &loop{4096, func(n int) {
		rom.In.En, rom.In.Index = n%7 != 3, uint16(n*5)%2048
	}}})
	return trials
}

// codecTrials are the men, the codecs and the players: noise, games, and games with damaged bytes.
func codecTrials(t *testing.T, games []*game.Game, n int) []Trial {
	var trials []Trial
	men, ms := noiseMen(n)
	words, ws := noiseWords(n)
	trials = append(trials, Trial{rigMen, men, ms}, Trial{rigWords, words, ws})
	for layout := range 4 {
		f := brennerFeed(t, brenner.Layout(layout), games)
		data := append(f.data, damaged(f, 31, 300).data...)
		r := random(layout)
		for range n / 4 {
			data = append(data, byte(r.next()))
		}
		b, s := brennerTrial(layout, data[max(0, len(data)-n):])
		trials = append(trials, Trial{rigBrenner0 + layout, b, s})
	}
	words8, main := wordsFeed(t, games), brennerFeed(t, brenner.Main, games)
	p8, _ := NewPlayer(PlayerParams{Modes: 3, Width: 8})
	trials = append(trials, Trial{rigPlayer8, p8, &playerStimulus{
		player: p8,
		feeds:  []feed{words8, main, damaged(words8, 5, 400), damaged(main, 6, 200)},
		gap:    Noise(41, 85), ready: Noise(42, 85),
	}})
	p32, _ := NewPlayer(PlayerParams{Modes: 1, Width: 32})
	trials = append(trials, Trial{rigPlayer32, p32, &playerStimulus{
		player: p32,
		feeds:  []feed{words8, damaged(words8, 7, 500)},
		gap:    Noise(43, 85), ready: Noise(44, 85),
	}})
	pw, _ := NewPlayer(playerWords)
	trials = append(trials, Trial{rigPlayerWords, pw, &playerStimulus{
		player: pw,
		feeds:  []feed{{name: "words", data: words8.data}, damaged(words8, 8, 300)},
		gap:    Noise(45, 85), ready: Noise(46, 85),
	}})
	for i, dialect := range jose.Dialects {
		sound := joseGames(t, dialect, games)
		var data []byte
		for _, g := range slices.Concat(sound, damagedJose(dialect, sound, 3, 100), randomJose(dialect, n/400, 4)) {
			data = append(data, g.data...)
		}
		depth := []int{2, 0}[i]
		j, s := joseTrial(int(dialect), depth, data)
		trials = append(trials, Trial{rigJose0 + i, j, s})
	}
	stack, ss := noiseStack(n)
	trials = append(trials, Trial{rigStack, stack, ss})
	sound := joseGames(t, jose.Program, games)
	if _, ok := datadir.Dir(); ok {
		sound = append(sound, joseData(t, n/4000+1)...)
	}
	all, _ := NewPlayer(playerAll)
	return append(trials, Trial{rigPlayerAll, all, &playerStimulus{
		player: all,
		feeds: []feed{
			joseFeed(t, jose.Program, playerAll.Depth, sound),
			joseFeed(t, jose.Program, playerAll.Depth, damagedJose(jose.Program, sound, 9, 120)),
			joseFeed(t, jose.Program, playerAll.Depth, randomJose(jose.Program, n/800, 5)),
			{name: "words", data: words8.data}, main,
		},
		gap: Noise(47, 90), ready: Noise(48, 85),
	}})
}

// All models and the Verilog, in both simulators, clock by clock: every pair of periodic patterns of idle
// and back-pressure, noise, games, words that are refused, loads, resets.
func TestVerilog(t *testing.T) {
	testenv.Tools(t, "iverilog", "vvp", "verilator", "g++", "make")
	w, err := eda.NewWork()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	rig, err := newSharedRig(w)
	if err != nil {
		t.Fatal(err)
	}
	few, many := famousLines(t), famousLines(t)
	if _, ok := datadir.Dir(); ok {
		few = append(few, fileLines(t, 10, "pgn", "edge", "openrating_underpromotions.pgn")...)
		few = append(few, fileLines(t, 5, "pgn", "annotated", "studies.pgn")...)
		many = append(many, fileLines(t, 300, "pgn", "master", "master-50k.pgn.zst")...)
		many = append(many, fileLines(t, 20, "pgn", "edge", "openrating_underpromotions.pgn")...)
	}
	for _, tool := range []string{eda.ToolIcarus, eda.ToolVerilator} {
		games, small, noise := few, 2000, 4000
		codec := readGames(t, 4)
		codec = codec[:min(6, len(codec))]
		if tool == eda.ToolVerilator {
			games, small, noise = many, 8000, 40000
			codec = readGames(t, 12)
		}
		t.Run(tool, func(t *testing.T) {
			ctx := context.Background()
			sim, err := rig.Build(ctx, tool)
			if err != nil {
				t.Fatal(failure(err))
			}
			defer sim.Close()
			board, noiseStimulus := noiseBoard(6, noise)
			gap, ready := sweep(21)
			for name, trials := range map[string][]Trial{
				"modules and noise": append(smallTrials(small), Trial{rigBoard, board, noiseStimulus}),
				"codecs":            codecTrials(t, codec, noise),
				"games":             {gamesTrial(games, 1, Noise(8, 90), Noise(9, 90))},
				"games at a sweep":  {gamesTrial(famousLines(t)[:8], 2, gap, ready)},
			} {
				run, err := rig.Record(trials...)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				differences, err := run.Compare(ctx, tool, sim)
				if err != nil {
					t.Fatalf("%s: %v", name, failure(err))
				}
				for _, d := range differences {
					t.Errorf("%s: %v", name, d)
				}
				t.Logf("%s: %v clocks", name, run.Clocks)
				if err := run.Close(); err != nil {
					t.Error(err)
				}
			}
			checkSeededError(t, rig, sim, tool)
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
type wrongBoard struct{ *Board }

func (w wrongBoard) Step() {
	w.Board.Step()
	w.Out.State.Rights &^= 2 * (w.Out.State.EP & 1)
}

// checkSeededError shows that a difference is found, told and drawn.
func checkSeededError(t *testing.T, rig *Rig, sim *eda.Simulation, tool string) {
	t.Helper()
	trial := gamesTrial(famousLines(t)[:1], 3, nil, nil)
	trial.Stimulus.(*BoardStimulus).Beat = nil
	trial.Module = wrongBoard{trial.Module.(*Board)}
	run, err := rig.Record(trial)
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	differences, err := run.Compare(context.Background(), tool, sim)
	if err != nil {
		t.Fatal(failure(err))
	}
	if len(differences) != 1 {
		t.Fatalf("%d differences", len(differences))
	}
	d := differences[0]
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
