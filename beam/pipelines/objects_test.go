// SPDX-License-Identifier: Apache-2.0

package pipelines

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/memfs"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3"

	"ply11/beam/internal/files"
	"ply11/beam/internal/storetest"
	"ply11/dataset"
	"ply11/internal/samples"
)

// TestObjects: from a store of objects, which one reads from the front alone, the pipelines write the same bytes as
// from a disk.
func TestObjects(t *testing.T) { sameAsOnDisk(t, memfs.New(t.Context()), "memfs://objects") }

// TestS3: so they do from a server of S3 that others wrote, which is busy now and then, and cuts answers off.
func TestS3(t *testing.T) {
	server := storetest.S3(t, "games", 7, 5)
	sameAsOnDisk(t, s3.New(t.Context()), "s3://games")
	if server.Refused() < 10 || server.Cut() < 10 {
		t.Errorf("%d requests refused, %d answers cut", server.Refused(), server.Cut())
	}
}

func sameAsOnDisk(t *testing.T, store filesystem.Interface, objects string) {
	ctx := t.Context()
	dir := filepath.ToSlash(t.TempDir())
	for _, name := range samples.Names {
		if err := filesystem.Write(ctx, store, objects+"/"+name, samples.File(name)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), samples.File(name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, base := range []string{dir, objects} {
		run(t, func(s beam.Scope) { Pack(s, []string{base + "/*.pgn"}, PackOptions{}, base+"/games", 3) })
		run(t, func(s beam.Scope) {
			from := []string{base + "/games-*.p11"}
			Tree(s, Archives{Patterns: from}, TreeOptions{Best: 2}, base+"/tree.json")
			Dedupe(s, Archives{Patterns: from}, false, base+"/once")
			Export(s, Archives{Patterns: from}, ExportOptions{Job: dataset.Job{Format: "parquet"}}, base+"/table")
			index(s.Scope("whole"), Archives{Patterns: from[:1]}, false, 1<<40, 0)
		})
		run(t, func(s beam.Scope) { index(s, Archives{Patterns: []string{base + "/once-*.p11"}}, true, -1, 1000) })
	}
	names, err := store.List(ctx, objects+"/*")
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for _, name := range names {
		in, err := files.Open(ctx, name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(in)
		in.Close()
		if err != nil {
			t.Fatal(err)
		}
		base := name[strings.LastIndexByte(name, '/')+1:]
		want, err := os.ReadFile(filepath.Join(dir, base))
		if err != nil {
			t.Errorf("%s is not on the disk: %v", base, err)
			continue
		}
		if !bytes.Equal(bytes.ReplaceAll(got, []byte(objects), nil), bytes.ReplaceAll(want, []byte(dir), nil)) {
			t.Errorf("%s has other bytes than on the disk", base)
		}
		kinds[filepath.Ext(base)]++
	}
	if all, _ := filepath.Glob(filepath.Join(dir, "*")); len(all) != len(names) || kinds[".p11"] != 6 ||
		kinds[".p11x"] != 6 || kinds[".parquet"] != 3 || kinds[".json"] != 1 {
		t.Errorf("%v, and %d files on the disk", names, len(all))
	}
}
