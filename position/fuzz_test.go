// SPDX-License-Identifier: Apache-2.0

package position_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"ply11/chess"
	"ply11/internal/bounded"
	"ply11/position"
)

// FuzzFEN reads any text as FEN, strictly and leniently. What is read strictly is written as it was, but for the
// letters of castling rights of Chess960, of which there are several; what is read at all is read again as the same
// position, and can be played on.
func FuzzFEN(f *testing.F) {
	for _, s := range []string{startFEN, castleFEN, promoteFEN, epFEN, "4k3/8/8/8/8/8/8/4K3",
		"r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1",
		"8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1",
		`4k3/8/8/8/8/8/8/4K2R w K - bm Rh8; id "a;b"; hmvc 3; fmvn 12;`} {
		f.Add(s)
	}
	for _, rights := range []string{"KQka", "HAha", "KQha", "HAkq"} {
		f.Add(startFEN[:46] + rights + " - 0 1")
		f.Add("r3k2r/8/8/8/8/8/8/R3K2R w " + rights + " - 0 1")
	}
	bounded.Fuzz(f, func(t *testing.T, s string) {
		p, err := position.ParseFEN(s)
		lenient, lenientErr := position.ParseFENLenient(s)
		var fenError *position.FENError
		if err == nil {
			if p.FEN() != s && !(p.IsChess960() && withoutCastling(p.FEN()) == withoutCastling(s)) {
				t.Fatalf("%q is written %q", s, p.FEN())
			}
			if lenientErr != nil || lenient != p {
				t.Fatalf("%q: leniently %s, %v", s, lenient.FEN(), lenientErr)
			}
		} else if !errors.As(err, &fenError) {
			t.Fatalf("%q: error %v", s, err)
		}
		if lenientErr == nil {
			again, err := position.ParseFENLenient(lenient.FEN())
			if err != nil || again != lenient {
				t.Fatalf("%q: read as %s, then %s, %v", s, lenient.FEN(), again.FEN(), err)
			}
			checkPlayable(t, &lenient)
		} else if !errors.As(lenientErr, &fenError) {
			t.Fatalf("%q: error %v", s, lenientErr)
		}
	})
}

// withoutCastling returns a FEN record without its third field.
func withoutCastling(fen string) string {
	fields := strings.Split(fen, " ")
	return strings.Join(slices.Delete(fields, 2, 3), " ")
}

// checkPlayable makes every legal halfmove and finds a position after it that can be set up again.
func checkPlayable(t *testing.T, p *position.Position) {
	moves := p.LegalMoves(nil)
	if len(moves) != p.CountLegal() {
		t.Fatalf("%s: %d legal halfmoves are listed, %d counted", p.FEN(), len(moves), p.CountLegal())
	}
	for _, m := range moves {
		q := *p
		q.Make(m)
		if s := q.Setup(); s.FullmoveNumber <= position.MaxFullmoveNumber &&
			s.HalfmoveClock <= position.MaxHalfmoveClock {
			if again, err := s.Position(); err != nil || again != q {
				t.Fatalf("%s: after %s: %v", p.FEN(), m, err)
			}
		}
	}
}

// FuzzSAN reads any text as a halfmove of any position, by every reader. What is read is legal, is
// written and read again, and the readers agree.
func FuzzSAN(f *testing.F) {
	for _, fen := range []string{startFEN, castleFEN, promoteFEN, epFEN, twinFEN, pinFEN, checkFEN, bishopFEN} {
		for _, s := range []string{"e4", "Nbd2", "exd8=Q+", "O-O-O", "0-0", "e1c1", "bxc3", "cxd6 e.p.",
			"♘f3!?", "--", "Ng1-f3#"} {
			f.Add(fen, s)
		}
	}
	bounded.Fuzz(f, func(t *testing.T, fen, s string) {
		p, err := position.ParseFENLenient(fen)
		if err != nil {
			return
		}
		legal := p.LegalMoves(nil)
		check := func(reader string, m chess.Move, err error) {
			var moveError *position.MoveError
			switch {
			case err != nil:
				if m != 0 || !errors.As(err, &moveError) {
					t.Fatalf("%s: %s(%q) = %s, %v", fen, reader, s, m, err)
				}
			case m == chess.NullMove:
				if p.InCheck() {
					t.Fatalf("%s: %s(%q) is a null move in check", fen, reader, s)
				}
			case !slices.Contains(legal, m):
				t.Fatalf("%s: %s(%q) = %s, which is not legal", fen, reader, s, m)
			default:
				if again, err := p.ParseSAN(p.SAN(m)); err != nil || again != m {
					t.Fatalf("%s: %s is written %s, and read %s, %v", fen, m, p.SAN(m), again, err)
				}
			}
		}
		strict, err := p.ParseSAN(s)
		check("ParseSAN", strict, err)
		lenient, lenientErr := p.ParseSANLenient(s)
		check("ParseSANLenient", lenient, lenientErr)
		if err == nil && (lenientErr != nil || lenient != strict || p.SAN(strict) != s) {
			t.Fatalf("%s: %q is %s, leniently %s, %v", fen, s, strict, lenient, lenientErr)
		}
		m, err := p.ParseUCI(s)
		check("ParseUCI", m, err)
		if m, n := scanSAN(t, p, []byte(s)); n != 0 {
			if n < 0 || n > len(s) {
				t.Fatalf("%s: ScanSAN(%q) takes %d bytes", fen, s, n)
			}
			if again, err := p.ParseSANLenient(s[:n]); err != nil || again != m {
				t.Fatalf("%s: ScanSAN(%q) = %s, %d; ParseSANLenient: %s, %v", fen, s, m, n, again, err)
			}
		} else if strict != 0 {
			t.Fatalf("%s: ScanSAN does not take %q", fen, s)
		}
	})
}
