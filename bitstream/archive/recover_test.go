// SPDX-License-Identifier: Apache-2.0

package archive_test

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"ply11/bitstream/archive"
	"ply11/game"
)

// TestRecoverSeveral recovers archives that were put together: all of their games come back; what is lost is told by
// its number among all.
func TestRecoverSeveral(t *testing.T) {
	archive.EachForm(t, func(t *testing.T, dense bool) {
		pack := func(name string, games int) ([]byte, string) {
			text := archive.TextOf(name, games)
			b, _ := archive.MustPack(t, []byte(text), archive.WithBlockGames(10),
				archive.WithDense(dense != (name == "b")))
			return b, text
		}
		a, textA := pack("a", 25)
		b, textB := pack("b", 40)
		none, _ := archive.MustPack(t, nil)
		spoilt := bytes.Clone(b)
		spoilt[20] ^= 1 // a byte of the header
		headless := bytes.Clone(b)
		clear(headless[:archive.HeaderSize])
		broken := bytes.Clone(a)
		broken[len(broken)-1] ^= 1 // the trailer
		dead := bytes.Clone(b)
		r := archive.MustOpen(t, b)
		second := archive.MustBlock(t, r, 2)
		dead[second.Columns()[slices.IndexFunc(second.Columns(), func(c archive.Column) bool {
			return c.Kind == archive.ColumnMoves || c.Kind == archive.ColumnDense
		})].Offset] ^= 1
		for _, x := range []struct {
			name  string
			parts [][]byte
			text  string
			lost  []archive.Range
		}{
			{"two", [][]byte{a, b}, textA + textB, nil},
			{"two, the larger first", [][]byte{b, a}, textB + textA, nil},
			{"the same twice", [][]byte{a, a}, textA + textA, nil},
			{"three", [][]byte{a, b, a}, textA + textB + textA, nil},
			{"an empty one between", [][]byte{a, none, b}, textA + textB, nil},
			{"an empty one first", [][]byte{none, b}, textB, nil},
			{"the second's header is damaged", [][]byte{a, spoilt}, textA + textB, nil},
			{"the second's header is damaged, the larger first", [][]byte{b, a[:16], a[16:]}, textB + textA, nil},
			{"the second has no header", [][]byte{b, headless}, "", nil}, // its blocks are those of the first
			{"the first's trailer is damaged", [][]byte{broken, b}, textA + textB, nil},
			{"junk between", [][]byte{a, []byte("some junk"), b}, textA + textB, nil},
			{"junk before", [][]byte{[]byte("some junk"), a}, textA, nil},
			{"a block of the second is damaged", [][]byte{a, dead},
				textA + archive.TextOf("b", 10) + strings.Join(strings.SplitAfter(textB, "2. Nf3 *\n\n")[20:], ""),
				[]archive.Range{{36, 45}}},
		} {
			file := bytes.Join(x.parts, nil)
			out, rep := archive.Recovered(t, file)
			if rep.OK() {
				t.Errorf("%s: nothing is found", x.name)
				continue
			}
			if !slices.Equal(rep.Lost, x.lost) || len(rep.Partial) > 0 {
				t.Errorf("%s: lost %v, want %v; partial %v; %v", x.name, rep.Lost, x.lost, rep.Partial, rep.Errors)
			}
			if x.text == "" {
				continue
			}
			if got := archive.MustUnpack(t, out); string(got) != x.text {
				t.Errorf("%s: %s\n%v", x.name, archive.FirstDifference([]byte(x.text), got), rep.Errors)
			}
			if found, err := archive.Verified(out); err != nil || !found.OK() || found.Games != rep.Games {
				t.Errorf("%s: what was recovered is not whole: %v, %v", x.name, found.Errors, err)
			}
			if strings.HasPrefix(x.name, "two") && !strings.Contains(rep.Errors[0].Error(),
				"another archive begins here") {
				t.Errorf("%s: %v", x.name, rep.Errors)
			}
		}
	})
}

