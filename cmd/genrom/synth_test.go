// SPDX-License-Identifier: Apache-2.0

package main_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ply11/internal/cli"
	"ply11/internal/testenv"
	"ply11/sim/eda"
)

var update = flag.Bool("update", false, "write the table of area and speed into docs/measurements.md and README.md")

// What docs/measurements.md and the README say of area and speed is what genrom synth has last measured
// and recorded. With -update it is written there.
func TestAreaTable(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "hdl", "syn", "measured.json"))
	testenv.Must(t, err)
	var areas []eda.Area
	if err := json.Unmarshal(text, &areas); err != nil || len(areas) == 0 {
		t.Fatal(len(areas), err)
	}
	const begin, end = "<!-- genrom synth -->\n", "<!-- end -->"
	same(t, filepath.Join("..", "..", "docs", "measurements.md"), regexp.MustCompile(begin+"[^<]*"+end),
		begin+familyMarkdown(areas)+end)
	by := map[[2]string]eda.Area{}
	for _, a := range areas {
		by[[2]string{a.Design, a.Family}] = a
	}
	rows := "| | iCE40 HX8K, LUT4 | MHz | ECP5-25, LUT4 | MHz |\n|---|---:|---:|---:|---:|\n"
	for _, of := range [][2]string{{"`ply11_decode`", "decode"}, {"`ply11_unpack`, a byte a clock", "unpack.8"},
		{"`ply11_board`", "board"}, {"`ply11_player` for words", "player.words"},
		{"`ply11_legal` with its board", "legal"}, {"`ply11_moves`", "moves"}} {
		rows += "| " + of[0]
		for _, f := range []string{eda.ICE40, "ecp5"} {
			a := by[[2]string{of[1], f}]
			if a.LUTs == 0 {
				t.Errorf("%s is not measured in the family %s", of[1], f)
			}
			mhz := ""
			if a.MHz > 0 {
				mhz = fmt.Sprintf("%.0f", a.MHz)
			}
			rows += fmt.Sprintf(" | %d | %s", a.LUTs, mhz)
		}
		rows += " |\n"
	}
	readme := filepath.Join("..", "..", "README.md")
	same(t, readme, regexp.MustCompile(`(?m)^\| \| iCE40 HX8K.*\n(\|.*\n)+`), rows)
	same(t, readme, regexp.MustCompile(`\d+ LUTs turn a number`), fmt.Sprintf("%d LUTs turn a number",
		by[[2]string{"decode", eda.ICE40}].LUTs))
}

// same tells if the one place of a page that a pattern finds is not as wanted, or makes it so with -update.
func same(t *testing.T, path string, place *regexp.Regexp, want string) {
	t.Helper()
	page, err := os.ReadFile(path)
	testenv.Must(t, err)
	found := place.FindAllIndex(page, -1)
	if len(found) != 1 {
		t.Fatalf("%s has %d places of %s", path, len(found), place)
	}
	at := found[0]
	if got := string(page[at[0]:at[1]]); got == want {
		return
	} else if !*update {
		t.Errorf("%s is not as measured: run go test ./cmd/genrom -run TestAreaTable -update\n%s", path,
			cmp.Diff(got, want))
		return
	}
	page = slices.Concat(page[:at[0]], []byte(want), page[at[1]:])
	testenv.Must(t, os.WriteFile(path, page, 0o666))
}

// The figures are those of the present sources. Each change of the Verilog would ask for hours of
// measuring, so only the long tests insist; the others tell which are old.
func TestMeasured(t *testing.T) {
	status, out, errs := genrom(t, "", "synth", "--check", "../../hdl/syn/measured.json")
	if status == cli.Done {
		return
	}
	if status != cli.Wrong || out == "" {
		t.Fatalf("status %d\n%s%s", status, out, errs)
	}
	if testenv.Long {
		t.Error(errs)
	}
	t.Log(errs)
}

// A figure whose sources are others, or not known, is named, and only that.
func TestCheckAreas(t *testing.T) {
	designs, err := eda.Designs()
	testenv.Must(t, err)
	var areas []eda.Area
	seen := map[string]bool{}
	for _, d := range designs {
		sources, err := d.Sources(eda.Families[0])
		if err != nil || seen[sources] {
			t.Fatal(d.Name, err, sources)
		}
		seen[sources] = true
		areas = append(areas, eda.Area{Design: d.Name, Family: eda.ICE40, Sources: sources})
	}
	path := filepath.Join(t.TempDir(), "measured.json")
	check := func(want int, names string) {
		t.Helper()
		text, err := json.Marshal(areas)
		testenv.Must(t, err)
		testenv.Must(t, os.WriteFile(path, text, 0o666))
		if status, out, errs := genrom(t, "", "synth", "--check", path); status != want || out != names {
			t.Errorf("status %d, %q\n%s", status, out, errs)
		}
	}
	check(cli.Done, "")
	areas[1].Sources, areas[3].Sources = "", areas[2].Sources
	check(cli.Wrong, "ice40 "+areas[1].Design+"\nice40 "+areas[3].Design+"\n")
	if status, _, _ := genrom(t, "", "synth", "--check", filepath.Join(t.TempDir(),
		"none.json")); status != cli.Failed {
		t.Errorf("status %d without a file", status)
	}
}

// familyMarkdown returns a line for each design, with the targets in an iCE40, and a column for each family that was
// measured.
func familyMarkdown(areas []eda.Area) string {
	header, rule := "| module | flip-flops | block RAM | target |", "\n|---|---:|---:|---|"
	families := slices.DeleteFunc(slices.Clone(eda.Families), func(f eda.Family) bool {
		return !slices.ContainsFunc(areas, func(a eda.Area) bool { return a.Family == f.Name })
	})
	for _, f := range families {
		what := "LUT, MHz"
		if f.Place == nil {
			what = "LUT"
		} else if f.Place[0] == "sta" {
			what = "NAND2, MHz, pJ a clock"
		}
		header += fmt.Sprintf(" %s: %s |", f.Title, what)
		rule += "---:|"
	}
	var names []string
	by := map[[2]string]string{}
	for _, a := range areas {
		if !slices.Contains(names, a.Design) {
			names = append(names, a.Design)
			by[[2]string{a.Design}] = fmt.Sprintf("%d | %d | %s", a.Flipflops, a.BlockRAMs, a.Target())
		}
		cell := strconv.Itoa(a.LUTs)
		if a.UM2 > 0 {
			cell = fmt.Sprintf("%.0f", a.UM2/eda.NAND2)
		}
		if len(a.Runs) > 0 {
			cell += fmt.Sprintf(", %.0f", a.MHz)
		}
		if a.PJ > 0 {
			cell += fmt.Sprintf(", %.0f", a.PJ)
		}
		by[[2]string{a.Design, a.Family}] = cell
	}
	text := header + rule + "\n"
	for _, name := range names {
		text += "| `" + name + "` | " + by[[2]string{name}] + " |"
		for _, f := range families {
			cell, ok := by[[2]string{name, f.Name}]
			if !ok {
				cell = "–"
			}
			text += " " + cell + " |"
		}
		text += "\n"
	}
	return text
}
