// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ply11/game"
	"ply11/game/codec"
)

// ForgeNames gives a name in the column of tags of an archive of one block another spelling.
func ForgeNames(t *testing.T, sound []byte, from, to string) []byte {
	return Forge(t, sound, with(ColumnTags, func(c *forgedColumn) {
		if bytes.Count(c.raw, []byte(from+"\x00")) != 1 {
			t.Fatalf("the column %q has no name %q", c.raw, from)
		}
		c.raw = bytes.Replace(c.raw, []byte(from+"\x00"), []byte(to+"\x00"), 1)
	}), nil)
}

// TestNamesCostLittle reads columns of very many names: who asks for no tag by its name does not pay for that, and what
// cannot be is refused before it is kept.
func TestNamesCostLittle(t *testing.T) {
	const names = maxTagNames
	one, _ := MustPack(t, []byte("[Event \"A\"]\n\n1. e4 *\n\n"))
	open := func(column []byte) *Block {
		b, err := MustOpen(t, Forge(t, one, with(ColumnTags, func(c *forgedColumn) { c.comp, c.raw = Stored, column }),
			nil)).Block(1)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	column := append(binary.AppendUvarint(nil, names), make([]byte, names)...) // names without letters
	idle := append(bytes.Clone(column), 1, 0)                                  // that no game has
	column = binary.AppendUvarint(append(column, 1), names)
	for id := range names {
		column = binary.AppendUvarint(column, uint64(id))
	}
	column = append(column, bytes.Repeat([]byte{tagSame}, names)...)

	b := open(column)
	before := allocated()
	if _, err := b.column(ColumnTags); err != nil {
		t.Fatal(err)
	}
	if took := allocated() - before; took > 200*names { // 132 when this was written
		t.Errorf("%d names cost %d bytes", names, took)
	}
	for range 3 {
		for _, name := range []string{"", "Event", "Site"} {
			if value, ok, err := b.Tag(1, name); value != "" || ok != (name == "") || err != nil {
				t.Errorf("%q: %q, %v, %v", name, value, ok, err)
			}
		}
	}
	if len(b.tags.walks) != 3 {
		t.Errorf("three names have %d walks", len(b.tags.walks))
	}

	more := open(append(append(binary.AppendUvarint(nil, 5<<20), make([]byte, 5<<20)...),
		bytes.Repeat([]byte{1}, 10<<20)...))
	before = allocated()
	if _, err := more.column(ColumnTags); !errors.Is(err, ErrCorrupt) {
		t.Errorf("five million names: %v", err)
	}
	if took := allocated() - before; took > names {
		t.Errorf("five million names cost %d bytes", took)
	}

	b = open(idle)
	var g game.Game
	before = allocated()
	if err := b.Tags(1, &g); !errors.Is(err, ErrCorrupt) {
		t.Errorf("names that no game has: %v", err)
	}
	if took := allocated() - before; took > names {
		t.Errorf("%d names that no game has cost %d bytes", names, took)
	}
}

// TestPackManyShapes packs games that have more tags, each in another order, than a block may have numbers of names.
func TestPackManyShapes(t *testing.T) {
	var b strings.Builder
	const games = 290
	rnd := rand.New(rand.NewPCG(1, 262144))
	for range games {
		for range 1000 {
			b.WriteString("[" + string(rune('A'+rnd.IntN(26))) + " \"\"]\n")
		}
		b.WriteString("\n*\n\n")
	}
	if games*1000 < maxTagNames+1000 || b.Len() > mostText {
		t.Fatalf("%d bytes", b.Len())
	}
	EachForm(t, func(t *testing.T, dense bool) {
		data, stats := MustPack(t, []byte(b.String()), WithDense(dense))
		if stats.Games != games || stats.Invalid != 0 {
			t.Fatalf("%+v", stats)
		}
		if got := MustUnpack(t, data); string(got) != b.String() {
			t.Error(FirstDifference([]byte(b.String()), got))
		}
	})
}

// TestWriterManyTags writes games of the most tags, each in another order, and one of more.
func TestWriterManyTags(t *testing.T) {
	const most = maxTagNames / 4
	var out bytes.Buffer
	w := NewWriter(&out)
	g := game.New()
	for i := range 5 {
		g.Tags = g.Tags[:0]
		for k := range most {
			g.Tags = append(g.Tags, game.Tag{Name: []string{"A", "B"}[min(k/(i+1), 1)]})
		}
		if err := w.Write(g); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if rep := Whole(t, out.Bytes()); rep.Games != 5 {
		t.Errorf("%+v", rep)
	}
	g.Tags = append(g.Tags, game.Tag{Name: "A"})
	if err := NewWriter(&out).Write(g); !errors.Is(err, codec.ErrLimit) {
		t.Errorf("%d tags: %v", len(g.Tags), err)
	}
}

// oneTag makes a canonical archive of one block with this column of tags. The CRC of its text is not right.
func oneTag(t *testing.T, games int, column []byte) []byte {
	sound, _ := MustPack(t, []byte(strings.Repeat("[A \"v\"]\n\n1. e4 *\n\n", games)), WithCanonical(true))
	return Forge(t, sound, with(ColumnTags, func(c *forgedColumn) { c.comp, c.raw, c.stored = Zstd, column, nil }),
		nil)
}

// TestShortTexts copies games of large columns and small texts: a block ends for what its columns hold.
func TestShortTexts(t *testing.T) {
	column := slices.Concat([]byte("\x01A\x00\x01\x01\x00"), bytes.Repeat([]byte("v"), 3<<20), []byte{tagEnd},
		bytes.Repeat([]byte("w"), 3<<20), []byte{tagEnd})
	patch := []byte{0, exceptPatch, 1, 1, 'x', 0, 0}
	short := Forge(t, oneTag(t, 2, column), withColumns(forgedColumn{kind: columnExceptions,
		raw: slices.Concat([]byte{0, 2}, patch, patch)}), func(b []byte) { le.PutUint32(b[headerSize+36:], 2) })
	b := MustBlock(t, MustOpen(t, short), 1)
	if text, err := b.AppendText(nil, 1, nil); err != nil || string(text) != "x" {
		t.Fatalf("%.20q, %v", text, err)
	}
	var out bytes.Buffer
	w := NewSelection(&out)
	for i := range 8 {
		if err := w.Copy(b, 1+i%2); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	rep, err := Verified(out.Bytes())
	if err != nil || !rep.OK() || rep.Games != 8 || string(MustUnpack(t, out.Bytes())) != strings.Repeat("x\n", 7)+"x" {
		t.Errorf("%+v, %v", rep, err)
	}
}

// TestLargeGames recovers and edits a game that is larger than a Writer takes: readers take it.
func TestLargeGames(t *testing.T) {
	large := strings.Repeat("v", 5<<20)
	data := oneTag(t, 2, []byte("\x01A\x00\x01\x01\x00"+large+"\x00w\x00"))
	check := func(data []byte, second string) {
		t.Helper()
		r := MustOpen(t, data)
		for n, want := range []string{large, second} {
			var g game.Game
			if err := r.Game(n+1, &g); err != nil || g.Tag("A") != want {
				t.Errorf("game %d: a tag of %d bytes, not %d, %v", n+1, len(g.Tag("A")), len(want), err)
			}
		}
	}
	out, rep := Recovered(t, data)
	if !slices.Equal(rep.Partial, []Range{{1, 2}}) {
		t.Fatalf("%+v", rep)
	}
	check(out, "w")
	check(MustEdit(t, data, []Change{{Game: 2, Set: []game.Tag{{Name: "A", Value: "x"}}}}), "x")
}

// TestRecoverTooLarge recovers blocks of which no block can be made that is short enough: their columns have a name
// twice. They are lost, and what follows is not.
func TestRecoverTooLarge(t *testing.T) {
	for _, x := range []struct {
		games int
		value string
	}{{5, "v"}, {7, `"`}} { // a column over 16 MiB, and a text over 32
		games := x.games
		column := []byte("\x02A\x00A\x00\x01\x02\x00\x01")
		for _, c := range []string{x.value, "w"} {
			column = slices.Concat(column, bytes.Repeat([]byte(c), 2<<20), []byte{tagEnd},
				bytes.Repeat([]byte{tagSame}, games-1))
		}
		data := oneTag(t, games, column)
		if err := MustOpen(t, data).Game(games, new(game.Game)); err != nil {
			t.Fatal(err)
		}
		small, _ := MustPack(t, []byte(TextOf("a", 3)), WithCanonical(true))
		both := MustAppend(t, data, nil, small)
		out, rep := Recovered(t, both)
		if !slices.Equal(rep.Lost, []Range{{1, games}}) || rep.Games != 3 || MustOpen(t, out).Len() != 3 {
			t.Errorf("%d games: %+v", games, rep)
		}
		f := &MemFile{B: bytes.Clone(data), Left: -1}
		if _, err := Edit(t.Context(), f, int64(len(data)), []Change{{Game: 1, Delete: true}}); !errors.Is(err,
			codec.ErrLimit) || !bytes.Equal(f.B, data) {
			t.Errorf("%d games: Edit: %v", games, err)
		}
	}
}

// TestTagsTooLong reads a game with very many tags of one long value, which is there once.
func TestTagsTooLong(t *testing.T) {
	const tags = 100
	column := slices.Concat([]byte("\x01A\x00\x01"), []byte{tags}, make([]byte, tags), bytes.Repeat([]byte("v"), 1<<20),
		[]byte{tagEnd}, bytes.Repeat([]byte{tagSame}, tags-1))
	data := oneTag(t, 1, column)
	before := allocated()
	var g game.Game
	if err := MustOpen(t, data).Game(1, &g); !errors.Is(err, ErrCorrupt) {
		t.Errorf("Game: %v", err)
	}
	if _, err := MustOpen(t, data).AppendText(nil, 1); !errors.Is(err, ErrCorrupt) {
		t.Errorf("AppendText: %v", err)
	}
	if took := allocated() - before; took > 32<<20 {
		t.Errorf("they cost %d bytes", took)
	}
}
