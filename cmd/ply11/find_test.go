// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"ply11/bitstream/archive"
	"ply11/internal/cli"
	"ply11/query"
)

// sortsOfGames are games of every sort that find tells apart.
const sortsOfGames = games + `[Event "Study"]
[SetUp "1"]
[FEN "8/P6k/8/8/8/8/6Kp/8 w - - 0 60"]
[Date "2024.11.05"]
[Result "*"]

60. a8=Q h1=Q+ 61. Kxh1 *

[Event "Impossible"]
[SetUp "1"]
[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w - - 0 1"]
[Result "*"]

1. e4 *

[Event "Other, \"quoted\""]
[Variant "Atomic"]
[SetUp "1"]
[FEN "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"]
[Result "1-0"]

9. e4 1-0

[Event "Bad"]
[Date "2024.11.??"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 3. a3 0-1

`

func numbers(t *testing.T, dir, args string) []int {
	t.Helper()
	cmd := command(dir, words("find --json "+args)...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, _ := cmd.Output()
	if code := cmd.ProcessState.ExitCode(); code != 0 && code != cli.NotFound {
		t.Fatalf("find %v: exit code %d: %s", args, code, errs.String())
	}
	var list []int
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var f foundGame
		if err := d.Decode(&f); err == io.EOF {
			return list
		} else if err != nil {
			t.Fatalf("find %v: %v: %s", args, err, out)
		}
		list = append(list, f.Game)
	}
}

func TestFind(t *testing.T) {
	dir := packed(t, sortsOfGames)
	ply11(t, dir, 0, "pack -q --dense -o b.p11 a.pgn")
	const start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
	for _, test := range []struct {
		want, args string
	}{
		{"[1 2 3 4 5 6]", ""},
		{"[3 6]", "--date 2024-11"},
		{"[3]", "--date 2024-11-05"},
		{"[3 6]", "--date 2024.11"},
		{"[1 2]", "--date -2000"},
		{"[1 2 6]", "--fen START"},
		{"[1 2 6]", "--fen 'START w KQkq - 5 9'"},
		{"[]", "--fen 'START b'"},
		{"[1]", "--fen rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"},
		{"[1 2]", "--fen START --invalid skip"},
		{"[4 5 6]", "--invalid only"},
		{"[6]", "--fen START --invalid only"},
		{"[1 6]", "--pattern pe5"},
		{"[3]", "--material KQKP"},
		{"[3]", "--material 'Q1 q1 p0 P0'"},
		{"[3]", "--material KPKQ --swap-colors"},
		{"[2]", "--pattern 'Pe4 pc5' --variations"},
		{"[]", "--pattern 'Pe4 pc5'"},
		{"[2]", "--text Comment"},
		{"[2]", "--white spassky --rating 2600- --not player=morphy"},
		{"[1]", "--not 'result=*; fen=START' --not invalid --result 1-0 --invalid skip"},
		{"[6]", "--ending mate --invalid include --black-move Qh4"},
		{"[1 6]", "--sequence 'fen=START -> black-move=e5; within=3'"},
		{"[1]", "--sequence 'white-move=e4 -> black-move=e5' --sequence 'pattern=Pe2 -> white-move=Nf3'"},
		{"[6]", "--black-move Qh4 --sequence 'white-move=f3 -> black-move=e5'"},
		{"[2]", "--player spassky --player fischer"},
		{"[]", "--player spassky --player morphy"},
		{"[2]", "--any-rating 2660 --any-rating >2700"},
		{"[2]", "--result draw"},
		{"[1 2 6]", "--fen startpos"},
		{"[2 4 5]", "--games 2,4-5,17-"},
		{"[1 2 3]", "--or date=-2000 --or games=3"},
	} {
		test.args = strings.ReplaceAll(test.args, "START", start)
		if strings.Contains(test.args, "--not invalid") { // no term
			ply11(t, dir, cli.Usage, "find a.p11 "+test.args)
			continue
		}
		want := test.want
		if strings.Contains(test.args, "mate") {
			want = "[]" // game 6 goes on, though not validly: its main line ends in mate
		}
		for _, name := range words("a.p11 b.p11") {
			got := fmt.Sprint(numbers(t, dir, test.args+" "+name))
			if got != test.want && got != want {
				t.Errorf("find %v %s: %v, want %v", test.args, name, got, test.want)
			}
		}
	}
	for _, term := range query.Terms {
		if term.Name == "captured" {
			continue // a move that takes nothing
		}
		if _, errs := runCode(t, dir, cli.Usage, "", "find", "--"+term.Name, "", "a.p11"); !strings.HasPrefix(errs,
			"ply11: --"+term.Name+": ") ||
			strings.Count(errs, "\n") != 1 {
			t.Errorf("--%s with nothing: %q", term.Name, errs)
		}
	}
	// what can be given once is refused with its flag, and the help says what can be repeated
	help, errs := ply11(t, dir, 0, "find --help")
	ofGames, ofPositions := strings.Index(help, "Conditions on games:"), strings.Index(help, "Conditions on positions:")
	if errs != "" || ofGames < 0 || ofGames > ofPositions {
		t.Errorf("%s%s", help, errs)
	}
	for _, term := range query.Terms {
		args := []string{"find", "--count", "--" + term.Name, term.Value, "--" + term.Name, term.Value, "a.p11"}
		want, wantErrs := cli.NotFound, ""
		if term.Once != "" {
			want, wantErrs = cli.Usage, "ply11: --"+term.Name+": it is given twice: "+term.Once+"\n"
		}
		cmd := command(dir, args...)
		var errs strings.Builder
		cmd.Stderr = &errs
		cmd.Run()
		if code := cmd.ProcessState.ExitCode(); code != want && (want == cli.Usage || code != 0) ||
			errs.String() != wantErrs {
			t.Errorf("%v: exit code %d, %q", args, code, errs.String())
		}
		i := strings.Index(help, "\n      --"+term.Name+" "+term.Value+" ")
		if i < 0 {
			t.Errorf("the help does not tell of --%s", term.Name)
			continue
		}
		told, _, _ := strings.Cut(help[i+3:], "      --")
		if again := strings.Contains(told, "can be"); again != (term.Once == "") {
			t.Errorf("the help of --%s: %q", term.Name, told)
		}
	}
	for _, args := range []string{"tree --fen", "tree --moves"} {
		_, flag, _ := strings.Cut(args, " ")
		if _, errs := ply11(t, dir, cli.Usage, args+" startpos "+flag+" startpos a.p11"); !strings.Contains(errs,
			flag) || !strings.Contains(errs, "given twice") {
			t.Errorf("%s: %q", args, errs)
		}
	}
	for _, args := range []string{"--sequence ''", "--not ''", "--invalid some", "--pgn --json", "-o x.p11 --count",
		"--dense", "--mirror --fen '" + start + " w KQkq'", "--skip -1", "-j -1",
		"--fen 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w'"} {
		if _, errs := ply11(t, dir, cli.Usage, "find a.p11 "+args); strings.Count(errs, "\n") != 1 {
			t.Errorf("%v: %q", args, errs)
		}
	}
}

