// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"crypto/sha256"
	"hash"
	"io"

	"ply11/game"
	"ply11/game/codec"
	"ply11/game/pgn"
)

// Writer stores games that come from anywhere, one after the other. It is a codec.Writer.
//
// That of NewWriter makes a canonical archive: it unpacks to PGN in the export layout. That of NewSelection keeps the
// text of each game that is copied from another archive.
type Writer struct {
	out  codec.Output
	file *fileWriter
	enc  *encoder
	of   options
	b    packedBlock

	sum   hash.Hash // of the text; nil if the archive is canonical
	held  held      // the game that is not encoded yet, of NewSelection
	text  []byte
	spare game.Game
}

// held is a game whose text is not stored yet: it is given an end of line if another game follows and it has none.
type held struct {
	any   bool
	game  *game.Game
	text  []byte
	flags byte
	style pgn.Style
}

func gamesStyle() pgn.Style {
	s := pgn.Export()
	s.Roster = false
	return s
}

// styleGames is how many games a block has before another layout begins another block; until then, games of another
// layout have a patch.
const styleGames = 64

// NewWriter returns a Writer of a canonical archive to w. Its Close must be called.
func NewWriter(w io.Writer, options ...WriterOption) *Writer {
	return newWriter(w, flagCanonical, options)
}

// NewSelection returns a Writer to w whose archive keeps the texts of its games: it is for the games that a search
// found. Copy copies a game of another archive, to the byte and with its mark of an invalid game.
//
// Text that belongs to no game is not copied. A text without an end of line is given one if another game follows. Its
// Close must be called.
func NewSelection(w io.Writer, options ...WriterOption) *Writer {
	t := newWriter(w, 0, options)
	t.sum = sha256.New()
	t.held.game = game.New()
	return t
}

func newWriter(w io.Writer, flags uint32, list []WriterOption) *Writer {
	t := &Writer{out: codec.NewOutput(w)}
	var err error
	t.of, err = apply(list)
	t.out.Fail(err)
	t.file = newFileWriter(&t.out, header{flags | t.of.flags()})
	t.file.setMeta(t.of.meta)
	t.enc = newEncoder(&t.of, newZstd())
	t.enc.reset(gamesStyle())
	return t
}

// Write stores a game, whose moves must be legal, in the export layout: see codec.Writer. What a column cannot hold (a
// comment with NUL or that is not valid UTF-8, a tag whose name has NUL, a move number above 8,187) is a *codec.Error
// that is codec.ErrLoss; that of NewSelection stores such a game as its text. A game of more than 4 MiB of text or of
// tags, or of more than 65,536 tags, is a *codec.Error that is codec.ErrLimit.
func (t *Writer) Write(g *game.Game) (err error) {
	defer guard(&err)
	if err := t.out.Begin(); err != nil {
		return err
	}
	if t.sum == nil {
		return t.add(g, nil, 0)
	}
	if err := t.release(true); err != nil {
		return err
	}
	style := gamesStyle()
	t.text, _ = render(t.text[:0], g, &style)
	if err := t.lay(style); err != nil {
		return err
	}
	return t.add(g, t.text, 0)
}

// Copy stores game n (from 1) of a block of another archive. That of NewSelection keeps its text; that of NewWriter its
// content, and the text of a game that is not valid.
func (t *Writer) Copy(b *Block, n int) (err error) {
	defer guard(&err)
	if err := t.out.Begin(); err != nil {
		return err
	}
	x, _, err := b.Exception(n)
	if err != nil {
		return err
	}
	flags := x.flags
	if t.sum == nil {
		if t.text, err = b.AppendText(t.text[:0], n, &t.spare); err != nil {
			return err
		}
		if flags == 0 {
			return t.add(&t.spare, nil, 0)
		}
		return t.add(&t.spare, t.text, flags)
	}
	if err := t.release(true); err != nil {
		return err
	}
	h := &t.held
	if h.style, err = b.Style(); err != nil {
		return err
	}
	if h.text, err = b.AppendText(h.text[:0], n, h.game); err != nil {
		return err
	}
	h.any, h.flags = true, flags
	return nil
}

func (t *Writer) release(more bool) error {
	h := &t.held
	if !h.any {
		return nil
	}
	h.any = false
	if n := len(h.text); more && n > 0 && h.text[n-1] != '\n' && h.text[n-1] != '\r' {
		if h.style.CRLF {
			h.text = append(h.text, '\r')
		}
		h.text = append(h.text, '\n')
	}
	if err := t.lay(h.style); err != nil {
		return err
	}
	return t.add(h.game, h.text, h.flags)
}

// lay ends the block if another layout begins.
func (t *Writer) lay(style pgn.Style) error {
	if style == t.enc.style {
		return nil
	}
	if t.enc.games() >= styleGames {
		t.flush()
	}
	if t.enc.games() == 0 {
		t.enc.reset(style)
	}
	return t.file.err
}

func (t *Writer) add(g *game.Game, text []byte, flags byte) error {
	if t.enc.apart(g) {
		t.flush()
	}
	if err := t.enc.add(g, text, flags); err != nil {
		if !codec.IsGameError(err) {
			err = &codec.Error{Offset: -1, Err: err}
		}
		return codec.InGame(t.file.stats.Games+t.enc.games()+1, err)
	}
	if t.sum != nil {
		t.sum.Write(text)
	}
	if t.enc.games() >= t.of.blockGames || t.enc.full() {
		t.flush()
	}
	return t.file.err
}

func (t *Writer) flush() {
	if t.enc.games() == 0 {
		return
	}
	t.b.data, t.b.head = t.enc.block(t.b.data[:0], 0)
	t.b.keys = t.enc.keys
	t.file.block(&t.b)
	t.enc.reset(t.enc.style)
}

// Close writes what is left, the footer and the trailer: see codec.Writer.
func (t *Writer) Close() (err error) {
	defer guard(&err)
	return t.out.End(func() error {
		if err := t.release(false); err != nil {
			return err
		}
		t.flush()
		if t.file.err != nil {
			return t.file.err
		}
		if t.sum != nil {
			t.file.setHash(t.sum)
		}
		return t.file.close()
	})
}

// Stats returns the counts of what was written. The last games may not be among them yet.
func (t *Writer) Stats() Stats { return t.file.stats }
