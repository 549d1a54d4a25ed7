// SPDX-License-Identifier: Apache-2.0

package pipelines

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"ply11/dataset"
	"ply11/internal/samples"
)

// TestBadArchives: with a folder for them, archives that are damaged, cut, of another version or none are named there,
// and all else is as without them. Without it they end the pipeline.
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
	// A name of 250 bytes, in a path that is longer than a name may be; and files of the same names in other folders.
	long := "z-" + strings.Repeat("long é ", 30) + "long.p11"
	far := in("far", strings.Repeat("folder", 30))
	if err := os.MkdirAll(far, 0o777); err != nil {
		t.Fatal(err)
	}
	damaged := bytes.Clone(whole)
	damaged[len(damaged)/2] ^= 1
	version := bytes.Clone(whole)
	version[8] = 9
	binary.LittleEndian.PutUint32(version[28:], crc32.Checksum(version[:28], crc32.MakeTable(crc32.Castagnoli)))
	bad := map[string]bool{}
	for name, b := range map[string][]byte{"damaged": damaged, "cut": whole[:len(whole)*2/3], "empty": nil,
		"version": version, "text": samples.File(samples.Plain)} {
		file := in("good", "z-"+name+".p11")
		if err := os.WriteFile(file, b, 0o666); err != nil {
			t.Fatal(err)
		}
		bad[file] = true
	}
	for _, file := range []string{in("good", long), filepath.Join(far, long), filepath.Join(far, "z-cut.p11")} {
		if err := os.WriteFile(file, whole[:len(whole)/2], 0o666); err != nil {
			t.Fatal(err)
		}
		bad[file] = true
	}
	commands := func(from Archives, to string) map[string]func(beam.Scope) {
		return map[string]func(beam.Scope){
			"tree":   func(s beam.Scope) { Tree(s, from, TreeOptions{}, in(to, "tree.json")) },
			"dedupe": func(s beam.Scope) { Dedupe(s, from, false, in(to, "once")) },
			"export": func(s beam.Scope) {
				Export(s, from, ExportOptions{Job: dataset.Job{Format: "jsonl"}},
					in(to, "table"))
			},
			"index": func(s beam.Scope) { IndexPositions(s, from, false) }, // beside the archives: see moveIndexes
		}
	}
	moveIndexes := func(to string) {
		for _, name := range append(glob(t, in("good", "*.p11x")), glob(t, filepath.Join(far, "*.p11x"))...) {
			if err := os.Rename(name, in(to, filepath.Base(name))); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, build := range commands(Archives{Patterns: []string{in("good", "?-0*.p11")}}, "want") {
		run(t, build)
	}
	moveIndexes("want")
	all := []string{in("good", "*.p11"), filepath.Join(far, "*.p11")}
	for name, build := range commands(Archives{Patterns: all, Bad: in("bad", "list")}, "got") {
		run(t, build)
		named := map[string]bool{}
		for _, file := range glob(t, in("bad", "list", "*.txt")) {
			b, err := os.ReadFile(file)
			lines := strings.Split(string(b), "\n")
			if err != nil || len(lines) != 3 || !bad[lines[0]] || !strings.Contains(lines[1], "archive") {
				t.Errorf("%s: %s: %q, %v", name, file, b, err)
			}
			named[lines[0]] = true
		}
		if len(named) != len(bad) {
			t.Errorf("%s: texts name %d files of %d: %v", name, len(named), len(bad), named)
		}
		if err := os.RemoveAll(in("bad")); err != nil { // so that each command writes its own
			t.Fatal(err)
		}
	}
	moveIndexes("got")
	wrote, err := filepath.Glob(in("want", "*"))
	if err != nil || len(wrote) != 10 {
		t.Fatalf("%q, %v", wrote, err)
	}
	for _, file := range wrote {
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		other := strings.Replace(filepath.Base(file), "-of-00003", "-of-00011", 1) // the numbers of bad ones stay free
		if got, err := os.ReadFile(in("got", other)); err != nil || string(got) != string(want) {
			t.Errorf("%s has other bytes than without bad archives: %v", other, err)
		}
	}
	if got, _ := filepath.Glob(in("got", "*")); len(got) != len(wrote) {
		t.Errorf("%q", got)
	}
}
