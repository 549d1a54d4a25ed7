// SPDX-License-Identifier: Apache-2.0

package chessbase

import (
	"fmt"
	"io"

	"ply11/game/codec"
)

// setupSize is the size of a starting position, in bytes (section 2.6).
const setupSize = 33

// Limits of a record's fields, in bytes.
const (
	maxNameSize     = 63    // player text and source text, each
	maxMovesSize    = 65534 // move list
	maxCommentsSize = 65535 // comment field
)

// Record is one game of a CBF file, in its six parts (section 2), decoded. Its next use overwrites its slices.
type Record struct {
	Header   Header
	Player   []byte // code page 437, "White-Black"
	Source   []byte // code page 437
	Moves    []byte // one byte a ply, 0xff and 0x80 around variations
	Comments []byte // as in the file
	Setup    []byte // setupSize bytes, or none

	// Offset is where the record begins in the file.
	Offset int64

	buf []byte
}

// size returns the record's size in the file, in bytes.
func (r *Record) size() int {
	return headerSize + len(r.Player) + len(r.Source) + len(r.Moves) + len(r.Comments) + len(r.Setup)
}

func (r *Record) movesOffset() int64 {
	return r.Offset + int64(headerSize+len(r.Player)+len(r.Source))
}

func (r *Record) commentsOffset() int64 { return r.movesOffset() + int64(len(r.Moves)) }

func (r *Record) setupOffset() int64 { return r.commentsOffset() + int64(len(r.Comments)) }

// bodySize returns the size of what follows the header. A header without a move list is an error.
func (h *Header) bodySize() (int, error) {
	if h.movesSize() < 0 {
		return 0, fmt.Errorf("%w: bytes 2/3 are 0, which is no length of a move list and 1", codec.ErrCorrupt)
	}
	n := h.playerSize() + h.sourceSize() + h.movesSize() + h.commentsSize()
	if h.setup() {
		n += setupSize
	}
	return n, nil
}

// read reads and decodes the record at an offset of a file of the given size. Errors are *codec.Error without the game.
func (r *Record) read(file io.ReaderAt, offset, size int64) error {
	r.Offset = offset
	r.Player, r.Source, r.Moves, r.Comments, r.Setup = nil, nil, nil, nil, nil
	var h [headerSize]byte
	if size-offset < headerSize {
		return &codec.Error{Offset: offset, Err: codec.ErrTruncated,
			Reason: fmt.Sprintf("%d bytes are left for a header of %d", max(size-offset, 0), headerSize)}
	}
	if err := readAt(file, h[:], offset); err != nil {
		return err
	}
	r.Header = decrypt(h)
	n, err := r.Header.bodySize()
	if err != nil {
		return &codec.Error{Offset: offset + 2, Err: err}
	}
	if int64(n) > size-offset-headerSize {
		return &codec.Error{Offset: offset, Err: codec.ErrTruncated,
			Reason: fmt.Sprintf("the header says %d bytes more, %d are left", n, size-offset-headerSize)}
	}
	if cap(r.buf) < n {
		r.buf = make([]byte, n, max(n, 512))
	}
	body := r.buf[:n]
	if err := readAt(file, body, offset+headerSize); err != nil {
		return err
	}
	r.split(body)
	return nil
}

// split decodes in place what follows the header.
func (r *Record) split(body []byte) {
	h := &r.Header
	take := func(n int) []byte {
		part := body[:n:n]
		body = body[n:]
		return part
	}
	names := take(h.playerSize() + h.sourceSize())
	cryptNames(names)
	r.Player, r.Source = names[:h.playerSize():h.playerSize()], names[h.playerSize():]
	r.Moves = take(h.movesSize())
	cryptMoves(r.Moves)
	r.Comments = take(h.commentsSize())
	r.Setup = body
}

// readAt reads all of b.
func readAt(file io.ReaderAt, b []byte, offset int64) error {
	if len(b) == 0 {
		return nil
	}
	n, err := file.ReadAt(b, offset)
	if n == len(b) {
		return nil
	}
	if err == io.EOF || err == nil {
		err = codec.ErrTruncated
	}
	return &codec.Error{Offset: offset + int64(n), Err: err}
}

// appendTo appends the record as it stands in a file, with the header's lengths and its bit for a set-up position set.
// The error is codec.ErrLimit, or codec.ErrStart for a Setup that does not have setupSize bytes.
func (r *Record) appendTo(dst []byte) ([]byte, error) {
	switch {
	case len(r.Player) > maxNameSize || len(r.Source) > maxNameSize:
		return dst, fmt.Errorf("%w: names of %d and %d bytes, of at most %d", codec.ErrLimit,
			len(r.Player), len(r.Source), maxNameSize)
	case len(r.Moves) > maxMovesSize:
		return dst, fmt.Errorf("%w: move list of %d bytes, of at most %d", codec.ErrLimit, len(r.Moves), maxMovesSize)
	case len(r.Comments) > maxCommentsSize:
		return dst, fmt.Errorf("%w: comments of %d bytes, of at most %d", codec.ErrLimit, len(r.Comments),
			maxCommentsSize)
	case len(r.Setup) != 0 && len(r.Setup) != setupSize:
		return dst, fmt.Errorf("%w: %d bytes, not %d", codec.ErrStart, len(r.Setup), setupSize)
	}
	r.setLengths()
	h := r.Header.encrypt()
	dst = append(dst, h[:]...)
	start := len(dst)
	dst = append(append(dst, r.Player...), r.Source...)
	cryptNames(dst[start:])
	start = len(dst)
	dst = append(dst, r.Moves...)
	cryptMoves(dst[start:])
	dst = append(dst, r.Comments...)
	return append(dst, r.Setup...), nil
}

func (r *Record) setLengths() {
	h := &r.Header
	h.setNameSizes(len(r.Player), len(r.Source))
	h.setMovesSize(len(r.Moves))
	h.setCommentsSize(len(r.Comments))
	h[10] &^= flagSetup
	if len(r.Setup) != 0 {
		h[10] |= flagSetup
	}
}

// seal sets the header's lengths and byte 13, after every other change of the record.
func (r *Record) seal() {
	r.setLengths()
	r.Header.seal()
}
