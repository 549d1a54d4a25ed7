// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"ply11/game"
	"ply11/game/pgn"
	"ply11/internal/cli"
	"ply11/internal/cputime"
	"ply11/query"
	"ply11/query/index"
)

// A work is done a number of times. It returns what it has done, to be compared, and the processor time of one time.
// For 0 rounds it is done once, and the time may be 0.
type work func(rounds int) (done string, took time.Duration, err error)

// inside is a work of this process.
func inside(do func() (string, error)) work {
	return func(rounds int) (done string, took time.Duration, err error) {
		rounds = max(rounds, 1)
		runtime.GC()
		start := cputime.Now()
		for range rounds {
			if done, err = do(); err != nil {
				return "", 0, err
			}
		}
		return done, (cputime.Now() - start) / time.Duration(rounds), nil
	}
}

// program is the work of a program from its start to its end. With an argument "ROUNDS", which becomes their number, it
// does the work once, and then as many times more: the time of the first, and of its start, is taken off. It prints
// what it has done, if its output is no file.
func program(p *peer, output string, args ...string) work {
	once := func(rounds int) (string, time.Duration, error) {
		line := append(slices.Clone(p.command), args...)
		for i, a := range line {
			if a == "ROUNDS" {
				line[i] = strconv.Itoa(rounds)
			}
		}
		var out, errs bytes.Buffer
		cmd := exec.Command(line[0], line[1:]...)
		cmd.Env, cmd.Stdout, cmd.Stderr = append(os.Environ(), p.env...), &out, &errs
		if output != "" {
			f, err := os.Create(output)
			if err != nil {
				return "", 0, err
			}
			defer f.Close()
			cmd.Stdout = f
		}
		if err := cmd.Run(); err != nil && cmd.ProcessState.ExitCode() != cli.NotFound {
			return "", 0, fmt.Errorf("%q: %w: %s", line, err, errs.String())
		}
		return strings.TrimSpace(out.String()), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
	}
	return func(rounds int) (string, time.Duration, error) {
		done, took, err := once(0)
		if slices.Contains(args, "ROUNDS") {
			if rounds == 0 || err != nil {
				return done, 0, err
			}
			_, all, err := once(rounds)
			return done, (all - took) / time.Duration(rounds), err
		}
		for i := 1; i < rounds && err == nil; i++ {
			var more time.Duration
			_, more, err = once(0)
			took += more
		}
		return done, took / time.Duration(max(rounds, 1)), err
	}
}

func readPGN(path string, options ...pgn.ReaderOption) (games, plies int, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	for r, g := pgn.NewReader(f, options...), game.New(); r.Read(g) != io.EOF; games++ { // a game's error is its own
		plies += g.Len()
	}
	return games, plies, nil
}

// find is a search in an open archive, with its index or, for nil, without.
func find(source query.Source, x *index.Index, terms []string) work {
	q, err := query.New(), error(nil)
	for i := 0; i < len(terms); i += 2 {
		err = errors.Join(err, q.Add(terms[i][2:], terms[i+1]))
	}
	return inside(func() (string, error) {
		if source.Index = x; x != nil && err == nil {
			err = source.Narrow(context.Background(), q)
		}
		if err != nil {
			return "", err
		}
		n, err := query.Count(context.Background(), []query.Source{source}, q, query.Options{Workers: 1})
		return strconv.Itoa(n), err
	})
}

// The kinds of sets of games: which rows they have.
const (
	withPython = iota
	plain
	withClocks // reading, and python-chess
)

