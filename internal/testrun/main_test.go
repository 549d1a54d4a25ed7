// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// What `go test -json` prints of a package with a test of each outcome, and of one that does not build.
const events = `{"Action":"start","Package":"p"}
{"Action":"run","Package":"p","Test":"TestGood"}
{"Action":"output","Package":"p","Test":"TestGood","Output":"--- PASS: TestGood\n"}
{"Action":"pass","Package":"p","Test":"TestGood"}
{"Action":"pass","Package":"p","Test":"TestGood/sub"}
{"Action":"output","Package":"p","Test":"TestAbsent","Output":"    p_test.go:12: the data is absent\n"}
{"Action":"output","Package":"p","Test":"TestAbsent","Output":"--- SKIP: TestAbsent\n"}
{"Action":"skip","Package":"p","Test":"TestAbsent"}
{"Action":"output","Package":"p","Test":"TestBad","Output":"    p_test.go:20: two and two\n"}
{"Action":"fail","Package":"p","Test":"TestBad"}
{"Action":"fail","Package":"p"}
{"Action":"skip","Package":"q"}
not json
{"Action":"build-output","ImportPath":"r","Output":"r.go:1: no such thing\n"}
{"Action":"build-fail","ImportPath":"r"}
{"Action":"fail","Package":"r"}
`

func TestReadEvents(t *testing.T) {
	var out bytes.Buffer
	r := &runner{out: &out, skips: make(map[string]int)}
	if n := r.readEvents(strings.NewReader(events)); n != 2 {
		t.Errorf("%d failures, want 2", n)
	}
	if got := r.counts.String(); got != "2 passed, 2 failed, 1 skipped" {
		t.Error(got)
	}
	if r.skips["the data is absent"] != 1 {
		t.Errorf("reasons: %v", r.skips)
	}
	for _, want := range []string{"FAIL p TestBad\n", "two and two", "FAIL r", "no such thing"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in:\n%s", want, out.String())
		}
	}
}

// TestTimeUp: the end of the time is no failure; an input that fails is one, and so is what else goes wrong.
func TestTimeUp(t *testing.T) {
	const progress = "fuzz: elapsed: 3s, execs: 71858 (23945/sec), new interesting: 0 (total: 97)\n"
	for out, want := range map[string]bool{
		progress + "--- FAIL: FuzzWords (4.68s)\n    context deadline exceeded\nFAIL\nexit status " +
			"1\nFAIL\tp\t4.700s\n": true,
		progress + "--- FAIL: FuzzWords (0.02s)\n    --- FAIL: FuzzWords (0.00s)\n        words_test.go:40: context " +
			"deadline exceeded\n" +
			"    \n    Failing input written to testdata/fuzz/FuzzWords/b3a1\n    To re-run:\n    go test " +
			"-run=FuzzWords/b3a1\nFAIL\n": false,
		progress + "--- FAIL: FuzzWords (4.68s)\n    fuzzing process hung or terminated unexpectedly: exit status " +
			"2\nFAIL\n": false,
		"p/words_test.go:3:1: syntax error\nFAIL\tp [build failed]\n": false,
		"": false,
	} {
		if timeUp([]byte(out)) != want {
			t.Errorf("not %v:\n%s", want, out)
		}
	}
}

// TestLongLines: what may be broken is asked for, and nothing else.
func TestLongLines(t *testing.T) {
	many := strings.Repeat("x ", 61)
	src := "package p\n" +
		"// " + many + "\n" + // line 2
		"//\t" + many + "\n" +
		"// {" + strings.Repeat("x", 130) + "}\n" +
		"const a = `" + many + "\n" + many + "`\n" +
		"const b = \"" + many + "\"\n" + // line 7
		strings.Repeat("\t", 29) + "// x\n" + // 120 columns
		strings.Repeat("\t", 29) + "// xy\n" // line 9
	if got := longLines([]byte(src)); !slices.Equal(got, []int{2, 7, 9}) {
		t.Errorf("lines %v, want 2, 7 and 9", got)
	}
}
