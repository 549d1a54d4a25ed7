// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"fmt"
	"io"
	"slices"

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

// NewWriter returns a Writer to w. Of the options, BlockGames and Smallest alone count. Close must be called at the end.
func NewWriter(w io.Writer, options ...Options) *Writer {
	var o Options
	if len(options) > 0 {
		o = options[0]
	}
	o = o.withDefaults()
	t := &Writer{out: newFileWriter(w, flagCanonical), enc: newEncoder(o.Smallest), games: o.BlockGames}
	t.enc.reset(gamesStyle())
	return t
}

// Write stores a game, whose moves must be legal. What a column cannot hold (a text with NUL or that is not
// valid UTF-8, a move number above 8,187) is bitstream.ErrUnwritable, and the game is not stored.
func (t *Writer) Write(g *game.Game) error {
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
func (t *Writer) Close() error {
	t.flush()
	if t.out.err != nil {
		return t.out.err
	}
	return t.out.close()
}

// Stats tells what was written so far.
func (t *Writer) Stats() Stats { return t.out.stats }

// Merge writes the games of several archives to one, in their order. Blocks are verified and copied as they are,
// so that it costs little more than reading; the new archive unpacks to the texts of the old ones, one after the
// other, and is canonical if one of them is.
func Merge(dst io.Writer, srcs ...io.Reader) (Stats, error) {
	scanners := make([]*Scanner, len(srcs))
	flags := uint32(0)
	for i, src := range srcs {
		s := NewScanner(src)
		if s.err = s.open(); s.err != nil {
			return Stats{}, s.err
		}
		flags |= s.flags
		scanners[i] = s
	}
	out := newFileWriter(dst, flags)
	for _, s := range scanners {
		for {
			b, err := s.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				return out.stats, err
			}
			for i := range b.head.columns {
				if _, err := b.check(i); err != nil {
					return out.stats, err
				}
			}
			if err := out.copy(b); err != nil {
				return out.stats, err
			}
		}
	}
	if len(scanners) == 1 && scanners[0].hash != nil {
		copy(out.stats.SHA256[:], scanners[0].hash)
		out.stats.Hashed = true
	}
	err := out.close()
	return out.stats, err
}

// copy writes a block that was read.
func (f *fileWriter) copy(b *Block) error {
	p := packedBlock{head: b.head}
	p.head.columns = slices.Clone(b.head.columns)
	p.data = append(p.head.encode(nil), b.data...)
	return f.block(&p)
}
