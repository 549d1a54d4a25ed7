// SPDX-License-Identifier: Apache-2.0

// Command testrun is what `make test` and `make quick` run. It prints what failed, what was skipped and why. Its last
// line counts:
//
//	1234 passed, 0 failed, 0 skipped
//
// The steps of `make test` are: formatting, vet, staticcheck; all Go tests; the tests of dense moves again without
// assembly and for ARM; the page in Chromium; the tests of what is concurrent again under the race detector; those of
// the module beam/, but for its command; lint, simulations and proofs of the hardware; and each fuzz target for a
// while. `make quick` runs formatting, vet and the Go tests with -short and the tag quick, which leaves out the files
// whose libraries would be compiled for nothing.
//
// A step that is no Go test (formatting, say) counts as one. Of `genrom prove`, each check counts. The
// exit status is 1 if anything failed, and 2 for wrong usage.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"go/scanner"
	"go/token"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"
)

// staticcheck is pinned: a new version must not turn the build red by itself.
const staticcheck = "honnef.co/go/tools/cmd/staticcheck@v0.8.2"

func main() {
	fuzzEach := flag.Duration("fuzz", 3*time.Second, "how long to fuzz each target; two targets run at a time")
	fuzzAll := flag.Duration("fuzz-total", 44*time.Second,
		"how long to fuzz, the times of all targets together, at most")
	only := flag.String("only", "", "run only the steps that this regular expression matches")
	short := flag.Bool("short", false,
		"run the Go tests with -short: without other programs, and without what takes long")
	flag.Parse()
	re, err := regexp.Compile(*only)
	if err != nil {
		fmt.Fprintln(os.Stderr, "testrun:", err)
		os.Exit(2)
	}
	// What quick leaves out would compile avo for a generator.
	tags := "-tags="
	if *short {
		tags += "quick"
	}
	// Most of what tests make is soon done with: with the collector's usual eagerness, a fifth of the processor time of
	// the tests of query, and a third of that of some of bitstream/archive, was its. Other steps have not been
	// measured, and keep the default. Who measures memory in another process takes this out of its environment.
	var lazy []string
	if os.Getenv("GOGC") == "" {
		lazy = []string{"GOGC=400"}
	}
	r := &runner{out: os.Stdout, skips: make(map[string]int)}
	for _, s := range []struct {
		name string
		run  func()
	}{
		{"gofmt", r.gofmt},
		{"lines", r.lines},
		{"vet", func() { r.program("go", "vet", tags, "./...") }},
		{"staticcheck", func() { r.program("go", "run", staticcheck, "./...") }},
		// The packages that take longest first: else one of them runs alone at the end, on one core. Without go test's
		// own vet, which asks for less than the step vet.
		{"test", func() {
			r.goTest(".", lazy, fmt.Sprintf("-short=%t", *short), tags, "-vet=off", "-timeout", "40m", "./clients",
				"./cmd/ply11", "./bitstream/archive", "./sim/eda", "./sim/cosim", "./query", "./...")
		}},
		// The page in a browser: a module of its own, for its libraries.
		{"page", func() { r.goTest("web/browser", lazy, "-vet=off", "-timeout", "40m", "./...") }},
		// Dense moves without assembly, and with that of ARM.
		{"dense", func() {
			r.goTest(".", nil, "-tags", "purego", "-vet=off", "-timeout", "40m", "./bitstream/dense")
			r.goTest(".", []string{"GOARCH=arm64", "CGO_ENABLED=0"}, "-exec", "qemu-aarch64", "-vet=off", "-timeout",
				"40m", "./bitstream/dense")
		}},
		{"race", r.race},
		// The command of beam/ brings the file systems of clouds, which take longer to compile than all else: it is
		// left to make beam.
		{"beam", func() {
			r.goTest("beam", lazy, "-vet=off", "-timeout", "40m", "./internal/...", "./p11io", "./pgnio", "./pipelines")
		}},
		{"prove", r.prove},
		{"fuzz", func() { r.fuzz(*fuzzEach, *fuzzAll) }},
	} {
		if !re.MatchString(s.name) {
			continue
		}
		fmt.Fprintf(r.out, "== %s\n", s.name)
		start := time.Now()
		before := r.counts
		s.run()
		fmt.Fprintf(r.out, "   %s, %.0f s\n", r.counts.minus(before), time.Since(start).Seconds())
	}
	for _, reason := range slices.Sorted(maps.Keys(r.skips)) {
		fmt.Fprintf(r.out, "skipped %d times: %s\n", r.skips[reason], reason)
	}
	fmt.Fprintln(r.out, r.counts)
	if r.counts.failed > 0 {
		os.Exit(1)
	}
}

