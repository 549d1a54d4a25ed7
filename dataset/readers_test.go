// SPDX-License-Identifier: Apache-2.0

package dataset_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	notnil "github.com/notnil/chess"

	"ply11/chess"
	"ply11/dataset"
	"ply11/game"
	"ply11/internal/samples"
	"ply11/internal/testenv"
	"ply11/position"
)

// readerRow is a position as testdata/oracle/readers.py prints it.
type readerRow struct {
	FEN    string `json:"fen"`
	Move   string `json:"move"`
	Score  int    `json:"score"`
	Result int    `json:"result"`
	Ply    int    `json:"ply"`
	Pad    int    `json:"pad"`
	// Of lc0 alone.
	Policy  string   `json:"policy"`
	Sum     float64  `json:"sum"`
	Legal   []string `json:"legal"`
	Past    []string `json:"past"`
	Again   []bool   `json:"again"`
	ResultQ float64  `json:"result_q"`
	ResultD float64  `json:"result_d"`
	Left    float64  `json:"plies_left"`
}

// readerArgs are what readers.py calls the formats.
var readerArgs = map[string]string{"binpack": "binpack", "bin": "bin", "viriformat": "viri", "lc0": "lc0"}

// replayedRow is a position of a main line, as notnil/chess replays it.
type replayedRow struct {
	pieces, turn, rights, ep string // of the FEN; ep where a pawn has just moved two squares
	takes                    bool   // a capture en passant is legal
	clock, number            int
	move                     string
	legal                    []string
	score                    int // of the mover, as engines have it
	result                   int // of the mover
	left                     int // plies to the end, and this one
	past                     []string
	again                    []bool
}

// replay replays a game, without rows of null moves. deep asks for legal, past and again.
func replay(t *testing.T, g *game.Game, deep bool) (rows []replayedRow) {
	t.Helper()
	evals := evalTexts(g)
	result := map[game.Result]int{game.WhiteWins: 1, game.BlackWins: -1}[g.Result]
	at, usualStart := positionOf(t, g.Start.FEN()), g.Start == position.Start()
	var past []string
	var again []bool
	seen := map[string]bool{}
	i := 0
	for _, m := range g.MainLine() {
		fen := strings.Fields(at.String())
		row := replayedRow{pieces: fen[0], turn: fen[1], rights: fen[2], ep: fen[3], move: m.String(),
			left: g.Len() - i}
		row.clock, _ = strconv.Atoi(fen[4])
		row.number, _ = strconv.Atoi(fen[5])
		var next *notnil.Position
		for _, legal := range at.ValidMoves() {
			row.takes = row.takes || legal.HasTag(notnil.EnPassant)
			if deep {
				row.legal = append(row.legal, legal.String())
			}
			if legal.String() == row.move {
				next = at.Update(legal)
			}
		}
		slices.Sort(row.legal)
		sign := 1
		if fen[1] == "b" {
			sign = -1
		}
		row.result = sign * result
		row.score = scoreOf(evals[i], sign)
		if deep {
			key := strings.Join(fen[:3], " ")
			if row.takes {
				key += fen[3]
			}
			past, again = append(past, fen[0]), append(again, seen[key])
			seen[key] = true
			for k := range 8 {
				if n := len(past) - 1 - k; n >= 0 {
					row.past, row.again = append(row.past, past[n]), append(row.again, again[n])
				} else if !usualStart {
					row.past, row.again = append(row.past, beforeStart(t, g)), append(row.again, false)
				}
			}
		}
		i++
		if m == chess.NullMove {
			other, number := "b", row.number
			if row.turn == "b" {
				other, number = "w", number+1
			}
			next = positionOf(t, fmt.Sprintf("%s %s %s - %d %d", row.pieces, other, row.rights, row.clock+1, number))
		} else {
			rows = append(rows, row)
		}
		if next == nil {
			t.Fatalf("%s is not legal in %s", row.move, at)
		}
		at = next
	}
	return rows
}

