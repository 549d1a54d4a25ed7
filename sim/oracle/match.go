// SPDX-License-Identifier: Apache-2.0

package oracle

import "fmt"

// matchWords are the words of a pattern: sixteen of squares, one of plies, one of what is asked.
const matchWords = 18

// MatchSet returns the pieces, a bit each as State has them, that the eight bits for a square let stand there.
func MatchSet(code uint8) (set uint16) {
	for piece := range 16 {
		in := true
		for bit := range 4 {
			one := piece>>bit&1 != 0
			switch code >> (2 * bit) & 3 {
			case 0:
				switch bit {
				case 0:
					in = false
				case 3:
					in = !in
				default:
					in = in || one
				}
			case 1:
				in = in && !one
			case 2:
				in = in && one
			}
		}
		if in {
			set |= 1 << piece
		}
	}
	return set
}

// matchPieces are the pieces that there are, and none.
const matchPieces = 0x7e7f

// MatchCode returns the eight bits for a square that let exactly these pieces stand there; bit 0 is for none. Not all
// sets have a code.
func MatchCode(set uint16) (code uint8, ok bool) {
	for c := 255; c >= 0; c-- {
		if (MatchSet(uint8(c))^set)&matchPieces == 0 {
			return uint8(c), true
		}
	}
	return 0, false
}

// A Match is a pattern of ply11_match.
type Match struct {
	Squares      [64]uint16 // the pieces that may stand on each, as MatchCode has them
	First, Last  uint16     // plies, from 1
	White, Black bool       // who may be to move
}

// Words returns the words that are written into ply11_match. An error names a square whose set has no code.
func (m *Match) Words() (words [matchWords]uint32, err error) {
	for s, set := range m.Squares {
		code, ok := MatchCode(set)
		if !ok {
			return words, fmt.Errorf("ply11_match has no set of these pieces on %c%d", 'a'+s%8, s/8+1)
		}
		words[s/4] |= uint32(code) << (8 * (s % 4))
	}
	words[16] = uint32(-m.First) | uint32(^m.Last)<<16
	words[17] = 1
	if m.White {
		words[17] |= 2
	}
	if m.Black {
		words[17] |= 4
	}
	return words, nil
}