func TestFindOutputs(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.pgn", sortsOfGames)
	write(t, dir, "c.pgn", games)
	ply11(t, dir, 0, "pack -q a.pgn")
	ply11(t, dir, 0, "pack -q c.pgn")
	out, _ := ply11(t, dir, 0, "find --fen rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR --or "+
		"fen=rnbqkbnr/pppppppp/8/8/8/5P2/PPPPP1PP/RNBQKBNR a.p11 c.p11")
	if want := "a.p11: 1  Morphy, Paul - Duke Karl  1-0  1858.??.??  C41  ply 2\na.p11: 6   -   0-1  2024.11.??    " +
		"ply 1  invalid\nc.p11: 1  Morphy, Paul - Duke Karl  1-0  1858.??.??  C41  ply 2\n"; out != want {
		t.Errorf("%q", out)
	}
	out, _ = ply11(t, dir, 0, "find --variations --all --pattern Pe4 --white spassky a.p11")
	if want := "2  Spassky - Fischer  1/2-1/2  1972.07.11    ply 1 in a variation; 2 in a variation\n"; out != want {
		t.Errorf("%q", out)
	}
	out, _ = ply11(t, dir, 0, "find --csv *.p11 --sequence 'white-move=e4 -> black-move=e5'")
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil || len(rows) != 3 || rows[2][0] != "c.p11" || rows[1][9] != "1 2" {
		t.Errorf("%v, %q", err, rows)
	}
	out, _ = ply11(t, dir, 0, "find --uci --skip 1 --invalid skip a.p11")
	if want := "d2d4 d7d5\nposition fen 8/P6k/8/8/8/8/6Kp/8 w - - 0 60 moves a7a8q h2h1q g2h1\n"; out != want {
		t.Errorf("%q", out)
	}
	if out, _ := ply11(t, dir, 0, "find --count a.p11 c.p11"); out != "8\n" {
		t.Errorf("%q", out)
	}
	if out, _ := ply11(t, dir, cli.NotFound, "find --count --player nobody a.p11"); out != "0\n" {
		t.Errorf("%q", out)
	}
	var f foundGame
	out, _ = ply11(t, dir, 0, "find --json --text comment --variations --pattern pc5 a.p11")
	if err := json.Unmarshal([]byte(out), &f); err != nil || f.File != "a.p11" || f.Game != 2 || f.Ply != 2 ||
		!f.Hits[0].Variation {
		t.Errorf("%v: %s", err, out)
	}
	data := read(t, dir, "a.p11")
	if out, _ := runCode(t, dir, 0, data, "find", "--count", "-"); out != "6\n" {
		t.Errorf("%q", out)
	}
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "z.p11.zst", string(z.EncodeAll([]byte(data), nil)))
	if out, _ := ply11(t, dir, 0, "find --count z.p11.zst"); out != "6\n" {
		t.Errorf("%q", out)
	}
	write(t, dir, "q.json", "{}")
	if _, errs := ply11(t, dir, cli.Wrong, "find c.p11 q.json"); !strings.HasPrefix(errs, "ply11: q.json: ") {
		t.Errorf("%q", errs)
	}
	ply11(t, dir, cli.Failed, "find none*.p11")
	ply11(t, dir, cli.Failed, "find none.p11")
}

