// SPDX-License-Identifier: Apache-2.0

package samples

import (
	"bytes"
	"testing"

	"ply11/chess"
	"ply11/game"
	"ply11/game/pgn"
)

// TestMany: the games that are made begin as those of the file.
func TestMany(t *testing.T) {
	for n, want := range map[int][]byte{0: nil, 120: File(Plain)} {
		if got := Many(n); !bytes.Equal(got, want) {
			t.Errorf("%d games have %d bytes, want %d", n, len(got), len(want))
		}
	}
	if File("other.pgn") != nil {
		t.Error("there is a file of another name")
	}
}

// TestContents counts what the files are for: a test that lives by them must find it there.
func TestContents(t *testing.T) {
	for name, want := range map[string]map[string]int{
		Plain:      {"games": 120, "castlings": 20, "en passant": 3, "mates": 1, "256 plies": 1, "results": 4},
		Clocks:     {"games": 24, "comments": 900, "variations": 60, "results": 2},
		Annotated:  {"games": 24, "comments": 100, "variations": 200, "depth 3": 10, "NAGs": 200, "null moves": 4},
		Setup:      {"games": 60, "starts": 60, "black starts": 15},
		Promotions: {"games": 40, "knights": 10, "bishops": 10, "rooks": 10, "queens": 10},
	} {
		got := map[string]int{}
		results := map[game.Result]bool{}
		for g, err := range pgn.NewReader(bytes.NewReader(File(name))).All() {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			got["games"]++
			results[g.Result] = true
			if g.Start.Ply() != 0 {
				got["starts"]++
				got["black starts"] += int(g.Start.Turn())
			}
			if g.Len() >= 256 {
				got["256 plies"]++
			}
			p, depth := g.Start, 0
			for c := g.Cursor(); c.Next(); {
				switch c.Kind {
				case game.Comment:
					got["comments"]++
				case game.NAG:
					got["NAGs"]++
				case game.VariationStart:
					got["variations"]++
					if depth++; depth == 3 {
						got["depth 3"]++
					}
				case game.VariationEnd:
					depth--
				case game.MoveEvent:
					if depth > 0 {
						continue
					}
					m := c.Move
					man := p.PieceAt(m.From()).Kind()
					files := int(m.To().File()) - int(m.From().File())
					switch {
					case m == chess.NullMove:
						got["null moves"]++
					case man == chess.King && files*files == 4:
						got["castlings"]++
					case man == chess.Pawn && files != 0 && p.PieceAt(m.To()) == 0:
						got["en passant"]++
					case m.Promotion() != chess.NoKind:
						got[map[chess.Kind]string{chess.Knight: "knights", chess.Bishop: "bishops",
							chess.Rook: "rooks", chess.Queen: "queens"}[m.Promotion()]]++
					}
					p.Make(m)
				}
			}
			if p.IsCheckmate() {
				got["mates"]++
			}
		}
		got["results"] = len(results)
		for what, n := range want {
			if got[what] < n {
				t.Errorf("%s: %d %s, want %d", name, got[what], what, n)
			}
		}
		t.Logf("%s: %v", name, got)
	}
}
