// SPDX-License-Identifier: Apache-2.0

package index

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
	"slices"

	"ply11/moveindex"
)

// A pruned index has counts of positions in parts: docs/INDEXFILE.md.

const (
	prunedEntry = 16       // bytes of a part in the table
	maxPart     = 64 << 10 // bytes of a part
	maxWords    = 1 << 11  // of a position
	mostPly     = 1<<16 - 1
)

// prunedPart is what the table says of a part, and what follows for it.
type prunedPart struct {
	hash  uint64
	check uint16
	size  uint32
	at    int64
}

func (p *prunedPart) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint64(b, p.hash)
	b = binary.LittleEndian.AppendUint16(b, p.check)
	b = binary.LittleEndian.AppendUint16(b, 0)
	return binary.LittleEndian.AppendUint32(b, p.size)
}

func (p prunedPart) compare(w Wanted) int {
	return cmp.Or(cmp.Compare(p.hash, w.Hash), cmp.Compare(p.check, w.Check))
}

// Pruned reports whether the index is pruned, and then what it has: positions that minGames games reach in their first
// lastPly plies.
func (x *Index) Pruned() (minGames, lastPly int, pruned bool) {
	return int(x.head.leastGames), int(x.head.lastPly), x.head.kind == kindPruned
}

func (b *builder) pruned() bool { return b.o.MinGames > 0 }

// prunedWriter makes parts of sorted postings. The first error stays.
type prunedWriter struct {
	dst    io.Writer
	b      *builder
	err    error
	hash   uint64
	check  uint16
	all    Branch
	words  []CommonGroup
	seen   marks
	last   uint64 // key
	at     int64
	n      uint32
	before uint64
	part   bitWriter
}

func (b *builder) writePruned(dst io.Writer) (Counts, error) {
	h := &b.file
	h.kind, h.variations, h.leastGames, h.lastPly = kindPruned, false, uint16(b.o.MinGames), uint16(b.o.MaxPly)
	if _, err := dst.Write(h.start()); err != nil {
		return h.counts, err
	}
	w := prunedWriter{dst: dst, b: b, at: startSize}
	if err := b.each(w.add, &w.err); err != nil {
		return h.counts, err
	}
	w.position()
	w.close()
	if w.err != nil {
		return h.counts, w.err
	}
	_, err := dst.Write(h.end(w.at))
	return h.counts, err
}

func (w *prunedWriter) add(hash, key uint64) {
	if check := checkOfKey(key); hash != w.hash || check != w.check {
		w.position()
		w.hash, w.check = hash, check
	} else if len(w.words) > 0 && key == w.last {
		return // the game came back and went on as before
	}
	w.last = key
	word, game := keyOf(key)
	if n := len(w.words); n == 0 || w.words[n-1].Word != word {
		w.words = append(w.words, CommonGroup{Word: word})
	}
	f := w.b.facts[game-1]
	w.words[len(w.words)-1].Branch.Add(0, int(game), f)
	if w.seen.add(game, w.b.head.games) {
		w.all.Add(0, int(game), f)
	}
}

func (w *prunedWriter) position() {
	if len(w.words) == 0 {
		return
	}
	c := &w.b.file.counts
	if w.all.Games < w.b.o.MinGames {
		c.Rare++
	} else {
		c.Positions++
		for i := range w.words {
			c.Postings += uint64(w.words[i].Branch.Games)
		}
		if w.n > 0 {
			before := w.part
			if w.encode(); len(w.part.buf)+int(w.part.n+7)/8+4 > maxPart {
				w.part = before
				w.n--
				w.close()
			}
		}
		if w.n == 0 {
			w.part = bitWriter{buf: make([]byte, 4, maxPart)}
			w.b.file.parts = append(w.b.file.parts, prunedPart{hash: w.hash, check: w.check})
			w.before = w.hash
			w.encode()
		}
		w.before = w.hash
	}
	w.seen.clear()
	w.all, w.words = Branch{}, w.words[:0]
}

