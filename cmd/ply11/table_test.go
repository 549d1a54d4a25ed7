// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"ply11/bitstream/archive"
	"ply11/game/pgn"
	"ply11/internal/cli"
	"ply11/internal/formats"
	"ply11/internal/testenv"
	"ply11/position"
	"ply11/query/index"
)

// The table says what each command does with each kind of file. Its lines end with their kinds. "ok" is exit code 0 and
// what checkCell says; any other word is of refusals.
const cellTable = `
pack     unpack   convert  info     show     verify   recover  cat      append   compact  edit     find     tree     index    stats    dedupe   explain  export   serve    tree-merge kinds
ok       ispgn    ok       ispgn    ok       ok       ispgn    ispgn    ispgn    ispgn    ispgn    ok       ok       ispgn    ok       ok       ok       ok       ok       notree     plain annotated latin1 crlf zst gz bz2 xz
nogame   ispgn    nogame   ispgn    none     ok       ispgn    ispgn    noarch   noarch   noarch   none     none     ispgn    ok       ok       ok       none     nogame   notree     empty blank
ok       ispgn    ok       ispgn    ok       ok       ispgn    ispgn    ispgn    ispgn    ispgn    ok       none     ispgn    ok       ok       ok       ok       ok       notree     setup
ok       ispgn    ok       ispgn    ok       wrong    ispgn    ispgn    ispgn    ispgn    ispgn    ok       ok       ispgn    ok       ok       invalid  ok       ok       notree     broken variants
nogame   ispgn    nogame   ispgn    nogame   wrong    ispgn    ispgn    noarch   noarch   noarch   nogame   nogame   ispgn    nogame   nogame   invalid  nogame   nogame   notree     prose
isarch   ok       ok       ok       ok       ok       ok       ok       ok       ok       ok       ok       ok       ok       ok       ok       ok       ok       ok       notree     plain-fixed plain-dense annotated-fixed annotated-dense broken-fixed broken-dense variants-fixed variants-dense latin1-fixed latin1-dense crlf-fixed crlf-dense added edited
isarch   ok       ok       ok       none     ok       ok       ok       ok       ok       none     none     none     ok       ok       ok       ok       none     ok       notree     empty-fixed empty-dense blank-fixed blank-dense
isarch   ok       ok       ok       ok       ok       ok       ok       ok       ok       ok       ok       none     ok       ok       ok       ok       ok       ok       notree     setup-fixed setup-dense
isarch   ok       ok       ok       ok       behind   behind   ok       behind   behind   behind   ok       ok       ok       ok       ok       ok       ok       ok       notree     unfinished
isarch   ok       ok       ok       ok       ok       ok       ok       packed   packed   packed   ok       ok       ok       ok       ok       ok       ok       ok       notree     zst-archive
isarch   corrupt  corrupt  corrupt  corrupt  corrupt  corrupt  corrupt  corrupt  corrupt  corrupt  corrupt  corrupt  corrupt  corrupt  corrupt  corrupt  corrupt  corrupt  notree     truncated
isarch   corrupt  corrupt  ok       corrupt  corrupt  corrupt  corrupt  ok       ok       corrupt  ok       corrupt  corrupt  corrupt  corrupt  corrupt  corrupt  ok       notree     damaged-fixed
isarch   corrupt  corrupt  corrupt  corrupt  corrupt  corrupt  corrupt  corrupt  corrupt  corrupt  corrupt  corrupt  corrupt  corrupt  corrupt  version  corrupt  corrupt  notree     other-version
nogame   noarch   ok       noarch   noarch   ok       noarch   noarch   noarch   noarch   noarch   noarch   noarch   noarch   noarch   noarch   ok       noarch   ok       notree     brenner chessbase fbk jose jose-program polyglot words
ok       noarch   ok       noarch   noarch   ok       noarch   noarch   noarch   noarch   noarch   noarch   noarch   noarch   noarch   noarch   ok       noarch   ok       notree     uci
nogame   noarch   noname   noarch   noarch   noarch   noarch   noarch   noarch   noarch   noarch   noarch   noarch   noarch   noarch   noarch   noname   noarch   nogame   notree     brenner-alt brenner-alt-fixed brenner-alt-swapped
nogame   noarch   noname   noarch   noarch   ok       noarch   noarch   noarch   noarch   noarch   noarch   noarch   noarch   noarch   noarch   noname   noarch   nogame   notree     index
nogame   noarch   noname   noarch   noarch   ok       noarch   noarch   noarch   noarch   noarch   noarch   ok       noarch   noarch   noarch   noname   noarch   nogame   ok         tree
`

