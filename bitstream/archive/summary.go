// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"strings"

	"ply11/game"
)

// The column of the summary tells of the games of a block, so that a search passes over blocks without reading them: the years, the ratings,
// and a Bloom filter of the players' names. It stands in the front of a block. docs/FORMAT.md has the layout.

// Sizes of the column.
const (
	summaryVersion = 1
	summaryFixed   = 9
	bloomBits      = 10 // for a name: one name of 120 that is not there seems to be
	bloomProbes    = 7
	noLeast        = 0xffff // of an empty range, with 0 for the greatest
)

// summarizer makes summaries.
type summarizer struct {
	years, ratings span16
	names          map[string]struct{}
}

// summarySpace is the white space around ratings.
const summarySpace = " \t\r\n"

// span16 is a range of numbers, both ends included.
type span16 struct{ least, most uint16 }

func (s *span16) add(n int) {
	s.least, s.most = min(s.least, uint16(n)), max(s.most, uint16(n))
}

func (e *summarizer) reset() {
	e.years, e.ratings = span16{least: noLeast}, span16{least: noLeast}
	if e.names == nil {
		e.names = map[string]struct{}{}
	}
	clear(e.names)
}

// add adds the tags of a game.
func (e *summarizer) add(g *game.Game) {
	for i := range g.Tags {
		value := g.Tags[i].Value
		switch g.Tags[i].Name {
		case "White", "Black":
			e.names[value] = struct{}{}
		case "WhiteElo", "BlackElo":
			switch n, number := plainNumber(strings.Trim(value, summarySpace)); {
			case number && n < noLeast:
				e.ratings.add(n)
			case strings.Trim(value, "?-"+summarySpace) != "":
				e.ratings = span16{0, noLeast} // who knows what it is
			}
		case "Date":
			if len(value) >= 4 {
				if n, number := plainNumber(value[:4]); number {
					e.years.add(n)
				}
			}
		}
	}
}

// plainNumber reads a number of one to five digits.
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

// appendColumn appends the column of the games that were added.
func (e *summarizer) appendColumn(dst []byte) []byte {
	dst = append(dst, summaryVersion)
	for _, n := range []uint16{e.years.least, e.years.most, e.ratings.least, e.ratings.most} {
		dst = le.AppendUint16(dst, n)
	}
	at := len(dst)
	dst = append(dst, make([]byte, (len(e.names)*bloomBits+7)/8)...)
	for name := range e.names {
		bloomBitsOf(dst[at:], name, func(b *byte, bit byte) bool { *b |= bit; return true })
	}
	return dst
}

// bloomBitsOf calls do with each bit of a name, and returns whether it returned true for all.
func bloomBitsOf(bloom []byte, name string, do func(b *byte, bit byte) bool) bool {
	bits := uint32(len(bloom)) * 8
	if bits == 0 {
		return false
	}
	h := checksum([]byte(name))
	delta := h>>17 | h<<15
	for range bloomProbes {
		k := h % bits
		if !do(&bloom[k/8], 1<<(k%8)) {
			return false
		}
		h += delta
	}
	return true
}

// Summary tells of the games of a block what is needed to pass over it.
type Summary struct{ raw []byte }

// HasYear reports whether a game of the block may be of one of the years from first to last: its Date tag begins with such a number.
func (s Summary) HasYear(first, last int) bool { return s.within(1, first, last) }

// HasRating reports whether a player of the block may have a rating from least to most: a WhiteElo or BlackElo tag has such a number.
func (s Summary) HasRating(least, most int) bool { return s.within(5, least, most) }

func (s Summary) within(at, first, last int) bool {
	least, most := int(le.Uint16(s.raw[at:])), int(le.Uint16(s.raw[at+2:]))
	return least == 0 && most == noLeast || least <= most && first <= most && least <= last // the first: nothing is known
}

// HasPlayer reports whether a game of the block may have a White or Black tag with the name: the very same bytes. Of a name that the block does not
// have, it reports so in one case of about 120.
func (s Summary) HasPlayer(name string) bool {
	return bloomBitsOf(s.raw[summaryFixed:], name, func(b *byte, bit byte) bool { return *b&bit != 0 })
}

// Summary returns the block's summary, and whether it has one that this reader knows.
func (b *Block) Summary() (s Summary, ok bool, err error) {
	defer b.guard(&err)
	if b.head.find(columnSummary) < 0 {
		return s, false, nil
	}
	raw, err := b.column(columnSummary)
	if err != nil || len(raw) == 0 || raw[0] != summaryVersion {
		return s, false, err // later versions are passed over
	}
	if len(raw) < summaryFixed {
		return s, false, b.corrupt(columnSummary, -1, "it is too short")
	}
	return Summary{raw}, true, nil
}

// Summary returns the summary of block n (from 1), and whether it has one. It is valid until the next call of a method.
//
// Cost: the front of the block is read, some 3 kB of 130 for a thousand games.
func (t *Reader) Summary(n int) (s Summary, ok bool, err error) {
	defer guard(&err)
	if n <= 0 || n > t.blocks {
		return s, false, nil
	}
	if t.line.number != n {
		if err := t.loadFront(n); err != nil {
			return s, false, err
		}
	}
	return t.line.b.Summary()
}

// appendSummary appends the column of a block, made of its tags.
func (b *Block) appendSummary(dst []byte, e *summarizer) ([]byte, error) {
	e.reset()
	for i := range b.Len() {
		if err := b.Tags(i+1, &b.spare); err != nil {
			return dst, err
		}
		e.add(&b.spare)
	}
	return e.appendColumn(dst), nil
}

// completeSummary makes the summary of a block again, and compares it.
func (b *Block) completeSummary() error {
	s, ok, err := b.Summary()
	if err != nil || !ok {
		return err
	}
	want, err := b.appendSummary(nil, new(summarizer))
	if err == nil && !bytes.Equal(want, s.raw) {
		err = b.corrupt(columnSummary, -1, "it is not the summary of the games")
	}
	return err
}
