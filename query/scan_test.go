// SPDX-License-Identifier: Apache-2.0

package query

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"ply11/bitstream/archive"
)

// TestFirstResults: what is found in the first block is written when few blocks have been read, whatever the length of the archive.
func TestFirstResults(t *testing.T) {
	const blocks = 60
	var data bytes.Buffer
	if _, err := archive.Pack(context.Background(), &data, strings.NewReader(playersText(blocks)), archive.WithBlockGames(100)); err != nil {
		t.Fatal(err)
	}
	q := New()
	if err := q.Add("pattern", "Pe4"); err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{1, 2, 4} {
		in := &readBytes{ReaderAt: bytes.NewReader(data.Bytes())}
		first := int64(0)
		n := 0
		for _, err := range Games(t.Context(), []Source{{Name: "x", Reader: in, Size: int64(data.Len()), Near: true}}, q, Options{Workers: workers},
			func(m *Match) (struct{}, error) { return struct{}{}, nil }) {
			if err != nil {
				t.Fatal(err)
			}
			if n++; n == 1 {
				first = in.n.Load()
			}
		}
		if n != 100*blocks {
			t.Fatalf("%d games", n)
		}
		// Each worker opens the archive, and three blocks for each may be begun before the first is waited for.
		block := int64(data.Len()) / blocks
		most := int64(workers+1)*(48<<10) + int64(3*workers+2)*block
		if t.Logf("%d workers: %d of %d bytes", workers, first, data.Len()); first == 0 || first > most || most > int64(data.Len()) {
			t.Errorf("%d workers: the first games come after %d bytes, more than %d, of %d", workers, first, most, data.Len())
		}
	}
}
