// SPDX-License-Identifier: Apache-2.0

//go:build long

package main

import (
	"bufio"
	"cmp"
	"flag"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ply11/game"
	"ply11/game/codec"
	"ply11/internal/datadir"
	"ply11/internal/formats"
)

var fill = flag.Bool("fill", false, "write the table of TestCodecsMaster into docs/measurements.md")

// measured are the formats of the table, with what is told to them. (Opening books hold no games, and a line of UCI no
// result.)
var measured = []struct {
	name    string // of the row
	format  string
	options map[string]string
}{
	{"brenner", "brenner", nil},
	{"brenner-alt", "brenner-alt", nil},
	{"brenner-alt-swapped", "brenner-alt-swapped", nil},
	{"brenner-alt-fixed", "brenner-alt-fixed", nil},
	{"jose", "jose", map[string]string{"container": "jgt"}},
	{"jose-program", "jose-program", map[string]string{"container": "jgt"}},
	{"chessbase", "chessbase", nil},
	{"words", "words", nil},
	{"p11", "p11", map[string]string{"filter": "no"}},
	{"p11-dense", "p11", map[string]string{"moves": "dense"}},
	{"pgn", "pgn", map[string]string{"style": "compact"}},
}

// codecFile is the files of a format that are written.
type codecFile struct {
	t     *testing.T
	path  string
	files []*os.File
	bufs  []*bufio.Writer
	w     codec.Writer
}

func newCodecFile(t *testing.T, path string, f *formats.Format, o formats.Options) *codecFile {
	c := &codecFile{t: t, path: path}
	var err error
	sibling := func(ext string) (io.Writer, error) {
		return c.create(strings.TrimSuffix(path, filepath.Ext(path)) + ext), nil
	}
	if c.w, err = f.Write(formats.Output{Writer: c.create(path), Path: path, Sibling: sibling}, o); err != nil {
		t.Fatal(err)
	}
	return c
}

func (c *codecFile) create(path string) io.Writer {
	f, err := os.Create(path)
	if err != nil {
		c.t.Fatal(err)
	}
	b := bufio.NewWriterSize(f, 64<<10)
	c.files, c.bufs = append(c.files, f), append(c.bufs, b)
	return b
}

// finish ends the files and returns their size.
func (c *codecFile) finish() (size int64) {
	if err := c.w.Close(); err != nil {
		c.t.Fatal(err)
	}
	for i, f := range c.files {
		if err := c.bufs[i].Flush(); err != nil {
			c.t.Fatal(err)
		}
		info, err := f.Stat()
		if err != nil {
			c.t.Fatal(err)
		}
		size += info.Size()
		f.Close()
	}
	return size
}

// bare makes of a game one with its start, its result and, if moves are wanted, its main line.
func bare(g *game.Game, moves bool) *game.Game {
	to := game.New()
	to.SetStart(g.Start)
	to.Result = g.Result
	if moves {
		var b game.Builder
		b.Reset(to)
		for _, m := range g.MainLine() {
			b.Move(m)
		}
		b.Flush()
	}
	return to
}

// TestCodecsMaster takes the main lines and results of all of master-50k through every format and back: each game has
// the same start and the same moves, so the same positions. The table of docs/measurements.md is what this finds, but
// for the archive, whose encoder may choose. The column "moves" leaves out what as many games without moves take:
// results, headers, an index.
func TestCodecsMaster(t *testing.T) {
	var games []*game.Game
	plies := 0
	pgn, err := formats.ByName("pgn")
	if err != nil {
		t.Fatal(err)
	}
	in, err := openInput(pgn, datadir.Path(t, "pgn", "master", "master-50k.pgn.zst"))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	for g, err := range gamesOf(pgn, in, formats.Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		games = append(games, bare(g, true))
		plies += g.Len()
	}
	type row struct {
		perPly float64
		line   string
	}
	var rows []row
	for _, m := range measured {
		f, err := formats.ByName(m.format)
		if err != nil {
			t.Fatal(err)
		}
		ext := ".bytes"
		if len(f.Extensions) > 0 {
			ext = f.Extensions[0]
		}
		dir, o := t.TempDir(), formats.Options{Values: m.options}
		whole, frame := newCodecFile(t, filepath.Join(dir, "whole"+ext), f, o),
			newCodecFile(t, filepath.Join(dir, "frame"+ext), f, o)
		for i, g := range games {
			if err := cmp.Or(whole.w.Write(g), frame.w.Write(bare(g, false))); err != nil {
				t.Fatalf("%s: game %d: %v", m.name, i+1, err)
			}
		}
		bytes, without := whole.finish(), frame.finish()
		compareGames(t, m.name, f, o, whole.path, games)
		perPly := float64(bytes) / float64(plies)
		rows = append(rows, row{perPly, fmt.Sprintf("| `%s` | %d | %d | %d | %.3f | %.3f |\n", m.name, len(games),
			plies, bytes, perPly, float64(bytes-without)/float64(plies))})
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(a.perPly, b.perPly) })
	page := filepath.Join("..", "..", "docs", "measurements.md")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	const head, end = "| format | games | plies | bytes | bytes a ply | moves |\n|---|---:|---:|---:|---:|---:|\n", "\n"
	before, shown, found := strings.Cut(string(text), head)
	shown, after, ended := strings.Cut(shown, "\n\n")
	if !found || !ended {
		t.Fatal("docs/measurements.md has no such table")
	}
	table := ""
	for _, r := range rows {
		if table += r.line; !*fill && !strings.HasPrefix(r.line, "| `p11`") && !strings.Contains(shown+"\n", r.line) {
			t.Errorf("docs/measurements.md does not have what is found:\n%s", r.line)
		}
	}
	if *fill {
		if err := os.WriteFile(page, []byte(before+head+table+end+after), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// compareGames reads a file of a format and compares it, game by game, with what was written.
func compareGames(t *testing.T, name string, f *formats.Format, o formats.Options, path string, games []*game.Game) {
	in, err := openInput(f, path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	next, stop := iter.Pull2(gamesOf(f, in, o))
	defer stop()
	for i, want := range games {
		g, err, ok := next()
		if err != nil || !ok {
			t.Fatalf("%s: game %d does not come back: %v", name, i+1, err)
		}
		got := bare(g, true)
		got.Tags, want.Tags = nil, nil
		if diff := got.Diff(want); diff != "" {
			t.Fatalf("%s: game %d: %s", name, i+1, diff)
		}
	}
	if _, err, more := next(); more {
		t.Fatalf("%s: there are more games than were written: %v", name, err)
	}
}
