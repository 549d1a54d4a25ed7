// SPDX-License-Identifier: Apache-2.0

package dataset

import (
	"cmp"
	"context"
	"fmt"

	"ply11/game"
	"ply11/game/codec"
)

// Plan is a verified job: which rows a data set has, in which order, and how they are written.
type Plan struct {
	Job
	f      *format
	choice choice
}

// NewPlan verifies and completes a job. Errors are codec.ErrOption.
func NewPlan(j Job) (*Plan, error) {
	f, err := formatOf(j.Format)
	if err != nil {
		return nil, err
	}
	if !j.sized() {
		j.Shards = cmp.Or(j.Shards, 1)
	}
	bad := func(text string, args ...any) (*Plan, error) {
		return nil, fmt.Errorf("%w: "+text, append([]any{codec.ErrOption}, args...)...)
	}
	switch {
	case j.ShardRows < 0 || j.ShardBytes < 0:
		return bad("shard-rows and shard-bytes are above 0")
	case j.sized() && (j.Shards != 0 || j.ShardRows != 0 && j.ShardBytes != 0):
		return bad("shards, shard-rows and shard-bytes exclude each other")
	case !j.sized() && (j.Shards < 1 || j.Shards > maxShards):
		return bad("shards are 1 to %d, not %d", maxShards, j.Shards)
	case !f.positions && (j.FromPly != 0 || j.ToPly != 0 || j.Every != 0 || j.Dedupe || j.Legal || j.PerGame != 0 ||
		j.MaxEval != 0 || j.Only != nil || j.Augment != nil):
		return bad("the format %s has a row for each game; from-ply, to-ply, every, dedupe, legal, per-game, "+
			"max-eval, only and augment are for positions", f.name)
	case !f.arrays && (j.Labels != "" || j.LabelType != "" || j.Planes != "" || j.WDL != ""):
		return bad("the format %s has no arrays; labels, label-type, planes and wdl are for npy, npz, tfrecord and "+
			"webdataset", f.name)
	case j.Legal && !f.arrays && f.name != "parquet-positions":
		return bad("the format %s has no legal moves; legal is for npy, npz, tfrecord, webdataset and "+
			"parquet-positions", f.name)
	case j.Batch != 0 && f.name != "webdataset" || j.Batch < 0:
		return bad("a batch is of the format webdataset, and above 0")
	case j.Sort != "" && j.Sort != "date":
		return bad("rows are sorted by date, and not by %q", j.Sort)
	case j.Sort != "" && (f.positions || j.Shuffle):
		return bad("sort is for formats with a row for each game, and not with a seed")
	case f.chains && j.Augment != nil:
		return bad("the positions of a game follow each other in the format %s; augment is for others", f.name)
	case j.FromPly < 0 || j.ToPly < 0 || j.Every < 0 || j.ToPly > 0 && j.ToPly < j.FromPly:
		return bad("plies are 0 or more, and the last is not before the first")
	}
	if !j.Shuffle && j.Seed != 0 {
		return bad("a seed is for a shuffle")
	}
	if f.positions {
		j.Every = cmp.Or(j.Every, 1)
	}
	p := &Plan{Job: j, f: f}
	if p.choice, err = p.Job.choice(); err != nil {
		return nil, fmt.Errorf("%w: %w", codec.ErrOption, err)
	}
	if f.check != nil {
		if err := f.check(&p.Job); err != nil {
			return nil, fmt.Errorf("%w: %w", codec.ErrOption, err)
		}
	}
	if p.Filters == nil {
		p.Filters = []string{}
	}
	if p.NoMovetext {
		if f.want&wantText == 0 {
			return bad("the format %s has no movetext", f.name)
		}
		without := *f
		without.want &^= wantText
		p.f = &without
	}
	return p, nil
}

func (p *Plan) Format() Format { return p.f.public() }

func (p *Plan) manifest(inputs []Input) Manifest {
	m := Manifest{Program: program, Version: manifestVersion, Job: p.Job, Inputs: inputs, MoveOrder: theOrder,
		Shards: []Shard{}}
	if p.f.describe != nil {
		m.Labels, m.Arrays = p.f.describe(&p.Job)
	}
	return m
}

// wantsPast reports whether positions before are wanted.
func (p *Plan) wantsPast() bool { return p.f.past || planesOfLC0(p.Planes) }

func (p *Plan) leavesOut(g *Game) bool {
	return p.f.engine && (g.Result == game.Unknown || g.Start.Occupied().Count() > enginePieces ||
		g.Start.IsChess960() &&
			!p.f.chess960)
}

// taker returns what takes records of games for a shard.
func (p *Plan) taker(to sink, s *Shard) func(record []byte) error {
	var g Game
	give := func(g *Game) error {
		s.Rows++
		return to.game(g)
	}
	if p.f.positions {
		give = newSampler(&p.Job, &p.choice, p.wantsPast(), func(one *sample) error {
			s.Rows++
			return to.sample(one)
		}).game
	}
	return func(record []byte) error {
		if err := g.decode(record, p.f.want); err != nil {
			return err
		}
		s.Games++
		s.Plies += int64(len(g.Moves))
		if p.leavesOut(&g) {
			s.LeftOut++
			return nil
		}
		return give(&g)
	}
}

func (p *Plan) mixed() bool { return p.Shuffle || p.Dedupe || p.Sort != "" || p.sized() }

// apart reports whether these rows are positions. Then a shard has positions of any game.
func (p *Plan) apart() bool { return p.mixed() && p.f.positions && (p.Dedupe || !p.f.chains) }

// turn is the seed's number of a game, or of its position after ply-1 plies.
func (p *Plan) turn(source, number, ply uint64) uint64 {
	return scatter(scatter(scatter(scatter(p.Seed)+source)+number) + ply)
}

// turnOf is the turn of a position, or of its game where positions stay together.
func (p *Plan) turnOf(s *sample) uint64 {
	if p.f.chains {
		return p.turn(uint64(s.source), uint64(s.number), 0)
	}
	return p.turn(uint64(s.source), uint64(s.number), uint64(s.ply)+1+uint64(s.turned)<<32)
}

// rowTaker returns what takes sorted rows for a shard, and asks ctx now and then.
func (p *Plan) rowTaker(ctx context.Context, to sink, s *Shard) func(row []byte) error {
	take := p.taker(to, s)
	if p.apart() {
		take = p.positionTaker(to, s)
	}
	n := 0
	return func(row []byte) error {
		if n++; n&1023 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		return take(row)
	}
}

func (p *Plan) positionTaker(to sink, s *Shard) func(row []byte) error {
	var before past
	var one sample
	return func(row []byte) error {
		if err := one.decode(row, &before); err != nil {
			return err
		}
		if !p.wantsPast() {
			one.past = nil
		}
		s.Rows++
		return to.sample(&one)
	}
}
