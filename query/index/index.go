// SPDX-License-Identifier: Apache-2.0

// Package index keeps where the positions of an archive are: docs/INDEXFILE.md defines its file.
//
// Build makes the index of an archive, and Update adds games that were appended. It has, of each position, the games
// that reach it and the move that each of them plays. A tree file has counts alone, and needs no archive: BuildTree and
// MergeTrees make it. Segment.Find and TreeFile.Find look positions up, by Position.Hash and CheckOf. Package query
// asks questions of games with them.
//
//	counts, err := index.Build(ctx, file, index.Source{Reader: archive, Size: size}, index.Options{})
//	…
//	x, err := index.Open(file, length)
package index

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"ply11/bitstream/archive"
	"ply11/internal/inplace"
	"ply11/moveindex"
)

// Index is an index as Build makes it. Only the table of its segments is in memory; a look-up takes a few
// reads. Several goroutines may use it.
type Index struct {
	// Name is for errors; "" for that of the archive.
	Name string

	r        io.ReaderAt
	head     fileHead
	size     int64 // where the index ends
	segments []*Segment
}

// Source is the archive of an index.
type Source struct {
	Name   string // for errors
	Reader io.ReaderAt
	Size   int64
}

// Segment is the index of some games, numbered from 1.
type Segment struct {
	*segmentHead
	r         io.ReaderAt
	directory int64 // offset
}

// Open opens an index of the size given, and verifies start, table and trailer; the rest is verified when it is read.
// Errors are *Error, or those of r. While somebody updates the index, it is that of before. The size may be old by
// then; if r has the method Stat of an *os.File, that is no error.
func Open(r io.ReaderAt, size int64) (*Index, error) {
	var x *Index
	err := inplace.Open(r, size, func(size int64) (err error) {
		x, err = open(r, size)
		return err
	})
	if err != nil {
		return nil, err
	}
	return x, nil
}

func open(r io.ReaderAt, size int64) (*Index, error) {
	x := &Index{r: r, size: size}
	h := &x.head
	var b [startSize]byte
	n, err := r.ReadAt(b[:min(startSize, max(size, 0))], 0)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if n < len(magic) || string(b[:8]) != magic {
		return nil, &Error{"start", 0, "its first bytes are others", ErrNotIndex}
	}
	if n < startSize {
		return nil, corrupt("start", 0, "the file ends in it")
	}
	if v := binary.LittleEndian.Uint16(b[8:]); v != Version || b[10] != 0 || b[11]&^flagVariations != 0 {
		return nil, &Error{"start", 0, fmt.Sprintf("version %d, kind %d, flags %d", v, b[10], b[11]), ErrVersion}
	}
	if crcOf(b[:12]) != binary.LittleEndian.Uint32(b[12:]) {
		return nil, corrupt("start", 0,
			"it was made before format 1, or is damaged: ply11 index --force makes it again")
	}
	h.variations = b[11] == flagVariations
	at := x.size - trailerSize
	if at < startSize+4 {
		return nil, corrupt("trailer", max(0, at), "the file is too short")
	}
	var t [trailerSize]byte
	if err := readAt(r, t[:], at, "trailer"); err != nil {
		return nil, err
	}
	if string(t[:8]) != endMagic {
		return nil, corrupt("trailer", at, "there is none: the file is cut off, or goes on after it")
	}
	if _, err := unsealed(t[:], "trailer", at); err != nil {
		return nil, err
	}
	if t[112] > 1 || nonzero(t[113:trailerSize-4]) || nonzero(t[12:16]) {
		return nil, &Error{"trailer", at, "a reserved byte is not 0", ErrVersion}
	}
	entries := int64(binary.LittleEndian.Uint32(t[8:]))
	h.games, h.plies, h.size = binary.LittleEndian.Uint64(t[16:]), binary.LittleEndian.Uint64(t[24:]),
		binary.LittleEndian.Uint64(t[32:])
	copy(h.mark[:], t[40:])
	h.counts = parseCounts(t[72:])
	if h.games > maxGames || h.plies > 1<<48 || entries > maxSegments {
		return nil, corrupt("trailer", at, "a number in it is too large")
	}
	if entries > (at-startSize-4)/segmentSize {
		return nil, corrupt("trailer", at, "it tells of more than there is")
	}
	h.unfinished, h.table = t[112] == 1, int64(binary.LittleEndian.Uint64(t[104:]))
	from, end := h.table, at-4-segmentSize*entries
	if from != end && (!h.unfinished || from < startSize || from > end-trailerSize) {
		return nil, corrupt("trailer", at, "its table does not end where it begins")
	}
	x.size = from + segmentSize*entries + 4 + trailerSize
	table := make([]byte, segmentSize*entries+4)
	if err := readAt(r, table, from, "table"); err != nil {
		return nil, err
	}
	if table, err = unsealed(table, "table", from); err != nil {
		return nil, err
	}
	return x, x.setSegments(table, from)
}

