// SPDX-License-Identifier: Apache-2.0

package oracle

import (
	"strings"
	"testing"
)

// The values that docs/hardware.md names let those pieces stand that it says, and each set is found again.
func TestMatchSet(t *testing.T) {
	const pieces = " KQNBRP\x00\x00kqnbrp" // bit by bit
	for code, want := range map[uint8]string{
		255: " KQNBRPkqnbrp", 213: " ", 194: "KQNBRPkqnbrp", 66: "KQNBRP", 130: "kqnbrp",
		86: "K", 89: "Q", 90: "N", 101: "B", 102: "R", 105: "P", 150: "k", 153: "q", 154: "n", 165: "b", 166: "r",
		169: "p",
		214: "Kk", 91: "QN", 103: "BR", 75: "QNBRP", 155: "qn", 167: "br", 139: "qnbrp", 219: "QNqn", 231: "BRbr",
		203: "QNBRPqnbrp",
	} {
		var set uint16
		for _, m := range want {
			set |= 1 << strings.IndexRune(pieces, m)
		}
		if got := MatchSet(code) & matchPieces; got != set {
			t.Errorf("%d lets %015b stand there, not %015b", code, got, set)
		}
	}
	sets := make(map[uint16]bool)
	for code := range 256 {
		set := MatchSet(uint8(code)) & matchPieces
		sets[set] = true
		if found, ok := MatchCode(set); !ok || MatchSet(found)&matchPieces != set {
			t.Errorf("%d: %015b is found as %d, %v", code, set, found, ok)
		}
	}
	if len(sets) != 114 { // one of them of no piece
		t.Errorf("%d different sets", len(sets))
	}
	if code, ok := MatchCode(1<<1 | 1<<10); ok {
		t.Errorf("a white king or a black queen is %d", code)
	}
}

// A pattern as words; a set that no square can have is refused with its square.
func TestMatchWords(t *testing.T) {
	m := Match{First: 1, Last: 65535, White: true}
	for s := range m.Squares {
		m.Squares[s] = matchPieces
	}
	m.Squares[4], m.Squares[63] = 1<<1, 1 // Ke1, nothing on h8
	words, err := m.Words()
	if err != nil || words[0] != 0xffffffff || words[1] != 0xffffff56 || words[15] != 0xd5ffffff ||
		words[16] != 0x0000ffff || words[17] != 3 {
		t.Errorf("%x, %v", words, err)
	}
	m.Squares[57] = 1<<1 | 1<<10
	if _, err := m.Words(); err == nil || !strings.Contains(err.Error(), "b8") {
		t.Error(err)
	}
}
