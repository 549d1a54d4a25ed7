// SPDX-License-Identifier: Apache-2.0

package dataset

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"ply11/chess"
	"ply11/position"
)

// wdlModel returns the mover's chances to win and to lose, of a score from his side.
type wdlModel func(p *position.Position, s Score) (win, loss float64)

var wdlModels = map[string]wdlModel{"stockfish-17": stockfish17, "lichess": lichessChances}

// WDLNames are the values of Job.WDL.
func WDLNames() []string { return slices.Sorted(maps.Keys(wdlModels)) }

func checkWDL(name string) error {
	if name != "" && wdlModels[name] == nil {
		return fmt.Errorf("there is no model wdl %q; there are %s", name, strings.Join(WDLNames(), ", "))
	}
	return nil
}

// chances adds that of a draw, and rounds to 1/65536, as processors round differently.
func chances(win, loss float64) (w, draw, l float64) {
	const unit = 1 << 16
	w, l = math.Round(win*unit)/unit, math.Round(loss*unit)/unit
	return w, max(1-w-l, 0), l
}

// stockfish17 is win_rate_params of Stockfish 17 (src/uci.cpp): a score is scaled by what a pawn is worth with the
// pieces that there are, so that with 100 hundredths the chance is one half.
func stockfish17(p *position.Position, s Score) (win, loss float64) {
	if _, mate := s.Mate(); mate {
		return chanceOfMate(s)
	}
	pieces := 0
	for kind := chess.Queen; kind <= chess.Pawn; kind++ {
		pieces += pieceValue[kind] * p.ByKind(kind).Count()
	}
	m := float64(max(17, min(pieces, 78))) / 58
	cubic := func(c [4]float64) float64 { return ((c[0]*m+c[1])*m+c[2])*m + c[3] }
	a := cubic([4]float64{-37.45051876, 121.19101539, -132.78783573, 420.70576692})
	b := cubic([4]float64{90.26261072, -137.26549898, 71.10130540, 51.35259597})
	v := float64(s) * a / 100
	return 1 / (1 + math.Exp((a-v)/b)), 1 / (1 + math.Exp((a+v)/b))
}

// lichessChances is the model of Lichess's graphs, which knows no draws.
func lichessChances(_ *position.Position, s Score) (win, loss float64) {
	v := float64(max(-1000, min(1000, s)))
	if n, mate := s.Mate(); mate {
		v = 100 * (21 - min(10, math.Abs(float64(n))))
		if s < 0 {
			v = -v
		}
	}
	win = 1 / (1 + math.Exp(-0.00368208*v))
	return win, 1 - win
}

func chanceOfMate(s Score) (win, loss float64) {
	if s > 0 {
		return 1, 0
	}
	return 0, 1
}
