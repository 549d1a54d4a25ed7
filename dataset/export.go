// SPDX-License-Identifier: Apache-2.0

package dataset

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"ply11/bitstream/archive"
	"ply11/game/codec"
	"ply11/internal/extsort"
	"ply11/internal/httprange"
	"ply11/query"
)

// Options are those of an export.
type Options struct {
	Job
	// Output is the folder, or the file if Single is set.
	Output string
	// Single writes one file with the manifest beside it, in a format of one file a shard.
	Single bool
	// Stream, if not nil, gets the one file, without a manifest.
	Stream io.Writer
	// Card is the licence by Hugging Face's name; if it is not "", README.md is written with it.
	Card string
	// Force replaces other data sets and files.
	Force bool
	// Mode is the permissions of files; 0 is 0644.
	Mode fs.FileMode
	// Workers is the number of goroutines; 0 is one for each processor, at most 4. Results do not depend on it.
	Workers int
	// Progress is called by one goroutine at a time, with bytes of archives that are done, and games and plies that
	// were taken.
	Progress func(bytes int64, games int, plies int64)
}

// format is a format's part in an export.
type format struct {
	name, ext, description string
	positions              bool // a row is a position
	arrays                 bool // labels, planes and chances are written
	chains                 bool // positions of a game stay together, and a shuffle moves games
	engine                 bool // games that engines cannot hold are left out
	chess960               bool // an engine of Chess960
	past                   bool // positions before are wanted
	many                   bool // several files a shard
	want                   parts
	side                   int // shards made at once, at most, for their memory; 0 is no bound
	// check completes or refuses options.
	check    func(j *Job) error
	describe func(j *Job) (*Labels, []Array)
	create   func(j *Job, out *output) (sink, error)
}

type sink interface {
	game(g *Game) error
	sample(s *sample) error
	end(shard *Shard) error // writes the rest
}

// ofGames and ofPositions refuse the other kind of row.
type (
	ofGames     struct{}
	ofPositions struct{}
)

func (ofGames) sample(*sample) error { panic("a format of games") }

func (ofPositions) game(*Game) error { panic("a format of positions") }

// Format describes a format.
type Format struct {
	Name, Extension, Description string
	// Positions: a row is a position, not a game.
	Positions bool
	// Folder: a shard is several files.
	Folder bool
	// Streams: it can be written to Options.Stream.
	Streams bool
}

// Formats lists the formats of Export.
func Formats() (list []Format) {
	for _, f := range formats {
		list = append(list, f.public())
	}
	return list
}

func (f *format) public() Format {
	return Format{f.name, f.ext, f.description, f.positions, f.many, !f.many}
}

func formatOf(name string) (*format, error) {
	names := ""
	for i := range formats {
		if formats[i].name == name {
			return &formats[i], nil
		}
		names += ", " + formats[i].name
	}
	return nil, fmt.Errorf("%w: there is no format %q; there are %s", codec.ErrOption, name, names[2:])
}

// check verifies and completes the options.
func (o *Options) check() (*Plan, error) {
	p, err := NewPlan(o.Job)
	if err != nil {
		return nil, err
	}
	folder := !o.Single && o.Stream == nil
	bad := func(text string, args ...any) (*Plan, error) {
		return nil, fmt.Errorf("%w: "+text, append([]any{codec.ErrOption}, args...)...)
	}
	switch {
	case !folder && p.sized():
		return bad("shard-rows and shard-bytes need a folder")
	case !folder && (p.Shards != 1 || p.f.many):
		return bad("the format %s in %d shards is several files, which need a folder", p.f.name, p.Shards)
	case !folder && o.Card != "":
		return bad("a card needs a folder")
	case strings.ContainsFunc(o.Card, func(r rune) bool { return r <= ' ' || r > '~' || r == ':' || r == '#' }):
		return bad("a licence has a name as cc0-1.0, and not %q", o.Card)
	case o.Workers < 0:
		return bad("workers are 0 or more, not %d", o.Workers)
	}
	o.Mode = cmp.Or(o.Mode, 0o644)
	return p, nil
}

