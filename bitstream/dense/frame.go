// SPDX-License-Identifier: Apache-2.0

package dense

import (
	"ply11/chess"
	"ply11/position"
)

// The six tables of weights lie one after another. A weight is in sixteenths of a bit: 16 more make a move twice as
// probable. Squares are as the side to move sees them (mirrored for Black). A piece is its Kind, 0 for none.
const (
	// placeAt: phase 4, piece 8, from 64, to 64.
	placeAt = 0
	// tacticAt: piece 8, level of from 4, from is guarded 2, piece taken 8, level of to 4, to is guarded 2.
	tacticAt = placeAt + 4*8*64*64
	// circumstanceAt: piece 8, from-flags 8, piece taken 8, to-flags 8.
	circumstanceAt = tacticAt + 8*4*2*8*4*2
	// replyAt: the opponent's last piece 8 and its target 64, piece 8, to 64.
	replyAt = circumstanceAt + 8*8*8*8
	// planAt: our own last piece 8 and its target 64, piece 8, to 64.
	planAt = replyAt + 8*64*8*64
	// promotionAt: phase 4, promotion 8.
	promotionAt = planAt + 8*64*8*64

	numWeights  = promotionAt + 4*8
	numFeatures = 6
)

// Phases of the game: by the number of pieces, and before that by plies.
const (
	openingPlies     = 24
	middlegamePieces = 22 // at most: phase 2
	endgamePieces    = 12 // at most: phase 3
	maxPlyForPhase   = openingPlies
)

// half is what is remembered of a ply.
type half struct {
	piece    chess.Kind // as it arrived: a promoted pawn is what it became
	from, to chess.Square
}

// row returns the place of the ply's row in a table of rows by piece and target.
func (h *half) row(flip uint64) uint64 {
	if h.piece == chess.NoKind {
		return 0
	}
	return (uint64(h.piece)*64 + uint64(h.to) ^ flip) * 8 * 64
}

// history is what the tables see of the game so far.
type history struct {
	last    [2]half // of each colour; piece NoKind before its first
	capture bool    // the last ply took the piece on its target
	plies   int     // coded so far, counted up to openingPlies
}

// add notes a ply that is about to be made on p.
func (h *history) add(p *position.Position, m chess.Move) {
	if m == chess.NullMove {
		h.last[p.Turn()], h.capture = half{}, false
	} else {
		piece := p.PieceAt(m.From()).Kind()
		if m.Promotion() != chess.NoKind {
			piece = m.Promotion()
		}
		h.last[p.Turn()] = half{piece, m.From(), m.To()}
		h.capture = p.ByColor(p.Turn().Other()).Has(m.To())
	}
	h.plies = min(h.plies+1, maxPlyForPhase)
}

// A view is what the tables look at in one position. Sets of squares are as on the board.
type view struct {
	taken               [3]position.Bitboard // the bits of the kinds of the enemy's pieces
	levelLow, levelHigh position.Bitboard    // the two bits of a square's level
	oppTo, ownFrom      position.Bitboard    // the target of the opponent's, the start of our own last move
	guarded             position.Bitboard    // squares that our pieces guard
	ownTo, lastAttacks  position.Bitboard    // the target of our own last move; what the piece that moved last attacks
	capture             uint64               // 4 if the opponent's last move took a piece on its target, else 0
	flip                uint64               // 56 for Black: a square as the side to move sees it is s ^ flip
	guards              [8]position.Bitboard // by our piece: squares that are guarded when he goes there
	checks              [8]position.Bitboard // by our piece: squares from which it gives check
	place, reply, plan  uint64               // rows of the tables
}

// A frame is what is known of one position, the same for all of its moves.
type frame struct {
	view      view
	p         *position.Position
	targets   position.Targets
	promotion int  // the row of the table
	promotes  bool // a pawn stands before its last rank

	inputs    [maxInputs]uint16 // rows of the net's input
	numInputs int
}

