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
}
