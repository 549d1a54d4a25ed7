// SPDX-License-Identifier: Apache-2.0

package pipelines

import (
	"bytes"
	"context"
	"fmt"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"ply11/beam/internal/files"
	"ply11/beam/p11io"
	"ply11/beam/pgnio"
	"ply11/bitstream/archive"
)

func init() { beam.RegisterDoFn(reflect.TypeFor[packFn]()) }

// InvalidCounter counts games that are not valid, which pack keeps as text.
const InvalidCounter = "games not valid"

var invalidGames = beam.NewCounter(files.CounterSpace, InvalidCounter)

// PackOptions are options of packing: see archive.WithDense and archive.WithCanonical.
type PackOptions struct{ Dense, Canonical bool }

// Pack packs the PGN files that patterns match into so many archives: see p11io.Write for their names, which it
// returns.
//
// Each piece of text is what archive.Pack makes of it, and an archive is what archive.Copy makes of its pieces.
func Pack(s beam.Scope, patterns []string, o PackOptions, prefix string, shards int) beam.PCollection {
	s = s.Scope("Pack")
	parts := beam.ParDo(s, &packFn{o}, pgnio.ReadAll(s, patterns))
	return p11io.Write(s, prefix, shards, parts)
}

type packFn struct{ PackOptions }

func (fn *packFn) ProcessElement(ctx context.Context, t pgnio.Text) (p11io.Part, error) {
	var b bytes.Buffer
	options := []archive.PackOption{archive.WithDense(fn.Dense), archive.WithCanonical(fn.Canonical),
		archive.WithWorkers(1)}
	stats, err := archive.Pack(ctx, &b, bytes.NewReader(t.Data), options...)
	if err != nil {
		return p11io.Part{}, fmt.Errorf("%s: from offset %d: %w", t.File, t.Offset, err)
	}
	files.CountGames(ctx, stats.Games)
	invalidGames.Inc(ctx, int64(stats.Invalid))
	return p11io.Part{Place: t.Place, All: t.All, Offset: t.Offset, Data: b.Bytes()}, nil
}
