// SPDX-License-Identifier: Apache-2.0

package chessbase

import (
	"fmt"
	"io"

	"ply11/bitstream/codec"
)

// SetupSize is the size of a starting position, in bytes (section 2.6).
const SetupSize = 33

// Limits of a record's fields, in bytes.
const (
	MaxNameSize     = 63    // player text and source text, each
	MaxMovesSize    = 65534 // move list
	MaxCommentsSize = 65535 // comment field
	// MaxRecordSize is the size of the largest record.
	MaxRecordSize = HeaderSize + 2*MaxNameSize + MaxMovesSize + MaxCommentsSize + SetupSize
)

// Record is one game of a CBF file, in its six parts (section 2), decoded. Its slices belong to the Record
// and are overwritten by its next use.
type Record struct {
	Header   Header
	Player   []byte // code page 437, "White-Black"
	Source   []byte // code page 437
	Moves    []byte // one byte a ply, 0xff and 0x80 around variations
	Comments []byte // as in the file
	Setup    []byte // SetupSize bytes, or none

	// Offset is where the record begins in the file.
	Offset int64

	buf []byte
}

// Size returns the record's size in the file, in bytes, as its parts have it.
func (r *Record) Size() int {
	return HeaderSize + len(r.Player) + len(r.Source) + len(r.Moves) + len(r.Comments) + len(r.Setup)
}

// movesOffset is where the move list begins in the file.
func (r *Record) movesOffset() int64 {
	return r.Offset + int64(HeaderSize+len(r.Player)+len(r.Source))
}

// commentsOffset is where the comment field begins in the file.
func (r *Record) commentsOffset() int64 { return r.movesOffset() + int64(len(r.Moves)) }

// setupOffset is where the starting position begins in the file.
func (r *Record) setupOffset() int64 { return r.commentsOffset() + int64(len(r.Comments)) }

// bodySize returns the size of what follows the header, or an error for a header that has no move list.
func (h *Header) bodySize() (int, error) {
	if h.MovesSize() < 0 {
		return 0, fmt.Errorf("%w: bytes 2/3 are 0, which is no length of a move list and 1", codec.ErrCorrupt)
	}
	n := h.PlayerSize() + h.SourceSize() + h.MovesSize() + h.CommentsSize()
	if h.Setup() {
		n += SetupSize
	}
	return n, nil
}

// read reads and decodes the record at an offset of a file of the given size. Errors are *codec.Error
// without the number of the game.
func (r *Record) read(file io.ReaderAt, offset, size int64) error {
	r.Offset = offset
	r.Player, r.Source, r.Moves, r.Comments, r.Setup = nil, nil, nil, nil, nil
	var h [HeaderSize]byte
	if size-offset < HeaderSize {
		return &codec.Error{Offset: offset, Err: codec.ErrTruncated,
			Reason: fmt.Sprintf("%d bytes are left for a header of %d", max(size-offset, 0), HeaderSize)}
	}
	if err := readAt(file, h[:], offset); err != nil {
		return err
	}
	r.Header = Decrypt(h)
	n, err := r.Header.bodySize()
	if err != nil {
		return &codec.Error{Offset: offset + 2, Err: err}
	}
	if int64(n) > size-offset-HeaderSize {
		return &codec.Error{Offset: offset, Err: codec.ErrTruncated,
			Reason: fmt.Sprintf("the header tells of %d bytes more, %d are left", n, size-offset-HeaderSize)}
	}
	if cap(r.buf) < n {
		r.buf = make([]byte, n, max(n, 512))
	}
	body := r.buf[:n]
	if err := readAt(file, body, offset+HeaderSize); err != nil {
		return err
	}
	r.split(body)
	return nil
}

// split decodes what follows the header, in place. body has the size that the header tells.
func (r *Record) split(body []byte) {
	h := &r.Header
	take := func(n int) []byte {
		part := body[:n:n]
		body = body[n:]
		return part
	}
	names := take(h.PlayerSize() + h.SourceSize())
	cryptNames(names)
	r.Player, r.Source = names[:h.PlayerSize():h.PlayerSize()], names[h.PlayerSize():]
	r.Moves = take(h.MovesSize())
	cryptMoves(r.Moves)
	r.Comments = take(h.CommentsSize())
	r.Setup = body
}

// readAt reads exactly len(b) bytes, which the file's size says are there.
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

// AppendTo appends the record as it stands in a file. The header's lengths are set to those of the
// parts and its bit for a set-up position by the presence of Setup; nothing else of it is changed (see
// Seal for byte 13, which depends on the lengths). The error is codec.ErrLimit, or codec.ErrStart for a Setup that
// does not have SetupSize bytes.
func (r *Record) AppendTo(dst []byte) ([]byte, error) {
	switch {
	case len(r.Player) > MaxNameSize || len(r.Source) > MaxNameSize:
		return dst, fmt.Errorf("%w: names of %d and %d bytes, of at most %d", codec.ErrLimit,
			len(r.Player), len(r.Source), MaxNameSize)
	case len(r.Moves) > MaxMovesSize:
		return dst, fmt.Errorf("%w: move list of %d bytes, of at most %d", codec.ErrLimit, len(r.Moves), MaxMovesSize)
	case len(r.Comments) > MaxCommentsSize:
		return dst, fmt.Errorf("%w: comments of %d bytes, of at most %d", codec.ErrLimit, len(r.Comments), MaxCommentsSize)
	case len(r.Setup) != 0 && len(r.Setup) != SetupSize:
		return dst, fmt.Errorf("%w: %d bytes, not %d", codec.ErrStart, len(r.Setup), SetupSize)
	}
	r.setLengths()
	h := r.Header.Encrypt()
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

// setLengths sets what of the header follows from the parts' lengths.
func (r *Record) setLengths() {
	h := &r.Header
	h.SetNameSizes(len(r.Player), len(r.Source))
	h.SetMovesSize(len(r.Moves))
	h.SetCommentsSize(len(r.Comments))
	h[10] &^= flagSetup
	if len(r.Setup) != 0 {
		h[10] |= flagSetup
	}
}

// Seal sets the header's lengths and byte 13, as the known writer does. It must come after every other
// change of the record.
func (r *Record) Seal() {
	r.setLengths()
	r.Header.Seal()
}
