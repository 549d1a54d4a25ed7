// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"context"
	"crypto/sha256"
	"io"
	"slices"
	"sync"

	"ply11/bitstream"
	"ply11/moveindex"
)

// SourceError is an error of one of several archives that are read.
type SourceError struct {
	Source int // its number, from 0
	Err    error
}

func (e *SourceError) Error() string { return e.Err.Error() }

func (e *SourceError) Unwrap() error { return e.Err }

// Copy writes the games of archives to one, in their order. The new archive unpacks to the texts of the old ones, one
// after the other, and is canonical if one of them is. An error of one of the archives is a *SourceError.
//
// Without WithDense, blocks are verified and copied as they are. With it, the moves are stored in that form: a single
// archive becomes what Pack makes of its text, with the same WithBlockGames.
//
// With WithBlockGames, WithCanonical or another WithPolicy than Keep, the text is unpacked and packed again, and so it
// keeps the layout that a canonical archive unpacks to.
func Copy(ctx context.Context, dst io.Writer, srcs []io.Reader, options ...CopyOption) (_ Stats, err error) {
	defer guard(&err)
	o, err := apply(options)
	if err != nil {
		return Stats{}, err
	}
	if o.blocks || o.canonical || o.policy != Keep {
		return copyText(ctx, dst, srcs, o)
	}
	if len(srcs) == 1 {
		if x, ok := srcs[0].(*ordered); ok && x.t.root.edited && !x.t.Canonical() {
			x.sum = sha256.New()
		}
	}
	scanners := make([]*Scanner, len(srcs))
	flags := uint32(0)
	for i, src := range srcs {
		s := newScanner(src, min(scanBuffer, max(scanBuffers/len(srcs), 4<<10)))
		if s.err = s.open(); s.err != nil {
			return Stats{}, &SourceError{i, s.err}
		}
		flags |= s.header.flags & knownFlags
		scanners[i] = s
	}
	if o.form != asIs {
		flags &^= flagSearch
		if !o.noFilter {
			flags |= flagSearch
		}
	}
	out := newFileWriter(dst, header{flags})
	if err := recodeBlocks(ctx, out, &o, scanners); err != nil {
		return out.stats, err
	}
	if len(scanners) == 1 && scanners[0].root.stats.Hashed {
		out.stats.SHA256, out.stats.Hashed = scanners[0].root.stats.SHA256, true
		out.setProperty(propertyHash, scanners[0].root.property(propertyHash))
	}
	for _, s := range slices.Backward(scanners) {
		out.setMeta(s.root.meta())
	}
	out.setMeta(o.meta)
	err = out.close()
	return out.stats, err
}

func recodeBlocks(ctx context.Context, out *fileWriter, o *options, scanners []*Scanner) error {
	type result struct {
		source int
		block  packedBlock
		join   []byte // the line end that it lacks before another text
	}
	z := newZstd()
	var join []byte // of the block before
	last := 0
	source := 0
	search := out.header.flags&flagSearch != 0
	return eachBlock(ctx, o.workers, func(r *result) (*Block, error) {
		for ; source < len(scanners); source++ {
			b, err := scanners[source].Next()
			if r.source = source; err == nil {
				return b, nil
			}
			if err != io.EOF {
				return nil, &SourceError{source, err}
			}
			scanners[source].b = Block{} // its memory, of thousands of archives
		}
		return nil, io.EOF
	}, func() func(b *Block, r *result) error {
		w := recoder{form: o.form, search: search, columns: columnWriter{zstd: z, noFilter: o.noFilter}}
		return func(b *Block, r *result) error {
			err := w.guarded(&r.block, b)
			if err == nil && o.lineEnds && len(scanners) > 1 {
				r.join, err = b.lineEnd()
			}
			if err != nil {
				err = &SourceError{r.source, err}
			}
			return err
		}
	}, func(_ *Block, r *result) error {
		if r.source != last && len(join) > 0 {
			out.block(textBlock(join))
		}
		last, join = r.source, r.join
		if err := out.block(&r.block); err != nil {
			return err
		}
		o.progress(out.stats)
		return nil
	})
}

// lineEnd returns the line end that the text of a block lacks: nil if it ends with one, or is empty.
func (b *Block) lineEnd() (_ []byte, err error) {
	defer guard(&err)
	if err := b.openExceptions(); err != nil {
		return nil, err
	}
	text := b.except.lead
	if n := b.Len(); n > 0 {
		if x, _, err := b.Exception(n); err != nil || !x.Text {
			return nil, err // a layout ends each game with a line end
		}
		if text, err = b.AppendText(nil, n, nil); err != nil {
			return nil, err
		}
	}
	if len(text) == 0 || text[len(text)-1] == '\n' || text[len(text)-1] == '\r' {
		return nil, nil
	}
	style, err := b.Style()
	if style.CRLF {
		return []byte("\r\n"), err
	}
	return []byte("\n"), err
}

