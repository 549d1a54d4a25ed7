// SPDX-License-Identifier: Apache-2.0

package archive_test

import (
	"fmt"
	"strings"
	"testing"

	"ply11/bitstream/archive"
	"ply11/internal/datadir"
	"ply11/internal/gamegen"
	"ply11/internal/samples"
)

// crowdedGame is a game in which White begins with 17 pieces.
const crowdedGame = "[Event \"crowded\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/8/P7/PPPPPPPP/RNBQKBNR w KQkq - 0 " +
	"1\"]\n[SetUp \"1\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n"

// withCrowded are so many games, with two crowded ones among them.
func withCrowded(n int) []byte {
	list := strings.SplitAfter(string(gamegen.Text(n)), "\n\n[Event ")
	list[n/3] = strings.TrimSuffix(list[n/3], "[Event ") + crowdedGame + "[Event "
	list[2*n/3] = strings.TrimSuffix(list[2*n/3], "[Event ") + crowdedGame + "[Event "
	return []byte(strings.Join(list, ""))
}

// sizes are those of the archives of TestSizes.
var sizes = map[string]string{
	"plain.pgn":      "fixed 14657 dense 8120 canonical 14603 small 7996",
	"clocks.pgn":     "fixed 6582 dense 5501 canonical 6515 small 5364",
	"annotated.pgn":  "fixed 8960 dense 8084 canonical 8876 small 7930",
	"set-up.pgn":     "fixed 7668 dense 5637 canonical 7599 small 5498",
	"promotions.pgn": "fixed 8533 dense 5142 canonical 8482 small 5021",
	"many":           "fixed 387590 dense 145297 canonical 387528 small 139177",
	"crowded":        "fixed 390992 dense 148561 canonical 390874 small 141341",
	// Of real games, where they are.
	"lichess-1k": "fixed 451493 dense 352580 canonical 451390 small 351893",
	"master":     "fixed 246370 dense 77613 canonical 246329 small 76006",
}

// TestSizes pins the sizes of archives: a change must be meant. Two games that cannot be coded densely cost little more
// than themselves.
func TestSizes(t *testing.T) {
	forms := []struct {
		name    string
		options []archive.PackOption
	}{{"fixed", nil}, {"dense", []archive.PackOption{archive.WithDense(true)}},
		{"canonical", []archive.PackOption{archive.WithCanonical(true)}},
		{"small", []archive.PackOption{archive.WithCanonical(true), archive.WithDense(true),
			archive.WithFilter(false)}}}
	lichess, real := datadir.ReadAll(t, samples.Clocks, "pgn", "annotated/lichess-1k.pgn.zst")
	texts := map[string][]byte{"many": gamegen.Text(3000), "crowded": withCrowded(3000)}
	for _, name := range []string{samples.Plain, samples.Clocks, samples.Annotated, samples.Setup, samples.Promotions} {
		texts[name] = samples.File(name)
	}
	if real {
		texts["lichess-1k"], texts["master"] = lichess, archive.LastGames(t, 2000)
	}
	for name, text := range texts {
		got := ""
		for _, f := range forms {
			b, _ := archive.MustPack(t, text, f.options...)
			got += fmt.Sprintf(" %s %d", f.name, len(b))
		}
		if got = got[1:]; got != sizes[name] {
			t.Errorf("%s: %s, want %s", name, got, sizes[name])
		}
	}
}
