// SPDX-License-Identifier: Apache-2.0

package player

import (
	"math/rand/v2"

	"ply11/bitstream"
	"ply11/moveindex"
)

// A wordList is words of games, with errors of every kind.
type wordList struct {
	rng   *rand.Rand
	words []moveindex.Index
	slow  []bool // the word is one of a start record
}

func (w *wordList) put(words ...moveindex.Index) { w.putAs(false, words...) }

func (w *wordList) putAs(slow bool, words ...moveindex.Index) {
	for _, word := range words {
		// Idle words may stand anywhere.
		if w.rng.IntN(40) == 0 {
			w.words, w.slow = append(w.words, moveindex.Idle), append(w.slow, slow)
		}
		w.words, w.slow = append(w.words, word), append(w.slow, slow)
	}
}

func (w *wordList) result(more ...moveindex.Index) {
	w.put(moveindex.ResultBlackWins + moveindex.Index(w.rng.IntN(4)))
	w.put(more...)
}

// text puts a text of so many bytes.
func (w *wordList) text(length int) {
	w.put(moveindex.Text, moveindex.Index(length))
	for range (8*length + 10) / 11 {
		w.put(moveindex.Index(w.rng.IntN(1024)))
	}
}

// record puts a start record, with one of seven faults, or with 0 without.
func (w *wordList) record(fault int) {
	var words [bitstream.StartWords]moveindex.Index
	set := func(at, n, value int) {
		for i := range n {
			word := &words[(at+i)/11]
			*word = *word&^(1<<((at+i)%11)) | moveindex.Index(value>>i&1)<<((at+i)%11)
		}
	}
	for sq := range 64 {
		if piece := w.rng.IntN(16); piece&7 > 1 && piece&7 < 7 {
			set(4*sq, 4, piece)
		}
	}
	s, ep := w.rng.IntN(32), w.rng.IntN(8)+w.rng.IntN(2)
	type at struct{ square, piece int }
	for _, p := range append([]at{{s, 1}, {32 + s, 9}}, [][]at{nil, {{s, 2}}, {{32 + s, 6}}, {{s + 1, 1}},
		{{63 - s, 9}, {32 + (s ^ 1), 9}}, {{s ^ 2, 7 + 8*w.rng.IntN(2)}}, {{s ^ 3, 8}}, nil}[fault]...) {
		set(4*p.square, 4, p.piece)
	}
	if fault == 7 {
		ep = 9 + w.rng.IntN(4)
	}
	set(256, 5, w.rng.IntN(32))
	set(261, 4, ep)
	// The halfmove clock and the move number, which the module steps over. No word is idle.
	set(265, 21, w.rng.IntN(1<<21))
	for i, word := range words {
		if word == moveindex.Idle {
			words[i] ^= 1 << 8
		}
	}
	w.putAs(true, moveindex.Start)
	w.putAs(true, words[:]...)
}

// record960 puts a start position of Chess960, of any words, results too.
func (w *wordList) record960() {
	w.put(moveindex.Start960)
	for range bitstream.Start960Words {
		if w.rng.IntN(2) == 0 {
			w.put(moveindex.ResultBlackWins + moveindex.Index(w.rng.IntN(8)))
		} else {
			w.put(moveindex.Index(w.rng.IntN(int(moveindex.Idle))))
		}
	}
}

// nest puts variations inside each other, and ends so many of them.
func (w *wordList) nest(begin, end int) {
	for i := range begin {
		w.put(moveindex.Index(8+i), moveindex.VariationStart)
		if end > 100 { // on the way, at each depth one that ends at once
			w.put(moveindex.Null, moveindex.VariationEnd, moveindex.VariationStart)
		}
	}
	for i := range end {
		w.put(moveindex.Index(9+i), moveindex.VariationEnd)
	}
	w.result()
}

func newWordList(depth int) *wordList {
	w := &wordList{rng: rand.New(rand.NewPCG(uint64(depth), 14))}
	// Words that differ from the idle word in one bit, out of a game and in one. A start record after them is not at
	// the front.
	for k := range 11 {
		w.put(moveindex.Idle ^ 1<<k)
		w.result(moveindex.Index(w.rng.IntN(moveindex.NumMoves)), moveindex.Idle^1<<k)
		w.result(moveindex.Idle ^ 1<<k)
		w.record(0)
		w.result()
	}
	for fault := range 16 {
		w.record(fault & 7)
		w.result()
	}
	w.put(5)
	w.text(2047)
	w.put(6)
	w.text(1024)
	w.put(7)
	w.result()
	// As many variations as may be, and back; one more.
	if depth == 0 {
		w.nest(130, 130)
		w.nest(256, 0)
	} else {
		w.nest(depth, depth)
		w.nest(depth+1, 0)
	}
	size := len(w.words) + 8000
	if depth == 1 || depth == 31 {
		size -= 6000
	}
	for nags := 0; len(w.words) < size; {
		switch what := w.rng.IntN(64); {
		case what < 2:
			w.result()
		case what < 3:
			w.put(moveindex.Null)
		case what < 7:
			w.put(moveindex.VariationStart)
		case what < 11:
			w.put(moveindex.VariationEnd)
		case what < 12:
			w.text(w.rng.IntN(16))
		case what < 13:
			w.put(moveindex.NAG, moveindex.Index(w.rng.IntN(256)))
		case what < 14:
			w.put(moveindex.NAG1 + moveindex.Index(w.rng.IntN(16)))
		case what < 15:
			w.put(10, moveindex.VariationStart, 20, moveindex.VariationEnd)
		case what > 15:
			w.put(moveindex.Index(w.rng.IntN(moveindex.NumMoves)))
		default:
			switch w.rng.IntN(8) {
			case 0:
				w.put(moveindex.FirstReserved + moveindex.Index(w.rng.IntN(32)))
			case 1: // each bit that is too high, alone
				w.put(moveindex.NAG, 1024>>(nags%3)+moveindex.Index(w.rng.IntN(256)))
				nags++
			case 2:
				w.record(0)
			case 3:
				w.record960()
			case 4:
				w.result()
				w.record960()
			default: // where a record is in its place: behind a result
				w.result()
				w.record(w.rng.IntN(2) * w.rng.IntN(8))
			}
		}
	}
	// A start record that no word follows.
	w.result()
	w.record(0)
	return w
}
