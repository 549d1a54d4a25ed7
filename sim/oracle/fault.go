// SPDX-License-Identifier: Apache-2.0

package oracle

import "fmt"

// A Fault is an error code of the hardware, of four bits; 0 is no error.
type Fault uint8

// The codes. ply11_board examines FaultCode first, and then 1 to 5 in their order. It does not look at blocked lines,
// checks, or the square that a double step passes.
const (
	NoFault       Fault = 0
	FaultEmpty    Fault = 1
	FaultOpponent Fault = 2
	FaultOwn      Fault = 3
	FaultGeometry Fault = 4
	FaultCastling Fault = 5
	FaultCode     Fault = 6
	FaultPlace    Fault = 7
	FaultOperand  Fault = 8
	FaultStart    Fault = 9
	FaultDepth    Fault = 10
	FaultChess960 Fault = 11
	FaultCut      Fault = 15

	// FaultStopped is of ply11_legal and of ply11_board with STOP=1, whose m_error has three bits. ply11_player shows
	// it of moves that are not legal alone, with a Reason; else 7 means FaultPlace.
	FaultStopped Fault = 7

	// MaxFault is the greatest code that four bits hold.
	MaxFault Fault = 15
)

// A FaultRow is a row of the registry of error codes.
type FaultRow struct {
	Fault   Fault
	Go      string   // its constant in this package
	Verilog string   // its localparam in the sources of Modules
	Meaning string   // what the hardware found
	Modules []string // which modules find it, without ply11_
	OfStart bool     // it is of a start position: see Fault.OfStart
}

var faults = []FaultRow{
	{FaultEmpty, "FaultEmpty", "ERR_EMPTY",
		"the from-square is empty; the piece that was named is not alive", []string{"board", "brenner", "jose"}, false},
	{FaultOpponent, "FaultOpponent", "ERR_OPPONENT",
		"an opponent's piece stands on the from-square", []string{"board"}, false},
	{FaultOwn, "FaultOwn", "ERR_OWN",
		"a piece of one's own stands on the target", []string{"board"}, false},
	{FaultGeometry, "FaultGeometry", "ERR_GEOMETRY",
		"not a move of that piece; it leaves the board; a king is captured; a promotion not on the last rank",
		[]string{"board", "brenner", "jose"}, false},
	{FaultCastling, "FaultCastling", "ERR_CASTLING",
		"castling without the right, with a piece between, or without the king at home",
		[]string{"board", "brenner", "jose"}, false},
	{FaultCode, "FaultCode", "ERR_CODE",
		"a control code or a reserved code or byte", []string{"board", "words", "brenner", "jose"}, false},
	{FaultPlace, "FaultPlace", "ERR_PLACE",
		"out of place: a variation without a move before it, a result inside one, a prefix without its piece",
		[]string{"words", "brenner", "jose", "cbf"}, false},
	{FaultStopped, "FaultStopped", "ERR_STOPPED",
		"a move after one that was refused, with `STOP` 1; of `ply11_legal` also one that is not legal; " +
			"`ply11_player` shows only this one, with `LEGAL` 1 and its reason",
		[]string{"board", "legal"}, false},
	{FaultOperand, "FaultOperand", "ERR_OPERAND",
		"operand: a NAG above 255, a second byte that is 0 or beyond the piece's moves, a number that no move has",
		[]string{"words", "jose", "cbf"}, false},
	{FaultStart, "FaultStart", "ERR_START",
		"start position: an unknown piece, not one king a side, an en passant file above 8, more pieces than there " +
			"are " +
			"numbers",
		[]string{"words", "brenner", "jose", "cbf"}, true},
	{FaultDepth, "FaultDepth", "ERR_DEPTH",
		"a variation inside `DEPTH` others", []string{"words", "jose", "cbf"}, false},
	{FaultChess960, "FaultChess960", "ERR_CHESS960",
		"a start position of Chess960, which the board does not know", []string{"words"}, false},
	{FaultCut, "FaultCut", "ERR_CUT",
		"the packet ended inside a game", []string{"player_axis"}, false},
}

// OfStart reports whether the error is of a start position: its beat has no index, and the usual initial position is
// back. ERRS_OF_START is the set of these codes in the Verilog.
func (f Fault) OfStart() bool { return ofStart&f.bit() != 0 }

func (f Fault) bit() uint16 { return 1 << f }

var ofStart = func() (codes uint16) {
	for _, row := range faults {
		if row.OfStart {
			codes |= row.Fault.bit()
		}
	}
	return codes
}()

// Faults returns the registry of error codes, in their order. The caller must not change Modules.
func Faults() []FaultRow { return append([]FaultRow(nil), faults...) }

// String describes the code; 7 is FaultPlace.
func (f Fault) String() string {
	if f == NoFault {
		return "no fault"
	}
	for _, row := range faults {
		if row.Fault == f {
			return row.Meaning
		}
	}
	return fmt.Sprintf("fault %d", uint8(f))
}
