// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/query"
	"ply11/sim/cosim"
	"ply11/sim/oracle"
)

// A matching is a pattern that the hardware and package query search for in the same games.
type matching struct {
	pattern oracle.Match
	query   *query.Query

	archive bytes.Buffer
	writer  *archive.Writer
}

// newMatching reads "Pe4 .d5; stm=white; after-ply=10; before-ply=60".
func newMatching(text string) (*matching, error) {
	m := &matching{query: query.New()}
	m.pattern = oracle.Match{First: 1, Last: 0xffff, White: true, Black: true}
	pattern, rest, more := strings.Cut(text, ";")
	var err error
	if m.pattern.Squares, err = query.PatternSets(pattern); err != nil {
		return nil, err
	}
	if err := m.query.Add("pattern", pattern); err != nil {
		return nil, err
	}
	for more {
		var term string
		term, rest, more = strings.Cut(rest, ";")
		name, value, _ := strings.Cut(strings.TrimSpace(term), "=")
		value = strings.ToLower(strings.TrimSpace(value))
		if err := m.query.Add(name, value); err != nil {
			return nil, err
		}
		switch name {
		case "stm":
			// What Add has taken is a colour, or its first letter.
			m.pattern.White, m.pattern.Black = value[0] == 'w', value[0] == 'b'
		case "after-ply", "before-ply":
			n, err := strconv.ParseUint(value, 10, 16)
			if err != nil {
				return nil, fmt.Errorf("%s: %q is more than 65535", name, value)
			}
			if name == "before-ply" {
				m.pattern.Last = uint16(n)
			} else {
				m.pattern.First = max(1, uint16(n))
			}
		default:
			return nil, fmt.Errorf("ply11_match knows no term %q; there are stm, after-ply and before-ply", name)
		}
	}
	// Before games are read.
	if _, err := m.pattern.Words(); err != nil {
		return nil, err
	}
	m.writer = archive.NewWriter(&m.archive)
	return m, nil
}

func (m *matching) add(g *game.Game) error { return m.writer.Write(g) }

func (m *matching) compare(ctx context.Context, w io.Writer, r *cosim.CrossResult) (difference, err error) {
	if err := m.writer.Close(); err != nil {
		return nil, err
	}
	source := query.Source{Name: "games", Reader: bytes.NewReader(m.archive.Bytes()), Size: int64(m.archive.Len())}
	found := r.Hits
	games := 0
	// The plies that the hardware has to find: not the start of a game, and nothing of games that no player is given.
	plies := func(g *query.Match) (hits []cosim.Hit, err error) {
		for _, h := range g.Hits {
			if !h.Variation && h.Plies[0] > 0 && !slices.Contains(r.Left, g.Number) {
				hits = append(hits, cosim.Hit{Game: g.Number, Ply: h.Plies[0]})
			}
		}
		return hits, nil
	}
	for hits, err := range query.Games(ctx, []query.Source{source}, m.query, query.Options{All: true}, plies) {
		if err != nil {
			return nil, err
		}
		if len(hits) > 0 {
			games++
		}
		for _, hit := range hits {
			if len(found) == 0 || found[0] != hit {
				return fmt.Errorf("package query finds game %d, ply %d, and ply11_match does not", hit.Game, hit.Ply),
					nil
			}
			found = found[1:]
		}
	}
	if len(found) > 0 {
		return fmt.Errorf("ply11_match finds game %d, ply %d, and package query does not", found[0].Game, found[0].Ply),
			nil
	}
	_, err = fmt.Fprintf(w, "match: %d plies of %d games, as package query finds them\n", len(r.Hits), games)
	return nil, err
}
