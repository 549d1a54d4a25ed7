// SPDX-License-Identifier: Apache-2.0

package index_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"ply11/chess"
	"ply11/internal/querytest"
	"ply11/position"
	"ply11/query"
	"ply11/query/index"
)

// equalHashes returns two positions of the same hash. Hashes are sums of keys: it finds squares on which another piece
// changes nothing.
func equalHashes(tb testing.TB, rng *rand.Rand) (a, b position.Position) {
	tb.Helper()
	kinds := []chess.Kind{chess.Knight, chess.Bishop, chess.Rook, chess.Queen}
	letters := map[chess.Kind]byte{chess.Knight: 'n', chess.Bishop: 'b', chess.Rook: 'r', chess.Queen: 'q'}
	fen := func(pieces [64]byte) string {
		var s strings.Builder
		for rank := 7; rank >= 0; rank-- {
			s.Write(pieces[8*rank : 8*rank+8])
			if rank > 0 {
				s.WriteByte('/')
			}
		}
		return s.String() + " w - - 0 1"
	}
	for range 100 {
		var pieces, other [64]byte
		pieces[0], other[0], pieces[63], other[63] = 'K', 'K', 'k', 'k'
		for s := 1; s < 63; s++ {
			i := rng.IntN(4)
			pieces[s], other[s] = letters[kinds[i]], letters[kinds[(i+1+rng.IntN(3))%4]]
		}
		first, err := position.ParseFENLenient(fen(pieces))
		if err != nil {
			tb.Fatal(err)
		}
		// Gauss: what each square changes, and which squares were added to make it so.
		var rows [64]struct{ change, squares uint64 }
		for s := 1; s < 63; s++ {
			one := pieces
			one[s] = other[s]
			p, err := position.ParseFENLenient(fen(one))
			if err != nil {
				tb.Fatal(err)
			}
			change, squares := p.Hash()^first.Hash(), uint64(1)<<s
			for bit := 63; bit >= 0 && change != 0; bit-- {
				if change>>bit&1 == 0 {
					continue
				}
				if rows[bit].change == 0 {
					rows[bit].change, rows[bit].squares = change, squares
					break
				}
				change, squares = change^rows[bit].change, squares^rows[bit].squares
			}
			if change == 0 {
				two := pieces
				for s := range 64 {
					if squares>>s&1 != 0 {
						two[s] = other[s]
					}
				}
				second, err := position.ParseFENLenient(fen(two))
				if err != nil {
					tb.Fatal(err)
				}
				if first.Hash() != second.Hash() || first == second {
					tb.Fatal("the hashes are not the same")
				}
				return first, second
			}
		}
	}
	tb.Fatal("no such positions")
	return a, b
}

// TestIndexEqualHashes: positions of the same hash are told apart, rare, shared or common, also if the index has only
// one.
func TestIndexEqualHashes(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 4))
	tried := 0
	for range 4 {
		a, b := equalHashes(t, rng)
		game := func(p *position.Position, result string) string {
			san := "" // as a rule it is mate
			if moves := p.LegalMoves(nil); len(moves) > 0 {
				san = "1. " + p.SAN(moves[rng.IntN(len(moves))])
			}
			return fmt.Sprintf("[SetUp \"1\"]\n[FEN \"%s\"]\n[Result \"%s\"]\n\n%s %s\n\n", p.FEN(), result, san,
				result)
		}
		for _, n := range [][2]int{{1, 1}, {1, 0}, {3, 1}, {1, 3}, {3, 5}, {0, 4}, {300, 2}, {2, 300}, {300, 400},
			{300, 0}} {
			var text strings.Builder
			for i := range max(n[0], n[1]) {
				if i < n[0] {
					text.WriteString(game(&a, "1-0"))
				}
				if i < n[1] {
					text.WriteString(game(&b, "0-1"))
				}
			}
			data := querytest.Pack(t, []byte(text.String()))
			full := querytest.BuildIndex(t, data, index.Options{})
			if err := querytest.OpenIndex(t, full).Verify(context.Background(), nil); err != nil {
				t.Fatal(err)
			}
			for k, at := range []position.Position{a, b} {
				want := treesOf(t, data, nil, []position.Position{at})
				if want[0].All.Games != n[k] {
					t.Fatalf("the scan finds %d games, and there are %d", want[0].All.Games, n[k])
				}
				for range 2 {
					if got := treesOf(t, data, full, []position.Position{a, at, b, at})[1:2]; !reflect.DeepEqual(got,
						want) {
						t.Errorf("%v: position %d: by the index %+v, by a scan %+v", n, k, got[0], want[0])
					}
				}
				counts := querytest.OpenTree(t, querytest.BuildTree(t, data, index.TreeOptions{}))
				got, err := query.New().Tree(context.Background(), []query.Source{{Counts: counts}}, at,
					query.TreeOptions{})
				if err != nil || got.All.Games != n[k] || got.All.White != want[0].All.White {
					t.Errorf("%v: position %d: by a tree file %+v: %v", n, k, got, err)
				}
				tried++
			}
		}
	}
	if tried < 40 {
		t.Errorf("%d", tried)
	}
}
