// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"ply11/bitstream"
	"ply11/bitstream/archive/internal/clocks"
	"ply11/bitstream/dense"
	"ply11/game"
	"ply11/moveindex"
)

// refusal is an archive with one fault, and right checksums. Or it is sound, and looks as if it had one.
type refusal struct {
	Name string `json:"name"`
	// Part is what must be read to see the fault: header, block, footer, trailer, text, start (the position in which a
	// game begins), words (of column 2, by themselves), a column's number, or all, if only who makes the column again
	// can see it.
	Part    string `json:"part"`
	Later   bool   `json:"later,omitempty"` // it is refused as of a later version
	Sound   bool   `json:"sound,omitempty"` // it is not refused: it has what looks like a fault
	Archive string `json:"archive"`         // base64

	Bytes []byte `json:"-"`
	Text  string `json:"-"` // of a sound one
}

// forgedColumn is a column of Forge: it is stored as stored says, if that is not nil.
type forgedColumn struct {
	kind   ColumnKind
	comp   Compression
	raw    []byte
	stored []byte
}

// Forge makes an archive of one block of a sound one, whose columns and bytes are changed. All checksums but that of
// the text are right.
func Forge(t *testing.T, sound []byte, columns func([]forgedColumn) []forgedColumn, change func([]byte)) []byte {
	t.Helper()
	b := MustBlock(t, MustOpen(t, sound), 1)
	var list []forgedColumn
	for i := range b.head.columns {
		c := &b.head.columns[i]
		raw, err := b.column(c.kind)
		if err != nil {
			t.Fatal(err)
		}
		f := forgedColumn{c.kind, c.comp, bytes.Clone(raw), nil}
		if c.comp == Modelled {
			if f.stored, err = b.check(i); err != nil {
				t.Fatal(err)
			}
			f.stored = bytes.Clone(f.stored)
		}
		list = append(list, f)
	}
	if columns != nil {
		list = columns(list)
	}
	w := columnWriter{zstd: newZstd()}
	w.begin(nil)
	for _, c := range list {
		if c.stored == nil {
			c.stored = c.raw
			if c.comp == Zstd {
				c.stored = w.zstd.EncodeAll(c.raw, nil)
			}
		}
		at := len(w.data)
		w.data = append(w.data, c.stored...)
		w.add(column{kind: c.kind, comp: c.comp, raw: uint32(len(c.raw))}, at)
	}
	h := b.head
	var out bytes.Buffer
	r := MustOpen(t, sound)
	f := newFileWriter(&out, r.header)
	p := packedBlock{data: w.block(&h)}
	h.dense = h.find(ColumnDense) >= 0
	p.head = h
	if err := p.setKeys(b, r.header.flags&flagSearch != 0); err != nil {
		t.Fatal(err)
	}
	f.block(&p)
	f.props = r.root.props
	f.close()
	bad := out.Bytes()
	if change != nil {
		change(bad)
		Reseal(bad)
	}
	return bad
}

// with changes one column.
func with(kind ColumnKind, change func(c *forgedColumn)) func([]forgedColumn) []forgedColumn {
	return func(list []forgedColumn) []forgedColumn {
		for i := range list {
			if list[i].kind == kind {
				change(&list[i])
				return list
			}
		}
		panic("no such column")
	}
}

// RefusalText has something in every column, and numbers of two bytes.
const RefusalText = "; before\n[Event \"A\"]\n[Site \"S\"]\n[Result \"1-0\"]\n\n1. e4 {[%clk 0:03:00] [%emt 0:00:02] " +
	"[%eval 0.17] x} e5 (1... c5 2. Nf3) 2. Nf3 1-0\n\n" +
	"[Event \"A\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[SetUp \"1\"]\n\n1.   e3 {y} Ke7 *\n\n"

// ClockedText has so many numbers that each of their columns is modelled if the moves are dense.
var ClockedText = "[Event \"A\"]\n\n" + func() (s string) {
	for i := range 36 {
		move := []string{"Nf3", "Nf6", "Ng1", "Ng8"}[i%4]
		if i%2 == 0 {
			move = Itoa(i/2+1) + ". " + move
		}
		s += fmt.Sprintf("%s {[%%clk 0:03:%02d] [%%emt 0:00:%02d] [%%eval 0.%d]} ", move, 59-i-i%3, 1+i%3, 11+i%7)
	}
	return s + "*\n\n"
}()