var maxShards = 99999

// piece is a block of a shard, or a part of it.
type piece struct {
	source, block int32
	from, to      int // games of the block
	first, last   int // those that are meant
}

// plan splits the games into parts of equal numbers, in their order.
func plan(sources []query.Source, parts int) (shards [][]piece, inputs []Input, err error) {
	var all []piece
	total := uint64(0)
	for i, s := range sources {
		r, err := archive.NewReader(s.Reader, s.Size)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", s.Name, err)
		}
		stats := r.Stats()
		in := Input{Name: filepath.Base(httprange.Name(s.Name)), Bytes: s.Size, Games: stats.Games, Plies: stats.Plies}
		if stats.Hashed {
			in.SHA256 = hexOf(stats.SHA256[:])
		} else {
			digest := r.Digest()
			in.Digest = hexOf(digest[:])
		}
		inputs = append(inputs, in)
		for b := 1; b <= r.Blocks(); b++ {
			place, err := r.Place(b)
			if err != nil {
				return nil, nil, fmt.Errorf("%s: %w", s.Name, err)
			}
			if place.Games > 0 {
				last := place.First + place.Games - 1
				all = append(all, piece{int32(i), int32(b), place.First, last, place.First, last})
				total += uint64(place.Games)
			}
		}
	}
	shards = make([][]piece, parts)
	at, k := uint64(0), 0 // games before the piece, and the first shard that may have some
	for _, p := range all {
		n := uint64(p.to - p.from + 1)
		for ; k < parts; k++ {
			low, high := ShardStart(k, parts, total), ShardStart(k+1, parts, total)
			if low >= at+n {
				break
			}
			if high <= at {
				continue
			}
			q := p
			q.first, q.last = p.from+int(max(low, at)-at), p.from+int(min(high, at+n)-at)-1
			shards[k] = append(shards[k], q)
			if high >= at+n {
				break // the next piece may be of this shard
			}
		}
		at += n
	}
	return shards, inputs, nil
}

// ShardStart returns the number of rows before shard k, from 0, of n shards.
func ShardStart(k, n int, total uint64) uint64 {
	return total/uint64(n)*uint64(k) + total%uint64(n)*uint64(k)/uint64(n)
}

type export struct {
	*Plan
	w       *writer
	q       *query.Query
	sources []query.Source
	plan    [][]piece
	first   int // number of the first source
	// positions is the number of positions, where ShardRows counts those of whole games.
	positions int
	progress  func(bytes int64, games int, plies int64)

	mu    sync.Mutex
	bytes int64
	games int
	plies int64
}

// Export writes the games of archives that a query finds, and returns the manifest. What an earlier run of the same
// options wrote is kept.
//
// Errors are a codec.ErrOption; a codec.ErrLoss if the format holds none of the games, of which nothing is left;
// ErrBusy if another export writes there; ErrOther if the folder has another data set and Force is not set; those of
// archives, with the source before them; a *codec.Error of an illegal move; those of files; and that of ctx, after
// which an export of the same options goes on.
func Export(ctx context.Context, q *query.Query, sources []query.Source, o Options) (*Manifest, error) {
	p, err := o.check()
	if err != nil {
		return nil, err
	}
	x := &export{Plan: p, q: q, sources: sources, progress: o.Progress}
	pieces := p.Shards
	if p.mixed() {
		pieces = 1
	}
	var inputs []Input
	if x.plan, inputs, err = plan(sources, pieces); err != nil {
		return nil, err
	}
	w := &writer{p: p, o: o, parts: p.Shards, m: p.manifest(inputs)}
	x.w = w
	unlock, err := w.lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	done, err := w.begin()
	if err != nil {
		return nil, err
	}
	for _, s := range w.m.Shards {
		if !p.mixed() { // else all games are read again
			x.games, x.plies = x.games+s.Games, x.plies+s.Plies
		}
	}
	workers := o.Workers
	if workers == 0 {
		workers = min(runtime.GOMAXPROCS(0), 4)
	}
	if w.parts == 0 || len(done) < w.parts {
		if err := x.shards(ctx, done, workers); err != nil {
			return nil, err
		}
	}
	if w.m.LeftOut > 0 && w.m.LeftOut == w.m.Games {
		w.discard()
		return nil, fmt.Errorf("%w: %s holds none of the %d games, which have no result, more than %d pieces, or "+
			"castling of Chess960", codec.ErrLoss, x.f.name, w.m.Games, enginePieces)
	}
	w.m.Complete = true
	if err := w.save(); err != nil {
		return nil, err
	}
	return &w.m, w.besides()
}