type kind struct {
	name  string
	path  string
	text  string // that was packed, of an archive
	games int    // in it
	valid int    // of them
}

const setUp = `[Event "a"]
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]
[Result "*"]

1. e4 Kd7 *

[Event "b"]
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"]
[Result "*"]

1... Kd7 2. e4 {x} Kd6 $1 (2... Kc6) *

`

const annotated = `[Event "a"]
[Result "*"]

1. e4 {x} e5 *

[Event "b"]
[Result "*"]

1. d4 d5 *

[Event "c"]
[Result "*"]

1. c4 {second} (1. b3 $5 ({deep} 1. b4)) c5 {[%clk 0:01:00]} *

[Event "d"]
[Result "*"]

*

`

const variants = `[Event "a"]
[Variant "Chess960"]
[SetUp "1"]
[FEN "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w HFhf - 0 1"]
[Result "*"]

1. O-O e5 *

[Event "b"]
[Variant "Atomic"]
[Result "*"]

1. e4 *

[Event "c"]
[Result "*"]

1. e4 *

`

func kindsOfFiles(t *testing.T) []kind {
	dir := t.TempDir()
	t.Chdir(dir)
	var list []kind
	run := func(line string) {
		t.Helper()
		if code, errs := runHere(t, words(line)...); code != 0 && code != cli.Loss {
			t.Fatalf("%s: %d: %s", line, code, errs)
		}
	}
	add := func(name, ext, content, text string, games, valid int) string {
		path := writeFile(t, dir, name+ext, content)
		list = append(list, kind{name, path, text, games, valid})
		return path
	}
	plain := strings.Repeat(games, 3)
	wide := "[Event \"Z\u00fcrich\"]\n\n1. e4 *\n\n[Event \"B\xfccher\"]\n\n1. d4 *\n\n"
	type content struct {
		name, text   string
		games, valid int
	}
	texts := []content{{"plain", plain, 6, 6}, {"annotated", annotated, 4, 4}, {"broken", broken, 9, 3},
		{"empty", "", 0, 0}, {"blank", "\n \n", 0, 0}, {"variants", variants, 3, 1},
		{"setup", setUp, 2, 2}, {"latin1", wide, 2, 2}, {"crlf", strings.ReplaceAll(annotated, "\n", "\r\n"), 4, 4}}
	for _, c := range texts {
		add(c.name, ".pgn", c.text, c.text, c.games, c.valid)
	}
	add("prose", ".pgn", "Dear reader,\nno game here.\n", "", 0, 0)
	z, _ := zstd.NewWriter(nil)
	add("zst", ".pgn.zst", string(z.EncodeAll([]byte(annotated), nil)), annotated, 4, 4)
	add("xz", ".pgn.xz", xzOfGame, "[Event \"x\"]\n\n1. e4 *\n", 1, 1)
	add("bz2", ".pgn.bz2", bzip2OfGame, "[Event \"x\"]\n\n1. e4 *\n", 1, 1)
	for _, c := range texts {
		for form, dense := range map[string]bool{"fixed": false, "dense": true} {
			var out bytes.Buffer
			if _, err := archive.Pack(t.Context(), &out, strings.NewReader(c.text), archive.WithDense(dense),
				archive.WithBlockGames(3), archive.WithMeta(map[string]string{"source": "us"})); err != nil {
				t.Fatal(err)
			}
			add(c.name+"-"+form, ".p11", out.String(), c.text, c.games, c.valid)
		}
	}
	// games are added in place; and adding is interrupted
	before := read(t, dir, "plain-fixed.p11")
	write(t, dir, "added.p11", before)
	run("append -q added.p11 plain.pgn")
	after := read(t, dir, "added.p11")
	if !strings.HasPrefix(after, before) {
		t.Fatal("append changes what is there")
	}
	made := func(name, ext, text string, games, valid int) {
		list = append(list, kind{name, filepath.Join(dir, name+ext), text, games, valid})
	}
	made("added", ".p11", plain+plain, 12, 12)
	write(t, dir, "edited.p11", before)
	run("edit -q --games 2 --set Annotator=x edited.p11")
	run("edit -q --games 2 --unset Annotator edited.p11")
	made("edited", ".p11", plain, 6, 6)
	add("unfinished", ".p11", interrupted(before, after[len(before):len(after)-40]), plain, 6, 6)
	run("unpack -q -o gz.pgn.gz annotated-fixed.p11")
	made("gz", ".pgn.gz", annotated, 4, 4)
	whole := []byte(before)
	add("zst-archive", ".p11", string(z.EncodeAll(whole, nil)), plain, 6, 6)
	add("truncated", ".p11", string(whole[:len(whole)*2/3]), "", 0, 0)
	// another archive: what a search has verified of a block it keeps in memory
	run("pack -q --no-filter --block 3 -o other.p11 plain.pgn")
	damaged := []byte(read(t, dir, "other.p11")) // its first block
	damaged[len(damaged)/4] ^= 4
	add("damaged-fixed", ".p11", string(damaged), "", 6, 6)
	run("index -q -o index.p11x plain-fixed.p11")
	made("index", ".p11x", "", 6, 6)
	run("index -q -o tree.p11t plain-fixed.p11")
	made("tree", ".p11t", "", 6, 6)
	add("other-version", ".p11", string(whole[:8])+"\x09\x00"+string(whole[10:]), "", 0, 0)
	for _, f := range formats.All {
		if f.Name == "pgn" || f.Name == "p11" || f.Write == nil {
			continue
		}
		ext := "." + f.Name
		if len(f.Extensions) > 0 {
			ext = f.Extensions[0]
		}
		run("convert -q --lossy --to " + f.Name + " plain.pgn -o " + f.Name + ext)
		text, valid := "", 6
		switch f.Name {
		case "fbk", "polyglot":
			valid = -1 // books hold no games
		case "uci": // moves are a game, whatever they stand in
			text = read(t, dir, f.Name+ext)
		}
		made(f.Name, ext, text, 6, valid)
	}
	return list
}

