// SPDX-License-Identifier: Apache-2.0

package main_test

import (
	"bytes"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	genromcmd "ply11/cmd/genrom"

	"ply11/codegen"
	"ply11/hdl"
	"ply11/internal/cli"
	"ply11/internal/testenv"
	"ply11/moveindex"
)

// genrom runs a command line and returns its status and what it printed.
func genrom(t testing.TB, stdin string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = genromcmd.Run(t.Context(), args, strings.NewReader(stdin), &out, &errs)
	return status, out.String(), errs.String()
}

// TestAll makes everything, deletes it, makes it again, and compares.
func TestAll(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "build")
	var first map[string]string
	for range 2 {
		testenv.Must(t, os.RemoveAll(dir))
		status, out, errs := genrom(t, "", "-o", dir)
		if status != cli.Done || errs != "" || !strings.Contains(out, " bytes in "+dir) {
			t.Fatalf("status %d\n%s%s", status, out, errs)
		}
		made := make(map[string]string)
		err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			data, err := os.ReadFile(path)
			made[path] = string(data)
			return err
		})
		testenv.Must(t, err)
		if len(made) < len(codegen.Formats())+len(hdl.Modules()) {
			t.Errorf("only %d files", len(made))
		}
		if first == nil {
			first = made
		}
		for path := range first {
			if first[path] != made[path] {
				t.Errorf("%s differs from one time to the next", path)
			}
		}
		if len(first) != len(made) {
			t.Errorf("%d files, then %d", len(first), len(made))
		}
	}
	sums := first[filepath.Join(dir, codegen.SumsPath)]
	for path, data := range first {
		rel, _ := filepath.Rel(dir, path)
		rel = filepath.ToSlash(rel)
		if rel != codegen.SumsPath && !strings.Contains(sums, codegen.Checksum([]byte(data))+"  "+rel+"\n") {
			t.Errorf("%s is not in %s as it is", rel, codegen.SumsPath)
		}
		if strings.HasSuffix(rel, ".v") && !strings.Contains(data, moveindex.TableSHA256) {
			t.Errorf("%s has no banner", rel)
		}
	}
	// Every image in the folder passes; one bit changed in one of them does not.
	images, err := filepath.Glob(filepath.Join(dir, "images", "*"))
	testenv.Must(t, err)
	status, out, errs := genrom(t, "", append([]string{"check"}, images...)...)
	if status != cli.Done || errs != "" || strings.Count(out, "ok\n") != len(images) {
		t.Errorf("check: status %d\n%s%s", status, out, errs)
	}
	data := []byte(first[images[0]])
	data[len(data)/2] ^= 0x40
	testenv.Must(t, os.WriteFile(images[0], data, 0o666))
	status, _, errs = genrom(t, "", append([]string{"check"}, images...)...)
	if status != cli.Wrong || !strings.Contains(errs, fmt.Sprintf("1 of %d files", len(images))) {
		t.Errorf("check: status %d\n%s", status, errs)
	}
}

func TestEmit(t *testing.T) {
	dir := t.TempDir()
	status, out, _ := genrom(t, "", "emit", "-t", "memh,coe", "-o", dir, "vhdl")
	if status != cli.Done || strings.Count(out, "\n") != 3 {
		t.Errorf("status %d: %s", status, out)
	}
	status, out, _ = genrom(t, "", "emit", "-t", "bin-be", "-o", "-")
	if status != cli.Done || len(out) != 4096 || out[:2] != "\x80\x40" {
		t.Errorf("status %d, %d bytes", status, len(out))
	}
	if status, _, errs := genrom(t, out, "check", "-"); status != cli.Done {
		t.Errorf("check of standard input: status %d: %s", status, errs)
	}
	status, out, _ = genrom(t, "", "emit", "--list")
	if status != cli.Done || strings.Count(out, "\n") != 1+len(codegen.Formats()) {
		t.Errorf("list: status %d\n%s", status, out)
	}
}