// positionOf reads a FEN.
func positionOf(t *testing.T, fen string) *notnil.Position {
	t.Helper()
	o, err := notnil.FEN(fen)
	if err != nil {
		t.Fatalf("%s: %v", fen, err)
	}
	return notnil.NewGame(o).Position()
}

// beforeStart is lc0's board before a start: a pawn that may be taken en passant where it came from.
func beforeStart(t *testing.T, g *game.Game) string {
	t.Helper()
	at := positionOf(t, g.Start.FEN())
	board := at.Board().SquareMap()
	if ep := at.EnPassantSquare(); ep != notnil.NoSquare {
		to, from := ep+8, ep-8
		if at.Turn() == notnil.White {
			to, from = from, to
		}
		board[from] = board[to]
		delete(board, to)
	}
	return notnil.NewBoard(board).String()
}

var evalPattern = regexp.MustCompile(`\[%eval\s+(#?)([-+]?[0-9.]+)`)

// evalTexts are a main line's evals from the start on: the mark of a mate, and the number.
func evalTexts(g *game.Game) [][]string {
	list := make([][]string, g.Len()+1)
	ply, depth := 0, 0
	for e := range g.All() {
		switch e.Kind {
		case game.MoveEvent:
			if depth == 0 {
				ply++
			}
		case game.VariationStart:
			depth++
		case game.VariationEnd:
			depth--
		case game.Comment:
			if found := evalPattern.FindStringSubmatch(e.Text); found != nil && depth == 0 {
				list[ply] = found[1:]
			}
		}
	}
	return list
}

// scoreOf is an eval as engines have it, by docs/train.md.
func scoreOf(eval []string, sign int) int {
	if eval == nil {
		return 32002
	}
	v, _ := strconv.ParseFloat(eval[1], 64)
	v *= float64(sign)
	if eval[0] == "" {
		if s := math.Round(100 * v); s >= -31754 && s <= 31754 {
			return int(s)
		}
		return int(math.Copysign(30000, v))
	}
	n := int(min(math.Abs(v), 122)) // moves
	if v == 0 {
		return -32000 * sign
	}
	if v > 0 {
		return 32000 - (2*n - 1)
	}
	return -32000 + 2*n
}

// checkReaders compares what readers.py finds in all formats of engines with what notnil/chess replays, and returns the
// number of positions.
func checkReaders(t *testing.T, text []byte, formats ...string) (positions int) {
	t.Helper()
	var list []*game.Game
	var again bytes.Buffer // the valid games alone
	for _, g := range withResults(validGames(t, pack(t, text, 1000, false))) {
		list = append(list, g)
		again.WriteString(textOf(g))
	}
	if len(list) == 0 {
		return 0
	}
	data := pack(t, again.Bytes(), 1000, false)
	list = withResults(validGames(t, data))
	type reader struct {
		format string
		rows   *json.Decoder
		cmd    *exec.Cmd
		wrong  *bytes.Buffer
	}
	var readers []reader
	py := testenv.Python(t)
	for _, format := range formats {
		path := filepath.Join(t.TempDir(), "a."+format)
		if err := os.WriteFile(path, exportOne(t, dataset.Job{Format: format}, data), 0o666); err != nil {
			t.Fatal(err)
		}
		r := reader{format: format, wrong: &bytes.Buffer{}, cmd: exec.Command(py, "-B", "testdata/oracle/readers.py",
			readerArgs[format], path)}
		r.cmd.Stderr = r.wrong
		out, err := r.cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := r.cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { out.Close(); r.cmd.Wait() })
		r.rows = json.NewDecoder(bufio.NewReaderSize(out, 1<<16))
		readers = append(readers, r)
	}
	for n, g := range list {
		if at := g.Start; at.Occupied().Count() > 32 {
			continue
		}
		for k, want := range replay(t, g, slices.Contains(formats, "lc0")) {
			positions++
			for _, r := range readers {
				var got readerRow
				if err := r.rows.Decode(&got); err != nil {
					t.Fatalf("%s: game %d, position %d: %v: %s", r.format, n+1, k+1, err, r.wrong)
				}
				if d := differs(r.format, &got, &want); d != "" {
					t.Fatalf("%s: game %d, position %d: %s\n got %+v\nwant %+v", r.format, n+1, k+1, d, got, want)
				}
			}
		}
	}
	for _, r := range readers {
		if err := r.rows.Decode(&readerRow{}); err != io.EOF {
			t.Errorf("%s: after the last position: %v", r.format, err)
		}
		if err := r.cmd.Wait(); err != nil {
			t.Errorf("%s: %v: %s", r.format, err, r.wrong)
		}
	}
	return positions
}

