// SPDX-License-Identifier: Apache-2.0

package pipelines

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"ply11/beam/internal/files"
	"ply11/beam/internal/runs"
	"ply11/beam/p11io"
	"ply11/bitstream/archive"
	"ply11/internal/extsort"
	"ply11/internal/tempfile"
	"ply11/query"
)

func init() {
	beam.RegisterDoFn(reflect.TypeFor[bySizeFn]())
	beam.RegisterDoFn(reflect.TypeFor[wholeFn]())
	beam.RegisterDoFn(reflect.TypeFor[postingsFn]())
	beam.RegisterDoFn(reflect.TypeFor[sortFn]())
	beam.RegisterDoFn(reflect.TypeFor[indexFn]())
}

const (
	// aloneBytes is up to what size an archive is indexed by one machine of many. That takes minutes, and nothing goes
	// from machine to machine.
	aloneBytes = 1 << 30
	// aloneMemory is how many bytes of memory that takes; of more than 6 million games, 16 bytes a game.
	aloneMemory = 96 << 20
	// besideMemory is what the program takes besides.
	besideMemory = 64 << 20
	// shardBytes is how many bytes of archives there are for a shard of postings: some 60 MB of these, of dense moves.
	// One machine sorts a shard.
	shardBytes = 2 << 20
	// maxIndexShards bounds the shards of an archive.
	maxIndexShards = 1 << 20
	// posting is what one takes, in bytes: the hash and the key, so that they are in order as bytes.
	posting = 16
	// heldPostings is how many bytes of postings a bundle holds at most.
	heldPostings = 32 << 20
)

// IndexPositions writes the index of each archive beside it, games.p11x beside games.p11, as `ply11 index` does. It
// returns the collection of the names.
//
// An archive of at most 1 GiB is indexed by one machine, and on the runner prism, which is one machine, any archive is.
// The postings of a larger one are sharded by hash: each machine sorts those of some hashes, and then one machine puts
// the shards together. Who writes an index has a temporary file of at most 16 bytes a ply.
func IndexPositions(s beam.Scope, in Archives, variations bool) beam.PCollection {
	alone := int64(aloneBytes)
	if runs.OneMachine() {
		alone = math.MaxInt64
	}
	return index(s.Scope("Index"), in, variations, alone, shardBytes)
}

// index is IndexPositions, which shards archives that are larger than alone, with a shard for so many bytes of an
// archive.
func index(s beam.Scope, in Archives, variations bool, alone, each int64) beam.PCollection {
	small, large := beam.ParDo2(s, &bySizeFn{Most: alone}, in.find(s))
	postings, facts := beam.ParDo2(s, &postingsFn{Variations: variations, ShardBytes: each}, p11io.ReadFiles(s, large))
	sorted := beam.ParDo(s, &sortFn{}, beam.GroupByKey(s, postings))
	all := beam.ParDo(s, bySource, large)
	joined := beam.ParDo(s, &indexFn{Variations: variations}, beam.CoGroupByKey(s, all, facts, sorted))
	return beam.Flatten(s, beam.ParDo(s, &wholeFn{Variations: variations}, small), joined)
}

// bySizeFn divides the archives into those of at most so many bytes, and larger ones.
type bySizeFn struct{ Most int64 }

// ProcessElement gives one to either.
func (fn *bySizeFn) ProcessElement(f files.File, small, large func(files.File)) {
	if f.Size <= fn.Most {
		small(f)
	} else {
		large(f)
	}
}

// wholeFn writes the index of an archive, as one process does.
type wholeFn struct{ Variations bool }

// indexing is held by who indexes an archive: one at a time in a process, with all its processors, so that the memory
// is that of one.
var indexing sync.Mutex

