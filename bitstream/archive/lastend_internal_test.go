// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"testing"
)

// behind puts bytes behind an archive, as a writer does that was interrupted.
func behind(t *testing.T, a, more []byte) []byte {
	return append(append(bytes.Clone(a), more...), MustOpen(t, a).mark()...)
}

// TestWouldLose: no main line that Recover takes is written over.
func TestWouldLose(t *testing.T) {
	EachForm(t, func(t *testing.T, dense bool) {
		base, _ := MustPack(t, []byte(TextOf("a", 5)), WithDense(dense))
		whole := MustAppend(t, base, nil, base)[len(base):]
		var h head
		if err := h.decode(whole[:headSize(whole)]); err != nil {
			t.Fatal(err)
		}
		footer := MustAppend(t, base, []AppendOption{WithMeta(map[string]string{"a": "b"})})[len(base):]
		block := h.size + int(h.data)
		moves := h.columns[max(h.find(ColumnMoves), h.find(ColumnDense))]
		zeros := func(b []byte, n int) []byte { return append(bytes.Clone(b), make([]byte, n)...) }
		changed := func(at int) []byte {
			b := bytes.Clone(whole[:block])
			b[at] ^= 1
			return b
		}
		for name, c := range map[string]struct {
			behind []byte
			lost   bool
		}{
			"nothing":                       {nil, false},
			"zeros":                         {make([]byte, 100_000), false},
			"a header":                      {whole[:h.size], false},
			"a header, zeros":               {zeros(whole[:h.size], int(h.data)), false},
			"a block without its last byte": {whole[:block-1], true},
			"a block without moves": {zeros(whole[:h.size+int(moves.offset+moves.stored)-1], int(h.data)),
				false},
			"a block without what is behind": {zeros(whole[:h.size+int(moves.offset+moves.stored)], int(h.data)), true},
			"a footer":                       {footer, false},
			"a block":                        {whole[:block], true},
			"zeros, and a block":             {append(make([]byte, 9999), whole...), true},
			"a block with damaged moves":     {changed(h.size + int(moves.offset)), false},
			"a damaged header, and a block":  {changed(9), false},
		} {
			b := behind(t, base, c.behind)
			r, err := Opened(b)
			if err != nil || r.Unfinished() == nil || Behind(r) != int64(len(b)-len(base)) {
				t.Errorf("%s: %v, %v", name, err, r)
				continue
			}
			if err := r.WouldLose(); (err != nil) != c.lost || c.lost && err != r.Unfinished() {
				t.Errorf("%s: %v", name, err)
			}
			if _, rep := Recovered(t, b); (rep.Games > 5 || len(rep.Partial) > 0) != c.lost {
				t.Errorf("%s: %+v", name, rep)
			}
		}
	})
}