// differs names what a reader's row has that is not right.
func differs(format string, got *readerRow, want *replayedRow) string {
	ply := 2*(want.number-1) + strings.Index("wb", want.turn)
	clock, number, ep := want.clock, want.number, "-"
	if want.takes {
		ep = want.ep
	}
	result, score := want.result, want.score
	switch format {
	case "binpack":
		ply = min(ply, 1<<14-1)
		number = ply/2 + 1
	case "bin":
		clock = min(clock, 127)
	case "viriformat":
		ply = got.Ply // it counts in the game
		clock = min(clock, 255)
		if want.turn == "b" {
			result = -result
			if score != 32002 {
				score = -score
			}
		}
		result++
	case "lc0":
		ply, number, score, result = got.Ply, 1, 0, 0
		clock, ep = min(clock, 255), want.ep
	}
	fen := strings.Fields(got.FEN)
	if n, err := strconv.Atoi(fen[4]); format == "viriformat" && err == nil {
		fen[4] = strconv.Itoa(min(n, 255)) // the clock of the first position, and what came after it
	}
	for i, w := range []string{want.pieces, want.turn, want.rights, ep, strconv.Itoa(clock), strconv.Itoa(number)} {
		if fen[i] != w {
			return fmt.Sprintf("field %d of the FEN is %s, want %s", i+1, fen[i], w)
		}
	}
	switch {
	case got.Move != want.move:
		return "the move"
	case got.Ply != ply:
		return fmt.Sprintf("the ply is not %d", ply)
	case got.Score != score:
		return fmt.Sprintf("the score is not %d", score)
	case got.Result != result:
		return fmt.Sprintf("the result is not %d", result)
	case format == "bin" && got.Pad != 255:
		return "the last byte"
	}
	if format != "lc0" {
		return ""
	}
	drawn := 0.0
	if want.result == 0 {
		drawn = 1
	}
	switch {
	case got.Policy != want.move || got.Sum != 1:
		return "the policy"
	case !slices.Equal(got.Legal, want.legal):
		return "the legal moves"
	case !slices.Equal(got.Past, want.past):
		return "the boards before"
	case !slices.Equal(got.Again, want.again):
		return "the repetitions"
	case got.ResultQ != float64(want.result) || got.ResultD != drawn || got.Left != float64(want.left):
		return "the result or the plies that are left"
	}
	return ""
}

// TestReaders: a program from the formats' public definitions, by somebody else, finds what another library replays.
func TestReaders(t *testing.T) {
	text := []byte(rules)
	for _, name := range samples.Names {
		games := bytes.SplitAfter(samples.File(name), []byte("\n\n[Event "))
		n := 0
		for i, g := range games {
			if i%11 != 3 || n > 1200 {
				continue
			}
			n += len(g)
			text = append(append(append(text, "[Event "...), bytes.TrimSuffix(g, []byte("[Event "))...), "\n\n"...)
		}
	}
	if n := checkReaders(t, text, engineFormats...); n < 300 {
		t.Errorf("%d positions test too little", n)
	} else {
		t.Logf("%d positions", n)
	}
}