func textBlock(text []byte) *packedBlock {
	e := newEncoder(&options0, newZstd())
	e.setLead(text)
	p := new(packedBlock)
	p.data, p.head = e.block(nil, 0)
	p.keys = e.keys
	return p
}

type recoder struct {
	form    form
	search  bool // search parts are made
	columns columnWriter
	lengths []uint32
}

func (r *recoder) guarded(out *packedBlock, b *Block) (err error) {
	defer guard(&err)
	return r.recode(out, b)
}

// recode verifies the digests of a block, and makes one in the recoder's form.
func (r *recoder) recode(out *packedBlock, b *Block) error {
	if err := b.verifyDigests(); err != nil {
		return err
	}
	if err := out.setKeys(b, r.search); err != nil {
		return err
	}
	if r.form == asIs || b.Len() == 0 ||
		b.Dense() == (r.form == denseForm) && (b.head.find(ColumnFilter) >= 0) == (r.form == fixedForm &&
			!r.columns.noFilter) {
		out.copy(b)
		return nil
	}
	words, err := b.appendWords(b.all[:0])
	if err != nil {
		return err
	}
	b.all = words
	if err := b.completePlies(); err != nil {
		return err
	}
	for i := range b.Len() {
		if _, err := b.result(i); err != nil {
			return err
		}
	}
	if r.lengths, err = b.appendLengths(r.lengths[:0]); err != nil {
		return err
	}
	w := &r.columns
	w.begin(out.data[:0])
	w.putMoves(words, r.lengths, b.Plies(), r.form == denseForm)
	for _, c := range b.head.columns {
		switch c.kind {
		case columnIndex, ColumnMoves, ColumnDense, columnGames, ColumnFilter:
		case columnClocks, columnTimes, columnEvals:
			raw, err := b.column(c.kind)
			if err != nil {
				return err
			}
			m, err := b.noteMarks()
			if err != nil {
				return err
			}
			w.putNumbers(c.kind, raw, m)
		default:
			if c.kind.known() || c.kind.kept() {
				w.copy(c, b.data[c.offset:c.offset+c.stored])
			}
		}
	}
	out.head = b.head
	out.data = w.block(&out.head)
	if !out.head.fits() {
		return b.corrupt(columnExceptions, -1, "there is no room for what the block must have")
	}
	return nil
}

// appendWords appends all words of MoveColumn to dst.
//
// Cost: under 0.2 ns a word (see BenchmarkReadIndices).
func (b *Block) appendWords(dst []moveindex.Index) (_ []moveindex.Index, err error) {
	defer guard(&err)
	if b.head.dense && b.Len() > 0 {
		if err := b.decode(b.Len() - 1); err != nil {
			return dst, err
		}
		return append(dst, b.coded.words...), nil
	}
	moves, err := b.column(ColumnMoves)
	if err != nil {
		return dst, err
	}
	at, n := len(dst), b.Words()
	if cap(dst)-at < n {
		dst = append(dst, make([]moveindex.Index, n)...)
	} else {
		dst = dst[:at+n]
	}
	bitstream.Unpack(dst[at:], moves, 0)
	return dst, nil
}

func (p *packedBlock) setKeys(b *Block, search bool) (err error) {
	if p.keys = nil; search {
		p.keys, err = b.searchKeys()
	}
	return err
}

func (p *packedBlock) copy(b *Block) {
	p.head = b.head
	p.head.columns = slices.Clone(b.head.columns)
	p.data = append(p.head.encode(p.data[:0]), b.data...)
}

func (f *fileWriter) copy(b *Block) error {
	var p packedBlock
	if err := p.setKeys(b, f.header.flags&flagSearch != 0); err != nil {
		return err
	}
	p.copy(b)
	return f.block(&p)
}

func copyText(ctx context.Context, dst io.Writer, srcs []io.Reader, o options) (Stats, error) {
	var wg sync.WaitGroup
	defer wg.Wait()
	pipe := func(write func(w io.Writer) error) *io.PipeReader {
		r, w := io.Pipe()
		wg.Go(func() { w.CloseWithError(write(w)) })
		return r
	}
	src := pipe(func(w io.Writer) error {
		if len(srcs) == 1 {
			_, err := Unpack(ctx, w, srcs[0], WithWorkers(o.workers))
			return err
		}
		joined := pipe(func(w io.Writer) error {
			_, err := Copy(ctx, w, srcs, WithLineEnds(o.lineEnds), WithWorkers(o.workers))
			return err
		})
		_, err := Unpack(ctx, w, joined, WithWorkers(o.workers))
		joined.CloseWithError(io.ErrClosedPipe)
		return err
	})
	stats, err := pack(ctx, dst, src, o)
	src.CloseWithError(io.ErrClosedPipe)
	return stats, err
}