// TestRecoverColumns spoils each column of a block: games whose moves are sound come back with all sound columns.
func TestRecoverColumns(t *testing.T) {
	archive.EachForm(t, func(t *testing.T, dense bool) {
		text := archive.TextOf("a", 340)
		data, _ := archive.MustPack(t, []byte(strings.Replace(text, "1. e4 {c} e5", "1.  e4 {c} e5", 1)),
			archive.WithDense(dense))
		b := archive.MustBlock(t, archive.MustOpen(t, data), 1)
		for _, c := range b.Columns() {
			bad := bytes.Clone(data)
			bad[c.Offset+c.Stored/2] ^= 1
			out, rep := archive.Recovered(t, bad)
			all := []archive.Range{{1, 340}}
			if c.Kind >= archive.ColumnAncillary { // nothing is lost
				if got := archive.MustUnpack(t, out); len(rep.Lost)+len(rep.Partial) > 0 || rep.OK() ||
					!bytes.Equal(got, archive.MustUnpack(t, data)) {
					t.Errorf("%v: lost %v, partial %v, or another text", c.Kind, rep.Lost, rep.Partial)
				}
				continue
			}
			if c.Kind == archive.ColumnMoves || c.Kind == archive.ColumnDense || c.Kind == archive.ColumnGames {
				if !slices.Equal(rep.Lost, all) || rep.Games != 0 {
					t.Errorf("%v: %d games, lost %v, partial %v", c.Kind, rep.Games, rep.Lost, rep.Partial)
				}
				continue
			}
			if len(rep.Lost) > 0 || !slices.Equal(rep.Partial, all) || rep.Games != 340 {
				t.Errorf("%v: %d games, lost %v, partial %v", c.Kind, rep.Games, rep.Lost, rep.Partial)
				continue
			}
			r := archive.MustOpen(t, out)
			if !r.Canonical() {
				t.Errorf("%v: the layout is not all kept, and the archive does not say so", c.Kind)
			}
			if got, err := r.Block(1); err != nil || got.Dense() != dense {
				t.Errorf("%v: another form, %v", c.Kind, err)
			}
			var g game.Game
			for n := 1; n <= 340; n++ {
				if err := r.Game(n, &g); err != nil || g.Len() != 3 {
					t.Fatalf("%v: game %d: %d plies, %v", c.Kind, n, g.Len(), err)
				}
				if hasTags := g.Tag("Event") == "a "+archive.Itoa(int(n)); hasTags != (c.Kind != archive.ColumnTags) {
					t.Fatalf("%v: game %d: tags %v", c.Kind, n, g.Tags)
				}
				if annotated := !g.Plain(); annotated != (c.Kind != archive.ColumnAnnotations &&
					c.Kind != archive.ColumnText) {
					t.Fatalf("%v: game %d is annotated: %v", c.Kind, n, annotated)
				}
			}
		}
	})
}

// TestVerifyShortened verifies archives that became shorter than they are said to be: it ends, and none is whole. Where
// the data of a block is gone, it is an error of reading.
func TestVerifyShortened(t *testing.T) {
	data, _ := archive.MustPack(t, []byte(archive.TextOf("a", 9)), archive.WithBlockGames(3))
	p, err := archive.MustOpen(t, data).Place(2)
	if err != nil {
		t.Fatal(err)
	}
	from := int(p.Offset) + int(archive.Le.Uint16(data[p.Offset+4:]))
	for n := range data {
		rep, err := archive.Verify(t.Context(), bytes.NewReader(data[:n]), int64(len(data)))
		if err == nil && rep.OK() || n >= from && n < int(p.Offset+p.Size) && err != io.ErrUnexpectedEOF {
			t.Errorf("%d of %d bytes: %v, %v", n, len(data), rep.Errors, err)
		}
	}
}

// TestManyCopies verifies an archive with more copies of a block than there are errors in a report.
func TestManyCopies(t *testing.T) {
	data, _ := archive.MustPack(t, []byte(archive.TextOf("a", 2)), archive.WithBlockGames(1))
	p, err := archive.MustOpen(t, data).Place(1)
	if err != nil {
		t.Fatal(err)
	}
	end := p.Offset + p.Size
	bad := slices.Concat(data[:end], bytes.Repeat(data[p.Offset:end], 2500), data[end:])
	out, rep := archive.Recovered(t, bad)
	if got := string(archive.MustUnpack(t, out)); got != archive.TextOf("a", 2) || len(rep.Errors)+rep.More < 2500 {
		t.Errorf("%d errors and %d more, %q", len(rep.Errors), rep.More, got)
	}
}
