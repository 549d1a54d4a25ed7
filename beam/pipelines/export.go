// SPDX-License-Identifier: Apache-2.0

package pipelines

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"path"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"

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
	// Shards is the number of files, in which the rows of all archives are shuffled by the seed of the job, with a
	// manifest; 0 is a file for each archive.
	Shards int
	// Resume writes a manifest beside each file, as `ply11 export -o FILE` does, and keeps files of an earlier run that
	// did so: those whose manifest is of the same job, terms and archive, and whose SHA-256 is right. It is for a file
	// for each archive.
	Resume bool
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
	if o.Shards > 0 && o.Resume {
		err = errors.Join(err, errors.New("resume is for a file for each archive, and not for shards of all"))
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

// prepare returns the query. As in ply11 export, games that are not valid are left out.
func (o *ExportOptions) prepare() (*query.Query, error) {
	q := query.New()
	q.Invalid(query.SkipInvalid)
	for _, t := range o.Terms {
		if err := q.Add(t.Name, t.Value); err != nil {
			return nil, err
		}
	}
	return q, q.Check()
}

// open returns the query, and an archive for it, which the caller closes.
func (o *ExportOptions) open(ctx context.Context, f files.File) (*query.Query, query.Source, io.Closer, error) {
	q, err := o.prepare()
	if err != nil {
		return nil, query.Source{}, nil, err
	}
	in, err := files.OpenAt(ctx, f.Name)
	if err != nil {
		return nil, query.Source{}, nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	return q, query.Source{Name: f.Name, Reader: in, Size: f.Size}, in, nil
}

// Export writes a file of a data set for each archive, prefix-00001-of-0000N.parquet and so on, as `ply11 export` does
// of the archive: a seed shuffles its rows. It returns the collection of the names, with those of the manifest and of
// labels.txt if it writes them. The files have the numbers of the archives, which go by their patterns and names. With
// Shards it writes so many files instead, as `ply11 export --shards` does of all archives together: a seed shuffles all
// rows. Then it writes their manifest, prefix.manifest.json. If the prefix is a folder, with / at its end, the files,
// the manifest and labels.txt have the names and bytes that they have in the folder of that command. While shards are
// being written, the manifest tells that they are not complete.
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

// exporting has room for those who export an archive: one for each processor, whatever the number of bundles that the
// runner runs at a time.
var exporting = make(chan struct{}, runtime.GOMAXPROCS(0))

// ProcessElement exports it.
func (fn *exportFn) ProcessElement(ctx context.Context, f files.File, emit func(string)) error {
	exporting <- struct{}{}
	defer func() { <-exporting }()
	q, source, in, err := fn.open(ctx, f)
	if err != nil {
		return err
	}
	defer in.Close()
	name := p11io.ShardName(fn.Prefix, f.Number, f.Count, fn.Extension())
	job := fn.Job
	job.Filters = fn.filters()
	if err := job.Check(); err != nil {
		return err
	}
	if fn.Resume {
		of, err := dataset.InputOf(source)
		if err != nil {
			return err
		}
		kept, err := wholeFile(ctx, name, &job, of)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if kept {
			filesKept.Inc(ctx, 1)
			emit(name)
			return nil
		}
	}
	write := files.Write
	if fn.Resume {
		write = files.WriteToKeep // it depends on the archive alone, and so is right also if the pipeline fails
	}
	var m *dataset.Manifest
	sum := sha256.New()
	size := counter(0)
	err = write(ctx, name, func(w io.Writer) error {
		if fn.Resume {
			w = io.MultiWriter(w, sum, &size)
		}
		m, err = dataset.Export(ctx, q, []query.Source{source}, dataset.Options{Job: job, Stream: w, Workers: 1})
		return err
	})
	if err == nil && fn.Resume {
		m.Shards[0].Files = []dataset.File{fileOf(name, size, sum)}
		err = writeManifest(ctx, name+manifestExtension, m, write)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	files.CountGames(ctx, m.Games)
	emit(name)
	return nil
}

// manifestExtension is what the name of the manifest has behind that of its file.
const manifestExtension = ".manifest.json"

// fileOf is a file as the manifest tells of it.
func fileOf(name string, size counter, sum hash.Hash) dataset.File {
	return dataset.File{Name: path.Base(filepath.ToSlash(name)), Bytes: int64(size),
		SHA256: hex.EncodeToString(sum.Sum(nil))}
}

// writeManifest writes a manifest by files.Write, or by files.WriteToKeep.
func writeManifest(ctx context.Context, name string, m *dataset.Manifest,
	write func(context.Context, string, func(io.Writer) error) error) error {
	text, err := m.Text()
	if err != nil {
		return err
	}
	return writeText(ctx, name, text, write)
}

// writeText writes a file that has a text, likewise.
func writeText(ctx context.Context, name string, text []byte,
	write func(context.Context, string, func(io.Writer) error) error) error {
	return write(ctx, name, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// KeptCounter counts the files of an earlier run that are kept.
const KeptCounter = "files kept"

var filesKept = beam.NewCounter(files.CounterSpace, KeptCounter)

// counter counts bytes.
type counter int64

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}

// filters are the terms as the manifest has them, like the flags of ply11 export in the order of their names.
func (o *ExportOptions) filters() []string {
	var list []string
	for _, t := range o.Terms {
		list = append(list, "--"+t.Name+"="+t.Value)
	}
	slices.SortStableFunc(list, func(a, b string) int {
		nameA, _, _ := strings.Cut(a, "=")
		nameB, _, _ := strings.Cut(b, "=")
		return strings.Compare(nameA, nameB)
	})
	return append([]string{"--invalid=skip"}, list...)
}

// wholeFile reports whether a file is there with its manifest, of a job and an archive. What cannot be read is not
// there.
func wholeFile(ctx context.Context, name string, j *dataset.Job, of dataset.Input) (bool, error) {
	in, err := files.Open(ctx, name+manifestExtension)
	if err != nil {
		return false, ctx.Err()
	}
	m, err := dataset.DecodeManifest(in)
	in.Close()
	if err != nil || !m.IsOf(j, of) || len(m.Shards) != 1 || len(m.Shards[0].Files) != 1 {
		return false, ctx.Err()
	}
	if in, err = files.Open(ctx, name); err != nil {
		return false, ctx.Err()
	}
	defer in.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, in)
	f := m.Shards[0].Files[0]
	return err == nil && n == f.Bytes && hex.EncodeToString(sum.Sum(nil)) == f.SHA256, ctx.Err()
}
