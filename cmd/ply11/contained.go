// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"slices"
	"strings"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/internal/samegame"
	"ply11/moveindex"
)

// container finds games whose main line is the beginning of another's, with the same start and players, and dates that
// do not contradict. It goes through the games twice.
type container struct {
	key   samegame.Key
	seed  maphash.Seed
	lines []mainLine
	of    map[[16]byte]*sameStart
	in    map[int]int // the game that contains another
	plies map[int]int // of these
}

// mainLine is a game by the hash of its moves.
type mainLine struct {
	group [16]byte
	hash  uint64
	game  int
	plies int
	date  string
}

// sameStart is the lines of the same players and start.
type sameStart struct {
	lengths []int
	lines   map[uint64][]*mainLine // by their hashes
}

// chain calls do with the hash of each beginning of a line.
func (c *container) chain(line []moveindex.Index, do func(plies int, hash uint64)) {
	var b [10]byte
	for i, w := range line {
		binary.LittleEndian.PutUint16(b[8:], uint16(w))
		hash := maphash.Bytes(c.seed, b[:])
		binary.LittleEndian.PutUint64(b[:], hash)
		do(i+1, hash)
	}
}

// add is for the first time.
func (c *container) add(number int, b *archive.Block, i int, g *game.Game, x archive.Exception) error {
	group, line, ok, err := c.key.Line(b, i, g, x)
	if !ok || err != nil {
		return err
	}
	l := mainLine{group: group, game: number, plies: len(line), date: strings.Clone(g.Date())}
	c.chain(line, func(_ int, hash uint64) { l.hash = hash })
	c.lines = append(c.lines, l)
	return nil
}

// sort gets ready for the second time.
func (c *container) sort() {
	slices.SortStableFunc(c.lines, func(a, b mainLine) int { return bytes.Compare(a.group[:], b.group[:]) })
	c.of, c.in, c.plies = map[[16]byte]*sameStart{}, map[int]int{}, map[int]int{}
	for rest := c.lines; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].group == rest[0].group {
			n++
		}
		if n > 1 {
			s := &sameStart{lines: map[uint64][]*mainLine{}}
			for i := range rest[:n] {
				l := &rest[i]
				s.lengths = append(s.lengths, l.plies)
				s.lines[l.hash] = append(s.lines[l.hash], l)
			}
			slices.Sort(s.lengths)
			s.lengths = slices.Compact(s.lengths)
			c.of[rest[0].group] = s
		}
		rest = rest[n:]
	}
}

// find is for the second time.
func (c *container) find(number int, b *archive.Block, i int, g *game.Game, x archive.Exception) error {
	group, line, ok, err := c.key.Line(b, i, g, x)
	s := c.of[group]
	if !ok || err != nil || s == nil {
		return err
	}
	lengths, date := s.lengths, g.Date()
	c.chain(line, func(plies int, hash uint64) {
		if len(lengths) == 0 || lengths[0] != plies || plies == len(line) {
			return
		}
		lengths = lengths[1:]
		for _, l := range s.lines[hash] {
			// Of several games that contain it, it is of the longest.
			if l.plies == plies && sameDate(l.date, date) && len(line) > c.plies[l.game] {
				c.in[l.game], c.plies[l.game] = number, len(line)
			}
		}
	})
	return nil
}

// sameDate reports whether two dates may be one: what is not known is no contradiction.
func sameDate(a, b string) bool {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] && a[i] != '?' && b[i] != '?' {
			return false
		}
	}
	return true
}

// groups puts games to the groups of those that contain them, which stay: each group begins with that one.
func (c *container) groups(equal [][]int) (groups [][]int, extra int) {
	of := map[int][]int{}
	first := map[int]int{} // of equal games, the one that stays
	stayer := func(n int) int {
		for {
			if c.in[n] > 0 {
				n = c.in[n] // which is longer
			} else if f, ok := first[n]; ok && f != n {
				n = f // which is equal
			} else {
				return n
			}
		}
	}
	for _, same := range equal {
		for _, n := range same {
			first[n] = same[0]
		}
		of[same[0]] = append(of[same[0]], same[1:]...)
	}
	for n := range c.in {
		stays := stayer(n)
		if f, ok := first[n]; ok && f == n {
			of[stays] = append(of[stays], of[n]...)
			delete(of, n)
		}
		if f, ok := first[n]; !ok || f == n {
			of[stays] = append(of[stays], n)
		}
	}
	for stays, others := range of {
		slices.Sort(others)
		groups = append(groups, append([]int{stays}, others...))
		extra += len(others)
	}
	slices.SortFunc(groups, func(a, b []int) int { return cmp.Compare(a[0], b[0]) })
	return groups, extra
}
