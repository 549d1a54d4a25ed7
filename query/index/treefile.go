// SPDX-License-Identifier: Apache-2.0

package index

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"

	"ply11/moveindex"
)

// A tree file has counts of positions, and needs no archive: docs/TREEFILE.md.

const (
	treeMagic   = "\x89p1t\r\n\x1a\n"
	treeStart   = 52 // bytes before the entries of the head
	treeEntries = 24 // bytes of an entry
	mostRoot    = 680
	mostPage    = 2728
	mostLevels  = 3
	maxPart     = 64 << 10 // bytes of a part
	maxWords    = 1 << 11  // of a position
	mostPly     = 1<<16 - 1
)

// Errors of a tree file. An Error has one of them.
var (
	ErrNotTree     = errors.New("not a ply11 tree file")
	ErrTreeVersion = errors.New("tree file of an unknown version")
	// ErrCorruptTree: a checksum or what it protects is wrong, or the file is not of its size.
	ErrCorruptTree = errors.New("corrupt tree file")
)

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

// treeEntry is where a part is, or a page of entries, and its first position.
type treeEntry struct {
	hash  uint64
	check uint16
	size  uint32
	at    int64 // from the end of the head
}

func (e *treeEntry) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint64(b, e.hash)
	b = binary.LittleEndian.AppendUint16(b, e.check)
	b = binary.LittleEndian.AppendUint16(b, 0)
	b = binary.LittleEndian.AppendUint32(b, e.size)
	return binary.LittleEndian.AppendUint64(b, uint64(e.at))
}

func (e treeEntry) compare(w Wanted) int {
	return cmp.Or(cmp.Compare(e.hash, w.Hash), cmp.Compare(e.check, w.Check))
}

// TreeFile is an open tree file. Its head is in memory, at most 16 KiB; a look-up reads a part of at most 64 KiB, and
// in a file of more than 680 parts a page before it. Several goroutines may use it.
type TreeFile struct {
	r      io.ReaderAt
	stats  TreeStats
	levels int // of pages between root and parts
	root   []treeEntry
	body   int64 // offset
}

// OpenTree opens a tree file of the size given, and verifies its head; the rest is verified when it is read. Errors are
// *Error, or those of r.
func OpenTree(r io.ReaderAt, size int64) (*TreeFile, error) {
	t := &TreeFile{r: r, stats: TreeStats{Bytes: size}}
	var b [treeStart]byte
	n, err := r.ReadAt(b[:min(treeStart, max(size, 0))], 0)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if n < len(treeMagic) || string(b[:8]) != treeMagic {
		return nil, &Error{"head", 0, "its first bytes are others", ErrNotTree}
	}
	if n < treeStart {
		return nil, corruptTree("head", 0, "the file ends in it")
	}
	if v := binary.LittleEndian.Uint16(b[8:]); v != 1 {
		return nil, &Error{"head", 0, fmt.Sprintf("version %d", v), ErrTreeVersion}
	}
	u64 := func(at int) uint64 { return binary.LittleEndian.Uint64(b[at:]) }
	entries := binary.LittleEndian.Uint32(b[48:])
	if t.body = treeStart + treeEntries*int64(entries) + 4; entries > mostRoot {
		return nil, corruptTree("head", 0, "it has %d entries", entries)
	}
	head, err := t.sealed(0, uint32(t.body), "head")
	if err != nil {
		return nil, err
	}
	s := &t.stats
	s.MinGames, s.MaxPly = int(binary.LittleEndian.Uint16(b[10:])), int(binary.LittleEndian.Uint16(b[12:]))
	t.levels = int(binary.LittleEndian.Uint16(b[14:]))
	s.Games, s.Missing, s.Positions = u64(16), u64(24), u64(32)
	if u64(40) != uint64(size) {
		return nil, corruptTree("head", 0, "the file has %d bytes, and should have %d", size, u64(40))
	}
	if s.MinGames == 0 || s.MaxPly == 0 || t.levels > mostLevels || s.Games > maxGames || entries == 0 && t.levels > 0 {
		return nil, corruptTree("head", 0, "a number in it is too large, or 0")
	}
	t.root, err = t.entries(head[treeStart:], 0)
	return t, err
}

func corruptTree(part string, offset int64, format string, args ...any) error {
	return &Error{part, offset, fmt.Sprintf(format, args...), ErrCorruptTree}
}

