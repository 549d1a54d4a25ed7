// SPDX-License-Identifier: Apache-2.0

package pgn_test

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	notnil "github.com/notnil/chess"

	"ply11/game"
	"ply11/game/pgn"
	"ply11/internal/datadir"
	"ply11/internal/samples"
	"ply11/internal/testenv"
)

// realFile is what is in a file of the folder of real games; pgnExtract and notnil say why these two count otherwise,
// "" if they do not.
type realFile struct {
	file                             string
	games, plies, variations, errors int
	pgnExtract, notnil               string
}

// realFiles reads testdata/files.tsv.
func realFiles(t *testing.T) (list []realFile) {
	t.Helper()
	text, err := os.ReadFile("testdata/files.tsv")
	testenv.Must(t, err)
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "file\t") {
			continue
		}
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		f := realFile{file: cells[0]}
		for i, to := range []*int{&f.games, &f.plies, &f.variations, &f.errors} {
			*to, err = strconv.Atoi(cells[1+i])
			testenv.Must(t, err)
		}
		for i, to := range []*string{&f.pgnExtract, &f.notnil} {
			*to = strings.TrimPrefix(cells[5+i], "-")
		}
		list = append(list, f)
	}
	return list
}

// readData returns a file of the folder of real data, decompressed. The test is skipped where it is absent.
func readData(tb testing.TB, parts ...string) []byte {
	tb.Helper()
	datadir.Path(tb, parts...)
	text, _ := datadir.ReadAll(tb, samples.Plain, parts...)
	return text
}

func TestRealFiles(t *testing.T) {
	root := datadir.Path(t, "pgn")
	listed := map[string]bool{}
	for _, f := range realFiles(t) {
		listed[f.file] = true
		t.Run(f.file, func(t *testing.T) {
			text := readData(t, append([]string{"pgn"}, strings.Split(f.file, "/")...)...)
			games, plies, variations, bad := 0, 0, 0, 0
			covered := int64(0)
			for g, err := range pgn.NewReader(bytes.NewReader(text)).All() {
				games++
				plies += g.Len()
				variations += g.NumVariations()
				if err != nil {
					bad++
				}
				s := g.Source
				if s.Start < covered || s.End <= s.Start {
					t.Errorf("game %d: range %d..%d after %d", games, s.Start, s.End, covered)
				}
				// Between the games there is nothing but white space, and byte-order marks.
				if gap := strings.Trim(string(text[covered:s.Start]), " \t\r\n\ufeff"); gap != "" {
					t.Errorf("before game %d: %q", games, gap)
				}
				covered = s.End
				again, err2 := read(t, text[s.Start:s.End])
				if d := g.Diff(again); d != "" && s.Encoding != game.Latin1 || (err == nil) != (err2 == nil) {
					t.Errorf("game %d by itself: %s, %v", games, d, err2)
				}
			}
			if games != f.games || plies != f.plies || variations != f.variations || bad != f.errors {
				t.Errorf("%d games, %d plies, %d variations, %d errors; want %d, %d, %d, %d",
					games, plies, variations, bad, f.games, f.plies, f.variations, f.errors)
			}
			comparePeers(t, text, f.games, f.plies, f.pgnExtract, f.notnil)
		})
	}
	filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.Name() == "players" { // too many for here
			return fs.SkipDir
		}
		rel, _ := filepath.Rel(root, path)
		if !d.IsDir() && !listed[filepath.ToSlash(rel)] {
			t.Errorf("%s is not in the table", rel)
		}
		return nil
	})
}

// read reads the one game of a text.
func read(t *testing.T, text []byte) (*game.Game, error) {
	t.Helper()
	r := pgn.NewReader(bytes.NewReader(text))
	g := game.New()
	err := r.Read(g)
	return g, err
}

// comparePeers compares with what the peers say, where no reason is given why they say otherwise.
func comparePeers(t *testing.T, text []byte, games, plies int, noExtract, noNotnil string) {
	if noNotnil == "" {
		n, p := 0, 0
		s := notnil.NewScanner(bytes.NewReader(text))
		for s.Scan() {
			n++
			p += len(s.Next().Moves())
		}
		if n != games || p != plies {
			t.Errorf("notnil/chess: %d games, %d plies; want %d, %d", n, p, games, plies)
		}
	}
	if noExtract != "" || testing.Short() {
		return
	}
	tool, err := testenv.Find("pgn-extract")
	if err != nil {
		return
	}
	c := exec.Command(tool, "-s", "--allownullmoves", "-Wuci", "-C", "-V", "-N", "--notags")
	c.Stdin = bytes.NewReader(text)
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	n, p := 0, 0
	for _, w := range strings.Fields(string(out)) {
		if _, err := game.ParseResult(w); err == nil {
			n++
		} else {
			p++
		}
	}
	if n != games || p != plies {
		t.Errorf("pgn-extract: %d games, %d plies; want %d, %d", n, p, games, plies)
	}
}
