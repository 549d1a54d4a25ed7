// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"slices"
	"testing"

	"ply11/bitstream"
	"ply11/chess"
	"ply11/game"
	"ply11/moveindex"
	"ply11/position"
	"ply11/sim"
	"ply11/sim/oracle"
)

// replaced are the main lines of games as words, each with one ply replaced by a random move, for a player with LEGAL
// 1.
type replaced struct {
	feeds   []feed
	reasons map[oracle.Reason]int // of plies and errors
	faults  int                   // errors of the board
}

func newReplaced(t *testing.T, params oracle.Params, games []*game.Game, seed uint64, streams int) *replaced {
	t.Helper()
	random := sim.Random(seed)
	all := &replaced{reasons: map[oracle.Reason]int{}}
	all.feeds = spread(replaceWords(t, &random, games), streams, func(part [][]moveindex.Index) feed {
		words := slices.Concat(part...)
		params.Legal = true
		o := oracle.New(params)
		o.Words(words)
		return newFeed(o, packWords(words))
	})
	for _, f := range all.feeds {
		for _, b := range f.beats {
			switch {
			case b.Kind == oracle.BeatError && b.Reason == oracle.NoReason:
				all.faults++
			case b.Kind != oracle.BeatEnd:
				all.reasons[b.Reason]++
			}
		}
	}
	return all
}

func replaceWords(t *testing.T, r *sim.Random, games []*game.Game) (list [][]moveindex.Index) {
	for _, g := range games {
		var all []moveindex.Index
		line := g.AppendMainLine(nil)
		if len(line) == 0 {
			continue
		}
		state := oracle.NewState(&g.Start)
		if g.Start != position.Start() {
			var err error
			if all, err = bitstream.AppendStart(all, &g.Start); err != nil {
				t.Fatal(err)
			}
		}
		at := int(r.Next() % uint64(len(line)))
		for n, m := range line {
			i := moveindex.Null
			if m != chess.NullMove {
				i, _ = moveindex.Of(m)
			}
			if n == at {
				i = moveindex.Index(r.Next() % moveindex.NumMoves)
				if r.Next()%2 == 0 {
					// One that the board applies.
					for after := state; ; after = state {
						if _, _, fault := after.Play(i); fault == oracle.NoFault {
							break
						}
						i = moveindex.Index(r.Next() % moveindex.NumMoves)
					}
				}
			}
			all = append(all, i)
			state.Play(i)
		}
		list = append(list, append(all, g.Result.Index()))
	}
	return list
}

// With LEGAL 1 the player plays what is sound, and refuses exactly the first move of a game that is not legal, with its
// reason.
func TestPlayerReferee(t *testing.T) {
	games := readGames(t, 200)
	for _, codec := range Refereed(FindCodecs("words")) {
		params := oracle.Params{Depth: codec.setup.depth, Legal: true}
		r := newReplaced(t, params, games, 9, sim.Narrow/2)
		t.Logf("a ply of each of %d games replaced: %d errors of the board, %v", len(games), r.faults, r.reasons)
		for _, reason := range []oracle.Reason{oracle.ReasonBlocked, oracle.ReasonCheck} {
			if r.reasons[reason] == 0 {
				t.Errorf("no game ends with %v", reason)
			}
		}
		playFeeds(t, new(Harnesses), codec, nil, r.feeds...)
		playFeeds(t, new(Harnesses), codec, nil, wordFeeds(t, params, games)...)
	}
}
