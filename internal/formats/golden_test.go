// SPDX-License-Identifier: Apache-2.0

package formats_test

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ply11/game"
	"ply11/game/pgn"
	"ply11/internal/formats"
	"ply11/testdata"
)

//go:generate go test -run ^TestGoldenFiles$ -update
var update = flag.Bool("update", false, "write testdata/formats")

// golden has a file of each format, with the games of testdata/famous.pgn and what the format can hold of them.
var golden = filepath.Join("..", "..", "testdata", "formats")

// famous returns the games.
func famous(t *testing.T) []*game.Game {
	t.Helper()
	var all []*game.Game
	for g, err := range pgn.NewReader(strings.NewReader(testdata.Famous)).All() {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, g)
	}
	return all
}

// written returns the files that a format makes of games, by their extensions.
func written(t *testing.T, f *formats.Format, all []*game.Game) map[string]*bytes.Buffer {
	t.Helper()
	ext := append(f.Extensions, ".bytes")[0]
	files := map[string]*bytes.Buffer{ext: new(bytes.Buffer)}
	w, err := f.Write(formats.Output{Writer: files[ext], Path: f.Name + ext, Sibling: func(ext string) (io.Writer,
		error) {
		files[ext] = new(bytes.Buffer)
		return files[ext], nil
	}}, formats.Options{Lossy: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range all {
		if err := w.Write(g); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return files
}

// Every format makes of the same games the same bytes; reads them; and makes them again.
func TestGoldenFiles(t *testing.T) {
	all := famous(t)
	for i := range formats.All {
		f := &formats.All[i]
		t.Run(f.Name, func(t *testing.T) {
			files := written(t, f, all)
			for ext, got := range files {
				name := filepath.Join(golden, f.Name+ext)
				if *update {
					if err := os.WriteFile(name, got.Bytes(), 0o666); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(got.Bytes(), want) {
					t.Errorf("%s is not what is written: %d and %d bytes", name, len(want), got.Len())
				}
			}
			ext := append(f.Extensions, ".bytes")[0]
			file, err := os.Open(filepath.Join(golden, f.Name+ext))
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			var read []*game.Game
			for g, err := range f.Read(formats.Input{Reader: file, Path: f.Name + ext,
				Sibling: func(ext string) (io.ReadCloser,
					error) {
					return os.Open(filepath.Join(golden, f.Name+ext))
				}}, formats.Options{}) {
				if err != nil {
					t.Fatal(err)
				}
				read = append(read, g.Clone())
			}
			if book := f.Name == "fbk" || f.Name == "polyglot"; !book && len(read) != len(all) {
				t.Errorf("%d games were read, of %d", len(read), len(all))
			}
			if f.Name == "polyglot" {
				return // a book of lines has other weights than one of games
			}
			for ext, again := range written(t, f, read) {
				if first := files[ext]; first == nil || !bytes.Equal(first.Bytes(), again.Bytes()) {
					t.Errorf("what was read makes another %s", f.Name+ext)
				}
			}
		})
	}
}
