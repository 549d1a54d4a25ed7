// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ply11/internal/exitcode"
	"ply11/internal/samples"
)

// TestCommands runs the commands one after the other, in one process: what each writes is there, and wrong usage is
// refused.
func TestCommands(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range samples.Names {
		if err := os.WriteFile(name, samples.File(name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args  string
		wrote string // a pattern
		files int
	}{
		{"pack -o a/games --shards 3 *.pgn", "a/games-0000?-of-00003.p11", 3},
		{"pack --dense -o b/all *.pgn", "b/all-00001-of-00001.p11", 1},
		{"tree -o tree.json --moves 1.e4 a/*.p11", "tree.json", 1},
		{"dedupe -o c/once a/*.p11 b/*.p11", "c/once-0000?-of-00004.p11", 4},
		{"index a/games-*.p11", "a/games-0000?-of-00003.p11x", 3},
		{"export -o d/table a/*.p11", "d/table-0000?-of-00003.parquet", 3},
		{"export --to jsonl --seed 1 --shards 2 -o e/ a/*.p11", "e/[0m]*", 3}, // and the manifest
		{"tree -o rest.json --bad-archives bad a/*.p11 *.pgn", "bad/*.txt", len(samples.Names)},
	} {
		if code := execute(strings.Fields(c.args)); code != exitcode.Done {
			t.Fatalf("%s: exit code %d", c.args, code)
		}
		if names, err := filepath.Glob(c.wrote); err != nil || len(names) != c.files {
			t.Errorf("%s: %v, %v", c.args, names, err)
		}
	}
	for args, want := range map[string]int{
		"":                                   exitcode.Done, // the help
		"tree":                               exitcode.Usage,
		"tree a/*.p11":                       exitcode.Usage,
		"tree -o x.json --moves 1.e5 a/*":    exitcode.Usage,
		"pack -o x --shards 0 *.pgn":         exitcode.Usage,
		"dedupe -o a/new a/*.p11":            exitcode.Usage, // what it writes would be read
		"export --to npy -o x a/*.p11":       exitcode.Usage,
		"nonsense":                           exitcode.Usage,
		"tree -o x.json --nonsense a/*":      exitcode.Usage,
		"tree -o x.json --output y.json a/*": exitcode.Usage, // as ply11 has it
		"tree --runner prism --runner prism -o x.json a/*": exitcode.Usage,
		"tree -o x.json --date 1990 --date 1991 a/*":       exitcode.Usage,
		"tree -o x.json --bad-archives / a/*":              exitcode.Usage,
		"tree -o x.json --bad-archives= a/*":               exitcode.Usage,
		"tree -o x.json --bad-archives s3:// a/*":          exitcode.Usage,
		"tree --attempts 0 -o x.json a/*":                  exitcode.Usage,
		"tree --attempts 1 -o x.json none/*.p11":           exitcode.Failed,
	} {
		if code := execute(strings.Fields(args)); code != want {
			t.Errorf("%q: exit code %d, want %d", args, code, want)
		}
	}
	if left, _ := filepath.Glob("x*"); len(left) > 0 {
		t.Errorf("%v is there", left)
	}
	for _, args := range []string{"tree -o x", "dedupe -o x", "export -o x", "index"} {
		cmd := newRoot()
		cmd.SetArgs(append(strings.Fields(args), "--attempts", "1", "*.pgn"))
		if err := cmd.Execute(); err == nil || !strings.Contains(err.Error(),
			".pgn: not a ply11 archive; pack PGN first: ply11-beam pack") {
			t.Errorf("%s of PGN: %v", args, err)
		}
	}
}

// TestTold: the command tells how many archives are left out, and counts of a pipeline that has not failed.
func TestTold(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("games.pgn", samples.File(samples.Plain), 0o666); err != nil {
		t.Fatal(err)
	}
	if code := execute(strings.Fields("pack -o sound games.pgn")); code != exitcode.Done {
		t.Fatalf("exit code %d", code)
	}
	for _, name := range []string{"a.none", "b.none"} {
		if err := os.WriteFile(name, []byte(name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const counts = " files, "
	for _, c := range []struct {
		args      string
		code      int
		want, not string
	}{
		{"--bad-archives bad/ sound*.p11 a.none", exitcode.Done,
			"ply11-beam: 1 archive cannot be read, and is left out: see bad\n", counts},
		{"--bad-archives bad sound*.p11 *.none", exitcode.Done,
			"ply11-beam: 2 archives cannot be read, and are left out: see bad\n", counts},
		{"--verbose sound*.p11", exitcode.Done, "ply11-beam: 1" + counts, "left out"},
		{"--verbose --attempts 1 *.none", exitcode.Failed, "ply11-beam: ", counts},
	} {
		if code, told := stderrOf(t,
			func() int {
				return execute(append([]string{"tree", "-o", "tree.json"}, strings.Fields(c.args)...))
			}); code != c.code ||
			!strings.Contains(told, c.want) || strings.Contains(told, c.not) {
			t.Errorf("%s: exit code %d, %s", c.args, code, told)
		}
	}
}

// stderrOf returns what run returns, and what it writes to the standard error.
func stderrOf(t *testing.T, run func() int) (int, string) {
	t.Helper()
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	old := os.Stderr
	os.Stderr = f
	defer func() { os.Stderr = old }()
	code := run()
	b, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	return code, string(b)
}

// TestHelp: the help of each command has an example, and says how to submit it.
func TestHelp(t *testing.T) {
	for _, cmd := range newRoot().Commands() {
		if cmd.Example == "" {
			t.Errorf("%s has no example", cmd.Name())
		}
		if name := cmd.Name(); name == "flags" || name == "workers" {
			continue // they submit nothing
		}
		for _, want := range []string{"--runner dataflow", "--runner flink", "--runner spark"} {
			if !strings.Contains(cmd.Long, want) {
				t.Errorf("the help of %s does not tell of %s", cmd.Name(), want)
			}
		}
		if cmd.Flags().Lookup("endpoint") == nil || cmd.Flags().Lookup("runner") == nil {
			t.Errorf("%s does not take the flags of Beam", cmd.Name())
		}
	}
}

// TestIsWorker: a runner starts workers with the flag --worker.
func TestIsWorker(t *testing.T) {
	for arg, want := range map[string]bool{"--worker": true, "-worker=true": true, "--worker=false": false,
		"worker": false, "--worker_binary=x": false} {
		if isWorker(arg) != want {
			t.Errorf("%s: %v", arg, !want)
		}
	}
}
