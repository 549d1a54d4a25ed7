// SPDX-License-Identifier: Apache-2.0

package pgn

import (
	"fmt"

	"ply11/bitstream/codec"
	"ply11/game"
)

// Parts is what of a game's movetext is wanted.
type Parts uint8

// The parts. Without Moves, the movetext is passed over, and neither moves nor the other parts are given.
const (
	Moves Parts = 1 << iota
	Variations
	Comments
	NAGs

	Nothing    Parts = 0
	Everything       = Moves | Variations | Comments | NAGs
)

// options are what ReaderOptions set.
type options struct {
	name     string
	encoding game.Encoding
	keepRaw  bool
	sel      func(*game.Game) Parts

	maxGame, maxTags, maxTag, maxComment, maxNesting, maxMoves, maxItems int
}

// ReaderOption tells a Reader how to read.
//
// The options that begin with Max are limits, at least 1. What exceeds one ends the game with an error that is codec.ErrLimit. The
// memory of a Reader is bounded by them, and under 16 MiB without them.
type ReaderOption func(*options) error

// WithName gives errors the name of the file.
func WithName(name string) ReaderOption {
	return func(o *options) error {
		o.name = name
		return nil
	}
}

// WithEncoding tells how the text is encoded: UTF8 or Latin1. Without it, or with ASCII, that is found out for
// each text of each game: one that is not UTF-8 is read as Latin-1, and says nothing of the others. No byte is lost.
func WithEncoding(e game.Encoding) ReaderOption {
	return func(o *options) error {
		if e > game.Latin1 {
			return fmt.Errorf("%w: there is no encoding %d", codec.ErrOption, e)
		}
		o.encoding = e
		return nil
	}
}

// WithRaw asks for the bytes of each game in its Source.
func WithRaw() ReaderOption {
	return func(o *options) error {
		o.keepRaw = true
		return nil
	}
}

// WithSelect sets a function that is called with each game when its tags and start are read and before its movetext is, and
// tells what of the movetext is wanted. It must not keep the game.
func WithSelect(f func(*game.Game) Parts) ReaderOption {
	return func(o *options) error {
		o.sel = f
		return nil
	}
}

// MaxGame limits the bytes of a game's text; 1 MiB without it, and 1 GiB at most.
func MaxGame(n int) ReaderOption {
	return limit("MaxGame", n, func(o *options) *int { return &o.maxGame })
}

// MaxTags limits the tags of a game; 1,000 without it.
func MaxTags(n int) ReaderOption {
	return limit("MaxTags", n, func(o *options) *int { return &o.maxTags })
}

// MaxTag limits the bytes of a tag's value; 64 KiB without it. Of its name, 255 bytes of UTF-8 are always the limit.
func MaxTag(n int) ReaderOption {
	return limit("MaxTag", n, func(o *options) *int { return &o.maxTag })
}

// MaxComment limits the bytes of a comment; 256 KiB without it.
func MaxComment(n int) ReaderOption {
	return limit("MaxComment", n, func(o *options) *int { return &o.maxComment })
}

// MaxNesting limits the depth of variations; 256 without it.
func MaxNesting(n int) ReaderOption {
	return limit("MaxNesting", n, func(o *options) *int { return &o.maxNesting })
}

// MaxMoves limits the plies of a game, those of variations too; 65,536 without it.
func MaxMoves(n int) ReaderOption {
	return limit("MaxMoves", n, func(o *options) *int { return &o.maxMoves })
}

// MaxItems limits the comments, NAGs and variations of a game; 65,536 without it.
func MaxItems(n int) ReaderOption {
	return limit("MaxItems", n, func(o *options) *int { return &o.maxItems })
}

func limit(name string, n int, field func(*options) *int) ReaderOption {
	return func(o *options) error {
		*field(o) = n
		return codec.AtLeast(name, n, 1)
	}
}

// makeOptions returns the defaults with the options applied to them.
func makeOptions(list []ReaderOption) (options, error) {
	o := options{maxGame: 1 << 20, maxTags: 1000, maxTag: 64 << 10, maxComment: 256 << 10, maxNesting: 256,
		maxMoves: 1 << 16, maxItems: 1 << 16}
	err := codec.Apply(&o, list)
	o.maxGame = min(max(o.maxGame, 1), 1<<30) // buffers are addressed by int32 in a game's arenas
	return o, err
}
