// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ply11/game"
	"ply11/internal/testenv"
)

// editGame is a game of the model.
type editGame struct {
	tags []game.Tag
	rest string
}

func (g *editGame) text() string {
	var b strings.Builder
	for _, t := range g.tags {
		fmt.Fprintf(&b, "[%s \"%s\"]\n", t.Name, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(t.Value))
	}
	return b.String() + g.rest
}

func modelText(list []editGame) string {
	var b strings.Builder
	for i := range list {
		b.WriteString(list[i].text())
	}
	return b.String()
}

var editMoves = []string{"1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0", "1. d4 d5 2. c4 {a comment} e6 1/2-1/2", "1. c4 *", "1. Nf3  d5 2.g3 0-1", "1. e4 (1. d4 d5) 1... c5 $1 *",
	"1. e4 e5 2. Ke3 *", "*"}

func newEditGame(r *rand.Rand) editGame {
	g := editGame{rest: "\n" + editMoves[r.IntN(len(editMoves))] + "\n\n"}
	for _, name := range []string{"Event", "White", "Black", "Result", "Annotator"} {
		if r.IntN(6) > 0 {
			g.tags = append(g.tags, game.Tag{Name: name, Value: fmt.Sprintf(`%s "%c\ %d`, name, 'A'+r.IntN(20), r.IntN(9))})
		}
	}
	if len(g.tags) == 0 {
		g.tags = append(g.tags, game.Tag{Name: "Event", Value: "?"})
	}
	return g
}

