// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ply11/position"
	"ply11/sim"
	"ply11/sim/eda"
	"ply11/sim/oracle"
)

// ErrPerft is a count that is not that of package position.
var ErrPerft = errors.New("wrong count")

// A PerftCount is what ply11_perft counts of a position.
type PerftCount struct {
	Counts []uint64      // of the depths from 0 on
	Clocks int           // from the order to the last count
	CPU    time.Duration // processor time of the simulation; 0 for the model alone
}

// Perft counts the positions that legal moves reach from a position, in up to depth plies, 0..sim.MaxPerft, by the model of
// ply11_perft, and compares the counts with package position. With a harness, its Verilog is beside the model, and all outputs
// are compared in all clocks: the first that differs is the error, a *Difference. It takes as long as the tree is large:
// the model plays about two million clocks a second.
func Perft(ctx context.Context, h *Harness, p *position.Position, depth int) (PerftCount, error) {
	m, err := sim.NewPerft(sim.MaxPerft)
	if err != nil {
		return PerftCount{}, err
	}
	if depth < 0 || depth > sim.MaxPerft {
		return PerftCount{}, fmt.Errorf("a depth of %d: 0 to %d are possible", depth, sim.MaxPerft)
	}
	s := &perftStimulus{ctx: ctx, m: m, p: p, state: oracle.NewState(p), depth: depth}
	if h == nil {
		for s.Drive() {
			m.Eval()
			if err := s.Sample(); err != nil {
				return s.PerftCount, err
			}
			m.Step()
		}
		return s.PerftCount, ctx.Err()
	}
	link, err := NewLink(ctx, m, h)
	if err != nil {
		return PerftCount{}, err
	}
	err = link.Play(s)
	ends, closeErr := link.Close()
	if err := errors.Join(err, ctx.Err(), closeErr); err != nil {
		return s.PerftCount, err
	}
	s.CPU = ends[0].CPU
	if d := ends[0].Difference; d != nil {
		return s.PerftCount, d
	}
	return s.PerftCount, nil
}

// NewPerftHarness builds the simulation of ply11_perft for Perft.
func NewPerftHarness(ctx context.Context, w *eda.Work, tool string) (*Harness, error) {
	m, err := sim.NewPerft(sim.MaxPerft)
	if err != nil {
		return nil, err
	}
	return NewHarness(ctx, w, m, tool)
}

// A perftStimulus loads a position into ply11_perft, gives the order, and takes the counts.
type perftStimulus struct {
	PerftCount
	ctx   context.Context
	m     *sim.Perft
	p     *position.Position
	state oracle.State
	depth int
	ready sim.Pattern // of m_ready; nil is always

	words   int // that were loaded
	ordered bool
}

func (s *perftStimulus) Drive() bool {
	in := &s.m.In
	in.LoadValid, in.SValid = s.words < 9, !s.ordered && s.words == 9
	in.LoadAddr, in.LoadData = uint8(s.words%9), s.state.LoadData(s.words%9)
	in.SDepth = uint8(s.depth)
	in.MReady = s.ready == nil || s.ready()
	if s.Clocks&0xffff == 0xffff && s.ctx.Err() != nil {
		return false
	}
	return len(s.Counts) <= s.depth
}

func (s *perftStimulus) Sample() error {
	in, o := &s.m.In, &s.m.Out
	switch {
	case s.ordered:
		s.Clocks++
	case in.LoadValid && o.LoadReady:
		s.words++
	case in.SValid && o.SReady:
		s.ordered = true
	}
	if o.MValid && in.MReady {
		d := len(s.Counts)
		if want := s.p.Perft(d); int(o.MDepth) != d || o.MCount != want || o.MLast != (d == s.depth) {
			return fmt.Errorf("%w: %s: depth %d, last %v, is counted as %d, not as %d of depth %d",
				ErrPerft, s.p, o.MDepth, o.MLast, o.MCount, want, d)
		}
		s.Counts = append(s.Counts, o.MCount)
	}
	return nil
}
