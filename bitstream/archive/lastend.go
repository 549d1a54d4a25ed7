// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"io"
	"slices"
)

// open reads the end of the file: the trailer, and the footer to which it leads.
func (t *Reader) open() error {
	tail := make([]byte, min(t.size, tailRead))
	start := t.size - int64(len(tail))
	if err := readAt(t.r, tail, start); err != nil {
		return err
	}
	var other error // of the header
	header := func(b []byte) {
		t.header, other = decodeHeader(b)
		t.headed = other == nil
	}
	at := t.size - trailerSize
	if start == 0 {
		header(tail[:min(len(tail), headerSize)])
	}
	err := cutOff("trailer", t.size)
	if at >= headerSize+rootFixed+4 {
		t.end, err = decodeTrailer(tail[at-start:], at)
	}
	if err != nil && start > 0 { // a file that ends otherwise may begin otherwise, too
		var b [headerSize]byte
		if err := readAt(t.r, b[:], 0); err != nil {
			return err
		}
		header(b[:])
	}
	if other != nil && !t.beheaded {
		err = other
	}
	if err != nil {
		return err
	}
	end := int64(t.end.at) + int64(t.end.size)
	switch {
	case t.end.at > uint64(at) || t.end.size > tailRead-trailerSize || end > at ||
		t.end.unfinished == 0 && (end < at || int64(t.end.at) < start) || t.end.unfinished != 0 && t.unfinished != nil:
		return corruptPart("trailer", at, "the footer does not end where it begins")
	case t.end.unfinished != 0:
		t.size = end + trailerSize
		t.unfinished = &UnfinishedError{at - end}
		return t.open()
	}
	return t.readRoot(tail[int64(t.end.at)-start : at-start])
}

func (t *Reader) readRoot(b []byte) error {
	if digestOf(b) != t.end.sum {
		return corruptPart("footer", int64(t.end.at), wrongDigest)
	}
	if err := t.root.decode(b, int64(t.end.at)); err != nil {
		return err
	}
	if t.headed && t.header != t.root.head {
		return corruptPart("footer", int64(t.end.at), "it is of another header")
	}
	t.header = t.root.head
	t.stats = t.root.stats
	t.stats.Bytes = t.size
	t.blocks = t.stats.Blocks
	return nil
}

// Before returns a Reader of the archive that a file of this size held before it was appended to or edited last; nil if
// that is not in the file any more. It ends where its Stats say.
//
// Cost: the file is read from its end to where that archive ends.
func Before(f io.ReaderAt, size int64) (*Reader, error) {
	const chunk = 1 << 20
	mark := le.AppendUint32(nil, trailerMark)
	buf := make([]byte, chunk+len(mark)-1)
	for end := size - trailerSize; end > 0; end -= chunk {
		at := max(end-chunk, 0)
		b := buf[:min(end-at+int64(len(mark))-1, size-at)]
		if err := readAt(f, b, at); err != nil {
			return nil, err
		}
		for i := bytes.LastIndex(b, mark); i >= 0; i = bytes.LastIndex(b[:i], mark) {
			before := at + int64(i) + trailerSize
			r, err := NewReader(f, before)
			if before < size && err == nil && r.stats.Bytes == before && r.unfinished == nil {
				return r, nil
			}
		}
	}
	return nil, nil
}

// mark returns what ends the file while it is written to.
func (t *Reader) mark() []byte {
	end := t.end
	end.unfinished = 1
	return end.encode()
}

// WouldLose returns what Unfinished returns if a block with sound main lines stands behind the archive: who writes on
// where it ends loses games that Recover can take.
func (t *Reader) WouldLose() error {
	if t.unfinished == nil {
		return nil
	}
	end := t.size + t.unfinished.Bytes
	var p filePart
	for at := t.size; ; at = p.at + 1 {
		ok, err := p.find(t.r, at, end, marksOf(blockMark))
		if err != nil || !ok {
			return err
		}
		if p.size > end-p.at {
			continue
		}
		b := Block{at: p.at, head: p.head}
		in := io.NewSectionReader(t.r, p.at+int64(p.head.size), int64(p.head.data))
		if b.data, err = readGrowing(in, nil, int(p.head.data)); err != nil {
			return err
		}
		for i, c := range b.head.columns {
			if err == nil && slices.Contains([]ColumnKind{ColumnMoves, ColumnDense, columnGames}, c.kind) {
				_, err = b.check(i)
			}
		}
		if err == nil {
			return t.unfinished
		}
	}
}
