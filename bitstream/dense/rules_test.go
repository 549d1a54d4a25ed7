// SPDX-License-Identifier: Apache-2.0

package dense

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"ply11/chess"
	"ply11/moveindex"
	"ply11/position"
)

// ruleVectors are blocks and hashes for the rules of docs/DENSE.md that can be misread.
type ruleVectors struct {
	Hashes []ruleHash  `json:"hashes"`
	Blocks []ruleBlock `json:"blocks"`
}

type ruleHash struct {
	FEN  string `json:"fen"`
	Hash string `json:"hash"`
}

// ruleBlock is a block that a decoder that misreads the rule does not read.
type ruleBlock struct {
	Rule string `json:"rule"`
	vectorBlock
}

const rulesPath = "../../docs/vectors/dense-rules.json"

// makeRules makes the vectors.
func makeRules(t *testing.T) (v ruleVectors) {
	for _, fen := range []string{
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
		"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
		"rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2",
		"r3k2r/8/8/8/8/8/8/4K2R b Kq - 3 39",
	} {
		p, err := position.ParseFEN(fen)
		if err != nil {
			t.Fatal(err)
		}
		v.Hashes = append(v.Hashes, ruleHash{fen, fmt.Sprintf("%016x", p.Hash())})
	}
	const start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
	for _, x := range []struct {
		rule  string
		games []vectorGame
	}{
		{"en passant goes to a square without a man: one guard is enough",
			[]vectorGame{{start, "e2e4 a7a6 e4e5 d7d5 e5d6 c7d6 d2d4 a6a5 d4d5 c7c5"},
				{"4k3/3p4/8/4P3/2B5/8/8/4K3 b - - 0 1", "d7d5 e5d6 e8d7 c4b5 d7d6 b5a4"}}},
		{"our own king ends a line of guards",
			[]vectorGame{{"4k3/8/8/8/8/8/6PP/R3KN2 w Q - 0 1", "f1e3 e8e7 e1f2 e7e6 a1a6 e6e5 f2f3 e5d4"},
				{"r3k3/8/8/8/8/8/8/R3K3 w Qq - 0 1", "e1f1 e8f8 a1e1 a8d8 e1e7 f8g8 e7g7 g8f8"}}},
		{"the null move is counted in the book",
			slices.Repeat([]vectorGame{{start, "0000 0000 e2e4 0000 d2d4 0000"}}, 6)},
		{"a man that is not there before a side's first move has no row of its own target",
			[]vectorGame{{start, "e2e4 e7e5 g1f3 b8c6"},
				{"r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 1", "a1b1 g8h8"},
				{"2r3k1/5ppp/4p3/3n4/3P4/5N2/5PPP/2R3K1 b - - 0 1", "d5c3 f3e1"},
				{"8/5pk1/4p1p1/8/1p5P/1P3P2/6PK/3q4 w - - 0 1", "h2g3 d1d6"}}},
	} {
		b := ruleBlock{Rule: x.rule}
		b.Games = x.games
		var games []FitGame
		for k := range b.Games {
			g := &b.Games[k]
			p, err := position.ParseFEN(g.FEN)
			if err != nil {
				t.Fatal(err)
			}
			f := FitGame{Start: p}
			at := p
			var kept []string
			for _, s := range strings.Fields(g.Moves) {
				m, err := chess.ParseUCI(s)
				if err != nil {
					t.Fatal(err)
				}
				if m != chess.NullMove && !at.IsLegal(m) {
					break // the rest is not legal
				}
				i, ok := moveindex.Of(m)
				if !ok {
					i = moveindex.Null
				}
				at.Make(m)
				f.Moves = append(f.Moves, i)
				kept = append(kept, s)
			}
			g.Moves = strings.Join(kept, " ")
			games = append(games, f)
		}
		coded := encode(t, new(Encoder), games)
		decode(t, new(Decoder), coded, games)
		b.Bytes = hex.EncodeToString(coded)
		v.Blocks = append(v.Blocks, b)
	}
	return v
}

// TestRules: the vectors of docs are what is made.
func TestRules(t *testing.T) {
	v := makeRules(t)
	got, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	if *update {
		if err := os.WriteFile(rulesPath, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(rulesPath)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Fatalf("%s is not what is made", rulesPath)
	}
	if v.Hashes[0].Hash != "463b96181691fc9c" {
		t.Errorf("the usual start position has the hash %s", v.Hashes[0].Hash)
	}
}

// TestModelHash asks that docs/DENSE.md names the model by its hash.
func TestModelHash(t *testing.T) {
	z, err := zstd.NewReader(bytes.NewReader(modelFile))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	sum := sha256.New()
	if _, err := z.WriteTo(sum); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../docs/DENSE.md")
	if err != nil {
		t.Fatal(err)
	}
	if hash := hex.EncodeToString(sum.Sum(nil)); !bytes.Contains(page, []byte(hash)) {
		t.Errorf("docs/DENSE.md does not name the model's SHA-256, %s", hash)
	}
}
