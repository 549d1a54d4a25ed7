// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ply11/internal/testenv"
	"ply11/sim/eda"
)

// tableOf returns a Markdown table by the names of rows and columns: the first that has a column LUT4.
func tableOf(text string) map[string]map[string]string {
	cells := func(line string) []string {
		list := strings.Split(strings.Trim(line, "| "), "|")
		for i := range list {
			list[i] = strings.Trim(list[i], " `")
		}
		return list
	}
	table := make(map[string]map[string]string)
	var names []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case !strings.HasPrefix(line, "|"):
			if names != nil {
				return table
			}
		case names == nil:
			if list := cells(line); slices.Contains(list, "LUT4") {
				names = list
			}
		case !strings.HasPrefix(line, "|--"):
			row := make(map[string]string)
			for i, c := range cells(line) {
				if i < len(names) {
					row[names[i]] = c
				}
			}
			table[row[names[0]]] = row
		}
	}
	return table
}

// TestAreaTable: what docs/measurements.md and the README say of area and speed is what genrom synth has last measured and recorded.
func TestAreaTable(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "measurements.md"))
	if err != nil {
		t.Fatal(err)
	}
	areas, err := readAreas(filepath.Join("..", "..", "hdl", "syn", "measured.json"))
	if err != nil || len(areas) == 0 {
		t.Fatal(len(areas), err)
	}
	shown := tableOf(string(page))
	for name, row := range tableOf(eda.Markdown(areas)) {
		if shown[name] == nil {
			t.Errorf("docs/measurements.md has no row %s", name)
		}
		for column, want := range row {
			if got, ok := shown[name][column]; ok && got != want {
				t.Errorf("%s, %s: docs/measurements.md says %q, measured is %q", name, column, got, want)
			}
		}
	}
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, a := range areas {
		row := ""
		switch a.Design {
		case "decode":
			row = fmt.Sprintf("| `ply11_decode`: area | %d LUT4 |\n", a.LUTs)
		case "player.words":
			row = fmt.Sprintf("| `ply11_player` for words: area; speed | %d,%03d LUT4; %.0f MHz |\n", a.LUTs/1000, a.LUTs%1000, a.MHz)
		default:
			continue
		}
		if found++; !strings.Contains(string(readme), row) {
			t.Errorf("the README does not have %q", row)
		}
	}
	if found != 2 {
		t.Errorf("%d of two designs are measured", found)
	}
}

// TestMeasured: the figures are those of the present sources. Each change of the Verilog would ask for hours of measuring, so
// only the long tests insist; the others tell which are old.
func TestMeasured(t *testing.T) {
	status, out, errs := genrom(t, "", "synth", "--check", "../../hdl/syn/measured.json")
	if status == exitOK {
		return
	}
	if status != exitDiffers || out == "" {
		t.Fatalf("status %d\n%s%s", status, out, errs)
	}
	if testenv.Long {
		t.Error(errs)
	}
	t.Log(errs)
}

// TestCheckAreas: a figure whose sources are others, or not known, is named, and only that.
func TestCheckAreas(t *testing.T) {
	designs, err := eda.Designs()
	if err != nil {
		t.Fatal(err)
	}
	var areas []eda.Area
	seen := map[string]bool{}
	for _, d := range designs {
		sources, err := d.Sources()
		if err != nil || seen[sources] {
			t.Fatal(d.Name, err, sources)
		}
		seen[sources] = true
		areas = append(areas, eda.Area{Design: d.Name, Sources: sources})
	}
	path := filepath.Join(t.TempDir(), "measured.json")
	check := func(want int, names string) {
		t.Helper()
		if err := recordAreas(path, areas); err != nil {
			t.Fatal(err)
		}
		if status, out, errs := genrom(t, "", "synth", "--check", path); status != want || out != names {
			t.Errorf("status %d, %q\n%s", status, out, errs)
		}
	}
	check(exitOK, "")
	areas[1].Sources, areas[3].Sources = "", areas[2].Sources
	check(exitDiffers, areas[1].Design+"\n"+areas[3].Design+"\n")
	if status, _, _ := genrom(t, "", "synth", "--check", filepath.Join(t.TempDir(), "none.json")); status != exitIO {
		t.Errorf("status %d without a file", status)
	}
}

// TestRecordAreas: figures are kept in the order of the designs, and those of other designs stay.
func TestRecordAreas(t *testing.T) {
	path := filepath.Join(t.TempDir(), "measured.json")
	for _, areas := range [][]eda.Area{{{Design: "rom", BlockRAMs: 8}}, {{Design: "encode", LUTs: 3, Offsets: []int{3, 4, 2}}}, {{Design: "rom", BlockRAMs: 9}}} {
		if err := recordAreas(path, areas); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var areas []eda.Area
	if err := json.Unmarshal(text, &areas); err != nil || len(areas) != 2 || areas[0].Design != "encode" || areas[0].Worst() != 4 || areas[1].BlockRAMs != 9 {
		t.Errorf("%v\n%s", err, text)
	}
	if err := os.WriteFile(path, []byte("no JSON"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := recordAreas(path, areas); exitStatus(err) != exitIO {
		t.Error(err)
	}
}
