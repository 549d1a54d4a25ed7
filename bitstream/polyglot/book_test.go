// SPDX-License-Identifier: Apache-2.0

package polyglot

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"ply11/chess"
	"ply11/game"
	"ply11/game/codec"
	"ply11/position"
)

// Sixteen bytes, big-endian: key, move, weight, learn.
func TestEntryBytes(t *testing.T) {
	raw := [entrySize]byte{0x46, 0x3b, 0x96, 0x18, 0x16, 0x91, 0xfc, 0x9c, 0x03, 0x1c, 0x00, 0x07, 1, 2, 3, 4}
	e := decodeEntry(&raw)
	want := entry{key: 0x463b96181691fc9c, move: 12<<6 | 28, weight: 7, learn: 0x01020304}
	if e != want || e.move.String() != "e2e4" {
		t.Errorf("%+v", e)
	}
	if b := e.appendTo(nil); !bytes.Equal(b, raw[:]) {
		t.Errorf("% x", b)
	}
}

func TestMoves(t *testing.T) {
	for _, c := range []struct{ fen, uci, raw string }{
		{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "e1h1"},
		{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1", "e1a1"},
		{"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8g8", "e8h8"},
		{"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "e8a8"},
		{"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8e7", "e8e7"},
		{"4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", "a7a8n"},
		{"4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8b", "a7a8b"},
		{"4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8r", "a7a8r"},
		{"4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", "a7a8q"},
		{"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "e5d6"},
		{"1k6/8/8/8/8/8/8/2K1R3 w E - 0 1", "c1e1", "c1e1"},
		{"2k5/8/8/8/8/8/8/R1K4R w HA - 0 1", "c1a1", "c1a1"},
		{"r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "e1h1", "e1h1"},
	} {
		p, err := position.ParseFEN(c.fen)
		if err != nil {
			t.Fatal(err)
		}
		m, err := chess.ParseUCI(c.uci)
		if err != nil {
			t.Fatal(err)
		}
		r := encodeMove(&p, m)
		if r.String() != c.raw {
			t.Errorf("%s: %s is %s, not %s", c.fen, c.uci, r, c.raw)
		}
		if back, ok := r.in(&p); !ok || back != m {
			t.Errorf("%s: %s is read as %s, %v", c.fen, r, back, ok)
		}
	}
	p := position.Start()
	for _, r := range []rawMove{0, 1 << 15, 5<<12 | 12<<6 | 28, 4<<6 | 7, 12<<6 | 36, 4<<12 | 12<<6 | 28} {
		if m, ok := r.in(&p); ok {
			t.Errorf("%04x is read as %s", uint16(r), m)
		}
	}
	// Castling as the king's own step is read too.
	p, _ = position.ParseFEN("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
	if m, ok := rawMove(4<<6 | 6).in(&p); !ok || m.String() != "e1g1" {
		t.Error(m, ok)
	}
}

// What is added in any order, with and without a temporary file, makes the same sorted book.
func TestBuilder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	type key struct {
		key  uint64
		move rawMove
	}
	sums := map[key]uint64{}
	type added struct {
		key
		weight uint32
	}
	var all []added
	for range 20000 { // of one place among those that rows are dealt to: more than it holds in memory
		k := key{uint64(random.IntN(900)), rawMove(random.IntN(5))}
		w := uint32(random.IntN(200))
		sums[k] += uint64(w)
		all = append(all, added{k, w})
	}
	make := func(list []added) *bytes.Buffer {
		b := newBuilder()
		defer b.rows.Close()
		for _, a := range list {
			if err := b.addRaw(a.key.key, a.move, a.weight); err != nil {
				t.Fatal(err)
			}
		}
		out := new(bytes.Buffer)
		if err := b.write(out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	a := make(all)
	// The sums alone, which need no file, in another order.
	var few []added
	for k, w := range sums {
		few = append(few, added{k, uint32(w)})
	}
	if b := make(few); !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Error("other bytes by way of a temporary file")
	}
	book := NewBook(bytes.NewReader(a.Bytes()), int64(a.Len()))
	if book.entries != int64(len(sums)) {
		t.Fatalf("%d entries, not %d", book.entries, len(sums))
	}
	var last *entry
	for e, err := range book.all() {
		if err != nil {
			t.Fatal(err)
		}
		if uint64(e.weight) != sums[key{e.key, e.move}] {
			t.Errorf("%x %s: weight %d, not %d", e.key, e.move, e.weight, sums[key{e.key, e.move}])
		}
		if last != nil && last.compare(e) >= 0 {
			t.Errorf("%+v before %+v", *last, e)
		}
		last = &e
	}
}

// Weights beyond 65535 are scaled by position, and none that is above 0 comes to 0.
func TestScale(t *testing.T) {
	b := newBuilder()
	for _, s := range []struct {
		key    uint64
		move   rawMove
		weight uint32
	}{{1, 1, 1 << 31}, {1, 1, 1 << 31}, {1, 2, 1 << 31}, {1, 3, 1}, {1, 4, 0}, {2, 1, 70}, {2, 2, 0}} {
		if err := b.addRaw(s.key, s.move, s.weight); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if err := b.write(&out); err != nil {
		t.Fatal(err)
	}
	var got []uint16
	for e, err := range NewBook(bytes.NewReader(out.Bytes()), int64(out.Len())).all() {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, e.weight)
	}
	if want := []uint16{65535, 32767, 1, 0, 70, 0}; !slices.Equal(got, want) {
		t.Errorf("weights %d, not %d", got, want)
	}
}

func TestBadBooks(t *testing.T) {
	good := entry{key: 5, move: 1}.appendTo(nil)
	for _, c := range []struct {
		name   string
		data   []byte
		err    error
		entry  int64
		offset int64
		n      int
	}{
		{"a half entry", append(slices.Clone(good), 1, 2), codec.ErrTruncated, 1, 16, 1},
		{"not sorted", append(slices.Clone(good), entry{key: 4}.appendTo(nil)...), codec.ErrCorrupt, 1, 16, 2},
	} {
		n := 0
		var errs []error
		for _, err := range NewBook(bytes.NewReader(c.data), int64(len(c.data))).all() {
			if err != nil {
				errs = append(errs, err)
			}
			if !errors.Is(err, codec.ErrTruncated) {
				n++
			}
		}
		var e *codec.Error
		if len(errs) != 1 || !errors.Is(errs[0], c.err) || !errors.As(errs[0], &e) || e.Offset/entrySize != c.entry ||
			e.Offset != c.offset || n != c.n {
			t.Errorf("%s: %v, %d entries", c.name, errs, n)
		}
	}
	// A file that is shorter than it was said to be.
	for _, err := range NewBook(bytes.NewReader(good), 160).all() {
		if err != nil && !errors.Is(err, codec.ErrTruncated) {
			t.Error(err)
		}
	}
	// A move that is not legal where its key says.
	p := position.Start()
	bad := entry{key: p.Hash(), move: 12<<6 | 36, weight: 9}.appendTo(nil)
	bad = entry{key: p.Hash(), move: 12<<6 | 28, weight: 3}.appendTo(bad)
	book := NewBook(bytes.NewReader(bad), int64(len(bad)))
	var g game.Game
	err := readGame(book, &g, p)
	var e *codec.Error
	if !errors.Is(err, position.ErrIllegal) || !errors.As(err, &e) || e.Ply != 1 || g.Len() != 1 {
		t.Error(err, g.Len())
	}
	moves, err := book.Moves(nil, &p)
	if err != nil || len(moves) != 1 || moves[0].Weight != 3 || moves[0].Move.String() != "e2e4" {
		t.Error(moves, err)
	}
}
