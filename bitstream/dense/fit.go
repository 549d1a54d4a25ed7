// SPDX-License-Identifier: Apache-2.0

package dense

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/klauspost/compress/zstd"

	"ply11/chess"
	"ply11/moveindex"
	"ply11/position"
)

// How the model is fitted. The weights are those of a multinomial logistic regression over the legal
// moves of each position, by AdaGrad in two passes, each over the games in another order; more passes
// fit these games and no others.
const (
	fitPasses    = 2
	firstRate    = 0.3
	rateFactor   = 0.5
	weightUnit   = 16 / math.Ln2 // sixteenths of a bit in a natural unit
	smallestGain = 1e-4          // gradients below this change nothing but the time that it takes
)

// What the book keeps: positions that minGames of the games passed within maxBookPly plies, and of the
// positions that more than rareBelow passed no move that was played but once.
const (
	maxBookPly = 40
	minGames   = 4
	rareBelow  = 8
)

// FitGame is a game to fit a model to: its start, and its moves.
type FitGame struct {
	Start position.Position
	Moves []moveindex.Index
}

// Fit makes a model's file from games; progress is called after each pass with the bits a ply that the
// pass spent, before it learnt from each ply. Games with an illegal move count as far as it. The same
// games give the same file on machines whose floating point is the same.
func Fit(games []FitGame, progress func(pass int, bits float64)) []byte {
	f := &fitter{weights: make([]float32, numWeights), squares: make([]float32, numWeights)}
	random := rand.New(rand.NewPCG(11, 1968))
	rate := float32(firstRate)
	for pass := range fitPasses {
		f.loss, f.plies = 0, 0
		for _, g := range random.Perm(len(games)) {
			f.game(&games[g], rate)
		}
		progress(pass+1, f.loss/float64(max(f.plies, 1)))
		rate *= rateFactor
	}
	return f.file(games)
}

type fitter struct {
	weights, squares []float32 // the weights, and the sums of their gradients' squares
	loss             float64
	plies            int
}

func (f *fitter) game(g *FitGame, rate float32) {
	var h history
	var fr frame
	var buf [maxMoves]chess.Move
	var places [maxMoves][numFeatures]int
	var share [maxMoves]float32
	p := g.Start
	for _, i := range g.Moves {
		played, _ := i.Move()
		moves := p.LegalMoves(buf[:0])
		j := slices.Index(moves, played)
		if j < 0 || len(moves) > maxMoves {
			return
		}
		fr.set(&p, &h)
		best := float32(math.Inf(-1))
		for k, m := range moves {
			places[k] = fr.features(m)
			var s float32
			for _, w := range places[k] {
				s += f.weights[w]
			}
			share[k], best = s, max(best, s)
		}
		var sum float32
		for k := range moves {
			share[k] = float32(math.Exp(float64(share[k] - best)))
			sum += share[k]
		}
		f.loss -= math.Log2(float64(share[j] / sum))
		f.plies++
		for k := range moves {
			gradient := share[k] / sum
			if k == j {
				gradient--
			}
			if gradient < smallestGain && gradient > -smallestGain {
				continue
			}
			for _, w := range places[k] {
				f.squares[w] += gradient * gradient
				f.weights[w] -= rate * gradient / float32(math.Sqrt(float64(f.squares[w])+1))
			}
		}
		h.add(&p, played)
		p.Make(played)
	}
}

// file writes the model.
func (f *fitter) file(games []FitGame) []byte {
	var b bytes.Buffer
	b.WriteString(modelMagic)
	for _, w := range f.weights {
		b.WriteByte(byte(int8(max(-127, min(127, math.Round(float64(w)*weightUnit))))))
	}
	positions := bookPositions(games)
	le := binary.LittleEndian
	b.Write(le.AppendUint32(nil, uint32(len(positions))))
	for _, p := range positions {
		b.Write(le.AppendUint64(nil, p.hash))
		b.WriteByte(byte(len(p.moves)))
		for _, m := range p.moves {
			b.Write(le.AppendUint16(le.AppendUint16(nil, uint16(m.move)), m.count))
		}
	}
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1),
		zstd.WithWindowSize(8<<20))
	if err != nil {
		panic(err) // the options are constants
	}
	return z.EncodeAll(b.Bytes(), nil)
}

type bookPosition struct {
	hash  uint64
	moves []entry
}

// bookPositions counts the moves of the openings.
func bookPositions(games []FitGame) []bookPosition {
	counts := map[uint64]map[chess.Move]int{}
	for _, g := range games {
		p := g.Start
		for _, i := range g.Moves[:min(len(g.Moves), maxBookPly)] {
			m, _ := i.Move()
			if !p.IsLegal(m) {
				break
			}
			h := p.Hash()
			if counts[h] == nil {
				counts[h] = map[chess.Move]int{}
			}
			counts[h][m]++
			p.Make(m)
		}
	}
	var positions []bookPosition
	for hash, moves := range counts {
		total := 0
		for _, n := range moves {
			total += n
		}
		if total < minGames {
			continue
		}
		d := bookPosition{hash: hash}
		for m, n := range moves {
			if n == 1 && total > rareBelow {
				continue
			}
			if total > maxCount { // leaves room: rounded up, 255 moves stay below twice the bound
				n = (n*(maxCount/2) + total - 1) / total
			}
			d.moves = append(d.moves, entry{move: m, count: uint16(n)})
		}
		slices.SortFunc(d.moves, func(a, b entry) int {
			return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.move, b.move))
		})
		positions = append(positions, d)
	}
	slices.SortFunc(positions, func(a, b bookPosition) int { return cmp.Compare(a.hash, b.hash) })
	return positions
}
