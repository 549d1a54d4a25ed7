// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ply11/game"
	"ply11/internal/cli"
	"ply11/internal/gamegen"
)

// TestTreeOfMonths: several tree files add up, and tree-merge adds them up. A count lacks, for each archive, at most
// one less than the least games of its file, of the games that reach the position within the plies of --max-ply.
func TestTreeOfMonths(t *testing.T) {
	dir := t.TempDir()
	const months, least, last, beyond = 3, 4, 6, 10
	var parts []string
	for i := range months {
		name := fmt.Sprintf("%d.p11", i+1)
		runCode(t, dir, 0, "", "gen", "-q", "--games", "700", "--seed", fmt.Sprint(i+1), "-o", name)
		parts = append(parts, name)
	}
	runCode(t, dir, 0, "", append([]string{"cat", "-q", "-o", "all.p11"}, parts...)...)
	index := func(least int, archive string) string {
		name := fmt.Sprintf("%s-%d.p11t", strings.TrimSuffix(archive, ".p11"), least)
		ply11(t, dir, 0, "index -q -f --min-games "+fmt.Sprint(least)+" --max-ply "+fmt.Sprint(last)+" -o "+name+" "+
			archive)
		return name
	}
	indexes := func(least int) (list []string) {
		for _, p := range parts {
			list = append(list, index(least, p))
		}
		return list
	}

	// the positions of the first plies of the first games, and some later ones
	var positions []string
	seen := map[string]bool{}
	gen, g := gamegen.New(1), game.New()
	for range 60 {
		gen.Next(g)
		at := g.Start
		for ply, m := range g.MainLine() {
			if ply > beyond {
				break
			}
			at.Make(m)
			if fen := at.FEN(); !seen[fen] {
				seen[fen] = true
				positions = append(positions, fen)
			}
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "positions.fen"), []byte(strings.Join(positions, "\n")+"\n"),
		0o666); err != nil {
		t.Fatal(err)
	}
	trees := func(of ...string) (list []treeResult) {
		out, _ := runCode(t, dir, 0, "", append([]string{"tree", "--json", "--positions", "positions.fen"}, of...)...)
		d := json.NewDecoder(strings.NewReader(out))
		for d.More() {
			var r treeResult
			if err := d.Decode(&r); err != nil {
				t.Fatal(err)
			}
			list = append(list, r)
		}
		if len(list) != len(positions) {
			t.Fatalf("%d trees of %d positions", len(list), len(positions))
		}
		return list
	}
	whole := trees(index(1, "all.p11"))
	if got := trees(indexes(1)...); fmt.Sprint(got) != fmt.Sprint(whole) {
		t.Error("the trees of whole counts differ from those of all games")
	}
	merge := func(least, of int) string {
		name := fmt.Sprintf("sum-%d-%d.p11t", least, of)
		runCode(t, dir, 0, "", append([]string{"tree-merge", "-q", "--min-games", fmt.Sprint(least), "-o", name},
			indexes(of)...)...)
		return name
	}
	for _, n := range []int{1, least} {
		if read(t, dir, merge(n, 1)) != read(t, dir, index(n, "all.p11")) {
			t.Errorf("the sum for %d games or more is not the tree file of all games", n)
		}
	}
	sum, apart := trees(merge(0, least)), trees(indexes(least)...)
	if fmt.Sprint(sum) != fmt.Sprint(apart) {
		t.Error("the sum of files that leave out games is another than theirs")
	}
	ply11(t, dir, 0, "index -q --min-games 1 --max-ply 5 -o other.p11t 1.p11")
	for _, c := range []struct {
		code       int
		want, args string
	}{
		{cli.Usage, "ply11: the tree files are of different --max-ply\n", "tree-merge -o x.p11t 1-1.p11t other.p11t"},
		{cli.Usage, "ply11: --output names the tree file that is written\n", "tree-merge 1-1.p11t"},
		{cli.Usage, "ply11: other.p11t exists; --force replaces it\n", "tree-merge -o other.p11t 1-1.p11t"},
		{cli.Usage, "ply11: 1.p11: a tree file has the name .p11t; ", "tree-merge -o x.p11t 1-1.p11t 1.p11"},
	} {
		if _, errs := ply11(t, dir, c.code, c.args); !strings.HasPrefix(errs, c.want) {
			t.Errorf("%s: %s", c.args, errs)
		}
	}
	ply11(t, dir, 0, "index -q -o all.p11x all.p11")
	all := trees("all.p11") // whatever the ply
	short, none, later := 0, 0, 0
	for i, r := range apart {
		lack := whole[i].Games - r.Games
		if lack < 0 || lack > months*(least-1) {
			t.Errorf("%s: %d games of %d", positions[i], r.Games, whole[i].Games)
		}
		if all[i].Games < whole[i].Games {
			t.Errorf("%s: %d games within %d plies, and %d of all", positions[i], whole[i].Games, last, all[i].Games)
		}
		if all[i].Games-r.Games > months*(least-1) {
			later++
		}
		if lack > 0 {
			short++
		}
		if r.Games == 0 {
			none++
		}
	}
	if short == 0 || later == 0 || none == 0 || none == len(positions) {
		t.Errorf("of %d positions %d lack games, %d lack more because of later plies, and %d have none: this tests "+
			"too little", len(positions), short, later, none)
	}
}
