// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"ply11/game"
	"ply11/position"
)

// Each error of a Reader, a Writer or a decoder is one of these by errors.Is, or one of package position, or one of the
// input or output.
var (
	// ErrTruncated: the input, a game, or a part of one ends too early.
	ErrTruncated = errors.New("it ends too early")
	// ErrLimit: more of something than a format's fields hold, or than a reader's limits allow.
	ErrLimit = errors.New("over the limit")
	// ErrCorrupt: a part of a file that no writer of the format makes: a header, an index, a checksum, a column.
	ErrCorrupt = errors.New("corrupt")
	// ErrReserved: a byte, a word or a number that means nothing.
	ErrReserved = errors.New("reserved code")
	// ErrGrammar: what has a meaning, but not in its place: a variation without a move, a glyph before the moves.
	ErrGrammar = errors.New("misplaced element")
	// ErrText: text that is not of the format or of its encoding.
	ErrText = errors.New("malformed text")
	// ErrNAG: a NAG that is not one of 0 to 255.
	ErrNAG = errors.New("no such NAG")
	// ErrStart: a start position that is none.
	ErrStart = errors.New("invalid start position")

	// ErrLoss: a game holds what the format cannot. A LossError has it.
	ErrLoss = errors.New("the format cannot hold all of the game")
	// ErrTooManyPieces: more pieces of a kind than the format has numbers for.
	ErrTooManyPieces = errors.New("more pieces of a kind than there are numbers for")
	// ErrChess960: castling rights of Chess960, in a format that has only those of standard chess.
	ErrChess960 = errors.New("castling of Chess960")
	// ErrOption: an option with a value that it does not take.
	ErrOption = errors.New("invalid option")
	// ErrClosed: a Writer is used after Close.
	ErrClosed = errors.New("the writer is closed")
)

// What can be wrong with a move whose bytes name a piece and a step. Each is a position.ErrIllegal.
var (
	// ErrNoPiece: the piece named is not on the board.
	ErrNoPiece = fmt.Errorf("%w: no such piece on the board", position.ErrIllegal)
	// ErrOffBoard: the step leaves the board.
	ErrOffBoard = fmt.Errorf("%w: off the board", position.ErrIllegal)
	// ErrOwnPiece: the target square holds a piece of the same side.
	ErrOwnPiece = fmt.Errorf("%w: own piece on the target square", position.ErrIllegal)
	// ErrNothingToTake: a pawn takes, and there is nobody to be taken.
	ErrNothingToTake = fmt.Errorf("%w: a pawn takes nobody", position.ErrIllegal)
	// ErrCastling: castling without king and rook in their places, or with somebody between.
	ErrCastling = fmt.Errorf("%w: castling without king and rook in their places and nobody between",
		position.ErrIllegal)
	// ErrPromotion: a pawn reaches its last rank without a promotion, or there is a promotion elsewhere.
	ErrPromotion = fmt.Errorf("%w: promotion and last rank do not go together", position.ErrIllegal)
	// ErrNumberTaken: a promotion to a number that a living piece holds.
	ErrNumberTaken = fmt.Errorf("%w: number held by a living piece", position.ErrIllegal)
)

// Unit is what an offset counts.
type Unit uint8

// The units.
const (
	Bytes Unit = iota
	Words      // of eleven bits
	Bits
)

// String returns the unit as errors name it: "offset" for bytes, "word" or "bit".
func (u Unit) String() string {
	switch u {
	case Words:
		return "word"
	case Bits:
		return "bit"
	}
	return "offset"
}

// Error is what is wrong with one game, or with a part of a file, and where. Reading can go on after it.
type Error struct {
	File   string // the file's name, "" where the reader was not told
	Game   int    // the number of the game in the input, from 1; 0 if it is about none
	Ply    int    // the ply in its line, counted from the start of the game, from 1; 0 before the moves
	Offset int64  // where it is in the input, from 0, in Unit; -1 if that is not known
	Unit   Unit
	Line   int // of a text: the line, from 1; 0 in a file of bytes
	Column int // of a text: the byte in the line, from 1; 0 if that is not known

	Err      error
	Reason   string // what is known besides Err
	Text     string // of a text: what was read, at most 40 bytes of it
	Expected string // of a text: what would have been right
	Beside   bool   // the start and the main line are right: it is in a tag, an annotation or a variation
	Others   int    // how many more errors there are in the game
	Raw      []byte // of a text: the game's bytes, as far as they were in memory
}

