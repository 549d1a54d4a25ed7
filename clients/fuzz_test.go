// SPDX-License-Identifier: Apache-2.0

package clients_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"ply11/bitstream/archive"
	"ply11/internal/testenv"
	"ply11/query/index"
)

// seedArchives writes small archives, of each kind, with their indexes or tree files, and returns their names, the
// smallest first.
func seedArchives(t *testing.T) []string {
	t.Helper()
	dir := t.TempDir()
	var names []string
	sizes := make(map[string]int)
	all := texts(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		text := all[name]
		if len(text) > 20000 {
			continue
		}
		name = filepath.Join(dir, fmt.Sprint(len(names)))
		file := pack(t, text, archive.WithBlockGames(5), archive.WithDense(len(names)%2 == 1))
		source := index.Source{Reader: bytes.NewReader(file), Size: int64(len(file))}
		var x bytes.Buffer
		var err error
		if len(names)%3 == 2 {
			_, err = index.BuildTree(context.Background(), &x, source, index.TreeOptions{Temp: name})
		} else {
			_, err = index.Build(context.Background(), &x, source, index.Options{Variations: len(names)%3 == 1})
		}
		if err := errors.Join(err, os.WriteFile(name, file, 0o666),
			os.WriteFile(name+"x", x.Bytes(), 0o666)); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
		sizes[name] = len(file)
	}
	slices.SortStableFunc(names, func(a, b string) int { return sizes[a] - sizes[b] })
	return names
}

var mutants = flag.Int("mutants", 0,
	"how many inputs TestFuzz makes for each build; 0: some seconds of them, and some minutes in make long")

// TestFuzz gives changed inputs to every function of the core that reads, under the sanitizers, on other processors,
// and where what it reads ends before pages that are not there. The core does not check checksums.
//
//	PLY11_SEED=1 go test -tags long -timeout 0 ./clients -run TestFuzz/gcc -mutants 100000000 -v
func TestFuzz(t *testing.T) {
	seeds := seedArchives(t)
	eachBuild(t, func(t *testing.T, b *build) {
		var short, long int
		switch {
		case b.name == "gcc":
			short, long = 100_000, 10_000_000
		case b.name == "sanitizers":
			short, long = 20_000, 1_000_000
		case b.slow:
			long = 200_000
		default:
			return
		}
		rounds := *mutants
		if rounds == 0 {
			rounds = short
			if testenv.Long {
				rounds = long
			}
		}
		line := append(b.run[:len(b.run):len(b.run)], b.compile(t, "fuzz"), fmt.Sprint(rounds))
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
