// SPDX-License-Identifier: Apache-2.0

package brenner

import (
	"errors"
	"fmt"

	"ply11/chess"
	"ply11/game"
	"ply11/game/codec"
	"ply11/moveindex"
)

// AppendLoaded appends the moves of a game's main line from any start position, without the result, and returns their
// number and what is lost. A Writer writes no such games; hardware plays them from positions that are loaded. Pieces
// are numbered from a8 to h8, then from a7, down to h1. A position that cannot be numbered is codec.ErrTooManyPieces,
// one of Chess960 codec.ErrChess960.
func (l Layout) AppendLoaded(dst []byte, g *game.Game) ([]byte, int, []string, error) {
	e := encoder{t: &layouts[l%numLayouts], turn: g.Start.Turn()}
	if err := e.m.SetupNamed(&g.Start); err != nil {
		return dst, 0, nil, err
	}
	var losses codec.Losses
	ply, depth := 0, 0
	for x := range g.All() {
		switch x.Kind {
		case game.VariationStart:
			if depth == 0 {
				losses.Add("variation at ply %d", ply)
			}
			depth++
		case game.VariationEnd:
			depth--
		case game.MoveEvent:
			if depth > 0 {
				continue
			}
			if x.Move == chess.NullMove {
				losses.Add("null move at ply %d and what follows it", ply+1)
				return dst, ply, losses, nil
			}
			w, _ := moveindex.Of(x.Move)
			var err error
			if dst, err = e.move(dst, w); errors.Is(err, codec.ErrTooManyPieces) {
				losses.Add("%s at ply %d and what follows it", fifth(err), ply+1)
				return dst, ply, losses, nil
			} else if err != nil {
				return dst, ply, losses, fmt.Errorf("ply %d: %w", ply+1, err)
			}
			ply++
		}
	}
	return dst, ply, losses, nil
}
