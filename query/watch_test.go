// SPDX-License-Identifier: Apache-2.0

package query_test

import (
	"testing"

	"ply11/position"
	"ply11/query"
)

// BenchmarkWatch tells what a ply costs on the board of a watch, of patterns and of numbers of men that no game has, and with the position.
func BenchmarkWatch(b *testing.B) {
	games, _ := plainGames(b, benchText(b, "pgn", "master", "master-50k.pgn.zst"), 200)
	for _, term := range [][2]string{{"pattern", "ka1 Ka8"}, {"material", "Q0 q9"}} {
		q := query.New()
		if err := q.Add(term[0], term[1]); err != nil {
			b.Fatal(err)
		}
		b.Run(term[0], func(b *testing.B) {
			plies := 0
			for b.Loop() {
				for i := range games {
					n, found := q.Watched(games[i].main[0].at, games[i].list)
					if found {
						b.Fatal("found")
					}
					plies += n
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(plies), "ns/ply")
		})
	}
	b.Run("position", func(b *testing.B) {
		plies := 0
		for b.Loop() {
			for i := range games {
				at := position.Start()
				for _, w := range games[i].list {
					at.MakeIndex(w)
				}
				plies += len(games[i].list)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(plies), "ns/ply")
	})
}
