// SPDX-License-Identifier: Apache-2.0

package chessbase

import (
	"bufio"
	"errors"
	"io"

	"ply11/game"
)

// Writer writes games to a CBF file and its CBI file.
type Writer struct {
	cbf    *bufio.Writer
	index  indexWriter
	offset int64
	lossy  bool
	games  int

	e      encoder
	record Record
	buf    []byte
	closed bool
}

// WriterOption changes a Writer.
type WriterOption func(*Writer)

// Lossy lets the writer leave out what the format cannot hold, and report it.
func Lossy() WriterOption { return func(w *Writer) { w.lossy = true } }

// WriteNumbering sets the numbering of the moves; without it, it is the document's.
func WriteNumbering(n Numbering) WriterOption { return func(w *Writer) { w.e.numbering = n } }

// NewWriter returns a writer. The index's count of games comes first in the CBI file, and is written last, by
// Close.
func NewWriter(cbf io.Writer, cbi io.WriteSeeker, options ...WriterOption) *Writer {
	w := &Writer{cbf: bufio.NewWriterSize(cbf, 1<<16), index: indexWriter{w: cbi}}
	for _, o := range options {
		o(w)
	}
	return w
}

// Write writes a game and returns the names of what the format cannot hold. Without Lossy, a game with
// losses is not written, and the error is a *LossError. An *Error refuses the game: ErrIllegal,
// ErrTooLong. The writer can be used on after both. Any other error is of the files.
func (w *Writer) Write(g *game.Game) ([]string, error) {
	if err := w.e.game(g, &w.record); err != nil {
		return w.e.lost, inGame(w.games+1, err)
	}
	if len(w.e.lost) > 0 && !w.lossy {
		return w.e.lost, &LossError{Format: "chessbase", Names: w.e.lost}
	}
	return w.e.lost, w.WriteRecord(&w.record)
}

// WriteRecord writes a record as it is: see Record.AppendTo.
func (w *Writer) WriteRecord(r *Record) error {
	var err error
	if w.buf, err = r.AppendTo(w.buf[:0]); err != nil {
		return &Error{Game: w.games + 1, Offset: w.offset, Err: err}
	}
	if err := w.index.add(w.offset); err != nil {
		return &Error{Game: w.games + 1, Offset: w.offset, Err: err}
	}
	if _, err := w.cbf.Write(w.buf); err != nil {
		return err
	}
	w.offset += int64(len(w.buf))
	w.games++
	return nil
}

// Games returns the number of games written.
func (w *Writer) Games() int { return w.games }

// Close ends both files, and closes neither. It may be called again.
func (w *Writer) Close() error {
	if w.closed {
		return nil
	}
	w.closed = true
	return errors.Join(w.cbf.Flush(), w.index.close(w.offset))
}
