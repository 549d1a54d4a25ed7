// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"ply11/moveindex"
	"ply11/sim"
)

// A maskStimulus gives streams of random indices to ply11_mask, and compares its words with their sets.
type maskStimulus struct {
	m     *sim.Mask
	r     *rand.Rand
	count int // streams
	pause bool

	took       bool
	left       int
	set        [sim.MaskWords]uint64
	queue      [][sim.MaskWords]uint64
	told       []sim.MaskIn
	word, done int
	begun      int
}

func (s *maskStimulus) Drive() bool {
	in := &s.m.In
	if s.took {
		in.SValid = false
	}
	if !in.SValid && s.begun <= s.count && (!s.pause || s.r.IntN(8) == 0 || s.begun%64 < 32) {
		in.SValid, in.SLast = true, s.left == 0
		in.SIndex = uint16(s.r.IntN(moveindex.NumMoves))
		in.SCount, in.SCheck, in.SMate, in.SStalemate = uint16(s.r.IntN(512)), s.r.IntN(2) == 0, s.r.IntN(2) == 0, s.r.IntN(2) == 0
	}
	in.MReady = !s.pause || s.done%16 < 6 || s.r.IntN(4) == 0
	return s.done < s.count
}

func (s *maskStimulus) Sample() error {
	in, o := &s.m.In, &s.m.Out
	if o.MValid && in.MReady {
		if len(s.queue) == 0 {
			return fmt.Errorf("a word without a stream")
		}
		told := &s.told[0]
		if int(o.MWord) != s.word || o.MData != s.queue[0][s.word] || o.MLast != (s.word == sim.MaskWords-1) ||
			o.MCount != told.SCount || o.MCheck != told.SCheck || o.MMate != told.SMate || o.MStalemate != told.SStalemate {
			return fmt.Errorf("stream %d: word %d is %x, want %x", s.done, o.MWord, o.MData, s.queue[0][s.word])
		}
		if s.word++; o.MLast {
			s.queue, s.told, s.word = s.queue[1:], s.told[1:], 0
			s.done++
		}
	}
	if s.took = o.SReady && in.SValid; s.took {
		if in.SLast {
			s.queue, s.told = append(s.queue, s.set), append(s.told, *in)
			s.set = [sim.MaskWords]uint64{}
			s.left = s.r.IntN(60)
			s.begun++
		} else {
			s.set[in.SIndex>>6] |= 1 << (in.SIndex & 63)
			s.left--
		}
	}
	return nil
}

// ply11_mask gives the set of each stream, and its Verilog does in each clock what the model does.
func TestMaskVerilog(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, tool := range []string{ToolIcarus, ToolVerilator} {
		for _, pause := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/pauses=%v", tool, pause), func(t *testing.T) {
				n := 2000
				if tool == ToolIcarus {
					n = 60
				}
				m := sim.NewMask()
				s := &maskStimulus{m: m, r: rand.New(rand.NewPCG(3, 31)), count: n, pause: pause, left: 7}
				end := b.play(t, tool, trial{m, s})
				if end.Difference != nil {
					t.Error(end.Difference)
				}
				t.Logf("%s: %d streams in %d clocks", tool, s.done, end.Clocks)
			})
		}
	}
}
