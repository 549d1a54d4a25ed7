// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	entry "ply11/cmd/ply11"

	"ply11/bitstream/archive"
	"ply11/internal/cli"
	"ply11/internal/tempfile"
	"ply11/internal/testenv"
)

// TestMain makes the test binary the program itself, when it is told to.
func TestMain(m *testing.M) {
	if os.Getenv("PLY11_TEST_MAIN") == "1" {
		tempfile.Named = os.Getenv("PLY11_TEST_NAMED") == "1"
		code := entry.Start(os.Args[1:])
		if path := os.Getenv("PLY11_TEST_STATUS"); path != "" {
			status, _ := os.ReadFile("/proc/self/status")
			os.WriteFile(path, status, 0o666)
		}
		os.Exit(code)
	}
	os.Exit(m.Run())
}

func command(dir string, args ...string) *exec.Cmd {
	line := append(testenv.Self(), args...)
	cmd := exec.Command(line[0], line[1:]...)
	// As users run it, not with what the tests run with.
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GOGC=") }),
		"PLY11_TEST_MAIN=1")
	cmd.Dir = dir
	return cmd
}

func runCode(t *testing.T, dir string, want int, stdin string, args ...string) (stdout, stderr string) {
	t.Helper()
	cmd := command(dir, args...)
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &errs
	cmd.Run()
	if code := cmd.ProcessState.ExitCode(); code != want {
		t.Fatalf("ply11 %s: exit code %d, want %d\n%s", strings.Join(args, " "), code, want, errs.String())
	}
	return out.String(), errs.String()
}

// ply11 is runCode of a line without input.
func ply11(t *testing.T, dir string, want int, line string) (stdout, stderr string) {
	t.Helper()
	return runCode(t, dir, want, "", words(line)...)
}

// words are the words of a line. A word in single quotes may have spaces, or nothing.
func words(line string) (list []string) {
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			list = append(list, part)
		} else {
			list = append(list, strings.Fields(part)...)
		}
	}
	return list
}

// archiveMagic is what an archive begins with.
const archiveMagic = "\x89P11\r\n\x1a\n"

const games = `[Event "Paris"]
[Site "?"]
[Date "1858.??.??"]
[Round "?"]
[White "Morphy, Paul"]
[Black "Duke Karl"]
[Result "1-0"]
[ECO "C41"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 1-0

[Event "Test"]
[Date "1972.07.11"]
[White "Spassky"]
[Black "Fischer"]
[WhiteElo "2660"]
[BlackElo "2785"]
[Result "1/2-1/2"]

1. d4 {a comment} (1. e4 c5) d5 1/2-1/2

`

// bad is a file with a game that is not valid.
const bad = games + "[Event \"Bad\"]\n\n1. e4 e5 2. Ke3 *\n\n"

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// packed makes a folder with a.pgn, which has a text, and a.p11, its archive.
func packed(t *testing.T, text string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	write(t, dir, "a.pgn", text)
	ply11(t, dir, 0, "pack -q a.pgn")
	return dir
}