// Stats returns what the file says of itself.
func (t *TreeFile) Stats() TreeStats { return t.stats }

// sealed returns what is before the CRC of a piece of the file.
func (t *TreeFile) sealed(at int64, size uint32, part string) ([]byte, error) {
	b := make([]byte, size)
	if n, err := t.r.ReadAt(b, at); n < len(b) {
		if errors.Is(err, io.EOF) {
			err = corruptTree(part, at, "the file ends in it")
		}
		return nil, err
	}
	n := len(b) - 4
	if got, want := crcOf(b[:n]), binary.LittleEndian.Uint32(b[n:]); got != want {
		return nil, corruptTree(part, at, "CRC-32C is %08x, not %08x", got, want)
	}
	return b[:n], nil
}

// entries reads entries, which ascend and are in the file; at is for errors.
func (t *TreeFile) entries(b []byte, at int64) (list []treeEntry, err error) {
	for ; len(b) >= treeEntries; b = b[treeEntries:] {
		e := treeEntry{binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint16(b[8:]),
			binary.LittleEndian.Uint32(b[12:]), int64(binary.LittleEndian.Uint64(b[16:]))}
		if b[10]|b[11] != 0 {
			return nil, &Error{"entries", at, "a reserved byte is not 0", ErrTreeVersion}
		}
		if n := len(list); n > 0 && list[n-1].compare(Wanted{Hash: e.hash, Check: e.check}) >= 0 || e.size < 9 ||
			e.size > maxPart || e.at < 0 || e.at > t.stats.Bytes-t.body-int64(e.size) {
			return nil, corruptTree("entries", at, "entry %d is not right", n+1)
		}
		list = append(list, e)
	}
	return list, nil
}

func (t *TreeFile) page(e *treeEntry) ([]treeEntry, error) {
	at := t.body + e.at
	b, err := t.sealed(at, e.size, "page")
	if err != nil {
		return nil, err
	}
	list, err := t.entries(b, at)
	if err == nil && (len(list) == 0 || len(b)%treeEntries != 0 || list[0].compare(Wanted{Hash: e.hash,
		Check: e.check}) != 0) {
		err = corruptTree("page", at, "it does not begin or end as it should")
	}
	return list, err
}

// treePart has the positions of a part, one after the other.
type treePart struct {
	t     *TreeFile
	at    int64 // for errors
	s     bitReader
	i, n  uint32
	hash  uint64
	check uint16
	all   Branch
	words []CommonGroup // until the next
}

func (p *treePart) open(t *TreeFile, e *treeEntry) error {
	b, err := t.sealed(t.body+e.at, e.size, "part")
	if err == nil {
		*p = treePart{t: t, at: t.body + e.at, s: bitReader{data: b[4:]}, n: binary.LittleEndian.Uint32(b),
			hash: e.hash, check: e.check, words: p.words}
	}
	return err
}

// next reads the next position, and reports whether there is one.
func (p *treePart) next() (bool, error) {
	s := &p.s
	if p.i == p.n {
		if p.n == 0 || !s.end() {
			return false, p.bad()
		}
		return false, nil
	}
	d, check := s.distance(), uint16(s.get(checkBits))
	if p.i == 0 && (d > 0 || check != p.check) || p.i > 0 && d == 0 && check <= p.check || p.hash+d < p.hash {
		return false, p.bad()
	}
	p.i, p.hash, p.check = p.i+1, p.hash+d, check
	count := s.gamma()
	if s.bad || count > maxWords {
		return false, p.bad()
	}
	games := p.t.stats.Games
	p.words, p.all = p.words[:0], Branch{}
	for range count {
		g := CommonGroup{Word: moveindex.Index(s.get(wordBits - 1))}
		g.Branch = s.counts(games)
		plain := segmentHead{}
		if n := len(p.words); s.bad || !plain.validWord(g.Word) || n > 0 && p.words[n-1].Word >= g.Word {
			return false, p.bad()
		}
		p.all.Merge(&g.Branch, 0, 0)
		p.words = append(p.words, g)
	}
	if s.get(1) == 1 {
		all := s.counts(games)
		if sameCounts(&p.all, &all) || all.Games > p.all.Games {
			return false, p.bad()
		}
		p.all = all
	}
	if s.bad || p.all.Games < p.t.stats.MinGames || uint64(p.all.Games) > games {
		return false, p.bad()
	}
	return true, nil
}

func (p *treePart) bad() error { return corruptTree("part", p.at, "its positions are not right") }

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

