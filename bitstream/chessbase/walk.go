// SPDX-License-Identifier: Apache-2.0

package chessbase

import (
	"errors"
	"fmt"
)

// Walking: a header tells the size of its record, so that one record leads to the next. The document warns
// that games should be reached by the index only: between records there may be what no game owns
// any more. Where the walk comes to something that is no record, it goes on byte by byte until it
// finds the next one.

// walk reads one record after the other, without an index, into r.record.
func (r *Reader) walk(yield func(int, error) bool) {
	// Bytes that are no record are told of once, in front of the record that follows.
	game, lost := 1, int64(-1)
	tell := func(end int64) bool {
		if lost < 0 {
			return true
		}
		err := &Error{Game: game, Offset: lost, Err: ErrHeader, Reason: fmt.Sprintf("%d bytes are no game", end-lost)}
		if r.size-lost < HeaderSize {
			err.Err = ErrTruncated
		}
		lost = -1
		return yield(game, err)
	}
	for at := int64(0); at < r.size; {
		// Right after a record another is expected, and what it has in it may be bad. Elsewhere,
		// a record must be a good one: any bytes look like some header.
		ok := r.plausible(at, lost >= 0)
		if !ok {
			if lost < 0 {
				lost = at
			}
			at++
			continue
		}
		if !tell(at) {
			return
		}
		if err := r.record.read(r.cbf, at, r.size); err != nil {
			// The file changed, or fails.
			yield(game, err)
			return
		}
		if !yield(game, nil) {
			return
		}
		game++
		at += int64(r.record.Size())
	}
	tell(r.size)
}

// plausible reports whether a record may begin at an offset. The first test is of the header alone, and
// passes about one place in a thousand of random bytes; the others read the record.
func (r *Reader) plausible(at int64, strict bool) bool {
	var raw [HeaderSize]byte
	if r.size-at < HeaderSize || readAt(r.cbf, raw[:], at) != nil {
		return false
	}
	h := Decrypt(raw)
	n, err := h.bodySize()
	if err != nil || int64(n) > r.size-at-HeaderSize {
		return false
	}
	if !strict && h.ChecksumOK() {
		return true
	}
	// Bits that should be zero, and counts that contradict each other.
	if h[1] != ResultCBASCII && (h[1]>>6 != 0 || h[1]&3 != ResultVariant && h[1] != h[1]&3) ||
		h.Setup() && h.EnPassantFile() > 8 || strict && !h.ChecksumOK() ||
		h.MoveCount() > (h.MovesSize()+2)/2+1 {
		return false
	}
	var record Record
	if record.read(r.cbf, at, r.size) != nil {
		return false
	}
	for _, c := range record.Player {
		if c < ' ' {
			return false
		}
	}
	for _, c := range record.Source {
		if c < ' ' {
			return false
		}
	}
	if n := len(record.Comments); n > 0 && (record.Comments[0] != commentStart || record.Comments[n-1] != commentStart) {
		return false
	}
	// A game without moves and names has nothing else that could tell it from chance.
	if strict && n == 0 {
		return false
	}
	for _, numbering := range []Numbering{NumberingDocument, NumberingCBASCII} {
		start, err := record.start(numbering)
		if err != nil {
			return false
		}
		_, err = appendIndices(nil, record.Moves, start)
		if err == nil {
			return true
		}
		if !misnumbered(err) && !errors.Is(err, ErrVariation) {
			return false
		}
	}
	return false
}
