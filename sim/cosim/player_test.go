// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"ply11/bitstream"
	"ply11/bitstream/brenner"
	"ply11/bitstream/codec"
	"ply11/game"
	"ply11/game/pgn"
	"ply11/internal/datadir"
	"ply11/internal/samples"
	"ply11/moveindex"
	"ply11/sim"
	"ply11/sim/oracle"
	"ply11/testdata"
)

// A feed is a stream of bytes and what comes of it; without beats nothing is expected.
type feed struct {
	name      string
	mode      uint8
	numbering uint8 // ChessBase's
	data      []byte
	beats     []oracle.Beat
	loads     map[int]*oracle.State // start positions, by the byte before which they are loaded
}

// newFeed is a stream of which the oracle has been told.
func newFeed(name string, mode uint8, o *oracle.Oracle, data []byte) feed {
	if err := o.Err(); err != nil {
		panic(err) // a test's stream is one of which the oracle knows all
	}
	f := feed{name: name, mode: mode, data: data, beats: o.Beats(), loads: map[int]*oracle.State{}}
	for _, l := range o.Loads() {
		f.loads[int(l.Bytes)] = &l.State
	}
	return f
}

// readGames reads the famous games and others with variations, texts and start positions.
func readGames(tb testing.TB, limit int) []*game.Game {
	tb.Helper()
	var all []*game.Game
	add := func(r *pgn.Reader, limit int) {
		for g, err := range r.All() {
			if limit--; limit < 0 {
				return
			}
			if err == nil {
				all = append(all, g)
			}
		}
	}
	add(pgn.NewReader(strings.NewReader(testdata.Famous)), limit)
	for _, name := range [][]string{{"annotated", "lichess-1k.pgn.zst"}, {"edge", "openrating_underpromotions.pgn"}, {"annotated", "studies.pgn"}} {
		src, _ := datadir.Open(tb, samples.Like(name[1]), "pgn", name[0], name[1])
		add(pgn.NewReader(src), limit/2)
	}
	return all
}

// mainLines is an oracle of players that play main lines alone.
func mainLines() *oracle.Oracle { return oracle.New(oracle.Params{Mate: true}) }

