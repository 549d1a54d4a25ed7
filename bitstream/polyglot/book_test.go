// SPDX-License-Identifier: Apache-2.0

package polyglot

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ply11/bitstream/codec"
	"ply11/chess"
	"ply11/game"
	"ply11/position"
)

// The key and the moves of positions that the format's specification gives.
func TestKeys(t *testing.T) {
	for _, c := range []struct {
		moves string
		key   uint64
	}{
		{"", 0x463b96181691fc9c},
		{"e2e4", 0x823c9b50fd114196},
		{"e2e4 d7d5", 0x0756b94461c50fb0},
		{"e2e4 d7d5 e4e5", 0x662fafb965db29d4},
		{"e2e4 d7d5 e4e5 f7f5", 0x22a48b5a8e47ff78},
		{"e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a607ca3f242c1},
		{"e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fdd303c946bdd9},
		{"a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c8123ea7b067637},
		{"a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f9b829b279560},
	} {
		p := position.Start()
		b := NewBuilder()
		for _, f := range strings.Fields(c.moves) {
			m, err := chess.ParseUCI(f)
			if err != nil {
				t.Fatal(err)
			}
			p.Make(m)
		}
		m := p.LegalMoves(nil)[0]
		if err := b.Add(&p, m, 1); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if _, err := b.WriteTo(&out); err != nil {
			t.Fatal(err)
		}
		e := decodeEntry((*[EntrySize]byte)(out.Bytes()))
		if e.Key != c.key {
			t.Errorf("%q: key %016x, not %016x", c.moves, e.Key, c.key)
		}
	}
}

// Sixteen bytes, big-endian: key, move, weight, learn.
func TestEntryBytes(t *testing.T) {
	raw := [EntrySize]byte{0x46, 0x3b, 0x96, 0x18, 0x16, 0x91, 0xfc, 0x9c, 0x03, 0x1c, 0x00, 0x07, 1, 2, 3, 4}
	e := decodeEntry(&raw)
	want := Entry{Key: 0x463b96181691fc9c, Move: 12<<6 | 28, Weight: 7, Learn: 0x01020304}
	if e != want || e.Move.String() != "e2e4" {
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
		if back, ok := r.Move(&p); !ok || back != m {
			t.Errorf("%s: %s is read as %s, %v", c.fen, r, back, ok)
		}
	}
	p := position.Start()
	for _, r := range []RawMove{0, 1 << 15, 5<<12 | 12<<6 | 28, 4<<6 | 7, 12<<6 | 36, 4<<12 | 12<<6 | 28} {
		if m, ok := r.Move(&p); ok {
			t.Errorf("%04x is read as %s", uint16(r), m)
		}
	}
	// Castling as the king's own step is read too.
	p, _ = position.ParseFEN("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
	if m, ok := RawMove(4<<6 | 6).Move(&p); !ok || m.String() != "e1g1" {
		t.Error(m, ok)
	}
}

// What is added in any order, with and without a temporary file, makes the same sorted book.
func TestBuilder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	type key struct {
		key  uint64
		move RawMove
	}
	sums := map[key]uint64{}
	type added struct {
		key
		weight uint32
	}
	var all []added
	for range 20000 { // of one place among those that rows are dealt to: more than it holds in memory
		k := key{uint64(random.IntN(900)), RawMove(random.IntN(5))}
		w := uint32(random.IntN(200))
		sums[k] += uint64(w)
		all = append(all, added{k, w})
	}
	make := func(list []added) *bytes.Buffer {
		b := NewBuilder()
		defer b.Close()
		for _, a := range list {
			if err := b.addRaw(a.key.key, a.move, a.weight); err != nil {
				t.Fatal(err)
			}
		}
		out := new(bytes.Buffer)
		if _, err := b.WriteTo(out); err != nil {
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
	if book.Len() != int64(len(sums)) {
		t.Fatalf("%d entries, not %d", book.Len(), len(sums))
	}
	var last *Entry
	for e, err := range book.All() {
		if err != nil {
			t.Fatal(err)
		}
		if uint64(e.Weight) != sums[key{e.Key, e.Move}] {
			t.Errorf("%x %s: weight %d, not %d", e.Key, e.Move, e.Weight, sums[key{e.Key, e.Move}])
		}
		if last != nil && last.Compare(e) >= 0 {
			t.Errorf("%+v before %+v", *last, e)
		}
		last = &e
	}
	for k := range uint64(901) {
		got, err := book.Lookup(nil, k)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for s := range sums {
			if s.key == k {
				n++
			}
		}
		if len(got) != n {
			t.Errorf("key %d: %d entries, not %d", k, len(got), n)
		}
	}
}

// Weights beyond 65535 are scaled by position, and none that is above 0 comes to 0.
func TestScale(t *testing.T) {
	b := NewBuilder()
	for _, s := range []struct {
		key    uint64
		move   RawMove
		weight uint32
	}{{1, 1, 1 << 31}, {1, 1, 1 << 31}, {1, 2, 1 << 31}, {1, 3, 1}, {1, 4, 0}, {2, 1, 70}, {2, 2, 0}} {
		if err := b.addRaw(s.key, s.move, s.weight); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if _, err := b.WriteTo(&out); err != nil {
		t.Fatal(err)
	}
	var got []uint16
	for e, err := range NewBook(bytes.NewReader(out.Bytes()), int64(out.Len())).All() {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, e.Weight)
	}
	if want := []uint16{65535, 32767, 1, 0, 70, 0}; !slices.Equal(got, want) {
		t.Errorf("weights %d, not %d", got, want)
	}
}

func TestBadBooks(t *testing.T) {
	good := Entry{Key: 5, Move: 1}.appendTo(nil)
	for _, c := range []struct {
		name   string
		data   []byte
		err    error
		entry  int64
		offset int64
		n      int
	}{
		{"a half entry", append(slices.Clone(good), 1, 2), codec.ErrTruncated, 1, 16, 1},
		{"not sorted", append(slices.Clone(good), Entry{Key: 4}.appendTo(nil)...), codec.ErrCorrupt, 1, 16, 2},
	} {
		n := 0
		var errs []error
		for _, err := range NewBook(bytes.NewReader(c.data), int64(len(c.data))).All() {
			if err != nil {
				errs = append(errs, err)
			}
			if !errors.Is(err, codec.ErrTruncated) {
				n++
			}
		}
		var e *codec.Error
		if len(errs) != 1 || !errors.Is(errs[0], c.err) || !errors.As(errs[0], &e) || e.Offset/EntrySize != c.entry || e.Offset != c.offset || n != c.n {
			t.Errorf("%s: %v, %d entries", c.name, errs, n)
		}
	}
	// A file that is shorter than it was said to be.
	for _, err := range NewBook(bytes.NewReader(good), 160).All() {
		if err != nil && !errors.Is(err, codec.ErrTruncated) {
			t.Error(err)
		}
	}
	// A move that is not legal where its key says.
	p := position.Start()
	bad := Entry{Key: p.Hash(), Move: 12<<6 | 36, Weight: 9}.appendTo(nil)
	bad = Entry{Key: p.Hash(), Move: 12<<6 | 28, Weight: 3}.appendTo(bad)
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
