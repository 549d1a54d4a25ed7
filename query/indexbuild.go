// SPDX-License-Identifier: Apache-2.0

package query

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"runtime"
	"slices"
	"sync"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/internal/extsort"
	"ply11/moveindex"
	"ply11/position"
)

// IndexOptions are the options of BuildIndex.
type IndexOptions struct {
	// Variations asks for the positions of variations, too.
	Variations bool
	// Temp is a path beside which temporary files are made, some 16 bytes a ply.
	Temp string
	// Memory is how many bytes of memory the work takes at most, about; 0 is 512 MiB, and less than 16 MiB is 16 MiB.
	Memory int64
	// Workers is the number of goroutines that replay games; 0 is one for each processor. The index does not depend on
	// it.
	Workers int
	// Progress is called now and then: first the games that are replayed are counted, then the positions that are written.
	Progress func(IndexProgress)
}

// IndexProgress tells how far the work is.
type IndexProgress struct {
	Games uint64 // replayed
	Plies uint64 // of them
	Done  uint64 // of the work's two halves: Games, then postings
	All   uint64
}

// leastMemory is the least that BuildIndex works in.
const leastMemory = 16 << 20

// BuildIndex writes the index of an archive to dst. The same archive gives the same bytes.
//
// Errors of the archive are as those of Scan. ErrIndexMemory: eight bytes a game do not fit into half of the memory.
//
// Cost: see docs/INDEXFILE.md.
func BuildIndex(dst io.Writer, s Source, o IndexOptions) (counts IndexCounts, err error) {
	b, err := newIndexBuilder(s, o.withDefaults())
	if err != nil {
		return counts, err
	}
	defer b.sorter.Close()
	if err := b.replay(); err != nil {
		return counts, fmt.Errorf("%s: %w", s.Name, err)
	}
	return b.write(dst)
}

// withDefaults gives what is left out.
func (o IndexOptions) withDefaults() IndexOptions {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Memory == 0 {
		o.Memory = 512 << 20
	}
	o.Memory = max(o.Memory, leastMemory)
	return o
}

// indexBuilder makes an index.
type indexBuilder struct {
	source Source
	first  int // block that is replayed
	o      IndexOptions
	head   indexHead
	facts  []facts // of game i + 1
	sorter *extsort.Sorter
	blocks int
}

// newIndexBuilder opens the archive.
func newIndexBuilder(s Source, o IndexOptions) (*indexBuilder, error) {
	fail := func(err error) (*indexBuilder, error) { return nil, fmt.Errorf("%s: %w", s.Name, err) }
	r, err := archive.NewReader(s.Reader, s.Size)
	if err != nil {
		return fail(err)
	}
	b := &indexBuilder{source: s, o: o, first: 1, blocks: r.Blocks()}
	stats := r.Stats()
	b.head = indexHead{variations: o.Variations, games: uint64(stats.Games), plies: stats.Plies, size: uint64(s.Size)}
	if b.head.mark, err = archiveMark(s.Reader, s.Size, stats); err != nil {
		return fail(err)
	}
	b.head.blocks = uint32(r.Blocks())
	if b.head.prefix, err = prefixMark(s, r, r.Blocks()); err != nil {
		return fail(err)
	}
	if stats.Games > maxGames || int64(8*stats.Games) > o.Memory/2 {
		return fail(fmt.Errorf("%w: %d games take %d MiB", ErrIndexMemory, stats.Games, stats.Games>>16+1))
	}
	b.facts = make([]facts, stats.Games)
	b.sorter = extsort.New(o.Temp, o.Memory-int64(8*stats.Games), o.Workers)
	return b, nil
}

// postingKey is what a posting is sorted by after the hash.
func postingKey(w moveindex.Index, game uint64) uint64 { return uint64(w)<<(64-keyBits) | game }

// keyOf is the reverse.
func keyOf(key uint64) (w moveindex.Index, game uint64) {
	return moveindex.Index(key >> (64 - keyBits)), key & (1<<(64-keyBits) - 1)
}

