// SPDX-License-Identifier: Apache-2.0

package chessbase

import (
	"io"

	"ply11/game"
	"ply11/game/codec"
)

// Writer writes games to a CBF file and its CBI file. It is a codec.Writer.
type Writer struct {
	out    codec.Output // the CBF file
	index  indexWriter
	offset int64

	e      encoder
	record Record
	buf    []byte
}

// NewWriter returns a writer. NumberingAuto is taken for NumberingDocument. Close writes the count of games to the
// front of the CBI file.
func NewWriter(cbf io.Writer, cbi io.WriteSeeker, n Numbering, options ...codec.WriterOption) *Writer {
	return &Writer{out: codec.NewOutput(cbf, options...), index: indexWriter{w: cbi}, e: encoder{numbering: n}}
}

// Write writes a game: see codec.Writer. A *codec.Error refuses a game that is position.ErrIllegal or codec.ErrLimit.
func (w *Writer) Write(g *game.Game) error {
	if err := w.out.Begin(); err != nil {
		return err
	}
	if err := w.out.Admit(w.e.game(g, &w.record)); err != nil {
		return err
	}
	return w.writeRecord()
}

func (w *Writer) writeRecord() (err error) {
	if w.buf, err = w.record.appendTo(w.buf[:0]); err == nil {
		err = w.index.add(w.offset)
	}
	if err != nil {
		return w.out.Admit(&codec.Error{Offset: w.offset, Err: err})
	}
	w.offset += int64(len(w.buf))
	_, err = w.out.Write(w.buf)
	return err
}

// Close ends both files, and closes neither: see codec.Writer.
func (w *Writer) Close() error { return w.out.End(func() error { return w.index.close(w.offset) }) }
