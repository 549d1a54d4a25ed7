// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main

import (
	"io"
	"strings"
	"testing"
	"time"
)

// TestAppend adds games to archives of both forms: the archive unpacks to all texts, and its new blocks have the form of the old ones.
func TestAppend(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.pgn", games)
	write(t, dir, "b.pgn", bad)
	runCode(t, dir, 0, "", "pack", "-q", "-o", "b.p11", "b.pgn")
	// The blocks' forms: of the archive, a PGN file, an archive and a PGN file.
	for _, c := range []struct{ form, more, blocks string }{{"fixed", "", "FFFF"}, {"dense", "", "DDFD"}, {"fixed", "--dense", "FDFD"}, {"dense", "--fixed", "DFFF"}} {
		args := []string{"pack", "-q", "-f", "-o", "x.p11", "a.pgn"}
		if c.form == "dense" {
			args = append(args, "--dense")
		}
		runCode(t, dir, 0, "", args...)
		args = []string{"append", "x.p11", "b.pgn", "b.p11", "a.pgn"}
		if c.more != "" {
			args = append(args, c.more)
		}
		_, errs := runCode(t, dir, 0, "", args...)
		if !strings.Contains(errs, "x.p11: 8 games added, 10 games in ") {
			t.Errorf("%v: it tells %s", c, errs)
		}
		if out, _ := runCode(t, dir, 0, "", "unpack", "-o", "-", "x.p11"); out != games+bad+bad+games {
			t.Errorf("%v: it unpacks to %q", c, out)
		}
		runCode(t, dir, 0, "", "verify", "x.p11")
		info, _ := runCode(t, dir, 0, "", "info", "--layout", "x.p11")
		forms := ""
		for line := range strings.Lines(info) {
			if strings.HasPrefix(line, "  moves ") && strings.Contains(line, " at ") {
				forms += "F"
			} else if strings.HasPrefix(line, "  dense moves ") && strings.Contains(line, " at ") {
				forms += "D"
			}
		}
		if forms != c.blocks {
			t.Errorf("%v: the blocks are %s", c, forms)
		}
	}
	if got := left(t, dir); got != "a.pgn b.p11 b.pgn x.p11" {
		t.Errorf("there is %s", got)
	}
}

// TestAppendRefuses: what is refused leaves the archive as it was.
func TestAppendRefuses(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.pgn", games)
	write(t, dir, "bad.pgn", bad)
	write(t, dir, "prose.pgn", "Dear reader,\nno game here.\n")
	runCode(t, dir, 0, "", "pack", "-q", "a.pgn")
	runCode(t, dir, 0, "", "pack", "-q", "--canonical", "-o", "c.p11", "a.pgn")
	old := read(t, dir, "a.p11")
	write(t, dir, "cut.p11", old[:len(old)-40])
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"a.p11", exitUsage, "wrong number of arguments"},
		{"a.p11 none.pgn", exitError, "none.pgn"},
		{"none.p11 a.pgn", exitError, "none.p11"},
		{"a.pgn bad.pgn", exitCorrupt, "not a ply11 archive"},
		{"a.p11 prose.pgn", exitInvalid, "there is no game in it"},
		{"a.p11 cut.p11", exitCorrupt, "cut.p11"},
		{"cut.p11 a.pgn", exitCorrupt, "corrupt archive"},
		{"a.p11 c.p11", exitUsage, "c.p11 is canonical"},
		{"--dense --fixed a.p11 a.pgn", exitUsage, "ask for one"},
		{"--on-error stop a.p11 bad.pgn", exitInvalid, "game 3"},
		{"--block 0 a.p11 a.pgn", exitUsage, "--block is 1 to 4096"},
		{". a.pgn", exitError, "directory"},
	} {
		_, errs := runCode(t, dir, c.code, "", append([]string{"append", "-q"}, strings.Fields(c.args)...)...)
		if !strings.Contains(errs, c.want) {
			t.Errorf("%s: %s", c.args, errs)
		}
		if read(t, dir, "a.p11") != old {
			t.Fatalf("%s: the archive is another", c.args)
		}
	}
	// To a canonical archive the content is added.
	runCode(t, dir, 0, "", "append", "-q", "c.p11", "a.pgn", "a.p11")
	if out, _ := runCode(t, dir, 0, "", "find", "--count", "c.p11"); out != "6\n" {
		t.Errorf("%s games", out)
	}
}

// TestAppendTwice: while one command adds to an archive, another is refused, and the games of the first are there.
func TestAppendTwice(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.pgn", games)
	runCode(t, dir, 0, "", "pack", "-q", "-o", "x.p11", "a.pgn")
	first := startSlow(t, dir, "append", "-q", "x.p11", "-")
	_, errs := runCode(t, dir, exitError, "", "append", "x.p11", "a.pgn")
	if !strings.Contains(errs, "another command adds games to it") {
		t.Errorf("the second tells %s", errs)
	}
	io.WriteString(first, games)
	first.Close()
	if err := first.cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if out, _ := runCode(t, dir, 0, "", "find", "--count", "x.p11"); out != "4004\n" {
		t.Errorf("%s games", out)
	}
}

// TestAppendKilled kills append at many moments: the archive is the old one, or the new one, and nothing else.
func TestAppendKilled(t *testing.T) {
	dir := t.TempDir()
	name := many(t, dir, 4000)
	write(t, dir, "a.pgn", games)
	runCode(t, dir, 0, "", "pack", "-q", "-o", "x.p11", "a.pgn")
	old := read(t, dir, "x.p11")
	runCode(t, dir, 0, "", "append", "-q", "x.p11", name)
	whole := read(t, dir, "x.p11")
	killed := 0
	for i := range 20 {
		write(t, dir, "x.p11", old)
		cmd := command(dir, "append", "-q", "x.p11", name)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(i) * 8 * time.Millisecond)
		cmd.Process.Kill()
		if cmd.Wait() != nil {
			killed++
		}
		if got := read(t, dir, "x.p11"); got != old && got != whole {
			t.Fatalf("after kill %d, the archive is neither the old nor the new one", i)
		}
	}
	if killed == 0 {
		t.Error("no run was killed")
	}
	if got := left(t, dir); got != "a.pgn many.pgn x.p11" && hasUnnamed(t) {
		t.Errorf("there is %s", got)
	}
}