// replay gives the postings of all games to the sorter, and collects the facts.
func (b *indexBuilder) replay() error {
	var mu sync.Mutex
	next, done := b.first, IndexProgress{All: b.head.games}
	var first error
	take := func(games, plies uint64) (block int) {
		mu.Lock()
		defer mu.Unlock()
		done.Games, done.Plies = done.Games+games, done.Plies+plies
		done.Done = done.Games
		if b.o.Progress != nil && games > 0 {
			b.o.Progress(done)
		}
		if first != nil || next > b.blocks {
			return 0
		}
		next++
		return next - 1
	}
	var group sync.WaitGroup
	for range b.o.Workers {
		group.Go(func() {
			err := b.work(take)
			mu.Lock()
			defer mu.Unlock()
			if first == nil {
				first = err
			}
		})
	}
	group.Wait()
	return first
}

// work replays blocks in one goroutine.
func (b *indexBuilder) work(take func(games, plies uint64) int) error {
	r, err := archive.NewReader(b.source.Reader, b.source.Size)
	if err != nil {
		return err
	}
	out := b.sorter.Buffer()
	var v view
	var side sidelines
	var games, plies uint64
	for {
		n := take(games, plies)
		if n == 0 {
			return out.Flush()
		}
		block, err := r.Block(n)
		if err != nil {
			return err
		}
		games, plies = uint64(block.Len()), uint64(block.Plies())
		if first := uint64(block.First()); first < 1 || first > b.head.games+1 || games > b.head.games+1-first {
			return fmt.Errorf("%w: block %d has more games than the footer tells", archive.ErrCorrupt, n)
		}
		v.err, v.notes = nil, hasNotes(block)
		for i := range block.Len() {
			v.set(block, i+1)
			number := uint64(block.First() + i)
			b.facts[number-1] = v.facts()
			if err := b.postings(&v, &side, number, out.Add); err != nil {
				return err
			}
		}
	}
}

// postings gives the postings of a game.
func (b *indexBuilder) postings(v *view, side *sidelines, number uint64, add func(extsort.Record) error) error {
	located := v.located()
	words := v.line()
	if v.err != nil || !located {
		return v.err
	}
	at := v.start
	h := at.Hash()
	for _, w := range words {
		if err := add(extsort.Record{A: h, B: postingKey(w, number)}); err != nil {
			return err
		}
		m, _ := w.Move()
		h = at.MakeHash(h, m)
	}
	if err := add(extsort.Record{A: h, B: postingKey(gameEnds, number)}); err != nil {
		return err
	}
	if !b.head.variations || !v.notes {
		return nil
	}
	g := v.game()
	if v.err != nil {
		return v.err
	}
	for _, p := range side.of(g) {
		if err := add(extsort.Record{A: p.hash, B: postingKey(p.word, number)}); err != nil {
			return err
		}
	}
	return nil
}

// sidelines finds what a game has in variations alone. It keeps memory between games.
type sidelines struct {
	main map[sideMove]bool
	list []sideMove
}

// sideMove is a move that was played in a position.
type sideMove struct {
	hash uint64
	word moveindex.Index
}

// of returns what was played in variations of a game, and not in its main line. It may come several times.
func (s *sidelines) of(g *game.Game) []sideMove {
	s.list = s.list[:0]
	if g.Plain() {
		return nil
	}
	if s.main == nil {
		s.main = map[sideMove]bool{}
	}
	clear(s.main)
	eachPlayed(g, func(at *position.Position, w moveindex.Index, main bool) {
		if p := (sideMove{at.Hash(), w}); main {
			s.main[p] = true
		} else {
			s.list = append(s.list, sideMove{p.hash, w + aside})
		}
	})
	return slices.DeleteFunc(s.list, func(p sideMove) bool { return s.main[sideMove{p.hash, p.word - aside}] })
}

// eachPlayed calls do with each move of a game and its variations, and the position in which it is played; and with gameEnds at the end of each
// line. main tells that it is of the main line.
func eachPlayed(g *game.Game, do func(at *position.Position, w moveindex.Index, main bool)) {
	line := position.NewLine(g.Start)
	for c := g.Cursor(); c.Next(); {
		switch c.Kind {
		case game.MoveEvent:
			w, _ := c.Move.Index() // of the null move it is moveindex.Null
			do(&line.At, w, line.Depth() == 0)
			line.Make(c.Move)
		case game.VariationStart:
			line.Open()
		case game.VariationEnd:
			do(&line.At, gameEnds, false)
			line.Close()
		}
	}
	do(&line.At, gameEnds, true)
}

