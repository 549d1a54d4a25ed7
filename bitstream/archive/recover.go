// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
)

// Report is what Verify and Recover found.
type Report struct {
	Stats
	// Errors are the first maxErrors errors, in the order of the file.
	Errors []error
	// More is the number of errors that are not in Errors.
	More int
	// Lost are the numbers of the games that cannot be read.
	Lost []Range
	// Tail reports that games may be missing at the end. Their number is not known.
	Tail bool
}

const maxErrors = 1000

// Range is games First to Last.
type Range struct {
	First uint64 `json:"first"`
	Last  uint64 `json:"last"`
}

// String returns "7" or "7-9".
func (r Range) String() string {
	if r.First == r.Last {
		return fmt.Sprint(r.First)
	}
	return fmt.Sprintf("%d-%d", r.First, r.Last)
}

func (r *Report) add(err error) {
	if len(r.Errors) == maxErrors {
		r.More++
		return
	}
	r.Errors = append(r.Errors, err)
}

func (r *Report) lose(first, last uint64) {
	if first > last {
		return
	}
	if n := len(r.Lost); n > 0 && r.Lost[n-1].Last+1 == first {
		r.Lost[n-1].Last = last
		return
	}
	if len(r.Lost) < maxErrors {
		r.Lost = append(r.Lost, Range{first, last})
	}
}

// OK reports whether nothing is wrong.
func (r *Report) OK() bool { return len(r.Errors) == 0 }

// Verify reads all of an archive: it verifies every checksum, decodes every game, verifies every move, and
// compares the text that each block unpacks to with the one that was packed. What is wrong is in
// the report, with the block, the column and the offset; the error is one of reading the file only.
func Verify(r io.ReaderAt, size int64, progress func(Stats)) (*Report, error) {
	return salvage(r, size, nil, progress)
}

// Recover writes all blocks of an archive that Verify finds whole to a new one, and reports what it leaves
// out, and the numbers of the games that are lost with it. It needs neither the header nor the footer.
// The recovered games have new numbers.
func Recover(dst io.Writer, r io.ReaderAt, size int64, progress func(Stats)) (*Report, error) {
	return salvage(r, size, dst, progress)
}

func salvage(r io.ReaderAt, size int64, dst io.Writer, progress func(Stats)) (rep *Report, err error) {
	defer guard(&err)
	rep = &Report{}
	var out *fileWriter
	headerOK := false
	var head [headerSize]byte
	n, err := r.ReadAt(head[:min(size, headerSize)], 0)
	if err != nil && err != io.EOF {
		return rep, err
	}
	h, err := decodeHeader(head[:n])
	if err != nil {
		if errors.Is(err, ErrVersion) {
			return rep, err
		}
		rep.add(err)
		h = header{version: trailerVersion(r, size)}
	} else {
		headerOK = true
	}
	if dst != nil {
		out = newFileWriter(dst, h)
	}
	at := int64(0)
	if headerOK {
		at = headerSize
	}
	next := uint64(1) // the game that should come
	number := 0       // the block that should come
	var footer []byte
	var b Block
	sum := sha256.New() // of the text, as long as no block is damaged
	sound := headerOK   // there was no gap since the last block
	for {
		found, headBytes, err := nextBlock(r, size, at, h.version, sound)
		if err != nil {
			return rep, err
		}
		if found < 0 {
			break
		}
		b.reset()
		if err := b.head.decode(headBytes, h.version); err != nil {
			if errors.Is(err, ErrVersion) {
				return rep, fmt.Errorf("block at offset %d: %w", found, err)
			}
			rep.add(placed(err, number+1, found))
			at, sound = found+1, false
			continue
		}
		b.at, b.number = found, int(b.head.number)+1
		if found != at && sound || b.head.first != next || int(b.head.number) != number {
			if b.head.first < next {
				// An old copy of a block, or one that was moved: it is not counted twice.
				rep.add(&CorruptError{Part: "block", Block: b.number, Offset: found, Err: ErrCorrupt,
					Detail: fmt.Sprintf("it begins with game %d, after game %d", b.head.first, next-1)})
				at, sound = found+1, false
				continue
			}
			if sound {
				rep.add(&CorruptError{Part: "block", Block: number + 1, Offset: at, Err: ErrCorrupt, Detail: "no block begins here"})
			}
			rep.lose(next, b.head.first-1)
		}
		dataAt := found + int64(b.head.size)
		if dataAt+int64(b.head.data) > size {
			rep.add(&CorruptError{Part: "block", Block: b.number, Offset: found, Err: ErrTruncated})
			rep.lose(b.head.first, b.head.first+uint64(b.head.games)-1)
			next, number = b.head.first+uint64(b.head.games), int(b.head.number)+1
			at, sound = found+int64(b.head.size), false
			continue
		}
		if b.data, err = readGrowing(io.NewSectionReader(r, dataAt, int64(b.head.data)), b.data[:0], int(b.head.data)); err != nil {
			return rep, err
		}
		footer = append(footer, b.head.footerEntry(b.at, headBytes)...)
		if err := b.Verify(); err != nil {
			if errors.Is(err, ErrVersion) {
				return rep, err
			}
			rep.add(err)
			for i := range b.head.columns { // name every damaged column
				if _, e := b.check(i); e != nil && e.Error() != err.Error() {
					rep.add(e)
				}
			}
			rep.lose(b.head.first, b.head.first+uint64(b.head.games)-1)
		} else {
			sum.Write(b.scratch)
			rep.Games += uint64(b.head.games)
			rep.Plies += uint64(b.head.plies)
			rep.Text += int64(b.head.text)
			rep.Blocks++
			if out != nil {
				if err := out.copy(&b); err != nil {
					return rep, err
				}
			}
		}
		next, number = b.head.first+uint64(b.head.games), int(b.head.number)+1
		at, sound = dataAt+int64(b.head.data), true
		rep.Bytes = at
		if progress != nil {
			progress(rep.Stats)
		}
	}
	checkEnd(r, size, at, next, footer, sum, rep)
	if out != nil {
		if rep.OK() && rep.Hashed {
			out.stats.SHA256, out.stats.Hashed = rep.SHA256, true
		}
		if err := out.close(); err != nil {
			return rep, err
		}
		rep.Bytes = out.stats.Bytes
	}
	return rep, nil
}

