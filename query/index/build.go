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
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/internal/extsort"
	"ply11/moveindex"
	"ply11/position"
)

// Options are those of Build.
type Options struct {
	// Variations adds the positions of variations.
	Variations bool
	// Temp is a path beside which a temporary file is made, about 14 bytes a ply.
	Temp string
	// Memory is about the most bytes of memory; 0 is 512 MiB, and the least is 16 MiB.
	Memory int64
	// Workers is the number of goroutines; 0 is one for each processor. With little memory fewer of them sort. The
	// index does not depend on it.
	Workers int
	// Progress is called now and then: for games that are replayed, then for postings that are written.
	Progress func(Progress)

	maxPly int // of a tree file; 0 is all
	small  smallParts
}

// smallParts makes parts small, for tests. What is 0 is as usual.
type smallParts struct {
	records uint64 // of a part that is sorted at once
	memory  int64
	rare    uint // bits of the hash of a rare position, after those of its bucket
	part    int  // bytes of a part of a tree file
	entries int  // of its head, and of a page
}

// Progress is how far the work is.
type Progress struct {
	Games int
	Plies int64
	Done  int // games, then postings
	All   int
}

const (
	leastMemory = 16 << 20
	maxBuffer   = 1 << 20 // bytes of the index that are written at once
)

// Build writes the index of an archive to dst. The same archive gives the same bytes.
//
// Errors of the archive are as those of query.Games. ErrMemory: eight bytes a game do not fit into half of the memory.
// docs/FIND.md gives the cost.
func Build(ctx context.Context, dst io.Writer, s Source, o Options) (counts Counts, err error) {
	b, err := newBuilder(ctx, s, o.withDefaults(), nil)
	if err != nil {
		return counts, err
	}
	defer b.sorter.Close()
	if err := b.replay(); err != nil {
		return counts, fmt.Errorf("%s: %w", s.Name, err)
	}
	if err := b.start(dst); err != nil {
		return counts, err
	}
	if err := b.write(dst); err != nil {
		return b.head.counts, err
	}
	return b.finish(dst)
}

func (o Options) withDefaults() Options {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Memory == 0 {
		o.Memory = 512 << 20
	}
	o.Memory = max(o.Memory, leastMemory)
	return o
}

// builder makes the last segment of an index, of the games that those before it do not have.
type builder struct {
	ctx    context.Context
	source Source
	o      Options
	file   fileHead
	head   segmentHead
	facts  []Facts
	sorter *extsort.Sorter
}

// newBuilder opens the archive; some segments of its index are kept.
func newBuilder(ctx context.Context, s Source, o Options, kept []segmentHead) (*builder, error) {
	fail := func(err error) (*builder, error) { return nil, fmt.Errorf("%s: %w", s.Name, err) }
	r, err := archive.NewReader(s.Reader, s.Size)
	if err != nil {
		return fail(err)
	}
	b := &builder{ctx: ctx, source: s, o: o}
	stats := r.Stats()
	b.file = fileHead{variations: o.Variations, games: uint64(stats.Games), plies: uint64(stats.Plies),
		size: uint64(stats.Bytes), segments: slices.Clone(kept)}
	if b.file.mark, err = archiveMark(s.Reader, stats); err != nil {
		return fail(err)
	}
	h := &b.head
	*h = segmentHead{variations: o.Variations, games: b.file.games, plies: b.file.plies, blocks: r.Blocks()}
	for i := range kept {
		k := &kept[i]
		if k.games > h.games || k.plies > h.plies || k.blocks > h.blocks {
			return fail(ErrOtherArchive)
		}
		h.first, h.firstBlock = h.first+k.games, h.firstBlock+k.blocks
		h.games, h.plies, h.blocks = h.games-k.games, h.plies-k.plies, h.blocks-k.blocks
	}
	if h.prefix, err = r.BlocksDigest(h.firstBlock+1, h.blocks); err != nil {
		return fail(err)
	}
	if h.games > maxGames || 8*int64(h.games) > o.Memory/2 {
		return fail(fmt.Errorf("%w: %d games take %d MiB", ErrMemory, h.games, h.games>>16+1))
	}
	b.facts = make([]Facts, h.games)
	records := h.plies + h.games // each ply is a posting, and the end of a game
	if o.maxPly > 0 {
		records = min(records, h.games*uint64(o.maxPly+1))
	}
	sort := cmp.Or(o.small.memory, (o.Memory-8*int64(h.games))/8*7)
	b.sorter = extsort.New(extsort.Options{Path: o.Temp, Memory: sort, Part: o.small.records, Workers: o.Workers,
		Records: records,
		Low:     gameBits(h.games + 1), High: checkBits + wordBits, From: gamesBits})
	return b, nil
}

