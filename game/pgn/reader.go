// SPDX-License-Identifier: Apache-2.0

package pgn

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"iter"
	"unicode/utf8"

	"ply11/game"
	"ply11/game/codec"
)

// blockSize is how much is read at a time.
const blockSize = 256 << 10

// Reader reads games from a text and verifies every move. It is not for use by several goroutines at once.
//
// Its memory is bounded: under 16 MiB, unless MaxGame allows more. Its work is bounded by the length of the input. A
// game may have 1,000 tags with values of 64 KiB, comments of 256 KiB, variations 256 deep, 65,536 plies, those of
// variations too, and as many comments, NAGs and variations: what exceeds that ends it with a codec.ErrLimit.
type Reader struct {
	p      parser
	src    io.Reader
	err    error // of src
	bad    error // of an option
	from   int   // where in the parser's buf the next game is looked for
	number int   // games so far
	line   int   // line ends before buf[mark]
	mark   int
	col    int  // bytes between the last line end before buf[mark] and buf[mark]
	cr     bool // there are carriage returns
}

// NewReader returns a Reader of src. It reads ahead.
func NewReader(src io.Reader, options ...ReaderOption) *Reader {
	o, err := makeOptions(options)
	r := newReader(src, o)
	r.bad = err
	return r
}

func newReader(src io.Reader, o options) *Reader {
	r := &Reader{src: src}
	r.p.opt = o
	r.p.enc = o.encoding
	size := min(blockSize, r.p.opt.maxGame+pad)
	if s, ok := src.(interface{ Len() int }); ok { // a short text in memory
		size = min(size, s.Len()+4*pad)
	}
	r.p.buf = make([]byte, size+pad)
	r.p.nextClose = -1
	return r
}

// Read reads the next game into g: see codec.Reader. Cost: about 44 ns a ply of a master game, its tags and move
// numbers included, with one allocation for a game's tags and one for its comments.
func (r *Reader) Read(g *game.Game) error {
	if r.bad != nil {
		g.Reset()
		return r.bad
	}
	p := &r.p
	for {
		switch p.parse(g, r.from) {
		case done:
			return r.finish(g)
		case none:
			g.Reset()
			if r.err != nil && r.err != io.EOF {
				return r.err
			}
			return io.EOF
		}
		if p.start > r.from {
			r.advance(p.start)
			r.from = p.start
		}
		if err := r.fill(); err != nil {
			return r.tooLong(g, err)
		}
	}
}

// errFull is what fill returns when the buffer is full of one game and may not grow.
var errFull = errors.New("buffer full")

// fill reads more, after moving what is needed to the front of the buffer. It reads at least as much as is already
// there, so that the work stays linear.
func (r *Reader) fill() error {
	p := &r.p
	r.advance(r.from)
	if keep := r.from - 1; keep > 0 { // one byte before, to see whether a line begins
		p.work += int64(copy(p.buf, p.buf[keep:p.end]))
		p.base += int64(keep)
		r.from -= keep
		r.mark -= keep
		p.end -= keep
		clear(p.buf[p.end : p.end+pad])
	}
	pending := p.end - r.from
	if p.end+2*pad > len(p.buf) || pending > len(p.buf)/2 {
		size := min(2*len(p.buf), p.opt.maxGame+3*pad)
		if size > len(p.buf) {
			p.buf = append(make([]byte, 0, size), p.buf[:p.end]...)[:size]
		} else if p.end+2*pad > len(p.buf) {
			return errFull
		}
	}
	for want := p.end + max(pending, 4096); p.end < len(p.buf)-pad && p.end < want; {
		n, err := r.src.Read(p.buf[p.end : len(p.buf)-pad])
		if n < 0 || n > len(p.buf)-pad-p.end {
			r.err = errors.New("invalid count from Read")
			n = 0
		}
		r.arrived(p.buf[p.end : p.end+n])
		p.end += n
		if err != nil {
			if r.err == nil {
				r.err = err
			}
			p.last = true
			break
		}
	}
	p.lim = p.end - pad
	if p.last {
		p.lim = p.end
	}
	clear(p.buf[p.end : p.end+pad])
	p.searched, p.nextClose = 0, -1
	return nil
}

func (r *Reader) arrived(b []byte) {
	if !r.cr && bytes.IndexByte(b, '\r') >= 0 {
		r.cr = true
	}
	if r.p.enc == game.ASCII {
		r.p.enc = detect(b)
	}
}

