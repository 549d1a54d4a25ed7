// SPDX-License-Identifier: Apache-2.0

package dataset

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/game/codec"
	"ply11/internal/extsort"
	"ply11/internal/httprange"
	"ply11/internal/tempfile"
	"ply11/query"
)

// Options of an export.
type Options struct {
	Job
	// Output is the folder of the data set, or its file if Single is set.
	Output string
	// Single writes one file and the manifest beside it, and no folder. It takes a format that has one file a shard.
	Single bool
	// Stream, if not nil, gets the one file, and there is no manifest.
	Stream io.Writer
	// Card is the licence of the data set, by a name of Hugging Face's; if it is not "", a page with that licence,
	// README.md, is written into the folder.
	Card string
	// Force replaces a data set that was made otherwise, and files that are none.
	Force bool
	// Mode is the permissions of files; 0 is 0644.
	Mode fs.FileMode
	// Workers is the number of goroutines; 0 is one for each processor, at most 4. The result does not depend on it.
	Workers int
	// Progress is called now and then, in one goroutine at a time, with the bytes of archives that are done, and the
	// games and plies that were taken.
	Progress func(bytes int64, games int, plies int64)
}

// The format's part in an export.
type format struct {
	name, ext, description string
	positions              bool  // a row is a position, and not a game
	arrays                 bool  // of positions: labels, planes and the chances of evaluations are written
	chains                 bool  // of positions: those of a game stay together, and a shuffle moves games
	engine                 bool  // games that the formats of engines cannot hold are left out
	chess960               bool  // of engines: games of Chess960 are held
	past                   bool  // of positions: those before are wanted, too
	many                   bool  // a shard has several files
	patched                bool  // the beginning of a file is written last
	want                   parts // of games
	side                   int   // shards that are made side by side at the most, for their memory; 0 is no bound
	// check completes the options, and refuses what does not fit.
	check func(j *Job) error
	// describe tells of the labels and arrays.
	describe func(j *Job) (*Labels, []Array)
	// create begins a shard, whose files have names that begin with base.
	create func(j *Job, out *output, base string) (sink, error)
}

// sink takes the games or positions of a shard.
type sink interface {
	game(g *Game) error     // of formats of games
	sample(s *sample) error // of formats of positions
	end(shard *Shard) error // writes what is left
}

// Format describes a format.
type Format struct {
	Name, Extension, Description string
	// Positions tells that a row is a position, and not a game.
	Positions bool
	// Folder tells that a shard is several files.
	Folder bool
	// Streams tells that it can be written to Options.Stream.
	Streams bool
}

// Formats lists the formats that Export writes.
func Formats() (list []Format) {
	for _, f := range formats {
		list = append(list, Format{f.name, f.ext, f.description, f.positions, f.many, !f.many})
	}
	return list
}

// formatOf finds a format by its name.
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

// maxShards is the most shards.
var maxShards = 99999

// Check verifies a job that is written to a stream, and completes it as its manifest has it. An error is a
// codec.ErrOption.
func (j *Job) Check() error {
	o := Options{Job: *j, Stream: io.Discard}
	_, err := o.check()
	if err == nil {
		*j = o.Job
	}
	return err
}