// set looks at a position.
func (f *frame) set(p *position.Position, h *history) {
	v := &f.view
	us := p.Turn()
	them := us.Other()
	occ := p.Occupied()
	f.p = p
	v.flip = 56 & -uint64(us)
	opp, own := &h.last[them], &h.last[us]

	phase := 0
	switch n := occ.Count(); {
	case n <= endgamePieces:
		phase = 3
	case n <= middlegamePieces:
		phase = 2
	case h.plies >= openingPlies:
		phase = 1
	}
	v.place = placeAt + uint64(phase)*8*64*64
	f.promotion = promotionAt + phase*8
	v.reply, v.plan = replyAt+opp.row(v.flip), planAt+own.row(v.flip)

	// The level of a square is 1 if a pawn of the enemy attacks it, else 2 if a knight does, or a bishop or a queen
	// along a diagonal, else 3 if another piece does, else 0.
	p.Targets(&f.targets)
	theirs, ours := p.ByColor(them), p.ByColor(us)
	low, middle, high := f.targets.ByPawns, f.targets.ByOblique, f.targets.ByStraight
	v.levelHigh = (middle | high) &^ low
	v.levelLow = low | high&^middle

	pawns, knights, rooks := p.ByKind(chess.Pawn), p.ByKind(chess.Knight), p.ByKind(chess.Rook)
	v.taken[0] = theirs & (p.ByKind(chess.King) | knights | rooks)
	v.taken[1] = theirs & (p.ByKind(chess.Queen) | knights | pawns)
	v.taken[2] = theirs & (p.ByKind(chess.Bishop) | rooks | pawns)

	// What we guard: each of these sets is one guard.
	pawns &= ours
	var one, two position.Bitboard // squares with one guard or more, with two or more
	if us == chess.White {
		one, two = guards(pawns&^position.FileA<<7, pawns&^position.FileH<<9)
		f.promotes = pawns&position.Rank7 != 0
	} else {
		one, two = guards(pawns&^position.FileA>>9, pawns&^position.FileH>>7)
		f.promotes = pawns&position.Rank2 != 0
	}
	for _, b := range [...]position.Bitboard{
		position.AttackSet(chess.WhiteKnight, knights&ours, occ),
		f.targets.Oblique,
		f.targets.Straight,
		position.Attacks(chess.WhiteKing, p.KingSquare(us), occ),
	} {
		two |= one & b
		one |= b
	}
	v.guarded = one
	v.guards = [8]position.Bitboard{two, two, two, two, two, two, two, two}
	// A pawn's step forward does not guard its target: one guard is enough there. Of a pawn's targets, those without a
	// piece are steps, or en passant.
	v.guards[chess.Pawn] |= one &^ theirs

	// From where our pieces would give check.
	king := p.KingSquare(them) & 63
	bishop := position.Attacks(chess.WhiteBishop, king, occ)
	rook := position.Attacks(chess.WhiteRook, king, occ)
	v.checks[chess.Knight] = position.Attacks(chess.WhiteKnight, king, occ)
	v.checks[chess.Bishop] = bishop
	v.checks[chess.Rook] = rook
	v.checks[chess.Queen] = bishop | rook
	v.checks[chess.Pawn] = position.Attacks(chess.NewPiece(them, chess.Pawn), king, occ)

	v.oppTo, v.ownTo, v.ownFrom, v.lastAttacks, v.capture = 0, 0, 0, 0, 0
	if opp.piece != chess.NoKind {
		v.oppTo = 1 << opp.to
		v.lastAttacks = position.Attacks(chess.NewPiece(them, opp.piece), opp.to, occ)
	}
	if own.piece != chess.NoKind {
		v.ownTo, v.ownFrom = 1<<own.to, 1<<own.from
	}
	if h.capture {
		v.capture = 4
	}
	f.sense(h)
}

// guards returns the squares in one or both of two sets, and those in both.
func guards(a, b position.Bitboard) (one, both position.Bitboard) { return a | b, a & b }

// features returns the places in the tables of the weights of a legal move.
func (f *frame) features(m chess.Move) (w [numFeatures]int) {
	from, to := int(m.From()), int(m.To())
	piece, taken := int(f.p.PieceAt(m.From()).Kind()), int(f.p.PieceAt(m.To()).Kind())
	if f.p.ByColor(f.p.Turn()).Has(m.To()) {
		taken = 0 // castling of Chess960
	}
	v := &f.view
	flip := int(v.flip)
	bit := func(b position.Bitboard, s int) int { return int(b>>s) & 1 }
	level := func(s int) int { return bit(v.levelLow, s) | bit(v.levelHigh, s)<<1 }

	fromFlags := bit(v.ownTo, from) | bit(v.lastAttacks, from)<<1 | int(v.capture)
	toFlags := bit(v.oppTo, to) | bit(v.ownFrom, to)<<1 | bit(v.checks[piece], to)<<2
	toSeen := to ^ flip
	return [numFeatures]int{
		int(v.place) + (piece*64+from^flip)*64 + toSeen,
		tacticAt + ((((piece*4+level(from))*2+bit(v.guarded, from))*8+taken)*4+level(to))*2 + bit(v.guards[piece], to),
		circumstanceAt + ((piece*8+fromFlags)*8+taken)*8 + toFlags,
		int(v.reply) + piece*64 + toSeen,
		int(v.plan) + piece*64 + toSeen,
		f.promotion + int(m>>12&7),
	}
}
