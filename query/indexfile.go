// SPDX-License-Identifier: Apache-2.0

package query

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/bits"

	"ply11/bitstream/archive"
	"ply11/chess"
	"ply11/moveindex"
)

// The file of an index: docs/INDEXFILE.md defines it.

// IndexVersion is the version of the format of indexes.
const IndexVersion = 1

const (
	indexMagic     = "\x89p1x\r\n\x1a\n"
	indexEnd       = "P11XEND\n"
	flagVariations = 1
	headerSize     = 128
	trailerSize    = 64
	factBlock      = 256 // games of a block of facts
	pageEntries    = 256 // entries of a page of the directory
	entrySize      = 12
	commonSize     = 20                                      // of what a bucket has of a common position
	commonFrom     = 256                                     // postings from which a position is common
	chunkGames     = 1024                                    // of a list, at most
	maxBucket      = 1 << 24                                 // bytes
	maxRecord      = 1 << 20                                 // bytes of the record of a common position
	maxGames       = 1 << 37                                 // in an archive
	extraBits      = 8                                       // of the hash of a rare position, beyond what tells it from the others
	bucketGames    = 1024                                    // postings of a bucket, at most, in the mean
	keyBits        = 12                                      // of the word in what postings are sorted by
	aside          = moveindex.Index(moveindex.NumWords)     // is added to the word where the game has it in variations alone
	gameEnds       = moveindex.Index(moveindex.NumWords - 1) // in the place of a move: the game ends here
	maxIndexBits   = 40                                      // of the number of a bucket
)

// Errors of an index. An IndexError has one of them.
var (
	// ErrIndexCorrupt: a checksum is wrong, or what it protects contradicts itself; or the file is cut off.
	ErrIndexCorrupt = errors.New("corrupt index")
	// ErrNotIndex: the file does not begin as an index does.
	ErrNotIndex = errors.New("not a ply11 index")
	// ErrIndexVersion: the index is of a later version.
	ErrIndexVersion = errors.New("index of an unknown version")
	// ErrOtherArchive: the index was made of another archive, or of this one before it was changed.
	ErrOtherArchive = errors.New("the index is of another archive, or this one was changed since")
	// ErrIndexMemory: the archive has too many games for the memory that is given.
	ErrIndexMemory = errors.New("too little memory for so many games")
)

// IndexError tells what is wrong with an index, and where.
type IndexError struct {
	Part   string // "header", "facts", "directory", "bucket", "list", "common position", "trailer"
	Offset int64  // of the part in the file
	Detail string
	Err    error
}

// Error names the place.
func (e *IndexError) Error() string {
	return fmt.Sprintf("%v: %s at offset %d: %s", e.Err, e.Part, e.Offset, e.Detail)
}

// Unwrap returns the sentinel.
func (e *IndexError) Unwrap() error { return e.Err }

func badIndex(part string, offset int64, format string, args ...any) error {
	return &IndexError{part, offset, fmt.Sprintf(format, args...), ErrIndexCorrupt}
}

// indexHead is the header and the trailer of an index.
type indexHead struct {
	variations bool // are there, too
	bucketBits uint // of a hash, that number its bucket
	rareBits   uint // of a hash, after these, by which a rare position is known
	games      uint64
	plies      uint64
	size       uint64 // of the archive, in bytes
	mark       [32]byte
	prefix     [32]byte // of its blocks
	blocks     uint32
	directory  int64 // offset
	counts     IndexCounts
}

