// SPDX-License-Identifier: Apache-2.0

package archive_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/game/pgn"
	"ply11/internal/datadir"
	"ply11/internal/gamegen"
	"ply11/internal/pytools"
	"ply11/internal/samples"
	"ply11/internal/testenv"
)

// pythonChess writes the games of the standard input in lines of 80 columns.
const pythonChess = `
import sys, chess.pgn
while (game := chess.pgn.read_game(sys.stdin)):
    print(game.accept(chess.pgn.StringExporter(columns=80)), end="\n\n")
`

// made returns what a program writes of the games of a sample, whose comments have no line ends.
func made(t *testing.T, find func(string) (string, error), program string, arguments ...string) []byte {
	t.Helper()
	path, err := find(program)
	if err != nil {
		return nil
	}
	c := exec.Command(path, arguments...)
	var in []byte
	style := pgn.Line()
	for g, err := range pgn.NewReader(bytes.NewReader(samples.File(samples.Annotated))).All() {
		if err != nil {
			t.Fatal(err)
		}
		in = pgn.AppendGame(in, g, &style)
	}
	c.Stdin = bytes.NewReader(in)
	text, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// layoutSource is a program or site whose layout an archive knows, or does not.
type layoutSource struct {
	name string
	file string                    // below data
	make func(t *testing.T) []byte // if it has no file; nil if the program is not here
	most float64                   // bytes of exceptions a game, at most; 0: it is not aimed at
}

const (
	plain     = 0.3 // games without annotations
	annotated = 3
)

var layoutSources = []layoutSource{
	{"SCID", "pgn/master/master-50k.pgn.zst", nil, plain},
	{"SCID, annotated", "layouts/scid.pgn", nil, annotated},
	{"SCID, in UTF-8", "layouts/scid-utf8.pgn", nil, annotated},
	{"pgn-extract, annotated", "", func(t *testing.T) []byte { return made(t, testenv.Find, "pgn-extract", "-s") },
		annotated},
	{"pgn-extract, in UTF-8", "layouts/pgn-extract-utf8.pgn", nil, annotated},
	{"python-chess, 80 columns, annotated", "",
		func(t *testing.T) []byte { return made(t, pytools.Find, "python", "-c", pythonChess) }, annotated},
	{"PGN Mentor", "pgn/players/players-292k.pgn.zst", nil, plain},
	{"cutechess-cli, with comments", "layouts/cutechess-fastchess.pgn", nil, annotated},
	{"xboard, with comments", "layouts/xboard-by-rule.pgn", nil, annotated},
	{"PyChess, annotated", "layouts/pychess-by-rule.pgn", nil, annotated},
	{"chess.js, 80 columns", "layouts/chessjs-80.pgn", nil, plain},
	{"chess.js, 72 columns, with comments", "layouts/chessjs-72-comments.pgn", nil, 0},
	{"chessops, annotated", "layouts/chessops.pgn", nil, annotated},
	{"Lichess, with comments", "pgn/annotated/lichess-1k.pgn.zst", nil, annotated},
	{"Lichess, study", "layouts/lichess-study-by-rule.pgn", nil, annotated},
	{"Lichess, studies before 2023", "pgn/annotated/studies.pgn", nil, 0},
	{"ChessBase 16, annotated", "layouts/chessbase16-by-rule.pgn", nil, annotated},
	{"ChessBase 16", "layouts/cb-plain.pgn", nil, plain},
	{"ChessBase before 2010, annotated", "pgn/annotated/perle.pgn", nil, 0},
	{"TWIC, 2025", "layouts/twic.pgn", nil, plain},
	{"TWIC, 2021", "layouts/twic2.pgn", nil, plain},
	{"chess.com", "layouts/chesscom-web.pgn", nil, plain},
	{"chessgames.com", "layouts/chessgames.pgn", nil, plain},
	{"FICS", "layouts/fics.pgn", nil, plain},
}

// readFirst returns the first 5,000 games of a file of data, or all.
func readFirst(t *testing.T, file string) []byte {
	f, err := os.Open(datadir.Path(t, strings.Split(file, "/")...))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(file, ".zst") {
		d, err := zstd.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		r = d
	}
	text, err := io.ReadAll(io.LimitReader(r, 6<<20))
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	for range 5000 {
		next := archive.NextGame(text, at+1)
		if next < 0 {
			return text
		}
		at = next
	}
	return text[:at]
}

// TestSources packs games as programs and sites write them, and compares with the table of docs/measurements.md how
// many games depart from their block's layout, and what that takes.
func TestSources(t *testing.T) {
	text, err := os.ReadFile("../../docs/measurements.md")
	if err != nil {
		t.Fatal(err)
	}
	page := strings.Join(strings.Fields(string(text)), " ")
	for _, s := range layoutSources {
		var text []byte
		if s.make != nil {
			text = s.make(t)
		} else if _, ok := datadir.Dir(); ok {
			text = readFirst(t, s.file)
		}
		if text == nil {
			t.Logf("%s: not here", s.name)
			continue
		}
		data, _ := archive.MustPack(t, text)
		if got := archive.MustUnpack(t, data); !bytes.Equal(got, text) {
			t.Fatalf("%s: %s", s.name, archive.FirstDifference(text, got))
		}
		r := archive.MustOpen(t, data)
		departing, taken := 0, int64(0)
		for n := range r.Blocks() {
			b := archive.MustBlock(t, r, n+1)
			departing += b.Departing()
			for _, c := range b.Columns() {
				if c.Kind == archive.ColumnExceptions {
					taken += c.Stored
				}
			}
		}
		each := float64(taken) / float64(r.Len())
		row := fmt.Sprintf("| %s | %d | %d | %.2f |", s.name, r.Len(), departing, each)
		if departing == 0 {
			row = fmt.Sprintf("%s: %d", s.name, r.Len())
		}
		if !strings.Contains(page, row) {
			t.Errorf("the page has not: %s", row)
		}
		if s.most > 0 && each > s.most {
			t.Errorf("%s: %.2f bytes of exceptions a game, more than %.1f", s.name, each, s.most)
		}
	}
}

// TestSeveralLayouts packs a text whose games have one layout after another: a new block begins soon after each.
func TestSeveralLayouts(t *testing.T) {
	mentor := pgn.Style{Width: 72, Lines: pgn.FillPairs, Result: pgn.ResultTwoSpaces, CRLF: true, BlankAfterTags: 1,
		BlankAfterGame: 1}
	scid := pgn.Style{Width: 74, Lines: pgn.SpaceAfterWords, Number: pgn.Break, BlankAfterTags: 1, BlankAfterGame: 1}
	var text []byte
	var g game.Game
	gen := gamegen.New(1)
	for _, style := range []pgn.Style{pgn.Line(), mentor, scid, mentor} {
		for range 200 {
			gen.Next(&g)
			text = pgn.AppendGame(text, &g, &style)
		}
	}
	data, _ := archive.MustPack(t, text)
	if got := archive.MustUnpack(t, data); !bytes.Equal(got, text) {
		t.Fatal(archive.FirstDifference(text, got))
	}
	r := archive.MustOpen(t, data)
	departing := 0
	for n := range r.Blocks() {
		departing += archive.MustBlock(t, r, n+1).Departing()
	}
	if departing > 3*14 || r.Blocks() != 4 {
		t.Errorf("%d games depart, in %d blocks", departing, r.Blocks())
	}
}
