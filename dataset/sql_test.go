// SPDX-License-Identifier: Apache-2.0

package dataset_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ply11/chess"
	"ply11/dataset"
	"ply11/game"
	"ply11/internal/datadir"
)

// row is a row of an answer.
type row map[string]any

// oftenest are the names that come most often, at most n, as rows.
func oftenest(name string, counts map[string]int, n int) (rows []row) {
	keys := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(counts[b]-counts[a], strings.Compare(a, b))
	})
	for _, k := range keys[:min(n, len(keys))] {
		rows = append(rows, row{name: k, "games": counts[k]})
	}
	return rows
}

// TestSQL compares DuckDB's answers to the questions of docs/sql.md with the games.
func TestSQL(t *testing.T) {
	db := duckdb(t)
	page, err := os.ReadFile(filepath.Join("..", "docs", "sql.md"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(readText(t, datadir.Path(t, "pgn", "annotated", "lichess-1k.pgn.zst"), math.MaxInt64))
	for _, date := range []string{"2024.??.??", "2024.12.??"} { // of which a part is not known
		text = strings.Replace(text, regexp.MustCompile(`\[Date "[\d.]*"\]`).FindString(text), `[Date "`+date+`"]`, 1)
	}
	data := pack(t, []byte(text), 64, true)
	dir := filepath.Join(t.TempDir(), "set")
	exportTo(t, dir, dataset.Options{Job: dataset.Job{Format: "parquet", Shards: 4, Sort: "date", NoMovetext: true}},
		sourceOf("a.p11", data))
	var queries []string
	for _, block := range regexp.MustCompile("(?s)```sql\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		for query := range strings.SplitSeq(strings.ReplaceAll(block[1], "'set/", "'"+dir+"/"), ";") {
			if strings.TrimSpace(query) != "" {
				queries = append(queries, query)
			}
		}
	}
	const setup = 2 // queries before the first question
	queries = append(queries, "select Date as day, game::INT as game from read_parquet('"+dir+
		"/*.parquet', filename = true, file_row_number = true) order by filename, file_row_number",
		"select row_group_id g, path_in_schema as name, stats_min_value low, stats_max_value high, "+
			"bloom_filter_length > 0 as filtered from parquet_metadata('"+dir+
			"/*.parquet') where path_in_schema in ('White', 'Black', 'Site', 'Date')")
	answers := db(queries...)

	results, firsts, codes, players, months := map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{},
		map[string]int{}
	points := map[string]float64{}
	type pair struct{ games, won int }
	colors, differences := map[bool]*pair{}, map[int]*pair{}
	blunders := [2]int{}
	hurried := 0
	knights := []row{}
	tally := func(p **pair, won bool) {
		if *p == nil {
			*p = &pair{}
		}
		(*p).games++
		if won {
			(*p).won++
		}
	}
	for i, g := range validGames(t, data) {
		result := g.Result.String()
		results[result]++
		moves := g.AppendMainLine(nil)
		if len(moves) > 0 && g.Result != game.Unknown {
			first := moves[0].String()
			firsts[first]++
			points[first] += map[game.Result]float64{game.WhiteWins: 1, game.Draw: 0.5}[g.Result]
		}
		if eco := g.Tag("ECO"); eco != "" {
			codes[eco[:min(2, len(eco))]]++
		}
		for c, name := range []string{g.Tag("White"), g.Tag("Black")} {
			players[name]++
			if name == "MasterPlans" {
				p := colors[c == 0]
				tally(&p, result == [2]string{"1-0", "0-1"}[c])
				colors[c == 0] = p
			}
		}
		if date := g.Tag("Date"); strings.HasPrefix(date, "2024.") {
			months[date[:7]]++
		}
		var white, black int
		if n, _ := fmt.Sscan(g.Tag("WhiteElo")+" "+g.Tag("BlackElo"), &white, &black); n == 2 && white != black {
			d := max(white-black, black-white) / 100 * 100
			p := differences[d]
			tally(&p, result == map[bool]string{true: "1-0", false: "0-1"}[white > black])
			differences[d] = p
		}
		notes := dataset.NotesOf(g)
		least := math.MaxInt
		for ply := 1; ply < len(notes); ply++ {
			before, after := notes[ply-1][0], notes[ply][0]
			if ply > 1 && before != dataset.ShortNone && after != dataset.ShortNone {
				if ply%2 == 1 && after < before-200 {
					blunders[0]++
				}
				if ply%2 == 0 && after > before+200 {
					blunders[1]++
				}
			}
			if clock := notes[ply][1]; ply%2 == 1 && clock != int(dataset.NoClock) {
				least = min(least, clock)
			}
		}
		if g.Result == game.BlackWins && least < 500 {
			hurried++
		}
		if slices.ContainsFunc(moves, func(m chess.Move) bool { return m.Promotion() == chess.Knight }) {
			knights = append(knights, row{"file": "a.p11", "game": i + 1})
		}
	}
	best := oftenest("move", firsts, 5)
	for _, r := range best {
		r["percent"] = math.Round(1000*points[r["move"].(string)]/float64(firsts[r["move"].(string)])) / 10
	}
	var byColor, byDifference, byMonth []row
	for _, c := range []bool{false, true} {
		byColor = append(byColor, row{"as_white": c, "games": colors[c].games, "won": colors[c].won})
	}
	for _, d := range slices.Sorted(maps.Keys(differences)) {
		byDifference = append(byDifference, row{"difference": d, "games": differences[d].games,
			"won": differences[d].won})
	}
	for _, m := range slices.Sorted(maps.Keys(months)) {
		byMonth = append(byMonth, row{"month": m, "games": months[m]})
	}
	inOrder := oftenest("Result", results, 9)
	for i, want := range [][]row{inOrder, best, oftenest("code", codes, 5), oftenest("player", players, 5), byColor,
		byMonth, byDifference,
		{{"white": blunders[0], "black": blunders[1]}}, {{"games": hurried}}, knights} {
		text, _ := json.Marshal(want)
		var plain []map[string]any
		if err := json.Unmarshal(text, &plain); err != nil {
			t.Fatal(err)
		}
		if got := answers[setup+i]; !reflect.DeepEqual(got, plain) {
			t.Errorf("question %d: %v, want %v", i+1, got, plain)
		}
	}
	// The order, and what lets a reader pass over groups.
	days := answers[setup+10]
	unknownFirst := strings.NewReplacer("?", "0")
	if !slices.IsSortedFunc(days, func(a, b map[string]any) int {
		x, _ := a["day"].(string)
		y, _ := b["day"].(string)
		return cmp.Or(strings.Compare(unknownFirst.Replace(x), unknownFirst.Replace(y)),
			cmp.Compare(a["game"].(float64), b["game"].(float64)))
	}) || len(days) != 1000 {
		t.Errorf("%d games, not by date", len(days))
	}
	groups := answers[setup+11]
	for _, g := range groups {
		if g["name"] == "Date" {
			if g["low"] == nil || g["high"] == nil || g["low"].(string) > g["high"].(string) {
				t.Errorf("%v", g)
			}
		} else if g["filtered"] != true {
			t.Errorf("%v has no filter", g)
		}
	}
	if len(groups) != 16 {
		t.Errorf("%d columns of groups", len(groups))
	}
}
