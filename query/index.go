// SPDX-License-Identifier: Apache-2.0

package query

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"ply11/bitstream/archive"
	"ply11/moveindex"
)

// PositionIndex is the index of the positions of an archive, as BuildIndex makes it. Nothing of it is kept in memory: to look up a position
// takes a few reads. It may serve several goroutines at once.
type PositionIndex struct {
	// Name is that of the index, for errors; "" for that of the archive.
	Name string

	r    io.ReaderAt
	head indexHead
	size int64
}

// OpenIndex opens an index of the size given, and verifies its header and its trailer. What else it reads later is verified
// when it is read. The errors are *IndexError, or those of r.
func OpenIndex(r io.ReaderAt, size int64) (*PositionIndex, error) {
	x := &PositionIndex{r: r, size: size}
	var b [headerSize]byte
	n, err := r.ReadAt(b[:min(headerSize, max(size, 0))], 0)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if n < len(indexMagic) || string(b[:8]) != indexMagic {
		return nil, &IndexError{"header", 0, "its first bytes are others", ErrNotIndex}
	}
	if n < headerSize {
		return nil, badIndex("header", 0, "the file ends in it")
	}
	if v := binary.LittleEndian.Uint16(b[8:]); v != IndexVersion {
		return nil, &IndexError{"header", 0, fmt.Sprintf("version %d", v), ErrIndexVersion}
	}
	if got, want := crcOf(b[:headerSize-4]), binary.LittleEndian.Uint32(b[headerSize-4:]); got != want {
		return nil, badIndex("header", 0, "CRC-32C is %08x, not %08x", got, want)
	}
	h := &x.head
	h.bucketBits, h.rareBits = uint(b[12]), uint(b[13])
	h.games, h.plies, h.size = binary.LittleEndian.Uint64(b[16:]), binary.LittleEndian.Uint64(b[24:]), binary.LittleEndian.Uint64(b[32:])
	copy(h.mark[:], b[40:])
	copy(h.prefix[:], b[72:])
	h.blocks = binary.LittleEndian.Uint32(b[104:])
	h.variations = b[10]&flagVariations != 0
	for _, i := range append([]byte{b[10] &^ flagVariations, b[11], b[14], b[15]}, b[108:headerSize-4]...) {
		if i != 0 {
			return nil, &IndexError{"header", 0, "a reserved field is not 0", ErrIndexVersion}
		}
	}
	if h.bucketBits > maxIndexBits || h.rareBits < 1 || h.rareBits > 64-h.bucketBits || h.games > maxGames || h.plies > 1<<48 {
		return nil, badIndex("header", 0, "a number in it is too large")
	}
	at := size - trailerSize
	var t [trailerSize]byte
	if at < headerSize+factsSize(h.games) {
		return nil, badIndex("trailer", max(0, at), "the file is too short")
	}
	if err := x.read(t[:], at, "trailer"); err != nil {
		return nil, err
	}
	if string(t[:8]) != indexEnd {
		return nil, badIndex("trailer", at, "there is none: the file is cut off, or goes on after it")
	}
	if got, want := crcOf(t[:trailerSize-4]), binary.LittleEndian.Uint32(t[trailerSize-4:]); got != want {
		return nil, badIndex("trailer", at, "CRC-32C is %08x, not %08x", got, want)
	}
	number := func(i int) uint64 { return binary.LittleEndian.Uint64(t[8+8*i:]) }
	h.directory = int64(number(0))
	h.counts = IndexCounts{number(1), number(2), number(3), number(4)}
	for _, i := range t[48 : trailerSize-4] {
		if i != 0 {
			return nil, &IndexError{"trailer", at, "a reserved field is not 0", ErrIndexVersion}
		}
	}
	if h.directory < headerSize+factsSize(h.games) || h.directory != at-directorySize(h.bucketBits) {
		return nil, badIndex("trailer", at, "the directory is not where it should be")
	}
	return x, nil
}

// Games returns the number of games of the archive.
func (x *PositionIndex) Games() int { return int(x.head.games) }

