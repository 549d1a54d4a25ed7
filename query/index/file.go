// SPDX-License-Identifier: Apache-2.0

package index

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/bits"
	"slices"

	"ply11/bitstream/archive"
	"ply11/chess"
	"ply11/moveindex"
	"ply11/position"
)

// docs/INDEXFILE.md defines the file of an index.

// Version is the version of the format of indexes.
const Version = 1

const (
	magic          = "\x89p1x\r\n\x1a\n"
	endMagic       = "P11XEND\n"
	flagVariations = 1
	startSize      = 16
	trailerSize    = 128
	segmentSize    = 128 // of a segment in the table
	maxSegments    = 64
	factBlock      = 256 // games of a block of facts
	pageEntries    = 256 // entries of a page of the directory
	entrySize      = 12
	commonSize     = 22      // of a common position in a bucket
	commonFrom     = 256     // postings of a common position, at least
	chunkGames     = 1024    // of a list, at most
	maxBucket      = 1 << 24 // bytes
	maxRecord      = 1 << 20 // bytes of the record of a common position
	extraBits      = 6       // of a rare position's hash, beyond what tells it from others
	bucketPostings = 512     // of a bucket in the mean, at most
	gamesBits      = 36      // of a game's number in a posting's key
	maxGames       = 1<<gamesBits - 1
	wordBits       = 12 // of the word above it
	checkBits      = 16 // of the check above that
	maxBucketBits  = 36
)

const (
	// Aside is added to a word that the game has in variations alone.
	Aside = moveindex.Index(moveindex.NumWords)
	// GameEnds is in the place of a move where the game ends.
	GameEnds = moveindex.Index(moveindex.NumWords - 1)
)

// Errors of an index. An Error has one of them.
var (
	// ErrCorrupt: a checksum or what it protects is wrong, or the file is cut off.
	ErrCorrupt  = errors.New("corrupt index")
	ErrNotIndex = errors.New("not a ply11 index")
	ErrVersion  = errors.New("index of an unknown version; ply11 index --force makes it again")
	// ErrOtherArchive: the index is of another archive, or of an older version of it.
	ErrOtherArchive = errors.New("the index is of another archive, or this one was changed since")
	// ErrMemory: the memory is too little for the games.
	ErrMemory = errors.New("too little memory for so many games")
)

// Error is what is wrong with an index or a tree file, and where.
type Error struct {
	// Part is "start", "table", "trailer", "facts", "directory", "bucket", "list", "common position"; of a tree file
	// "head", "page", "entries", "part".
	Part   string
	Offset int64
	Detail string
	Err    error
}

func (e *Error) Error() string {
	return fmt.Sprintf("%v: %s at offset %d: %s", e.Err, e.Part, e.Offset, e.Detail)
}

func (e *Error) Unwrap() error { return e.Err }

func corrupt(part string, offset int64, format string, args ...any) error {
	return &Error{part, offset, fmt.Sprintf(format, args...), ErrCorrupt}
}

// fileHead is what start, table and trailer say.
type fileHead struct {
	variations bool
	games      uint64
	plies      uint64
	size       uint64 // of the archive in bytes
	mark       [32]byte
	counts     Counts
	segments   []segmentHead
	unfinished bool  // of the trailer: it is a copy, and not at its table
	table      int64 // its offset
}

// segmentHead is what the table says of a segment, and what follows for it.
type segmentHead struct {
	variations bool
	bucketBits uint // of a hash, for the number of its bucket
	rareBits   uint // the next ones, which a rare position keeps
	offset     int64
	size       int64
	first      uint64
	games      uint64
	plies      uint64
	firstBlock int
	blocks     int
	prefix     [32]byte // digest of its blocks
	counts     Counts
}

