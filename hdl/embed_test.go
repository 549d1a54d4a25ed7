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
)

// Whatever a table names is there, and each seeded error can be sown in exactly one place.
func TestTablesNameWhatExists(t *testing.T) {
	checks, err := hdl.Table("checks.tsv")
	if err != nil {
		t.Fatal(err)
	}
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
	if err != nil {
		t.Fatal(err)
	}
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
	if err := hdl.Extract(dir); err != nil {
		t.Fatal(err)
	}
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

// The FuseSoC core names files that exist, each module and each bench, and only file sets that it has.
func TestCore(t *testing.T) {
	core, err := os.ReadFile("ply11.core")
	if err != nil {
		t.Fatal(err)
	}
	text, ok := strings.CutPrefix(string(core), "CAPI=2:\n")
	if !ok {
		t.Fatal("the first line is not CAPI=2:")
	}
	section, name := "", ""
	key := regexp.MustCompile(`^( *)([a-z_][a-z_0-9]*):(?: (.*))?$`)
	file := regexp.MustCompile(`^      - ([^:\s]+)(?:: \{.*\})?$`)
	parameter := regexp.MustCompile(`^  ([A-Z_]+):$`)
	parameters := map[string]bool{}
	sets, targets, files, used := map[string]bool{}, map[string]string{}, map[string]bool{}, map[string]bool{}
	for n, line := range strings.Split(text, "\n") {
		if line == "" || strings.HasPrefix(line, "# ") {
			continue
		}
		if m := file.FindStringSubmatch(line); m != nil && section == "filesets" {
			if files[m[1]] {
				t.Errorf("%s is named twice", m[1])
			}
			files[m[1]] = true
			if _, err := os.Stat(filepath.FromSlash(m[1])); err != nil {
				t.Errorf("file set %s: %v", name, err)
			}
			continue
		}
		if m := parameter.FindStringSubmatch(line); m != nil && section == "parameters" {
			parameters[m[1]] = true
			continue
		}
		m := key.FindStringSubmatch(line)
		if m == nil || len(m[1])%2 != 0 {
			t.Errorf("line %d: not a key: %q", n+2, line)
			continue
		}
		switch indent := len(m[1]); {
		case indent == 0:
			section = m[2]
			if section == "name" && (strings.Count(m[3], ":") != 3 || strings.Contains(":"+m[3]+":", "::")) {
				t.Errorf("the core's name %q is not vendor, library, name and version", m[3])
			}
		case indent == 2 && section == "filesets":
			name = m[2]
			sets[name] = true
		case indent == 2 && section == "targets":
			name = m[2]
			targets[name] = ""
		case m[2] == "filesets":
			for s := range strings.SplitSeq(strings.Trim(m[3], "[]"), ", ") {
				used[s] = true
				if !sets[s] {
					t.Errorf("target %s: there is no file set %q", name, s)
				}
			}
		case m[2] == "parameters" && section == "targets":
			for p := range strings.SplitSeq(strings.Trim(m[3], "[]"), ", ") {
				if p, _, _ = strings.Cut(p, "="); !parameters[p] {
					t.Errorf("target %s: there is no parameter %q", name, p)
				}
			}
		case m[2] == "toplevel":
			targets[name] = m[3]
		}
	}
	for s := range sets {
		if !used[s] {
			t.Errorf("no target uses the file set %s", s)
		}
	}
	for _, m := range hdl.Modules() {
		if !files["rtl/"+m+".v"] || targets["lint_"+strings.TrimPrefix(m, "ply11_")] != m {
			t.Errorf("%s: no file or no target lint_…", m)
		}
	}
	benches, err := filepath.Glob("tb/*/*_tb.v")
	if err != nil || len(benches) == 0 {
		t.Fatal("no benches", err)
	}
	for _, b := range benches {
		top := strings.TrimSuffix(filepath.Base(b), ".v")
		target := "sim_" + strings.TrimSuffix(strings.TrimPrefix(top, "ply11_"), "_tb")
		if !files[filepath.ToSlash(b)] || targets[target] != top {
			t.Errorf("%s: no file or no target %s", b, target)
		}
	}
}

// Every module's head can be read, and each of its ports is one that Parse knows.
func TestParse(t *testing.T) {
	for _, m := range hdl.Modules() {
		source, err := hdl.FS.ReadFile("rtl/" + m + ".v")
		if err != nil {
			t.Fatal(err)
		}
		generated := m == "ply11_rom_case" // its first lines are a banner
		got, err := hdl.Parse(string(source))
		if err != nil || got.Name != m || len(got.Ports) == 0 || got.Summary == "" {
			t.Errorf("%s: %+v, %v", m, got, err)
		}
		ports := regexp.MustCompile(`(?m)^\s*(?:input|output) `).FindAllString(string(source[:strings.Index(string(source), "\n);")]), -1)
		if len(got.Ports) != len(ports) {
			t.Errorf("%s: %d ports, want %d", m, len(got.Ports), len(ports))
		}
		for _, p := range got.Ports {
			if p.Comment == "" && !generated {
				t.Errorf("%s: nothing is said of the port %s", m, p.Name)
			}
		}
	}
	for _, bad := range []string{"", "module x (\n", "module x (\n  inout y,\n);\n", "module x (\n  input wire [3:0] a b,\n);\n"} {
		if m, err := hdl.Parse(bad); err == nil {
			t.Errorf("%q: %+v", bad, m)
		}
	}
}
