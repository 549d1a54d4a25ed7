// SPDX-License-Identifier: Apache-2.0

package clients

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ply11/bitstream/archive"
	"ply11/chess"
	"ply11/internal/cputime"
	"ply11/internal/datadir"
	"ply11/internal/samples"
	"ply11/position"
)

// packDense returns a dense archive of a text, and its plies.
func packDense(b *testing.B, text string, options ...archive.PackOption) (file []byte, plies int) {
	var out bytes.Buffer
	options = append(options, archive.WithDense(true))
	stats, err := archive.Pack(context.Background(), &out, strings.NewReader(text), options...)
	if err != nil || stats.Fixed > 0 {
		b.Fatal(stats.Fixed, "blocks are fixed,", err)
	}
	return out.Bytes(), int(stats.Plies)
}

// hostileGames returns games that cost much to decode for their bytes: from a position with nine queens of each side,
// one of each moved to and fro, so that after a few games a block knows all moves and codes them in next to nothing.
// The last game of each group of five has as many such moves as the bytes of those that follow let it have.
func hostileGames(groups int) string {
	var best position.Position
	var line [4]chess.Move
	most := 0
	rnd := rand.New(rand.NewPCG(31, 6))
	shelters := []int{7, 6, 14, 15, 56, 48, 49, 57}
	for range 3000 {
		var squares [64]byte
		for i := range squares {
			squares[i] = '1'
		}
		for i, s := range shelters { // queens about their king, so that nobody is in check
			squares[s] = "kqqqKQQQ"[i]
		}
		men := 0
		for _, s := range rnd.Perm(64) {
			if squares[s] == '1' && men < 24 {
				squares[s] = "QqQqQqQqQqQqRrRrBbBbNnNn"[men]
				men++
			}
		}
		var ranks []string
		for i := 0; i < 64; i += 8 {
			ranks = append(ranks, string(squares[i:i+8]))
		}
		board := strings.Join(ranks, "/")
		for n := 8; n > 1; n-- {
			board = strings.ReplaceAll(board, strings.Repeat("1", n), fmt.Sprint(n))
		}
		p, err := position.ParseFEN(board + " w - - 0 1")
		if err != nil || p.InCheck() {
			continue
		}
		// A queen of each side that goes and comes back, and gives no check.
		legal, moves, q := 0, [4]chess.Move{}, p
		for i := range moves {
			list := q.LegalMoves(nil)
			legal += len(list)
			found := false
			for _, m := range list {
				r := q
				r.Make(m)
				if i < 2 && !q.Occupied().Has(m.To()) && !r.InCheck() || i >= 2 && m.From() == moves[i-2].To() &&
					m.To() == moves[i-2].From() && !r.InCheck() {
					moves[i], q, found = m, r, true
					break
				}
			}
			if !found {
				legal = 0
				break
			}
		}
		if legal > most {
			most, best, line = legal, p, moves
		}
	}
	var text strings.Builder
	for range groups {
		for _, plies := range []int{1, 2, 3, 4, 5600} {
			fmt.Fprintf(&text, "[SetUp \"1\"]\n[FEN \"%s\"]\n\n", best.FEN())
			p := best
			for i := range plies {
				text.Write(append(p.AppendSANMake(nil, line[i%4]), ' '))
			}
			// moves that are not foreseen, and take nobody and give no check
			for tries := 0; plies > 4 && plies < 6500 && tries < 100; tries++ {
				list := p.LegalMoves(nil)
				q, m := p, list[rnd.IntN(len(list))]
				q.Make(m)
				if q.Occupied().Count() == p.Occupied().Count() && !q.InCheck() {
					text.Write(append(p.AppendSANMake(nil, m), ' '))
					plies++
					tries = 0
				}
			}
			text.WriteString("*\n\n")
		}
	}
	return text.String()
}

// BenchmarkDense reads dense archives in C and in Go: one of master games, which the model has not seen, and one that
// was made to take long.
func BenchmarkDense(b *testing.B) {
	master, _ := datadir.ReadAll(b, samples.Plain, "pgn", "master", "master-50k.pgn.zst")
	games := strings.SplitAfter(string(master), "\n\n[")
	for _, x := range []struct {
		name, text string
		options    []archive.PackOption
	}{
		{"master", "[" + strings.Join(games[len(games)-len(games)/10:], ""), nil},
		{"hostile", hostileGames(40), []archive.PackOption{archive.WithCanonical(true)}},
	} {
		b.Run(x.name, func(b *testing.B) {
			file, plies := packDense(b, x.text, x.options...)
			name := filepath.Join(b.TempDir(), "games.p11")
			if err := os.WriteFile(name, file, 0o666); err != nil {
				b.Fatal(err)
			}
			b.Run("go", func(b *testing.B) {
				before := cputime.Now()
				for b.Loop() {
					r, err := archive.NewReader(bytes.NewReader(file), int64(len(file)))
					if err != nil {
						b.Fatal(err)
					}
					for n := 1; n <= r.Blocks(); n++ {
						block, err := r.Block(n)
						if err == nil {
							_, err = block.MoveColumn()
						}
						if err != nil {
							b.Fatal(err)
						}
					}
				}
				seconds := (cputime.Now() - before).Seconds() / float64(b.N)
				b.ReportMetric(float64(plies)/1e6/seconds, "Mplies/s")
				b.ReportMetric(seconds/float64(len(file))*1e6, "s/MB")
				b.ReportMetric(float64(plies)/float64(len(file)), "plies/B")
			})
			for i := range builds {
				if c := &builds[i]; c.name == "gcc" || c.name == "clang" {
					b.Run(c.name, func(b *testing.B) {
						out, err := exec.Command(c.compile(b, "driver"), "blocks", model, name).Output()
						if err != nil {
							b.Fatal(err)
						}
						b.Log(strings.TrimSpace(string(out)))
					})
				}
			}
		})
	}
}
