// SPDX-License-Identifier: Apache-2.0

package main_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"unicode"

	"golang.org/x/sys/unix"
)

// onTerminal runs the program on a terminal, and returns what that gets.
func onTerminal(t *testing.T, dir, line string) (code int, shown string) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no terminal can be made: %v", err)
	}
	defer master.Close()
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Skipf("no terminal can be made: %v", err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no terminal can be opened: %v", err)
	}
	cmd := command(dir, words(line)...)
	cmd.Stdout, cmd.Stderr = slave, slave
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	slave.Close()
	var got bytes.Buffer
	io.Copy(&got, master) // ends with EIO when the program ends
	cmd.Wait()
	return cmd.ProcessState.ExitCode(), got.String()
}

// TestTerminal prints a file that acts on terminals, in all ways.
func TestTerminal(t *testing.T) {
	dir := t.TempDir()
	nasty := "x\x1b]0;t\x07\u009b2J\x9b\u202ey"
	game := fmt.Sprintf("[Event %[1]q]\n[Site %[1]q]\n[Date \"\x1bc9.01.01\"]\n[White %[1]q]\n[Black %[1]q]\n[ECO "+
		"%[1]q]\n[Result \"*\"]\n\n1. e4 {%[2]s} e5 *\n\n",
		"?", nasty)
	game = strings.ReplaceAll(game, `"?"`, `"`+nasty+`"`)
	wrong := game + "[White \"" + nasty + "\"]\n\n1. e4 Q" + nasty + " *\n\n"
	write(t, dir, "a.pgn", game+game)
	write(t, dir, "wrong.pgn", wrong)
	ply11(t, dir, 0, "pack -q a.pgn")
	runCode(t, dir, 0, "", "pack", "-q", "-o", "n\x1b[2J.p11", "wrong.pgn")
	for _, args := range []string{"show a.p11 1", "show a.p11 1 --ply 1 --board", "show a.p11 1 --json", "find a.p11",
		"find --pgn a.p11", "find --json a.p11", "stats a.p11", "stats --json a.p11", "info n\x1b[2J.p11",
		"info --json n\x1b[2J.p11", "verify n\x1b[2J.p11", "unpack -o - a.p11", "convert --to pgn a.p11",
		"convert --to epd a.p11", "explain a.pgn", "explain wrong.pgn", "pack -q -f wrong.pgn", "verify wrong.pgn",
		"pack no\x1b[2J", "find --tag \x1b[2J a.p11", "\x1b[2J"} {
		_, got := onTerminal(t, dir, args)
		if got == "" {
			t.Errorf("%q: nothing is shown", args)
		}
		for i, r := range strings.ReplaceAll(got, "\r\n", "\n") {
			if unicode.In(r, unicode.Cc, unicode.Bidi_Control, unicode.Zl, unicode.Zp) && r != '\n' && r != '\t' &&
				r != '\r' { // a bar of progress returns to its begin
				t.Errorf("%q: %q reaches the terminal: %.200q", args, r, got[max(0, i-40):])
				break
			}
		}
	}
	// what takes long shows a bar
	for _, c := range []struct{ args, progress string }{
		{"gen -f --games 3 -o gen.p11", "% |"},
		{"append gen.p11 a.p11", " 2 games, "},      // those that come, not all
		{"dedupe -f -o once.p11 a.p11", "games/s "}, // it counts no plies
		{"dedupe --report a.p11", "games/s"},
		{"export -f -o a.jsonl a.p11", "games/s"},
		{"find --count --stm black a.p11", "searching"},
		{"find -f -o found.p11 --stm black a.p11", "searching"},
		{"tree a.p11", "searching"},
		{"stats a.p11", "games/s"},
		{"index -f --min-games 1 a.p11", "games/s"},
		{"tree-merge -f -o b.p11t a.p11t", "games/s"},
	} {
		if _, got := onTerminal(t, dir, c.args); !strings.Contains(got, c.progress) {
			t.Errorf("%s: no progress: %q", c.args, got)
		}
		if _, got := ply11(t, dir, 0, c.args); strings.Contains(got, c.progress) {
			t.Errorf("%s: progress goes to a pipe: %q", c.args, got)
		}
	}
	for _, args := range []string{"show a.p11 1", "find --pgn --limit 1 a.p11"} {
		if got, _ := ply11(t, dir, 0, args); got != game {
			t.Errorf("%v: a pipe gets %q, want %q", args, got, game)
		}
	}
}