// detect finds the encoding by the first line with a byte above 127. A character that is cut by the end counts as
// UTF-8.
func detect(b []byte) game.Encoding {
	for i := 0; i < len(b); i++ {
		for ; i+32 <= len(b); i += 32 {
			w := binary.LittleEndian.Uint64(b[i:]) | binary.LittleEndian.Uint64(b[i+8:]) |
				binary.LittleEndian.Uint64(b[i+16:]) | binary.LittleEndian.Uint64(b[i+24:])
			if w&0x8080808080808080 != 0 {
				break
			}
		}
		if i == len(b) {
			break
		}
		if b[i] < utf8.RuneSelf {
			continue
		}
		line := b[i:]
		cut := true
		if n := lineEnd(line); n < len(line) {
			line, cut = line[:n], false
		}
		if utf8.Valid(line) {
			return game.UTF8
		}
		if cut {
			for k := 1; k < utf8.UTFMax && k <= len(line); k++ {
				if c := line[len(line)-k]; utf8.RuneStart(c) {
					if !utf8.FullRune(line[len(line)-k:]) && utf8.Valid(line[:len(line)-k]) {
						return game.UTF8
					}
					break
				}
			}
		}
		return game.Latin1
	}
	return game.ASCII
}

// advance counts the lines up to buf[to].
func (r *Reader) advance(to int) {
	if to <= r.mark {
		return
	}
	b := r.p.buf[r.mark:to]
	r.p.work += int64(len(b))
	n, col := r.lines(b)
	if n > 0 {
		r.line += n
		r.col = col
	} else {
		r.col += len(b)
	}
	r.mark = to
}

// lines counts the line ends in b, and the bytes after the last.
func (r *Reader) lines(b []byte) (n, col int) {
	n = bytes.Count(b, []byte{'\n'})
	last := bytes.LastIndexByte(b, '\n')
	if r.cr {
		// A carriage return alone ends a line. Counting stops between lines only.
		n += bytes.Count(b, []byte{'\r'}) - bytes.Count(b, []byte{'\r', '\n'})
		last = max(last, bytes.LastIndexByte(b, '\r'))
	}
	return n, len(b) - 1 - last
}

// finish completes a game that was read: where it is, and its error.
func (r *Reader) finish(g *game.Game) error {
	p := &r.p
	r.number++
	r.advance(p.start)
	if p.stop < p.start {
		p.stop = p.start
	}
	src := &g.Source
	src.Number = r.number
	src.Start, src.End = p.base+int64(p.start), p.base+int64(p.stop)
	src.Line = r.line + 1
	src.Encoding = p.encoding()
	r.from = p.stop
	if p.err == nil {
		return nil
	}
	e := p.err
	e.Game = r.number
	e.Line, e.Column = r.line+1, r.col+1
	if p.errAt > p.start {
		n, col := r.lines(p.buf[p.start:p.errAt])
		if n > 0 {
			e.Line, e.Column = e.Line+n, col+1
		} else {
			e.Column += p.errAt - p.start
		}
	}
	e.Raw = bytes.Clone(p.buf[p.start:p.stop])
	return e
}

// tooLong gives the game that fills the buffer as far as it goes, and passes over the rest of it.
func (r *Reader) tooLong(g *game.Game, err error) error {
	if err != errFull {
		return err
	}
	p := &r.p
	p.last, p.lim = true, p.end
	st := p.parse(g, r.from)
	p.last = false
	if st == none || p.stop <= r.from {
		// White space, comments or an escaped line without end: pass over them.
		g.Reset()
		p.start, p.stop = r.from, p.end
		p.err = nil
	}
	p.err = nil
	whole := p.stop < p.end-pad && p.terminated
	if !whole {
		p.stop = p.end
	}
	p.fail(p.stop, 0, codec.TooLong(p.opt.maxGame), "")
	e := r.finish(g)
	if whole {
		p.lim = p.end - pad
		return e
	}
	// Look for the next line that can be a game's first.
	for {
		b := p.buf[r.from:p.end]
		p.work += int64(len(b))
		if t := nextTags(b); t >= 0 && t+256 < len(b) || p.last && t >= 0 {
			r.advance(r.from + t)
			r.from += t
			break
		}
		if p.last {
			r.advance(p.end)
			r.from = p.end
			break
		}
		if n := len(b) - 512; n > 0 { // keep what may be the beginning of it
			r.advance(r.from + n)
			r.from += n
		}
		if err := r.fill(); err != nil {
			return err
		}
	}
	g.Source.End = p.base + int64(r.from)
	return e
}

// All returns the games from here to the end of the input: see codec.Reader.
func (r *Reader) All() iter.Seq2[*game.Game, error] { return codec.All(r.Read) }