// treeWalk has all positions of a file in their order, and verifies that nothing else is in it.
type treeWalk struct {
	treePart
	t     *TreeFile
	stack [][]treeEntry // the entries that are left of the root, and of a page on each level below it
	pages []treeEntry   // those pages
	end   int64         // where what was read ends
	count uint64
}

func (t *TreeFile) walk() *treeWalk {
	return &treeWalk{t: t, stack: [][]treeEntry{t.root}}
}

// next reads the next position, and reports whether there is one.
func (w *treeWalk) next() (bool, error) {
	hash, check := w.hash, w.check
	for w.treePart.t == nil || w.i == w.n {
		if w.treePart.t != nil {
			if _, err := w.treePart.next(); err != nil { // the end of the stream
				return false, err
			}
		}
		if more, err := w.part(); !more || err != nil {
			return false, err
		}
	}
	_, err := w.treePart.next()
	if err == nil && w.count > 0 && cmp.Or(cmp.Compare(hash, w.hash), cmp.Compare(check, w.check)) >= 0 {
		err = corruptTree("part", w.at, "it begins before the one before it ends")
	}
	w.count++
	return err == nil, err
}

// part opens the next part.
func (w *treeWalk) part() (bool, error) {
	t := w.t
	for {
		top := len(w.stack) - 1
		if list := w.stack[top]; len(list) > 0 {
			e := list[0]
			if w.stack[top] = list[1:]; top == t.levels {
				return true, cmp.Or(w.read(&e), w.open(t, &e))
			}
			page, err := t.page(&e)
			if err != nil {
				return false, err
			}
			w.stack, w.pages = append(w.stack, page), append(w.pages, e)
			continue
		}
		if top == 0 {
			if w.end != t.stats.Bytes-t.body || w.count != t.stats.Positions {
				return false, corruptTree("head", 0, "it tells of %d positions, and there are %d; %d bytes belong to nothing",
					t.stats.Positions, w.count, t.stats.Bytes-t.body-w.end)
			}
			w.treePart = treePart{}
			return false, nil
		}
		if err := w.read(&w.pages[top-1]); err != nil {
			return false, err
		}
		w.stack, w.pages = w.stack[:top], w.pages[:top-1]
	}
}

// read notes that a part was read, or a page after its parts.
func (w *treeWalk) read(e *treeEntry) error {
	if e.at != w.end {
		return corruptTree("entries", w.t.body+w.end, "there are bytes that belong to nothing")
	}
	w.end += int64(e.size)
	return nil
}

// Verify reads all of the file, and verifies checksums, order and counts.
func (t *TreeFile) Verify(ctx context.Context, progress func(done, all int64)) error {
	w := t.walk()
	for more := true; more; {
		if w.count%1024 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if progress != nil {
				progress(w.end, t.stats.Bytes)
			}
		}
		var err error
		if more, err = w.next(); err != nil {
			return err
		}
	}
	return nil
}

// Find calls do with the counts of sorted positions, valid during the call. Each part is read once.
func (t *TreeFile) Find(ctx context.Context, list []Wanted, do func(i int, all *Branch, words []CommonGroup)) error {
	var p treePart
	for len(list) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		var e, after *treeEntry // the last part that begins at the position or before, and what begins after it
		entries := t.root
		for level := 0; ; level++ {
			k, exact := slices.BinarySearchFunc(entries, list[0], treeEntry.compare)
			if !exact {
				k--
			}
			if k+1 < len(entries) {
				after = &entries[k+1]
			}
			if k < 0 {
				break
			}
			if e = &entries[k]; level == t.levels {
				break
			}
			var err error
			if entries, err = t.page(e); err != nil {
				return err
			}
		}
		n := 1
		for n < len(list) && (after == nil || after.compare(list[n]) > 0) {
			n++
		}
		here := list[:n]
		list = list[n:]
		if e == nil {
			continue
		}
		if err := p.open(t, e); err != nil {
			return err
		}
		for len(here) > 0 {
			more, err := p.next()
			if err != nil {
				return err
			}
			if !more {
				break
			}
			at := treeEntry{hash: p.hash, check: p.check}
			for len(here) > 0 && at.compare(here[0]) >= 0 {
				if at.compare(here[0]) == 0 {
					do(here[0].I, &p.all, p.words)
				}
				here = here[1:]
			}
		}
	}
	return nil
}
