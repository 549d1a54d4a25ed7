// SPDX-License-Identifier: Apache-2.0

package chessbase

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"ply11/game/codec"
)

// comment is one comment of a game (section 2.5, in Anjewierden's syntax):
//
//	START move [pos] [extra] [NULL] [string]
type comment struct {
	Move     byte   // move evaluation: 1 !, 2 ?, 3 !!, 4 ??, 5 !?, 6 ?!
	Position byte   // position evaluation: 1 +-, 2 ±, 3 ⩲, 4 =, 5 unclear, 6 ⩱, 7 ∓, 8 -+
	Extra    byte   // additional evaluation
	Text     []byte // code page 437
}

const commentStart = 0xff

// appendTo appends the comment. Fields are written only where they or a following one has a value.
func (c *comment) appendTo(dst []byte) []byte {
	fields := []byte{c.Move, c.Position, c.Extra, 0}
	if len(c.Text) == 0 {
		fields = bytes.TrimRight(fields, "\x00")
	}
	dst = append(append(dst, commentStart), fields...)
	return append(dst, c.Text...)
}

type comments struct {
	field []byte
	at    int
}

func newComments(field []byte) comments { return comments{field: field} }

// offset is where the next comment begins, or the field's end.
func (c *comments) offset() int { return c.at }

// next returns the next comment, and false where there is none left. An error, codec.ErrText, is of that comment only.
func (c *comments) next() (comment, bool, error) {
	if c.at >= len(c.field) || c.at == len(c.field)-1 && c.field[c.at] == commentStart {
		return comment{}, false, nil
	}
	if c.field[c.at] != commentStart { // only at the field's front
		b := c.field[c.at]
		n := bytes.IndexByte(c.field, commentStart)
		if n < 0 {
			n = len(c.field)
		}
		c.at = n
		return comment{}, true, fmt.Errorf("%w: the comment field begins with %#02x, not with 0xff", codec.ErrText, b)
	}
	body := c.field[c.at+1:]
	if n := bytes.IndexByte(body, commentStart); n >= 0 {
		body = body[:n]
	}
	c.at += 1 + len(body)
	var out comment
	for i, p := range [3]*byte{&out.Move, &out.Position, &out.Extra} {
		if i < len(body) {
			*p = body[i]
		}
	}
	if len(body) > 3 {
		if body[3] != 0 {
			return comment{}, true, fmt.Errorf("%w: byte %d of a comment is %#02x, not 0", codec.ErrText, 4, body[3])
		}
		out.Text = body[4:]
	}
	return out, true, nil
}

// Numeric annotation glyphs of the evaluations, by their values; 0 where there is none.
var (
	moveNAG     = [7]uint8{1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6}
	positionNAG = [9]uint8{1: 18, 2: 16, 3: 14, 4: 10, 5: 13, 6: 15, 7: 17, 8: 19}
)

// nagMove and nagPosition are the values of glyphs, 0 for none.
var nagMove, nagPosition [256]byte

func init() {
	for v, n := range moveNAG[1:] {
		nagMove[n] = byte(v + 1)
	}
	for v, n := range positionNAG[1:] {
		nagPosition[n] = byte(v + 1)
	}
}

// Values without a glyph stand as commands at the front of a game's comment: "[%cbmove 7]", "[%cbpos 9]", "[%cbextra
// 1]", "[%cbresult 14]".
const (
	commandMove   = "cbmove"
	commandPos    = "cbpos"
	commandExtra  = "cbextra"
	commandResult = "cbresult"
)

func appendCommand(dst []byte, name string, value byte) []byte {
	dst = append(append(dst, "[%"...), name...)
	dst = strconv.AppendUint(append(dst, ' '), uint64(value), 10)
	return append(dst, ']')
}

// The commands, in their order, and the least values that stand as commands.
var commands = [...]struct {
	name  string
	least byte
}{{commandMove, byte(len(moveNAG))}, {commandPos, byte(len(positionNAG))}, {commandExtra, 1}}

// cutCommands takes the commands from the front of a text, and sets the values that they name. Only what the reader
// writes is one.
func (c *comment) cutCommands(text string) string {
	values := [...]*byte{&c.Move, &c.Position, &c.Extra}
	for i, cmd := range commands {
		value, rest, ok := cutCommand(text, cmd.name)
		if ok && value >= cmd.least && *values[i] == 0 {
			*values[i], text = value, rest
		}
	}
	return text
}

func cutCommand(text, name string) (value byte, rest string, ok bool) {
	body, ok := strings.CutPrefix(text, "[%"+name+" ")
	if !ok {
		return 0, text, false
	}
	number, rest, ok := strings.Cut(body, "]")
	v, err := strconv.ParseUint(number, 10, 8)
	if !ok || err != nil || v == 0 || number[0] == '0' || number[0] == '+' {
		return 0, text, false
	}
	if rest != "" {
		if rest[0] != ' ' || len(rest) == 1 {
			return 0, text, false
		}
		rest = rest[1:]
	}
	return byte(v), rest, true
}
