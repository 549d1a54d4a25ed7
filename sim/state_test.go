// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"testing"

	"ply11/position"
)

func TestInitial(t *testing.T) {
	p := position.Start()
	if got, want := Initial(), NewState(&p); got != want {
		t.Errorf("got\n%vwant\n%v", got, want)
	}
	var loaded State
	s := Initial()
	s.Ply, s.EP, s.Side = 54321, 5, 1
	for addr := range 9 {
		loaded.load(uint8(addr), s.LoadData(addr))
	}
	if loaded != s {
		t.Errorf("got\n%vwant\n%v", loaded, s)
	}
}

func TestBoardDoesNotAllocate(t *testing.T) {
	b, _ := NewBoard(8)
	b.In.MReady, b.In.SValid = true, true
	n := uint16(0)
	if got := testing.AllocsPerRun(1000, func() {
		n++
		b.In.SIndex = n & 2047
		b.Eval()
		b.Step()
	}); got != 0 {
		t.Errorf("%v allocations a clock", got)
	}
}
