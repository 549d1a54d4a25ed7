// SPDX-License-Identifier: Apache-2.0

package jose_test

import (
	"bytes"
	"errors"
	"testing"

	"ply11/bitstream/jose"
	"ply11/chess"
	"ply11/game"
	"ply11/game/codec"
	"ply11/internal/codectest"
	"ply11/position"
)

// Words that are no game: the error, the number of the word. Idle words are skipped; both forms of a NAG are taken.
func TestEncodeIndices(t *testing.T) {
	const march = "h2h4 a7a6 h4h5 a6a5 h5h6 a5a4 h6g7 a4a3 "
	for _, c := range []struct {
		words string
		bytes int
		err   error
		at    int
	}{
		{"#2047 e2e4 #2047 #1976 #2047 #4 #2047 #1970 #2047", 4, nil, 8},
		{"e2e4 #1976 #32 #1976 #255 #1976 #0 #1977 #2007", 10, nil, 9},
		{"e2e4 #1976", 0, codec.ErrLoss, 2},
		{"e2e4 #1976 #256", 0, codec.ErrLoss, 2},
		{"#1975 #0", 0, codec.ErrLoss, 0},
		{"#2008", 0, codec.ErrLoss, 0},
		{"#2009", 0, codec.ErrLoss, 0},
		{"e2e4 #1973 d2d4 #1972 #1974 #1972 #1971", 8, nil, 7},
		{"#1973", 0, codec.ErrGrammar, 0},
		{"e2e4 #1973 #1973", 0, codec.ErrGrammar, 2},
		{"e2e4 #1974", 0, codec.ErrGrammar, 1},
		{"e2e4 #1973 d2d4", 0, codec.ErrGrammar, 3},
		{"e2e4 #1973 d2d4 #1970", 0, codec.ErrGrammar, 3},
		{"e2e4 e7e5 f1c4 f8c5 g1f3 g8f6 e1g1 e8g8", 9, nil, 8},
		{"d2d4 d7d5 c1f4 c8f5 d1d3 d8d6 b1c3 b8c6 e1c1 e8c8", 11, nil, 10},
		{"d2d4 d7d5 c1f4 c8f5 d1d3 d8d6 h2h3 h7h6 e1c1", 0, codec.ErrCastling, 8},
		{march + "g7h8q", 11, nil, 9},
		{"a2a4 b7b5 a4b5 a7a6 b5a6 h7h6 a6a7 h6h5 a7b8q h5h4 b8a8", 14, nil, 11},
	} {
		for _, d := range jose.Dialects {
			b, n, err := d.EncodeIndices(nil, codectest.Words(t, c.words))
			if !errors.Is(err, c.err) || n != c.at || err == nil && len(b) != c.bytes {
				t.Errorf("%s: %d bytes, %d words, %v; want %d, %d, %v", c.words, len(b), n, err, c.bytes, c.at, c.err)
			}
			var e *codec.Error
			if err != nil && (!errors.As(err, &e) || e.Offset != int64(c.at)) {
				t.Errorf("%s: %v", c.words, err)
			}
		}
	}
	start, err := position.ParseFEN("4k3/8/8/8/8/N1N1N3/8/4K3 w - - 0 1")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := new(jose.Encoder).EncodeIndices(jose.Document, &start, nil, nil); !errors.Is(err,
		codec.ErrTooManyPieces) {
		t.Error(err)
	}
	if _, _, err := new(jose.Decoder).DecodeIndices(jose.Document, &start, nil, nil); !errors.Is(err,
		codec.ErrTooManyPieces) {
		t.Error(err)
	}
}

// Variations deeper than MaxNesting are a loss, named, and what is around them is kept.
func TestDeepVariations(t *testing.T) {
	g := game.New()
	var b game.Builder
	b.Reset(g)
	e4 := chess.NewMove(chess.E2, chess.E4)
	b.Move(e4)
	for range jose.MaxNesting + 2 {
		if err := b.StartVariation(); err != nil {
			t.Fatal(err)
		}
		b.Move(e4)
	}
	for range jose.MaxNesting + 2 {
		b.Comment("after")
		b.EndVariation()
	}
	b.Move(chess.NewMove(chess.E7, chess.E5))
	rec, err := jose.Document.Encode(g, jose.Plain)
	losses := codec.LossesOf(err)
	if len(losses) != 1 || losses[0] != "variation nested deeper than 256 at ply 1" || !errors.Is(err, codec.ErrLoss) {
		t.Errorf("%q, %v", losses, err)
	}
	back, err := jose.Document.Decode(rec)
	if err != nil || back.NumVariations() != jose.MaxNesting || back.Len() != 2 {
		t.Errorf("%d variations, %d plies, %v", back.NumVariations(), back.Len(), err)
	}
}

// In program, .jgt has marks and no text: "in program no comments". They are read as none.
func TestMarksWithoutText(t *testing.T) {
	for g, err := range jose.NewReader(bytes.NewReader(unhex("e0 13 e0 e2 13 d3 ff")), jose.Program, jose.Plain).All() {
		if err != nil || g.Diff(codectest.Line(t, "", "e4 e5")) != "" {
			t.Error(err, g.Diff(codectest.Line(t, "", "e4 e5")))
		}
	}
}

// "Castling in the program's other variants (Chess960) is out of scope: refuse."
func TestChess960(t *testing.T) {
	_, err := jose.Program.Decode(jose.Record{FEN: "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w FCfc - 0 1",
		GameText: unhex("d3ff")})
	if !errors.Is(err, codec.ErrChess960) {
		t.Error(err)
	}
}