// bzip2OfGame is what bzip2 makes of one game.
const bzip2OfGame = "\x42\x5a\x68\x39\x31\x41\x59\x26\x53\x59\x01\x28\x82\x9d\x00\x00\x06\xdf\x80\x00\x10\x50\x11\x24\x00\x02\x00\x00\x0a\x02" +
	"\x01\x05\x40\x20\x00\x22\x9a\x1e\xa7\xa2\x3d\x4f\x50\xa6\x00\x02\xa3\x4a\x4b\x36\xa2\x96\x3a\x18\x6c\x7c\x5d\xc9\x14\xe1\x42\x40\x04\xa2\x0a\x74"

const xzOfGame = "\xfd\x37\x7a\x58\x5a\x00\x00\x04\xe6\xd6\xb4\x46\x02\x00\x21\x01\x1c\x00\x00\x00\x10\xcf\x58\xcc\x01\x00\x14\x5b\x45\x76" +
	"\x65\x6e\x74\x20\x22\x78\x22\x5d\x0a\x0a\x31\x2e\x20\x65\x34\x20\x2a\x0a\x00\x00\x00\x00\x2f\x14\x56\x83\x51\x7c\xc8\x82" +
	"\x00\x01\x2d\x15\x2f\x0b\x71\x6d\x1f\xb6\xf3\x7d\x01\x00\x00\x00\x00\x04\x59\x5a"