// IndexCounts tells what an index holds.
type IndexCounts struct {
	Positions uint64 `json:"positions"` // different ones
	Postings  uint64 `json:"postings"`  // games, each once for each move that it plays in a position; once in all of a rare position
	Rare      uint64 `json:"rare"`      // positions of one game
	Common    uint64 `json:"common"`    // positions of 256 postings or more
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func crcOf(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// sealed appends the CRC of what stands in b from at on.
func sealed(b []byte, at int) []byte { return binary.LittleEndian.AppendUint32(b, crcOf(b[at:])) }

// archiveMark identifies an archive by what its trailer and its counts say: they have the checksum of the footer, which has those of
// the blocks.
func archiveMark(r io.ReaderAt, s archive.Stats) (mark [32]byte, err error) {
	size := s.Bytes
	var b [32 + 4*8 + 32]byte
	if _, err := r.ReadAt(b[:32], max(0, size-32)); err != nil && !(err == io.EOF && size >= 32) {
		return mark, err
	}
	for i, n := range []uint64{uint64(size), uint64(s.Games), s.Plies, uint64(s.Text)} {
		binary.LittleEndian.PutUint64(b[32+8*i:], n)
	}
	copy(b[64:], s.SHA256[:])
	return sha256.Sum256(b[:]), nil
}

// prefixMark identifies the first n blocks of an archive by the first bytes of each, which have its counts and the checksum of its
// text.
func prefixMark(s Source, r *archive.Reader, n int) (mark [32]byte, err error) {
	h := sha256.New()
	var b [72]byte
	for i := range n {
		p, err := r.Place(i + 1)
		if err != nil {
			return mark, err
		}
		if _, err := s.Reader.ReadAt(b[:], p.Offset); err == io.EOF {
			return mark, fmt.Errorf("%w: block %d is not in the file", archive.ErrCorrupt, i+1)
		} else if err != nil {
			return mark, err
		}
		h.Write(b[:])
	}
	h.Sum(mark[:0])
	return mark, nil
}

// header returns the header's bytes.
func (h *indexHead) header() []byte {
	b := make([]byte, headerSize-4, headerSize)
	copy(b, indexMagic)
	binary.LittleEndian.PutUint16(b[8:], IndexVersion)
	if h.variations {
		b[10] = flagVariations
	}
	b[12], b[13] = byte(h.bucketBits), byte(h.rareBits)
	binary.LittleEndian.PutUint64(b[16:], h.games)
	binary.LittleEndian.PutUint64(b[24:], h.plies)
	binary.LittleEndian.PutUint64(b[32:], h.size)
	copy(b[40:], h.mark[:])
	copy(b[72:], h.prefix[:])
	binary.LittleEndian.PutUint32(b[104:], h.blocks)
	return sealed(b, 0)
}

// trailer returns the trailer's bytes.
func (h *indexHead) trailer() []byte {
	b := make([]byte, trailerSize-4, trailerSize)
	copy(b, indexEnd)
	c := &h.counts
	for i, n := range []uint64{uint64(h.directory), c.Positions, c.Postings, c.Rare, c.Common} {
		binary.LittleEndian.PutUint64(b[8+8*i:], n)
	}
	return sealed(b, 0)
}

// factsSize is the length of the facts of so many games.
func factsSize(games uint64) int64 {
	return int64(8*games + 4*((games+factBlock-1)/factBlock))
}

// directorySize is the length of the directory.
func directorySize(bucketBits uint) int64 {
	entries := int64(1) << bucketBits
	return entrySize*entries + 4*((entries+pageEntries-1)/pageEntries)
}

// gameBits is the number of bits of a game's number less 1.
func gameBits(games uint64) uint { return uint(bits.Len64(max(games, 1) - 1)) }

// riceBits is the number of low bits by which the distances of n numbers below 2^width are written.
func riceBits(width uint, n uint64) uint { return width - min(width, uint(bits.Len64(n))) }

// listBits is riceBits for the games of a list.
func listBits(games, n uint64) uint { return uint(max(0, bits.Len64(games/max(n, 1))-1)) }

// bucketOf returns the number of the bucket of a hash, and the hash without it.
func (h *indexHead) bucketOf(hash uint64) (bucket uint64, rest uint64) {
	return hash >> (64 - h.bucketBits), hash & (1<<(64-h.bucketBits) - 1) // a shift by 64 gives 0
}

// restBits is the number of bits of the rest.
func (h *indexHead) restBits() uint { return 64 - h.bucketBits }

// wordBits is the number of bits of a word.
func (h *indexHead) wordBits() uint {
	if h.variations {
		return keyBits
	}
	return keyBits - 1
}

// validWord reports whether a word may stand in the place of a move.
func (h *indexHead) validWord(w moveindex.Index) bool {
	if h.variations && w >= aside {
		w -= aside
	}
	return w < moveindex.NumMoves || w == moveindex.Null || w == gameEnds
}

// rareOf returns the part of a hash's rest by which a rare position is known.
func (h *indexHead) rareOf(rest uint64) uint64 { return rest >> (h.restBits() - h.rareBits) }

// common is the record of a common position.
type common struct {
	all    Branch // by main lines
	wide   Branch // by variations, too, where the index has them
	groups []commonGroup
}

// commonGroup is a move of a common position, or that the game ends.
type commonGroup struct {
	word   moveindex.Index
	branch Branch
	bytes  uint64 // of the list of its games
}

// moveOf returns the move of a word, which may be one of variations alone.
func moveOf(w moveindex.Index) (chess.Move, bool) {
	if w >= aside {
		w -= aside
	}
	return w.Move()
}

// appendBranch appends what a branch counts.
func appendBranch(b []byte, n *Branch) []byte {
	for _, v := range []uint64{n.Games, n.White, n.Draws, n.Black, n.WhiteRating.Sum, n.WhiteRating.Games, n.BlackRating.Sum, n.BlackRating.Games,
		uint64(n.FirstYear), uint64(n.LastYear), uint64(len(n.Best))} {
		b = binary.AppendUvarint(b, v)
	}
	for _, g := range n.Best {
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(g.Number)), uint64(g.Sum))
	}
	return b
}

