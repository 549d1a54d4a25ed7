// SPDX-License-Identifier: Apache-2.0

package dataset_test

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ply11/chess"
	"ply11/dataset"
	"ply11/game"
	"ply11/internal/datadir"
	"ply11/internal/testenv"
	"ply11/moveindex"
)

// duckdb returns what runs queries in DuckDB, one after the other in one session.
func duckdb(t *testing.T) func(queries ...string) [][]map[string]any {
	t.Helper()
	py := testenv.Python(t)
	const run = `import duckdb, json, sys
for query in sys.argv[1:]:
    r = duckdb.sql(query)
    print(json.dumps([dict(zip(r.columns, row)) for row in r.fetchall()] if r else [], default=str))`
	return func(queries ...string) (list [][]map[string]any) {
		t.Helper()
		cmd := exec.Command(py, append([]string{"-c", run}, queries...)...)
		var errs strings.Builder
		cmd.Stderr = &errs
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %s", err, errs.String())
		}
		for line := range strings.Lines(string(out)) {
			var rows []map[string]any
			if err := json.Unmarshal([]byte(line), &rows); err != nil {
				t.Fatal(err)
			}
			list = append(list, rows)
		}
		if len(list) != len(queries) {
			t.Fatalf("%d answers to %d queries", len(list), len(queries))
		}
		return list
	}
}

