// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"fmt"
	"io"
	"slices"
	"sync"

	"ply11/bitstream/codec"
)

// Form is how the moves of an archive are stored.
type Form uint8

// The forms.
const (
	AsIs  Form = iota // each block as it is
	Fixed             // eleven bits a move, every ply at a computed address
	Dense             // by package dense: see Options.Dense
)

// RecodeOptions are the options of Recode. The zero value copies.
type RecodeOptions struct {
	Form Form
	// Format is the version of the format to be written, 1 to 3; 0 is the least that has all, and 3 if one of the archives is of it.
	Format int
	// Meta is properties of the new archive, beside those of the old ones: see Reader.Meta. They need version 3. Of the properties of several
	// archives, the first that has a name counts.
	Meta map[string]string
	// NoFilter leaves out the column of filters. Without it, blocks that are stored in the form Fixed are given one if they have none.
	NoFilter bool
	// Workers is the number of goroutines; 0 is one for each processor, at most 4. The result does not
	// depend on it.
	Workers int
	// Progress is called now and then with what has been done.
	Progress func(Stats)
}

// SourceError is an error of one of several archives that are read.
type SourceError struct {
	Source int // its number, from 0
	Err    error
}

// Error is that of the archive.
func (e *SourceError) Error() string { return e.Err.Error() }

// Unwrap returns the error of the archive.
func (e *SourceError) Unwrap() error { return e.Err }

// Merge writes the games of several archives to one, in their order. Blocks are verified and copied as they are,
// so that it costs little more than reading; the new archive unpacks to the texts of the old ones, one after the
// other, and is canonical if one of them is.
func Merge(dst io.Writer, srcs ...io.Reader) (Stats, error) {
	return Recode(dst, RecodeOptions{Workers: 1}, srcs...)
}

// Recode is Merge, and stores the moves in another form. Nothing else changes: the new archive unpacks to the same
// text, and the one made of a single archive is that which Pack makes of the text, with the same BlockGames. An error
// of one of the archives is a *SourceError.
func Recode(dst io.Writer, o RecodeOptions, srcs ...io.Reader) (_ Stats, err error) {
	defer guard(&err)
	scanners := make([]*Scanner, len(srcs))
	h := header{}
	isDense := false
	for i, src := range srcs {
		s := NewScanner(src)
		if s.err = s.open(); s.err != nil {
			return Stats{}, &SourceError{i, s.err}
		}
		h.flags |= s.header.flags & knownFlags
		h.version = max(h.version, s.header.version)
		isDense = isDense || s.header.dense()
		scanners[i] = s
	}
	if o.Form != AsIs {
		isDense = o.Form == Dense
	}
	if o.Format != 0 || h.version < 3 {
		h.version = versionOf(o.Format, isDense)
	}
	format := o.Format
	if o.Form == AsIs && format == 1 && isDense {
		return Stats{}, fmt.Errorf("%w: dense moves need format 2 or 3", codec.ErrOption)
	}
	if err := checkFormat(format, h.version, isDense, o.Meta); err != nil {
		return Stats{}, err
	}
	out := newFileWriter(dst, newHeader(h.version, isDense, h.flags))
	if err := recodeBlocks(out, o, scanners); err != nil {
		return out.stats, err
	}
	if len(scanners) == 1 && scanners[0].hash != nil {
		copy(out.stats.SHA256[:], scanners[0].hash)
		out.stats.Hashed = true
		out.setProperty(propertyHash, scanners[0].property(propertyHash))
	}
	for i := range scanners {
		if r := scanners[len(scanners)-1-i].root; r != nil {
			out.setMeta(r.meta())
		}
	}
	out.setMeta(o.Meta)
	err = out.close()
	return out.stats, err
}

// recodeBlocks writes the blocks of all scanners.
func recodeBlocks(out *fileWriter, o RecodeOptions, scanners []*Scanner) error {
	type job struct {
		b      Block // its header and data alone
		source int
		out    packedBlock
		err    error
	}
	z := newZstd()
	var readErr error
	source := 0
	p := pipeline[job]{
		workers: atMostWorkers(o.Workers),
		budget:  4 * usualBlock,
		produce: func(j *job) bool {
			for ; source < len(scanners); source++ {
				b, err := scanners[source].Next()
				if err == nil {
					j.b.take(b)
					j.source = source
					return true
				}
				if err != io.EOF {
					readErr = &SourceError{source, err}
					return false
				}
			}
			return false
		},
		cost: func(j *job) int { return j.b.weigh() },
		worker: func() func(j *job) {
			r := recoder{form: o.Form, columns: columnWriter{zstd: z, noFilter: o.NoFilter, v3: out.header.version >= 3}}
			var b Block
			return func(j *job) {
				b.take(&j.b)
				j.err = r.guarded(&j.out, &b)
				j.b.take(&b)
			}
		},
		consume: func(j *job) error {
			if j.err != nil {
				return &SourceError{j.source, j.err}
			}
			if err := out.block(&j.out); err != nil {
				return err
			}
			if o.Progress != nil {
				o.Progress(out.stats)
			}
			return nil
		},
	}
	if err := p.run(); err != nil {
		return err
	}
	return readErr
}

