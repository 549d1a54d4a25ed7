// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"ply11/game"
)

// A search part tells the years, the ratings, and the names of the players of the blocks of the part of the index after
// it. What many blocks have stands together, so that a search over a network reads little of each part.

// A table is cut into slices, each of them a column.
const (
	searchRanges = 1
	searchNames  = 64 // the first slice
	searchSlices = 64 // the most slices of a table
)

const (
	searchMark  = 0x53313150 // "P11S"
	searchFixed = 12         // mark, size, and their CRC
	searchEntry = 20
	rangesSize  = 8
	maxSearch   = 1 << 30
	sliceBytes  = 8 << 10 // the most that the writer gives a slice
)

// The names of the players are in a Bloom filter for each block, of which the bits with the same number stand together:
// one of 120 names that are not there seems to be.
const (
	nameBits   = 10
	nameProbes = 7
)

// noLeast is that of an empty range, with 0 for the greatest.
const noLeast = 0xffff

type span16 struct{ least, most uint16 }

func (s *span16) add(n int) {
	s.least, s.most = min(s.least, uint16(n)), max(s.most, uint16(n))
}

// anything is a range of which nothing is known.
var anything = span16{0, noLeast}

type searchKeys struct {
	years, ratings span16
	names          map[uint32]struct{} // hashes of the players' names
}

func noKeys() searchKeys {
	return searchKeys{span16{least: noLeast}, span16{least: noLeast}, map[uint32]struct{}{}}
}

const searchSpace = " \t\r\n"

func (k *searchKeys) add(g *game.Game) {
	for i := range g.Tags {
		value := g.Tags[i].Value
		switch g.Tags[i].Name {
		case "White", "Black":
			k.names[checksum([]byte(value))] = struct{}{}
		case "WhiteElo", "BlackElo":
			switch n, number := plainNumber(strings.Trim(value, searchSpace)); {
			case number && n < noLeast:
				k.ratings.add(n)
			case strings.Trim(value, "?-"+searchSpace) != "":
				k.ratings = anything // who knows what it is
			}
		}
	}
	if year, _, _, ok := game.DateOf(g.Date()); ok {
		k.years.add(year)
	}
}

func (k *searchKeys) take() *searchKeys {
	t := *k
	*k = noKeys()
	return &t
}

func plainNumber(s string) (n int, ok bool) {
	if len(s) == 0 || len(s) > 5 {
		return 0, false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = 10*n + int(s[i]-'0')
	}
	return n, true
}

func (b *Block) searchKeys() (_ *searchKeys, err error) {
	defer guard(&err)
	k := noKeys()
	for i := range b.Len() {
		if err := b.Tags(i+1, &b.spare); err != nil {
			return nil, err
		}
		k.add(&b.spare)
	}
	return k.take(), nil
}

func rows(size, n int) int { return 8 * size / n }

type searchColumn struct {
	kind uint8
	size uint32
	sum  digest
}

// encodeSearch makes the search part of blocks, and its directory; nil if nothing is known of any.
func encodeSearch(list []*searchKeys) (data []byte, columns []searchColumn) {
	if !slices.ContainsFunc(list, func(k *searchKeys) bool { return k != nil }) {
		return nil, nil
	}
	most, all := 0, 0
	for _, k := range list {
		if k != nil {
			most, all = max(most, len(k.names)), all+len(k.names)
		}
	}
	n := len(list)
	s := searchPart{blocks: n, data: [][]byte{bytes.Repeat([]byte{0xff, 0xff, 0, 0}, 2*n)}}
	// A block that has many more names than the others does not make the table much larger.
	bits := nameBits * max((all+n-1)/n, most/2, 1)
	count := min(max((bits*n/8+sliceBytes-1)/sliceBytes, 1), searchSlices)
	for range count {
		s.data = append(s.data, make([]byte, ((bits+count-1)/count*n+7)/8))
	}
	for i, b := range s.data {
		kind := uint8(searchRanges)
		if i > 0 {
			kind = searchNames + uint8(i-1)
		}
		s.columns = append(s.columns, searchColumn{kind: kind, size: uint32(len(b))})
	}
	for i, k := range list {
		s.widen(i, k)
	}
	return s.encode()
}

func joinSearch(kinds []uint8, parts [][]byte) (data []byte, columns []searchColumn) {
	data = make([]byte, searchFixed)
	for i, b := range parts {
		data = append(data, b...)
		columns = append(columns, searchColumn{kinds[i], uint32(len(b)), digestOf(b)})
	}
	le.PutUint32(data, searchMark)
	le.PutUint32(data[4:], uint32(len(data)))
	le.PutUint32(data[8:], checksum(data[:8]))
	return data, columns
}

