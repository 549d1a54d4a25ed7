// SPDX-License-Identifier: Apache-2.0

package pipelines

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/memfs"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"ply11/beam/internal/files"
	"ply11/dataset"
	"ply11/internal/samples"
)

// TestObjects: from a store of objects the pipelines write the same bytes as from a disk.
func TestObjects(t *testing.T) { sameAsOnDisk(t, memfs.New(t.Context()), "memfs://objects") }

// TestS3: so they do from a server of S3 that others wrote.
func TestS3(t *testing.T) {
	server := httptest.NewServer(gofakes3.New(s3mem.New()).Server())
	t.Cleanup(server.Close)
	for name, value := range map[string]string{"AWS_ENDPOINT_URL": server.URL, "AWS_REGION": "eu-west-1",
		"AWS_ACCESS_KEY_ID": "reader", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_EC2_METADATA_DISABLED": "true",
		"AWS_CONFIG_FILE": os.DevNull, "AWS_SHARED_CREDENTIALS_FILE": os.DevNull} {
		t.Setenv(name, value)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPut, server.URL+"/games", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatal(answer, err)
	}
	answer.Body.Close()
	sameAsOnDisk(t, s3.New(t.Context()), "s3://games")
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
			Dedupe(s, from, false, base+"/once")
			Export(s, from, ExportOptions{Job: dataset.Job{Format: "parquet", Shuffle: true}, Shards: 3}, base+"/table")
		})
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
		kinds[".parquet"] != 3 || kinds[".json"] != 1 {
		t.Errorf("%v, and %d files on the disk", names, len(all))
	}
}