// write writes the index.
func (b *indexBuilder) write(dst io.Writer) (IndexCounts, error) {
	n := b.sorter.Len()
	h := &b.head
	h.setBits(n)
	w := b.begin(dst)
	done := uint64(0)
	if err := b.sorter.Each(func(list []extsort.Record) error {
		for _, r := range list {
			w.add(r.A, r.B)
		}
		done += uint64(len(list))
		if b.o.Progress != nil {
			b.o.Progress(IndexProgress{Games: h.games, Plies: h.plies, Done: done, All: n})
		}
		return w.err
	}); err != nil {
		return h.counts, err
	}
	return h.counts, w.close()
}

// setBits sets the bits of buckets and of rare positions for an index of n postings.
func (h *indexHead) setBits(n uint64) {
	h.bucketBits = min(uint(bits.Len64(n/bucketGames)), maxIndexBits)
	h.rareBits = min(uint(bits.Len64(n))+extraBits, 64) - h.bucketBits
}

// begin writes the header and the facts.
func (b *indexBuilder) begin(dst io.Writer) *indexWriter {
	w := &indexWriter{dst: dst, head: &b.head, facts: b.facts, directory: make([]byte, 0, directorySize(b.head.bucketBits))}
	w.out(b.head.header())
	var block []byte
	for list := range slices.Chunk(b.facts, factBlock) {
		block = block[:0]
		for _, f := range list {
			block = binary.LittleEndian.AppendUint64(block, uint64(f))
		}
		w.out(sealed(block, 0))
	}
	return w
}

// indexWriter writes an index from postings in their order. The first error stays.
type indexWriter struct {
	dst   io.Writer
	at    int64 // of dst
	err   error
	head  *indexHead
	facts []facts

	bucket    uint64
	directory []byte
	hash      uint64   // of the position
	keys      []uint64 // its postings, while it is not common
	many      *commonWriter
	seen      []uint64 // of common positions: bit i is of game i

	rares   []rare
	shareds []sharedEntry
	commons []byte
	nCommon uint64
}

// rare is a position of one game.
type rare struct{ part, game uint64 }

// sharedEntry is a position of some games: its stream is written when the bucket is complete, since the hashes depend on their
// number.
type sharedEntry struct {
	rest uint64
	keys []uint64
}

// out writes bytes.
func (w *indexWriter) out(b []byte) {
	if w.err != nil {
		return
	}
	n, err := w.dst.Write(b)
	w.at += int64(n)
	w.err = err
}

// add adds a posting.
func (w *indexWriter) add(hash, key uint64) {
	if hash != w.hash {
		w.position()
		// The lists of a common position stand before its bucket, and after the one before.
		w.hash = hash
		for bucket, _ := w.head.bucketOf(hash); w.bucket < bucket; {
			w.endBucket()
		}
	}
	if w.many != nil {
		if key != w.many.last {
			w.many.add(key)
		}
		return
	}
	if n := len(w.keys); n > 0 && w.keys[n-1] == key {
		return // the game comes back and goes on as before
	}
	if w.keys = append(w.keys, key); len(w.keys) == commonFrom {
		if clear(w.seen); w.seen == nil {
			w.seen = make([]uint64, w.head.games/64+1)
		}
		w.many = &commonWriter{w: w}
		for _, k := range w.keys {
			w.many.add(k)
		}
		w.keys = w.keys[:0]
	}
}

// position ends a position.
func (w *indexWriter) position() {
	if len(w.keys) == 0 && w.many == nil {
		return
	}
	_, rest := w.head.bucketOf(w.hash)
	c := &w.head.counts
	c.Positions++
	if w.many != nil {
		c.Common++
		c.Postings += w.many.n
		at, size := w.many.end()
		w.commons = binary.LittleEndian.AppendUint64(w.commons, rest)
		w.commons = binary.LittleEndian.AppendUint64(w.commons, uint64(at))
		w.commons = binary.LittleEndian.AppendUint32(w.commons, uint32(size))
		w.nCommon++
		w.many = nil
		return
	}
	_, game := keyOf(w.keys[0])
	one := true
	for _, k := range w.keys[1:] {
		if _, g := keyOf(k); g != game {
			one = false
			break
		}
	}
	if one {
		c.Rare++
		c.Postings++
		w.rares = append(w.rares, rare{w.head.rareOf(rest), game})
	} else {
		c.Postings += uint64(len(w.keys))
		w.shareds = append(w.shareds, sharedEntry{rest, slices.Clone(w.keys)})
	}
	w.keys = w.keys[:0]
}