func (x *Index) setSegments(table []byte, at int64) error {
	h := &x.head
	var sum Counts
	var games, plies uint64
	blocks, end := 0, int64(startSize)
	for ; len(table) > 0; table = table[segmentSize:] {
		s, reserved := parseSegment(table)
		if reserved {
			return &Error{"table", at, "a reserved byte is not 0", ErrVersion}
		}
		s.variations, s.first, s.firstBlock = h.variations, games, blocks
		if s.games > h.games-games || s.plies > h.plies-plies || s.bucketBits > maxBucketBits || s.rareBits < 1 ||
			s.rareBits > 64-s.bucketBits ||
			s.offset < end || s.size < 0 || s.size > at-s.offset ||
			s.size < factsSize(s.games)+directorySize(s.bucketBits) {
			return corrupt("table", at, "segment %d is not right", len(h.segments)+1)
		}
		games, plies, blocks, end = games+s.games, plies+s.plies, blocks+s.blocks, s.offset+s.size
		sum.add(s.counts)
		h.segments = append(h.segments, s)
	}
	if len(h.segments) == 0 || games != h.games || plies != h.plies || sum != h.counts {
		return corrupt("table", at, "its segments are not what the trailer tells")
	}
	for i := range h.segments {
		s := &h.segments[i]
		x.segments = append(x.segments, &Segment{segmentHead: s, r: x.r,
			directory: s.size - directorySize(s.bucketBits)})
	}
	return nil
}

func (x *Index) Games() int { return int(x.head.games) }

// Plies returns the plies of all main lines.
func (x *Index) Plies() int64 { return int64(x.head.plies) }

// Variations reports whether the index has variations.
func (x *Index) Variations() bool { return x.head.variations }

func (x *Index) Counts() Counts { return x.head.counts }

func (x *Index) Segments() []*Segment { return x.segments }

// Before returns the games of the segments before.
func (x *Segment) Before() int { return int(x.first) }

func (x *Segment) Games() int { return int(x.games) }

// Unused returns the bytes of the file that Compact leaves out.
func (x *Index) Unused() int64 {
	n := x.size - startSize - int64(segmentSize*len(x.segments)+4+trailerSize)
	for _, s := range x.segments {
		n -= s.size
	}
	return n
}

// Of returns ErrOtherArchive if the index is of another archive.
func (x *Index) Of(s Source) error {
	_, err := x.Archive(s)
	return err
}

// Archive opens the archive of the index, or returns ErrOtherArchive.
func (x *Index) Archive(s Source) (*archive.Reader, error) {
	r, err := archive.NewReader(s.Reader, s.Size)
	if err != nil {
		return nil, err
	}
	mark, err := archiveMark(s.Reader, r.Stats())
	if err == nil && (mark != x.head.mark || uint64(r.Len()) != x.head.games) {
		err = ErrOtherArchive
	}
	return r, err
}

// readAt fills b.
func readAt(r io.ReaderAt, b []byte, at int64, part string) error {
	n, err := r.ReadAt(b, at)
	if n == len(b) {
		return nil
	}
	if errors.Is(err, io.EOF) {
		err = corrupt(part, at, "the file ends in it")
	}
	return err
}

// bad is corrupt at an offset in the segment.
func (x *Segment) bad(part string, at int64, format string, args ...any) error {
	return corrupt(part, x.offset+at, format, args...)
}

// sealed returns n bytes, after which their CRC is right, in the memory of buf if that is enough.
func (x *Segment) sealed(buf []byte, at int64, n int, part string) ([]byte, error) {
	if at < 0 || int64(n)+4 > x.size-at {
		return nil, x.bad(part, at, "it is to have %d bytes, more than there are", n)
	}
	b := slices.Grow(buf[:0], n+4)[:n+4]
	if err := readAt(x.r, b, x.offset+at, part); err != nil {
		return nil, err
	}
	return unsealed(b, part, x.offset+at)
}

