// SPDX-License-Identifier: Apache-2.0

package pgn_test

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"ply11/game/codec"
	"ply11/game/pgn"
	"ply11/internal/testenv"
)

// gamesOf reads a text: its games with their places and errors, each in a form that can be compared, and the work.
func gamesOf(src io.Reader, o ...pgn.ReaderOption) (list []string, work int64) {
	r := pgn.NewReader(src, o...)
	line := pgn.Line()
	for g, err := range r.All() {
		s := g.Source
		list = append(list, fmt.Sprintf("%d %d-%d line %d %v %v\n%s%s", s.Number, s.Start, s.End, s.Line,
			s.NoTerminator, err,
			pgn.AppendTags(nil, g, &line), pgn.AppendMovetext(nil, g, &line)))
	}
	return list, r.Work()
}

// workOf reads a text and returns the work alone.
func workOf(t testing.TB, src io.Reader, o ...pgn.ReaderOption) int64 {
	t.Helper()
	r := pgn.NewReader(src, o...)
	for _, err := range r.All() {
		if bad := new(codec.Error); err != nil && !errors.As(err, &bad) {
			t.Fatal(err)
		}
	}
	return r.Work()
}

// What a hostile text begins with, repeats, and ends with.
var (
	begins = []string{"", "1. e4 ", "[Event \"x\"]\n\n", "[Event \"x\"]\n\nxx ", "[Event \"x\"]\n\ne4 (",
		"[Event \"x\"]\n\ne4 (d4 xx ", "{", "{{", ";", "%",
		"[Variant \"x\"]\n\n", "[a \"\xe9", "e4 * {"}
	words = []string{"[", "]", "\"", "\r", "\n", "\n\n", "{", "}", "(", ")", "1.", "1-0", "*", "e4 ", "$1 ", "!", "?",
		"a", " ", "  ", "%", "\\", "%x\n", "\n%", "[a \"",
		"[Event \"x\"]\n", "\xe9", "\u00bd-\u00bd", "0", "-", "/", "\t", ";", "<br>", "e8(Q)", "1/2", "...",
		"[%clk 0:00:01] ", "1)", "--", "O-O", "2.", "[", "{", "}"}
)

// TestWorkIsLinear: whatever a text repeats, the bytes that are looked at are a few for each of its bytes, at any
// length, in a game of any size, within and beyond the limits.
func TestWorkIsLinear(t *testing.T) {
	units := []string{"[]", "][", "[\"]", "\r[", "[%clk 0:00:01] ", "2.", "1.", "{{} * ", "{{}", "(1-0 ",
		"[a \"\xe9\"]", "[a \"\\\"] * ", "[a \"x\"y]", "%\n",
		"{\n\n[A \"x\"]", "{\n\n[A \"x\"]\n}", "\n\n[A \"", "1. e4 (", "(e4 ", "() ", "$1 ", "{x} ", "xx ", "[a  ",
		" [a"}
	rng := rand.New(rand.NewPCG(1, 2))
	for range testenv.Pick(300, 60) {
		u := ""
		for range 1 + rng.IntN(4) {
			u += words[rng.IntN(len(words))]
		}
		units = append(units, u)
	}
	for i, u := range units {
		list := begins
		if i >= 30 {
			list = []string{begins[rng.IntN(len(begins))]}
		}
		for _, b := range list {
			for _, end := range []string{"", words[rng.IntN(len(words))]} {
				for _, size := range []int{1 << 12, 1 << 16} {
					text := b + strings.Repeat(u, size/len(u)) + end
					for _, o := range [][]pgn.ReaderOption{
						nil, {pgn.MaxGame(1 << 12), pgn.MaxComment(1 << 10), pgn.MaxItems(100), pgn.MaxMoves(100)}} {
						work, most := workOf(t, io.MultiReader(strings.NewReader(text)), o...), pgn.MostWork(len(text))
						if work > most {
							t.Errorf("%q, then %q for %d bytes, then %q, with %d options: %d steps, want at most %d", b,
								u, size, end, len(o), work, most)
						}
					}
				}
			}
		}
	}
}

// TestReadInPieces: what is read does not depend on how the text comes.
func TestReadInPieces(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range testenv.Pick(2000, 300) {
		text := begins[rng.IntN(len(begins))]
		for range 1 + rng.IntN(400) {
			text += words[rng.IntN(len(words))]
		}
		// A Reader asks for 4 KiB at least: blanks before the text move where it is cut.
		text = strings.Repeat(" ", 4096-rng.IntN(min(len(text), 4000))) + text
		for _, o := range [][]pgn.ReaderOption{nil, {pgn.MaxComment(20)}} {
			whole, _ := gamesOf(strings.NewReader(text), o...)
			pieces, _ := gamesOf(iotest.OneByteReader(strings.NewReader(text)), o...)
			if diff := cmp.Diff(whole, pieces); diff != "" {
				t.Fatalf("%q: -whole +in pieces\n%s", text, diff)
			}
		}
	}
}
