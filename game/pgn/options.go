// SPDX-License-Identifier: Apache-2.0

package pgn

import "ply11/game"

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

// Options tell a Reader how to read. The zero value is the default of everything.
type Options struct {
	// Name is the name of the file, for errors.
	Name string
	// Encoding is that of the text, UTF8 or Latin1. By default it is found out, once for the whole
	// input: a file whose first text with a byte above 127 is not UTF-8 is Latin-1. (In a file that is UTF-8
	// otherwise, a text that is not is read as Latin-1: no byte is lost.)
	Encoding game.Encoding
	// KeepRaw asks for the bytes of each game in its Source.
	KeepRaw bool
	// Select, if set, is called with each game when its tags and start are read and before its movetext is, and
	// tells what of the movetext is wanted. It must not keep the game.
	Select func(*game.Game) Parts

	// Limits; 0 is the default, given here. What exceeds one ends the game with an error that is
	// ErrLimit; the memory of a Reader is bounded by them, and under 16 MiB by the defaults.
	MaxGame    int // bytes of a game's text: 1 MiB
	MaxTags    int // tags of a game: 1,000
	MaxTag     int // bytes of a tag's value: 64 KiB
	MaxComment int // bytes of a comment: 256 KiB
	MaxNesting int // depth of variations: 256
	MaxMoves   int // plies of a game, those of variations too: 65,536
	MaxItems   int // comments, NAGs and variations of a game: 65,536
}

// withDefaults fills in what is not set.
func (o Options) withDefaults() Options {
	set := func(p *int, value int) {
		if *p <= 0 {
			*p = value
		}
	}
	set(&o.MaxGame, 1<<20)
	set(&o.MaxTags, 1000)
	set(&o.MaxTag, 64<<10)
	set(&o.MaxComment, 256<<10)
	set(&o.MaxNesting, 256)
	set(&o.MaxMoves, 1<<16)
	set(&o.MaxItems, 1<<16)
	// Buffers are addressed by int32 in a game's arenas.
	o.MaxGame = min(o.MaxGame, 1<<30)
	return o
}