// counts is how many passed, failed and were skipped.
type counts struct{ passed, failed, skipped int }

func (c counts) minus(d counts) counts {
	return counts{c.passed - d.passed, c.failed - d.failed, c.skipped - d.skipped}
}

// String is the form that whoever reads the last line expects.
func (c counts) String() string {
	return fmt.Sprintf("%d passed, %d failed, %d skipped", c.passed, c.failed, c.skipped)
}

// runner runs the steps and counts.
type runner struct {
	counts
	out   io.Writer
	skips map[string]int // how often each reason was given
}

// fail counts a failure and prints it.
func (r *runner) fail(name string, output []byte) {
	r.failed++
	fmt.Fprintf(r.out, "FAIL %s\n%s", name, output)
	if n := len(output); n > 0 && output[n-1] != '\n' {
		fmt.Fprintln(r.out)
	}
}

// output runs a program and returns what it printed on both streams.
func output(name string, args ...string) ([]byte, error) {
	return exec.Command(name, args...).CombinedOutput()
}

// program runs a program that is silent and ends with status 0 if all is well.
func (r *runner) program(name string, args ...string) {
	out, err := output(name, args...)
	if err != nil {
		r.fail(name+" "+strings.Join(args, " ")+": "+err.Error(), out)
		return
	}
	r.passed++
}

// sources returns the names of all Go files.
func sources() []string {
	out, err := output("git", "ls-files", "*.go")
	if err != nil {
		// No repository, as in an unpacked archive: all that is there.
		out, _ = output("find", ".", "-name", "*.go")
	}
	return strings.Fields(string(out))
}

// lines asks for lines of Go of at most 120 columns, where a tab counts 4. What may not be broken is excepted: raw
// strings, data without a space, tables and code in comments; and what is generated.
func (r *runner) lines() {
	var out bytes.Buffer
	for _, name := range sources() {
		src, err := os.ReadFile(name)
		if err != nil {
			fmt.Fprintln(&out, err)
			continue
		}
		if !bytes.Contains(src[:min(len(src), 400)], []byte("Code generated")) {
			for _, line := range longLines(src) {
				fmt.Fprintf(&out, "%s:%d\n", name, line)
			}
		}
	}
	if out.Len() > 0 {
		r.fail("lines of more than 120 columns", out.Bytes())
		return
	}
	r.passed++
}

// longLines returns the numbers of the lines of a Go file that have more than 120 columns and could be broken.
func longLines(src []byte) []int {
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(src))
	whole := make(map[int]bool)
	var s scanner.Scanner
	s.Init(file, src, nil, scanner.ScanComments)
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		raw := tok == token.STRING && lit[0] == '`'
		if raw || strings.HasPrefix(lit, "//\t") {
			for n := range strings.Count(lit, "\n") + 1 {
				whole[file.Line(pos)+n] = true
			}
		}
	}
	var long []int
	number := 0
	for line := range bytes.Lines(src) {
		number++
		columns := utf8.RuneCount(bytes.TrimRight(line, "\n")) + 3*bytes.Count(line, []byte("\t"))
		word := func(w string) bool { return len(w) > 80 }
		if columns > 120 && !whole[number] && !slices.ContainsFunc(strings.Fields(string(line)), word) {
			long = append(long, number)
		}
	}
	return long
}

func (r *runner) gofmt() {
	out, err := output("gofmt", append([]string{"-l"}, sources()...)...)
	if err != nil || len(out) > 0 {
		r.fail("gofmt -l (mend with gofmt -w)", out)
		return
	}
	r.passed++
}

// event is a line of `go test -json`.
type event struct {
	Action     string
	Package    string
	ImportPath string
	Test       string
	Output     string
	Elapsed    float64 // seconds by the clock, of what ended
}

// goTest runs go test in a folder, with variables besides those of the environment, and counts tests, examples and fuzz
// seeds with their subtests. A package that fails without a failing test (it does not compile, or panics) counts as
// one.
func (r *runner) goTest(dir string, env []string, args ...string) {
	cmd := exec.Command("go", append([]string{"test", "-json", "-count=1"}, args...)...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		r.fail("go test", []byte(err.Error()))
		return
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		r.fail("go test", []byte(err.Error()))
		return
	}
	failures := r.readEvents(stdout)
	err = cmd.Wait()
	if err != nil && failures == 0 {
		r.fail("go test "+strings.Join(args, " ")+": "+err.Error(), stderr.Bytes())
	}
}