// check verifies the options, and completes them.
func (o *Options) check() (*format, error) {
	f, err := formatOf(o.Format)
	if err != nil {
		return nil, err
	}
	if !o.sized() {
		o.Shards = cmp.Or(o.Shards, 1)
	}
	bad := func(text string, args ...any) (*format, error) {
		return nil, fmt.Errorf("%w: "+text, append([]any{codec.ErrOption}, args...)...)
	}
	switch {
	case o.ShardRows < 0 || o.ShardBytes < 0:
		return bad("shard-rows and shard-bytes are above 0")
	case o.sized() && (o.Shards != 0 || o.ShardRows != 0 && o.ShardBytes != 0):
		return bad("shards, shard-rows and shard-bytes exclude each other")
	case o.sized() && (o.Single || o.Stream != nil):
		return bad("shard-rows and shard-bytes need a folder")
	case !o.sized() && (o.Shards < 1 || o.Shards > maxShards):
		return bad("shards are 1 to %d, not %d", maxShards, o.Shards)
	case (o.Single || o.Stream != nil) && (o.Shards != 1 || f.many):
		return bad("the format %s in %d shards is several files, which need a folder", f.name, o.Shards)
	case o.Card != "" && (o.Single || o.Stream != nil):
		return bad("a card needs a folder")
	case strings.ContainsFunc(o.Card, func(r rune) bool { return r <= ' ' || r > '~' || r == ':' || r == '#' }):
		return bad("a licence has a name as cc0-1.0, and not %q", o.Card)
	case o.Workers < 0:
		return bad("workers are 0 or more, not %d", o.Workers)
	case !f.positions && (o.FromPly != 0 || o.ToPly != 0 || o.Every != 0 || o.Dedupe || o.Legal || o.PerGame != 0 ||
		o.MaxEval != 0 || o.Only != nil || o.Augment != nil):
		return bad("the format %s has a row for each game; from-ply, to-ply, every, dedupe, legal, per-game, "+
			"max-eval, only and augment are for positions", f.name)
	case !f.arrays && (o.Labels != "" || o.LabelType != "" || o.Planes != "" || o.WDL != ""):
		return bad("the format %s has no arrays; labels, label-type, planes and wdl are for npy, npz, tfrecord and "+
			"webdataset", f.name)
	case o.Legal && !f.arrays && f.name != "parquet-positions":
		return bad("the format %s has no legal moves; legal is for npy, npz, tfrecord, webdataset and "+
			"parquet-positions", f.name)
	case o.Batch != 0 && f.name != "webdataset" || o.Batch < 0:
		return bad("a batch is of the format webdataset, and above 0")
	case o.Sort != "" && o.Sort != "date":
		return bad("rows are sorted by date, and not by %q", o.Sort)
	case o.Sort != "" && (f.positions || o.Shuffle):
		return bad("sort is for formats with a row for each game, and not with a seed")
	case f.chains && o.Augment != nil:
		return bad("the positions of a game follow each other in the format %s; augment is for others", f.name)
	case o.FromPly < 0 || o.ToPly < 0 || o.Every < 0 || o.ToPly > 0 && o.ToPly < o.FromPly:
		return bad("plies are 0 or more, and the last is not before the first")
	}
	if !o.Shuffle && o.Seed != 0 {
		return bad("a seed is for a shuffle")
	}
	if f.positions {
		o.Every = cmp.Or(o.Every, 1)
	}
	if _, err := o.choice(); err != nil {
		return nil, fmt.Errorf("%w: %w", codec.ErrOption, err)
	}
	if f.check != nil {
		if err := f.check(&o.Job); err != nil {
			return nil, fmt.Errorf("%w: %w", codec.ErrOption, err)
		}
	}
	if o.Filters == nil {
		o.Filters = []string{}
	}
	o.Mode = cmp.Or(o.Mode, 0o644)
	if o.NoMovetext {
		if f.want&wantText == 0 {
			return bad("the format %s has no movetext", f.name)
		}
		without := *f
		without.want &^= wantText
		f = &without
	}
	return f, nil
}

// piece is a block, or a part of one, in the order of a shard.
type piece struct {
	source, block int32
	from, to      int // the games of the block, by their numbers in the archive
	first, last   int // those of them that are meant
}

// plan splits the games of the archives into parts of equal numbers, block by block, in the order of the archives.
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
	at, k := uint64(0), 0 // games before the piece, and the first shard that can have some of it
	for _, p := range all {
		n := uint64(p.to - p.from + 1)
		for ; k < parts; k++ {
			low, high := bound(k, parts, total), bound(k+1, parts, total) // the part's games
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
				break // the next piece may go on with this shard
			}
		}
		at += n
	}
	return shards, inputs, nil
}

// bound returns the number of games, or rows, before shard k of n.
func bound(k, n int, total uint64) uint64 {
	return total/uint64(n)*uint64(k) + total%uint64(n)*uint64(k)/uint64(n)
}

// export is a run.
type export struct {
	o       Options
	f       *format
	q       *query.Query
	choice  choice
	sources []query.Source
	plan    [][]piece // of the shards, or of all
	parts   int       // shards; 0 as long as their size does not tell how many there are
	total   totals
	first   int // number of the first source among those of the data set
	// positions is their number, if ShardRows counts those of a format where they stay with their games.
	positions int
	path      string // of the manifest
	m         Manifest

	mu    sync.Mutex
	bytes int64
	games int
	plies int64
}