// TestCheckOfOtherLayouts runs the lines of SRecord in the help of check, on images in a layout that SRecord writes.
func TestCheckOfOtherLayouts(t *testing.T) {
	srecCat, dir := testenv.Tools(t, "srec_cat")[0], t.TempDir()
	_, image, _ := genrom(t, "", "emit", "-t", "bin-le", "-o", "-")
	testenv.Must(t, os.WriteFile(filepath.Join(dir, "image"), []byte(image), 0o666))
	_, help, _ := genrom(t, "", "check", "--help")
	lines := regexp.MustCompile(`(?m)^  srec_cat (\S+) (-\S+) (.+) \| genrom (check -)$`).FindAllStringSubmatch(help,
		-1)
	if len(lines) != 3 {
		t.Errorf("the help has %d lines of srec_cat", len(lines))
	}
	for _, line := range lines {
		file, format, output, check := line[1], line[2], line[3], line[4]
		made := exec.Command(srecCat, "image", "-Binary", "-Output", file, format)
		made.Dir = dir
		if out, err := made.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", made, err, out)
		}
		read := exec.Command(srecCat, append([]string{file, format}, strings.Fields(output)...)...)
		read.Dir = dir
		binary, err := read.Output()
		if err != nil {
			t.Fatalf("%v: %v", read, err)
		}
		status, out, errs := genrom(t, string(binary), strings.Fields(check)...)
		if status != cli.Done || !strings.Contains(out, "bin-le  ok") {
			t.Errorf("%s: status %d\n%s%s", format, status, out, errs)
		}
	}
}