// readEvents counts the events of `go test -json` and returns how many failures there were.
func (r *runner) readEvents(src io.Reader) int {
	type key struct{ pkg, test string }
	text := make(map[key]*bytes.Buffer)
	failedIn := make(map[string]int)
	before := r.failed
	var slow []event // packages
	sc := bufio.NewScanner(src)
	sc.Buffer(nil, 16<<20)
	for sc.Scan() {
		var e event
		if json.Unmarshal(sc.Bytes(), &e) != nil {
			continue
		}
		k := key{cmp.Or(e.Package, e.ImportPath), e.Test}
		switch e.Action {
		case "output", "build-output":
			b := text[k]
			if b == nil {
				b = new(bytes.Buffer)
				text[k] = b
			}
			if b.Len() < 64<<10 {
				b.WriteString(e.Output)
			}
		case "pass", "fail", "skip":
			var out []byte
			if b := text[k]; b != nil {
				out = b.Bytes()
			}
			delete(text, k)
			if e.Test == "" && e.Elapsed >= 10 {
				slow = append(slow, e)
			}
			switch {
			case e.Action == "pass" && e.Test != "":
				r.passed++
			case e.Action == "skip" && e.Test != "":
				r.skipped++
				r.skips[skipReason(string(out))]++
			case e.Action == "fail" && (e.Test != "" || failedIn[k.pkg] == 0):
				failedIn[k.pkg]++
				r.fail(k.pkg+" "+e.Test, append(out, buildOutput(text[key{e.ImportPath, ""}])...))
			}
		}
	}
	slices.SortFunc(slow, func(a, b event) int { return cmp.Compare(b.Elapsed, a.Elapsed) })
	for _, e := range slow[:min(len(slow), 8)] {
		fmt.Fprintf(r.out, "   %4.0f s %s\n", e.Elapsed, e.Package)
	}
	return r.failed - before
}

func buildOutput(b *bytes.Buffer) []byte {
	if b == nil {
		return nil
	}
	return b.Bytes()
}

var skipLine = regexp.MustCompile(`(?m)^\s+\S+\.go:\d+: (.*)$`)

// skipReason finds what a test said when it skipped.
func skipReason(out string) string {
	if m := skipLine.FindAllStringSubmatch(out, -1); m != nil {
		return m[len(m)-1][1]
	}
	return "no reason given"
}

// testPackage is a package with tests.
type testPackage struct {
	path, dir string
	names     []string // of its functions that were asked for
}

// functions finds the test functions that a regular expression matches, whose first group is the name. It reads
// the sources: to ask the tests for their list, go test would have to build them all.
func functions(re *regexp.Regexp) ([]testPackage, error) {
	const files = `{{.ImportPath}}{{"\t"}}{{$d := .Dir}}{{$d}}{{range .TestGoFiles}}{{"\t"}}{{$d}}/{{.}}{{end}}{{range .XTestGoFiles}}{{"\t"}}{{$d}}/{{.}}{{end}}`
	out, err := output("go", "list", "-f", files, "./...")
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, out)
	}
	var list []testPackage
	for line := range strings.Lines(string(out)) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		p := testPackage{path: fields[0], dir: fields[1]}
		for _, file := range fields[2:] {
			text, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			for _, m := range re.FindAllSubmatch(text, -1) {
				p.names = append(p.names, string(m[1]))
			}
		}
		if len(p.names) > 0 {
			list = append(list, p)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no function is as %v", re)
	}
	return list, nil
}