// factBlock reads block i, from 0, of the facts.
func (x *Segment) factBlock(i uint64) ([]Facts, error) {
	n := min(factBlock, x.games-i*factBlock)
	at := int64(i) * (8*factBlock + 4)
	b, err := x.sealed(nil, at, int(8*n), "facts")
	if err != nil {
		return nil, err
	}
	list := make([]Facts, n)
	for k := range list {
		if list[k] = Facts(binary.LittleEndian.Uint64(b[8*k:])); !list[k].sound() {
			return nil, x.bad("facts", at, "those of game %d are not right", i*factBlock+uint64(k)+1)
		}
	}
	return list, nil
}

// FactReader reads facts of a segment's games in ascending order.
type FactReader struct {
	Segment *Segment

	block uint64 // from 1, 0 for none
	list  []Facts
}

func (f *FactReader) Of(game uint64) (Facts, error) {
	if block := (game-1)/factBlock + 1; block != f.block {
		var err error
		if f.list, err = f.Segment.factBlock(block - 1); err != nil {
			return 0, err
		}
		f.block = block
	}
	return f.list[(game-1)%factBlock], nil
}

type bucket struct {
	at      int64
	common  []commonEntry
	nRare   uint64
	nShared uint64
	stream  bitReader
	groups  []Group
	games   []uint64
}

// commonEntry is where a common position is.
type commonEntry struct {
	rest  uint64
	check uint16
	at    int64
	size  uint32
}

func (e commonEntry) compare(rest uint64, check uint16) int {
	return cmp.Or(cmp.Compare(e.rest, rest), cmp.Compare(e.check, check))
}

// bucketReader reads buckets in ascending order. It keeps a page of the directory.
type bucketReader struct {
	x    *Segment
	page uint64 // from 1, 0 for none
	list []byte
	data []byte
	b    bucket
}

func (l *bucketReader) entry(n uint64) (at int64, size uint32, err error) {
	x, page := l.x, n/pageEntries
	from := x.directory + int64(page)*(pageEntries*entrySize+4)
	if page+1 != l.page {
		l.page = 0
		entries := min(pageEntries, 1<<x.bucketBits-page*pageEntries)
		if l.list, err = x.sealed(l.list, from, int(entries)*entrySize, "directory"); err != nil {
			return 0, 0, err
		}
		l.page = page + 1
	}
	b := l.list[n%pageEntries*entrySize:]
	at, size = int64(binary.LittleEndian.Uint64(b)), binary.LittleEndian.Uint32(b[8:])
	if at < factsSize(x.games) || size < 7 || size > maxBucket || at > x.directory-int64(size) {
		return 0, 0, x.bad("directory", from, "bucket %d is not in the file", n)
	}
	return at, size, nil
}

// bucket reads a bucket, valid until the next is read.
func (l *bucketReader) bucket(n uint64) (*bucket, error) {
	at, size, err := l.entry(n)
	if err != nil {
		return nil, err
	}
	x := l.x
	data, err := x.sealed(l.data, at, int(size)-4, "bucket")
	if err != nil {
		return nil, err
	}
	l.data = data
	r := byteReader{data: data}
	nCommon := r.varint()
	b := &l.b
	*b = bucket{at: at, common: b.common[:0], nShared: r.varint(), nRare: r.varint(), groups: b.groups, games: b.games}
	if r.bad || nCommon > uint64(len(data))/commonSize {
		return nil, x.bad("bucket", at, "its counts are not right")
	}
	for range nCommon {
		e := r.bytes(commonSize)
		c := commonEntry{binary.LittleEndian.Uint64(e), binary.LittleEndian.Uint16(e[8:]),
			int64(binary.LittleEndian.Uint64(e[10:])), binary.LittleEndian.Uint32(e[18:])}
		if n := len(b.common); r.bad || n > 0 && b.common[n-1].compare(c.rest, c.check) >= 0 || x.restBits() < 64 &&
			c.rest>>x.restBits() != 0 ||
			c.size < 8 || c.size > maxRecord || c.at < 0 || c.at > at-int64(c.size) {
			return nil, x.bad("bucket", at, "a common position of it is not right")
		}
		b.common = append(b.common, c)
	}
	b.stream.data = r.data
	return b, nil
}

