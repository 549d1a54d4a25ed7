// SPDX-License-Identifier: Apache-2.0

package position_test

import (
	"slices"
	"strings"
	"testing"

	notnil "github.com/notnil/chess"

	"ply11/chess"
	"ply11/position"
)

// notnilMove translates a legal halfmove of the oracle.
func notnilMove(t *testing.T, m *notnil.Move) chess.Move {
	t.Helper()
	n, err := chess.ParseUCI(m.String())
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestAgainstNotnil compares 100,000 positions of real games, or 5,000 of the samples, with notnil/chess: the legal
// halfmoves, the FEN, mate and stalemate; SAN of the halfmove played, and in every third position of all.
func TestAgainstNotnil(t *testing.T) {
	positions, every := 100_000, 13
	lines := masterLines(t)
	if len(lines) < 10_000 { // the samples
		positions, every = 5000, 1
	}
	n := 0
	var encode notnil.AlgebraicNotation
	for g := 0; n < positions && g < len(lines); g += every {
		p := position.Start()
		q := notnil.StartingPosition()
		rest := lines[g].sans
		for n < positions {
			if n++; p.FEN() != q.String() {
				t.Fatalf("game %d: FEN %s, notnil/chess has %s", g+1, p.FEN(), q)
			}
			compareMoves(t, &p, q, n%3 == 0)
			if len(rest) == 0 {
				break
			}
			san, after, _ := strings.Cut(string(rest), " ")
			rest = rest[len(rest)-len(after):]
			m, err := p.ParseSAN(san)
			if err != nil {
				t.Fatalf("game %d, %s: %v", g+1, p.FEN(), err)
			}
			var played *notnil.Move
			for _, c := range q.ValidMoves() {
				if notnilMove(t, c) == m {
					played = c
				}
			}
			if s := encode.Encode(q, played); s != san {
				t.Fatalf("game %d, %s: SAN %s, notnil/chess has %s", g+1, p.FEN(), san, s)
			}
			p.Make(m)
			q = q.Update(played)
		}
	}
	if n < positions {
		t.Errorf("only %d positions", n)
	}
}

func compareMoves(t *testing.T, p *position.Position, q *notnil.Position, san bool) {
	t.Helper()
	var ours, theirs []chess.Move
	ours = p.LegalMoves(ours)
	valid := q.ValidMoves()
	for _, m := range valid {
		theirs = append(theirs, notnilMove(t, m))
	}
	if san {
		for _, m := range valid {
			n := notnilMove(t, m)
			want := notnil.AlgebraicNotation{}.Encode(q, m)
			if got := p.SAN(n); got != want {
				t.Errorf("%s: %s is written %s, notnil/chess has %s", p.FEN(), n, got, want)
			}
			if got, err := p.ParseSAN(want); got != n {
				t.Errorf("%s: ParseSAN(%s) = %s, %v, want %s", p.FEN(), want, got, err, n)
			}
		}
	}
	slices.Sort(ours)
	slices.Sort(theirs)
	if !slices.Equal(ours, theirs) {
		t.Fatalf("%s: legal halfmoves %v, notnil/chess has %v", p.FEN(), ours, theirs)
	}
	status := q.Status()
	if (status == notnil.Checkmate) != p.IsCheckmate() || (status == notnil.Stalemate) != p.IsStalemate() {
		t.Errorf("%s: notnil/chess says %v", p.FEN(), status)
	}
}
