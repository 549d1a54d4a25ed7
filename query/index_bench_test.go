// SPDX-License-Identifier: Apache-2.0

package query_test

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"ply11/bitstream/archive"
	"ply11/internal/cputime"
	"ply11/position"
	"ply11/query"
)

// indexSource is the archive that the benchmarks of the index measure: that of the variable PLY11_ARCHIVE, or the
// master games.
func indexSource(b *testing.B) query.Source {
	if path := os.Getenv("PLY11_ARCHIVE"); path != "" {
		f, err := os.Open(path)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { f.Close() })
		info, err := f.Stat()
		if err != nil {
			b.Fatal(err)
		}
		return query.Source{Name: path, Reader: f, Size: info.Size()}
	}
	return treeSources(pack(b, benchText(b, "pgn", "master", "master-50k.pgn.zst")))[0]
}

// BenchmarkBuildIndex makes an index: plies in millions a second of processor time, and bytes a ply.
func BenchmarkBuildIndex(b *testing.B) {
	s := indexSource(b)
	r, err := archive.NewReader(s.Reader, s.Size)
	if err != nil {
		b.Fatal(err)
	}
	plies := float64(r.Stats().Plies)
	var n counter
	start := cputime.Now()
	for b.Loop() {
		n = 0
		if _, err := query.BuildIndex(context.Background(), &n, s, query.IndexOptions{
			Temp: filepath.Join(b.TempDir(), "x")}); err != nil {
			b.Fatal(err)
		}
	}
	took := (cputime.Now() - start).Seconds()
	b.ReportMetric(plies*float64(b.N)/took/1e6, "Mplies/cpu-s")
	b.ReportMetric(float64(n)/plies, "B/ply")
}

// counter counts the bytes that are written.
type counter int64

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}

// BenchmarkTree looks up positions of random games by an index: the start, those after 1 to 4 plies, after 5 to 12, and
// any; and 1.e4 with filters.
func BenchmarkTree(b *testing.B) {
	s := indexSource(b)
	// The index that stands beside the archive of PLY11_ARCHIVE, or one that is made.
	file, err := os.Open(os.Getenv("PLY11_ARCHIVE") + "x")
	if err != nil {
		if file, err = os.Create(filepath.Join(b.TempDir(), "x.p11x")); err != nil {
			b.Fatal(err)
		}
		if _, err := query.BuildIndex(context.Background(), file, s, query.IndexOptions{Temp: file.Name()}); err !=
			nil {
			b.Fatal(err)
		}
	}
	defer file.Close()
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		b.Fatal(err)
	}
	x, err := query.OpenIndex(file, size)
	if err != nil {
		b.Fatal(err)
	}
	s.PositionIndex = x
	r, err := archive.NewReader(s.Reader, s.Size)
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	e4, err := query.ParsePosition("", "e4")
	if err != nil {
		b.Fatal(err)
	}
	any := func(least, most int) func() position.Position {
		return func() position.Position {
			for {
				n := 1 + rng.IntN(r.Len())
				at, err := r.Start(n)
				if err != nil {
					b.Fatal(err)
				}
				line, err := r.MainLine(nil, n)
				if err != nil {
					b.Fatal(err)
				}
				if len(line) < least {
					continue
				}
				for _, w := range line[:least+rng.IntN(min(most, len(line))-least+1)] {
					at.MakeIndex(w)
				}
				return at
			}
		}
	}
	for _, c := range []struct {
		name, term, value string
		at                func() position.Position
	}{
		{"start", "", "", any(0, 0)}, {"plies-1-4", "", "", any(1, 4)}, {"plies-5-12", "", "", any(5, 12)},
		{"plies-any", "", "", any(0, 1<<30)},
		{"e4-rating", "rating", "2600-", func() position.Position { return e4 }},
		{"e4-player", "player", "kasparov", func() position.Position { return e4 }},
	} {
		b.Run(c.name, func(b *testing.B) {
			q := query.New()
			if c.term != "" {
				q.Add(c.term, c.value)
			}
			var took, worst time.Duration
			for b.Loop() {
				at := c.at()
				start, began := cputime.Now(), time.Now()
				if _, err := q.Tree(context.Background(), []query.Source{s}, at, query.TreeOptions{Workers: 1}); err !=
					nil {
					b.Fatal(err)
				}
				took += cputime.Now() - start
				worst = max(worst, time.Since(began))
			}
			b.ReportMetric(float64(took.Microseconds())/float64(b.N), "cpu-µs/tree")
			b.ReportMetric(float64(worst.Microseconds()), "worst-µs")
		})
	}
}

// BenchmarkTrees looks up 65,536 positions of random games together, by an index and by a pruned one: look-ups a second
// of processor time.
func BenchmarkTrees(b *testing.B) {
	s := indexSource(b)
	r, err := archive.NewReader(s.Reader, s.Size)
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	var list []position.Position
	for len(list) < 1<<16 {
		n := 1 + rng.IntN(r.Len())
		start, err := r.Start(n)
		if err != nil {
			b.Fatal(err)
		}
		line, err := r.MainLine(nil, n)
		if err != nil {
			b.Fatal(err)
		}
		for range 8 {
			at := start
			for _, w := range line[:rng.IntN(len(line)+1)] {
				at.MakeIndex(w)
			}
			list = append(list, at)
		}
	}
	rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	for _, o := range []query.IndexOptions{{}, {MinGames: 2, MaxPly: 40}} {
		name := "full"
		if o.MinGames > 0 {
			name = "pruned"
		}
		o.Temp = filepath.Join(b.TempDir(), "x")
		var index bytes.Buffer
		if _, err := query.BuildIndex(context.Background(), &index, s, o); err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			s := s
			s.PositionIndex = openIndex(b, index.Bytes())
			start := cputime.Now()
			for b.Loop() {
				if _, err := query.New().Trees(context.Background(), []query.Source{s}, list, query.TreeOptions{
					Workers: 1}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N*len(list))/(cputime.Now()-start).Seconds(), "trees/cpu-s")
			b.ReportMetric(float64(index.Len())/float64(r.Stats().Plies), "B/ply")
		})
	}
}
