// SPDX-License-Identifier: Apache-2.0

package oracle

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
		loaded.Load(uint8(addr), s.LoadData(addr))
	}
	if loaded != s {
		t.Errorf("got\n%vwant\n%v", loaded, s)
	}
}
