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

// Scores of engines: hundredths of a pawn; mate in n plies is 32000 - n, being mated -32000 + n.
const (
	engineNone  = 32002 // none; trainers leave such a position out
	engineMate  = 32000
	engineBound = 31754 // scores beyond are mates; up to it, of tablebases or hundredths of a pawn
	engineMoves = 122   // most moves to a mate
)

// enginePieces is the most pieces of engines' formats.
const enginePieces = 32

// engineScore returns a score of the mover as engines have it.
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

// evaluation is what an engine's score means, from White's side; nothing for engineNone.
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

// canTakeEnPassant returns the target of a legal capture en passant, or NoSquare.
func canTakeEnPassant(p *position.Position) chess.Square {
	to := p.EnPassantSquare()
	if to == chess.NoSquare {
		return to
	}
	us := p.Turn()
	// Pawns from where one of the other side would take to the square.
	from := p.Pieces(us, chess.Pawn) & position.Attacks(chess.NewPiece(us.Other(), chess.Pawn), to, 0)
	for ; from != 0; from &= from - 1 {
		if p.IsLegal(chess.NewMove(from.First(), to)) {
			return to
		}
	}
	return chess.NoSquare
}

// hasRight reports whether there is a right to castle with a rook.
func hasRight(p *position.Position, rook chess.Square) bool {
	for right := range 4 {
		if p.CastlingRook(1<<right) == rook {
			return true
		}
	}
	return false
}

// giveRights gives rights to castle with rooks of a whole board, of Chess960 where pieces are not in their usual
// places.
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

// appendPieces appends the codes of the pieces, four bits each, in 16 bytes.
func appendPieces(dst []byte, p *position.Position, code func(at chess.Square, piece chess.Piece) byte) []byte {
	var b [enginePieces / 2]byte
	i := 0
	for set := p.Occupied(); set != 0; set &= set - 1 {
		at := set.First()
		b[i>>1] |= code(at, p.PieceAt(at)) << (4 * (i & 1))
		i++
	}
	return append(dst, b[:]...)
}

// eachPiece calls do with codes that appendPieces wrote.
func eachPiece(occupied uint64, codes []byte, do func(at chess.Square, code byte) error) error {
	set := position.Bitboard(occupied)
	if set.Count() > enginePieces {
		return fmt.Errorf("a position of %d pieces", set.Count())
	}
	for i := 0; set != 0; i++ {
		if err := do(set.First(), codes[i>>1]>>(4*(i&1))&15); err != nil {
			return err
		}
		set &= set - 1
	}
	return nil
}

func isEnPassant(p *position.Position, m chess.Move) bool {
	return m.To() == p.EnPassantSquare() && p.PieceAt(m.From()).Kind() == chess.Pawn
}

// special is what a move is besides from and to. Formats number it in orders of their own.
type special uint8

const (
	usualMove special = iota
	promoting
	capturingEnPassant
	castling
)

// specials are a format's numbers of the specials.
type specials [4]uint16

// parts returns what a format writes of a legal move. The target of castling is the rook's square.
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

// move is the reverse. The move may be illegal.
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

// rookOf is the square of the rook of a castling.
func rookOf(p *position.Position, m chess.Move) chess.Square {
	if p.IsChess960() {
		return m.To()
	}
	if m.To() > m.From() {
		return m.From() + 3
	}
	return m.From() - 4
}

// kingTo is the reverse in standard chess; the null move if it is no castling.
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

// resultOf makes a result of the mover's.
func resultOf(turn chess.Color, v int) game.Result {
	switch {
	case v == 0:
		return game.Draw
	case (v > 0) == (turn == chess.White):
		return game.WhiteWins
	}
	return game.BlackWins
}

// maxChain is the most plies of a game of positions.
const maxChain = 1 << 16

var errNotLegal = errors.New("the move is not legal")

// gatherer makes games of successive positions.
type gatherer struct {
	yield  func(*game.Game, error) bool
	g      *game.Game // nil before the first, and after an error
	build  game.Builder
	at     position.Position
	plies  int
	number int // games that began
}

// begin ends a game and begins the next.
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

// move adds a legal move, and the score before it from White's side.
func (c *gatherer) move(m chess.Move, score int) {
	if text := evalText(score); text != "" {
		c.build.Comment(text)
	}
	c.build.Move(m)
	c.at.Make(m)
	c.plies++
}

// fail yields an error with what there is of the game.
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

// end yields the game.
func (c *gatherer) end() bool {
	g := c.g
	c.g = nil
	return g == nil || c.yield(g, nil)
}

// white turns the mover's score to White's.
func white(turn chess.Color, score int16) int {
	if turn == chess.Black {
		return -int(score)
	}
	return int(score)
}