// run prints the table of a set of games, which is written, packed, indexed, and made a base of SCID first.
func (b *bencher) run(name string, kind int, text []byte) (wrong error) {
	base := filepath.Join(b.dir, name)
	file, p11 := base+".pgn", base+".p11"
	if err := os.WriteFile(file, text, 0o666); err != nil {
		return err
	}
	games, plies, err := readPGN(file)
	jobs := []work{program(&b.ply11, "", "pack", "-q", file), program(&b.ply11, "", "index", "-q", p11)}
	if b.scid.missing == "" {
		jobs = append(jobs, program(&b.scid, "", "import", base, file))
	}
	for _, do := range jobs {
		_, _, e := do(0)
		err = errors.Join(err, e)
	}
	a, e := os.Open(p11)
	f, e2 := os.Open(p11 + "x")
	if err = errors.Join(err, e, e2); err != nil {
		return err
	}
	x, err := index.Open(f, int64(size(p11+"x")))
	if err != nil {
		return err
	}
	source := query.Source{Name: p11, Reader: a, Size: int64(size(p11)), Sparse: true}

	fmt.Fprintf(b.out, "\n| %s | ply11 | peer | times | beside |\n|---|---:|---:|---:|---|\n", name)
	compare := func(title, unit string, ours work, p *peer, theirs work, files ...string) {
		amount := map[string]int{"MB/s": len(text), "M plies/s": plies, "M games/s": games}[unit]
		if !b.only.MatchString(name + " " + title) {
			return
		}
		if err := b.measure(row{title, unit, float64(amount) / 1e6, p, []work{ours, theirs}, files}); err != nil {
			wrong = errors.Join(wrong, fmt.Errorf("%s, %s: %w", name, title, err))
		}
	}
	python := func(p *peer, task, file string) work { return program(p, "", task, file, "ROUNDS") }
	reading := func(options ...pgn.ReaderOption) work {
		return inside(func() (string, error) {
			games, plies, err := readPGN(file, options...)
			return fmt.Sprintf("%d games, %d plies", games, plies), err
		})
	}
	read := reading()
	shakmaty := program(&b.shakmaty, "", file, "ROUNDS")
	if kind == withClocks {
		compare("PGN read, without comments", "MB/s", reading(pgn.WithoutComments()), &b.shakmaty, shakmaty)
		compare("PGN read, with clocks", "MB/s", read, &b.rust, python(&b.rust, "rust-clocks", file))
		compare("PGN read, all kept", "MB/s", read, &b.chess, python(&b.chess, "chess-read", file))
		if b.python.missing == "" {
			compare("Python, moves made", "M plies/s", python(&b.python, "replay", p11), &b.chess,
				python(&b.chess, "chess-replay", file))
		}
		return wrong
	}
	extract := program(&b.extract, "", "-s", "-r", file)
	compare("PGN read", "M plies/s", read, &b.extract, func(rounds int) (string, time.Duration, error) {
		if rounds > 0 {
			return extract(rounds)
		}
		// It prints no numbers, so it is asked for the moves: a game a line, which ends with the result.
		out, _, err := program(&b.extract, "", "-s", "-Wuci", "-C", "-V", "-N", "--notags", file)(0)
		games := strings.Count(out, "\n\n") + 1
		return fmt.Sprintf("%d games, %d plies", games, len(strings.Fields(out))-games), 0, err
	})
	compare("PGN read", "M plies/s", read, &b.shakmaty, shakmaty)

	to := base + "-new"
	pack := []string{"pack", "-q", "-f", "--no-verify", "-o", to + ".p11", file}
	compare("packed", "M plies/s", program(&b.ply11, "", pack...), &b.scid, program(&b.scid, "", "import", to, file),
		to+".p11", to+".s?4")
	if kind == plain { // the model of dense moves was made from the other games
		dense := program(&b.ply11, "", append(pack, "--dense")...)
		compare("packed dense", "M plies/s", dense, &b.xz, program(&b.xz, to, "-9cT1", file), to+".p11", to)
		compare("packed dense", "M plies/s", dense, &b.zstd, program(&b.zstd, to, "-19qcT1", file), to+".p11", to)
	}
	for _, q := range searches {
		at := q.scid == nil
		if at {
			q.scid = []string{"board", "Exact", q.terms[1]}
		}
		scid := func(rounds string) work {
			return program(&b.scid, "", append([]string{"search", base, rounds}, q.scid...)...)
		}
		compare("find "+q.name, "M games/s", find(source, nil, q.terms), &b.scid, scid("ROUNDS"))
		if at {
			compare("find "+q.name+", index", "M games/s", find(source, x, q.terms), &b.scid, scid("ROUNDS"))
		}
		line := append([]string{"find", "--count", "--no-index", p11}, q.terms...)
		compare("find "+q.name+", command", "M games/s", program(&b.ply11, "", line...), &b.scid, scid("0"))
	}
	if kind == withPython && b.python.missing == "" {
		boards := python(&b.rust, "rust", file)
		compare("Python, moves; boards and moves of PGN", "M plies/s", python(&b.python, "moves", p11), &b.rust, boards)
		compare("Python, positions; of PGN", "M plies/s", python(&b.python, "positions", p11), &b.rust, boards)
		compare("Python, 12 planes, labels", "M plies/s", python(&b.python, "board", p11), nil, nil)
		compare("Python, lc0's planes, labels", "M plies/s", python(&b.python, "lc0", p11), nil, nil)
	}
	return wrong
}

// searches are made by both: what ply11 is told, and SCID's script, if it is not the same position. Of it, SCID
// compares the pieces and the side to move.
var searches = []struct {
	name        string
	terms, scid []string
}{
	{"Najdorf", []string{"--fen", najdorf}, nil},
	{"Nimzo-Indian", []string{"--fen", "rnbqk2r/pppp1ppp/4pn2/8/1bPP4/2N5/PP2PPPP/R1BQKBNR w"}, nil},
	{"1. e4", []string{"--fen", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b"}, nil},
	{"pawn ending", []string{"--fen", "8/8/4k3/8/3KP3/8/8/8 w"}, nil},
	{"pawns and material of the Najdorf", []string{"--stm", "white", "--material", "KQRRBBNNPPPPPPPKQRRBBNNPPPPPPP",
		"--pattern", "Pa2 Pb2 Pc2 Pe4 Pf2 Pg2 Ph2 pa6 pb7 pd6 pe7 pf7 pg7 ph7"}, []string{"board", "Pawns", najdorf}},
	{"KRPKR", []string{"--material", "KRPKR"}, []string{"material", "-wr", "1 1", "-wp", "1 1", "-br", "1 1"}},
	{"White Kasparov", []string{"--white", "Kasparov"}, []string{"header", "-white", "Kasparov"}},
}

const najdorf = "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w"
