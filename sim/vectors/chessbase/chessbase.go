// SPDX-License-Identifier: Apache-2.0

// Package chessbase makes the vectors of ply11_chessbase's bench: positions, numbers, and the moves that package
// bitstream/chessbase gives them.
//
// numbers.hex has a number a line, in hexadecimal digits: the pieces from h8 to a1, en passant file, side, numbering,
// number 2, and what must come: whether there is none, index 3, en passant file after it.
package chessbase

import (
	"bytes"
	"fmt"
	"math/rand/v2"

	cbf "ply11/bitstream/chessbase"
	"ply11/chess"
	"ply11/internal/movesets"
	"ply11/moveindex"
	"ply11/position"
	"ply11/sim/oracle"
)

const Numbers = 480

// Rare are positions in which the numberings differ, an en passant file has survived castling, and castling stands
// beside what stops it.
var Rare = []string{
	"4k2r/8/8/4P3/3P4/8/8/4K3 b k d3 0 1",        // 0-0, and then e5xd6
	"r3k3/8/8/2P1P3/3P4/8/8/4K3 b q d3 0 1",      // 0-0-0, and then both
	"4k3/8/8/8/3p4/8/8/R3K2R w KQ - 0 1",         // both castlings
	"rn2k1nr/8/8/8/8/8/8/RN2K1NR w KQkq - 0 1",   // pieces between
	"4k3/8/8/P6P/8/8/8/4K3 w - - 0 1",            // a phantom of White
	"4k3/8/8/8/p6p/8/8/4K3 b - - 0 1",            // and of Black
	"4k3/8/8/PpP3pP/8/8/8/4K3 w - b6 0 1",        // en passant from both sides
	"4k3/8/8/6pP/8/8/8/4K3 w - g6 0 1",           // at the edge
	"4k3/8/8/8/6pP/8/8/4K3 b - h3 0 1",           // the file h
	"1n2k1n1/P6P/8/8/8/8/p6p/1N2K1N1 w - - 0 1",  // promotions, with captures
	"1n2k1n1/P6P/8/8/8/8/p6p/1N2K1N1 b - - 0 1",  // and of Black
	"4k3/3q4/8/1b3n2/3Q4/5r2/8/1B2K2R w K - 0 1", // all kinds
}

func Files() map[string][]byte {
	r := rand.New(rand.NewPCG(19, 93))
	var text bytes.Buffer
	for n, lines := 0, 0; lines < Numbers; n++ {
		var p position.Position
		if n < 4*len(Rare) {
			var err error
			if p, err = position.ParseFEN(Rare[n%len(Rare)]); err != nil {
				panic(err)
			}
		} else {
			p = movesets.Position(r, n)
		}
		numbering, cbascii := cbf.NumberingDocument, 0
		if n/len(Rare)%2 == 1 {
			numbering, cbascii = cbf.NumberingCBASCII, 1
		}
		g := cbf.NewGenerator(p, numbering)
		for k := 0; k < 3 && lines < Numbers; k++ {
			line(&text, r, &g, cbascii)
			lines++
			// A castling, where there is one, keeps the en passant file.
			moves := g.Position().LegalMoves(nil)
			if len(moves) == 0 {
				break
			}
			m := moves[r.IntN(len(moves))]
			for _, one := range moves {
				if d := int(one.To()) - int(one.From()); (d == 2 || d == -2) &&
					g.Position().PieceAt(one.From()).Kind() == chess.King {
					m = one
				}
			}
			g.Make(m)
		}
	}
	return map[string][]byte{"hdl/tb/ply11_chessbase/numbers.hex": text.Bytes()}
}

// line writes a number of a position: what is rare, one beyond the last, or any.
func line(text *bytes.Buffer, r *rand.Rand, g *cbf.Generator, cbascii int) {
	count := min(g.Count(), 127)
	number := r.IntN(count + 2)
	if r.IntN(2) == 0 {
		for n := count; n > 0; n-- {
			m, ok := g.Generated(n)
			piece := g.Position().PieceAt(m.From()).Kind()
			d := int(m.To()) - int(m.From())
			passant := piece == chess.Pawn && d%8 != 0 && g.Position().PieceAt(m.To()) == chess.NoPiece
			if !ok || passant || piece == chess.King && (d == 2 || d == -2) || m.Promotion() != chess.NoKind &&
				r.IntN(3) == 0 {
				number = n
				break
			}
		}
	}
	number = min(number, 127)
	m, ok := g.Generated(number)
	index, _ := moveindex.Of(m)
	none, ep := 0, 0
	switch d := int(m.To()) - int(m.From()); {
	case !ok:
		none, index = 1, 0
	case g.Position().PieceAt(m.From()).Kind() == chess.King && (d == 2 || d == -2):
		ep = g.EnPassantFile()
	case g.Position().PieceAt(m.From()).Kind() == chess.Pawn && (d == 16 || d == -16):
		ep = m.From().File() + 1
	}
	st := oracle.NewState(g.Position())
	for i := len(st.Pieces) - 1; i >= 0; i-- {
		fmt.Fprintf(text, "%016x", st.Pieces[i])
	}
	fmt.Fprintf(text, "%x%x%x%02x%x%03x%x\n", g.EnPassantFile(), st.Side, cbascii, number, none, uint16(index), ep)
}
