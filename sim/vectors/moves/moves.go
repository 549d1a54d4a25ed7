// SPDX-License-Identifier: Apache-2.0

// Package moves makes the positions of the bench of ply11_moves. Each is a line, in hexadecimal digits: the board from
// h8 to a1; en passant file, rights, side; twice the number of legal moves, and one more in check, in three digits; and
// in sixteen the sum of mix over their indices.
package moves

import (
	"bytes"
	"fmt"
	"math/rand/v2"

	"ply11/chess"
	"ply11/internal/movesets"
	"ply11/moveindex"
	"ply11/position"
)

// The numbers of random positions, of double checks, and of those that the bench takes in Verilator alone.
const (
	count  = 500
	double = 36
	more   = 6000
)

// directed are positions that chance brings too seldom, each in its four orientations.
var directed = []string{
	// Two knights, or two pawns, give check from one row; a piece could take either.
	"k7/8/3n1n2/8/4K3/8/8/3R1R2 w - - 0 1",
	"8/8/8/2n3n1/4K3/8/1k6/2R3R1 w - - 0 1",
	"3R1R2/8/8/8/4K3/8/3n1n2/k7 w - - 0 1",
	"2R3R1/8/8/8/4K3/2n3n1/8/k7 w - - 0 1",
	"3R1R2/8/8/3p1p2/4K3/8/8/k7 w - - 0 1",
	// One knight gives check; another stands where a second one would, if the rows behind the board's edge were those
	// before the other.
	"k7/3n4/8/8/8/5n2/8/4KR2 w - - 0 1",
	"2n4k/8/8/8/8/5n2/8/4KR2 w - - 0 1",
	"3n3k/8/8/8/5n2/8/4K3/5R2 w - - 0 1",
	"4KR2/8/5n2/8/8/8/3n4/k7 w - - 0 1",
	"4KR2/8/5n2/8/8/8/8/k1n5 w - - 0 1",
	"5R2/4K3/8/5n2/8/8/8/k2n4 w - - 0 1",
	// The knight who gives check stands on the first rank, and the king on the second.
	"k7/8/8/8/8/8/4K3/2nR4 w - - 0 1",
	// A piece would be pinned on a diagonal to the king at its upper end, but for another between them.
	"k7/8/8/7K/6P1/5N2/4b3/8 w - - 0 1",
	// A piece could take one of two who give check, or come between.
	"k3r3/8/8/1B3Q2/r3K3/8/8/7R w - - 0 1",
	"7k/4r3/8/Q7/7b/2R5/1B6/4K3 w - - 0 1",
	"k7/8/3n4/8/4K2r/8/8/3R2R1 w - - 0 1",
	"k3r3/8/3p4/2n5/4K3/8/8/2R4R w - - 0 1",
	// En passant: the pawn to be taken gives check, alone or not; another piece does.
	"8/8/8/3Pp3/3K4/8/8/4k3 w - e6 0 1",
	"8/8/8/3Pp3/5K2/8/8/k7 w - e6 0 1",
	"8/8/8/3Pp3/r2K4/8/8/4k3 w - e6 0 1",
	"5b2/8/8/3Pp3/1K6/8/8/4k3 w - e6 0 1",
	"8/8/8/3Pp3/K6r/8/8/4k3 w - e6 0 1",
	"1r6/8/8/3Pp3/1K6/8/8/4k3 w - e6 0 1",
	// The pawn that may take the one who gives check is asked last, and the king has a single step.
	"k7/8/8/6pP/6PK/6PP/8/8 w - g6 0 1",
	// En passant by a pinned pawn: along the pin, and off it.
	"8/2b5/8/3pP3/8/6K1/8/k7 w - d6 0 1",
	"4r3/8/8/3pP3/8/8/4K3/k7 w - d6 0 1",
	"8/6b1/8/3pP3/8/2K5/8/k7 w - d6 0 1",
	// En passant would open the row, or a diagonal; two pawns on the row would not.
	"8/8/8/r2pP2K/8/8/8/k7 w - d6 0 1",
	"8/8/8/r1PpP2K/8/8/8/k7 w - d6 0 1",
	"8/8/2K5/3pP3/8/8/6b1/k7 w - d6 0 1",
}

func Files() map[string][]byte {
	var text bytes.Buffer
	r := rand.New(rand.NewPCG(1, 64))
	for _, fen := range directed {
		p, err := position.ParseFEN(fen)
		if err != nil {
			panic(err)
		}
		for turns := range 4 {
			q, err := turned(&p, turns&1 != 0, turns&2 != 0)
			if err != nil {
				panic(fmt.Errorf("%s: %w", fen, err))
			}
			vector(&text, &q)
		}
	}
	for i := range count {
		p := movesets.Position(r, i)
		vector(&text, &p)
	}
	for n := 0; n < double; {
		p := movesets.Position(r, 1)
		if tempting(&p) {
			vector(&text, &p)
			n++
		}
	}
	for i := range more {
		p := movesets.Position(r, i)
		if i%3 == 0 {
			p = inLine(r)
		}
		vector(&text, &p)
	}
	return map[string][]byte{"hdl/tb/ply11_moves/positions.hex": text.Bytes()}
}

