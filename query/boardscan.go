// SPDX-License-Identifier: Apache-2.0

package query

import (
	"ply11/chess"
	"ply11/moveindex"
	"ply11/position"
)

// watch looks for a condition in main lines without position.Position, which keeps what the rules need. It keeps the
// piece on each square, and a sum of what the pieces are worth where they stand, which a move changes at two squares.
// The sum tells where the condition may be met: what a watch passes over does not meet it, and what it stops at is
// tried with the position.
//
// A sum is of one of two kinds. That of squares has eight counters of eight bits, each of which has its highest bit set
// where what it counts is enough. That of counts has the numbers of pieces, ten of six bits: in the order of counts,
// White's first.
type watch struct {
	worth [64][16]uint64 // of a piece on a square; 0 of none
	bare  uint64         // the sum of an empty board
	usual uint64         // that of the usual start
	all   uint64         // bits of a sum of squares that are set where the condition may be met
	alive uint64         // those that never come back once they are clear

	counted    bool // it is a sum of counts
	materials  []countRange
	imbalances []uint64
	least      uint64 // pieces, without kings
}

// The counters of a sum of squares.
const (
	watchExact  = 8 * iota // squares that hold the one piece, or none, that they must hold
	watchHome              // pawns on their first squares that must not have moved
	watchWhite             // pieces
	watchBlack             //
	watchPlaces            // four places with one of several pieces, or of several squares
	watchEnd    = 64

	watchEnough = 0x80 // what a counter has when it has enough
)

// countRange is a range for each of the numbers of a sum of counts: bit 5 of each is set in sum+least and in most-sum
// where they are in it.
type countRange struct{ least, most uint64 }

// Parts of a sum of counts.
const (
	countBits = 6
	countSide = 5 * countBits
	countHigh = 0x820820820820820 // bit 5 of each number
)

// watchMen is the greatest number of pieces on a board that a watch can count.
const watchMen = 32

// newWatch makes the watch of a condition, nil if there is none.
func newWatch(c *condition) *watch {
	w := new(watch)
	switch {
	case len(c.boards) == 1:
		t := &c.boards[0]
		w.square(position.AllSquares, t.kind0, t.kind1, t.kind2, t.black)
		w.bounds(&c.needs)
	case len(c.patterns) == 1:
		t := &c.patterns[0]
		w.square(t.mask, t.kind0, t.kind1, t.kind2, t.black)
		for i, l := range t.places {
			if counter := watchPlaces + 8*i; counter < watchEnd {
				w.place(&l, counter)
			}
		}
		w.bounds(&c.needs)
	case c.counted:
		w.count(c)
	}
	if w.all == 0 && !w.counted {
		return nil
	}
	// An empty square is worth nothing, so that a move changes the sum by three squares' pieces.
	for s := range w.worth {
		none := w.worth[s][chess.NoPiece]
		w.bare += none
		for piece := range w.worth[s] {
			w.worth[s][piece] -= none
		}
	}
	w.usual = w.bare
	for s, piece := range usualMen {
		w.usual += w.worth[s][piece]
	}
	return w
}

// enough makes a counter one that has enough at n.
func (w *watch) enough(counter, n int) {
	w.bare += uint64(watchEnough-n) << counter
	w.all |= watchEnough << counter
}

// square takes squares that must hold certain pieces.
func (w *watch) square(mask, k0, k1, k2, black position.Bitboard) {
	if mask == 0 {
		return
	}
	w.enough(watchExact, mask.Count())
	for s := range w.worth {
		if mask>>s&1 != 0 {
			piece := k0>>s&1 | k1>>s&1<<1 | k2>>s&1<<2 | black>>s&1<<3
			w.worth[s][piece] += 1 << watchExact
		}
	}
}