// endBucket writes the bucket, and goes on to the next.
func (w *indexWriter) endBucket() {
	b := binary.AppendUvarint(nil, w.nCommon)
	b = binary.AppendUvarint(b, uint64(len(w.rares)))
	b = binary.AppendUvarint(b, uint64(len(w.shareds)))
	b = append(b, w.commons...)
	s := bitWriter{buf: b}
	h := w.head
	width := gameBits(h.games)
	before, k := uint64(0), riceBits(h.rareBits, uint64(len(w.rares)))
	for _, r := range w.rares {
		s.rice(r.part-before, k)
		s.put(r.game-1, width)
		before = r.part
	}
	before, k = 0, riceBits(h.restBits(), uint64(len(w.shareds)))
	for _, e := range w.shareds {
		s.rice(e.rest-before, k)
		before = e.rest
		s.shared(e.keys, h)
	}
	b = s.end()
	if len(b) > maxBucket-4 {
		w.err = errors.Join(w.err, fmt.Errorf("the index takes %d bytes for %d positions of like hashes: they were made so", len(b), len(w.shareds)))
	}
	b = sealed(b, 0)
	w.directory = binary.LittleEndian.AppendUint64(w.directory, uint64(w.at))
	w.directory = binary.LittleEndian.AppendUint32(w.directory, uint32(len(b)))
	w.out(b)
	w.bucket++
	w.rares, w.shareds, w.commons, w.nCommon = w.rares[:0], w.shareds[:0], w.commons[:0], 0
}

// shared writes the postings of a shared position: the number of moves; for each its word, the number of games, the first one and the distances
// between them.
func (s *bitWriter) shared(keys []uint64, h *indexHead) {
	games := h.games
	moves := uint64(0)
	for i, k := range keys {
		if i == 0 || k>>(64-keyBits) != keys[i-1]>>(64-keyBits) {
			moves++
		}
	}
	s.gamma(moves)
	for len(keys) > 0 {
		word, before := keyOf(keys[0])
		n := 1
		for n < len(keys) && keys[n]>>(64-keyBits) == uint64(word) {
			n++
		}
		s.put(uint64(word), h.wordBits())
		s.gamma(uint64(n))
		s.put(before-1, gameBits(games))
		k := listBits(games, uint64(n))
		for _, key := range keys[1:n] {
			_, game := keyOf(key)
			s.rice(game-before-1, k)
			before = game
		}
		keys = keys[n:]
	}
}

// close writes what is left.
func (w *indexWriter) close() error {
	w.position()
	for w.bucket < 1<<w.head.bucketBits {
		w.endBucket()
	}
	w.head.directory = w.at
	for page := range slices.Chunk(w.directory, pageEntries*entrySize) {
		w.out(sealed(slices.Clone(page), 0))
	}
	w.out(w.head.trailer())
	return w.err
}

// commonWriter writes the lists of a common position as its postings come.
type commonWriter struct {
	w     *indexWriter
	c     common
	last  uint64   // key
	n     uint64   // postings
	chunk []uint64 // games
}

// add adds a posting.
func (m *commonWriter) add(key uint64) {
	word, game := keyOf(key)
	if n := len(m.c.groups); n == 0 || m.c.groups[n-1].word != word {
		m.flush()
		move, _ := moveOf(word)
		m.c.groups = append(m.c.groups, commonGroup{word: word, branch: Branch{Move: move}})
	}
	m.last = key
	m.n++
	f := m.w.facts[game-1]
	m.c.groups[len(m.c.groups)-1].branch.add(0, game, f)
	// Words of main lines come before the others.
	if bit := uint64(1) << (game % 64); m.w.seen[game/64]&bit == 0 {
		m.w.seen[game/64] |= bit
		m.c.wide.add(0, game, f)
		if word < aside {
			m.c.all.add(0, game, f)
		}
	}
	if m.chunk = append(m.chunk, game); len(m.chunk) == chunkGames {
		m.flush()
	}
}

// flush writes a chunk.
func (m *commonWriter) flush() {
	if len(m.chunk) == 0 {
		return
	}
	b := appendChunk(nil, m.chunk)
	m.c.groups[len(m.c.groups)-1].bytes += uint64(len(b))
	m.w.out(b)
	m.chunk = m.chunk[:0]
}

// end writes the record, and returns where.
func (m *commonWriter) end() (at int64, size int) {
	m.flush()
	at = m.w.at
	b := m.w.head.appendCommon(nil, &m.c)
	m.w.out(b)
	return at, len(b)
}