func (w *prunedWriter) encode() {
	w.n++
	s := &w.part
	s.distance(w.hash - w.before)
	s.put(uint64(w.check), checkBits)
	s.gamma(uint64(len(w.words)))
	var sum Branch
	for i := range w.words {
		g := &w.words[i]
		s.put(uint64(g.Word), wordBits-1)
		s.counts(&g.Branch)
		sum.Merge(&g.Branch, 0, 0)
	}
	if sameCounts(&sum, &w.all) {
		s.put(0, 1)
	} else {
		s.put(1, 1)
		s.counts(&w.all)
	}
}

func (w *prunedWriter) close() {
	if w.n == 0 || w.err != nil {
		w.n = 0
		return
	}
	b := w.part.end()
	binary.LittleEndian.PutUint32(b, w.n)
	b = sealed(b, 0)
	if len(b) > maxPart {
		w.err = fmt.Errorf("a position with %d moves does not fit into a part of %d bytes", len(w.words), maxPart)
		return
	}
	w.b.file.parts[len(w.b.file.parts)-1].size = uint32(len(b))
	_, w.err = w.dst.Write(b)
	w.at += int64(len(b))
	w.n = 0
}

// sameCounts reports whether two branches are equal in what a pruned index has.
func sameCounts(a, b *Branch) bool {
	return a.Games == b.Games && a.White == b.White && a.Draws == b.Draws && a.Black == b.Black &&
		a.WhiteRating == b.WhiteRating && a.BlackRating == b.BlackRating
}

// distance writes a number of 64 bits: its length in 7 bits, and the bits below its highest.
func (w *bitWriter) distance(d uint64) {
	n := uint(bits.Len64(d))
	w.put(uint64(n), 7)
	if n > 1 {
		w.put(d, n-1)
	}
}

func (r *bitReader) distance() uint64 {
	switch n := uint(r.get(7)); {
	case n > 64:
		r.bad = true
		return 0
	case n > 1:
		return 1<<(n-1) | r.get(n-1)
	default:
		return uint64(n)
	}
}

// counts writes counts, each in the bits of the largest that it may be.
func (w *bitWriter) counts(b *Branch) {
	w.gamma(uint64(b.Games))
	left := b.Games
	for _, n := range []int{b.White, b.Draws, b.Black} {
		w.put(uint64(n), uint(bits.Len(uint(left))))
		left -= n
	}
	for _, r := range []Ratings{b.WhiteRating, b.BlackRating} {
		w.put(uint64(r.Games), uint(bits.Len(uint(b.Games))))
		w.put(uint64(r.Sum), uint(bits.Len64(9999*uint64(r.Games))))
	}
}

// counts reads counts of at most so many games.
func (r *bitReader) counts(most uint64) (b Branch) {
	games := r.gamma()
	if r.bad || games > most {
		r.bad = true
		return b
	}
	b.Games = int(games)
	left := games
	for _, to := range []*int{&b.White, &b.Draws, &b.Black} {
		n := r.get(uint(bits.Len64(left)))
		if n > left {
			r.bad = true
			return b
		}
		*to = int(n)
		left -= n
	}
	for _, to := range []*Ratings{&b.WhiteRating, &b.BlackRating} {
		n := r.get(uint(bits.Len64(games)))
		sum := r.get(uint(bits.Len64(9999 * min(n, most))))
		if n > games || sum > 9999*n {
			r.bad = true
			return b
		}
		*to = Ratings{int64(sum), int(n)}
	}
	return b
}

func (x *Index) setParts(table []byte, at int64) error {
	h := &x.head
	from := int64(startSize)
	for ; len(table) > 0; table = table[prunedEntry:] {
		p := prunedPart{hash: binary.LittleEndian.Uint64(table), check: binary.LittleEndian.Uint16(table[8:]),
			size: binary.LittleEndian.Uint32(table[12:]), at: from}
		if table[10]|table[11] != 0 {
			return &Error{"table", at, "a reserved byte is not 0", ErrVersion}
		}
		if n := len(h.parts); n > 0 && h.parts[n-1].compare(Wanted{Hash: p.hash, Check: p.check}) >= 0 || p.size < 9 ||
			p.size > maxPart {
			return corrupt("table", at, "part %d is not right", n+1)
		}
		from += int64(p.size)
		h.parts = append(h.parts, p)
	}
	if from != at || h.variations {
		return corrupt("table", at, "its parts are not what the file has")
	}
	return nil
}

