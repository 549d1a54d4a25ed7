// SPDX-License-Identifier: Apache-2.0

package position_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"ply11/chess"
	"ply11/position"
)

// TestTargets compares the pieces' targets with the list of moves, along random games.
func TestTargets(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	for _, fen := range []string{
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
		"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
		"4r1k1/8/8/8/4Q2q/8/5B2/4K3 w - - 0 1",
		"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
		"5k2/1P1p4/8/2P1Pp2/8/8/Q1Q1p1pQ/4K2R w K - 0 1",
	} {
		for range 150 {
			p, err := position.ParseFENLenient(fen)
			if err != nil {
				t.Fatal(err)
			}
			for range 100 {
				want := p.LegalMoves(nil)
				if len(want) == 0 {
					break
				}
				var got []chess.Move
				var list position.Targets
				p.Targets(&list)
				last := position.PieceTargets{Kind: chess.NoKind}
				for _, g := range list.Pieces[:list.N] {
					if g.To == 0 || g.Kind < last.Kind || g.Kind == last.Kind && g.From <= last.From ||
						p.PieceAt(g.From) != chess.NewPiece(p.Turn(), g.Kind) {
						t.Fatalf("%s: %v after %v", p.FEN(), g, last)
					}
					last = g
					for b := g.To; b != 0; b &= b - 1 {
						if g.Kind == chess.Pawn && (position.Rank1 | position.Rank8).Has(b.First()) {
							for _, k := range chess.PromotionKinds {
								got = append(got, chess.NewPromotion(g.From, b.First(), k))
							}
							continue
						}
						got = append(got, chess.NewMove(g.From, b.First()))
					}
				}
				checkAttacks(t, &p, &list)
				next := want[random.IntN(len(want))]
				slices.Sort(got)
				slices.Sort(want)
				if !slices.Equal(got, want) {
					t.Fatalf("%s: %v, want %v", p.FEN(), got, want)
				}
				p.Make(next)
			}
		}
	}
}

// checkAttacks compares what a list says of attacks with the pieces one by one.
func checkAttacks(t *testing.T, p *position.Position, list *position.Targets) {
	t.Helper()
	us, them := p.Turn(), p.Turn().Other()
	occ := p.Occupied()
	through := occ &^ p.Pieces(us, chess.King)
	var want position.Targets
	for s := range chess.NoSquare {
		piece := p.PieceAt(s)
		occ, oblique, straight := occ, &want.Oblique, &want.Straight
		if piece.Color() == them {
			occ, oblique, straight = through, &want.ByOblique, &want.ByStraight
		}
		switch piece.Kind() {
		case chess.Bishop:
			*oblique |= position.Attacks(piece, s, occ)
		case chess.Rook:
			*straight |= position.Attacks(piece, s, occ)
		case chess.Queen:
			*oblique |= position.Attacks(chess.WhiteBishop, s, occ)
			*straight |= position.Attacks(chess.WhiteRook, s, occ)
		case chess.Knight:
			if piece.Color() == them {
				want.ByOblique |= position.Attacks(piece, s, occ)
			}
		case chess.King:
			if piece.Color() == them {
				want.ByStraight |= position.Attacks(piece, s, occ)
			}
		case chess.Pawn:
			if piece.Color() == them {
				want.ByPawns |= position.Attacks(piece, s, occ)
			}
		}
	}
	got := *list
	got.Pieces, got.N = want.Pieces, want.N
	if got != want {
		t.Fatalf("%s: %+v, want %+v", p.FEN(), got, want)
	}
}
