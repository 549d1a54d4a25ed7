// SPDX-License-Identifier: Apache-2.0

package index

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/bits"
	"slices"

	"ply11/moveindex"
)

// A tree file has counts of positions, and needs no archive: docs/TREEFILE.md.

const (
	treeMagic     = "\x89p1t\r\n\x1a\n"
	treeStart     = 52 // bytes before the entries of the head
	treeEntrySize = 24 // bytes of an entry
	mostRoot      = 680
	mostPage      = 2728
	mostLevels    = 3
	maxPart       = 64 << 10 // bytes of a part
	maxWords      = 1 << 11  // of a position
	mostPly       = 1<<16 - 1
)

// ErrNotTree is the error of what is no tree file. Other errors are those of an index.
var ErrNotTree = errors.New("not a ply11 tree file")

// TreeStats is what a tree file says of itself.
type TreeStats struct {
	Games     uint64 `json:"games"` // that were counted, also those of which it has no position
	Positions uint64 `json:"positions"`
	// MinGames and MaxPly: it has the positions that MinGames games reach in their first MaxPly plies.
	MinGames int `json:"min_games"`
	MaxPly   int `json:"max_ply"`
	// Missing is how many games a count may lack at most, of one position or move; 0 if all are counted.
	Missing uint64 `json:"missing"`
	Bytes   int64  `json:"bytes"`
}

// treeHead is what the file begins with.
type treeHead struct {
	Magic                            [8]byte
	Version, MinGames, MaxPly        uint16
	Levels                           uint16 // of pages between root and parts
	Games, Missing, Positions, Bytes uint64
	Entries                          uint32 // of the root, which follow
}

// treeEntry is where a part is, or a page of entries, and its first position.
type treeEntry struct {
	Hash  uint64
	Check uint16
	Zero  uint16
	Size  uint32
	At    int64 // from the end of the head
}

func (e *treeEntry) compare(hash uint64, check uint16) int {
	return cmp.Or(cmp.Compare(e.Hash, hash), cmp.Compare(e.Check, check))
}

// TreeFile is an open tree file. Its head is in memory, at most 16 KiB; a look-up reads a part of at most 64 KiB, and
// in a file of more than 680 parts a page before it. Several goroutines may use it.
type TreeFile struct {
	// Name is for errors of MergeTrees.
	Name string

	r      io.ReaderAt
	stats  TreeStats
	levels int // of pages between root and parts
	root   []treeEntry
	body   int64 // offset
}

// OpenTree opens a tree file of the size given, and verifies its head; the rest is verified when it is read. Errors are
// *Error, or those of r.
func OpenTree(r io.ReaderAt, size int64) (*TreeFile, error) {
	b := make([]byte, treeStart)
	n, err := r.ReadAt(b[:min(treeStart, max(size, 0))], 0)
	if err != nil && err != io.EOF {
		return nil, err
	}
	var h treeHead
	binary.Decode(b, binary.LittleEndian, &h)
	if string(h.Magic[:]) != treeMagic {
		return nil, &Error{"tree head", 0, "its first bytes are others", ErrNotTree}
	}
	t := &TreeFile{r: r, levels: int(h.Levels), body: treeStart + treeEntrySize*int64(h.Entries) + 4,
		stats: TreeStats{h.Games, h.Positions, int(h.MinGames), int(h.MaxPly), h.Missing, size}}
	switch {
	case n < treeStart || h.Entries > mostRoot:
		return nil, corrupt("tree head", 0, "the file ends in it, or it is too long")
	case h.Version != 1:
		return nil, &Error{"tree head", 0, fmt.Sprintf("version %d", h.Version), ErrVersion}
	}
	if b, err = t.sealed(0, uint32(t.body), "tree head"); err != nil {
		return nil, err
	}
	if h.Bytes != uint64(size) {
		return nil, corrupt("tree head", 0, "the file has %d bytes, and should have %d", size, h.Bytes)
	}
	if h.MinGames == 0 || h.MaxPly == 0 || h.Levels > mostLevels || h.Games > maxGames ||
		h.Entries == 0 && h.Levels > 0 {
		return nil, corrupt("tree head", 0, "a number in it is too large, or 0")
	}
	t.root, err = t.entries(b[treeStart:], 0)
	return t, err
}

// Stats returns what the file says of itself.
func (t *TreeFile) Stats() TreeStats { return t.stats }

// sealed returns what is before the CRC of a piece of the file.
func (t *TreeFile) sealed(at int64, size uint32, part string) ([]byte, error) {
	b := make([]byte, size)
	if err := readAt(t.r, b, at, part); err != nil {
		return nil, err
	}
	return unsealed(b, part, at)
}

// entries reads entries, which ascend and are in the file; at is for errors.
func (t *TreeFile) entries(b []byte, at int64) ([]treeEntry, error) {
	list := make([]treeEntry, len(b)/treeEntrySize)
	binary.Decode(b, binary.LittleEndian, list)
	for i := range list {
		e := &list[i]
		if e.Zero != 0 {
			return nil, &Error{"tree page", at, "a reserved byte is not 0", ErrVersion}
		}
		if i > 0 && list[i-1].compare(e.Hash, e.Check) >= 0 || e.Size < 9 || e.Size > maxPart || e.At < 0 ||
			e.At > t.stats.Bytes-t.body-int64(e.Size) {
			return nil, corrupt("tree page", at, "entry %d is not right", i+1)
		}
	}
	return list, nil
}

func (t *TreeFile) page(e *treeEntry) ([]treeEntry, error) {
	at := t.body + e.At
	b, err := t.sealed(at, e.Size, "tree page")
	if err != nil {
		return nil, err
	}
	list, err := t.entries(b, at)
	if err == nil && (len(list) == 0 || len(b)%treeEntrySize != 0 || list[0].compare(e.Hash, e.Check) != 0) {
		err = corrupt("tree page", at, "it does not begin or end as it should")
	}
	return list, err
}