// recoder stores blocks in another form.
type recoder struct {
	form    Form
	columns columnWriter
	lengths []uint32
}

// guarded is recode, and its panic is an error of the block.
func (r *recoder) guarded(out *packedBlock, b *Block) (err error) {
	defer b.guard(&err)
	return r.recode(out, b)
}

// recode verifies the checksums of a block, and makes of it one in the recoder's form.
func (r *recoder) recode(out *packedBlock, b *Block) error {
	for i := range b.head.columns {
		if _, err := b.check(i); err != nil {
			return err
		}
	}
	filtered, summed := b.head.find(ColumnFilter) >= 0, b.head.find(ColumnSummary) >= 0
	wants := r.columns.v3 && !r.columns.noFilter // a summary
	if r.form == AsIs || b.Games() == 0 || b.Dense() == (r.form == Dense) && filtered == (r.form == Fixed && !r.columns.noFilter) &&
		(b.head.v3 != r.columns.v3 || summed == wants) {
		return out.reform(&r.columns, b)
	}
	words, err := b.AppendWords(b.words[:0])
	if err != nil {
		return err
	}
	b.words = words
	plies := 0
	r.lengths = r.lengths[:0]
	for i := range b.Games() {
		_, n, err := b.address(i)
		if err != nil {
			return err
		}
		if _, err := b.result(i); err != nil {
			return err
		}
		plies += n
		_, length, _ := b.span(i)
		r.lengths = append(r.lengths, length)
	}
	if plies != b.Plies() {
		return b.corrupt(ColumnIndex, -1, fmt.Sprintf("%d plies, not %d", plies, b.Plies()))
	}
	w := &r.columns
	w.begin(out.data[:0])
	w.setMoves(words, r.lengths, r.form == Dense)
	w.putFixed()
	// What is made anew comes where its kind has its place.
	dense, filter := false, false
	for _, c := range b.head.columns {
		if c.kind > ColumnGames && !dense {
			w.putDense()
			dense = true
		}
		if c.kind > ColumnFilter && !filter {
			w.putFilter()
			filter = true
		}
		switch c.kind {
		case ColumnIndex, ColumnMoves, ColumnDense, ColumnGames, ColumnFilter, ColumnSummary:
		default:
			w.copy(c, b.data[c.offset:c.offset+c.stored])
		}
	}
	if !dense {
		w.putDense()
	}
	if !filter {
		w.putFilter()
	}
	if wants {
		if w.summary, err = b.appendSummary(w.summary[:0], &w.sums); err != nil {
			return err
		}
		w.put(ColumnSummary, w.summary, false)
	}
	out.head = b.head
	out.data = w.block(&out.head)
	return nil
}

// reform makes p a block that was read, in the version that w writes.
func (p *packedBlock) reform(w *columnWriter, b *Block) (err error) {
	if b.head.v3 != w.v3 {
		p.data, p.head, err = w.reform(p.data[:0], b)
		return err
	}
	p.head = b.head
	p.head.columns = slices.Clone(b.head.columns)
	p.data = append(p.head.encode(p.data[:0]), b.data...)
	return nil
}

// copy writes a block that was read.
func (f *fileWriter) copy(b *Block) error {
	var p packedBlock
	if err := p.reform(&columnWriter{v3: f.header.version >= 3}, b); err != nil {
		return err
	}
	return f.block(&p)
}

// Repack unpacks an archive and packs its text again, with other options: it is what changes the number of games of a
// block. The new archive is the one that Pack makes of the text, and so it keeps the layout that a canonical one unpacks to.
func Repack(dst io.Writer, src io.Reader, o Options) (Stats, error) {
	r, w := io.Pipe()
	var wg sync.WaitGroup
	wg.Go(func() {
		_, err := Unpack(w, src, o.Workers, nil)
		w.CloseWithError(err)
	})
	stats, err := Pack(dst, r, o)
	r.CloseWithError(io.ErrClosedPipe)
	wg.Wait()
	return stats, err
}