func wordsFeed(tb testing.TB, games []*game.Game) feed {
	tb.Helper()
	var b bytes.Buffer
	o := mainLines()
	w := bitstream.NewWriter(&b, codec.Lossy(nil))
	for _, g := range games {
		if err := w.Write(g); err != nil {
			tb.Fatal(err)
		}
		o.Game(g)
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return newFeed("words", oracle.ModeWords, o, b.Bytes())
}

func brennerFeed(tb testing.TB, l brenner.Layout, games []*game.Game) feed {
	tb.Helper()
	o := mainLines()
	var b bytes.Buffer
	w := brenner.NewWriter(&b, l)
	for _, g := range games {
		if _, err := l.Encode(g); err != nil {
			continue // what the layout cannot hold
		}
		if err := w.Write(g); err != nil {
			tb.Fatal(err)
		}
		o.Game(g)
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	if o.Games() == 0 {
		tb.Fatal("no games")
	}
	return newFeed(l.String(), oracle.ModeBrenner, o, b.Bytes())
}

// damaged changes, cuts and doubles bytes of a feed.
func damaged(f feed, seed uint64, every uint64) feed {
	r := sim.Random(seed)
	d := feed{name: f.name + " damaged", mode: f.mode, numbering: f.numbering}
	for _, b := range f.data {
		switch r.Next() % every {
		case 0:
			b = byte(r.Next())
		case 1:
			continue
		case 2:
			d.data = append(d.data, b)
		}
		d.data = append(d.data, b)
	}
	return d
}

// playerStimulus feeds a player with one stream after another, with a reset between them.
type playerStimulus struct {
	player     *sim.Player
	feeds      []feed
	gap, ready sim.Pattern

	at, byteAt, seen int
	reset, idle      int
	offered          bool
	load             *oracle.State // being loaded
	loadAt           int
}

func (s *playerStimulus) Drive() bool {
	in := &s.player.In
	if s.at == len(s.feeds) {
		return false
	}
	f := &s.feeds[s.at]
	in.Mode, in.Numbering = f.mode, f.numbering
	in.MReady = s.ready()
	in.Rst = s.reset < 2
	s.reset++
	gap := s.gap()
	if l := f.loads[s.byteAt]; l != nil && s.load != l && s.loadAt == 0 && !s.offered {
		// The end of the game before has to be taken.
		if gap = false; s.idle > 40 && !in.Rst {
			s.load, s.loadAt = l, 1
		}
	}
	in.LoadValid = s.loadAt != 0
	if in.LoadValid {
		gap = false
		in.LoadAddr = uint8(8 - s.loadAt)
		if s.loadAt == 9 {
			in.LoadAddr = 8
		}
		in.LoadData = s.load.LoadData(int(in.LoadAddr))
	}
	if !in.Rst && !s.offered && gap && s.byteAt < len(f.data) {
		s.offered = true
	}
	in.SValid = s.offered
	in.SData = 0
	if s.offered {
		for i := range s.player.Params().Width / 8 {
			b := byte(255)
			if s.byteAt+i < len(f.data) {
				b = f.data[s.byteAt+i]
			}
			in.SData |= uint64(b) << (8 * i)
		}
	}
	return true
}

func (s *playerStimulus) Sample() error {
	in, o, f := &s.player.In, &s.player.Out, &s.feeds[s.at]
	s.idle++
	if in.LoadValid && o.LoadReady && !in.Rst {
		if s.loadAt++; s.loadAt == 10 {
			s.loadAt = 0
		}
	}
	if in.SValid && o.SReady {
		s.byteAt += s.player.Params().Width / 8
		s.offered = false
		s.idle = 0
	}
	if o.MValid && in.MReady && !in.Rst {
		s.idle = 0
		if f.beats != nil {
			if s.seen == len(f.beats) {
				return fmt.Errorf("%s: more than %d beats", f.name, s.seen)
			}
			want, shown := f.beats[s.seen], shownBy(o)
			if s.player.Params().Mate == 0 {
				want.Flags = nil
			}
			if !want.Is(&shown) {
				return fmt.Errorf("%s: beat %d: %+v\n%v\nwant %+v\n%v", f.name, s.seen, shown, shown.State, want, want.State)
			}
		}
		s.seen++
	}
	if s.byteAt >= len(f.data) && s.idle > 200 {
		if f.beats != nil && s.seen != len(f.beats) {
			return fmt.Errorf("%s: %d beats, want %d", f.name, s.seen, len(f.beats))
		}
		s.at++
		s.byteAt, s.seen, s.idle, s.reset, s.load = 0, 0, 0, 0, nil
	}
	return nil
}

// The model of the player plays what the codecs wrote, in every layout, and shows what position says.
func TestPlayer(t *testing.T) {
	games := readGames(t, 200)
	for layout := range 4 {
		for _, fast := range []bool{true, false} {
			p, err := sim.NewPlayer(sim.PlayerParams{Modes: 3, Layout: layout})
			if err != nil {
				t.Fatal(err)
			}
			s := &playerStimulus{
				player: p,
				feeds:  []feed{wordsFeed(t, games), brennerFeed(t, brenner.Layout(layout), games)},
				gap:    sim.Always, ready: sim.Always,
			}
			if !fast {
				s.gap, s.ready = sim.Noise(1, 70), sim.Noise(2, 70)
			}
			for s.Drive() {
				p.Eval()
				if err := s.Sample(); err != nil {
					t.Fatalf("layout %d: %v", layout, err)
				}
				p.Step()
			}
		}
	}
}

func TestPlayerDoesNotAllocate(t *testing.T) {
	p, err := sim.NewPlayer(sim.PlayerParams{Modes: 3, Width: 8})
	if err != nil {
		t.Fatal(err)
	}
	data := wordsFeed(t, readGames(t, 10)).data
	p.In.MReady, p.In.SValid = true, true
	n := 0
	if got := testing.AllocsPerRun(1000, func() {
		p.In.SData = uint64(data[n%len(data)])
		p.Step()
		n++
	}); got != 0 {
		t.Errorf("%v allocations a clock", got)
	}
}

// noiseMen is everything at random but what ply11_men asks for: men are loaded in no game, and while it is not
// busy.
func noiseMen(n int) (*sim.Men, sim.Stimulus) {
	m, _ := sim.NewMen(2)
	r := sim.Random(77)
	bit := func(n uint64) bool { return r.Next()%n == 0 }
	load := 0
	return m, &loop{n: n, drive: func(int) {
		x := r.Next()
		m.In = sim.MenIn{
			Rst: bit(5000), En: bit(8) == false, Restart: bit(20),
			ReadSide: uint8(x & 1), ReadSlot: uint8(x >> 1 & 31),
			MoveValid: bit(2), MoveCastle: bit(16), MoveSlot: uint8(x >> 7 & 31), MoveTo: uint8(x >> 12 & 63),
			MoveAnew: bit(16), PassValid: bit(8), PassSquare: uint8(x >> 23 & 63), PassFile: uint8(x >> 29 & 7),
			LoadClear: bit(600), LoadSquare: uint8(x >> 38 & 63), LoadMan: uint8(x >> 44 & 15),
		}
		if x>>20&7 != 0 {
			// Squares that come again.
			m.In.MoveTo &= 0o07
		}
		if bit(2) {
			m.Eval()
			m.In.PassSquare = m.Out.Square
		}
		if m.Out.Busy {
			m.In.MoveValid = false
		}
		if m.In.LoadClear {
			load = 60
		}
		if load > 0 {
			m.In.En, m.In.MoveValid = false, false
			if !m.Out.Busy {
				load--
				m.In.LoadValid = bit(3)
			}
		}
	}}
}

// noiseWords is words of all sorts, moves and codes alike.
func noiseWords(n int) (*sim.Words, sim.Stimulus) {
	w := sim.NewWords()
	r := sim.Random(78)
	record := 0
	s := sim.Stream{Valid: &w.In.SValid, Ready: &w.Out.SReady, When: sim.Noise(3, 80), Next: func() bool {
		switch x := r.Next() % 16; {
		case record > 0:
			record--
			w.In.SData = uint16(r.Next() % 2048)
		case x < 8:
			w.In.SData = uint16(r.Next() % 1968)
		case x < 15:
			w.In.SData = uint16(1968 + r.Next()%10)
		default:
			w.In.SData = uint16(1968 + r.Next()%80)
		}
		if w.In.SData == 2008 && record == 0 {
			record = 20
		}
		return true
	}}
	return w, &clocked{n: n, drive: func() {
		w.In.Rst = r.Next()%2000 == 0
		w.In.MReady, w.In.LoadReady = r.Next()%4 != 0, r.Next()%2 == 0
		s.Drive()
	}, sample: func() error { s.Sample(); return nil }}
}

// clocked is a Stimulus of n clocks.
type clocked struct {
	n      int
	drive  func()
	sample func() error
}

func (c *clocked) Drive() bool {
	if c.n--; c.n < 0 {
		return false
	}
	c.drive()
	return true
}

func (c *clocked) Sample() error { return c.sample() }

// brennerTrial sends bytes through ply11_brenner.
func brennerTrial(layout int, data []byte) (*sim.Brenner, sim.Stimulus) {
	b, _ := sim.NewBrennerGames(layout, brennerGames[layout])
	s := &pipeStimulus{valid: &b.Out.MValid, ready: &b.In.MReady, when: sim.Noise(5, 80), give: func() error { return nil }}
	s.in = &sim.Stream{Valid: &b.In.SValid, Ready: &b.Out.SReady, When: sim.Noise(6, 80), Next: func() bool {
		if len(data) == 0 {
			return false
		}
		b.In.SData, data = data[0], data[1:]
		return true
	}}
	return b, s
}

// BenchmarkPlayer feeds the player's model with a byte a clock.
func BenchmarkPlayer(b *testing.B) {
	games := readGames(b, 30)[:20]
	for _, f := range []feed{wordsFeed(b, games), brennerFeed(b, brenner.Main, games)} {
		b.Run(f.name, func(b *testing.B) {
			p, err := sim.NewPlayer(sim.PlayerParams{Modes: 3, Width: 8})
			if err != nil {
				b.Fatal(err)
			}
			p.In = sim.PlayerIn{Rst: true, Mode: f.mode, MReady: true}
			p.Step()
			p.In.Rst = false
			at := 0
			for b.Loop() {
				p.In.SValid, p.In.SData = true, uint64(f.data[at])
				if p.Out.SReady {
					if at++; at == len(f.data) {
						at = 0
					}
				}
				p.Step()
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mclocks/s")
		})
	}
}

// shownBy is the beat at the outputs of a player.
func shownBy(o *sim.PlayerOut) oracle.Shown {
	return oracle.Shown{
		Kind: o.MKind, Result: o.MResult, Depth: o.MDepth, Fault: oracle.Fault(o.MError), Reason: oracle.Reason(o.MReason),
		Index: moveindex.Index(o.MIndex), Offset: o.MOffset, State: &o.State,
		Flags: oracle.Flags{Check: o.MCheck, Mate: o.MMate, Stalemate: o.MStalemate},
	}
}
