// SPDX-License-Identifier: Apache-2.0

package index_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"ply11/internal/querytest"
	"ply11/query/index"
)

// TestIndexVectors: the writer makes the indexes of docs/vectors/index.json, which are frozen, of their archives.
func TestIndexVectors(t *testing.T) {
	data, err := os.ReadFile("../../docs/vectors/index.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct {
		What, Index string
		Archive     []byte
	}
	options := []index.Options{{}, {Variations: true}, {}, {}, {}, {}}
	if err := json.Unmarshal(data, &vectors); err != nil || len(vectors) != len(options) {
		t.Fatal(len(vectors), err)
	}
	for i, v := range vectors {
		want, err := hex.DecodeString(v.Index)
		if err == nil {
			err = querytest.OpenIndex(t, want).Verify(context.Background(), nil)
		}
		if err != nil {
			t.Errorf("%s: %v", v.What, err)
		}
		if i == 2 { // one that was made by an update
			continue
		}
		if got := querytest.BuildIndex(t, v.Archive, options[i]); hex.EncodeToString(got) != v.Index {
			t.Errorf("%s: another index is made", v.What)
		}
	}
}

// TestTreeVectors: the writer makes the tree files of docs/vectors/tree.json, which are frozen, of their archives, and
// the reader finds there what they tell.
func TestTreeVectors(t *testing.T) {
	data, err := os.ReadFile("../../docs/vectors/tree.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []map[string]any
	options := []index.TreeOptions{{MinGames: 2, MaxPly: 3}, {}}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&vectors); err != nil || len(vectors) != len(options) {
		t.Fatal(len(vectors), err)
	}
	for i, v := range vectors {
		packed, err := base64.StdEncoding.DecodeString(v["archive"].(string))
		if err != nil {
			t.Fatal(err)
		}
		made := querytest.BuildTree(t, packed, options[i])
		if got := hex.EncodeToString(made); got != v["tree"] {
			t.Errorf("%s: another tree file is made: %s", v["what"], got)
		}
		x := querytest.OpenTree(t, made)
		lines := v["lines"].([]any)
		if n := x.Stats().Positions; n != uint64(len(lines)) {
			t.Errorf("%s: %d positions", v["what"], n)
		}
		counts := func(b *index.Branch) string {
			return fmt.Sprintf("map[games:%d ratings:[%d %d %d %d] results:[%d %d %d]]", b.Games, b.WhiteRating.Sum,
				b.WhiteRating.Games, b.BlackRating.Sum, b.BlackRating.Games, b.White, b.Draws, b.Black)
		}
		for _, line := range lines {
			line := line.([]any)
			hash, _ := strconv.ParseUint(fmt.Sprint(line[0]), 10, 64)
			check, _ := strconv.ParseUint(fmt.Sprint(line[1]), 10, 16)
			got := ""
			if err := x.Find(context.Background(), []index.Wanted{{Hash: hash, Check: uint16(check)}},
				func(_ int, all *index.Branch, words []index.CommonGroup) {
					for i := range words {
						got += fmt.Sprintf(" [%d %s]", words[i].Word, counts(&words[i].Branch))
					}
					got = fmt.Sprintf("[%d %d %s [%s]]", hash, check, counts(all), strings.TrimSpace(got))
				}); err != nil || got != fmt.Sprint(line) {
				t.Errorf("%s: %s, want %s: %v", v["what"], got, line, err)
			}
		}
	}
}
