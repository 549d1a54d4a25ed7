// SPDX-License-Identifier: Apache-2.0

package query_test

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"ply11/internal/bounded"
	"ply11/query"
)

// fuzzArchive is a small archive that queries are tried on.
func fuzzArchive(tb testing.TB) []byte { return pack(tb, []byte(ownGames)) }

// run scans the archive by a query that was taken: it must end without an error.
func runQuery(t *testing.T, q *query.Query, data []byte) int {
	n, err := query.Count(context.Background(), []query.Source{
		{Name: "a", Reader: bytes.NewReader(data), Size: int64(len(data))}}, q, query.Options{Workers: 1, All: true})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// FuzzTerms adds a term of any name and value: it is an error of one line, or a query that can be tried.
func FuzzTerms(f *testing.F) {
	for _, t := range query.Terms {
		f.Add(t.Name, t.Value)
	}
	f.Add("sequence", "pattern=Bb5 -> pattern=Ba4; within=10 -> white-move=O-O")
	f.Add("not", "player=x; result=1-0")
	f.Add("pattern", "8/[Pp]p5/8/.A!a?3/8/8/8/8")
	f.Add("material", "Q0-1 rr p2+ n-1")
	f.Add("date", "2024-11..2025.01.03")
	data := fuzzArchive(f)
	bounded.Fuzz(f, func(t *testing.T, name, value string) {
		q := query.New()
		if err := q.Add(name, value); err != nil {
			if strings.Contains(err.Error(), "\n") && !strings.Contains(name, "\n") {
				t.Errorf("%q", err.Error())
			}
			return
		}
		runQuery(t, q, data)
	})
}

// FuzzJSON is FuzzTerms for queries in JSON.
func FuzzJSON(f *testing.F) {
	for _, s := range jsonSamples() {
		f.Add([]byte(s.text))
	}
	data := fuzzArchive(f)
	bounded.Fuzz(f, func(t *testing.T, text []byte) {
		q := query.New()
		if _, _, err := q.AddJSON(text); err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("%q", err.Error())
			}
			return
		}
		runQuery(t, q, data)
	})
}

// FuzzIndexFile changes an index below its checksums, which are made right again: to open it, to verify it and to look
// up positions ends with an *IndexError, or with an answer.
func FuzzIndexFile(f *testing.F) {
	data := pack(f, bytes.Repeat([]byte(turning), 130))
	own := pack(f, []byte(ownGames))
	grown := archiveOf(f, data, own)
	updated, _, err := updateIndex(f, buildIndex(f, data, query.IndexOptions{}), grown, query.IndexOptions{})
	if err != nil {
		f.Fatal(err)
	}
	files := [][]byte{data, own, grown, own}
	indexes := [][]byte{buildIndex(f, data, query.IndexOptions{}), buildIndex(f, own, query.IndexOptions{}), updated,
		buildIndex(f, own, query.IndexOptions{MinGames: 1})}
	var parts [][][2]int
	for i, index := range indexes {
		parts = append(parts, query.SealedParts(index))
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
		index := bytes.Clone(indexes[i])
		p := parts[i][int(part)%len(parts[i])]
		body := index[p[0] : p[1]-4]
		for k, c := range change {
			body[(int(at)+k)%len(body)] ^= c
		}
		query.Seal(index[p[0]:p[1]])
		for _, index := range [][]byte{index, change} {
			x, err := query.OpenIndex(bytes.NewReader(index), int64(len(index)))
			if err == nil {
				err = x.Verify(context.Background(), nil)
				for _, moves := range []string{"", "Nf3", "e4", "Nf3 Nf6 Ng1 Ng8 e4", "a4"} {
					at, _ := query.ParsePosition("", moves)
					s := treeSources(files[i])
					s[0].PositionIndex = x
					for _, result := range []string{"", "1-0"} {
						q := query.New()
						if result != "" {
							q.Add("result", result)
						}
						if _, err := q.Tree(context.Background(), s, at, query.TreeOptions{Workers: 1}); err != nil &&
							!isIndexError(err) && !strings.HasSuffix(err.Error(), query.ErrOtherArchive.Error()) {
							t.Errorf("%v", err)
						}
					}
				}
				update := &indexFile{data: bytes.Clone(index)}
				if _, err := query.UpdateIndex(context.Background(), update, int64(len(index)), treeSources(grown)[0],
					query.IndexOptions{Temp: filepath.Join(t.TempDir(), "x"), Workers: 1}); err != nil &&
					!isIndexError(err) && !errors.Is(err, query.ErrOtherArchive) && !errors.Is(err, query.ErrPruned) {
					t.Errorf("%v", err)
				}
			}
			if err != nil && !isIndexError(err) {
				t.Errorf("%v", err)
			}
		}
	})
}
