// SPDX-License-Identifier: Apache-2.0

// Package p11io writes .p11 archives in pipelines of Apache Beam, in any of Beam's file systems.
//
// A program must import the file systems that it uses, as with Beam's own sources:
//
//	import _ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3"
package p11io

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math/bits"
	"reflect"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"ply11/beam/internal/files"
	"ply11/bitstream/archive"
	"ply11/internal/tempfile"
)

func init() {
	beam.RegisterType(reflect.TypeFor[Part]())
	beam.RegisterDoFn(reflect.TypeFor[shardFn]())
	beam.RegisterDoFn(reflect.TypeFor[writeFn]())
}

// Part is some games that stand together: an archive of its own.
type Part struct {
	// Place is where the games stand among all, of All places; those of one place go by Offset.
	Place, All, Offset int64
	Data               []byte
}

// MaxShards is the greatest number of archives that Write makes.
const MaxShards = 99999

// Write writes parts to archives prefix-00001-of-0000N.p11 and so on, N of them, and returns the collection of their
// names. The games keep their order: the archives, one after the other, have the parts by their places. Each archive
// has about as many places. If there are more archives than places, some have no games, and are written, too.
//
// An archive has its name only when it is whole. If a part of the pipeline runs twice, as runners may have it, what is
// written is the same, and replaces what is there.
//
// The parts of an archive are kept in a temporary file of the machine that writes it, and not in memory.
func Write(s beam.Scope, prefix string, shards int, parts beam.PCollection) beam.PCollection {
	s = s.Scope("p11io.Write")
	if shards < 1 || shards > MaxShards {
		panic(fmt.Sprintf("p11io.Write: %d archives, not 1 to %d", shards, MaxShards))
	}
	// An empty part for each archive, so that each is written.
	empty := make([]Part, shards)
	for i := range empty {
		empty[i] = Part{Place: int64(i), All: int64(shards)}
	}
	fn := &shardFn{Shards: int64(shards)} // before Flatten, which is a step of the runner
	keyed := beam.Flatten(s, beam.ParDo(s, fn, parts), beam.ParDo(s, fn, beam.CreateList(s, empty)))
	return beam.ParDo(s, &writeFn{Prefix: prefix, Shards: int64(shards)}, beam.GroupByKey(s, keyed))
}

// shardFn gives each part its archive.
type shardFn struct{ Shards int64 }

// ProcessElement goes by the place of the part among all files.
func (fn *shardFn) ProcessElement(p Part) (int64, Part) { return shardOf(p.Place, p.All, fn.Shards), p }

// shardOf returns the archive of a place. If there are as many places as archives, each has one.
func shardOf(place, all, shards int64) int64 {
	if all <= 0 {
		return 0
	}
	high, low := bits.Mul64(uint64(place), uint64(shards))
	shard, _ := bits.Div64(high, low, uint64(all)) // place is less than all
	return int64(shard)
}

// ShardName returns the name of a shard, from 0, of several. A prefix that ends in / is a folder.
func ShardName(prefix string, shard, shards int64, ext string) string {
	if !strings.HasSuffix(prefix, "/") {
		prefix += "-"
	}
	return fmt.Sprintf("%s%05d-of-%05d%s", prefix, shard+1, shards, ext)
}

// writeFn writes an archive.
type writeFn struct {
	Prefix string
	Shards int64
}

// ProcessElement writes the archive of a shard.
func (fn *writeFn) ProcessElement(ctx context.Context, shard int64, parts func(*Part) bool, emit func(string)) error {
	pile, err := newPile(parts)
	if err != nil {
		return err
	}
	defer pile.close()
	name := ShardName(fn.Prefix, shard, fn.Shards, ".p11")
	if err := files.Write(ctx, name, func(w io.Writer) error { return pile.write(ctx, w) }); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	emit(name)
	return nil
}

// pile is the parts of an archive, in a temporary file.
type pile struct {
	file  *tempfile.File
	parts []piled
}

// piled is where a part is in the file, and where it stands in the order: by its place, and those of one place by their
// offsets.
type piled struct{ place, offset, at, size int64 }

// newPile stores the parts.
func newPile(parts func(*Part) bool) (*pile, error) {
	f, err := tempfile.New()
	if err != nil {
		return nil, err
	}
	p := &pile{file: f}
	at := int64(0)
	for part := (Part{}); parts(&part); {
		if len(part.Data) == 0 {
			continue
		}
		if _, err = f.Write(part.Data); err != nil {
			p.close()
			return nil, err
		}
		p.parts = append(p.parts, piled{part.Place, part.Offset, at, int64(len(part.Data))})
		at += int64(len(part.Data))
	}
	slices.SortFunc(p.parts, func(a, b piled) int {
		return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.offset, b.offset))
	})
	return p, nil
}

// write writes the archive of all parts, in their order.
func (p *pile) write(ctx context.Context, w io.Writer) error {
	sources := make([]io.Reader, len(p.parts))
	for i, part := range p.parts {
		sources[i] = io.NewSectionReader(p.file, part.at, part.size)
	}
	_, err := archive.Copy(ctx, w, sources, archive.WithWorkers(1))
	return err
}

func (p *pile) close() {
	p.file.Close()
}
