// SPDX-License-Identifier: Apache-2.0

package query_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"slices"
	"testing"

	"ply11/bitstream/archive"
	"ply11/query"
)

// TestIndexParts: an index of parts has the bytes of BuildIndex; parts that are not those of the archive are refused.
func TestIndexParts(t *testing.T) {
	data, _ := generated(t, 300, archive.WithBlockGames(40))
	source := query.Source{Name: "a.p11", Reader: bytes.NewReader(data), Size: int64(len(data))}
	for _, o := range []query.IndexOptions{{}, {Variations: true}} {
		r, err := archive.NewReader(source.Reader, source.Size)
		if err != nil {
			t.Fatal(err)
		}
		maker := query.IndexMaker{Variations: o.Variations}
		var facts []byte
		var postings []query.Posting
		for n := 1; n <= r.Blocks(); n++ {
			b, err := r.Block(n)
			if err != nil {
				t.Fatal(err)
			}
			list, err := maker.Block(b, b.First(), func(p query.Posting) error {
				postings = append(postings, p)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			facts = append(facts, list...)
		}
		slices.SortFunc(postings, func(a, b query.Posting) int {
			if a.Less(b) {
				return -1
			}
			return 1
		})
		all := func(list []query.Posting, err error) iter.Seq2[query.Posting, error] {
			return func(yield func(query.Posting, error) bool) {
				for _, p := range list {
					if !yield(p, nil) {
						return
					}
				}
				if err != nil {
					yield(query.Posting{}, err)
				}
			}
		}
		var got bytes.Buffer
		n := uint64(len(postings))
		if _, err := query.WriteIndex(context.Background(), &got, source, o, facts, n, all(postings, nil)); err != nil {
			t.Fatal(err)
		}
		if want := buildIndex(t, data, o); !bytes.Equal(got.Bytes(), want) {
			t.Errorf("variations %v: %d bytes that are not the %d of BuildIndex", o.Variations, got.Len(), len(want))
		}
		swapped := slices.Clone(postings)
		swapped[5], swapped[6] = swapped[6], swapped[5]
		other := slices.Clone(postings)
		other[len(other)-1].B |= 1 << 35 // a game that is not there
		for what, c := range map[string]struct {
			facts []byte
			n     uint64
			list  iter.Seq2[query.Posting, error]
			want  error
		}{
			"facts of too few games": {facts[8:], n, all(postings, nil), query.ErrIndexParts},
			"too few postings":       {facts, n, all(postings[1:], nil), query.ErrIndexParts},
			"another order":          {facts, n, all(swapped, nil), query.ErrIndexParts},
			"another game":           {facts, n, all(other, nil), query.ErrIndexParts},
			"an error":               {facts, n, all(postings[:7], io.ErrNoProgress), io.ErrNoProgress},
		} {
			if _, err := query.WriteIndex(context.Background(), io.Discard, source, o, c.facts, c.n,
				c.list); !errors.Is(err, c.want) {
				t.Errorf("%s: %v", what, err)
			}
		}
	}
}