// TestFindArchive: a selection has the very text of its games.
func TestFindArchive(t *testing.T) {
	dir := t.TempDir()
	text := strings.ReplaceAll(sortsOfGames, "\n\n", "\r\n\r\n\r\n")
	text = strings.ReplaceAll(text, "1. d4 {a comment} (1. e4 c5) d5", "1.d4{a comment}( 1.e4   c5 )1...d5")
	write(t, dir, "a.pgn", text)
	ply11(t, dir, 0, "pack -q a.pgn")
	for _, args := range []string{"", "--dense"} {
		ply11(t, dir, 0, "find -f -o s.p11 --fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR a.p11 "+args)
		want, _ := ply11(t, dir, 0, "find --pgn --fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR a.p11")
		got := unpacked(t, dir, "s.p11")
		if got != want || !strings.Contains(got, "( 1.e4   c5 )") {
			t.Errorf("%v: %q, want %q", args, got, want)
		}
		if got := numbers(t, dir, "--invalid only s.p11"); len(got) != 1 {
			t.Errorf("%v: %v are not valid", args, got)
		}
	}
	if _, errs := ply11(t, dir, cli.Usage, "find -o s.p11 a.p11"); !strings.Contains(errs, "exists") {
		t.Errorf("%q", errs)
	}
	ply11(t, dir, cli.NotFound, "find -o none.p11 --player nobody a.p11")
	if _, err := os.Stat(filepath.Join(dir, "none.p11")); err == nil {
		t.Error("an archive of nothing is there")
	}
	// a game that does not end as PGN runs into no other
	write(t, dir, "open.pgn", "[Event \"a\"]\n\n1. e4 {never closed\n")
	write(t, dir, "b.pgn", games)
	ply11(t, dir, 0, "pack -q open.pgn")
	ply11(t, dir, 0, "pack -q b.pgn")
	ply11(t, dir, 0, "find -o o.p11 open.p11 b.p11")
	ply11(t, dir, 0, "verify -q o.p11")
	if got := numbers(t, dir, "o.p11"); fmt.Sprint(got) != "[1 2 3]" {
		t.Errorf("games %v", got)
	}
	if got := numbers(t, dir, "--invalid only o.p11"); fmt.Sprint(got) != "[1]" {
		t.Errorf("games %v", got)
	}
}

// TestFindReadsWhatItNeeds: names are found where the dense moves are damaged.
func TestFindReadsWhatItNeeds(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.pgn", games)
	ply11(t, dir, 0, "pack -q --dense a.pgn")
	b := []byte(read(t, dir, "a.p11"))
	r, err := archive.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	block, err := r.Block(1)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range block.Columns() {
		if c.Kind == archive.ColumnDense {
			b[c.Offset+3] ^= 1
		}
	}
	write(t, dir, "a.p11", string(b))
	for _, args := range []string{"--count", "--json", "--csv", ""} {
		ply11(t, dir, 0, "find --player morphy --plies 1- --result 1-0 a.p11 "+args)
	}
	ply11(t, dir, cli.Wrong, "find --pattern Pe4 a.p11")
}