// opened is an archive for who reads it from a program.
func opened(t *testing.T, path string) *archive.Reader {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	r, err := archive.NewReader(f, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func unpacked(t *testing.T, dir, name string) string {
	t.Helper()
	text, _ := runCode(t, dir, 0, "", "unpack", "-o", "-", name)
	return text
}

func TestPackUnpack(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.pgn", bad)
	_, errs := ply11(t, dir, 0, "pack a.pgn")
	if !strings.Contains(errs, "a.pgn:") || !strings.Contains(errs, "game 3, ply 3") {
		t.Errorf("the invalid game is told so: %q", errs)
	}
	ply11(t, dir, 0, "unpack -o b.pgn a.p11")
	if read(t, dir, "b.pgn") != bad {
		t.Error("unpack gives other bytes")
	}
	archive, _ := runCode(t, dir, 0, bad, "pack", "-q", "-o", "-", "-")
	if archive != read(t, dir, "a.p11") {
		t.Error("a pipe makes another archive")
	}
	if text, _ := runCode(t, dir, 0, archive, "unpack", "-"); text != bad {
		t.Error("unpack of a pipe gives other bytes")
	}
	for _, ext := range words(".zst .gz") {
		ply11(t, dir, 0, "unpack a.p11 -o c.pgn"+ext)
		ply11(t, dir, 0, "pack -f -q -o c.p11 c.pgn"+ext)
		if read(t, dir, "c.p11") != read(t, dir, "a.p11") {
			t.Errorf("%s: another archive", ext)
		}
	}
	for _, args := range []string{"pack -o d.p11", "convert -o d.p11", "convert --to uci --lossy"} {
		_, errs := ply11(t, dir, cli.Invalid, args+" --on-error stop a.pgn")
		if strings.Count(errs, "a.pgn") != 1 || strings.Count(errs, "\n") != 1 {
			t.Errorf("%v: not told once: %s", args, errs)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "d.p11")); err == nil {
		t.Error("--on-error stop leaves an archive")
	}
	ply11(t, dir, 0, "pack --on-error skip -o d.p11 a.pgn")
	if text := unpacked(t, dir, "d.p11"); text != games {
		t.Errorf("--on-error skip: %q", text)
	}
	write(t, dir, "A.PGN", games)
	if runtime.GOOS == "linux" { // where names differ by case
		ply11(t, dir, 0, "pack -q A.PGN")
		if err := os.Symlink("A.p11", filepath.Join(dir, "link.p11")); err != nil {
			t.Fatal(err)
		}
		ply11(t, dir, 0, "pack -q -f -o link.p11 a.pgn")
		if info, err := os.Lstat(filepath.Join(dir, "link.p11")); err != nil || info.Mode().IsRegular() ||
			read(t, dir, "A.p11") != read(t, dir, "a.p11") {
			t.Error("a link is replaced, and not the file")
		}
	}
	ply11(t, dir, 0, "pack --canonical -o e.p11 a.pgn")
	if text := unpacked(t, dir, "e.p11"); !strings.Contains(text, "a comment") || !strings.Contains(text, "2. Ke3") {
		t.Errorf("--canonical: %q", text)
	}
}

// TestEscapes: what would act on a terminal is printed as what it is.
func TestEscapes(t *testing.T) {
	dir := t.TempDir()
	runCode(t, dir, 0, "[Event \"\x1b[31mred\"]\n[White \"\x1b[31mred\"]\n\n1. e4 *\n\n", "pack", "-q", "-o", "red.p11",
		"-")
	for _, args := range []string{"find red.p11", "stats red.p11", "show red.p11 1 --ply 1"} {
		if out, _ := ply11(t, dir, 0, args); strings.Contains(out, "\x1b") || !strings.Contains(out, "[31mred") {
			t.Errorf("%v: %q", args, out)
		}
	}
}

// TestBeside: an error beside the main line is reported, and its game is like any other.
func TestBeside(t *testing.T) {
	dir := t.TempDir()
	const text = "[Event \"a\"]\n\n1. e4 (1. e5 Nf3) e5 $300 (2. Nf3) 2. Nf3 (2. Ke3) 1-0 (forfeit)\n\n"
	writeFile(t, dir, "a.pgn", text)
	for _, args := range []string{"pack -o a.p11", "pack --canonical -o c.p11", "pack --on-error stop -o s.p11"} {
		if _, errs := ply11(t, dir, 0, args+" a.pgn"); !strings.Contains(errs,
			"the main line is right") ||
			!strings.Contains(errs, "1 games have an error beside their main line") {
			t.Errorf("%q: %s", args, errs)
		}
	}
	if back := unpacked(t, dir, "a.p11"); back != text {
		t.Errorf("unpacked as %q", back)
	}
	for _, file := range words("a.pgn a.p11 c.p11 s.p11") {
		if rows, _ := ply11(t, dir, 0, "export --to jsonl -o - "+file); !strings.Contains(rows,
			`"moves":["e2e4","e7e5","g1f3"]`) {
			t.Errorf("%s: %s", file, rows)
		}
		if uci, _ := ply11(t, dir, 0, "convert --to uci --lossy "+file); uci != "e2e4 e7e5 g1f3\n" {
			t.Errorf("%s: %q", file, uci)
		}
	}
}

func TestConvert(t *testing.T) {
	dir := t.TempDir()
	_, errs := runCode(t, dir, cli.Invalid, "e2e4 e2e4\n", "convert", "--from", "uci", "--to", "pgn", "--on-error",
		"stop", "-")
	if !strings.Contains(errs, "line 1: game 1, ply 2") {
		t.Errorf("an illegal move in uci: %s", errs)
	}
	// What is left after the last word, and is not all ones, is of no game.
	runCode(t, dir, 0, "", "convert", "--from", "uci", "--lossy", "-o", "c.words", "-f",
		writeFile(t, dir, "one.uci", "e2e4 e7e5\n"))
	c := []byte(read(t, dir, "c.words"))[:6]
	c[5] &^= 0x80
	write(t, dir, "c.words", string(c))
	for command, code := range map[string]int{"convert": cli.Failed, "verify": cli.Wrong, "explain": cli.Wrong} {
		args := []string{command, "c.words"}
		if command == "convert" {
			args = append(args, "-o", "c.pgn")
		}
		if _, errs = runCode(t, dir, code, "", args...); strings.Count(errs, "not all ones") != 1 ||
			strings.Contains(errs, "game 2") {
			t.Errorf("%s: %s", command, errs)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "c.pgn")); err == nil {
		t.Error("convert of a stream that ends in no words leaves a file")
	}
}

// many writes a larger file and returns its name.
func many(t *testing.T, dir string, n int) string {
	t.Helper()
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Replace(games, "Paris", fmt.Sprintf("Paris %d", i), 1))
	}
	write(t, dir, "many.pgn", b.String())
	return "many.pgn"
}

