// SPDX-License-Identifier: Apache-2.0

package position_test

import (
	"errors"
	"strings"
	"testing"

	"ply11/chess"
	"ply11/position"
)

const startFEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

func TestFENRefused(t *testing.T) {
	for _, c := range []struct {
		fen    string
		err    error
		reason string
	}{
		{"", position.ErrSyntax, "1 fields in place of 6"},
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", position.ErrSyntax, "4 fields"},
		{startFEN + " ", position.ErrSyntax, "7 fields"},
		{" " + startFEN, position.ErrSyntax, "7 fields"},
		{"4k3/8/8/8/8/8/8/4K2 w - - 0 1", position.ErrSyntax, "ends after 7 squares of rank 1"},
		{"4k3/8/8/8/8/8/4K3 w - - 0 1", position.ErrSyntax, "ends after 8 squares of rank 2"},
		{"4k3/8/8/8/8/8/8/4K3/8 w - - 0 1", position.ErrSyntax, "more than 8 ranks"},
		{"4k3/8/8/8/8/8/8/4K3/ w - - 0 1", position.ErrSyntax, "more than 8 ranks"},
		{"4k3/8/8/8/7/8/8/4K3 w - - 0 1", position.ErrSyntax, "rank 4 has 7 squares"},
		{"4k3/8/8/8/9/8/8/4K3 w - - 0 1", position.ErrSyntax, `"9" stands for no piece`},
		{"4k3/8/8/8/8p/8/8/4K3 w - - 0 1", position.ErrSyntax, "rank 4 has more than 8 squares"},
		{"4k3/8/8/8/44/8/8/4K3 w - - 0 1", position.ErrSyntax, "two digits"},
		{"4k3/8/8/8/7./8/8/4K3 w - - 0 1", position.ErrSyntax, `"." stands for no piece`},
		{"4k3/8/8/8/7X/8/8/4K3 w - - 0 1", position.ErrSyntax, `"X" stands for no piece`},
		{"4k3/8/8/8/8/8/8/4K3 x - - 0 1", position.ErrSyntax, `"x" is neither w nor b`},
		{"4k3/8/8/8/8/8/8/4K3 W - - 0 1", position.ErrSyntax, `"W" is neither`},
		{"4k3/8/8/8/8/8/8/8 w - - 0 1", position.ErrBoard, "white has no king"},
		{"8/8/8/8/8/8/8/4K3 w - - 0 1", position.ErrBoard, "black has no king"},
		{"4k3/8/8/8/8/8/8/3KK3 w - - 0 1", position.ErrBoard, "white has 2 kings"},
		{"kk2k3/8/8/8/8/8/8/4K3 w - - 0 1", position.ErrBoard, "black has 3 kings"},
		{"4k3/8/8/8/8/8/8/P3K3 w - - 0 1", position.ErrBoard, "white pawn on a1"},
		{"P3k3/8/8/8/8/8/8/4K3 w - - 0 1", position.ErrBoard, "white pawn on a8"},
		{"4k2p/8/8/8/8/8/8/4K3 w - - 0 1", position.ErrBoard, "black pawn on h8"},
		{"4k3/8/8/8/8/8/8/4K2p w - - 0 1", position.ErrBoard, "black pawn on h1"},
		{"4k3/8/8/8/8/7P/PPPPPPPP/4K3 w - - 0 1", position.ErrBoard, "white has 9 pawns"},
		{"4k3/8/8/8/8/QQ6/PPPPPPPP/4K3 w - - 0 1", position.ErrBoard, "white has 1 promoted pieces and 8 pawns"},
		{"nn2kbbb/8/8/8/8/8/pppp4/4K3 w - - 0 1", nil, ""},
		{"qqqqqk2/8/8/8/8/8/ppppp3/4K3 w - - 0 1", position.ErrBoard, "black has 4 promoted pieces and 5 pawns"},
		{"4k3/8/8/8/QQQQQQQQ/QQQQQQQQ/8/4K3 w - - 0 1", position.ErrBoard, "promoted pieces"},
		{"4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", position.ErrCastlingRights, "K without the white rook on h1"},
		{"4k3/8/8/8/8/8/8/4K2R w Q - 0 1", position.ErrCastlingRights, "Q without the white rook on a1"},
		{"4k3/8/8/8/8/8/4K3/7R w K - 0 1", position.ErrCastlingRights, "K without the white king on e1"},
		{"r7/4k3/8/8/8/8/8/4K3 w q - 0 1", position.ErrCastlingRights, "q without the black king on e8"},
		{"4k2R/8/8/8/8/8/8/4K3 b k - 0 1", position.ErrCastlingRights, "k without the black rook on h8"},
		{startFEN[:46] + "QKkq - 0 1", position.ErrSyntax, "not in the order"},
		{startFEN[:46] + "KK - 0 1", position.ErrSyntax, "not in the order"},
		{startFEN[:46] + "KQkq- - 0 1", position.ErrSyntax, `"-" stands for no right`},
		{startFEN[:46] + " - 0 1", position.ErrSyntax, "empty"},
		{startFEN[:46] + "HAha - 0 1", nil, ""},
		{startFEN[:46] + "HAhb - 0 1", position.ErrCastlingRights, "b without the black rook on b8"},
		{"nbbrknrq/pppppppp/8/8/8/8/PPPPPPPP/NBBRKNRQ w KQkq - 0 1", nil, ""},
		{"r1k4r/8/8/8/8/8/8/R1K4R w KQkq - 0 1", nil, ""},
		{"r3k2r/8/8/8/8/8/8/R1K4R w kq - 0 1", nil, ""},
		{startFEN[:51] + "e9 0 1", position.ErrSyntax, `"e9" is no square`},
		{startFEN[:51] + "E3 0 1", position.ErrSyntax, `"E3" is no square`},
		{startFEN[:51] + "e3 0 1", position.ErrEnPassant, "e3 with white to move"},
		{startFEN[:51] + "e4 0 1", position.ErrEnPassant, "e4 with white to move"},
		{startFEN[:51] + "e6 0 1", position.ErrEnPassant, "no black pawn on e5"},
		{"4k3/4p3/8/4p3/8/8/8/4K3 w - e6 0 1", position.ErrEnPassant, "e7 is not empty"},
		{"4k3/8/4n3/4p3/8/8/8/4K3 w - e6 0 1", position.ErrEnPassant, "e6 is not empty"},
		{"4k3/8/8/4p3/8/8/8/4K3 w - e6 1 1", position.ErrCounters, "halfmove clock 1 after the double push"},
		{"4k3/8/8/4p3/8/8/8/4K3 w - e6 0 1", nil, ""},
		{"4k3/8/8/8/8/8/8/4K3 w - - -1 1", position.ErrCounters, `"-1" is no number`},
		{"4k3/8/8/8/8/8/8/4K3 w - - +1 1", position.ErrCounters, `"+1" is no number`},
		{"4k3/8/8/8/8/8/8/4K3 w - - 01 1", position.ErrCounters, `"01" is no number`},
		{"4k3/8/8/8/8/8/8/4K3 w - - x 1", position.ErrCounters, `"x" is no number`},
		{"4k3/8/8/8/8/8/8/4K3 w - - 65536 1", position.ErrCounters, "65536 is not in 0..65535"},
		{"4k3/8/8/8/8/8/8/4K3 w - - 0 0", position.ErrCounters, "0 is not in 1..65535"},
		{"4k3/8/8/8/8/8/8/4K3 w - - 0 99999999999999999999", position.ErrCounters, "is not in 1..65535"},
		{"4k3/8/8/8/8/8/8/4K3 w - - 65535 65535", nil, ""},
		{"4k3/8/8/8/8/8/8/4K2r b - - 0 1", position.ErrOppositeCheck, "white is attacked from h1"},
		{"4k3/8/8/8/8/8/8/4K2r w - - 0 1", nil, ""},
		{"8/8/8/8/8/8/3k4/4K3 w - - 0 1", position.ErrOppositeCheck, "black is attacked from e1"},
		{strings.Repeat("8", 300), position.ErrSyntax, "300 bytes are too many"},
	} {
		p, err := position.ParseFEN(c.fen)
		if c.err == nil {
			if err != nil || p.FEN() != c.fen {
				t.Errorf("%q: %v, read as %s", c.fen, err, p.FEN())
			}
			continue
		}
		var fenError *position.FENError
		if !errors.Is(err, c.err) || !errors.As(err, &fenError) || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%q: error %v, want %v with %q", c.fen, err, c.err, c.reason)
		}
		if p != (position.Position{}) {
			t.Errorf("%q: a position with an error", c.fen)
		}
	}
}

