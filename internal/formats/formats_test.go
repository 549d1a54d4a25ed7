// SPDX-License-Identifier: Apache-2.0

package formats_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"ply11/game"
	"ply11/game/pgn"
	"ply11/internal/formats"
)

func movetext(g *game.Game) []byte {
	s := pgn.Export()
	return pgn.AppendMovetext(nil, g, &s)
}

// A format is known by a file's name, in either case, and by that of a compressed file.
func TestByPath(t *testing.T) {
	for path, name := range map[string]string{"x.brn": "brenner", "x.JGT.gz": "jose", "x.tsv": "jose-program",
		"x.fbk": "fbk", "x.BIN": "polyglot",
		"x.cbi": "chessbase", "x.cbf": "chessbase"} {
		if f, err := formats.ByPath(path); err != nil || f.Name != name {
			t.Errorf("%s: %v", path, err)
		}
	}
	var out bytes.Buffer
	f, err := formats.ByName("jose")
	if err != nil {
		t.Fatal(err)
	}
	w, err := f.Write(formats.Output{Writer: &out, Path: "a.TSV.zst"}, formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Write(game.New()), w.Close()); err != nil || !strings.Contains(out.String(),
		"\tgametext_hex") {
		t.Errorf("a.TSV.zst is written as %q, %v", out.String(), err)
	}
	if _, err := formats.ByName("no such format"); !errors.Is(err, formats.ErrUnknown) {
		t.Error(err)
	}
}

// The list is in order, nothing in it occurs twice, and every format can do everything.
func TestAll(t *testing.T) {
	seen := map[string]bool{}
	for i, f := range formats.All {
		if i > 0 && formats.All[i-1].Name >= f.Name {
			t.Errorf("%s comes after %s", f.Name, formats.All[i-1].Name)
		}
		if strings.Trim(f.Name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || f.Name == "" {
			t.Errorf("the name %q", f.Name)
		}
		if f.Description == "" {
			t.Errorf("%s has no description", f.Name)
		}
		for _, ext := range f.Extensions {
			if seen[ext] || ext[0] != '.' || strings.ToLower(ext) != ext {
				t.Errorf("%s: the extension %q", f.Name, ext)
			}
			seen[ext] = true
		}
		if f.Read == nil || f.Write == nil || f.Explain == nil || f.Verify == nil {
			t.Errorf("%s cannot do all", f.Name)
		}
	}
}

// TestPage: docs/formats.md has a row for each format, as the registry describes it.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range formats.All {
		row := fmt.Sprintf("| `%s` | %s | %s |\n", f.Name, strings.Join(f.Extensions, " "), f.Description)
		if row = strings.ReplaceAll(row, "|  |", "| |"); !strings.Contains(string(page), "\n"+row) {
			t.Errorf("docs/formats.md lacks %s", row)
		}
	}
}
