// SPDX-License-Identifier: Apache-2.0

package index

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"ply11/internal/tempfile"
	"ply11/moveindex"
)

// TreeOptions are those of BuildTree and MergeTrees.
type TreeOptions struct {
	// MinGames leaves out the positions that fewer games reach; 0 is 1, or what the files to merge have.
	MinGames int
	// MaxPly leaves out what is after so many plies; 0 is nothing. MergeTrees does not ask for it.
	MaxPly int
	// Temp, Memory, Workers and Progress are as those of Options.
	Temp     string
	Memory   int64
	Workers  int
	Progress func(Progress)

	small smallParts
}

// ErrPlies: trees of other plies do not add up.
var ErrPlies = errors.New("the tree files are of different --max-ply")

// BuildTree writes the tree file of an archive to dst. The same archive gives the same bytes. Errors and cost are those
// of Build.
func BuildTree(ctx context.Context, dst io.Writer, s Source, o TreeOptions) (stats TreeStats, err error) {
	o.MinGames = min(max(o.MinGames, 1), mostPly)
	if o.MaxPly <= 0 || o.MaxPly > mostPly {
		o.MaxPly = mostPly
	}
	b, err := newBuilder(ctx, s, Options{Temp: o.Temp, Memory: o.Memory, Workers: o.Workers, Progress: o.Progress,
		maxPly: o.MaxPly, small: o.small}.withDefaults(), nil)
	if err != nil {
		return stats, err
	}
	defer b.sorter.Close()
	if err := b.replay(); err != nil {
		return stats, fmt.Errorf("%s: %w", s.Name, err)
	}
	return o.write(dst, TreeStats{Games: b.file.games, MinGames: o.MinGames, MaxPly: o.MaxPly,
		Missing: uint64(o.MinGames - 1)}, func(w *treeWriter) error {
		c := treeCounter{w: w, b: b}
		err := b.each(c.posting, &w.err)
		c.close()
		return err
	})
}

// treeCounter makes positions of sorted postings.
type treeCounter struct {
	treePosition
	w    *treeWriter
	b    *builder
	seen marks
	last uint64 // key
}

func (c *treeCounter) posting(hash, key uint64) {
	if check := checkOfKey(key); hash != c.hash || check != c.check {
		c.close()
		c.hash, c.check = hash, check
	} else if len(c.words) > 0 && key == c.last {
		return // the game came back and went on as before
	}
	c.last = key
	word, game := keyOf(key)
	if n := len(c.words); n == 0 || c.words[n-1].Word != word {
		c.words = append(c.words, CommonGroup{Word: word})
	}
	f := c.b.facts[game-1]
	c.words[len(c.words)-1].Branch.Add(0, int(game), f)
	if c.seen.add(game, c.b.head.games) {
		c.all.Add(0, int(game), f)
	}
}

func (c *treeCounter) close() {
	if len(c.words) > 0 {
		c.w.add(&c.treePosition)
		c.seen.clear()
		c.all, c.words = Branch{}, c.words[:0]
	}
}

// MergeTrees writes a tree file with the sums of others to dst. Their order does not matter. Of files that leave out no
// position by its games, it writes what BuildTree makes of all their games. It holds about 200 KiB for each file.
//
// It is ErrPlies if the files do not have the same MaxPly.
func MergeTrees(ctx context.Context, dst io.Writer, list []*TreeFile, o TreeOptions) (stats TreeStats, err error) {
	var files []treeNext
	var done, all uint64
	for i, t := range list {
		s := t.stats
		if i == 0 {
			stats.MinGames, stats.MaxPly = s.MinGames, s.MaxPly
		} else if s.MaxPly != stats.MaxPly {
			return stats, ErrPlies
		}
		stats.MinGames = min(stats.MinGames, s.MinGames)
		stats.Games, stats.Missing, all = stats.Games+s.Games, stats.Missing+s.Missing, all+s.Positions
		if stats.Games > maxGames || stats.Missing < s.Missing {
			return stats, fmt.Errorf("the tree files have more than %d games together", uint64(maxGames))
		}
		next, stop := iter.Pull2(t.positions())
		defer stop()
		if p, err, more := next(); err != nil {
			return stats, fmt.Errorf("%s: %w", t.Name, err)
		} else if more {
			files = append(files, treeNext{p, t.Name, next})
		}
	}
	if len(list) == 0 {
		stats.MinGames, stats.MaxPly = 1, mostPly
	}
	if o.MinGames = min(o.MinGames, mostPly); o.MinGames > stats.MinGames {
		stats.MinGames, stats.Missing = o.MinGames, stats.Missing+uint64(o.MinGames-1)
	}
	return o.write(dst, stats, func(w *treeWriter) error {
		var words []CommonGroup
		for len(files) > 0 && w.err == nil {
			if done%4096 == 0 {
				if err := ctx.Err(); err != nil {
					return err
				}
				if o.Progress != nil {
					o.Progress(Progress{Done: int(done), All: int(all)})
				}
			}
			first := slices.MinFunc(files, func(a, b treeNext) int {
				return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.check, b.check))
			})
			sum := treePosition{hash: first.hash, check: first.check, words: words[:0]}
			for i := 0; i < len(files); {
				f := &files[i]
				if f.hash != sum.hash || f.check != sum.check {
					i++
					continue
				}
				sum.all.Merge(&f.all, 0, 0)
				sum.words = mergeWords(sum.words, f.words)
				done++
				p, err, more := f.next()
				if err != nil {
					return fmt.Errorf("%s: %w", f.name, err)
				}
				if f.treePosition = p; more {
					i++
				} else {
					files = slices.Delete(files, i, i+1)
				}
			}
			w.add(&sum)
			words = sum.words
		}
		return nil
	})
}

