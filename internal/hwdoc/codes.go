// SPDX-License-Identifier: Apache-2.0

package hwdoc

import (
	"fmt"
	"strings"

	"ply11/moveindex"
	"ply11/sim/oracle"
)

// A control is a control code of the word stream, or several in a row.
type control struct {
	First, Last moveindex.Index
	Go          string // the constant of package moveindex for First
	Verilog     string // the localparam for First; "" where the hardware has no use for it
	Meaning     string
}

// controls are all words above the moves.
var controls = []control{
	{moveindex.ResultBlackWins, moveindex.ResultUnknown, "ResultBlackWins", "CODE_RESULT", "the results 0-1, 1/2-1/2, 1-0 and *; the game ends"},
	{moveindex.Null, moveindex.Null, "Null", "CODE_NULL", "the null move"},
	{moveindex.VariationStart, moveindex.VariationStart, "VariationStart", "CODE_OPEN", "a variation begins"},
	{moveindex.VariationEnd, moveindex.VariationEnd, "VariationEnd", "CODE_CLOSE", "a variation ends"},
	{moveindex.Text, moveindex.Text, "Text", "CODE_TEXT", "a text: its length, then its bytes"},
	{moveindex.NAG, moveindex.NAG, "NAG", "CODE_NAG", "a NAG, 0 to 255, in the next word"},
	{moveindex.NAG1, moveindex.NAG31, "NAG1", "", "NAG 1 to 31"},
	{moveindex.Start, moveindex.Start, "Start", "CODE_START", "a start position in the next 26 words"},
	{moveindex.FirstReserved, moveindex.LastReserved, "FirstReserved", "", fmt.Sprintf("reserved: error %d", oracle.FaultCode)},
	{moveindex.Idle, moveindex.Idle, "Idle", "CODE_IDLE", "idle: it is dropped"},
}

// words is the table of control codes.
func words() (string, error) {
	var b strings.Builder
	b.WriteString("| word | | in Go | in Verilog |\n|---:|---|---|---|\n")
	next := moveindex.Index(moveindex.NumMoves)
	for _, c := range controls {
		if c.First != next || c.Last < c.First {
			return "", fmt.Errorf("hwdoc: control codes %d to %d do not follow %d", c.First, c.Last, next-1)
		}
		next = c.Last + 1
		number := fmt.Sprint(c.First)
		if c.Last != c.First {
			number += fmt.Sprintf(" to %d", c.Last)
		}
		fmt.Fprintf(&b, "| %s | %s | `%s` | %s |\n", number, c.Meaning, c.Go, quoted(c.Verilog))
	}
	if next != moveindex.NumWords {
		return "", fmt.Errorf("hwdoc: the control codes end at %d", next-1)
	}
	return b.String(), nil
}

// errors is the table of error codes, and says which are free.
func errors() (string, error) {
	var b strings.Builder
	b.WriteString("| code | | found by | in Go | in Verilog |\n|---:|---|---|---|---|\n")
	used := map[oracle.Fault]bool{oracle.NoFault: true}
	for _, f := range oracle.Faults() {
		used[f.Fault] = true
		fmt.Fprintf(&b, "| %d | %s | %s | `%s` | `%s` |\n", f.Fault, f.Meaning, strings.Join(f.Modules, ", "), f.Go, f.Verilog)
	}
	var free []string
	for f := range oracle.MaxFault + 1 {
		if !used[f] {
			free = append(free, fmt.Sprint(uint8(f)))
		}
	}
	fmt.Fprintf(&b, "\nFree codes: %s. `ply11_board` has three bits, so it has no free code.\n", strings.Join(free, ", "))
	return b.String(), nil
}

func quoted(name string) string {
	if name == "" {
		return "–"
	}
	return "`" + name + "`"
}
