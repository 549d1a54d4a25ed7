// SPDX-License-Identifier: Apache-2.0

package position

import (
	"bufio"
	"bytes"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"

	"ply11/internal/datadir"
	"ply11/moveindex"
)

// mainLine is one real game: its halfmoves as the file writes them, with one space after each, and
// as indices.
type mainLine struct {
	sans    []byte
	indices []moveindex.Index
}

var masterOnce struct {
	sync.Once
	lines []mainLine
	err   error
}

// masterLines returns the first 20,000 games of the master file, whose movetext holds nothing but move
// numbers, halfmoves and results.
func masterLines(tb testing.TB) []mainLine {
	path := datadir.Path(tb, "pgn", "master", "master-50k.pgn.zst")
	masterOnce.Do(func() { masterOnce.lines, masterOnce.err = readMainLines(path, 20000) })
	if masterOnce.err != nil {
		tb.Fatal(masterOnce.err)
	}
	return masterOnce.lines
}

func readMainLines(path string, limit int) ([]mainLine, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	var lines []mainLine
	var line mainLine
	p := Start()
	for s := bufio.NewScanner(z); s.Scan() && len(lines) < limit; {
		text := s.Text()
		if strings.HasPrefix(text, "[") {
			continue
		}
		for _, word := range strings.Fields(text) {
			switch word {
			case "1-0", "0-1", "1/2-1/2", "*":
				lines = append(lines, line)
				line, p = mainLine{}, Start()
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
			i, _ := m.Index()
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
		p := Start()
		rest := l.sans
		for ply, i := range l.indices {
			want, _ := i.Move()
			m, n := p.ScanSAN(rest)
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

func reportPlies(b *testing.B, plies int) {
	b.ReportMetric(float64(plies)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mplies/s")
	b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(plies)/float64(b.N), "ns/ply")
}

// benchLines is a slice of the games that fits the caches no better than a stream would.
func benchLines(b *testing.B) []mainLine { return masterLines(b)[:10000] }

var sink uint64

func BenchmarkReplay(b *testing.B) {
	lines := benchLines(b)
	plies := countPlies(lines)
	b.ResetTimer()
	for range b.N {
		for i := range lines {
			p := Start()
			for _, index := range lines[i].indices {
				p.MakeIndex(index)
			}
			sink ^= uint64(p.kind0)
		}
	}
	reportPlies(b, plies)
}

func BenchmarkReplayHash(b *testing.B) {
	lines := benchLines(b)
	plies := countPlies(lines)
	first := start.Hash()
	b.ResetTimer()
	for range b.N {
		for i := range lines {
			p, h := Start(), first
			for _, index := range lines[i].indices {
				m := indexMoves[index]
				h = p.HashAfter(h, m)
				p.Make(m)
			}
			sink ^= h
		}
	}
	reportPlies(b, plies)
}

func BenchmarkReplayHashAnew(b *testing.B) {
	lines := benchLines(b)
	plies := countPlies(lines)
	b.ResetTimer()
	for range b.N {
		for i := range lines {
			p := Start()
			for _, index := range lines[i].indices {
				p.MakeIndex(index)
				sink ^= p.Hash()
			}
		}
	}
	reportPlies(b, plies)
}

func BenchmarkScanSAN(b *testing.B) {
	lines := benchLines(b)
	plies := countPlies(lines)
	b.ResetTimer()
	for range b.N {
		for i := range lines {
			p := Start()
			for rest := lines[i].sans; len(rest) > 0; {
				m, n := p.ScanSAN(rest)
				if n == 0 {
					b.Fatal("a halfmove is not read")
				}
				p.Make(m)
				rest = rest[n+1:]
			}
			sink ^= uint64(p.kind0)
		}
	}
	reportPlies(b, plies)
}

func BenchmarkParseSANLenient(b *testing.B) {
	lines := benchLines(b)[:1000]
	plies := countPlies(lines)
	words := make([][]string, len(lines))
	for i := range lines {
		words[i] = strings.Fields(string(lines[i].sans))
	}
	b.ResetTimer()
	for range b.N {
		for i := range lines {
			p := Start()
			for _, word := range words[i] {
				m, err := p.ParseSANLenient(word)
				if err != nil {
					b.Fatal(err)
				}
				p.Make(m)
			}
		}
	}
	reportPlies(b, plies)
}

func BenchmarkAppendSAN(b *testing.B) {
	lines := benchLines(b)
	plies := countPlies(lines)
	var buf []byte
	b.ResetTimer()
	for range b.N {
		for i := range lines {
			p := Start()
			buf = buf[:0]
			for _, index := range lines[i].indices {
				m := indexMoves[index]
				buf = p.AppendSAN(buf, m)
				p.Make(m)
			}
		}
	}
	reportPlies(b, plies)
}

// benchPositions runs f over every position of a thousand games.
func benchPositions(b *testing.B, f func(p *Position)) {
	var list []Position
	for _, l := range benchLines(b)[:1000] {
		p := Start()
		for _, index := range l.indices {
			list = append(list, p)
			p.MakeIndex(index)
		}
	}
	b.ResetTimer()
	for range b.N {
		for i := range list {
			f(&list[i])
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(len(list))/float64(b.N), "ns/position")
}

func BenchmarkLegalMoves(b *testing.B) {
	var buf [MaxMoves]moveindex.Move
	benchPositions(b, func(p *Position) { sink += uint64(len(p.LegalMoves(buf[:0]))) })
}

func BenchmarkCountLegal(b *testing.B) {
	benchPositions(b, func(p *Position) { sink += uint64(p.CountLegal()) })
}

func BenchmarkHasLegalMove(b *testing.B) {
	benchPositions(b, func(p *Position) {
		if p.HasLegalMove() {
			sink++
		}
	})
}

func BenchmarkInCheck(b *testing.B) {
	benchPositions(b, func(p *Position) {
		if p.InCheck() {
			sink++
		}
	})
}

func BenchmarkLegalMask(b *testing.B) {
	var mask [31]uint64
	benchPositions(b, func(p *Position) { p.LegalMask(&mask); sink += mask[0] })
}

func BenchmarkHash(b *testing.B) {
	benchPositions(b, func(p *Position) { sink ^= p.Hash() })
}

func BenchmarkAppendFEN(b *testing.B) {
	buf := make([]byte, 0, 128)
	benchPositions(b, func(p *Position) { buf = p.AppendFEN(buf[:0]) })
}

func BenchmarkParseFEN(b *testing.B) {
	var fens []string
	for _, l := range benchLines(b)[:100] {
		p := Start()
		for _, index := range l.indices {
			p.MakeIndex(index)
			fens = append(fens, p.FEN())
		}
	}
	b.ResetTimer()
	for range b.N {
		for _, fen := range fens {
			if _, err := ParseFEN(fen); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(len(fens))/float64(b.N), "ns/position")
}

// BenchmarkPerft counts Kiwipete to depth 4.
func BenchmarkPerft(b *testing.B) {
	p := mustFEN(b, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
	var nodes uint64
	for range b.N {
		nodes += p.Perft(4)
	}
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
}
