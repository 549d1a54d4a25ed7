// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"ply11/internal/cli"
	"ply11/internal/tempfile"
	"ply11/internal/testenv"
)

func rowsOf(t *testing.T, text string) (list []int) {
	t.Helper()
	for line := range strings.Lines(text) {
		var row struct{ Game int }
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		list = append(list, row.Game)
	}
	return list
}

// TestExportFilters: export chooses the games that find finds.
func TestExportFilters(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.pgn", strings.Repeat(sortsOfGames, 4))
	ply11(t, dir, 0, "pack -q --block 5 a.pgn")
	for _, args := range []string{"--invalid include", "--invalid skip", "--invalid only", "--player morphy",
		"--plies 2-", "--result 1-0", "--pattern Qb3", "--not result=1-0",
		"--eco C41 --player karl", "--mirror --pattern 'pa7 pb7'",
		"--sequence 'pattern=Pe4 -> pattern=pe5'", "--variations --pattern pc5", "--result 1-0 --or plies=1"} {
		if !strings.HasPrefix(args, "--invalid") {
			args += " --invalid include"
		}
		want, _ := ply11(t, dir, 0, "find --json a.p11 "+args)
		got, _ := ply11(t, dir, 0, "export --to jsonl a.p11 "+args)
		if w, g := rowsOf(t, want), rowsOf(t, got); !slices.Equal(w, g) || len(w) == 0 {
			t.Errorf("%v: %v, want %v", args, g, w)
		}
		m := filepath.Join(dir, "set", "manifest.json")
		ply11(t, dir, 0, "export -q -f --to jsonl --shards 2 -o set a.p11 "+args)
		b, err := os.ReadFile(m)
		if err != nil {
			t.Fatal(err)
		}
		var manifest struct {
			Games   int
			Options struct{ Filters []string }
		}
		if err := json.Unmarshal(b, &manifest); err != nil || manifest.Games != len(rowsOf(t, want)) ||
			len(manifest.Options.Filters) == 0 {
			t.Errorf("%v: %v, %+v", args, err, manifest)
		}
	}
}

// TestExportFiltersOrder: the manifest has the filters in the order of their names, so that a data set goes on with
// those flags in whatever order.
func TestExportFiltersOrder(t *testing.T) {
	dir := packed(t, games)
	for _, flags := range []string{"--result 1-0 --invalid include --plies 2- --not player=x --mirror --not player=zz",
		"--plies 2- --not player=x --mirror --not player=zz --result 1-0 --invalid include"} {
		ply11(t, dir, 0, "export -q --to jsonl -o set/ a.p11 "+flags)
		var manifest struct{ Options struct{ Filters []string } }
		if err := json.Unmarshal([]byte(read(t, dir, "set/manifest.json")), &manifest); err != nil {
			t.Fatal(err)
		}
		if got, want := strings.Join(manifest.Options.Filters, " "),
			"--invalid=include --mirror=true --not=player=x --not=player=zz --plies=2- --result=1-0"; got != want {
			t.Errorf("%s: %s, want %s", flags, got, want)
		}
	}
}

