// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"ply11/game"
	"ply11/game/pgn"
	"ply11/internal/cputime"
	"ply11/internal/datadir"
	"ply11/internal/samples"
	"ply11/internal/testenv"
	"ply11/position"
)

// readData reads a file of real games, decompressed.
func readData(tb testing.TB, path string) []byte {
	tb.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	if strings.HasSuffix(path, ".zst") {
		d, err := zstd.NewReader(bytes.NewReader(b))
		if err != nil {
			tb.Fatal(err)
		}
		defer d.Close()
		if b, err = io.ReadAll(d); err != nil {
			tb.Fatal(err)
		}
	}
	return b
}

// firstDifference describes where two texts part.
func firstDifference(a, b []byte) string {
	n := common(a, b)
	cut := func(s []byte) string { return string(s[max(0, n-60):min(len(s), n+60)]) }
	return "at byte " + strings.TrimSpace(strings.Join([]string{itoa(n), "of", itoa(len(a)), "and", itoa(len(b)), ":"}, " ")) + "\n" + cut(a) + "\n---\n" + cut(b)
}

func itoa(n int) string { return string(appendInt(nil, int64(n))) }

func mustPack(tb testing.TB, text []byte, options ...PackOption) ([]byte, Stats) {
	tb.Helper()
	var out bytes.Buffer
	stats, err := Pack(context.Background(), &out, bytes.NewReader(text), options...)
	if err != nil {
		tb.Fatal(err)
	}
	if int64(out.Len()) != stats.Bytes {
		tb.Fatalf("%d bytes, not the %d that Pack tells of", out.Len(), stats.Bytes)
	}
	return out.Bytes(), stats
}

func mustUnpack(tb testing.TB, archive []byte) []byte {
	tb.Helper()
	var out bytes.Buffer
	if _, err := Unpack(context.Background(), &out, bytes.NewReader(archive), WithWorkers(0)); err != nil {
		tb.Fatal(err)
	}
	return out.Bytes()
}

// TestExactOnRealFiles packs every file of real games, good and bad, and unpacks its bytes again, with fixed moves and
// with dense ones. Under -short the project's own samples do.
func TestExactOnRealFiles(t *testing.T) {
	root := datadir.Sample("")
	if dir, ok := datadir.Dir(); ok && !testing.Short() {
		root = filepath.Join(dir, "pgn")
	}
	filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, _ := filepath.Rel(root, path)
		t.Run(name, func(t *testing.T) {
			text := readData(t, path)
			archive, stats := mustPack(t, text)
			if got := mustUnpack(t, archive); !bytes.Equal(got, text) {
				t.Fatal(firstDifference(text, got))
			}
			t.Logf("%d games, %d invalid, %d bytes of text, %d of archive", stats.Games, stats.Invalid, len(text), len(archive))
			dense := mustRecode(t, []RecodeOption{WithDense(true)}, archive)
			if got := mustUnpack(t, dense); !bytes.Equal(got, text) {
				t.Fatal("dense: " + firstDifference(text, got))
			}
			if blocks, coded := isDense(t, dense); coded != blocks {
				t.Errorf("%d of %d blocks are dense", coded, blocks)
			}
			// What follows makes the archive four times more; of the one file that takes a minute, with the tag long only.
			const most = 16 << 20
			if !testenv.Long && len(text) > most {
				return
			}
			if again, _ := mustPack(t, text, WithWorkers(1)); !bytes.Equal(again, archive) {
				t.Fatal("one worker makes another archive")
			}
			canonical, _ := mustPack(t, text, WithCanonical(true))
			mustUnpack(t, canonical)
			if !bytes.Equal(mustRecode(t, []RecodeOption{WithDense(false)}, dense), archive) {
				t.Fatal("from dense moves the archive is another one")
			}
			if packed, _ := mustPack(t, text, WithDense(true)); !bytes.Equal(packed, dense) {
				t.Fatal("the recoded archive is not the packed one")
			}
		})
		return nil
	})
}

// TestGamesAreThoseOfThePGN compares what a Reader reads with what the text holds.
func TestGamesAreThoseOfThePGN(t *testing.T) {
	for _, file := range []struct{ name, sample string }{
		{"annotated/lichess-1k.pgn.zst", samples.Clocks}, {"annotated/perle.pgn", samples.Annotated}, {"annotated/studies.pgn", samples.Setup},
	} {
		name := file.name
		text, _ := datadir.ReadAll(t, file.sample, "pgn", name)
		archive, _ := mustPack(t, text)
		r, err := NewReader(bytes.NewReader(archive), int64(len(archive)))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		var g game.Game
		for want, err := range pgn.NewReader(bytes.NewReader(text)).All() {
			n++
			if e := r.Game(n, &g); e != nil {
				t.Fatal(e)
			}
			if err == nil {
				if diff := want.Diff(&g); diff != "" {
					t.Fatalf("%s: game %d: %s", name, n, diff)
				}
			}
			words, err := r.MainLine(nil, n)
			if err != nil || len(words) != want.Len() {
				t.Fatalf("%s: game %d: MainLine is %d plies, %v", name, n, len(words), err)
			}
		}
		if n != r.Len() {
			t.Fatalf("%d games, not %d", r.Len(), n)
		}
	}
}

