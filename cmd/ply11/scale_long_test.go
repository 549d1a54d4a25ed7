// SPDX-License-Identifier: Apache-2.0

//go:build long && linux

package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// manyNames writes n games, of which the second half are those of the first again, with names that come once.
func manyNames(t *testing.T, path string, n int) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(f)
	squares := []string{"a3", "b3", "c3", "d3", "e3", "f3", "g3", "h3"}
	replies := []string{"a6", "b6", "c6", "d6", "e6", "f6", "g6", "h6"}
	for i := range n {
		fmt.Fprintf(w, "[Event \"Event %d\"]\n[White \"White %d\"]\n[Black \"Black %d\"]\n[Result \"*\"]\n\n", i, i, i)
		// The number of the game, in moves of pawns.
		k, number := i%(n/2), 1
		seen := map[int]bool{}
		for ; k > 0; k /= 64 {
			a, b := k%8, k/8%8
			if seen[a] || seen[8+b] {
				fmt.Fprintf(w, "%d. Nf3 Nf6 %d. Ng1 Ng8 ", number, number+1)
				number += 2
				continue
			}
			seen[a], seen[8+b] = true, true
			fmt.Fprintf(w, "%d. %s %s ", number, squares[a], replies[b])
			number++
		}
		fmt.Fprintf(w, "%d. Nc3 Nc6 {%d} *\n\n", number, i%(n/2))
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	f.Close()
}

// TestScale prints the processor time of each command at 10^4, 10^5 and 10^6 games (PLY11_SCALE for other numbers): ten
// times the games are to take ten times the time, and less than a hundred in any case.
func TestScale(t *testing.T) {
	sizes := []int{1e4, 1e5, 1e6}
	if s := os.Getenv("PLY11_SCALE"); s != "" {
		sizes = nil
		for _, f := range strings.Fields(s) {
			n, err := strconv.Atoi(f)
			if err != nil {
				t.Fatal(err)
			}
			sizes = append(sizes, n)
		}
	}
	for _, form := range []string{"fixed", "dense"} {
		var lines []string
		for _, n := range sizes {
			dir := t.TempDir()
			manyNames(t, filepath.Join(dir, "a.pgn"), n)
			pack := []string{"pack", "-q", "--no-verify", "-o", "a.p11", "a.pgn"}
			if form == "dense" {
				pack = append(pack, "--dense")
			}
			null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			for i, args := range [][]string{pack, {"unpack", "-q", "-o", "-", "a.p11"},
				{"convert", "-q", "--to", "pgn", "a.p11"}, {"info", "a.p11"},
				{"show", "a.p11", fmt.Sprint(n)}, {"verify", "a.p11"}, {"recover", "-q", "-o", "b.p11", "a.p11"},
				{"cat", "-q", "-o", "c.p11", "a.p11"},
				{"find", "--count", "--player", "nobody", "a.p11"}, {"stats", "a.p11"}, {"dedupe", "--report", "a.p11"},
				{"explain", "a.p11"}} {
				cmd := command(dir, args...)
				cmd.Stdout = null
				cmd.Run()
				if code := cmd.ProcessState.ExitCode(); code != 0 && code != exitMissing {
					t.Fatalf("%v: exit code %d", args, code)
				}
				if len(lines) <= i {
					lines = append(lines, fmt.Sprintf("%-6s %-8s", form, args[0]))
				}
				took := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
				lines[i] += fmt.Sprintf(" %9.3f s", float64(took)/float64(time.Second))
			}
			null.Close()
		}
		for _, line := range lines {
			t.Log(line)
		}
	}
}