// TestKilled kills each command that writes x.p11 at many moments, or ends it politely, each time later: the archive
// unpacks to the old text or the new one. Politely ended, a command leaves nothing behind. A kill between the two calls
// of the system that replace a file leaves the new file with another name, which the next command takes away.
func TestKilled(t *testing.T) {
	testenv.Slow(t)
	dir := packed(t, games)
	write(t, dir, "old.p11", read(t, dir, "a.p11"))
	name := many(t, dir, 8000)
	ply11(t, dir, 0, "pack -q -o many.p11 "+name)
	write(t, dir, "dead.p11", read(t, dir, "many.p11"))
	for range 3 {
		ply11(t, dir, 0, "append -q dead.p11 a.pgn")
	}
	before := left(t, dir)
	for _, c := range []struct {
		old, line string
		most      time.Duration
	}{
		{"old.p11", "pack -f -q -o x.p11 " + name, 240 * time.Millisecond},
		{"old.p11", "append -q --no-verify x.p11 " + name, 200 * time.Millisecond},
		{"old.p11", "append -q --no-verify --dense x.p11 " + name, 200 * time.Millisecond},
		{"dead.p11", "compact -q x.p11", 160 * time.Millisecond},
		{"many.p11", "edit -q --games 1- --set White=Nobody x.p11", 500 * time.Millisecond},
		{"many.p11", "edit -q --strip comments,variations x.p11", 500 * time.Millisecond},
		{"dead.p11", "edit -q --undo x.p11", 20 * time.Millisecond},
		{"old.p11", "convert -f -q --sort -white,length --set-eco -o x.p11 many.p11", 800 * time.Millisecond},
		{"old.p11", "find -f --result 1-0 --sort date --unset Site -o x.p11 many.p11", 500 * time.Millisecond},
	} {
		old := read(t, dir, c.old)
		write(t, dir, "x.p11", old)
		was := unpacked(t, dir, "x.p11")
		ply11(t, dir, 0, c.line)
		will, killed, n := unpacked(t, dir, "x.p11"), 0, testenv.Pick(30, 8)
		for i := range n {
			write(t, dir, "x.p11", old)
			cmd := command(dir, words(c.line)...)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(c.most * time.Duration(i) / time.Duration(n))
			signal := []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM}[i%2]
			cmd.Process.Signal(signal)
			if cmd.Wait() != nil {
				killed++
			}
			if named, _ := filepath.Glob(filepath.Join(dir, ".*.tmp")); signal == syscall.SIGTERM && len(named) > 0 {
				t.Fatalf("%s, ended at moment %d: there is %v", c.line, i, named)
			}
			if got := unpacked(t, dir, "x.p11"); got != was && got != will {
				t.Fatalf("%s, kill %d: the archive unpacks to other %d bytes", c.line, i, len(got))
			}
		}
		if killed == 0 {
			t.Errorf("%s: no run was killed", c.line)
		}
		write(t, dir, "x.p11", old)
		ply11(t, dir, 0, c.line)
		os.Remove(filepath.Join(dir, "x.p11"))
		if got := left(t, dir); got != before && hasUnnamed(t) {
			t.Errorf("%s: there is %s", c.line, got)
		}
	}
}

