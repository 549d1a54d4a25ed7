// SPDX-License-Identifier: Apache-2.0

package pgn

import (
	"bytes"
	"io"
	"runtime"
	"sync"

	"ply11/bitstream/codec"
	"ply11/game"
	"ply11/internal/readup"
)

const (
	// lookahead is how many bytes of the next chunk a worker sees, to find its last game's end.
	lookahead = 1024
	// chunkSize is how much of the input a worker takes at a time: about 110 games. With 256 KiB the
	// memory of all that is under way leaves the caches: two workers took 1.28 of one Reader's processor
	// time, with 64 KiB it is 1.07.
	chunkSize = 64 << 10
	// batchSize is how many games are handed over at a time.
	batchSize = 64
	// batchesAhead is how many batches of a chunk may wait to be taken. A chunk's worker must be able to
	// finish while the chunk before it is being read: with one batch the workers took turns, and two of
	// them were 1.25 times as fast as one; with four it is 1.75 times.
	batchesAhead = 4
)

// chunk is a piece of the input that begins with a game, as it seems.
type chunk struct {
	data []byte // with lookahead, and pad bytes after it, zeros if it is the last
	size int    // where the next chunk begins
	end  int    // of the input in data
	last bool   // of the input
	base int64
	enc  game.Encoding
	cr   bool
	err  error // of the input, after this chunk
	out  chan *batch
	// cut is set if the workers cannot go on: it seemed wrongly that the next chunk begins with a game, or
	// there is no place to cut.
	cut bool
}

// batch is some games of a chunk, in order.
type batch struct {
	games []*game.Game
	errs  []*codec.Error
	n     int
	spill int // where in the chunk a game begins that does not end in it, -1 if there is none
	lines int // of the chunk, with the last batch
}

// ReadParallel reads the games of src, as a Reader does, with several goroutines: workers of them, or one for each
// processor if workers is not positive. It calls yield with each game, in their order, in the caller's
// goroutine, until yield returns false. The game must not be kept: Clone it. Errors of games go to yield.
// ReadParallel returns the input's error, if there is one.
//
// It gives exactly what a Reader gives. The input is cut at a blank line before an Event tag, and each
// worker verifies that its last game ends there. If one does not (a comment may have no
// end, or a game may exceed the limits), one Reader reads the rest. WithSelect's function is called from
// several goroutines at once, and may be called twice for a game.
//
// The memory is some chunks of 64 KiB and batches of 64 games for each goroutine. ReadParallel
// returns only when src is no longer used.
func ReadParallel(src io.Reader, workers int, yield func(*game.Game, error) bool, options ...ReaderOption) error {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	o, err := makeOptions(options)
	if err != nil {
		return err
	}
	order := make(chan *chunk, 2*workers) // all chunks, in order
	jobs := make(chan *chunk, 2*workers)  // the same, for the workers
	stop := make(chan struct{})           // closed when nobody wants more
	abandon := make(chan struct{})        // closed when the workers are not needed any more
	pool := make(chan *batch, 16*workers) // batches to be used again

	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(order)
		defer close(jobs)
		cut(src, o, func(c *chunk) bool {
			select {
			case order <- c:
			case <-stop:
				return false
			}
			if c.cut {
				return true
			}
			select {
			case jobs <- c:
			case <-abandon:
			case <-stop:
				return false
			}
			return true
		})
	})
	for range workers {
		wg.Go(func() {
			p := parser{opt: o, asked: -1}
			for c := range jobs {
				p.chunk(c, pool, abandon)
			}
		})
	}

	var once sync.Once
	giveUp := func() { once.Do(func() { close(abandon) }) }
	defer func() {
		giveUp()
		close(stop)
		for range order {
		}
		wg.Wait()
	}()

	number, line := 0, 0
	for c := range order {
		spill := -1
		if c.cut {
			spill = 0
		}
		for b := range c.batches() {
			for i := range b.n {
				g := b.games[i]
				number++
				g.Source.Number = number
				g.Source.Line += line
				var err error
				if e := b.errs[i]; e != nil {
					e.Game = number
					e.Line += line
					err = e
				}
				if !yield(g, err) {
					return nil
				}
			}
			spill = b.spill
			line += b.lines
			select {
			case pool <- b:
			default:
			}
		}
		if spill < 0 {
			if c.err != nil && c.err != io.EOF {
				return c.err
			}
			continue
		}
		// One Reader reads on, from the game that spills.
		giveUp()
		r := newReader(&chunkReader{order: order, data: c.data[spill:c.size], err: c.err}, o)
		r.p.base = c.base + int64(spill)
		r.p.enc = c.enc
		r.cr = c.cr
		r.number = number
		r.line = line
		if spill > 0 {
			// lines were counted to the spilling game, which may not begin its line.
			r.col = spill - 1 - bytes.LastIndexAny(c.data[:spill], "\r\n")
		}
		for {
			err := r.Read(&r.own)
			if err == io.EOF {
				return nil
			}
			if _, ok := err.(*codec.Error); err != nil && !ok {
				return err
			}
			if !yield(&r.own, err) {
				return nil
			}
		}
	}
	return nil
}

