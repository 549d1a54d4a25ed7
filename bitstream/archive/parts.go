// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
)

// filePart is a part of a file: a header, a block, a part of the index, a search part, a footer with its trailer, or a
// trailer alone.
type filePart struct {
	mark    uint32 // archiveMark is that of a header
	at      int64
	size    int64  // of a block with its data, which is not read
	b       []byte // its bytes, a block's header's; nil if it does not have its size
	have    []byte // the bytes that were read of it
	header  header
	head    head
	index   part
	root    root
	trailer []byte
	end     error // what is wrong with it
}

var archiveMark = le.Uint32(magic[:])

func (p *filePart) isTail() bool { return isTail(p.mark) }

func isTail(mark uint32) bool {
	return mark == searchMark || mark == indexMark || mark == footerMark
}

const notBegun = "neither a block nor the footer begins here"

func (p *filePart) leads() bool { return p.mark == footerMark && p.end == nil }

// read reads the part with which the input begins, at an offset of its archive. It returns io.EOF if nothing is there.
// A CorruptError of a block does not have its number. mark and, if the part is all there, b are set with an error, too.
func (p *filePart) read(in io.Reader, at int64) error {
	p.at, p.size, p.mark, p.b, p.have, p.end = at, 0, 0, nil, nil, nil
	name, have := "block", make([]byte, 0, maxBlockHead)
	fail := func(reason string) error {
		return corruptPart(name, at, reason)
	}
	defer func() { p.have = have }()
	more := func(n int) (err error) { // has the first n bytes
		from := len(have)
		if have, err = readGrowing(in, have, n-from); err == io.EOF && from == 0 {
			return io.EOF
		} else if err == io.EOF || err == io.ErrUnexpectedEOF {
			return cutOff(name, at)
		}
		return err
	}
	if err := more(8); err != nil {
		return err
	}
	p.mark = le.Uint32(have)
	switch p.mark {
	case blockMark:
		n := headSize(have)
		if n == 0 {
			return fail(notBegun)
		}
		if err := more(n); err != nil {
			return err
		}
		p.b = have
		if err := p.head.decode(have); err != nil {
			return err
		}
		p.size = int64(p.head.size) + int64(p.head.data)
	case searchMark:
		name = "search"
		if err := more(searchFixed); err != nil {
			return err
		}
		n, err := decodeSearch(have, at)
		if err == nil {
			err = more(n)
		}
		if err != nil {
			return err
		}
		p.b = have
	case indexMark:
		name = "index"
		if err := more(partFixed); err != nil {
			return err
		}
		n := partSize(have)
		if n == 0 {
			return fail("it is not of its size")
		}
		if err := more(n); err != nil {
			return err
		}
		p.b = have
		if err := p.index.decode(have, at, true); err != nil { // their order is that of what was passed
			return err
		}
	case footerMark:
		name = "footer"
		if err := more(rootFixed); err != nil {
			return err
		}
		n := int(le.Uint32(have[4:]))
		if n < rootFixed+4 || n > tailRead-trailerSize {
			return fail("its size is not that of a footer")
		}
		if err := more(n); err != nil {
			return err
		}
		footer := slices.Clip(have)
		p.end = p.readTrailer(in, trailerOf(footer, at))
		p.b = footer
		p.root = root{}
		if err := p.root.decode(footer, at); err != nil {
			return err
		}
		p.size = int64(n) + trailerSize
		var c *CorruptError
		if p.end != nil && !errors.As(p.end, &c) && !errors.Is(p.end, ErrVersion) {
			return p.end // of the file
		}
	case trailerMark: // of a footer that is damaged
		name = "trailer"
		if err := more(trailerSize); err != nil {
			return err
		}
		t, err := decodeTrailer(have, at)
		if err == nil && t.unfinished != 0 {
			err = fail("it is that of an archive before, to which more was to be added")
		}
		if err != nil {
			return err
		}
		p.b = have
	case archiveMark:
		if err := more(headerSize); err != nil {
			return err
		}
		h, err := decodeHeader(have)
		if err != nil {
			return err
		}
		p.b, p.header = have, h
	default:
		return fail(notBegun)
	}
	p.size = cmp.Or(p.size, int64(len(p.b)))
	return nil
}

