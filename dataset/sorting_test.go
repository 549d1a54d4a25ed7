// SPDX-License-Identifier: Apache-2.0

package dataset_test

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ply11/bitstream/archive"
	"ply11/dataset"
	"ply11/game"
	"ply11/query"
)

// statistics distinguish shuffles, by places before, games and archives.
var statistics = map[string]func(order []int, game, source []int) float64{
	"games in a batch":     func(order, game, _ []int) float64 { return inBatches(order, game, 512) },
	"games in ten batches": func(order, game, _ []int) float64 { return inBatches(order, game, 5120) },
	"distance of neighbours": func(order, _, _ []int) float64 {
		sum := 0.0
		for i := 1; i < len(order); i++ {
			sum += math.Abs(float64(order[i] - order[i-1]))
		}
		return sum
	},
	"distance from the old place": func(order, _, _ []int) float64 {
		sum := 0.0
		for i, at := range order {
			sum += math.Abs(float64(i - at))
		}
		return sum
	},
	"neighbours of one game": func(order, game, _ []int) float64 {
		n := 0.0
		for i := 1; i < len(order); i++ {
			if game[order[i]] == game[order[i-1]] {
				n++
			}
		}
		return n
	},
	"neighbours of one archive": func(order, _, source []int) float64 {
		n := 0.0
		for i := 1; i < len(order); i++ {
			if source[order[i]] == source[order[i-1]] {
				n++
			}
		}
		return n
	},
	"first archive's place": func(order, _, source []int) float64 {
		sum := 0.0
		for i, at := range order {
			if source[at] == 0 {
				sum += float64(i)
			}
		}
		return sum
	},
}

// inBatches is the sum of the numbers of games in batches.
func inBatches(order, game []int, size int) float64 {
	n := 0
	for batch := range slices.Chunk(order, size) {
		seen := map[int]bool{}
		for _, at := range batch {
			seen[game[at]] = true
		}
		n += len(seen)
	}
	return float64(n)
}

// TestShuffle: each statistic of a shuffle is within five deviations of forty by rand.Shuffle, over all archives and
// shards.
func TestShuffle(t *testing.T) {
	sources := []query.Source{sourceOf("a", generated(t, 200, 1)), sourceOf("b", generated(t, 300, 2)),
		sourceOf("c", generated(t, 100, 3))}
	sourceAt := func(n uint64) int {
		switch {
		case n <= 200:
			return 0
		case n <= 500:
			return 1
		}
		return 2
	}
	type row struct {
		game uint64
		ply  int
	}
	games := func(job dataset.Job) (list []row) {
		dir := t.TempDir()
		job.Format = "jsonl"
		m := exportTo(t, dir, dataset.Options{Job: job}, sources...)
		all := files(t, dir)
		for _, s := range m.Shards {
			d := json.NewDecoder(bytes.NewReader([]byte(all[s.Files[0].Name])))
			for d.More() {
				var v struct {
					File string
					Game uint64
				}
				if err := d.Decode(&v); err != nil {
					t.Fatal(err)
				}
				list = append(list, row{v.Game + map[string]uint64{"a": 0, "b": 200, "c": 500}[v.File], 0})
			}
		}
		return list
	}
	plies := func(job dataset.Job) (list []row) {
		for _, r := range positions(t, job, sources...) {
			list = append(list, row{r.game, r.ply})
		}
		return list
	}
	for name, rows := range map[string]func(dataset.Job) []row{"games": games, "positions": plies} {
		before := rows(dataset.Job{})
		place := map[row]int{}
		var game, source []int
		for i, r := range before {
			place[r] = i
			game, source = append(game, int(r.game)), append(source, sourceAt(r.game))
		}
		mean, deviation := map[string]float64{}, map[string]float64{}
		rng := rand.New(rand.NewPCG(1, 1))
		order := make([]int, len(before))
		for i := range order {
			order[i] = i
		}
		const runs = 40
		for range runs {
			rng.Shuffle(len(order), func(i, k int) { order[i], order[k] = order[k], order[i] })
			for what, f := range statistics {
				v := f(order, game, source)
				mean[what] += v / runs
				deviation[what] += v * v / runs
			}
		}
		for what := range statistics {
			deviation[what] = math.Sqrt(max(deviation[what]-mean[what]*mean[what], 0))
		}
		var last []int
		for seed := range uint64(3) {
			for _, shards := range []int{1, 5} {
				after := rows(dataset.Job{Shuffle: true, Seed: seed, Shards: shards})
				order := order[:0]
				for _, r := range after {
					at, ok := place[r]
					if !ok {
						t.Fatalf("%s: %+v is new", name, r)
					}
					order = append(order, at)
				}
				if shards > 1 && !slices.Equal(order, last) {
					t.Errorf("%s, seed %d: %d shards have another order than one", name, seed, shards)
				}
				if shards == 1 && slices.Equal(order, last) {
					t.Errorf("%s, seed %d: the order of another seed", name, seed)
				}
				last = slices.Clone(order)
				sorted := slices.Sorted(slices.Values(order))
				for i, at := range sorted {
					if i != at {
						t.Fatalf("%s, seed %d: row %d is not there, or twice", name, seed, i)
					}
				}
				if len(order) != len(before) {
					t.Fatalf("%s, seed %d: %d rows, want %d", name, seed, len(order), len(before))
				}
				for what, f := range statistics {
					got := f(order, game, source)
					if math.Abs(got-mean[what]) > 5*deviation[what]+1e-9*mean[what] {
						t.Errorf("%s, seed %d, %d shards: %s: %.1f, want %.1f, deviation %.1f", name, seed, shards,
							what, got, mean[what], deviation[what])
					}
				}
			}
		}
	}
}

// TestDedupe: the first of each position is there once in all shards, as a map in memory says.
func TestDedupe(t *testing.T) {
	data := [2][]byte{generated(t, 400, 1), generated(t, 300, 1)} // the second's games are in the first, too
	sources := []query.Source{sourceOf("a", data[0]), sourceOf("b", data[1]), sourceOf("c", generated(t, 300, 9))}
	var want []rowOf
	seen := map[uint64]bool{}
	all, number := 0, uint64(0)
	for _, s := range sources {
		r, err := archive.NewReader(s.Reader, s.Size)
		if err != nil {
			t.Fatal(err)
		}
		var g game.Game
		for n := 1; n <= r.Len(); n++ {
			b, i, err := r.Find(n)
			if err == nil {
				err = b.Game(i, &g)
			}
			if err != nil {
				t.Fatal(err)
			}
			number++
			at := g.Start
			for ply, m := range g.MainLine() {
				if all++; !seen[at.Hash()] {
					want = append(want, rowOf{number, ply - 1, byte(at.Turn())})
				}
				seen[at.Hash()] = true
				at.Make(m)
			}
		}
	}
	for _, job := range []dataset.Job{{}, {Shards: 7}, {Shuffle: true, Seed: 3, Shards: 2}} {
		job.Dedupe = true
		rows := positions(t, job, sources...)
		if job.Shuffle {
			if slices.Equal(rows, want) {
				t.Error("there is no shuffle")
			}
			slices.SortFunc(rows, func(a, b rowOf) int {
				if a.game != b.game {
					return int(a.game) - int(b.game)
				}
				return a.ply - b.ply
			})
		}
		if !slices.Equal(rows, want) {
			t.Errorf("%+v: %d rows of %d, want %d", job, len(rows), all, len(want))
		}
	}
}
