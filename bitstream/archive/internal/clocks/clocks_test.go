// SPDX-License-Identifier: Apache-2.0

package clocks

import (
	"bytes"
	"encoding/hex"
	"math/rand/v2"
	"slices"
	"testing"

	"ply11/internal/bounded"
)

// number is one of a column: what it is, and its value.
type number struct {
	kind  byte // a game begins, a clock, a time, an evaluation, a mate
	form  int
	value int64
}

const numKinds = 5

// code codes a number, or reads one of its kind.
func code(c *Coder, n number) int64 {
	switch n.kind {
	case 0:
		c.Game()
		return 0
	case 1:
		return c.Clock(n.form, n.value)
	case 2:
		return c.Time(n.form, n.value)
	case 3:
		return c.Score(n.value)
	default:
		return c.Mate(n.value)
	}
}

// encode codes numbers.
func encode(c *Coder, dst []byte, list []number) []byte {
	c.Encode(dst)
	for _, n := range list {
		code(c, n)
	}
	return c.Finish()
}

func decode(c *Coder, src []byte, kinds []number) (list []number, ended bool) {
	c.Decode(src)
	for _, n := range kinds {
		n.value = -99 // it does not matter
		n.value = code(c, n)
		if c.Bad() {
			return list, false
		}
		list = append(list, n)
	}
	return list, c.Ended()
}

// random returns numbers, most of them near each other, and some as far apart as can be.
func random(r *rand.Rand, n int) (list []number) {
	last := int64(0)
	for range n {
		x := number{kind: byte(1 + r.IntN(numKinds-1)), form: r.IntN(3)}
		if r.IntN(20) == 0 {
			x = number{}
		}
		if x.kind > 2 {
			x.form = 0
		}
		last += r.Int64N(1+1<<r.IntN(8)) - r.Int64N(1+1<<r.IntN(8))
		x.value = last
		if x.kind < 3 {
			x.value = abs(last)
		}
		switch r.IntN(40) {
		case 0:
			x.value = Limit
		case 1:
			x.value = 0
		case 2:
			x.value = r.Int64N(Limit)
		case 3:
			if x.kind > 2 {
				x.value = -Limit
			}
		}
		if x.kind == 0 {
			x.value = 0
		}
		list = append(list, x)
	}
	return list
}

// TestThereAndBack codes numbers of all kinds, and reads them with a Coder that was used before. There is one encoding.
func TestThereAndBack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var e, d Coder
	for range 60 {
		list := random(r, r.IntN(400))
		coded := encode(&e, []byte("front"), list)[5:]
		got, ended := decode(&d, coded, list)
		if !ended || !slices.Equal(got, list) {
			t.Fatalf("%d numbers: %v, want %v; ended %v", len(list), got, list, ended)
		}
		bad := [][]byte{append(bytes.Clone(coded), 0), append(bytes.Clone(coded), 0x80)}
		if len(coded) > 0 {
			other := bytes.Clone(coded)
			other[len(other)-1]++
			bad = append(bad, coded[:len(coded)-1], other)
		}
		for _, b := range bad {
			if got, ended := decode(&d, b, list); ended && slices.Equal(got, list) {
				t.Fatalf("%x is read as %x is", b, coded)
			}
		}
	}
}

// TestLimits reads what is coded of numbers beyond the limits.
func TestLimits(t *testing.T) {
	var e, d Coder
	for _, n := range []number{{1, 0, Limit + 1}, {1, 2, -1}, {2, 0, Limit + 1}, {2, 1, -1}, {3, 0, Limit + 1},
		{3, 0, -Limit - 1}, {4, 0, Limit + 1}, {4, 0, -Limit - 1}} {
		for _, before := range [][]number{nil, {{n.kind, n.form, 5}, {n.kind, n.form, 7}}} {
			list := append(before, n)
			if _, ended := decode(&d, encode(&e, nil, list), list); ended {
				t.Errorf("%v is read", list)
			}
		}
	}
	// An evaluation of 0.00 that is not told as one.
	e.Encode(nil)
	e.in(40, 1, 0)
	e.Score(5)
	c := &e.score
	e.in(min(step(c.average), 63)*2, (signed(c.change, length, 16)*16+3)*2, signed(-c.last, step, 64)*8)
	e.bit(nodeLevel, false)
	e.number(5)
	list := []number{{3, 0, 5}, {3, 0, 0}}
	if _, ended := decode(&d, e.Finish(), list); ended {
		t.Error("an evaluation of 0.00 is read that is not told as one")
	}
}

// TestBytes pins what is written, to the bit: it is the format.
func TestBytes(t *testing.T) {
	var list []number
	for g := range int64(3) {
		list = append(list, number{})
		for i := range int64(12) {
			list = append(list, number{1, int(g % 2), 180*(g+1) - i*i/2}, number{2, 0, i * i % 7},
				number{3, 0, (i*37+g)%90 - 40})
			if i > 8 {
				list = append(list, number{4, 0, 12 - i})
			}
		}
	}
	var c Coder
	const want = "ffba31a3e476bf8d54e1e9ee0ef71a1f42117b2abb69bc487ace02631176a79df80f32874c10721d5916c3241f8944d76eac" +
		"5c763b824fd2da034d1287739d2c76a2eaebf1553198b3eead0e299717a11730dca8895e6c7bb451b22e90"
	if got := hex.EncodeToString(encode(&c, nil, list)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// FuzzDecode reads bytes as numbers: what ends as it should is coded as the same bytes.
func FuzzDecode(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	var c Coder
	for range 20 {
		list := random(r, 60)
		var kinds []byte
		for _, n := range list {
			kinds = append(kinds, n.kind+numKinds*byte(n.form))
		}
		f.Add(kinds, encode(&c, nil, list))
	}
	bounded.Fuzz(f, func(t *testing.T, kinds, src []byte) {
		var list []number
		for _, k := range kinds[:min(len(kinds), 2000)] {
			list = append(list, number{kind: k % numKinds, form: int(k/numKinds) % 3})
		}
		got, ended := decode(&c, src, list)
		if !ended {
			return
		}
		if again := encode(&c, nil, got); !bytes.Equal(again, src) {
			t.Fatalf("%x is read as %v, which is coded as %x", src, got, again)
		}
	})
}