// batches returns the chunk's batches, none if no worker has it.
func (c *chunk) batches() <-chan *batch {
	if c.cut {
		none := make(chan *batch)
		close(none)
		return none
	}
	return c.out
}

// chunkReader reads what is left of the chunks as one text.
type chunkReader struct {
	order <-chan *chunk
	data  []byte
	err   error
}

func (r *chunkReader) Read(b []byte) (int, error) {
	for len(r.data) == 0 {
		if r.err != nil {
			return 0, r.err
		}
		c, ok := <-r.order
		if !ok {
			return 0, io.EOF
		}
		r.data, r.err = c.data[:c.size], c.err
	}
	n := copy(b, r.data)
	r.data = r.data[n:]
	return n, nil
}

// cut reads the input and cuts it into chunks, until emit returns false.
func cut(src io.Reader, o options, emit func(*chunk) bool) {
	var carry []byte
	base, enc, cr := int64(0), o.encoding, false
	var err error
	whole := false // the last chunks had no place to cut
	for err == nil {
		buf := make([]byte, len(carry)+chunkSize+pad)
		end := copy(buf, carry)
		var n int
		n, err = readup.To(src, buf[end:len(buf)-pad])
		fresh := buf[end : end+n]
		end += n
		if !cr && bytes.IndexByte(fresh, '\r') >= 0 {
			cr = true
		}
		if enc == game.ASCII {
			enc = detect(fresh)
		}
		c := &chunk{data: buf, size: end, end: end, last: err != nil, base: base, enc: enc, cr: cr,
			err: err, out: make(chan *batch, batchesAhead), cut: whole}
		carry = nil
		if err == nil && !whole {
			at := lastGame(buf[:end-lookahead])
			if at <= 0 {
				if end < 16*chunkSize {
					carry = buf[:end]
					continue
				}
				whole = true
				c.cut = true
			} else {
				c.size = at
				c.end = at + lookahead
				carry = buf[at:end]
			}
		}
		base += int64(c.size)
		if !emit(c) {
			return
		}
	}
}

// lastGame returns where the last Event tag after a blank line stands, -1 if there is none.
func lastGame(b []byte) int {
	for len(b) > 0 {
		i := bytes.LastIndex(b, eventTag)
		if i <= 0 || BeginsGame(b, i) {
			return i
		}
		b = b[:i]
	}
	return -1
}

// BeginsGame reports whether a game seems to begin at b[i]: an Event tag at the begin of a line, after a blank line. There a large text can be cut, so that
// its parts are read side by side. It is wrong if that stands in a comment.
func BeginsGame(b []byte, i int) bool {
	return i > 0 && (b[i-1] == '\n' || b[i-1] == '\r') && bytes.HasPrefix(b[i:], eventTag) && blankBefore(b[:i])
}

// eventTag is what games begin with, almost always.
var eventTag = []byte("[Event ")

// chunk reads the games of a chunk and hands them over in batches, the last of which tells of
// a game that does not end in it.
func (p *parser) chunk(c *chunk, pool chan *batch, abandon <-chan struct{}) {
	defer close(c.out)
	r := Reader{p: *p, cr: c.cr}
	defer func() { *p = r.p }()
	r.p.buf, r.p.end, r.p.last, r.p.base, r.p.enc = c.data, c.end, c.last, c.base, c.enc
	r.p.lim = c.end - pad
	if c.last {
		r.p.lim = c.end
	}
	r.p.searched, r.p.nextClose = 0, -1
	for {
		var b *batch
		select {
		case b = <-pool:
		default:
			b = &batch{games: make([]*game.Game, 0, 16)}
		}
		b.n, b.spill, b.lines, b.errs = 0, -1, 0, b.errs[:0]
		finished := false
		for b.n < batchSize {
			if b.n == len(b.games) {
				b.games = append(b.games, new(game.Game))
			}
			g := b.games[b.n]
			if g.Source.End-g.Source.Start > 64<<10 {
				g = new(game.Game) // do not keep the memory of an uncommon game
				b.games[b.n] = g
			}
			st := r.p.parse(g, r.from)
			if st == none || r.p.start >= c.size {
				finished = true
				r.advance(c.size)
				b.lines = r.line
				break
			}
			if st == more || r.p.stop > c.size || r.p.stop-r.p.start > r.p.opt.maxGame {
				finished = true
				b.spill = r.p.start
				r.advance(r.p.start)
				b.lines = r.line
				break
			}
			var bad *codec.Error
			if err := r.finish(g); err != nil {
				bad = err.(*codec.Error)
			}
			b.errs = append(b.errs, bad)
			b.n++
		}
		select {
		case c.out <- b:
		case <-abandon:
			return
		}
		if finished {
			return
		}
	}
}
