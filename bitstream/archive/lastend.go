// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bufio"
	"bytes"
	"io"
)

func (t *Reader) tail() ([]byte, error) {
	tail := make([]byte, min(t.size, tailRead))
	return tail, readAt(t.r, tail, t.size-int64(len(tail)))
}

func (t *Reader) decodeEnd(tail []byte) (err error) {
	if len(tail) < headerSize+rootFixed+4+trailerSize {
		return cutOff("trailer", t.size)
	}
	t.end, err = decodeTrailer(tail[len(tail)-trailerSize:], t.size-trailerSize)
	return err
}

func (t *Reader) readRoot(tail []byte) error {
	at := t.size - trailerSize
	size := uint64(t.end.size)
	if size > uint64(len(tail)-trailerSize) || t.end.at+size != uint64(at) {
		return corruptPart("trailer", at, "the footer does not end where it begins")
	}
	b := tail[len(tail)-trailerSize-int(size) : len(tail)-trailerSize]
	if digestOf(b) != t.end.sum {
		return corruptPart("footer", int64(t.end.at), wrongDigest)
	}
	if err := t.root.decode(bytes.Clone(b), int64(t.end.at)); err != nil {
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

// openTail finds the last tail of a file whose header is sound: the file's end, or one before it if the last writer did
// not finish. A tail counts if the parts from the header on lead to it: the bytes of one may stand in a comment.
func (t *Reader) openTail(tail []byte) error {
	whole := t.size
	bad := t.decodeEnd(tail)
	sound := bad == nil
	if sound {
		bad = t.readRoot(tail)
	}
	src := t.r
	if int64(len(tail)) == whole {
		src = bytes.NewReader(tail)
	}
	c := chain{walk: walk{header: t.header}, r: src, size: whole}
	for tries := 1; ; tries++ {
		if err := c.follow(); err != nil {
			return err
		}
		if sound && !c.inside && (c.end < whole || bad == nil) {
			return bad // where a block is damaged, the trailer at the end tells of the rest
		}
		if c.end == 0 {
			if bad == nil {
				bad = cutOff("trailer", whole)
			}
			return bad
		}
		if c.damage != nil && tries == 3 {
			return c.damage
		}
		if c.damage != nil { // else it may have been read while it was written
			c.r = t.r
			continue
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
			return corruptBlock(c.last.blocks+1, c.at,
				"neither a block nor the end of the archive is here, and there is more behind it")
		}
	}
	t.size = c.end
	if c.end < whole {
		t.unfinished = &UnfinishedError{whole - c.end, int(c.games)}
	}
	own, err := t.tail()
	if err == nil {
		err = t.decodeEnd(own)
	}
	if err == nil {
		err = t.readRoot(own)
	}
	return err
}

type chain struct {
	walk   // at is where neither a sound block nor a tail begins that is all there
	r      io.ReaderAt
	size   int64
	end    int64 // of the last tail; 0 if there is none
	inside bool
	games  uint64 // in the blocks behind the last tail
	damage error  // of a trailer that is all there
}

func (c *chain) follow() error {
	c.reset(c.header)
	*c = chain{r: c.r, size: c.size, walk: c.walk}
	in := bufio.NewReaderSize(nil, 384) // a read a block, as a rule: the file may be far away
	for {
		in.Reset(io.NewSectionReader(c.r, c.at, c.size-c.at))
		err := c.next(in)
		switch p := &c.part; {
		case isDamage(err):
			if err == p.end && !p.torn {
				c.damage = err
			}
			return nil
		case err != nil:
			return err
		case p.leads():
			c.end, c.games = c.at, 0
		case p.mark == blockMark:
			if c.inside = c.at > c.size; c.inside {
				return nil
			}
			c.games += uint64(p.head.games)
		}
	}
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
		return err == nil && t.at+uint64(t.size) == uint64(at), nil
	})
	return at, err
}

// WouldLose returns what Unfinished returns if writing on where the archive ends would lose something: a whole block,
// or bytes that no interrupted writer leaves. Zeros, and a block or footer that was begun, are no loss.
func (t *Reader) WouldLose() error {
	if t.unfinished == nil {
		return nil
	}
	at, size := t.size, t.size+t.unfinished.Bytes
	var p filePart
	err := p.readAt(t.r, at, size)
	if err != nil && !isDamage(err) {
		return err
	}
	if err == nil && p.mark == blockMark && p.size <= size-at {
		b := Block{at: at, head: p.head}
		b.data, err = readGrowing(io.NewSectionReader(t.r, at+int64(p.head.size), int64(p.head.data)), nil,
			int(p.head.data))
		if err == nil {
			err = b.verifyDigests()
		}
		if err == nil {
			return t.unfinished
		} else if !isDamage(err) && err != io.ErrUnexpectedEOF {
			return err
		}
	}
	front := make([]byte, 8)
	if err := readAt(t.r, front, at); err != nil {
		return err
	}
	switch begun := bytes.TrimRight(front, "\x00"); {
	case bytes.HasPrefix(partMarks[0], begun), bytes.HasPrefix(begun, partMarks[0]): // a block's
		at += max(p.size, int64(headSize(front)), int64(len(begun)))
	case le.Uint32(front) == footerMark:
		at += int64(min(le.Uint32(front[4:]), tailRead)) + trailerSize
	}
	more, err := anyBytes(io.NewSectionReader(t.r, at, size-at))
	if err == nil && more {
		err = t.unfinished
	}
	return err
}

func anyBytes(r io.Reader) (bool, error) {
	b := make([]byte, 64<<10)
	for {
		n, err := r.Read(b)
		if len(bytes.TrimRight(b[:n], "\x00")) > 0 {
			return true, nil
		}
		if err == io.EOF {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
}
