// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"ply11/position"
	"ply11/sim"
	"ply11/sim/oracle"
)

// perftBytesStimulus sends bytes to ply11_perft_bytes, and compares the bytes that come back.
type perftBytesStimulus struct {
	m          *sim.PerftBytes
	data, want []byte
	gap, ready sim.Pattern
	got        int
	taken      bool // the byte that was offered
}

func (s *perftBytesStimulus) Drive() bool {
	in := &s.m.In
	if s.taken {
		in.SValid, s.taken, s.data = false, false, s.data[1:]
	}
	if !in.SValid && len(s.data) > 0 && s.gap() {
		in.SValid, in.SData = true, s.data[0]
	}
	in.MReady = s.ready()
	return s.got < len(s.want)
}

func (s *perftBytesStimulus) Sample() error {
	in, o := &s.m.In, &s.m.Out
	if o.MValid && in.MReady {
		if o.MData != s.want[s.got] {
			return fmt.Errorf("byte %d is %02x, want %02x", s.got, o.MData, s.want[s.got])
		}
		s.got++
	}
	s.taken = in.SValid && o.SReady
	return nil
}

// perftBytes are an order, of the position before if p is nil, and the answer, of counts.
func perftBytes(p *position.Position, counts ...uint64) (order, answer []byte) {
	order = []byte{byte(len(counts) - 1)}
	if p != nil {
		order[0] |= 0x80
		s := oracle.NewState(p)
		for i := range 9 {
			order = binary.LittleEndian.AppendUint32(order, s.LoadData(i))
		}
	}
	for d, n := range counts {
		if d == len(counts)-1 {
			d |= 0x80
		}
		answer = binary.LittleEndian.AppendUint64(append(answer, byte(d)), n)
	}
	return order, answer
}

// Orders as bytes: the model answers with package position's counts, and Icarus does in each clock what the model does.
func TestPerftBytes(t *testing.T) {
	kiwi := fromFEN(t, kiwipete)
	var data, want bytes.Buffer
	add := func(order, answer []byte) {
		data.Write(order)
		want.Write(answer)
	}
	add(perftBytes(nil, 1, 20, 400))
	add(perftBytes(kiwi, 1))
	add(perftBytes(nil, 1, 48))
	if kiwi.Perft(1) != 48 {
		t.Fatal("Kiwipete")
	}
	m, err := sim.NewPerftBytes(sim.MaxPerft)
	if err != nil {
		t.Fatal(err)
	}
	s := &perftBytesStimulus{m: m, data: data.Bytes(), want: want.Bytes(), gap: sim.Noise(3, 50), ready: sim.Noise(4, 50)}
	if end := newBench(t).play(t, ToolIcarus, trial{m, s}); end.Difference != nil {
		t.Error(end.Difference)
	}
	if s.got != want.Len() {
		t.Errorf("%d bytes of %d", s.got, want.Len())
	}
}
