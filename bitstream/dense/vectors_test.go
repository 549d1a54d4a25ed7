// SPDX-License-Identifier: Apache-2.0

package dense

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"ply11/chess"
	"ply11/moveindex"
	"ply11/position"
)

// fen reads a position.
func fen(tb testing.TB, s string) position.Position {
	tb.Helper()
	p, err := position.ParseFEN(s)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// TestVectors: the vectors in docs are frozen. What version 1 once wrote, it reads and writes for ever; and the hashes
// of positions are those that are told.
func TestVectors(t *testing.T) {
	type block struct {
		Bytes string
		Games []struct{ FEN, Moves string }
	}
	var rules struct {
		Hashes []struct{ FEN, Hash string }
		Blocks []block
	}
	var blocks []block
	for name, to := range map[string]any{"dense-rules.json": &rules, "dense-1.json": &blocks} {
		text, err := os.ReadFile(filepath.Join("../../docs/vectors", name))
		if err == nil {
			err = json.Unmarshal(text, to)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for n, b := range slices.Concat(blocks, rules.Blocks) {
		coded, err := hex.DecodeString(b.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		var games []FitGame
		for _, v := range b.Games {
			g := FitGame{Start: fen(t, v.FEN)}
			for _, s := range strings.Fields(v.Moves) {
				m, err := chess.ParseUCI(s)
				if err != nil {
					t.Fatal(err)
				}
				i, ok := moveindex.Of(m)
				if !ok {
					i = moveindex.Null
				}
				g.Moves = append(g.Moves, i)
			}
			games = append(games, g)
		}
		decode(t, new(Decoder), coded, games)
		if got := encode(t, new(Encoder), games); !bytes.Equal(got, coded) {
			t.Errorf("block %d: codes to\n%x, want\n%x", n, got, coded)
		}
	}
	for _, h := range rules.Hashes {
		if p := fen(t, h.FEN); fmt.Sprintf("%016x", p.Hash()) != h.Hash {
			t.Errorf("%s has the hash %016x, not %s", h.FEN, p.Hash(), h.Hash)
		}
	}
	if len(blocks) < 4 || len(rules.Blocks) < 4 || rules.Hashes[0].Hash != "463b96181691fc9c" {
		t.Error("vectors are missing")
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
