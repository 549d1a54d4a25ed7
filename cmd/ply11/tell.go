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

// maxTold is how many errors of games are told one by one.
const maxTold = 100

// teller tells errors of games to the standard error, and counts those beyond maxTold.
type teller struct{ n int }

func (t *teller) tell(err error) {
	if t.n++; t.n <= maxTold {
		tellError(err)
	}
}

// tellError tells an error to the standard error. That of a signal is told by what the signal calls.
func tellError(err error) {
	if !errors.Is(err, context.Canceled) {
		fmt.Fprintln(stderr, "ply11:", strings.TrimSpace(err.Error()))
	}
}

func (t *teller) finish(what string) {
	if t.n > maxTold {
		fmt.Fprintf(stderr, "ply11: and %d more %s\n", t.n-maxTold, what)
	}
}

// stopped is the error that ended the packing of a file. That of a game was told when it was met.
func stopped(path string, err error) error {
	var bad *codec.Error
	if errors.As(err, &bad) {
		return &exitCode{err: err, code: exitInvalid, told: true}
	}
	return inFile(path, err)
}

// inFile gives an error, unless it is nil, the name of its file, if it does not tell it itself.
func inFile(path string, err error) error {
	var bad *codec.Error
	if err == nil || errors.As(err, &bad) && bad.File != "" {
		return err
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

// isWordError reports whether an error is of a stream of words.
func isWordError(err error) bool {
	var e *codec.Error
	return errors.As(err, &e) && e.Unit != codec.Bytes
}
