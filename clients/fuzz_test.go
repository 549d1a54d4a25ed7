// SPDX-License-Identifier: Apache-2.0

package clients

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"ply11/bitstream/archive"
	"ply11/internal/testenv"
	"ply11/query"
)

// seedArchives writes small archives, of each kind, with their indexes to a folder, and returns their names.
func seedArchives(t *testing.T) []string {
	t.Helper()
	dir := t.TempDir()
	var names []string
	for name, text := range texts(t) {
		if len(text) > 20000 {
			continue
		}
		name = filepath.Join(dir, fmt.Sprint(len(names)))
		file := pack(t, text, archive.WithBlockGames(5), archive.WithDense(len(names)%2 == 1))
		options := []query.IndexOptions{{}, {Variations: true}, {MinGames: 1}}[len(names)%3]
		var index bytes.Buffer
		_, err := query.BuildIndex(context.Background(), &index, query.Source{Reader: bytes.NewReader(file), Size: int64(len(file))}, options)
		if err := errors.Join(err, os.WriteFile(name, file, 0o666), os.WriteFile(name+"x", index.Bytes(), 0o666)); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}

var mutants = flag.Int("mutants", 0, "how many inputs TestFuzz makes: 6,000 if it is 0, and 200,000 in make long")

// TestFuzz gives changed inputs to every function of the core that reads, under the sanitizers. The core takes every checksum for right, so that the changes are seen below them.
//
//	PLY11_SEED=1 go test -tags long -timeout 0 ./clients -run TestFuzz/sanitizers -mutants 100000000
func TestFuzz(t *testing.T) {
	rounds := fmt.Sprint(*mutants)
	switch {
	case *mutants > 0:
	case testenv.Long:
		rounds = "200000"
	default:
		rounds = "6000"
	}
	seeds := seedArchives(t)
	eachBuild(t, func(t *testing.T, b *build) {
		if !b.slow {
			return // sanitizers and other processors
		}
		line := append(b.run[:len(b.run):len(b.run)], b.compile(t, "fuzz"), rounds)
		line = append(line, seeds...)
		cmd := exec.Command(line[0], line[1:]...)
		cmd.Env = append(os.Environ(), "PLY11_MODEL="+model)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		t.Logf("%s", out)
	})
}
