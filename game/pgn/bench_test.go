// SPDX-License-Identifier: Apache-2.0

package pgn_test

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"ply11/game"
	"ply11/game/pgn"
	"ply11/internal/cputime"
	"ply11/internal/datadir"
	"ply11/internal/samples"
	"ply11/internal/testenv"
)

// readData returns a file of the folder of real data, decompressed. The test is skipped where it is absent.
func readData(tb testing.TB, parts ...string) []byte {
	tb.Helper()
	datadir.Path(tb, parts...)
	text, _ := datadir.ReadAll(tb, samples.Plain, parts...)
	return text
}

// readAll reads the games of a text into one Game, and counts the plies of the main lines.
func readAll(tb testing.TB, text []byte) (games, plies, bad int) {
	r := pgn.NewReader(bytes.NewReader(text))
	g := game.New()
	for {
		err := r.Read(g)
		if err == io.EOF {
			return games, plies, bad
		}
		if err != nil {
			bad++
		}
		games++
		plies += g.Len()
	}
}

// BenchmarkReadAgainstPGNExtract reads a file by turns with pgn-extract, which verifies the moves too,
// and compares the processor time, user and system: the median of the turns. Ten of them: -benchtime 10x.
func BenchmarkReadAgainstPGNExtract(b *testing.B) {
	tool, err := testenv.Find("pgn-extract")
	if err != nil {
		b.Skip(err)
	}
	text := readData(b, "pgn", "master", "master-50k.pgn.zst")
	file := filepath.Join(b.TempDir(), "master.pgn")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		b.Fatal(err)
	}
	readAll(b, text)
	b.ResetTimer()
	var ours, theirs time.Duration
	var ratios []float64
	plies := 0
	for range b.N {
		var we time.Duration
		for range 4 {
			f, err := os.Open(file)
			if err != nil {
				b.Fatal(err)
			}
			start := cputime.Now()
			r, g := pgn.NewReader(f), game.New()
			plies = 0
			for r.Read(g) != io.EOF {
				plies += g.Len()
			}
			we += (cputime.Now() - start) / 4
			f.Close()
		}
		b.StopTimer()
		c := exec.Command(tool, "-s", "-r", file)
		if err := c.Run(); err != nil {
			b.Fatal(err)
		}
		they := c.ProcessState.UserTime() + c.ProcessState.SystemTime()
		ours += we
		theirs += they
		ratios = append(ratios, float64(they)/float64(we))
		b.StartTimer()
	}
	n := float64(b.N)
	b.ReportMetric(float64(plies)*n/ours.Seconds()/1e6, "Mplies/cpu-s")
	b.ReportMetric(float64(plies)*n/theirs.Seconds()/1e6, "pgn-extract-Mplies/cpu-s")
	slices.Sort(ratios)
	b.ReportMetric(ratios[len(ratios)/2], "times-pgn-extract")
}

// games returns the games of a text.
func games(tb testing.TB, text []byte) (list []*game.Game) {
	for g, err := range pgn.NewReader(bytes.NewReader(text)).All() {
		if err != nil && g == nil {
			tb.Fatal(err)
		}
		list = append(list, g)
	}
	return list
}
