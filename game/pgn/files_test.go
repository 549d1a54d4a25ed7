// SPDX-License-Identifier: Apache-2.0

package pgn_test

import (
	"bytes"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	notnil "github.com/notnil/chess"

	"ply11/game"
	"ply11/game/pgn"
	"ply11/internal/datadir"
	"ply11/internal/samples"
	"ply11/internal/testenv"
)

// Why a peer says otherwise.
const (
	peNoEnd   = "drops a game without a termination marker"
	peDrops   = "drops a game with an error; here it is given as far as it is valid"
	peVariant = "plays on as if it were standard chess, or plays the variant"

	nnSlow    = "too slow for the file"
	nnPanics  = "panics on a comment before the first move, or on an illegal move within a variation"
	nnOneMore = "counts a game of no moves after the last"
	nnLoses   = "loses games to null moves, castling with zeros, comments, or missing tags"
	nnVariant = "does not look at the variant"
)

// realFiles says what is in each file of the folder of real games: games, halfmoves of main lines,
// variations, games with errors; and why pgn-extract 19 and notnil/chess count otherwise, "" if they do
// not.
var realFiles = []struct {
	file                             string
	games, plies, variations, errors int
	pgnExtract, notnil               string
}{
	{"annotated/HumansVsComputers.pgn", 28, 2217, 140, 0, "", nnPanics},
	{"annotated/annotations.pgn", 1, 0, 0, 0, "", nnPanics},
	{"annotated/lichess-1k.pgn.zst", 1000, 74721, 7443, 0, "", nnPanics},
	{"annotated/mate_in_3.pgn", 375, 1875, 0, 0, "", nnLoses},
	{"annotated/perle.pgn", 80, 6105, 596, 0, "", nnPanics},
	{"annotated/starter.pgn", 16, 1312, 11, 0, "", nnOneMore},
	{"annotated/studies.pgn", 64, 587, 232, 0, "", nnPanics},
	{"edge/chess.js/0.pgn", 1, 77, 0, 0, "loses the game to <br />", nnLoses},
	{"edge/chess.js/1.pgn", 1, 81, 0, 0, "", ""},
	{"edge/chess.js/2.pgn", 1, 4, 0, 0, "", ""},
	{"edge/chess.js/3.pgn", 1, 4, 0, 0, "", ""},
	{"edge/chessops/headers-and-moves-on-the-same-line.pgn", 3, 0, 0, 3, peVariant, nnVariant},
	{"edge/chessops/kasparov-deep-blue-1997.pgn", 6, 519, 0, 0, "", ""},
	{"edge/chessops/leading-whitespace.pgn", 4, 20, 0, 0, peNoEnd, nnLoses},
	{"edge/chessops/pathological-headers.pgn", 1, 0, 0, 0, "wants movetext", ""},
	{"edge/gnuchess_3plus_promotions.pgn", 110, 16741, 0, 0, "", nnOneMore},
	{"edge/gnuchess_over250plies.pgn", 59, 16477, 0, 0, "", nnOneMore},
	{"edge/gnuchess_underpromotions.pgn", 168, 20145, 0, 0, "", nnOneMore},
	{"edge/notnil-v1.10.0/0001.pgn", 1, 89, 0, 0, "", ""},
	{"edge/notnil-v1.10.0/0002.pgn", 1, 89, 3, 0, "", ""},
	{"edge/notnil-v1.10.0/0003.pgn", 1, 5, 1, 0, "", ""},
	{"edge/notnil-v1.10.0/0004.pgn", 1, 26, 0, 0, "", ""},
	{"edge/notnil-v1.10.0/0005.pgn", 1, 41, 15, 0, "", nnOneMore},
	{"edge/notnil-v1.10.0/0006.pgn", 5, 391, 0, 0, "", ""},
	{"edge/notnil-v1.10.0/0007.pgn", 5, 514, 0, 0, "", ""},
	{"edge/notnil-v1.10.0/0008.pgn", 1, 4, 0, 0, peNoEnd, nnLoses},
	{"edge/notnil-v1.10.0/0009.pgn", 1, 6, 0, 0, peNoEnd, nnLoses},
	{"edge/notnil-v1.10.0/0010.pgn", 1, 6, 0, 0, peNoEnd, nnLoses},
	{"edge/notnil-v1.10.0/0011.pgn", 1, 83, 0, 0, "", ""},
	{"edge/notnil-v1.10.0/0012.pgn", 1, 0, 0, 0, "", ""},
	{"edge/notnil-v1.10.0/0013.pgn", 3, 52, 7, 0, "", nnOneMore},
	{"edge/notnil-v1.10.0/0014.pgn", 5, 33, 2, 0, "", nnOneMore},
	{"edge/notnil-v1.10.0/0015.pgn", 1, 2, 0, 0, "", nnLoses},
	{"edge/openrating_underpromotions.pgn", 98, 15000, 0, 0, "takes ... after a move for another game", nnOneMore},
	{"edge/pgn-extract/barnes-horton.pgn", 1, 72, 1, 0, "", nnPanics},
	{"edge/pgn-extract/bots.pgn", 12, 554, 0, 0, "", nnOneMore},
	{"edge/pgn-extract/fischer.pgn", 34, 3160, 0, 0, "", nnOneMore},
	{"edge/pgn-extract/fools-mate.pgn", 1, 4, 0, 0, "", ""},
	{"edge/pgn-extract/najdorf.pgn", 8, 608, 0, 0, "", nnOneMore},
	{"edge/pgn-extract/nested-comment.pgn", 1, 1, 0, 0, "nests comments by an option only", nnLoses},
	{"edge/pgn-extract/odds.pgn", 32, 2433, 0, 0, "", nnPanics},
	{"edge/pgn-extract/petrosian.pgn", 35, 2631, 0, 0, "", ""},
	{"edge/pgn-extract/test-7.pgn", 1, 165, 0, 0, "", nnOneMore},
	{"edge/pgn-extract/test-C.pgn", 1, 72, 1, 0, "", nnPanics},
	{"edge/pgn-extract/test-F-text.pgn", 1, 72, 1, 0, "", nnPanics},
	{"edge/pgn-extract/test-F.pgn", 1, 72, 1, 0, "", nnPanics},
	{"edge/pgn-extract/test-L1.pgn", 1, 4, 0, 0, "", ""},
	{"edge/pgn-extract/test-L2.pgn", 1, 72, 1, 0, "", nnPanics},
	{"edge/pgn-extract/test-N.pgn", 1, 72, 1, 0, "", nnPanics},
	{"edge/pgn-extract/test-P.pgn", 11, 1021, 0, 0, "", nnOneMore},
	{"edge/pgn-extract/test-R.pgn", 1, 72, 1, 0, "", nnPanics},
	{"edge/pgn-extract/test-Ta.pgn", 1, 72, 1, 0, "", nnPanics},
	{"edge/pgn-extract/test-V.pgn", 1, 72, 1, 0, "", nnPanics},
	{"edge/pgn-extract/test-addhashcode.pgn", 1, 72, 1, 0, "", nnPanics},
	{"edge/pgn-extract/test-allownullmoves.pgn", 2, 7, 2, 0, "", nnLoses},
	{"edge/pgn-extract/test-checkmate.pgn", 2, 76, 1, 0, "", nnPanics},
	{"edge/pgn-extract/test-e.pgn", 6, 447, 0, 0, "", nnOneMore},
	{"edge/pgn-extract/test-evaluation.pgn", 1, 4, 0, 0, "", ""},
	{"edge/pgn-extract/test-f1.pgn", 1, 72, 1, 0, "", nnPanics},
	{"edge/pgn-extract/test-f2.pgn", 1, 4, 0, 0, "", ""},
	{"edge/pgn-extract/test-fencomments.pgn", 1, 72, 1, 0, "", nnPanics},
	{"edge/pgn-extract/test-fifty.pgn", 2, 511, 0, 0, "", nnOneMore},
	{"edge/pgn-extract/test-fixresulttags-in.pgn", 5, 417, 0, 0, "", ""},
	{"edge/pgn-extract/test-fuzzydepth.pgn", 4, 20, 0, 0, "", nnLoses},
	{"edge/pgn-extract/test-hash.pgn", 35, 3256, 0, 0, "", nnOneMore},
	{"edge/pgn-extract/test-long-line.pgn", 1, 4, 0, 0, "", ""},
	{"edge/pgn-extract/test-matchplylimit.pgn", 1, 102, 0, 0, "", ""},
	{"edge/pgn-extract/test-nagcomments.pgn", 1, 1, 0, 0, "", nnLoses},
	{"edge/pgn-extract/test-nobadresults.pgn", 9, 9, 0, 0, "", nnLoses},
	{"edge/pgn-extract/test-nochecks.pgn", 2, 76, 1, 0, "", nnLoses},
	{"edge/pgn-extract/test-nomovenumbers.pgn", 1, 72, 1, 0, "", nnPanics},
	{"edge/pgn-extract/test-noresults.pgn", 1, 72, 1, 0, "", nnPanics},
	{"edge/pgn-extract/test-notags.pgn", 1, 72, 1, 0, "", nnPanics},
	{"edge/pgn-extract/test-plycount.pgn", 1, 72, 1, 0, "", nnPanics},
	{"edge/pgn-extract/test-plylimit.pgn", 1, 72, 1, 0, "", nnPanics},
	{"edge/pgn-extract/test-promotion-in.pgn", 8, 8, 0, 0, "", nnLoses},
	{"edge/pgn-extract/test-repetition.pgn", 12, 1085, 0, 0, "", nnOneMore},
	{"edge/pgn-extract/test-s.pgn", 3, 255, 0, 0, "", nnOneMore},
	{"edge/pgn-extract/test-selectonly.pgn", 34, 3160, 0, 0, "", nnOneMore},
	{"edge/pgn-extract/test-setup-in.pgn", 2, 148, 0, 0, "", nnOneMore},
	{"edge/pgn-extract/test-seventyfive.pgn", 5, 1561, 0, 0, "", nnOneMore},
	{"edge/pgn-extract/test-splitvariants.pgn", 1, 3, 3, 0, "", ""},
	{"edge/pgn-extract/test-stalemate.pgn", 3, 178, 1, 0, "", nnLoses},
	{"edge/pgn-extract/test-startply.pgn", 10, 731, 0, 0, "", nnOneMore},
	{"edge/pgn-extract/test-stopafter.pgn", 34, 3160, 0, 0, "", nnOneMore},
	{"edge/pgn-extract/test-t.pgn", 6, 539, 0, 0, "", nnOneMore},
	{"edge/pgn-extract/test-ucE.pgn", 6, 447, 0, 0, "", nnOneMore},
	{"edge/pgn-extract/test-ucS.pgn", 3, 255, 0, 0, "", nnOneMore},
	{"edge/pgn-extract/test-ucW.pgn", 1, 72, 1, 0, "", nnPanics},
	{"edge/pgn-extract/test-w.pgn", 1, 72, 1, 0, "", nnPanics},
	{"edge/pgn-parser/32games.pgn", 32, 2069, 0, 0, "", ""},
	{"edge/pgn-parser/benko.pgn", 2, 150, 0, 0, "", nnOneMore},
	{"edge/pgn-parser/lichess_mliebelt_2024-01-03.pgn", 8, 604, 0, 0, "", ""},
	{"edge/pgn-parser/sampleGame.pgn", 1, 46, 0, 0, "", ""},
	{"edge/pgn-parser/sampleGameThrow.pgn", 1, 2, 0, 1, peDrops, nnLoses},
	{"edge/pgn-parser/sampleGames.pgn", 9, 537, 0, 0, "", ""},
	{"edge/pgn-parser/twic-01-232games.pgn", 232, 19777, 0, 0, "", ""},
	{"edge/python-chess/anastasian-lewis.pgn", 1, 84, 0, 0, "", nnLoses},
	{"edge/python-chess/antichess-programfox.pgn", 2, 0, 0, 2, peVariant, nnVariant},
	{"edge/python-chess/chessbase-empty-line.pgn", 1, 134, 0, 0, "", ""},
	{"edge/python-chess/cutechess-fischerrandom.pgn", 4, 396, 0, 0, peVariant, nnVariant},
	{"edge/python-chess/kasparov-deep-blue-1997.pgn", 6, 519, 0, 0, "", ""},
	{"edge/python-chess/knightvuillaume-jannlee-zh-lichess.pgn", 1, 0, 0, 1, "", nnVariant},
	{"edge/python-chess/molinari-bordais-1979.pgn", 1, 10, 0, 0, "", ""},
	{"edge/python-chess/nepomniachtchi-liren-game1.pgn", 1, 97, 0, 0, "", ""},
	{"edge/python-chess/saturs-jannlee-zh-lichess.pgn", 1, 0, 0, 1, "", nnVariant},
	{"edge/python-chess/stockfish-learning.pgn", 1, 154, 0, 0, "", ""},
	{"edge/python-chess/uci-moves.pgn", 1, 113, 0, 0, "", ""},
	{"edge/python-chess/utf8-bom.pgn", 2, 0, 0, 0, "", nnLoses},
	{"edge/res_gameLatin1.pgn", 1, 149, 48, 0, "", nnLoses},
	{"edge/res_gameLatin1expected.pgn", 1, 149, 48, 0, "", nnOneMore},
	{"edge/res_gameUTF8.pgn", 1, 149, 48, 0, "", nnOneMore},
	{"master/master-50k.pgn.zst", 50000, 3845713, 0, 0, "", nnSlow},
	{"variants/antichess-programfox.pgn", 2, 0, 0, 2, peVariant, nnVariant},
	{"variants/cutechess-fischerrandom.pgn", 4, 396, 0, 0, peVariant, nnVariant},
	{"variants/knightvuillaume-jannlee-zh-lichess.pgn", 1, 0, 0, 1, "", nnVariant},
	{"variants/saturs-jannlee-zh-lichess.pgn", 1, 0, 0, 1, "", nnVariant},
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
	for _, f := range realFiles {
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
