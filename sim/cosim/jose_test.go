// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"ply11/bitstream/jose"
	"ply11/game"
	"ply11/game/codec"
	"ply11/internal/datadir"
	"ply11/position"
	"ply11/sim"
	"ply11/sim/eda/edatest"
	"ply11/sim/oracle"
)

type joseGame struct {
	start position.Position
	data  []byte
}

func joseGames(tb testing.TB, d jose.Dialect, games []*game.Game) []joseGame {
	tb.Helper()
	all := encodeJose(d, games)
	if len(all) == 0 {
		tb.Fatal("no games")
	}
	return all
}

func encodeJose(d jose.Dialect, games []*game.Game) (all []joseGame) {
	for _, g := range games {
		rec, err := d.Encode(g, jose.Table)
		if err != nil && !errors.Is(err, codec.ErrLoss) || len(rec.GameText) < 2 {
			continue // what has no number
		}
		all = append(all, joseGame{g.Start, rec.GameText})
	}
	return all
}

func joseData(tb testing.TB, limit int) (all []joseGame) {
	tb.Helper()
	files, err := filepath.Glob(filepath.Join(datadir.Path(tb, "jose"), "*.tsv"))
	if err != nil || len(files) == 0 {
		tb.Fatal("no files", err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		edatest.Must(tb, err)
		r := jose.NewReader(bytes.NewReader(data), jose.Program, jose.Table)
		for n := 0; n < limit; n++ {
			rec, err := r.NextRecord()
			if err == io.EOF {
				break
			}
			if err != nil {
				tb.Fatal(name, err)
			}
			g := joseGame{position.Start(), append([]byte(nil), rec.GameText...)}
			if rec.FEN != "" {
				if g.start, err = position.ParseFENLenient(rec.FEN); err != nil {
					tb.Fatal(name, err)
				}
			}
			all = append(all, g)
		}
	}
	return all
}

func joseFeeds(d jose.Dialect, params oracle.Params, games []joseGame) []feed {
	return spread(games, sim.Narrow/2, func(part []joseGame) feed {
		o := oracle.New(params)
		return newFeed(o, joseStream(o, d, part, 0, 0))
	})
}

// damagedJose changes, cuts and doubles bytes of games, all of which still end.
func damagedJose(d jose.Dialect, games []joseGame, seed, every uint64) []joseGame {
	r := sim.Random(seed)
	var out []joseGame
	for _, g := range games {
		var data []byte
		for _, b := range g.data {
			switch r.Next() % every {
			case 0:
				b = byte(r.Next())
			case 1:
				continue
			case 2:
				data = append(data, b)
			case 3:
				b = [...]byte{0xf0, 0xf1, 0xa0, 0xa8, 0xb0, 0xd1, 0xe0, 0xe1, 0x98, 0x99, 0x9a, 0x9c}[r.Next()%12]
			}
			data = append(data, b)
		}
		data = append(data, 0, 0, 0xff)
		_, size := oracle.JoseTokens(d, data)
		out = append(out, joseGame{g.start, data[:size]})
	}
	return out
}

func randomJose(d jose.Dialect, n int, seed uint64) []joseGame {
	r := sim.Random(seed)
	var out []joseGame
	for range n {
		var data []byte
		p := position.Start()
		for range r.Next() % 200 {
			b := byte(r.Next() % 0xb0)
			switch x := r.Next() % 20; {
			case x == 0:
				b = byte(r.Next())
			case x == 1:
				b = 0x9a
			case x == 2:
				b = 0xf0
			case x == 3:
				b = 0xf1
			default:
				// A move that the board takes, where one is found.
				dec := jose.Decoder{}
				for range 200 {
					c := byte(r.Next() % 0x9a)
					if _, _, err := dec.DecodeIndices(d, &p, nil, append(append([]byte(nil), data...), c)); errors.Is(
						err, codec.ErrTruncated) {
						b = c
						break
					}
				}
			}
			data = append(data, b)
		}
		data = append(data, 0xd1, 0, 0, 0xff)
		_, size := oracle.JoseTokens(d, data)
		out = append(out, joseGame{p, data[:size]})
	}
	return out
}

// jose's games, also those with start positions and variations, are played as the software codec reads them, and errors
// are found at the same byte.
func TestPlayerJose(t *testing.T) {
	games := readGames(t, 40)
	for _, codec := range FindCodecs("jose") {
		d := jose.Dialect(codec.setup.dialect)
		sound := joseGames(t, d, games)
		all := slices.Clone(sound)
		for seed := range uint64(4) {
			all = slices.Concat(all, damagedJose(d, sound, seed, 150), randomJose(d, 15, seed))
		}
		playFeeds(t, new(Harnesses), codec, nil, joseFeeds(d, oracle.Params{Depth: codec.setup.depth}, all)...)
	}
}