// MakeRefusals makes the archives.
func MakeRefusals(t *testing.T) (list []refusal) {
	fixed, _ := MustPack(t, []byte(RefusalText))
	dense, _ := MustPack(t, []byte(RefusalText), WithDense(true))
	add := func(name, part string, later bool, bytes []byte) {
		list = append(list, refusal{Name: name, Part: part, Later: later,
			Archive: base64.StdEncoding.EncodeToString(bytes), Bytes: bytes})
	}
	footerOf := func(b []byte) []byte { return b[le.Uint64(b[len(b)-trailerSize+8:]):] }
	indexOf := func(b []byte) []byte { return b[le.Uint64(footerOf(b)[rootFixed:]):] }
	changed := func(name, part string, later bool, change func(b []byte)) {
		add(name, part, later, Forge(t, fixed, nil, change))
	}
	byteSet := func(name, part string, at int, v byte) {
		changed(name, part, true, func(b []byte) { b[(at+len(b))%len(b)] = v })
	}
	footer := func(name string, change func(f []byte)) {
		changed(name, "footer", false, func(b []byte) { change(footerOf(b)) })
	}
	columnOf := func(sound []byte, name string, kind ColumnKind, change func(c *forgedColumn)) {
		add(name, Itoa(int(kind)), false, Forge(t, sound, with(kind, change), nil))
	}
	column := func(name string, kind ColumnKind, change func(c *forgedColumn)) { columnOf(fixed, name, kind, change) }
	raw := func(name string, kind ColumnKind, raw []byte) {
		column(name, kind, func(c *forgedColumn) { c.raw = raw })
	}
	sound := func(name, text string, bytes []byte) {
		add(name, "", false, bytes)
		list[len(list)-1].Sound, list[len(list)-1].Text = true, text
	}

	for _, at := range []int{10, 11, 16, 27} {
		byteSet("byte "+Itoa(at)+" of the header is reserved", "header", at, 1)
	}
	changed("byte 11 of a part of the index is reserved", "footer", true, func(b []byte) { indexOf(b)[11] = 1 })
	changed("a part of the index has a level that is not known", "footer", true,
		func(b []byte) { indexOf(b)[8] = levels })
	for _, x := range []struct {
		name string
		set  uint32
	}{{"bit 22 is reserved", 1 << 22}, {"bit 31 is reserved", 1 << 31}, {"lines end by rule 5", 5 << 6},
		{"lines end by rule 7", 7 << 6}, {"3 lines end after a comment", 3 << 11}} {
		changed("of the flags of a layout, "+x.name, "block", true, func(b []byte) {
			le.PutUint32(b[headerSize+56:], x.set)
		})
	}
	byteSet("byte 6 of the trailer is reserved", "trailer", 6-trailerSize, 2)

	tagsFrame := func(name string, change func(frame []byte) []byte) {
		column(name, ColumnTags, func(c *forgedColumn) {
			c.comp, c.stored = Zstd, change(newZstd().EncodeAll(c.raw, nil))
		})
	}
	skippable := []byte{0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 'a', 'b', 'c'}
	empty := newZstd().EncodeAll([]byte{}, nil)
	if len(empty) == 0 { // the encoder makes no frame of nothing: one empty block, the last, and a size of 0
		empty = []byte{0x28, 0xb5, 0x2f, 0xfd, 0x20, 0, 1, 0, 0}
	}
	tagsFrame("a skippable frame before the column's", func(f []byte) []byte { return slices.Concat(skippable, f) })
	tagsFrame("a skippable frame after the column's", func(f []byte) []byte { return append(f, skippable...) })
	tagsFrame("an empty frame after the column's", func(f []byte) []byte { return append(f, empty...) })
	tagsFrame("a byte after the column's frame", func(f []byte) []byte { return append(f, 0) })
	column("a column of two frames", ColumnTags, func(c *forgedColumn) {
		z := newZstd()
		c.comp, c.stored = Zstd, z.EncodeAll(c.raw[10:], z.EncodeAll(c.raw[:10], nil))
	})
	column("a frame with a window of 128 MiB", ColumnTags, func(c *forgedColumn) {
		z, err := zstd.NewWriter(nil, zstd.WithSingleSegment(false), zstd.WithEncoderCRC(false))
		if err != nil {
			t.Fatal(err)
		}
		c.comp, c.stored = Zstd, z.EncodeAll(c.raw, nil)
		if c.stored[4]>>5&1 != 0 {
			t.Fatal("a single segment has no window")
		}
		c.stored[5] = 17 << 3
	})
	tagsFrame("a frame with a dictionary", func(f []byte) []byte {
		return slices.Concat(f[:4], []byte{f[4] | 1, 7}, f[5:])
	})

	for _, x := range []struct {
		sound []byte
		kind  ColumnKind
	}{{fixed, columnIndex}, {fixed, ColumnMoves}, {dense, ColumnDense}} {
		add("column "+Itoa(int(x.kind))+" is compressed", "block", false,
			Forge(t, x.sound, with(x.kind, func(c *forgedColumn) { c.comp = Zstd }), nil))
	}
	changed("a block without games that has tags", "block", false, func(b []byte) {
		h := b[headerSize:]
		for _, at := range []int{20, 24, 28, 36} { // games, words, plies, exceptions
			le.PutUint32(h[at:], 0)
		}
		f := footerOf(b)
		le.PutUint64(f[8:], 0)
		le.PutUint64(f[16:], 0)
		le.PutUint64(f[rootFixed+8:], 0)
		le.PutUint64(indexOf(b)[partFixed+8:], 0)
	})
	column("the padding of the moves is not all ones", ColumnMoves, func(c *forgedColumn) {
		last := &c.raw[len(c.raw)-1]
		if *last&0x80 == 0 {
			t.Fatal("the text leaves no padding")
		}
		*last &^= 0x80
	})
	for kind := columnIndex; kind <= columnGames; kind++ {
		from := fixed
		if kind >= ColumnDense {
			from = dense
		}
		for _, v := range []byte{0, 1} {
			columnOf(from, "a byte "+Itoa(int(v))+" more in column "+Itoa(int(kind)), kind,
				func(c *forgedColumn) { c.raw = append(c.raw, v) })
		}
	}
	columnOf(dense, "column 11 ends with a byte that changes none of its moves", ColumnDense,
		func(c *forgedColumn) { c.raw = append(c.raw, 1) })
	add("more than 8 plies for each byte of dense moves, and 1,024", "block", false, densely(t, sameGames(t, 1)))
	columnOf(dense, "a start position with 18 pieces of a side, in dense moves", columnGames, func(c *forgedColumn) {
		start := c.raw[2+1+1+1+1:] // after plies, results, no long games, one start, after one game
		for i := 8; i < 16; i++ {
			start[i] = 0x66 // pawns on the third and fourth rank
		}
	})
	for _, kind := range []ColumnKind{ColumnTags, ColumnAnnotations, columnClocks, columnTimes, columnEvals,
		columnExceptions, columnGames} {
		from, i := fixed, 0
		if kind == columnGames {
			from, i = dense, 2+1 // after the plies and the results of two games
		}
		columnOf(from, "a number of column "+Itoa(int(kind))+" in more bytes than it needs", kind,
			func(c *forgedColumn) {
				for c.raw[i]&0x80 != 0 {
					i++
				}
				c.raw = slices.Concat(c.raw[:i], []byte{c.raw[i] | 0x80, 0}, c.raw[i+1:])
			})
	}
	byteSet("the columns are in no order that is known", "block", headerSize+7, 0)
	add("a checksum of words is another", "words", false,
		Forge(t, fixed, with(columnIndex, func(c *forgedColumn) { c.raw[len(c.raw)-1] ^= 1 }), nil))
	footer("the footer has other flags than the header", func(f []byte) { f[40] ^= 1 })
	changed("a flag that a reader must know", "header", true, func(b []byte) {
		b[13] |= 0x80
		footerOf(b)[41] |= 0x80
	})
	footer("the footer tells of no part of the index", func(f []byte) { f[48] = 0 })
	footer("the footer tells of a part of another level", func(f []byte) { f[48], f[50] = 0, 1 })
	footer("the footer tells of 2^63 plies", func(f []byte) { f[23] |= 0x80 })
	footer("the footer tells of 2^63 bytes of text", func(f []byte) { f[31] |= 0x80 })
	footer("the footer has more blocks of dense moves than blocks", func(f []byte) { f[36] = 2 })
	for _, at := range []int{0, 8, 16, 20, 24} {
		add("byte "+Itoa(at)+" of an entry of the footer is another", "footer", false,
			unsealed(t, fixed, func(b []byte) []byte { return footerOf(b)[rootFixed+at:] }))
		add("byte "+Itoa(at)+" of an entry of the index is another", "footer", false,
			unsealed(t, fixed, func(b []byte) []byte { return indexOf(b)[partFixed+at:] }))
	}
	changed("a part of the index is of level 1", "footer", false, func(b []byte) { indexOf(b)[8] = 1 })
	changed("a part of the index has no entries", "footer", false, func(b []byte) { indexOf(b)[9] = 0 })
	state := hashWords + len(RefusalText)%hashBlock
	for _, x := range []struct {
		name, part string
		props      []property
	}{
		{"a property that a reader must know", "footer", []property{{"!new", "1"}}},
		{"two properties of a name", "footer", []property{{"a", "1"}, {"a", "2"}}},
		{"properties out of order", "footer", []property{{"b", "1"}, {"a", "2"}}},
		{"a property without a name", "footer", []property{{"", "1"}}},
		{"a property whose name is no text", "footer", []property{{"\xff", "1"}}},
		{"a property whose value is no text", "footer", []property{{"a", "\xff"}}},
		{"the hash's state is of another length", "footer", []property{{propertyHash, strings.Repeat("x", state+1)}}},
		{"the hash is another text's", "text", []property{{propertyHash, strings.Repeat("x", state)}}},
	} {
		add(x.name, x.part, x.props[0].name == "!new", forgeProperties(t, fixed, x.props))
	}
	column("a variation before the first move", ColumnAnnotations, func(c *forgedColumn) {
		// after the number of games, and of those without annotations before the first
		c.raw = slices.Insert(c.raw, 2, stepVariation)
	})
	column("a variation without a move", ColumnAnnotations, func(c *forgedColumn) {
		c.raw = slices.Insert(c.raw, bytes.IndexByte(c.raw, stepVariation)+1, stepReturn, stepVariation)
	})
	raw("a clock below 0", columnClocks, binary.AppendVarint(nil, -1))
	raw("a clock beyond 2^40", columnClocks, binary.AppendVarint(nil, 1<<40+1))
	raw("a time beyond 2^40", columnTimes, binary.AppendUvarint(nil, 1<<40+1))
	raw("an evaluation beyond 2^40", columnEvals, binary.AppendVarint(nil, -1<<40-1))
	modelledArchive, _ := MustPack(t, []byte(ClockedText), WithDense(true))
	for i, code := range []byte{textClock, textTime, textEval} {
		kind := columnClocks + ColumnKind(i)
		for _, x := range []struct {
			name   string
			change func(c *forgedColumn)
		}{
			{"a byte of 0 more", func(c *forgedColumn) { c.stored = append(c.stored, 0) }},
			{"a byte more that gives the same numbers", func(c *forgedColumn) { c.stored = append(c.stored, 1) }},
			{"a byte more when raw", func(c *forgedColumn) { c.raw = append(c.raw, 0) }},
			{"a byte less when raw", func(c *forgedColumn) { c.raw = c.raw[1:] }},
			{"a number beyond 2^40", func(c *forgedColumn) {
				var coder clocks.Coder
				coder.Encode([]byte{modelVersion})
				for range 36 {
					model(&coder, code, clocks.Limit+1)
				}
				c.stored = coder.Finish()
			}},
		} {
			columnOf(modelledArchive, fmt.Sprintf("column %d, modelled: %s", kind, x.name), kind,
				func(c *forgedColumn) {
					if c.comp != Modelled {
						t.Fatalf("column %d is not modelled", kind)
					}
					x.change(c)
				})
		}
	}
	codec := func(name string, later bool, kind ColumnKind, comp Compression) {
		add(name, "block", later, Forge(t, fixed,
			with(kind, func(c *forgedColumn) { c.comp, c.stored = comp, c.raw }), nil))
	}
	add("modelled numbers of version 2", "7", true, Forge(t, modelledArchive,
		with(columnClocks, func(c *forgedColumn) { c.stored[0]++ }), nil))
	codec("column 3 is modelled", false, ColumnTags, Modelled)
	codec("a column of codec 3", true, columnClocks, 3)
	before := func(text, with string) func(c *forgedColumn) {
		return func(c *forgedColumn) { c.raw = replaceOnce(t, c.raw, text, with+text) }
	}
	column("a comment that ends with byte 12", columnText, before("\x00", "\x0c"))
	named, _ := MustPack(t,
		[]byte("[White \"A\"]\n[Black \"B\"]\n[Date \"1999.01.01\"]\n[Result \"*\"]\n\n1. e4 *\n\n"))
	type columns = func(kinds []uint8, parts [][]byte) ([]uint8, [][]byte)
	for _, x := range []struct {
		name, part string
		change     columns
	}{
		{"a search part hides a year", "search", func(k []uint8, p [][]byte) ([]uint8, [][]byte) {
			p[0][0]++
			return k, p
		}},
		{"a search part hides a player", "search",
			func(k []uint8, p [][]byte) ([]uint8, [][]byte) { clear(p[1]); return k, p }},
		{"ranges of a search part that are too short", "index",
			func(k []uint8, p [][]byte) ([]uint8, [][]byte) { p[0] = p[0][1:]; return k, p }},
		{"columns of a search part out of order", "index",
			func(k []uint8, p [][]byte) ([]uint8, [][]byte) { k[0] = 255; return k, p }},
		{"no part of the index tells of a search part", "all",
			func(k []uint8, p [][]byte) ([]uint8, [][]byte) { return nil, nil }},
	} {
		add(x.name, x.part, false, ForgeSearch(t, named, x.change))
	}
	add("a filter is another game's", "all", false,
		Forge(t, fixed, with(ColumnFilter, func(c *forgedColumn) { c.raw[1] ^= 1 }), nil))
	tags := func(pairs ...string) func(c *forgedColumn) {
		return func(c *forgedColumn) {
			for i := 0; i < len(pairs); i += 2 {
				c.raw = replaceOnce(t, c.raw, pairs[i], pairs[i+1])
			}
		}
	}
	column("a name that no game has a tag of", ColumnTags, tags("\x05Event", "\x06Event", "SetUp\x00",
		"SetUp\x00None\x00"))
	column("more shapes of tags than games", ColumnTags, tags("\x02\x03\x00\x01\x02\x03\x00\x03\x04",
		"\x03\x03\x00\x01\x02\x03\x00\x03\x04\x00"))
	raw("no names of tags", ColumnTags, []byte{0, 1, 0})
	columnOf(named, "more than 262,144 numbers in the shapes of tags", ColumnTags, func(c *forgedColumn) {
		c.raw = slices.Concat([]byte("\x01A\x00\x01"), binary.AppendUvarint(nil, maxTagNames+1),
			make([]byte, maxTagNames+1), bytes.Repeat([]byte{tagSame}, maxTagNames+1))
		c.comp, c.stored = Zstd, nil
	})
	changed("a text of more than 2^25 bytes", "block", false,
		func(b []byte) { le.PutUint64(b[headerSize+40:], maxBlock+1) })
	huge := func(c *forgedColumn) {
		c.raw = append(c.raw, make([]byte, maxColumn-len(c.raw))...)
		c.comp, c.stored = Zstd, nil
	}
	add("columns of more than 2^25 bytes", "block", false, Forge(t, fixed, func(list []forgedColumn) []forgedColumn {
		for _, kind := range []ColumnKind{ColumnTags, columnText} {
			list = with(kind, huge)(list)
		}
		return list
	}, nil))
	const tagged, value = 100, maxBlock/100 - 1
	for v := value; v < value+2; v++ {
		column := slices.Concat([]byte("\x01A\x00\x01\x01\x00"), bytes.Repeat([]byte("v"), v), []byte{tagEnd},
			bytes.Repeat([]byte{tagSame}, tagged-1))
		bad := oneTag(t, tagged, column)
		if v > value {
			add("tags of more than 2^25 bytes", "3", false, bad)
		} else if b, err := MustOpen(t, bad).Block(1); err != nil || b.Tags(1, new(game.Game)) != nil {
			t.Fatalf("tags of %d bytes are refused: %v", tagged*(v+1), err)
		}
	}
	const text = "1. e4 *\n\n"
	// patched adds an archive of n games whose texts are patches of long ones.
	patched := func(name string, n int, nags []byte) {
		short, _ := MustPack(t, []byte(strings.Repeat(text, n)))
		patch := slices.Concat([]byte{0, exceptPatch, 1, byte(len(text))}, []byte(text), []byte{0, 0})
		add(name, "text", false, Forge(t, short, withColumns(
			forgedColumn{kind: ColumnAnnotations, comp: Zstd, raw: nags},
			forgedColumn{kind: columnExceptions, raw: append([]byte{0, byte(n)}, bytes.Repeat(patch, n)...)}),
			func(b []byte) { le.PutUint32(b[headerSize+36:], uint32(n)) })) // games with an exception
	}
	known, _ := MustPack(t, []byte(text))
	add("a start that is not known, of a valid game", "10", false, Forge(t, known,
		withColumns(forgedColumn{kind: columnExceptions, raw: []byte{0, 1, 0, exceptUnknown}}),
		func(b []byte) { le.PutUint32(b[headerSize+36:], 1) }))
	nags := slices.Concat([]byte{1, 0, 32}, bytes.Repeat([]byte{stepNAG, 255}, maxColumn/2-8), []byte{0})
	patched("a patch of more than 2^25 bytes", 1, nags)
	nags = slices.Concat([]byte{32}, bytes.Repeat([]byte{stepNAG, 255}, maxColumn/8), []byte{0, 0})
	patched("patches that are together of more than 2^25 bytes", 4,
		append([]byte{4, 0}, bytes.Repeat(nags, 4)[:4*len(nags)-1]...))
	soundColumn := func(name string, kind ColumnKind, change func(c *forgedColumn)) {
		sound(name, RefusalText, Forge(t, fixed, with(kind, change), nil))
	}
	soundColumn("a name of tags that is there twice", ColumnTags, tags("\x05Event", "\x06Event", "SetUp\x00",
		"SetUp\x00Event\x00", "\x03\x00\x03\x04", "\x03\x05\x03\x04", "A\x00\x01S", "A\x00S",
		"1\x001\x00", "1\x001\x00A\x00"))
	games := sameGames(t, 0)
	exact, _ := MustPack(t, []byte(games), WithDense(true), WithFilter(false), WithBlockGames(1000))
	if b, err := MustOpen(t, exact).Block(1); err != nil || !b.head.dense ||
		b.Plies() != maxDensePlies(int(b.head.columns[b.head.find(ColumnDense)].stored)) {
		t.Fatalf("the games are not as many plies as can be: %v", err)
	}
	if _, s := MustPack(t, []byte(sameGames(t, 1)), WithDense(true), WithBlockGames(1000)); s.Fixed != 1 {
		t.Errorf("a ply more than may be is dense: %+v", s)
	}
	zeros := "1. e4 {[%emt 0:00:00] [%emt 0:00:00]} *\n"
	short, _ := MustPack(t, []byte(zeros), WithDense(true))
	if c := MustBlock(t, MustOpen(t, short), 1).Columns(); !slices.ContainsFunc(c, func(c Column) bool {
		return c.Compression == Modelled && c.Stored == 1
	}) {
		t.Fatal("the times take more than a byte")
	}
	sound("modelled numbers that take no byte but the version", zeros, short)
	sound("8 plies for each byte of dense moves, and 1,024", games, exact)
	soundColumn("a needless byte 3 in a tag", ColumnTags, before("S\x00", "\x03"))
	soundColumn("a needless byte 12 in a comment", columnText, before("x", "\x0c"))
	sound("two footers in succession", RefusalText,
		MustAppend(t, fixed, []AppendOption{WithMeta(map[string]string{"a": "b"})}))
	sound("a search part that tells of all years and ratings", RefusalText,
		ForgeSearch(t, fixed, func(k []uint8, p [][]byte) ([]uint8, [][]byte) {
			p[0] = []byte{0, 0, 0xff, 0xff, 0, 0, 0xff, 0xff}
			return k, p
		}))
	apart, _ := MustPack(t, []byte(RefusalText), WithBlockGames(1))
	edit := func(b []byte, site string) []byte {
		return MustEdit(t, b, []Change{{Game: 1, Set: []game.Tag{{Name: "Site", Value: site}}}})
	}
	edited := edit(edit(apart, "another"), "S")
	sound("a tag was changed, and changed back", RefusalText, edited)
	for _, x := range []struct {
		name   string
		change func(p, f []byte)
	}{
		{"an edited archive without the flag", func(_, f []byte) { f[40] &^= flagEdited }},
		{"an edited archive has a flag that its header does not have", func(_, f []byte) { f[42] ^= 1 }},
		{"an edited archive has other games than its footer", func(_, f []byte) { le.PutUint64(f[8:], 1) }},
		{"an edited archive tells of a block twice",
			func(p, _ []byte) { copy(p[partFixed:], p[partFixed+indexEntry:partFixed+2*indexEntry]) }},
		{"an edited archive tells of blocks in another order", func(p, _ []byte) {
			e := bytes.Clone(p[partFixed : partFixed+indexEntry])
			copy(p[partFixed:], p[partFixed+indexEntry:partFixed+2*indexEntry])
			copy(p[partFixed+indexEntry:], e)
		}},
		{"the footer has more blocks than there is room for", func(_, f []byte) {
			le.PutUint32(f[32:], 1<<20)
			le.PutUint32(f[rootFixed+20:], 1<<20)
		}},
	} {
		add(x.name, "footer", false, ForgeEdited(edited, x.change))
	}
	add("a move that is not legal", "text", false, IllegalMove(t, fixed))
	// The second game begins with 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1: square s has bits 4s to 4s + 3.
	for _, x := range []struct {
		what string
		bits []int
	}{
		{"two white kings", []int{0}},
		{"no black king", []int{240, 243}},
		{"a pawn on rank 1", []int{1, 2}},
		{"a piece of code 7", []int{64, 65, 66}},
		{"a piece of code 8", []int{67}},
		{"a right to castle without its rook", []int{257}},
		{"a file of a pawn that is not there", []int{261}},
		{"a file of 9", []int{261, 264}},
		{"move number 0", []int{273}},
		{"Black in check and White to move", []int{4 * 36, 4*36 + 2}},
	} {
		add("a start position with "+x.what, "start", false, wrongStart(t, fixed, x.bits...))
	}
	add("a byte follows the trailer", "trailer", false, append(bytes.Clone(fixed), 0))
	return list
}

