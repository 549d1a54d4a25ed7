// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"ply11/sim"
	"ply11/sim/eda"
	"ply11/sim/netlist"
	"ply11/sim/oracle"
)

// batchClocks is the number of clocks that go to a simulator at once.
const batchClocks = 2048

// settle is the number of clocks at the start of every run in which rst is 1, if there is one, and the
// outputs are not compared: until then registers are unknown.
const settle = 4

// A batch is some clocks of the model: what went in, what came out, what of that means something.
type batch struct {
	first, n int // clocks
	in, want []byte
	key      []uint8 // the number of a clock's mask
	marks    []mark
	holders  atomic.Int32
}

// A mark says that from a clock on the outputs are of this game, after this ply.
type mark struct{ record, game, ply int }

// A Link runs a model clock by clock, sends its inputs to simulations of its Verilog through pipes, and
// compares all outputs in all clocks with the model's. Its memory is some batches of clocks, however long it
// runs. In the first clocks the outputs are not compared, and rst, if there is one, is 1.
type Link struct {
	module  sim.Module
	streams int // of a streamLink; else 1
	rec     *record
	cur     *batch
	prev    *batch // for what is shown around a difference of the model itself
	pool    sync.Pool
	ends    []*linkEnd
	where   []mark // of each stream
	cancel  context.CancelFunc
}

// A linkEnd is one simulation at the other end of a Link.
type linkEnd struct {
	harness *Harness
	process *eda.Process
	cancel  context.CancelFunc
	send    chan *batch
	pending chan *batch
	writer  chan error
	reader  chan error
	dead    atomic.Bool // a difference is found: nothing more is sent
	clocks  int
	found   *Difference
}

// An End is what came of a Link in one simulator.
type End struct {
	Tool       string
	Clocks     int           // that were compared
	CPU        time.Duration // processor time of the simulation
	Difference *Difference   // the first, or nil
}

// NewLink starts a simulation of each harness, which must be of modules like m, and gives them and the model
// the clocks with rst.
func NewLink(ctx context.Context, m sim.Module, harnesses ...*Harness) (*Link, error) {
	l, err := newLink(ctx, m, 1, harnesses)
	if err != nil {
		return nil, err
	}
	rst := l.port("rst")
	if rst != nil {
		rst.Set(true)
	}
	for range settle {
		m.Eval()
		l.clock(false)
	}
	if rst != nil {
		rst.Set(false)
	}
	return l, nil
}

// newLink starts simulations of several instances of a module. What goes to them and comes back is a record for each stream and clock,
// the streams of a clock one after the other.
func newLink(ctx context.Context, m sim.Module, streams int, harnesses []*Harness) (*Link, error) {
	ctx, cancel := context.WithCancel(ctx)
	l := &Link{module: m, streams: streams, rec: newRecord(m.Ports()), where: make([]mark, streams), cancel: cancel}
	l.pool.New = func() any {
		return &batch{
			in:   make([]byte, batchClocks*l.rec.size[inputSide]),
			want: make([]byte, batchClocks*l.rec.size[outputSide]),
			key:  make([]uint8, batchClocks),
		}
	}
	for _, h := range harnesses {
		// A difference ends one simulation only.
		ctx, cancel := context.WithCancel(ctx)
		p, err := h.start(ctx, streams)
		if err != nil {
			cancel()
			_, closeErr := l.Close()
			return nil, errors.Join(err, closeErr)
		}
		e := &linkEnd{
			harness: h, process: p, cancel: cancel,
			send: make(chan *batch, 1), pending: make(chan *batch, 1),
			writer: make(chan error, 1), reader: make(chan error, 1),
		}
		l.ends = append(l.ends, e)
		go func() { e.writer <- l.write(e) }()
		go func() { e.reader <- l.read(e) }()
	}
	l.begin()
	return l, nil
}

func (l *Link) port(name string) *sim.Port {
	for i := range l.rec.ports {
		if p := &l.rec.ports[i]; p.Name == name {
			return p
		}
	}
	return nil
}

// begin takes a fresh batch.
func (l *Link) begin() {
	first := 0
	if l.cur != nil {
		first = l.cur.first + l.cur.n
	}
	if l.prev != nil {
		l.release(l.prev)
	}
	l.prev = l.cur
	l.cur = l.pool.Get().(*batch)
	l.cur.first, l.cur.n = first, 0
	l.cur.marks = append(l.cur.marks[:0], l.where...)
	l.cur.holders.Store(1)
}

