// SPDX-License-Identifier: Apache-2.0

package chessbase

import (
	"encoding/binary"
	"fmt"
	"strconv"

	"ply11/chess"
)

// headerSize is the size of a game header, in bytes.
const headerSize = 14

const noYear = 127

// The years that the year byte holds.
const (
	minYear = 1900 - 128
	maxYear = 1900 + 126
)

// The ratings that a byte holds.
const (
	minElo  = 1605
	maxElo  = 1600 + 5*255
	eloStep = 5
)

// Header is a decoded game header, byte by byte as section 2.1 has it. Methods read and write the fields; all 112 bits
// are kept.
type Header [headerSize]byte

// year returns the year, and whether there is one (byte 0).
func (h *Header) year() (int, bool) { return 1900 + int(int8(h[0])), h[0] != noYear }

// setYear returns false, and sets no year, where byte 0 cannot hold it.
func (h *Header) setYear(year int) bool {
	if year < minYear || year > maxYear {
		h[0] = noYear
		return false
	}
	h[0] = byte(year - 1900)
	return true
}

// The results of byte 1, bits 0..1.
const (
	resultBlackWins byte = 0
	resultDraw      byte = 1
	resultWhiteWins byte = 2
	resultVariant   byte = 3 // with a sign in bits 2..5
)

// ResultCBASCII is byte 1 of games without a result, as the converter CBASCII writes it.
const ResultCBASCII byte = 0x10

// Result returns bits 0..1 of byte 1, and bits 2..5, which count only with resultVariant: 1 "+-", 4 "=", 8 "-+", 14
// "T", 0 nothing. ResultCBASCII is resultVariant without a sign.
func (h *Header) Result() (result, variant byte) {
	switch r := h[1] & 3; {
	case h[1] == ResultCBASCII:
		return resultVariant, 0
	case r == resultVariant:
		return r, h[1] >> 2 & 15
	default:
		return r, 0
	}
}

// Sizes in bytes. That of the move list is stored with 1 added: it is -1 for a word of 0, which no list has.
func (h *Header) movesSize() int    { return int(binary.BigEndian.Uint16(h[2:])) - 1 }
func (h *Header) playerSize() int   { return int(h[4] & 63) }
func (h *Header) sourceSize() int   { return int(h[5] & 63) }
func (h *Header) commentsSize() int { return int(binary.BigEndian.Uint16(h[6:])) }

func (h *Header) setMovesSize(n int)    { binary.BigEndian.PutUint16(h[2:], uint16(n+1)) }
func (h *Header) setCommentsSize(n int) { binary.BigEndian.PutUint16(h[6:], uint16(n)) }

func (h *Header) setNameSizes(player, source int) {
	h[4] = h[4]&0xc0 | byte(player)&63
	h[5] = h[5]&0xc0 | byte(source)&63
}

// elo returns the rating of byte 8 or 9, "" for none.
func elo(b byte) string {
	if b == 0 {
		return ""
	}
	return strconv.Itoa(1600 + eloStep*int(b))
}

// Bits of byte 10, flags1.
const (
	flagSetup      = 1 << 0
	flagMarked     = 1 << 6 // bold in a listing
	flagDeleted    = 1 << 7 // grey in a listing
	flagBlack      = 1 << 1 // with a set-up position: Black moves first
	flagWhiteLong  = 1 << 2
	flagWhiteShort = 1 << 3
	flagBlackLong  = 1 << 4
	flagBlackShort = 1 << 5
)

// flagVersion is bit 6 of byte 11, flags2. The known writer sets it.
const flagVersion = 1 << 6

func (h *Header) setup() bool   { return h[10]&flagSetup != 0 }
func (h *Header) marked() bool  { return h[10]&flagMarked != 0 }
func (h *Header) deleted() bool { return h[10]&flagDeleted != 0 }

// enPassantFile returns the en passant file of a set-up position, 1..8, 0 for none; up to 15 in a bad one.
func (h *Header) enPassantFile() int { return int(h[11] & 15) }

// moveCount returns the number of moves, not plies.
func (h *Header) moveCount() int { return int(h[12]) }

// ecoCode is a code of the Encyclopaedia (section 2.2): ECO1 is 1 + 100*letter + first number, 0..511, 0 for none; ECO2
// is the second number, 0..127.
type ecoCode struct{ ECO1, ECO2 int }

// eco returns the code. A game with a set-up position has none.
func (h *Header) eco() ecoCode {
	if h.setup() {
		return ecoCode{}
	}
	return ecoCode{
		ECO1: int(h[10]>>1&31) | int(h[4]>>6)<<5 | int(h[5]>>6)<<7,
		ECO2: int(h[11]&63) | int(h[11]>>7)<<6,
	}
}

// setECO sets the code of a game without a set-up position.
func (h *Header) setECO(e ecoCode) {
	h[10] = h[10]&^(31<<1) | byte(e.ECO1&31)<<1
	h[4] = h[4]&63 | byte(e.ECO1>>5&3)<<6
	h[5] = h[5]&63 | byte(e.ECO1>>7&3)<<6
	h[11] = h[11]&flagVersion | byte(e.ECO2&63) | byte(e.ECO2>>6&1)<<7
}

// String returns "B33", or "B33/02" where there is a second number, or "" for none.
func (e ecoCode) String() string {
	if e.ECO1 <= 0 {
		return ""
	}
	n := e.ECO1 - 1
	s := fmt.Sprintf("%c%02d", 'A'+n/100, n%100)
	if e.ECO2 != 0 {
		s += fmt.Sprintf("/%02d", e.ECO2)
	}
	return s
}

// parseECO reads a code as String writes it. It refuses any other text, and codes beyond F10/127,
// which the fields cannot hold.
func parseECO(s string) (ecoCode, error) {
	bad := &chess.ParseError{What: "code of an opening", Text: s, Want: "A00 to F10, with /0 to /127 or without"}
	if len(s) < 3 || s[0] < 'A' || s[0] > 'F' {
		return ecoCode{}, bad
	}
	number := func(s string, least, most int) (int, bool) {
		n, err := strconv.ParseUint(s, 10, 8)
		return int(n), err == nil && len(s) >= least && len(s) <= most
	}
	n, ok := number(s[1:3], 2, 2)
	e := ecoCode{ECO1: 1 + 100*int(s[0]-'A') + n}
	if ok && len(s) > 3 {
		e.ECO2, ok = number(s[4:], 1, 3)
		ok = ok && s[3] == '/'
	}
	if !ok || e.ECO1 > 511 || e.ECO2 > 127 {
		return ecoCode{}, bad
	}
	return e, nil
}

// checksum returns the two values of byte 13 that known readers take; the known writer stores the second.
func (h *Header) checksum() (first, second byte) {
	return h[0]*0x25 + h[5] + h[9], h[3] * 0xc1 * (h[8] + 1) * h[0]
}

func (h *Header) checksumOK() bool {
	a, b := h.checksum()
	return h[13] == a || h[13] == b
}

// seal sets bit 6 of byte 11 and byte 13, as the known writer does.
func (h *Header) seal() {
	h[11] |= flagVersion
	_, h[13] = h.checksum()
}
