// SPDX-License-Identifier: Apache-2.0

package dataset

import (
	"errors"
	"fmt"
	"slices"

	"ply11/chess"
	"ply11/game"
	"ply11/position"
)

// Scores as the formats of engines have them: hundredths of a pawn, mate in n plies is 32000 - n, and being mated
// -32000 + n.
const (
	engineNone  = 32002 // there is none; trainers leave such a position out
	engineMate  = 32000
	engineBound = 31754 // scores beyond are mates; up to it they are those of tablebases, or hundredths of a pawn
	engineMoves = 122   // moves; a mate that is farther away is taken as one of so many
)

// engineMen is the most pieces that the formats of engines hold.
const engineMen = 32

// engineScore returns a score from the side of the mover, as engines have it.
func engineScore(s Score) int16 {
	n, mate := s.Mate()
	switch {
	case s == NoScore:
		return engineNone
	case !mate:
		return int16(s)
	case s > 0:
		return int16(engineMate - max(2*min(n, engineMoves)-1, 0))
	}
	return int16(-engineMate + 2*min(-n, engineMoves))
}

// evaluation is the evaluation that a score of an engine from White's side tells; none for engineNone.
func evaluation(v int) (e game.Evaluation, ok bool) {
	switch {
	case v == engineNone || v == -engineNone:
		return e, false
	case v > engineBound:
		return game.Evaluation{IsMate: true, Mate: max(engineMate-v+1, 0) / 2}, true
	case v < -engineBound:
		return game.Evaluation{IsMate: true, Mate: -max(v+engineMate+1, 0) / 2}, true
	}
	return game.Evaluation{Centipawns: v}, true
}

// evalText is a comment that gives the score of an engine from White's side, "" for none.
func evalText(v int) string {
	e, ok := evaluation(v)
	if !ok {
		return ""
	}
	return evalComment(e)
}

func evalComment(e game.Evaluation) string {
	if e.IsMate {
		return fmt.Sprintf("[%%eval #%d]", e.Mate)
	}
	return fmt.Sprintf("[%%eval %.2f]", float64(e.Centipawns)/100)
}

// canTakeEnPassant returns the square of a pawn's target en passant, if a capture there is legal; else NoSquare. The
// formats of engines tell of no other.
func canTakeEnPassant(p *position.Position) chess.Square {
	to := p.EnPassantSquare()
	if to == chess.NoSquare {
		return to
	}
	us := p.Turn()
	// Our pawns that stand where a pawn of the other side would take from the square.
	from := p.Pieces(us, chess.Pawn) & position.Attacks(chess.NewPiece(us.Other(), chess.Pawn), to, 0)
	for ; from != 0; from &= from - 1 {
		if p.IsLegal(chess.NewMove(from.First(), to)) {
			return to
		}
	}
	return chess.NoSquare
}

// hasRight reports whether there is a right to castle with the rook on a square.
func hasRight(p *position.Position, rook chess.Square) bool {
	for right := range 4 {
		if p.CastlingRook(1<<right) == rook {
			return true
		}
	}
	return false
}

// giveRights gives rights to castle with the rooks on some squares of a whole board: those of Chess960 where king and
// rook do not stand as in standard chess.
func giveRights(s *position.Setup, rooks []chess.Square) error {
	for _, rook := range rooks {
		if err := giveRight(s, rook); err != nil {
			return err
		}
	}
	return nil
}

func giveRight(s *position.Setup, rook chess.Square) error {
	color := s.Board[rook].Color()
	rank := s.Board[56*int(color):][:8]
	king := slices.Index(rank, chess.NewPiece(color, chess.King))
	if king < 0 || rook.Rank() != 7*int(color) {
		return errors.New("a right to castle with king or rook that is not on his first rank")
	}
	right, corner := 2*int(color), 7
	if rook.File() < king {
		right, corner = right+1, 0
	}
	if s.Castling>>right&1 != 0 {
		return errors.New("two rights to castle on one side of the king")
	}
	s.Castling |= 1 << right
	s.Rooks[right] = uint8(rook.File())
	s.Chess960 = s.Chess960 || king != 4 || rook.File() != corner
	return nil
}

// appendMen appends the codes of the pieces of a position, four bits each, in 16 bytes.
func appendMen(dst []byte, p *position.Position, code func(at chess.Square, piece chess.Piece) byte) []byte {
	var b [engineMen / 2]byte
	i := 0
	for set := p.Occupied(); set != 0; set &= set - 1 {
		at := set.First()
		b[i>>1] |= code(at, p.PieceAt(at)) << (4 * (i & 1))
		i++
	}
	return append(dst, b[:]...)
}

