// SPDX-License-Identifier: Apache-2.0

// Package movesets makes positions for tests of legal moves. They are from random games, or set up so that checks,
// pins, double checks, en passant and castling are frequent, also such as no game can reach.
package movesets

import (
	"math/rand/v2"

	"ply11/chess"
	"ply11/position"
)

// Position returns a valid position: with an even n of a random game, with an odd one set up.
func Position(r *rand.Rand, n int) position.Position {
	if n%2 == 0 {
		return played(r)
	}
	for {
		if p, err := setup(r); err == nil {
			return p
		}
	}
}

func played(r *rand.Rand) position.Position {
	p := position.Start()
	var buf [256]chess.Move
	for range r.IntN(150) {
		moves := p.LegalMoves(buf[:0])
		if len(moves) == 0 {
			break
		}
		p.Make(moves[r.IntN(len(moves))])
	}
	return p
}

func setup(r *rand.Rand) (position.Position, error) {
	s := position.Setup{FullmoveNumber: 1, Turn: chess.Color(r.IntN(2))}
	rarity := 3 + r.IntN(12)
	if r.IntN(4) == 0 {
		rarity = 30
	}
	var count [2]int
	for sq := range 64 {
		c, kind := r.IntN(2), 2+r.IntN(5)
		if r.IntN(rarity) != 0 || count[c] == 15 || kind == 6 && (sq < 8 || sq > 55) {
			continue
		}
		count[c]++
		s.Board[sq] = chess.Piece(kind + 8*c)
	}
	if r.IntN(3) == 0 {
		// Kings and rooks at home.
		for _, home := range [2]int{0, 56} {
			for f := range 8 {
				if f%7 == 0 {
					s.Board[home+f] = chess.Piece(5 + home/7)
				} else if r.IntN(3) != 0 {
					s.Board[home+f] = 0
				}
			}
			s.Board[home+4] = chess.Piece(1 + home/7)
		}
		s.Castling = position.CastlingRights(r.IntN(16))
	} else {
		s.Board[r.IntN(64)] = 1
		s.Board[r.IntN(64)] = 9
	}
	if r.IntN(3) == 0 {
		// A pawn that stepped twice, between pawns that may take it.
		f := r.IntN(8)
		s.EnPassantFile = f + 1
		us, rank, over, from := 0, 32, 40, 48
		if s.Turn != 0 {
			us, rank, over, from = 8, 24, 16, 8
		}
		s.Board[rank+f], s.Board[over+f], s.Board[from+f] = chess.Piece(14-us), 0, 0
		if f < 7 && r.IntN(4) != 0 {
			s.Board[rank+f+1] = chess.Piece(6 + us)
		}
		if f > 0 && r.IntN(2) != 0 {
			s.Board[rank+f-1] = chess.Piece(6 + us)
		}
		if r.IntN(4) == 0 {
			// The king and a rook on the row of these pawns, or a bishop on a diagonal of the one to be taken.
			for sq := range s.Board {
				if s.Board[sq].Kind() == chess.King && s.Board[sq].Color() == s.Turn {
					s.Board[sq] = 0
				}
			}
			if r.IntN(2) == 0 {
				for i := range 8 {
					if i < f-1 || i > f+1 {
						s.Board[rank+i] = 0
					}
				}
				ends := [2]int{0, 7}
				if r.IntN(2) == 0 {
					ends = [2]int{7, 0}
				}
				s.Board[rank+ends[0]], s.Board[rank+ends[1]] = chess.Piece(1+us), chess.Piece(13-us)
			} else if f > 0 && f < 7 {
				side := 1 - 2*r.IntN(2)
				s.Board[rank+f+8+side], s.Board[rank+f-8-side] = chess.Piece(1+us), chess.Piece(12-us)
			}
			s.Castling = 0
		}
	}
	return s.Position()
}
