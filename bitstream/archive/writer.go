// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"fmt"
	"io"

	"ply11/game"
	"ply11/game/pgn"
)

// Writer stores games that come from anywhere. The archive is canonical: it unpacks to PGN in the
// export layout, with the tags in the games' own order.
type Writer struct {
	out   *fileWriter
	enc   *encoder
	games int
	b     packedBlock
}

// gamesStyle is the layout of a Writer's archive.
func gamesStyle() pgn.Style {
	s := pgn.Export()
	s.Roster = false
	return s
}

// NewWriter returns a Writer to w. Of the options, BlockGames and Dense alone count. Close must be called at the end.
func NewWriter(w io.Writer, options ...Options) *Writer {
	var o Options
	if len(options) > 0 {
		o = options[0]
	}
	o = o.withDefaults()
	t := &Writer{out: newFileWriter(w, header{versionOf(o.Dense), flagCanonical}), enc: newEncoder(&o, newZstd()), games: o.BlockGames}
	t.enc.reset(gamesStyle())
	return t
}

// Write stores a game, whose moves must be legal. What a column cannot hold (a text with NUL or that is not
// valid UTF-8, a move number above 8,187) is bitstream.ErrUnwritable, and the game is not stored.
func (t *Writer) Write(g *game.Game) (err error) {
	defer guard(&err)
	if err := t.enc.add(g, nil, false); err != nil {
		return fmt.Errorf("game %d: %w", t.out.stats.Games+uint64(t.enc.games())+1, err)
	}
	if t.enc.games() >= t.games || t.enc.text >= blockText {
		t.flush()
	}
	return t.out.err
}

func (t *Writer) flush() {
	if t.enc.games() == 0 {
		return
	}
	t.b.data, t.b.head = t.enc.block(t.b.data[:0], 1, 0)
	t.out.block(&t.b)
	t.enc.reset(gamesStyle())
}

// Close writes what is left, the footer and the trailer. It does not close the io.Writer.
func (t *Writer) Close() (err error) {
	defer guard(&err)
	t.flush()
	if t.out.err != nil {
		return t.out.err
	}
	return t.out.close()
}

// Stats tells what was written so far.
func (t *Writer) Stats() Stats { return t.out.stats }
