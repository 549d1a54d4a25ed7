// SPDX-License-Identifier: Apache-2.0

package dense

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ply11/chess"
	"ply11/game"
	"ply11/game/pgn"
	"ply11/moveindex"
	"ply11/position"
	"ply11/testdata"
)

//go:generate go test -run ^TestVectors$ -update
var update = flag.Bool("update", false, "write the vectors of the version in force")

// A block of the vectors in docs, which are frozen: what version 1 once wrote, it reads for ever.
type vectorBlock struct {
	Bytes string       `json:"bytes"`
	Games []vectorGame `json:"games"`
}

type vectorGame struct {
	FEN   string `json:"fen"`
	Moves string `json:"moves"`
}

const vectorsPath = "../../docs/vectors/dense-1.json"

// famousGames are the project's own games.
func famousGames(tb testing.TB) (games []FitGame) {
	r := pgn.NewReader(strings.NewReader(testdata.Famous))
	for {
		var g game.Game
		err := r.Read(&g)
		if errors.Is(err, io.EOF) {
			return games
		}
		if err != nil {
			tb.Fatal(err)
		}
		d := FitGame{Start: g.Start}
		for _, m := range g.MainLine() {
			i, _ := moveindex.Of(m)
			d.Moves = append(d.Moves, i)
		}
		games = append(games, d)
	}
}

func TestVectors(t *testing.T) {
	if *update {
		famous, random := famousGames(t), randomGames(10)
		var blocks []vectorBlock
		for _, games := range [][]FitGame{famous[:8], random, append(random[4:5:5], famous[0]), {}} {
			b := vectorBlock{Bytes: hex.EncodeToString(encode(t, new(Encoder), games)), Games: []vectorGame{}}
			for _, g := range games {
				var text strings.Builder
				for ply, i := range g.Moves {
					m, _ := i.Move()
					if ply > 0 {
						text.WriteByte(' ')
					}
					text.WriteString(m.String())
				}
				b.Games = append(b.Games, vectorGame{g.Start.FEN(), text.String()})
			}
			blocks = append(blocks, b)
		}
		text, err := json.MarshalIndent(blocks, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(vectorsPath, append(text, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(vectorsPath)
	if err != nil {
		t.Fatal(err)
	}
	var blocks []vectorBlock
	if err := json.Unmarshal(text, &blocks); err != nil {
		t.Fatal(err)
	}
	for n, b := range blocks {
		coded, err := hex.DecodeString(b.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		var games []FitGame
		for _, v := range b.Games {
			p, err := position.ParseFEN(v.FEN)
			if err != nil {
				t.Fatal(err)
			}
			g := FitGame{Start: p}
			for _, s := range strings.Fields(v.Moves) {
				m, err := chess.ParseUCI(s)
				if err != nil {
					t.Fatal(err)
				}
				i, _ := moveindex.Of(m)
				g.Moves = append(g.Moves, i)
			}
			games = append(games, g)
		}
		decode(t, new(Decoder), coded, games)
		if got := encode(t, new(Encoder), games); !bytes.Equal(got, coded) {
			t.Errorf("block %d: codes to\n%x, want\n%x", n, got, coded)
		}
	}
}

// TestPolyglotKeys asks that the keys in docs are those by which positions are hashed.
func TestPolyglotKeys(t *testing.T) {
	path := filepath.FromSlash("../../docs/vectors/polyglot-keys.json")
	var keys []string
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &keys)
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(keys) != 781 {
		t.Fatalf("%d keys, want 781", len(keys))
	}
	key := func(i int) (k uint64) {
		if _, err := fmt.Sscanf(keys[i], "%x", &k); err != nil {
			t.Fatal(err)
		}
		return k
	}
	p := position.Start()
	before := p.Hash()
	p.MakeNull()
	if diff := cmp.Diff(key(780), before^p.Hash()); diff != "" {
		t.Error("the key of the turn:", diff)
	}
	p = position.Start()
	e4 := chess.NewMove(chess.E2, chess.E4)
	p.Make(e4)
	if got, want := p.Hash(), before^key(780)^key(64+int(chess.E2))^key(64+int(chess.E4)); got != want {
		t.Errorf("after e4 the hash is %016x, want %016x", got, want)
	}
}
