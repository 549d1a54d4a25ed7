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

// wdlModel returns the chances that the mover wins and loses a position with a score from his side.
type wdlModel func(p *position.Position, s Score) (win, loss float64)

// wdlModels are the models of Job.WDL.
var wdlModels = map[string]wdlModel{"stockfish-17": stockfish17, "lichess": lichessChances}

// WDLNames are the names of the models of Job.WDL.
func WDLNames() []string { return slices.Sorted(maps.Keys(wdlModels)) }

// checkWDL verifies the name of a model.
func checkWDL(name string) error {
	if name != "" && wdlModels[name] == nil {
		return fmt.Errorf("there is no model wdl %q; there are %s", name, strings.Join(WDLNames(), ", "))
	}
	return nil
}

// chances rounds the chances to 1/65536, so that they do not depend on how a processor rounds, and adds that of a draw.
func chances(win, loss float64) (w, draw, l float64) {
	const unit = 1 << 16
	w, l = math.Round(win*unit)/unit, math.Round(loss*unit)/unit
	return w, max(1-w-l, 0), l
}

// stockfish17 is the model of Stockfish 17 (win_rate_params in src/uci.cpp): a score is scaled by what a pawn is worth
// with the pieces that there are, so that with one of 100 hundredths the chance is one half.
func stockfish17(p *position.Position, s Score) (win, loss float64) {
	if _, mate := s.Mate(); mate {
		return chanceOfMate(s)
	}
	pieces := 0
	for kind := chess.Queen; kind <= chess.Pawn; kind++ {
		pieces += manValue[kind] * p.ByKind(kind).Count()
	}
	m := float64(max(17, min(pieces, 78))) / 58
	cubic := func(c [4]float64) float64 { return ((c[0]*m+c[1])*m+c[2])*m + c[3] }
	a := cubic([4]float64{-37.45051876, 121.19101539, -132.78783573, 420.70576692})
	b := cubic([4]float64{90.26261072, -137.26549898, 71.10130540, 51.35259597})
	v := float64(s) * a / 100
	return 1 / (1 + math.Exp((a-v)/b)), 1 / (1 + math.Exp((a+v)/b))
}

// lichessChances is the model by which Lichess draws its graphs, which knows no draws: the expected result.
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

// chanceOfMate is that of who mates.
func chanceOfMate(s Score) (win, loss float64) {
	if s > 0 {
		return 1, 0
	}
	return 0, 1
}
