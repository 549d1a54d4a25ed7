// SPDX-License-Identifier: Apache-2.0

package pipelines

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"ply11/beam/internal/files"
	"ply11/beam/p11io"
	"ply11/dataset"
	"ply11/query"
)

// Term is a term of a query: see query.Terms. Its name may be "not" or "or".
type Term struct{ Name, Value string }

type ExportOptions struct {
	Job    dataset.Job // its Format is a stream
	Terms  []Term      // that games must meet
	Shards int         // files, in which the rows of all archives are shuffled by the seed of the job
}

// Check verifies the job and the terms.
func (o *ExportOptions) Check() error {
	_, err := o.prepare()
	switch {
	case o.Shards < 1 || o.Shards > p11io.MaxShards:
		err = errors.Join(err, fmt.Errorf("shards are 1 to %d, not %d", p11io.MaxShards, o.Shards))
	case !o.Job.Shuffle:
		err = errors.Join(err, errors.New("shards of all archives are shuffled: they need a seed"))
	}
	p, bad := o.plan()
	if bad == nil && !p.Format().Streams {
		bad = fmt.Errorf("a shard of the format %s is several files, and is to be one", o.Job.Format)
	}
	return errors.Join(bad, err)
}

func (o *ExportOptions) plan() (*dataset.Plan, error) {
	job := o.Job
	job.Shards, job.Filters = o.Shards, o.filters()
	return dataset.NewPlan(job)
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

// prepare returns the query. Games that are not valid are left out.
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

// Export writes the rows of all archives to shards, prefix-00001-of-0000N.parquet and so on, as `ply11 export --shards`
// does: a seed shuffles all rows. Then it writes their manifest, prefix.manifest.json, which says until then that they
// are not complete. If the prefix ends in /, all names and bytes are those in the folder of that command. It returns
// the collection of the names.
//
// An archive is read by one machine: write archives of about 100 MB.
func Export(s beam.Scope, patterns []string, o ExportOptions, prefix string) beam.PCollection {
	s = s.Scope("Export")
	return exportShuffled(s, files.MatchAll(s, patterns), o, prefix, rowGroupBytes)
}

// exporting has room for a step for each processor.
var exporting = make(chan struct{}, runtime.GOMAXPROCS(0))

func fileOf(name string, size counter, sum hash.Hash) dataset.File {
	return dataset.File{Name: path.Base(filepath.ToSlash(name)), Bytes: int64(size),
		SHA256: hex.EncodeToString(sum.Sum(nil))}
}

func writeManifest(ctx context.Context, name string, m *dataset.Manifest) error {
	text, err := m.Text()
	if err != nil {
		return err
	}
	return writeText(ctx, name, text)
}

func writeText(ctx context.Context, name string, text []byte) error {
	return files.Write(ctx, name, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

type counter int64

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}

// filters are the terms as the manifest has them, in the order of their names.
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