// place takes a place of a pattern.
func (w *watch) place(l *place, counter int) {
	w.enough(counter, 1)
	for s := range w.worth {
		for piece := range w.worth[s] {
			if l.squares>>s&1 != 0 && l.pieces>>piece&1 != 0 {
				w.worth[s][piece] += 1 << counter
			}
		}
	}
}

// bounds takes what no later position can have again.
func (w *watch) bounds(n *summary) {
	before := w.all
	for color := range 2 {
		pawn := chess.NewPiece(chess.Color(color), chess.Pawn)
		for s := range w.worth {
			if n.home[color]>>s&1 != 0 {
				w.worth[s][pawn] += 1 << watchHome
			}
		}
		counter := watchWhite + 8*color
		w.enough(counter, n.pieces[color])
		for s := range w.worth {
			for kind := chess.King; kind <= chess.Pawn; kind++ {
				w.worth[s][chess.NewPiece(chess.Color(color), kind)] += 1 << counter
			}
		}
	}
	w.enough(watchHome, n.home[0].Count()+n.home[1].Count())
	w.alive = w.all &^ before
}

// count takes numbers of pieces.
func (w *watch) count(c *condition) {
	w.counted, w.least = true, uint64(max(c.needs.pieces[0]+c.needs.pieces[1]-2, 0))
	for color := range 2 {
		for i, kind := range countedKinds {
			for s := range w.worth {
				w.worth[s][chess.NewPiece(chess.Color(color), kind)] = 1 << (color*countSide + i*countBits)
			}
		}
	}
	const most = 1<<(countBits-1) - 1 // there are fewer of any kind
	for i := range c.materials {
		var r countRange
		for color := range 2 {
			for k := range countedKinds {
				at := color*countSide + k*countBits
				r.least |= uint64(most+1-min(c.materials[i].least[color][k], most)) << at
				r.most |= uint64(most+1+min(c.materials[i].most[color][k], most)) << at
			}
		}
		w.materials = append(w.materials, r)
	}
	for i := range c.imbalances {
		var d uint64
		for k, n := range c.imbalances[i] {
			d |= uint64(most+1+max(min(int(n), most), -most)) << (k * countBits)
		}
		w.imbalances = append(w.imbalances, d)
	}
}

// mayCount reports whether the condition may be met where the sum of counts is so.
func (w *watch) mayCount(sum uint64) bool {
	any := len(w.materials) == 0
	for i := range w.materials {
		r := &w.materials[i]
		any = any || (sum+r.least)&(r.most-sum)&countHigh == countHigh
	}
	if !any || len(w.imbalances) == 0 {
		return any
	}
	const side = 1<<countSide - 1
	difference := (sum&side | countHigh&side) - sum>>countSide
	for _, d := range w.imbalances {
		if difference == d {
			return true
		}
	}
	return false
}

// tray is a board with a piece on each square, and the sum of a watch.
type tray struct {
	pieces [64]uint8
	sum    uint64
}

var usualMen = menOf(&usual)

func menOf(p *position.Position) (pieces [64]uint8) {
	for s := range pieces {
		pieces[s] = uint8(p.PieceAt(chess.Square(s)))
	}
	return pieces
}

// set puts the pieces of a position on the tray, and reports whether the watch can be used from there.
func (w *watch) set(t *tray, p *position.Position) bool {
	if *p == usual {
		t.pieces, t.sum = usualMen, w.usual
		return true
	}
	if p.Occupied().Count() > watchMen || p.IsChess960() {
		return false
	}
	t.pieces, t.sum = menOf(p), w.bare
	for s, piece := range t.pieces {
		t.sum += w.worth[s][piece]
	}
	return true
}

// put puts a piece on a square, or none.
func (w *watch) put(t *tray, s uint16, piece uint8) {
	t.sum += w.worth[s&63][piece&15] - w.worth[s&63][t.pieces[s&63]&15]
	t.pieces[s&63] = piece
}

