// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ply11/game"
)

// EditGame is a game of the model.
type EditGame struct {
	tags []game.Tag
	Rest string
}

func (g *EditGame) Text() string {
	var b strings.Builder
	for _, t := range g.tags {
		fmt.Fprintf(&b, "[%s \"%s\"]\n", t.Name, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(t.Value))
	}
	return b.String() + g.Rest
}

var editMoves = []string{"1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0", "1. d4 d5 2. c4 {a comment} e6 1/2-1/2", "1. c4 *",
	"1. Nf3  d5 2.g3 0-1",
	"1. e4 (1. d4 d5) 1... c5 $1 *", "1. e4 e5 2. Ke3 *", "*",
	"1. e4 {[%clk 0:03:00] [%eval 0.17]} 1... e5 {[%clk 0:02:58] [%emt 0:00:02]} 2. Nf3 *"}

func NewEditGame(r *rand.Rand) EditGame {
	g := EditGame{Rest: "\n" + editMoves[r.IntN(len(editMoves))] + "\n\n"}
	for _, name := range []string{"Event", "White", "Black", "Result", "Annotator"} {
		if r.IntN(6) > 0 {
			value := fmt.Sprintf(`%s "%c\ %d`, name, 'A'+r.IntN(20), r.IntN(9))
			if name == "Result" {
				// also of a game that ends otherwise, or in the game before
				value = []string{"1-0", "*", value}[r.IntN(3)]
			}
			g.tags = append(g.tags, game.Tag{Name: name, Value: value})
		}
	}
	if r.IntN(9) == 0 {
		g.tags = append(g.tags, game.Tag{Name: "SetUp", Value: "1"},
			game.Tag{Name: "FEN", Value: "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"})
		g.Rest = "\n1. e3 Ke4 2. Kd2 *\n\n"
	}
	if len(g.tags) == 0 {
		g.tags = append(g.tags, game.Tag{Name: "Event", Value: "?"})
	}
	return g
}

// RandomChange makes a change, and does it in the model.
func RandomChange(r *rand.Rand, list []EditGame, gone []bool) (Change, bool) {
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
			if list[i] = NewEditGame(r); !strings.Contains(list[i].Rest, "Ke3") {
				break
			}
		}
		c.Text = []byte(list[i].Text())
		if i == len(list)-1 {
			list[i].Rest = strings.TrimSuffix(list[i].Rest, "\n")
		}
	default:
		if len(list[i].tags) > 2 && r.IntN(2) == 0 {
			if name := list[i].tags[r.IntN(len(list[i].tags))].Name; !slices.Contains(fixedTags, name) {
				c.Unset = []string{name}
			}
		}
		if r.IntN(4) > 0 || len(c.Unset) == 0 {
			c.Set = append(c.Set, game.Tag{Name: []string{"White", "Site", "ECO"}[r.IntN(3)],
				Value: fmt.Sprintf(`Ünï "%d\`, r.IntN(99))})
		}
		list[i].tags = c.tags(slices.Clone(list[i].tags))
	}
	return c, true
}

func MustEdit(t *testing.T, a []byte, changes []Change) []byte {
	t.Helper()
	f := &MemFile{B: bytes.Clone(a), Left: -1}
	if _, err := Edit(t.Context(), f, int64(len(a)), changes); err != nil {
		t.Fatal(err)
	}
	return f.B
}

// TestEditMoves: where tags are changed, all other columns are the same bytes.
func TestEditMoves(t *testing.T) {
	EachForm(t, func(t *testing.T, dense bool) {
		old, _ := MustPack(t, []byte(SampleText+TextOf("b", 30)), WithDense(dense), WithBlockGames(100))
		now := MustEdit(t, old,
			[]Change{{Game: 2, Set: []game.Tag{{Name: "White", Value: "X"}, {Name: "New", Value: "y"}},
				Unset: []string{"Site"}}})
		a := MustBlock(t, MustOpen(t, old), 1)
		b := MustBlock(t, MustOpen(t, now), 1)
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

// TestSafeToCopy: who makes a block again keeps an unknown column if its kind says so; who copies a block keeps both.
func TestSafeToCopy(t *testing.T) {
	plain, _ := MustPack(t, []byte(SampleText))
	data := Forge(t, plain, withColumns(forgedColumn{kind: 130, raw: []byte("of the moves")},
		forgedColumn{kind: 200, raw: []byte("of the block")}), nil)
	for name, c := range map[string]struct {
		made []byte
		all  bool
	}{
		"edit":   {MustEdit(t, data, []Change{{Game: 2, Delete: true}}), false},
		"recode": {MustCopy(t, []CopyOption{WithDense(true)}, data), false},
		"copy":   {MustCopy(t, nil, data), true},
	} {
		Whole(t, c.made)
		h := &MustBlock(t, MustOpen(t, c.made), 1).head
		if (h.find(130) >= 0) != c.all || h.find(200) < 0 {
			t.Errorf("%s: %v", name, h.columns)
		}
	}
}
