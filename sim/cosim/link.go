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
	"ply11/sim/oracle"
)

const batchClocks = 2048

// settle is the number of clocks at the start of every run in which rst is 1 and the outputs are not compared: until
// then registers are unknown.
const settle = 4

// settleLegal is settle of a player with a referee, whose position is known when all of its stages have moved on.
const settleLegal = 16

type batch struct {
	first, n int // records
	in, want []byte
	key      []uint8 // the number of a record's mask
	marks    []mark
	holders  atomic.Int32
}

// A mark says that from a record on the outputs are of this game, after this ply. It is for messages.
type mark struct{ record, game, ply int }

// A link runs simulations of as many instances of a design as it has streams, the first of a machine of its netlist. It
// sends them the machine's inputs through pipes and compares all outputs in all clocks. A record goes and comes for
// each stream and clock, those of a clock one after the other. Memory is bounded.
type link struct {
	design  *design
	streams int
	// lenient leaves out the bits that a simulator does not know. Otherwise an x in an output that means something is
	// a difference.
	lenient bool
	rec     *record
	side    [2][]sim.Signal // words of 64 bits of a record, inputs and outputs
	when    []sim.Signal    // what outputs depend on to have a meaning, as in record.whens
	cur     *batch
	pool    sync.Pool
	ends    []*linkEnd
	where   []mark // of each stream
	cancel  context.CancelFunc
}

type linkEnd struct {
	harness *Harness
	process *eda.Process
	cancel  context.CancelFunc
	send    chan *batch
	pending chan *batch
	writer  chan error
	reader  chan error
	dead    atomic.Bool // a difference is found: nothing more is sent
	records int         // that were compared
	found   *Difference
}

// An End is what came of a link in one simulator.
type End struct {
	Tool       string
	Clocks     int           // that were compared
	CPU        time.Duration // processor time of the simulation
	Difference *Difference   // the first, or nil
}

