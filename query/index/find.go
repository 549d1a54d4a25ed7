// SPDX-License-Identifier: Apache-2.0

package index

import (
	"cmp"
	"context"
	"slices"
)

// Wanted is the I-th position of a list, which is looked up.
type Wanted struct {
	Hash  uint64 // Position.Hash
	Check uint16 // CheckOf
	I     int
}

// SortWanted sorts as an index does.
func SortWanted(list []Wanted) {
	slices.SortFunc(list, func(a, b Wanted) int {
		return cmp.Or(cmp.Compare(a.Hash, b.Hash),
			cmp.Compare(a.Check, b.Check))
	})
}

// Found is what a segment has of the I-th position of a list.
type Found struct {
	I      int
	Rare   uint64  // a game that may be the only one with it, by a part of its hash; or 0
	Counts *Common // nil if the position is not common
	Lists  []*List // of its games, if it is not rare
}

// Find looks sorted positions up, and reads each bucket once.
func (x *Segment) Find(ctx context.Context, list []Wanted, to func(*Found) error) error {
	buckets := bucketReader{x: x}
	for len(list) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		number, _ := x.bucketOf(list[0].Hash)
		n := 1
		for n < len(list) {
			if other, _ := x.bucketOf(list[n].Hash); other != number {
				break
			}
			n++
		}
		b, err := buckets.bucket(number)
		if err != nil {
			return err
		}
		if err := x.findIn(b, list[:n], to); err != nil {
			return err
		}
		list = list[n:]
	}
	return nil
}

func (x *Segment) findIn(b *bucket, list []Wanted, to func(*Found) error) (err error) {
	var missing []Wanted // with the rest as hash
	for _, w := range list {
		_, w.Hash = x.bucketOf(w.Hash)
		k, ok := slices.BinarySearchFunc(b.common, w, func(e commonEntry, w Wanted) int {
			return e.compare(w.Hash, w.Check)
		})
		if !ok {
			missing = append(missing, w)
			continue
		}
		c, err := x.commonAt(b.common[k])
		if err == nil {
			err = to(&Found{I: w.I, Counts: c, Lists: c.Lists()})
		}
		if err != nil {
			return err
		}
	}
	if len(missing) == 0 {
		return nil
	}
	k, rares := 0, missing[:0]
	ok := x.shareds(b, func(rest uint64, check uint16, groups []Group) bool {
		for ; k < len(missing); k++ {
			w := missing[k]
			switch order := cmp.Or(cmp.Compare(w.Hash, rest), cmp.Compare(w.Check, check)); {
			case order > 0:
				return true
			case order < 0:
				rares = append(rares, w)
				continue
			}
			if err = to(&Found{I: w.I, Lists: listsOf(groups)}); err != nil {
				return false
			}
		}
		return len(rares) > 0
	})
	if ok && err == nil {
		rares = append(rares, missing[k:]...)
	}
	if ok && err == nil && len(rares) > 0 {
		k = 0
		ok = x.rares(b, func(part, game uint64) bool {
			for k < len(rares) && x.rareOf(rares[k].Hash) < part {
				k++
			}
			for j := k; j < len(rares) && x.rareOf(rares[j].Hash) == part; j++ {
				if err = to(&Found{I: rares[j].I, Rare: game}); err != nil {
					return false
				}
			}
			return k < len(rares)
		})
	}
	if !ok {
		return x.bad("bucket", b.at, "its positions are not right")
	}
	return err
}

// listsOf returns lists of copied groups.
func listsOf(groups []Group) (lists []*List) {
	for _, g := range groups {
		lists = append(lists, &List{Word: g.Word, left: uint64(len(g.Games)), known: slices.Clone(g.Games)})
	}
	return lists
}
