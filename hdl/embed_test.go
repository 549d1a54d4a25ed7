// SPDX-License-Identifier: Apache-2.0

package hdl_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ply11/hdl"
	"ply11/internal/testenv"
)

// Whatever a table names is there, and each seeded error can be sown in exactly one place.
func TestTablesNameWhatExists(t *testing.T) {
	checks, err := hdl.Table("checks.tsv")
	testenv.Must(t, err)
	files := map[string]string{}
	for _, c := range checks {
		if c["name"] == "" || files[c["name"]] != "" {
			t.Errorf("check name %q is empty or used twice", c["name"])
		}
		files[c["name"]] = c["files"]
		for _, f := range strings.Fields(c["files"]) {
			if _, err := fs.Stat(hdl.FS, f); err != nil {
				t.Errorf("check %s: %v", c["name"], err)
			}
		}
	}
	mutants, err := hdl.Table("mutants.tsv")
	testenv.Must(t, err)
	seen := map[string]bool{}
	for _, m := range mutants {
		check, later := strings.CutPrefix(m["check"], "long:")
		seen[check] = seen[check] || !later
		if !strings.Contains(" "+files[check]+" ", " "+m["file"]+" ") {
			t.Errorf("mutant of %q: the check does not read %s", m["check"], m["file"])
			continue
		}
		text, err := hdl.FS.ReadFile(m["file"])
		if err != nil {
			t.Error(err)
			continue
		}
		if n := strings.Count(string(text), m["old"]); n != 1 {
			t.Errorf("mutant of %s: %q stands %d times in %s, want once", m["check"], m["old"], n, m["file"])
		}
	}
	for _, c := range checks {
		if c["kind"] != "lint" && c["kind"] != "netlist" && !strings.HasPrefix(c["name"], "long.") && !seen[c["name"]] {
			t.Errorf("check %s has no mutant that it must notice", c["name"])
		}
	}
}

func TestExtract(t *testing.T) {
	dir := t.TempDir()
	testenv.Must(t, hdl.Extract(dir))
	for _, m := range hdl.Modules() {
		want, _ := hdl.FS.ReadFile("rtl/" + m + ".v")
		got, err := os.ReadFile(filepath.Join(dir, "rtl", m+".v"))
		if err != nil || string(got) != string(want) {
			t.Errorf("%s: differs from the embedded file (%v)", m, err)
		}
		if !strings.Contains(string(got), "module "+m+" ") {
			t.Errorf("rtl/%s.v does not define %s", m, m)
		}
	}
}

func ExampleModules() {
	for _, m := range hdl.Modules() {
		if strings.HasPrefix(m, "ply11_decode") {
			fmt.Println(m)
		}
	}
	// Output:
	// ply11_decode
	// ply11_decode_pipe
}

// The core names every file of a design, once, and nothing that is not there.
func TestCore(t *testing.T) {
	core, err := os.ReadFile("ply11.core")
	testenv.Must(t, err)
	text := string(core)
	if !strings.HasPrefix(text, "CAPI=2:\n") || strings.Count(text, "\n") > 80 {
		t.Errorf("%d lines, and the first is not CAPI=2:", strings.Count(text, "\n"))
	}
	named := map[string]int{}
	for _, m := range regexp.MustCompile(`\b(?:rtl|tb|syn)/[\w./-]+`).FindAllString(text, -1) {
		named[m]++
		if _, err := os.Stat(filepath.FromSlash(m)); err != nil {
			t.Error(err)
		}
	}
	for _, m := range hdl.Modules() {
		if named["rtl/"+m+".v"] != 1 {
			t.Errorf("%s is named %d times", m, named["rtl/"+m+".v"])
		}
	}
	_, sets, _ := strings.Cut(text, "\nfilesets:\n")
	sets, targets, ok := strings.Cut(sets, "\ntargets:\n")
	if !ok {
		t.Fatal("no targets")
	}
	for _, m := range regexp.MustCompile(`filesets: \[([^]]*)\]`).FindAllStringSubmatch(targets, -1) {
		for name := range strings.SplitSeq(m[1], ", ") {
			if !strings.Contains("\n"+sets, "\n  "+name+":\n") {
				t.Errorf("there is no file set %s", name)
			}
		}
	}
}

