// SPDX-License-Identifier: Apache-2.0

package readme

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ply11/bitstream"
	"ply11/bitstream/codec"
	"ply11/chess"
	"ply11/game"
	"ply11/game/pgn"
	"ply11/internal/testenv"
	"ply11/moveindex"
	"ply11/position"
)

// page reads a page of docs.
func page(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, "docs", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// p11index runs the program that was written from the pages alone.
func p11index(t *testing.T, command string, stdin []byte) ([]byte, error) {
	t.Helper()
	cmd := exec.Command(testenv.Tools(t, "python3")[0], filepath.Join(root, "docs", "p11index.py"), command)
	cmd.Stdin = bytes.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, stderr.Bytes())
	}
	return out, err
}

// sameLines compares two texts line by line.
func sameLines(t *testing.T, what, got, want string) {
	t.Helper()
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			t.Fatalf("%s: line %d is %q, want %q", what, i+1, g[i], w[i])
		}
	}
	if len(g) != len(w) {
		t.Fatalf("%s: %d lines, want %d", what, len(g), len(w))
	}
}

// TestIndexPage compares what docs/INDEX.md says, as a Python program that was written from it does it,
// with package moveindex: the table, all 2,048 codes with both mirrors and ROM words, all halfmoves.
func TestIndexPage(t *testing.T) {
	var codes, halfmoves strings.Builder
	for i := range moveindex.Index(moveindex.NumWords) {
		name := "-"
		if m, ok := i.Move(); ok {
			name = m.String()
		}
		fmt.Fprintf(&codes, "%d %s %d %d %04x\n", i, name, i.MirrorRanks(), i.MirrorFiles(), i.Word())
	}
	for h := range moveindex.Halfmove(moveindex.NumHalfmoves) {
		fmt.Fprintf(&halfmoves, "%04x\n", h.Word())
	}
	for command, want := range map[string]string{
		"table":     string(moveindex.AppendTable(nil)),
		"codes":     codes.String(),
		"halfmoves": halfmoves.String(),
	} {
		out, err := p11index(t, command, nil)
		if err != nil {
			t.Fatal(err)
		}
		sameLines(t, command, string(out), want)
	}
}

// position12 is a start position as the Python program shows it.
type position12 struct {
	Board  string `json:"board"`
	Black  int    `json:"black"`
	Rights int    `json:"rights"`
	EP     int    `json:"ep"`
	Clock  int    `json:"clock"`
	Number int    `json:"number"`
}

// events returns a game as the Python program shows it.
func events(g *game.Game) []any {
	var list []any
	if p := g.Start; p != position.Start() {
		var board strings.Builder
		for s := range chess.Square(64) {
			board.WriteByte(".KQNBRP..kqnbrp."[p.PieceAt(s)])
		}
		list = append(list, []any{"start", position12{board.String(), int(p.Turn()), int(p.Castling()), p.EnPassantFile(),
			p.HalfmoveClock(), p.FullmoveNumber()}})
	}
	for c := g.Cursor(); c.Next(); {
		switch c.Kind {
		case game.VariationStart:
			list = append(list, []any{"("})
		case game.VariationEnd:
			list = append(list, []any{")"})
		case game.NAG:
			list = append(list, []any{"nag", c.NAG})
		case game.Comment:
			list = append(list, []any{"text", c.Text})
		default:
			list = append(list, []any{"move", c.Move.String()})
		}
	}
	return append(list, []any{"result", g.Result.String()})
}

// streamGames are games with everything that a stream of words can hold.
func streamGames(t *testing.T) []*game.Game {
	t.Helper()
	texts := []string{
		"1. e4! (1. d4 {x}) e5 1/2-1/2",
		"*",
		"{before} {again} $5 1. e4 {a} $1 $140 $255 $0 (1. d4 {b} d5 (1... Nf6 2. c4 {c}) 2. c4) (1. c4 -- 2. d4) 1... e5 2. Nf3 {é ♔ \U0001f600} Nc6 {} 0-1",
		"[FEN \"r3k2r/8/8/3pP3/8/8/8/R3K2R w Kq d6 17 8187\"]\n\n{first} 20. exd6 (20. Rb1) Kd7 1-0",
		"[FEN \"8/8/8/4k3/8/8/4P3/4K3 b - - 255 77\"]\n\n77... Kd4 1/2-1/2",
	}
	for _, n := range []int{1, 10, 11, 12, 2045, 2046, 2047, 4092, 5001} {
		texts = append(texts, "1. e4 {"+strings.Repeat("é", n/2)+strings.Repeat("x", n%2)+"} *")
	}
	var games []*game.Game
	for _, text := range texts {
		g := new(game.Game)
		if err := pgn.NewReader(strings.NewReader(text + "\n")).Read(g); err != nil {
			t.Fatalf("%.60q: %v", text, err)
		}
		games = append(games, g)
	}
	// And games of random legal moves, in which each class of the index comes.
	rng := rand.New(rand.NewPCG(11, 2048))
	for range 40 {
		g := new(game.Game)
		g.Reset()
		var b game.Builder
		b.Reset(g)
		p := g.Start
		for range 120 {
			moves := p.LegalMoves(nil)
			if len(moves) == 0 {
				break
			}
			m := moves[rng.IntN(len(moves))]
			p.Make(m)
			b.Move(m)
		}
		games = append(games, g)
	}
	return games
}

