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

// AppendIndices decodes a move list to words of the index and appends them: a word for each move, and
// moveindex.VariationStart and moveindex.VariationEnd around variations. Which moves have comments is
// left out, and so is a variation without a move. NumberingAuto is taken for NumberingDocument.
//
// An error is a *codec.Error whose Offset is that in moves; what was decoded before it is returned too. It
// allocates only where dst is too small, and 56 bytes for each level of variations.
func AppendIndices(dst []moveindex.Index, moves []byte, start *position.Position, numbering Numbering) (
	[]moveindex.Index, error) {
	return appendIndices(dst, moves, NewGenerator(*start, numbering))
}

func appendIndices(dst []moveindex.Index, moves []byte, g Generator) ([]moveindex.Index, error) {
	before := g           // where the line's last move was made
	var stack []Generator // before, and the line's end, of the lines around
	lineStart := true     // no move of this line yet
	base := g.pos.Ply()
	for i, b := range moves {
		switch b {
		case variationStart:
			if lineStart {
				return dst, moveError(i, &g, base, codec.ErrGrammar, "a variation without a move before it")
			}
			stack = append(stack, before, g)
			g, lineStart = before, true
			dst = append(dst, moveindex.VariationStart)
		case variationEnd:
			if len(stack) == 0 {
				return dst, moveError(i, &g, base, codec.ErrGrammar, "the end of a variation that has not begun")
			}
			if lineStart {
				dst = dst[:len(dst)-1] // its start: nothing else can have come since
			} else {
				dst = append(dst, moveindex.VariationEnd)
			}
			n := len(stack) - 2
			before, g, stack = stack[n], stack[n+1], stack[:n]
			lineStart = false
		default:
			m, err := g.Move(int(b &^ commentBit))
			if err != nil {
				return dst, numberError(i, &g, base, b, m, err)
			}
			before = g
			g.Make(m)
			lineStart = false
			index, _ := moveindex.Of(m)
			dst = append(dst, index)
		}
	}
	if len(stack) != 0 {
		return dst, moveError(len(moves), &g, base, codec.ErrGrammar,
			fmt.Sprintf("%d variations do not end", len(stack)/2))
	}
	return dst, nil
}

// AppendMoves encodes words of the index, moves and the two words around variations, to a move list without
// comments and appends it. Any other word is an error, as are moves that are not legal and move numbers
// beyond MaxNumber (codec.ErrLimit). Errors are *codec.Error whose Offset counts words.
func AppendMoves(dst []byte, words []moveindex.Index, start *position.Position, numbering Numbering) ([]byte, error) {
	g := NewGenerator(*start, numbering)
	before := g
	var stack []Generator
	lineStart := true
	base := start.Ply()
	for i, w := range words {
		switch w {
		case moveindex.VariationStart:
			if lineStart {
				return dst, wordError(i, &g, base, codec.ErrGrammar, "a variation without a move before it")
			}
			stack = append(stack, before, g)
			g, lineStart = before, true
			dst = append(dst, variationStart)
		case moveindex.VariationEnd:
			if len(stack) == 0 {
				return dst, wordError(i, &g, base, codec.ErrGrammar, "the end of a variation that has not begun")
			}
			if lineStart {
				return dst, wordError(i, &g, base, codec.ErrGrammar, "a variation without a move")
			}
			n := len(stack) - 2
			before, g, stack = stack[n], stack[n+1], stack[:n]
			dst = append(dst, variationEnd)
			lineStart = false
		default:
			m, ok := w.Move()
			if !ok {
				return dst, wordError(i, &g, base, position.ErrIllegal, fmt.Sprintf("word %d is no move", w))
			}
			n, err := g.Number(m)
			if err != nil {
				return dst, wordError(i, &g, base, err, m.String())
			}
			if n > MaxNumber {
				return dst, wordError(i, &g, base, codec.ErrLimit,
					fmt.Sprintf("%s has the number %d, of at most %d", m, n, MaxNumber))
			}
			before = g
			g.Make(m)
			lineStart = false
			dst = append(dst, byte(n))
		}
	}
	if len(stack) != 0 {
		return dst, wordError(len(words), &g, base, codec.ErrGrammar,
			fmt.Sprintf("%d variations do not end", len(stack)/2))
	}
	return dst, nil
}

// moveError is an error at byte i of a move list, in the generator's position; base is the Ply of the game's
// starting position.
func moveError(i int, g *Generator, base int, err error, reason string) *codec.Error {
	return &codec.Error{Ply: g.pos.Ply() - base + 1, Offset: int64(i), Err: err, Reason: reason}
}

// numberError is moveError for a number that Generator.Move refused.
func numberError(i int, g *Generator, base int, b byte, m chess.Move, err error) *codec.Error {
	n := int(b &^ commentBit)
	if err == position.ErrIllegal {
		return moveError(i, g, base, err, fmt.Sprintf("number %d is %s", n, m))
	}
	return moveError(i, g, base, err, fmt.Sprintf("number %d, of %d moves", n, g.Count()))
}

// wordError is moveError for word i of a game's words.
func wordError(i int, g *Generator, base int, err error, reason string) *codec.Error {
	e := moveError(i, g, base, err, reason)
	e.Unit = codec.Words
	return e
}
