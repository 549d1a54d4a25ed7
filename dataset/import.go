// SPDX-License-Identifier: Apache-2.0

package dataset

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"

	"ply11/game"
	"ply11/game/codec"
)

// Importer is a format that is read.
type Importer struct {
	Name, Extension, Description string
	// Begins is how all files begin, or "".
	Begins string

	read func(r *bufio.Reader, c *gatherer) error                                  // from front to back
	at   func(r io.ReaderAt, size int64, yield func(*game.Game, error) bool) error // or at any place
}

// importers are the formats that are read, by name.
var importers = []Importer{
	{Name: "bin", Extension: ".bin", Description: "Stockfish's .bin, 40 bytes a position (PackedSfenValue)",
		read: readBin},
	{Name: "binpack", Extension: ".binpack", Description: "Stockfish's binpack, whose blocks begin with BINP",
		read: readBinpack},
	{Name: "lc0", Extension: ".tar",
		Description: "lc0's training chunks, versions 6 and 7: gzips (training.*.gz), or a tar of them", read: readLC0},
	{Name: "parquet", Extension: ".parquet",
		Description: "Parquet, a row a game: what export writes, and the Lichess sets", Begins: "PAR1",
		at: readParquet},
	{Name: "viriformat", Extension: ".vf",
		Description: "viriformat, 32 bytes a game (marlinformat) and 4 a move; bullet calls it viribinpack",
		read:        readViri},
}

// Importers lists the formats that are read.
func Importers() []Importer { return importers }

// Games returns the games of a file. An error of a game is a *codec.Error, with the game as far as it is right; the
// next follows. Any other error is the last, with a nil game: a codec.ErrCorrupt, an ErrOrder, an ErrCompression, or
// one of reading.
func (f *Importer) Games(r io.ReaderAt, size int64) iter.Seq2[*game.Game, error] {
	if f.read != nil {
		return f.Stream(io.NewSectionReader(r, 0, size))
	}
	return func(yield func(*game.Game, error) bool) {
		yield = untilFalse(yield)
		if err := f.at(r, size, yield); err != nil {
			yield(nil, err)
		}
	}
}

// Streams reports whether Stream reads the format.
func (f *Importer) Streams() bool { return f.read != nil }

// Stream is Games of a file that is read from front to back.
func (f *Importer) Stream(r io.Reader) iter.Seq2[*game.Game, error] {
	return func(yield func(*game.Game, error) bool) {
		c := &gatherer{yield: untilFalse(yield)}
		if err := f.read(bufio.NewReaderSize(r, 64<<10), c); err != nil {
			c.yield(nil, err)
			return
		}
		c.end()
	}
}

// untilFalse calls yield until it returns false.
func untilFalse(yield func(*game.Game, error) bool) func(*game.Game, error) bool {
	stopped := false
	return func(g *game.Game, err error) bool {
		stopped = stopped || !yield(g, err)
		return !stopped
	}
}

// ended reports whether there are no more bytes.
func ended(r *bufio.Reader) (bool, error) {
	_, err := r.Peek(1)
	if err == io.EOF {
		return true, nil
	}
	return false, err
}

// short reports whether an error is that the bytes end.
func short(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }

// rowError is the error of a game.
func rowError(number int, err error) error { return &codec.Error{Game: number, Offset: -1, Err: err} }

// dataError is an error of a file.
func dataError(format string, args ...any) error {
	return fmt.Errorf("%w: not a sound file of the format: %s", codec.ErrCorrupt, fmt.Sprintf(format, args...))
}
