// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"bytes"
	"fmt"
	"testing"

	"ply11/bitstream/brenner"
	"ply11/sim"
	"ply11/sim/oracle"
)

// A packet is bytes for ply11_player_axis, in a mode.
type packet struct {
	mode uint8
	data []byte
}

// socPackets are whole feeds, damaged ones, and what begins and ends anywhere.
func socPackets(t *testing.T, width int) []packet {
	games := readGames(t, 4)[:3]
	words, bytes := wordsFeed(t, games), brennerFeed(t, brenner.Main, games)
	packets := []packet{{oracle.ModeWords, words.data}, {oracle.ModeWords, words.data[:17]}, {oracle.ModeWords, nil}, {oracle.ModeWords, words.data[5:90]},
		{oracle.ModeWords, damaged(words, 9, 60).data}}
	if width == 8 {
		packets = append(packets, packet{oracle.ModeBrenner, bytes.data}, packet{oracle.ModeBrenner, bytes.data[:21]}, packet{oracle.ModeBrenner, nil},
			packet{oracle.ModeWords, words.data[:80]}, packet{oracle.ModeBrenner, damaged(bytes, 10, 30).data})
	}
	return packets
}

// axisStimulus sends packets and takes what comes at random.
type axisStimulus struct {
	axis    *sim.PlayerAXIS
	packets []packet
	random  sim.Random

	at, byteAt, resets, idle int
	offered                  bool
	beats, errors, games     int
	texts                    int
}

func (s *axisStimulus) Drive() bool {
	in := &s.axis.In
	if s.at == len(s.packets) && s.idle > 150 {
		return false
	}
	s.resets++
	// Now and then a reset, which the packet after it survives.
	in.Aresetn = s.resets > 2 && s.random.Next()%3000 != 0
	if !in.Aresetn {
		s.offered = false
	}
	in.MTReady, in.TextTReady = s.random.Next()%4 != 0, s.random.Next()%4 != 0
	in.LoadValid, in.LoadAddr, in.LoadData = false, 0, 0
	if !s.offered && s.at < len(s.packets) && s.random.Next()%4 != 0 && in.Aresetn {
		s.offered = true
		p := s.packets[s.at]
		n := s.axis.Params().Width / 8
		in.STData, in.STKeep, in.Mode = s.random.Next(), 0, p.mode
		if n < 8 {
			in.STData &= 1<<(8*n) - 1
		}
		if s.random.Next()%8 != 0 || s.byteAt == len(p.data) {
			for i := range n {
				if s.byteAt < len(p.data) {
					in.STData = in.STData&^(255<<(8*i)) | uint64(p.data[s.byteAt])<<(8*i)
					in.STKeep |= 1 << i
					s.byteAt++
				}
			}
		}
		in.STLast = s.byteAt == len(p.data)
		if in.STLast {
			s.at++
			s.byteAt = 0
		}
	}
	in.STValid = s.offered
	return true
}

func (s *axisStimulus) Sample() error {
	in, o := &s.axis.In, &s.axis.Out
	s.idle++
	if in.STValid && o.STReady {
		s.offered = false
		s.idle = 0
	}
	if o.TextTValid && in.TextTReady {
		s.texts++
	}
	if o.MTValid && in.MTReady && in.Aresetn {
		s.idle = 0
		s.beats++
		switch kind := uint8(o.MTData[0] & 3); kind {
		case oracle.BeatError:
			s.errors++
		case oracle.BeatEnd:
			s.games++
			if !o.MTLast {
				return fmt.Errorf("an END without tlast")
			}
		}
	}
	return nil
}

// busStimulus makes random accesses while the player of a peripheral is fed.
type busStimulus struct {
	axisStimulus
	peripheral       *sim.Peripheral
	writing, reading bool
	counts           int
}

