// SPDX-License-Identifier: Apache-2.0

package clients_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ply11/game/pgn"
	"ply11/internal/cputime"
	"ply11/internal/datadir"
	"ply11/internal/samples"
	"ply11/moveindex"
	"ply11/position"
)

// BenchmarkReplay makes the moves of master games from their indices, in C and in Go.
func BenchmarkReplay(b *testing.B) {
	text, _ := datadir.ReadAll(b, samples.Plain, "pgn", "master", "master-50k.pgn.zst")
	var file []byte
	var games [][]moveindex.Index
	plies := 0
	for g, err := range pgn.NewReader(bytes.NewReader(text)).All() {
		if err != nil {
			b.Fatal(err)
		}
		if g.Start != position.Start() {
			continue
		}
		var moves []moveindex.Index
		for _, m := range g.MainLine() {
			i, ok := moveindex.Of(m)
			if !ok {
				i = moveindex.Null
			}
			moves = append(moves, i)
			file = append(file, byte(i), byte(i>>8))
		}
		file = append(file, 0xff, 0xff)
		games = append(games, moves)
		plies += len(moves)
	}
	name := filepath.Join(b.TempDir(), "moves")
	if err := os.WriteFile(name, file, 0o666); err != nil {
		b.Fatal(err)
	}
	b.Run("go", func(b *testing.B) {
		before := cputime.Now()
		for b.Loop() {
			for _, moves := range games {
				p := position.Start()
				for _, i := range moves {
					p.MakeIndex(i)
				}
			}
		}
		b.ReportMetric(float64(plies)*float64(b.N)/1e6/(cputime.Now()-before).Seconds(), "Mplies/s")
	})
	for i := range builds {
		if c := &builds[i]; c.name == "gcc" || c.name == "clang" {
			b.Run(c.name, func(b *testing.B) {
				out, err := exec.Command(c.compile(b, "driver"), "replay", name).Output()
				if err != nil {
					b.Fatal(err)
				}
				b.Log(strings.TrimSpace(string(out)))
			})
		}
	}
}
