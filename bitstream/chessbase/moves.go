// SPDX-License-Identifier: Apache-2.0

package chessbase

import (
	"fmt"

	"ply11/chess"
	"ply11/game/codec"
	"ply11/moveindex"
	"ply11/position"
)

// Bytes of the move list (section 2.4).
const (
	variationStart = 0xff // replaces the move before it
	variationEnd   = 0x80
	commentBit     = 0x80 // on a move's byte: it has a comment
)

// What is wrong with variations, in bytes and in words.
var (
	errNoMove      = fmt.Errorf("%w: a variation without a move before it", codec.ErrGrammar)
	errNoVariation = fmt.Errorf("%w: the end of a variation that has not begun", codec.ErrGrammar)
	errEmpty       = fmt.Errorf("%w: a variation without a move", codec.ErrGrammar)
)

// line is where a line of moves stands: after its last move, and before it.
type line struct{ before, at Generator }

// lines follows moves and variations.
type lines struct {
	line
	stack     []line // those around it
	moved     bool   // the line has a move
	ambiguous bool   // the numberings may differ in a variation that has ended
	base      int    // the Ply of the start
}

func (l *lines) begin(start Generator) {
	*l = lines{line: line{start, start}, stack: l.stack[:0], base: start.pos.Ply()}
}

// ply is the number of the last move.
func (l *lines) ply() int { return l.at.pos.Ply() - l.base }

// open begins a variation, which replaces the last move.
func (l *lines) open() error {
	if !l.moved {
		return errNoMove
	}
	l.stack = append(l.stack, l.line)
	l.at, l.moved = l.before, false
	return nil
}

func (l *lines) close() error {
	n := len(l.stack) - 1
	if n < 0 {
		return errNoVariation
	}
	l.ambiguous = l.ambiguous || l.at.ambiguous
	l.line, l.stack, l.moved = l.stack[n], l.stack[:n], true
	return nil
}

func (l *lines) move(m chess.Move) {
	l.before, l.moved = l.at, true
	l.at.Make(m)
}

// end is the error of variations that do not end.
func (l *lines) end() error {
	if len(l.stack) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %d variations do not end", codec.ErrGrammar, len(l.stack))
}

// step follows a byte of a move list, and returns its word.
func (l *lines) step(b byte) (moveindex.Index, error) {
	switch b {
	case variationStart:
		return moveindex.VariationStart, l.open()
	case variationEnd:
		return moveindex.VariationEnd, l.close()
	}
	n := int(b &^ commentBit)
	m, err := l.at.Move(n)
	switch err {
	case nil:
	case position.ErrIllegal:
		return 0, fmt.Errorf("%w: number %d is %s", err, n, m)
	default:
		return 0, fmt.Errorf("%w: number %d, of %d moves", err, n, l.at.Count())
	}
	l.move(m)
	w, _ := moveindex.Of(m)
	return w, nil
}

// AppendIndices decodes a move list to words of the index and appends them: a word for each move, and
// moveindex.VariationStart and moveindex.VariationEnd around variations. Which moves have comments is left out, and so
// is a variation without a move. NumberingAuto is taken for NumberingDocument.
//
// An error is a *codec.Error whose Offset is that in moves; what was decoded before it is returned too.
func AppendIndices(dst []moveindex.Index, moves []byte, start *position.Position, numbering Numbering) (
	[]moveindex.Index, error) {
	return appendIndices(dst, moves, NewGenerator(*start, numbering))
}

func appendIndices(dst []moveindex.Index, moves []byte, start Generator) ([]moveindex.Index, error) {
	var l lines
	l.begin(start)
	for i, b := range moves {
		empty := !l.moved
		w, err := l.step(b)
		switch {
		case err != nil:
			return dst, codec.At(i, l.ply()+1, err)
		case w == moveindex.VariationEnd && empty:
			dst = dst[:len(dst)-1] // its start
		default:
			dst = append(dst, w)
		}
	}
	if err := l.end(); err != nil {
		return dst, codec.At(len(moves), l.ply()+1, err)
	}
	return dst, nil
}

// AppendMoves encodes words of the index, moves and the two words around variations, to a move list without comments
// and appends it. Any other word is an error, as are a variation without a move, moves that are not legal and move
// numbers beyond MaxNumber (codec.ErrLimit). Errors are *codec.Error whose Offset counts words.
func AppendMoves(dst []byte, words []moveindex.Index, start *position.Position, numbering Numbering) ([]byte, error) {
	var l lines
	l.begin(NewGenerator(*start, numbering))
	for i, w := range words {
		var b byte
		var err error
		switch w {
		case moveindex.VariationStart:
			b, err = variationStart, l.open()
		case moveindex.VariationEnd:
			if b = variationEnd; len(l.stack) > 0 && !l.moved {
				err = errEmpty
			} else {
				err = l.close()
			}
		default:
			m, ok := w.Move()
			if !ok {
				err = fmt.Errorf("%w: word %d is no move", position.ErrIllegal, w)
			} else if b, err = l.number(m); err == nil {
				l.move(m)
			}
		}
		if err != nil {
			return dst, codec.AtWord(i, l.ply()+1, err)
		}
		dst = append(dst, b)
	}
	if err := l.end(); err != nil {
		return dst, codec.AtWord(len(words), l.ply()+1, err)
	}
	return dst, nil
}

func (l *line) number(m chess.Move) (byte, error) {
	n, err := l.at.Number(m)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%w: %s", err, m)
	case n > MaxNumber:
		return 0, fmt.Errorf("%w: %s has the number %d, of at most %d", codec.ErrLimit, m, n, MaxNumber)
	}
	return byte(n), nil
}