func (s *busStimulus) Drive() bool {
	if !s.axisStimulus.Drive() {
		return false
	}
	in := &s.peripheral.Regs.In
	in.Aresetn = s.resets > 2
	r := &s.random
	if !s.writing && r.Next()%8 == 0 {
		s.writing = true
		// Rarely RESET and CLEAR, often what counts.
		in.AWAddr = [...]uint8{sim.RegSnapshot, sim.RegSnapshot, sim.RegEnable, sim.RegInterrupt, sim.RegControl, sim.RegStart, sim.RegPerft, uint8(r.Next() & 127)}[r.Next()%8]
		in.WData, in.WStrb = uint32(r.Next()), uint8(r.Next()&15)
		if in.AWAddr&^3 == sim.RegControl {
			in.WData &^= 0x200
			if r.Next()%4 != 0 {
				in.WData &^= 1
			}
		}
		if in.AWAddr&^3 == sim.RegStart || in.AWAddr >= sim.RegStart0 && in.AWAddr < sim.RegPerft {
			// Half a start position would hold the input for ever.
			in.AWAddr, in.WData = sim.RegSnapshot, 7
		}
		if in.AWAddr == sim.RegPerft && r.Next()%8 != 0 {
			in.WStrb, in.WData = 15, in.WData&0x101|[2]uint32{0x10, 0x20}[r.Next()%2] // GO, or NEXT
		}
	}
	in.AWValid, in.WValid = s.writing, s.writing
	if !s.reading && r.Next()%4 == 0 {
		s.reading = true
		in.ARAddr = uint8(r.Next() & 127)
		if r.Next()%4 == 0 {
			in.ARAddr = sim.RegPerft | uint8(r.Next()&15)
		}
	}
	in.ARValid = s.reading
	in.BReady, in.RReady = r.Next()%3 != 0, r.Next()%3 != 0
	return true
}

func (s *busStimulus) Sample() error {
	r := s.peripheral.Regs
	if r.In.CountValid && r.Out.CountReady {
		s.counts++
	}
	if r.Out.AWReady {
		s.writing = false
	}
	if r.In.ARValid && r.Out.ARReady {
		s.reading = false
	}
	return s.axisStimulus.Sample()
}

// skidTrial passes numbers on.
func skidTrial(n int) (*sim.Skid, sim.Stimulus) {
	m, _ := sim.NewSkid(12)
	r := sim.Random(12)
	var want uint64
	sent := uint64(0)
	s := &sim.Stream{Valid: &m.In.SValid, Ready: &m.Out.SReady, When: sim.Noise(13, 70), Next: func() bool {
		m.In.SData = sent & 4095
		sent++
		return true
	}}
	return m, &clocked{n: n, drive: func() {
		m.In.MReady = r.Next()%3 != 0
		s.Drive()
	}, sample: func() error {
		s.Sample()
		if m.Out.MValid && m.In.MReady {
			if m.Out.MData != want&4095 {
				return fmt.Errorf("%d, want %d", m.Out.MData, want)
			}
			want++
		}
		return nil
	}}
}

// A serialLine sends bytes to an rx, with pauses, breaks and glitches.
type serialLine struct {
	rx     *bool
	cts    *bool // true: wait, but now and then do not; may be nil
	random sim.Random
	clocks int // of a bit
	data   []int
	level  []bool // of the clocks to come
}

// lineBreak stands for a break among the bytes of a serialLine.
const lineBreak = -1

func (l *serialLine) drive() bool {
	if len(l.level) == 0 {
		if len(l.data) == 0 {
			return false
		}
		l.level = append(l.level, true)
		hold := func(level bool, n int) {
			for range n {
				l.level = append(l.level, level)
			}
		}
		switch r := l.random.Next(); {
		case l.cts != nil && *l.cts && r%64 != 0:
			hold(true, 3)
		case r%32 == 1:
			hold(false, 1)
			hold(true, 2*l.clocks)
		case l.data[0] == lineBreak:
			hold(false, 12*l.clocks)
			hold(true, 4*l.clocks)
			l.data = l.data[1:]
		default:
			b := uint(l.data[0]) | 0x100
			hold(false, l.clocks)
			for i := range 9 {
				hold(b>>i&1 != 0, l.clocks)
			}
			l.data = l.data[1:]
		}
	}
	*l.rx, l.level = l.level[0], l.level[1:]
	return true
}

// lineStimulus drives a line to the end, then some clocks more.
type lineStimulus struct {
	serialLine
	each func()
	rest int
	seen [8]int // how often each LED went on
}

