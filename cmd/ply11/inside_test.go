// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"ply11/internal/bounded"
	"ply11/internal/testenv"
)

// A tally of more names than it keeps is right within its slack, and exact when it is counted again.
func TestTally(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(rng, 1.2, 10, 5*maxNames)
	exact := map[string]int{}
	var order []string
	for range testenv.Pick(12, 3) * maxNames {
		// Names that come once, in between those that come often.
		name := fmt.Sprint(zipf.Uint64())
		if rng.IntN(2) == 0 {
			name = fmt.Sprint("once ", rng.Uint64())
		}
		exact[name]++
		order = append(order, name)
	}
	var tl tally
	for _, name := range order {
		tl.add(name)
	}
	if len(tl.counts) > maxNames || tl.slack == 0 {
		t.Fatalf("%d names are kept, with a slack of %d", len(tl.counts), tl.slack)
	}
	for name, n := range exact {
		if got := tl.counts[name]; got > n || got+tl.slack < n {
			t.Fatalf("%q was met %d times, and counts %d with a slack of %d", name, n, got, tl.slack)
		}
	}
	var want []count
	for name, n := range exact {
		want = append(want, count{name, n})
	}
	slices.SortFunc(want, func(a, b count) int {
		return cmp.Or(cmp.Compare(b.Games, a.Games), cmp.Compare(a.Name, b.Name))
	})
	for _, n := range []int{1, 10, 1000} {
		r := tl.again(n)
		for _, name := range order {
			r.addKnown(name)
		}
		if got := r.top(n); r.slack > 0 && want[n-1].Games > 2*tl.slack || r.slack == 0 &&
			!slices.Equal(got, want[:n]) {
			t.Errorf("the %d that were met most, unsure below %d: %v, want %v", n, r.slack, got, want[:n])
		}
	}
}

func TestAppendPrintable(t *testing.T) {
	for _, c := range []struct{ in, line, text string }{
		{"Müller, Ö. 🂡", "Müller, Ö. 🂡", "Müller, Ö. 🂡"},
		{"a\tb\nc\r\nd", "a\uFFFDb\uFFFDc\uFFFD\uFFFDd", "a\tb\nc\r\nd"},
		{"a\rb\r", "a\uFFFDb\uFFFD", "a\uFFFDb\uFFFD"},
		{"\x1b[2J\x00\x7f\x07", "\uFFFD[2J\uFFFD\uFFFD\uFFFD", "\uFFFD[2J\uFFFD\uFFFD\uFFFD"},
		{"\u009b2J\u0085", "\uFFFD2J\uFFFD", "\uFFFD2J\uFFFD"},
		{"\x9b2J\xe9\xc3", "\uFFFD2J\uFFFD\uFFFD", "\uFFFD2J\uFFFD\uFFFD"},
		{"a\u202eb\u2066c\u200fd\u2028e", "a\uFFFDb\uFFFDc\uFFFDd\uFFFDe", "a\uFFFDb\uFFFDc\uFFFDd\uFFFDe"},
	} {
		if got := printable(c.in); got != c.line {
			t.Errorf("printable(%q) = %q, want %q", c.in, got, c.line)
		}
		// In pieces of every size it is the same text.
		for size := 1; size <= len(c.in)+1; size++ {
			var got, rest []byte
			for at := 0; at < len(c.in); at += size {
				piece := c.in[at:min(at+size, len(c.in))]
				got, rest = appendPrintable(got, append(rest, piece...), true, false)
			}
			got, rest = appendPrintable(got, rest, true, true)
			if string(got) != c.text || len(rest) > 0 {
				t.Errorf("%q in pieces of %d: %q and %q, want %q", c.in, size, got, rest, c.text)
			}
		}
	}
}

func FuzzPrintable(f *testing.F) {
	f.Add("a\x1b\u009b\u202e\r\n", 3)
	bounded.Fuzz(f, func(t *testing.T, s string, n int) {
		for _, lines := range []bool{false, true} {
			n = min(max(n, 0), len(s))
			got, rest := appendPrintable(nil, []byte(s[:n]), lines, false)
			got, _ = appendPrintable(got, append(rest, s[n:]...), lines, true)
			if one, _ := appendPrintable(nil, []byte(s), lines, true); string(one) != string(got) || !utf8.Valid(got) {
				t.Fatalf("%q at %d: %q, and in one piece %q", s, n, got, one)
			}
			for _, r := range strings.ReplaceAll(string(got), "\r\n", "\n") {
				if acts(r) && !(lines && (r == '\n' || r == '\t')) {
					t.Fatalf("%q becomes %q", s, got)
				}
			}
		}
	})
}

func TestJSONPrintable(t *testing.T) {
	want := "a\x1b\u009b\u0085\u007f\u202eü<&\u2028\n"
	b, err := jsonLine(want)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range strings.TrimSuffix(string(b), "\n") {
		if acts(r) {
			t.Errorf("there is %q in %s", r, b)
		}
	}
	var got string
	if err := json.Unmarshal(b, &got); err != nil || got != want {
		t.Errorf("%q becomes %q, %v", want, got, err)
	}
}

// TestExamples: each command's help has an example.
func TestExamples(t *testing.T) {
	for _, c := range newRoot().Commands() {
		if c.Example == "" && c.Name() != "help" && c.Name() != "completion" {
			t.Errorf("ply11 %s --help has no example", c.Name())
		}
		for line := range strings.Lines(c.Example) {
			if !strings.Contains(line, "ply11 "+c.Name()) {
				t.Errorf("ply11 %s --help: the example %q is of another command", c.Name(), line)
			}
			for _, word := range strings.Fields(line) {
				if name, ok := strings.CutPrefix(word, "--"); ok && c.Flags().Lookup(name) == nil {
					t.Errorf("ply11 %s --help: there is no flag %s", c.Name(), word)
				}
			}
		}
	}
}

// An archive that shrinks while it is read is an error, and no signal.
func TestShrinks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.p11")
	if code := run(t.Context(), []string{"gen", "-q", "--games", "20000", "-o", path}); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	r, done, err := openArchive(path)
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	if _, err := r.Block(1); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 4096); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Block(r.Blocks()); codeOf(err) != exitCorrupt {
		t.Errorf("the last block: %v", err)
	}
}

// TestCompletions: flags whose values are completed are flags of commands.
func TestCompletions(t *testing.T) {
	there := map[string]bool{}
	for _, cmd := range newRoot().Commands() {
		cmd.Flags().VisitAll(func(f *pflag.Flag) { there[f.Name], there[cmd.Name()+" --"+f.Name] = true, true })
	}
	for name := range completions {
		if !there[name] {
			t.Errorf("values of %s are completed, and no command has it", name)
		}
	}
}

// TestCodeOfOther: an error that is not classified is a failure.
func TestCodeOfOther(t *testing.T) {
	if code := codeOf(fmt.Errorf("what nobody expected")); code != exitError {
		t.Errorf("exit code %d", code)
	}
}