// randomChange makes a change, and does it in the model. The games that are taken out are marked.
func randomChange(r *rand.Rand, list []editGame, gone []bool) (Change, bool) {
	i := r.IntN(len(list))
	c := Change{Game: i + 1}
	if gone[i] {
		return c, false
	}
	switch r.IntN(5) {
	case 0:
		c.Delete, gone[i] = true, true
	case 1:
		for {
			if list[i] = newEditGame(r); !strings.Contains(list[i].rest, "Ke3") {
				break
			}
		}
		c.Text = []byte(list[i].text())
		if i == len(list)-1 {
			list[i].rest = strings.TrimSuffix(list[i].rest, "\n")
		}
	default:
		if len(list[i].tags) > 2 && r.IntN(2) == 0 {
			c.Unset = []string{list[i].tags[r.IntN(len(list[i].tags))].Name}
		}
		if r.IntN(4) > 0 || len(c.Unset) == 0 {
			c.Set = append(c.Set, game.Tag{Name: []string{"White", "Site", "ECO"}[r.IntN(3)], Value: fmt.Sprintf(`Ünï "%d\`, r.IntN(99))})
		}
		list[i].tags = c.tags(slices.Clone(list[i].tags))
	}
	return c, true
}

// checkText verifies that an archive has a text, whichever way it is read, and that it is whole.
func checkText(t *testing.T, b []byte, want string) {
	t.Helper()
	r, err := NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	if r.Stats().Text != int64(len(want)) {
		t.Errorf("the footer tells of %d bytes of text, not %d", r.Stats().Text, len(want))
	}
	var got bytes.Buffer
	if _, err := Unpack(context.Background(), &got, r.Ordered()); err != nil || got.String() != want {
		t.Fatalf("the archive unpacks to %d bytes (%v), not %d\n%s\nnot\n%s", got.Len(), err, len(want), got.String(), want)
	}
	var text []byte
	for n := range r.Len() {
		if text, err = r.AppendText(text, n+1); err != nil {
			t.Fatal(err)
		}
	}
	if string(text) != want {
		t.Fatal("the games one by one have another text")
	}
	if said, err := explained(t, b); err != nil || strings.Contains(said, "wrong") {
		t.Fatal("explain", err)
	}
	rep, err := Verify(context.Background(), bytes.NewReader(b), int64(len(b)))
	if err != nil || !rep.OK() || rep.Text != int64(len(want)) {
		t.Fatal("verify", rep, err)
	}
	var out bytes.Buffer
	if rep, err := Recover(context.Background(), &out, bytes.NewReader(b), int64(len(b))); err != nil || !rep.OK() {
		t.Fatal("recover", rep, err)
	}
	got.Reset()
	if _, err := Unpack(context.Background(), &got, bytes.NewReader(out.Bytes())); err != nil || got.String() != want {
		t.Fatal("what is recovered is another text", err)
	}
}

func TestEditAgainstPlainText(t *testing.T) {
	for seed := range uint64(10) {
		r := rand.New(rand.NewPCG(seed, 31))
		var list []editGame
		for range 1 + r.IntN(200) {
			list = append(list, newEditGame(r))
		}
		last := &list[len(list)-1]
		last.rest = strings.TrimSuffix(last.rest, "\n")
		var out bytes.Buffer
		if _, err := Pack(context.Background(), &out, strings.NewReader(modelText(list)), WithBlockGames(1+r.IntN(9)), WithDense(seed%2 == 1)); err != nil {
			t.Fatal(err)
		}
		f := &memFile{b: out.Bytes(), left: -1}
		for round := range 4 {
			if len(list) == 0 {
				break
			}
			gone := make([]bool, len(list))
			var changes []Change
			for range r.IntN(8) {
				if c, ok := randomChange(r, list, gone); ok {
					changes = append(changes, c)
				}
			}
			before := bytes.Clone(f.b)
			stats, err := Edit(context.Background(), f, int64(len(f.b)), changes)
			if err != nil {
				t.Fatalf("seed %d, round %d: %v", seed, round, err)
			}
			if !bytes.Equal(f.b[:len(before)], before) {
				t.Fatal("the old bytes are not the same")
			}
			k := 0
			for i := range list {
				if !gone[i] {
					list[k] = list[i]
					k++
				}
			}
			list = list[:k]
			if stats.Games != len(list) || stats.Bytes != int64(len(f.b)) {
				t.Fatalf("seed %d: %d games in %d bytes, not %d in %d", seed, stats.Games, stats.Bytes, len(list), len(f.b))
			}
			checkText(t, f.b, modelText(list))
			if round == 2 && k > 0 { // games are added to what was edited
				more := []editGame{newEditGame(r), newEditGame(r)}
				var add bytes.Buffer
				if _, err := Pack(context.Background(), &add, strings.NewReader(modelText(more))); err != nil {
					t.Fatal(err)
				}
				if _, err := Append(context.Background(), f, int64(len(f.b)), []io.Reader{&add}); err != nil {
					t.Fatal(err)
				}
				list = append(list, more...)
				checkText(t, f.b, modelText(list))
			}
		}
		rd, err := NewReader(f, int64(len(f.b)))
		if err != nil {
			t.Fatal(err)
		}
		var small bytes.Buffer
		stats, err := Compact(context.Background(), &small, rd)
		if err != nil {
			t.Fatal(err)
		}
		if !stats.Hashed {
			t.Error("a compact archive has no hash")
		}
		var got bytes.Buffer
		if _, err := Unpack(context.Background(), &got, bytes.NewReader(small.Bytes())); err != nil || got.String() != modelText(list) {
			t.Fatal("the compact archive has another text", err)
		}
		again, err := NewReader(bytes.NewReader(small.Bytes()), int64(small.Len()))
		if err != nil {
			t.Fatal(err)
		}
		if dead, err := again.Dead(); dead != 0 || err != nil {
			t.Fatal("a compact archive has dead bytes", dead, err)
		}
	}
}

// TestEditInterrupted ends an edit after each number of bytes: the file is then the old archive, or, at the very end, the new one.
func TestEditInterrupted(t *testing.T) {
	old, _ := mustPack(t, []byte(sampleText), WithBlockGames(2))
	changes := []Change{{Game: 1, Set: []game.Tag{{Name: "White", Value: "X"}}}, {Game: 4, Delete: true}}
	f := &memFile{b: bytes.Clone(old), left: -1}
	if _, err := Edit(context.Background(), f, int64(len(old)), changes); err != nil {
		t.Fatal(err)
	}
	want, end := f.b, len(f.b)-len(old)
	if again := mustEdit(t, old, changes); !bytes.Equal(again, want) {
		t.Fatal("the same edit writes other bytes")
	}
	for left := range end {
		if !testenv.Long && left%11 != 0 && left < end-50 {
			continue
		}
		f := &memFile{b: bytes.Clone(old), left: left}
		if _, err := Edit(context.Background(), f, int64(len(old)), changes); !errors.Is(err, errFull) {
			t.Fatalf("%d bytes: %v", left, err)
		}
		r := mustOpen(t, f.b)
		if got := mustUnpack(t, f.b[:r.Stats().Bytes]); string(got) != sampleText {
			t.Fatalf("after %d bytes of %d the archive is another one", left, end)
		}
		f.left = -1 // and the next edit writes over what is left
		if left%7 == 0 {
			if _, err := Edit(context.Background(), f, int64(len(f.b)), changes); err != nil || !bytes.Equal(f.b, want) {
				t.Fatalf("after %d bytes the edit cannot be made again: %v", left, err)
			}
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	f = &memFile{b: bytes.Clone(old), left: -1}
	if _, err := Edit(ctx, f, int64(len(old)), changes); !errors.Is(err, context.Canceled) || !bytes.Equal(f.b, old) {
		t.Fatal("an edit that is ended changes the file", err)
	}
}

func mustEdit(t *testing.T, a []byte, changes []Change) []byte {
	t.Helper()
	f := &memFile{b: bytes.Clone(a), left: -1}
	if _, err := Edit(context.Background(), f, int64(len(a)), changes); err != nil {
		t.Fatal(err)
	}
	return f.b
}

// TestEditMoves verifies that tags are changed without the moves: the columns of the main lines, of annotations and of filters are the same bytes.
func TestEditMoves(t *testing.T) {
	eachForm(t, func(t *testing.T, dense bool) {
		old, _ := mustPack(t, []byte(sampleText+textOf("b", 30)), WithDense(dense), WithBlockGames(100))
		now := mustEdit(t, old, []Change{{Game: 2, Set: []game.Tag{{Name: "White", Value: "X"}, {Name: "New", Value: "y"}}, Unset: []string{"Site"}}})
		a, err := mustOpen(t, old).Block(1)
		if err != nil {
			t.Fatal(err)
		}
		b, err := mustOpen(t, now).Block(1)
		if err != nil {
			t.Fatal(err)
		}
		same := 0
		for i, c := range a.head.columns {
			if k := b.head.find(c.kind); k < 0 {
				t.Errorf("%v is gone", c.kind)
			} else if c.kind != ColumnTags && c.kind != columnExceptions {
				if same++; b.head.columns[k].sum != c.sum {
					t.Errorf("%v is another", a.Columns()[i].Kind)
				}
			}
		}
		if same < 3 {
			t.Error("there are too few columns to compare")
		}
	})
}

// TestEditLayouts changes tags of games in layouts of all sorts. Nothing else of the text changes.
func TestEditLayouts(t *testing.T) {
	for _, text := range []string{
		"[White \"a\"]\r\n[Black \"b\"]\r\n\r\n1. e4 *\r\n\r\n[White \"c\"]\r\n[Black \"b\"]\r\n\r\n1. d4 *\r\n",
		"[ White  \"a\" ]  [Black \"b\"]\n% an escape\n1.e4   *\n\n\n[White \"c\"]\n[Black \"b\"]\n1. d4 Ke3 *",
		"; lead\n[White \"a\"]\n[Black \"Sch\xe4fer\"]\n\n1. e4 *\n\n[White \"c\"]\n[Black \"M\xfcller\"]\n\n1. d4 (1. e4 {x\n y}) *\n",
		"[Black \"b\"]\n[White \"a \\\" \\\\ ]\"]\n\n1. e4 *\n\n[Black \"b\"]\n[White \"c\"]\n\n1. d4 *\n\n",
	} {
		for _, canonical := range []bool{false, true} {
			old, _ := mustPack(t, []byte(text), WithCanonical(canonical))
			before := mustUnpack(t, old)
			for n := 1; n <= 2; n++ {
				now := mustEdit(t, old, []Change{{Game: n, Set: []game.Tag{{Name: "White", Value: "Ö"}}}})
				r := mustOpen(t, now)
				var g game.Game
				if err := r.Tags(n, &g); err != nil || g.Tag("White") != "Ö" {
					t.Fatalf("%q: %v, %v", text, g.Tags, err)
				}
				after, err := io.ReadAll(r.Ordered())
				if err != nil {
					t.Fatal(err)
				}
				value := map[bool]string{true: "\xd6", false: "Ö"}[bytes.Contains(before, []byte("\xfc"))]
				was := []string{"a", "c"}[n-1]
				if strings.Contains(text, "\\") && n == 1 {
					was = `a \" \\ ]`
				}
				// The value is there once, between the quotes of a tag.
				want := bytes.Replace(before, []byte(`"`+was+`"`), []byte(`"`+value+`"`), 1)
				got := mustUnpack(t, after)
				got = bytes.Replace(got, []byte(`[White "`+value+`"]`), []byte(`[ White  "`+value+`" ]`), strings.Count(text, "[ White")*(2-n))
				if canonical {
					got = bytes.Replace(got, []byte(`[ White  "`+value+`" ]`), []byte(`[White "`+value+`"]`), 1)
				}
				if !bytes.Equal(got, want) {
					t.Errorf("canonical %v, game %d:\n%q\nnot\n%q", canonical, n, got, want)
				}
			}
		}
	}
}

func TestEditRefuses(t *testing.T) {
	old, _ := mustPack(t, []byte(sampleText))
	latin, _ := mustPack(t, []byte("[White \"\xe4\"]\n\n1. e4 *\n"))
	set := func(name, value string) []game.Tag { return []game.Tag{{Name: name, Value: value}} }
	for _, x := range []struct {
		a    []byte
		c    Change
		want error
		says string
	}{
		{old, Change{Game: 0, Delete: true}, ErrNoGame, "0 of"},
		{old, Change{Game: 1 << 30, Delete: true}, ErrNoGame, "of"},
		{old, Change{Game: 1, Set: set("FEN", "x")}, ErrChange, "belongs to the moves"},
		{old, Change{Game: 1, Unset: []string{"Variant"}}, ErrChange, "belongs to the moves"},
		{old, Change{Game: 1, Set: set("a b", "x")}, ErrChange, "name"},
		{old, Change{Game: 1, Set: set("", "x")}, ErrChange, "name"},
		{old, Change{Game: 1, Set: set("White", "x\ny")}, ErrChange, "line"},
		{old, Change{Game: 1, Set: set("White", "\xff")}, ErrChange, "UTF-8"},
		{old, Change{Game: 1, Set: set("White", strings.Repeat("x", maxTagValue+1))}, ErrChange, "bytes"},
		{old, Change{Game: 1, Text: []byte("1. e4 e5 2. Ke3 *")}, ErrChange, "illegal"},
		{old, Change{Game: 1, Text: []byte("1. e4 *\n\n1. d4 *")}, ErrChange, "more than one"},
		{old, Change{Game: 1, Text: []byte("")}, ErrChange, "EOF"},
		{latin, Change{Game: 1, Set: set("White", "Ж")}, ErrChange, "8859-1"},
		{latin, Change{Game: 1, Text: []byte("[White \"Ж\"]\n\n1. e4 *")}, ErrChange, "8859-1"},
	} {
		f := &memFile{b: bytes.Clone(x.a), left: -1}
		_, err := Edit(context.Background(), f, int64(len(f.b)), []Change{x.c})
		if !errors.Is(err, x.want) || !strings.Contains(err.Error(), x.says) {
			t.Errorf("%+v: %v", x.c, err)
		}
		if !bytes.Equal(f.b, x.a) {
			t.Errorf("%+v: the file is changed", x.c)
		}
	}
}

// TestEditedStream verifies that an archive with blocks that were replaced is not read from a pipe as if they were not.
func TestEditedStream(t *testing.T) {
	old, _ := mustPack(t, []byte(sampleText), WithBlockGames(2))
	now := mustEdit(t, old, []Change{{Game: 1, Delete: true}})
	if _, err := Unpack(context.Background(), io.Discard, bytes.NewReader(now)); !errors.Is(err, ErrEdited) {
		t.Error("Unpack:", err)
	}
	if _, err := Recode(context.Background(), io.Discard, []io.Reader{bytes.NewReader(now)}); !errors.Is(err, ErrEdited) {
		t.Error("Recode:", err)
	}
	// The same block twice without an index between is no edit.
	r := mustOpen(t, old)
	p, err := r.Place(1)
	if err != nil {
		t.Fatal(err)
	}
	twice := append(bytes.Clone(old[:p.Offset+p.Size]), old[p.Offset:p.Offset+p.Size]...)
	if _, err := Unpack(context.Background(), io.Discard, bytes.NewReader(twice)); !errors.Is(err, ErrCorrupt) {
		t.Error("a block twice:", err)
	}
}

// TestEditedPython has the reader in Python read archives that were edited, as they are and damaged.
func TestEditedPython(t *testing.T) {
	eachForm(t, func(t *testing.T, dense bool) {
		old, _ := mustPack(t, []byte(sampleText+textOf("b", 9)), WithDense(dense), WithBlockGames(2))
		now := mustEdit(t, old, []Change{{Game: 2, Delete: true}, {Game: 3, Delete: true}, {Game: 4, Delete: true}, {Game: 7, Set: []game.Tag{{Name: "White", Value: "X"}}}})
		again := mustEdit(t, now, []Change{{Game: 1, Set: []game.Tag{{Name: "White", Value: "Y"}}}, {Game: 5, Delete: true}})
		more, _ := mustPack(t, []byte(textOf("c", 3)))
		list := [][]byte{now, again, mustAppend(t, again, nil, more)}
		for i, said := range pythonReads(t, list) {
			if said != "" {
				t.Errorf("archive %d: %s", i, said)
			}
		}
		end := mustOpen(t, now)
		at := int64(end.end.at)
		for _, change := range []func(b []byte){
			func(b []byte) { b[at+40] &^= 2 }, // the flag
			func(b []byte) { le.PutUint64(b[at+8:], 1) },
		} {
			bad := bytes.Clone(now)
			change(bad)
			resum(bad, at, int64(end.end.size))
			if said := pythonReads(t, [][]byte{bad})[0]; said == "" {
				t.Error("the Python reader does not refuse a footer that is not that of the blocks")
			}
			if rep, err := Verify(context.Background(), bytes.NewReader(bad), int64(len(bad))); err != nil || rep.OK() {
				t.Error("Verify does not refuse it", err)
			}
		}
	})
}

// resum makes the checksums of a footer and of the trailer behind it right.
func resum(b []byte, at, size int64) {
	le.PutUint32(b[at+size-4:], checksum(b[at:at+size-4]))
	copy(b[at+size:], trailer{uint64(at), uint32(size), digestOf(b[at : at+size])}.encode())
}

// TestEditHostile changes bytes of the index and the footer of an archive that was edited, with right checksums and digests. Who reads it ends, with an error or the right text.
func TestEditHostile(t *testing.T) {
	old, _ := mustPack(t, []byte(sampleText), WithBlockGames(1))
	now := mustEdit(t, old, []Change{{Game: 2, Set: []game.Tag{{Name: "White", Value: "X"}}}, {Game: 3, Delete: true}})
	want, err := io.ReadAll(mustOpen(t, now).Ordered())
	if err != nil {
		t.Fatal(err)
	}
	want = mustUnpack(t, want)
	r := rand.New(rand.NewPCG(3, 1))
	refused := 0
	for range testenv.Pick(3000, 500) {
		bad := forgeEdited(now, func(part, footer []byte) {
			for range 1 + r.IntN(3) {
				b := part
				if r.IntN(3) == 0 {
					b = footer
				}
				i := 8 + r.IntN(len(b)-12)
				switch r.IntN(4) {
				case 0:
					b[i] ^= 1 << r.IntN(8)
				case 1:
					b[i] = byte(r.Uint32())
				default: // an entry in the place of another
					k, n := partFixed, (len(part)-partFixed-4)/indexEntry
					copy(part[k+indexEntry*r.IntN(n):][:indexEntry], part[k+indexEntry*r.IntN(n):][:indexEntry])
				}
			}
		})
		rep, err := Verify(context.Background(), bytes.NewReader(bad), int64(len(bad)))
		if err != nil && !errors.Is(err, ErrVersion) {
			t.Fatal(err)
		}
		rd, err := NewReader(bytes.NewReader(bad), int64(len(bad)))
		var got bytes.Buffer
		if err == nil {
			_, err = Unpack(context.Background(), &got, rd.Ordered(), WithWorkers(1))
		}
		if err != nil {
			refused++
			if rep.OK() && !errors.Is(err, ErrVersion) {
				t.Fatal("Verify finds nothing, and Unpack", err)
			}
		} else if got.String() != string(want) {
			t.Fatal("another text is taken for the archive's")
		}
	}
	if refused < 250 {
		t.Errorf("only %d were refused", refused)
	}
}

// TestEditedWithoutEnd: an edit whose end is lost is none.
func TestEditedWithoutEnd(t *testing.T) {
	old, _ := mustPack(t, []byte(sampleText), WithBlockGames(2))
	now := mustEdit(t, old, []Change{{Game: 1, Set: []game.Tag{{Name: "White", Value: "X"}}}, {Game: 4, Delete: true}})
	bad := bytes.Clone(now)
	clear(bad[len(bad)-trailerSize-100:])
	bad[len(bad)-1] = 1
	var out bytes.Buffer
	rep, err := Recover(context.Background(), &out, bytes.NewReader(bad), int64(len(bad)))
	if err != nil || rep.Unfinished != int64(len(now)-len(old)) || string(mustUnpack(t, out.Bytes())) != sampleText {
		t.Error(rep, err)
	}
	// A block that is damaged is told with the number that its first game has now, and the old one in its place is not taken.
	p, err := mustOpen(t, now).Place(2)
	if err != nil {
		t.Fatal(err)
	}
	bad = bytes.Clone(now)
	clear(bad[p.Offset+p.Size-200 : p.Offset+p.Size])
	rep, err = Verify(context.Background(), bytes.NewReader(bad), int64(len(bad)))
	if err != nil || rep.OK() || len(rep.Lost)+len(rep.Partial) != 1 || append(rep.Lost, rep.Partial...)[0] != (Range{3, 3}) {
		t.Error(rep, err)
	}
}
