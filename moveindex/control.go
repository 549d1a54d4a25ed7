// SPDX-License-Identifier: Apache-2.0

package moveindex

import "slices"

// A Control is a row of the table of control codes: one code, or some in a row that mean the same.
type Control struct {
	First, Last Index
	Name        string // of First, as sources in other languages spell it, in lower case
	LastName    string // of Last; "" where it is First
	Meaning     string
}

// controls is the table. Generated sources, the tables of the pages and the explorer are made from it.
var controls = []Control{
	{ResultBlackWins, ResultBlackWins, "result_black_wins", "", "0-1, and the end of the game"},
	{ResultDraw, ResultDraw, "result_draw", "", "1/2-1/2, and the end of the game"},
	{ResultWhiteWins, ResultWhiteWins, "result_white_wins", "", "1-0, and the end of the game"},
	{ResultUnknown, ResultUnknown, "result_unknown", "", "*, and the end of the game"},
	{Null, Null, "null", "", "the null move"},
	{VariationStart, VariationStart, "variation_start", "", "a variation begins; it replaces the move before it"},
	{VariationEnd, VariationEnd, "variation_end", "", "a variation ends"},
	{Text, Text, "text", "", "a text: the number of bytes in the next word, then the bytes"},
	{NAG, NAG, "nag", "", "a NAG, 0 to 255, in the next word"},
	{NAG1, NAG31, "nag_1", "nag_31", "NAG 1 to 31 in one word"},
	{Start, Start, "start", "", "a start position in the next 26 words"},
	{Start960, Start960, "start_960", "", "a start position of Chess960 in the next 28 words"},
	{FirstReserved, LastReserved, "first_reserved", "last_reserved", "reserved: a reader refuses it"},
	{Idle, Idle, "idle", "", "idle: a reader skips it"},
}

// Controls returns the table of control codes: a row for each code from NumMoves to NumWords-1, in their order.
func Controls() []Control { return slices.Clone(controls) }

// Control returns the row of a control code, and whether the word is one, reserved ones included.
func (i Index) Control() (Control, bool) {
	for _, c := range controls {
		if i >= c.First && i <= c.Last {
			return c, true
		}
	}
	return Control{}, false
}
