// SPDX-License-Identifier: Apache-2.0

package position_test

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"ply11/chess"
	"ply11/internal/cputime"
	"ply11/internal/datadir"
	"ply11/moveindex"
	"ply11/position"
)

// mainLine is one real game: its halfmoves as the file writes them, with one space after each, and
// as indices.
type mainLine struct {
	sans    []byte
	indices []moveindex.Index
}

// moveOf returns the halfmove of an index of a main line.
func moveOf(i moveindex.Index) chess.Move {
	m, _ := i.Move()
	return m
}

var masterOnce struct {
	sync.Once
	lines []mainLine
	err   error
}

// masterLines returns the first 20,000 games of the master file, or the plain samples where it is absent: their
// movetext holds nothing but move numbers, halfmoves and results.
func masterLines(tb testing.TB) []mainLine {
	masterOnce.Do(func() {
		src, _ := datadir.Open(tb, "plain.pgn", "pgn", "master", "master-50k.pgn.zst")
		masterOnce.lines, masterOnce.err = readMainLines(src, 20000)
	})
	if masterOnce.err != nil {
		tb.Fatal(masterOnce.err)
	}
	return masterOnce.lines
}

func readMainLines(src io.Reader, limit int) ([]mainLine, error) {
	var lines []mainLine
	var line mainLine
	p := position.Start()
	for s := bufio.NewScanner(src); s.Scan() && len(lines) < limit; {
		text := s.Text()
		if strings.HasPrefix(text, "[") {
			continue
		}
		for _, word := range strings.Fields(text) {
			switch word {
			case "1-0", "0-1", "1/2-1/2", "*":
				lines = append(lines, line)
				line, p = mainLine{}, position.Start()
				continue
			}
			word = word[strings.LastIndexByte(word, '.')+1:]
			if word == "" {
				continue
			}
			m, err := p.ParseSANLenient(word)
			if err != nil {
				return nil, err
			}
			i, _ := moveindex.Of(m)
			line.sans = append(append(line.sans, word...), ' ')
			line.indices = append(line.indices, i)
			p.Make(m)
		}
	}
	return lines, nil
}

func countPlies(lines []mainLine) (n int) {
	for _, l := range lines {
		n += len(l.indices)
	}
	return n
}

// TestScanSAN reads real games by the fast path and by the slow one, and writes them again.
func TestScanSAN(t *testing.T) {
	for g, l := range masterLines(t) {
		p := position.Start()
		rest := l.sans
		for ply, i := range l.indices {
			want, _ := i.Move()
			m, n := scanSAN(t, p, rest)
			if m != want || n == 0 || rest[n] != ' ' {
				t.Fatalf("game %d, ply %d, %s: ScanSAN(%.10q) = %s, %d, want %s", g+1, ply+1, p.FEN(), rest, m, n, want)
			}
			if s := p.AppendSAN(nil, m); !bytes.Equal(s, rest[:n]) {
				t.Fatalf("game %d, ply %d, %s: %s is written %s, not %s", g+1, ply+1, p.FEN(), m, s, rest[:n])
			}
			rest = rest[n+1:]
			p.Make(m)
		}
	}
}

// stopwatch measures processor time, which other work on the machine disturbs less than the clock
// on the wall.
type stopwatch struct{ used time.Duration }

func startWatch(b *testing.B) stopwatch {
	b.ResetTimer()
	return stopwatch{cputime.Now()}
}

// report reports processor time for n units a round.
func (w stopwatch) report(b *testing.B, n int, unit string) {
	seconds, units := (cputime.Now() - w.used).Seconds(), float64(n)*float64(b.N)
	b.ReportMetric(seconds*1e9/units, "cpu-ns/"+unit)
	b.ReportMetric(units/seconds/1e6, "M"+unit+"/cpu-s")
}

// benchLines is a slice of the games that fits the caches no better than a stream would.
func benchLines(b *testing.B) []mainLine { l := masterLines(b); return l[:min(10000, len(l))] }

var sink uint64

// BenchmarkGames walks through games. ScanSAN and ParseSANLenient read their text; replay makes the moves of indices,
// hash with the hash after each, AppendSAN with the text of each.
func BenchmarkGames(b *testing.B) {
	var buf []byte
	for _, c := range []struct {
		name string
		f    func(p *position.Position, l *mainLine)
	}{
		{"replay", func(p *position.Position, l *mainLine) {
			for _, index := range l.indices {
				p.MakeIndex(index)
			}
		}},
		{"hash", func(p *position.Position, l *mainLine) {
			h := p.Hash()
			for _, index := range l.indices {
				h = p.MakeHash(h, moveOf(index))
			}
			sink ^= h
		}},
		{"AppendSAN", func(p *position.Position, l *mainLine) {
			buf = buf[:0]
			for _, index := range l.indices {
				m := moveOf(index)
				buf = p.AppendSAN(buf, m)
				p.Make(m)
			}
		}},
		{"ScanSAN", func(p *position.Position, l *mainLine) {
			line := position.Line{At: *p}
			for rest := l.sans; len(rest) > 0; {
				var b [16]byte
				copy(b[:], rest)
				_, n := line.ScanSAN(&b)
				if n == 0 {
					panic("a halfmove is not read")
				}
				rest = rest[n+1:]
			}
			*p = line.At
		}},
		{"ParseSANLenient", func(p *position.Position, l *mainLine) {
			for word := range strings.FieldsSeq(string(l.sans)) {
				m, err := p.ParseSANLenient(word)
				if err != nil {
					b.Fatal(err)
				}
				p.Make(m)
			}
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			lines := benchLines(b)
			plies := countPlies(lines)
			watch := startWatch(b)
			for range b.N {
				for i := range lines {
					p := position.Start()
					c.f(&p, &lines[i])
					sink ^= uint64(p.Occupied())
				}
			}
			watch.report(b, plies, "ply")
		})
	}
}

const kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

// BenchmarkPerft counts Kiwipete to depth 4, and the initial position to depth 5.
func BenchmarkPerft(b *testing.B) {
	for _, root := range []struct {
		name, fen string
		depth     int
	}{{"Kiwipete", kiwipete, 4}, {"Initial", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5}} {
		b.Run(root.name, func(b *testing.B) {
			p := mustFEN(b, root.fen)
			nodes := int(p.Perft(root.depth))
			watch := startWatch(b)
			for range b.N {
				sink += p.Perft(root.depth)
			}
			watch.report(b, nodes, "node")
		})
	}
}
