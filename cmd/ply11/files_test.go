// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main_test

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/klauspost/compress/zstd"

	"ply11/internal/cli"
	"ply11/internal/tempfile"
	"ply11/internal/testenv"
)

func left(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

// bothWays runs a test with temporary files with and without names.
func bothWays(t *testing.T, do func(t *testing.T)) {
	for _, named := range testenv.First([]string{"0", "1"}, 1) {
		t.Run("named="+named, func(t *testing.T) {
			t.Setenv("PLY11_TEST_NAMED", named)
			do(t)
		})
	}
}

// slow is PGN that comes slowly, to meet the program at work.
type slow struct {
	io.WriteCloser
	cmd *exec.Cmd
}

// startSlow starts a program that reads PGN from its standard input and has begun.
func startSlow(t *testing.T, dir, line string) slow {
	t.Helper()
	cmd := command(dir, words(line)...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for range 200 { // more than a pipe and the buffers hold, so that it was read
		if _, err := io.WriteString(in, strings.Repeat(games, 10)); err != nil {
			t.Fatal(err)
		}
	}
	return slow{in, cmd}
}

// Of two programs that make the same file, one says that it did not.
func TestTwoWriters(t *testing.T) {
	bothWays(t, func(t *testing.T) {
		dir := t.TempDir()
		a, b := startSlow(t, dir, "pack -q -o x.p11 -"), startSlow(t, dir, "pack -q -o x.p11 -")
		io.WriteString(a, games)
		a.Close()
		if err := a.cmd.Wait(); err != nil {
			t.Fatal(err)
		}
		first := read(t, dir, "x.p11")
		b.Close()
		b.cmd.Wait()
		if code := b.cmd.ProcessState.ExitCode(); code != cli.Usage {
			t.Errorf("the second exits with %d", code)
		}
		if read(t, dir, "x.p11") != first {
			t.Error("the first archive is lost")
		}
		if got := left(t, dir); got != "x.p11" {
			t.Errorf("there is %s", got)
		}
	})
}

func TestLinks(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.pgn", games)
	if err := os.Symlink("to.p11", filepath.Join(dir, "link.p11")); err != nil {
		t.Fatal(err)
	}
	_, errs := ply11(t, dir, cli.Usage, "pack -q -o link.p11 a.pgn")
	if !strings.Contains(errs, "link to") {
		t.Errorf("a dangling link: %s", errs)
	}
	for range 2 { // the link is to nothing, and then to a file
		ply11(t, dir, 0, "pack -f -q -o link.p11 a.pgn")
		if to, err := os.Readlink(filepath.Join(dir, "link.p11")); err != nil || to != "to.p11" {
			t.Errorf("the link is replaced: %q, %v", to, err)
		}
		ply11(t, dir, 0, "verify -q to.p11")
	}
	os.Symlink("round.p11", filepath.Join(dir, "round.p11"))
	ply11(t, dir, cli.Failed, "pack -f -q -o round.p11 a.pgn")
}

// However a program ends, it leaves nothing behind; without names, not even where it is killed.
func TestSignals(t *testing.T) {
	bothWays(t, func(t *testing.T) {
		kill := os.Getenv("PLY11_TEST_NAMED") == "0" && hasUnnamed(t)
		for _, sig := range testenv.First([]syscall.Signal{syscall.SIGTERM, syscall.SIGKILL, syscall.SIGINT,
			syscall.SIGHUP, syscall.SIGQUIT}, 2) {
			if sig == syscall.SIGKILL && !kill {
				continue
			}
			if signal.Ignored(sig) {
				t.Logf("%v is ignored here, as below nohup, and so it ends no program", sig)
				continue
			}
			var all []slow // all of them end at the same time: each waits for its input as long as it may
			for _, args := range []string{"pack -q -o x.p11 -", "convert --lossy --from pgn -o x.cbf -",
				"convert --from pgn --lossy -o x.jgt -", "show - 1"} {
				dir := t.TempDir()
				t.Setenv("TMPDIR", dir)
				all = append(all, startSlow(t, dir, args))
			}
			for _, p := range all {
				p.cmd.Process.Signal(sig)
			}
			for _, p := range all {
				p.cmd.Wait()
				p.Close()
				if got := left(t, p.cmd.Dir); got != "" {
					t.Errorf("%v after %v: there is %s", p.cmd.Args, sig, got)
				}
				if code := p.cmd.ProcessState.ExitCode(); sig != syscall.SIGKILL && code != 128+int(sig) {
					t.Errorf("%v after %v: exit code %d", p.cmd.Args, sig, code)
				}
			}
		}
	})
}

func hasUnnamed(t *testing.T) bool {
	dir := t.TempDir()
	f, err := tempfile.Beside(filepath.Join(dir, "x"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	return left(t, dir) == ""
}

// A signal that nohup has ignored does not end the program.
func TestNohup(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command("sh", append([]string{"-c", `trap "" HUP; exec "$0" "$@" pack -q -o x.p11 -`},
		testenv.Self()...)...)
	cmd.Env, cmd.Dir = append(os.Environ(), "PLY11_TEST_MAIN=1"), dir
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for range 200 {
		io.WriteString(in, strings.Repeat(games, 10))
	}
	cmd.Process.Signal(syscall.SIGHUP)
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// A command that refuses leaves nothing; nor does one that keeps its input in a temporary file.
func TestNothingLeft(t *testing.T) {
	bothWays(t, func(t *testing.T) {
		dir, tmp := t.TempDir(), t.TempDir()
		t.Setenv("TMPDIR", tmp)
		write(t, dir, "a.pgn", games)
		ply11(t, dir, 0, "pack -q a.pgn")
		whole := left(t, dir)
		archive := read(t, dir, "a.p11")
		ply11(t, dir, cli.Loss, "convert -o x.cbf a.pgn")
		ply11(t, dir, cli.Loss, "convert -o x.cbi a.pgn")
		runCode(t, dir, 0, archive, "show", "-", "1")
		runCode(t, dir, cli.NotFound, archive, "show", "-", "9")
		runCode(t, dir, cli.Wrong, archive[:100], "verify", "-")
		if got := left(t, dir); got != whole {
			t.Errorf("there is %s", got)
		}
		if got := left(t, tmp); got != "" {
			t.Errorf("there is %s", got)
		}
	})
	t.Run("info is interrupted", func(t *testing.T) {
		bothWays(t, func(t *testing.T) {
			dir, tmp := t.TempDir(), t.TempDir()
			t.Setenv("TMPDIR", tmp)
			pipe := filepath.Join(dir, "slow.p11")
			if err := syscall.Mkfifo(pipe, 0o600); err != nil {
				t.Fatal(err)
			}
			in, err := os.OpenFile(pipe, os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			cmd := command(dir, "info", pipe)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				cmd.Wait()
				in.Close()
			}()
			for range 200 { // more than a pipe and the buffers hold, so that it was read
				if _, err := io.WriteString(in, archiveMagic+strings.Repeat(games, 10)); err != nil {
					t.Fatalf("it ends by itself: %v", err)
				}
			}
			// SIGINT may be ignored, as in the background of a script
			cmd.Process.Signal(syscall.SIGTERM)
			<-ended
			if got, code := left(t, tmp), cmd.ProcessState.ExitCode(); got != "" || code != 128+int(syscall.SIGTERM) {
				t.Errorf("exit code %d, there is %s", code, got)
			}
		})
	})
}

// Input is known by its first bytes.
func TestCompressedInput(t *testing.T) {
	dir := packed(t, games)
	archive := read(t, dir, "a.p11")
	zst := func(text string, o ...zstd.EOption) string {
		var b bytes.Buffer
		w, err := zstd.NewWriter(&b, o...)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, text)
		w.Close()
		return b.String()
	}
	tool := func(text, name string, args ...string) string {
		cmd := exec.Command(name, args...)
		cmd.Stdin = strings.NewReader(text)
		out, err := cmd.Output()
		if err != nil {
			t.Skipf("%s %v: %v", name, args, err)
		}
		return string(out)
	}
	cases := map[string]string{"zstd": zst(games), "zstd, 128 MiB": zst(games, zstd.WithWindowSize(128<<20)),
		"two frames":  zst(games[:100]) + zst(games[100:]),
		"a skippable": "\x5a\x2a\x4d\x18\x02\x00\x00\x00ab" + zst(games)}
	for name, args := range map[string][]string{"xz": {"xz", "-9"}, "xz, two": {"xz", "--block-size=100"},
		"gzip": {"gzip"}, "bzip2": {"bzip2"},
		"zstd --ultra": {"zstd", "-q", "--ultra", "-22"}, "zstd --long": {"zstd", "-q", "--long=27"}} {
		t.Run(name, func(t *testing.T) { cases[name] = tool(games, testenv.Tools(t, args[0])[0], args[1:]...) })
	}
	for name, text := range cases {
		write(t, dir, "x.dat", text)
		ply11(t, dir, 0, "pack -f -q -o x.p11 x.dat")
		if read(t, dir, "x.p11") != archive {
			t.Errorf("%s: another archive", name)
		}
		if out, _ := runCode(t, dir, 0, text, "pack", "-q", "-o", "-", "-"); out != archive {
			t.Errorf("%s on the standard input: another archive", name)
		}
	}
	_, errs := runCode(t, dir, cli.Failed, cases["zstd"][:100], "pack", "-q", "-o", "-", "-")
	if !strings.Contains(errs, "ends too early") {
		t.Errorf("cut off: %s", errs)
	}
	write(t, dir, "c.p11", zst(archive))
	ply11(t, dir, 0, "show c.p11 1") // the table has the other commands
	_, errs = runCode(t, dir, cli.Failed, zst(strings.Repeat(games, 1000), zstd.WithWindowSize(256<<20)), "pack", "-q",
		"-o", "-", "-")
	if !strings.Contains(errs, "128 MiB") {
		t.Errorf("a window of 256 MiB: %s", errs)
	}
	if _, err := exec.LookPath("xz"); err == nil && !testing.Short() {
		_, errs := runCode(t, dir, cli.Failed, tool(games, "xz", "--lzma2=dict=256MiB"), "pack", "-q", "-o", "-", "-")
		if !strings.Contains(errs, "128 MiB") {
			t.Errorf("xz with a window of 256 MiB: %s", errs)
		}
	}
	// A byte code that begins as gzip does is no gzip.
	write(t, dir, "x.brn", "\x1f\x8b\x08")
	if code, errs := runHere(t, "explain", "-o", filepath.Join(dir, "x.txt"), filepath.Join(dir, "x.brn")); code ==
		cli.Failed {
		t.Errorf("a byte code: %s", errs)
	}
}

// What is no PGN is refused, and no file of it is left.
func TestPackRefuses(t *testing.T) {
	dir := packed(t, games)
	write(t, dir, "prose.pgn", "Dear reader,\nthere is no game here.\n")
	write(t, dir, "noise.pgn", "\x00\x01\x02\xff\xfe"+strings.Repeat("\x81\x00", 100))
	for _, c := range []string{"convert --to uci", "convert -o x.pgn", "convert -o x.p11"} {
		for _, name := range words("prose.pgn noise.pgn") {
			before := left(t, dir)
			out, errs := ply11(t, dir, cli.Invalid, c+" "+name)
			if !strings.Contains(errs, name+": there is no game in it") || out != "" {
				t.Errorf("%v %s: %q, %s", c, name, out, errs)
			}
			if got := left(t, dir); got != before {
				t.Errorf("%v %s: there is %s", c, name, got)
			}
		}
	}
	_, errs := runCode(t, dir, cli.Invalid, "no game\n", "pack", "-q", "-o", "-", "-")
	if !strings.Contains(errs, "there is no game in it") {
		t.Errorf("through a pipe: %s", errs)
	}
	for _, text := range []string{"", "\n\n"} {
		runCode(t, dir, cli.Invalid, text, "pack", "-q", "-o", "-", "-")
	}
	// A single broken game is a game; so is one of another variant.
	for _, text := range []string{"[Event \"x\"]\n\nhello *\n", "1. e4 Ke5 *\n", "[Event \"x\"]\n\n*\n",
		"[Variant \"Atomic\"]\n\n1. e4 *\n"} {
		out, _ := runCode(t, dir, 0, text, "pack", "-q", "-o", "-", "-")
		if back, _ := runCode(t, dir, 0, out, "unpack", "-"); back != text {
			t.Errorf("%q becomes %q", text, back)
		}
	}
}

// Several files become several archives, or one.
func TestPackMany(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.pgn", strings.TrimSpace(games)) // its last line has no end
	write(t, dir, "b.pgn", bad)
	ply11(t, dir, 0, "pack -q a.pgn b.pgn")
	for _, name := range []string{"a", "b"} {
		if out := unpacked(t, dir, name+".p11"); out != read(t, dir, name+".pgn") {
			t.Errorf("%s: other bytes", name)
		}
	}
	out, _ := ply11(t, dir, 0, "pack -q --json -o all.p11 a.pgn b.pgn a.pgn")
	if !strings.Contains(out, `"games": 7`) || !strings.Contains(out, `"invalid": 1`) ||
		!strings.Contains(out, `"verified": true`) {
		t.Errorf("pack tells %s", out)
	}
	if out := unpacked(t, dir, "all.p11"); out != read(t, dir, "a.pgn")+"\n"+bad+read(t, dir, "a.pgn") {
		t.Error("all of them: other bytes")
	}
	_, errs := ply11(t, dir, cli.Failed, "pack -f -q missing.pgn a.pgn")
	if !strings.Contains(errs, "missing.pgn") {
		t.Errorf("a missing file: %s", errs)
	}
	ply11(t, dir, cli.Usage, "pack -q a.pgn b.pgn")
	ply11(t, dir, cli.Failed, "pack -q -o no.p11 a.pgn missing.pgn")
	ply11(t, dir, cli.Usage, "pack -q -o no.p11 - -")
	if strings.Contains(left(t, dir), "no.p11") {
		t.Error("there is an archive of a part of the files")
	}
}

// From PGN, convert makes the archive that pack makes.
func TestConvertKeepsLayout(t *testing.T) {
	dir := t.TempDir()
	text := strings.ReplaceAll(bad, "1. e4 e5 2. Nf3", "1.e4   e5\n2.Nf3")
	write(t, dir, "a.pgn", text)
	ply11(t, dir, 0, "pack -q a.pgn")
	_, errs := ply11(t, dir, 0, "convert -o b.p11 a.pgn")
	if read(t, dir, "a.p11") != read(t, dir, "b.p11") || !strings.Contains(errs, "game 3") {
		t.Errorf("convert makes another archive, and tells %s", errs)
	}
}

// A Latin-1 byte changes no other game's tags.
func TestMixedEncodings(t *testing.T) {
	dir := t.TempDir()
	latin, wide := "[Event \"x\"]\n[White \"M\xfcller\"]\n\n1. e4 {\xe9} *\n\n",
		"[Event \"x\"]\n[White \"M\u00fcller\"]\n\n1. d4 {\u00e9} *\n\n"
	for i, text := range []string{latin + strings.Repeat(wide, 20), strings.Repeat(wide, 10) + latin + strings.Repeat(
		wide, 10), strings.Repeat(latin, 20) + wide} {
		write(t, dir, "a.pgn", text)
		for _, form := range []string{"--dense", "--block=7"} {
			ply11(t, dir, 0, "pack -q -f "+form+" a.pgn")
			if out := unpacked(t, dir, "a.p11"); out != text {
				t.Errorf("file %d, %s: other bytes", i, form)
			}
			if out, _ := runCode(t, dir, 0, "", "find", "--count", "--player", "=M\u00fcller", "a.p11"); out != "21\n" {
				t.Errorf("file %d, %s: %s of 21 games are found", i, form, out)
			}
		}
	}
}
