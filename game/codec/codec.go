// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"fmt"
	"io"
	"iter"

	"ply11/game"
)

// Reader reads the games of an input. It is not for several goroutines at once.
type Reader interface {
	// Read reads the next game into g, which is Reset first. Its errors are:
	//
	//   - io.EOF after the last game;
	//   - an *Error for what is wrong with one game, or with a part of the input, where its Game is 0: g then holds
	//     the game as far as it is right, and the next call reads the next game;
	//   - any other is of the input or of an option, and final: every later call returns it again.
	Read(g *game.Game) error

	// All returns the games from here to the end of the input, each a new one, with the error that Read has for it. A
	// final error comes last, with a nil game. io.EOF never comes.
	All() iter.Seq2[*game.Game, error]
}

// Writer writes games. The same games always give the same bytes.
type Writer interface {
	// Write writes a game. A *LossError refuses a game for what the format cannot hold, an *Error for what is wrong
	// with it: nothing of the game is written then, and the next can be. Any other error is of the output or of an
	// option, and final.
	Write(g *game.Game) error

	// Close writes what is left and ends the file, but does not close the output below. After Close, Write returns
	// ErrClosed, and a second Close nil. After a final error, Close returns it.
	Close() error
}

// All returns the games that read reads, as Reader.All does.
func All(read func(*game.Game) error) iter.Seq2[*game.Game, error] {
	return func(yield func(*game.Game, error) bool) {
		var own game.Game
		for {
			err := read(&own)
			if err == io.EOF {
				return
			}
			if err != nil && !IsGameError(err) {
				yield(nil, err)
				return
			}
			if !yield(own.Clone(), err) {
				return
			}
		}
	}
}

// Apply applies options, and returns the first error.
func Apply[T any, O ~func(*T) error](t *T, options []O) error {
	for _, o := range options {
		if err := o(t); err != nil {
			return err
		}
	}
	return nil
}

// AtLeast returns an ErrOption for an option whose value is less than the least that it takes.
func AtLeast(name string, n, least int) error {
	if n < least {
		return fmt.Errorf("%w: %s is %d, less than %d", ErrOption, name, n, least)
	}
	return nil
}
