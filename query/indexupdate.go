// SPDX-License-Identifier: Apache-2.0

package query

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"ply11/bitstream/archive"
	"ply11/internal/extsort"
)

// updatePart is the share of games that an update may add: where more are new, or old games are slow to read one by one, a new index
// takes no longer.
const updatePart = 4

// UpdateIndex writes the index of an archive to which games were appended since the index old was made of it. Only the new games are replayed, and those old ones
// of which the index knows too little where a new game reaches the same position. It is ErrOtherArchive if the archive does not begin with the one that old is
// of. The index answers as that of BuildIndex, and has other bytes.
//
// Where a quarter of the games or more are new, or the old ones are dense, it is BuildIndex. Whether there are variations is as in old.
//
// Cost: to read and to write an index; for each new game, its replay, and that of some old ones.
func UpdateIndex(ctx context.Context, dst io.Writer, s Source, old *PositionIndex, o IndexOptions) (counts IndexCounts, err error) {
	o.Variations = old.head.variations
	r, err := archive.NewReader(s.Reader, s.Size)
	if err != nil {
		return counts, fmt.Errorf("%s: %w", s.Name, err)
	}
	n := int(old.head.blocks)
	games, before := uint64(r.Len()), old.head.games
	if n > r.Blocks() || before > games {
		return counts, fmt.Errorf("%s: %w", s.Name, ErrOtherArchive)
	}
	prefix, err := prefixMark(s, r, n)
	if err != nil {
		return counts, fmt.Errorf("%s: %w", s.Name, err)
	}
	if prefix != old.head.prefix {
		return counts, fmt.Errorf("%s: %w", s.Name, ErrOtherArchive)
	}
	if dense, err := anyDense(r, n); err != nil {
		return counts, fmt.Errorf("%s: %w", s.Name, err)
	} else if dense || games-before >= games/updatePart {
		return BuildIndex(ctx, dst, s, o)
	}
	b, err := newIndexBuilder(ctx, s, o.withDefaults(), before)
	if err != nil {
		return counts, err
	}
	defer b.sorter.Close()
	b.head.bucketBits, b.head.rareBits = old.head.bucketBits, old.head.rareBits
	for i := range (before + factBlock - 1) / factBlock {
		list, err := old.factBlock(i)
		if err != nil {
			return counts, err
		}
		copy(b.facts[i*factBlock:], list)
	}
	b.first = n + 1
	if err := b.replay(); err != nil {
		return counts, fmt.Errorf("%s: %w", s.Name, err)
	}
	f := b.begin(dst)
	u := updater{b: b, old: old, r: r, file: f, w: b.writer(f)}
	return u.write()
}

// anyDense reports whether one of the first n blocks has dense moves. It looks at the first and the last.
func anyDense(r *archive.Reader, n int) (bool, error) {
	for _, i := range []int{1, n} {
		if n == 0 {
			return false, nil
		}
		if b, err := r.Block(i); err != nil || b.Dense() {
			return true, err
		}
	}
	return false, nil
}

// updater puts new postings to those of an index, a bucket at a time.
type updater struct {
	b    *indexBuilder
	old  *PositionIndex
	r    *archive.Reader // of the archive
	file *indexFile
	w    *indexWriter
	v    view
	side sidelines
	list []extsort.Record // new ones of the bucket
	game []extsort.Record // those of a game
}

// write writes the index.
func (u *updater) write() (IndexCounts, error) {
	h := &u.b.head
	done, all := uint64(0), u.b.sorter.Len()
	if err := u.b.sorter.Each(func(list []extsort.Record) error {
		if err := u.b.ctx.Err(); err != nil {
			return err
		}
		for _, r := range list {
			for bucket, _ := h.bucketOf(r.A); u.w.bucket < bucket; {
				if err := u.bucket(); err != nil {
					return err
				}
			}
			if n := len(u.list); n == 0 || u.list[n-1] != r {
				u.list = append(u.list, r)
			}
		}
		done += uint64(len(list))
		if u.b.o.Progress != nil {
			u.b.o.Progress(IndexProgress{Games: h.games, Plies: h.plies, Done: done, All: all})
		}
		return u.w.err
	}); err != nil {
		return h.counts, err
	}
	for u.w.bucket < 1<<h.bucketBits {
		if err := u.b.ctx.Err(); err != nil {
			return h.counts, err
		}
		if err := u.bucket(); err != nil {
			return h.counts, err
		}
	}
	if err := u.w.end(1 << h.bucketBits); err != nil {
		return h.counts, err
	}
	return h.counts, u.file.close()
}

