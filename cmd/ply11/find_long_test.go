// SPDX-License-Identifier: Apache-2.0

//go:build long && linux

package main

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"ply11/bitstream/archive"
	"ply11/chess"
	"ply11/internal/datadir"
	"ply11/position"
)

// searches are what TestFindTable measures. Where pgn-extract can answer, peer is the file of its flag, and it must
// find as many games.
var searches = []struct {
	name       string
	args       []string
	flag, peer string
}{
	{"position, rare", []string{"--fen", "r1bq1rk1/pp3ppp/2n1pn2/2pp4/1bPP4/2NBPN2/PP3PPP/R1BQ1RK1 w"}, "-t",
		`FEN "r1bq1rk1/pp3ppp/2n1pn2/2pp4/1bPP4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 8"`},
	{"position, Najdorf", []string{"--fen", "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq -"}, "-t",
		`FEN "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6"`},
	{"position, Nimzo-Indian, by any order of moves",
		[]string{"--fen", "rnbqk2r/pppp1ppp/4pn2/8/1bPP4/2N5/PP2PPPP/R1BQKBNR w KQkq -"}, "-x", "d4 Nf6 c4 e6 Nc3 Bb4"},
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
	return used{out.String(), s.UserTime() + s.SystemTime(), time.Since(start),
		s.SysUsage().(*syscall.Rusage).Maxrss >> 10}
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

// countedReads counts reads and their bytes.
type countedReads struct {
	io.ReaderAt
	calls int
	bytes int64
}

func (r *countedReads) ReadAt(b []byte, at int64) (int, error) {
	r.calls++
	r.bytes += int64(len(b))
	return r.ReaderAt.ReadAt(b, at)
}

// openCounted opens an archive of which the reads are counted.
func openCounted(t *testing.T, path string) (*archive.Reader, *countedReads) {
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
	in := &countedReads{ReaderAt: f}
	r, err := archive.NewReader(in, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	return r, in
}

// filterNeed is what the filters can tell of a search: of a position and of the men of both sides. ok is false of any
// other search.
func filterNeed(t *testing.T, args []string) (need archive.Need, ok bool) {
	t.Helper()
	switch {
	case args[0] == "--fen":
		p, err := position.ParseFENLenient(args[1])
		if err != nil {
			t.Fatal(err)
		}
		need.Home = uint16(p.Pieces(chess.White, chess.Pawn)>>8&255 | p.Pieces(chess.Black, chess.Pawn)>>48&255<<8)
		need.Gone = ^need.Home
		need.Men = [2]int{p.ByColor(chess.White).Count(), p.ByColor(chess.Black).Count()}
	case args[1] == "KRPKR":
		need.Men = [2]int{3, 2}
	default:
		return need, false
	}
	need.Prepare()
	return need, true
}

// passing returns how many games the filters let pass of each search.
func passing(t *testing.T, path string) map[string]int {
	t.Helper()
	r, _ := openCounted(t, path)
	list := map[string]int{}
	for n := range r.Blocks() {
		b, err := r.Peek(n + 1)
		if err != nil {
			t.Fatal(err)
		}
		f, ok, err := b.Filter()
		if err != nil || !ok {
			t.Fatal("no filters", err)
		}
		for _, s := range searches {
			need, ok := filterNeed(t, s.args)
			for i := 0; ok && i < b.Len(); i++ {
				if f.May(i+1, &need) {
					list[s.name]++
				}
			}
		}
	}
	return list
}

// readTable measures the reads of an archive: to open it, and then any game, and any main line; the most of 200 games.
func readTable(t *testing.T, path string) (row string) {
	t.Helper()
	r, in := openCounted(t, path)
	row = fmt.Sprintf("%d, %d", in.calls, in.bytes)
	games := r.Len()
	for _, read := range []func(r *archive.Reader, n int) error{
		func(r *archive.Reader, n int) error { _, err := r.AppendText(nil, n); return err },
		func(r *archive.Reader, n int) error { _, err := r.MainLine(nil, n); return err },
	} {
		calls, size := 0, int64(0)
		for i := range 200 {
			r, in := openCounted(t, path)
			in.calls, in.bytes = 0, 0
			if err := read(r, 1+i*(games-1)/199); err != nil {
				t.Fatal(err)
			}
			calls, size = max(calls, in.calls), max(size, in.bytes)
		}
		row += fmt.Sprintf(" | %d, %d", calls, size)
	}
	return row
}

// TestFindTable prints the tables of docs/measurements.md: what find, index and tree take of the master games and of
// PLY11_GAMES generated ones, 100,000 if it is not set, with pgn-extract beside find where it can answer. PLY11_ARCHIVE
// is an archive of generated games, if there is one already.
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
	timed(t, command(dir, "pack", "-q", "--no-verify", "-o", "master.p11",
		datadir.Path(t, "pgn", "master", "master-50k.pgn.zst")))
	timed(t, command(dir, "unpack", "-q", "-o", "master.pgn", "master.p11"))
	timed(t, command(dir, "pack", "-q", "--no-verify", "-o", "lichess.p11",
		datadir.Path(t, "pgn", "annotated", "lichess-1k.pgn.zst")))
	if path := os.Getenv("PLY11_ARCHIVE"); path != "" {
		if err := os.Symlink(path, filepath.Join(dir, "made.p11")); err != nil {
			t.Fatal(err)
		}
		games = infoOf(t, dir, "made.p11").Games
	} else {
		made := timed(t, command(dir, "gen", "-q", "--games", strconv.Itoa(games), "-o", "made.p11"))
		t.Logf("%d games made in %.0f s", games, made.cpu.Seconds())
	}
	extract := ""
	for _, name := range []string{"pgn-extract", "/usr/games/pgn-extract"} {
		if path, err := exec.LookPath(name); err == nil && extract == "" {
			extract = path
		}
	}
	var b strings.Builder
	fmt.Fprintf(
		&b, "| games | search | found | M games/s | MiB | pgn-extract, times as long "+
			"|\n|---|---|---:|---:|---:|---:|\n")
	for _, f := range []struct {
		name  string
		games int
	}{{"master", 50000}, {"made", games}} {
		for _, s := range searches {
			args := append(append([]string{"find", "--count"}, s.args...), f.name+".p11")
			u := timed(t, command(dir, args...), exitMissing)
			// what else runs on the machine makes it longer, never shorter
			for i := 0; i < 4 && u.cpu < time.Second; i++ {
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
				p := timed(t, exec.Command(extract, "-s", s.flag+file, "-o", file+".pgn",
					filepath.Join(dir, "master.pgn")))
				if n := eventTags(t, file+".pgn"); strconv.Itoa(n) != found {
					t.Errorf("%s: %s games, and pgn-extract finds %d", s.name, found, n)
				}
				peer = fmt.Sprintf("%.0f", p.cpu.Seconds()/u.cpu.Seconds())
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %.2f | %d | %s |\n", f.name, s.name, found,
				float64(f.games)/1e6/u.cpu.Seconds(), u.memory, peer)
		}
	}
	fmt.Fprintf(&b, "\n| games | command | bytes a ply | s of a processor | s by the clock | M plies/s of a "+
		"processor | MiB |\n|---|---|---:|---:|---:|---:|---:|\n")
	for _, name := range []string{"master", "made"} {
		plies := infoOf(t, dir, name+".p11").Plies
		row := func(what, index string, plies int64, u used) {
			each := ""
			if index != "" {
				info, err := os.Stat(filepath.Join(dir, index+".p11x"))
				if err != nil {
					t.Fatal(err)
				}
				each = fmt.Sprintf("%.2f", float64(info.Size())/float64(infoOf(t, dir, index+".p11").Plies))
			}
			speed := ""
			if plies > 0 {
				speed = fmt.Sprintf("%.1f", float64(plies)/1e6/u.cpu.Seconds())
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %.1f | %.1f | %s | %d |\n", name, what, each, u.cpu.Seconds(),
				u.wall.Seconds(), speed, u.memory)
		}
		for _, memory := range []string{"128", "512"} {
			row("`index --memory "+memory+"`", name, plies,
				timed(t, command(dir, "index", "-q", "-f", "--memory", memory, name+".p11")))
		}
		// A copy grows.
		for _, ext := range []string{".p11", ".p11x"} {
			timed(t, exec.Command("cp", "-L", filepath.Join(dir, name+ext), filepath.Join(dir, "grown"+ext)))
		}
		n := infoOf(t, dir, name+".p11").Games / 100
		timed(t, command(dir, "gen", "-q", "-f", "--games", strconv.Itoa(n), "--seed", "2", "-o", "more.pgn"))
		u := timed(t, command(dir, "append", "-q", "grown.p11", "more.pgn"))
		row(fmt.Sprintf("`append`, %d games", n), "", infoOf(t, dir, "grown.p11").Plies-plies, u)
		row("`index --update`", "grown", 0, timed(t, command(dir, "index", "-q", "--update", "grown.p11")))
		for _, ext := range []string{".p11", ".p11x"} {
			if err := os.Remove(filepath.Join(dir, "grown"+ext)); err != nil {
				t.Fatal(err)
			}
		}
	}
	fmt.Fprintf(&b, "\n| games | tree after | warm: ms by the clock | ms of a processor | cold: ms by the clock | "+
		"MiB |\n|---|---|---:|---:|---:|---:|\n")
	for _, name := range []string{"master", "made"} {
		tree := func(moves string) func() *exec.Cmd {
			args := []string{"tree", name + ".p11"}
			if moves != "" {
				args = append(args, "--moves", moves)
			}
			return func() *exec.Cmd { return command(dir, args...) }
		}
		drop := func() {
			// out of the page cache, in which what is not yet on the disk would stay
			for _, ext := range []string{".p11", ".p11x"} {
				path := filepath.Join(dir, name+ext)
				timed(t, exec.Command("sync", path))
				timed(t, exec.Command("dd", "if="+path, "iflag=nocache", "count=0"))
			}
		}
		row := func(what string, warm, cold used) {
			fmt.Fprintf(&b, "| %s | %s | %.0f | %.0f | %.0f | %d |\n", name, what, warm.wall.Seconds()*1e3,
				warm.cpu.Seconds()*1e3, cold.wall.Seconds()*1e3, max(warm.memory, cold.memory))
		}
		for _, moves := range []string{"", "e4", "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6", "d4 Nf6 c4 e6 Nc3 Bb4"} {
			timed(t, tree(moves)())
			row(cmp.Or(moves, "no move"), timedLeast(t, func() {}, tree(moves)), timedLeast(t, drop, tree(moves)))
		}
		// Positions of games from the whole archive; of each the least of five runs, and of these the most.
		r, _ := openCounted(t, filepath.Join(dir, name+".p11"))
		var warm, cold used
		most := func(most *used, u used) {
			most.wall, most.cpu, most.memory = max(most.wall, u.wall), max(most.cpu, u.cpu), max(most.memory, u.memory)
		}
		const positions = 40
		for i := range positions {
			line, err := r.MainLine(nil, 1+i*(r.Len()-1)/(positions-1))
			if err != nil {
				t.Fatal(err)
			}
			moves := ""
			for _, w := range line[:min(len(line), 1+i)] {
				m, _ := w.Move()
				moves += m.String() + " "
			}
			timed(t, tree(moves)())
			most(&warm, timedLeast(t, func() {}, tree(moves)))
			most(&cold, timedLeast(t, drop, tree(moves)))
		}
		row(fmt.Sprintf("the slowest of %d positions, after 1 to %d plies", positions, positions), warm, cold)
	}
	// What this process does itself comes last, so that it is small before.
	fmt.Fprintf(&b, "\n| games | archive, bytes a game | filters | open: reads, bytes | a game | a main line "+
		"|\n|---|---:|---:|---:|---:|---:|\n")
	for _, name := range []string{"master", "lichess", "made"} {
		i := infoOf(t, dir, name+".p11")
		each := func(n int64) float64 { return float64(n) / float64(i.Games) }
		fmt.Fprintf(&b, "| %s | %.1f | %.2f | %s |\n", name, each(i.Bytes), each(i.Columns["filters"]),
			readTable(t, filepath.Join(dir, name+".p11")))
	}
	passed := map[string]map[string]int{}
	for _, name := range []string{"master", "lichess", "made"} {
		passed[name] = passing(t, filepath.Join(dir, name+".p11"))
	}
	fmt.Fprintf(&b, "\n| search | master: pass | found | lichess: pass | found | made: pass | found "+
		"|\n|---|---:|---:|---:|---:|---:|---:|\n")
	for _, s := range searches {
		if _, ok := filterNeed(t, s.args); !ok {
			continue
		}
		fmt.Fprintf(&b, "| %s |", s.name)
		for _, name := range []string{"master", "lichess", "made"} {
			u := timed(t, command(dir, append(append([]string{"find", "--count"}, s.args...), name+".p11")...),
				exitMissing)
			fmt.Fprintf(&b, " %d | %s |", passed[name][s.name], strings.TrimSpace(u.out))
		}
		fmt.Fprintln(&b)
	}
	t.Log("\n" + b.String())
}
