// SPDX-License-Identifier: Apache-2.0

package index_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"ply11/bitstream/archive"
	"ply11/internal/testenv"
	"ply11/position"
	"ply11/query/index"
)

//go:generate go test -run ^TestIndexVectors$ -update

var update = flag.Bool("update", false, "write the vectors of the index")

const indexVectors = "../../docs/vectors/index.json"

// indexVector is an index, the archive that it is of, and what the reader in docs says of it.
type indexVector struct {
	What    string            `json:"what"`
	Archive []byte            `json:"archive"` // base64
	Index   string            `json:"index"`   // in hex
	Lines   []json.RawMessage `json:"lines"`
}

// TestIndexVectors: the writer makes the segments of the vectors, and the reader in docs, which was written from the
// page, reads of them what they tell.
func TestIndexVectors(t *testing.T) {
	python := testenv.Tools(t, "python3")[0]
	first, more := []byte(strings.Repeat(turning, 130)), []byte(besides+annotatedBesides)
	base := pack(t, first, archive.WithBlockGames(100))
	whole := archiveOf(t, base, pack(t, more))
	small := pack(t, more)
	grown, _, err := updateIndex(t, buildIndex(t, base, index.Options{}), whole, index.Options{})
	if err != nil {
		t.Fatal(err)
	}
	twice := pack(t, []byte(text("rare-game")))
	both := pack(t, []byte(text("rare-games")))
	sameHash := pack(t, []byte(gamesOfEqualHash(t)))
	list := []indexVector{
		{What: "two games, of one segment", Archive: small,
			Index: hex.EncodeToString(buildIndex(t, small, index.Options{}))},
		{What: "two games, with variations", Archive: small,
			Index: hex.EncodeToString(buildIndex(t, small, index.Options{Variations: true}))},
		{What: "common positions, and a second segment that was added by an update: there are slots, and bytes that " +
			"are no longer in use", Archive: whole, Index: hex.EncodeToString(grown)},
		{What: "pruned: positions of two games or more, within 3 plies", Archive: whole,
			Index: hex.EncodeToString(buildIndex(t, whole, index.Options{MinGames: 2, MaxPly: 3}))},
		{What: "a game whose start is not known, and one with two rare positions of one stored part", Archive: twice,
			Index: hex.EncodeToString(buildIndex(t, twice, index.Options{}))},
		{What: "two games with rare positions of one stored part", Archive: both,
			Index: hex.EncodeToString(buildIndex(t, both, index.Options{}))},
		{What: "two positions of one hash of 64 bits: one is shared, the other rare", Archive: sameHash,
			Index: hex.EncodeToString(buildIndex(t, sameHash, index.Options{}))},
		{What: "pruned: two positions of one hash of 64 bits", Archive: sameHash,
			Index: hex.EncodeToString(buildIndex(t, sameHash, index.Options{MinGames: 1}))},
	}
	path := filepath.Join(t.TempDir(), "x.p11x")
	read := func(made string) (lines []json.RawMessage) {
		data, err := hex.DecodeString(made)
		if err == nil {
			err = openIndex(t, data).Verify(context.Background(), nil)
		}
		if err == nil {
			err = os.WriteFile(path, data, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(python, "../../docs/p11xread.py", path).Output()
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(out) {
			var b bytes.Buffer
			if err := json.Compact(&b, line); err != nil {
				t.Fatal(err)
			}
			lines = append(lines, b.Bytes())
		}
		return lines
	}
	for i := range list {
		list[i].Lines = read(list[i].Index)
	}
	if *update {
		writeVectors(t, list)
	}
	data, err := os.ReadFile(indexVectors)
	if err != nil {
		t.Fatal(err)
	}
	var want []indexVector
	if err := json.Unmarshal(data, &want); err != nil || len(want) != len(list) {
		t.Fatal(len(want), err)
	}
	for i, sameGame := range []bool{true, false} {
		parts := make(map[string]string) // the game of each stored part
		found := false
		for _, line := range list[4+i].Lines {
			var f []json.RawMessage
			if json.Unmarshal(line, &f) != nil || string(f[0]) != `"rare"` {
				continue
			}
			game, is := parts[string(f[1])]
			found = found || is && (game == string(f[3])) == sameGame
			parts[string(f[1])] = string(f[3])
		}
		if !found {
			t.Errorf("%s: no such part", list[4+i].What)
		}
	}
	for i, w := range want {
		// What the table and the trailer tell of the archive is left out: its bytes may change.
		if i < 2 && w.Index[2*64:len(w.Index)-2*260] != list[i].Index[2*64:len(list[i].Index)-2*260] {
			t.Errorf("%s: the segment has other bytes", w.What)
		}
		if !reflect.DeepEqual(read(w.Index), w.Lines) || !reflect.DeepEqual(list[i].Lines, w.Lines) {
			t.Errorf("%s: what is read of it is not what %s tells", w.What, indexVectors)
		}
	}
}

// gamesOfEqualHash returns three games: the first two begin in a position, and the last in another one of the same
// hash.
func gamesOfEqualHash(t *testing.T) string {
	a, b := equalHashes(t, rand.New(rand.NewPCG(31, 6)))
	var text strings.Builder
	for _, p := range []position.Position{a, a, b} {
		text.WriteString("[SetUp \"1\"]\n[FEN \"" + p.FEN() + "\"]\n[Result \"1-0\"]\n\n1-0\n\n")
	}
	return text.String()
}

// writeVectors writes the file.
func writeVectors(t *testing.T, list []indexVector) {
	// A line of JSON for each line of the reader.
	var text bytes.Buffer
	text.WriteString("[\n")
	for i, v := range list {
		what, _ := json.Marshal(v.What)
		text.WriteString(" {\"what\": " + string(what) + ",\n  \"archive\": \"" + base64.StdEncoding.EncodeToString(
			v.Archive) + "\",\n  \"index\": \"" + v.Index + "\",\n  \"lines\": [\n")
		for k, line := range v.Lines {
			text.WriteString("   ")
			text.Write(line)
			if k+1 < len(v.Lines) {
				text.WriteByte(',')
			}
			text.WriteByte('\n')
		}
		text.WriteString("  ]}")
		if i+1 < len(list) {
			text.WriteByte(',')
		}
		text.WriteByte('\n')
	}
	text.WriteString("]\n")
	if err := os.WriteFile(indexVectors, text.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}