// TestDuckDB: DuckDB finds types, counts, sums and rows of the games in Parquet.
func TestDuckDB(t *testing.T) {
	db := duckdb(t)
	lichess := readText(t, datadir.Path(t, "pgn", "annotated", "lichess-1k.pgn.zst"), 300_000)
	whole, _, _ := strings.Cut(text, "[Event \"Bad\"]")
	data := pack(t, slices.Concat([]byte(whole), lichess), 64, false)
	want := validGames(t, data)
	dir := t.TempDir()
	exportTo(t, dir, dataset.Options{Job: dataset.Job{Format: "parquet", Shards: 3}}, sourceOf("a.p11", data))
	positions := filepath.Join(t.TempDir(), "p.parquet")
	exportTo(t, positions, dataset.Options{Job: dataset.Job{Format: "parquet-positions", Legal: true}, Single: true},
		sourceOf("a.p11", data))
	from := fmt.Sprintf("'%s/*.parquet'", dir)
	answers := db(
		"describe select * from "+from,
		"select count(*)::INT games, sum(len(moves))::INT plies, sum(list_sum(moves))::INT indices, "+
			"sum(list_sum(evals))::INT evals, sum(list_sum(clocks))::INT clocks, "+
			"sum(WhiteElo)::INT elo, sum(WhiteRatingDiff)::INT diff, count(evals)::INT evaled, "+
			"sum(len(list_filter(evals, lambda x: x is null)))::INT missing from "+from,
		"select game::INT game, Event, White, Result, UTCDate::VARCHAR utcdate, UTCTime::VARCHAR utctime, ECO, "+
			"movetext, moves, evals, clocks, fen from "+from+" order by game",
		"describe select * from '"+positions+"'",
		"select count(*)::INT n, sum(move)::INT moves, sum(legal_count)::INT legal, sum(bit_count(cast(legal as "+
			"bit)))::INT bits, sum(result)::INT result, sum(eval)::INT eval, "+
			"sum(clock)::INT clock, sum(halfmoves)::INT halfmoves, sum(castling)::INT castling, sum(en_passant)::INT "+
			"passant, sum(black::INT)::INT black from '"+positions+"'",
		"select hex(board) board, move from '"+positions+"' where game = 1 order by ply",
	)
	for answer, want := range map[int]map[string]string{
		0: {"Event": "VARCHAR", "WhiteElo": "SMALLINT", "BlackRatingDiff": "SMALLINT", "UTCDate": "DATE",
			"UTCTime": "TIME", "movetext": "VARCHAR", "moves": "USMALLINT[]", "evals": "SMALLINT[]",
			"clocks": "INTEGER[]", "game": "UBIGINT"},
		3: {"ply": "UINTEGER", "board": "BLOB", "black": "BOOLEAN", "castling": "UTINYINT", "halfmoves": "USMALLINT",
			"move": "USMALLINT", "legal": "BLOB", "result": "TINYINT", "eval": "SMALLINT", "clock": "INTEGER"}} {
		for _, row := range answers[answer] {
			name, kind := row["column_name"].(string), row["column_type"]
			if w, ok := want[name]; ok && kind != w {
				t.Errorf("%s is %s, want %s", name, kind, w)
			}
			delete(want, name)
		}
		if len(want) > 0 {
			t.Errorf("there are no columns %v", want)
		}
	}
	sums, places := map[string]int{}, map[string]int{}
	var boards []string
	for n, g := range want {
		sums["games"]++
		notes := dataset.NotesOf(g)
		at := g.Start
		if dataset.HasScores(g) {
			sums["evaled"]++
		}
		var moves []any
		for ply, m := range g.MainLine() {
			i, _ := moveindex.Of(m)
			moves = append(moves, float64(i))
			sums["plies"]++
			sums["indices"] += int(i)
			if e := notes[ply][0]; e != dataset.ShortNone {
				sums["evals"] += e
			} else if dataset.HasScores(g) {
				sums["missing"]++
			}
			if c := notes[ply][1]; c != int(dataset.NoClock) {
				sums["clocks"] += c
			}
			sign := 1 - 2*int(at.Turn())
			if m != chess.NullMove {
				places["n"]++
				places["moves"] += int(i)
				legal := at.CountLegal()
				places["legal"] += legal
				places["bits"] += legal
				places["result"] += sign * map[game.Result]int{game.WhiteWins: 1, game.BlackWins: -1}[g.Result]
				if e := notes[ply-1][0]; e != dataset.ShortNone {
					places["eval"] += sign * e
				}
				if c := notes[ply][1]; c != int(dataset.NoClock) {
					places["clock"] += c
				}
				places["halfmoves"] += at.HalfmoveClock()
				places["castling"] += int(at.Castling())
				places["passant"] += at.EnPassantFile()
				places["black"] += int(at.Turn())
				if n == 0 {
					board := ""
					for s := range chess.Square(32) {
						board += fmt.Sprintf("%X%X", uint8(at.PieceAt(2*s+1)), uint8(at.PieceAt(2*s)))
					}
					boards = append(boards, board)
				}
			}
			at.Make(m)
		}
		for name, key := range map[string]string{"WhiteElo": "elo", "WhiteRatingDiff": "diff"} {
			v := 0
			fmt.Sscan(g.Tag(name), &v)
			sums[key] += v
		}
		row := answers[2][n]
		for name, w := range map[string]string{"Event": g.Tag("Event"), "White": g.Tag("White"),
			"Result": g.Result.String(), "ECO": g.Tag("ECO"),
			"utcdate": strings.ReplaceAll(g.Tag("UTCDate"), ".", "-"), "utctime": g.Tag("UTCTime")} {
			if got, _ := row[name].(string); got != w {
				t.Errorf("game %d: %s is %q, want %q", n+1, name, got, w)
			}
		}
		if got, _ := row["moves"].([]any); !slices.Equal(got, moves) {
			t.Errorf("game %d: %v, want %v", n+1, got, moves)
		}
	}
	for answer, w := range map[int]map[string]int{1: sums, 4: places} {
		for name, v := range w {
			if got := answers[answer][0][name]; got != float64(v) {
				t.Errorf("%s is %v, want %d", name, got, v)
			}
		}
	}
	for i, row := range answers[5] {
		if row["board"] != boards[i] {
			t.Errorf("position %d is %v, want %s", i, row["board"], boards[i])
		}
	}
	if len(answers[5]) != len(boards) {
		t.Errorf("%d positions, want %d", len(answers[5]), len(boards))
	}
}
