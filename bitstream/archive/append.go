// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"context"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"

	"ply11/internal/inplace"
)

// ErrInPlace: the games have no layout, and the archive keeps that of its games. Copy makes a new one.
var ErrInPlace = errors.New("games cannot be added to this archive in place")

// File is a file to write to in place, as an *os.File is.
type File = inplace.File

// Append adds the games of archives to the end of one, in a file of this size. What is in the file stays as it is: only
// a part of the index is read, and with WithLineEnds the last block. The new blocks are verified, and written behind
// the archive, then a new index and footer.
//
// At any instant a reader finds in the file the archive that it held, or the one with all new games, also if Append is
// interrupted or fails: see Reader.Unfinished. It is not for two writers at once. What stands behind the archive and
// would be lost is an error: see Reader.WouldLose and WithDiscard.
//
// Cost: the new games are unpacked, for the hash of the text; besides their blocks some kilobytes are written.
func Append(ctx context.Context, f File, size int64, srcs []io.Reader, options ...AppendOption) (_ Stats, err error) {
	defer guard(&err)
	o, err := apply(options)
	if err != nil {
		return Stats{}, err
	}
	a, err := openToWrite(f, size, &o)
	if err != nil {
		return Stats{}, err
	}
	r := a.r
	scanners := make([]*Scanner, len(srcs))
	for i, src := range srcs {
		s := NewScanner(src)
		if s.err = s.open(); s.err != nil {
			return r.stats, &SourceError{i, s.err}
		}
		scanners[i] = s
		if s.Canonical() && !r.Canonical() {
			return r.stats, &SourceError{i, fmt.Errorf("%w: it is canonical, and the archive is not", ErrInPlace)}
		}
	}
	a.recode = recoder{form: o.form, search: !o.noFilter, columns: columnWriter{zstd: newZstd(), noFilter: o.noFilter}}
	if a.lineEnds = o.lineEnds; o.lineEnds && r.blocks > 0 && len(srcs) > 0 {
		last, err := r.Block(r.blocks)
		if err == nil {
			a.join, err = last.lineEnd()
		}
		if err != nil {
			return r.stats, err
		}
	}
	return a.write(func() error {
		for i, s := range scanners {
			if err := a.add(ctx, s, o.progress); err != nil && !errors.Is(err, a.out.err) {
				return &SourceError{i, err}
			} else if err != nil {
				return err
			}
		}
		a.out.setMeta(o.meta)
		return nil
	})
}

// openToWrite opens an archive to write on where it ends. It is an error if something would be lost.
func openToWrite(f File, size int64, o *options) (*appender, error) {
	r, err := NewReader(f, size)
	if err == nil && !o.discard {
		err = r.WouldLose()
	}
	if err != nil {
		return nil, err
	}
	a := &appender{r: r, f: f}
	a.begin()
	return a, nil
}

// write writes behind the archive, and then a new end. If that fails, the archive is what it was.
func (a *appender) write(do func() error) (Stats, error) {
	w, err := inplace.New(a.f, a.r.size, a.r.mark())
	if err != nil {
		return a.r.stats, err
	}
	a.out.w = w
	if err = do(); err == nil {
		if a.sum != nil {
			a.out.setHash(a.sum)
		}
		err = a.out.close()
	}
	if err == nil {
		err = w.Commit()
	}
	if err != nil {
		return a.r.stats, errors.Join(err, w.Abandon())
	}
	return a.out.stats, nil
}

type appender struct {
	r        *Reader
	f        File
	out      *fileWriter
	recode   recoder
	sum      hash.Hash
	text     []byte
	lineEnds bool
	join     []byte // the line end that what is there lacks before another text
}

// begin makes a writer of what the archive has.
func (a *appender) begin() {
	r := a.r
	a.out = &fileWriter{header: r.header, stats: r.stats, dense: r.root.dense, edited: r.root.edited,
		top: r.root.top, props: r.root.props}
	a.out.stats.Bytes = r.size
	for level, refs := range a.out.top {
		a.out.top[level] = slices.Clone(refs)
	}
	a.out.merge = func(e ref, first int) ([]ref, []*searchKeys, error) {
		var n node
		if err := a.r.loadPart(&n, 0, e); err != nil {
			return nil, nil, err
		}
		keys := make([]*searchKeys, len(n.refs))
		for i := range keys {
			if len(n.search) == 0 {
				break
			}
			b, err := a.r.Block(first + i + 1)
			if err == nil {
				keys[i], err = b.searchKeys()
			}
			if err != nil {
				return nil, nil, err
			}
		}
		return n.refs, keys, nil
	}
	if state := a.r.root.property(propertyHash); state != "" {
		a.sum, _ = resumeHash(state, a.r.stats.Text) // it was verified
	}
	a.out.stats.Hashed, a.out.stats.SHA256 = false, [32]byte{}
	a.out.setProperty(propertyHash, "")
}

func (a *appender) add(ctx context.Context, s *Scanner, progress func(Stats)) error {
	join := a.join
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		b, err := s.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		var p packedBlock
		if a.recode.form == asIs {
			a.recode.search = s.header.flags&flagSearch != 0
		}
		if err := a.recode.guarded(&p, b); err != nil {
			return err
		}
		if a.text, err = b.AppendAll(a.text[:0]); err == nil {
			err = b.complete()
		}
		if err != nil {
			return err
		}
		if len(join) > 0 {
			a.out.block(textBlock(join))
		}
		if a.sum != nil {
			a.sum.Write(join)
			a.sum.Write(a.text)
		}
		join = nil
		if a.lineEnds {
			if a.join, err = b.lineEnd(); err != nil {
				return err
			}
		}
		if err := a.out.block(&p); err != nil {
			return err
		}
		progress(a.out.stats)
	}
}