func (l *Link) release(b *batch) {
	if b.holders.Add(-1) == 0 {
		l.pool.Put(b)
	}
}

// flush sends the batch.
func (l *Link) flush() {
	for _, e := range l.ends {
		l.cur.holders.Add(1)
		e.send <- l.cur
	}
}

// Clock takes note of all ports as they are, and steps the model. Its Eval must have been called.
func (l *Link) Clock() { l.clock(true) }

func (l *Link) clock(compare bool) {
	b, r := l.cur, l.rec
	r.put(b.in[b.n*r.size[inputSide]:], r.inputs)
	r.put(b.want[b.n*r.size[outputSide]:], r.output)
	b.key[b.n] = noKey
	if compare {
		b.key[b.n] = r.key()
	}
	l.module.Step()
	l.advance()
}

// advance goes to the next record.
func (l *Link) advance() {
	if l.cur.n++; l.cur.n == batchClocks {
		l.flush()
		l.begin()
	}
}

// Play feeds the model with a stimulus to its end. An error of the stimulus is returned as it is.
func (l *Link) Play(s sim.Stimulus) error {
	for s.Drive() {
		l.module.Eval()
		if err := s.Sample(); err != nil {
			return err
		}
		l.Clock()
	}
	return nil
}

// noKey is for a clock whose outputs are not compared.
const noKey = 255

// Now returns the number of the clock that comes next, from 0.
func (l *Link) Now() int { return l.cur.first + l.cur.n }

// Mark says what the outputs show from this clock on: a game, after a ply. It is for messages only.
func (l *Link) Mark(game, ply int) {
	l.where[0] = mark{l.Now(), game, ply}
	l.cur.marks = append(l.cur.marks, l.where[0])
}

// write sends batches to the simulation.
func (l *Link) write(e *linkEnd) error {
	var err error
	for b := range e.send {
		if err == nil && !e.dead.Load() {
			// It may come back before all of it is written.
			b.holders.Add(1)
			e.pending <- b
			_, err = e.process.In.Write(b.in[:b.n*l.rec.size[inputSide]])
		}
		l.release(b)
	}
	close(e.pending)
	return errors.Join(err, e.process.In.Close())
}

// read compares what comes back.
func (l *Link) read(e *linkEnd) error {
	wide := 1
	if e.harness.unknowns() {
		wide = 2
	}
	size := l.rec.size[outputSide]
	got := make([]byte, batchClocks*size*wide)
	last := make([]byte, len(got))
	var before *batch
	var err error
	for b := range e.pending {
		if err == nil && !e.dead.Load() {
			n, readErr := io.ReadFull(e.process.Out, got[:b.n*size*wide])
			whole := n / (size * wide)
			if i := l.rec.compare(b, whole, got, wide); i >= 0 {
				e.found = l.difference(e, before, last, b, got, whole, wide, i)
				e.dead.Store(true)
				e.cancel()
			} else if readErr != nil {
				err = fmt.Errorf("sim: the trace of %s in %s ends after %d clocks: %w",
					e.harness.Verilog.Module, e.harness.Tool, b.first+whole, readErr)
			}
			e.clocks = b.first + whole
			got, last = last, got
		}
		if before != nil {
			l.release(before)
		}
		before = b
	}
	if err == nil && !e.dead.Load() {
		if _, readErr := io.ReadFull(e.process.Out, got[:1]); readErr != io.EOF {
			err = fmt.Errorf("sim: the trace of %s in %s goes on after %d clocks", e.harness.Verilog.Module, e.harness.Tool, e.clocks)
		}
	}
	return err
}

// compare returns the first clock of a batch, of n that came back, in which an output differs, or -1. With
// wide 2, each four bytes are followed by four of unknown bits.
func (r *record) compare(b *batch, n int, got []byte, wide int) int {
	size := r.size[outputSide]
	for i := range n {
		if b.key[i] == noKey {
			continue
		}
		mask, want, g := r.masks[b.key[i]], b.want[i*size:(i+1)*size], got[i*size*wide:(i+1)*size*wide]
		var d uint64
		if wide == 1 {
			for k := 0; k < len(mask); k += 8 {
				d |= (binary.LittleEndian.Uint64(want[k:]) ^ binary.LittleEndian.Uint64(g[k:])) & binary.LittleEndian.Uint64(mask[k:])
			}
		} else {
			for k, m := range mask {
				at := k&^3<<1 | k&3
				d |= uint64((want[k] ^ g[at] | g[at+4]) & m)
			}
		}
		if d != 0 {
			return i
		}
	}
	return -1
}

