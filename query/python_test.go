// SPDX-License-Identifier: Apache-2.0

package query_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"ply11/internal/testenv"
	"ply11/moveindex"
	"ply11/query/index"
)

// TestPythonIndexReader runs the reader in docs, which was written from docs/INDEXFILE.md, and compares what it reads
// with the positions of the games, with and without variations.
func TestPythonIndexReader(t *testing.T) {
	python := testenv.Tools(t, "python3")[0]
	text := append(bytes.Repeat([]byte(turning+besides), 100), ownGames...)
	data := pack(t, text)
	games, _ := plainGames(t, text, 1<<30)
	for _, variations := range []bool{false, true} {
		// What there should be: the hash of each position, and the games of each word.
		want := map[uint64]map[int]map[int]bool{}
		for i := range games {
			g := &games[i]
			if g.lost {
				continue
			}
			list := g.main
			if variations {
				list = g.all
			}
			type played struct {
				hash uint64
				word int
			}
			main, side := map[played]bool{}, map[played]bool{}
			for k := 1; k < len(list); k++ {
				w, _ := moveindex.Of(list[k].by.move)
				p := played{list[list[k].parent].at.Hash(), int(w)}
				if list[k].main {
					main[p] = true
				} else {
					side[p] = true
				}
			}
			main[played{g.main[len(g.main)-1].at.Hash(), 2047}] = true
			if variations {
				// A variation ends where no move follows.
				for k := range list {
					if !list[k].main && !slices.ContainsFunc(list, func(p plainPos) bool { return p.parent == k }) {
						side[played{list[k].at.Hash(), 2047}] = true
					}
				}
			}
			add := func(p played, word int) {
				if want[p.hash] == nil {
					want[p.hash] = map[int]map[int]bool{}
				}
				if want[p.hash][word] == nil {
					want[p.hash][word] = map[int]bool{}
				}
				want[p.hash][word][g.number] = true
			}
			for p := range main {
				add(p, p.word)
			}
			for p := range side {
				if !main[p] {
					add(p, p.word+int(moveindex.NumWords))
				}
			}
		}
		path := filepath.Join(t.TempDir(), "x.p11x")
		made := buildIndex(t, data, index.Options{Variations: variations})
		if err := os.WriteFile(path, made, 0o666); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(python, "../docs/p11xread.py", path).Output()
		if err != nil {
			t.Fatal(err, out)
		}
		kinds := map[string]int{}
		segment := made[len(made)-260:] // the only entry of the table, before its CRC and the trailer
		bits := segment[36] + segment[37]
		for line := range bytes.Lines(out) {
			var row []json.RawMessage
			if err := json.Unmarshal(line, &row); err != nil {
				t.Fatal(err)
			}
			var kind string
			var hash uint64
			if err := errors.Join(json.Unmarshal(row[0], &kind), json.Unmarshal(row[1], &hash)); err != nil {
				t.Fatal(err)
			}
			kinds[kind]++
			if kind == "facts" {
				continue
			}
			got := map[int]map[int]bool{}
			if kind == "rare" {
				// One of the positions of the game has these bits, and nobody else reaches it.
				var number int
				json.Unmarshal(row[3], &number)
				found := false
				for h, words := range want {
					if h>>(64-bits) == hash && gamesOf(words)[number] && len(gamesOf(words)) == 1 {
						found = true
						delete(want, h)
						break
					}
				}
				if !found {
					t.Errorf("rare %x of game %d is not there", hash, number)
				}
				continue
			}
			var groups [][]json.RawMessage
			if err := json.Unmarshal(row[len(row)-1], &groups); err != nil {
				t.Fatal(err)
			}
			postings := 0
			for _, g := range groups {
				var word int
				var list []int
				if err := errors.Join(json.Unmarshal(g[0], &word), json.Unmarshal(g[len(g)-1], &list)); err != nil {
					t.Fatal(err)
				}
				got[word] = map[int]bool{}
				for _, n := range list {
					got[word][n] = true
				}
				postings += len(list)
			}
			if fmt.Sprint(got) != fmt.Sprint(want[hash]) || (postings >= 256) != (kind == "common") {
				t.Errorf("%s %x: %v, want %v", kind, hash, got, want[hash])
			}
			delete(want, hash)
		}
		if len(want) > 0 {
			t.Errorf("variations %v: %d positions are not there: %v", variations, len(want), want)
		}
		if kinds["facts"] != len(games) || kinds["rare"] == 0 || kinds["shared"] == 0 || kinds["common"] == 0 {
			t.Errorf("%v", kinds)
		}
		// It refuses a bit that flips.
		made[len(made)/2] ^= 1
		if err := os.WriteFile(path, made, 0o666); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(python, "../docs/p11xread.py", path).CombinedOutput(); err == nil ||
			!bytes.Contains(out, []byte("CRC")) {
			t.Errorf("%v: %s", err, out)
		}
	}
}

// gamesOf are the games of all words.
func gamesOf(words map[int]map[int]bool) map[int]bool {
	all := map[int]bool{}
	for _, games := range words {
		for n := range games {
			all[n] = true
		}
	}
	return all
}
