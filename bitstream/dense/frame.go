// SPDX-License-Identifier: Apache-2.0

package dense

import (
	"ply11/moveindex"
	"ply11/position"
)

// The six tables of weights lie one after another. A weight is in sixteenths of a bit: a move whose
// weights sum to 16 more is twice as probable. Squares are as the side to move sees them (mirrored for
// Black), men are their Kind, 0 for none.
const (
	// placeAt: phase 4, man 8, from 64, to 64.
	placeAt = 0
	// tacticAt: man 8, level of from 4, from is guarded 2, man taken 8, level of to 4, to is guarded 2.
	tacticAt = placeAt + 4*8*64*64
	// circumstanceAt: man 8, from-flags 8, man taken 8, to-flags 8.
	circumstanceAt = tacticAt + 8*4*2*8*4*2
	// replyAt: the opponent's last man 8 and its target 64, man 8, to 64.
	replyAt = circumstanceAt + 8*8*8*8
	// planAt: our own last man 8 and its target 64, man 8, to 64.
	planAt = replyAt + 8*64*8*64
	// promotionAt: phase 4, promotion 8.
	promotionAt = planAt + 8*64*8*64

	numWeights  = promotionAt + 4*8
	numFeatures = 6
)

// Phases of the game, for the tables that have them: by the number of men, and before that by plies.
const (
	openingPlies   = 24
	middlegameMen  = 22 // at most: phase 2
	endgameMen     = 12 // at most: phase 3
	maxPlyForPhase = openingPlies
)

// half is what is remembered of a halfmove.
type half struct {
	man      moveindex.Kind // as it arrived: a promoted pawn is what it became
	from, to moveindex.Square
}

// row returns the place of the halfmove's row in a table of rows by man and target, as the side to move
// sees it.
func (h *half) row(flip int) int {
	if h.man == moveindex.NoKind {
		return 0
	}
	return (int(h.man)*64 + int(h.to) ^ flip) * 8 * 64
}

// history is what the tables see of the game so far.
type history struct {
	last    [2]half // of each colour; man NoKind before its first
	capture bool    // the last halfmove took the man on its target
	plies   int     // coded so far, counted up to openingPlies
}

// add notes a halfmove that is about to be made on p.
func (h *history) add(p *position.Position, m moveindex.Move) {
	if m == moveindex.NullMove {
		h.last[p.Turn()], h.capture = half{}, false
	} else {
		man := p.PieceAt(m.From()).Kind()
		if m.Promotion() != moveindex.NoKind {
			man = m.Promotion()
		}
		h.last[p.Turn()] = half{man, m.From(), m.To()}
		h.capture = p.PieceAt(m.To()) != moveindex.NoPiece
	}
	h.plies = min(h.plies+1, maxPlyForPhase)
}

// A frame is what the tables look at in one position, the same for all of its moves. Sets of squares are
// as on the board.
type frame struct {
	p       *position.Position
	targets position.TargetList

	theirs              position.Bitboard // the enemy's men
	flip                int               // 56 for Black: a square as the side to move sees it is s ^ flip
	place, promotion    int               // rows of the tables
	reply, plan         int
	levelLow, levelHigh position.Bitboard    // the two bits of a square's level
	guard, guard2       position.Bitboard    // squares that our men guard, from one side and from two
	lastAttacks         position.Bitboard    // what the man that moved last attacks
	checks              [8]position.Bitboard // by our man: squares from which it gives check
	oppTo, ownFrom      position.Bitboard    // the target of the opponent's, the start of our own last move
	ownTo               position.Bitboard
	captureFlag         int
}

// set looks at a position.
func (f *frame) set(p *position.Position, h *history) {
	us := p.Turn()
	them := us.Other()
	occ := p.Occupied()
	f.p = p
	f.flip = 0
	if us == moveindex.Black {
		f.flip = 56
	}
	opp, own := &h.last[them], &h.last[us]

	phase := 0
	switch n := occ.Count(); {
	case n <= endgameMen:
		phase = 3
	case n <= middlegameMen:
		phase = 2
	case h.plies >= openingPlies:
		phase = 1
	}
	f.place = placeAt + phase*8*64*64
	f.promotion = promotionAt + phase*8
	f.reply, f.plan = replyAt+opp.row(f.flip), planAt+own.row(f.flip)

	// The level of a square is 1 if a pawn of the enemy attacks it, else 2 if a knight does, or a bishop or a
	// queen along a diagonal, else 3 if another man does, else 0.
	p.LegalTargets(&f.targets)
	theirs, ours := p.ByColor(them), occ&^p.ByColor(them)
	f.theirs = theirs
	low, middle, high := f.targets.ByPawns, f.targets.ByOblique, f.targets.ByStraight
	f.levelHigh = (middle | high) &^ low
	f.levelLow = low | high&^middle

	// What we guard: each of these sets is one guard.
	pawns := p.ByKind(moveindex.Pawn) & ours
	if us == moveindex.White {
		f.guard, f.guard2 = guards(pawns&^position.FileA<<7, pawns&^position.FileH<<9)
	} else {
		f.guard, f.guard2 = guards(pawns&^position.FileA>>9, pawns&^position.FileH>>7)
	}
	f.addGuard(position.AttackSet(moveindex.WhiteKnight, p.ByKind(moveindex.Knight)&ours, occ))
	f.addGuard(f.targets.Oblique)
	f.addGuard(f.targets.Straight)
	f.addGuard(position.Attacks(moveindex.WhiteKing, p.KingSquare(us), occ))

	// From where our men would give check.
	king := p.KingSquare(them) & 63
	f.checks[moveindex.Knight] = position.Attacks(moveindex.WhiteKnight, king, occ)
	f.checks[moveindex.Bishop] = position.Attacks(moveindex.WhiteBishop, king, occ)
	f.checks[moveindex.Rook] = position.Attacks(moveindex.WhiteRook, king, occ)
	f.checks[moveindex.Queen] = f.checks[moveindex.Bishop] | f.checks[moveindex.Rook]
	f.checks[moveindex.Pawn] = position.Attacks(moveindex.NewPiece(them, moveindex.Pawn), king, occ)

	f.oppTo, f.ownTo, f.ownFrom, f.lastAttacks, f.captureFlag = 0, 0, 0, 0, 0
	if opp.man != moveindex.NoKind {
		f.oppTo = 1 << opp.to
		f.lastAttacks = position.Attacks(moveindex.NewPiece(them, opp.man), opp.to, occ)
	}
	if own.man != moveindex.NoKind {
		f.ownTo, f.ownFrom = 1<<own.to, 1<<own.from
	}
	if h.capture {
		f.captureFlag = 4
	}
}