func (p *filePart) readTrailer(in io.Reader, want trailer) error {
	at := int64(want.at) + int64(want.size)
	p.trailer = make([]byte, trailerSize)
	n, err := io.ReadFull(in, p.trailer)
	if p.trailer = p.trailer[:n]; err == io.EOF || err == io.ErrUnexpectedEOF {
		return cutOff("trailer", at)
	} else if err != nil {
		return err
	}
	t, err := decodeTrailer(p.trailer, at)
	if err == nil && t != want {
		err = corruptPart("trailer", at, "it does not tell of the footer")
	}
	return err
}

func (p *filePart) readAt(r io.ReaderAt, at, size int64) error {
	return p.read(io.NewSectionReader(r, at, size-at), at)
}

var partMarks = marksOf(blockMark, searchMark, indexMark, footerMark, trailerMark, archiveMark)

func marksOf(marks ...uint32) (list [][]byte) {
	for _, m := range marks {
		list = append(list, le.AppendUint32(nil, m))
	}
	return list
}

// find reads the first sound part with one of these marks, from an offset on. It returns false if there is none.
func (p *filePart) find(r io.ReaderAt, at, size int64, marks [][]byte) (bool, error) {
	_, found, err := search(r, at, size, marks, func(_ int, at int64) (bool, error) {
		err := p.readAt(r, at, size)
		if isDamage(err) {
			return false, nil
		}
		return err == nil, err
	})
	return found >= 0, err
}

// isDamage reports whether an error is of what stands in a file, and not of reading it.
func isDamage(err error) bool {
	return errors.Is(err, ErrCorrupt) || errors.Is(err, ErrVersion) || errors.Is(err, ErrNotArchive) || err == io.EOF
}

// eachPart calls do with each sound part of a file, front to back, and whether there is no gap before it. It does not
// look into the data of blocks.
func eachPart(ctx context.Context, r io.ReaderAt, size int64, do func(p *filePart, joined bool)) error {
	var p filePart
	for at := int64(0); at < size; {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := p.readAt(r, at, size)
		joined := err == nil
		if isDamage(err) {
			var ok bool
			if ok, err = p.find(r, at+1, size, partMarks); err == nil && !ok {
				return nil
			}
		}
		if err != nil {
			return err
		}
		do(&p, joined)
		at = p.at + p.size
	}
	return nil
}

// walk goes through the parts of an archive, front to back. It verifies that each tells of those before it.
type walk struct {
	header header
	at     int64
	part   filePart
	expect span // the blocks and games before the block that should come next

	blocks []passedBlock
	now    []int // of each number, the last of the blocks
	tally  tally
	parts  map[uint64]passed
	rooted bool
	edited bool // blocks took the places of others
	// search is the search part at searchAt, until the part of the index is passed that tells of it.
	search   []byte
	searchAt int64
}

func (w *walk) read(in io.Reader) error { return w.placed(w.part.read(in, w.at)) }

// placed gives an error of the block that should come its place.
func (w *walk) placed(err error) error {
	if c := (*CorruptError)(nil); errors.As(err, &c) && c.Part == "block" {
		c.Block, c.Offset = w.expect.blocks+1, w.part.at
	}
	return err
}

// next reads and passes the part that comes next. The data of a block is not read.
func (w *walk) next(in io.Reader) error {
	err := w.read(in)
	if err == nil {
		err = w.pass(&w.part)
	}
	return err
}

// pass verifies that a part tells of those that were passed, or follows them, and adds it.
func (w *walk) pass(p *filePart) (err error) {
	switch p.mark {
	case blockMark:
		err = w.block(&p.head, p.at, p.b)
	case searchMark:
		if w.search != nil {
			err = corruptPart("search", w.searchAt, "no part of the index tells of it")
		}
		w.search, w.searchAt = p.b, p.at
	case indexMark:
		err = w.index(&p.index, p.b, p.at)
	case footerMark:
		if !w.footer(&p.root) {
			err = corruptPart("footer", p.at, "it is not that of the blocks")
		} else if p.root.head != w.header {
			err = corruptPart("footer", p.at, "it is of another header")
		} else {
			err = p.end
		}
	default:
		err = w.placed(corruptPart("block", p.at, notBegun))
	}
	if err == nil {
		w.at += p.size
	}
	return err
}

