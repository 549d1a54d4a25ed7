// SPDX-License-Identifier: Apache-2.0

package game

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"ply11/position"
)

// Variant is the variant of chess that a Variant tag names.
type Variant uint8

// The variants. Games of another one are not played here.
const (
	StandardChess Variant = iota
	Chess960
	OtherVariant
)

// variants are the names in use, as plainName has them.
var variants = [...][]string{
	StandardChess: {"", "?", "standard", "chess", "normal", "orthodox", "classical", "fromposition", "standardchess",
		"regular"},
	Chess960: {"chess960", "960", "fischerandom", "fischerrandom", "fischerrandomchess", "fischerandomchess",
		"fischerchess", "frc", "chess9lx",
		"freestyle", "freestylechess"},
}

// VariantOf returns the variant that a Variant tag names, whatever the case of A to Z, spaces, tabs, '-' and '_'.
func VariantOf(name string) Variant {
	var plain [32]byte // longer than each name
	n := 0
	for _, r := range name {
		switch r {
		case ' ', '-', '_', '\t':
			continue
		}
		if r >= utf8.RuneSelf || n == len(plain) {
			return OtherVariant
		}
		plain[n] = byte(unicode.ToLower(r))
		n++
	}
	for v, names := range variants {
		if slices.Contains(names, string(plain[:n])) {
			return Variant(v)
		}
	}
	return OtherVariant
}

// StartOf returns the start of a game from a position and the name of its variant, "" for none: with rights of Chess960
// in Chess960, and only those that standard chess can have where the name is one of standard chess.
func StartOf(variant string, p position.Position) position.Position {
	switch VariantOf(variant) {
	case Chess960:
		return p.ToChess960()
	case StandardChess:
		if variant != "" && variant != "?" {
			return p.ToStandard()
		}
	}
	return p
}
