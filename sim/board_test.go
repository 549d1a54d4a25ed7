// SPDX-License-Identifier: Apache-2.0

package sim

import "testing"

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