// replaceOnce replaces a text that is there.
func replaceOnce(t *testing.T, b []byte, old, new string) []byte {
	if !bytes.Contains(b, []byte(old)) {
		t.Fatalf("%q has no %q", b, old)
	}
	return bytes.Replace(b, []byte(old), []byte(new), 1)
}

// withColumns adds columns.
func withColumns(more ...forgedColumn) func([]forgedColumn) []forgedColumn {
	return func(list []forgedColumn) []forgedColumn {
		list = append(list, more...)
		slices.SortFunc(list, func(a, b forgedColumn) int { return int(a.kind) - int(b.kind) })
		return list
	}
}

// sameGames returns the text of games that have so many plies more, fewer than eight, than their dense moves may have.
func sameGames(t *testing.T, more int) string {
	const line = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 *\n\n"
	last := ""
	if more > 0 {
		last = strings.Join(strings.Fields(line)[:more+(more+1)/2], " ") + " *\n\n"
	}
	over := func(games int) int { // how many plies more
		e := newEncoder(&options{}, newZstd())
		var lengths []uint32
		for i := range games + min(more, 1) {
			text := line
			if i == games {
				text = last
			}
			from := len(e.words)
			if err := e.main(Parse(t, text)); err != nil {
				t.Fatal(err)
			}
			lengths = append(lengths, uint32(len(e.words)-from))
		}
		coded, ok := appendDense(nil, new(dense.Encoder), e.words, lengths)
		if !ok {
			t.Fatal("the games cannot be dense")
		}
		return int(e.plies) - maxDensePlies(len(coded))
	}
	games := sort.Search(1000, func(n int) bool { return over(n) >= more })
	if n := over(games); n != more {
		t.Fatalf("%d games are %d plies more than may be, not %d", games, n, more)
	}
	return strings.Repeat(line, games) + last
}