// Variations reports whether the index has the positions of variations, too.
func (x *PositionIndex) Variations() bool { return x.head.variations }

// Counts tells what the index holds.
func (x *PositionIndex) Counts() IndexCounts { return x.head.counts }

// Of verifies that the index was made of an archive: ErrOtherArchive.
func (x *PositionIndex) Of(s Source) error {
	_, err := x.open(s)
	return err
}

// open opens the archive of the index.
func (x *PositionIndex) open(s Source) (*archive.Reader, error) {
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

// read fills b from the file.
func (x *PositionIndex) read(b []byte, at int64, part string) error {
	_, err := x.r.ReadAt(b, at)
	if errors.Is(err, io.EOF) {
		if at+int64(len(b)) == x.size {
			return nil
		}
		return badIndex(part, at, "the file ends in it")
	}
	return err
}

// sealed reads n bytes and the CRC after them, and returns the bytes.
func (x *PositionIndex) sealed(at int64, n int, part string) ([]byte, error) {
	if at < headerSize || int64(n)+4 > x.size-at {
		return nil, badIndex(part, at, "it is to have %d bytes, more than there are", n)
	}
	b := make([]byte, n+4)
	if err := x.read(b, at, part); err != nil {
		return nil, err
	}
	if got, want := crcOf(b[:n]), binary.LittleEndian.Uint32(b[n:]); got != want {
		return nil, badIndex(part, at, "CRC-32C is %08x, not %08x", got, want)
	}
	return b[:n], nil
}

// factBlock reads the facts of a block of games, from 0.
func (x *PositionIndex) factBlock(i uint64) ([]facts, error) {
	n := min(factBlock, x.head.games-i*factBlock)
	at := headerSize + int64(i)*(8*factBlock+4)
	b, err := x.sealed(at, int(8*n), "facts")
	if err != nil {
		return nil, err
	}
	list := make([]facts, n)
	for k := range list {
		if list[k] = facts(binary.LittleEndian.Uint64(b[8*k:])); list[k] >= factInvalid<<1 {
			return nil, badIndex("facts", at, "those of game %d have bits that are reserved", i*factBlock+uint64(k)+1)
		}
	}
	return list, nil
}

// factReader reads facts, of games that ascend as a rule.
type factReader struct {
	x     *PositionIndex
	block uint64 // from 1, 0 for none
	list  []facts
}

func (f *factReader) of(game uint64) (facts, error) {
	if block := (game-1)/factBlock + 1; block != f.block {
		var err error
		if f.list, err = f.x.factBlock(block - 1); err != nil {
			return 0, err
		}
		f.block = block
	}
	return f.list[(game-1)%factBlock], nil
}

// bucket is a part of an index that is read.
type bucket struct {
	at      int64
	common  []commonEntry
	nRare   uint64
	nShared uint64
	stream  bitReader
}

// commonEntry tells where the record of a common position is.
type commonEntry struct {
	rest uint64
	at   int64
	size uint32
}

// bucketEntry returns where a bucket is.
func (x *PositionIndex) bucketEntry(n uint64) (at int64, size uint32, err error) {
	page := n / pageEntries
	entries := min(pageEntries, 1<<x.head.bucketBits-page*pageEntries)
	from := x.head.directory + int64(page)*(pageEntries*entrySize+4)
	b, err := x.sealed(from, int(entries)*entrySize, "directory")
	if err != nil {
		return 0, 0, err
	}
	b = b[n%pageEntries*entrySize:]
	at, size = int64(binary.LittleEndian.Uint64(b)), binary.LittleEndian.Uint32(b[8:])
	if at < headerSize+factsSize(x.head.games) || size < 7 || size > maxBucket || at > x.head.directory-int64(size) {
		return 0, 0, badIndex("directory", from, "bucket %d is not in the file", n)
	}
	return at, size, nil
}

// bucket reads a bucket.
func (x *PositionIndex) bucket(n uint64) (*bucket, error) {
	at, size, err := x.bucketEntry(n)
	if err != nil {
		return nil, err
	}
	data, err := x.sealed(at, int(size)-4, "bucket")
	if err != nil {
		return nil, err
	}
	r := byteReader{data: data}
	nCommon := r.varint()
	b := &bucket{at: at, nRare: r.varint(), nShared: r.varint()}
	if r.bad || nCommon > uint64(len(data))/commonSize {
		return nil, badIndex("bucket", at, "its counts are not right")
	}
	for range nCommon {
		e := r.bytes(commonSize)
		c := commonEntry{binary.LittleEndian.Uint64(e), int64(binary.LittleEndian.Uint64(e[8:])), binary.LittleEndian.Uint32(e[16:])}
		if n := len(b.common); r.bad || n > 0 && b.common[n-1].rest >= c.rest || x.head.restBits() < 64 && c.rest>>x.head.restBits() != 0 ||
			c.size < 8 || c.size > maxRecord || c.at < headerSize || c.at > at-int64(c.size) {
			return nil, badIndex("bucket", at, "a common position of it is not right")
		}
		b.common = append(b.common, c)
	}
	b.stream.data = r.data
	return b, nil
}

// rares calls do with each position of one game, in their order, and reports whether they are as they should be.
func (x *PositionIndex) rares(b *bucket, do func(part, game uint64)) bool {
	width, k := gameBits(x.head.games), riceBits(x.head.rareBits, b.nRare)
	part := uint64(0)
	for range b.nRare {
		d, game := b.stream.rice(k), b.stream.get(width)+1
		if b.stream.bad || game > x.head.games || d >= 1<<x.head.rareBits-part && x.head.rareBits < 64 {
			return false
		}
		part += d
		do(part, game)
	}
	return true
}

// group is a move of a shared position, and the games in which it was played.
type group struct {
	word  moveindex.Index
	games []uint64
}

// shareds calls do with each shared position, in their order, until it returns false, and reports whether they are as they should be. The groups
// are valid during the call.
func (x *PositionIndex) shareds(b *bucket, do func(rest uint64, groups []group) bool) bool {
	s := &b.stream
	k := riceBits(x.head.restBits(), b.nShared)
	rest := uint64(0)
	var groups []group
	var games []uint64
	for i := range b.nShared {
		d := s.rice(k)
		if i > 0 && d == 0 || rest+d < rest || x.head.restBits() < 64 && (rest+d)>>x.head.restBits() != 0 {
			return false
		}
		rest += d
		groups, games = groups[:0], games[:0]
		n := s.gamma()
		if s.bad || n > commonFrom {
			return false
		}
		for range n {
			g := group{word: moveindex.Index(s.get(x.head.wordBits()))}
			count := s.gamma()
			if s.bad || !x.head.validWord(g.word) || len(groups) > 0 && groups[len(groups)-1].word >= g.word || count+uint64(len(games)) >= commonFrom {
				return false
			}
			from := len(games)
			game := s.get(gameBits(x.head.games)) + 1
			kGames := listBits(x.head.games, count)
			for j := range count {
				if j > 0 {
					d := s.rice(kGames)
					if d >= x.head.games {
						return false
					}
					game += d + 1
				}
				if s.bad || game > x.head.games {
					return false
				}
				games = append(games, game)
			}
			g.games = games[from:len(games):len(games)]
			groups = append(groups, g)
		}
		if !do(rest, groups) {
			return true
		}
	}
	return true
}

// commonAt reads the record of a common position, and returns where its lists begin: they stand before it.
func (x *PositionIndex) commonAt(e commonEntry) (c *common, lists int64, err error) {
	b, err := x.sealed(e.at, int(e.size)-4, "common position")
	if err != nil {
		return nil, 0, err
	}
	c, ok := x.head.parseCommon(b)
	if !ok {
		return nil, 0, badIndex("common position", e.at, "its counts are not right")
	}
	lists = e.at
	for _, g := range c.groups {
		lists -= int64(g.bytes)
	}
	if lists < headerSize+factsSize(x.head.games) {
		return nil, 0, badIndex("common position", e.at, "its lists are too long")
	}
	return c, lists, nil
}

// listReader reads the games of a list, one chunk after the other.
type listReader struct {
	x     *PositionIndex
	word  moveindex.Index
	at    int64
	to    int64
	left  uint64 // games that are to come
	last  uint64
	chunk []uint64 // games that were read, of which i are given
	i     int
}

// next returns the next game, 0 at the end.
func (l *listReader) next() (uint64, error) {
	if l.i == len(l.chunk) {
		if l.at == l.to && l.left == 0 {
			return 0, nil
		}
		var head [2]byte
		if l.to-l.at < 6 {
			return 0, badIndex("list", l.at, "it has %d games too few", l.left)
		}
		if err := l.x.read(head[:], l.at, "list"); err != nil {
			return 0, err
		}
		n := int(binary.LittleEndian.Uint16(head[:]))
		if int64(n)+6 > l.to-l.at {
			return 0, badIndex("list", l.at, "a part of %d bytes is too long", n)
		}
		b, err := l.x.sealed(l.at, n+2, "list")
		if err != nil {
			return 0, err
		}
		var ok bool
		if l.chunk, ok = parseChunk(l.chunk[:0], b[2:], l.last, l.x.head.games); !ok || uint64(len(l.chunk)) > l.left {
			return 0, badIndex("list", l.at, "its games are not right")
		}
		l.at += int64(n) + 6
		l.left -= uint64(len(l.chunk))
		l.last = l.chunk[len(l.chunk)-1]
		l.i = 0
	}
	l.i++
	return l.chunk[l.i-1], nil
}

// lists are those of a common position.
func (x *PositionIndex) lists(c *common, at int64) (list []*listReader) {
	for _, g := range c.groups {
		list = append(list, &listReader{x: x, word: g.word, at: at, to: at + int64(g.bytes), left: g.branch.Games})
		at += int64(g.bytes)
	}
	return list
}

// Verify reads all of the index: every checksum is verified, and whether what they protect is in order. It does not read the archive. The first
// error is returned.
func (x *PositionIndex) Verify(ctx context.Context, progress func(done, all int64)) error {
	h := &x.head
	var counts IndexCounts
	for i := range (h.games + factBlock - 1) / factBlock {
		if _, err := x.factBlock(i); err != nil {
			return err
		}
	}
	at := headerSize + factsSize(h.games)
	for n := range uint64(1) << h.bucketBits {
		if n%1024 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if progress != nil {
				progress(at, x.size)
			}
		}
		b, err := x.bucket(n)
		if err != nil {
			return err
		}
		for _, e := range b.common {
			c, lists, err := x.commonAt(e)
			if err != nil {
				return err
			}
			if lists != at {
				return badIndex("bucket", b.at, "there are bytes at offset %d that belong to nothing", at)
			}
			postings := uint64(0)
			for _, l := range x.lists(c, lists) {
				for {
					game, err := l.next()
					if err != nil {
						return err
					}
					if game == 0 {
						break
					}
					postings++
				}
			}
			counts.Common++
			counts.Positions++
			counts.Postings += postings
			at = e.at + int64(e.size)
		}
		if b.at != at {
			return badIndex("directory", h.directory, "bucket %d is at offset %d, not %d", n, b.at, at)
		}
		_, size, err := x.bucketEntry(n)
		if err != nil {
			return err
		}
		at += int64(size)
		ok := x.rares(b, func(part, game uint64) { counts.Rare++ })
		ok = ok && x.shareds(b, func(rest uint64, groups []group) bool {
			counts.Positions++
			for _, g := range groups {
				counts.Postings += uint64(len(g.games))
			}
			return true
		})
		if !ok || !b.stream.end() {
			return badIndex("bucket", b.at, "its positions are not right")
		}
	}
	counts.Positions += counts.Rare
	counts.Postings += counts.Rare
	if at != h.directory {
		return badIndex("directory", h.directory, "there are bytes at offset %d that belong to nothing", at)
	}
	if counts != h.counts {
		return badIndex("trailer", x.size-trailerSize, "it counts %+v, and there are %+v", h.counts, counts)
	}
	return nil
}
