// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ply11/bitstream/codec"
	"ply11/game"
	"ply11/game/pgn"
)

// pair is an output and an input of a file and one beside it, in memory or, as what converts does, on disk.
type pair struct{ data, sibling bytes.Buffer }

func (p *pair) output(path string) Output {
	return Output{Writer: &p.data, Path: path, Sibling: func(string) (io.Writer, error) { return &p.sibling, nil }}
}

func (p *pair) input(path string) Input {
	return Input{Reader: bytes.NewReader(p.data.Bytes()), Path: path, Sibling: func(string) (io.ReadCloser, error) {
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
func readText(f *Format, in Input, o Options) (text string, errs []error) {
	for g, err := range f.Read(in, o) {
		if err != nil {
			errs = append(errs, err)
			continue
		}
		text += string(movetext(g)) + "\n"
	}
	return text, errs
}

// Two files, whichever of them is named, in memory and on disk.
func TestChessBase(t *testing.T) {
	games := parseAll(t, "[White \"A\"]\n[Result \"1-0\"]\n\n1. e4! (1. d4 {x} d5) e5 1-0\n\n[CBDeleted \"1\"]\n[Result \"*\"]\n\n1. c4 *\n")
	f, err := ByName("chessbase")
	if err != nil {
		t.Fatal(err)
	}
	var want string
	for _, g := range games {
		want += string(movetext(g)) + "\n"
	}
	for _, path := range []string{"a.cbf", "A.CBI"} {
		var p pair
		w, err := f.Write(p.output(path), Options{})
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
		if s, errs := readText(f, p.input(path), Options{}); errs != nil || s != want {
			t.Errorf("%s: %s, %v", path, s, errs)
		}
		if s, errs := readText(f, p.input(path), Options{Values: map[string]string{"deleted": "skip"}}); errs != nil || strings.Count(s, "\n") != 1 {
			t.Errorf("%s: %s, %v", path, s, errs)
		}
		if path == "A.CBI" {
			continue
		}
		in := p.input(path)
		in.Reader = io.MultiReader(in.Reader) // a pipe
		in.Sibling = func(string) (io.ReadCloser, error) { return nil, ErrSibling }
		if s, errs := readText(f, in, Options{}); errs != nil || s != want {
			t.Errorf("pipe: %s, %v", s, errs)
		}
		p.sibling.Truncate(6) // an index that is none: told of, and the games are found without it
		if s, errs := readText(f, p.input(path), Options{}); len(errs) != 1 || s != want {
			t.Errorf("bad index: %s, %v", s, errs)
		}
		if s, errs := readText(f, p.input(path), Options{Values: map[string]string{"index": "ignore"}}); errs != nil || s != want {
			t.Errorf("no index: %s, %v", s, errs)
		}
	}
	dir := t.TempDir()
	open := func(name string) *os.File {
		file, err := os.OpenFile(filepath.Join(dir, name), os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { file.Close() })
		return file
	}
	cbf, cbi := open("d.cbf"), open("d.cbi")
	w, err := f.Write(Output{Writer: cbf, Path: "d.cbf", Sibling: func(string) (io.Writer, error) { return cbi, nil }}, Options{})
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
	if s, errs := readText(f, Input{Reader: open("d.cbf"), Path: "d.cbf",
		Sibling: func(ext string) (io.ReadCloser, error) { return os.Open(filepath.Join(dir, "d"+ext)) }}, Options{}); errs != nil || s != want {
		t.Errorf("on disk: %s, %v", s, errs)
	}
	// Losses and errors are of the kinds that this package promises.
	bad := games[0].Clone()
	bad.AddTag("Round", "7")
	var p pair
	w, _ = f.Write(p.output("a.cbf"), Options{})
	if lost := codec.LossesOf(w.Write(bad)); len(lost) != 1 || lost[0] != "tag Round" {
		t.Error(lost)
	}
	var lost []string
	w, _ = f.Write(p.output("a.cbf"), Options{Lossy: true, Report: func(l *codec.LossError) { lost = l.Names }})
	if err := w.Write(bad); err != nil || len(lost) != 1 {
		t.Error(lost, err)
	}
	_, errs := readText(f, Input{Reader: strings.NewReader("no game"), Path: "-"}, Options{})
	var e *codec.Error
	if len(errs) != 1 || !errors.As(errs[0], &e) || e.Game != 1 || e.Offset != 0 {
		t.Error(errs)
	}
}

// A book of ChessBase to PGN and to Polyglot's form, and back.
func TestBooks(t *testing.T) {
	games := parseAll(t, "1. e4 (1. f3?) 1... e5 (1... c5 2. Nf3) 2. Nf3 *")
	var last *game.Game
	for _, name := range []string{"fbk", "polyglot", "fbk"} {
		f, err := ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		g := games[0]
		lossy := false
		if last != nil {
			g, lossy = last, true // the comments with weights
		}
		var file bytes.Buffer
		w, err := f.Write(Output{Writer: &file, Path: "-"}, Options{Lossy: lossy})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(g); err != nil {
			t.Fatal(name, err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		for g, err := range f.Read(Input{Reader: &file, Path: "-"}, Options{}) {
			if err != nil {
				t.Fatal(err)
			}
			last = g.Clone()
		}
		if n := last.NumMoves(); n != 6 {
			t.Errorf("%s: %d moves: %s", name, n, movetext(last))
		}
	}
	for path, name := range map[string]string{"x.fbk": "fbk", "x.BIN": "polyglot", "x.cbi": "chessbase", "x.cbf": "chessbase"} {
		if f, err := ByPath(path); err != nil || f.Name != name {
			t.Errorf("%s: %v", path, err)
		}
	}
	for name, data := range map[string]string{"fbk": "\x0c\x1c\x40", "polyglot": "12345678901234567"} {
		f, _ := ByName(name)
		_, errs := readText(f, Input{Reader: strings.NewReader(data), Path: "-"}, Options{})
		var e *codec.Error
		if len(errs) == 0 || !errors.As(errs[0], &e) || e.Offset < 2 {
			t.Errorf("%s: %v", name, errs)
		}
	}
}

// Each of the formats can be explained, to the end of a bad file too.
func TestChessBaseExplainers(t *testing.T) {
	games := parseAll(t, "1. e4 (1. f3?) 1... e5 2. Nf3 *")
	for name, want := range map[string]string{"chessbase": "2. Nf3\n", "fbk": "2. Nf3;", "polyglot": "2. Nf3  in "} {
		f, err := ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		var p pair
		w, err := f.Write(p.output("-"), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(games[0]); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := f.Explain(&out, p.input("-"), Options{}); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("%s: %v\n%s", name, err, out.String())
		}
		p.data.Truncate(p.data.Len() - 1)
		if err := f.Explain(&out, p.input("-"), Options{}); err == nil {
			t.Errorf("%s: no error", name)
		}
		if err := f.Explain(failing{}, p.input("-"), Options{}); !errors.Is(err, os.ErrClosed) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, os.ErrClosed }
