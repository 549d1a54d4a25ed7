// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"encoding/binary"
	"slices"
	"strings"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"ply11/chess"
	"ply11/game"
)

// Order is what games are sorted by: first by its first field, games that are equal in that by the next, and so on.
// Games that are equal in all stay in the order in which they were added.
type Order []field

type field struct {
	down bool
	key  func(k *keyer, g *game.Game)
}

// tags are the fields that are tags.
var tags = map[string]string{"white": "White", "black": "Black", "event": "Event", "site": "Site", "round": "Round",
	"eco": "ECO"}

// Fields are the names of what games can be sorted by.
var Fields = []string{"date", "white", "black", "event", "site", "round", "eco", "result", "rating", "length"}

func keyOf(name string) func(k *keyer, g *game.Game) {
	switch name {
	case "date":
		return func(k *keyer, g *game.Game) { k.text(strings.ReplaceAll(g.Date(), "?", " ")) }
	case "result":
		return func(k *keyer, g *game.Game) { k.text(g.Result.String()) }
	case "rating":
		return func(k *keyer, g *game.Game) { k.number(Rating(g)) }
	case "length":
		return func(k *keyer, g *game.Game) { k.number(g.Len()) }
	}
	return func(k *keyer, g *game.Game) { k.collated(g.Tag(tags[name])) }
}

// Rating returns the mean of both players' ratings, of which the tags WhiteElo and BlackElo have one or both; 0 if none
// has.
func Rating(g *game.Game) int {
	sum, n := 0, 0
	for _, name := range []string{"WhiteElo", "BlackElo"} {
		if r, ok := game.RatingOf(g.Tag(name)); ok && r > 0 && r < 1<<16 {
			sum += r
			n++
		}
	}
	return sum / max(n, 1)
}

// ParseOrder reads an order as "date,white,-length": fields with commas between them, of which - turns one round.
// Names sort without regard to case and accents, numbers in them by their value; dates that are not known, whole or in
// part, come before those that are.
func ParseOrder(s string) (Order, error) {
	var o Order
	for name := range strings.SplitSeq(s, ",") {
		bare, down := strings.CutPrefix(name, "-")
		if !slices.Contains(Fields, bare) {
			return nil, &chess.ParseError{What: "field to sort by", Text: name,
				Want: "one of " + strings.Join(Fields, ", ") + ", each with - before it to turn it round"}
		}
		o = append(o, field{down, keyOf(bare)})
	}
	return o, nil
}

// keyer makes keys whose order as bytes is that of games.
type keyer struct {
	dst     []byte
	collate *collate.Collator
	buf     collate.Buffer
}

func (k *keyer) append(dst []byte, group string, o Order, g *game.Game) []byte {
	k.dst = dst
	k.text(group)
	for _, f := range o {
		from := len(k.dst)
		f.key(k, g)
		if f.down {
			for i := range k.dst[from:] {
				k.dst[from+i] ^= 0xff
			}
		}
	}
	return k.dst
}

func (k *keyer) number(n int) { k.dst = binary.BigEndian.AppendUint32(k.dst, uint32(n)) }

// text appends a text and its end, so that no key is the beginning of another.
func (k *keyer) text(s string) {
	for i := range len(s) {
		if k.dst = append(k.dst, s[i]); s[i] == 0 {
			k.dst = append(k.dst, 1)
		}
	}
	k.dst = append(k.dst, 0, 0)
}

// collated appends a text in the order of a dictionary: that of letters, then that of the text itself.
func (k *keyer) collated(s string) {
	if k.collate == nil {
		k.collate = collate.New(language.Und, collate.Loose, collate.Numeric)
	}
	k.buf.Reset()
	k.text(string(k.collate.KeyFromString(&k.buf, s)))
	k.text(s)
}

// ParseSplit returns Options.Split: the groups by eco, year, event, site, white, black, result, or player, where each
// game belongs to both players. A game without a value is of the group "".
func ParseSplit(name string) (func(g *game.Game) []string, error) {
	switch name {
	case "result":
		return func(g *game.Game) []string { return []string{g.Result.String()} }, nil
	case "year":
		return func(g *game.Game) []string {
			year, _, _ := strings.Cut(g.Date(), ".")
			return []string{known(year)}
		}, nil
	case "player":
		return func(g *game.Game) []string {
			return slices.Compact([]string{known(g.Tag("White")), known(g.Tag("Black"))})
		}, nil
	}
	if tag := tags[name]; tag != "" {
		return func(g *game.Game) []string { return []string{known(g.Tag(tag))} }, nil
	}
	return nil, &chess.ParseError{What: "field to split by", Text: name,
		Want: "eco, year, event, site, round, white, black, player or result"}
}

// known is a value, or "" if it is not known.
func known(s string) string {
	if strings.Trim(s, "?") == "" {
		return ""
	}
	return s
}
