// SPDX-License-Identifier: Apache-2.0

package chessbase

import (
	"fmt"
	"io"
	"iter"

	"ply11/game"
	"ply11/game/codec"
)

// Reader reads the games of a CBF file, in order or by number: through the CBI file, or, without one, from record to
// record. It is a codec.Reader. Its memory is bounded by the largest game. It is not safe for use by several
// goroutines.
type Reader struct {
	cbf         io.ReaderAt
	size        int64
	index       *gameIndex // nil: walk
	numbering   Numbering
	skipDeleted bool

	at     cursor // of Read
	d      decoder
	record Record
	game   game.Game
	window window // and scout, judged: of a walk
	scout  Record
	judged int64 // bytes of records that were looked at
	used   Numbering
	counts [NumberingCBASCII + 1]int
	either int       // games that both numberings decode, to different moves
	file   Numbering // of the file as a whole, once it has been asked for
}

// ReaderOption changes a Reader.
type ReaderOption func(*Reader) error

// WithNumbering fixes the numbering of the moves. Without it, the reader chooses.
func WithNumbering(n Numbering) ReaderOption {
	return func(r *Reader) error {
		if n > NumberingCBASCII {
			return fmt.Errorf("%w: there is no numbering %d", codec.ErrOption, n)
		}
		r.numbering = n
		return nil
	}
}

// SkipDeleted makes Read and All leave out games that are marked as deleted.
func SkipDeleted() ReaderOption {
	return func(r *Reader) error {
		r.skipDeleted = true
		return nil
	}
}

// NewReader returns a reader of a CBF file and its CBI file, of the given sizes. cbi may be nil: then the reader goes
// from record to record. A CBI file that is none is a *codec.Error.
func NewReader(cbf io.ReaderAt, cbfSize int64, cbi io.ReaderAt, cbiSize int64, options ...ReaderOption) (*Reader,
	error) {
	r := &Reader{cbf: cbf, size: cbfSize}
	if cbi != nil {
		index, err := openGameIndex(cbi, cbiSize)
		if err != nil {
			return nil, err
		}
		r.index = index
	}
	if err := codec.Apply(r, options); err != nil {
		return nil, err
	}
	return r, nil
}

// Len returns the number of games in the index, and -1 without one.
func (r *Reader) Len() int {
	if r.index == nil {
		return -1
	}
	return r.index.len()
}

// Numbering returns the numbering by which the last game was decoded.
func (r *Reader) Numbering() Numbering { return r.used }

// Numbered returns how many games were decoded by each numbering, and how many both would have decoded, to different
// moves.
func (r *Reader) Numbered() (document, cbascii, either int) {
	return r.counts[NumberingDocument], r.counts[NumberingCBASCII], r.either
}

// ReadRecord reads the record of game i, from 1, by the index. Errors are *codec.Error.
func (r *Reader) ReadRecord(i int, record *Record) error {
	if r.index == nil {
		return &codec.Error{Game: i, Err: codec.ErrCorrupt, Reason: "there is no index"}
	}
	offset, err := r.index.offset(i)
	if err != nil {
		return err
	}
	if offset >= r.size {
		return &codec.Error{Game: i, Offset: offset, Err: codec.ErrCorrupt,
			Reason: fmt.Sprintf("the game would begin beyond the file's end, at %d", r.size)}
	}
	return codec.InGame(i, record.read(r.cbf, offset, r.size))
}

// Game reads game i, from 1, by the index. g is Reset; its Source has the record's place in the file.
//
// With NumberingAuto, a game that only one numbering decodes is decoded by that. Where both would decode it, to
// different moves, the file decides: the numbering that alone decodes more of its games. For this, once, records are
// read from the front until one of the two is eight games ahead.
//
// Errors are *codec.Error. What was decoded before the error is in g.
func (r *Reader) Game(i int, g *game.Game) error {
	if err := r.ReadRecord(i, &r.record); err != nil {
		g.Reset()
		return err
	}
	return r.decode(i, g)
}

// decode decodes the reader's record as game i.
func (r *Reader) decode(i int, g *game.Game) error {
	prefer := r.file
	if prefer == NumberingAuto {
		prefer = NumberingDocument
	}
	used, v, err := r.d.auto(&r.record, g, r.numbering, prefer)
	if v == either {
		if r.file == NumberingAuto {
			if r.file = r.inspect(); r.file != used {
				used = r.file
				err = r.d.game(&r.record, g, used)
			}
		}
		r.either++
	}
	r.used = used
	r.counts[used]++
	g.Source = game.Source{Number: i, Start: r.record.Offset, End: r.record.Offset + int64(r.record.size())}
	return codec.InGame(i, err)
}

// lead is by how many games a numbering must lead for the file to have it.
const lead = 8

// inspect returns the numbering of the file as a whole.
func (r *Reader) inspect() Numbering {
	scout := Reader{cbf: r.cbf, size: r.size, index: r.index, file: NumberingDocument}
	cbascii := 0
	var at cursor
	for {
		_, err := scout.next(&at)
		if err == io.EOF {
			break
		}
		if err != nil {
			continue
		}
		switch _, v, _ := scout.d.auto(&scout.record, &scout.game, NumberingAuto, NumberingDocument); v {
		case onlyDocument:
			cbascii--
		case onlyCBASCII:
			cbascii++
		}
		if cbascii <= -lead || cbascii >= lead {
			break
		}
	}
	if cbascii > 0 {
		return NumberingCBASCII
	}
	return NumberingDocument
}

type cursor struct {
	game int   // the last game
	at   int64 // where the next begins, without an index
}

// next reads the next record into r.record, and returns the number of its game, and io.EOF after the last. A
// *codec.Error is of that game.
func (r *Reader) next(c *cursor) (int, error) {
	if r.index == nil {
		return r.walk(c)
	}
	if c.game >= r.index.len() {
		return 0, io.EOF
	}
	c.game++
	return c.game, r.ReadRecord(c.game, &r.record)
}

// All returns the games from here on: see codec.Reader.
func (r *Reader) All() iter.Seq2[*game.Game, error] { return codec.All(r.Read) }

// Read reads the next game into g, in the order of the index, or, without one, of the file: see codec.Reader.
func (r *Reader) Read(g *game.Game) error {
	for {
		g.Reset()
		i, err := r.next(&r.at)
		if err != nil {
			return err
		}
		if !r.skipDeleted || !r.record.Header.deleted() {
			return r.decode(i, g)
		}
	}
}
