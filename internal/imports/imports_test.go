// SPDX-License-Identifier: Apache-2.0

package imports_test

import (
	"encoding/json"
	"errors"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// allowed says what a folder, and what is below it and has no row of its own, may import of this module, besides
// those of the same row. A name allows the folder alone; with /... also what is below it.
var allowed = map[string][]string{
	"chess":               {},
	"moveindex":           {"chess"},
	"position":            {"moveindex", "chess"},
	"game":                {"position", "moveindex", "chess"},
	"game/codec":          {"game", "position", "moveindex", "chess"},
	"game/pgn":            {"game", "game/codec", "position", "moveindex", "chess"},
	"game/decompress":     {"game/codec"},
	"bitstream":           {"game/codec", "game", "position", "moveindex", "chess"},
	"bitstream/piecelist": {"game/codec", "game", "position", "moveindex", "chess"},
	"bitstream/dense": {"bitstream", "bitstream/internal/rangecoder", "game", "game/codec", "game/pgn", "position",
		"moveindex", "chess"},
	"bitstream/archive": {"bitstream", "bitstream/dense", "bitstream/internal/rangecoder", "game", "game/codec",
		"game/pgn", "position", "moveindex", "chess"},
	"bitstream/brenner":   {"bitstream/piecelist", "game", "game/codec", "position", "moveindex", "chess"},
	"bitstream/jose":      {"bitstream/piecelist", "game", "game/codec", "position", "moveindex", "chess"},
	"bitstream/chessbase": {"bitstream/piecelist", "game", "game/codec", "position", "moveindex", "chess"},
	"bitstream/polyglot":  {"bitstream/piecelist", "game", "game/codec", "position", "moveindex", "chess"},
	"query/index":         {"bitstream/archive", "game", "position", "moveindex", "chess"},
	"query":               {"query/index", "bitstream/archive", "game", "position", "moveindex", "chess"},
	"query/rewrite":       {"bitstream/archive", "game", "position/...", "chess"},
	"dataset": {"query/...", "bitstream/archive", "game/...", "position", "moveindex",
		"chess"},
	"codegen":      {"moveindex", "chess", "hdl"},
	"hdl":          {},
	"sim":          {},
	"sim/oracle":   {"bitstream/...", "game", "game/codec", "position", "moveindex", "chess"},
	"sim/netlists": {"sim"},
	"sim/vectors":  {"hdl", "sim/oracle", "bitstream/...", "game/...", "position", "moveindex", "chess"},
	"sim/eda":      {"hdl", "codegen"},
	"sim/cocotb":   {"sim/eda", "moveindex", "position", "chess"}, // tests alone
	"sim/cosim": {"sim", "sim/netlists", "sim/oracle", "sim/eda", "bitstream/...", "game/...", "position",
		"moveindex", "chess"},
	"cmd/genrom": {"moveindex", "chess", "position", "game/...", "bitstream/...", "query", "codegen", "hdl",
		"sim/...", "web", "web/move", "testdata/..."},
	"cmd/ply11": {"moveindex", "chess", "position/...", "game/...", "bitstream/...", "query/...", "dataset/...",
		"web/...", "testdata/..."},
	// a module of its own
	"beam":         {"moveindex", "chess", "position", "game/...", "bitstream/...", "query/...", "dataset/..."},
	"web":          {"clients"}, // the page's files, and how they are served
	"web/move":     {"web", "moveindex", "position", "chess"},
	"web/explorer": {"web", "web/move", "moveindex", "chess", "position/...", "game/...", "bitstream/...", "query/..."},
	"web/lichess":  {"web", "moveindex", "chess", "position/...", "game/...", "bitstream/...", "query/..."},
	"web/browser":  {"web/...", "game/...", "bitstream/...", "query/..."}, // a module of its own
	"testdata":     {},
	// the tests, and clients/generate
	"clients": {"moveindex", "chess", "position", "game/...", "bitstream/...", "query/...", "dataset/..."},
	"examples": {"moveindex", "chess", "position", "game/...", "bitstream/...", "query/...", "dataset/...", "codegen",
		"hdl", "sim/..."},
	"internal": {"..."},
}

// row returns the row of a folder: its own, or that of the nearest above it.
func row(folder string) (string, bool) {
	for name := folder; ; {
		if _, ok := allowed[name]; ok {
			return name, true
		}
		i := strings.LastIndexByte(name, '/')
		if i < 0 {
			return "", false
		}
		name = name[:i]
	}
}

// may tells whether a folder may import another.
func may(from, to string) bool {
	name, ok := row(from)
	if !ok {
		return false
	}
	// Packages of one row may import each other, and what no user needs serves all.
	if other, _ := row(to); other == name || other == "internal" {
		return true
	}
	return slices.ContainsFunc(allowed[name], func(a string) bool {
		base, all := strings.CutSuffix(a, "/...")
		return a == "..." || to == base || all && below(to, base)
	})
}

// below tells whether a folder is another or below it.
func below(folder, other string) bool {
	return folder == other || strings.HasPrefix(folder, other+"/")
}

const module = "ply11/"

// TestImports: no package imports what the table does not allow it, and every folder has a row.
func TestImports(t *testing.T) {
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", module+"...")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := 0
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		from := strings.TrimPrefix(p.ImportPath, module)
		packages++
		if _, ok := row(from); !ok {
			t.Errorf("%s has no row in the table", from)
		}
		for _, i := range p.Imports {
			if to, ours := strings.CutPrefix(i, module); ours && !may(from, to) {
				t.Errorf("%s imports %s", from, to)
			}
		}
	}
	if packages < 20 {
		t.Errorf("only %d packages", packages)
	}
}