func (s *lineStimulus) Drive() bool {
	if !s.drive() {
		*s.rx = true
		s.rest--
	}
	s.each()
	return s.rest > 0
}

func (s *lineStimulus) Sample() error { return nil }

// uartTrial receives and sends at once.
func uartTrial(t *testing.T) (*sim.UART, sim.Stimulus) {
	u, err := sim.NewUART(5)
	if err != nil {
		t.Fatal(err)
	}
	r := sim.Random(21)
	s := &lineStimulus{serialLine: serialLine{rx: &u.In.RX, random: 22, clocks: 5}, rest: 200}
	for range 150 {
		b := int(r.Next() & 255)
		if b < 8 {
			b = lineBreak
		}
		s.data = append(s.data, b)
	}
	s.each = func() {
		u.In.Rst = r.Next()%900 == 0
		u.In.SValid, u.In.SData = r.Next()%8 == 0, uint8(r.Next())
	}
	return u, s
}

// topTrial plays games in every mode over the serial line.
func topTrial(t *testing.T) (*sim.TopHX8K, *lineStimulus) {
	top, err := sim.NewTopHX8K(sim.TopHX8KParams{Clocks: 4, Limit: 20})
	if err != nil {
		t.Fatal(err)
	}
	games := readGames(t, 4)[:2]
	s := &lineStimulus{serialLine: serialLine{rx: &top.In.RX, cts: &top.Out.CTSN, random: 23, clocks: 4}, rest: 8000}
	led := uint8(0)
	s.each = func() {
		for i := range s.seen {
			s.seen[i] += int(top.Out.LED &^ led >> i & 1)
		}
		led = top.Out.LED
	}
	s.data = append(s.data, 'x', 0)
	for _, f := range []struct {
		mode int
		data []byte
	}{
		{'w', wordsFeed(t, games).data}, {'b', brennerFeed(t, brenner.Main, games).data}, {'j', []byte{0x12, 0, 0xff, 0x80}},
		{'w', damaged(wordsFeed(t, games), 9, 40).data},
	} {
		s.data = append(s.data, f.mode)
		for _, b := range f.data {
			s.data = append(s.data, int(b))
		}
		s.data = append(s.data, lineBreak)
	}
	return top, s
}

// What the board's top answers to orders over its serial line are package position's counts; a break ends a walk; words can be
// played then. Icarus does in each clock what the model does.
func TestTopPerft(t *testing.T) {
	t.Parallel()
	top, err := sim.NewTopHX8K(sim.TopHX8KParams{Modes: 1, Perft: 1, Clocks: 4, Limit: 20})
	if err != nil {
		t.Fatal(err)
	}
	computer, err := sim.NewUART(4)
	if err != nil {
		t.Fatal(err)
	}
	const fen = "8/8/6pp/6pk/6Pp/8/8/K7 b - g3 0 1"
	p := fromFEN(t, fen)
	var want, got []byte
	s := &lineStimulus{serialLine: serialLine{rx: &top.In.RX, cts: &top.Out.CTSN, random: 29, clocks: 4}, rest: 3000}
	s.data = append(s.data, 0xff, 'b', 'p') // after the board's own reset
	add := func(order, answer []byte) {
		for _, b := range order {
			s.data = append(s.data, int(b))
		}
		want = append(want, answer...)
	}
	add(perftBytes(nil, 1, 20))
	add(perftBytes(p, 1, p.Perft(1), p.Perft(2)))
	add(perftBytes(nil, 1))
	s.each = func() {
		computer.In.RX = top.Out.TX
		computer.Step()
		if computer.Out.MValid {
			got = append(got, computer.Out.MData)
		}
	}
	b := newBench(t)
	if end := b.play(t, ToolIcarus, trial{top, s}); end.Difference != nil {
		t.Fatal(end.Difference)
	}
	if !bytes.Equal(got, want) {
		t.Fatalf("% x, want % x", got, want)
	}
	// A walk that a break ends gives no more; then a result in words.
	top.Reset()
	got, s.rest = nil, 1000
	s.data = append(s.data, 0xff, 'p', 5, lineBreak, 'w', 0xb0, 0xff, 0xff)
	if end := b.play(t, ToolIcarus, trial{top, s}); end.Difference != nil {
		t.Fatal(end.Difference)
	}
	if n := len(got); n < 4 || got[n-4] != 0x80 || top.Out.LED&1 == 0 {
		t.Errorf("% x, lamps %08b", got, top.Out.LED)
	}
}

