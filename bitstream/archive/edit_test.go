// SPDX-License-Identifier: Apache-2.0

package archive_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/internal/testenv"
)

func modelText(list []archive.EditGame) string {
	var b strings.Builder
	for i := range list {
		b.WriteString(list[i].Text())
	}
	return b.String()
}

// checkText verifies that an archive is whole, and has a text, whichever way it is read.
func checkText(t *testing.T, b []byte, want string) {
	t.Helper()
	r := archive.MustOpen(t, b)
	if r.Stats().Text != int64(len(want)) {
		t.Errorf("the footer tells of %d bytes of text, not %d", r.Stats().Text, len(want))
	}
	var got bytes.Buffer
	if _, err := archive.Unpack(t.Context(), &got, r.Ordered()); err != nil || got.String() != want {
		t.Fatalf("the archive unpacks to %d bytes (%v), not %d\n%s\nnot\n%s", got.Len(), err, len(want), got.String(),
			want)
	}
	var text []byte
	for n := range r.Len() {
		var err error
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
	rep, err := archive.Verified(b)
	if err != nil || !rep.OK() || rep.Text != int64(len(want)) {
		t.Fatal("verify", rep, err)
	}
	if out, rep := archive.Recovered(t, b); !rep.OK() || string(archive.MustUnpack(t, out)) != want {
		t.Fatal("what is recovered is another text", rep)
	}
}

// TestEditLayouts changes tags in layouts of all sorts. Nothing else of the text changes.
func TestEditLayouts(t *testing.T) {
	for _, text := range []string{
		"[White \"a\"]\r\n[Black \"b\"]\r\n\r\n1. e4 *\r\n\r\n[White \"c\"]\r\n[Black \"b\"]\r\n\r\n1. d4 *\r\n",
		"[ White  \"a\" ]  [Black \"b\"]\n% an escape\n1.e4   *\n\n\n[White \"c\"]\n[Black \"b\"]\n1. d4 Ke3 *",
		"; lead\n[White \"a\"]\n[Black \"Sch\xe4fer\"]\n\n1. e4 *\n\n[White \"c\"]\n[Black \"M\xfcller\"]\n\n1. d4 " +
			"(1. e4 {x\n y}) *\n",
		"[Black \"b\"]\n[White \"a \\\" \\\\ ]\"]\n\n1. e4 *\n\n[Black \"b\"]\n[White \"c\"]\n\n1. d4 *\n\n",
	} {
		for _, canonical := range []bool{false, true} {
			old, _ := archive.MustPack(t, []byte(text), archive.WithCanonical(canonical))
			before := archive.MustUnpack(t, old)
			for n := 1; n <= 2; n++ {
				now := archive.MustEdit(t, old, []archive.Change{
					{Game: n, Set: []game.Tag{{Name: "White", Value: "Ö"}}}})
				r := archive.MustOpen(t, now)
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
				got := archive.MustUnpack(t, after)
				got = bytes.Replace(got, []byte(`[White "`+value+`"]`), []byte(`[ White  "`+value+`" ]`),
					strings.Count(text, "[ White")*(2-n))
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

// TestEditTags changes tags that the usual layout always writes, and the result, which stands in the movetext, too.
func TestEditTags(t *testing.T) {
	const roster = "[Event \"a\"]\n[Site \"?\"]\n[Date \"2024.01.01\"]\n[Round \"1\"]\n[White \"b\"]\n[Black " +
		"\"c\"]\n[Result \"*\"]\n\n"
	won := func(text string) string {
		return strings.Replace(strings.Replace(text, `"*"`, `"1-0"`, 1), " *\n", " 1-0\n", 1)
	}
	white := func(text string) string { return strings.Replace(text, "[White \"b\"]\n", "", 1) }
	set := archive.Change{Set: []game.Tag{{Name: "Result", Value: "1-0"}}}
	for _, x := range []struct {
		text   string
		change archive.Change
		want   func(string) string
	}{
		{roster + "1. e4 e5 *\n\n", set, won},
		{roster + "1. e4   e5 {*} *\n\n", set, won},
		{roster + "1. e4 Ke3 *\n\n", set, won},
		{"[White \"b\"]\n[Result \"*\"]\n\n1. e4 *\n\n", set, won},
		{roster + "1. e4 e5 *\n\n", archive.Change{Unset: []string{"White"}}, white},
		{roster + "1. e4   e5 *\n\n", archive.Change{Unset: []string{"White"}}, white},
	} {
		archive.EachForm(t, func(t *testing.T, dense bool) {
			for _, canonical := range []bool{false, true} {
				rest := strings.Repeat(roster+"1. d4 d5 *\n\n", 20)
				old, _ := archive.MustPack(t, []byte(x.text+rest), archive.WithDense(dense),
					archive.WithCanonical(canonical))
				x.change.Game = 1
				r := archive.MustOpen(t, archive.MustEdit(t, old, []archive.Change{x.change}))
				var g game.Game
				if err := r.Game(1, &g); err != nil {
					t.Fatal(err)
				}
				if won := len(x.change.Set) > 0; g.Result != map[bool]game.Result{true: game.WhiteWins}[won] || won &&
					g.Tag("Result") != "1-0" || !won && g.Tag("White") != "" {
					t.Errorf("%q: %v, %v", x.text, g.Tags, g.Result)
				}
				if text, err := r.AppendText(nil, 1); err != nil || !canonical && string(text) != x.want(x.text) {
					t.Errorf("%q becomes %q, %v", x.text, text, err)
				}
			}
		})
	}
}

func TestEditRefuses(t *testing.T) {
	old, _ := archive.MustPack(t, []byte(archive.SampleText))
	latin, _ := archive.MustPack(t, []byte("[White \"\xe4\"]\n\n1. e4 *\n"))
	set := func(name, value string) []game.Tag { return []game.Tag{{Name: name, Value: value}} }
	for _, x := range []struct {
		a    []byte
		c    archive.Change
		want error
		says string
	}{
		{old, archive.Change{Game: 0, Delete: true}, archive.ErrNoGame, "0 of"},
		{old, archive.Change{Game: 1 << 30, Delete: true}, archive.ErrNoGame, "of"},
		{old, archive.Change{Game: 1, Set: set("FEN", "x")}, archive.ErrChange, "belongs to the moves"},
		{old, archive.Change{Game: 1, Unset: []string{"Variant"}}, archive.ErrChange, "belongs to the moves"},
		{old, archive.Change{Game: 1, Set: set("a b", "x")}, archive.ErrChange, "name"},
		{old, archive.Change{Game: 1, Set: set("", "x")}, archive.ErrChange, "name"},
		{old, archive.Change{Game: 1, Set: set("White", "x\ny")}, archive.ErrChange, "line"},
		{old, archive.Change{Game: 1, Set: set("Result", "won")}, archive.ErrChange, "is no result: 1-0"},
		{old, archive.Change{Game: 1, Set: set("White", "\xff")}, archive.ErrChange, "UTF-8"},
		{old, archive.Change{Game: 1, Set: set("White", strings.Repeat("x", archive.MaxTagValue+1))}, archive.ErrChange,
			"bytes"},
		{old, archive.Change{Game: 1, Text: []byte("1. e4 e5 2. Ke3 *")}, archive.ErrChange, "illegal"},
		{old, archive.Change{Game: 1, Text: []byte("1. e4 *\n\n1. d4 *")}, archive.ErrChange, "more than one"},
		{old, archive.Change{Game: 1, Text: []byte("")}, archive.ErrChange, "EOF"},
		{latin, archive.Change{Game: 1, Set: set("White", "Ж")}, archive.ErrChange, "8859-1"},
		{latin, archive.Change{Game: 1, Text: []byte("[White \"Ж\"]\n\n1. e4 *")}, archive.ErrChange, "8859-1"},
	} {
		f := &archive.MemFile{B: bytes.Clone(x.a), Left: -1}
		_, err := archive.Edit(t.Context(), f, int64(len(f.B)), []archive.Change{x.c})
		if !errors.Is(err, x.want) || !strings.Contains(err.Error(), x.says) {
			t.Errorf("%+v: %v", x.c, err)
		}
		if !bytes.Equal(f.B, x.a) {
			t.Errorf("%+v: the file is changed", x.c)
		}
	}
}

// TestEditedStream: an archive with blocks that were replaced is not read from a pipe as if they were not.
func TestEditedStream(t *testing.T) {
	old, _ := archive.MustPack(t, []byte(archive.SampleText), archive.WithBlockGames(2))
	now := archive.MustEdit(t, old, []archive.Change{{Game: 1, Delete: true}})
	if _, err := archive.Unpack(t.Context(), io.Discard, bytes.NewReader(now)); !errors.Is(err,
		archive.ErrEdited) {
		t.Error("Unpack:", err)
	}
	src := []io.Reader{bytes.NewReader(now)}
	if _, err := archive.Copy(t.Context(), io.Discard, src); !errors.Is(err, archive.ErrEdited) {
		t.Error("Recode:", err)
	}
	// The same block twice without an index between is no edit.
	r := archive.MustOpen(t, old)
	p, err := r.Place(1)
	if err != nil {
		t.Fatal(err)
	}
	twice := append(bytes.Clone(old[:p.Offset+p.Size]), old[p.Offset:p.Offset+p.Size]...)
	if _, err := archive.Unpack(t.Context(), io.Discard, bytes.NewReader(twice)); !errors.Is(err,
		archive.ErrCorrupt) {
		t.Error("a block twice:", err)
	}
}

// TestEditHostile changes the index and the footer of an edited archive, with right checksums and digests. Who reads it
// ends, with an error or the right text.
func TestEditHostile(t *testing.T) {
	old, _ := archive.MustPack(t, []byte(archive.SampleText), archive.WithBlockGames(1))
	now := archive.MustEdit(t, old, []archive.Change{{Game: 2, Set: []game.Tag{{Name: "White", Value: "X"}}},
		{Game: 3, Delete: true}})
	want, err := io.ReadAll(archive.MustOpen(t, now).Ordered())
	if err != nil {
		t.Fatal(err)
	}
	want = archive.MustUnpack(t, want)
	r := rand.New(rand.NewPCG(3, 1))
	refused := 0
	for range testenv.Pick(3000, 500) {
		bad := archive.ForgeEdited(now, func(part, footer []byte) {
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
					k, n := archive.PartFixed, (len(part)-archive.PartFixed-4)/archive.IndexEntry
					copy(part[k+archive.IndexEntry*r.IntN(n):][:archive.IndexEntry],
						part[k+archive.IndexEntry*r.IntN(n):][:archive.IndexEntry])
				}
			}
		})
		rep, err := archive.Verified(bad)
		if err != nil && !errors.Is(err, archive.ErrVersion) {
			t.Fatal(err)
		}
		rd, err := archive.Opened(bad)
		var got bytes.Buffer
		if err == nil {
			_, err = archive.Unpack(t.Context(), &got, rd.Ordered(), archive.WithWorkers(1))
		}
		if err != nil {
			refused++
			if rep.OK() && !errors.Is(err, archive.ErrVersion) {
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
