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
	"plain.pgn":      "fixed 14630 dense 8151 canonical 14576 small 8054",
	"clocks.pgn":     "fixed 6555 dense 5488 canonical 6488 small 5378",
	"annotated.pgn":  "fixed 8933 dense 8070 canonical 8849 small 7943",
	"set-up.pgn":     "fixed 7641 dense 5628 canonical 7572 small 5516",
	"promotions.pgn": "fixed 8506 dense 5468 canonical 8455 small 5374",
	"many":           "fixed 333903 dense 182022 canonical 333832 small 181822",
	"crowded":        "fixed 335828 dense 183929 canonical 335685 small 183441",
	// Of real games, where they are.
	"lichess-1k": "fixed 451542 dense 355170 canonical 451439 small 354434",
	"master":     "fixed 246368 dense 82101 canonical 246327 small 80496",
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
