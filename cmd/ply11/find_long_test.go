// SPDX-License-Identifier: Apache-2.0

//go:build long && linux

package main

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"ply11/internal/datadir"
)

// searches are what TestFindTable measures. Where pgn-extract can answer, peer is the file of its flag, and it must find as many games.
var searches = []struct {
	name       string
	args       []string
	flag, peer string
}{
	{"position, rare", []string{"--fen", "r1bq1rk1/pp3ppp/2n1pn2/2pp4/1bPP4/2NBPN2/PP3PPP/R1BQ1RK1 w"}, "-t", `FEN "r1bq1rk1/pp3ppp/2n1pn2/2pp4/1bPP4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 8"`},
	{"position, Najdorf", []string{"--fen", "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq -"}, "-t", `FEN "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6"`},
	{"position, Nimzo-Indian, by any order of moves", []string{"--fen", "rnbqk2r/pppp1ppp/4pn2/8/1bPP4/2N5/PP2PPPP/R1BQKBNR w KQkq -"}, "-x", "d4 Nf6 c4 e6 Nc3 Bb4"},
	{"position after 1.e4", []string{"--fen", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -"}, "-x", "e4"},
	{"position, ending", []string{"--fen", "8/8/4k3/8/3KP3/8/8/8 w"}, "-t", `FEN "8/8/4k3/8/3KP3/8/8/8 w - - 0 1"`},
	{"pattern, pawns", []string{"--pattern", "Pe5 pd5 Pd4"}, "-t", `FENPattern "*/*/*/???pP???/???P????/*/*/*"`},
	{"pattern, attack", []string{"--pattern", "Pe5 pd5 pe6 Bd3 kg8 [Qq]h5"}, "", ""},
	{"pattern, rooks on the seventh", []string{"--pattern", "R?7 r?2"}, "", ""},
	{"pattern, four ways round", []string{"--mirror", "--swap-colors", "--pattern", "Bh7 kg8 Ng5"}, "", ""},
	{"material, KRPKR", []string{"--material", "KRPKR"}, "", ""},
	{"material, ranges", []string{"--material", "Q0 q0 R2 r2 B1 b0 N0 n1"}, "", ""},
	{"imbalance", []string{"--imbalance", "RvBN"}, "", ""},
	{"move", []string{"--white-move", "Nxf7"}, "", ""},
	{"sequence", []string{"--sequence", "pattern=Bb5 -> pattern=Ba4; within=10 -> pattern=Bc2"}, "", ""},
	{"name", []string{"--white", "~^Kasparov"}, "-t", `White "Kasparov"`},
	{"part of a name", []string{"--player", "kasparov"}, "", ""},
	{"whole name", []string{"--player", "=Kasparov, Garry"}, "", ""},
	{"no game", []string{"--player", "nobody"}, "", ""},
}

// used is what a process took.
type used struct {
	out    string
	cpu    time.Duration // user and system
	wall   time.Duration
	memory int64 // at most resident, in MiB
}

func timed(t *testing.T, cmd *exec.Cmd, codes ...int) used {
	t.Helper()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	start := time.Now()
	err := cmd.Run()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	if code := cmd.ProcessState.ExitCode(); code != 0 && !(len(codes) > 0 && codes[0] == code) {
		t.Fatalf("%v: exit code %d: %s", cmd.Args, code, errs.String())
	}
	s := cmd.ProcessState
	return used{out.String(), s.UserTime() + s.SystemTime(), time.Since(start), s.SysUsage().(*syscall.Rusage).Maxrss >> 10}
}

// eventTags counts the games of a file, and removes it.
func eventTags(t *testing.T, path string) (n int) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer os.Remove(path)
	defer f.Close()
	in := bufio.NewScanner(f)
	for in.Scan() {
		if bytes.HasPrefix(in.Bytes(), []byte("[Event ")) {
			n++
		}
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
	return n
}

// timedLeast is timed of the run of five that took least by the clock; before is done before each.
func timedLeast(t *testing.T, before func(), cmd func() *exec.Cmd) (least used) {
	t.Helper()
	for i := range 5 {
		before()
		if u := timed(t, cmd()); i == 0 || u.wall < least.wall {
			least = u
		}
	}
	return least
}

// TestFindTable prints the tables of docs/FIND.md: what find, index and tree take of the master games and of PLY11_GAMES generated ones, 100,000
// if it is not set, with pgn-extract beside find where it can answer.
func TestFindTable(t *testing.T) {
	games := 100000
	if s := os.Getenv("PLY11_GAMES"); s != "" {
		var err error
		if games, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
	}
	// This process stays small: Linux counts its memory as that of the processes that it starts.
	dir := t.TempDir()
	timed(t, command(dir, "pack", "-q", "--no-verify", "-o", "master.p11", datadir.Path(t, "pgn", "master", "master-50k.pgn.zst")))
	timed(t, command(dir, "unpack", "-q", "-o", "master.pgn", "master.p11"))
	made := timed(t, command(dir, "gen", "-q", "--games", strconv.Itoa(games), "-o", "made.p11"))
	t.Logf("%d games made in %.0f s", games, made.cpu.Seconds())
	extract := ""
	for _, name := range []string{"pgn-extract", "/usr/games/pgn-extract"} {
		if path, err := exec.LookPath(name); err == nil && extract == "" {
			extract = path
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "| games | search | found | M games/s | MiB | pgn-extract, times as long |\n|---|---|---:|---:|---:|---:|\n")
	for _, f := range []struct {
		name  string
		games int
	}{{"master", 50000}, {"made", games}} {
		for _, s := range searches {
			args := append(append([]string{"find", "--count"}, s.args...), f.name+".p11")
			u := timed(t, command(dir, args...), exitMissing)
			for range 4 { // what else runs on the machine makes it longer, never shorter
				if again := timed(t, command(dir, args...), exitMissing); again.cpu < u.cpu {
					u = again
				}
			}
			found := strings.TrimSpace(u.out)
			peer := ""
			if s.flag != "" && f.name == "master" && extract != "" {
				file := filepath.Join(dir, "peer")
				if err := os.WriteFile(file, []byte(s.peer+"\n"), 0o666); err != nil {
					t.Fatal(err)
				}
				p := timed(t, exec.Command(extract, "-s", s.flag+file, "-o", file+".pgn", filepath.Join(dir, "master.pgn")))
				if n := eventTags(t, file+".pgn"); strconv.Itoa(n) != found {
					t.Errorf("%s: %s games, and pgn-extract finds %d", s.name, found, n)
				}
				peer = fmt.Sprintf("%.0f", p.cpu.Seconds()/u.cpu.Seconds())
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %.2f | %d | %s |\n", f.name, s.name, found, float64(f.games)/1e6/u.cpu.Seconds(), u.memory, peer)
		}
	}
	fmt.Fprintf(&b, "\n| games | index, bytes a ply | M plies/s | MiB |\n|---|---:|---:|---:|\n")
	for _, name := range []string{"master", "made"} {
		u := timed(t, command(dir, "index", "-q", name+".p11"))
		info, err := os.Stat(filepath.Join(dir, name+".p11x"))
		if err != nil {
			t.Fatal(err)
		}
		plies := float64(infoOf(t, dir, name+".p11").Plies)
		fmt.Fprintf(&b, "| %s | %.2f | %.1f | %d |\n", name, float64(info.Size())/plies, plies/1e6/u.cpu.Seconds(), u.memory)
	}
	fmt.Fprintf(&b, "\n| games | tree after | warm: ms by the clock | ms of a processor | cold: ms by the clock | MiB |\n|---|---|---:|---:|---:|---:|\n")
	for _, name := range []string{"master", "made"} {
		for _, moves := range []string{"", "e4", "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6", "d4 Nf6 c4 e6 Nc3 Bb4"} {
			args := []string{"tree", name + ".p11"}
			if moves != "" {
				args = append(args, "--moves", moves)
			}
			tree := func() *exec.Cmd { return command(dir, args...) }
			timed(t, tree())
			warm := timedLeast(t, func() {}, tree)
			cold := timedLeast(t, func() {
				for _, ext := range []string{".p11", ".p11x"} { // out of the page cache, in which what is not yet on the disk would stay
					path := filepath.Join(dir, name+ext)
					timed(t, exec.Command("sync", path))
					timed(t, exec.Command("dd", "if="+path, "iflag=nocache", "count=0"))
				}
			}, tree)
			fmt.Fprintf(&b, "| %s | %s | %.0f | %.0f | %.0f | %d |\n", name, cmp.Or(moves, "no move"), warm.wall.Seconds()*1e3, warm.cpu.Seconds()*1e3, cold.wall.Seconds()*1e3, warm.memory)
		}
	}
	t.Log("\n" + b.String())
}
