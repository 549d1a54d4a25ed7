// SPDX-License-Identifier: Apache-2.0

package position

import (
	"encoding/binary"
	"errors"

	"ply11/chess"
)

// BinarySize is the number of bytes that AppendBinary appends.
const BinarySize = 40

// errBinary: bytes are no position.
var errBinary = errors.New("not 40 bytes of a position")

// AppendBinary appends the position in BinarySize bytes, for a program's own temporary files: no format of files has
// them, and another version of this package may have others. It never fails. With UnmarshalBinary it takes some 50 ns,
// where FEN takes some thousand.
func (p *Position) AppendBinary(dst []byte) ([]byte, error) {
	for _, v := range [5]uint64{uint64(p.kind0), uint64(p.kind1), uint64(p.kind2), uint64(p.black), p.state} {
		dst = binary.LittleEndian.AppendUint64(dst, v)
	}
	return dst, nil
}

// UnmarshalBinary reads what AppendBinary appended. It refuses what Setup.Position refuses, but for large counters.
func (p *Position) UnmarshalBinary(b []byte) error {
	if len(b) != BinarySize {
		return errBinary
	}
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }
	q := Position{Bitboard(word(0)), Bitboard(word(1)), Bitboard(word(2)), Bitboard(word(3)), word(4)}
	if !q.sound() {
		return errBinary
	}
	*p = q
	return nil
}

// sound reports whether a position of any bits is one that Setup.Position takes, but for its counters.
func (p *Position) sound() bool {
	const ends = 0xff<<56 | 0xff
	seven := p.kind0 & p.kind1 & p.kind2
	if seven != 0 || p.black&^p.Occupied() != 0 || p.ByKind(chess.Pawn)&ends != 0 {
		return false
	}
	for _, c := range [2]chess.Color{chess.White, chess.Black} {
		if p.Pieces(c, chess.King).Count() != 1 {
			return false
		}
		rooks, home, king := p.Pieces(c, chess.Rook), 56*uint(c), uint(p.KingSquare(c))
		for right := 2 * uint(c); right < 2*uint(c)+2; right++ {
			has, field := p.Castling()>>right&1 != 0, p.state>>(rooksShift+3*right)&7
			if field != 0 && !has || p.IsChess960() && has && field == 0 {
				return false
			}
			rook := home + p.rookFile(right)
			if has && (rooks>>rook&1 == 0 || king>>3 != home>>3 || (rook < king) != (right&1 != 0) || !p.IsChess960() &&
				king != home+4) {
				return false
			}
		}
	}
	if file := p.EnPassantFile(); file > 8 {
		return false
	} else if file > 0 {
		// A pawn of the side that is not to move has come over two squares.
		from, over, to := uint(8+file-1), uint(16+file-1), uint(24+file-1)
		mover := p.Turn().Other()
		if mover == chess.Black {
			from, over, to = from+40, over+24, to+8
		}
		if p.Pieces(mover, chess.Pawn)>>to&1 == 0 || p.Occupied()>>over&1 != 0 || p.Occupied()>>from&1 != 0 {
			return false
		}
	}
	return p.Attackers(p.KingSquare(p.Turn().Other()), p.Turn()) == 0
}
