// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/bits"

	"ply11/sim"
	"ply11/sim/oracle"
)

// loadRows is the order in which ply11_player's load port takes a position.
var loadRows = [9]uint8{7, 6, 5, 4, 3, 2, 1, 0, 8}

const (
	// how long a player may give nothing while something is due
	quietClocks = 4096
	// how long after the last beat no other may come
	tailClocks = 64
	// how many bytes of a stream are left when the next game is asked for
	lowWater = 16
)

// A pattern says in which clocks a side of a handshake moves.
type pattern func() bool

// noise is a pattern that moves in percent of the clocks.
func noise(seed uint64, percent int) pattern {
	r := sim.Random(seed)
	return func() bool { return r.Next()%100 < uint64(percent) }
}

// A stream is one of a machine's streams of games: what it is still to be given, and what must come of it.
type stream struct {
	enc    encoder
	bytes  []byte // from at on still to be taken
	at     int
	wants  []oracle.Beat // from wantAt on still to come
	wantAt int
	texts  []oracle.TextByte // from textAt on still to come
	textAt int
	// textsOf appends the texts in bytes to dst.
	textsOf func(dst []oracle.TextByte, data []byte) []oracle.TextByte
	// gap and ready say in which clocks the input is offered and a beat taken; nil is always.
	gap, ready pattern

	loads   []oracle.Load
	row     int // of a load, the rows that have gone
	pushed  [2]int64
	moved   [2]int64 // bytes and beats
	ended   bool     // there are no more games
	numbers []int    // of its games, for a search
	last    int      // the clock in which something moved last
	tail    int      // clocks since the last beat that must come
	erred   bool     // there was an ERROR in this game
	held    oracle.State
}

func (s *stream) push(data []byte, wants []oracle.Beat) {
	if s.at > len(s.bytes)/2 {
		s.bytes = s.bytes[:copy(s.bytes, s.bytes[s.at:])]
		s.at = 0
	}
	if s.wantAt > len(s.wants)/2 {
		s.wants = s.wants[:copy(s.wants, s.wants[s.wantAt:])]
		s.wantAt = 0
	}
	if s.textAt > len(s.texts)/2 {
		s.texts = s.texts[:copy(s.texts, s.texts[s.textAt:])]
		s.textAt = 0
	}
	s.texts = s.textsOf(s.texts, data)
	s.pushed[0] += int64(len(data))
	s.pushed[1] += int64(len(wants))
	s.bytes = append(s.bytes, data...)
	s.wants = append(s.wants, wants...)
}

func (s *stream) load(start oracle.State) {
	s.loads = append(s.loads, oracle.Load{Bytes: s.pushed[0], Beats: s.pushed[1], State: start})
}

// done reports whether all has been given and has come, and the tail is over.
func (s *stream) done() bool { return s.ended && s.tail > tailClocks }

type playerPorts struct {
	rst, mode, numbering, sValid, sData, mReady, loadValid, loadAddr, loadData sim.Signal
	sReady, mValid, loadReady, textValid                                       sim.Signal

	// beat, rest and text are the fields of a beat, of the position but the board, and of a byte of a text, the first
	// in the low bits; see unpackBeat.
	beat, rest, text sim.Signal
	board            [4]sim.Signal
}

// newPlayerPorts looks the ports up. An error names one that the netlist does not have, or with another width.
func newPlayerPorts(n *sim.Netlist, width int) (p playerPorts, err error) {
	ports := sim.Ports{Netlist: n}
	in, out := ports.In, ports.Out
	p = playerPorts{rst: in("rst", 1), mode: in("mode", 2), numbering: in("numbering", 1), sValid: in("s_valid", 1),
		sData: in("s_data", width), mReady: in("m_ready", 1), loadValid: in("load_valid", 1),
		loadAddr: in("load_addr", 4),
		loadData: in("load_data", 32), sReady: out("s_ready", 1), mValid: out("m_valid", 1),
		loadReady: out("load_ready", 1), textValid: out("text_valid", 1),
		beat: sim.Concat(out("m_kind", 2), out("m_index", 11), out("m_result", 2), out("m_error", 4), out("m_depth", 5),
			out("m_offset", 32)),
		rest: sim.Concat(out("side", 1), out("rights", 4), out("ep", 4), out("ply", 16), out("m_from", 6),
			out("m_to", 6),
			out("m_promotion", 3), out("m_reason", 4), out("m_check", 1), out("m_mate", 1), out("m_stalemate", 1),
			out("m_piece", 4), out("m_captured", 4)),
		text: sim.Concat(out("text_data", 8), out("text_kind", 3), out("text_last", 1))}
	board := out("board", 256)
	if ports.Err != nil {
		return p, ports.Err
	}
	for k := range p.board {
		p.board[k] = board.Slice(64*k, 64*k+64)
	}
	return p, nil
}