// Every module's head can be read, and each of its ports is one that Parse knows.
func TestParse(t *testing.T) {
	for _, m := range hdl.Modules() {
		source, err := hdl.FS.ReadFile("rtl/" + m + ".v")
		testenv.Must(t, err)
		generated := m == "ply11_rom_case" // its first lines are a banner
		got, err := hdl.Parse(string(source))
		if err != nil || got.Name != m || len(got.Ports) == 0 || got.Summary == "" {
			t.Errorf("%s: %+v, %v", m, got, err)
		}
		ports := regexp.MustCompile(`(?m)^\s*(?:input|output) `).FindAllString(
			string(source[:strings.Index(string(source), "\n);")]), -1)
		if len(got.Ports) != len(ports) {
			t.Errorf("%s: %d ports, want %d", m, len(got.Ports), len(ports))
		}
		for _, p := range got.Ports {
			if p.Comment == "" && !generated {
				t.Errorf("%s: nothing is said of the port %s", m, p.Name)
			}
		}
	}
	for _, bad := range []string{"", "module x (\n", "module x (\n  inout y,\n);\n",
		"module x (\n  input wire [3:0] a b,\n);\n"} {
		if m, err := hdl.Parse(bad); err == nil {
			t.Errorf("%q: %+v", bad, m)
		}
	}
}

// The stages whose names stand before their registers; of a pipe, behind them.
var stages = map[string]string{
	"ply11_board":       "a b c d r g x w o",
	"ply11_brenner":     "p q r",
	"ply11_decode_pipe": "1 2 3",
	"ply11_encode_pipe": "1 2 3 4 5 6",
	"ply11_jose":        "a b c",
	"ply11_legal":       "k p l r v",
	"ply11_mask":        "read",
	"ply11_match":       "a b",
	"ply11_pieces":      "q r",
	"ply11_moves":       "fetch entry",
	"ply11_moves_emit":  "line meet kept pick target move",
	"ply11_moves_find":  "seek row pieces piece ask addr line rays hit put",
	"ply11_perft":       "add",
	"ply11_player":      "o",
	"ply11_star":        "a b",
	"ply11_words":       "is",
}

// A register of hdl/rtl that is no memory and no output has _q behind its name, or the name of its stage before it:
// README.md, "Names of signals".
func TestNames(t *testing.T) {
	var (
		ignored  = regexp.MustCompile("(?s)//[^\n]*|`ifdef FORMAL.*?`endif")
		declared = regexp.MustCompile(`\b(output +)?reg\b *(?:\[[^\]]*\] *)?([^;()]*)[;)]`)
		name     = regexp.MustCompile(`^\w+`)
	)
	for _, m := range hdl.Modules() {
		source, err := hdl.FS.ReadFile("rtl/" + m + ".v")
		testenv.Must(t, err)
		text := ignored.ReplaceAllString(string(source), "")
		body := text[strings.Index(text, "\n);"):]
		var stage []string
		for s := range strings.FieldsSeq(stages[m]) {
			stage = append(stage, s)
		}
		seen := map[string]bool{}
		for _, d := range declared.FindAllStringSubmatch(body, -1) {
			for one := range strings.SplitSeq(d[2], ",") {
				one = strings.TrimSpace(one)
				reg := name.FindString(one)
				clocked := regexp.MustCompile(`\b` + reg + `(\[[^;=]*\])? *<=|\{[^{};]*\b` + reg +
					`\b[^{};]*\} *<=`).MatchString(body)
				wired := regexp.MustCompile(`\b` + reg + `(\[[^;=]*\])? *= `).MatchString(body)
				if reg == "" || wired || strings.Contains(one, "[") || !clocked || strings.HasSuffix(reg, "_q") {
					continue
				}
				named := false
				for _, s := range stage {
					if reg == s || strings.HasPrefix(reg, s+"_") || strings.HasSuffix(m, "_pipe") &&
						strings.HasSuffix(reg, s) {
						named, seen[s] = true, true
					}
				}
				if !named && !(strings.HasSuffix(m, "_pipe") && reg == "valid") {
					t.Errorf("%s: %s is neither a state with _q nor of a stage", m, reg)
				}
			}
		}
		for _, s := range stage {
			if !seen[s] {
				t.Errorf("%s has no register of a stage %s", m, s)
			}
		}
	}
}