func searchSize(columns []searchColumn) (n int64) {
	for _, c := range columns {
		n += int64(c.size)
	}
	if len(columns) > 0 {
		n += searchFixed
	}
	return n
}

func appendSearchColumns(b []byte, columns []searchColumn) []byte {
	for _, c := range columns {
		b = le.AppendUint32(b, uint32(c.kind)|(c.size-1)<<8)
		b = append(b, c.sum[:]...)
	}
	return b
}

// decodeSearchColumns reads the directory of a search part of n blocks.
func decodeSearchColumns(dst []searchColumn, b []byte, n int) ([]searchColumn, bool) {
	last := 0
	for ; len(b) > 0; b = b[searchEntry:] {
		c := searchColumn{b[0], le.Uint32(b)>>8 + 1, digest(b[4:])}
		if int(c.kind) <= last || c.kind == searchRanges && c.size != rangesSize*uint32(n) {
			return dst, false
		}
		if hasNames(c.kind) {
			// The slices of a table are of one size, and each has a row.
			if first := c.kind&^(searchSlices-1) == c.kind; rows(int(c.size), n) == 0 ||
				!first && (int(c.kind) != last+1 || c.size != dst[len(dst)-1].size) {
				return dst, false
			}
		}
		last = int(c.kind)
		dst = append(dst, c)
	}
	return dst, searchSize(dst) <= maxSearch
}

func hasNames(kind uint8) bool { return kind&^(searchSlices-1) == searchNames }

// searchPart is a search part that is read as it is wanted.
type searchPart struct {
	r       io.ReaderAt
	at      int64 // of the first column
	blocks  int
	columns []searchColumn
	data    [][]byte // nil where it was not read
}

func (s *searchPart) open(r io.ReaderAt, p *part, at int64) {
	*s = searchPart{r: r, at: at - searchSize(p.search) + searchFixed, blocks: len(p.refs), columns: p.search,
		data: make([][]byte, len(p.search))}
}

func (s *searchPart) column(i int) ([]byte, error) {
	if s.data[i] != nil {
		return s.data[i], nil
	}
	at := s.at
	for _, c := range s.columns[:i] {
		at += int64(c.size)
	}
	b := make([]byte, s.columns[i].size)
	if err := readAt(s.r, b, at); err != nil {
		return nil, err
	}
	if digestOf(b) != s.columns[i].sum {
		return nil, corruptPart("search", at, wrongDigest)
	}
	s.data[i] = b
	return b, nil
}

func (s *searchPart) load() error {
	front := make([]byte, searchFixed)
	if err := readAt(s.r, front, s.at-searchFixed); err != nil {
		return err
	}
	if size, err := decodeSearch(front, s.at-searchFixed); err != nil {
		return err
	} else if int64(size) != searchSize(s.columns) {
		return corruptPart("search", s.at-searchFixed, "it is not of its size")
	}
	for i := range s.columns {
		if _, err := s.column(i); err != nil {
			return err
		}
	}
	return nil
}

func (s *searchPart) ranges(block int) (years, ratings span16, err error) {
	i := slices.IndexFunc(s.columns, func(c searchColumn) bool { return c.kind == searchRanges })
	if i < 0 {
		return anything, anything, nil
	}
	b, err := s.column(i)
	if err != nil {
		return anything, anything, err
	}
	b = b[block*rangesSize:]
	return span16{le.Uint16(b), le.Uint16(b[2:])}, span16{le.Uint16(b[4:]), le.Uint16(b[6:])}, nil
}

// each calls do with the column and the row of each bit of a name, until it returns false.
func (s *searchPart) each(name uint32, do func(column, row int) bool) bool {
	first := slices.IndexFunc(s.columns, func(c searchColumn) bool { return c.kind == searchNames })
	if first < 0 {
		return true
	}
	count := uint32(1)
	for int(count) < len(s.columns)-first && hasNames(s.columns[first+int(count)].kind) {
		count++
	}
	slice, h, step := int(name%count), name/count, name>>17|name<<15
	n := uint32(rows(int(s.columns[first].size), s.blocks))
	for range nameProbes {
		if !do(first+slice, int(h%n)) {
			return false
		}
		h += step
	}
	return true
}

// may reports whether a block, from 0, may have a name.
func (s *searchPart) may(block int, name uint32) (may bool, err error) {
	may = s.each(name, func(column, row int) bool {
		b, failed := s.column(column)
		if err = failed; err != nil {
			return false
		}
		at := row*s.blocks + block
		return b[at/8]>>(at%8)&1 != 0
	})
	return may || err != nil, err
}

