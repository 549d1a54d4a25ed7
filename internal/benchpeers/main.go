// SPDX-License-Identifier: Apache-2.0

// Command benchpeers does the same work with ply11 and with the programs of others, on the same real games, and prints
// the processor time of one core as Markdown tables. `make bench-peers` runs it:
//
//	go run ./internal/benchpeers -turns 5 -run 'find Najdorf'
//
// The two sides of a row run in turns. It has the median of each, and that of their ratios: above 1, ply11 is ahead.
// What they have done (games, plies, hits) should be the same: a row says where it is not, as where pgn-extract drops
// games with errors.
//
// The programs of others are run, and never linked. Those of Debian must be there; pip and cargo put the rest into the
// user's cache. A row whose peer is not there says how to get it.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"time"

	"ply11/internal/cli"
	"ply11/internal/datadir"
)

func main() {
	if err := bench(); err != nil {
		fmt.Fprintln(os.Stderr, "benchpeers:", err)
		os.Exit(1)
	}
}

func bench() error {
	turns := flag.Int("turns", 5, "how many `times` each side of a row runs")
	only := flag.String("run", "", "run only the rows that this regular expression matches")
	flag.Parse()
	re, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "benchpeers-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt)
	go func() {
		<-stop
		os.RemoveAll(dir)
		os.Exit(cli.Interrupted)
	}()
	b := &bencher{dir: dir, turns: *turns, only: re, out: os.Stdout}
	if err := b.findPeers(true); err != nil {
		return err
	}
	runtime.GOMAXPROCS(1)
	os.Setenv("GOMAXPROCS", "1")
	fmt.Printf("%s, %s/%s, %d turns\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, *turns)
	data, _ := datadir.Dir()
	for kind, file := range []string{withPython: "master/master-50k", plain: "players/players-292k",
		withClocks: "annotated/lichess-1k"} {
		text, e := output("zstd", "-dcq", data+"/pgn/"+file+".pgn.zst")
		if e == nil {
			e = b.run(filepath.Base(file), kind, []byte(text))
		}
		err = errors.Join(err, e)
	}
	return err
}

// bencher is a run.
type bencher struct {
	dir   string // for files
	turns int
	only  *regexp.Regexp
	out   io.Writer

	differ int // rows whose sides have not done the same

	ply11, python                                  peer // ours
	extract, scid, shakmaty, chess, rust, xz, zstd peer
}

// A row compares ours with theirs.
type row struct {
	title, unit string
	amount      float64 // units that are done
	peer        *peer   // nil where there is none
	sides       []work
	files       []string // that they write, if their sizes are to be compared
}

// measure runs a row and prints its line, and one of sizes.
func (b *bencher) measure(r row) error {
	beside := "–"
	switch {
	case r.peer == nil:
		r.sides = r.sides[:1]
	case r.peer.missing != "":
		beside, r.sides = "not here: "+r.peer.missing, r.sides[:1]
	default:
		beside = r.peer.version
	}
	var done [2]string
	var rounds [2]int
	var rates [2][]float64
	var times []float64
	for i, side := range r.sides {
		did, took, err := side(0)
		if err != nil {
			return err
		}
		done[i], rounds[i] = did, 1
		if done[i] != done[0] {
			beside += fmt.Sprintf(": **%s beside our %s**", done[i], done[0])
			b.differ++
		}
		for b.turns > 0 && took < time.Second/2 && rounds[i] < 4096 {
			rounds[i] *= 4
			_, one, err := side(rounds[i])
			if err != nil {
				return err
			}
			took = one * time.Duration(rounds[i])
		}
	}
	for turn := range b.turns {
		for k := range r.sides {
			i := (k + turn) % len(r.sides) // the other one first, each second time
			_, took, err := r.sides[i](rounds[i])
			if err != nil {
				return err
			}
			rates[i] = append(rates[i], r.amount/took.Seconds())
		}
		if len(r.sides) == 2 {
			times = append(times, rates[0][turn]/rates[1][turn])
		}
	}
	print := func(what string, ours, theirs, times []float64) {
		fmt.Fprintf(b.out, "| %s | %s | %s | %s | %s |\n", what, median(ours), median(theirs), median(times), beside)
	}
	if done[0] != "" {
		done[0] = ": " + done[0]
	}
	print(r.title+done[0]+", "+r.unit, rates[0], rates[1], times)
	if len(r.files) == 2 && len(r.sides) == 2 {
		ours, theirs := size(r.files[0]), size(r.files[1])
		print(r.title+", MB", []float64{ours / 1e6}, []float64{theirs / 1e6}, []float64{theirs / ours})
	}
	return nil
}

// size is the bytes of all files of a pattern.
func size(pattern string) (sum float64) {
	paths, _ := filepath.Glob(pattern)
	for _, p := range paths {
		if info, err := os.Stat(p); err == nil {
			sum += float64(info.Size())
		}
	}
	return sum
}

// median prints the median of a list in three digits or more, and – of nothing.
func median(list []float64) string {
	if len(list) == 0 {
		return "–"
	}
	m := slices.Sorted(slices.Values(list))[len(list)/2]
	if m >= 1000 {
		return fmt.Sprintf("%.0f", m)
	}
	return fmt.Sprintf("%.3g", m)
}
