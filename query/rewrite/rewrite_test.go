// SPDX-License-Identifier: Apache-2.0

package rewrite_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/query/rewrite"
)

// rewritten gives the text that is written of the games of a text.
func rewritten(t *testing.T, text string, o rewrite.Options) (string, *rewrite.Writer) {
	t.Helper()
	var packed, out bytes.Buffer
	if _, err := archive.Pack(context.Background(), &packed, strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	r, err := archive.NewReader(bytes.NewReader(packed.Bytes()), int64(packed.Len()))
	if err != nil {
		t.Fatal(err)
	}
	o.Path = filepath.Join(t.TempDir(), "x")
	w := rewrite.NewWriter(&out, o)
	defer w.Close()
	for n := 1; n <= r.Blocks(); n++ {
		b, err := r.Block(n)
		if err != nil {
			t.Fatal(err)
		}
		for i := 1; i <= b.Len(); i++ {
			if err := w.Copy(b, i); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.String(), w
}

// pgnOf is games of one player each, whose values of a tag are given.
func pgnOf(tag string, values ...string) string {
	var b strings.Builder
	for i, v := range values {
		fmt.Fprintf(&b, "[%s \"%s\"]\n[Number \"%d\"]\n\n1. e4 *\n\n", tag, v, i)
	}
	return b.String()
}

// TestOrder: names sort as in a dictionary, numbers in them by value, dates with unknown ones first, and equal games as
// they came, in memory and through files.
func TestOrder(t *testing.T) {
	for _, c := range []struct{ order, tag, values, want string }{
		{"white", "White", "Reti;réti;Rubinstein;RETI;Alekhine", "Alekhine;RETI;Reti;réti;Rubinstein"},
		{"round", "Round", "10;9;1.2;1.10;?", "?;1.2;1.10;9;10"},
		{"-round", "Round", "2;10", "10;2"},
		{"date", "Date", "1999.??.??;1999.01.02;????.??.??;1998.12.31", "????.??.??;1998.12.31;1999.??.??;1999.01.02"},
		{"-rating", "WhiteElo", "2700;900;?;2701", "2701;2700;900;?"},
		{"event", "Event", "ab;a;aa;", ";a;aa;ab"},
	} {
		o, err := rewrite.ParseOrder(c.order)
		if err != nil {
			t.Fatal(err)
		}
		for _, memory := range []int{0, 1} {
			text, _ := rewritten(t, pgnOf(c.tag, strings.Split(c.values, ";")...), rewrite.Options{Order: o,
				Memory: memory})
			var got []string
			for line := range strings.Lines(text) {
				if rest, ok := strings.CutPrefix(line, "["+c.tag+" \""); ok {
					value, _, _ := strings.Cut(rest, `"`)
					got = append(got, value)
				}
			}
			if strings.Join(got, ";") != c.want {
				t.Errorf("--sort %s, memory %d: %q, want %q", c.order, memory, got, c.want)
			}
		}
	}
	for _, bad := range []string{"", "name", "date,,white", "--date"} {
		if _, err := rewrite.ParseOrder(bad); err == nil {
			t.Errorf("%q is an order", bad)
		}
	}
}

// TestECO: openings of famous games, as books name them.
func TestECO(t *testing.T) {
	for _, c := range []struct{ moves, eco, opening string }{
		{"1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 *", "C41", "Philidor Defense"},
		{"1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 4. e3 *", "E40", "Nimzo-Indian Defense"},
		{"1. Nf3 d5 2. d4 Nf6 3. c4 e6 4. Nc3 *", "D37", "Queen's Gambit Declined"},
		{"1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. h3 g6 *", "B90", "Sicilian Defense: Najdorf"},
	} {
		text, w := rewritten(t, "[White \"a\"]\n[ECO \"A00\"]\n[Variation \"b\"]\n\n"+c.moves+"\n", rewrite.Options{
			Changes: []rewrite.Change{rewrite.ECO()}})
		if strings.Contains(text, "[Variation") || !strings.Contains(text, "[ECO \""+c.eco+"\"]") ||
			!strings.Contains(text, "[Opening \""+c.opening) ||
			w.Changed() != 1 {
			t.Errorf("%s: %s", c.moves, text)
		}
	}
	setUp := "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[SetUp \"1\"]\n\n1. e4 *\n"
	if text, w := rewritten(t, setUp, rewrite.Options{Changes: []rewrite.Change{rewrite.ECO()}}); text != setUp ||
		w.Changed() != 0 {
		t.Errorf("of another start: %s", text)
	}
}

// TestNames reads tables and SCID's spelling files, and refuses what is neither.
func TestNames(t *testing.T) {
	const ssp = "@PLAYER\n# notes\nCarlsen, Magnus   #gm NOR [2882] 1990.11.30\n%Bio a champion\n= Carlsen,M\n" +
		"=Carlsen, M   # more\n\n@SITE\n%Prefix \"Mosc\" \"Mosk\"\n%Suffix \" URS\" \" RUS\"\n%Infix \"--\" \"-\"\n" +
		"Wien\n= Vienna\n"
	for _, c := range []struct{ names, tag, value, want string }{
		{"Carlsen,M\tCarlsen, Magnus\n", "White", "Carlsen,M", "Carlsen, Magnus"},
		{"Carlsen,M\tCarlsen, Magnus\r\n", "Black", "Carlsen,M", "Carlsen, Magnus"},
		{"a\tb\n", "Event", "a", "a"},
		{"Event\ta\tb\n", "Event", "a", "b"},
		{"\ufeffa\tb\n\n", "White", "a", "b"},
		{ssp, "White", "Carlsen,M", "Carlsen, Magnus"},
		{ssp, "Black", "Carlsen, M", "Carlsen, Magnus"},
		{ssp, "Site", "Moscow a--b URS", "Moskow a-b RUS"},
		{ssp, "Site", "Vienna", "Wien"},
		{ssp, "Event", "Vienna", "Vienna"},
	} {
		n, err := rewrite.ReadNames(strings.NewReader(c.names))
		if err != nil {
			t.Errorf("%q: %v", c.names, err)
			continue
		}
		text, _ := rewritten(t, pgnOf(c.tag, c.value), rewrite.Options{Changes: []rewrite.Change{rewrite.Rename(n)}})
		if text != pgnOf(c.tag, c.want) {
			t.Errorf("%q of %s is %s, want %q", c.value, c.tag, text, c.want)
		}
	}
	for bad, line := range map[string]string{"a\n": "line 1", "a\tb\na\tc\n": "line 2", "@NOTHING\n": "line 1",
		"@PLAYER\n= x\n": "line 2", "@SITE\n%Infix x\n": "line 2", "a\tb\tc\td\n": "line 1"} {
		if _, err := rewrite.ReadNames(strings.NewReader(bad)); err == nil || !strings.Contains(err.Error(), line) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// TestRefused: a game that is not valid keeps its movetext, and a text in ISO 8859-1 takes no other characters.
func TestRefused(t *testing.T) {
	parts := []rewrite.Change{rewrite.Strip(rewrite.Comments)}
	const bad = "[White \"a\"]\n\n1. e4 {x} e5 2. Ke3 {y} *\n\n"
	var refused []error
	text, w := rewritten(t, bad, rewrite.Options{Changes: parts, Refused: func(err error) {
		refused = append(refused, err)
	}})
	if text != bad || len(refused) != 1 || !errors.Is(refused[0], archive.ErrChange) || w.Changed() != 0 {
		t.Errorf("%q, %v", text, refused)
	}
	// Its tags can be changed.
	text, _ = rewritten(t, bad, rewrite.Options{Changes: []rewrite.Change{rewrite.SetTag("White", "b")}})
	if text != strings.Replace(bad, "\"a\"", "\"b\"", 1) {
		t.Errorf("%q", text)
	}
	refused = nil
	latin := "[White \"R\xe9ti\"]\n\n1. e4 {x} *\n\n"
	text, _ = rewritten(t, latin, rewrite.Options{Changes: []rewrite.Change{rewrite.SetTag("Black", "李")},
		Refused: func(err error) { refused = append(refused, err) }})
	if text != latin || len(refused) != 1 {
		t.Errorf("%q, %v", text, refused)
	}
}

// TestSplitGroups: Next gets each group once, in order.
func TestSplitGroups(t *testing.T) {
	by, err := rewrite.ParseSplit("white")
	if err != nil {
		t.Fatal(err)
	}
	var groups []string
	var texts []*bytes.Buffer
	rewritten(t, pgnOf("White", "b", "a", "b", "?", "c"), rewrite.Options{Split: by, Memory: 1,
		Next: func(group string) (io.Writer, error) {
			groups = append(groups, group)
			texts = append(texts, new(bytes.Buffer))
			return texts[len(texts)-1], nil
		}})
	if !slices.Equal(groups, []string{"", "a", "b", "c"}) {
		t.Errorf("groups %q", groups)
	}
	for i, want := range []int{1, 1, 2, 1} {
		if n := strings.Count(texts[i].String(), "1. e4"); n != want {
			t.Errorf("group %q has %d games, want %d", groups[i], n, want)
		}
	}
	var g game.Game
	if fmt.Sprint(by(&g)) != "[]" {
		t.Errorf("a game without tags: %q", by(&g))
	}
}