// testFull writes into a folder that has no room, by commands that run makes, from many.pgn and many.p11 in dir.
func testFull(t *testing.T, dir, full, want string, run func(args ...string) *exec.Cmd) {
	pgn, archive := filepath.Join(dir, "many.pgn"), filepath.Join(dir, "many.p11")
	for _, args := range [][]string{{"pack", pgn}, {"pack", "--no-verify", "-j", "1", pgn}, {"unpack", archive},
		{"cat", archive, archive},
		{"convert", "--lossy", "--to", "words", pgn}, {"convert", "--to", "p11", pgn}, {"recover", archive},
		{"convert", "--sort", "white", "--to", "p11", archive}, {"convert", "--strip", "comments", "--to", "pgn", pgn},
		{"find", "--sort", "-length", "--plies", "1-", archive}} {
		for _, old := range testenv.First([]string{"what was there", ""}, 1) {
			path := filepath.Join(full, "x.out")
			os.Remove(path)
			if old != "" {
				write(t, full, "x.out", old)
			}
			before, _ := os.ReadDir(full)
			cmd := run(append(args, "-f", "-o", path)...)
			out, _ := cmd.CombinedOutput()
			if cmd.ProcessState.ExitCode() != cli.Failed || !strings.Contains(string(out), want) {
				t.Errorf("%v: exit code %d: %s", args, cmd.ProcessState.ExitCode(), out)
			}
			if b, err := os.ReadFile(path); string(b) != old || (err == nil) != (old != "") {
				t.Errorf("%v: there is %.20q, and not %q", args, b, old)
			}
			if after, _ := os.ReadDir(full); len(after) != len(before) {
				t.Errorf("%v: what is left: %v", args, after)
			}
		}
	}
}

// TestStdoutFull writes results where there is never room.
func TestStdoutFull(t *testing.T) {
	dir := packed(t, games)
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	for _, args := range []string{"info a.p11", "info --json a.p11", "stats a.p11", "show a.p11 1",
		"show a.p11 1 --ply 3 --board", "find --player morphy a.p11", "verify a.p11",
		"unpack -o - a.p11", "convert --to pgn a.p11", "pack -o - a.pgn", "cat a.p11",
		"recover -o - a.p11", "help", "--version", "completion zsh"} {
		cmd := command(dir, words(args)...)
		var errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = full, &errs
		cmd.Run()
		if cmd.ProcessState.ExitCode() != cli.Failed || !strings.Contains(errs.String(), "no space left on device") {
			t.Errorf("%v: exit code %d: %s", args, cmd.ProcessState.ExitCode(), errs.String())
		}
	}
}

// TestReaderGoesAway closes the pipe that a command writes to, as head does: that is no error.
func TestReaderGoesAway(t *testing.T) {
	dir := t.TempDir()
	name := many(t, dir, 8000)
	ply11(t, dir, 0, "pack -q -o x.p11 "+name)
	for _, args := range []string{"unpack -o - x.p11", "find x.p11", "convert --to pgn x.p11", "show x.p11 1",
		"info x.p11", "stats --json x.p11", "pack -o - " + name} {
		cmd := command(dir, words(args)...)
		var errs bytes.Buffer
		cmd.Stderr = &errs
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if a := args[0]; a == 'u' || a == 'f' || a == 'c' {
			io.ReadFull(out, make([]byte, 100)) // more than a pipe holds is to come
		}
		out.Close()
		cmd.Wait()
		if cmd.ProcessState.ExitCode() != cli.Pipe || errs.Len() > 0 {
			t.Errorf("%v: exit code %d: %s", args, cmd.ProcessState.ExitCode(), errs.String())
		}
	}
}

func TestRecover(t *testing.T) {
	dir := t.TempDir()
	name := many(t, dir, 3000)
	ply11(t, dir, 0, "pack -q -o x.p11 "+name)
	whole := read(t, dir, "x.p11")
	// of one wrong bit at many places: of columns without which a game is lost, and of tags
	var all string
	for k := 1; k < 40; k++ {
		b := []byte(whole)
		b[len(b)*k/40] ^= 1
		write(t, dir, "x.p11", string(b))
		_, errs := ply11(t, dir, cli.Wrong, "recover -f -o y.p11 x.p11")
		all += errs
		ply11(t, dir, 0, "verify y.p11")
		if out, errs := ply11(t, dir, cli.Wrong, "recover -o - x.p11"); out != read(t, dir, "y.p11") ||
			!strings.Contains(errs, "are right") {
			t.Errorf("recover to a pipe: %d bytes: %s", len(out), errs)
		}
	}
	for _, want := range []string{"lost games:", "games whose moves alone are sure:"} {
		if !strings.Contains(all, want) {
			t.Errorf("no damage is told as %q: %s", want, all)
		}
	}
	ply11(t, dir, cli.Wrong, "unpack -o z.pgn x.p11")
	if _, err := os.Stat(filepath.Join(dir, "z.pgn")); err == nil {
		t.Error("unpack of a damaged archive leaves a file")
	}
}

// interrupted is an archive to which more is being written.
func interrupted(old, more string) string {
	end := []byte(old[len(old)-40:])
	end[6] = 1
	binary.LittleEndian.PutUint32(end[36:], crc32.Checksum(end[:36], crc32.MakeTable(crc32.Castagnoli)))
	return old + more + string(end)
}
