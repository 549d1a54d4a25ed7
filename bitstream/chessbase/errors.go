// SPDX-License-Identifier: Apache-2.0

package chessbase

import "errors"

// What can be wrong with the bytes, and with a game that is to be written. Every error of this package is
// one of these by errors.Is, or an error of the file underneath. A *codec.Error tells where, a *codec.LossError what is lost.
var (
	// ErrTruncated: the file ends inside what it should hold.
	ErrTruncated = errors.New("file ends too early")
	// ErrIndex: an index whose counts or offsets cannot be.
	ErrIndex = errors.New("bad index")
	// ErrHeader: a game header whose fields cannot be.
	ErrHeader = errors.New("bad game header")
	// ErrSetup: a starting position that is none.
	ErrSetup = errors.New("bad starting position")
	// ErrNumber: a move number beyond the generator's list, or 0.
	ErrNumber = errors.New("no move has the number")
	// ErrIllegal: a move that is not legal.
	ErrIllegal = errors.New("illegal move")
	// ErrVariation: a variation that does not end, does not begin, holds no move, or has no move
	// before it.
	ErrVariation = errors.New("bad variation")
	// ErrComment: a comment field that does not go with the moves.
	ErrComment = errors.New("bad comment")
	// ErrChecksum: byte 13 of a header is none that a known program takes. Only Verify reports it.
	ErrChecksum = errors.New("unknown byte 13")
	// ErrTooLong: a field, a file or a move number that is larger than the format's.
	ErrTooLong = errors.New("too long for the format")
	// ErrBrackets: the starts and ends of an opening book's variations do not match.
	ErrBrackets = errors.New("starts and ends of variations do not match")
)
