// SPDX-License-Identifier: Apache-2.0

package index_test

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"ply11/internal/bounded"
	"ply11/internal/querytest"
	"ply11/query"
	"ply11/query/index"
)

// FuzzIndexFile changes an index below its checksums: opening, verifying and looking up end with an *Error or an
// answer.
func FuzzIndexFile(f *testing.F) {
	data := querytest.Pack(f, bytes.Repeat([]byte(turning), 130))
	own := querytest.Pack(f, []byte(ownGames))
	grown := archiveOf(f, data, own)
	updated, _, err := updateIndex(f, querytest.BuildIndex(f, data, index.Options{}), grown, index.Options{})
	if err != nil {
		f.Fatal(err)
	}
	files := [][]byte{data, own, grown}
	indexes := [][]byte{querytest.BuildIndex(f, data, index.Options{}), querytest.BuildIndex(f, own, index.Options{}),
		updated}
	var parts [][][2]int
	for i, made := range indexes {
		parts = append(parts, index.SealedParts(made))
		if len(parts[i]) < 4 {
			f.Fatalf("%d parts", len(parts[i]))
		}
		for k := range parts[i] {
			f.Add(uint8(i), uint16(k), uint16(k), []byte{1})
			f.Add(uint8(i), uint16(k), uint16(3), []byte{255, 255, 255, 127})
		}
	}
	bounded.Fuzz(f, func(t *testing.T, file uint8, part, at uint16, change []byte) {
		i := int(file) % len(files)
		made := bytes.Clone(indexes[i])
		p := parts[i][int(part)%len(parts[i])]
		body := made[p[0] : p[1]-4]
		for k, c := range change {
			body[(int(at)+k)%len(body)] ^= c
		}
		index.Seal(made[p[0]:p[1]])
		for _, made := range [][]byte{made, change} {
			x, err := index.Open(bytes.NewReader(made), int64(len(made)))
			if err == nil {
				err = x.Verify(context.Background(), nil)
				for _, moves := range []string{"", "Nf3", "e4", "Nf3 Nf6 Ng1 Ng8 e4", "a4"} {
					at, _ := query.ParsePosition("", moves)
					s := querytest.Sources(files[i])
					s[0].Index = x
					for _, result := range []string{"", "1-0"} {
						q := query.New()
						if result != "" {
							q.Add("result", result)
						}
						if _, err := q.Tree(context.Background(), s, at, query.TreeOptions{Workers: 1}); err != nil &&
							!isIndexError(err) && !strings.HasSuffix(err.Error(), index.ErrOtherArchive.Error()) {
							t.Errorf("%v", err)
						}
					}
				}
				update := &indexFile{memory: memory{Data: bytes.Clone(made)}}
				if _, err := index.Update(context.Background(), update, int64(len(made)),
					querytest.Sources(grown)[0].File(),
					index.Options{Temp: filepath.Join(t.TempDir(), "x"), Workers: 1}); err != nil &&
					!isIndexError(err) && !errors.Is(err, index.ErrOtherArchive) {
					t.Errorf("%v", err)
				}
			}
			if err != nil && !isIndexError(err) {
				t.Errorf("%v", err)
			}
		}
	})
}