// turned returns a position without castling rights with its colours exchanged, or left and right, or both.
func turned(p *position.Position, colours, sides bool) (position.Position, error) {
	s := position.Setup{FullmoveNumber: 1, Turn: p.Turn(), EnPassantFile: p.EnPassantFile()}
	turn := 0
	if colours {
		turn, s.Turn = 56, p.Turn().Other()
	}
	if sides {
		turn ^= 7
		if s.EnPassantFile != 0 {
			s.EnPassantFile = 9 - s.EnPassantFile
		}
	}
	for sq := range s.Board {
		piece := p.PieceAt(chess.Square(sq))
		if colours && piece != chess.NoPiece {
			piece = chess.NewPiece(piece.Color().Other(), piece.Kind())
		}
		s.Board[sq^turn] = piece
	}
	return s.Position()
}

// tempting reports whether, in a double check, a piece other than the king reaches a square where he would end one of
// the two.
func tempting(p *position.Position) bool {
	checkers := p.Checkers()
	if checkers.Count() < 2 {
		return false
	}
	king := p.KingSquare(p.Turn())
	var ends position.Bitboard
	for ; checkers != 0; checkers &= checkers - 1 {
		ends |= checkers&-checkers | position.Between(king, checkers.First())
	}
	for own := p.ByColor(p.Turn()) &^ position.SquareSet(king); own != 0; own &= own - 1 {
		from := own.First()
		if piece := p.PieceAt(from); piece.Kind() != chess.Pawn && position.Attacks(piece, from, p.Occupied())&ends !=
			0 {
			return true
		}
	}
	return false
}

// inLine returns a position of few pieces with a slider that looks at the king, or would but for one piece. King,
// direction and distances are equally frequent.
func inLine(r *rand.Rand) position.Position {
	for {
		us := chess.Color(r.IntN(2))
		s := position.Setup{FullmoveNumber: 1, Turn: us}
		for range r.IntN(6) {
			s.Board[8+r.IntN(48)] = chess.NewPiece(chess.Color(r.IntN(2)), chess.Kind(2+r.IntN(5)))
		}
		s.Board[r.IntN(64)] = chess.NewPiece(us.Other(), chess.King)
		king := r.IntN(64)
		df, dr := r.IntN(3)-1, r.IntN(3)-1
		between, far := 1+r.IntN(3), 1+r.IntN(4)
		file, rank := king%8+(between+far)*df, king/8+(between+far)*dr
		if df == 0 && dr == 0 || file < 0 || file > 7 || rank < 0 || rank > 7 {
			continue
		}
		for n := 1; n < between+far; n++ {
			s.Board[king+n*(8*dr+df)] = chess.NoPiece
		}
		if r.IntN(4) != 0 {
			s.Board[king+between*(8*dr+df)] = chess.NewPiece(chess.Color(r.IntN(2)), chess.Kind(2+r.IntN(5)))
		}
		slider := [2]chess.Kind{chess.Queen, chess.Rook}[r.IntN(2)]
		if df != 0 && dr != 0 && slider == chess.Rook {
			slider = chess.Bishop
		}
		s.Board[king] = chess.NewPiece(us, chess.King)
		s.Board[8*rank+file] = chess.NewPiece(us.Other(), slider)
		if p, err := s.Position(); err == nil {
			return p
		}
	}
}

func vector(text *bytes.Buffer, p *position.Position) {
	for s := 63; s >= 0; s-- {
		fmt.Fprintf(text, "%x", uint8(p.PieceAt(chess.Square(s))))
	}
	n, sum := 0, uint64(0)
	for _, m := range p.LegalMoves(nil) {
		i, _ := moveindex.Of(m)
		sum += mix(i)
		n += 2
	}
	if p.InCheck() {
		n++
	}
	fmt.Fprintf(text, "%x%x%x%03x%016x\n", p.EnPassantFile(), uint8(p.Castling()), uint8(p.Turn()), n, sum)
}

// mix spreads an index over 64 bits, so that the sum over a set of indices differs from that of others.
func mix(i moveindex.Index) uint64 {
	x := (uint64(i) + 1) * 0x9e3779b97f4a7c15
	x ^= x >> 32
	x *= 0xd6e8feb86659fd93
	return x ^ x>>32
}
