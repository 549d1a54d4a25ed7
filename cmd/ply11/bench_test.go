// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main_test

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"ply11/game"
	"ply11/internal/cli"
	"ply11/internal/datadir"
	"ply11/internal/formats"
)

// masters is the name of the file of 50,000 games of masters, the benchmarks' input.
func masters(b *testing.B) string {
	b.Helper()
	path, err := filepath.Abs(datadir.Path(b, "pgn", "master", "master-50k.pgn.zst"))
	if err != nil {
		b.Fatal(err)
	}
	return path
}

// processorTime runs a command b.N times, and reports how many million games a second of a processor it reads.
func processorTime(b *testing.B, games int, command func() *exec.Cmd) {
	var used time.Duration
	for range b.N {
		cmd := command()
		var errs bytes.Buffer
		cmd.Stderr = &errs
		if err := cmd.Run(); err != nil && cmd.ProcessState.ExitCode() != cli.NotFound {
			b.Fatalf("%v: %v: %s", cmd.Args, err, errs.String())
		}
		used += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	b.ReportMetric(float64(games)*float64(b.N)/1e6/used.Seconds(), "Mgames/s")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkFind searches games of masters, and beside each search that pgn-extract knows runs pgn-extract.
func BenchmarkFind(b *testing.B) {
	dir := b.TempDir()
	for _, args := range [][]string{{"pack", "-q", "--no-verify", "-o", "x.p11", masters(b)},
		{"unpack", "-q", "-o", "x.pgn", "x.p11"}} {
		if out, err := command(dir, args...).CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
	}
	for _, s := range []struct{ name, args, peer string }{
		{"Najdorf", "--fen|rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq -",
			`FEN "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6"`},
		{"1.e4", "--fen|rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -", ""},
		{"ending", "--fen|8/8/4k3/8/3KP3/8/8/8 w", ""},
		{"pawns", "--pattern|Pe5 pd5 Pd4", `FENPattern "*/*/*/???pP???/???P????/*/*/*"`},
		{"KRPKR", "--material|KRPKR", ""},
		{"sequence", "--sequence|pattern=Bb5 -> pattern=Ba4; within=10 -> pattern=Bc2", ""},
		{"name", "--white|~^Kasparov", `White "Kasparov"`},
	} {
		b.Run(s.name+"/ply11", func(b *testing.B) {
			processorTime(b, 50000, func() *exec.Cmd {
				return command(dir, append(append([]string{"find", "--count"}, strings.Split(s.args, "|")...),
					"x.p11")...)
			})
		})
		if s.peer == "" {
			continue
		}
		b.Run(s.name+"/pgn-extract", func(b *testing.B) {
			file := filepath.Join(dir, "peer")
			if err := os.WriteFile(file, []byte(s.peer+"\n"), 0o666); err != nil {
				b.Fatal(err)
			}
			processorTime(b, 50000, func() *exec.Cmd {
				return exec.Command("pgn-extract", "-s", "-t"+file, "-o", os.DevNull, filepath.Join(dir, "x.pgn"))
			})
		})
	}
}

// BenchmarkFormats writes the main lines and results of games of masters in each format that takes many games, and
// reports bytes a ply.
func BenchmarkFormats(b *testing.B) {
	pgn, err := formats.ByName("pgn")
	if err != nil {
		b.Fatal(err)
	}
	file, err := os.Open(masters(b))
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	in, err := zstd.NewReader(file)
	if err != nil {
		b.Fatal(err)
	}
	defer in.Close()
	var games []*game.Game
	plies := 0
	for g, err := range pgn.Read(formats.Input{Reader: in}, formats.Options{}) {
		if err != nil {
			b.Fatal(err)
		}
		to := game.New()
		to.SetStart(g.Start)
		to.Result = g.Result
		var line game.Builder
		line.Reset(to)
		for _, m := range g.MainLine() {
			line.Move(m)
		}
		line.Flush()
		games = append(games, to)
		plies += to.Len()
	}
	for _, f := range formats.All {
		if f.Write == nil || f.Name == "uci" || f.Name == "polyglot" || f.Name == "fbk" {
			continue
		}
		b.Run(f.Name, func(b *testing.B) {
			for range b.N {
				var size writtenBytes
				w, err := f.Write(formats.Output{Writer: &size, Path: "x", Sibling: size.sibling}, formats.Options{})
				if err != nil {
					b.Skip(err)
				}
				for _, g := range games {
					if err := w.Write(g); err != nil {
						b.Skip(err)
					}
				}
				if err := w.Close(); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(size)/float64(plies), "bytes/ply")
			}
		})
	}
}

// writtenBytes is the number of bytes that are written to it, and to the files beside it.
type writtenBytes int64

func (c *writtenBytes) Write(b []byte) (int, error) {
	*c += writtenBytes(len(b))
	return len(b), nil
}

func (c *writtenBytes) sibling(string) (io.Writer, error) { return c, nil }