// eachIn calls do with each position of a part until it returns false. Words are valid during the call.
func (x *Index) eachIn(p *prunedPart, do func(hash uint64, check uint16, all *Branch,
	words []CommonGroup) bool) error {
	b := make([]byte, p.size)
	if err := readAt(x.r, b, p.at, "part"); err != nil {
		return err
	}
	b, err := unsealed(b, "part", p.at)
	if err != nil {
		return err
	}
	bad := corrupt("part", p.at, "its positions are not right")
	s := bitReader{data: b[4:]}
	hash, check := p.hash, p.check
	var words []CommonGroup
	for i := range binary.LittleEndian.Uint32(b) {
		d, c := s.distance(), uint16(s.get(checkBits))
		if i == 0 && (d > 0 || c != check) || i > 0 && d == 0 && c <= check || hash+d < hash {
			return bad
		}
		hash, check = hash+d, c
		count := s.gamma()
		if s.bad || count > maxWords {
			return bad
		}
		words = words[:0]
		var sum Branch
		for range count {
			g := CommonGroup{Word: moveindex.Index(s.get(wordBits - 1))}
			g.Branch = s.counts(x.head.games)
			plain := segmentHead{}
			if s.bad || !plain.validWord(g.Word) || len(words) > 0 && words[len(words)-1].Word >= g.Word {
				return bad
			}
			sum.Merge(&g.Branch, 0, 0)
			words = append(words, g)
		}
		if s.get(1) == 1 {
			all := s.counts(x.head.games)
			if sameCounts(&sum, &all) || all.Games > sum.Games {
				return bad
			}
			sum = all
		}
		if s.bad || sum.Games < int(x.head.leastGames) || uint64(sum.Games) > x.head.games {
			return bad
		}
		if !do(hash, check, &sum, words) {
			return nil
		}
	}
	if !s.end() {
		return bad
	}
	return nil
}

func (x *Index) verifyParts(ctx context.Context, progress func(done, all int64)) error {
	var counts Counts
	for i := range x.head.parts {
		p := &x.head.parts[i]
		if err := ctx.Err(); err != nil {
			return err
		}
		if progress != nil {
			progress(p.at, x.size)
		}
		inside := true
		if err := x.eachIn(p, func(hash uint64, check uint16, _ *Branch, words []CommonGroup) bool {
			counts.Positions++
			for i := range words {
				counts.Postings += uint64(words[i].Branch.Games)
			}
			inside = i+1 == len(x.head.parts) || x.head.parts[i+1].compare(Wanted{Hash: hash, Check: check}) > 0
			return true
		}); err != nil {
			return err
		}
		if !inside {
			return corrupt("part", p.at, "it goes on into the next")
		}
	}
	counts.Rare = x.head.counts.Rare // not there to be counted
	if counts != x.head.counts {
		return corrupt("trailer", x.size-trailerSize, "it counts %+v, and there are %+v", x.head.counts, counts)
	}
	return nil
}

// FindCounts calls do with the counts of sorted positions, valid during the call. Each part is read once.
func (x *Index) FindCounts(ctx context.Context, list []Wanted, do func(i int, all *Branch, words []CommonGroup)) error {
	parts := x.head.parts
	for len(list) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		// The last part that begins at the position or before.
		k, exact := slices.BinarySearchFunc(parts, list[0], prunedPart.compare)
		if !exact {
			k--
		}
		n := 1
		for n < len(list) && (k+1 == len(parts) || parts[k+1].compare(list[n]) > 0) {
			n++
		}
		if here := list[:n]; k >= 0 {
			if err := x.eachIn(&parts[k], func(hash uint64, check uint16, all *Branch, words []CommonGroup) bool {
				at := prunedPart{hash: hash, check: check}
				for len(here) > 0 && at.compare(here[0]) >= 0 {
					if at.compare(here[0]) == 0 {
						do(here[0].I, all, words)
					}
					here = here[1:]
				}
				return len(here) > 0
			}); err != nil {
				return err
			}
		}
		list = list[n:]
	}
	return nil
}
