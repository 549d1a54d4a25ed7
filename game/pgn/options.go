// SPDX-License-Identifier: Apache-2.0

package pgn

import (
	"fmt"

	"ply11/game"
	"ply11/game/codec"
)

// options are what ReaderOptions set.
type options struct {
	name     string
	encoding game.Encoding

	noComments bool

	// Limits: see Reader.
	maxGame    int // bytes of its text
	maxTags    int // tags
	maxTag     int // bytes of a tag's value; of its name, maxTagName bytes of UTF-8 are the limit
	maxComment int // bytes of a comment
	maxNesting int // depth of variations
	maxMoves   int // plies, those of variations too
	maxItems   int // comments, NAGs and variations
}

// ReaderOption tells a Reader how to read.
type ReaderOption func(*options) error

// WithName gives errors the name of the file.
func WithName(name string) ReaderOption {
	return func(o *options) error {
		o.name = name
		return nil
	}
}

// WithEncoding says how the text is encoded: UTF8 or Latin1. Without it, or with ASCII, each text that is not UTF-8 is
// read as Latin-1.
func WithEncoding(e game.Encoding) ReaderOption {
	return func(o *options) error {
		if e > game.Latin1 {
			return fmt.Errorf("%w: there is no encoding %d", codec.ErrOption, e)
		}
		o.encoding = e
		return nil
	}
}

// WithoutComments leaves comments out of the games, and out of what says how a game is encoded. All else is read as
// with them, and limits are the same.
func WithoutComments() ReaderOption {
	return func(o *options) error {
		o.noComments = true
		return nil
	}
}

// MaxGame limits the bytes of a game's text: 1 to 1 GiB, 1 MiB without it.
func MaxGame(n int) ReaderOption {
	return func(o *options) error {
		o.maxGame = n
		return codec.AtLeast("MaxGame", n, 1)
	}
}

func makeOptions(list []ReaderOption) (options, error) {
	o := options{maxGame: 1 << 20, maxTags: 1000, maxTag: 64 << 10, maxComment: 256 << 10, maxNesting: 256,
		maxMoves: 1 << 16, maxItems: 1 << 16}
	err := codec.Apply(&o, list)
	o.maxGame = min(max(o.maxGame, 1), 1<<30) // buffers are addressed by int32 in a game's arenas
	return o, err
}
