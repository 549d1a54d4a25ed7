// SPDX-License-Identifier: Apache-2.0

package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ply11/internal/cli"
	"ply11/internal/formats"
	"ply11/internal/testenv"
)

func sevenTags(result string) string {
	return fmt.Sprintf(`[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "?"]
[Black "?"]
[Result "%s"]

`, result)
}

func pathOf(dir, name string, f *formats.Format) string {
	if len(f.Extensions) > 0 {
		return filepath.Join(dir, name+f.Extensions[0])
	}
	return filepath.Join(dir, name+"."+f.Name)
}

func convertHere(t *testing.T, from, to, in, out string, more ...string) {
	t.Helper()
	args := append([]string{"convert", "--force", "--from", from, "--to", to, "-o", out, in}, more...)
	if code, told := runHere(t, args...); code != 0 {
		t.Fatalf("%q: exit code %d: %s", args, code, told)
	}
}

// From every format to every other, and each way to PGN, the games are the same.
func TestConvertPairs(t *testing.T) {
	moves := []string{
		"1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#",
		// En passant, a promotion that takes and moves on, castling on both sides, a check.
		"1. e4 d5 2. e5 f5 3. exf6 Kf7 4. fxg7 Nf6 5. gxh8=N+ Kg8 6. Nf3 Nc6 7. Be2 Bg4\n8. O-O Qd7 9. Ng6 hxg6",
		"1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd3 Qd6 5. O-O-O O-O-O 6. Qxf5+ Kb8",
	}
	var games, open, book strings.Builder
	for i, result := range []string{"1-0", "0-1", "1/2-1/2"} {
		games.WriteString(sevenTags(result) + moves[i] + " " + result + "\n\n")
		open.WriteString(sevenTags("*") + moves[i] + " *\n\n")
	}
	book.WriteString(sevenTags("*") + moves[0] + " *\n\n")
	for _, set := range []struct{ name, text, without string }{
		{"games", games.String(), "uci fbk polyglot"}, // no result; one game; no tags and results
		// The layouts of Brenner's code do not differ in results.
		{"open games", open.String(), "brenner-alt brenner-alt-swapped brenner-alt-fixed fbk polyglot"},
		{"a book", book.String(), "brenner-alt brenner-alt-swapped brenner-alt-fixed polyglot"},
	} {
		t.Run(set.name, func(t *testing.T) {
			dir := t.TempDir()
			source := writeFile(t, dir, "source.pgn", set.text)
			list := slices.DeleteFunc(formats.Names(), func(name string) bool {
				return slices.Contains(strings.Fields(set.without), name)
			})
			for i, from := range list {
				a, err := formats.ByName(from)
				if err != nil {
					t.Fatal(err)
				}
				first := pathOf(dir, "first", a)
				convertHere(t, "pgn", from, source, first)
				for j, to := range list {
					if (i+j)%testenv.Pick(1, 3) != 0 { // each as source and as target all the same
						continue
					}
					b, err := formats.ByName(to)
					if err != nil {
						t.Fatal(err)
					}
					second, back := pathOf(dir, "second", b), filepath.Join(dir, "back.pgn")
					convertHere(t, from, to, first, second)
					convertHere(t, to, "pgn", second, back)
					got, err := os.ReadFile(back)
					if err != nil {
						t.Fatal(err)
					}
					if string(got) != set.text {
						t.Errorf("pgn, %s, %s, pgn:\n%s", from, to, got)
					}
				}
			}
		})
	}
}

// An FBK file becomes a Polyglot book and back, with its variations.
func TestConvertBooks(t *testing.T) {
	dir := t.TempDir()
	// In the order in which a book gives its moves: equal weights by square.
	text := sevenTags("*") + "1. e4 e5 2. Nf3 (2. Bc4 Nf6) 2... Nc6 *\n\n"
	source := writeFile(t, dir, "source.pgn", text)
	fbk, bin, again := filepath.Join(dir, "a.fbk"), filepath.Join(dir, "a.bin"), filepath.Join(dir, "b.fbk")
	convertHere(t, "pgn", "fbk", source, fbk)
	convertHere(t, "fbk", "polyglot", fbk, bin)
	convertHere(t, "polyglot", "fbk", bin, again, "--lossy") // the weights
	for _, path := range []string{fbk, again} {
		back := filepath.Join(dir, "back.pgn")
		convertHere(t, "fbk", "pgn", path, back)
		got, err := os.ReadFile(back)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range []string{"Nf3", "Bc4", "Nf6", "Nc6"} {
			if strings.Count(string(got), line) != 1 {
				t.Errorf("%s: %s", filepath.Base(path), got)
			}
		}
	}
	a, _ := os.ReadFile(fbk)
	if len(a) != 2*6 {
		t.Errorf("an FBK file of %d bytes for 6 moves", len(a))
	}
}

