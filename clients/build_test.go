// SPDX-License-Identifier: Apache-2.0

package clients_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"ply11/internal/testenv"
)

var update = flag.Bool("update", false, "write the tables of c/ply11.c, and declarations")

var buildDir string

func TestMain(m *testing.M) {
	flag.Parse()
	var err error
	if buildDir, err = os.MkdirTemp("", "ply11-clients-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status := m.Run()
	os.RemoveAll(buildDir)
	os.Exit(status)
}

// A build is a way to compile a C program, and to run it.
type build struct {
	name     string
	compiler []string
	run      []string // what runs the program; none if it runs by itself
	long     bool     // make long alone
	slow     bool     // many times slower than the others
}

const warnings = "-pedantic -Wall -Wextra -Wconversion -Wshadow -Werror"

var builds = []build{
	{name: "gcc", compiler: strings.Fields("gcc -std=c99 -O3")},
	{name: "g++", compiler: strings.Fields("g++ -x c++ -O2"), long: true},
	{name: "clang", compiler: strings.Fields("clang -std=c99 -O3"), long: true},
	{name: "sanitizers", compiler: strings.Fields(
		"gcc -std=c99 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all"), slow: true},
	{name: "msan", compiler: strings.Fields("clang -std=c99 -O1 -g -fsanitize=memory"), long: true, slow: true},
	// Without the compilers' own bit counting and the instructions of one processor.
	{name: "portable", compiler: strings.Fields("gcc -std=c99 -O2 -DPLY11_PORTABLE")},
	// Big-endian, and 32 bits.
	{name: "s390x", compiler: strings.Fields("s390x-linux-gnu-gcc -std=c99 -O2 -static"), run: []string{"qemu-s390x"},
		long: true, slow: true},
	{name: "i386", compiler: strings.Fields("i686-linux-gnu-gcc -std=c99 -O2 -static"), run: []string{"qemu-i386"},
		long: true, slow: true},
}

var (
	buildLock sync.Mutex
	built     = make(map[string]bool) // programs, and folders of packages
)

func once(path string, make func()) {
	buildLock.Lock()
	defer buildLock.Unlock()
	if !built[path] {
		make()
		built[path] = true
	}
}

// output runs a program in a folder, with more in its environment, and returns what it prints.
func output(t testing.TB, folder, stdin string, env []string, line ...string) string {
	t.Helper()
	cmd := exec.Command(line[0], line[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdin = folder, append(os.Environ(), env...), strings.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", strings.Join(line, " "), err, out, &stderr)
	}
	return string(out)
}

func gcc(t *testing.T, words string, more ...string) {
	t.Helper()
	testenv.Tools(t, "gcc")
	output(t, ".", "", nil, append(strings.Fields("gcc "+words), more...)...)
}

// compile returns the path of a program of c/test, with the core in it.
func (b *build) compile(t testing.TB, program string) string {
	t.Helper()
	testenv.Tools(t, append([]string{b.compiler[0]}, b.run...)...)
	path := filepath.Join(buildDir, b.name+"-"+program)
	once(path, func() {
		// Go runs a test again if a file has changed that it opened.
		for _, source := range []string{"c/ply11.h", "c/ply11.c", "c/test/" + program + ".c"} {
			if _, err := os.ReadFile(source); err != nil {
				t.Fatal(err)
			}
		}
		object := path + ".o"
		core := slices.Concat(b.compiler, strings.Fields(warnings), []string{"-c", "c/ply11.c", "-o", object})
		if program == "fuzz" {
			core = append(core, "-DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION")
		}
		output(t, ".", "", nil, core...)
		main := slices.Concat(b.compiler, []string{"-Wall", "-Wextra", "c/test/" + program + ".c"})
		if strings.Contains(b.compiler[0], "++") {
			main = append(main, "-x", "none")
		}
		output(t, ".", "", nil, append(main, object, "-o", path)...)
	})
	return path
}

func (b *build) driver(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	return output(t, ".", stdin, nil, slices.Concat(b.run, []string{b.compile(t, "driver")}, args)...)
}

func eachBuild(t *testing.T, test func(t *testing.T, b *build)) {
	for i := range builds {
		b := &builds[i]
		if b.long && !testenv.Long {
			continue
		}
		t.Run(b.name, func(t *testing.T) { test(t, b) })
	}
}

func sameLines(t *testing.T, got, want string) {
	t.Helper()
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			t.Fatalf("line %d is\n%q, want\n%q", i+1, g[i], w[i])
		}
	}
	if len(g) != len(w) {
		t.Fatalf("%d lines, want %d", len(g), len(w))
	}
}

// TestPromises: the core needs no function of a library but those that compilers call, has no variable that changes,
// and no function calls itself, even by way of others.
func TestPromises(t *testing.T) {
	testenv.Tools(t, "nm")
	dir := t.TempDir()
	object := filepath.Join(dir, "ply11.o")
	// Without optimization no call is left out of the graph. With -fno-pic, constant pointers are constants for nm.
	gcc(t, "-std=c99 -O0 -fno-pic -fcallgraph-info -c c/ply11.c -o", object)
	symbols := output(t, ".", "", nil, "nm", object)
	// The last counts bits for a processor without an instruction for it.
	compilersOwn := []string{"memcpy", "memmove", "memset", "memcmp", "__popcountdi2"}
	for line := range strings.Lines(symbols) {
		f := strings.Fields(line)
		switch kind, name := f[len(f)-2], f[len(f)-1]; {
		case strings.Contains("TtRr", kind): // functions and constants
		case kind == "U" && slices.Contains(compilersOwn, name):
		default:
			t.Errorf("the core has a symbol %s of kind %s", name, kind)
		}
	}
	graph, err := os.ReadFile(filepath.Join(dir, "ply11.ci"))
	if err != nil {
		t.Fatal(err)
	}
	calls := make(map[string][]string)
	for _, m := range regexp.MustCompile(`edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"`).FindAllStringSubmatch(
		string(graph), -1) {
		calls[m[1]] = append(calls[m[1]], m[2])
	}
	if len(calls) < 100 {
		t.Fatalf("%d functions call others", len(calls))
	}
	for from := range calls {
		reached := slices.Clone(calls[from])
		for i := 0; i < len(reached); i++ {
			for _, to := range calls[reached[i]] {
				if !slices.Contains(reached, to) {
					reached = append(reached, to)
				}
			}
		}
		if slices.Contains(reached, from) {
			t.Errorf("%s calls itself", from)
		}
	}
}