// ProcessElement writes it.
func (fn *wholeFn) ProcessElement(ctx context.Context, f files.File, emit func(string)) error {
	indexing.Lock()
	defer indexing.Unlock()
	return writeIndex(ctx, f, emit, func(w io.Writer, source query.Source) error {
		r, err := archive.NewReader(source.Reader, source.Size)
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
		o := query.IndexOptions{Variations: fn.Variations, Memory: max(aloneMemory, 16*int64(r.Len())),
			Temp: filepath.Join(os.TempDir(), "ply11")}
		if limit := debug.SetMemoryLimit(-1); limit < o.Memory+besideMemory {
			defer debug.SetMemoryLimit(limit)
			debug.SetMemoryLimit(o.Memory + besideMemory)
		}
		if _, err = query.BuildIndex(ctx, w, source, o); err == nil {
			files.CountGames(ctx, r.Len())
		}
		return err
	})
}

// writeIndex opens an archive, and writes its index beside it by build, whose errors have the archive's name. It gives
// the name of the index.
func writeIndex(ctx context.Context, f files.File, emit func(string), build func(io.Writer, query.Source) error) error {
	in, err := files.OpenAt(ctx, f.Name)
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	defer in.Close()
	name := f.Name + "x"
	err = files.Write(ctx, name, func(w io.Writer) error {
		out := bufio.NewWriterSize(w, 1<<20)
		if err := build(out, query.Source{Name: f.Name, Reader: in, Size: f.Size}); err != nil {
			return err
		}
		return out.Flush()
	})
	if err != nil {
		return err
	}
	emit(name)
	return nil
}

// postingsFn gives the postings of a part, by archive and shard, and its facts, by archive.
type postingsFn struct {
	Variations bool
	ShardBytes int64
	maker      query.IndexMaker
	shards     map[int64][]byte // of the bundle, by key
	held       int              // bytes of them
}

// StartBundle begins with none.
func (fn *postingsFn) StartBundle(_ context.Context, _, _ func(int64, []byte)) {
	fn.shards, fn.held = map[int64][]byte{}, 0
}

// ProcessElement makes those of a part, and gives those of a shard when they are many.
func (fn *postingsFn) ProcessElement(_ context.Context, p p11io.Part, postings, facts func(int64, []byte)) error {
	fail := func(err error) error { return fmt.Errorf("%s: %w", p.File, err) }
	r, err := p.Archive()
	if err != nil {
		return fail(err)
	}
	b, err := r.Block(1)
	if err != nil {
		return fail(err)
	}
	shards := min(1+uint64(p.Size/fn.ShardBytes), maxIndexShards) // the same number in all bundles
	width := ^uint64(0)/shards + 1                                // of the hashes of a shard; 0 for all
	fn.maker.Variations = fn.Variations
	list, err := fn.maker.Block(b, int(p.First), func(x query.Posting) error {
		key := p.Source * maxIndexShards
		if width != 0 {
			key += int64(x.A / width)
		}
		records := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(fn.shards[key], x.A), x.B)
		fn.held += posting
		if len(records) >= recordsTogether {
			if err := put(key, records, postings); err != nil {
				return err
			}
			fn.held -= len(records)
			records = nil
		}
		if fn.shards[key] = records; fn.held >= heldPostings {
			return fn.flush(postings)
		}
		return nil
	})
	if err != nil {
		return fail(err)
	}
	return put(p.Source, append(binary.BigEndian.AppendUint64(nil, uint64(p.First)), list...), facts)
}

// FinishBundle gives the rest.
func (fn *postingsFn) FinishBundle(_ context.Context, postings, _ func(int64, []byte)) error {
	return fn.flush(postings)
}

// flush gives what is held.
func (fn *postingsFn) flush(postings func(int64, []byte)) error {
	for key, records := range fn.shards {
		if len(records) > 0 {
			if err := put(key, records, postings); err != nil {
				return err
			}
		}
	}
	clear(fn.shards)
	fn.held = 0
	return nil
}

// sortFn sorts the postings of a shard.
type sortFn struct{}