// widen adds keys to those of a block, from 0; nil is all. The part was loaded.
func (s *searchPart) widen(block int, k *searchKeys) {
	set := func(column, row int) bool {
		at := row*s.blocks + block
		s.data[column][at/8] |= 1 << (at % 8)
		return true
	}
	all := k == nil
	if all {
		k = &searchKeys{years: anything, ratings: anything}
	}
	for i, c := range s.columns {
		switch b := s.data[i]; {
		case c.kind == searchRanges:
			b = b[block*rangesSize:]
			for _, r := range []span16{k.years, k.ratings} {
				le.PutUint16(b, min(le.Uint16(b), r.least))
				le.PutUint16(b[2:], max(le.Uint16(b[2:]), r.most))
				b = b[4:]
			}
		case all && hasNames(c.kind):
			for row := range rows(len(b), s.blocks) {
				set(i, row)
			}
		}
	}
	for name := range k.names {
		s.each(name, set)
	}
}

func (s *searchPart) encode() (data []byte, columns []searchColumn) {
	kinds := make([]uint8, len(s.columns))
	for i, c := range s.columns {
		kinds[i] = c.kind
	}
	return joinSearch(kinds, s.data)
}

// hides returns what of a block, from 0, is not found by the search part; "" if nothing.
func (s *searchPart) hides(block int, k *searchKeys) (string, error) {
	years, ratings, err := s.ranges(block)
	if err != nil {
		return "", err
	}
	if years.least > k.years.least || years.most < k.years.most {
		return "it does not have a year of the games", nil
	}
	if ratings.least > k.ratings.least || ratings.most < k.ratings.most {
		return "it does not have a rating of the games", nil
	}
	for name := range k.names {
		if may, err := s.may(block, name); err != nil {
			return "", err
		} else if !may {
			return "it does not have a name of the games", nil
		}
	}
	return "", nil
}

// Summary tells what the games of a block may have, until the Reader is asked for another block. What cannot be read
// may be anything: the block itself tells what is wrong.
type Summary struct {
	part  *searchPart
	block int
}

// HasYear reports whether a game of the block may be of a year from first to last.
func (s Summary) HasYear(first, last int) bool {
	years, _, err := s.part.ranges(s.block)
	return err != nil || years.meets(first, last)
}

// HasRating reports whether a WhiteElo or BlackElo tag of the block may be a number from least to most.
func (s Summary) HasRating(least, most int) bool {
	_, ratings, err := s.part.ranges(s.block)
	return err != nil || ratings.meets(least, most)
}

func (s span16) meets(first, last int) bool {
	return s == anything || s.least <= s.most && first <= int(s.most) && int(s.least) <= last
}

// HasPlayer reports whether a White or Black tag of the block may be the name, to the byte. One name of about 120 that
// are not there seems to be.
func (s Summary) HasPlayer(name string) bool {
	may, err := s.part.may(s.block, checksum([]byte(name)))
	return may || err != nil
}

// Summary returns what a search part tells of block n (from 1), and whether there is one.
//
// Cost: for each 64 blocks, some 3 kB of the index are read, and as a rule at most 8 KiB of each kind that is asked
// for.
func (t *Reader) Summary(n int) (s Summary, ok bool, err error) {
	defer guard(&err)
	if n <= 0 || n > t.blocks {
		return s, false, nil
	}
	if _, err := t.locate(uint64(n-1), false); err != nil {
		return s, false, err
	}
	leaf := &t.nodes[0]
	return Summary{&leaf.searched, n - 1 - leaf.before.blocks}, len(leaf.search) > 0, nil
}

func (t *Reader) readSearch() error {
	for n := 1; n <= t.blocks; {
		s, ok, err := t.Summary(n)
		if err != nil {
			return err
		}
		if ok {
			if err := s.part.load(); err != nil {
				return err
			}
		}
		n += s.part.blocks - s.block
	}
	return nil
}

func (s Summary) verify(n int, k *searchKeys) error {
	detail, err := s.part.hides(s.block, k)
	if err == nil && detail != "" {
		err = &CorruptError{Part: "search", Block: n, Offset: s.part.at - searchFixed, Reason: detail, Err: ErrCorrupt}
	}
	return err
}

// decodeSearch returns the size of the search part that begins with b, of searchFixed bytes, at an offset.
func decodeSearch(b []byte, at int64) (int, error) {
	if want, got := le.Uint32(b[8:]), checksum(b[:8]); want != got {
		return 0, otherSum("search", at, want, got)
	}
	if size := le.Uint32(b[4:]); le.Uint32(b) == searchMark && size >= searchFixed && size <= maxSearch {
		return int(size), nil
	}
	return 0, corruptPart("search", at, "its size is not that of a search part")
}
