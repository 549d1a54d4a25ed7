// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"ply11/bitstream"
	"ply11/bitstream/codec"
	"ply11/bitstream/jose"
	"ply11/game"
	"ply11/internal/datadir"
	"ply11/internal/testenv"
	"ply11/position"
	"ply11/sim"
	"ply11/sim/oracle"
)

// joseGame is one game as bytes, and its start position.
type joseGame struct {
	start position.Position
	data  []byte
}

// joseGames encodes games.
func joseGames(tb testing.TB, d jose.Dialect, games []*game.Game) (all []joseGame) {
	tb.Helper()
	for _, g := range games {
		rec, err := d.Encode(g, jose.Table)
		if err != nil && !errors.Is(err, codec.ErrLoss) || len(rec.GameText) < 2 {
			continue // what has no number
		}
		all = append(all, joseGame{g.Start, rec.GameText})
	}
	if len(all) == 0 {
		tb.Fatal("no games")
	}
	return all
}

// joseData reads the games that jose's program encoded.
func joseData(tb testing.TB, limit int) (all []joseGame) {
	tb.Helper()
	files, err := filepath.Glob(filepath.Join(datadir.Path(tb, "jose"), "*.tsv"))
	if err != nil || len(files) == 0 {
		tb.Fatal("no files", err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			tb.Fatal(err)
		}
		r := jose.NewReader(bytes.NewReader(data), jose.Program, jose.Table)
		for n := 0; n < limit; n++ {
			rec, err := r.NextRecord()
			if err == io.EOF {
				break
			}
			if err != nil {
				tb.Fatal(name, err)
			}
			g := joseGame{position.Start(), append([]byte(nil), rec.GameText...)}
			if rec.FEN != "" {
				if g.start, err = position.ParseFENLenient(rec.FEN); err != nil {
					tb.Fatal(name, err)
				}
			}
			all = append(all, g)
		}
	}
	return all
}

// joseFeed puts games together, each with its start position if it is not the usual one.
func joseFeed(d jose.Dialect, depth int, games []joseGame) feed {
	o := oracle.New(oracle.Params{Depth: depth})
	return newFeed("jose "+d.String(), oracle.ModeJose, o, joseStream(o, d, games, 0))
}

// damagedJose changes, cuts and doubles bytes of games. Every game still ends.
func damagedJose(d jose.Dialect, games []joseGame, seed, every uint64) []joseGame {
	r := sim.Random(seed)
	var out []joseGame
	for _, g := range games {
		var data []byte
		for _, b := range g.data {
			switch r.Next() % every {
			case 0:
				b = byte(r.Next())
			case 1:
				continue
			case 2:
				data = append(data, b)
			case 3:
				b = [...]byte{0xf0, 0xf1, 0xa0, 0xa8, 0xb0, 0xd1, 0xe0, 0xe1, 0x98, 0x99, 0x9a, 0x9c}[r.Next()%12]
			}
			data = append(data, b)
		}
		data = append(data, 0, 0, 0xff)
		_, size := oracle.JoseTokens(d, data)
		out = append(out, joseGame{g.start, data[:size]})
	}
	return out
}

// randomJose is games of random bytes, most of them moves.
func randomJose(d jose.Dialect, n int, seed uint64) []joseGame {
	r := sim.Random(seed)
	var out []joseGame
	for range n {
		var data []byte
		p := position.Start()
		for range r.Next() % 200 {
			b := byte(r.Next() % 0xb0)
			switch x := r.Next() % 20; {
			case x == 0:
				b = byte(r.Next())
			case x == 1:
				b = 0x9a
			case x == 2:
				b = 0xf0
			case x == 3:
				b = 0xf1
			default:
				// A move that the board takes, where one is found.
				dec := jose.Decoder{}
				for range 200 {
					c := byte(r.Next() % 0x9a)
					if _, _, err := dec.DecodeIndices(d, &p, nil, append(append([]byte(nil), data...), c)); errors.Is(err, codec.ErrTruncated) {
						b = c
						break
					}
				}
			}
			data = append(data, b)
		}
		data = append(data, 0xd1, 0, 0, 0xff)
		_, size := oracle.JoseTokens(d, data)
		out = append(out, joseGame{p, data[:size]})
	}
	return out
}

func playFeeds(t *testing.T, p *sim.Player, gap, ready sim.Pattern, feeds ...feed) {
	t.Helper()
	s := &playerStimulus{player: p, feeds: feeds, gap: gap, ready: ready}
	for s.Drive() {
		p.Eval()
		if err := s.Sample(); err != nil {
			t.Fatal(err)
		}
		p.Step()
	}
}

// The model of the player plays jose's games, also those with start positions and variations, as the software
// codec reads them, and finds errors at the same byte.
func TestPlayerJose(t *testing.T) {
	t.Parallel()
	games := readGames(t, testenv.Pick(300, 40))
	for _, d := range jose.Dialects {
		for _, depth := range testenv.First([]int{1, 16, 0, 3}, 2) {
			p, err := sim.NewPlayer(sim.PlayerParams{Modes: 4, Dialect: int(d), Depth: depth})
			if err != nil {
				t.Fatal(err)
			}
			sound := joseGames(t, d, games)
			playFeeds(t, p, sim.Always, sim.Always, joseFeed(d, depth, sound))
			playFeeds(t, p, sim.Noise(1, 70), sim.Noise(2, 70), joseFeed(d, depth, sound[:min(len(sound), 100)]))
			for seed := range uint64(2) {
				playFeeds(t, p, sim.Always, sim.Noise(seed, 80), joseFeed(d, depth, damagedJose(d, sound, seed, 150)))
				playFeeds(t, p, sim.Always, sim.Always, joseFeed(d, depth, randomJose(d, 15, seed)))
			}
		}
	}
}

