// SPDX-License-Identifier: Apache-2.0

package brenner_test

import (
	"errors"
	"slices"
	"testing"

	"ply11/bitstream/brenner"
	"ply11/game"
	"ply11/game/codec"
	"ply11/internal/codectest"
	"ply11/position"
)

// Words that are no game: the error, the number of the word, and the ply. Idle words are skipped; both forms of a NAG
// are taken.
func TestEncodeIndices(t *testing.T) {
	const march = "h2h4 a7a6 h4h5 a6a5 h5h6 a5a4 h6g7 a4a3 "
	for _, c := range []struct {
		words string
		bytes int
		err   error
		at    int
	}{
		{"#2047 e2e4 #2047 #1976 #2047 #4 #2047 #1970 #2047", 4, nil, 8},
		{"e2e4 #1980 #1968", 4, nil, 3},
		{"e2e4 #1976", 0, codec.ErrLoss, 1},
		{"e2e4 #1976 #7", 0, codec.ErrLoss, 2},
		{"e2e4 #1976 #0", 0, codec.ErrLoss, 2},
		{"e2e4 #1977 #1978", 0, codec.ErrLoss, 2},
		{"#1977 e2e4", 0, codec.ErrLoss, 0},
		{"e2e4 #1972", 0, codec.ErrLoss, 1},
		{"e2e4 #1973 d2d4 #1974", 0, codec.ErrLoss, 1},
		{"#1975 #0", 0, codec.ErrLoss, 0},
		{"#2009", 0, codec.ErrLoss, 0},
		{"e3e4", 0, codec.ErrNoPiece, 0},
		{"e7e5", 0, codec.ErrNoPiece, 0},
		{"e1e2", 0, codec.ErrOwnPiece, 0},
		{"e2d3", 0, codec.ErrNothingToTake, 0},
		{"e2e5", 0, position.ErrIllegal, 0},
		{"e2e1", 0, codec.ErrOwnPiece, 0},
		{"e1g1", 0, codec.ErrOwnPiece, 0},
		{"g1f3 g8f6 e1g1", 0, codec.ErrCastling, 2},
		{"e2e4 e7e5 f1c4 f8c5 g1f3 g8f6 e1g1 e8g8", 8, nil, 8},
		{"e2e4 e7e5 e1e2 e8e7 e2e3 a7a6 e3c3", 0, position.ErrIllegal, 6},
		{march + "g7h8q", 10, nil, 9},
		{march + "g7h8", 0, codec.ErrPromotion, 8},
		{march + "g7g8", 0, codec.ErrPromotion, 8},
		{march + "h1h7 a3b2 h7h8 b2a1", 0, codec.ErrPromotion, 11},
		{"a2a4 b7b5 a4b5 a7a6 b5a6 h7h6 a6a7 h7h6", 0, codec.ErrNoPiece, 7},
		{"a2a4 b7b5 a4b5 a7a6 b5a6 h7h6 a6a7 h6h5 a7b8q h5h4 b8a8", 13, nil, 11},
		{"b1c3 h7h6 c3d5 h6h5 d5b6 h5h4 b6c8 h4h3 c8b6 h3g2 b6d7 g2f1 d7e8q", 0, codec.ErrPromotion, 11},
		{"b1c3 h7h6 c3d5 h6h5 d5f6 h5h4 f6h7 h4h3 h7g8q", 0, position.ErrIllegal, 8},
	} {
		b, n, err := brenner.Main.EncodeIndices(nil, codectest.Words(t, c.words))
		if !errors.Is(err, c.err) || n != c.at || err == nil && len(b) != c.bytes {
			t.Errorf("%s: %d bytes, %d words, %v; want %d, %d, %v", c.words, len(b), n, err, c.bytes, c.at, c.err)
		}
		var e *codec.Error
		if err != nil && (!errors.As(err, &e) || e.Offset != int64(c.at)) {
			t.Errorf("%s: %v", c.words, err)
		}
	}
}

// A Result tag that is not the result is a loss; a variation within a variation is lost with it, once.
func TestFurtherLosses(t *testing.T) {
	g := codectest.Line(t, "", "e4 ( d4 ( c4 ) ) -- ( e5 )")
	g.AddTag("Result", "1-0")
	g.Result = game.Draw
	_, err := brenner.Main.Encode(g)
	losses := codec.LossesOf(err)
	if want := []string{"tag Result", "variation at ply 1", "null move at ply 2 and what follows it"}; !slices.Equal(
		losses, want) {
		t.Errorf("%q, want %q", losses, want)
	}
	if loss := (*codec.LossError)(nil); !errors.As(err, &loss) || loss.Game != 0 || loss.Format != "brenner" {
		t.Error(err)
	}
}
