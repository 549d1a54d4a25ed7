// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"cmp"
	"slices"

	"ply11/sim"
	"ply11/sim/oracle"
)

// A Hit is a ply that ply11_match has found; games are counted from 1.
type Hit struct{ Game, Ply int }

// A searcher is the netlist of ply11_match behind the players of a machine, one a stream.
type searcher struct {
	m     *sim.Machine
	wires [][2]sim.Signal // an output of the player, and the input that it goes to

	sValid, sLast, sMain, mValid, mKind, mGame, mPly sim.Signal
	hits                                             []Hit
}

func newSearcher(p *machinePlayer, pattern *oracle.Match) (*searcher, error) {
	words, err := pattern.Words()
	if err != nil {
		return nil, err
	}
	n, err := storedNetlist("match")
	if err != nil {
		return nil, err
	}
	ports := sim.Ports{Netlist: n}
	in, out := ports.In, ports.Out
	s := &searcher{sValid: in("s_valid", 1), sLast: in("s_last", 1), sMain: in("s_main", 1), mValid: out("m_valid", 1),
		mKind: out("m_kind", 2), mGame: out("m_game", 32), mPly: out("m_ply", 16),
		wires: [][2]sim.Signal{{p.ports.beat.Slice(0, 2), in("s_kind", 2)},
			{sim.Concat(p.ports.board[:]...), in("board", 256)}, {p.ports.rest.Slice(0, 1), in("side", 1)},
			{p.ports.rest.Slice(9, 25), in("ply", 16)}}}
	rst, write, ready := in("rst", 1), in("set_valid", 1), in("m_ready", 1)
	addr, data := in("set_addr", 5), in("set_data", 32)
	if ports.Err != nil {
		return nil, ports.Err
	}
	if s.m, err = sim.NewMachine(n, p.m.Streams()); err != nil {
		return nil, err
	}
	s.m.SetAll(ready, 1)
	s.m.Pulse(rst, settle)
	s.m.SetAll(write, 1)
	for i, word := range words {
		s.m.SetAll(addr, uint64(i))
		s.m.SetAll(data, uint64(word))
		s.m.Eval()
		s.m.Step()
	}
	s.m.SetAll(write, 0)
	return s, nil
}

// clock passes on the outputs of one of the player's clocks.
func (s *searcher) clock(p *machinePlayer) {
	for w := 0; 64*w < len(p.streams); w++ {
		kind, depth := p.ports.beat, p.ports.beat.Slice(19, 24)
		var side uint64 // in a variation
		for bit := range depth.Width() {
			side |= p.m.Bits(depth, bit, w)
		}
		s.m.SetBits(s.sMain, 0, w, ^side)
		s.m.SetBits(s.sValid, 0, w, p.m.Bits(p.ports.mValid, 0, w)&p.m.Bits(p.ports.mReady, 0, w))
		s.m.SetBits(s.sLast, 0, w, p.m.Bits(kind, 1, w)&^p.m.Bits(kind, 0, w)) // END
		for _, wire := range s.wires {
			for bit := range wire[0].Width() {
				s.m.SetBits(wire[1], bit, w, p.m.Bits(wire[0], bit, w))
			}
		}
	}
	s.m.Eval()
	for w := 0; 64*w < len(p.streams); w++ {
		plies := s.m.Bits(s.mValid, 0, w) &^ (s.m.Bits(s.mKind, 0, w) | s.m.Bits(s.mKind, 1, w))
		each(plies, func(k int) {
			// A game that the stream does not have is number 0, which is a difference.
			hit, numbers, game := Hit{Ply: int(s.m.Get(s.mPly, 64*w+k))}, p.streams[64*w+k].numbers,
				int(s.m.Get(s.mGame, 64*w+k))
			if game >= 1 && game <= len(numbers) {
				hit.Game = numbers[game-1]
			}
			s.hits = append(s.hits, hit)
		})
	}
	s.m.Step()
}

func (s *searcher) sorted() []Hit {
	slices.SortFunc(s.hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(a.Game, b.Game),
			cmp.Compare(a.Ply, b.Ply))
	})
	return s.hits
}
