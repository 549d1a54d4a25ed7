// SPDX-License-Identifier: Apache-2.0

package dataset

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"ply11/game"
	"ply11/game/codec"
	"ply11/internal/extsort"
	"ply11/moveindex"
	"ply11/position"
)

// A shuffle, an order, --dedupe and shards of a size need all rows before the first is written. Rows are sorted through
// temporary files, in bounded memory: for --dedupe by hashes, then by the seed's numbers, dates, or places.

// sized reports whether the number of shards follows from their size.
func (j *Job) sized() bool { return j.ShardRows != 0 || j.ShardBytes != 0 }

// totals are counts of positions apart, for all shards.
type totals struct {
	Totals
	duplicates int
}

// sortMemory is about how many bytes of rows are sorted in memory.
const sortMemory = 32 << 20

// sortKey is a row's key: it is sorted by its turn, then by its number.
func sortKey(turn, n uint64) []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(make([]byte, 0, turnBytes+8), turn), n)
}

const turnBytes = 8

// A trial of some rows is for the bytes of all.
var (
	// of whole games for positions, as many games as have so many plies
	trialRows   uint64 = 1 << 16
	trialPieces        = 64 // places from which they are taken
)

// countParts returns the number of shards of a given size.
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
	need = max(1, min(need, n))
	if need > uint64(maxShards) {
		return 0, fmt.Errorf("%w: it would be %d shards, and more than %d; make them larger", codec.ErrOption, need,
			maxShards)
	}
	return int(need), nil
}

// trial writes some rows, does not keep them, and returns how many bytes and rows they were.
func (x *export) trial(ctx context.Context, rows *extsort.Rows) (bytes int64, of uint64, err error) {
	out := &output{w: x.w, base: filepath.Join(x.w.o.Output, "trial")}
	defer out.abandon()
	to, err := out.begin()
	if err != nil {
		return 0, 0, err
	}
	n, most := rows.Len(), trialRows
	if x.f.positions && !x.apart() { // a row is a game
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
		from := ShardStart(k, pieces, n)
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

// scatter is a step of SplitMix64 (Steele, Lea and Flood 2014), with the numbers of Stafford's thirteenth mix: each bit
// depends on all bits.
func scatter(v uint64) uint64 {
	v += 0x9e3779b97f4a7c15
	v = (v ^ v>>30) * 0xbf58476d1ce4e5b9
	v = (v ^ v>>27) * 0x94d049bb133111eb
	return v ^ v>>31
}

func (x *export) gather(ctx context.Context, workers int) (*extsort.Rows, error) {
	path := cmp.Or(x.w.path, filepath.Join(os.TempDir(), "x")) // temporary files are beside it
	rows := extsort.NewRows(path, sortMemory, 0)
	var err error
	switch {
	case !x.apart():
		err = x.gatherGames(ctx, rows, workers)
	case !x.Dedupe:
		err = x.gatherPositions(ctx, workers, func(s *sample, n uint64, row []byte) error {
			if !x.Shuffle {
				return rows.Add(sortKey(0, n), row)
			}
			return rows.Add(sortKey(x.turnOf(s), n), row)
		})
	default:
		once := extsort.NewRows(path, sortMemory, turnBytes)
		defer once.Close()
		err = x.gatherPositions(ctx, workers, func(s *sample, n uint64, row []byte) error {
			return once.Add(sortKey(s.at.Hash(), n), row)
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

func (x *export) gatherGames(ctx context.Context, rows *extsort.Rows, workers int) error {
	n := uint64(0)
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
			return rows.Add(sortKey(g.day(), n), record)
		case !x.Shuffle:
			return rows.Add(sortKey(0, n), record)
		}
		source, k := binary.Uvarint(record)
		number, _ := binary.Uvarint(record[k:])
		return rows.Add(sortKey(x.turn(source, number, 0), n), record)
	})
	return err
}

// day is larger for a later Date, or UTCDate where that has no year. What is open is before all else.
func (g *Game) day() uint64 {
	year, month, day, _ := game.DateOf(game.DateTag(g.Tag("Date"), g.Tag("UTCDate")))
	return uint64(year)<<9 | uint64(month)<<5 | uint64(day)
}

// gatherPositions calls add with positions, their numbers from 0, and their rows, and counts them in total.
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

// pass adds the first of each position in the order that is wanted.
func (x *export) pass(rows, once *extsort.Rows) error {
	x.w.total.duplicates = x.w.total.Rows
	var s sample
	var p past
	return once.Each(func(key, row []byte) error {
		x.w.total.duplicates--
		n := binary.BigEndian.Uint64(key[turnBytes:])
		if !x.Shuffle {
			return rows.Add(sortKey(0, n), row)
		}
		if err := s.decode(row, &p); err != nil {
			return err
		}
		return rows.Add(sortKey(x.turnOf(&s), n), row)
	})
}

// feed gives a shard the rows from from to before.
func (x *export) feed(ctx context.Context, rows *extsort.Cursor, from, before uint64, to sink, s *Shard) error {
	take := x.rowTaker(ctx, to, s)
	return rows.Each(from, before, func(_, row []byte) error { return take(row) })
}

// code codes the position for a temporary file. Boards before it are the first of them and the moves that follow; they
// are read into p.
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

var errTemporary = errors.New("the temporary file is damaged")

func (s *sample) append(dst []byte) []byte {
	c := coder{b: dst}
	s.code(&c, nil)
	return c.b
}

func (s *sample) decode(b []byte, p *past) error {
	*s = sample{line: s.line[:0]}
	c := coder{b: b, reading: true}
	if s.code(&c, p); c.bad {
		return errTemporary
	}
	return nil
}
