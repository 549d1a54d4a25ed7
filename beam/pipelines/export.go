// SPDX-License-Identifier: Apache-2.0

package pipelines

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"ply11/beam/internal/files"
	"ply11/beam/p11io"
	"ply11/dataset"
	"ply11/query"
)

func init() { beam.RegisterDoFn(reflect.TypeFor[exportFn]()) }

// ExportOptions say what is exported.
type ExportOptions struct {
	Job   dataset.Job // its Format is a stream
	Terms []Term      // that games must meet
	// Shards is the number of files, in which the rows of all archives are shuffled by the seed of the job; 0 is a file for each archive.
	Shards int
}

// Check verifies the job and the terms.
func (o *ExportOptions) Check() error {
	_, err := o.prepare()
	switch {
	case o.Shards < 0 || o.Shards > p11io.MaxShards:
		err = errors.Join(err, fmt.Errorf("shards are 1 to %d, not %d", p11io.MaxShards, o.Shards))
	case o.Shards > 0 && !o.Job.Shuffle:
		err = errors.Join(err, errors.New("shards of all archives are shuffled: they need a seed"))
	}
	return errors.Join(o.Job.Check(), err)
}

// Extension is what the names of the files end with.
func (o *ExportOptions) Extension() string {
	for _, f := range dataset.Formats() {
		if f.Name == o.Job.Format {
			return f.Extension
		}
	}
	return "." + o.Job.Format
}

// prepare returns the query.
func (o *ExportOptions) prepare() (*query.Query, error) {
	q := query.New()
	for _, t := range o.Terms {
		if err := q.Add(t.Name, t.Value); err != nil {
			return nil, err
		}
	}
	return q, q.Check()
}

// Export writes a file of a data set for each archive, prefix-00001-of-0000N.parquet and so on, as `ply11 export` does of the
// archive: a seed shuffles its rows. It returns the collection of the names. The files have the numbers of the archives, which go by their patterns and names.
// With Shards it writes so many files instead, as `ply11 export --shards` does of all archives together: a seed shuffles all rows.
//
// An archive is read by one machine: write archives of some 100 MB.
func Export(s beam.Scope, in Archives, o ExportOptions, prefix string) beam.PCollection {
	s = s.Scope("Export")
	if o.Shards > 0 {
		return exportShuffled(s, in.find(s), o, prefix, rowGroupBytes)
	}
	return beam.ParDo(s, &exportFn{ExportOptions: o, Prefix: prefix}, in.find(s))
}

// exportFn exports an archive.
type exportFn struct {
	ExportOptions
	Prefix string
}

// exporting has room for those who export an archive: one for each processor, whatever the number of bundles that the runner runs at a time.
var exporting = make(chan struct{}, runtime.GOMAXPROCS(0))

// ProcessElement exports it.
func (fn *exportFn) ProcessElement(ctx context.Context, f files.File, emit func(string)) error {
	exporting <- struct{}{}
	defer func() { <-exporting }()
	q, err := fn.prepare()
	if err != nil {
		return err
	}
	in, err := files.OpenAt(ctx, f.Name)
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	defer in.Close()
	source := query.Source{Name: f.Name, Reader: in, Size: f.Size}
	name := p11io.ShardName(fn.Prefix, f.Number, f.Count, fn.Extension())
	err = files.Write(ctx, name, func(w io.Writer) error {
		m, err := dataset.Export(ctx, q, []query.Source{source}, dataset.Options{Job: fn.Job, Stream: w, Workers: 1})
		if err == nil {
			files.CountGames(ctx, m.Games)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	emit(name)
	return nil
}