// rares calls do with each rare position until it returns false, and reports whether they are right. It comes after
// shareds.
func (x *Segment) rares(b *bucket, do func(part, game uint64) bool) bool {
	width, k := gameBits(x.games), riceBits(x.rareBits, b.nRare)
	part := uint64(0)
	for range b.nRare {
		d, game := b.stream.rice(k), b.stream.get(width)+1
		if b.stream.bad || game > x.games || d >= 1<<x.rareBits-part && x.rareBits < 64 {
			return false
		}
		if part += d; !do(part, game) {
			return true
		}
	}
	return true
}

// Group is a move of a shared position, and its games, which ascend.
type Group struct {
	Word  moveindex.Index // see Aside
	Games []uint64
}

// shareds calls do with each shared position until it returns false, and reports whether they are right. Groups are
// valid during the call.
func (x *Segment) shareds(b *bucket, do func(rest uint64, check uint16, groups []Group) bool) bool {
	s := &b.stream
	k := riceBits(x.restBits(), b.nShared)
	rest, check := uint64(0), uint16(0)
	groups, games := b.groups, b.games
	defer func() { b.groups, b.games = groups, games }()
	for i := range b.nShared {
		d, c := s.rice(k), uint16(s.get(checkBits))
		if i > 0 && d == 0 && c <= check || rest+d < rest || x.restBits() < 64 && (rest+d)>>x.restBits() != 0 {
			return false
		}
		rest, check = rest+d, c
		groups, games = groups[:0], games[:0]
		n := s.gamma()
		if s.bad || n > commonFrom {
			return false
		}
		for range n {
			g := Group{Word: moveindex.Index(s.get(x.wordBits()))}
			count := s.gamma()
			if s.bad || !x.validWord(g.Word) || len(groups) > 0 && groups[len(groups)-1].Word >= g.Word ||
				count+uint64(len(games)) >= commonFrom {
				return false
			}
			from := len(games)
			game := s.get(gameBits(x.games)) + 1
			kGames := listBits(x.games, count)
			for j := range count {
				if j > 0 {
					d := s.rice(kGames)
					if d >= x.games {
						return false
					}
					game += d + 1
				}
				if s.bad || game > x.games {
					return false
				}
				games = append(games, game)
			}
			g.Games = games[from:len(games):len(games)]
			groups = append(groups, g)
		}
		if slices.Min(games) == slices.Max(games) {
			return false // it is rare
		}
		if !do(rest, check, groups) {
			return true
		}
	}
	return true
}

// commonAt reads the record of a common position.
func (x *Segment) commonAt(e commonEntry) (*Common, error) {
	b, err := x.sealed(nil, e.at, int(e.size)-4, "common position")
	if err != nil {
		return nil, err
	}
	c, ok := x.parseCommon(b)
	if !ok {
		return nil, x.bad("common position", e.at, "its counts are not right")
	}
	c.x, c.lists = x, e.at
	for _, g := range c.Groups {
		c.lists -= int64(g.bytes)
	}
	if c.lists < factsSize(x.games) {
		return nil, x.bad("common position", e.at, "its lists are too long")
	}
	return c, nil
}

// List reads the games that played a word in a position.
type List struct {
	Word  moveindex.Index // see Aside
	x     *Segment
	at    int64
	to    int64
	left  uint64
	last  uint64
	known []uint64 // of a position that is not common
	chunk []uint64 // of which i are given
	i     int
}

// Next returns the next game, or 0.
func (l *List) Next() (uint64, error) {
	if l.i == len(l.chunk) {
		if games, err := l.Chunk(); err != nil || len(games) == 0 {
			return 0, err
		}
		l.i = 0
	}
	l.i++
	return l.chunk[l.i-1], nil
}

// Left returns how many games are to be read.
func (l *List) Left() uint64 { return l.left }

