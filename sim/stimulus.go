// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"

	"ply11/moveindex"
	"ply11/sim/oracle"
)

// A Stimulus feeds the inputs of a model. In each clock Drive sets them, or returns false at the end;
// then, after the model's Eval, Sample looks at the outputs before the clock's edge.
type Stimulus interface {
	Drive() bool
	Sample() error
}

// A Pattern says in which clocks a side of a handshake wants to move: one call a clock.
type Pattern func() bool

// Always wants to move in every clock.
func Always() bool { return true }

// Noise wants to move in percent of the clocks, by a generator that the seed starts.
func Noise(seed uint64, percent int) Pattern {
	r := Random(seed)
	return func() bool { return r.Next()%100 < uint64(percent) }
}

// Random is the generator splitmix64: the same numbers everywhere, for ever. Its value is its seed.
type Random uint64

// Next returns the next 64 bits.
func (r *Random) Next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// A Stream is the sending side of a handshake: what is offered stays until it is taken.
type Stream struct {
	Valid *bool       // the input to drive
	Ready *bool       // the output that takes
	Next  func() bool // puts the next data on the inputs; false when there is none
	When  Pattern     // nil is Always

	Ended   bool // Next returned false
	offered bool
}

// Drive offers data.
func (s *Stream) Drive() {
	if s.When == nil {
		s.When = Always
	}
	if want := s.When(); want && !s.offered && !s.Ended {
		s.offered = s.Next()
		s.Ended = !s.offered
	}
	*s.Valid = s.offered
}

// Sample reports whether the data moved in this clock.
func (s *Stream) Sample() bool {
	if *s.Valid && *s.Ready {
		s.offered = false
		return true
	}
	return false
}

// Done reports that all data has been taken.
func (s *Stream) Done() bool { return s.Ended && !s.offered }

// A BoardOp is something for ply11_board to do: an operation, or a position to load.
type BoardOp struct {
	Op    uint8 // OpMove, OpNew, OpPass
	Index moveindex.Index
	User  uint64
	Load  *oracle.State // if not nil, this position is loaded
}

// A BoardStimulus feeds a Board with operations, one after the other, and waits for all beats.
type BoardStimulus struct {
	Board *Board
	Next  func() (BoardOp, bool)
	Gap   Pattern // when an operation is offered; nil is Always
	Ready Pattern // when a beat is taken; nil is Always
	// Beat, if set, is called with each beat that is taken and the operation that it answers. Its error
	// ends the run.
	Beat func(op BoardOp, o *BoardOut) error

	op      BoardOp
	have    bool
	ended   bool
	row     int       // of a load, the next to go
	flying  []BoardOp // accepted, their beats still to come
	tail    int       // clocks since the last
	Clocks  int
	Accepts int
}

// Drive offers the next operation or beat of a load.
func (s *BoardStimulus) Drive() bool {
	in := &s.Board.In
	*in = BoardIn{MReady: s.Ready == nil || s.Ready()}
	s.Clocks++
	if !s.have && !s.ended && (s.Gap == nil || s.Gap()) {
		s.op, s.have = s.Next()
		s.ended = !s.have
		s.row = 0
	}
	if s.ended && len(s.flying) == 0 {
		// The last load shows some clocks later.
		if s.tail++; s.tail > 4 {
			return false
		}
	}
	if !s.have {
		return true
	}
	if s.op.Load != nil {
		in.LoadValid, in.LoadAddr, in.LoadData = true, uint8(s.row), s.op.Load.LoadData(s.row)
	} else {
		in.SValid, in.SOp, in.SIndex, in.SUser = true, s.op.Op, uint16(s.op.Index), s.op.User
	}
	return true
}

// Sample takes note of what moved and passes a beat on.
func (s *BoardStimulus) Sample() error {
	in, out := &s.Board.In, &s.Board.Out
	if out.MValid && in.MReady {
		if len(s.flying) == 0 {
			return fmt.Errorf("clock %d: a beat without an operation", s.Clocks)
		}
		op := s.flying[0]
		s.flying = s.flying[:copy(s.flying, s.flying[1:])]
		if s.Beat != nil {
			if err := s.Beat(op, out); err != nil {
				return fmt.Errorf("clock %d: %w", s.Clocks, err)
			}
		}
	}
	if in.SValid && out.SReady {
		s.flying = append(s.flying, s.op)
		s.have = false
		s.Accepts++
	}
	if in.LoadValid && out.LoadReady {
		if s.row++; s.row == 9 {
			s.have = false
		}
	}
	return nil
}
