// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"ply11/internal/testenv"
)

// noisyText is a game with a comment that hardly can be compressed.
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

// TestTailInComment ends adding games after every byte, where a comment has the bytes of a whole tail: the archive is
// what it was.
func TestTailInComment(t *testing.T) {
	for _, size := range []int{10, 60_000} { // a file that is read whole to open it, and one that is not
		base, _ := MustPack(t, []byte(noisyText("a", size)))
		more, _ := MustPack(t, []byte(noisyText("b", 900)))
		whole := MustAppend(t, base, nil, more)
		r := MustOpen(t, whole)
		b := MustBlock(t, r, 2)
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
			rep, err := Verify(t.Context(), bytes.NewReader(cut), int64(n))
			if err != nil || rep.OK() != (n == len(base)) || rep.Games != 1 || rep.Unfinished != int64(n-len(base)) {
				t.Fatalf("%d bytes: %+v, %v", n-len(base), rep, err)
			}
		}
	}
}

// TestWouldLose: only what an interrupted writer leaves is written over.
func TestWouldLose(t *testing.T) {
	base, _ := MustPack(t, []byte(TextOf("a", 5)))
	whole := MustAppend(t, base, nil, base)[len(base):]
	var h head
	if err := h.decode(whole[:headSize(whole)]); err != nil {
		t.Fatal(err)
	}
	footer := MustAppend(t, base, []AppendOption{WithMeta(map[string]string{"a": "b"})})[len(base):]
	block := h.size + int(h.data)
	zeros := func(b []byte, n int) []byte { return append(bytes.Clone(b), make([]byte, n)...) }
	changed := func(at int, b []byte) []byte {
		b = bytes.Clone(b)
		b[at] ^= 1
		return b
	}
	for name, c := range map[string]struct {
		behind []byte
		lost   bool
	}{
		"zeros":                              {make([]byte, 100_000), false},
		"a mark":                             {whole[:2], false},
		"a mark, zeros":                      {zeros(whole[:4], 999), false},
		"a header that was begun":            {whole[:h.size-1], false},
		"a header that was begun, zeros":     {zeros(whole[:20], int(h.data)), false},
		"a header":                           {whole[:h.size], false},
		"a header, zeros":                    {zeros(whole[:h.size], int(h.data)+trailerSize), false},
		"a block without its last byte":      {whole[:block-1], false},
		"a block, of which the end is zeros": {zeros(whole[:block-9], 9+trailerSize), false},
		"a footer that was begun":            {footer[:30], false},
		"a footer without its trailer":       {zeros(footer[:len(footer)-trailerSize], trailerSize), false},
		"a block":                            {whole[:block], true},
		"a block, zeros":                     {zeros(whole[:block], trailerSize), true},
		"all but the trailer":                {whole[:len(whole)-1], true},
		"a damaged block, and more":          {changed(h.size+3, whole[:len(whole)-1]), true},
		"a damaged header, and its block":    {changed(9, whole[:block]), true},
		"a header, zeros, and a byte":        {append(zeros(whole[:h.size], int(h.data)), 1), true},
		"zeros, and a byte":                  {append(make([]byte, 500), 1), true},
		"another's bytes":                    {[]byte("hello"), true},
		"a part of the index":                {whole[block : len(whole)-trailerSize-1], true},
	} {
		b := append(bytes.Clone(base), c.behind...)
		r, err := Opened(b)
		if err != nil || r.Unfinished() == nil {
			t.Errorf("%s: %v, %v", name, err, r)
			continue
		}
		if err := r.WouldLose(); (err != nil) != c.lost || c.lost && err != r.Unfinished() {
			t.Errorf("%s: %v", name, err)
		}
	}
}