// steps are, by the word, the square that a move leaves, and 64 times the square that it goes to; with special, more
// than a piece's step may happen.
var steps = func() (list [moveindex.NumWords]uint16) {
	for i := range moveindex.Index(moveindex.NumWords) {
		m, ok := i.Move()
		from, to := m.From(), m.To()
		rank, next := from.Rank(), to.Rank()
		castling := from.File() == 4 && (to.File() == 2 || to.File() == 6) && rank == next && (rank == 0 || rank == 7)
		enPassant := (rank == 4 && next == 5 || rank == 3 && next == 2) &&
			(to.File() == from.File()+1 || to.File() == from.File()-1)
		list[i] = uint16(from) | uint16(to)<<6
		if !ok || m.Promotion() != chess.NoKind || castling || enPassant {
			list[i] |= special
		}
	}
	return list
}()

const special = 1 << 12

// play makes the move of a word.
func (w *watch) play(t *tray, word moveindex.Index) {
	step := steps[word&(moveindex.NumWords-1)]
	from, to := step&63, step>>6&63
	piece := t.pieces[from]
	if step&special != 0 {
		m, _ := word.Move()
		piece, taken := chess.Piece(piece), t.pieces[to]
		switch kind := piece.Kind(); {
		case from == to:
			return // the null move
		case m.Promotion() != chess.NoKind:
			w.put(t, from, 0)
			w.put(t, to, uint8(chess.NewPiece(piece.Color(), m.Promotion())))
			return
		case kind == chess.King && from&7 == 4 && (to&7 == 6 || to&7 == 2):
			rook, home := (from+to)/2, from|7
			if to < from {
				home = from &^ 7
			}
			w.put(t, rook, t.pieces[home])
			w.put(t, home, 0)
		case kind == chess.Pawn && taken == 0 && from&7 != to&7:
			w.put(t, from&^7|to&7, 0) // en passant
		}
	}
	w.put(t, from, 0)
	w.put(t, to, piece)
}

// search plays words from ply k on, and returns the first ply, k to last, where the condition may be met, -1 if it is
// nowhere.
func (w *watch) search(t *tray, words []moveindex.Index, k, last int) int {
	if w.counted {
		return w.searchCounts(t, words, k, last)
	}
	sum, all, alive := t.sum, w.all, w.alive
	if sum&all == all {
		return k
	}
	if k >= last || sum&alive != alive {
		return -1
	}
	worth, pieces := &w.worth, &t.pieces
	for i, word := range words[k:last] {
		step := steps[word&(moveindex.NumWords-1)]
		if step&special != 0 {
			t.sum = sum
			w.play(t, word)
			sum = t.sum
		} else {
			from, to := step&63, step>>6&63
			piece, taken := pieces[from]&15, pieces[to]&15
			pieces[from], pieces[to] = 0, piece
			sum += worth[to][piece] - worth[to][taken] - worth[from][piece]
		}
		if sum&all == all {
			t.sum = sum
			return k + i + 1
		}
		if sum&alive != alive {
			return -1
		}
	}
	return -1
}

// searchCounts is search by a sum of counts.
func (w *watch) searchCounts(t *tray, words []moveindex.Index, k, last int) int {
	sum := t.sum
	if w.mayCount(sum) {
		return k
	}
	if k >= last {
		return -1
	}
	worth, pieces := &w.worth[0], &t.pieces
	for i, word := range words[k:last] {
		step := steps[word&(moveindex.NumWords-1)]
		if step&special != 0 {
			t.sum = sum
			w.play(t, word)
			if t.sum == sum {
				continue
			}
			sum = t.sum
		} else {
			from, to := step&63, step>>6&63
			piece, taken := pieces[from], pieces[to]
			pieces[from], pieces[to] = 0, piece
			if taken == 0 {
				continue
			}
			sum -= worth[taken&15]
		}
		if w.mayCount(sum) {
			t.sum = sum
			return k + i + 1
		}
		if sum%(1<<countBits-1) < w.least { // the numbers together
			return -1
		}
	}
	return -1
}
