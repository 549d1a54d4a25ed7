// SPDX-License-Identifier: Apache-2.0

package jose

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// appendUTF8 appends a string of the program: UTF-8 in which a character outside the basic plane may also stand as its
// two surrogates (CESU-8). It is false where it is neither.
func appendUTF8(dst, src []byte) ([]byte, bool) {
	for len(src) > 0 {
		if r, n := utf8.DecodeRune(src); r != utf8.RuneError || n > 1 {
			dst = append(dst, src[:n]...)
			src = src[n:]
			continue
		}
		high, ok := surrogate(src)
		if !ok {
			return dst, false
		}
		low, ok := surrogate(src[3:])
		r := utf16.DecodeRune(high, low)
		if !ok || r == utf8.RuneError {
			return dst, false
		}
		dst = utf8.AppendRune(dst, r)
		src = src[6:]
	}
	return dst, true
}

// surrogate reads three bytes as one UTF-16 unit.
func surrogate(src []byte) (rune, bool) {
	if len(src) < 3 || src[0] != 0xed || src[1]&0xe0 != 0xa0 || src[2]&0xc0 != 0x80 {
		return 0, false
	}
	return 0xd000 | rune(src[1]&63)<<6 | rune(src[2]&63), true
}

// appendCESU8 appends text as the program writes it: each UTF-16 unit by itself.
func appendCESU8(dst []byte, text string) []byte {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if r < 0x10000 {
			dst = append(dst, text[i:i+n]...)
		} else {
			high, low := utf16.EncodeRune(r)
			for _, unit := range [2]rune{high, low} {
				dst = append(dst, 0xed, byte(0x80|unit>>6&63), byte(0x80|unit&63))
			}
		}
		i += n
	}
	return dst
}

// fault says why a text cannot be held, "" if it can.
func fault(text string) string {
	switch {
	case strings.IndexByte(text, 0) >= 0:
		return "with a NUL"
	case !utf8.ValidString(text):
		return "that is not UTF-8"
	}
	return ""
}

// A record of an error is, in a game, a comment that is a command: "[%illegal Nf9]".

func appendRecord(dst []byte, code int, text []byte) []byte {
	dst = append(dst, "[%"...)
	dst = append(dst, errorCommands[code]...)
	dst = append(dst, ' ')
	dst = append(dst, text...)
	return append(dst, ']')
}

// parseRecord returns the byte and the text of a record of an error, if a comment is one, otherwise codeText and the
// comment.
func parseRecord(comment string) (uint8, string) {
	if rest, ok := strings.CutPrefix(comment, "[%"); ok && strings.HasSuffix(rest, "]") {
		for i, command := range errorCommands {
			if text, ok := strings.CutPrefix(rest[:len(rest)-1], command+" "); ok {
				return codeText + 1 + uint8(i), text
			}
		}
	}
	return codeText, comment
}
