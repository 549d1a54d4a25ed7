// SPDX-License-Identifier: Apache-2.0

package dataset

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"os"
	"path/filepath"

	"ply11/game"
	"ply11/game/codec"
	"ply11/internal/extsort"
	"ply11/moveindex"
	"ply11/position"
)

// A shuffle, an order of dates, --dedupe and shards of some size need all rows before the first is written. The rows
// are sorted through temporary files: for --dedupe by their hashes, and then by a number that the seed gives to each,
// by their dates, or by their places in the archives. So the order is as good as one that is drawn among all orders, a
// position is there once, and the memory has a bound.

// sized reports whether shards have a size, which tells their number. It is known when all rows are.
func (j *Job) sized() bool { return j.ShardRows != 0 || j.ShardBytes != 0 }

// totals are what is counted of positions apart, for all shards together.
type totals struct {
	Totals
	duplicates int
}

// spaced is what numbers below n are shifted by, so that they differ in the high bits, by which rows are dealt out.
func spaced(n uint64) int { return bits.LeadingZeros64(n) }

// Of a trial, by which countParts guesses the bytes of all.
var (
	// games or positions; of games whose positions are written, as many games as have so many plies
	trialRows   uint64 = 1 << 16
	trialPieces        = 64 // in which they are taken, from all over the data set
)

// countParts tells how many shards there are, if their size is given.
func (x *export) countParts(ctx context.Context, rows *extsort.Rows) (int, error) {
	n := rows.Len()
	need := uint64(1)
	if most := uint64(x.ShardRows); most != 0 {
		all := n
		if !x.apart() && x.f.positions {
			all = uint64(x.positions)
		}
		need = max(1, (all+most-1)/most)
	} else if n > 0 {
		bytes, of, err := x.trial(ctx, rows)
		if err != nil {
			return 0, err
		}
		need = uint64(math.Ceil(float64(bytes) / float64(of) * float64(n) / float64(x.ShardBytes)))
	}
	need = max(1, min(need, n)) // no shard is without rows
	if need > uint64(maxShards) {
		return 0, fmt.Errorf("%w: it would be %d shards, and more than %d; make them larger", codec.ErrOption, need,
			maxShards)
	}
	return int(need), nil
}

// trial writes some of the rows, without keeping them, and returns how many bytes and rows these are.
func (x *export) trial(ctx context.Context, rows *extsort.Rows) (bytes int64, of uint64, err error) {
	out := &output{w: x.w, base: filepath.Join(x.w.o.Output, "trial")}
	defer out.abandon()
	to, err := out.begin()
	if err != nil {
		return 0, 0, err
	}
	n, most := rows.Len(), trialRows
	if x.f.positions && !x.apart() { // a row is all positions of a game
		games, plies := uint64(0), uint64(0)
		for _, in := range x.w.m.Inputs {
			games, plies = games+uint64(in.Games), plies+uint64(in.Plies)
		}
		most = max(uint64(trialPieces), uint64(float64(most)*float64(games)/float64(max(plies, 1))))
	}
	pieces := 1
	if n > most {
		pieces = trialPieces
		most -= most % uint64(pieces)
	}
	of = min(n, most)
	cursor := rows.Cursor()
	var s Shard
	for k := range pieces {
		from := bound(k, pieces, n)
		if err := x.feed(ctx, cursor, from, from+of/uint64(pieces), to, &s); err != nil {
			return 0, 0, err
		}
	}
	if err := to.end(&s); err != nil {
		return 0, 0, err
	}
	bytes, err = out.size()
	return bytes, of, err
}

// scatter makes a number another one, of which each bit depends on all bits. It is a step of SplitMix64 (Steele, Lea
// and Flood 2014), with the numbers of Stafford's thirteenth mix.
func scatter(v uint64) uint64 {
	v += 0x9e3779b97f4a7c15
	v = (v ^ v>>30) * 0xbf58476d1ce4e5b9
	v = (v ^ v>>27) * 0x94d049bb133111eb
	return v ^ v>>31
}

// gather sorts the rows of all archives.
func (x *export) gather(ctx context.Context, workers int) (*extsort.Rows, error) {
	path := cmp.Or(x.w.path, filepath.Join(os.TempDir(), "x")) // in its folder the temporary files are
	rows := extsort.NewRows(path, false)
	var err error
	switch {
	case !x.apart():
		err = x.gatherGames(ctx, rows, workers)
	case !x.Dedupe:
		most := uint64(0)
		for _, in := range x.w.m.Inputs {
			most += 4 * uint64(in.Plies) // Augment writes a position four times at the most
		}
		err = x.gatherPositions(ctx, workers, func(s *sample, n uint64, row []byte) error {
			if !x.Shuffle {
				return rows.Add(extsort.Record{A: n << spaced(most), B: n}, row)
			}
			return rows.Add(extsort.Record{A: x.turnOf(s), B: n}, row)
		})
	default:
		once := extsort.NewRows(path, true)
		defer once.Close()
		err = x.gatherPositions(ctx, workers, func(s *sample, n uint64, row []byte) error {
			return once.Add(extsort.Record{A: s.at.Hash(), B: n}, row)
		})
		if err == nil {
			err = x.pass(rows, once)
		}
	}
	if err == nil {
		err = rows.Sort()
	}
	if err != nil {
		rows.Close()
		return nil, err
	}
	return rows, nil
}

