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

// A data set of more archives than one process reads: Plan.Rows gives the rows of an archive, which others sort,
// Plan.WriteRows writes those of a shard, and Plan.Manifest describes all. The bytes are those of Export with the same
// job.

// Row is a row of a data set of many archives. Rows are sorted by Turn, then by Place.
type Row struct {
	Turn, Place uint64
	// Same is the hash of a position if the job has each once: of one hash, the row of the smallest Place is kept.
	Same uint64
	// Data is what WriteRows takes. It is valid until the next row.
	Data []byte
}

// Totals are counts of an archive, or of all.
type Totals struct {
	Games   int
	Plies   int64
	LeftOut int // games that a format of positions cannot hold
	Rows    int // with duplicates
}

func (t *Totals) Add(o Totals) {
	t.Games, t.Plies, t.LeftOut, t.Rows = t.Games+o.Games, t.Plies+o.Plies, t.LeftOut+o.LeftOut, t.Rows+o.Rows
}

// placeBits of Row.Place number the rows of an archive.
const placeBits = 40

// InputOf describes an archive.
func InputOf(source query.Source) (Input, error) {
	_, inputs, err := plan([]query.Source{source}, 1)
	if err != nil {
		return Input{}, err
	}
	return inputs[0], nil
}

// Rows calls yield with the rows of archive number, from 0, of the data set, and returns its counts. The plan must have
// a seed.
//
// Errors are those of Export.
func (p *Plan) Rows(ctx context.Context, q *query.Query, source query.Source, number int, yield func(*Row) error) (
	t Totals, err error) {
	if !p.Shuffle || number < 0 || number >= 1<<(64-placeBits) {
		return t, fmt.Errorf("%w: rows of many archives need a seed, and archives are at most %d", codec.ErrOption,
			1<<(64-placeBits))
	}
	x := &export{Plan: p, w: &writer{p: p}, q: q, sources: []query.Source{source}, first: number}
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
	if p.apart() {
		err = x.gatherPositions(ctx, 1, func(s *sample, _ uint64, data []byte) error {
			row.Turn = p.turnOf(s)
			if p.Dedupe {
				row.Same = s.at.Hash()
			}
			return give(data)
		})
		return x.w.total.Totals, err
	}
	t.Games, t.Plies, err = x.scan(ctx, x.plan[0], 1, func(record []byte) error {
		source, k := binary.Uvarint(record)
		game, _ := binary.Uvarint(record[k:])
		row.Turn = p.turn(source, game, 0)
		t.Rows++
		return give(record)
	})
	return t, err
}

// WriteRows writes a shard to dst: feed calls its function with the Data of each row in order. The inputs are all
// archives in the order of their numbers. The format must be one that Streams.
//
// Errors are those of ctx, feed and dst.
func (p *Plan) WriteRows(ctx context.Context, inputs []Input, dst io.Writer,
	feed func(take func(data []byte) error) error) (Shard, error) {
	w := writer{p: p, o: Options{Stream: dst}, m: Manifest{Inputs: inputs}}
	return w.shard(0, func(to sink, s *Shard) error { return feed(p.rowTaker(ctx, to, s)) })
}

// Manifest returns the manifest of all shards in order, each as WriteRows returns it but with its number and files. The
// totals are those of all archives.
func (p *Plan) Manifest(inputs []Input, shards []Shard, all Totals) *Manifest {
	w := writer{p: p, m: p.manifest(inputs), total: totals{Totals: all}}
	w.m.Shards, w.m.Complete = shards, true
	if p.Dedupe {
		w.total.duplicates = all.Rows
		for _, s := range shards {
			w.total.duplicates -= s.Rows
		}
	}
	w.count()
	return &w.m
}
