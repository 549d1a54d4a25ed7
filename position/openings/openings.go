// SPDX-License-Identifier: Apache-2.0

// Package openings gives positions the names of their openings, with the codes of the Encyclopaedia of Chess Openings.
//
// A position has a name whatever moves led to it. Most positions of a game have none: the opening of the game is that
// of the last position that has one.
//
// The names are those of lichess-org/chess-openings, which is in the public domain (CC0), at commit 51b886249b9e. The
// file openings.tsv.gz has its five tables, one after the other, with one line of titles.
package openings

import (
	"fmt"
	"strings"
	"sync"

	"ply11/position"
)

// Opening is a name and its code.
type Opening struct {
	ECO  string `json:"eco"` // as B90
	Name string `json:"name"`
}

// String gives both, as "B90 Sicilian Defense: Najdorf Variation".
func (o Opening) String() string { return o.ECO + " " + o.Name }

// names has the openings by the hash of their positions.
type names struct {
	of    map[uint64]Opening
	least int // pieces of a position that has a name
}

var table = sync.OnceValue(load)

// parse reads the table: lines of code, name and moves, with tabs between them, after a line of titles.
func parse(text []byte) (*names, error) {
	t := &names{map[uint64]Opening{}, 32}
	for i, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")[1:] {
		f := strings.Split(line, "\t")
		if len(f) != 3 {
			return nil, fmt.Errorf("line %d: %d fields", i+2, len(f))
		}
		p := position.Start()
		for _, word := range strings.Fields(f[2]) {
			if strings.HasSuffix(word, ".") {
				continue // a number
			}
			m, err := p.ParseSAN(word)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", i+2, err)
			}
			p.Make(m)
		}
		h := p.Hash()
		if o, ok := t.of[h]; ok {
			return nil, fmt.Errorf("line %d: the position is that of %v", i+2, o)
		}
		t.of[h] = Opening{strings.Clone(f[0]), strings.Clone(f[1])}
		t.least = min(t.least, p.Occupied().Count())
	}
	return t, nil
}

// Of returns the opening whose position is p, by its Polyglot hash. The counters do not matter.
func Of(p *position.Position) (Opening, bool) {
	t := table()
	if p.Occupied().Count() < t.least {
		return Opening{}, false // most positions of a game
	}
	o, ok := t.of[p.Hash()]
	return o, ok
}