// Error names the place and the cause in one line.
func (e *Error) Error() string {
	var b strings.Builder
	if e.File != "" {
		fmt.Fprintf(&b, "%s:", e.File)
		if e.Column == 0 {
			b.WriteByte(' ')
		}
	}
	switch {
	case e.Column > 0:
		fmt.Fprintf(&b, "%d:%d: ", e.Line, e.Column)
	case e.Line > 0 && e.Offset >= 0:
		fmt.Fprintf(&b, "line %d, %v %d: ", e.Line, e.Unit, e.Offset)
	case e.Line > 0:
		fmt.Fprintf(&b, "line %d: ", e.Line)
	case e.Offset >= 0:
		fmt.Fprintf(&b, "%v %d: ", e.Unit, e.Offset)
	}
	switch {
	case e.Game > 0 && e.Ply > 0:
		fmt.Fprintf(&b, "game %d, ply %d: ", e.Game, e.Ply)
	case e.Game > 0:
		fmt.Fprintf(&b, "game %d: ", e.Game)
	case e.Ply > 0:
		fmt.Fprintf(&b, "ply %d: ", e.Ply)
	}
	b.WriteString(e.Err.Error())
	if e.Reason != "" {
		b.WriteString(": " + e.Reason)
	}
	if e.Text != "" && !strings.Contains(e.Err.Error(), e.Text) {
		fmt.Fprintf(&b, " %q", e.Text)
	}
	if e.Expected != "" {
		fmt.Fprintf(&b, ", expected %s", e.Expected)
	}
	if e.Beside {
		b.WriteString("; the main line is right")
	}
	if e.Others > 0 {
		fmt.Fprintf(&b, " (and %d more)", e.Others)
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// TooLong returns an error, ErrLimit, for a game of more bytes than a reader takes.
func TooLong(limit int) error {
	return fmt.Errorf("%w: a game of more than %d bytes", ErrLimit, limit)
}

// IsGameError reports whether an error is an *Error: one after which the next game can be read or written.
func IsGameError(err error) bool {
	var e *Error
	return errors.As(err, &e)
}

// IsBeside reports whether an error is an *Error that leaves the main line of its game right.
func IsBeside(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Beside
}

// InGame gives an *Error, where err is one, the number of its game. It returns err.
func InGame(number int, err error) error {
	var e *Error
	if errors.As(err, &e) {
		e.Game = number
	}
	return err
}

// LossError refuses a game for what the format cannot hold, or, where losses are allowed, says what was dropped.
type LossError struct {
	Format string   // the format's name, as the command has it
	Game   int      // the number of the game among those given to the Writer, from 1; 0 if there is no Writer
	Names  []string // what is lost, each once, in the order of the game: "tag Round", "comment at ply 3"
}

// Error names all that is lost.
func (e *LossError) Error() string {
	s := fmt.Sprintf("%s cannot hold %s", e.Format, strings.Join(e.Names, ", "))
	if e.Game > 0 {
		return fmt.Sprintf("game %d: %s", e.Game, s)
	}
	return s
}

// Unwrap returns ErrLoss.
func (e *LossError) Unwrap() error { return ErrLoss }

// LossesOf returns what a Writer's error says is lost; nil if it is no *LossError.
func LossesOf(err error) []string {
	var l *LossError
	if errors.As(err, &l) {
		return l.Names
	}
	return nil
}

// Losses gathers the names of what a game loses in a format.
type Losses []string

// Add adds a name, if it is not there.
func (l *Losses) Add(format string, args ...any) {
	if name := fmt.Sprintf(format, args...); !slices.Contains(*l, name) {
		*l = append(*l, name)
	}
}

// Err returns what was gathered as a *LossError of the format, nil if that is nothing.
func (l Losses) Err(format string) error {
	if len(l) == 0 {
		return nil
	}
	return &LossError{Format: format, Names: l}
}

// At returns an error at a byte of a game, counted from the game's first.
func At(offset, ply int, err error) *Error {
	return &Error{Offset: int64(offset), Ply: ply, Err: err}
}

// AtWord returns an error at a word of a game, counted from the game's first.
func AtWord(word, ply int, err error) *Error {
	return &Error{Offset: int64(word), Unit: Words, Ply: ply, Err: err}
}

// In returns the error of a game with its number, and its offset counted from the start of the input.
func (e *Error) In(number int, start int64) *Error {
	e.Game = number
	e.Offset += start
	return e
}

// tellsStart reports whether a game's FEN tag says no more than the start position.
func tellsStart(g *game.Game, fen string) bool {
	p, err := position.ParseFENLenient(fen)
	return err == nil && game.StartOf(g.Tag("Variant"), p) == g.Start
}

// TagLosses names the tags that a format without tags would lose: all but those that the start and the result say, and
// those that are not known.
func TagLosses(g *game.Game) Losses {
	var l Losses
	for _, t := range g.Tags {
		switch {
		case t.Value == "?" || t.Value == "" || t.Value == "????.??.??" || t.Value == "-",
			t.Name == "SetUp",
			t.Name == "FEN" && tellsStart(g, t.Value),
			t.Name == "Variant" && g.Start.IsChess960() && game.VariantOf(t.Value) == game.Chess960,
			t.Name == "Result" && t.Value == g.Result.String():
		default:
			l.Add("tag %s", t.Name)
		}
	}
	return l
}