// Counts is what an index has. Postings may exceed 32 bits.
type Counts struct {
	Positions uint64 `json:"positions"` // of each segment
	// games, once for each move in a position; of a rare position once
	Postings uint64 `json:"postings"`
	Rare     uint64 `json:"rare"`   // positions of one game
	Common   uint64 `json:"common"` // positions of 256 postings or more
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func crcOf(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// sealed appends the CRC of b from at on.
func sealed(b []byte, at int) []byte { return binary.LittleEndian.AppendUint32(b, crcOf(b[at:])) }

// unsealed returns what is before the CRC of a part, if it is right.
func unsealed(b []byte, part string, at int64) ([]byte, error) {
	n := len(b) - 4
	if got, want := crcOf(b[:n]), binary.LittleEndian.Uint32(b[n:]); got != want {
		return nil, corrupt(part, at, "CRC-32C is %08x, not %08x", got, want)
	}
	return b[:n], nil
}

// archiveMark is the last bytes of an archive, the digest of its footer, which vouches for all of it.
func archiveMark(r io.ReaderAt, s archive.Stats) (mark [32]byte, err error) {
	if _, err := r.ReadAt(mark[:], max(0, s.Bytes-32)); err != nil && !(err == io.EOF && s.Bytes >= 32) {
		return mark, err
	}
	return mark, nil
}

// CheckOf tells positions of equal hashes apart.
func CheckOf(p *position.Position) uint16 { return CheckOfPlanes(p.Planes()) }

// CheckOfPlanes is CheckOf of Position.Planes.
func CheckOfPlanes(a, b, c, d position.Bitboard) uint16 {
	h := uint64(0)
	for _, plane := range [4]position.Bitboard{a, b, c, d} {
		h = (h ^ uint64(plane)) * 0x9e3779b97f4a7c15
		h ^= h >> 32
	}
	return uint16(h >> 48)
}

func (h *fileHead) start() []byte {
	b := make([]byte, 0, startSize)
	b = append(b, magic...)
	b = binary.LittleEndian.AppendUint16(b, Version)
	flags := byte(0)
	if h.variations {
		flags = flagVariations
	}
	return sealed(append(b, 0, flags), 0)
}

// end returns the table, which stands at an offset, and the trailer.
func (h *fileHead) end(at int64) []byte {
	var b []byte
	for i := range h.segments {
		b = h.segments[i].append(b)
	}
	h.table = at
	return append(sealed(b, 0), h.trailer()...)
}

func (h *fileHead) trailer() []byte {
	b := append(make([]byte, 0, trailerSize), endMagic...)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(h.segments))) // u32, and u32 reserved
	b = binary.LittleEndian.AppendUint64(b, h.games)
	b = binary.LittleEndian.AppendUint64(b, h.plies)
	b = binary.LittleEndian.AppendUint64(b, h.size)
	b = append(b, h.mark[:]...)
	b = h.counts.append(b)
	b = binary.LittleEndian.AppendUint64(b, uint64(h.table))
	unfinished := byte(0)
	if h.unfinished {
		unfinished = 1
	}
	return sealed(append(b, unfinished, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)[:trailerSize-4], 0)
}

func (c *Counts) append(b []byte) []byte {
	for _, n := range []uint64{c.Positions, c.Postings, c.Rare, c.Common} {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	return b
}

func parseCounts(b []byte) Counts {
	n := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }
	return Counts{n(0), n(1), n(2), n(3)}
}

func (c *Counts) add(o Counts) {
	c.Positions, c.Postings, c.Rare, c.Common = c.Positions+o.Positions, c.Postings+o.Postings, c.Rare+o.Rare,
		c.Common+o.Common
}

// append appends the entry of the table.
func (h *segmentHead) append(b []byte) []byte {
	at := len(b)
	for _, n := range []uint64{uint64(h.offset), uint64(h.size), h.games, h.plies} {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(h.blocks))
	b = append(b, byte(h.bucketBits), byte(h.rareBits), 0, 0)
	b = append(b, h.prefix[:]...)
	b = h.counts.append(b)
	return append(b, make([]byte, at+segmentSize-len(b))...)
}

// parseSegment reads what append writes, and does not ask whether it fits the file.
func parseSegment(b []byte) (h segmentHead, reserved bool) {
	n := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }
	h = segmentHead{offset: int64(n(0)), size: int64(n(1)), games: n(2), plies: n(3),
		blocks:     int(binary.LittleEndian.Uint32(b[32:])),
		bucketBits: uint(b[36]), rareBits: uint(b[37]), counts: parseCounts(b[72:])}
	copy(h.prefix[:], b[40:])
	return h, b[38]|b[39] != 0 || nonzero(b[104:segmentSize])
}

func nonzero(b []byte) bool { return slices.ContainsFunc(b, func(c byte) bool { return c != 0 }) }

func factsSize(games uint64) int64 {
	return int64(8*games + 4*((games+factBlock-1)/factBlock))
}

func directorySize(bucketBits uint) int64 {
	entries := int64(1) << bucketBits
	return entrySize*entries + 4*((entries+pageEntries-1)/pageEntries)
}

// gameBits is the bits of a game's number less 1.
func gameBits(games uint64) uint { return uint(bits.Len64(max(games, 1) - 1)) }

// riceBits is k for the distances of n numbers below 2^width.
func riceBits(width uint, n uint64) uint { return width - min(width, uint(bits.Len64(n))) }

// listBits is k for the games of a list.
func listBits(games, n uint64) uint { return uint(max(0, bits.Len64(games/max(n, 1))-1)) }

// bucketOf returns the bucket of a hash, and its other bits.
func (h *segmentHead) bucketOf(hash uint64) (bucket uint64, rest uint64) {
	return hash >> (64 - h.bucketBits), hash & (1<<(64-h.bucketBits) - 1) // a shift by 64 gives 0
}

func (h *segmentHead) restBits() uint { return 64 - h.bucketBits }

func (h *segmentHead) wordBits() uint {
	if h.variations {
		return wordBits
	}
	return wordBits - 1
}

