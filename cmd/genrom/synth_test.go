// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

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

// TestReadmeTable: what the README says of area and speed is what genrom synth has last measured and recorded.
func TestReadmeTable(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join("..", "..", "hdl", "syn", "measured.json"))
	if err != nil {
		t.Fatal(err)
	}
	var areas []eda.Area
	if err := json.Unmarshal(text, &areas); err != nil || len(areas) == 0 {
		t.Fatal(len(areas), err)
	}
	shown := tableOf(string(readme))
	for name, row := range tableOf(eda.Markdown(areas)) {
		if shown[name] == nil {
			t.Errorf("the README has no row %s", name)
		}
		for column, want := range row {
			if got, ok := shown[name][column]; ok && got != want {
				t.Errorf("%s, %s: the README says %q, measured is %q", name, column, got, want)
			}
		}
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
