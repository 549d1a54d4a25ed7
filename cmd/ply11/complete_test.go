// SPDX-License-Identifier: Apache-2.0

package main_test

import (
	"slices"
	"strings"
	"testing"
)

// TestCompletion: the shell completes the values of flags.
func TestCompletion(t *testing.T) {
	completed := func(args ...string) []string {
		code, out, errs := runBoth(t, append([]string{"__complete"}, args...)...)
		if code != 0 {
			t.Fatalf("exit code %d: %s", code, errs)
		}
		lines := strings.Split(out, "\n")
		return lines[:slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, ":") })]
	}
	for _, c := range []struct{ args, has, hasNot string }{
		{"pack --on-error", "keep skip stop", ""},
		{"import --on-error", "skip stop", "keep"},
		{"import --from", "binpack lc0 parquet", "pgn"},
		{"convert --to", "pgn p11 jose chessbase", "parquet"},
		{"convert --from", "pgn p11 jose chessbase", "parquet"},
		{"convert --to jose --to-option", "container=jgt container=tsv", "moves=dense"},
		{"convert --to p11 --to-option", "moves=dense block=", "container=jgt"},
		{"convert --from-option", "", "moves=dense"},
		{"explain --format jose --option", "container=jgt", ""},
		{"explain --format", "brenner uci", "parquet"},
		{"export --to", "npy parquet", "pgn"},
		{"export --planes", "bits lc0", ""},
		{"export --labels", "lc0", ""},
		{"verify --invalid", "", "keep"},
		{"find --invalid", "include skip only", "keep"},
		{"find --result", "1-0 draw", ""}, {"export --stm", "white black", ""}, {"find --mover", "white black", ""},
		{"find --ending", "mate stalemate", ""},
		{"tree --fen", "startpos", ""},
	} {
		got := completed(append(strings.Fields(c.args), "")...)
		for _, want := range strings.Fields(c.has) {
			if !slices.Contains(got, want) {
				t.Errorf("%s: %q is not among %q", c.args, want, got)
			}
		}
		if slices.Contains(got, c.hasNot) && c.hasNot != "" {
			t.Errorf("%s: %q is among %q", c.args, c.hasNot, got)
		}
	}
}