// Chunk returns the next games, none at the end. They are valid until the next call.
func (l *List) Chunk() ([]uint64, error) {
	if l.x == nil {
		games := l.known
		l.known, l.left = nil, 0
		return games, nil
	}
	if l.at == l.to && l.left == 0 {
		return nil, nil
	}
	var head [2]byte
	if l.to-l.at < 6 {
		return nil, l.x.bad("list", l.at, "it has %d games too few", l.left)
	}
	if err := readAt(l.x.r, head[:], l.x.offset+l.at, "list"); err != nil {
		return nil, err
	}
	n := int(binary.LittleEndian.Uint16(head[:]))
	if int64(n)+6 > l.to-l.at {
		return nil, l.x.bad("list", l.at, "a part of %d bytes is too long", n)
	}
	b, err := l.x.sealed(nil, l.at, n+2, "list")
	if err != nil {
		return nil, err
	}
	var ok bool
	if l.chunk, ok = parseChunk(l.chunk[:0], b[2:], l.last, l.x.games); !ok || uint64(len(l.chunk)) > l.left {
		return nil, l.x.bad("list", l.at, "its games are not right")
	}
	l.at += int64(n) + 6
	l.left -= uint64(len(l.chunk))
	l.last = l.chunk[len(l.chunk)-1]
	l.i = len(l.chunk)
	return l.chunk, nil
}

// Lists returns the lists in the order of the groups.
func (c *Common) Lists() (list []*List) {
	at := c.lists
	for _, g := range c.Groups {
		list = append(list, &List{x: c.x, Word: g.Word, at: at, to: at + int64(g.bytes), left: uint64(g.Branch.Games)})
		at += int64(g.bytes)
	}
	return list
}

// Verify reads all of the index, not the archive, verifies checksums, order and counts, and returns the first error. It
// holds the facts, 8 bytes for each game of a segment.
func (x *Index) Verify(ctx context.Context, progress func(done, all int64)) error {
	for _, s := range x.segments {
		if err := s.verify(ctx, func(done int64) {
			if progress != nil {
				progress(s.offset+done, x.size)
			}
		}); err != nil {
			return err
		}
	}
	return nil
}

func (x *Segment) verify(ctx context.Context, progress func(done int64)) error {
	var counts Counts
	var facts []Facts
	for i := range (x.games + factBlock - 1) / factBlock {
		list, err := x.factBlock(i)
		if err != nil {
			return err
		}
		facts = append(facts, list...)
	}
	var seen marks
	at := factsSize(x.games)
	buckets := bucketReader{x: x}
	for n := range uint64(1) << x.bucketBits {
		if n%1024 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			progress(at)
		}
		b, err := buckets.bucket(n)
		if err != nil {
			return err
		}
		for _, e := range b.common {
			c, err := x.commonAt(e)
			if err != nil {
				return err
			}
			if c.lists != at {
				return x.bad("bucket", b.at, "there are bytes at offset %d that belong to nothing", at)
			}
			postings := uint64(0)
			var n Common
			for i, l := range c.Lists() {
				n.Groups = append(n.Groups, CommonGroup{Word: l.Word, bytes: c.Groups[i].bytes})
				for {
					game, err := l.Next()
					if err != nil {
						return err
					}
					if game == 0 {
						break
					}
					postings++
					n.count(int(game), facts[game-1], seen.add(game, x.games), x.variations)
				}
			}
			seen.clear()
			if postings < commonFrom || !bytes.Equal(x.appendCommon(nil, &n), x.appendCommon(nil, c)) {
				return x.bad("common position", e.at, "its counts are not those of its lists")
			}
			counts.Common++
			counts.Positions++
			counts.Postings += postings
			at = e.at + int64(e.size)
		}
		if b.at != at {
			return x.bad("directory", x.directory, "bucket %d is at offset %d, not %d", n, b.at, at)
		}
		_, size, err := buckets.entry(n)
		if err != nil {
			return err
		}
		at += int64(size)
		ok := x.shareds(b, func(_ uint64, _ uint16, groups []Group) bool {
			counts.Positions++
			for _, g := range groups {
				counts.Postings += uint64(len(g.Games))
			}
			return true
		})
		ok = ok && x.rares(b, func(part, game uint64) bool { counts.Rare++; return true })
		if !ok || !b.stream.end() {
			return x.bad("bucket", b.at, "its positions are not right")
		}
	}
	counts.Positions += counts.Rare
	counts.Postings += counts.Rare
	if at != x.directory {
		return x.bad("directory", x.directory, "there are bytes at offset %d that belong to nothing", at)
	}
	if counts != x.counts {
		return corrupt("table", x.offset, "it counts %+v in the segment that begins there, and there are %+v",
			x.counts, counts)
	}
	return nil
}