// Export writes the games of archives that a query finds, and returns the manifest. What was written by an earlier run
// of the same options is kept and not made again.
//
// Errors are a codec.ErrOption; a codec.ErrLoss, if the format can hold none of the games, of which nothing is left
// then; ErrBusy, if another export writes to the same place; ErrOther, if the folder holds another data set and Force
// is not set; those of archives, with the name of the source before them; a *codec.Error of a move that is not legal;
// those of files; and that of ctx, after which an export of the same options goes on with the shards that are not done.
func Export(ctx context.Context, q *query.Query, sources []query.Source, o Options) (*Manifest, error) {
	f, err := o.check()
	if err != nil {
		return nil, err
	}
	x := &export{o: o, f: f, q: q, sources: sources, parts: o.Shards}
	if x.choice, err = x.o.choice(); err != nil {
		return nil, err
	}
	x.describe(o.Job)
	pieces := x.parts
	if x.mixed() {
		pieces = 1
	}
	if x.plan, x.m.Inputs, err = plan(sources, pieces); err != nil {
		return nil, err
	}
	unlock, err := x.lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	done, err := x.begin()
	if err != nil {
		return nil, err
	}
	workers := o.Workers
	if workers == 0 {
		workers = min(runtime.GOMAXPROCS(0), 4)
	}
	if x.parts == 0 || len(done) < x.parts {
		if err := x.shards(ctx, done, workers); err != nil {
			return nil, err
		}
	}
	if x.m.LeftOut > 0 && x.m.LeftOut == x.m.Games {
		x.discard()
		return nil, fmt.Errorf("%w: %s holds none of the %d games, which have no result, more than %d men, or "+
			"castling of Chess960", codec.ErrLoss, x.f.name, x.m.Games, engineMen)
	}
	x.m.Complete = true
	if err := x.save(); err != nil {
		return nil, err
	}
	return &x.m, x.besides()
}

// discard removes what was written.
func (x *export) discard() {
	if x.path == "" {
		return
	}
	for _, s := range x.m.Shards {
		for _, f := range s.Files {
			os.Remove(filepath.Join(filepath.Dir(x.path), f.Name))
		}
	}
	os.Remove(x.path)
}

// describe begins the manifest.
func (x *export) describe(j Job) {
	x.m = Manifest{Program: program, Version: manifestVersion, Job: j, MoveOrder: theOrder, Shards: []Shard{}}
	if x.f.describe != nil {
		x.m.Labels, x.m.Arrays = x.f.describe(&x.o.Job)
	}
}

