// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"ply11/bitstream"
	"ply11/bitstream/brenner"
	"ply11/game"
	"ply11/game/codec"
	"ply11/game/pgn"
	"ply11/internal/datadir"
	"ply11/internal/samples"
	"ply11/sim"
	"ply11/sim/eda/edatest"
	"ply11/sim/oracle"
	"ply11/testdata"
)

// A feed is a stream of bytes with start positions and beats.
type feed struct {
	data  []byte
	beats []oracle.Beat
	loads []oracle.Load
	games int
}

func newFeed(o *oracle.Oracle, data []byte) feed {
	if err := o.Err(); err != nil {
		panic(err) // a test's stream is one of which the oracle knows all
	}
	return feed{data, o.Beats(), o.Loads(), o.Games()}
}

// playFeeds plays each feed in a stream of its own on the codec's player, and in simulators beside it. But for Icarus
// it plays each once more with idle clocks and back-pressure, as long as there are streams.
func playFeeds(t *testing.T, hs *Harnesses, codec Codec, tools []string, feeds ...feed) *machinePlayer {
	t.Helper()
	streams := sim.Narrow
	if len(feeds) > streams {
		streams = sim.Wide
	}
	p, err := newPlayer(t.Context(), codec, streams, hs.of(codec, tools))
	edatest.Must(t, err)
	if len(feeds) > len(p.streams) {
		t.Fatalf("%d feeds, %d streams", len(feeds), len(p.streams))
	}
	twice := min(2*len(feeds), len(p.streams))
	for i := range p.streams {
		s := &p.streams[i]
		s.ended = true
		if i >= twice {
			continue
		}
		f := &feeds[i%len(feeds)]
		s.loads = append(s.loads, f.loads...)
		s.push(f.data, f.beats)
		if i >= len(feeds) {
			s.gap, s.ready = noise(uint64(2*i), 75), noise(uint64(2*i+1), 75)
		}
	}
	p.run(t.Context())
	if p.link != nil {
		ends, err := p.link.Close()
		if err != nil {
			t.Error(edatest.Failure(err))
		}
		for _, e := range ends {
			if e.Difference != nil {
				t.Errorf("%s: %v", codec.Name, e.Difference)
			}
		}
	}
	if p.mismatch != nil {
		t.Errorf("%s: %v", codec.Name, p.mismatch)
	}
	t.Logf("%s: %d streams, %d games, %d plies, %d clocks, errors by code %v", codec.Name, twice, p.games, p.plies,
		p.clocks, p.errors)
	return p
}

// spread makes feeds of games for at most so many streams: a machine takes as long for one as for all.
func spread[G any](games []G, streams int, feedOf func([]G) feed) (feeds []feed) {
	for k := range min(streams, len(games)) {
		var part []G
		for at := k; at < len(games); at += streams {
			part = append(part, games[at])
		}
		feeds = append(feeds, feedOf(part))
	}
	return feeds
}

func readGames(tb testing.TB, limit int) []*game.Game {
	tb.Helper()
	var all []*game.Game
	add := func(r *pgn.Reader, limit int) {
		for g, err := range r.All() {
			if limit--; limit < 0 {
				return
			}
			if err == nil {
				all = append(all, g)
			}
		}
	}
	add(pgn.NewReader(strings.NewReader(testdata.Famous)), limit)
	for _, name := range [][]string{{"annotated", "lichess-1k.pgn.zst"}, {"edge", "openrating_underpromotions.pgn"},
		{"annotated", "studies.pgn"}} {
		src, _ := datadir.Open(tb, samples.Like(name[1]), "pgn", name[0], name[1])
		add(pgn.NewReader(src), limit/2)
	}
	return all
}

func wordFeeds(tb testing.TB, params oracle.Params, games []*game.Game) []feed {
	tb.Helper()
	return spread(games, sim.Narrow/2, func(part []*game.Game) feed {
		var b bytes.Buffer
		o := oracle.New(params)
		w := bitstream.NewWriter(&b, codec.Lossy(nil))
		for _, g := range part {
			edatest.Must(tb, w.Write(g))
			o.Game(g)
		}
		edatest.Must(tb, w.Close())
		return newFeed(o, append(b.Bytes(), 0xff, 0xff, 0xff))
	})
}

func brennerFeeds(tb testing.TB, params oracle.Params, l brenner.Layout, games []*game.Game) []feed {
	tb.Helper()
	games = slices.DeleteFunc(slices.Clone(games), func(g *game.Game) bool {
		_, err := l.Encode(g)
		return err != nil
	})
	if len(games) == 0 {
		tb.Fatal("no games")
	}
	return spread(games, sim.Narrow/2, func(part []*game.Game) feed {
		o := oracle.New(params)
		var b bytes.Buffer
		w := brenner.NewWriter(&b, l)
		for _, g := range part {
			edatest.Must(tb, w.Write(g))
			o.Game(g)
		}
		edatest.Must(tb, w.Close())
		return newFeed(o, b.Bytes())
	})
}