type passedBlock struct {
	ref
	number int // from 0
	tally  tally
}

// tally is what a footer counts of blocks.
type tally struct{ dense, plies, text int64 }

func (t *tally) add(o tally, times int64) {
	t.dense += times * o.dense
	t.plies += times * o.plies
	t.text += times * o.text
}

type passed struct {
	ref
	level, first int // its first block, from 0
}

// block adds a block, whose header is b. It takes the place of one of its number. If another should come, it is added,
// and is an error.
func (w *walk) block(h *head, at int64, b []byte) (err error) {
	p := passedBlock{h.ref(at, b), len(w.now), tally{0, int64(h.plies), int64(h.text)}}
	if h.dense {
		p.tally.dense = 1
	}
	if w.replaces(h) {
		p.number = int(h.number)
		old := &w.blocks[w.now[p.number]]
		w.expect.games -= old.games
		w.tally.add(old.tally, -1)
		w.now[p.number] = len(w.blocks)
		w.expect.games += p.games
		w.edited = true
	} else {
		if int(h.number) != w.expect.blocks {
			err = corruptBlock(w.expect.blocks+1, at,
				fmt.Sprintf("it is block %d, and not %d", int64(h.number)+1, w.expect.blocks+1))
		}
		w.expect = span{int(h.number) + 1, w.expect.games + p.games}
		w.now = append(w.now, len(w.blocks))
	}
	w.blocks = append(w.blocks, p)
	w.tally.add(p.tally, 1)
	return err
}

func (w *walk) replaces(h *head) bool { return int(h.number) < len(w.now) && w.rooted }

func (w *walk) reset(h header) {
	clear(w.parts)
	*w = walk{header: h, at: headerSize, blocks: w.blocks[:0], now: w.now[:0], parts: w.parts}
}

func (w *walk) index(p *part, b []byte, at int64) error {
	fail := func() error {
		return corruptPart("index", at, "it is not that of the blocks")
	}
	var found searchPart
	if search := w.search; searchSize(p.search) != int64(len(search)) || search != nil &&
		w.searchAt+int64(len(search)) != at {
		return fail()
	} else if w.search = nil; search != nil {
		found.open(bytes.NewReader(search), p, int64(len(search)))
		for i := range p.search {
			if _, err := found.column(i); err != nil {
				return placed(err, 0, w.searchAt)
			}
		}
	}
	first := 0
	if p.level == 0 {
		for k, e := range p.refs {
			i, ok := slices.BinarySearchFunc(w.blocks, e.at, func(p passedBlock, at uint64) int {
				return cmp.Compare(p.at, at)
			})
			if !ok || w.blocks[i].ref != e || k > 0 && w.blocks[i].number != first+k {
				return fail()
			}
			if k == 0 {
				first = w.blocks[i].number
			}
		}
	} else {
		next, ok := w.follows(p.refs, p.level-1, -1)
		if !ok {
			return fail()
		}
		first = next - sumOf(p.refs, p.level-1).blocks
	}
	all := sumOf(p.refs, p.level-1)
	if w.parts == nil {
		w.parts = map[uint64]passed{}
	}
	w.parts[uint64(at)] = passed{ref{uint64(at), all.games, uint32(len(b)), uint32(all.blocks), digestOf(b)}, p.level,
		first}
	return nil
}

// follows reports whether entries are of parts that were passed and whose blocks follow each other, from the number
// next on unless it is -1. It returns the number of the block after them.
func (w *walk) follows(refs []ref, level, next int) (int, bool) {
	for _, e := range refs {
		p, ok := w.parts[e.at]
		if !ok || p.ref != e || p.level != level || next >= 0 && p.first != next {
			return 0, false
		}
		next = p.first + int(e.sub)
	}
	return next, true
}

func (w *walk) footer(r *root) bool {
	next, ok := 0, true
	for level := levels - 1; level >= 0 && ok; level-- {
		next, ok = w.follows(r.top[level], level, next)
	}
	w.rooted = w.rooted || ok
	return ok && w.search == nil && (r.edited || !w.edited) && next == len(w.now) && w.tally == r.tally() &&
		span{next, w.expect.games} == span{r.stats.Blocks, uint64(r.stats.Games)}
}
