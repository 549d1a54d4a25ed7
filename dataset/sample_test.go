// SPDX-License-Identifier: Apache-2.0

package dataset_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"ply11/bitstream/archive"
	"ply11/dataset"
	"ply11/game"
	"ply11/internal/gamegen"
	"ply11/internal/testenv"
	"ply11/query"
)

// generated is an archive of n generated games.
func generated(tb testing.TB, n int, seed uint64) []byte {
	tb.Helper()
	gen := gamegen.New(seed)
	var list []*game.Game
	for range n {
		list = append(list, game.New())
		gen.Next(list[len(list)-1])
	}
	return archiveOf(tb, list...)
}

// archiveOf is an archive of games.
func archiveOf(tb testing.TB, list ...*game.Game) []byte {
	tb.Helper()
	var b bytes.Buffer
	w := archive.NewWriter(&b)
	for _, g := range list {
		if err := w.Write(g); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// rowOf tells which position a row is.
type rowOf struct {
	game uint64
	ply  int
	side byte
}

// positions are the rows of an export to npy, in their order.
func positions(t *testing.T, job dataset.Job, sources ...query.Source) (rows []rowOf) {
	t.Helper()
	job.Format, job.Planes = "npy", "none"
	dir := t.TempDir()
	m := exportTo(t, dir, dataset.Options{Job: job}, sources...)
	all := files(t, dir)
	for _, s := range m.Shards {
		base := fmt.Sprintf("%05d-of-%05d.", s.Number, len(m.Shards))
		array := func(name string) []byte {
			b := all[base+name+".npy"]
			return []byte(b[10+int(binary.LittleEndian.Uint16([]byte(b[8:]))):])
		}
		games, plies, state := array("game"), array("ply"), array("state")
		for i := range int(s.Rows) {
			rows = append(rows, rowOf{binary.LittleEndian.Uint64(games[8*i:]),
				int(binary.LittleEndian.Uint16(plies[2*i:])), state[7*i]})
		}
	}
	return rows
}

// TestEvery: one position of N is taken, of each side and ply as often as there are.
func TestEvery(t *testing.T) {
	data := generated(t, testenv.Pick(3000, 500), 1)
	whole := positions(t, dataset.Job{}, sourceOf("a", data))
	lengths := map[uint64]float64{}
	for _, r := range whole {
		lengths[r.game]++
	}
	squares := 0.0 // the root of their sum
	for _, n := range lengths {
		squares = math.Hypot(squares, n)
	}
	for every := 1; every <= 16; every++ {
		rows := positions(t, dataset.Job{Every: every}, sourceOf("a", data))
		part := 1 / float64(every)
		// Five deviations are exceeded once in a million.
		near := func(what string, got, n int) {
			if most := 5*math.Sqrt(float64(n)*part*(1-part)) + 1e-9; math.Abs(float64(got)-float64(n)*part) > most {
				t.Errorf("one of %d: %s: %d of %d rows, want %.0f and at most %.0f more or fewer", every, what, got, n,
					float64(n)*part, most)
			}
		}
		var white, all [2]int
		plies := map[int]*[2]int{}
		at := map[uint64]int{}
		for k, list := range [][]rowOf{rows, whole} {
			for _, r := range list {
				all[k]++
				white[k] += 1 - int(r.side)
				if plies[r.ply] == nil {
					plies[r.ply] = &[2]int{}
				}
				plies[r.ply][k]++
				if before, ok := at[r.game]; k == 0 && ok && r.ply-before != every {
					t.Fatalf("one of %d: game %d: ply %d after %d", every, r.game, r.ply, before)
				}
				at[r.game] = r.ply
			}
		}
		near("all", all[0], all[1])
		// An even number takes positions of one side of a game: White's share deviates as tosses of a coin for games.
		if share := float64(white[0]) / float64(all[0]); math.Abs(share-float64(white[1])/float64(all[1])) >
			5*squares/2/float64(all[1]) {
			t.Errorf("one of %d: White is to move in %.3f of the rows", every, share)
		}
		for ply, n := range plies {
			near(fmt.Sprintf("ply %d", ply), n[0], n[1])
		}
	}
	// What it takes of a game depends on moves and seed alone.
	more := positions(t, dataset.Job{Every: 4}, sourceOf("b", generated(t, 7, 2)), sourceOf("a", data))
	one := positions(t, dataset.Job{Every: 4}, sourceOf("a", data))
	for len(more) > 0 && more[0].game <= 7 {
		more = more[1:]
	}
	if len(more) != len(one) {
		t.Fatalf("%d rows behind another archive, want %d", len(more), len(one))
	}
	for i, r := range one {
		if r.game += 7; more[i] != r {
			t.Fatalf("behind another archive: %+v, want %+v", more[i], r)
		}
	}
}
