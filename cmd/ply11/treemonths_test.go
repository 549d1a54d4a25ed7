// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main_test

import (
	"fmt"
	"strings"
	"testing"

	"ply11/internal/cli"
	"ply11/query"
)

// TestTreeOfMonths: tree adds several tree files up, and tree-merge writes their sum.
func TestTreeOfMonths(t *testing.T) {
	dir := t.TempDir()
	const months, least, last = 3, 4, 6
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

	positions := "startpos\n"
	for _, line := range []string{"1.e4", "1.d4", "1.e4 e5", "1.a4 h5", "1.Nf3 d5"} {
		at, err := query.ParsePosition("", line)
		if err != nil {
			t.Fatal(err)
		}
		positions += at.FEN() + "\n"
	}
	trees := func(of ...string) string {
		out, _ := runCode(t, dir, 0, positions, append([]string{"tree", "--json", "--positions", "-"}, of...)...)
		return out
	}
	whole := trees(index(1, "all.p11"))
	if trees(indexes(1)...) != whole {
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
	if trees(merge(0, least)) != trees(indexes(least)...) {
		t.Error("the sum of files that leave out games is another than theirs")
	}
	ply11(t, dir, 0, "index -q --min-games 1 --max-ply 5 -o other.p11t 1.p11")
	whole = read(t, dir, "1-1.p11t")
	write(t, dir, "bad.p11t", whole[:len(whole)-9]+"?"+whole[len(whole)-8:])
	for _, c := range []struct {
		code       int
		want, args string
	}{
		{cli.Usage, "ply11: the tree files are of different --max-ply\n", "tree-merge -o x.p11t 1-1.p11t other.p11t"},
		{cli.Usage, "ply11: --output names the tree file that is written\n", "tree-merge 1-1.p11t"},
		{cli.Usage, "ply11: other.p11t exists; --force replaces it\n", "tree-merge -o other.p11t 1-1.p11t"},
		{cli.Wrong, "ply11: bad.p11t: corrupt index: tree part at offset ", "tree-merge -o x.p11t 2-1.p11t bad.p11t"},
		{cli.Wrong, "ply11: bad.p11t: corrupt index: tree part at offset ", "verify bad.p11t"},
		{cli.Usage, "ply11: 1.p11: a tree file has the name .p11t; ", "tree-merge -o x.p11t 1-1.p11t 1.p11"},
	} {
		if _, errs := ply11(t, dir, c.code, c.args); !strings.HasPrefix(errs, c.want) {
			t.Errorf("%s: %s", c.args, errs)
		}
	}
}
