// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"ply11/internal/testenv"
)

// noisyText is a game with a comment of letters that cannot be compressed to less than three quarters, n of them.
func noisyText(event string, n int) string {
	rng := rand.New(rand.NewPCG(7, uint64(n)))
	var b strings.Builder
	fmt.Fprintf(&b, "[Event \"%s\"]\n\n1. e4 {", event)
	for range n {
		b.WriteByte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-"[rng.IntN(64)])
	}
	b.WriteString("} 1-0\n\n")
	return b.String()
}

// emptyTail is the tail of an archive without a game, at an offset.
func emptyTail(at int64) []byte {
	var out bytes.Buffer
	f := fileWriter{w: &out, header: header{}, stats: Stats{Bytes: at}}
	f.write(f.tail())
	return out.Bytes()
}

// TestTailInComment ends adding games after every byte, where the bytes of a whole tail stand in what is added, as a
// comment may hold them: the archive is what it was.
func TestTailInComment(t *testing.T) {
	for _, size := range []int{10, 60_000} { // a file that is read whole to open it, and one that is not
		base, _ := MustPack(t, []byte(noisyText("a", size)))
		more, _ := MustPack(t, []byte(noisyText("b", 900)))
		whole := MustAppend(t, base, nil, more)
		r := MustOpen(t, whole)
		b, err := r.Block(2)
		if err != nil {
			t.Fatal(err)
		}
		at := b.at + int64(b.head.size) + 300
		forged := bytes.Clone(whole)
		end := at + int64(copy(forged[at:], emptyTail(at)))
		if end > b.at+b.Size() {
			t.Fatal("the tail is not within the block")
		}
		for n := len(base); n < len(whole); n++ {
			if size > 10 && int64(n) == end {
				// a large file that ends with a tail is taken to end with it; Append never leaves one so: see
				// TestAppendGuards
				continue
			}
			if size > 10 && n%7 > 0 && !testenv.Long {
				continue
			}
			cut := forged[:n]
			r, err := NewReader(bytes.NewReader(cut), int64(n))
			if err != nil || r.Len() != 1 || Behind(r) != int64(n-len(base)) {
				t.Fatalf("%d bytes of %d: %v", n-len(base), len(whole)-len(base), err)
			}
			rep, err := Verify(context.Background(), bytes.NewReader(cut), int64(n))
			if err != nil || rep.OK() != (n == len(base)) || rep.Games != 1 || rep.Unfinished != int64(n-len(base)) {
				t.Fatalf("%d bytes: %+v, %v", n-len(base), rep, err)
			}
		}
	}
}