// shards writes those shards that are not done.
func (x *export) shards(ctx context.Context, done map[int]bool, workers int) error {
	var rows *extsort.Rows
	if x.mixed() {
		var err error
		if rows, err = x.gather(ctx, workers); err != nil {
			return err
		}
		defer rows.Close()
	}
	if x.parts == 0 {
		var err error
		if x.parts, err = x.countParts(ctx, rows); err != nil {
			return err
		}
		x.dropOthers(done)
	}
	parallel := min(workers, x.parts, cmp.Or(x.f.side, workers))
	run := 1 // shards that are written one after the other by the same goroutine
	if rows != nil {
		run = max(1, x.parts/parallel/4) // which goes on with the rows that it has sorted
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(parallel)
	for first := 0; first < x.parts; first += run {
		group.Go(func() error {
			var cursor *extsort.Cursor
			if rows != nil {
				cursor = rows.Cursor()
			}
			for k := first; k < min(first+run, x.parts); k++ {
				if err := ctx.Err(); err != nil {
					return err
				}
				if done[k+1] {
					continue
				}
				shard, err := x.shard(k, func(to sink, s *Shard) error {
					if rows != nil {
						return x.feed(ctx, cursor, bound(k, x.parts, rows.Len()), bound(k+1, x.parts, rows.Len()), to,
							s)
					}
					_, _, err := x.scan(ctx, x.plan[k], max(1, workers/parallel), x.taker(to, s))
					return err
				})
				if err == nil {
					err = x.add(shard)
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// manifestName is the name of the manifest in the folder of a data set. That of a single file has the file's name
// before it, and a point.
const manifestName = "manifest.json"

// base is what the names of a shard's files begin with.
func (x *export) base(k int) string {
	if x.o.Single {
		return x.o.Output
	}
	return filepath.Join(x.o.Output, fmt.Sprintf("%05d-of-%05d", k+1, x.parts))
}

// lock makes the folder, and sees to it that no other export writes the same data set. The lock is a file beside the
// manifest.
func (x *export) lock() (unlock func(), err error) {
	if x.o.Stream != nil {
		return func() {}, nil
	}
	x.path = filepath.Join(x.o.Output, manifestName)
	if x.o.Single {
		x.path = x.o.Output + "." + manifestName
	} else if err := os.MkdirAll(x.o.Output, 0o777); err != nil {
		return nil, err
	}
	if unlock, err = tempfile.Lock(x.path + ".lock"); errors.Is(err, tempfile.ErrLocked) {
		err = fmt.Errorf("%s: %w", x.o.Output, ErrBusy)
	}
	return unlock, err
}

// begin looks at what is there, and returns the shards that need not be made again.
func (x *export) begin() (done map[int]bool, err error) {
	if x.path == "" {
		return nil, nil
	}
	if x.o.Card != "" && !x.o.Force && !x.mayWriteCard() {
		return nil, &fs.PathError{Op: "write", Path: filepath.Join(x.o.Output, cardName), Err: fs.ErrExist}
	}
	if !exists(x.path) {
		if err := x.clear(); err != nil {
			return nil, err
		}
		return nil, x.save()
	}
	old, err := ReadManifest(x.path)
	if err != nil && !x.o.Force {
		return nil, err
	}
	if err != nil || !old.same(&x.m) {
		if !x.o.Force {
			return nil, fmt.Errorf("%s: %w", x.o.Output, ErrOther)
		}
		if err == nil {
			for _, s := range old.Shards {
				for _, f := range s.Files {
					if filepath.Base(f.Name) == f.Name { // and no way out of the folder
						os.Remove(filepath.Join(filepath.Dir(x.path), f.Name))
					}
				}
			}
			x.removeBesides(old)
		}
		return nil, x.save()
	}
	done = map[int]bool{}
	for _, s := range old.Shards {
		if s.Number < 1 || done[s.Number] || !x.whole(&s) {
			continue
		}
		done[s.Number] = true
		x.m.Shards = append(x.m.Shards, s)
		x.games += s.Games
		x.plies += s.Plies
	}
	x.total = totals{Totals{Games: old.Games, Plies: old.Plies, LeftOut: old.LeftOut}, old.Duplicates}
	if x.parts > 0 {
		x.dropOthers(done)
	} else if x.parts = len(done); !old.Complete || len(done) != len(old.Shards) ||
		slices.ContainsFunc(x.m.Shards, func(s Shard) bool { return !x.belongs(&s) }) {
		x.parts = 0 // their size tells how many there are
	}
	return done, nil
}

// belongs reports whether a shard is one of those that there are now, by the names of its files.
func (x *export) belongs(s *Shard) bool {
	base := filepath.Base(x.base(s.Number - 1))
	return s.Number <= x.parts && !slices.ContainsFunc(s.Files, func(f File) bool {
		return !strings.HasPrefix(f.Name, base)
	})
}

// dropOthers removes those shards of an earlier run that are of another number of shards.
func (x *export) dropOthers(done map[int]bool) {
	x.m.Shards = slices.DeleteFunc(x.m.Shards, func(s Shard) bool {
		if x.belongs(&s) {
			return false
		}
		for _, f := range s.Files {
			if part, _ := filepath.Match("?????-of-?????*", f.Name); part { // and, by the manifest, with its bytes
				os.Remove(filepath.Join(filepath.Dir(x.path), f.Name))
			}
		}
		delete(done, s.Number)
		x.games -= s.Games
		x.plies -= s.Plies
		return true
	})
}

// clear refuses files in the way of a new data set.
func (x *export) clear() error {
	if x.o.Force {
		return nil
	}
	if x.o.Single {
		if exists(x.o.Output) {
			return &fs.PathError{Op: "write", Path: x.o.Output, Err: fs.ErrExist}
		}
		return nil
	}
	if labels := filepath.Join(x.o.Output, LabelsName); x.m.LabelsText() != nil && exists(labels) {
		return &fs.PathError{Op: "write", Path: labels, Err: fs.ErrExist}
	}
	for k := range max(1, x.parts) {
		pattern := x.base(k) + "*"
		if x.parts == 0 {
			pattern = filepath.Join(x.o.Output, "00001-of-*")
		}
		if list, _ := filepath.Glob(pattern); len(list) > 0 {
			return &fs.PathError{Op: "write", Path: list[0], Err: fs.ErrExist}
		}
		if k == 0 && x.parts > 1000 {
			break // it is the first that a data set has
		}
	}
	return nil
}

// whole reports whether the files of a shard are what the manifest tells.
func (x *export) whole(s *Shard) bool {
	for _, f := range s.Files {
		if filepath.Base(f.Name) != f.Name {
			return false
		}
		in, err := os.Open(filepath.Join(filepath.Dir(x.path), f.Name))
		if err != nil {
			return false
		}
		sum := sha256.New()
		n, err := io.Copy(sum, in)
		in.Close()
		if err != nil || n != f.Bytes || hexOf(sum.Sum(nil)) != f.SHA256 {
			return false
		}
	}
	return len(s.Files) > 0
}

// add puts a shard into the manifest.
func (x *export) add(s Shard) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.m.Shards = append(x.m.Shards, s)
	return x.saveLocked()
}

func (x *export) save() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.saveLocked()
}

func (x *export) saveLocked() error {
	m := &x.m
	slices.SortFunc(m.Shards, func(a, b Shard) int { return a.Number - b.Number })
	m.Games, m.Plies, m.Rows, m.LeftOut = 0, 0, 0, 0
	for _, s := range m.Shards {
		m.Games, m.Plies, m.Rows = m.Games+s.Games, m.Plies+s.Plies, m.Rows+s.Rows
		m.LeftOut += s.LeftOut
	}
	if x.apart() {
		m.Games, m.Plies, m.LeftOut, m.Duplicates = x.total.Games, x.total.Plies, x.total.LeftOut, x.total.duplicates
	}
	if x.path == "" {
		return nil
	}
	return m.write(x.path, x.o.Mode)
}

// scanned returns the sources of a scan of pieces, and what tells whether a game is meant.
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
		for _, p := range partial { // at most two
			if int(p.source) == source && number >= p.from && number <= p.to && (number < p.first || number > p.last) {
				return false
			}
		}
		return true
	}
}

// wantsPast reports whether positions are wanted with those before them.
func (x *export) wantsPast() bool { return x.f.past || planesOfLC0(x.o.Planes) }

// leavesOut reports whether the format cannot hold a game.
func (x *export) leavesOut(g *Game) bool {
	return x.f.engine && (g.Result == game.Unknown || g.Start.Occupied().Count() > engineMen || g.Start.IsChess960() &&
		!x.f.chess960)
}

// scan calls take with the records of the games of pieces, in their order.
func (x *export) scan(ctx context.Context, pieces []piece, workers int, take func(record []byte) error) (games int,
	plies int64, err error) {
	sources, origin, meant := x.scanned(pieces)
	pool := sync.Pool{New: func() any { return &recorder{want: x.f.want} }}
	o := query.Options{Workers: workers, Progress: func(bytes int64) {
		x.mu.Lock()
		defer x.mu.Unlock()
		if x.bytes += bytes; x.o.Progress != nil {
			x.o.Progress(x.bytes, x.games, x.plies)
		}
	}}
	for record, err := range query.Games(ctx, sources, x.q, o, func(m *query.Match) ([]byte, error) {
		if !meant(origin[m.Source], m.Number) {
			return nil, nil
		}
		r := pool.Get().(*recorder)
		defer pool.Put(r)
		taken, err := x.choice.game(m, r)
		if taken && !x.f.positions {
			taken, err = x.choice.row(m, r)
		}
		if !taken || err != nil {
			return nil, err
		}
		return r.append(nil, m, x.first+origin[m.Source])
	}) {
		if err != nil {
			return games, plies, err
		}
		if record == nil {
			continue
		}
		if err := take(record[8:]); err != nil {
			return games, plies, err
		}
		n := int64(binary.LittleEndian.Uint32(record[4:]))
		games, plies = games+1, plies+n
		x.mu.Lock()
		x.games, x.plies = x.games+1, x.plies+n
		x.mu.Unlock()
	}
	return games, plies, nil
}

// taker returns what takes the records of games for a shard.
func (x *export) taker(to sink, s *Shard) func(record []byte) error {
	var g Game
	give := func(g *Game) error {
		s.Rows++
		return to.game(g)
	}
	if x.f.positions {
		give = newSampler(&x.o.Job, &x.choice, x.wantsPast(), func(p *sample) error {
			s.Rows++
			return to.sample(p)
		}).game
	}
	return func(record []byte) error {
		if err := g.decode(record, x.f.want); err != nil {
			return err
		}
		s.Games++
		s.Plies += int64(len(g.Moves))
		if x.leavesOut(&g) {
			s.LeftOut++
			return nil
		}
		return give(&g)
	}
}

// shard writes a shard of what feed gives.
func (x *export) shard(k int, feed func(to sink, s *Shard) error) (s Shard, err error) {
	s = Shard{Number: k + 1, Files: []File{}}
	out := &output{x: x}
	defer out.abandon()
	to, err := x.f.create(&x.o.Job, out, x.base(k))
	if err != nil {
		return s, err
	}
	if err := feed(to, &s); err != nil {
		return s, err
	}
	if err := to.end(&s); err != nil {
		return s, err
	}
	return s, out.publish(&s)
}

// output makes the files of a shard.
type output struct {
	x     *export
	files []*outputFile
}

// fileBuffer is the size of the buffer before a file.
const fileBuffer = 128 << 10

func newBuffer(w io.Writer) *bufio.Writer { return bufio.NewWriterSize(w, fileBuffer) }

// outputFile is a file of a shard. It has no name until it is whole, and never one if path is "".
type outputFile struct {
	*bufio.Writer
	f    *tempfile.File // nil for a stream
	path string
}

// create begins a file.
func (o *output) create(path string) (*outputFile, error) {
	p := &outputFile{path: path}
	if o.x.o.Stream != nil && !o.x.f.patched {
		p.Writer = newBuffer(o.x.o.Stream)
	} else {
		f, err := o.temporary(path)
		if err != nil {
			return nil, err
		}
		p.f, p.Writer = f, newBuffer(f)
	}
	o.files = append(o.files, p)
	return p, nil
}

// temporary makes a file in the folder of the output, or in that for temporary files.
func (o *output) temporary(path string) (*tempfile.File, error) {
	if o.x.o.Stream != nil {
		return tempfile.New()
	}
	return tempfile.Beside(path)
}

// createOne begins the file of a shard that has one.
func (o *output) createOne(base, ext string) (*outputFile, error) {
	if !o.x.o.Single {
		base += ext
	}
	return o.create(base)
}

// publish gives the files their names, and tells of them.
func (o *output) publish(s *Shard) error {
	for _, p := range o.files {
		if err := p.Flush(); err != nil {
			return fmt.Errorf("%s: %w", p.path, err)
		}
		if p.f == nil || p.path == "" {
			continue
		}
		if _, err := p.f.Seek(0, io.SeekStart); err != nil {
			return err
		}
		if o.x.o.Stream != nil {
			if _, err := io.Copy(o.x.o.Stream, p.f); err != nil {
				return err
			}
			continue
		}
		sum := sha256.New()
		n, err := io.Copy(sum, p.f)
		if err != nil {
			return fmt.Errorf("%s: %w", p.path, err)
		}
		s.Files = append(s.Files, File{filepath.Base(p.path), n, hexOf(sum.Sum(nil))})
		if err := p.f.Chmod(o.x.o.Mode); err != nil {
			return err
		}
		if err := p.f.Sync(); err != nil {
			return fmt.Errorf("%s: %w", p.path, err)
		}
	}
	for _, p := range o.files {
		if p.f == nil || p.path == "" || o.x.o.Stream != nil {
			continue
		}
		f := p.f
		p.f = nil
		if err := f.Publish(p.path, true); err != nil {
			return err
		}
	}
	return nil
}

// size is the bytes of all files that are to have names.
func (o *output) size() (bytes int64, err error) {
	for _, p := range o.files {
		if p.path == "" {
			continue
		}
		if err := p.Flush(); err != nil {
			return 0, fmt.Errorf("%s: %w", p.path, err)
		}
		n, err := p.f.Seek(0, io.SeekEnd)
		if err != nil {
			return 0, err
		}
		bytes += n
	}
	return bytes, nil
}

// abandon drops the files that have no names yet.
func (o *output) abandon() {
	for _, p := range o.files {
		if p.f != nil {
			p.f.Close()
			p.f = nil
		}
	}
}
