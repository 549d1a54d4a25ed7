// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ply11/bitstream/archive"
	"ply11/codegen"
	"ply11/dataset"
	"ply11/internal/testenv"
	"ply11/query"
	"ply11/sim/netlists"
	"ply11/testdata"
)

// samples are right files for each reader, of some kilobytes.
func samples(t *testing.T) map[string][]byte {
	t.Helper()
	list := map[string][]byte{
		"query": []byte(`{"white": ["Fischer", "Tal"], "sequence": "captured=Q -> ending=mate", "not": {"result": "1-0"}}`),
		"fen":   []byte("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
	}
	files, err := filepath.Glob("../../testdata/formats/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if base := filepath.Base(f); base != "chessbase.cbi" {
			list[strings.TrimSuffix(base, filepath.Ext(base))] = text
		}
	}
	var packed, dense, index bytes.Buffer
	for out, o := range map[*bytes.Buffer]bool{&packed: false, &dense: true} {
		if _, err := archive.Pack(t.Context(), out, strings.NewReader(testdata.Famous), archive.WithDense(o)); err != nil {
			t.Fatal(err)
		}
	}
	list["p11"], list["p11 dense"] = packed.Bytes(), dense.Bytes()
	source := query.Source{Name: "famous.p11", Reader: bytes.NewReader(packed.Bytes()), Size: int64(packed.Len())}
	if _, err := query.BuildIndex(t.Context(), &index, source, query.IndexOptions{}); err != nil {
		t.Fatal(err)
	}
	list["index"] = index.Bytes()
	for _, f := range dataset.Importers() {
		var out bytes.Buffer
		if _, err := dataset.Export(t.Context(), query.New(), []query.Source{source}, dataset.Options{Job: dataset.Job{Format: f.Name}, Stream: &out}); err != nil {
			t.Fatal(err)
		}
		list["import-"+f.Name] = out.Bytes()
	}
	for _, f := range codegen.Formats() {
		if f.Image != nil {
			if list["rom-"+f.Name], err = f.Generate(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if list["netlist"], err = netlists.Bytes("board"); err != nil {
		t.Fatal(err)
	}
	return list
}

// TestStepsAreLinear: whatever a file repeats, behind whatever beginning of a right one, a reader does no more than a bounded number of steps for
// each of its bytes, and as many for each byte of a long file as of a short one. Steps are counted, not seconds.
func TestStepsAreLinear(t *testing.T) {
	testenv.Slow(t)
	dir := t.TempDir()
	program := filepath.Join(dir, "steps")
	if out, err := exec.Command("go", "build", "-cover", "-covermode=atomic", "-coverpkg=ply11/...", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	type file struct {
		name string
		what string
		size int
	}
	var files []file
	var in bytes.Buffer
	rng := rand.New(rand.NewPCG(1, 2))
	all := samples(t)
	for _, name := range slices.Sorted(maps.Keys(readers)) {
		if _, ok := all[name]; !ok {
			t.Errorf("%s has no sample", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		sample := all[name]
		reader, _, _ := strings.Cut(name, " ")
		if readers[reader] == nil {
			continue
		}
		for range 40 {
			begin := sample[:min(rng.IntN(200)*rng.IntN(2), len(sample))]
			if rng.IntN(4) == 0 {
				begin = sample
			}
			at := rng.IntN(len(sample))
			unit := bytes.Clone(sample[at:min(at+1<<rng.IntN(8), len(sample))])
			if rng.IntN(3) == 0 {
				unit[rng.IntN(len(unit))] = byte(rng.IntN(256))
			}
			for _, size := range []int{1 << 12, 1 << 16} {
				text := append(bytes.Clone(begin), bytes.Repeat(unit, max(1, size/len(unit)))...)
				path := filepath.Join(dir, fmt.Sprint(len(files)))
				if err := os.WriteFile(path, text, 0o600); err != nil {
					t.Fatal(err)
				}
				files = append(files, file{name, fmt.Sprintf("%d bytes of a file, and then %q", len(begin), unit), len(text)})
				fmt.Fprintln(&in, reader, path)
			}
		}
	}
	cmd := exec.Command(program)
	cmd.Stdin, cmd.Env = &in, append(os.Environ(), "GOCOVERDIR="+dir)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	counts := strings.Fields(string(out))
	if len(counts) != len(files) {
		t.Fatalf("%d of %d files", len(counts), len(files))
	}
	for i := 0; i < len(files); i += 2 {
		var short, long int
		fmt.Sscan(counts[i], &short)
		fmt.Sscan(counts[i+1], &long)
		// What has its cost once, such as a table, does not count: 200,000 steps.
		if long > 2*files[i+1].size/files[i].size*max(short, 200_000) {
			t.Errorf("%s: %d bytes take %d steps, but %d bytes take %d: %s", files[i].name, files[i].size, short, files[i+1].size, long, files[i].what)
		}
		if long > 200_000+1000*files[i+1].size {
			t.Errorf("%s: %d bytes take %d steps: %s", files[i].name, files[i+1].size, long, files[i].what)
		}
	}
}
