// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"errors"
	"io"

	"ply11/bitstream"
	"ply11/moveindex"
)

// readRoot reads the footer of version 3 from the file's last bytes, which end with the trailer t.end.
func (t *Reader) readRoot(tail []byte) error {
	at := t.size - trailerSize
	size := t.end.size
	if size > uint64(len(tail)-trailerSize) || t.end.at+size != uint64(at) {
		return &CorruptError{Part: "trailer", Offset: at, Err: ErrCorrupt, Reason: "the footer does not end where it begins"}
	}
	b := tail[len(tail)-trailerSize-int(size) : len(tail)-trailerSize]
	if size < 4 || le.Uint32(b[size-4:]) != t.end.crc {
		return &CorruptError{Part: "footer", Offset: int64(t.end.at), Want: t.end.crc, Got: checksum(b[:max(size, 4)-4]), Err: ErrCorrupt}
	}
	if err := t.root.decode(bytes.Clone(b), int64(t.end.at)); err != nil {
		return err
	}
	if t.headed && t.header != t.root.head {
		return &CorruptError{Part: "footer", Offset: int64(t.end.at), Reason: "it is of another header", Err: ErrCorrupt}
	}
	t.header = t.root.head
	t.stats = t.root.stats
	t.stats.Bytes = t.size
	t.blocks = t.stats.Blocks
	return nil
}

// openTail finds the last tail of a file whose header is of version 3: the file's end as a rule, and what is before it if the last
// writer did not finish. A tail counts where the blocks and tails before it lead to it, from the header on, so that the bytes of one in a
// comment do not.
func (t *Reader) openTail(tail []byte) error {
	whole := t.size
	if whole < headerSize+rootFixed+4+trailerSize {
		return &CorruptError{Part: "trailer", Offset: whole, Err: errTruncated}
	}
	end, bad := decodeTrailer(tail[len(tail)-trailerSize:], whole-trailerSize)
	if bad == nil && end.version != t.header.version {
		bad = &CorruptError{Part: "trailer", Offset: whole - trailerSize, Err: ErrCorrupt, Reason: "its version is not the header's"}
	}
	sound := bad == nil
	if sound {
		t.end = end
		bad = t.readRoot(tail)
	}
	src := t.r
	if int64(len(tail)) == whole {
		src = bytes.NewReader(tail)
	}
	c := chain{r: src, size: whole, header: t.header}
	for tries := 1; ; tries++ {
		if err := c.follow(); err != nil {
			return err
		}
		if sound && !c.inside && (c.end < whole || bad == nil) {
			return bad // where a block is damaged, the trailer at the end tells of the rest
		}
		if c.end == 0 {
			if bad == nil {
				bad = &CorruptError{Part: "trailer", Offset: whole, Err: errTruncated}
			}
			return bad
		}
		if c.damage != nil {
			return c.damage
		}
		if c.inside || c.end == whole {
			break
		}
		at, err := c.later()
		if err != nil {
			return err
		}
		if at < 0 {
			break
		}
		if tries == 3 { // else it may have been written since
			return &CorruptError{Part: "block", Block: c.blocks() + 1, Offset: c.at, Err: ErrCorrupt, Reason: "neither a block nor the end of the archive is here, and there is more behind it"}
		}
	}
	t.behind = c.odd
	t.size, t.unfinished = c.end, whole-c.end
	own := make([]byte, min(t.size, tailRead))
	if _, err := t.r.ReadAt(own, t.size-int64(len(own))); err != nil && err != io.EOF {
		return err
	}
	var err error
	if t.end, err = decodeTrailer(own[len(own)-trailerSize:], t.size-trailerSize); err != nil {
		return err
	}
	return t.readRoot(own)
}

// chain follows the blocks and tails of an archive of version 3 from its header on. It reads headers and tails alone.
type chain struct {
	r       io.ReaderAt
	size    int64
	header  header
	at      int64  // where neither a sound block nor a tail begins that is all there
	end     int64  // of the last tail; 0 if there is none
	inside  bool   // a block begins at at, and the file ends in it
	odd     bool   // at at stands what no writer puts there
	damage  error  // of a trailer that is all there
	entries []byte // of the blocks
}

func (c *chain) blocks() int { return len(c.entries) / indexEntry }

