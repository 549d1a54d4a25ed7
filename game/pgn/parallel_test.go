// SPDX-License-Identifier: Apache-2.0

package pgn_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"ply11/game"
	"ply11/game/pgn"
	"ply11/internal/testenv"
)

// outcome is a game and its error in a form that can be compared whole.
type outcome struct {
	Game *game.Game
	Text string // where it stands, its bytes, and its error
}

func outcomeOf(g *game.Game, err error) outcome {
	s := g.Source
	return outcome{g, fmt.Sprintf("%d %d-%d line %d %v %v %s %v", s.Number, s.Start, s.End, s.Line,
		s.Encoding, s.NoTerminator, s.Raw, err)}
}

func sequential(text []byte, o ...pgn.ReaderOption) (list []outcome) {
	for g, err := range pgn.NewReader(bytes.NewReader(text), o...).All() {
		list = append(list, outcomeOf(g, err))
	}
	return list
}

func parallel(t *testing.T, text []byte, workers int, o ...pgn.ReaderOption) (list []outcome) {
	t.Helper()
	err := pgn.ReadParallel(bytes.NewReader(text), workers, func(g *game.Game, err error) bool {
		list = append(list, outcomeOf(g.Clone(), err))
		return true
	}, o...)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func compareOutcomes(t *testing.T, got, want []outcome) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%d games, want %d", len(got), len(want))
	}
	for i := range min(len(got), len(want)) {
		if got[i].Text != want[i].Text || !got[i].Game.Equal(want[i].Game) {
			t.Fatalf("game %d: -sequential +parallel\n%s", i+1, cmp.Diff(want[i], got[i]))
		}
	}
}

// TestParallelIsSequential: the same games, places and errors, whatever stands where the input is cut.
func TestParallelIsSequential(t *testing.T) {
	var b strings.Builder
	for i := 0; b.Len() < testenv.Pick(1<<20, 1<<18); /* 16 chunks, or 4 */ i++ {
		fmt.Fprintf(&b, "[Event \"%d\"]\n[White \"A\"]\n\n1. e4 {%s} e5 2. Nf3 (2. f4 exf4) Nc6 ", i, strings.Repeat("c", i%97))
		if i%11 == 3 {
			b.WriteString("3. Ke3 ")
		}
		b.WriteString("*\n\n")
	}
	plain := b.String()
	third := len(plain) / 3
	cases := map[string]string{
		"plain":                 plain,
		"crlf":                  strings.ReplaceAll(plain, "\n", "\r\n"),
		"no blank lines":        strings.ReplaceAll(plain, "\n\n", "\n"),
		"comment without end":   plain[:third] + "\n\n[Event \"open\"]\n\n1. e4 { no end\n\n" + plain[third:],
		"games in a comment":    "[Event \"c\"]\n\n1. e4 {" + strings.NewReplacer("{", "", "}", "").Replace(plain) + "} e5 *\n\n" + plain[:third],
		"tags without movetext": strings.Repeat("[Event \"t\"]\n[Site \"s\"]\n\n", 60000),
		"latin-1":               strings.ReplaceAll(plain, "{ccc", "{\xe4\xf6"),
		"short":                 "1. e4 *",
		"empty":                 "",
	}
	for name, text := range cases {
		for _, o := range [][]pgn.ReaderOption{nil, {pgn.WithRaw(), pgn.MaxComment(50)}} {
			t.Run(fmt.Sprintf("%s/%v", name, o != nil), func(t *testing.T) {
				want := sequential([]byte(text), o...)
				compareOutcomes(t, parallel(t, []byte(text), 3, o...), want)
			})
		}
	}
}

func TestParallelStops(t *testing.T) {
	text := bytes.Repeat([]byte("[Event \"x\"]\n\n1. e4 e5 *\n\n"), 100_000)
	n := 0
	err := pgn.ReadParallel(bytes.NewReader(text), 2, func(*game.Game, error) bool {
		n++
		return n < 10
	})
	if err != nil || n != 10 {
		t.Errorf("%d games, %v", n, err)
	}
}

func TestParallelGivesTheInputsError(t *testing.T) {
	broken := errors.New("broken")
	text := bytes.Repeat([]byte("[Event \"x\"]\n\n1. e4 e5 *\n\n"), 50_000)
	src := io.MultiReader(bytes.NewReader(text), errorReader{broken})
	n := 0
	err := pgn.ReadParallel(src, 2, func(*game.Game, error) bool { n++; return true })
	if err != broken || n != 50_000 {
		t.Errorf("%d games, %v", n, err)
	}
}

type errorReader struct{ err error }

func (e errorReader) Read([]byte) (int, error) { return 0, e.err }

// An input that is cut off, as decompressors tell of it, is an error for both readers, and not the end.
func TestCutOff(t *testing.T) {
	src := func() io.Reader {
		return io.MultiReader(strings.NewReader("1. e4 e5 *\n\n1. d4 *\n"), iotest.ErrReader(io.ErrUnexpectedEOF))
	}
	if err := pgn.ReadParallel(src(), 2, func(*game.Game, error) bool { return true }); err != io.ErrUnexpectedEOF {
		t.Errorf("ReadParallel: %v", err)
	}
	r := pgn.NewReader(src())
	var err error
	for g := game.New(); err == nil; {
		err = r.Read(g)
	}
	if err != io.ErrUnexpectedEOF {
		t.Errorf("Reader: %v", err)
	}
}
