// SPDX-License-Identifier: Apache-2.0

package lichess

import (
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"testing"

	"ply11/internal/cputime"
	"ply11/position"
)

// benchHandler serves the archive that PLY11_MEASURE names, with its index beside it, or games by chance, and has
// questions about positions of its games.
func benchHandler(b *testing.B) (*Handler, []*http.Request) {
	path := os.Getenv("PLY11_MEASURE")
	a := Archive{Name: "a.p11", Path: path, Index: path + "x"}
	if path == "" {
		_, pgn := plainMake(1, 700)
		a = pack(b, b.TempDir(), "a.p11", pgn)
	}
	h := handler(b, Options{}, a)
	rng := rand.New(rand.NewPCG(1, 1))
	var list []*http.Request
	for len(list) < 2000 {
		at := position.Start()
		for range 4 + rng.IntN(20) {
			fen := url.Values{"fen": {at.FEN()}}
			y := get(b, h, "/masters", fen)
			if y.total() == 0 {
				break
			}
			r := httptest.NewRequest("GET", []string{"/masters", "/lichess"}[rng.IntN(2)]+"?"+fen.Encode(), nil)
			r.Header.Set("Accept-Encoding", "gzip")
			list = append(list, r)
			m, err := at.ParseSAN(y.Moves[min(rng.IntN(len(y.Moves)), rng.IntN(len(y.Moves)))].SAN)
			if err != nil {
				b.Fatal(err)
			}
			at.Make(m)
		}
	}
	return h, list
}

// BenchmarkAnswer measures an answer that is kept, one that is made of games that are known by name, and one of games
// that are read.
func BenchmarkAnswer(b *testing.B) {
	h, list := benchHandler(b)
	for _, c := range []struct {
		name           string
		answers, infos bool // they are forgotten each time
	}{{"kept", false, false}, {"made", true, false}, {"read", true, true}} {
		b.Run(c.name, func(b *testing.B) {
			ask := func(r *http.Request) {
				w := httptest.NewRecorder()
				if h.ServeHTTP(w, r); w.Code != 200 {
					b.Fatal(w.Code)
				}
			}
			for _, r := range list {
				ask(r)
			}
			i := 0
			began := cputime.Now()
			for b.Loop() {
				s := h.state.Load()
				if c.answers {
					s.answers.Purge()
				}
				if c.infos {
					s.infos.Purge()
				}
				ask(list[i%len(list)])
				i++
			}
			b.ReportMetric(float64((cputime.Now()-began).Microseconds())/float64(i), "cpu-µs/op")
		})
	}
}