// refusals are the words of the table: an exit code and a piece of the error.
var refusals = map[string]struct {
	code int
	want string
}{
	"noarch":  {cli.Wrong, "not a ply11 archive"},
	"ispgn":   {cli.Wrong, "not a ply11 archive, but PGN; pack it first: ply11 pack -o "},
	"isarch":  {cli.Usage, "is an archive already"},
	"nogame":  {cli.Invalid, "there is no game in it"},
	"wrong":   {cli.Wrong, "game"},
	"invalid": {cli.Invalid, "game"},
	"corrupt": {cli.Wrong, "corrupt archive"},
	"version": {cli.Wrong, "unknown version"},
	"noname":  {cli.Usage, "has the ending of none"},
	"none":    {cli.NotFound, ""},
	"behind":  {cli.Wrong, "unfinished bytes stand behind the archive"},
	"packed":  {cli.Usage, "as a whole; decompress it"},
	"notree":  {cli.Usage, "a tree file has the name .p11t"},
}

func cells(t *testing.T) (columns []string, rows map[string][]string) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(cellTable), "\n")
	columns = strings.Fields(lines[0])
	columns, rows = columns[:len(columns)-1], map[string][]string{}
	for _, line := range lines[1:] {
		f := strings.Fields(line)
		for _, kind := range f[len(columns):] {
			if rows[kind] != nil {
				t.Errorf("the table has two lines for the kind %s", kind)
			}
			rows[kind] = f[:len(columns)]
		}
	}
	return columns, rows
}

// TestTable holds each command to the table, and the table to the commands, the formats and the kinds.
func TestTable(t *testing.T) {
	columns, rows := cells(t)
	noFile := []string{"completion", "gen", "help", "import"} // they read no file, or no games in one
	_, commands, _ := runBoth(t, "__complete", "")
	for line := range strings.Lines(commands) {
		name, _, ok := strings.Cut(line, "\t")
		if ok && !slices.Contains(noFile, name) && !slices.Contains(columns, name) {
			t.Errorf("the table has no column for the command %s", name)
		}
	}
	kinds := kindsOfFiles(t)
	for j, k := range kinds {
		row, there := rows[k.name]
		if !there {
			t.Errorf("the table has no line for the kind %s", k.name)
			continue
		}
		delete(rows, k.name)
		for i, command := range columns {
			if (i+j)%testenv.Pick(1, 3) != 0 { // each kind with some commands, each command with some kinds
				continue
			}
			args := cellArgs(command, k, t.TempDir())
			var before []byte
			if command == "append" || command == "edit" || command == "compact" {
				before = copyFile(t, k.path, args[2])
				write(t, filepath.Dir(args[2]), "more.pgn", annotated)
			}
			run := runBoth
			if command == "serve" { // it has to be ended
				run, args = serveOnce, args[1:]
			}
			code, out, errs := run(t, args...)
			if row[i] == "ok" {
				if code != 0 {
					t.Errorf("%s, %s: exit code %d: %s", k.name, command, code, errs)
				} else if wrong := checkCell(t, command, k, args, out); wrong != "" {
					t.Errorf("%s, %s: %s", k.name, command, wrong)
				}
				continue
			}
			if r, known := refusals[row[i]]; !known || code != r.code || !strings.Contains(errs, r.want) {
				t.Errorf("%s, %s: exit code %d, want %s: %s", k.name, command, code, row[i], errs)
			}
			if left, err := os.ReadFile(filepath.Join(filepath.Dir(args[len(args)-2]), "out.p11")); err == nil &&
				command != "recover" && !bytes.Equal(left, before) {
				t.Errorf("%s, %s: it is refused, and leaves %d bytes", k.name, command, len(left))
			}
		}
	}
	for name := range rows {
		t.Errorf("the table has a kind %s, and there is no file of it", name)
	}
	for _, f := range formats.All {
		if f.Write != nil && f.Name != "pgn" && f.Name != "p11" &&
			!slices.ContainsFunc(kinds, func(k kind) bool { return k.name == f.Name }) {
			t.Errorf("there is no kind of the format %s", f.Name)
		}
	}
}

