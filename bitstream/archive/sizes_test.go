// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"fmt"
	"strings"
	"testing"

	"ply11/internal/datadir"
	"ply11/internal/samples"
)

// crowdedGame is a game in which White begins with 17 men.
const crowdedGame = "[Event \"crowded\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/8/P7/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n[SetUp \"1\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n"

// withCrowded are so many games, with two crowded ones among them.
func withCrowded(n int) []byte {
	list := strings.SplitAfter(string(samples.Many(n)), "\n\n[Event ")
	list[n/3] = strings.TrimSuffix(list[n/3], "[Event ") + crowdedGame + "[Event "
	list[2*n/3] = strings.TrimSuffix(list[2*n/3], "[Event ") + crowdedGame + "[Event "
	return []byte(strings.Join(list, ""))
}

// sizes are those of the archives of TestSizes.
var sizes = map[string]string{
	"plain.pgn":      "fixed 14634 dense 8159 canonical 14580 small 8066",
	"clocks.pgn":     "fixed 6539 dense 5539 canonical 6472 small 5433",
	"annotated.pgn":  "fixed 8925 dense 8066 canonical 8841 small 7943",
	"set-up.pgn":     "fixed 7633 dense 5624 canonical 7564 small 5516",
	"promotions.pgn": "fixed 8510 dense 5476 canonical 8459 small 5386",
	"many":           "fixed 333883 dense 182014 canonical 333812 small 181826",
	"crowded":        "fixed 335752 dense 183873 canonical 335617 small 183429",
	// Of real games, where they are.
	"lichess-1k": "fixed 451430 dense 369060 canonical 451327 small 368340",
	"master":     "fixed 246360 dense 82101 canonical 246319 small 80504",
}

// TestSizes pins the sizes of archives of the project's own games, in each form, to the byte: a change of what is written must be meant. Two games that cannot be
// coded densely cost little more than themselves.
func TestSizes(t *testing.T) {
	forms := []struct {
		name    string
		options []PackOption
	}{{"fixed", nil}, {"dense", []PackOption{WithDense(true)}}, {"canonical", []PackOption{WithCanonical(true)}}, {"small", []PackOption{WithCanonical(true), WithDense(true), WithFilter(false)}}}
	lichess, real := datadir.ReadAll(t, samples.Clocks, "pgn", "annotated/lichess-1k.pgn.zst")
	texts := map[string][]byte{"many": samples.Many(3000), "crowded": withCrowded(3000)}
	for _, name := range []string{samples.Plain, samples.Clocks, samples.Annotated, samples.Setup, samples.Promotions} {
		texts[name] = samples.File(name)
	}
	if real {
		texts["lichess-1k"], texts["master"] = lichess, lastGames(t, 2000)
	}
	for name, text := range texts {
		got := ""
		for _, f := range forms {
			b, _ := mustPack(t, text, f.options...)
			got += fmt.Sprintf(" %s %d", f.name, len(b))
		}
		if got = got[1:]; got != sizes[name] {
			t.Errorf("%s: %s, want %s", name, got, sizes[name])
		}
	}
}