// guards returns the squares in one or both of two sets, and those in both.
func guards(a, b position.Bitboard) (one, both position.Bitboard) { return a | b, a & b }

func (f *frame) addGuard(b position.Bitboard) {
	f.guard2 |= f.guard & b
	f.guard |= b
}

// features returns the places in the tables of the weights of a legal move.
func (f *frame) features(m moveindex.Move) (w [numFeatures]int) {
	from, to := int(m.From()), int(m.To())
	man, taken := int(f.p.PieceAt(m.From()).Kind()), int(f.p.PieceAt(m.To()).Kind())
	toSeen := to ^ f.flip
	bit := func(b position.Bitboard, s int) int { return int(b>>s) & 1 }
	level := func(s int) int { return bit(f.levelLow, s) | bit(f.levelHigh, s)<<1 }

	// Where the man comes from another must stand guard, but a pawn's step forward guards nothing there.
	guard := f.guard2
	if man == int(moveindex.Pawn) && taken == 0 {
		guard = f.guard
	}
	fromFlags := bit(f.ownTo, from) | bit(f.lastAttacks, from)<<1 | f.captureFlag
	toFlags := bit(f.oppTo, to) | bit(f.ownFrom, to)<<1 | bit(f.checks[man], to)<<2
	return [numFeatures]int{
		f.place + (man*64+from^f.flip)*64 + toSeen,
		tacticAt + ((((man*4+level(from))*2+bit(f.guard, from))*8+taken)*4+level(to))*2 + bit(guard, to),
		circumstanceAt + ((man*8+fromFlags)*8+taken)*8 + toFlags,
		f.reply + man*64 + toSeen,
		f.plan + man*64 + toSeen,
		f.promotion + int(m>>12&7),
	}
}

// score lists the legal moves and the null move, and sets each one's score to the sum of its weights. It
// returns how many there are without the null move, and the largest score. This is features and the sum,
// with what the moves of one man share worked out once.
func (f *frame) score(w *[numWeights]int8, moves *[maxMoves + 1]moveindex.Move, scores *[maxMoves]int32) (int, int32) {
	best := int32(-1 << 30)
	n := 0
	promotions := w[f.promotion : f.promotion+8 : f.promotion+8]
	none := int32(promotions[0])
	low, high, oppTo, ownFrom, theirs := f.levelLow, f.levelHigh, f.oppTo, f.ownFrom, f.theirs
	for i := range f.targets.Men[:f.targets.N] {
		g := &f.targets.Men[i]
		from, man := int(g.From&63), int(g.Kind&7)
		place := w[f.place+(man*64+from^f.flip)*64:][:64]
		reply := w[f.reply+man*64:][:64]
		plan := w[f.plan+man*64:][:64]
		level := int(low>>from)&1 | int(high>>from)&1<<1
		tactic := w[tacticAt+((man*4+level)*2+int(f.guard>>from)&1)*64:][:64]
		circumstance := w[circumstanceAt+(man*8+int(f.ownTo>>from)&1|int(f.lastAttacks>>from)&1<<1|f.captureFlag)*64:][:64]
		checks, guard := f.checks[man], f.guard2
		if man == int(moveindex.Pawn) {
			guard |= f.guard &^ theirs // of its targets, those without a man are steps forward, or en passant
		}
		for b := g.To; b != 0 && n < maxMoves; b &= b - 1 {
			to := int(b.First() & 63)
			seen := (to ^ f.flip) & 63
			taken := 0
			if theirs>>to&1 != 0 {
				taken = int(f.p.PieceAt(moveindex.Square(to))&7) << 3
			}
			s := none + int32(place[seen]) + int32(reply[seen]) + int32(plan[seen]) +
				int32(tactic[(taken|int(low>>to)&1<<1|int(high>>to)&1<<2|int(guard>>to)&1)&63]) +
				int32(circumstance[(taken|int(oppTo>>to)&1|int(ownFrom>>to)&1<<1|int(checks>>to)&1<<2)&63])
			move := moveindex.Move(from | to<<6)
			if man == int(moveindex.Pawn) && uint(to-8) >= 48 {
				for code := 4; code < 8 && n < maxMoves; code++ {
					moves[n], scores[n] = move|moveindex.Move(code<<12), s-none+int32(promotions[code])
					best = max(best, scores[n])
					n++
				}
				continue
			}
			moves[n&511], scores[n&511] = move, s
			best = max(best, s)
			n++
		}
	}
	return n, best
}