// appendCommon appends the record.
func (h *indexHead) appendCommon(b []byte, c *common) []byte {
	at := len(b)
	b = appendBranch(b, &c.all)
	if h.variations {
		b = appendBranch(b, &c.wide)
	}
	b = binary.AppendUvarint(b, uint64(len(c.groups)))
	for i := range c.groups {
		g := &c.groups[i]
		b = binary.LittleEndian.AppendUint16(b, uint16(g.word))
		b = appendBranch(b, &g.branch)
		b = binary.AppendUvarint(b, g.bytes)
	}
	return sealed(b, at)
}

// byteReader reads numbers from bytes.
type byteReader struct {
	data []byte
	bad  bool
}

func (r *byteReader) varint() uint64 {
	v, n := binary.Uvarint(r.data)
	if n <= 0 || n > 1 && r.data[n-1] == 0 {
		r.bad, r.data = true, nil
		return 0
	}
	r.data = r.data[n:]
	return v
}

func (r *byteReader) bytes(n int) []byte {
	if len(r.data) < n {
		r.bad, r.data = true, nil
		return make([]byte, n)
	}
	b := r.data[:n]
	r.data = r.data[n:]
	return b
}

// branch reads what appendBranch writes, of games up to the number given.
func (r *byteReader) branch(games uint64) (b Branch) {
	var v [11]uint64
	for i := range v {
		v[i] = r.varint()
	}
	b = Branch{Games: v[0], White: v[1], Draws: v[2], Black: v[3], WhiteRating: Ratings{v[4], v[5]}, BlackRating: Ratings{v[6], v[7]}}
	if v[0] > games || v[1] > v[0] || v[2] > v[0] || v[3] > v[0] || v[1]+v[2]+v[3] > v[0] || v[5] > v[0] || v[7] > v[0] ||
		v[4] > 9999*v[5] || v[6] > 9999*v[7] || v[8] > v[9] || v[9] > 9999 || v[10] > MaxBest || v[10] > v[0] {
		r.bad = true
		return b
	}
	b.FirstYear, b.LastYear = int(v[8]), int(v[9])
	for range v[10] {
		g := Best{Number: int(r.varint()), Sum: int(r.varint() & (1<<15 - 1))}
		if r.bad || g.Number < 1 || uint64(g.Number) > games || len(b.Best) > 0 && compareBest(b.Best[len(b.Best)-1], g) >= 0 {
			r.bad = true
			return b
		}
		b.Best = append(b.Best, g)
	}
	return b
}

// parseCommon reads the record, whose checksum is verified.
func (h *indexHead) parseCommon(b []byte) (c *common, ok bool) {
	games := h.games
	r := byteReader{data: b}
	c = &common{all: r.branch(games)}
	c.wide = c.all
	if h.variations {
		c.wide = r.branch(games)
	}
	for n := r.varint(); n > 0 && !r.bad; n-- {
		g := commonGroup{word: moveindex.Index(binary.LittleEndian.Uint16(r.bytes(2)))}
		g.branch = r.branch(games)
		g.bytes = r.varint()
		if g.branch.Games == 0 || g.branch.Games > c.wide.Games || g.bytes > 16*games+64 || !h.validWord(g.word) || len(c.groups) > 0 && c.groups[len(c.groups)-1].word >= g.word {
			r.bad = true
		}
		g.branch.Move, _ = moveOf(g.word)
		c.groups = append(c.groups, g)
	}
	return c, !r.bad && len(r.data) == 0
}

// A list is of chunks of games: u16 length of what follows without the CRC; varint number of games, at most chunkGames; varint first game;
// u8 k; a stream of the distances less 1, by rice(k); CRC of all before it.

// appendChunk appends a chunk of games, which ascend.
func appendChunk(b []byte, games []uint64) []byte {
	at := len(b)
	b = append(b, 0, 0)
	b = binary.AppendUvarint(b, uint64(len(games)))
	b = binary.AppendUvarint(b, games[0])
	k := uint(max(0, bits.Len64((games[len(games)-1]-games[0])/uint64(len(games)))-1))
	w := bitWriter{buf: append(b, byte(k))}
	for i, g := range games[1:] {
		w.rice(g-games[i]-1, k)
	}
	b = w.end()
	binary.LittleEndian.PutUint16(b[at:], uint16(len(b)-at-2))
	return sealed(b, at)
}

// parseChunk appends the games of a chunk, without its length and its CRC, which are verified. They must be above last.
func parseChunk(dst []uint64, b []byte, last, games uint64) ([]uint64, bool) {
	r := byteReader{data: b}
	n, first := r.varint(), r.varint()
	k := uint(r.bytes(1)[0])
	if r.bad || n < 1 || n > chunkGames || first <= last || first > games || k > 40 {
		return dst, false
	}
	dst = append(dst, first)
	s := bitReader{data: r.data}
	for range n - 1 {
		d := s.rice(k)
		if d >= games-first || s.bad {
			return dst, false
		}
		first += d + 1
		dst = append(dst, first)
	}
	return dst, s.end()
}