// validWord reports whether a word may be that of a move.
func (h *segmentHead) validWord(w moveindex.Index) bool {
	if h.variations && w >= Aside {
		w -= Aside
	}
	return w < moveindex.NumMoves || w == moveindex.Null || w == GameEnds
}

// rareOf returns the part of the rest that a rare position keeps.
func (h *segmentHead) rareOf(rest uint64) uint64 { return rest >> (h.restBits() - h.rareBits) }

// Common is what is counted of a common position.
type Common struct {
	All    Branch // by main lines
	Wide   Branch // with variations, where the index has them
	Groups []CommonGroup

	x     *Segment
	lists int64
}

// CommonGroup is a move of a position, or the end of the game.
type CommonGroup struct {
	Word   moveindex.Index // see Aside
	Branch Branch
	bytes  uint64
}

// moveOf returns the move of a word, also of one of variations.
func moveOf(w moveindex.Index) (chess.Move, bool) {
	if w >= Aside {
		w -= Aside
	}
	return w.Move()
}

func appendBranch(b []byte, n *Branch) []byte {
	for _, v := range []int64{int64(n.Games), int64(n.White), int64(n.Draws), int64(n.Black), n.WhiteRating.Sum,
		int64(n.WhiteRating.Games),
		n.BlackRating.Sum, int64(n.BlackRating.Games), int64(n.FirstYear), int64(n.LastYear), int64(len(n.Best))} {
		b = binary.AppendUvarint(b, uint64(v))
	}
	for _, g := range n.Best {
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(g.Number)), uint64(g.Sum))
	}
	return b
}

func (h *segmentHead) appendCommon(b []byte, c *Common) []byte {
	at := len(b)
	b = appendBranch(b, &c.All)
	if h.variations {
		b = appendBranch(b, &c.Wide)
	}
	b = binary.AppendUvarint(b, uint64(len(c.Groups)))
	for i := range c.Groups {
		g := &c.Groups[i]
		b = binary.LittleEndian.AppendUint16(b, uint16(g.Word))
		b = appendBranch(b, &g.Branch)
		b = binary.AppendUvarint(b, g.bytes)
	}
	return sealed(b, at)
}

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

// branch reads what appendBranch writes, of so many games.
func (r *byteReader) branch(games uint64) (b Branch) {
	var v [11]uint64
	for i := range v {
		v[i] = r.varint()
	}
	if v[0] > games || v[1] > v[0] || v[2] > v[0] || v[3] > v[0] || v[1]+v[2]+v[3] > v[0] || v[5] > v[0] ||
		v[7] > v[0] ||
		v[4] > 9999*v[5] || v[6] > 9999*v[7] || v[8] > v[9] || v[9] > 9999 || v[10] > MaxBest || v[10] > v[0] {
		r.bad = true
		return b
	}
	b = Branch{Games: int(v[0]), White: int(v[1]), Draws: int(v[2]), Black: int(v[3]), WhiteRating: Ratings{
		int64(v[4]), int(v[5])},
		BlackRating: Ratings{int64(v[6]), int(v[7])}, FirstYear: int(v[8]), LastYear: int(v[9])}
	for range v[10] {
		g := Best{Number: int(r.varint()), Sum: int(r.varint())}
		if r.bad || g.Sum < 0 || g.Sum > 2*9999 || g.Number < 1 || uint64(g.Number) > games || len(b.Best) > 0 &&
			compareBest(b.Best[len(b.Best)-1], g) >= 0 {
			r.bad = true
			return b
		}
		b.Best = append(b.Best, g)
	}
	return b
}

// parseCommon reads a record of the right checksum.
func (h *segmentHead) parseCommon(b []byte) (c *Common, ok bool) {
	games := h.games
	r := byteReader{data: b}
	c = &Common{All: r.branch(games)}
	c.Wide = c.All
	if h.variations {
		c.Wide = r.branch(games)
	}
	for n := r.varint(); n > 0 && !r.bad; n-- {
		g := CommonGroup{Word: moveindex.Index(binary.LittleEndian.Uint16(r.bytes(2)))}
		g.Branch = r.branch(games)
		g.bytes = r.varint()
		if g.Branch.Games == 0 || g.Branch.Games > c.Wide.Games || g.bytes > 16*games+64 || !h.validWord(g.Word) ||
			len(c.Groups) > 0 && c.Groups[len(c.Groups)-1].Word >= g.Word {
			r.bad = true
		}
		g.Branch.Move, _ = moveOf(g.Word)
		c.Groups = append(c.Groups, g)
	}
	return c, !r.bad && len(r.data) == 0
}

// A list is chunks: u16 length without the CRC; varint number of games, at most chunkGames; varint first game; u8 k;
// the distances less 1, by rice(k); CRC.

// appendChunk appends ascending games.
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

// parseChunk appends the games of a verified chunk without length and CRC. They must be above last.
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
