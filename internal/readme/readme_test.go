// SPDX-License-Identifier: Apache-2.0

package readme_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ply11/internal/testenv"
)

// root is the project's folder.
var root = filepath.Join("..", "..")

// A step is a command of the README, or a program, and the output it shows.
type step struct {
	line    int
	command string // for a shell; "" for a program
	program string
	output  string
}

// steps finds the commands and programs.
func steps(text string) ([]step, error) {
	var list []step
	var block []string
	kind, start := "", 0
	wantText := false // a program waits for its output
	for n, line := range strings.Split(text, "\n") {
		switch {
		case kind == "" && strings.HasPrefix(line, "```"):
			kind, start, block = strings.TrimPrefix(line, "```"), n+2, nil
			if kind == "" {
				kind = "none"
			}
		case kind != "" && line == "```":
			switch {
			case kind == "console":
				for i, l := range block {
					if command, ok := strings.CutPrefix(l, "$ "); ok {
						list = append(list, step{line: start + i, command: command})
					} else if len(list) > 0 {
						list[len(list)-1].output += l + "\n"
					}
				}
			case kind == "go" && len(block) > 0 && block[0] == "package main":
				list = append(list, step{line: start, program: strings.Join(block, "\n")})
				wantText = true
			case kind == "text" && wantText:
				list[len(list)-1].output = strings.Join(block, "\n") + "\n"
				wantText = false
			}
			kind = ""
		case kind != "":
			block = append(block, line)
		}
	}
	if kind != "" || wantText {
		return nil, fmt.Errorf("a block that begins in line %d has no end, or a program no output", start)
	}
	return list, nil
}

// number stands for any number, with the blanks before it that align it.
var number = regexp.MustCompile(` *#`)

// gap is what separates the columns of a table: as wide as the widest number happens to be.
var gap = regexp.MustCompile(`  +`)

// matches compares an output with what the file shows of it.
func matches(shown, got string) bool {
	var b strings.Builder
	b.WriteString(`\A`)
	for line := range strings.Lines(shown) {
		if strings.TrimSpace(line) == "..." {
			b.WriteString(`(?s:.*)`)
			continue
		}
		// Trailing blanks count no more than they show.
		quoted := regexp.QuoteMeta(strings.TrimRight(line, " \n"))
		quoted = number.ReplaceAllString(quoted, ` *[0-9.]+`)
		b.WriteString(gap.ReplaceAllString(quoted, ` +`) + " *\n")
	}
	b.WriteString(`\z`)
	return regexp.MustCompile(b.String()).MatchString(got)
}

func TestReadme(t *testing.T) {
	testenv.Tools(t, "sh", "sed", "cmp", "iverilog", "verilator", "yosys", "nextpnr-ice40", "icebram", "icepack")
	for _, file := range []string{"README.md", "docs/formats.md", "docs/keep.md", "docs/rom.md"} {
		t.Run(file, func(t *testing.T) { testFile(t, file) })
	}
}

// testFile runs all steps of a file, in their order.
func testFile(t *testing.T, file string) {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	list, err := steps(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 3 {
		t.Fatalf("only %d commands", len(list))
	}
	for _, s := range list {
		t.Run(fmt.Sprintf("line_%d", s.line), func(t *testing.T) {
			cmd := exec.Command("sh", "-c", s.command)
			if s.program != "" {
				file := filepath.Join(t.TempDir(), "main.go")
				if err := os.WriteFile(file, []byte(s.program), 0o666); err != nil {
					t.Fatal(err)
				}
				cmd = exec.Command("go", "run", file)
			}
			cmd.Dir = root
			out, err := cmd.CombinedOutput()
			// A command that is shown to fail has its status in the text around it.
			if err != nil && !strings.Contains(s.output, "genrom: ") && !strings.Contains(s.output, "ply11: ") {
				t.Errorf("%v", err)
			}
			if !matches(s.output, string(out)) {
				t.Errorf("%s:%d shows\n%s\nbut it is\n%s", file, s.line, s.output, out)
			}
		})
	}
}

// TestUse does in a module of its own what the README says: the README's program, and one that imports more of the
// packages, are built and run there. What they need is in the cache of modules, since the tests of these packages were
// built with it; package dataset needs more, of the tests of its libraries.
func TestUse(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	list, err := steps(string(text))
	if err != nil {
		t.Fatal(err)
	}
	first := slices.IndexFunc(list, func(s step) bool { return s.program != "" })
	_, commands, found := strings.Cut(string(text), "```sh\ngo mod init ")
	commands, _, ended := strings.Cut(commands, "```")
	if first < 0 || !found || !ended {
		t.Fatal("README.md has no program, or does not say how a module uses this one")
	}
	here, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	commands = strings.ReplaceAll("go mod init "+commands, "/path/to/ply11", here)
	dir := t.TempDir()
	run := func(commands string) string {
		cmd := exec.Command("sh", "-e", "-c", commands)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOPROXY=off", "GONOSUMDB=*", "GOFLAGS=-buildvcs=false", "GOWORK=off")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%s:\n%v:\n%s", commands, err, out)
		}
		return string(out)
	}
	for name, program := range map[string]string{
		"main.go": list[first].program,
		"more/main.go": "package main\n\nimport " +
			"(\n\t\"fmt\"\n\n\t\"ply11/bitstream/archive\"\n\t\"ply11/query\"\n)\n\n" +
			"func main() { fmt.Println(archive.Version, query.New().Check()) }\n",
	} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777),
			os.WriteFile(name, []byte(program), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	run(commands)
	// For another processor an emulator runs it: see testenv.Self.
	if out := run("go build ./...\ngo run ${PLY11_EXEC:+-exec $PLY11_EXEC} ."); out != list[first].output {
		t.Errorf("%q, and README.md shows %q", out, list[first].output)
	}
}

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		shown, got string
		want       bool
	}{
		{"a\nb\n", "a\nb\n", true},
		{"a\n", "a\nb\n", false},
		{"a\n...\nd\n", "a\nb\nc\nd\n", true},
		{"a\n...\nd\n", "a\nb\nc\ne\n", false},
		{"# plies\n", "1234 plies\n", true},
		{"# plies\n", "many plies\n", false},
		{"a  b #\n", "a     b  12\n", true},
		{"a  b\n", "ab\n", false},
		{"", "", true},
	} {
		if got := matches(c.shown, c.got); got != c.want {
			t.Errorf("%q shown, %q got: %v", c.shown, c.got, got)
		}
	}
	if list, err := steps("```console\n$ a\nb\n$ c\n```\n```go\npackage main\n```\n```text\nx\n```\n"); err != nil ||
		len(list) != 3 ||
		list[0].output != "b\n" || list[1].command != "c" || list[2].output != "x\n" {
		t.Errorf("%+v, %v", list, err)
	}
}
