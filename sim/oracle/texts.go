// SPDX-License-Identifier: Apache-2.0

package oracle

import (
	"ply11/bitstream/brenner"
	"ply11/bitstream/jose"
)

// A TextByte is what ply11_player shows of a text in a clock in which text_valid is 1.
type TextByte struct {
	Data uint8
	Last bool
	Kind uint8 // 0 a comment, 1..4 jose's records of errors
}

// BrennerTexts appends the texts in bytes of whole games in Brenner's code.
func BrennerTexts(dst []TextByte, l brenner.Layout, data []byte) []TextByte {
	inside := false
	for _, b := range data {
		if !inside {
			inside = l.Meaning(b).Class == brenner.TextByte
			continue
		}
		inside = b != 0
		dst = append(dst, TextByte{Data: b, Last: !inside})
	}
	return dst
}

// JoseTexts appends the texts in GameText of games, one after the other.
func JoseTexts(dst []TextByte, d jose.Dialect, data []byte) []TextByte {
	for len(data) > 0 {
		tokens, size := JoseTokens(d, data)
		for i, t := range tokens {
			kind := uint8(0)
			switch t.Meaning.Class {
			default:
				continue
			case jose.ErrorByte:
				kind = uint8(t.Meaning.Code) + 1
			case jose.TextByte:
			}
			if d == jose.Program { // the byte stands for a text that is elsewhere
				dst = append(dst, TextByte{Last: true, Kind: kind})
				continue
			}
			end := size
			if i+1 < len(tokens) {
				end = tokens[i+1].At
			}
			for _, b := range data[t.At+1 : end] {
				dst = append(dst, TextByte{Data: b, Last: b == 0, Kind: kind})
			}
		}
		data = data[size:]
	}
	return dst
}
