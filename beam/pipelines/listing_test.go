// SPDX-License-Identifier: Apache-2.0

package pipelines

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/memfs"

	"ply11/bitstream/archive"
	"ply11/internal/samples"
)

// growing is the store memfs under another scheme, whose first listing lacks the file late.
type growing struct{ filesystem.Interface }

const scheme = "growing"

// late is the file that appears after the first listing.
const late = scheme + "://store/00-late.p11"

// listed counts the listings.
var listed atomic.Int64

func init() {
	filesystem.Register(scheme, func(ctx context.Context) filesystem.Interface { return growing{memfs.New(ctx)} })
}

// inner returns a name as memfs has it.
func inner(name string) string { return "memfs" + strings.TrimPrefix(name, scheme) }

func (g growing) List(ctx context.Context, glob string) ([]string, error) {
	names, err := g.Interface.List(ctx, inner(glob))
	first := listed.Add(1) == 1
	var list []string
	for _, name := range names {
		if name = scheme + strings.TrimPrefix(name, "memfs"); name != late || !first {
			list = append(list, name)
		}
	}
	return list, err
}

func (g growing) OpenRead(ctx context.Context, name string) (io.ReadCloser, error) {
	return g.Interface.OpenRead(ctx, inner(name))
}

func (g growing) OpenWrite(ctx context.Context, name string) (io.WriteCloser, error) {
	return g.Interface.OpenWrite(ctx, inner(name))
}

func (g growing) Size(ctx context.Context, name string) (int64, error) {
	return g.Interface.Size(ctx, inner(name))
}

// TestOneListing: a file that appears after dedupe has listed the archives changes nothing.
func TestOneListing(t *testing.T) {
	ctx := context.Background()
	store := memfs.New(ctx)
	pack := func(name string, files ...string) {
		var text, b bytes.Buffer
		for _, f := range files {
			text.Write(samples.File(f))
		}
		if _, err := archive.Pack(context.Background(), &b, &text); err != nil {
			t.Fatal(err)
		}
		if err := filesystem.Write(ctx, store, inner(name), b.Bytes()); err != nil {
			t.Fatal(err)
		}
	}
	const base = scheme + "://store/"
	pack(base+"10.p11", samples.Plain)
	pack(base+"20.p11", samples.Setup)
	pack(base+"30.p11", samples.Plain, samples.Clocks) // the first of them are there already
	dedupe := func(name string) [][]byte {
		prefix := base + name + "/d"
		run(t, func(s beam.Scope) { Dedupe(s, []string{base + "*.p11"}, false, prefix) })
		names, err := store.List(ctx, inner(prefix)+"-*")
		if err != nil {
			t.Fatal(err)
		}
		var list [][]byte
		for _, f := range names {
			b, err := filesystem.Read(ctx, store, f)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, b)
		}
		return list
	}
	want := dedupe("before")
	pack(late, samples.Annotated)
	listed.Store(0)
	if got := dedupe("while"); len(want) != 3 || !slices.EqualFunc(got, want, bytes.Equal) {
		t.Errorf("%d archives, and not the %d that are written without the file that appeared", len(got), len(want))
	}
	if all := dedupe("after"); len(all) != 4 {
		t.Errorf("%d archives: the file that appeared is not seen later, so that this tests nothing", len(all))
	}
}
