// SPDX-License-Identifier: Apache-2.0

package pgn

import (
	"errors"
	"fmt"
	"strings"
)

// What can be wrong with a game. An error of a game is a *GameError that wraps one of these, or one of
// package position: ErrIllegal, ErrAmbiguous or ErrSyntax for a move, and its errors of FEN.
var (
	// ErrUnsupportedVariant: the tags say that the game is not standard chess. Its moves are not
	// read; with Options.KeepRaw its text is there.
	ErrUnsupportedVariant = errors.New("unsupported variant")
	// ErrTag: a tag pair that is not [Name "value"].
	ErrTag = errors.New("malformed tag pair")
	// ErrComment: a comment without its end.
	ErrComment = errors.New("unterminated comment")
	// ErrVariation: a parenthesis too many or too few, or a variation of no move.
	ErrVariation = errors.New("misplaced variation")
	// ErrNAG: a NAG that is not $0 to $255.
	ErrNAG = errors.New("malformed annotation glyph")
	// ErrToken: text that is nothing that PGN knows.
	ErrToken = errors.New("unexpected text")
	// ErrLimit: more of something than Options allow.
	ErrLimit = errors.New("limit exceeded")
)

// GameError tells what is wrong with one game. The reader goes on after it.
type GameError struct {
	File   string // Options.Name
	Game   int    // the number of the game in the input, from 1
	Offset int64  // where the text is in the input, in bytes from 0
	Line   int    // from 1
	Column int    // in bytes, from 1
	// Ply is the number of the halfmove in its line that could not be read, counted from the start of the
	// game, from 1; 0 where the tags are wrong. In what is not a halfmove, it is that of the next.
	Ply      int
	Text     string // what was read, at most 40 bytes of it
	Expected string // what would have been right
	Err      error
	Others   int    // how many more errors there are in the game
	Raw      []byte // the game's bytes, Source.Start to Source.End, as far as they were in memory
}

// Error describes the error in one line.
func (e *GameError) Error() string {
	var b strings.Builder
	if e.File != "" {
		fmt.Fprintf(&b, "%s:", e.File)
	}
	fmt.Fprintf(&b, "%d:%d: game %d", e.Line, e.Column, e.Game)
	if e.Ply > 0 {
		fmt.Fprintf(&b, ", ply %d", e.Ply)
	}
	fmt.Fprintf(&b, ": %v", e.Err)
	if e.Text != "" && !strings.Contains(e.Err.Error(), e.Text) {
		fmt.Fprintf(&b, " %q", e.Text)
	}
	if e.Expected != "" {
		fmt.Fprintf(&b, ", expected %s", e.Expected)
	}
	if e.Others > 0 {
		fmt.Fprintf(&b, " (and %d more)", e.Others)
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *GameError) Unwrap() error { return e.Err }