// TestImportsOfBeam holds the module beam/ against the table. Its files are read, and not built: Beam is not needed.
func TestImportsOfBeam(t *testing.T) {
	const root = "../.."
	files := 0
	err := filepath.WalkDir(filepath.Join(root, "beam"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		files++
		from, err := filepath.Rel(root, filepath.Dir(path))
		for _, i := range file.Imports {
			if to, ours := strings.CutPrefix(strings.Trim(i.Path.Value, `"`), module); ours &&
				!may(filepath.ToSlash(from), to) {
				t.Errorf("%s imports %s", from, to)
			}
		}
		return err
	})
	if err != nil || files < 8 {
		t.Error(files, err)
	}
}

// TestMay: what the arrows forbid is not allowed, and the table is no more than it says.
func TestMay(t *testing.T) {
	for _, c := range []struct {
		from, to string
		want     bool
	}{
		{"sim", "sim/eda", false}, {"sim", "sim/cosim", false}, {"sim/eda", "sim", false},
		{"sim/eda", "sim/cosim", false},
		{"sim/eda", "position", false}, {"hdl", "moveindex", false}, {"sim/cosim", "sim/eda", true},
		{"sim/cosim", "bitstream/jose", true},
		{"sim/cosim", "cmd/genrom", false}, {"bitstream/brenner", "bitstream/jose", false},
		{"bitstream", "bitstream/archive", false},
		{"game", "bitstream", false}, {"game", "game/pgn", false}, {"query", "dataset", false},
		{"query/index", "query", false}, {"query", "query/index", true},
		{"dataset/npy", "query", true}, {"cmd/ply11", "sim", false}, {"cmd/genrom", "query", true},
		{"cmd/genrom", "dataset", false}, {"cmd/genrom", "sim/eda", true},
		{"sim", "moveindex", false}, {"sim/netlists", "sim", true}, {"sim", "hdl", false},
		{"moveindex", "position", false}, {"sim/vectors", "sim/vectors/player", true},
		{"beam/p11io", "cmd/ply11", false}, {"query", "beam/p11io", false}, {"elsewhere", "moveindex", false},
		{"position", "internal/cputime", true},
	} {
		if got := may(c.from, c.to); got != c.want {
			t.Errorf("%s imports %s: %v, want %v", c.from, c.to, got, c.want)
		}
	}
}
