// SPDX-License-Identifier: Apache-2.0

package position_test

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"testing"

	"ply11/internal/datadir"
	"ply11/position"
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

// runPerft counts every entry to all depths with no more than limit nodes and returns the nodes.
func runPerft(t *testing.T, list []perftCase, limit uint64) (nodes uint64) {
	t.Helper()
	for _, c := range list {
		p, err := position.ParseFEN(c.epd + " 0 1")
		if err != nil {
			t.Errorf("%s: %v", c.id, err)
			continue
		}
		for i, depth := range c.depths {
			if c.counts[i] > limit {
				continue
			}
			if n := p.Perft(depth); n != c.counts[i] {
				t.Errorf("%s %s: perft %d = %d, want %d", c.id, c.epd, depth, n, c.counts[i])
			}
			nodes += c.counts[i]
		}
	}
	return nodes
}

// knownPerft is the usual positions, with their counts, and some that catch what generators get wrong:
// pins, checks, castling and en passant that uncover the king, promotions with check.
var knownPerft = []struct {
	fen    string
	counts []uint64 // by depth, from 1
}{
	{startFEN, []uint64{20, 400, 8902, 197281, 4865609}},
	{"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", []uint64{48, 2039, 97862, 4085603}},
	{"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", []uint64{14, 191, 2812, 43238, 674624}},
	{"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", []uint64{6, 264, 9467, 422333}},
	{"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", []uint64{44, 1486, 62379, 2103487}},
	{"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", []uint64{46, 2079, 89890, 3894594}},
	{"3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", []uint64{18, 92, 1670, 10138, 185429, 1134888}},
	{"8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", []uint64{15, 126, 1928, 13931, 206379, 1440467}},
	{"5k2/8/8/8/8/8/8/4K2R w K - 0 1", []uint64{15, 66, 1198, 6399, 120330, 661072}},
	{"3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", []uint64{16, 71, 1286, 7418, 141077, 803711}},
	{"r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", []uint64{26, 1141, 27826, 1274206}},
	{"r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", []uint64{44, 1494, 50509, 1720476}},
	{"2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", []uint64{11, 133, 1442, 19174, 266199, 3821001}},
	{"8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1", []uint64{29, 165, 5160, 31961, 1004658}},
	{"4k3/1P6/8/8/8/8/K7/8 w - - 0 1", []uint64{9, 40, 472, 2661, 38983, 217342}},
	{"8/P1k5/K7/8/8/8/8/8 w - - 0 1", []uint64{6, 27, 273, 1329, 18135, 92683}},
	{"K1k5/8/P7/8/8/8/8/8 w - - 0 1", []uint64{2, 6, 13, 63, 382, 2217}},
	{"8/k1P5/8/1K6/8/8/8/8 w - - 0 1", []uint64{10, 25, 268, 926, 10857, 43261}},
	{"8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1", []uint64{37, 183, 6559, 23527}},
	{"8/8/8/8/k2Pp2R/8/8/4K3 b - d3 0 1", nil},
	{"8/5P1k/8/2pP4/2K5/8/p7/8 w - c6 0 1", nil},
}

// TestKnownPerft needs no data but its own table.
func TestKnownPerft(t *testing.T) {
	for _, c := range knownPerft {
		p := mustFEN(t, c.fen)
		for i, want := range c.counts {
			if n := p.Perft(i + 1); n != want {
				t.Errorf("%s: perft %d = %d, want %d", c.fen, i+1, n, want)
			}
		}
	}
}

// TestPerft counts what ends within seconds; TestPerftLong (build tag long) counts all.
func TestPerft(t *testing.T) {
	nodes := runPerft(t, readPerft(t, "tricky.perft"), 100_000_000)
	list := readPerft(t, "random.perft")
	for i := 0; i < len(list); i += 10 {
		nodes += runPerft(t, list[i:i+1], 2_000_000)
	}
	t.Logf("%d nodes", nodes)
}
