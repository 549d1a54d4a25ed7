// SPDX-License-Identifier: Apache-2.0

package chessbase

import (
	"fmt"
	"io"
	"slices"

	"ply11/game/codec"
)

// Walking: one record leads to the next, but between records there may be bytes of no game. The walk passes over them
// byte by byte.

// soundness is how much a place looks like a record.
type soundness uint8

const (
	noRecord soundness = iota // no header, or one that tells of more than the file has
	claimed                   // byte 13 is right, but what follows is not a good game
	sound                     // a game without a fault
)

// walk reads the next record, without an index, into r.record: see next.
func (r *Reader) walk(c *cursor) (int, error) {
	at := c.at
	if at >= r.size {
		return 0, io.EOF
	}
	if r.window.file == nil {
		r.window = window{file: r.cbf, size: r.size}
	}
	scout := &r.scout
	s := r.judge(at)
	next := at + int64(scout.size())
	if s != sound {
		// Another may begin before this one ends: then this one is cut short, or is none.
		end := r.size
		if s == claimed {
			end = next
		}
		q := at + 1
		for q < end && r.judge(q) != sound {
			if q++; r.judged > judgedMost(q) {
				c.at = r.size
				return c.game + 1, &codec.Error{Game: c.game + 1, Offset: q, Err: codec.ErrLimit,
					Reason: "so much here looks like games and is none that without an index the search is given up"}
			}
		}
		if q < end || s == noRecord {
			// What is no game has the number of the game that should be here.
			err := &codec.Error{Game: c.game + 1, Offset: at, Err: codec.ErrCorrupt,
				Reason: fmt.Sprintf("%d bytes are no whole game", q-at)}
			if r.size-at < headerSize {
				err.Err = codec.ErrTruncated
			}
			c.at = q
			return err.Game, err
		}
	}
	c.game++
	if err := r.record.read(r.cbf, at, r.size); err != nil {
		c.at = r.size // the file has changed, or fails
		return c.game, codec.InGame(c.game, err)
	}
	c.at = next
	return c.game, nil
}

// judgedMost is how many bytes of moves may have been read up to an offset to find records.
func judgedMost(at int64) int64 { return 1<<18 + 16*at }

// judge reports whether a record begins at an offset, and reads it into r.scout. The header alone, or names and first
// moves, decide most places.
func (r *Reader) judge(at int64) soundness {
	file, record := &r.window, &r.scout
	var raw [headerSize]byte
	if file.size-at < headerSize || readAt(file, raw[:], at) != nil {
		return noRecord
	}
	h := decrypt(raw)
	n, err := h.bodySize()
	if err != nil || int64(n) > file.size-at-headerSize {
		return noRecord
	}
	// Any bytes look like some header: without byte 13, the unused bits and the counts must be right.
	checksum := h.checksumOK()
	clean := h[1] == ResultCBASCII || h[1]>>6 == 0 && (h[1]&3 == resultVariant || h[1]>>2 == 0)
	clean = clean && h.moveCount() <= h.movesSize() && (n > 0 || checksum)
	clean = clean && record.begins(file, at, h)
	if !checksum && !clean || record.read(file, at, file.size) != nil {
		return noRecord
	}
	r.judged += int64(n)
	if clean && record.sound() {
		return sound
	}
	if checksum {
		return claimed
	}
	return noRecord
}

// begins reports whether the names and first moves of a record with this header are those of a game. It does not read
// the rest.
func (r *Record) begins(file *window, at int64, h Header) bool {
	names := h.playerSize() + h.sourceSize()
	if r.buf == nil {
		r.buf = make([]byte, 512)
	}
	part, setup := r.buf[:names+min(h.movesSize(), 32)], r.buf[512-setupSize:512]
	if readAt(file, part, at+headerSize) != nil {
		return false
	}
	r.Header = h
	r.Player, r.Source, r.Moves, r.Comments, r.Setup = part[:names], nil, part[names:], nil, nil
	cryptNames(r.Player)
	cryptFirstMoves(r.Moves, h.movesSize())
	if i := slices.IndexFunc(r.Moves, func(b byte) bool { return b == variationStart || b == variationEnd }); i >= 0 {
		r.Moves = r.Moves[:i]
	}
	if h.setup() {
		n, _ := h.bodySize()
		if r.Setup = setup; readAt(file, setup, at+int64(headerSize+n-setupSize)) != nil {
			return false
		}
	}
	return r.sound()
}

// sound reports whether a record is a game without a fault, in one of the numberings.
func (r *Record) sound() bool {
	control := func(c byte) bool { return c < ' ' }
	if slices.ContainsFunc(r.Player, control) || slices.ContainsFunc(r.Source, control) {
		return false
	}
	if n := len(r.Comments); n > 0 && (r.Comments[0] != commentStart || r.Comments[n-1] != commentStart) {
		return false
	}
	for _, numbering := range []Numbering{NumberingDocument, NumberingCBASCII} {
		start, err := r.start(numbering)
		if err != nil {
			return false
		}
		if _, err = appendIndices(nil, r.Moves, start); err == nil {
			return true
		}
		if !misnumbered(err) {
			return false
		}
	}
	return false
}

// window is a file of which a part is in memory.
type window struct {
	file  io.ReaderAt
	size  int64
	start int64
	buf   []byte
}

const windowSize = 1 << 16

// ReadAt moves the part where it must.
func (w *window) ReadAt(p []byte, at int64) (int, error) {
	if len(p) > windowSize {
		return w.file.ReadAt(p, at)
	}
	if at < w.start || at+int64(len(p)) > w.start+int64(len(w.buf)) {
		if w.buf == nil {
			w.buf = make([]byte, windowSize)
		}
		n, err := w.file.ReadAt(w.buf[:windowSize], at)
		w.start, w.buf = at, w.buf[:n]
		if n < len(p) {
			if err == nil {
				err = io.ErrUnexpectedEOF
			}
			return copy(p, w.buf), err
		}
	}
	return copy(p, w.buf[at-w.start:]), nil
}