// checkCell returns what is wrong with what a command did.
func checkCell(t *testing.T, command string, k kind, args []string, out string) string {
	number := func(name string, want int) string {
		var m map[string]any
		if err := json.Unmarshal([]byte(out), &m); err != nil || m[name] != float64(want) {
			return fmt.Sprintf("%s is %v, want %d (%v)", name, m[name], want, err)
		}
		return ""
	}
	text := func(got string) string {
		if got != k.text {
			return fmt.Sprintf("it gives %q, want %q", got, k.text)
		}
		return ""
	}
	switch command {
	case "append":
		// TestAppendDamaged has other places
		if k.name == "damaged-fixed" {
			if code, _, errs := runBoth(t, "verify", "-q", args[len(args)-2]); code != cli.Wrong {
				return fmt.Sprintf("it is no longer damaged: %s", errs)
			}
			return ""
		}
		_, back, errs := runBoth(t, "unpack", "-q", "-o", "-", args[len(args)-2])
		if back != k.text+annotated {
			return fmt.Sprintf("it gives %q, want %q and the new games: %s", back, k.text, errs)
		}
	case "edit":
		r := opened(t, args[2])
		_, back, errs := runBoth(t, "unpack", "-q", "-o", "-", args[2])
		if r.Len() != k.games-1 || !strings.HasSuffix(k.text, back) || back == k.text {
			return fmt.Sprintf("it has %d of %d games, and gives %q: %s", r.Len(), k.games, back, errs)
		}
	case "compact":
		if k.name == "damaged-fixed" { // nothing is dead in it
			return ""
		}
		r := opened(t, args[2])
		if dead, err := r.Dead(); dead != 0 || err != nil || r.Unfinished() != nil {
			return fmt.Sprintf("%d bytes are dead, %v", dead, err)
		}
		_, back, errs := runBoth(t, "unpack", "-q", "-o", "-", args[2])
		return text(back) + errs
	case "pack", "recover", "cat":
		_, back, errs := runBoth(t, "unpack", "-q", "-o", "-", filepath.Join(filepath.Dir(args[len(args)-2]),
			"out.p11"))
		return text(back) + errs
	case "unpack":
		return text(out)
	case "convert":
		n := 0
		for _, err := range pgn.NewReader(strings.NewReader(out)).All() {
			if n++; err != nil {
				return err.Error()
			}
		}
		if n != k.valid && k.valid >= 0 {
			return fmt.Sprintf("%d games, want %d", n, k.valid)
		}
	case "show":
		games := make([]string, k.games)
		for _, n := range rand.New(rand.NewPCG(1, uint64(k.games))).Perm(k.games) {
			_, one, errs := runBoth(t, "show", k.path, fmt.Sprint(n+1))
			if games[n] = one; errs != "" && k.valid == k.games {
				return errs
			}
		}
		return text(out) + text(strings.Join(games, ""))
	case "export":
		if n := strings.Count(out, "\n"); n != k.games {
			return fmt.Sprintf("%d rows, want %d", n, k.games)
		}
	case "find":
		if out != fmt.Sprintln(k.games) {
			return fmt.Sprintf("%q, want %d", out, k.games)
		}
	case "index":
		out := filepath.Join(filepath.Dir(args[len(args)-2]), "out.p11x") // as its name has to be for verify
		if err := os.Rename(strings.TrimSuffix(out, "x"), out); err != nil {
			return err.Error()
		}
		if code, told, errs := runBoth(t, "verify", "-q", out); code != 0 {
			return "not as it should be: " + told + errs
		}
		if code, _, errs := runBoth(t, "tree", "--json", "--index", out, k.path); code != 0 && code != cli.NotFound {
			return "it does not serve: " + errs
		}
		f, err := os.Open(out)
		if err != nil {
			return err.Error()
		}
		defer f.Close()
		x, err := index.Open(f, int64(len(read(t, filepath.Dir(out), filepath.Base(out)))))
		if err != nil {
			return err.Error()
		}
		if n := x.Games(); n != k.games {
			return fmt.Sprintf("%d games, want %d", n, k.games)
		}
	case "tree-merge":
		t, err := openTree(args[len(args)-2])
		if err != nil || t.Games != uint64(2*k.games) {
			return fmt.Sprintf("%+v, %v", t, err)
		}
	case "tree":
		if k.name == "tree" {
			return number("games", k.games)
		}
		start := position.Start()
		_, n, errs := runBoth(t, "find", "--count", "--fen", start.FEN(), k.path)
		games, _ := strconv.Atoi(strings.TrimSpace(n))
		return number("games", games) + errs
	case "info":
		if bad := number("games", k.games); bad != "" || k.text == "" && k.games > 0 {
			return bad
		}
		return number("invalid_games", k.games-k.valid)
	case "stats":
		return number("games", k.games) + number("invalid", k.games-k.valid)
	case "dedupe":
		return number("games", k.games)
	case "serve":
		r, err := archive.NewReader(bytes.NewReader(served.content), int64(len(served.content)))
		if book := k.name == "fbk" || k.name == "polyglot"; err != nil || r.Len() != k.games && !book ||
			out != served.address+"\n" {
			return fmt.Sprintf("%q serves %d bytes, %v", out, len(served.content), err)
		}
	case "verify":
		if !strings.Contains(out, ": whole") {
			return out
		}
	case "explain":
		if out == "" && k.games > 0 {
			return "nothing is explained"
		}
	}
	return ""
}