func TestFENLenient(t *testing.T) {
	for _, c := range []struct{ fen, want string }{
		{"  " + strings.ReplaceAll(startFEN, " ", "\t ") + " and more", startFEN},
		{"4k3/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
		{"4k3/8/8/8/8/8/8/4K3 b", "4k3/8/8/8/8/8/8/4K3 b - - 0 1"},
		{"4k3/8/8/8/8/8/8/4K3 B - - 1 0", "4k3/8/8/8/8/8/8/4K3 b - - 1 1"},
		{"4k3/8/8/8/8/8/8/4K3/ white 0 _ - -", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
		{"4k3/8/8/8/44/8/8/4K3 w - - 007 12", "4k3/8/8/8/8/8/8/4K3 w - - 7 12"},
		{"rnbqkbnrpppppppp/8/8/8/8/PPPPPPPPRNBQKBNR w qkQKQK - 0 1", startFEN},
		{"4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"},
		{"4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
		{"4k3/8/8/8/8/8/8/4K3 w - e3 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
		{"4k3/8/8/4p3/8/8/8/4K3 w - e6 3 1", "4k3/8/8/4p3/8/8/8/4K3 w - e6 3 1"},
		// 24 pieces
		{"5nkn/5npn/8/8/8/QQQQQQQQ/QQQQQQQQ/QQQQKQQQ w - - 0 1",
			"5nkn/5npn/8/8/8/QQQQQQQQ/QQQQQQQQ/QQQQKQQQ w - - 0 1"},
		{"4k3/8/8/8/8/PPPPPP2/PPPPPPPP/4K3 w - - 0 1", "4k3/8/8/8/8/PPPPPP2/PPPPPPPP/4K3 w - - 0 1"},
	} {
		p, err := position.ParseFENLenient(c.fen)
		if err != nil || p.FEN() != c.want {
			t.Errorf("%q: %v, read as %s, want %s", c.fen, err, p.FEN(), c.want)
		}
	}
	for fen, want := range map[string]error{
		"":                                  position.ErrSyntax,
		"hello":                             position.ErrSyntax,
		"4k3/8/8/8/8/8/8/3KK3 w - - 0 1":    position.ErrBoard,
		"4k3/8/8/8/8/8/8/8 w - - 0 1":       position.ErrBoard,
		"4k2p/8/8/8/8/8/8/4K3":              position.ErrBoard,
		"4k3/8/8/8/8/8/8/4K2r b - - 0 1":    position.ErrOppositeCheck,
		"4k3/8/8/8/8/8/8/4K3 w - - x 1":     position.ErrCounters,
		"4k3/8/8/8/8/8/8/4K3 w - - 99999 1": position.ErrCounters,
		"4k3/8/8/8/8/8/8/4K3 w - zz 0 1":    position.ErrSyntax,
		"4k3/8/8/8/8/8/8/4K3 x":             position.ErrSyntax,
		"r3k3/8/8/8/8/8/8/4K3 w z - 0 1":    position.ErrSyntax,
	} {
		if p, err := position.ParseFENLenient(fen); !errors.Is(err, want) || p != (position.Position{}) {
			t.Errorf("%q: error %v, want %v", fen, err, want)
		}
	}
}

// TestFENRoundTrip writes and reads positions of all sorts, as FEN, text and Setup.
func TestFENRoundTrip(t *testing.T) {
	for _, p := range samplePositions(t) {
		for _, parse := range []func(string) (position.Position, error){position.ParseFEN, position.ParseFENLenient} {
			// The impossible checks among the perft positions are taken too.
			if q, err := parse(p.FEN()); err != nil || q != p {
				t.Fatalf("%s: %v, read back as %s", p.FEN(), err, q.FEN())
			}
		}
		text, _ := p.MarshalText()
		var q position.Position
		if err := q.UnmarshalText(text); err != nil || q != p {
			t.Fatalf("%s: %v, unmarshalled as %s", p.FEN(), err, q.FEN())
		}
		s := p.Setup()
		if q, err := s.Position(); err != nil || q != p {
			t.Fatalf("%s: %v, set up as %s", p.FEN(), err, q.FEN())
		}
	}
}

func TestSetupRefused(t *testing.T) {
	p := position.Start()
	for name, change := range map[string]func(*position.Setup){
		"piece 7":     func(s *position.Setup) { s.Board[20] = 7 },
		"piece 8":     func(s *position.Setup) { s.Board[20] = 8 },
		"piece 15":    func(s *position.Setup) { s.Board[20] = 15 },
		"piece 200":   func(s *position.Setup) { s.Board[20] = 200 },
		"turn 2":      func(s *position.Setup) { s.Turn = 2 },
		"castling 16": func(s *position.Setup) { s.Castling = 16 },
		"file -1":     func(s *position.Setup) { s.EnPassantFile = -1 },
		"file 9":      func(s *position.Setup) { s.EnPassantFile = 9 },
		"clock -1":    func(s *position.Setup) { s.HalfmoveClock = -1 },
		"number 0":    func(s *position.Setup) { s.FullmoveNumber = 0 },
		"no king":     func(s *position.Setup) { s.Board[chess.E1] = chess.WhiteQueen },
	} {
		s := p.Setup()
		change(&s)
		var setupError *position.SetupError
		if q, err := s.Position(); !errors.As(err, &setupError) || q != (position.Position{}) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