type beat struct {
	kind, result, fault, depth, from, to, promotion uint8
	reason, check, mate, stalemate, piece, taken    uint8
	index                                           uint16
	offset                                          uint32
	state                                           oracle.State
}

func unpackBeat(low, rest uint64, board [4]uint64) beat {
	take := func(v *uint64, n int) uint64 {
		x := *v & (1<<n - 1)
		*v >>= n
		return x
	}
	return beat{
		kind: uint8(take(&low, 2)), index: uint16(take(&low, 11)), result: uint8(take(&low, 2)),
		fault: uint8(take(&low, 4)),
		depth: uint8(take(&low, 5)), offset: uint32(take(&low, 32)),
		state: oracle.State{
			Pieces: board, Side: uint8(take(&rest, 1)), Rights: uint8(take(&rest, 4)), EP: uint8(take(&rest, 4)),
			Ply: uint16(take(&rest, 16)),
		},
		from: uint8(take(&rest, 6)), to: uint8(take(&rest, 6)), promotion: uint8(take(&rest, 3)),
		reason: uint8(take(&rest, 4)), check: uint8(take(&rest, 1)), mate: uint8(take(&rest, 1)),
		stalemate: uint8(take(&rest, 1)),
		piece:     uint8(take(&rest, 4)), taken: uint8(take(&rest, 4)),
	}
}

// wrong returns what is wrong with a beat: the right values, in hexadecimal digits, by the names of ports. nil is
// nothing.
func (s *stream) wrong(b *beat) map[string]string {
	if s.wantAt == len(s.wants) {
		return map[string]string{"m_valid": "0"}
	}
	w := &s.wants[s.wantAt]
	var bad map[string]string
	// digits is the width of the port.
	expect := func(name string, digits int, got, want uint64) {
		if got != want {
			if bad == nil {
				bad = make(map[string]string)
			}
			bad[name] = fmt.Sprintf("%0*x", digits, want)
		}
	}
	expect("m_kind", 1, uint64(b.kind), uint64(w.Kind))
	if w.Kind == oracle.BeatPly {
		expect("m_depth", 2, uint64(b.depth), uint64(w.Depth))
		expect("m_index", 3, uint64(b.index), uint64(w.Index))
		expect("m_piece", 1, uint64(b.piece), uint64(w.Piece))
		expect("m_captured", 1, uint64(b.taken), uint64(w.Taken))
		if m, ok := w.Index.Move(); ok {
			expect("m_from", 2, uint64(b.from), uint64(m.From()))
			expect("m_to", 2, uint64(b.to), uint64(m.To()))
			expect("m_promotion", 1, uint64(b.promotion), uint64(m>>12))
		}
	}
	expect("m_result", 1, uint64(b.result), uint64(w.Result))
	if codes := max(w.Codes, 1); codes>>b.fault&1 == 0 {
		expect("m_error", 1, uint64(b.fault), uint64(bits.TrailingZeros16(codes)))
	}
	expect("m_reason", 1, uint64(b.reason), uint64(w.Reason))
	if f := w.Flags; f != nil {
		one := map[bool]uint64{true: 1}
		expect("m_check", 1, uint64(b.check), one[f.Check])
		expect("m_mate", 1, uint64(b.mate), one[f.Mate])
		expect("m_stalemate", 1, uint64(b.stalemate), one[f.Stalemate])
	}
	if w.Offset >= 0 {
		expect("m_offset", 8, uint64(b.offset), uint64(uint32(w.Offset)))
	}
	// After an ERROR the position stays, to the END and with it; after 9 it is the usual one.
	state := w.State
	if s.erred {
		state = &s.held
	} else if b.kind == oracle.BeatError && oracle.Fault(b.fault).OfStart() {
		initial := oracle.Initial()
		state = &initial
	}
	if state != nil && b.state != *state {
		expect("side", 1, uint64(b.state.Side), uint64(state.Side))
		expect("rights", 1, uint64(b.state.Rights), uint64(state.Rights))
		expect("ep", 1, uint64(b.state.EP), uint64(state.EP))
		expect("ply", 4, uint64(b.state.Ply), uint64(state.Ply))
		for k := range state.Pieces {
			expect("board", 0, b.state.Pieces[k], state.Pieces[k])
		}
		if bad["board"] != "" {
			bad["board"] = state.Digits()
		}
	}
	return bad
}