// postingKey sorts postings of one hash.
func postingKey(check uint16, w moveindex.Index, game uint64) uint64 {
	return uint64(check)<<(wordBits+gamesBits) | uint64(w)<<gamesBits | game
}

func checkOfKey(key uint64) uint16 { return uint16(key >> (wordBits + gamesBits)) }

func keyOf(key uint64) (w moveindex.Index, game uint64) {
	return moveindex.Index(key>>gamesBits) & (1<<wordBits - 1), key & (1<<gamesBits - 1)
}

// replay sorts the postings of all games, and collects the facts.
func (b *builder) replay() error {
	blocks := make(chan int)
	group, ctx := errgroup.WithContext(b.ctx)
	group.Go(func() error {
		defer close(blocks)
		for n := range b.head.blocks {
			select {
			case blocks <- b.head.firstBlock + 1 + n:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	var mu sync.Mutex
	done := Progress{All: int(b.head.games)}
	progress := func(games, plies int) {
		mu.Lock()
		defer mu.Unlock()
		done.Games, done.Plies = done.Games+games, done.Plies+int64(plies)
		if done.Done = done.Games; b.o.Progress != nil {
			b.o.Progress(done)
		}
	}
	for range b.o.Workers {
		group.Go(func() error { return b.work(blocks, progress) })
	}
	return group.Wait()
}

func (b *builder) work(blocks <-chan int, progress func(games, plies int)) error {
	r, err := archive.NewReader(b.source.Reader, b.source.Size)
	if err != nil {
		return err
	}
	out := b.sorter.Buffer()
	var g indexedGame
	var side sidelines
	var list []extsort.Record
	for n := range blocks {
		if err := b.ctx.Err(); err != nil {
			return err
		}
		block, err := r.Block(n)
		if err != nil {
			return err
		}
		games := block.Len()
		if first := uint64(block.First()) - b.head.first; first < 1 || first > b.head.games+1 ||
			uint64(games) > b.head.games+1-first {
			return fmt.Errorf("%w: block %d has more games than the footer tells", archive.ErrCorrupt, n)
		}
		notes := b.head.variations && HasNotes(block)
		for i := range block.Len() {
			number := uint64(block.First()+i) - b.head.first
			if err := g.read(block, i+1, notes); err != nil {
				return err
			}
			b.facts[number-1] = NewFacts(&g.tags, g.invalid)
			list = b.postings(list[:0], &g, &side, number)
			for _, r := range list {
				if err := out.Add(r); err != nil {
					return err
				}
			}
		}
		progress(games, block.Plies())
	}
	return out.Flush()
}

func (b *builder) postings(list []extsort.Record, g *indexedGame, side *sidelines, number uint64) []extsort.Record {
	if g.lost {
		return list
	}
	at := g.start
	h := at.Hash()
	for i, w := range g.words {
		if i > b.o.maxPly && b.o.maxPly > 0 {
			return list
		}
		list = append(list, extsort.Record{A: h, B: postingKey(CheckOf(&at), w, number)})
		m, _ := w.Move()
		h = at.MakeHash(h, m)
	}
	if len(g.words) > b.o.maxPly && b.o.maxPly > 0 {
		return list
	}
	list = append(list, extsort.Record{A: h, B: postingKey(CheckOf(&at), GameEnds, number)})
	for _, p := range side.of(&g.full) {
		list = append(list, extsort.Record{A: p.hash, B: postingKey(p.check, p.word, number)})
	}
	return list
}

// indexedGame is what an index has of a game.
type indexedGame struct {
	tags    game.Game // and the result
	start   position.Position
	words   []moveindex.Index
	full    game.Game // empty without variations
	invalid bool
	lost    bool // its start is not known
}

// read reads game i of a block, with annotations if they are asked for.
func (g *indexedGame) read(b *archive.Block, i int, notes bool) (err error) {
	g.invalid, g.lost = false, false
	if err := b.Tags(i, &g.tags); err != nil {
		return err
	}
	if b.Departing() > 0 {
		x, _, err := b.Exception(i)
		if err != nil {
			return err
		}
		g.invalid, g.lost = x.Invalid, x.StartUnknown
	}
	if g.start, err = b.Start(i); err != nil {
		return err
	}
	if g.words, err = b.MainLine(g.words[:0], i); err != nil {
		return err
	}
	if g.full.Reset(); notes {
		err = b.Game(i, &g.full)
	}
	return err
}

func HasNotes(b *archive.Block) bool { return b.Has(archive.ColumnAnnotations) }

// sidelines finds what a game has in variations alone.
type sidelines struct {
	main map[sideMove]bool
	list []sideMove
}

type sideMove struct {
	hash  uint64
	check uint16
	word  moveindex.Index
}

// of returns what was played in variations alone; it may come several times.
func (s *sidelines) of(g *game.Game) []sideMove {
	s.list = s.list[:0]
	if g.Plain() {
		return nil
	}
	if s.main == nil {
		s.main = map[sideMove]bool{}
	}
	clear(s.main)
	EachPlayed(g, func(at *position.Position, w moveindex.Index, main bool) {
		if p := (sideMove{at.Hash(), CheckOf(at), w}); main {
			s.main[p] = true
		} else {
			p.word += Aside
			s.list = append(s.list, p)
		}
	})
	return slices.DeleteFunc(s.list, func(p sideMove) bool { return s.main[sideMove{p.hash, p.check, p.word - Aside}] })
}

// EachPlayed calls do with each move of a game and its variations in its position, and with GameEnds at the ends of
// lines.
func EachPlayed(g *game.Game, do func(at *position.Position, w moveindex.Index, main bool)) {
	line := position.NewLine(g.Start)
	for c := g.Cursor(); c.Next(); {
		switch c.Kind {
		case game.MoveEvent:
			w, _ := moveindex.Of(c.Move) // of the null move it is moveindex.Null
			do(&line.At, w, line.Depth() == 0)
			line.Make(c.Move)
		case game.VariationStart:
			line.Open()
		case game.VariationEnd:
			do(&line.At, GameEnds, false)
			line.Close()
		}
	}
	do(&line.At, GameEnds, true)
}

// write writes the segment.
func (b *builder) write(dst io.Writer) error {
	h := &b.head
	b.setBits(b.sorter.Len())
	w := &segmentWriter{dst: dst, head: h, facts: b.facts, directory: make([]byte, 0, directorySize(h.bucketBits))}
	w.writeFacts()
	if err := b.each(w.add, &w.err); err != nil {
		return err
	}
	return w.close()
}

// each calls add with the sorted postings, until there is an error.
func (b *builder) each(add func(hash, key uint64), bad *error) error {
	done, all := 0, int(b.sorter.Len())
	return b.sorter.Each(func(list []extsort.Record) error {
		if err := b.ctx.Err(); err != nil {
			return err
		}
		for _, r := range list {
			add(r.A, r.B)
		}
		done += len(list)
		if b.o.Progress != nil {
			b.o.Progress(Progress{Games: int(b.head.games), Plies: int64(b.head.plies), Done: done, All: all})
		}
		return *bad
	})
}

// start writes what is before the first segment.
func (b *builder) start(dst io.Writer) error {
	b.head.offset = startSize
	_, err := dst.Write(b.file.start())
	return err
}

// finish writes what is after the last segment, and returns the counts.
func (b *builder) finish(dst io.Writer) (Counts, error) {
	h := &b.file
	h.segments = append(h.segments, b.head)
	for i := range h.segments {
		h.counts.add(h.segments[i].counts)
	}
	last := &h.segments[len(h.segments)-1]
	_, err := dst.Write(h.end(last.offset + last.size))
	return h.counts, err
}

// setBits sets bucketBits and rareBits for n postings.
func (b *builder) setBits(n uint64) {
	h := &b.head
	h.bucketBits = min(uint(bits.Len64(n/bucketPostings)), maxBucketBits)
	h.rareBits = cmp.Or(b.o.small.rare, min(uint(bits.Len64(n))+extraBits, 64)-h.bucketBits)
}

// segmentWriter makes a segment from sorted postings. The first error stays.
type segmentWriter struct {
	dst       io.Writer
	head      *segmentHead
	facts     []Facts
	err       error
	base      int64 // of buf in the segment
	buf       []byte
	directory []byte // entries

	bucket uint64
	hash   uint64
	check  uint16
	keys   []uint64 // postings of the position, while it is not common
	common commonWriter
	seen   marks // of the common position

	rares      []rare
	shareds    []sharedEntry
	sharedKeys []uint64 // of all shareds
	commons    []byte
	nCommon    uint64
}

// marks are games.
type marks struct {
	bits []uint64
	used []uint64 // numbers in bits that are not 0
}

// add marks a game, and reports whether it is new.
func (m *marks) add(game, games uint64) bool {
	if m.bits == nil {
		m.bits = make([]uint64, games/64+1)
	}
	at, bit := game/64, uint64(1)<<(game%64)
	before := m.bits[at]
	if before == 0 {
		m.used = append(m.used, at)
	}
	m.bits[at] |= bit
	return before&bit == 0
}

func (m *marks) clear() {
	for _, i := range m.used {
		m.bits[i] = 0
	}
	m.used = m.used[:0]
}

type rare struct{ part, game uint64 }

// sharedEntry is a position of several games.
type sharedEntry struct {
	rest  uint64
	check uint16
	n     int // postings
}

// spill writes what is in memory, if it is much.
func (w *segmentWriter) spill() {
	if len(w.buf) >= maxBuffer {
		w.flush()
	}
}

func (w *segmentWriter) flush() {
	if w.err == nil {
		_, w.err = w.dst.Write(w.buf)
	}
	w.base += int64(len(w.buf))
	w.buf = w.buf[:0]
}

func (w *segmentWriter) writeFacts() {
	for list := range slices.Chunk(w.facts, factBlock) {
		at := len(w.buf)
		for _, g := range list {
			w.buf = binary.LittleEndian.AppendUint64(w.buf, uint64(g))
		}
		w.buf = sealed(w.buf, at)
		w.spill()
	}
}

// close ends the last buckets, and writes the directory.
func (w *segmentWriter) close() error {
	w.position()
	for w.bucket < 1<<w.head.bucketBits {
		w.endBucket()
	}
	for page := range slices.Chunk(w.directory, pageEntries*entrySize) {
		at := len(w.buf)
		w.buf = sealed(append(w.buf, page...), at)
		w.spill()
	}
	w.flush()
	w.head.size = w.base
	return w.err
}

func (w *segmentWriter) at() int64 { return w.base + int64(len(w.buf)) }

// add adds a posting.
func (w *segmentWriter) add(hash, key uint64) {
	if check := checkOfKey(key); hash != w.hash || check != w.check {
		w.position()
		// Lists of a common position are before its bucket.
		w.hash, w.check = hash, check
		for bucket, _ := w.head.bucketOf(hash); w.bucket < bucket; {
			w.endBucket()
		}
	}
	if w.common.n > 0 {
		if key != w.common.last {
			w.common.add(w, key)
		}
		return
	}
	if n := len(w.keys); n > 0 && w.keys[n-1] == key {
		return // the game came back and went on as before
	}
	if w.keys = append(w.keys, key); len(w.keys) == commonFrom {
		for _, k := range w.keys {
			w.common.add(w, k)
		}
		w.keys = w.keys[:0]
	}
}

func (w *segmentWriter) position() {
	if len(w.keys) == 0 && w.common.n == 0 {
		return
	}
	_, rest := w.head.bucketOf(w.hash)
	c := &w.head.counts
	c.Positions++
	if w.common.n > 0 {
		c.Common++
		c.Postings += w.common.n
		at, size := w.common.end(w)
		w.commons = binary.LittleEndian.AppendUint64(w.commons, rest)
		w.commons = binary.LittleEndian.AppendUint16(w.commons, w.check)
		w.commons = binary.LittleEndian.AppendUint64(w.commons, uint64(at))
		w.commons = binary.LittleEndian.AppendUint32(w.commons, uint32(size))
		w.nCommon++
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
		w.shareds = append(w.shareds, sharedEntry{rest, w.check, len(w.keys)})
		w.sharedKeys = append(w.sharedKeys, w.keys...)
	}
	w.keys = w.keys[:0]
}

// endBucket goes on to the next bucket.
func (w *segmentWriter) endBucket() {
	from, at := len(w.buf), w.at()
	b := binary.AppendUvarint(w.buf, w.nCommon)
	b = binary.AppendUvarint(b, uint64(len(w.shareds)))
	b = binary.AppendUvarint(b, uint64(len(w.rares)))
	b = append(b, w.commons...)
	s := bitWriter{buf: b}
	h := w.head
	width := gameBits(h.games)
	before, k := uint64(0), riceBits(h.restBits(), uint64(len(w.shareds)))
	keys := w.sharedKeys
	for _, e := range w.shareds {
		s.rice(e.rest-before, k)
		s.put(uint64(e.check), checkBits)
		before = e.rest
		s.shared(keys[:e.n], h)
		keys = keys[e.n:]
	}
	before, k = 0, riceBits(h.rareBits, uint64(len(w.rares)))
	for _, r := range w.rares {
		s.rice(r.part-before, k)
		s.put(r.game-1, width)
		before = r.part
	}
	b = sealed(s.end(), from)
	size := len(b) - from
	if size > maxBucket {
		w.err = errors.Join(w.err,
			fmt.Errorf("the index takes %d bytes for %d positions of like hashes: they were made so", size-4,
				len(w.shareds)))
	}
	w.directory = binary.LittleEndian.AppendUint64(w.directory, uint64(at))
	w.directory = binary.LittleEndian.AppendUint32(w.directory, uint32(size))
	w.buf = b
	w.bucket++
	w.rares, w.shareds, w.sharedKeys, w.commons, w.nCommon = w.rares[:0], w.shareds[:0], w.sharedKeys[:0],
		w.commons[:0], 0
	w.spill()
}

// shared writes a shared position: the number of moves; for each its word, the number of games, the first, and
// distances.
func (s *bitWriter) shared(keys []uint64, h *segmentHead) {
	games := h.games
	moves := uint64(0)
	for i, k := range keys {
		if i == 0 || k>>gamesBits != keys[i-1]>>gamesBits {
			moves++
		}
	}
	s.gamma(moves)
	for len(keys) > 0 {
		word, before := keyOf(keys[0])
		n := 1
		for n < len(keys) && keys[n]>>gamesBits == keys[0]>>gamesBits {
			n++
		}
		s.put(uint64(word), h.wordBits())
		s.gamma(uint64(n))
		s.put(before-1, gameBits(games))
		if n > 1 {
			k := listBits(games, uint64(n))
			for _, key := range keys[1:n] {
				_, game := keyOf(key)
				s.rice(game-before-1, k)
				before = game
			}
		}
		keys = keys[n:]
	}
}

// commonWriter writes the lists of a common position.
type commonWriter struct {
	c     Common
	last  uint64   // key
	n     uint64   // postings
	chunk []uint64 // games
}

// add adds a posting.
func (m *commonWriter) add(w *segmentWriter, key uint64) {
	word, game := keyOf(key)
	if n := len(m.c.Groups); n == 0 || m.c.Groups[n-1].Word != word {
		m.flush(w)
		move, _ := moveOf(word)
		m.c.Groups = append(m.c.Groups, CommonGroup{Word: word, Branch: Branch{Move: move}})
	}
	m.last = key
	m.n++
	m.c.count(int(game), w.facts[game-1], w.seen.add(game, w.head.games), w.head.variations)
	if m.chunk = append(m.chunk, game); len(m.chunk) == chunkGames {
		m.flush(w)
	}
}

// count counts a game of the last group, and whether it is in no other. Words of main lines come before the others.
func (c *Common) count(game int, f Facts, first, variations bool) {
	g := &c.Groups[len(c.Groups)-1]
	g.Branch.Add(0, game, f)
	if first && g.Word < Aside {
		c.All.Add(0, game, f)
	}
	if first && variations {
		c.Wide.Add(0, game, f)
	}
}

func (m *commonWriter) flush(w *segmentWriter) {
	if len(m.chunk) == 0 {
		return
	}
	from := len(w.buf)
	w.buf = appendChunk(w.buf, m.chunk)
	m.c.Groups[len(m.c.Groups)-1].bytes += uint64(len(w.buf) - from)
	m.chunk = m.chunk[:0]
	w.spill()
}

func (m *commonWriter) end(w *segmentWriter) (at int64, size int) {
	m.flush(w)
	at = w.at()
	from := len(w.buf)
	w.buf = w.head.appendCommon(w.buf, &m.c)
	w.seen.clear()
	size = len(w.buf) - from
	*m = commonWriter{chunk: m.chunk[:0]}
	return at, size
}
