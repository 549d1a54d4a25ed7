// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"context"
	"io"
	"iter"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"ply11/game"
	"ply11/game/pgn"
	"ply11/internal/cputime"
	"ply11/internal/datadir"
)

// ReadData reads a file of real games, decompressed.
func ReadData(tb testing.TB, path string) []byte {
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

// FirstDifference describes where two texts part.
func FirstDifference(a, b []byte) string {
	n := common(a, b)
	cut := func(s []byte) string { return string(s[max(0, n-60):min(len(s), n+60)]) }
	return "at byte " + strings.TrimSpace(strings.Join([]string{Itoa(n), "of", Itoa(len(a)), "and", Itoa(len(b)), ":"},
		" ")) + "\n" + cut(a) + "\n---\n" + cut(b)
}

func Itoa(n int) string { return string(appendInt(nil, int64(n))) }

func MustPack(tb testing.TB, text []byte, options ...PackOption) ([]byte, Stats) {
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

func MustUnpack(tb testing.TB, archive []byte) []byte {
	tb.Helper()
	var out bytes.Buffer
	if _, err := Unpack(context.Background(), &out, bytes.NewReader(archive), WithWorkers(0)); err != nil {
		tb.Fatal(err)
	}
	return out.Bytes()
}

// Opened is NewReader of bytes.
func Opened(archive []byte) (*Reader, error) {
	return NewReader(bytes.NewReader(archive), int64(len(archive)))
}

// Verified is Verify of bytes.
func Verified(archive []byte) (*Report, error) {
	return Verify(context.Background(), bytes.NewReader(archive), int64(len(archive)))
}

// Whole returns what Verify says of an archive with which nothing is wrong.
func Whole(tb testing.TB, archive []byte) *Report {
	tb.Helper()
	rep, err := Verified(archive)
	if err != nil || !rep.OK() {
		tb.Fatalf("%+v, %v", rep, err)
	}
	return rep
}

// Recovered is Recover of bytes.
func Recovered(tb testing.TB, archive []byte) ([]byte, *Report) {
	tb.Helper()
	var out bytes.Buffer
	rep, err := Recover(tb.Context(), &out, bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		tb.Fatal(err)
	}
	return out.Bytes(), rep
}

func MustBlock(tb testing.TB, r *Reader, n int) *Block {
	tb.Helper()
	b, err := r.Block(n)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// BenchText returns a file of the benchmarks; the model was not made from the last 10,000 master games.
func BenchText(b *testing.B, name string) []byte {
	if name == "master-10k" {
		return LastGames(b, 10000)
	}
	return ReadData(b, datadir.Path(b, "pgn", name))
}

func ReportPlies(b *testing.B, start float64, plies int64) {
	b.ReportMetric(float64(plies)*float64(b.N)/(cputime.Now().Seconds()-start)/1e6, "Mplies/cpu-s")
}

// allocated returns how many bytes were allocated so far.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// Parse reads one game of PGN.
func Parse(tb testing.TB, text string) *game.Game {
	tb.Helper()
	g := new(game.Game)
	if err := pgn.NewReader(strings.NewReader(text)).Read(g); err != nil {
		tb.Fatal(err)
	}
	return g
}

// BlocksOf returns the blocks of a sound archive. Each is valid until the next.
func BlocksOf(tb testing.TB, archive []byte) iter.Seq[*Block] {
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

// Behind returns how many bytes stand behind an archive.
func Behind(r *Reader) int64 {
	if r.unfinished == nil {
		return 0
	}
	return r.unfinished.Bytes
}