func (s *stream) wrongText(fields uint64) map[string]string {
	if s.textAt == len(s.texts) {
		return map[string]string{"text_valid": "0"}
	}
	w := &s.texts[s.textAt]
	s.textAt++
	want := uint64(w.Data) | uint64(w.Kind)<<8
	if w.Last {
		want |= 1 << 11
	}
	if fields == want {
		return nil
	}
	return map[string]string{"text_data": fmt.Sprintf("%02x", w.Data), "text_kind": fmt.Sprint(w.Kind),
		"text_last": fmt.Sprint(want >> 11)}
}

// A machinePlayer plays streams of games on a netlist, and compares each beat with what must come.
type machinePlayer struct {
	m         *sim.Machine
	design    *design
	ports     playerPorts
	size      int // bytes that the input takes at once
	mode      uint8
	numbering uint8
	settle    int // settle or settleLegal
	streams   []stream
	// refill gives a stream its next game, or says that it has ended.
	refill func(s *stream)
	// Bit k of word w is stream 64w+k. offered: an input is offered; ready: a beat is taken; busy: drive has to look at
	// the stream; ended: sample has to.
	offered, ready, busy, ended [sim.Wide / 64]uint64
	active                      int // streams that are not done
	look                        int // the first clock in which a stream can have been quiet too long
	// link, if not nil, has simulators that run the same clocks.
	link *link
	// search, if not nil, takes the beats.
	search  *searcher
	history history

	clocks, plies, games int64
	errors               [16]int // by their codes
	mismatch             *Difference

	sData, loadAddr, loadData [sim.Wide / 64][64]uint64
}

func (p *machinePlayer) reset() {
	p.m.SetAll(p.ports.mode, uint64(p.mode))
	p.m.SetAll(p.ports.numbering, uint64(p.numbering))
	p.m.SetAll(p.ports.rst, 1)
	for range p.settle {
		p.m.Eval()
		if p.link != nil {
			p.link.clock(p.m, false)
		}
		p.history.clock(p.m)
		p.m.Step()
	}
	p.m.SetAll(p.ports.rst, 0)
	p.active = len(p.streams)
	for i := range p.streams {
		p.busy[i/64] |= 1 << (i % 64)
		p.streams[i].last = p.m.Clock() - 1
	}
}

func (p *machinePlayer) run(ctx context.Context) {
	p.reset()
	for p.mismatch == nil && ctx.Err() == nil && p.active > 0 {
		p.drive()
		p.clocks += int64(p.active)
		p.m.Eval()
		p.history.clock(p.m)
		p.sample()
		if p.search != nil {
			p.search.clock(p)
		}
		if p.link != nil {
			p.link.clock(p.m, true)
		}
		p.m.Step()
	}
}

func each(set uint64, f func(k int)) {
	for ; set != 0; set &= set - 1 {
		f(bits.TrailingZeros64(set))
	}
}

