// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"io"
	"iter"

	"ply11/game"
	"ply11/internal/formats"
)

var errNoGame = &exitCode{code: exitInvalid, err: errors.New("there is no game in it")}

// gamesOf are the games of an input. After those of PGN without a tag pair and without a valid move comes errNoGame.
func gamesOf(f *formats.Format, in *source, o formats.Options) iter.Seq2[*game.Game, error] {
	input := in.input()
	if f.Name != "pgn" {
		return f.Read(input, o)
	}
	spot := &proseSpotter{r: input.Reader}
	input.Reader = spot
	return func(yield func(*game.Game, error) bool) {
		none := true
		for g, err := range f.Read(input, o) {
			none = none && isGameError(err) && (g == nil || g.Len() == 0)
			if !yield(g, err) {
				return
			}
		}
		if none && !spot.tag {
			yield(nil, errNoGame)
		}
	}
}

// proseSpotter finds out of a passing text whether it has a tag pair, and anything but white space.
type proseSpotter struct {
	r         io.Reader
	text, tag bool
	state     int // of a line: 0 before anything, 1 in the name of a tag, 2 before its value, 3 no tag
}

func (t *proseSpotter) prose() bool { return t.text && !t.tag }

func (t *proseSpotter) Read(b []byte) (int, error) {
	n, err := t.r.Read(b)
	for _, c := range b[:n] {
		if t.tag {
			break
		}
		t.text = t.text || c > ' '
		switch {
		case c == '\n' || c == '\r':
			t.state = 0
		case t.state == 0 && c == '[':
			t.state = 1
		case t.state == 1 && c == ' ', t.state == 2 && c == ' ':
			t.state = 2
		case t.state == 2 && c == '"':
			t.tag = true
		case t.state == 0 && c <= ' ', t.state == 1 && c > ' ':
		default:
			t.state = 3
		}
	}
	return n, err
}