// TestExportCommand: what is refused, where it writes, and what it prints.
func TestExportCommand(t *testing.T) {
	dir := packed(t, games)
	for _, c := range []struct {
		code int
		args string
		want string
	}{
		{2, "a.p11", "use --to to say the format"},
		{2, "--to x a.p11", "there are"},
		{2, "--to jsonl --shards 2 a.p11", "--output"},
		{2, "--to jsonl --shards 0 -o s a.p11", ""},
		{2, "--to jsonl --shard-rows 0 -o s a.p11", "--shard-rows is 1 or more"},
		{2, "--to jsonl --shard-bytes 5 --shards 2 -o s a.p11", "only one of"},
		{2, "--to jsonl --shard-bytes 5 --shard-rows 2 -o s a.p11", "only one of"},
		{0, "--to jsonl --shard-rows 1 -o rows a.p11", "2 games, 2 rows in 2 shards"},
		{0, "--to jsonl --shard-bytes 10000 -o bytes a.p11", "2 games, 2 rows in 1 shards"},
		{2, "--to jsonl --rating x a.p11", "--rating"},
		{2, "-o a.jsonl.gz --to jsonl a.p11", "compressed"},
		{2, "--to jsonl -o a.pgn a.p11", "--force"},
		{2, "--to jsonl", "wrong number"},
		{6, "--to jsonl --player nobody a.p11", "no game"},
		{6, "--to jsonl --player nobody -o none a.p11", "no game"},
		{0, "-q -o pgn.jsonl a.pgn", ""},
		{3, "--to jsonl q.json", "q.json"},
		{1, "--to jsonl missing.p11", "missing.p11"},
		{0, "-o new.jsonl a.p11", "2 games, 2 rows in 1 shards"},
		{0, "-o new.jsonl a.p11", "2 games, 2 rows in 1 shards"},
		{2, "-o new.jsonl --player morphy a.p11", "--force"},
		{0, "-f -o new.jsonl --player morphy a.p11", "1 games, 1 rows in 1 shards"},
		{0, "--to jsonl -o folder/ a.p11", "2 games"},
		{0, "--to jsonl -o folder a.p11", "2 games"},
		{0, "--to jsonl -q -o quiet a.p11", ""},
	} {
		write(t, dir, "q.json", "{}")
		out, errs := ply11(t, dir, c.code, "export "+c.args)
		if !strings.Contains(errs, c.want) || strings.Count(errs, "\n") > 1 || out != "" {
			t.Errorf("%s: %q", c.args, errs)
		}
	}
	if got := read(t, dir, "a.pgn"); got != games {
		t.Error("it replaces a file")
	}
	if got := rowsOf(t, read(t, dir, "new.jsonl")); fmt.Sprint(got) != "[1]" {
		t.Errorf("%v", got)
	}
	if info, err := os.Stat(filepath.Join(dir, "new.jsonl")); err != nil ||
		info.Mode().Perm() != 0o666&^tempfile.Umask() {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	read(t, dir, "folder/00001-of-00001.jsonl")
	read(t, dir, "folder/manifest.json")
}

// TestImport: games go out and come back, and what is no sound file is refused and leaves nothing.
func TestImport(t *testing.T) {
	dir := packed(t, annotated+games)
	ply11(t, dir, 0, "convert -q -o want.pgn a.p11")
	want := read(t, dir, "want.pgn")
	ply11(t, dir, 0, "export -q --to parquet --shards 2 -o set a.p11")
	for _, args := range []string{"set/*.parquet", "--dense set/*.parquet",
		"--from parquet set/00001-of-00002.parquet set/00002-of-00002.parquet"} {
		_, errs := ply11(t, dir, 0, "import -f -o b.p11 "+args)
		if !strings.Contains(errs, "6 games, 21 plies; 0 left out") {
			t.Errorf("%s: %q", args, errs)
		}
		ply11(t, dir, 0, "convert -q -f -o back.pgn b.p11")
		if got := read(t, dir, "back.pgn"); got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
	for _, format := range []string{"binpack", "bin", "viriformat", "lc0"} {
		_, errs := runCode(t, dir, 0, "", "export", "--to", format, "-o", "a."+format, "a.p11")
		if !strings.Contains(errs, "4 games are left out that the format cannot hold") {
			t.Errorf("%s: %q", format, errs)
		}
		runCode(t, dir, 0, "", "import", "-q", "-f", "--from", format, "-o", "b.p11", "a."+format)
		runCode(t, dir, 0, "", "export", "-q", "--to", format, "-o", "b."+format, "b.p11")
		if read(t, dir, "b."+format) != read(t, dir, "a."+format) {
			t.Errorf("%s: another file the second time", format)
		}
	}
	file := read(t, dir, "set/00001-of-00002.parquet")
	write(t, dir, "cut.parquet", file[:len(file)/2])
	write(t, dir, "other.parquet", strings.Replace(file, "b04bfc83", "b04bfc84", 1))
	for _, c := range []struct {
		code       int
		args, want string
	}{
		{2, "-o x.p11", "wrong number"}, {2, "cut.parquet", "--output"}, {2, "-o x.p11 a.pgn", "ply11 pack"},
		{2, "-o x.p11 --from y a.pgn", "there are"},
		{2, "-o x.p11 --on-error keep cut.parquet", "skip or stop"},
		{3, "-o x.p11 cut.parquet", "cut.parquet: corrupt: not a sound file"},
		{3, "-o x.p11 --from parquet a.pgn", "not a sound file"},
		{3, "-o x.p11 other.parquet", "order of another table"}, {1, "-o x.p11 no.parquet", "no.parquet"},
		{3, "-o x.p11 --from bin a.binpack", "--from binpack reads it"},
		{3, "-o x.p11 --from binpack a.bin", "--from bin reads it"},
	} {
		_, errs := ply11(t, dir, c.code, "import "+c.args)
		if !strings.Contains(errs, c.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: %q", c.args, errs)
		}
		if _, err := os.Stat(filepath.Join(dir, "x.p11")); err == nil {
			t.Errorf("%s: it leaves an archive", c.args)
		}
	}
}

// TestTwoExports: while an export writes a data set, a second one there is refused. If the first is killed, the next
// goes on.
func TestTwoExports(t *testing.T) {
	bothWays(t, func(t *testing.T) {
		dir := t.TempDir()
		runCode(t, dir, 0, "", "pack", "-q", "-o", "many.p11", many(t, dir, 8_000))
		data := []byte(read(t, dir, "many.p11"))
		for _, c := range []struct{ output, lock string }{{"set", "set/manifest.json.lock"},
			{"set.npz", "set.npz.manifest.json.lock"}} {
			settings := []string{"export", "--to", "npz", "--planes", "none", "--seed", "1"}
			if c.output == "set" {
				settings = append(settings, "--shards", "3")
			} else if os.Getenv("PLY11_TEST_NAMED") == "1" {
				continue
			}
			args := append(slices.Clone(settings), "-o", c.output)
			lock := filepath.Join(dir, c.lock)
			for _, sig := range testenv.First([]syscall.Signal{syscall.SIGKILL, 0, syscall.SIGTERM}, 1) {
				// the first reads from a server, which waits as soon as there is the lock
				begun, goOn := make(chan bool, 100), make(chan bool)
				server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if _, err := os.Stat(lock); err == nil {
						begun <- true
						<-goOn
					}
					http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
				}))
				first := command(dir, append(args, server.URL+"/many.p11")...)
				var errs bytes.Buffer
				first.Stderr = &errs
				if err := first.Start(); err != nil {
					t.Fatal(err)
				}
				<-begun
				for _, more := range [][]string{nil, {"-f"}, {"--every", "2"}} {
					_, text := runCode(t, dir, cli.Failed, "", append(append(slices.Clone(args), "many.p11"),
						more...)...)
					if !strings.Contains(text, c.output+": another export writes there") {
						t.Errorf("%v: the second says %q", more, text)
					}
				}
				if sig != 0 {
					first.Process.Signal(sig)
				} else {
					close(goOn)
				}
				err := first.Wait()
				if sig != 0 {
					close(goOn)
				}
				server.Close()
				if (err == nil) != (sig == 0) {
					t.Fatalf("%v, %v: %s", sig, err, errs.String())
				}
				if _, err := os.Stat(lock); (err == nil) != (sig == syscall.SIGKILL) {
					t.Errorf("%v: the lock's file: %v", sig, err)
				}
				if sig == syscall.SIGTERM {
					for _, name := range strings.Fields(left(t, filepath.Dir(lock))) {
						if strings.HasSuffix(name, ".tmp") {
							t.Errorf("%v leaves %s", sig, name)
						}
					}
				}
				runCode(t, dir, 0, "", append(slices.Clone(args), "-q", "many.p11")...) // it is whole, or goes on
				if _, err := os.Stat(lock); err == nil {
					t.Errorf("%v: the lock's file is left", sig)
				}
				runCode(t, dir, 0, "", append(slices.Clone(settings), "-q", "-o", "fresh-"+c.output, "many.p11")...)
				compareTrees(t, sig.String(), treeOf(t, filepath.Join(dir, "fresh-"+c.output)),
					treeOf(t, filepath.Join(dir, c.output)))
				for _, name := range []string{c.output, "fresh-" + c.output} {
					os.RemoveAll(filepath.Join(dir, name))
					os.RemoveAll(filepath.Join(dir, name+".manifest.json"))
				}
			}
		}
	})
}

// compareTrees demands the same files, with the same bytes.
func compareTrees(t *testing.T, what string, want, got map[string][]byte) {
	t.Helper()
	if !maps.EqualFunc(want, got, bytes.Equal) {
		t.Errorf("%s: %q, or their bytes, are not those of %q", what, slices.Sorted(maps.Keys(got)),
			slices.Sorted(maps.Keys(want)))
	}
}

// treeOf returns the files below a folder, or a file.
func treeOf(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	if err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err == nil {
			files[name], err = os.ReadFile(path)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return files
}
