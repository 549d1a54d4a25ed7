// SPDX-License-Identifier: Apache-2.0

package formats_test

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"

	"ply11/game"
	"ply11/game/pgn"
	"ply11/internal/formats"
)

// pair is an output and an input of a file and one beside it, in memory.
type pair struct{ data, sibling bytes.Buffer }

func (p *pair) output(path string) formats.Output {
	return formats.Output{Writer: &p.data, Path: path, Sibling: func(string) (io.Writer, error) {
		return &p.sibling,
			nil
	}}
}

func (p *pair) input(path string) formats.Input {
	return formats.Input{Reader: bytes.NewReader(p.data.Bytes()), Path: path, Sibling: func(string) (io.ReadCloser,
		error) {
		if p.sibling.Len() == 0 {
			return nil, os.ErrNotExist
		}
		return io.NopCloser(bytes.NewReader(p.sibling.Bytes())), nil
	}}
}

func parseAll(t *testing.T, text string) (games []*game.Game) {
	t.Helper()
	for g, err := range pgn.NewReader(strings.NewReader(text)).All() {
		if err != nil {
			t.Fatal(err)
		}
		games = append(games, g)
	}
	return games
}

// readText returns the movetext of all games that a format reads, a line each, and its errors.
func readText(f *formats.Format, in formats.Input, o formats.Options) (text string, errs []error) {
	for g, err := range f.Read(in, o) {
		if err != nil {
			errs = append(errs, err)
			continue
		}
		text += string(movetext(g)) + "\n"
	}
	return text, errs
}

// Two files, whichever of them is named, of which the second may be away, not asked for, or none.
func TestChessBase(t *testing.T) {
	games := parseAll(t, "[White \"A\"]\n[Result \"1-0\"]\n\n1. e4! (1. d4 {x} d5) e5 1-0\n\n[CBDeleted "+
		"\"1\"]\n[Result \"*\"]\n\n1. c4 *\n")
	f, err := formats.ByName("chessbase")
	if err != nil {
		t.Fatal(err)
	}
	var want string
	for _, g := range games {
		want += string(movetext(g)) + "\n"
	}
	for _, path := range []string{"a.cbf", "A.CBI"} {
		var p pair
		w, err := f.Write(p.output(path), formats.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range games {
			if err := w.Write(g); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if s, errs := readText(f, p.input(path), formats.Options{}); errs != nil || s != want {
			t.Errorf("%s: %s, %v", path, s, errs)
		}
		if s, errs := readText(f, p.input(path),
			formats.Options{Values: map[string]string{"deleted": "skip"}}); errs != nil ||
			strings.Count(s, "\n") != 1 {
			t.Errorf("%s: %s, %v", path, s, errs)
		}
		if path == "A.CBI" {
			continue
		}
		in := p.input(path)
		in.Reader = io.MultiReader(in.Reader) // a pipe
		in.Sibling = func(string) (io.ReadCloser, error) { return nil, formats.ErrSibling }
		if s, errs := readText(f, in, formats.Options{}); errs != nil || s != want {
			t.Errorf("pipe: %s, %v", s, errs)
		}
		p.sibling.Truncate(6) // an index that is none: told of, and the games are found without it
		if s, errs := readText(f, p.input(path), formats.Options{}); len(errs) != 1 || s != want {
			t.Errorf("bad index: %s, %v", s, errs)
		}
		if s, errs := readText(f, p.input(path),
			formats.Options{Values: map[string]string{"index": "ignore"}}); errs != nil ||
			s != want {
			t.Errorf("no index: %s, %v", s, errs)
		}
	}
}
