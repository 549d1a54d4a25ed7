// SPDX-License-Identifier: Apache-2.0

package readme

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ply11/bitstream"
	"ply11/bitstream/codec"
	"ply11/chess"
	"ply11/game"
	"ply11/game/pgn"
	"ply11/moveindex"
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
