// SPDX-License-Identifier: Apache-2.0

package clients_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ply11/chess"
	"ply11/moveindex"
)

// TestTables: the tables of the core, and that of the moves, are what a program from docs/INDEX.md says.
func TestTables(t *testing.T) {
	program := filepath.Join(buildDir, "tables")
	gcc(t, "-std=c99 -pedantic -Wall -Wextra -Werror c/test/tables.c -o", program)
	sameLines(t, output(t, ".", "", nil, program, "moves"), string(moveindex.AppendTable(nil)))
	tables := output(t, ".", "", nil, program)
	const begin, end = "/* BEGIN TABLES */\n", "/* END TABLES */\n"
	source, err := os.ReadFile("c/ply11.c")
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(source), begin)
	old, tail, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatal("c/ply11.c has no place for the tables")
	}
	if *update {
		if err := os.WriteFile("c/ply11.c", []byte(head+begin+tables+end+tail), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if old != tables {
		t.Error("the tables of c/ply11.c are not what c/test/tables.c prints; mend it with: go generate ./clients")
	}
}

// pageName is the name of a control code in docs/WORDS.md: "ResultDraw" for "result_draw".
func pageName(name string) string {
	var b strings.Builder
	for _, part := range strings.Split(name, "_") {
		if part == "nag" {
			part = "NAG"
		}
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return b.String()
}

// TestCodes compares all 2,048 codes with package moveindex.
func TestCodes(t *testing.T) {
	names := make(map[moveindex.Index]string)
	for _, c := range moveindex.Controls() {
		for k := c.First; k <= c.Last && c.First != moveindex.FirstReserved; k++ {
			names[k] = pageName(c.Name)
			if c.LastName != "" { // nag_1 to nag_31
				names[k] = fmt.Sprint(strings.TrimRight(names[k], "0123456789"), k-c.First+1)
			}
		}
	}
	var want strings.Builder
	for i := range moveindex.Index(moveindex.NumWords) {
		uci := "-"
		if m, ok := i.Move(); ok || i == moveindex.Null {
			uci = m.String()
		}
		name := names[i]
		if name == "" {
			name = "-"
		}
		fmt.Fprintf(&want, "%d %s %s %d %d %04x %s\n", i, uci, i.Class(), i.MirrorRanks(), i.MirrorFiles(), i.Word(),
			name)
	}
	var halfmoves strings.Builder
	for h := range moveindex.Halfmove(moveindex.NumHalfmoves) {
		fmt.Fprintf(&halfmoves, "%04x\n", h.Word())
	}
	eachBuild(t, func(t *testing.T, b *build) {
		sameLines(t, b.driver(t, "", "codes"), want.String())
		sameLines(t, b.driver(t, "", "halfmoves"), halfmoves.String())
	})
}

// TestLabels compares all labels of all vocabularies, for each piece, both ways.
func TestLabels(t *testing.T) {
	var want strings.Builder
	kinds := []chess.Kind{chess.King, chess.Queen, chess.Rook, chess.Bishop, chess.Knight, chess.Pawn}
	for v := range 1 + len(moveindex.Vocabularies()) {
		name, size, turns := "index", moveindex.NumMoves, 0
		label := func(c chess.Color, k chess.Kind, i moveindex.Index) moveindex.Label {
			if _, ok := moveindex.NewHalfmove(c, k, i); !ok {
				return moveindex.NoLabel
			}
			return moveindex.Label(i)
		}
		index := func(c chess.Color, k chess.Kind, l moveindex.Label) moveindex.Index {
			if _, ok := moveindex.NewHalfmove(c, k, moveindex.Index(l)); !ok {
				return moveindex.Invalid
			}
			return moveindex.Index(l)
		}
		if v > 0 {
			o := moveindex.Vocabularies()[v-1]
			name, size, label, index = o.Name(), o.Len(), o.Label, o.Index
			if o.SideToMove() {
				turns = 1
			}
		}
		fmt.Fprintln(&want, name, size, turns)
		for _, c := range []chess.Color{chess.White, chess.Black} {
			for _, k := range kinds {
				for i := range moveindex.Index(moveindex.NumMoves) {
					fmt.Fprintln(&want, label(c, k, i))
				}
				for l := range moveindex.Label(size) {
					i := index(c, k, l)
					if i == moveindex.Invalid {
						i = 0xffff
					}
					fmt.Fprintln(&want, uint16(i))
				}
			}
		}
	}
	eachBuild(t, func(t *testing.T, b *build) { sameLines(t, b.driver(t, "", "labels"), want.String()) })
}