// split takes values and unknown bits apart.
func split(got []byte, wide int) (values, unknown []byte) {
	if wide == 1 {
		return got, nil
	}
	for k := 0; k < len(got); k += 8 {
		values = append(values, got[k:k+4]...)
		unknown = append(unknown, got[k+4:k+8]...)
	}
	return values, unknown
}

// wanted returns the ports of a clock as the model has them: "-" where an output means nothing.
func (r *record) wanted(b *batch, i int) []string {
	line := make([]string, len(r.ports))
	in, want := b.in[i*r.size[inputSide]:], b.want[i*r.size[outputSide]:]
	for k := range r.ports {
		switch {
		case !r.ports[k].Output:
			line[k] = r.hex(k, in, nil)
		case b.key[i] == noKey || r.when[k] != 0 && b.key[i]>>(r.when[k]-1)&1 == 0:
			line[k] = "-"
		default:
			line[k] = r.hex(k, want, nil)
		}
	}
	return line
}

// found returns the ports of a clock as the simulator has them.
func (r *record) found(b *batch, i int, got []byte, wide int) []string {
	line := make([]string, len(r.ports))
	size := r.size[outputSide] * wide
	values, unknown := split(got[i*size:(i+1)*size], wide)
	for k := range r.ports {
		if r.ports[k].Output {
			line[k] = r.hex(k, values, unknown)
		} else {
			line[k] = r.hex(k, b.in[i*r.size[inputSide]:], nil)
		}
	}
	return line
}

// difference tells of clock i of batch b, with clocks around it from the batch before.
func (l *Link) difference(e *linkEnd, before *batch, last []byte, b *batch, got []byte, n, wide, i int) *Difference {
	r := l.rec
	d := &Difference{Tool: e.harness.Tool, Verilog: e.harness.Verilog, Clock: (b.first + i) / l.streams, ports: r.ports}
	d.place(b, i, l.streams)
	// The records of that stream: whole clocks are in a batch.
	add := func(b *batch, from, to int, got []byte) {
		for ; from < 0; from += l.streams {
		}
		for k := from; k < to; k += l.streams {
			d.window = append(d.window, [2][]string{r.wanted(b, k), r.found(b, k, got, wide)})
		}
	}
	if before != nil {
		add(before, before.n+i-l.streams*clocksBefore, before.n, last)
	}
	at := len(d.window) + min(i/l.streams, clocksBefore)
	add(b, i-l.streams*clocksBefore, min(n, i+1+l.streams*clocksAfter), got)
	d.first = d.Clock - at
	want, have := d.window[at][0], d.window[at][1]
	for k := range r.ports {
		if want[k] != "-" && want[k] != have[k] {
			d.Signal, d.Expected, d.Found = r.ports[k].Name, want[k], have[k]
			break
		}
	}
	return d
}

// place looks up the game of a record of a batch.
func (d *Difference) place(b *batch, i, streams int) {
	for _, m := range b.marks {
		if m.record <= b.first+i && (m.record-b.first-i)%streams == 0 {
			d.Game, d.Ply = m.game, m.ply
		}
	}
}

// Refute returns a Difference of the model itself in the clock that was recorded last: signals, of which
// expected gives the values, in hexadecimal digits as wide as the ports, are not as they are. The model is
// not to be used after it.
func (l *Link) Refute(expected map[string]string) *Difference {
	r := l.rec
	d := &Difference{Tool: ToolGo, Verilog: l.module.Verilog(), Clock: l.Now() - 1, ports: r.ports}
	b := l.cur
	if b.n == 0 {
		b = l.prev
	}
	d.place(b, d.Clock-b.first, 1)
	for c := max(0, d.Clock-clocksBefore); c <= d.Clock; c++ {
		b := l.cur
		if c < b.first {
			if b = l.prev; b == nil || c < b.first {
				continue
			}
		}
		if len(d.window) == 0 {
			d.first = c
		}
		line := r.wanted(b, c-b.first)
		want := make([]string, len(line))
		for k := range r.ports {
			want[k] = "-"
			if !r.ports[k].Output {
				want[k] = line[k]
			}
			if v, ok := expected[r.ports[k].Name]; ok && c == d.Clock {
				if want[k] = v; d.Signal == "" && v != line[k] {
					d.Signal, d.Expected, d.Found = r.ports[k].Name, v, line[k]
				}
			}
		}
		d.window = append(d.window, [2][]string{want, line})
	}
	return d
}