// bucket writes the bucket that is next: the old one, and the new postings.
func (u *updater) bucket() error {
	x, h := u.old, &u.b.head
	b, err := x.bucket(u.w.bucket)
	if err != nil {
		return err
	}
	parts := map[uint64]bool{} // of new postings
	for _, r := range u.list {
		_, rest := h.bucketOf(r.A)
		parts[h.rareOf(rest)] = true
	}
	// Rare positions stay as they are, but those that may be the same as new ones: of these the game tells.
	var rares []rare
	asked := map[rare]bool{}
	known := u.list
	ok := x.rares(b, func(part, game uint64) {
		if r := (rare{part, game}); !parts[part] {
			rares = append(rares, r)
		} else if !asked[r] {
			asked[r] = true
		}
	})
	ok = ok && x.shareds(b, func(rest uint64, groups []group) bool {
		for _, g := range groups {
			for _, game := range g.games {
				known = append(known, extsort.Record{A: u.hash(rest), B: postingKey(g.word, game)})
			}
		}
		return true
	})
	if !ok || !b.stream.end() {
		return badIndex("bucket", b.at, "its positions are not right")
	}
	for r := range asked {
		if known, err = u.ask(known, r, b.common); err != nil {
			return fmt.Errorf("%s: %w", u.b.source.Name, err)
		}
	}
	slices.SortFunc(known, func(a, b extsort.Record) int { return cmp.Or(cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B)) })
	// Common positions are read while they are written.
	for _, e := range b.common {
		hash := u.hash(e.rest)
		i, _ := slices.BinarySearchFunc(known, hash, func(r extsort.Record, hash uint64) int { return cmp.Compare(r.A, hash) })
		u.add(known[:i])
		known = known[i:]
		n := 0
		for n < len(known) && known[n].A == hash {
			n++
		}
		if err := u.common(e, hash, known[:n]); err != nil {
			return err
		}
		known = known[n:]
	}
	u.add(known)
	u.w.position()
	u.w.rares = append(u.w.rares, rares...)
	slices.SortStableFunc(u.w.rares, func(a, b rare) int { return cmp.Compare(a.part, b.part) })
	c := &u.w.counts
	c.Positions, c.Rare, c.Postings = c.Positions+uint64(len(rares)), c.Rare+uint64(len(rares)), c.Postings+uint64(len(rares))
	u.w.endBucket()
	u.list = u.list[:0]
	return u.w.err
}

// hash is the hash of a position of the bucket.
func (u *updater) hash(rest uint64) uint64 { return u.w.bucket<<(64-u.b.head.bucketBits) | rest }

// add adds postings.
func (u *updater) add(list []extsort.Record) {
	for _, r := range list {
		u.w.add(r.A, r.B)
	}
}

// ask replays the game of a rare position, and appends the postings that are meant. Other positions of the game may have the same part of the
// hash: what the lists of a common one have is left out.
func (u *updater) ask(known []extsort.Record, r rare, commons []commonEntry) ([]extsort.Record, error) {
	block, i, err := u.r.Find(int(r.game))
	if err != nil {
		return known, err
	}
	u.v.set(block, i)
	u.v.err, u.v.notes = nil, hasNotes(block)
	h := &u.b.head
	reached := false
	u.game, err = u.b.postings(u.game[:0], &u.v, &u.side, r.game)
	for _, p := range u.game {
		bucket, rest := h.bucketOf(p.A)
		if bucket != u.w.bucket || h.rareOf(rest) != r.part {
			continue
		}
		if _, listed := slices.BinarySearchFunc(commons, rest, func(e commonEntry, rest uint64) int { return cmp.Compare(e.rest, rest) }); !listed {
			known, reached = append(known, p), true
		}
	}
	if err == nil && !reached {
		err = badIndex("bucket", 0, "game %d does not reach the position that it tells of", r.game)
	}
	return known, err
}

// common adds the postings of a common position, old and new. New games have greater numbers than the old ones.
func (u *updater) common(e commonEntry, hash uint64, more []extsort.Record) error {
	c, at, err := u.old.commonAt(e)
	if err != nil {
		return err
	}
	for _, l := range u.old.lists(c, at) {
		word := uint64(l.word)
		for len(more) > 0 && more[0].B>>(64-keyBits) < word { // a move that is new
			u.add(more[:1])
			more = more[1:]
		}
		for {
			game, err := l.next()
			if err != nil {
				return err
			}
			if game == 0 {
				break
			}
			u.w.add(hash, postingKey(l.word, game))
		}
		for len(more) > 0 && more[0].B>>(64-keyBits) == word {
			u.add(more[:1])
			more = more[1:]
		}
	}
	u.add(more)
	return nil
}
