// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"strings"
	"testing"
)

func TestWrap(t *testing.T) {
	long := strings.Repeat("eleven bits ", 9) // 108 bytes
	text := "A move is\neleven bits.\n\n  kept   as it is " + long + "\n" + long + "\n"
	want := "A move is eleven bits.\n\n  kept   as it is " + long + "\n" + strings.Repeat("eleven bits ", 7) +
		"eleven bits\neleven bits"
	if got := wrap(text); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