// The games that the program wrote.
func TestPlayerJoseData(t *testing.T) {
	games := joseData(t, 1000)
	p, err := sim.NewPlayer(sim.PlayerParams{Modes: 7, Dialect: sim.DialectProgram, Depth: 12})
	if err != nil {
		t.Fatal(err)
	}
	f := joseFeed(jose.Program, 12, games)
	depths := [32]int{}
	for _, b := range f.beats {
		if b.Kind == oracle.BeatError {
			t.Fatalf("error at %d", b.Offset)
		}
		depths[b.Depth]++
	}
	t.Logf("%d games, %d from set-up positions, plies by depth %v", len(games), len(f.loads), depths)
	if len(games) != 734 || len(f.loads) == 0 || depths[3] == 0 {
		t.Error("too few games, start positions or variations")
	}
	playFeeds(t, p, sim.Always, sim.Always, f)
}

// Words with variations that are played.
func TestPlayerWordsVariations(t *testing.T) {
	const depth = 8
	var buf bytes.Buffer
	o := oracle.New(oracle.Params{Depth: depth})
	w := bitstream.NewWriter(&buf, codec.Lossy(nil))
	for _, g := range readGames(t, 300) {
		if err := w.Write(g); err != nil {
			t.Fatal(err)
		}
		o.Game(g)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, b := range o.Beats() {
		if b.Depth > 0 {
			n++
		}
	}
	f := newFeed("words with variations", oracle.ModeWords, o, buf.Bytes())
	if _, ok := datadir.Dir(); ok && n == 0 {
		t.Error("no variations")
	}
	for _, width := range []int{8, 32} {
		p, err := sim.NewPlayer(sim.PlayerParams{Modes: 1, Width: width, Depth: depth})
		if err != nil {
			t.Fatal(err)
		}
		playFeeds(t, p, sim.Always, sim.Always, f)
		playFeeds(t, p, sim.Noise(1, 60), sim.Noise(2, 60), f)
	}
}

// joseTrial sends bytes through ply11_jose.
func joseTrial(dialect, depth int, data []byte) (*sim.Jose, sim.Stimulus) {
	j, _ := sim.NewJose(dialect, depth)
	wait := 0
	s := &pipeStimulus{valid: &j.Out.MValid, ready: &j.In.MReady, when: sim.Noise(5, 80), give: func() error {
		return nil
	}}
	s.in = &sim.Stream{Valid: &j.In.SValid, Ready: &j.Out.SReady, When: sim.Noise(6, 85), Next: func() bool {
		if len(data) == 0 {
			return false
		}
		j.In.SData, data = data[0], data[1:]
		return true
	}}
	return j, &answered{s, func() {
		// The board's part of a variation takes sometimes less and sometimes more than the men's.
		j.In.Done = false
		if j.Out.Open || j.Out.Close {
			if wait++; wait%47 == 46 {
				j.In.Done, wait = true, 0
			}
		}
	}}
}

// answered is a Stimulus with something to do in each clock.
type answered struct {
	sim.Stimulus
	drive func()
}

func (a *answered) Drive() bool {
	ok := a.Stimulus.Drive()
	a.drive()
	return ok
}

// noiseStack opens and closes, with whatever plies between.
func noiseStack(n int) (*sim.Stack, sim.Stimulus) {
	s, _ := sim.NewStack(3)
	r := sim.Random(79)
	done := false
	return s, &clocked{n: n, drive: func() {
		in := &s.In
		x := r.Next()
		busy := (in.Open || in.Close) && !done
		done = s.Out.Done
		in.Rst = !busy && r.Next()%1000 == 0
		in.PlyValid, in.EndValid, in.Step = false, false, true
		if busy {
			return
		}
		in.Open, in.Close = false, false
		if in.Rst {
			return // a bracket that begins now would end what is not open
		}
		in.Idle = x&1 != 0
		switch {
		case x>>1&7 == 0:
			in.Open = s.Out.Depth < 3
		case x>>1&7 == 1:
			in.Close = s.Out.Depth > 0
		case x>>1&7 < 5:
			in.PlyValid = true
		case x>>1&63 == 63:
			in.EndValid = true
		}
		if in.Open || in.Close {
			in.Idle = true
			return
		}
		in.Man, in.Captured = uint8(x>>8&15), uint8(x>>12&15)
		in.From, in.To = uint8(x>>16&63), uint8(x>>22&63)
		if x>>28&3 == 0 {
			in.Man, in.Captured = in.Man&8|6, in.Captured&8|6
			in.From = 32 + in.From&7
			if in.Man&8 != 0 {
				in.From -= 8
			}
			in.State.EP = in.To&7 + 1
		} else if x>>28&3 == 1 {
			in.Man = in.Man&8 | 1
			in.From, in.To = 4|in.From&56, 2|in.To&4|in.From&56
		}
		y := r.Next()
		in.State.Men[x>>30&3] = y & r.Next()
		in.State.Side, in.State.Rights = uint8(x>>32&1), uint8(x>>33&15)
		if x>>37&1 != 0 {
			in.State.EP = uint8(x >> 38 & 15)
		}
		in.State.Ply = uint16(x >> 42)
	}, sample: func() error { return nil }}
}