func (c *chain) follow() error {
	*c = chain{r: c.r, size: c.size, header: c.header, at: headerSize, entries: c.entries[:0]}
	var fixed [8]byte
	var h head
	for {
		n, err := c.r.ReadAt(fixed[:], c.at)
		if err != nil && err != io.EOF {
			return err
		}
		n = int(max(min(int64(n), c.size-c.at), 0))
		c.odd = !begun(fixed[:n], c.size-c.at)
		if n < len(fixed) {
			return nil
		}
		if mark := le.Uint32(fixed[:]); mark == indexMark || mark == footerMark {
			in := io.NewSectionReader(c.r, c.at, c.size-c.at)
			in.Seek(int64(len(fixed)), io.SeekStart)
			var t tailReader
			err := t.read(in, fixed[:], c.at, c.entries)
			if err == nil && t.root.head != c.header {
				return nil
			}
			if errors.Is(err, ErrCorrupt) || errors.Is(err, ErrVersion) {
				if t.at > 0 && !t.torn {
					c.damage = err
				}
				return nil
			}
			if err != nil {
				return err
			}
			c.at += t.size
			c.end = c.at
			continue
		}
		size := int64(headSize(fixed[:]))
		if size == 0 || size > c.size-c.at {
			return nil
		}
		b := make([]byte, size)
		if n, err := c.r.ReadAt(b, c.at); err != nil && err != io.EOF {
			return err
		} else if n < len(b) {
			return nil
		}
		if h.decode(b, &c.header) != nil {
			return nil
		}
		if h.first != c.next() || int(h.number) != c.blocks() {
			return nil
		}
		if all := size + int64(h.data); all > c.size-c.at {
			c.inside = true
			return nil
		}
		entry := h.entry(c.at, b)
		c.entries = append(c.entries, entry[:]...)
		c.at += size + int64(h.data)
	}
}

// begun reports whether bytes may be the first of a block or a tail that is being written, where so many are left in the file: none, zeros, behind
// which a trailer has room, or the first of a mark, or all.
func begun(b []byte, left int64) bool {
	b = b[:min(len(b), 4)]
	if b = bytes.TrimRight(b, "\x00"); len(b) == 0 {
		return left == 0 || left >= trailerSize
	}
	for _, mark := range []uint32{blockMark, indexMark, footerMark} {
		if bytes.HasPrefix(le.AppendUint32(nil, mark), b) {
			return true
		}
	}
	return false
}

// next returns the number of the game that comes after the blocks.
func (c *chain) next() uint64 {
	if len(c.entries) == 0 {
		return 1
	}
	last := c.entries[len(c.entries)-indexEntry:]
	return le.Uint64(last[8:]) + uint64(le.Uint32(last[16:]))
}

// later returns where, behind what could not be followed, a trailer stands, or another archive; -1 if nowhere.
func (c *chain) later() (int64, error) {
	marks := [][]byte{le.AppendUint32(nil, trailerMark), magic[:]}
	_, at, err := search(c.r, c.at, c.size, marks, func(mark int, at int64) (bool, error) {
		var b [trailerSize]byte // and as long is a header
		if n, err := c.r.ReadAt(b[:], at); n < len(b) {
			if err == io.EOF {
				err = nil
			}
			return false, err
		}
		if mark == 1 {
			_, err := decodeHeader(b[:])
			return err == nil, nil
		}
		t, err := decodeTrailer(b[:], at)
		return err == nil && t.at+t.size == uint64(at), nil
	})
	return at, err
}

// Unfinished returns how many bytes stand behind the archive in the file, because a writer that added games was interrupted. They are no part of
// the archive.
func (t *Reader) Unfinished() int64 { return t.unfinished }

// HasDense reports whether there may be dense moves in the archive.
func (t *Reader) HasDense() bool { return t.header.dense() }

// Meta returns the properties that tell of the archive: "source", say. They are no part of what was packed. Version 3 alone has them.
func (t *Reader) Meta() map[string]string { return t.root.meta() }

// loadPart reads part i of the index of version 3, unless it is there.
func (t *Reader) loadPart(i int) error {
	if t.part == i+1 {
		return nil
	}
	t.part = 0
	at, blocks := t.root.partPlace(i)
	t.index = append(t.index[:0], make([]byte, partSize(blocks))...)
	if _, err := t.r.ReadAt(t.index, at); err != nil && err != io.EOF {
		return err
	}
	if err := t.root.checkPart(i, t.index); err != nil {
		return err
	}
	t.part = i + 1
	return nil
}

// lineReader reads main lines of fixed moves in place.
type lineReader struct {
	number int // of the block whose front is there, from 1; 0 for none
	b      Block
	buf    []byte
	run    int // the group of games whose words are there, from 1; 0 for none
	words  []byte
	moves  column
	first  uint64 // the word that words begin with, or before it
}