var (
	parallelTest = regexp.MustCompile(`(?m)^func (Test\w*Parallel\w*)\(`)
	fuzzTarget   = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`)
)

// race runs the tests of what is concurrent again under the race detector: those with Parallel in their
// names. The others have one goroutine, and would take ten times as long for nothing; and to build a package
// for the race detector that has no such test takes seconds.
func (r *runner) race() {
	packages, err := functions(parallelTest)
	if err != nil {
		r.fail("race", []byte(err.Error()))
		return
	}
	args := []string{"-race", "-vet=off", "-run", "Parallel", "-timeout", "40m"}
	for _, p := range packages {
		args = append(args, p.path)
	}
	r.goTest(".", nil, args...)
}

var (
	provedLine = regexp.MustCompile(`(?m)^(\d+) of (\d+) passed$`)
	costLine   = regexp.MustCompile(`(?m)^processor time .*$`)
)

// prove runs genrom prove and counts its checks.
func (r *runner) prove() {
	cmd := exec.Command("go", "run", "./cmd/genrom", "prove")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	m := provedLine.FindSubmatch(out)
	if m == nil {
		r.fail("genrom prove", append(out, stderr.Bytes()...))
		return
	}
	fmt.Fprintf(r.out, "   %s\n", costLine.Find(out))
	good, _ := strconv.Atoi(string(m[1]))
	all, _ := strconv.Atoi(string(m[2]))
	r.passed += good
	if err != nil || good != all {
		r.fail("genrom prove", append(out, stderr.Bytes()...))
		r.failed += max(all-good-1, 0)
	}
}

// guided is from how long on the fuzzer is told which code an input reaches. For that all packages are built once more,
// which takes two minutes. In a second the fuzzer has no use for it.
const guided = 10 * time.Second

// fuzz runs the seeds of all fuzz targets, made long, and then each target for a while, so that all together take no
// longer than total. No input may take more steps than package bounded allows. Of each package the tests are built
// once, for all of its targets.
func (r *runner) fuzz(each, total time.Duration) {
	packages, err := functions(fuzzTarget)
	if err != nil {
		r.fail("fuzz", []byte(err.Error()))
		return
	}
	dir, err := os.MkdirTemp("", "ply11-fuzz-")
	if err != nil {
		r.fail("fuzz", []byte(err.Error()))
		return
	}
	defer os.RemoveAll(dir)
	targets := 0
	for _, p := range packages {
		targets += len(p.names)
	}
	each = max(min(each, total/time.Duration(targets)), time.Second)
	fmt.Fprintf(r.out, "   %d targets, %v each\n", targets, each.Round(100*time.Millisecond))
	// Most targets first, else one package runs alone at the end.
	slices.SortStableFunc(packages, func(a, b testPackage) int { return cmp.Compare(len(b.names), len(a.names)) })
	// Two packages at a time, with a process each: one would leave a core idle while it builds and while it ends.
	var group errgroup.Group
	group.SetLimit(2)
	var one sync.Mutex
	for i, p := range packages {
		group.Go(func() error {
			program := filepath.Join(dir, strconv.Itoa(i)+".test")
			// With the counters that package bounded asks for.
			build := []string{"test", "-c", "-o", program, "-cover", "-covermode=atomic", "-coverpkg=ply11/..."}
			if each >= guided {
				build = append(build, "-fuzz", ".")
			}
			if out, err := output("go", append(build, p.path)...); err != nil {
				one.Lock()
				r.fail(p.path, out)
				one.Unlock()
				return nil
			}
			run := func(name string, args ...string) {
				cmd := exec.Command(program, args...)
				cmd.Dir = p.dir
				out, err := cmd.CombinedOutput()
				one.Lock()
				if err != nil && !timeUp(out) {
					r.fail(p.path+" "+name, out)
				} else {
					r.passed++
				}
				one.Unlock()
			}
			run("^Fuzz", "-test.run", "^Fuzz")
			for _, name := range p.names {
				// Without the limit, a minute is spent on making the first input that is of interest shorter.
				run(name, "-test.run", "^$", "-test.fuzz", "^"+name+"$", "-test.fuzztime", each.String(),
					"-test.fuzzminimizetime", "20x", "-test.parallel", "1", "-test.fuzzcachedir",
					filepath.Join(dir, strconv.Itoa(i)))
			}
			os.Remove(program)
			return nil
		})
	}
	group.Wait()
}

var fuzzFailure = regexp.MustCompile(`(?m)^--- FAIL: Fuzz\S* \(.*\)\n((?:    .*\n?)*)`)

// timeUp reports whether all that failed is that the time to fuzz was up, which is how each run ends: before
// version 1.27, go test now and then gives that out as a failure (golang/go#75804). An input that fails is
// told with its file.
func timeUp(out []byte) bool {
	all := fuzzFailure.FindAllSubmatch(out, -1)
	return len(all) == 1 && string(bytes.TrimSpace(all[0][1])) == "context deadline exceeded"
}
