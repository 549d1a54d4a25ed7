// SPDX-License-Identifier: Apache-2.0

// Package hdl holds the Verilog of the project, and makes it available to the tools.
//
// FS contains five folders: rtl (the modules, one a file), tb (one folder for each module's benches, and include),
// formal (properties, and the circuits that state them), syn (what measures area and speed, and the boards) and driver
// (the registers for software). It also has the core for FuseSoC, and the tables: checks.tsv says what is linted,
// simulated and proved, with which files. netlists.tsv says what netlists are made of. mutants.tsv has errors that
// checks must notice. Extract writes all of it to a folder where simulators and synthesisers can read it. README.md
// in this folder describes the tables.
package hdl

import (
	"bufio"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// FS is everything that the tools read, by its path below hdl, with slashes.
//
//go:embed rtl tb formal syn driver *.tsv ply11.core
var FS embed.FS

// Modules returns the names of the modules in rtl, sorted. Module m stands in rtl/m.v.
func Modules() []string {
	names, err := fs.Glob(FS, "rtl/*.v")
	if err != nil {
		return nil // the pattern is a constant and well formed
	}
	for i, n := range names {
		names[i] = strings.TrimSuffix(strings.TrimPrefix(n, "rtl/"), ".v")
	}
	sort.Strings(names)
	return names
}

// Extract writes FS below dir, which is made if need be. Files that exist are overwritten.
func Extract(dir string) error {
	return fs.WalkDir(FS, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		to := filepath.Join(dir, filepath.FromSlash(path))
		if d.IsDir() {
			return os.MkdirAll(to, 0o777)
		}
		text, err := FS.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(to, text, 0o666)
	})
}

// A Row is one row of a table of this package, by the names in its first line. An absent value is "".
type Row map[string]string

// Table reads one of the tables in FS, such as "checks.tsv": tab-separated, lines that begin with #
// are comments, the first other line has the names, and "-" stands for nothing.
func Table(path string) ([]Row, error) {
	f, err := FS.Open(path)
	if err != nil {
		return nil, fmt.Errorf("hdl: %w", err)
	}
	defer f.Close()
	var names []string
	var rows []Row
	sc := bufio.NewScanner(f)
	for line := 1; sc.Scan(); line++ {
		text := sc.Text()
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		cells := strings.Split(text, "\t")
		if names == nil {
			names = cells
			continue
		}
		if len(cells) != len(names) {
			return nil, fmt.Errorf("hdl: %s:%d: %d columns, want %d", path, line, len(cells), len(names))
		}
		row := make(Row, len(cells))
		for i, c := range cells {
			if c != "-" {
				row[names[i]] = c
			}
		}
		rows = append(rows, row)
	}
	return rows, sc.Err()
}
