// SPDX-License-Identifier: Apache-2.0

package query_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"ply11/internal/bounded"
	"ply11/internal/querytest"
	"ply11/query"
)

// fuzzArchive is a small archive that queries are tried on.
func fuzzArchive(tb testing.TB) []byte { return querytest.Pack(tb, []byte(ownGames)) }

// run scans the archive by a query that was taken: it must end without an error.
func runQuery(t *testing.T, q *query.Query, data []byte) int {
	n, err := query.Count(context.Background(), []query.Source{
		{Name: "a", Reader: bytes.NewReader(data), Size: int64(len(data))}}, q, query.Options{Workers: 1, All: true})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// FuzzTerms adds any term: it is an error of one line, or a query that works.
func FuzzTerms(f *testing.F) {
	for _, t := range query.Terms {
		f.Add(t.Name, t.Value)
	}
	f.Add("sequence", "pattern=Bb5 -> pattern=Ba4; within=10 -> white-move=O-O")
	f.Add("not", "player=x; result=1-0")
	f.Add("or", "player=x; result=1-0")
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
