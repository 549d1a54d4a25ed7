// SPDX-License-Identifier: Apache-2.0

package chessbase

import (
	"fmt"

	"ply11/chess"
	"ply11/game/codec"
	"ply11/position"
)

// The starting position of a record (section 2.6): two squares a byte, a1, b1 … h8, the first in the upper four bits,
// the pieces as chess.Piece; then the move number less 1. The rest stands in the header.

var castlingFlags = [4]struct {
	bit   byte
	right position.CastlingRights
}{
	{flagWhiteLong, position.WhiteQueenside}, {flagWhiteShort, position.WhiteKingside},
	{flagBlackLong, position.BlackQueenside}, {flagBlackShort, position.BlackKingside},
}

// decodeSetup returns the starting position of a record. Castling rights without king or rook in place, and an en
// passant file without its pawn, are dropped. The error is codec.ErrStart.
func decodeSetup(h *Header, setup []byte) (position.Position, error) {
	if len(setup) != setupSize {
		return position.Position{}, fmt.Errorf("%w: %d bytes, not %d", codec.ErrStart, len(setup), setupSize)
	}
	s := position.Setup{FullmoveNumber: int(setup[setupSize-1]) + 1}
	for i := range s.Board {
		code := setup[i>>1] >> (4 - i&1*4) & 15
		if code&7 == 7 || code == 8 {
			return position.Position{}, fmt.Errorf("%w: no piece has the code %d, on %s", codec.ErrStart, code,
				chess.Square(i))
		}
		s.Board[i] = chess.Piece(code)
	}
	if h[10]&flagBlack != 0 {
		s.Turn = chess.Black
	}
	for _, f := range castlingFlags {
		if h[10]&f.bit == 0 {
			continue
		}
		home := chess.Square(0)
		if f.right&(position.BlackKingside|position.BlackQueenside) != 0 {
			home = 56
		}
		corner := home
		if f.right&(position.WhiteKingside|position.BlackKingside) != 0 {
			corner += 7
		}
		color := chess.Color(home >> 5 & 1)
		if s.Board[home+4] == chess.NewPiece(color, chess.King) &&
			s.Board[corner] == chess.NewPiece(color, chess.Rook) {
			s.Castling |= f.right
		}
	}
	if h.enPassantFile() > 8 {
		return position.Position{}, fmt.Errorf("%w: en passant file %d, of 8", codec.ErrStart, h.enPassantFile())
	}
	s.EnPassantFile = h.enPassantFile()
	p, err := s.Position()
	if err != nil && s.EnPassantFile != 0 {
		s.EnPassantFile = 0
		p, err = s.Position()
	}
	if err != nil {
		return p, fmt.Errorf("%w: %w", codec.ErrStart, err)
	}
	return p, nil
}

// encodeSetup appends the 33 bytes of a position and sets the header's fields. It returns false where the move number
// is above 256; 256 is then written.
func encodeSetup(dst []byte, h *Header, p *position.Position) ([]byte, bool) {
	for s := chess.Square(0); s < 64; s += 2 {
		dst = append(dst, byte(p.PieceAt(s))<<4|byte(p.PieceAt(s+1)))
	}
	h[10] = h[10]&(flagMarked|flagDeleted) | flagSetup
	h[11] = h[11]&flagVersion | byte(p.EnPassantFile())
	h[4] &= 63
	h[5] &= 63
	if p.Turn() == chess.Black {
		h[10] |= flagBlack
	}
	rights := p.Castling()
	for _, f := range castlingFlags {
		if rights&f.right != 0 {
			h[10] |= f.bit
		}
	}
	n := max(p.FullmoveNumber()-1, 0)
	return append(dst, byte(min(n, 255))), n <= 255
}