// densely makes an archive of one block of dense moves, however many.
func densely(t *testing.T, text string) []byte {
	fixed, _ := MustPack(t, []byte(text), WithFilter(false), WithBlockGames(1000))
	r := MustOpen(t, fixed)
	b, err := r.Block(1)
	if err != nil || b.Len() != r.Len() {
		t.Fatal(err)
	}
	var words []moveindex.Index
	var lengths []uint32
	for i := range b.Len() {
		line, err := b.load(i)
		if err != nil {
			t.Fatal(err)
		}
		words = append(words, line...)
		lengths = append(lengths, uint32(len(line)))
	}
	coded, ok := appendDense(nil, new(dense.Encoder), words, lengths)
	if !ok {
		t.Fatal("the games cannot be dense")
	}
	return Forge(t, fixed, func(list []forgedColumn) []forgedColumn {
		list = slices.DeleteFunc(list, func(c forgedColumn) bool {
			return c.kind == columnIndex || c.kind == ColumnMoves
		})
		return withColumns(forgedColumn{kind: ColumnDense, raw: coded},
			forgedColumn{kind: columnGames, raw: appendGames(nil, words, lengths)})(list)
	}, nil)
}

// ForgeEdited changes the part of the index and the footer of an archive whose index is one part. All checksums and
// digests are right.
func ForgeEdited(b []byte, change func(part, footer []byte)) []byte {
	b = bytes.Clone(b)
	f := int(le.Uint64(b[len(b)-trailerSize+8:]))
	p := int(le.Uint64(b[f+rootFixed:]))
	was := bytes.Clone(b[p:f])
	change(b[p:f], b[f:len(b)-trailerSize])
	return resealTail(b, p, f, !bytes.Equal(was, b[p:f]))
}

