// SPDX-License-Identifier: Apache-2.0

package position_test

import (
	"fmt"
	"testing"

	"ply11/chess"
	"ply11/position"
)

// 1. e4 (1. d4 d5 (1... Nf6 2. c4) 2. c4) 1... e5, with the position and the number of plies after each step.
func TestLine(t *testing.T) {
	l := position.NewLine(position.Start())
	fens := map[string]position.Position{}
	step := func(what string, depth, ply int) {
		t.Helper()
		if l.Depth() != depth || l.Ply() != ply {
			t.Errorf("%s: depth %d, ply %d; want %d, %d", what, l.Depth(), l.Ply(), depth, ply)
		}
		fens[what] = l.At
	}
	move := func(san string) {
		t.Helper()
		m, err := l.At.ParseSAN(san)
		if err != nil {
			t.Fatal(err)
		}
		l.Make(m)
	}
	for range 2 { // the second time in used memory
		if l.Close() {
			t.Error("the main line has an end")
		}
		step("start", 0, 0)
		move("e4")
		step("e4", 0, 1)
		l.Open()
		step("(", 1, 0)
		move("d4")
		move("d5")
		step("d5", 1, 2)
		l.Open()
		step("((", 2, 1)
		move("Nf6")
		move("c4")
		step("Nf6 c4", 2, 3)
		l.Close()
		step(")", 1, 2)
		move("c4")
		step("d5 c4", 1, 3)
		if !l.Close() {
			t.Error("a variation has no end")
		}
		step("))", 0, 1)
		move("e5")
		l.Open() // after a variation, one may replace the move after it
		step("(((", 1, 1)
		for a, b := range map[string]string{"(": "start", ")": "d5", "))": "e4", "(((": "e4"} {
			if is, want := fens[a], fens[b]; is != want {
				t.Errorf("%s is %s, not %s", a, is.FEN(), want.FEN())
			}
		}
		l.Reset(position.Start())
	}
	p, err := position.ParseFEN("4k3/8/8/8/8/8/4P3/4K3 b - - 0 17")
	if err != nil {
		t.Fatal(err)
	}
	if l.Reset(p); l.Ply() != 0 || l.At.MoveNumber() != "17..." {
		t.Errorf("ply %d, %s", l.Ply(), l.At.MoveNumber())
	}
	if l.Make(chess.NullMove); l.Ply() != 1 || l.At.MoveNumber() != "18." {
		t.Errorf("ply %d, %s", l.Ply(), l.At.MoveNumber())
	}
}

func ExampleLine() {
	l := position.NewLine(position.Start())
	e4 := chess.NewMove(chess.E2, chess.E4)
	d4 := chess.NewMove(chess.D2, chess.D4)
	fmt.Println(l.At.MoveNumber(), e4)
	l.Make(e4)
	l.Open()
	fmt.Println(l.At.MoveNumber(), d4, "in its place")
	l.Make(d4)
	l.Close()
	fmt.Println(l.At.MoveNumber(), "after", e4)
	// Output:
	// 1. e2e4
	// 1. d2d4 in its place
	// 1... after e2e4
}