// benchText returns a file of the benchmarks; master-10k is the last 10,000 of the master games, which no model was
// made from.
func benchText(b *testing.B, name string) []byte {
	if name == "master-10k" {
		return lastGames(b, 10000)
	}
	return readData(b, datadir.Path(b, "pgn", name))
}

func reportPlies(b *testing.B, start float64, plies int) {
	b.ReportMetric(float64(plies)*float64(b.N)/(cputime.Now().Seconds()-start)/1e6, "Mplies/cpu-s")
}

func BenchmarkPack(b *testing.B) {
	for _, name := range []string{"master/master-50k.pgn.zst", "annotated/lichess-1k.pgn.zst"} {
		b.Run(filepath.Base(name), func(b *testing.B) {
			text := benchText(b, name)
			b.SetBytes(int64(len(text)))
			start := cputime.Now().Seconds()
			var stats Stats
			for b.Loop() {
				var err error
				if stats, err = Pack(context.Background(), io.Discard, bytes.NewReader(text), WithWorkers(1)); err != nil {
					b.Fatal(err)
				}
			}
			reportPlies(b, start, stats.Plies)
			b.ReportMetric(float64(stats.Bytes)/float64(stats.Games), "bytes/game")
		})
	}
}

func BenchmarkUnpack(b *testing.B) {
	for _, name := range []string{"master/master-50k.pgn.zst", "annotated/lichess-1k.pgn.zst"} {
		b.Run(filepath.Base(name), func(b *testing.B) {
			text := benchText(b, name)
			archive, stats := mustPack(b, text)
			b.SetBytes(int64(len(text)))
			start := cputime.Now().Seconds()
			for b.Loop() {
				if _, err := Unpack(context.Background(), io.Discard, bytes.NewReader(archive), WithWorkers(1)); err != nil {
					b.Fatal(err)
				}
			}
			reportPlies(b, start, stats.Plies)
		})
	}
}

// allocated returns how many bytes were allocated so far.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// parse reads one game of PGN.
func parse(tb testing.TB, text string) *game.Game {
	tb.Helper()
	g := new(game.Game)
	if err := pgn.NewReader(strings.NewReader(text)).Read(g); err != nil {
		tb.Fatal(err)
	}
	return g
}

// blocksOf returns the blocks of a sound archive, read front to back. Each is valid until the next.
func blocksOf(tb testing.TB, archive []byte) iter.Seq[*Block] {
	return func(yield func(*Block) bool) {
		tb.Helper()
		for s := NewScanner(bytes.NewReader(archive)); ; {
			b, err := s.Next()
			if err == io.EOF {
				return
			}
			if err != nil {
				tb.Fatal(err)
			}
			if !yield(b) {
				return
			}
		}
	}
}

// TestReplay compares the positions of Replay with those of the games.
func TestReplay(t *testing.T) {
	eachForm(t, func(t *testing.T, dense bool) {
		archive, _ := smallArchive(t, dense)
		for b := range blocksOf(t, archive) {
			last := map[int]position.Position{}
			plies := 0
			if err := b.Replay(func(i, ply int, p *position.Position) bool {
				last[i] = *p
				if ply > 0 {
					plies++
				}
				return true
			}); err != nil {
				t.Fatal(err)
			}
			if plies != b.Plies() {
				t.Errorf("%d plies, not %d", plies, b.Plies())
			}
			for i := 1; i <= b.Len(); i++ {
				var g game.Game
				if err := b.Game(i, &g); err != nil {
					t.Fatal(err)
				}
				if g.Final() != last[i] {
					t.Errorf("game %d ends in another position", i)
				}
			}
		}
	})
}

// TestCountersBeyondWords: a game whose counters no start in words has room for keeps its moves, so that it is found; the
// text has the counters.
func TestCountersBeyondWords(t *testing.T) {
	eachForm(t, func(t *testing.T, dense bool) {
		const text = "[Event \"a\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 300 9000\"]\n\n9000. e4 Kd7 *\n\n[Event \"b\"]\n\n1. d4 d5 *\n\n"
		archive, _ := mustPack(t, []byte(text), WithDense(dense))
		if got := mustUnpack(t, archive); string(got) != text {
			t.Fatal(firstDifference([]byte(text), got))
		}
		r, err := NewReader(bytes.NewReader(archive), int64(len(archive)))
		if err != nil {
			t.Fatal(err)
		}
		var g game.Game
		if err := r.Game(1, &g); err != nil || g.Len() != 2 || g.Start.FEN() != "4k3/8/8/8/8/8/4P3/4K3 w - - 255 8187" {
			t.Errorf("%d plies from %s, %v", g.Len(), g.Start.FEN(), err)
		}
	})
}