// ProcessElement gives them in pieces, each with its place in the archive's order before it: the shard, and its number
// in the shard.
func (*sortFn) ProcessElement(key int64, lists func(*[]byte) bool, emit func(int64, []byte)) error {
	var all []extsort.Record
	for list, err := range get(lists) {
		if err != nil {
			return err
		}
		for ; len(list) >= posting; list = list[posting:] {
			all = append(all, extsort.Record{A: binary.BigEndian.Uint64(list), B: binary.BigEndian.Uint64(list[8:])})
		}
	}
	all = extsort.Sort(all, make([]extsort.Record, len(all)))
	n := uint64(0)
	for piece := range slices.Chunk(all, recordsTogether/posting) {
		b := make([]byte, 0, 16+len(piece)*posting)
		b = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(b, uint64(key%maxIndexShards)), n)
		for _, x := range piece {
			b = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(b, x.A), x.B)
		}
		if err := put(key/maxIndexShards, b, emit); err != nil {
			return err
		}
		n++
	}
	return nil
}

// indexFn writes an index.
type indexFn struct{ Variations bool }

// ProcessElement writes that of an archive.
func (fn *indexFn) ProcessElement(ctx context.Context, number int64, all func(*files.File) bool, facts,
	pieces func(*[]byte) bool, emit func(string)) error {
	var f files.File
	if !all(&f) {
		return fmt.Errorf("there is no archive of number %d", number)
	}
	sorted, err := newSorted(pieces)
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	defer sorted.close()
	return writeIndex(ctx, f, emit, func(w io.Writer, source query.Source) error {
		list, err := factsInOrder(facts)
		if err != nil {
			return err
		}
		_, err = query.WriteIndex(ctx, w, source, query.IndexOptions{Variations: fn.Variations}, list, sorted.n,
			sorted.all())
		return err
	})
}

// factsInOrder joins the facts of blocks, each with the number of its first game before it.
func factsInOrder(lists func(*[]byte) bool) (all []byte, err error) {
	var blocks [][]byte
	for list, err := range get(lists) {
		if err != nil {
			return nil, err
		}
		blocks = append(blocks, bytes.Clone(list))
	}
	slices.SortFunc(blocks, bytes.Compare) // the first number counts, and it is big-endian
	for _, b := range blocks {
		all = append(all, b[8:]...)
	}
	return all, nil
}

// sorted is sorted postings in a temporary file.
type sorted struct {
	file   *tempfile.File
	n      uint64 // postings
	pieces []sortedPiece
}

// sortedPiece is where some are, and their place in the order.
type sortedPiece struct {
	shard, number uint64
	at, size      int64
}

// newSorted stores the pieces.
func newSorted(pieces func(*[]byte) bool) (*sorted, error) {
	f, err := tempfile.New()
	if err != nil {
		return nil, err
	}
	s := &sorted{file: f}
	at := int64(0)
	for b, err := range get(pieces) {
		if err == nil {
			_, err = f.Write(b[16:])
		}
		if err != nil {
			s.close()
			return nil, err
		}
		data := b[16:]
		s.pieces = append(s.pieces, sortedPiece{binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:]), at,
			int64(len(data))})
		at += int64(len(data))
	}
	s.n = uint64(at) / posting
	slices.SortFunc(s.pieces, func(a, b sortedPiece) int {
		return cmp.Or(cmp.Compare(a.shard, b.shard), cmp.Compare(a.number, b.number))
	})
	return s, nil
}

// all returns the postings in their order.
func (s *sorted) all() iter.Seq2[query.Posting, error] {
	return func(yield func(query.Posting, error) bool) {
		var b []byte
		for _, p := range s.pieces {
			b = slices.Grow(b[:0], int(p.size))[:p.size]
			if _, err := s.file.ReadAt(b, p.at); err != nil {
				yield(query.Posting{}, err)
				return
			}
			for list := b; len(list) >= posting; list = list[posting:] {
				if !yield(query.Posting{A: binary.BigEndian.Uint64(list), B: binary.BigEndian.Uint64(list[8:])}, nil) {
					return
				}
			}
		}
	}
}

func (s *sorted) close() {
	s.file.Close()
}
