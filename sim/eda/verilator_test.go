// SPDX-License-Identifier: Apache-2.0

package eda

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"ply11/internal/testenv"
)

// The cache's key is another whenever something is that a simulation is built of, but its folder.
func TestVerilatorKey(t *testing.T) {
	testenv.Tools(t, "verilator", "g++")
	w := newWork(t)
	type source struct{ arg, name, text, header string }
	key := func(s source) string {
		t.Helper()
		dir, err := w.Sub("key")
		testenv.Must(t, err)
		file, include := filepath.Join(dir, s.name), filepath.Join(dir, "include")
		testenv.Must(t, os.Mkdir(include, 0o777))
		for name, text := range map[string]string{file: s.text, filepath.Join(include, "a.vh"): s.header} {
			testenv.Must(t, os.WriteFile(name, []byte(text), 0o666))
		}
		key, err := w.verilatorKey([]string{s.arg}, []string{file}, include)
		testenv.Must(t, err)
		return key
	}
	base := source{"-O2", "a.v", "module a; endmodule\n", "// a\n"}
	want := key(base)
	if again := key(base); again != want {
		t.Error("the same sources in another folder have another key")
	}
	for _, other := range []source{
		{"-O0", base.name, base.text, base.header},
		{base.arg, "b.v", base.text, base.header},
		{base.arg, base.name, base.text + "\n", base.header},
		{base.arg, base.name, base.text, "// b\n"},
		{base.arg, base.name, base.text + base.header, ""},
	} {
		if key(other) == want {
			t.Errorf("%+v has the key of %+v", other, base)
		}
	}
	if _, err := w.verilatorKey(nil, []string{w.Path("absent.v")}); err == nil {
		t.Error("a file that is absent has a key")
	}
}

// What was not used for a week goes, and of what is more than the cache may hold the oldest.
func TestTrimCache(t *testing.T) {
	dir, now := t.TempDir(), time.Now()
	for name, f := range map[string]struct {
		age  time.Duration
		size int64
	}{
		"old":    {cacheAge + time.Hour, 1},
		"new":    {time.Hour, cacheBytes / 2},
		"second": {2 * time.Hour, cacheBytes / 2},
		"third":  {3 * time.Hour, 1}, // a byte too much
	} {
		file := filepath.Join(dir, name)
		testenv.Must(t, os.WriteFile(file, nil, 0o666))
		if err := os.Truncate(file, f.size); err != nil { // takes no room on the disk
			t.Fatal(err)
		}
		testenv.Must(t, os.Chtimes(file, now.Add(-f.age), now.Add(-f.age)))
	}
	trimCache(dir, now)
	for name, want := range map[string]bool{"old": false, "new": true, "second": true, "third": false} {
		if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	trimCache(filepath.Join(dir, "absent"), now)
}

// A copy can be run at once, whatever other programs are started meanwhile.
func TestCopyRuns(t *testing.T) {
	program, err := exec.LookPath("true")
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	var all sync.WaitGroup
	for g := range 8 {
		all.Go(func() {
			for i := range 50 {
				to := filepath.Join(dir, strconv.Itoa(g)+"-"+strconv.Itoa(i))
				if err := copyFile(program, to); err != nil {
					t.Error(err)
					return
				}
				if err := exec.Command(to).Run(); err != nil {
					t.Errorf("%v; busy: %v", err, errors.Is(err, syscall.ETXTBSY))
					return
				}
			}
		})
	}
	all.Wait()
	if copyFile(filepath.Join(dir, "absent"), filepath.Join(dir, "to")) == nil {
		t.Error("a file that is absent is copied")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".copy-*")); left != nil {
		t.Errorf("%q is left", left)
	}
}

// Verilator's own sources are compiled once, whatever is built after it.
func TestRuntimeIsShared(t *testing.T) {
	testenv.Tools(t, "verilator", "g++", "make")
	if cacheDir() == "" {
		t.Skip("there is no folder for caches")
	}
	w := newWork(t)
	for i := range 2 {
		// Each time something else, which the cache cannot have.
		bench := fmt.Sprintf("module bench; initial begin $display(\"PASS %d\"); $finish; end endmodule\n",
			time.Now().UnixNano())
		testenv.Must(t, os.WriteFile(w.Path("bench.v"), []byte(bench), 0o666))
		s, err := w.Verilator(t.Context(), Verilog{Top: "bench", Files: []string{"bench.v"}})
		testenv.Must(t, err)
		r, err := s.Run(t.Context())
		if err != nil || !strings.Contains(r.Output, "PASS") {
			t.Errorf("%v %s", err, r.Output)
		}
		// The compiler writes this file beside each object file.
		if _, err := os.Stat(filepath.Join(s.dir, "verilated.d")); i > 0 && err == nil {
			t.Error("verilated.cpp is compiled again")
		}
	}
}
