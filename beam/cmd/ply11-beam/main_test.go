// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ply11/internal/cli"
	"ply11/internal/samples"
)

// TestCommands runs the commands in one process: what each writes is there, and wrong usage is refused.
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
		{"dedupe -o c/once a/*.p11 b/*.p11", "c/once-0000?-of-00004.p11", 4},
		{"export --to jsonl --seed 1 --shards 2 -o e/ a/*.p11", "e/[0m]*", 3}, // and the manifest
	} {
		if code := execute(strings.Fields(c.args)); code != cli.Done {
			t.Fatalf("%s: exit code %d", c.args, code)
		}
		if names, err := filepath.Glob(c.wrote); err != nil || len(names) != c.files {
			t.Errorf("%s: %v, %v", c.args, names, err)
		}
	}
	for args, want := range map[string]int{
		"":                                      cli.Done, // the help
		"dedupe":                                cli.Usage,
		"dedupe a/*.p11":                        cli.Usage,
		"pack -o x --shards 0 *.pgn":            cli.Usage,
		"dedupe -o a/new a/*.p11":               cli.Usage, // what it writes would be read
		"export --to npy -o x a/*.p11":          cli.Usage,
		"export --to jsonl --seed 1 -o x a/*":   cli.Usage, // without --shards
		"export --to jsonl --shards 2 -o x a/*": cli.Usage, // without --seed
		"nonsense":                              cli.Usage,
		"dedupe -o x --nonsense a/*":            cli.Usage,
		"dedupe -o x --output y a/*":            cli.Usage, // as ply11 has it
		"dedupe --runner prism --runner prism -o x a/*":               cli.Usage,
		"export --shards 1 --seed 1 -o x --date 1990 --date 1991 a/*": cli.Usage,
		"dedupe --attempts 0 -o x a/*":                                cli.Usage,
		"dedupe --attempts 1 -o x none/*.p11":                         cli.Failed,
	} {
		if code := execute(strings.Fields(args)); code != want {
			t.Errorf("%q: exit code %d, want %d", args, code, want)
		}
	}
	if left, _ := filepath.Glob("x*"); len(left) > 0 {
		t.Errorf("%v is there", left)
	}
	for _, args := range []string{"dedupe -o x", "export --shards 1 --seed 1 -o x"} {
		cmd := newRoot()
		cmd.SetArgs(append(strings.Fields(args), "--attempts", "1", "*.pgn"))
		if err := cmd.Execute(); err == nil || !strings.Contains(err.Error(),
			".pgn: not a ply11 archive; pack PGN first: ply11-beam pack") {
			t.Errorf("%s of PGN: %v", args, err)
		}
	}
}

// TestHelp: the help of each command has an example, and says how to submit it.
func TestHelp(t *testing.T) {
	for _, cmd := range newRoot().Commands() {
		if cmd.Example == "" {
			t.Errorf("%s has no example", cmd.Name())
		}
		if name := cmd.Name(); name == "flags" {
			continue // it submits nothing
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
