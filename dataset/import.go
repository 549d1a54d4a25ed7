// SPDX-License-Identifier: Apache-2.0

package dataset

import (
	"errors"
	"fmt"
	"io"
	"iter"

	"ply11/bitstream/codec"
	"ply11/game"
)

// ErrData: a file of a data set is corrupt, or not of its format.
var ErrData = errors.New("not a sound file of the format")

// Importer describes a format that Import reads.
type Importer struct {
	Name, Extension, Description string
	read                         func(r io.ReaderAt, size int64, yield func(*game.Game, error) bool)
}

// importers are the formats that are read, in the order of their names.
var importers = []Importer{
	{"bin", ".bin", "Stockfish's .bin, 40 bytes a position (PackedSfenValue)", readBin},
	{"binpack", ".binpack", "Stockfish's binpack, whose blocks begin with BINP", readBinpack},
	{"lc0", ".tar", "lc0's training chunks, versions 6 and 7: a tar of gzips, or one gzip", readLC0},
	{"parquet", ".parquet", "Parquet, a row a game: what export writes, and the Lichess sets", readParquet},
	{"viriformat", ".vf", "viriformat, 32 bytes a game (marlinformat) and 4 a move; bullet calls it viribinpack", readViri},
}

// Importers lists the formats that Import reads.
func Importers() []Importer { return importers }

// Games returns the games of a file, each a new one. An error of one game is a *codec.Error, with the game as far as it is right; the
// next comes after it. Any other error is the last, and comes with a nil game: an ErrData, an ErrOrder, or one of reading.
func (f *Importer) Games(r io.ReaderAt, size int64) iter.Seq2[*game.Game, error] {
	return func(yield func(*game.Game, error) bool) {
		stopped := false
		give := func(g *game.Game, err error) bool {
			stopped = stopped || !yield(g, err)
			return !stopped
		}
		f.read(r, size, give)
	}
}

// rowError is the error of a game.
func rowError(number int, err error) error { return &codec.Error{Game: number, Offset: -1, Err: err} }

// dataError is an error of a file.
func dataError(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrData, fmt.Sprintf(format, args...))
}