// TestWordsPage compares docs/WORDS.md, as the same program does it, with package bitstream: the games of
// a file that Go writes, and the bytes that Python writes for them.
func TestWordsPage(t *testing.T) {
	var file, want bytes.Buffer
	w := bitstream.NewWriter(&file, codec.Lossy(nil))
	games := streamGames(t)
	for _, g := range games {
		if err := w.Write(g); err != nil {
			t.Fatal(err)
		}
		line, err := json.Marshal(events(g))
		if err != nil {
			t.Fatal(err)
		}
		want.Write(append(line, '\n'))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	out, err := p11index(t, "decode", file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	// The same JSON, whatever the blanks and the way of escaping.
	var got bytes.Buffer
	for line := range bytes.Lines(out) {
		var list []any
		if err := json.Unmarshal(line, &list); err != nil {
			t.Fatal(err)
		}
		for _, e := range list {
			if e := e.([]any); e[0] == "start" {
				var p position12
				b, _ := json.Marshal(e[1])
				json.Unmarshal(b, &p)
				e[1] = p
			}
		}
		b, _ := json.Marshal(list)
		got.Write(append(b, '\n'))
	}
	sameLines(t, "decode", got.String(), want.String())
	back, err := p11index(t, "encode", want.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(back, file.Bytes()) {
		t.Fatalf("Python writes %d bytes, Go %d, and they differ", len(back), file.Len())
	}
}

// TestWordsPageRefuses gives breaches of the grammar to both readers: they must refuse the same word.
func TestWordsPageRefuses(t *testing.T) {
	const e4, d4 = 396, 395
	long, err := bitstream.AppendText(nil, strings.Repeat("x", 2046))
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string][]moveindex.Index{
		"reserved":                        {e4, 2009, 1969},
		"last reserved":                   {2046},
		"variation without a move before": {1973, e4, 1974, 1969},
		"variation before a line's move":  {e4, 1973, 1973, d4, 1974, 1974, 1969},
		"empty variation":                 {e4, 1973, 1974, 1969},
		"end without start":               {e4, 1974, 1969},
		"result in a variation":           {e4, 1973, d4, 1969},
		"start not at the front":          {e4, 2008, 1969},
		"end inside a game":               {e4},
		"end inside a text":               {e4, 1975, 3, 1},
		"NAG 256":                         {e4, 1976, 256, 1969},
		"spare bits":                      {1975, 1, 0x178, 1969},
		"not UTF-8":                       {1975, 1, 0xff, 1969},
		"NUL":                             {1975, 1, 0, 1969},
		"piece that none continues":       append(long[:len(long)-2:len(long)-2], 1969),
	}
	for name, words := range cases {
		// Idle words between all others change nothing but the places.
		var idle []moveindex.Index
		for _, w := range words {
			idle = append(idle, moveindex.Idle, w)
		}
		for _, words := range [][]moveindex.Index{words, idle} {
			var file bytes.Buffer
			p := bitstream.NewPacker(&file)
			p.Words(words)
			for p.Count()%8 != 0 {
				p.Word(moveindex.Idle)
			}
			if err := p.Close(); err != nil {
				t.Fatal(err)
			}
			var g game.Game
			err := bitstream.NewReader(bytes.NewReader(file.Bytes())).Read(&g)
			we, ok := err.(*codec.Error)
			if !ok {
				t.Errorf("%s: Go says %v", name, err)
				continue
			}
			_, err = p11index(t, "decode", file.Bytes())
			if want := fmt.Sprintf("word %d: ", we.Offset); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: Python says %v, Go %v", name, err, we)
			}
		}
	}
	if _, err := p11index(t, "decode", []byte{0, 0}); err == nil {
		t.Error("five bits that are not ones are taken")
	}
}

// TestIndexPageRows: the rows of docs/INDEX.md that have numbers are what package moveindex says: the examples, the control codes and the hashes of the table.
func TestIndexPageRows(t *testing.T) {
	text := page(t, "INDEX.md")
	has := func(format string, args ...any) {
		if row := fmt.Sprintf(format, args...); !strings.Contains(text, row) {
			t.Errorf("docs/INDEX.md does not have %q", row)
		}
	}
	for _, c := range []struct {
		name string
		code moveindex.Index
	}{
		{"ResultBlackWins", moveindex.ResultBlackWins}, {"ResultDraw", moveindex.ResultDraw}, {"ResultWhiteWins", moveindex.ResultWhiteWins},
		{"ResultUnknown", moveindex.ResultUnknown}, {"Null", moveindex.Null}, {"VariationStart", moveindex.VariationStart}, {"VariationEnd", moveindex.VariationEnd},
		{"Text", moveindex.Text}, {"NAG", moveindex.NAG}, {"Start", moveindex.Start}, {"Idle", moveindex.Idle},
	} {
		has("| %d | `%s` |", c.code, c.name)
	}
	has("| %d..%d | `NAG1`..`NAG31` | NAG 1 to %d |", moveindex.NAG1, moveindex.NAG31, moveindex.NAG31-moveindex.NAG1+1)
	has("| %d..%d | `FirstReserved`..`LastReserved` |", moveindex.FirstReserved, moveindex.LastReserved)
	has("| SHA-256 | `%s` |", moveindex.TableSHA256)
	has("| CRC-32 (IEEE) | `%s` |", moveindex.TableCRC32)
	rows := regexp.MustCompile(`(?m)^\| \d+ \| ([a-h][1-8][a-h][1-8][nbrq]?) \|.*$`).FindAllStringSubmatch(text, -1)
	if len(rows) < 15 {
		t.Errorf("%d rows of examples", len(rows))
	}
	for _, r := range rows {
		m, err := chess.ParseUCI(r[1])
		if err != nil {
			t.Fatal(err)
		}
		i, _ := moveindex.Of(m)
		has("| %d | %v | %d | %d | `%04x` |", i, m, i.MirrorRanks(), i.MirrorFiles(), i.Word())
	}
}

// TestIndexPageKnights compares the table of rectangles with the index itself: every code of a knight is
// where its row says.
func TestIndexPageKnights(t *testing.T) {
	row := regexp.MustCompile(`(?m)^\| ([1-7]) \| ([1-7]) \| ([1-7]) \| ([^|]+) \| ([^|]+) \| (\d) files?, (\d) ranks? \|$`)
	rows := row.FindAllStringSubmatch(page(t, "INDEX.md"), -1)
	if len(rows) != 7 {
		t.Fatalf("%d rows, want 7", len(rows))
	}
	forms := map[string]func(u, v int) int{
		"u": func(u, v int) int { return u }, "v": func(u, v int) int { return v },
		"5 - u": func(u, v int) int { return 5 - u }, "5 + u": func(u, v int) int { return 5 + u },
		"4 + u div 2": func(u, v int) int { return 4 + u/2 }, "2 * v + u mod 2": func(u, v int) int { return 2*v + u%2 },
		"4": func(u, v int) int { return 4 }, "5": func(u, v int) int { return 5 },
	}
	cells := 0
	for _, r := range rows {
		a, us, vs, files, ranks := int(r[1][0]-'0'), int(r[2][0]-'0'), int(r[3][0]-'0'), int(r[6][0]-'0'), int(r[7][0]-'0')
		x, y := forms[r[4]], forms[r[5]]
		if us != 8-a || vs != a || x == nil || y == nil || files+ranks != 3 {
			t.Errorf("row %q", r[0])
			continue
		}
		// Toward the upper right: sx and sy are false, axis NE does not come, NW with n = 8 - a does.
		for u := range us {
			for v := range vs {
				file, rank := x(u, v), y(u, v)
				if files == 2 {
					file, rank = rank, file
				}
				from := chess.NewSquare(file, rank)
				to := chess.NewSquare(file+files, rank+ranks)
				got, ok := moveindex.Of(chess.NewMove(from, to))
				if want := moveindex.Index((8-a-1)<<8 | 3<<6 | (8*v + u)); !ok || got != want {
					t.Errorf("a = %d, u = %d, v = %d: %v%v is %d, the page says %d", a, u, v, from, to, got, want)
				}
				cells++
			}
		}
	}
	if cells != 84 {
		t.Errorf("%d cells, want 84: a quarter of the knights'", cells)
	}
}

// TestWordsPageExample: the example of docs/WORDS.md has these words and bytes.
func TestWordsPageExample(t *testing.T) {
	const example = "1. e4! (1. d4 {x}) e5 1/2-1/2"
	g := new(game.Game)
	if err := pgn.NewReader(strings.NewReader(example + "\n")).Read(g); err != nil {
		t.Fatal(err)
	}
	words, err := bitstream.AppendGame(nil, g)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	w := bitstream.NewWriter(&file, codec.Lossy(nil))
	if err := errors.Join(w.Write(g), w.Close()); err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(page(t, "WORDS.md")), " ")
	for _, want := range []string{example, "words " + strings.Trim(fmt.Sprint(words), "[]"), fmt.Sprintf("bytes % x", file.Bytes())} {
		if !strings.Contains(text, want) {
			t.Errorf("docs/WORDS.md does not have %q", want)
		}
	}
}
