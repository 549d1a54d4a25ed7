// SPDX-License-Identifier: Apache-2.0

package query_test

import (
	"bytes"
	"context"
	"os"
	"testing"

	"github.com/klauspost/compress/zstd"

	"ply11/bitstream/archive"
	"ply11/internal/cputime"
	"ply11/internal/datadir"
	"ply11/query"
)

// benchQueries are queries of every kind, from one that no game meets to one that half of them do.
var benchQueries = []struct {
	name  string
	terms [][2]string
	turn  bool // --mirror and --swap-colors
}{
	{"fen-rare", [][2]string{{"fen", "r1bq1rk1/pp3ppp/2n1pn2/2pp4/1bPP4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 8"}}, false},
	{"fen-none", [][2]string{{"fen", "rnbqkbnr/ppp1pppp/8/3p4/8/2N5/PPPPPPPP/R1BQKBNR w KQkq -"}}, false},
	{"fen-ending", [][2]string{{"fen", "8/8/4k3/8/3KP3/8/8/8 w - -"}}, false},
	{"fen-middle", [][2]string{{"fen", "r2q1rk1/1b2bppp/p2ppn2/1p6/3BPP2/1BN5/PPP3PP/R2Q1RK1"}}, false},
	{"fen-najdorf", [][2]string{{"fen", "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq -"}}, false},
	{"fen-1.e4", [][2]string{{"fen", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -"}}, false},
	{"pattern-opening", [][2]string{{"pattern", "Bg5 nf6 pe6 pd5 Pd4 Pc4"}}, false},
	{"pattern-middle", [][2]string{{"pattern", "Pe5 pd5 pe6 Bd3 kg8 [Qq]h5"}}, false},
	{"pattern-any", [][2]string{{"pattern", "R?7 r?2"}}, false},
	{"pattern-turned", [][2]string{{"pattern", "Bh7 kg8 Ng5"}}, true},
	{"material-KRPKR", [][2]string{{"material", "KRPKR"}}, false},
	{"material-range", [][2]string{{"material", "Q0 q0 R2 r2 B1 b0 N0 n1"}}, false},
	{"imbalance", [][2]string{{"imbalance", "RvBN"}}, false},
	{"move", [][2]string{{"white-move", "Nxf7"}}, false},
	{"sequence", [][2]string{{"sequence", "pattern=Bb5 -> pattern=Ba4; within=10 -> pattern=Bc2"}}, false},
	{"player", [][2]string{{"player", "kasparov"}}, false},
	{"player-position", [][2]string{{"player", "kasparov"}, {"pattern", "pd5 Pd4"}}, false},
	{"everything", nil, false},
}

func benchText(b *testing.B, parts ...string) []byte {
	text, err := os.ReadFile(datadir.Path(b, parts...))
	if err != nil {
		b.Fatal(err)
	}
	z, err := zstd.NewReader(nil)
	if err != nil {
		b.Fatal(err)
	}
	defer z.Close()
	if text, err = z.DecodeAll(text, nil); err != nil {
		b.Fatal(err)
	}
	return text
}

// BenchmarkScan counts games in millions a second of processor time.
func BenchmarkScan(b *testing.B) {
	for _, file := range []struct {
		name  string
		parts []string
		dense bool
	}{{"master", []string{"pgn", "master", "master-50k.pgn.zst"}, false},
		{"lichess", []string{"pgn", "annotated", "lichess-1k.pgn.zst"}, false}} {
		var data bytes.Buffer
		if _, err := archive.Pack(context.Background(), &data, bytes.NewReader(benchText(b, file.parts...)),
			archive.WithDense(file.dense)); err != nil {
			b.Fatal(err)
		}
		source := []query.Source{{Name: file.name, Reader: bytes.NewReader(data.Bytes()), Size: int64(data.Len()),
			Sparse: true}}
		r, err := archive.NewReader(bytes.NewReader(data.Bytes()), int64(data.Len()))
		if err != nil {
			b.Fatal(err)
		}
		for _, bq := range benchQueries {
			b.Run(file.name+"/"+bq.name, func(b *testing.B) {
				q := query.New()
				for _, t := range bq.terms {
					if err := q.Add(t[0], t[1]); err != nil {
						b.Fatal(err)
					}
				}
				q.Mirror(bq.turn)
				q.SwapColors(bq.turn)
				n := 0
				start := cputime.Now().Seconds()
				for b.Loop() {
					var err error
					if n, err = query.Count(context.Background(), source, q, query.Options{}); err != nil {
						b.Fatal(err)
					}
				}
				took := cputime.Now().Seconds() - start
				b.ReportMetric(float64(r.Len())*float64(b.N)/took/1e6, "Mgames/cpu-s")
				b.ReportMetric(float64(r.Stats().Plies)*float64(b.N)/took/1e6, "Mplies/cpu-s")
				b.ReportMetric(100*float64(n)/float64(r.Len()), "%found")
			})
		}
	}
}
