// SPDX-License-Identifier: Apache-2.0

package chessbase

import (
	"fmt"
	"io"
	"iter"

	"ply11/game/codec"
)

// Verify reads all games and returns what is wrong with the files, in order: what Read would return, and as
// codec.ErrCorrupt a byte 13 that no known program takes, bits that should be zero, and a wrong number of moves.
func (r *Reader) Verify() iter.Seq[error] {
	return func(yield func(error) bool) {
		for at := (cursor{}); ; {
			i, err := r.next(&at)
			if err == io.EOF {
				return
			}
			if err != nil {
				if !yield(err) {
					return
				}
				continue
			}
			if err := r.decode(i, &r.game); err != nil && !yield(err) {
				return
			}
			for _, err := range r.oddities(i) {
				if !yield(err) {
					return
				}
			}
		}
	}
}

// oddities returns what is odd about the last record, though it was read.
func (r *Reader) oddities(i int) (list []error) {
	h := &r.record.Header
	add := func(at int64, err error, format string, args ...any) {
		list = append(list, &codec.Error{Game: i, Offset: at, Err: err, Reason: fmt.Sprintf(format, args...)})
	}
	at := r.record.Offset
	if !h.checksumOK() {
		first, second := h.checksum()
		add(at+13, codec.ErrCorrupt, "byte 13 is %#02x, where known readers take %#02x or %#02x", h[13], first, second)
	}
	if h[1]>>6 != 0 || h[1]&3 != resultVariant && h[1] != ResultCBASCII && h[1]>>2 != 0 {
		add(at+1, codec.ErrCorrupt, "result %#02x has bits that should be zero", h[1])
	}
	if h.setup() && h[11]&0xb0 != 0 {
		add(at+11, codec.ErrCorrupt, "flags2 %#02x has bits that should be zero", h[11])
	}
	if n := min((r.game.Len()+1)/2, 255); h.moveCount() != n {
		add(at+12, codec.ErrCorrupt, "byte 12 says %d moves, there are %d", h.moveCount(), n)
	}
	return list
}
