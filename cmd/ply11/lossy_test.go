// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ply11/internal/cli"
	"ply11/internal/formats"
	"ply11/internal/testenv"
)

// What convert --lossy writes can be read: verify finds nothing wrong with it, from games with all that a format may
// not have.
func TestLossyIsReadable(t *testing.T) {
	dir := t.TempDir()
	sources, err := filepath.Glob(filepath.Join("..", "..", "testdata", "samples", "*.pgn"))
	if err != nil || len(sources) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	sources = append(sources, filepath.Join("..", "..", "testdata", "edge.pgn"))
	for _, f := range formats.All {
		if f.Write == nil || f.Read == nil || len(f.Extensions) == 0 {
			continue
		}
		for i, source := range sources {
			if i%testenv.Pick(1, 3) != 0 {
				continue
			}
			out := filepath.Join(dir, "x"+f.Extensions[0])
			if code, errs := runHere(t, "convert", "-q", "-f", "--lossy", "--to", f.Name, "-o", out, source); code !=
				0 && code != cli.Loss {
				t.Errorf("%s to %s: exit code %d: %s", source, f.Name, code, errs)
			}
			if code, errs := runHere(t, "verify", "-q", out); code != 0 {
				t.Errorf("%s as %s does not verify: %s", source, f.Name, errs)
			}
		}
	}
}

// A line of UCI keeps the start.
func TestUCIStart(t *testing.T) {
	dir := t.TempDir()
	const fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 3 40"
	text := "[SetUp \"1\"]\n[FEN \"" + fen + "\"]\n\n1. e4 Kd7 *\n\n[SetUp \"1\"]\n[FEN \"" + fen +
		"\"]\n\n*\n\n1. d4 d5 *\n\n*\n"
	want := "position fen " + fen + " moves e2e4 e8d7\nposition fen " + fen + "\nd2d4 d7d5\n\n"
	in, out, back := writeFile(t, dir, "a.pgn", text), filepath.Join(dir, "a.uci"), filepath.Join(dir, "b.uci")
	if code, errs := runHere(t, "convert", "-q", "-o", out, in); code != 0 {
		t.Fatal(errs)
	}
	if got, _ := os.ReadFile(out); string(got) != want {
		t.Errorf("%q, want %q", got, want)
	}
	if code, errs := runHere(t, "convert", "-q", "-o", back, out); code != 0 {
		t.Fatal(errs)
	}
	if got, _ := os.ReadFile(back); string(got) != want {
		t.Errorf("it comes back as %q", got)
	}
	for _, line := range []string{"position", "position fen", "position fen x moves e2e4", "position start",
		"position startpos e2e4", "position fen " + fen + " moves e2e5"} {
		if code, errs := runHere(t, "verify", "-q", writeFile(t, dir, "c.uci", line+"\n")); code != cli.Wrong ||
			!strings.Contains(errs, "line 1") {
			t.Errorf("%q: exit code %d: %s", line, code, errs)
		}
	}
	if code, errs := runHere(t, "verify", "-q", writeFile(t, dir, "c.uci",
		"position startpos moves e2e4 e7e5\nposition startpos\n")); code != 0 {
		t.Error(errs)
	}
}
