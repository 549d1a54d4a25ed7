// SPDX-License-Identifier: Apache-2.0

package samegame

import "testing"

// TestNames: names of one person as files write them are alike, and others are not.
func TestNames(t *testing.T) {
	key := func(name string) string {
		var k Key
		k.appendName(name)
		return string(k.key)
	}
	for _, alike := range [][]string{
		{"Réti, Richard", "RETI, R.", "Richard Reti", "reti,r", "Re\u0301ti, Richard (wh)"},
		{"Carlsen, M", "Carlsen,Magnus", "Magnus Carlsen", "M. Carlsen"},
		{"Van der Wiel, John", "John van der Wiel", "Wiel, J"},
		{"Łukasz Müßig", "MUSSIG, L"},
		{"DrNykterstein", "drnykterstein"},
		{"", "?", " , "},
	} {
		for _, name := range alike[1:] {
			if key(name) != key(alike[0]) {
				t.Errorf("%q is not as %q", name, alike[0])
			}
		}
	}
	others := []string{"Reti, R", "Reti", "Reti, S", "Retir", "Ret, I", "Polgar, Judit", "Polgar, Susan", "Полгар, Ю",
		"R", "", "李, 超", "李, 明"}
	for i, a := range others {
		for _, b := range others[:i] {
			if key(a) == key(b) {
				t.Errorf("%q is as %q", a, b)
			}
		}
	}
}
