// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"ply11/bitstream"
	"ply11/bitstream/archive"
	"ply11/game/codec"
)

const maxTold = 100

// teller prints errors of games, and counts those beyond maxTold.
type teller struct{ n int }

func (t *teller) tell(err error) {
	if t.n++; t.n <= maxTold {
		tellError(err)
	}
}

// say writes a line to the standard error.
func say(format string, args ...any) { fmt.Fprintf(stderr, "ply11: "+format+"\n", args...) }

// tellError prints an error, but not that of a signal.
func tellError(err error) {
	if !errors.Is(err, context.Canceled) {
		fmt.Fprintln(stderr, "ply11:", strings.TrimSpace(err.Error()))
	}
}

func (t *teller) finish(what string) {
	if t.n > maxTold {
		say("and %d more %s", t.n-maxTold, what)
	}
}

// stopped is the error that ended the packing of a file. That of a game is printed already.
func stopped(path string, err error) error {
	var bad *codec.Error
	if errors.As(err, &bad) {
		return &exitCode{err: err, code: exitInvalid, told: true}
	}
	return inFile(path, err)
}

// inFile gives an error, unless it is nil, the name of its file.
func inFile(path string, err error) error {
	var bad *codec.Error
	if err == nil || errors.As(err, &bad) && bad.File != "" {
		return err
	}
	if end, ok := damagedEnds.Load(path); ok && errors.Is(err, archive.ErrEdited) {
		err = end.(error)
	}
	return fmt.Errorf("%s: %w", path, err)
}

// isGameError reports whether an error concerns one game only.
func isGameError(err error) bool {
	if errors.Is(err, archive.ErrCorrupt) || errors.Is(err, bitstream.ErrPadding) {
		return false
	}
	return codec.IsGameError(err)
}

func isWordError(err error) bool {
	var e *codec.Error
	return errors.As(err, &e) && e.Unit != codec.Bytes
}
