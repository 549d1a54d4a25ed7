// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"ply11/game"
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

// TestNamesCostLittle reads columns of very many names: who asks for no tag by its name does not pay for that, and what cannot be is refused before it is
// kept.
func TestNamesCostLittle(t *testing.T) {
	const names = maxTagNames
	one, _ := MustPack(t, []byte("[Event \"A\"]\n\n1. e4 *\n\n"))
	open := func(column []byte) *Block {
		b, err := MustOpen(t, Forge(t, one, with(ColumnTags, func(c *forgedColumn) { c.comp, c.raw = Stored, column }), nil)).Block(1)
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

	more := open(append(append(binary.AppendUvarint(nil, 5<<20), make([]byte, 5<<20)...), bytes.Repeat([]byte{1}, 10<<20)...))
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
