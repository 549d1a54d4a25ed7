// SPDX-License-Identifier: Apache-2.0

package dataset

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"

	"ply11/game/codec"
	"ply11/query"
)

// A data set of more archives than one process reads: for each archive Rows gives the rows, which others sort,
// WriteRows writes those of a shard, and ManifestOf tells of all. The shards and the manifest have the bytes that
// Export writes of all archives with the same job.

// Row is a row of a data set of many archives. Rows are sorted by Turn, and those of one Turn by Place.
type Row struct {
	Turn, Place uint64
	// Same is the hash of a position, if the job is to have each once: of those of one hash, the one of the smallest
	// Place is kept.
	Same uint64
	// Data is what WriteRows takes. It is valid until the next row.
	Data []byte
}

// Totals are what is counted of an archive, or of all.
type Totals struct {
	Games   int   // that were taken
	Plies   int64 // of them
	LeftOut int   // of positions: the games that the format cannot hold
	Rows    int   // also those that come again
}

// Add adds those of more archives.
func (t *Totals) Add(o Totals) {
	t.Games, t.Plies, t.LeftOut, t.Rows = t.Games+o.Games, t.Plies+o.Plies, t.LeftOut+o.LeftOut, t.Rows+o.Rows
}

// placeBits are those of Row.Place that number the rows of an archive.
const placeBits = 40

// ShardStart is the number of rows before shard k, from 0, of n shards of so many rows in all.
func ShardStart(k, n int, rows uint64) uint64 { return bound(k, n, rows) }

// InputOf tells of an archive.
func InputOf(source query.Source) (Input, error) {
	_, inputs, err := plan([]query.Source{source}, 1)
	if err != nil {
		return Input{}, err
	}
	return inputs[0], nil
}

// Rows calls yield with the rows of an archive, which is the one with a number, from 0, among those of the data set.
// The job is to have a seed. It returns what it has counted of the archive.
//
// Errors are those of Export.
func Rows(ctx context.Context, q *query.Query, source query.Source, number int, j Job, yield func(*Row) error) (
	t Totals, err error) {
	x, err := part(j, nil)
	if err != nil {
		return t, err
	}
	if !j.Shuffle || number < 0 || number >= 1<<(64-placeBits) {
		return t, fmt.Errorf("%w: rows of many archives need a seed, and archives are at most %d", codec.ErrOption,
			1<<(64-placeBits))
	}
	x.q, x.sources, x.first = q, []query.Source{source}, number
	if x.plan, _, err = plan(x.sources, 1); err != nil {
		return t, err
	}
	row := Row{Place: uint64(number) << placeBits}
	give := func(data []byte) error {
		row.Data = data
		err := yield(&row)
		row.Place++
		return err
	}
	if x.apart() {
		err = x.gatherPositions(ctx, 1, func(s *sample, _ uint64, data []byte) error {
			row.Turn = x.turnOf(s)
			if j.Dedupe {
				row.Same = s.at.Hash()
			}
			return give(data)
		})
		return x.total.Totals, err
	}
	t.Games, t.Plies, err = x.scan(ctx, x.plan[0], 1, func(record []byte) error {
		source, k := binary.Uvarint(record)
		game, _ := binary.Uvarint(record[k:])
		row.Turn = x.turn(source, game, 0)
		t.Rows++
		return give(record)
	})
	return t, err
}

// WriteRows writes a shard of rows, in their order, to w: feed calls its function with the Data of each. The inputs are
// all archives of the data set, in the order of their numbers.
//
// Errors are a codec.ErrOption, and those of ctx, feed and w.
func WriteRows(ctx context.Context, j Job, inputs []Input, w io.Writer, feed func(take func(data []byte) error) error) (
	Shard, error) {
	x, err := part(j, w)
	if err != nil {
		return Shard{}, err
	}
	x.m.Inputs = inputs
	return x.shard(0, func(to sink, s *Shard) error { return feed(x.rowTaker(ctx, to, s)) })
}

// ManifestOf returns the manifest of all shards, in their order, each as WriteRows tells of it, but with its number and
// files. The job has the number of shards; the totals are those of all archives.
//
// An error is a codec.ErrOption.
func ManifestOf(j Job, inputs []Input, shards []Shard, all Totals) (*Manifest, error) {
	x, err := part(j, nil)
	if err != nil {
		return nil, err
	}
	whole := x.o.Job
	whole.Shards = j.Shards
	x.describe(whole)
	x.m.Inputs, x.m.Shards, x.m.Complete = inputs, shards, true
	x.total.Totals = all
	if j.Dedupe {
		x.total.duplicates = all.Rows
		for _, s := range shards {
			x.total.duplicates -= s.Rows
		}
	}
	return &x.m, x.save()
}

// part begins a part of an export that many processes do.
func part(j Job, w io.Writer) (*export, error) {
	j.Shards = 0
	x := &export{o: Options{Job: j, Stream: w, Workers: 1}, parts: 1}
	if w == nil {
		x.o.Stream = io.Discard
	}
	var err error
	if x.f, err = x.o.check(); err == nil {
		x.choice, err = x.o.choice()
	}
	return x, err
}
