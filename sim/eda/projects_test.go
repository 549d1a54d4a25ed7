// SPDX-License-Identifier: Apache-2.0

package eda

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ply11/hdl"
)

// The lists of files of the tree are those that are made from the checks, and the tree has no others.
func TestFileLists(t *testing.T) {
	files, err := FileLists()
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join("..", "..")
	for name, want := range files {
		if got, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name))); err != nil || string(got) != string(want) {
			t.Errorf("%s is not what its checks make of it (%v): go run ./cmd/genrom vectors", name, err)
		}
	}
	found, err := fs.Glob(hdl.FS, "*/*.f")
	if err != nil || len(found) == 0 {
		t.Fatalf("no files (%v)", err)
	}
	for _, name := range found {
		if files["hdl/"+name] == nil {
			t.Errorf("%s is of no check", name)
		}
	}
}

// Each proof of the checks has a task in the project of its module for SymbiYosys, which names files that exist.
func TestEmittedProofs(t *testing.T) {
	projects, err := Projects()
	if err != nil {
		t.Fatal(err)
	}
	checks, err := Checks()
	if err != nil {
		t.Fatal(err)
	}
	proofs := 0
	for _, c := range checks {
		switch c.Kind {
		case "lint", "bench", "netlist":
			continue
		}
		proofs++
		text := string(projects["formal/"+c.Top+".sby"])
		if _, tasks, _ := strings.Cut(text, "[tasks]\n"); !strings.Contains("\n"+tasks, "\n"+strings.ReplaceAll(c.Name, ".", "_")+"\n") {
			t.Errorf("formal/%s.sby has no task for %s", c.Top, c.Name)
		}
		_, files, _ := strings.Cut(text, "[files]\n")
		for _, f := range c.Files {
			if _, err := fs.Stat(hdl.FS, f); err != nil || !strings.Contains("\n"+files, "\n"+f+"\n") {
				t.Errorf("formal/%s.sby: %s: %v", c.Top, f, err)
			}
		}
	}
	if proofs < 50 {
		t.Errorf("only %d proofs", proofs)
	}
}

// The FuseSoC core that is emitted names files that exist, each module and each bench, and only file sets that it has.
func TestEmittedCore(t *testing.T) {
	projects, err := Projects()
	if err != nil {
		t.Fatal(err)
	}
	text, ok := strings.CutPrefix(string(projects["ply11.core"]), "CAPI=2:\n")
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
			if _, err := fs.Stat(hdl.FS, m[1]); err != nil {
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
	benches, err := fs.Glob(hdl.FS, "tb/*/*_tb.v")
	if err != nil || len(benches) == 0 {
		t.Fatal("no benches", err)
	}
	for _, b := range benches {
		top := strings.TrimSuffix(path.Base(b), ".v")
		target := "sim_" + strings.TrimSuffix(strings.TrimPrefix(top, "ply11_"), "_tb")
		if !files[b] || targets[target] != top {
			t.Errorf("%s: no file or no target %s", b, target)
		}
	}
}
