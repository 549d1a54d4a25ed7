// SPDX-License-Identifier: Apache-2.0

package pgn

import "errors"

// What can be wrong with a game. An error of a game is a *codec.Error that wraps one of these, or one of
// package position: ErrIllegal, ErrAmbiguous or ErrSyntax for a move, and its errors of FEN.
var (
	// ErrUnsupportedVariant: the tags say that the game is not standard chess. Its moves are not
	// read; with WithRaw its text is there.
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
	// ErrLimit: more of something than the options allow.
	ErrLimit = errors.New("limit exceeded")
)