func TestTable(t *testing.T) {
	_, out, _ := genrom(t, "", "table")
	if out != string(moveindex.AppendTable(nil)) {
		t.Error("table is not the table whose checksum the files carry")
	}
	_, out, _ = genrom(t, "", "table", "--halfmoves", "--format", "csv")
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil || len(rows) != 1+moveindex.NumHalfmoves {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	castlings := 0
	for _, row := range rows[1:] {
		if strings.HasPrefix(row[7], "O-O") {
			castlings++
		}
	}
	if castlings != 4 {
		t.Errorf("%d castlings", castlings)
	}
	_, out, _ = genrom(t, "", "table", "--format", "json")
	var moves []struct {
		Index     int
		From      string
		Promotion *string
	}
	if err := json.Unmarshal([]byte(out), &moves); err != nil || len(moves) != moveindex.NumMoves ||
		moves[1].Index != 1 || moves[0].From != "a1" || moves[0].Promotion != nil || *moves[1967].Promotion != "q" {
		t.Errorf("json: %v, %d rows", err, len(moves))
	}
}

func TestSim(t *testing.T) {
	testenv.Tools(t, "iverilog", "vvp", "verilator", "g++", "make")
	// As on a machine so slow that there is always progress to tell: what is no terminal gets none of it.
	defer func(old time.Duration) { *genromcmd.ProgressEvery = old }(*genromcmd.ProgressEvery)
	*genromcmd.ProgressEvery = 0
	status, out, errs := genrom(t, "", "sim", "--tool", "all", "--mode", "words")
	if status != cli.Done || errs != "" || strings.Count(out, "36   1967") != 3 ||
		strings.Count(out, "            0  ") != 3 {
		t.Errorf("status %d\n%s%s", status, out, errs)
	}
	// A broken game is reported and taken as far as it is valid; a null move is none of Brenner's.
	status, out, errs = genrom(t, "1. e4 e5 2. Ke4 *\n\n1. d4 -- 2. c4 *\n", "sim", "--games", "-")
	if status != cli.Failed || !strings.Contains(errs, "ply 3") || !strings.Contains(out,
		"brenner-alt-swapped, brenner-alt-fixed: not held of 1 games: null move and what follows it") {
		t.Errorf("status %d\n%s%s", status, out, errs)
	}
	for _, row := range []string{`words +go +2 +5 +\d+ +0 `,
		`brenner-main +go +2 +3 +\d+ +0 `} {
		if !regexp.MustCompile(row).MatchString(out) {
			t.Errorf("no line %q in\n%s", row, out)
		}
	}
}

// Games come out of each compression that ply11 reads, too, from a file and from standard input. A
// file that is cut off is an error with its name.
func TestSimCompressed(t *testing.T) {
	dir := t.TempDir()
	for name, packed := range map[string]string{ // of "1. e4 *\n\n1. d4 d5 *\n"
		"x.pgn.gz":  "H4sIAAAAAAAAAzPUU0g1UdDi4jLUU0gxUUgxBbIByZa/sxQAAAA=",
		"x.pgn.zst": "KLUv/QRYoQAAMS4gZTQgKgoKMS4gZDQgZDUgKgr0VcX2",
		"x.pgn.bz2": "QlpoOTFBWSZTWerBmeUAAAbZAAAQQBEmAAYAIAAhpoZNCDJiLJTVlBhiQbXi7kinChIdWDM8oA==",
		"x.pgn.xz":  "/Td6WFoAAATm1rRGAgAhARwAAAAQz1jMAQATMS4gZTQgKgoKMS4gZDQgZDUgKgoA1lQNOmDWrzcAASwU+AptAx+2830BAAAAAARZWg==",
	} {
		data, err := base64.StdEncoding.DecodeString(packed)
		testenv.Must(t, err)
		file := filepath.Join(dir, name)
		testenv.Must(t, os.WriteFile(file, data, 0o666))
		for stdin, games := range map[string]string{"": file, string(data): "-"} {
			status, out, errs := genrom(t, stdin, "sim", "--games", games, "--limit", "1", "--mode", "words-32")
			if status != cli.Done || strings.Count(out, "  go      1      1  ") != 1 {
				t.Errorf("%s from %s: status %d\n%s%s", name, games, status, out, errs)
			}
		}
		testenv.Must(t, os.WriteFile(file, data[:len(data)/2], 0o666))
		if status, _, errs := genrom(t, "", "sim", "--games", file, "--mode", "words-32"); status != cli.Failed ||
			!strings.Contains(errs, name) {
			t.Errorf("half of %s: status %d\n%s", name, status, errs)
		}
	}
}

// One clear line, a status, and nothing half-written.
func TestBadInput(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	testenv.Must(t, os.WriteFile(file, []byte("8040\n"), 0o666))
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"emit", "-t", "hexx", "-o", dir}, cli.Usage, "unknown format"},
		{[]string{"emit", "-t", "memh", "-t", "hexx", "-o", dir}, cli.Usage, "unknown format"},
		{[]string{"emit", "-o", "-"}, cli.Usage, "one format"},
		{[]string{"emit", "--nonsense"}, cli.Usage, "nonsense"},
		{[]string{"nonsense"}, cli.Usage, "nonsense"},
		{[]string{"table", "--format", "xml"}, cli.Usage, "xml"},
		{[]string{"sim", "--tool", "modelsim"}, cli.Usage, "modelsim"},
		{[]string{"sim", "--mode", "huffman"}, cli.Usage, "brenner-alt-swapped"},
		{[]string{"sim", "--games", filepath.Join(dir, "absent")}, cli.Failed, "absent"},
		{[]string{"sim", "--games", "-"}, cli.Failed, "no game"},
		{[]string{"prove", "--run", "("}, cli.Usage, "parsing"},
		{[]string{"prove", "--run", "absent"}, cli.Usage, "absent"},
		{[]string{"synth", "--run", "absent"}, cli.Usage, "absent"},
		{[]string{"synth", "--seeds", "-1"}, cli.Usage, "seeds"},
		{[]string{"synth", "--family", "virtex"}, cli.Usage, "there are ice40, ecp5"},
		{[]string{"synth", "--seeds", "1", "--seeds", "2"}, cli.Usage, "it is given twice"},
		{[]string{"sim", "--tool", "go", "--mode", "words", "--mode", "jose"}, cli.Usage, "it is given twice"},
		{[]string{"-o", dir, "--output", filepath.Join(dir, "other")}, cli.Usage, "it is given twice"},
		{[]string{"-o", filepath.Join(file, "below")}, cli.Failed, "file"},
		{[]string{"emit", "-t", "svg", "-o", filepath.Join(file, "below")}, cli.Failed, "file"},
		{[]string{"board", "virtex", "-o", filepath.Join(dir, "new")}, cli.Usage, "there are hx8k"},
		{[]string{"board", "hx8k"}, cli.Usage, "-o FILE"},
		{[]string{"board", "hx8k", "-o", "-"}, cli.Usage, "the name of a file"},
		{[]string{"board", "hx8k", "-o", dir}, cli.Failed, "is a directory"},
		{[]string{"board", "hx8k", "-o", filepath.Join(file, "below")}, cli.Failed, "file"},
		{[]string{"check", file}, cli.Wrong, "the end of the file"},
		{[]string{"check", filepath.Join(dir, "absent")}, cli.Failed, "absent"},
		{[]string{"check"}, cli.Usage, "arg"},
	} {
		status, _, errs := genrom(t, "", c.args...)
		if status != c.status || !strings.Contains(errs, c.want) || strings.Count(errs, "\n") != 1 ||
			!strings.HasPrefix(errs, "genrom: ") {
			t.Errorf("%v: status %d, want %d: %s", c.args, status, c.status, errs)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("something was left behind: %v, %v", entries, err)
	}
}

func TestMissingProgram(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir()) // where Python's programs are
	for _, args := range [][]string{{"sim", "--tool", "icarus"}, {"sim", "--tool", "verilator"}, {"prove"}, {"synth"},
		{"board", "hx8k", "-o", filepath.Join(t.TempDir(), "hx8k.bin")}} {
		status, _, errs := genrom(t, "", args...)
		if status != cli.NoProgram || !strings.Contains(errs, "is not installed; try: ") ||
			strings.Count(errs, "\n") != 1 {
			t.Errorf("%v: status %d: %s", args, status, errs)
		}
	}
}
