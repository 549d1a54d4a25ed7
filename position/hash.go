// SPDX-License-Identifier: Apache-2.0

package position

import (
	_ "embed"
	"encoding/binary"

	"ply11/chess"
)

// keyBytes is the 781 random numbers of eight bytes that the Polyglot opening book format publishes, in its order: 64
// squares for each of twelve pieces (black pawn, white pawn, black knight, white knight, bishops, rooks, queens,
// kings), four castling rights (K, Q, k, q), eight en passant files, and White's turn.
//
//go:embed polyglot_keys.bin
var keyBytes []byte

func polyglotKeys() []uint64 {
	keys := make([]uint64, len(keyBytes)/8)
	for i := range keys {
		keys[i] = binary.BigEndian.Uint64(keyBytes[8*i:])
	}
	return keys
}

// Places among the numbers.
const (
	polyglotCastling = 768
	polyglotEP       = 772
	polyglotTurn     = 780
)

var (
	pieceKeys    [16][64]uint64 // by piece and square; the rows that are no piece are 0
	castlingKeys [16]uint64     // by castling rights
	turnKeys     [2]uint64      // by side to move
	epKeys       [16]uint64     // by en passant file, 1 to 8

	// epBeside[c][f] is the squares from which a pawn of colour c may take en passant on file f.
	epBeside [2][16]Bitboard
)

func init() {
	keys := polyglotKeys()
	order := [8]int{chess.Pawn: 0, chess.Knight: 1, chess.Bishop: 2, chess.Rook: 3,
		chess.Queen: 4, chess.King: 5}
	for kind := chess.King; kind <= chess.Pawn; kind++ {
		row := 2 * order[kind] // black before white
		copy(pieceKeys[chess.NewPiece(chess.Black, kind)][:], keys[64*row:])
		copy(pieceKeys[chess.NewPiece(chess.White, kind)][:], keys[64*row+64:])
	}
	turnKeys[chess.White] = keys[polyglotTurn]
	for f := range 8 {
		epKeys[f+1] = keys[polyglotEP+f]
		beside := (FileOf(f-1)&notH | FileOf(f+1)&notA)
		epBeside[chess.White][f+1] = beside & RankOf(4)
		epBeside[chess.Black][f+1] = beside & RankOf(3)
	}
	for rights := range castlingKeys {
		for i := range 4 {
			if rights>>i&1 != 0 {
				castlingKeys[rights] ^= keys[polyglotCastling+i]
			}
		}
	}
}

// Hash returns the position's Zobrist hash with the keys of the Polyglot opening book format. The en passant file
// counts only where a pawn of the side to move stands beside the pushed one, whether or not it may legally take;
// counters do not count, nor which rook a right of Chess960 is for. Cost: about 35 ns; along a game, MakeHash is
// faster.
func (p *Position) Hash() uint64 {
	return p.boardHash() ^ p.stateHash()
}

// boardHash is the part of the hash that is the board's.
func (p *Position) boardHash() (h uint64) {
	for b := p.Occupied(); b != 0; b &= b - 1 {
		s := b.first()
		h ^= pieceKeys[p.codeAt(s)][s]
	}
	return h
}

// HashOf returns the hash of a board as Planes returns it, and a state. ep is the file, 1 to 8, of a pawn that stands
// beside one of the side to move and was just pushed, or 0.
func HashOf(kind0, kind1, kind2, black Bitboard, turn chess.Color, rights CastlingRights, ep int) uint64 {
	p := Position{kind0: kind0, kind1: kind1, kind2: kind2, black: black}
	return p.boardHash() ^ castlingKeys[rights&AllCastling] ^ turnKeys[turn&1] ^ epKeys[ep&15]
}

// stateHash is the part of the hash that is not the board's, without a branch.
func (p *Position) stateHash() uint64 {
	turn, f := p.state&1, p.state>>epShift&15
	us := p.black ^ (Bitboard(turn) - 1)
	beside := uint64(epBeside[turn][f] & p.kind1 & p.kind2 & us)
	return castlingKeys[p.state>>rightsShift&15] ^ turnKeys[turn] ^
		epKeys[f]&-((beside|-beside)>>63)
}

// MakeHash makes a move as Make does and returns the hash of the position that it leads to, given the hash h of the
// position before. Cost: about 15 ns with the making; as much as Hash where there were rights of Chess960.
func (p *Position) MakeHash(h uint64, m chess.Move) uint64 {
	old := *p
	p.Make(m)
	if old.state&rooksBits != 0 {
		return p.Hash()
	}
	h ^= old.stateHash() ^ p.stateHash()
	from, to := uint(m)&63, uint(m>>6)&63
	if from == to {
		return h
	}
	h ^= pieceKeys[old.codeAt(from)][from] ^ pieceKeys[old.codeAt(to)][to] ^ pieceKeys[p.codeAt(to)][to]
	castling, enPassant := old.specials(from, to)
	switch {
	case castling|enPassant == 0:
	case enPassant != 0:
		taken := from&56 | to&7
		h ^= pieceKeys[old.codeAt(taken)][taken]
	default:
		rook, home := to-1, to|7
		if to < from {
			rook, home = to+1, to&56
		}
		rook &= 63 // for moves that no king makes
		h ^= pieceKeys[p.codeAt(rook)][rook] ^ pieceKeys[old.codeAt(home)][home]
	}
	return h
}