// gatherGames adds the games.
func (x *export) gatherGames(ctx context.Context, rows *extsort.Rows, workers int) error {
	n := uint64(0)
	most := uint64(0)
	for _, in := range x.w.m.Inputs {
		most += uint64(in.Games)
	}
	var g Game
	counting := newSampler(&x.Job, &x.choice, x.wantsPast(), func(*sample) error {
		x.positions++
		return nil
	})
	_, _, err := x.scan(ctx, x.plan[0], workers, func(record []byte) error {
		n++
		if counted := x.f.positions && x.ShardRows != 0; counted || x.Sort != "" {
			if err := g.decode(record, x.f.want); err != nil {
				return err
			}
			if counted && !x.leavesOut(&g) {
				if err := counting.game(&g); err != nil {
					return err
				}
			}
		}
		switch {
		case x.Sort != "":
			return rows.Add(extsort.Record{A: g.day()<<(64-dayBits) | n, B: n}, record)
		case !x.Shuffle:
			return rows.Add(extsort.Record{A: n << spaced(most), B: n}, record)
		}
		source, k := binary.Uvarint(record)
		number, _ := binary.Uvarint(record[k:])
		return rows.Add(extsort.Record{A: x.turn(source, number, 0), B: n}, record)
	})
	return err
}

// dayBits are those of a day.
const dayBits = 23

// day is a number that is larger for a later date of a game: of the tag Date, or of UTCDate where that has no year.
// What a date leaves open is before all else.
func (g *Game) day() uint64 {
	year, month, day, _ := game.DateOf(game.DateTag(g.Tag("Date"), g.Tag("UTCDate")))
	return uint64(year)<<9 | uint64(month)<<5 | uint64(day)
}

// gatherPositions calls add with the positions, their numbers, from 0, and what sample.decode reads. It counts them,
// and their games, in total.
func (x *export) gatherPositions(ctx context.Context, workers int, add func(s *sample, n uint64, row []byte) error) (
	err error) {
	x.w.total = totals{}
	var g Game
	var row []byte
	sampling := newSampler(&x.Job, &x.choice, x.wantsPast(), func(s *sample) error {
		row = s.append(row[:0])
		x.w.total.Rows++
		return add(s, uint64(x.w.total.Rows-1), row)
	})
	x.w.total.Games, x.w.total.Plies, err = x.scan(ctx, x.plan[0], workers, func(record []byte) error {
		if err := g.decode(record, x.f.want); err != nil {
			return err
		}
		if x.leavesOut(&g) {
			x.w.total.LeftOut++
			return nil
		}
		return sampling.game(&g)
	})
	return err
}

// pass adds of all positions the first of each, for the order that is wanted.
func (x *export) pass(rows, once *extsort.Rows) error {
	if err := once.Sort(); err != nil {
		return err
	}
	high := spaced(uint64(x.w.total.Rows))
	x.w.total.duplicates = x.w.total.Rows // less those that are kept
	var s sample
	var p past
	return once.Each(func(key extsort.Record, row []byte) error {
		x.w.total.duplicates--
		if !x.Shuffle {
			return rows.Add(extsort.Record{A: key.B << high, B: key.B}, row)
		}
		if err := s.decode(row, &p); err != nil {
			return err
		}
		return rows.Add(extsort.Record{A: x.turnOf(&s), B: key.B}, row)
	})
}

// feed gives a shard the rows of some places.
func (x *export) feed(ctx context.Context, rows *extsort.Cursor, from, before uint64, to sink, s *Shard) error {
	take := x.rowTaker(ctx, to, s)
	return rows.Each(from, before, func(_ extsort.Record, row []byte) error { return take(row) })
}

// code codes the position for a temporary file: with the boards before it, if they are wanted, as the first of these
// and the moves that follow. The boards that it reads come into p.
func (s *sample) code(c *coder, p *past) {
	code(c, &s.source)
	code(c, &s.number)
	code(c, &s.ply)
	code(c, &s.left)
	codeSigned(c, &s.clock)
	code(c, &s.played)
	codeSigned(c, &s.score)
	code(c, &s.result)
	code(c, &s.turned)
	var before past
	oldest := &s.at
	if !c.reading && s.past != nil {
		before, oldest = *s.past, &s.past.boards[s.past.n-1]
	}
	filled := 0
	if before.filled {
		filled = 1
	}
	code(c, &before.repeated)
	code(c, &filled)
	if !c.reading {
		c.b, _ = oldest.AppendBinary(c.b)
	} else if len(c.b) < position.BinarySize || s.at.UnmarshalBinary(c.b[:position.BinarySize]) != nil {
		c.bad = true
		return
	} else {
		c.b = c.b[position.BinarySize:]
	}
	codeList(c, &s.line, code[moveindex.Index])
	if !c.reading || c.bad || len(s.line) >= lc0History {
		c.bad = c.bad || c.reading
		return
	}
	p.n, p.filled = 0, filled == 1
	p.push(&s.at, false)
	for _, w := range s.line {
		s.at.MakeIndex(w)
		p.push(&s.at, false)
	}
	p.repeated, s.past = before.repeated, p
}

// errTemporary: something else wrote to a temporary file.
var errTemporary = errors.New("the temporary file is damaged")

// append appends the position, as decode reads it.
func (s *sample) append(dst []byte) []byte {
	c := coder{b: dst}
	s.code(&c, nil)
	return c.b
}

// decode reads a position, with the boards before it into p.
func (s *sample) decode(b []byte, p *past) error {
	*s = sample{line: s.line[:0]}
	c := coder{b: b, reading: true}
	if s.code(&c, p); c.bad {
		return errTemporary
	}
	return nil
}