func cellArgs(command string, k kind, dir string) []string {
	out := filepath.Join(dir, "out.p11")
	switch command {
	case "tree-merge":
		return []string{command, "-q", k.path, "-o", filepath.Join(dir, "out.p11t"), k.path}
	case "pack", "recover", "cat", "index":
		return []string{command, "-q", "-o", out, k.path}
	case "append":
		return []string{command, "-q", out, filepath.Join(dir, "more.pgn")}
	case "compact":
		return []string{command, "-q", out}
	case "edit":
		return []string{command, "--delete", out, "--games=1"}
	case "unpack":
		return []string{command, "-q", "-o", "-", k.path}
	case "convert":
		return []string{command, "-q", "--lossy", "--to", "pgn", k.path}
	case "show":
		return []string{command, k.path, "1-"}
	case "find":
		return []string{command, "--count", k.path}
	case "export":
		return []string{command, "--to", "jsonl", "--invalid", "include", k.path}
	case "stats", "info", "tree":
		return []string{command, "--json", k.path}
	case "dedupe":
		return []string{command, "--report", "--json", k.path}
	case "serve":
		return []string{command, "--listen", "127.0.0.1:0", k.path}
	}
	return []string{command, k.path}
}

// openTree returns what is in a tree file, which is verified.
func openTree(path string) (stats index.TreeStats, err error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return stats, err
	}
	t, err := index.OpenTree(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return stats, err
	}
	return t.Stats(), t.Verify(context.Background(), nil)
}

func copyFile(t *testing.T, from, to string) []byte {
	t.Helper()
	b, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, b, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// runBoth is runHere, and returns the standard output, too.
func runBoth(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "stdout"))
	if err != nil {
		t.Fatal(err)
	}
	old := os.Stdout
	os.Stdout = f
	code, stderr = runHere(t, args...)
	os.Stdout = old
	f.Close()
	b, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	return code, string(b), stderr
}