func (p *machinePlayer) drive() {
	for w := 0; 64*w < len(p.streams); w++ {
		var loads, offers uint64
		each(p.busy[w], func(k int) {
			s, bit := &p.streams[64*w+k], uint64(1)<<k
			for !s.ended && len(s.bytes)-s.at <= lowWater {
				p.refill(s)
				p.mark(64*w + k)
			}
			if s.ended {
				p.ended[w] |= bit
			}
			wait := len(s.loads) > 0 && s.moved[0] >= s.loads[0].Bytes
			if wait && s.moved[1] == s.loads[0].Beats {
				loads |= bit
				p.loadAddr[w][k] = uint64(loadRows[s.row])
				p.loadData[w][k] = uint64(s.loads[0].State.LoadData(int(loadRows[s.row])))
			}
			if p.offered[w]&bit == 0 && !wait && len(s.bytes)-s.at >= p.size && (s.gap == nil || s.gap()) {
				offers |= bit
				x := uint64(0)
				for i, b := range s.bytes[s.at : s.at+p.size] {
					x |= uint64(b) << (8 * i)
				}
				p.sData[w][k] = x
			}
			p.ready[w] |= bit
			if s.ready != nil && !s.ready() {
				p.ready[w] &^= bit
			}
			// A stream that plays at full speed is of interest again when its input was taken.
			if s.gap == nil && s.ready == nil && len(s.loads) == 0 && (p.offered[w]|offers)&bit != 0 {
				p.busy[w] &^= bit
			}
		})
		if offers != 0 {
			p.offered[w] |= offers
			p.m.Scatter(p.ports.sData, w, &p.sData[w])
		}
		p.m.SetBits(p.ports.sValid, 0, w, p.offered[w])
		p.m.SetBits(p.ports.mReady, 0, w, p.ready[w])
		p.m.SetBits(p.ports.loadValid, 0, w, loads)
		if loads != 0 {
			p.m.Scatter(p.ports.loadAddr, w, &p.loadAddr[w])
			p.m.Scatter(p.ports.loadData, w, &p.loadData[w])
		}
	}
}

// read sets dst to the values of a signal in the streams of a word that are wanted.
func (p *machinePlayer) read(s sim.Signal, w int, wanted uint64, dst *[64]uint64) {
	const few = 2 // which are read one by one
	if bits.OnesCount64(wanted) > few {
		p.m.Gather(s, w, dst)
		return
	}
	each(wanted, func(k int) { dst[k] = p.m.Get(s, 64*w+k) })
}

func (p *machinePlayer) sample() {
	var low, rest, text [64]uint64
	var board [4][64]uint64
	now := p.m.Clock()
	all := now >= p.look
	if all {
		p.look = now + quietClocks + 1
	}
	for w := 0; 64*w < len(p.streams); w++ {
		taken := p.m.Bits(p.ports.sValid, 0, w) & p.m.Bits(p.ports.sReady, 0, w)
		beats := p.m.Bits(p.ports.mValid, 0, w) & p.m.Bits(p.ports.mReady, 0, w)
		loaded := p.m.Bits(p.ports.loadValid, 0, w) & p.m.Bits(p.ports.loadReady, 0, w)
		texts := p.m.Bits(p.ports.textValid, 0, w)
		p.read(p.ports.text, w, texts, &text)
		p.read(p.ports.beat, w, beats, &low)
		p.read(p.ports.rest, w, beats, &rest)
		for k := range board {
			p.read(p.ports.board[k], w, beats, &board[k])
		}
		p.offered[w] &^= taken
		p.busy[w] |= taken
		streams := taken | beats | loaded | texts | p.ended[w]
		if all {
			streams = ^uint64(0) >> (64 - min(64, len(p.streams)-64*w))
		}
		for ; streams != 0; streams &= streams - 1 {
			k := bits.TrailingZeros64(streams)
			s := &p.streams[64*w+k]
			if (taken|beats|loaded)>>k&1 != 0 {
				s.last = now
			}
			if beats>>k&1 != 0 {
				b := unpackBeat(low[k], rest[k], [4]uint64{board[0][k], board[1][k], board[2][k], board[3][k]})
				if bad := s.wrong(&b); bad != nil {
					p.refute(64*w+k, bad)
					return
				}
				p.take(64*w+k, &b)
			}
			if texts>>k&1 != 0 {
				if bad := s.wrongText(text[k]); bad != nil {
					p.refute(64*w+k, bad)
					return
				}
			}
			if taken>>k&1 != 0 {
				s.at += p.size
				s.moved[0] += int64(p.size)
			}
			if loaded>>k&1 != 0 {
				if s.row++; s.row == len(loadRows) {
					s.row = 0
					s.loads = s.loads[:copy(s.loads, s.loads[1:])]
				}
			}
			if !s.done() {
				p.look = min(p.look, s.last+quietClocks+1)
			}
			quiet := now-s.last > quietClocks
			switch left := len(s.bytes)-s.at >= p.size; {
			case s.ended && !left && s.wantAt == len(s.wants) && s.textAt == len(s.texts):
				if s.tail++; s.tail == tailClocks+1 {
					p.active--
					p.ended[w] &^= 1 << k
				}
			case quiet && left:
				p.refute(64*w+k, map[string]string{"s_ready": "1"})
				return
			case quiet && s.wantAt == len(s.wants) && s.textAt < len(s.texts):
				p.refute(64*w+k, map[string]string{"text_valid": "1"})
				return
			case quiet:
				p.refute(64*w+k, map[string]string{"m_valid": "1"})
				return
			}
		}
	}
}

