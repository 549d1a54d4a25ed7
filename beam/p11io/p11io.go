// SPDX-License-Identifier: Apache-2.0

// Package p11io reads and writes .p11 archives in pipelines of Apache Beam, in any of Beam's file systems.
//
// Read gives the blocks of archives, some thousand games each, as Parts. A Part is an archive of its own, and so all
// packages of the project read it. Write puts Parts into a number of archives.
//
//	p, s := beam.NewPipelineWithRoot()
//	parts := p11io.Read(s, "s3://games/2024-*.p11")
//	plies := beam.ParDo(s, countPlies, parts)
//
// A program must import the file systems that it uses, as with Beam's own sources:
//
//	import _ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3"
package p11io

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"reflect"
	"sort"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/sdf"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/rtrackers/offsetrange"

	"ply11/beam/internal/files"
	"ply11/bitstream/archive"
)

func init() {
	beam.RegisterType(reflect.TypeFor[Part]())
	beam.RegisterDoFn(reflect.TypeFor[readFn]())
}

// Part is some games of an archive, or of a PGN file, that stand together.
type Part struct {
	// File is the name of the file, and Source its number among all files that are read, from 0.
	File   string
	Source int64
	// Offset is where the games stand in the file, in bytes. Place is the same, in all files one after the other, of
	// All bytes. Of a compressed PGN file, see pgnio.Text.
	Offset, Place, All int64
	// First is the number of the first game in its archive, from 1, and Size the bytes of the archive. They are 0 of a
	// PGN file.
	First, Size int64
	// Data is an archive with the games alone.
	Data []byte
}

// Archive opens the archive of the games, which counts them from 1. Errors are those of archive.NewReader.
func (p *Part) Archive() (*archive.Reader, error) {
	return archive.NewReader(bytes.NewReader(p.Data), int64(len(p.Data)))
}

// Read returns the collection of the blocks of all archives that patterns match, as Parts. Files are numbered in the
// order of their names; the order of the elements is not fixed.
//
// A restriction is a range of a file's bytes, and stands for the blocks that begin in it. The runner may split it at
// any time, while it is read, too; each block is given once. Of a local file, a part is read from its place. Beam's
// other file systems read from the front alone: what stands before the part is read, too, and thrown away. So keep
// archives there small, some 100 MB: see Write.
//
// An archive that is corrupt, or not one, ends the pipeline with its error, with the name of the file before it.
func Read(s beam.Scope, pattern string) beam.PCollection {
	return ReadAll(s, []string{pattern})
}

// ReadAll is Read for several patterns: files are numbered in the order of the patterns, those of one pattern by their
// names.
func ReadAll(s beam.Scope, patterns []string) beam.PCollection {
	s = s.Scope("p11io.Read")
	return ReadFiles(s, files.MatchAll(s, patterns))
}

// ReadFiles is Read for a collection of files, which the module has found before.
func ReadFiles(s beam.Scope, found beam.PCollection) beam.PCollection {
	return beam.ParDo(s, &readFn{}, found)
}

// firstSplit is the length of the restrictions that a local file begins with, in bytes.
const firstSplit = 64 << 20

// readFn reads the blocks of a file.
type readFn struct{}

// CreateInitialRestriction is all of the file.
func (*readFn) CreateInitialRestriction(f files.File) offsetrange.Restriction {
	return offsetrange.Restriction{End: max(f.Size, 1)} // an empty file is refused, and not passed over
}

// SplitRestriction cuts a local file or an object of S3; see Read for others.
func (*readFn) SplitRestriction(f files.File, rest offsetrange.Restriction) []offsetrange.Restriction {
	if !f.Ranged() {
		return []offsetrange.Restriction{rest}
	}
	return rest.SizedSplits(firstSplit)
}

// RestrictionSize is in bytes.
func (*readFn) RestrictionSize(_ files.File, rest offsetrange.Restriction) float64 {
	return rest.Size()
}

