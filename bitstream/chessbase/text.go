// SPDX-License-Identifier: Apache-2.0

package chessbase

import (
	"strings"
	"unicode/utf8"
)

// codePage is the DOS code page 437, with the symbols of section 2.5 for six of its characters, and below 32 the
// pictures that DOS showed, but for tab, line feed and carriage return. 0xfe is a new line. 0, which ends no text, and
// 0xff read as a space.
const codePage = " ☺☻♥♦♣♠•◘\t\n♂♀\r♫☼►◄↕‼¶§▬↨↑↓→←∟↔▲▼" +
	" !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~⌂" +
	"ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»" +
	"░♔♕♘♗♖♙╖╕╣║╗╝╜╛┐" + // 177..182 are king, queen, knight, bishop, rook, pawn
	"└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀" +
	"αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²\n "

var (
	fromPage [256]rune
	toPage   = map[rune]byte{}
)

func init() {
	i := 0
	for _, r := range codePage {
		fromPage[i] = r
		if _, known := toPage[r]; !known && r != ' ' {
			toPage[r] = byte(i)
		}
		i++
	}
	toPage['\n'] = newLine // not 10, which also reads as one
	// Greek letters and signs that the page's own stand for.
	toPage['β'], toPage['μ'], toPage['Ω'] = 0xe1, 0xe6, 0xea
}

const newLine = 0xfe

// appendText appends a file's text as UTF-8.
func appendText(dst, text []byte) []byte {
	for _, b := range text {
		if b >= ' ' && b < 127 {
			dst = append(dst, b)
		} else {
			dst = utf8.AppendRune(dst, fromPage[b])
		}
	}
	return dst
}

func decodeText(text []byte) string { return string(appendText(nil, text)) }

// encodeText appends the bytes of a text, with '?' for the characters that it cannot hold, and returns those, each
// once. A no-break space, which would end a comment, becomes a space.
func encodeText(dst []byte, text string) (out []byte, lost []rune) {
	for _, r := range text {
		if r >= ' ' && r < 127 {
			dst = append(dst, byte(r))
			continue
		}
		if r == '\u00a0' {
			dst = append(dst, ' ')
			continue
		}
		b, ok := toPage[r]
		if !ok {
			b = '?'
			if !strings.ContainsRune(string(lost), r) {
				lost = append(lost, r)
			}
		}
		dst = append(dst, b)
	}
	return dst, lost
}