// Close sends what is left, waits for the simulations to end, and returns what came of each. An error is a
// simulation that could not be run to its end.
func (l *Link) Close() ([]End, error) {
	defer l.cancel()
	if l.cur != nil && l.cur.n > 0 {
		l.flush()
	}
	var ends []End
	var errs []error
	for _, e := range l.ends {
		close(e.send)
		writeErr, readErr := <-e.writer, <-e.reader
		run, err := e.process.Wait()
		e.cancel()
		if !e.dead.Load() && (writeErr != nil || readErr != nil || err != nil) {
			// What the simulation says of itself comes first.
			errs = append(errs, err, readErr, writeErr)
		}
		ends = append(ends, End{e.harness.Tool, e.clocks, run.CPU, e.found})
	}
	return ends, errors.Join(errs...)
}

// A streamLink runs simulations of as many instances of a module as a machine of its netlist has streams, or of the first of them, with
// the same inputs, and compares all outputs in all clocks with the machine's.
type streamLink struct {
	*Link
	side [2][]netlist.Signal // words of 64 bits of a record, inputs and outputs
	when []netlist.Signal    // what outputs depend on to have a meaning, as in record.whens
}

// newStreamLink starts the simulations.
func newStreamLink(ctx context.Context, d *design, n *netlist.Netlist, streams int, harnesses []*Harness) (*streamLink, error) {
	l, err := newLink(ctx, d, streams, harnesses)
	if err != nil {
		return nil, err
	}
	s := &streamLink{Link: l}
	var bits [2]netlist.Signal
	for i, p := range l.rec.ports {
		port, err := n.Signal(p.Name)
		if err != nil {
			return nil, errors.Join(err, s.abort())
		}
		side := inputSide
		if p.Output {
			side = outputSide
		}
		bits[side] = netlist.Concat(bits[side], netlist.Zeros(8*l.rec.at[i]-bits[side].Width()), port)
	}
	for side := range bits {
		all := netlist.Concat(bits[side], netlist.Zeros(8*l.rec.size[side]-bits[side].Width()))
		for at := 0; at < all.Width(); at += 64 {
			s.side[side] = append(s.side[side], all.Slice(at, at+64))
		}
	}
	for _, name := range d.whens(l.rec.whens) {
		port, err := n.Signal(name)
		if err != nil {
			return nil, errors.Join(err, s.abort())
		}
		s.when = append(s.when, port)
	}
	return s, nil
}

func (s *streamLink) abort() error {
	_, err := s.Close()
	return err
}

// clock takes note of a clock of the machine, between Eval and Step.
func (s *streamLink) clock(m *netlist.Machine, compare bool) {
	var rows [64]uint64
	for w := 0; 64*w < s.streams; w++ {
		count := min(64, s.streams-64*w)
		for side, list := range s.side {
			to := s.cur.in
			if side == outputSide {
				to = s.cur.want
			}
			size := s.rec.size[side]
			for i, word := range list {
				m.Gather(word, w, &rows)
				for k := range count {
					binary.LittleEndian.PutUint64(to[(s.cur.n+64*w+k)*size+8*i:], rows[k])
				}
			}
		}
		keys := s.cur.key[s.cur.n+64*w:][:count]
		for k := range keys {
			keys[k] = noKey
			if compare {
				keys[k] = 0
				for i, when := range s.when {
					keys[k] |= uint8(m.Bits(when, 0, w)>>k&1) << i
				}
			}
		}
	}
	s.cur.n += s.streams - 1
	s.advance()
}

// mark says which beat of a stream comes next, from the next clock on.
func (s *streamLink) mark(stream int, want *oracle.Beat) {
	s.where[stream] = mark{s.Now() + s.streams + stream, int(want.Game), int(want.Ply) - 1}
	s.cur.marks = append(s.cur.marks, s.where[stream])
}