// The models of the modules for a SoC and the Verilog, clock by clock.
func testSoC(t *testing.T, tool string) {
	b := newBench(t)
	skid, skidStimulus := skidTrial(3000)
	a8, err := sim.NewPlayerAXIS(sim.PlayerParams{Modes: 3})
	if err != nil {
		t.Fatal(err)
	}
	a32, err := sim.NewPlayerAXIS(sim.PlayerParams{Modes: 1, Width: 32, Depth: 3})
	if err != nil {
		t.Fatal(err)
	}
	p, err := sim.NewPeripheral(sim.PeripheralParams{PlayerParams: sim.PlayerParams{Modes: 3}, Perft: 2})
	if err != nil {
		t.Fatal(err)
	}
	uart, uartStimulus := uartTrial(t)
	top, topStimulus := topTrial(t)
	s8 := &axisStimulus{axis: a8, packets: socPackets(t, 8), random: 1}
	s32 := &axisStimulus{axis: a32, packets: socPackets(t, 32), random: 2}
	sp := &busStimulus{axisStimulus: axisStimulus{axis: p.Player, packets: socPackets(t, 8), random: 3}, peripheral: p}
	for _, one := range []trial{{skid, skidStimulus}, {a8, s8}, {a32, s32}, {p, sp}, {uart, uartStimulus}, {top, topStimulus}} {
		end := b.play(t, tool, one)
		if end.Difference != nil {
			t.Error(end.Difference)
		}
		t.Logf("%s: %d clocks", one.module.Verilog().Module, end.Clocks)
	}
	for _, s := range []*axisStimulus{s8, s32, &sp.axisStimulus} {
		if s.beats < 100 || s.errors < 3 || s.games < 3 {
			t.Errorf("%d beats, %d errors, %d games", s.beats, s.errors, s.games)
		}
	}
	if sp.counts < 5 {
		t.Errorf("%d counts of perft were read", sp.counts)
	}
	// Modes, games, errors, bytes lost; plies by twos.
	if seen := topStimulus.seen; seen[0] != 4 || seen[1] < 6 || seen[2] < 1 || seen[3] < 1 || seen[4] < 40 {
		t.Errorf("the board's LEDs went on %v times", seen)
	}
}

func TestSoC(t *testing.T) { testSoC(t, ToolIcarus) }

// What goes in as one packet comes out as the games' beats, each game a packet, with the texts beside.
func TestPlayerAXIS(t *testing.T) {
	a, err := sim.NewPlayerAXIS(sim.PlayerParams{Modes: 3})
	if err != nil {
		t.Fatal(err)
	}
	f := brennerFeed(t, brenner.Main, readGames(t, 6)[:5])
	s := &axisStimulus{axis: a, packets: []packet{{oracle.ModeBrenner, f.data}, {oracle.ModeBrenner, f.data[:len(f.data)-1]}}, random: 5}
	at, last := 0, uint8(0)
	for s.Drive() {
		a.In.Aresetn = true
		a.Eval()
		if err := s.Sample(); err != nil {
			t.Fatal(err)
		}
		if o := &a.Out; o.MTValid && a.In.MTReady {
			if at < len(f.beats) {
				e := f.beats[at]
				if uint8(o.MTData[0]&3) != e.Kind || uint8(o.MTData[0]>>12&3) != e.Result || e.Kind == oracle.BeatPly && o.State != *e.State {
					t.Fatalf("beat %d: %x, want %+v", at, o.MTData, e)
				}
			}
			last = uint8(o.MTData[0] >> 8 & 15)
			at++
		}
		a.Step()
	}
	if at != 2*len(f.beats) || last != uint8(oracle.FaultCut) {
		t.Errorf("%d beats, the last with error %d; want %d and %d", at, last, 2*len(f.beats), uint8(oracle.FaultCut))
	}
}
