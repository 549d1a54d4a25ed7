// SPDX-License-Identifier: Apache-2.0

package position

import (
	"bufio"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ply11/internal/datadir"
)

// perftCase is one position of a perft file with its counts, counts[i] for depths[i].
type perftCase struct {
	id, epd string
	depths  []int
	counts  []uint64
}

func readPerft(tb testing.TB, name string) []perftCase {
	tb.Helper()
	f, err := os.Open(datadir.Path(tb, "perft", name))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	var list []perftCase
	for s := bufio.NewScanner(f); s.Scan(); {
		key, rest, _ := strings.Cut(strings.TrimSpace(s.Text()), " ")
		switch key {
		case "id":
			list = append(list, perftCase{id: rest})
		case "epd":
			list[len(list)-1].epd = strings.TrimSpace(rest)
		case "perft":
			depth, count, _ := strings.Cut(rest, " ")
			d, err := strconv.Atoi(depth)
			if err != nil {
				tb.Fatal(err)
			}
			n, err := strconv.ParseUint(strings.TrimSpace(count), 10, 64)
			if err != nil {
				tb.Fatal(err)
			}
			c := &list[len(list)-1]
			c.depths, c.counts = append(c.depths, d), append(c.counts, n)
		}
	}
	return list
}

// chess960Only is the entries of tricky.perft whose castling rights only Chess960 has.
var chess960Only = []string{"xfen-00", "xfen-01", "xfen-02", "xfen-03", "xfen-04",
	"hside-rook-blocks-aside-castling"}

// runPerft counts every entry to all depths with no more than limit nodes and returns the nodes.
func runPerft(t *testing.T, list []perftCase, limit uint64, goroutines int) (nodes uint64) {
	t.Helper()
	for _, c := range list {
		p, _, err := ParseEPD(c.epd)
		if err != nil {
			if !slices.Contains(chess960Only, c.id) {
				t.Errorf("%s: %v", c.id, err)
			}
			continue
		}
		for i, depth := range c.depths {
			if c.counts[i] > limit {
				continue
			}
			if n := p.ParallelPerft(depth, goroutines); n != c.counts[i] {
				t.Errorf("%s %s: perft %d = %d, want %d", c.id, c.epd, depth, n, c.counts[i])
			}
			nodes += c.counts[i]
		}
	}
	return nodes
}

// TestChess960Entries asserts that exactly the entries that need Chess960 are refused, as unsupported.
func TestChess960Entries(t *testing.T) {
	var refused []string
	for _, c := range append(readPerft(t, "tricky.perft"), readPerft(t, "random.perft")...) {
		if _, _, err := ParseEPD(c.epd); err != nil {
			refused = append(refused, c.id)
			if !errors.Is(err, ErrChess960) || !errors.Is(err, ErrUnsupported) {
				t.Errorf("%s: %v", c.id, err)
			}
		}
	}
	if !slices.Equal(refused, chess960Only) {
		t.Errorf("refused are %v, not %v", refused, chess960Only)
	}
}

// TestPerft counts what ends within seconds; TestPerftLong (build tag long) counts all.
func TestPerft(t *testing.T) {
	nodes := runPerft(t, readPerft(t, "tricky.perft"), 100_000_000, 1)
	list := readPerft(t, "random.perft")
	for i := 0; i < len(list); i += 10 {
		nodes += runPerft(t, list[i:i+1], 2_000_000, 1)
	}
	t.Logf("%d nodes", nodes)
}
