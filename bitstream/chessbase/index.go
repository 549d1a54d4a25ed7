// SPDX-License-Identifier: Apache-2.0

package chessbase

import (
	"encoding/binary"
	"fmt"
	"io"

	"ply11/game/codec"
)

// entrySize is the size of an index entry, in bytes: a big-endian longword.
const entrySize = 4

// gameIndex is a CBI file (section 1), read entry by entry where it stands.
//
//	0..3              games + 1
//	4*i..4*i+3        offset of game i in the CBF file, and i + 1
//	4*n+4..4*n+7      the first free offset, and n + 2
type gameIndex struct {
	file  io.ReaderAt
	games int
}

// openGameIndex reads the head of a CBI file of the given size. A count that the file is too short for is
// codec.ErrCorrupt.
func openGameIndex(file io.ReaderAt, size int64) (*gameIndex, error) {
	var b [entrySize]byte
	if size < 2*entrySize {
		return nil, &codec.Error{Offset: size, Err: codec.ErrCorrupt, Reason: fmt.Sprintf("%d bytes are no index",
			size)}
	}
	if err := readAt(file, b[:], 0); err != nil {
		return nil, err
	}
	n := int64(binary.BigEndian.Uint32(b[:])) - 1
	switch {
	case n < 0:
		return nil, &codec.Error{Err: codec.ErrCorrupt, Reason: "a count of 0, which should be games + 1"}
	case (n+1)*entrySize > size:
		return nil, &codec.Error{Err: codec.ErrCorrupt, Reason: fmt.Sprintf("%d games, in %d bytes", n, size)}
	}
	return &gameIndex{file: file, games: int(n)}, nil
}

func (x *gameIndex) len() int { return x.games }

// offset returns the offset of game i, from 1, in the CBF file; of the game after the last, the first free offset. The
// error is codec.ErrCorrupt.
func (x *gameIndex) offset(i int) (int64, error) {
	if i < 1 || i > x.games+1 {
		return 0, &codec.Error{Game: i, Err: codec.ErrCorrupt, Reason: fmt.Sprintf("the index has the games 1 to %d",
			x.games)}
	}
	var b [entrySize]byte
	at := int64(i) * entrySize
	if err := readAt(x.file, b[:], at); err != nil {
		return 0, err
	}
	offset := int64(binary.BigEndian.Uint32(b[:])) - int64(i) - 1
	if offset < 0 {
		return 0, &codec.Error{Game: i, Offset: at, Err: codec.ErrCorrupt,
			Reason: fmt.Sprintf("entry %d is less than the number of the game + 1", offset+int64(i)+1)}
	}
	return offset, nil
}

// indexWriter writes a CBI file as games come; the count goes to its front at the end.
type indexWriter struct {
	w     io.WriteSeeker
	buf   []byte
	games int
}

// add notes the offset of the next game. The error is codec.ErrLimit for one that no longword holds.
func (x *indexWriter) add(offset int64) error {
	entry := offset + int64(x.games) + 2
	if entry > 1<<32-1 {
		return fmt.Errorf("%w: offset %d of game %d", codec.ErrLimit, offset, x.games+1)
	}
	if x.buf == nil {
		x.buf = make([]byte, entrySize, 4096)
	}
	x.buf = binary.BigEndian.AppendUint32(x.buf, uint32(entry))
	x.games++
	if len(x.buf) < 4096 {
		return nil
	}
	return x.flush()
}

func (x *indexWriter) flush() error {
	_, err := x.w.Write(x.buf)
	x.buf = x.buf[:0]
	return err
}

// close writes the first free offset, and the count to the front.
func (x *indexWriter) close(free int64) error {
	if err := x.add(free); err != nil {
		return err
	}
	if err := x.flush(); err != nil {
		return err
	}
	end, err := x.w.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	start := end - int64(x.games+1)*entrySize
	if _, err := x.w.Seek(start, io.SeekStart); err != nil {
		return err
	}
	// games counts the free offset too, as the first longword does.
	if _, err := x.w.Write(binary.BigEndian.AppendUint32(nil, uint32(x.games))); err != nil {
		return err
	}
	_, err = x.w.Seek(end, io.SeekStart)
	return err
}
