// SPDX-License-Identifier: Apache-2.0

package game

import (
	"slices"
	"strings"

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

var unspaced = strings.NewReplacer(" ", "", "-", "", "_", "", "\t", "")

// VariantOf returns which variant the value of a Variant tag names. Small letters, spaces and hyphens make no
// difference.
func VariantOf(name string) Variant {
	if name == "" {
		return StandardChess
	}
	plain := strings.ToLower(unspaced.Replace(name))
	for v, names := range variants {
		if slices.Contains(names, plain) {
			return Variant(v)
		}
	}
	return OtherVariant
}

// StartOf returns the start of a game whose tags give the variant's name, "" for none, and a position. One of Chess960
// has its castling rights as Chess960's, also where kings and rooks stand as in standard chess. Where the tag names
// standard chess, the rights are those that standard chess can have, whatever letters the FEN has.
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
