// SPDX-License-Identifier: Apache-2.0

package pipelines

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"ply11/dataset"
	"ply11/internal/samples"
)

// TestBadArchives: with a folder for them, archives that are damaged, cut or none are named there, and all else is as without them. Without it they end the pipeline.
func TestBadArchives(t *testing.T) {
	dir := t.TempDir()
	in := func(names ...string) string { return filepath.Join(append([]string{dir}, names...)...) }
	for i, name := range []string{samples.Plain, samples.Clocks, samples.Annotated} {
		if err := os.WriteFile(in(name), samples.File(name), 0o666); err != nil {
			t.Fatal(err)
		}
		run(t, func(s beam.Scope) { Pack(s, []string{in(name)}, PackOptions{}, in("good", string(rune('a'+i))), 1) })
	}
	whole, err := os.ReadFile(in("good", "a-00001-of-00001.p11"))
	if err != nil {
		t.Fatal(err)
	}
	damaged := []byte(string(whole))
	damaged[len(damaged)/2] ^= 1
	for name, b := range map[string][]byte{"damaged": damaged, "cut": whole[:len(whole)*2/3], "empty": nil, "text": samples.File(samples.Plain)} {
		if err := os.WriteFile(in("good", "z-"+name+".p11"), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	commands := func(from Archives, to string) map[string]func(beam.Scope) {
		return map[string]func(beam.Scope){
			"tree":   func(s beam.Scope) { Tree(s, from, TreeOptions{}, in(to, "tree.json")) },
			"dedupe": func(s beam.Scope) { Dedupe(s, from, false, in(to, "once")) },
			"export": func(s beam.Scope) { Export(s, from, ExportOptions{Job: dataset.Job{Format: "jsonl"}}, in(to, "table")) },
		}
	}
	for _, build := range commands(Archives{Patterns: []string{in("good", "?-0*.p11")}}, "want") {
		run(t, build)
	}
	all := []string{in("good", "*.p11")}
	for name, build := range commands(Archives{Patterns: all, Bad: in("bad", "list")}, "got") {
		run(t, build)
		texts, _ := filepath.Glob(in("bad", "*", "*.txt"))
		if len(texts) != 4 {
			t.Errorf("%s: %d texts, %q", name, len(texts), texts)
		}
		for _, file := range texts {
			b, err := os.ReadFile(file)
			lines := strings.Split(string(b), "\n")
			if err != nil || len(lines) != 3 || !strings.HasPrefix(lines[0], in("good", "z-")) || !strings.Contains(lines[1], "archive") {
				t.Errorf("%s: %q, %v", file, b, err)
			}
		}
	}
	wrote, err := filepath.Glob(in("want", "*"))
	if err != nil || len(wrote) != 7 {
		t.Fatalf("%q, %v", wrote, err)
	}
	for _, file := range wrote {
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		other := strings.Replace(filepath.Base(file), "-of-00003", "-of-00007", 1) // the numbers of bad ones stay free
		if got, err := os.ReadFile(in("got", other)); err != nil || string(got) != string(want) {
			t.Errorf("%s has other bytes than without bad archives: %v", other, err)
		}
	}
	if got, _ := filepath.Glob(in("got", "*")); len(got) != len(wrote) {
		t.Errorf("%q", got)
	}
}