// treePosition is a position of a part, valid until the next.
type treePosition struct {
	hash  uint64
	check uint16
	all   Branch
	words []CommonGroup
}

// eachIn calls do with each position of a part until it returns false.
func (t *TreeFile) eachIn(e *treeEntry, do func(p *treePosition) bool) error {
	at, games := t.body+e.At, t.stats.Games
	b, err := t.sealed(at, e.Size, "tree part")
	if err != nil {
		return err
	}
	bad := corrupt("tree part", at, "its positions are not right")
	s, n := bitReader{data: b[4:]}, binary.LittleEndian.Uint32(b)
	p := treePosition{hash: e.Hash, check: e.Check}
	for i := range n {
		d, check := s.distance(), uint16(s.get(checkBits))
		if i == 0 && (d > 0 || check != p.check) || i > 0 && d == 0 && check <= p.check || p.hash+d < p.hash {
			return bad
		}
		p = treePosition{hash: p.hash + d, check: check, words: p.words[:0]}
		count := s.gamma()
		if s.bad || count > maxWords {
			return bad
		}
		for range count {
			g := CommonGroup{Word: moveindex.Index(s.get(wordBits - 1))}
			g.Branch = s.counts(games)
			plain := segmentHead{}
			if n := len(p.words); s.bad || !plain.validWord(g.Word) || n > 0 && p.words[n-1].Word >= g.Word {
				return bad
			}
			p.all.Merge(&g.Branch, 0, 0)
			p.words = append(p.words, g)
		}
		if s.get(1) == 1 {
			all := s.counts(games)
			if sameCounts(&p.all, &all) || all.Games > p.all.Games {
				return bad
			}
			p.all = all
		}
		if s.bad || p.all.Games < t.stats.MinGames || uint64(p.all.Games) > games {
			return bad
		}
		if !do(&p) {
			return nil
		}
	}
	if n == 0 || !s.end() {
		return bad
	}
	return nil
}

// sameCounts reports whether two branches are equal in what a tree file has.
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

// positions has all positions in their order, and verifies that nothing else is in the file. It ends after an error.
func (t *TreeFile) positions() iter.Seq2[*treePosition, error] {
	return func(yield func(*treePosition, error) bool) {
		end, count, last, more := int64(0), uint64(0), treeEntry{}, true // end: of what was read
		var visit func(list []treeEntry, level int) error
		visit = func(list []treeEntry, level int) (err error) {
			for i := range list {
				e := &list[i]
				if level < t.levels {
					var page []treeEntry
					if page, err = t.page(e); err == nil {
						err = visit(page, level+1)
					}
				} else {
					ordered := count == 0 || last.compare(e.Hash, e.Check) < 0
					err = t.eachIn(e, func(p *treePosition) bool {
						last, count = treeEntry{Hash: p.hash, Check: p.check}, count+1
						more = ordered && yield(p, nil)
						return more
					})
					if err == nil && !ordered {
						err = corrupt("tree part", t.body+e.At, "it begins before the one before it ends")
					}
				}
				if err != nil || !more {
					return err
				}
				if e.At != end { // a page stands behind its parts
					return corrupt("tree page", t.body+end, "there are bytes that belong to nothing")
				}
				end += int64(e.Size)
			}
			return nil
		}
		err := visit(t.root, 0)
		if err == nil && more && (end != t.stats.Bytes-t.body || count != t.stats.Positions) {
			err = corrupt("tree head", 0, "it tells of %d positions, and there are %d", t.stats.Positions, count)
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// Verify reads all of the file, and verifies checksums, order and counts.
func (t *TreeFile) Verify(ctx context.Context, progress func(done, all int64)) error {
	n := 0
	for _, err := range t.positions() {
		if n%1024 == 0 && err == nil {
			err = ctx.Err()
			if progress != nil {
				progress(int64(float64(t.stats.Bytes)*float64(n)/float64(t.stats.Positions)), t.stats.Bytes)
			}
		}
		if err != nil {
			return err
		}
		n++
	}
	return nil
}

// Find calls do with the counts of sorted positions, valid during the call. Each part is read once.
func (t *TreeFile) Find(ctx context.Context, list []Wanted, do func(i int, all *Branch, words []CommonGroup)) error {
	for len(list) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		var e, after *treeEntry // the last part that begins at the position or before, and what begins after it
		entries := t.root
		for level := 0; level <= t.levels; level++ {
			if level > 0 {
				var err error
				if entries, err = t.page(e); err != nil {
					return err
				}
			}
			k, exact := slices.BinarySearchFunc(entries, list[0], func(e treeEntry, w Wanted) int {
				return e.compare(w.Hash, w.Check)
			})
			if !exact {
				k--
			}
			if k+1 < len(entries) {
				after = &entries[k+1]
			}
			if k < 0 { // it is before the first
				break
			}
			e = &entries[k]
		}
		n := 1
		for n < len(list) && (after == nil || after.compare(list[n].Hash, list[n].Check) > 0) {
			n++
		}
		here := list[:n]
		if list = list[n:]; e == nil {
			continue
		}
		if err := t.eachIn(e, func(p *treePosition) bool {
			for ; len(here) > 0; here = here[1:] {
				order := cmp.Or(cmp.Compare(p.hash, here[0].Hash), cmp.Compare(p.check, here[0].Check))
				if order < 0 {
					break
				}
				if order == 0 {
					do(here[0].I, &p.all, p.words)
				}
			}
			return len(here) > 0
		}); err != nil {
			return err
		}
	}
	return nil
}