// mergeWords adds sorted groups to others.
func mergeWords(to, more []CommonGroup) []CommonGroup {
	for i := range more {
		k, ok := slices.BinarySearchFunc(to, more[i].Word, func(g CommonGroup, w moveindex.Index) int {
			return cmp.Compare(g.Word, w)
		})
		if !ok {
			to = slices.Insert(to, k, CommonGroup{Word: more[i].Word})
		}
		to[k].Branch.Merge(&more[i].Branch, 0, 0)
	}
	return to
}

// treeNext is a position of a file, and what comes after it.
type treeNext struct {
	*treePosition
	name string
	next func() (*treePosition, error, bool)
}

// treeWriter makes parts and pages of sorted positions. The first error stays.
type treeWriter struct {
	dst    *bufio.Writer
	stats  TreeStats
	err    error
	at     int64
	levels [][]treeEntry // not written: of parts, of pages of them, and so on
	first  treeEntry     // of the part
	n      uint32
	before uint64
	part   bitWriter

	maxPart, mostPage int
}

// write writes the positions that fill adds to the writer. The head, which is in front, is known last: until then they
// are in a temporary file.
func (o *TreeOptions) write(dst io.Writer, stats TreeStats, fill func(w *treeWriter) error) (TreeStats, error) {
	body, err := tempfile.Beside(o.Temp)
	if err != nil {
		return stats, err
	}
	defer body.Close()
	w := &treeWriter{dst: bufio.NewWriterSize(body, maxBuffer), stats: stats, levels: make([][]treeEntry, 1),
		maxPart: cmp.Or(o.small.part, maxPart), mostPage: cmp.Or(o.small.entries, mostPage)}
	if err := fill(w); err != nil {
		return stats, err
	}
	w.closePart()
	for k := 0; k+1 < len(w.levels) || len(w.levels[k]) > cmp.Or(o.small.entries, mostRoot); k++ {
		if len(w.levels[k]) > 0 {
			w.closePage(k)
		}
	}
	if err := cmp.Or(w.err, w.dst.Flush()); err != nil {
		return w.stats, err
	}
	head := w.head()
	if _, err := dst.Write(head); err != nil {
		return w.stats, err
	}
	_, err = io.Copy(dst, io.NewSectionReader(body, 0, w.at))
	return w.stats, err
}

func (w *treeWriter) head() []byte {
	s, root := &w.stats, w.levels[len(w.levels)-1]
	s.Bytes = treeStart + treeEntrySize*int64(len(root)) + 4 + w.at
	h := treeHead{[8]byte([]byte(treeMagic)), 1, uint16(s.MinGames), uint16(s.MaxPly), uint16(len(w.levels) - 1),
		s.Games, s.Missing, s.Positions, uint64(s.Bytes), uint32(len(root))}
	b, _ := binary.Append(nil, binary.LittleEndian, &h)
	b, _ = binary.Append(b, binary.LittleEndian, root)
	return sealed(b, 0)
}

// add adds a position, unless too few games reach it.
func (w *treeWriter) add(p *treePosition) {
	if p.all.Games < w.stats.MinGames {
		return
	}
	w.stats.Positions++
	if w.n > 0 {
		before := w.part
		if w.encode(p); len(w.part.buf)+int(w.part.n+7)/8+4 <= w.maxPart {
			return
		}
		w.part = before
		w.n--
		w.closePart()
	}
	w.part = bitWriter{buf: make([]byte, 4, maxPart)}
	w.first = treeEntry{Hash: p.hash, Check: p.check}
	w.before = p.hash
	w.encode(p)
}

func (w *treeWriter) encode(p *treePosition) {
	w.n++
	s := &w.part
	s.distance(p.hash - w.before)
	w.before = p.hash
	s.put(uint64(p.check), checkBits)
	s.gamma(uint64(len(p.words)))
	var sum Branch
	for i := range p.words {
		g := &p.words[i]
		s.put(uint64(g.Word), wordBits-1)
		s.counts(&g.Branch)
		sum.Merge(&g.Branch, 0, 0)
	}
	if sameCounts(&sum, &p.all) {
		s.put(0, 1)
	} else {
		s.put(1, 1)
		s.counts(&p.all)
	}
}

func (w *treeWriter) closePart() {
	if w.n == 0 {
		return
	}
	b := w.part.end()
	binary.LittleEndian.PutUint32(b, w.n)
	w.n = 0
	b = sealed(b, 0)
	if len(b) > maxPart {
		w.err = cmp.Or(w.err, fmt.Errorf("a position does not fit into a part of %d bytes", maxPart))
	}
	w.write(0, w.first, b)
}

// closePage writes the entries of a level as a page.
func (w *treeWriter) closePage(level int) {
	list := w.levels[level]
	b, _ := binary.Append(nil, binary.LittleEndian, list)
	if w.levels[level] = list[:0]; level+1 == len(w.levels) {
		w.levels = append(w.levels, nil)
	}
	w.write(level+1, list[0], sealed(b, 0))
}

// write writes a part or a page, whose entry belongs to a level, and the page of that level, if it is full now.
func (w *treeWriter) write(level int, first treeEntry, b []byte) {
	if w.err == nil {
		_, w.err = w.dst.Write(b)
	}
	first.At, first.Size = w.at, uint32(len(b))
	w.at += int64(len(b))
	if w.levels[level] = append(w.levels[level], first); len(w.levels[level]) == w.mostPage {
		w.closePage(level)
	}
}
