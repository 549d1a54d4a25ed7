// SPDX-License-Identifier: Apache-2.0

package query

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"

	"ply11/bitstream/archive"
	"ply11/internal/extsort"
)

// Posting is what an index has of a move of a game. WriteIndex takes postings in the order of A, then of B.
type Posting struct {
	A uint64 // the hash of the position
	B uint64 // a key of the move and the game
}

// Less reports whether the posting comes before another.
func (p Posting) Less(o Posting) bool { return extsort.Record(p).Less(extsort.Record(o)) }

// IndexMaker makes what an index is made of, block by block, for programs that make an index on many machines.
// WriteIndex puts it together. It keeps memory between blocks.
type IndexMaker struct {
	// Variations asks for the positions of variations, too.
	Variations bool

	v    view
	side sidelines
}

// Block calls posting with what the index has of each move of a block's games, in no order and some of it again and
// again. first is the number of the block's first game in the archive. It returns the facts of the games, 8 bytes each:
// see docs/INDEXFILE.md.
//
// Errors are those of the block, and of posting.
func (m *IndexMaker) Block(b *archive.Block, first int, posting func(Posting) error) (facts []byte, err error) {
	builder := indexBuilder{head: segmentHead{variations: m.Variations}}
	var list []extsort.Record
	m.v.err, m.v.notes = nil, hasNotes(b)
	for i := range b.Len() {
		m.v.set(b, i+1)
		facts = binary.LittleEndian.AppendUint64(facts, uint64(m.v.facts()))
		if list, err = builder.postings(list[:0], &m.v, &m.side, uint64(first+i)); err != nil {
			return nil, err
		}
		for _, r := range list {
			if err := posting(Posting(r)); err != nil {
				return nil, err
			}
		}
	}
	return facts, nil
}

// ErrIndexParts: what an index is to be made of is not that of the archive, or not sorted.
var ErrIndexParts = errors.New("the postings or facts are not those of the archive")

// WriteIndex writes the index that BuildIndex makes of an archive, from the facts of all games in their order, and n
// postings, sorted. Of the options it takes Variations.
//
// Errors are those of BuildIndex, of postings, and ErrIndexParts.
func WriteIndex(ctx context.Context, dst io.Writer, s Source, o IndexOptions, list []byte, n uint64,
	postings iter.Seq2[Posting, error]) (counts IndexCounts, err error) {
	o.Memory = 1 << 40 // what is large is in memory already
	o.MinGames, o.MaxPly = 0, 0
	b, err := newIndexBuilder(ctx, s, o.withDefaults(), nil)
	if err != nil {
		return counts, err
	}
	defer b.sorter.Close()
	if len(list) != 8*len(b.facts) {
		return counts, fmt.Errorf("%w: %d bytes of facts for %d games", ErrIndexParts, len(list), len(b.facts))
	}
	for i := range b.facts {
		b.facts[i] = facts(binary.LittleEndian.Uint64(list[8*i:]))
	}
	b.setBits(n)
	if err := b.start(dst); err != nil {
		return counts, err
	}
	f := b.begin(dst)
	w := b.writer(f)
	var last Posting
	found := uint64(0)
	for p, err := range postings {
		if err != nil {
			return counts, err
		}
		if err := ctx.Err(); err != nil {
			return counts, err
		}
		_, game := keyOf(p.B)
		if found++; p.Less(last) || game == 0 || game > b.head.games {
			return counts, fmt.Errorf("%w: posting %d is out of order, or of no game", ErrIndexParts, found)
		}
		last = p
		if w.add(p.A, p.B); w.err != nil {
			return counts, w.err
		}
	}
	if found != n {
		return counts, fmt.Errorf("%w: %d postings, not %d", ErrIndexParts, found, n)
	}
	if err := w.end(1 << b.head.bucketBits); err != nil {
		return b.head.counts, err
	}
	if err := f.close(); err != nil {
		return b.head.counts, err
	}
	return b.finish(dst)
}
