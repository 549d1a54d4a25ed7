// SPDX-License-Identifier: Apache-2.0

// Package p11io writes .p11 archives in pipelines of Apache Beam, in any of Beam's file systems.
//
// A program must import the file systems that it uses, as with Beam's own sources:
//
//	import _ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3"
package p11io

import (
	"context"
	"fmt"
	"io"
	"math/bits"
	"reflect"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"ply11/beam/internal/files"
	"ply11/bitstream/archive"
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
// names. The archives, one after the other, have the parts by their places, and each has about as many places. Archives
// without games are written, too.
//
// An archive has its name only when it is whole. A part of the pipeline that runs twice writes the same.
//
// The parts of an archive are kept in a temporary file.
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

func (fn *shardFn) ProcessElement(p Part) (int64, Part) { return shardOf(p.Place, p.All, fn.Shards), p }

// shardOf returns the archive of a place.
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

type writeFn struct {
	Prefix string
	Shards int64
}

func (fn *writeFn) ProcessElement(ctx context.Context, shard int64, parts func(*Part) bool, emit func(string)) error {
	pile, err := files.NewPile()
	if err != nil {
		return err
	}
	defer pile.Close()
	for part := (Part{}); parts(&part); {
		if len(part.Data) == 0 {
			continue
		}
		if err := pile.Add(part.Place, part.Offset, part.Data); err != nil {
			return err
		}
	}
	name := ShardName(fn.Prefix, shard, fn.Shards, ".p11")
	err = files.Write(ctx, name, func(w io.Writer) error {
		_, err := archive.Copy(ctx, w, pile.Readers(), archive.WithWorkers(1))
		return err
	})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	emit(name)
	return nil
}