// CreateTracker tracks the offsets of blocks.
func (*readFn) CreateTracker(rest offsetrange.Restriction) *sdf.LockRTracker {
	return sdf.NewLockRTracker(offsetrange.NewTracker(rest))
}

// ProcessElement gives the blocks that begin in the restriction.
func (*readFn) ProcessElement(ctx context.Context, tracker *sdf.LockRTracker, f files.File, emit func(Part)) error {
	_, err := read(ctx, tracker, f, 0, emit)
	return err
}

// read gives the blocks that begin in a restriction, and stops after some, if limit is not 0. It tells whether there
// may be more.
func read(ctx context.Context, tracker *sdf.LockRTracker, f files.File, limit int, emit func(Part)) (more bool,
	err error) {
	in, err := files.Open(ctx, f.Name)
	if err != nil {
		return false, err
	}
	defer in.Close()
	from := tracker.GetRestriction().(offsetrange.Restriction).Start
	var blocks blockReader
	if at, ok := in.(io.ReaderAt); ok {
		blocks, err = newIndexed(at, f.Size, from)
	} else {
		blocks = &scanned{scanner: archive.NewScanner(in), from: from}
	}
	n := 0
	for err == nil {
		if n > 0 && n == limit {
			return true, nil
		}
		var offset int64
		var games int
		if offset, err = blocks.next(); err != nil {
			break
		}
		if !tracker.TryClaim(offset) {
			return false, nil
		}
		n++
		part := Part{File: f.Name, Source: f.Number, Offset: offset, Place: f.Before + offset, All: f.All, Size: f.Size}
		if part.First, games, part.Data, err = blocks.take(); err == nil {
			files.CountGames(ctx, games)
			emit(part)
		}
	}
	if err != io.EOF {
		return false, fmt.Errorf("%s: %w", f.Name, err)
	}
	tracker.TryClaim(max(f.Size, 1)) // there is no block any more
	return false, nil
}

// blockReader reads blocks from a place on.
type blockReader interface {
	// next returns the offset of the next block, and io.EOF after the last.
	next() (int64, error)
	// take reads that block: its first game's number, the number of its games, and the archive of it alone.
	take() (first int64, games int, data []byte, err error)
}

// indexed reads a file at any place, by the archive's index.
type indexed struct {
	r *archive.Reader
	n int // number of the block
}

func newIndexed(in io.ReaderAt, size, from int64) (*indexed, error) {
	r, err := archive.NewReader(in, size)
	if err != nil {
		return nil, err
	}
	n := sort.Search(r.Blocks(), func(i int) bool {
		place, bad := r.Place(i + 1)
		if bad != nil && err == nil {
			err = bad
		}
		return bad != nil || place.Offset >= from
	})
	return &indexed{r, n}, err
}

func (x *indexed) next() (int64, error) {
	if x.n == x.r.Blocks() {
		return 0, io.EOF
	}
	x.n++
	place, err := x.r.Place(x.n)
	return place.Offset, err
}

func (x *indexed) take() (int64, int, []byte, error) {
	b, err := x.r.Block(x.n)
	if err != nil {
		return 0, 0, nil, err
	}
	data, err := b.AppendArchive(nil, x.r.Canonical())
	return int64(b.First()), b.Len(), data, err
}

// scanned reads a file from its front.
type scanned struct {
	scanner *archive.Scanner
	from    int64
	block   *archive.Block
}

func (x *scanned) next() (int64, error) {
	for {
		b, err := x.scanner.Next()
		if err != nil {
			return 0, err
		}
		if b.Offset() >= x.from {
			x.block = b
			return b.Offset(), nil
		}
	}
}

func (x *scanned) take() (int64, int, []byte, error) {
	data, err := x.block.AppendArchive(nil, x.scanner.Canonical())
	return int64(x.block.First()), x.block.Len(), data, err
}