// What a format cannot hold is refused, all of it named, and no file is left; --lossy drops and reports it.
func TestConvertLosses(t *testing.T) {
	const first, second = "1. e4 e5 2. Qh5 {a comment with 国} (2. Nf3 Nc6) 2... Nc6 $22 3. Bc4 *\n\n",
		"1. e4 -- 2. d4 *\n\n"
	text := strings.Replace(sevenTags("*"), `[Round "?"]`, `[Round "3"]`, 1) + first + sevenTags("*") + second +
		sevenTags("*") + "1. d4 *\n\n"
	for _, c := range []struct {
		format, first, second string // what is said to be lost of the two games, "" for nothing
		left                  string // the main line of the first game afterwards
	}{
		{"words", "tag Round", "", "2. Qh5"},
		{"uci", "tag Round, 1 comment, 1 NAG, 1 variation", "", "2. Qh5"},
		{"brenner", "tag Round, variation at ply 3, NAG $22 at ply 4", "null move at ply 2 and what follows it",
			"2. Qh5 {a comment with 国}"},
		{"brenner-alt", "tag Round, variation at ply 3, NAG $22 at ply 4", "null move at ply 2 and what follows it",
			"2. Qh5"},
		{"jose", "tag Round", "", "(2. Nf3 Nc6) 2... Nc6 $22"},
		{"chessbase", "tag Round, \"国\" in the comment at ply 3, NAG $22 at ply 4",
			"null move at ply 2 and what follows it", "2. Qh5"},
		{"fbk", "tag Round, comment at ply 3, NAG $22 at ply 4", "null move at ply 2 and what follows it", ""},
	} {
		t.Run(c.format, func(t *testing.T) {
			dir := t.TempDir()
			source := writeFile(t, dir, "source.pgn", text)
			f, err := formats.ByName(c.format)
			if err != nil {
				t.Fatal(err)
			}
			out := pathOf(dir, "out", f)
			code, told := runHere(t, "convert", "--to", c.format, "-o", out, source)
			if code != cli.Loss {
				t.Errorf("exit code %d, want %d", code, cli.Loss)
			}
			refused := 0
			for i, lost := range []string{c.first, c.second} {
				if lost == "" {
					continue
				}
				refused++
				if want := fmt.Sprintf("game %d: %s cannot hold %s\n", i+1, c.format, lost); !strings.Contains(told,
					want) {
					t.Errorf("no %q in %s", want, told)
				}
			}
			if want := fmt.Sprintf("%d of 3 games hold what %s cannot; --lossy drops it", refused,
				c.format); !strings.Contains(told, want) {
				t.Errorf("no %q in %s", want, told)
			}
			if list, _ := os.ReadDir(dir); len(list) != 1 {
				t.Errorf("a refused conversion leaves %v", list)
			}
			code, told = runHere(t, "convert", "--lossy", "--to", c.format, "-o", out, source)
			if code != 0 {
				t.Fatalf("with --lossy: exit code %d: %s", code, told)
			}
			for _, lost := range strings.Split(c.first+", "+c.second, ", ") {
				kind, _, _ := strings.Cut(lost, " at ply")
				kind = strings.TrimLeft(kind, "0123456789 ") // without their number and place
				if kind != "" && !strings.Contains(told, "lost: "+kind) {
					t.Errorf("%q is not reported: %s", kind, told)
				}
			}
			back := filepath.Join(dir, "back.pgn")
			convertHere(t, c.format, "pgn", out, back)
			got, err := os.ReadFile(back)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(got), c.left) {
				t.Errorf("no %q in\n%s", c.left, got)
			}
			convertHere(t, "pgn", c.format, back, out)
		})
	}
}

// The index of a ChessBase file is found in either case, from either name.
func TestSiblings(t *testing.T) {
	for _, c := range []struct{ cbf, cbi string }{
		{"a.cbf", "a.cbi"}, {"A.CBF", "A.CBI"}, {"B.CBF", "B.cbi"}, {"b.cbf", "b.CBI"},
	} {
		dir := t.TempDir()
		source := writeFile(t, dir, "source.pgn", scholarsMate)
		convertHere(t, "pgn", "chessbase", source, filepath.Join(dir, "x.cbf"))
		for from, to := range map[string]string{"x.cbf": c.cbf, "x.cbi": c.cbi} {
			if err := os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)); err != nil {
				t.Fatal(err)
			}
		}
		for _, name := range []string{c.cbf, c.cbi} {
			out := filepath.Join(dir, "out.pgn")
			code, told := runHere(t, "convert", "--force", "-o", out, filepath.Join(dir, name))
			got, _ := os.ReadFile(out)
			if code != 0 || strings.Contains(told, "no index") || string(got) != scholarsMate {
				t.Errorf("%s: exit code %d: %s%s", name, code, told, got)
			}
		}
	}
	dir := t.TempDir()
	convertHere(t, "pgn", "chessbase", writeFile(t, dir, "source.pgn", scholarsMate), filepath.Join(dir, "NEW.CBF"))
	if _, err := os.Stat(filepath.Join(dir, "NEW.CBI")); err != nil {
		t.Error(err)
	}
}

// A loss is counted once a game.
func TestLossesOfGames(t *testing.T) {
	dir := t.TempDir()
	game := sevenTags("*") + "1. e4 (1. d4) 1... e5 (1... c5) (1... d5) *\n\n"
	source := writeFile(t, dir, "source.pgn", game+game)
	code, told := runHere(t, "convert", "--lossy", "-o", filepath.Join(dir, "out.brn"), source)
	if code != 0 || !strings.Contains(told, "lost: variation in 2 games\n") {
		t.Errorf("exit code %d: %s", code, told)
	}
}