func newLink(ctx context.Context, d *design, streams int, lenient bool, harnesses ...*Harness) (*link, error) {
	ctx, cancel := context.WithCancel(ctx)
	l := &link{design: d, streams: streams, lenient: lenient, rec: newRecord(d.ports), where: make([]mark, streams),
		cancel: cancel}
	l.pool.New = func() any {
		return &batch{
			in:   make([]byte, batchClocks*l.rec.size[inputSide]),
			want: make([]byte, batchClocks*l.rec.size[outputSide]),
			key:  make([]uint8, batchClocks),
		}
	}
	if err := l.wire(); err != nil {
		cancel()
		return nil, err
	}
	for _, h := range harnesses {
		// A difference ends one simulation only.
		ctx, cancel := context.WithCancel(ctx)
		p, err := h.start(ctx, streams, lenient)
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

func (l *link) wire() error {
	var bits [2]sim.Signal
	for i, p := range l.rec.ports {
		side, kind := inputSide, sim.Input
		if p.output {
			side, kind = outputSide, sim.Output
		}
		s, err := l.design.net.Port(kind, p.name, p.width)
		if err != nil {
			return err
		}
		bits[side] = sim.Concat(bits[side], sim.Zeros(8*l.rec.at[i]-bits[side].Width()), s)
	}
	for side := range bits {
		all := sim.Concat(bits[side], sim.Zeros(8*l.rec.size[side]-bits[side].Width()))
		for at := 0; at < all.Width(); at += 64 {
			l.side[side] = append(l.side[side], all.Slice(at, at+64))
		}
	}
	for _, name := range l.rec.whens {
		s, err := l.design.net.Port(sim.Output, name, 1)
		if err != nil {
			return err
		}
		l.when = append(l.when, s)
	}
	return nil
}

func (l *link) begin() {
	first := 0
	if l.cur != nil {
		first = l.cur.first + l.cur.n
	}
	l.cur = l.pool.Get().(*batch)
	l.cur.first, l.cur.n = first, 0
	l.cur.marks = append(l.cur.marks[:0], l.where...)
	l.cur.holders.Store(1)
}

func (l *link) release(b *batch) {
	if b.holders.Add(-1) == 0 {
		l.pool.Put(b)
	}
}

func (l *link) flush() {
	for _, e := range l.ends {
		l.cur.holders.Add(1)
		e.send <- l.cur
	}
	l.release(l.cur)
}

func (l *link) clock(m *sim.Machine, compare bool) {
	var rows [64]uint64
	for w := 0; 64*w < l.streams; w++ {
		count := min(64, l.streams-64*w)
		for side, list := range l.side {
			to := l.cur.in
			if side == outputSide {
				to = l.cur.want
			}
			size := l.rec.size[side]
			for i, word := range list {
				m.Gather(word, w, &rows)
				for k := range count {
					binary.LittleEndian.PutUint64(to[(l.cur.n+64*w+k)*size+8*i:], rows[k])
				}
			}
		}
		keys := l.cur.key[l.cur.n+64*w:][:count]
		for k := range keys {
			keys[k] = noKey
			if compare {
				keys[k] = 0
				for i, when := range l.when {
					keys[k] |= uint8(m.Bits(when, 0, w)>>k&1) << i
				}
			}
		}
	}
	if l.cur.n += l.streams; l.cur.n == batchClocks {
		l.flush()
		l.begin()
	}
}

func (l *link) mark(stream int, want *oracle.Beat) {
	l.where[stream] = mark{l.cur.first + l.cur.n + l.streams + stream, int(want.Game), int(want.Ply) - 1}
	l.cur.marks = append(l.cur.marks, l.where[stream])
}

// noKey is for a clock whose outputs are not compared.
const noKey = 255

func (l *link) write(e *linkEnd) error {
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

func (l *link) read(e *linkEnd) error {
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
			if i := l.rec.compare(b, whole, got, wide, l.lenient); i >= 0 {
				e.found = l.difference(e, before, last, b, got, whole, wide, i)
				e.dead.Store(true)
				e.cancel()
			} else if readErr != nil {
				err = fmt.Errorf("cosim: the trace of %s in %s ends after %d clocks: %w",
					e.harness.Verilog.Top, e.harness.Tool, (b.first+whole)/l.streams, readErr)
			}
			e.records = b.first + whole
			got, last = last, got
		}
		if before != nil {
			l.release(before)
		}
		before = b
	}
	if err == nil && !e.dead.Load() {
		if _, readErr := io.ReadFull(e.process.Out, got[:1]); readErr != io.EOF {
			err = fmt.Errorf("cosim: the trace of %s in %s goes on after %d clocks", e.harness.Verilog.Top,
				e.harness.Tool, e.records/l.streams)
		}
	}
	return err
}

// compare returns the first of n records of a batch in which an output differs, or -1. With wide 2, each four bytes are
// followed by four of unknown bits, which are differences, or, with lenient, are not compared.
func (r *record) compare(b *batch, n int, got []byte, wide int, lenient bool) int {
	size := r.size[outputSide]
	for i := range n {
		if b.key[i] == noKey {
			continue
		}
		mask, want, g := r.masks[b.key[i]], b.want[i*size:(i+1)*size], got[i*size*wide:(i+1)*size*wide]
		var d uint64
		if wide == 1 {
			for k := 0; k < len(mask); k += 8 {
				d |= (binary.LittleEndian.Uint64(want[k:]) ^ binary.LittleEndian.Uint64(
					g[k:])) & binary.LittleEndian.Uint64(mask[k:])
			}
		} else {
			for k, m := range mask {
				at := k&^3<<1 | k&3
				wrong := want[k] ^ g[at] | g[at+4]
				if lenient {
					wrong &^= g[at+4]
				}
				d |= uint64(wrong & m)
			}
		}
		if d != 0 {
			return i
		}
	}
	return -1
}

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

// wanted returns the machine's values of a record's ports: "-" where an output means nothing.
func (r *record) wanted(b *batch, i int) []string {
	line := make([]string, len(r.ports))
	in, want := b.in[i*r.size[inputSide]:], b.want[i*r.size[outputSide]:]
	for k := range r.ports {
		switch {
		case !r.ports[k].output:
			line[k] = r.hex(k, in, nil)
		case b.key[i] == noKey || r.when[k] != 0 && b.key[i]>>(r.when[k]-1)&1 == 0:
			line[k] = "-"
		default:
			line[k] = r.hex(k, want, nil)
		}
	}
	return line
}

func (r *record) found(b *batch, i int, got []byte, wide int) []string {
	line := make([]string, len(r.ports))
	size := r.size[outputSide] * wide
	values, unknown := split(got[i*size:(i+1)*size], wide)
	for k := range r.ports {
		if r.ports[k].output {
			line[k] = r.hex(k, values, unknown)
		} else {
			line[k] = r.hex(k, b.in[i*r.size[inputSide]:], nil)
		}
	}
	return line
}

// difference describes record i of batch b, with clocks around it, also from the batch before.
func (l *link) difference(e *linkEnd, before *batch, last []byte, b *batch, got []byte, n, wide, i int) *Difference {
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
		if want[k] == "-" || want[k] == have[k] {
			continue
		}
		// An x may hide the bit that is wrong, if no other digit shows one.
		if clear := !l.lenient || !like(want[k], have[k]); clear || d.Signal == "" {
			d.Signal, d.Expected, d.Found = r.ports[k].name, want[k], have[k]
			if clear {
				break
			}
		}
	}
	return d
}

// like reports whether two values have the same digits where both are known.
func like(want, have string) bool {
	for i := range want {
		if want[i] != have[i] && have[i] != 'x' {
			return false
		}
	}
	return true
}

func (d *Difference) place(b *batch, i, streams int) {
	for _, m := range b.marks {
		if m.record <= b.first+i && (m.record-b.first-i)%streams == 0 {
			d.Game, d.Ply = m.game, m.ply
		}
	}
}

// Close sends what is left, waits for the simulations to end, and returns what came of each. An error is a simulation
// that could not be run to its end.
func (l *link) Close() ([]End, error) {
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
			errs = append(errs, err, readErr, writeErr)
		}
		ends = append(ends, End{e.harness.Tool, e.records / l.streams, run.CPU, e.found})
	}
	return ends, errors.Join(errs...)
}