// IllegalMove gives the first game the first move again, as the reply.
func IllegalMove(t *testing.T, fixed []byte) []byte {
	return changeWords(t, fixed, func(words []moveindex.Index) { words[1] = words[0] })
}

func wrongStart(t *testing.T, fixed []byte, bits ...int) []byte {
	return changeWords(t, fixed, func(words []moveindex.Index) {
		start := words[slices.Index(words, moveindex.Start)+1:]
		for _, i := range bits {
			start[i/moveindex.Bits] ^= 1 << (i % moveindex.Bits)
		}
	})
}

// changeWords changes the words of the first sixteen games. Their checksum is right, too.
func changeWords(t *testing.T, fixed []byte, change func([]moveindex.Index)) []byte {
	return Forge(t, fixed, func(list []forgedColumn) []forgedColumn {
		var index, moves *forgedColumn
		for i := range list {
			switch list[i].kind {
			case columnIndex:
				index = &list[i]
			case ColumnMoves:
				moves = &list[i]
			}
		}
		words := make([]moveindex.Index, len(moves.raw)*8/moveindex.Bits)
		bitstream.Unpack(words, moves.raw, 0)
		change(words)
		p := bitstream.NewPackerBytes(nil, 0)
		p.Words(words)
		copy(moves.raw, p.Bytes())
		le.PutUint32(index.raw[len(index.raw)-4:], checksum(moves.raw))
		return list
	}, nil)
}

