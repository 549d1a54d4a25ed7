// SPDX-License-Identifier: Apache-2.0

package index_test

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"os"
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

// TestTreeVectors: the writer makes the tree files of docs/vectors/tree.json, which are frozen, of their archives. What
// is in them is compared in clients.
func TestTreeVectors(t *testing.T) {
	data, err := os.ReadFile("../../docs/vectors/tree.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct {
		What, Tree string
		Archive    []byte
	}
	options := []index.TreeOptions{{MinGames: 2, MaxPly: 3}, {}, index.TreeOptions{}.Small(60, 2)}
	if err := json.Unmarshal(data, &vectors); err != nil || len(vectors) != len(options) {
		t.Fatal(len(vectors), err)
	}
	for i, v := range vectors {
		if got := hex.EncodeToString(querytest.BuildTree(t, v.Archive, options[i])); got != v.Tree {
			t.Errorf("%s: another tree file is made: %s", v.What, got)
		}
	}
}