// eachMan calls do with the codes that appendMen has written of the squares of a set.
func eachMan(occupied uint64, codes []byte, do func(at chess.Square, code byte) error) error {
	set := position.Bitboard(occupied)
	if set.Count() > engineMen {
		return fmt.Errorf("a position of %d men", set.Count())
	}
	for i := 0; set != 0; i++ {
		if err := do(set.First(), codes[i>>1]>>(4*(i&1))&15); err != nil {
			return err
		}
		set &= set - 1
	}
	return nil
}

// isEnPassant reports whether a legal move captures en passant.
func isEnPassant(p *position.Position, m chess.Move) bool {
	return m.To() == p.EnPassantSquare() && p.PieceAt(m.From()).Kind() == chess.Pawn
}

// A special is what a move is besides from and to. The formats of engines number it in orders of their own: see
// specials.
type special uint8

const (
	usualMove special = iota
	promoting
	capturingEnPassant
	castling
)

// specials are the numbers that a format has for the specials, in their order.
type specials [4]uint16

// parts returns what a format writes of a legal move: the number of what is special, the target, which of a castling is
// the rook's square, and the new piece of a promotion.
func (t *specials) parts(p *position.Position, m chess.Move) (number uint16, to chess.Square, promotion uint16) {
	switch {
	case m.Promotion() != 0:
		return t[promoting], m.To(), uint16(engineKind[m.Promotion()] - 1)
	case isEnPassant(p, m):
		return t[capturingEnPassant], m.To(), 0
	case p.IsCastling(m):
		return t[castling], rookOf(p, m), 0
	}
	return t[usualMove], m.To(), 0
}

// move is the way back. The move need not be legal.
func (t *specials) move(p *position.Position, number uint16, from, to chess.Square, promotion uint16) chess.Move {
	switch number {
	case t[promoting]:
		return chess.NewPromotion(from, to, engineKinds[1+promotion])
	case t[castling]:
		if p.IsChess960() {
			return chess.NewMove(from, to)
		}
		return kingTo(from, to)
	}
	return chess.NewMove(from, to)
}

// rookOf is the square of the rook of a castling, which engines name as the king's target, as Chess960 does; and kingTo
// is the way back in standard chess.
func rookOf(p *position.Position, m chess.Move) chess.Square {
	if p.IsChess960() {
		return m.To()
	}
	if m.To() > m.From() {
		return m.From() + 3
	}
	return m.From() - 4
}

// kingTo returns the move of a castling that names king and rook, and the null move if it is none.
func kingTo(king, rook chess.Square) chess.Move {
	switch {
	case king != 4 && king != 60:
	case rook == king+3:
		return chess.NewMove(king, king+2)
	case rook == king-4:
		return chess.NewMove(king, king-2)
	}
	return chess.NullMove
}

// resultOf makes a result of one from the side of the mover.
func resultOf(turn chess.Color, v int) game.Result {
	switch {
	case v == 0:
		return game.Draw
	case (v > 0) == (turn == chess.White):
		return game.WhiteWins
	}
	return game.BlackWins
}

// maxChain is the most plies of a game that is made of positions.
const maxChain = 1 << 16

// errNotLegal: a position has a move that is not legal there.
var errNotLegal = errors.New("the move is not legal")

// gatherer makes games of positions that follow each other.
type gatherer struct {
	yield  func(*game.Game, error) bool
	g      *game.Game // nil before the first, and after an error of one
	build  game.Builder
	at     position.Position // after its last move
	plies  int
	number int // of games that began
}

// begin ends the game, and begins one.
func (c *gatherer) begin(start *position.Position, result game.Result) bool {
	if !c.end() {
		return false
	}
	c.g = game.New()
	if *start != usual {
		c.g.SetStart(*start)
	}
	c.g.Result = result
	c.build.Reset(c.g)
	c.at, c.plies = *start, 0
	c.number++
	return true
}

// move adds a move that is legal, and the score of the position before it from White's side.
func (c *gatherer) move(m chess.Move, score int) {
	if text := evalText(score); text != "" {
		c.build.Comment(text)
	}
	c.build.Move(m)
	c.at.Make(m)
	c.plies++
}

// fail gives an error of the game, with what there is of it.
func (c *gatherer) fail(err error) bool {
	if c.g == nil {
		c.number++
	}
	g := c.g
	c.g = nil
	if g == nil {
		g = game.New()
	}
	return c.yield(g, rowError(c.number, err))
}

// end gives the game.
func (c *gatherer) end() bool {
	g := c.g
	c.g = nil
	return g == nil || c.yield(g, nil)
}

// white turns a score from the side of the mover to White's.
func white(turn chess.Color, score int16) int {
	if turn == chess.Black {
		return -int(score)
	}
	return int(score)
}