// forgeProperties gives an archive other properties.
func forgeProperties(t *testing.T, sound []byte, props []property) []byte {
	t.Helper()
	r := MustOpen(t, sound)
	root := r.root
	root.props = props
	b := root.encode()
	out := append(bytes.Clone(sound[:r.end.at]), b...)
	return append(out, trailerOf(b, int64(r.end.at)).encode()...)
}

// unsealed changes a byte of an entry. All checksums are right, and so are all digests but that of this entry.
func unsealed(t *testing.T, sound []byte, at func([]byte) []byte) []byte {
	bad := bytes.Clone(sound)
	at(bad)[0] ^= 1
	f := MustOpen(t, sound).end.at
	return resealTail(bad, int(MustOpen(t, sound).root.top[0][0].at), int(f), !bytes.Equal(bad[:f], sound[:f]))
}

// resealTail makes the checksums and digests of a part of the index, if it is another, and of the footer right.
func resealTail(b []byte, index, footer int, part bool) []byte {
	seal := func(b []byte) { le.PutUint32(b[len(b)-4:], checksum(b[:len(b)-4])) }
	end := len(b) - trailerSize
	seal(b[index:footer])
	sum := digestOf(b[index:footer])
	if part {
		copy(b[footer+rootFixed+24:], sum[:])
	}
	seal(b[footer:end])
	sum = digestOf(b[footer:end])
	copy(b[end+20:], sum[:])
	seal(b[end:])
	return b
}