// TestGen: made games are the same each time, as PGN and as an archive.
func TestGen(t *testing.T) {
	dir := t.TempDir()
	text, _ := ply11(t, dir, 0, "gen --games 40 --seed 5 -q")
	again, _ := ply11(t, dir, 0, "gen --games 40 --seed 5 -q")
	if text != again || strings.Count(text, "[Event ") != 40 {
		t.Errorf("the games are not the same, or not 40: %d", strings.Count(text, "[Event "))
	}
	_, told := ply11(t, dir, 0, "gen --games 40 --seed 5 -o g.p11")
	if !strings.Contains(told, "40 games") {
		t.Errorf("%q", told)
	}
	ply11(t, dir, 0, "verify -q g.p11")
	if out := unpacked(t, dir, "g.p11"); out != text {
		t.Error("the archive holds other games")
	}
	if got := numbers(t, dir, "--plies 8- --date 1970-2024 --rating 1600-3000 g.p11"); len(got) < 38 {
		t.Errorf("games %v", got)
	}
	ply11(t, dir, cli.Usage, "gen -o g.p11")
	ply11(t, dir, cli.Usage, "gen --games -1")
}

// TestFindIndex: with an index a search for a position finds the same, and reads less; an index that does not serve is
// named.
func TestFindIndex(t *testing.T) {
	dir := t.TempDir()
	ply11(t, dir, 0, "gen -q --games 600 --seed 5 -o a.pgn")
	ply11(t, dir, 0, "pack -q --block 20 a.pgn")
	write(t, dir, "more.pgn", sortsOfGames)
	searches := []string{"--fen 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w'",
		"--fen 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w' --result 1-0 --limit 3 --skip 1 --json",
		"--moves '1.d4 d5 2.c4'",
		"--sequence 'fen=rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR -> captured=Q' --all",
		"--fen startpos --before-ply 0 --games 100-200"}
	compare := func(says string) {
		t.Helper()
		for _, args := range searches {
			want, _ := ply11(t, dir, 0, "find --no-index "+args+" a.p11")
			if got, errs := ply11(t, dir, 0, "find "+args+" a.p11"); got !=
				want || errs != says {
				t.Errorf("%q: %q, %s\nwant %s", args, errs, got, want)
			}
		}
	}
	compare("")
	ply11(t, dir, 0, "index -q a.p11")
	compare("")
	// what no game has is not looked for in the archive
	archive := read(t, dir, "a.p11")
	at := strings.Index(archive, "P11B") + 100
	write(t, dir, "a.p11", archive[:at]+"\xff\xff"+archive[at+2:])
	none := "find --count --fen '8/8/8/3k4/8/8/3KP3/8 w - -' a.p11"
	if got, errs := ply11(t, dir, cli.NotFound, none); got != "0\n" {
		t.Error(got, errs)
	}
	ply11(t, dir, cli.Wrong, none+" --no-index")
	write(t, dir, "a.p11", archive)
	if _, errs := ply11(t, dir, cli.NotFound, none+" --variations"); errs !=
		"ply11: a.p11x has no variations: the archive is read; ply11 index --variations makes it with them\n" {
		t.Error(errs)
	}
	index := read(t, dir, "a.p11x")
	end := len(index) - 260 // of what comes before the table and the trailer
	write(t, dir, "a.p11x", index[:64]+strings.Repeat("?", end-64)+index[end:])
	if _, errs := ply11(t, dir, cli.Wrong, none); !strings.HasPrefix(errs,
		"ply11: a.p11x: corrupt index: directory at ") || !strings.HasSuffix(errs, "; --no-index does without it\n") {
		t.Error(errs)
	}
	write(t, dir, "a.p11x", index)
	ply11(t, dir, 0, "append -q a.p11 more.pgn")
	compare("ply11: a.p11x: the index is of another archive, or this one was changed since: the archive is read " +
		"without it; ply11 index --update adds games that were appended, --force makes it again\n")
	ply11(t, dir, 0, "index -q --update a.p11")
	compare("")
}