// lineInPlace is MainLine that reads the front of the block and a group of games. ok is false where another way is better, or the only one.
func (t *Reader) lineInPlace(dst []moveindex.Index, n int) (_ []moveindex.Index, ok bool, err error) {
	defer guard(&err)
	if t.header.version < 3 || n <= 0 || n > t.stats.Games || t.loaded > 0 && t.b.has(n) {
		return dst, false, nil
	}
	l := &t.line
	if l.number == 0 || !l.b.has(n) {
		number, err := t.search(n)
		if err != nil {
			return dst, false, err
		}
		if t.loaded > 0 && number == t.loaded+1 {
			return dst, false, nil // they are read in order
		}
		if l.number != number {
			if err := t.loadFront(number); err != nil {
				return dst, false, err
			}
		}
	}
	h := &l.b.head
	if !l.b.has(n) {
		return dst, false, nil
	}
	i := n - l.b.First()
	if l.run != i/indexGroup+1 {
		if k := h.find(ColumnMoves); h.dense || k < 0 {
			return dst, false, nil
		} else if l.moves = h.columns[k]; int(l.moves.stored) != bitstream.PackedLen(int(h.words)) {
			return dst, false, l.b.corrupt(ColumnMoves, -1, "the length is not that of the words")
		}
		if _, err := l.b.column(ColumnIndex); err != nil {
			return dst, false, err
		}
		if l.run > 0 {
			return dst, false, nil // more of the block is wanted
		}
		if err := l.loadRun(t.r, i); err != nil {
			return dst, false, err
		}
	}
	start, length := l.b.index.game(i)
	bit := (uint64(start)*moveindex.Bits - l.first*moveindex.Bits/8*8)
	words := make([]moveindex.Index, length)
	bitstream.Unpack(words, l.words, bit)
	if words[0] == moveindex.Start {
		if len(words) < bitstream.StartWords+2 {
			return dst, false, l.b.corrupt(ColumnMoves, i, "the game is too short")
		}
		words = words[bitstream.StartWords+1:]
	}
	words = words[:len(words)-1]
	for _, w := range words {
		if w >= moveindex.NumMoves && w != moveindex.Null {
			return dst, false, l.b.corrupt(ColumnMoves, i, "a main line holds what is no move")
		}
	}
	return append(dst, words...), true, nil
}

// loadFront reads the front of a block.
func (t *Reader) loadFront(number int) error {
	l := &t.line
	l.number, l.run = 0, 0
	if err := t.front(&l.b, &l.buf, number, false); err != nil {
		return err
	}
	l.number = number
	return nil
}

// Peek is Block that reads the front of the block, and of the other columns each when it is first wanted. It is for searches that
// want few of them, where a read costs little: in a file of this machine. The block is valid until another is asked for by Peek. Of an archive of version 1 or 2 it
// is that of Block.
func (t *Reader) Peek(n int) (_ *Block, err error) {
	defer guard(&err)
	if t.header.version < 3 || n <= 0 || n > t.blocks {
		return t.Block(n)
	}
	b := &t.peeked
	if err := t.front(b, &t.peekBuf, n, true); err != nil {
		return nil, err
	}
	b.src, b.have = t.r, append(b.have[:0], make([]bool, len(b.head.columns))...)
	for i := range b.head.columns {
		c := &b.head.columns[i]
		b.have[i] = c.offset+c.stored <= b.head.front()-uint32(b.head.size)
	}
	return b, nil
}

// front makes b the block of a number, with its front in buf; whole tells that buf is to have room for all of it.
func (t *Reader) front(b *Block, buf *[]byte, number int, whole bool) error {
	var e [indexEntry]byte
	if err := t.entry(number-1, &e); err != nil {
		return err
	}
	at, all, size := int64(le.Uint64(e[:])), int64(le.Uint32(e[24:])), int64(le.Uint32(e[32:]))
	fail := func(detail string) error {
		return &CorruptError{Part: "block", Block: number, Offset: at, Reason: detail, Err: ErrCorrupt}
	}
	if size > maxBlockHead+3*MaxColumn || size > all {
		return fail("its front is too long")
	}
	if at < headerSize || uint64(at) > t.end.at || uint64(all) > t.end.at-uint64(at) {
		return fail("the index tells of no place in the file")
	}
	n := size
	if whole {
		n = all
	}
	if int64(cap(*buf)) < n {
		*buf = make([]byte, n, n+n/4)
	}
	*buf = (*buf)[:n]
	read := (*buf)[:size]
	if _, err := t.r.ReadAt(read, at); err != nil && err != io.EOF {
		return err
	}
	head := headSize(read)
	if head == 0 || int64(head) > size {
		return fail("no block begins here")
	}
	b.reset()
	if err := b.head.decode(read[:head], &t.header); err != nil {
		return placed(err, number, at)
	}
	h := &b.head
	b.at, b.number, b.data = at, number, (*buf)[head:]
	if uint64(h.size)+uint64(h.data) != uint64(all) || h.first != le.Uint64(e[8:]) || h.games != le.Uint32(e[16:]) ||
		le.Uint32(read[head-4:]) != le.Uint32(e[28:]) || h.front() != uint32(size) {
		return fail("it is not the block that the index tells of")
	}
	return nil
}

// loadRun reads the words of the group of games in which game i (from 0) of the block is, and verifies their checksum.
func (l *lineReader) loadRun(r io.ReaderAt, i int) error {
	first, end, want := l.b.index.run(i)
	from, to := runBytes(first, end)
	l.words = append(l.words[:0], make([]byte, to-from)...)
	at := l.b.at + int64(l.b.head.size) + int64(l.moves.offset) + int64(from)
	if _, err := r.ReadAt(l.words, at); err != nil && err != io.EOF {
		return err
	}
	if got := checksum(l.words); got != want {
		return &CorruptError{Part: ColumnMoves.String(), Block: l.b.number, Offset: at, Game: l.b.First() + i, Want: want, Got: got, Err: ErrCorrupt}
	}
	l.run, l.first = i/indexGroup+1, first
	return nil
}
