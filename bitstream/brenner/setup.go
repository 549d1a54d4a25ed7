// SPDX-License-Identifier: Apache-2.0

package brenner

import (
	"fmt"
	"slices"

	"ply11/chess"
	"ply11/game"
	"ply11/game/codec"
	"ply11/position"
)

// A SetUpEncoder writes games from any start position. Brenner's document has no start position but the usual
// one, and a Writer writes no other; hardware plays such games from positions that are loaded. Men are
// numbered as jose numbers them: from a8 to h8, then rank 7, down to h1.
type SetUpEncoder struct {
	layout Layout
	moves  map[setUpMove]byte
	prefix map[setUpMove]byte // of a kind and a number
	number [64]int            // of the piece on a square
}

// A setUpMove is what a byte says of a move.
type setUpMove struct {
	kind      chess.Kind
	number    int
	direction Direction
	steps     int
	pawn      PawnStep
}

// NewSetUpEncoder returns an encoder for a layout.
func NewSetUpEncoder(l Layout) *SetUpEncoder {
	e := &SetUpEncoder{layout: l, moves: make(map[setUpMove]byte), prefix: make(map[setUpMove]byte)}
	for b := range 256 {
		switch m := l.Meaning(uint8(b)); m.Class {
		case MoveByte:
			e.moves[setUpMove{m.Kind, m.Number, m.Direction, m.Steps, m.Pawn}] = uint8(b)
		case PrefixByte:
			e.prefix[setUpMove{kind: m.Kind, number: m.Number}] = uint8(b)
		}
	}
	return e
}

// numbers is how many pieces of a kind have numbers.
func numbers(k chess.Kind) int {
	switch k {
	case chess.Pawn:
		return 8
	case chess.King:
		return 1
	}
	return 4
}

// start numbers the pieces of a position, and is false where numbers run out.
func (e *SetUpEncoder) start(p *position.Position) bool {
	var given [2][8]int
	for rank := 7; rank >= 0; rank-- {
		for file := range 8 {
			s := chess.Square(8*rank + file)
			c, k := p.PieceAt(s).Color(), p.PieceAt(s).Kind()
			if k == chess.NoKind {
				continue
			}
			if given[c][k] == numbers(k) {
				return false
			}
			e.number[s] = given[c][k]
			given[c][k]++
		}
	}
	return true
}

// free is the lowest number that no living piece of a kind has, or false.
func (e *SetUpEncoder) free(p *position.Position, color chess.Color, kind chess.Kind) (int, bool) {
	var held [8]bool
	for s := range chess.Square(64) {
		if m := p.PieceAt(s); m.Kind() == kind && m.Color() == color {
			held[e.number[s]] = true
		}
	}
	for n := range numbers(kind) {
		if !held[n] {
			return n, true
		}
	}
	return 0, false
}

// Append appends the moves of a game's main line without its result, and returns how many they are and what is
// lost. A start position that it cannot number is codec.ErrTooManyMen, one of Chess960 codec.ErrChess960.
func (e *SetUpEncoder) Append(dst []byte, g *game.Game) ([]byte, int, []string, error) {
	pos := g.Start
	if pos.IsChess960() {
		return dst, 0, nil, codec.ErrChess960
	}
	if !e.start(&pos) {
		return dst, 0, nil, codec.ErrTooManyMen
	}
	var losses []string
	ply, depth := 0, 0
	for x := range g.All() {
		switch x.Kind {
		case game.VariationStart:
			if depth == 0 {
				losses = append(losses, fmt.Sprintf("variation at ply %d", ply))
			}
			depth++
		case game.VariationEnd:
			depth--
		case game.MoveEvent:
			if depth > 0 {
				continue
			}
			if x.Move == chess.NullMove {
				return dst, ply, append(losses, fmt.Sprintf("null move at ply %d and what follows it", ply+1)), nil
			}
			var ok bool
			if dst, ok = e.move(dst, &pos, x.Move); !ok {
				return dst, ply, append(losses, fmt.Sprintf("fifth man of a kind at ply %d and what follows it",
					ply+1)), nil
			}
			pos.Make(x.Move)
			ply++
		}
	}
	return dst, ply, losses, nil
}

// move appends a legal move; false if there is no number for a promoted piece.
func (e *SetUpEncoder) move(dst []byte, pos *position.Position, mv chess.Move) ([]byte, bool) {
	from, to := mv.From(), mv.To()
	color, kind := pos.PieceAt(from).Color(), pos.PieceAt(from).Kind()
	files, ranks := int(to&7)-int(from&7), int(to>>3)-int(from>>3)
	number := e.number[from]
	say := setUpMove{kind: kind, number: number}
	switch {
	case kind == chess.King && (files == 2 || files == -2):
		b := uint8(5)
		rook, goes := from&^7, to+1
		if files > 0 {
			b, rook, goes = 4, from|7, to-1
		}
		e.number[goes], e.number[to] = e.number[rook], 0
		return append(dst, b), true
	case kind == chess.Pawn:
		say.steps = 1
		right := files
		if color == chess.Black {
			right = -files
		}
		switch {
		case right > 0:
			say.pawn = TakeRight
		case right < 0:
			say.pawn = TakeLeft
		case ranks == 2 || ranks == -2:
			say.pawn = Step2
		default:
			say.pawn = Step1
		}
		if p := mv.Promotion(); p != 0 {
			var ok bool
			if number, ok = e.free(pos, color, p); !ok {
				return dst, false
			}
			dst = append(dst, e.prefix[setUpMove{kind: p, number: number}])
		}
	case kind == chess.Knight:
		say.steps = 1
		say.direction = Direction(slices.Index(knightDelta[:], [2]int{files, ranks}))
	default:
		say.steps = max(files, -files, ranks, -ranks)
		say.direction = Direction(slices.Index(delta[:], [2]int{files / say.steps, ranks / say.steps}))
	}
	// The first two of a kind, of queens the first, need no prefix.
	if kind != chess.Pawn && (number > 1 || kind == chess.Queen && number > 0) {
		dst = append(dst, e.prefix[setUpMove{kind: kind, number: number}])
		say.number = 0
	}
	e.number[to] = number
	return append(dst, e.moves[say]), true
}
