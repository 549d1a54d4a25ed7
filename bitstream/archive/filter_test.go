// SPDX-License-Identifier: Apache-2.0

package archive_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"ply11/bitstream/archive"
	"ply11/chess"
	"ply11/game"
	"ply11/position"
)

func homePawns(p *position.Position) (home uint16) {
	for f := range 8 {
		if p.PieceAt(chess.NewSquare(f, 1)) == chess.WhitePawn {
			home |= 1 << f
		}
		if p.PieceAt(chess.NewSquare(f, 6)) == chess.BlackPawn {
			home |= 1 << (8 + f)
		}
	}
	return home
}

// fixedWith packs a text.
func fixedWith(tb testing.TB, text []byte, o ...archive.PackOption) []byte {
	tb.Helper()
	data, _ := archive.MustPack(tb, text, o...)
	return data
}

// eachPosition calls do with each position of the main lines of a block, and goes on with the next game when it returns
// false.
func eachPosition(b *archive.Block, do func(n, ply int, p *position.Position) bool) error {
	for n := 1; n <= b.Len(); n++ {
		p, err := b.Start(n)
		if err != nil {
			return err
		}
		line, err := b.MainLine(nil, n)
		if err != nil {
			return err
		}
		for k := 0; do(n, k, &p) && k < len(line); k++ {
			p.MakeIndex(line[k])
		}
	}
	return nil
}

// may reports whether a filter lets game n of its block pass.
func may(f *archive.Filter, n int, need archive.Need) bool {
	return len(archive.NewFilterTest(need).Keep(f, []int{n})) > 0
}

// TestFilterLetsPass: no filter keeps out a position that its game has; and it keeps out most others.
func TestFilterLetsPass(t *testing.T) {
	tried, passed := 0, 0
	for _, name := range gameFiles(t) {
		data := fixedWith(t, sampleOf(archive.ReadData(t, name), 600<<10))
		for b := range archive.BlocksOf(t, data) {
			f, ok, err := b.Filter()
			if err != nil || !ok && b.Len() > 0 {
				t.Fatalf("%s: no filter: %v", name, err)
			}
			var needs []archive.Need
			var games []int // in which they are
			err = eachPosition(b, func(n, ply int, p *position.Position) bool {
				home := homePawns(p)
				need := archive.Need{Home: home, Gone: ^home, Pieces: [2]int{p.ByColor(chess.White).Count(),
					p.ByColor(chess.Black).Count()}}
				if !may(&f, n, need) {
					t.Errorf("%s: game %d, ply %d is kept out", name, b.First()+n-1, ply)
				}
				if !may(&f, n, archive.Need{Pieces: [2]int{16, 16}}) ||
					!may(&f, n, archive.Need{Home: home, Gone: ^home & 0x1818, Pieces: [2]int{16, 16}}) {
					t.Errorf("%s: game %d, ply %d is kept out by less", name, b.First()+n-1, ply)
				}
				if ply == 25 && len(needs) < 20 {
					needs, games = append(needs, need), append(games, n)
				}
				return ply < 300
			})
			if err != nil {
				t.Fatal(err)
			}
			for i := range needs {
				// From a set-up start few pawns are at home, and a filter tells little.
				start, err := b.Start(games[i])
				if err != nil {
					t.Fatal(err)
				}
				usual := start == position.Start()
				for n := 1; n <= b.Len(); n++ {
					if usual && n != games[i] {
						tried++
						if may(&f, n, needs[i]) {
							passed++
						}
					}
				}
			}
		}
	}
	t.Logf("of %d games and positions of others after 25 plies, %d pass", tried, passed)
	if passed*10 > tried {
		t.Errorf("of %d games and positions, %d pass: the filter tells little", tried, passed)
	}
}

// TestFilterForms: fixed moves have filters unless they are not wanted, dense ones have none; recoding adds and drops
// them.
func TestFilterForms(t *testing.T) {
	text := []byte(strings.Repeat("[Event \"a\"]\n\n1. e4 e5 2. Nf3 *\n\n", 50))
	has := func(data []byte) string {
		out := ""
		for b := range archive.BlocksOf(t, data) {
			if _, ok, err := b.Filter(); err != nil {
				t.Fatal(err)
			} else {
				out += fmt.Sprint(ok, " ")
			}
		}
		return out
	}
	recode := func(o []archive.CopyOption, data []byte) []byte {
		var out bytes.Buffer
		if _, err := archive.Copy(t.Context(), &out, []io.Reader{bytes.NewReader(data)}, o...); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	with := fixedWith(t, text)
	without := fixedWith(t, text, archive.WithFilter(false))
	dense := fixedWith(t, text, archive.WithDense(true))
	if has(with) != "true " || has(without) != "false " || has(dense) != "false " {
		t.Error(has(with), has(without), has(dense))
	}
	for _, x := range []struct {
		name      string
		got, want []byte
	}{
		{"added", recode([]archive.CopyOption{archive.WithDense(false)}, without), with},
		{"kept", recode([]archive.CopyOption{archive.WithDense(false)}, with), with},
		{"dropped", recode([]archive.CopyOption{archive.WithDense(false), archive.WithFilter(false)}, with), without},
		{"made from dense", recode([]archive.CopyOption{archive.WithDense(false)}, dense), with},
		{"left out by dense", recode([]archive.CopyOption{archive.WithDense(true)}, with), dense},
		{"as it is", recode(nil, without), without},
		{"as it is", recode(nil, with), with},
	} {
		if !bytes.Equal(x.got, x.want) {
			t.Errorf("%s: other bytes", x.name)
		}
	}
	// What stands behind it keeps its place.
	var g game.Game
	r := archive.MustOpen(t, with)
	if err := r.Game(50, &g); err != nil || g.Len() != 3 {
		t.Error(err)
	}
}