func (p *machinePlayer) take(number int, b *beat) {
	s := &p.streams[number]
	s.wantAt++
	s.moved[1]++
	switch b.kind {
	case oracle.BeatPly:
		p.plies++
	case oracle.BeatEnd:
		p.games++
		s.erred = false
	case oracle.BeatError:
		p.errors[b.fault]++
		s.erred, s.held = true, b.state
	}
	p.mark(number)
}

func (p *machinePlayer) mark(number int) {
	if s := &p.streams[number]; p.link != nil && s.wantAt < len(s.wants) {
		p.link.mark(number, &s.wants[s.wantAt])
	}
}

func (p *machinePlayer) refute(stream int, expected map[string]string) {
	s := &p.streams[stream]
	p.mismatch = p.history.difference(p, stream, expected)
	if s.wantAt < len(s.wants) {
		p.mismatch.Game, p.mismatch.Ply = int(s.wants[s.wantAt].Game), int(s.wants[s.wantAt].Ply)-1
	}
}

// historyClocks is how many clocks a history has, twice the number from one copy of the registers to the next.
const historyClocks = 64

// A history keeps what is needed to run the last clocks of a machine again: its registers from time to time, and all
// inputs.
type history struct {
	registers [2][]uint64
	inputs    [historyClocks][]uint64
}

func (h *history) clock(m *sim.Machine) {
	const step = historyClocks / 2
	now := m.Clock()
	if now%step == 0 {
		r := &h.registers[now/step%2]
		*r = append((*r)[:0], m.Registers()...)
	}
	in := &h.inputs[now%historyClocks]
	*in = append((*in)[:0], m.Inputs()...)
}

// replay runs the last clocks again, and calls f in each, after Eval.
func (h *history) replay(n *sim.Netlist, streams, last int, f func(m *sim.Machine) error) error {
	m, err := sim.NewMachine(n, streams)
	if err != nil {
		return err
	}
	const step = historyClocks / 2
	from := max(0, last/step-1)
	m.Restore(h.registers[from%2], from*step)
	for ; m.Clock() <= last; m.Step() {
		copy(m.Inputs(), h.inputs[m.Clock()%historyClocks])
		m.Eval()
		if err := f(m); err != nil {
			return err
		}
	}
	return nil
}

// difference describes the last clock, in which outputs of a stream should have been as expected.
func (h *history) difference(p *machinePlayer, stream int, expected map[string]string) *Difference {
	last, streams := p.m.Clock(), p.m.Streams()
	d := &Difference{Tool: ToolGo, Verilog: p.design.Verilog, Clock: last, ports: p.design.ports,
		first: max(0, last-clocksBefore)}
	d.dump = func(w io.Writer) error {
		var v *sim.VCD
		err := h.replay(p.design.net, streams, last, func(m *sim.Machine) error {
			if v == nil {
				v = sim.NewVCD(w, m, stream)
			}
			v.Cycle()
			return nil
		})
		return errors.Join(err, v.Close())
	}
	// There is no error but of the dump's writer.
	_ = h.replay(p.design.net, streams, last, func(m *sim.Machine) error {
		if m.Clock() < d.first {
			return nil
		}
		var want, found []string
		for _, port := range d.ports {
			s, err := p.design.net.Signal(port.name)
			if err != nil {
				return err
			}
			have := m.Hex(s, stream)
			found = append(found, have)
			switch value, ok := expected[port.name]; {
			case !port.output:
				want = append(want, have)
			case m.Clock() == last && ok:
				if want = append(want, value); d.Signal == "" && value != have {
					d.Signal, d.Expected, d.Found = port.name, value, have
				}
			case m.Clock() == last:
				want = append(want, have)
			default:
				want = append(want, "-")
			}
		}
		d.window = append(d.window, [2][]string{want, found})
		return nil
	})
	return d
}
