// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"fmt"
	"slices"

	"ply11/game"
)

// Touched is what a function changed of a game.
type Touched uint8

const (
	// TouchedTags: values of tags, other than FEN, SetUp and Variant, and which tags there are.
	TouchedTags Touched = 1 << iota
	// TouchedMoves: moves, variations, comments or glyphs.
	TouchedMoves
)

// AppendChanged appends to dst the text of game n (from 1) of a block with what do changes of the game, in the block's
// layout. A text of which nothing is changed stays to the byte, and so does the movetext of a game that departs from
// the layout if only its tags are changed. g has the game afterwards. It is for games that are written to another
// archive; Edit is for this one.
//
// An error that is ErrChange means that the game cannot be changed so, and nothing is appended: its encoding lacks a
// character, or it is not valid and more than its tags is changed.
//
// Cost: what AppendText and pgn.AppendGame take; of a game that departs from the layout, three parses.
func (b *Block) AppendChanged(dst []byte, n int, g *game.Game, do func(g *game.Game) Touched) (_ []byte, err error) {
	defer guard(&err)
	x, _, err := b.Exception(n)
	if err != nil {
		return dst, err
	}
	old := len(dst)
	if dst, err = b.AppendText(dst, n, g); err != nil {
		return dst[:old], err
	}
	style, err := b.Style()
	if err != nil {
		return dst[:old], err
	}
	whole := !x.Invalid
	if x.Partial && whole {
		if err := parseOne(g, dst[old:], &style); err != nil {
			whole = false
		}
	}
	was := slices.Clone(g.Tags)
	touched := do(g)
	c := ChangeOfTags(was, g.Tags)
	c.Game = b.First() + n - 1
	if touched&TouchedTags != 0 {
		if err := c.check(c.Game); err != nil {
			return dst[:old], err
		}
	}
	switch {
	case touched == 0 || touched == TouchedTags && len(c.Set)+len(c.Unset) == 0:
		return dst, nil
	case whole && (!x.Text || touched&TouchedMoves != 0):
		var ok bool
		if dst, ok = render(dst[:old], g, &style); !ok {
			return dst[:old], fmt.Errorf("game %d: %w: ISO 8859-1, in which its text is, does not have all of its "+
				"characters", c.Game, ErrChange)
		}
		return dst, nil
	case touched&TouchedMoves != 0:
		return dst[:old], fmt.Errorf("game %d: %w: it is not valid, so that only its tags can be", c.Game, ErrChange)
	}
	text := slices.Clone(dst[old:])
	return retag(dst[:old], text, g, &c, &style, x.Text, x.Invalid)
}

// AppendLead appends the text of a block that stands before its first game and belongs to no game.
func (b *Block) AppendLead(dst []byte) (_ []byte, err error) {
	defer guard(&err)
	if err := b.openExceptions(); err != nil {
		return dst, err
	}
	return append(dst, b.except.lead...), nil
}

// ChangeOfTags returns the change that makes the first tags the second.
func ChangeOfTags(was, is []game.Tag) (c Change) {
	for _, t := range is {
		if !slices.Contains(was, t) {
			c.Set = append(c.Set, t)
		}
	}
	for _, t := range was {
		if !slices.ContainsFunc(is, func(s game.Tag) bool { return s.Name == t.Name }) {
			c.Unset = append(c.Unset, t.Name)
		}
	}
	return c
}