// checkEnd verifies the footer and the trailer, and finds games that are lost at the end.
func checkEnd(r io.ReaderAt, size, at int64, next uint64, footer []byte, sum hash.Hash, rep *Report) {
	t, err := NewReader(r, size)
	if err != nil {
		var c *CorruptError
		if errors.As(err, &c) && c.Part == "header" || errors.Is(err, ErrNotArchive) {
			// It is reported already; the end is verified without it.
			t, err = readEnd(r, size)
		}
	}
	if err != nil {
		rep.add(err)
		rep.Tail = true
		return
	}
	rep.SHA256, rep.Hashed = t.stats.SHA256, t.stats.Hashed
	rep.lose(next, t.stats.Games)
	var e [footerEntry]byte
	good := int64(t.end.at) == at && t.blocks*footerEntry == len(footer)
	for i := 0; good && i < t.blocks; i++ {
		if err := t.entry(i, &e); err != nil {
			rep.add(err)
			return
		}
		good = bytes.Equal(e[:], footer[i*footerEntry:(i+1)*footerEntry])
	}
	if !good && rep.OK() {
		rep.add(&CorruptError{Part: "footer", Offset: int64(t.end.at), Err: ErrCorrupt,
			Detail: "the index is not that of the blocks"})
	}
	if good && rep.OK() && (t.stats.Plies != rep.Plies || t.stats.Text != rep.Text || t.stats.Games != rep.Games) {
		rep.add(&CorruptError{Part: "footer", Offset: int64(t.end.at), Err: ErrCorrupt,
			Detail: "its counts are not those of the blocks"})
	}
	if good && rep.OK() && t.stats.Hashed && !bytes.Equal(sum.Sum(nil), t.stats.SHA256[:]) {
		rep.add(wrongHash(int64(t.end.at)))
	}
}

// readEnd is NewReader without the header.
func readEnd(r io.ReaderAt, size int64) (*Reader, error) {
	return NewReader(headed{r, header{version: trailerVersion(r, size)}}, size)
}

// trailerVersion returns the version that the trailer tells, the latest if there is no sound one.
func trailerVersion(r io.ReaderAt, size int64) uint16 {
	var tail [trailerSize]byte
	if size >= trailerSize {
		if n, _ := r.ReadAt(tail[:], size-trailerSize); n == trailerSize {
			if t, err := decodeTrailer(tail[:], size-trailerSize); err == nil {
				return t.version
			}
		}
	}
	return Version
}

// headed gives a file a sound header.
type headed struct {
	io.ReaderAt
	header header
}

func (h headed) ReadAt(b []byte, at int64) (int, error) {
	n, err := h.ReaderAt.ReadAt(b, at)
	if at == 0 && n >= headerSize {
		copy(b, h.header.encode())
	}
	return n, err
}

// nextBlock returns the offset and the bytes of the first sound header of a block at or after at, -1 if there
// is none. Where strict is set and a header stands at at, it is returned, sound or not.
func nextBlock(r io.ReaderAt, size, at int64, version uint16, strict bool) (int64, []byte, error) {
	var fixed [8]byte
	read := func(at int64, b []byte) (bool, error) {
		n, err := r.ReadAt(b, at)
		if n == len(b) || err == io.EOF {
			return n == len(b), nil
		}
		return false, err
	}
	header := func(at int64) ([]byte, error) {
		if ok, err := read(at, fixed[:]); !ok {
			return nil, err
		}
		n := headSize(fixed[:])
		if n == 0 {
			return nil, nil
		}
		b := make([]byte, n)
		if ok, err := read(at, b); !ok {
			return nil, err
		}
		return b, nil
	}
	if strict {
		b, err := header(at)
		if err != nil || b != nil {
			return at, b, err
		}
	}
	mark := le.AppendUint32(nil, blockMark)
	buf := make([]byte, max(0, min(size-at, 64<<10)))
	for at < size {
		n, err := r.ReadAt(buf[:min(int64(len(buf)), size-at)], at)
		if err != nil && err != io.EOF {
			return -1, nil, err
		}
		if n < len(mark) {
			break
		}
		for from := 0; ; {
			i := bytes.Index(buf[from:n], mark)
			if i < 0 {
				break
			}
			i += from
			from = i + 1
			b, err := header(at + int64(i))
			if err != nil {
				return -1, nil, err
			}
			var h head
			if b != nil && h.decode(b, version) == nil {
				return at + int64(i), b, nil
			}
		}
		at += int64(n - len(mark) + 1)
	}
	return -1, nil, nil
}