// shards writes the shards that are not done.
func (x *export) shards(ctx context.Context, done map[int]bool, workers int) error {
	var rows *extsort.Rows
	if x.mixed() {
		var err error
		if rows, err = x.gather(ctx, workers); err != nil {
			return err
		}
		defer rows.Close()
	}
	if x.w.parts == 0 {
		var err error
		if x.w.parts, err = x.countParts(ctx, rows); err != nil {
			return err
		}
		x.w.dropOthers(done)
	}
	parallel := min(workers, x.w.parts, cmp.Or(x.f.side, workers))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(parallel)
	for k := range x.w.parts {
		if done[k+1] {
			continue
		}
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			shard, err := x.w.shard(k, func(to sink, s *Shard) error {
				if rows != nil {
					n := rows.Len()
					return x.feed(ctx, rows.Cursor(), ShardStart(k, x.w.parts, n), ShardStart(k+1, x.w.parts, n), to, s)
				}
				_, _, err := x.scan(ctx, x.plan[k], max(1, workers/parallel), x.taker(to, s))
				return err
			})
			if err == nil {
				err = x.w.add(shard)
			}
			return err
		})
	}
	return group.Wait()
}

// scanned returns the sources of a scan of pieces, their numbers, and what reports whether a game is meant.
func (x *export) scanned(pieces []piece) (sources []query.Source, origin []int, meant func(source, number int) bool) {
	var partial []piece
	for _, p := range pieces {
		if n := len(origin); n == 0 || origin[n-1] != int(p.source) {
			s := x.sources[p.source]
			s.Blocks = []int{}
			sources, origin = append(sources, s), append(origin, int(p.source))
		}
		s := &sources[len(sources)-1]
		s.Blocks = append(s.Blocks, int(p.block))
		if p.first != p.from || p.last != p.to {
			partial = append(partial, p)
		}
	}
	return sources, origin, func(source, number int) bool {
		for _, p := range partial {
			if int(p.source) == source && number >= p.from && number <= p.to && (number < p.first || number > p.last) {
				return false
			}
		}
		return true
	}
}

// scan calls take with the records of the games of pieces.
func (x *export) scan(ctx context.Context, pieces []piece, workers int, take func(record []byte) error) (games int,
	plies int64, err error) {
	sources, origin, meant := x.scanned(pieces)
	pool := sync.Pool{New: func() any { return &recorder{want: x.f.want} }}
	o := query.Options{Workers: workers, Progress: func(bytes int64) {
		x.mu.Lock()
		defer x.mu.Unlock()
		if x.bytes += bytes; x.progress != nil {
			x.progress(x.bytes, x.games, x.plies)
		}
	}}
	for one, err := range query.Games(ctx, sources, x.q, o, func(m *query.Match) (record, error) {
		if !meant(origin[m.Source], m.Number) {
			return record{}, nil
		}
		r := pool.Get().(*recorder)
		defer pool.Put(r)
		taken, err := x.choice.game(m, r)
		if taken && !x.f.positions {
			taken, err = x.choice.row(m, r)
		}
		if !taken || err != nil {
			return record{}, err
		}
		return r.record(m, x.first+origin[m.Source])
	}) {
		if err != nil {
			return games, plies, err
		}
		if one.data == nil {
			continue
		}
		if err := take(one.data); err != nil {
			return games, plies, err
		}
		games, plies = games+1, plies+int64(one.plies)
		x.mu.Lock()
		x.games, x.plies = x.games+1, x.plies+int64(one.plies)
		x.mu.Unlock()
	}
	return games, plies, nil
}
