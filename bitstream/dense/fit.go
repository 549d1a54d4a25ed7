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

// The model is fitted by stochastic descent, ply by ply, for the bits that the coder would spend. Each weight of a
// table and each row of the net has a step of its own (AdaGrad), which shrinks to nothing over all passes. Where a
// position is in the book, the gradient is that of the mixture.
const (
	fitPasses    = 7
	tableRate    = 0.1
	netRate      = 0.2
	mixedPlies   = 20000 // so many plies, of whole games, are shuffled
	smallestGain = 1e-4  // gradients below this change nothing but the time that it takes
	smallestPart = 0.01  // of the model in a mixture, likewise

	tableUnit  = 16 / math.Ln2 // sixteenths of a bit in a natural unit
	inputUnit  = 64
	outputUnit = tableUnit * (1 << netShift) / inputUnit
	brightest  = float32(127) / inputUnit // a neuron's largest value
)

// The book keeps positions that minGames of the games passed within maxBookPly plies. Of positions that more than
// rareBelow passed, it leaves out moves that were played once.
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

// Fit makes a model's file from games. After each pass it calls progress with the bits a ply that the pass spent,
// before it learned from each ply. A game with an illegal move counts up to it. The same games give the same file: the
// order of all arithmetic is fixed.
//
// Cost: some 25 µs a ply and pass.
func Fit(games []FitGame, progress func(pass int, bits float64)) []byte {
	f := newFitter(games)
	random := rand.New(rand.NewPCG(11, 1968))
	steps := float32(fitPasses * len(games))
	for pass := range fitPasses {
		f.loss, f.plies = 0, 0
		n := 0
		var mixed []*fitPly
		for _, i := range random.Perm(len(games)) {
			mixed = f.prepare(mixed, &games[i])
			if n++; len(mixed) < mixedPlies && n < len(games) {
				continue
			}
			random.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
			left := max(1-float32(pass*len(games)+n)/steps, 0)
			for _, x := range mixed {
				f.learn(x, tableRate*left, netRate*left)
			}
			mixed = mixed[:0]
		}
		progress(pass+1, f.loss/float64(max(f.plies, 1)))
	}
	return f.file()
}

// sharedInputs are rows after the others that learn what a piece is worth wherever its king stands. The rows of pieces
// learn the rest; in the file they are the sum of both.
const sharedInputs = 2 * 8 * 64

// sharedInput returns the row that a piece's row shares with those of other places of its king.
func sharedInput(i uint16) uint16 { return numInputs + i/(4*8*64)*(8*64) + i%(8*64) }

// rows of weights, and for each the sum of its gradients' squares.
type fitRows struct {
	weights [][neurons]float32
	squares []float32
}

func newFitRows(n int, random *rand.Rand, spread float64) fitRows {
	r := fitRows{make([][neurons]float32, n), make([]float32, n)}
	for i := range r.weights {
		for j := range r.weights[i] {
			r.weights[i][j] = float32(random.NormFloat64() * spread)
		}
	}
	return r
}

type fitter struct {
	tables, squares []float32 // the tables' weights, and the sums of their gradients' squares
	input, output   fitRows
	opened          map[uint64]*openedPosition

	// What one ply needs.
	frame                  frame
	sum, neurons, gradient [neurons]float32
	share                  [maxMoves]float32
	product, error         [numOutputs]float32 // of the rows in use

	loss  float64
	plies int
}

// openedPosition is how often moves were played in a position of the openings.
type openedPosition struct {
	moves map[chess.Move]int
	total int
}

// A fitPly is what a ply is for the fitter.
type fitPly struct {
	inputs  []uint16
	tables  [][numFeatures]int32
	rows    [][3]uint16 // of output, by move
	used    []uint16    // the rows of output in use, once each
	played  int
	book    float32 // the part of the other games here that played this move
	general float32 // the weight of the model's frequency beside it; 0 without others
}

func newFitter(games []FitGame) *fitter {
	random := rand.New(rand.NewPCG(64, 1968))
	f := &fitter{tables: make([]float32, numWeights), squares: make([]float32, numWeights),
		input: newFitRows(numInputs+sharedInputs, random, 0.1), output: newFitRows(numOutputs, random, 0.05),
		opened: openings(games)}
	clear(f.input.weights[piecesAt:attackedAt])
	for i := phaseAt; i < captureAt; i++ {
		for j := range neurons {
			f.input.weights[i][j] += 0.2
		}
	}
	return f
}

// prepare appends the plies of a game to a list.
func (f *fitter) prepare(plies []*fitPly, g *FitGame) []*fitPly {
	var h history
	fr := &f.frame
	var buf [maxMoves]chess.Move
	var seen [numOutputs]bool
	p := g.Start
	for ply, i := range g.Moves {
		played, _ := i.Move()
		moves := p.LegalMoves(buf[:0])
		j := slices.Index(moves, played)
		if j < 0 || len(moves) > maxMoves || !Fits(&p) {
			break
		}
		fr.set(&p, &h)
		x := fitPly{played: j, inputs: slices.Clone(fr.inputs[:fr.numInputs]),
			tables: make([][numFeatures]int32, len(moves)), rows: make([][3]uint16, len(moves))}
		for _, i := range x.inputs {
			if i < attackedAt {
				x.inputs = append(x.inputs, sharedInput(i))
			}
		}
		for k, m := range moves {
			t := fr.features(m)
			for n, w := range t {
				x.tables[k][n] = int32(w)
			}
			x.rows[k] = fr.outputs(m, t[1]-tacticAt)
			for _, r := range x.rows[k] {
				if !seen[r] {
					seen[r] = true
					x.used = append(x.used, r)
				}
			}
		}
		for _, r := range x.used {
			seen[r] = false
		}
		if ply < maxBookPly {
			if d := f.opened[p.Hash()]; d != nil && d.total > 1 {
				n := d.moves[played]
				distinct := len(d.moves)
				if n == 1 {
					distinct--
				}
				x.general = float32(2+min(distinct, maxDistinct)) / float32(2*(d.total-1))
				x.book = float32(n-1) / float32(d.total-1)
			}
		}
		plies = append(plies, &x)
		h.add(&p, played)
		p.Make(played)
	}
	return plies
}

// learn takes one step from a ply. Products are converted before they are added, so that no processor fuses both and
// rounds otherwise.
func (f *fitter) learn(x *fitPly, tableStep, netStep float32) {
	clear(f.sum[:])
	for _, i := range x.inputs {
		addFloats(&f.sum, &f.input.weights[i])
	}
	for i, s := range f.sum {
		f.neurons[i] = min(max(s, 0), brightest)
	}
	for _, r := range x.used {
		f.product[r], f.error[r] = dotFloats(&f.neurons, &f.output.weights[r]), 0
	}
	best := float32(math.Inf(-1))
	share := f.share[:len(x.rows)]
	for k, rows := range x.rows {
		s := f.product[rows[0]] + f.product[rows[1]] + f.product[rows[2]]
		for _, w := range x.tables[k] {
			s += f.tables[w]
		}
		share[k], best = s, max(best, s)
	}
	var sum float32
	for k, s := range share {
		share[k] = float32(math.Exp(float64(s - best)))
		sum += share[k]
	}
	p := share[x.played] / sum
	part := float32(1)
	if x.general > 0 {
		own := float32(p * x.general)
		part = own / (own + x.book)
		f.loss -= math.Log2(float64((own + x.book) / (1 + x.general)))
	} else {
		f.loss -= math.Log2(float64(p))
	}
	f.plies++
	if part < smallestPart {
		return
	}

	for k := range share {
		g := share[k] / sum
		if k == x.played {
			g--
		}
		g *= part
		if g < smallestGain && g > -smallestGain {
			continue
		}
		for _, w := range x.tables[k] {
			f.squares[w] += float32(g * g)
			f.tables[w] -= float32(tableStep * g / sqrt(f.squares[w]+1))
		}
		for _, r := range x.rows[k] {
			f.error[r] += g
		}
	}
	norm := dotFloats(&f.neurons, &f.neurons)
	clear(f.gradient[:])
	for _, r := range x.used {
		e := f.error[r]
		if e < smallestGain && e > -smallestGain {
			continue
		}
		f.output.squares[r] += float32(float32(e*e) * norm)
		step := netStep * e / sqrt(f.output.squares[r]+1)
		learnFloats(&f.gradient, &f.output.weights[r], &f.neurons, e, step)
	}
	for i, s := range f.sum {
		if s <= 0 || s >= brightest {
			f.gradient[i] = 0
		}
	}
	norm = dotFloats(&f.gradient, &f.gradient)
	for _, i := range x.inputs {
		f.input.squares[i] += norm
		subtractFloats(&f.input.weights[i], &f.gradient, netStep/sqrt(f.input.squares[i]+1))
	}
}

func sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }

func addFloats(sum, row *[neurons]float32) {
	for i := range sum {
		sum[i] += row[i]
	}
}

func subtractFloats(row, x *[neurons]float32, step float32) {
	for i := range row {
		row[i] -= float32(step * x[i])
	}
}

// learnFloats adds e times a row to the gradient, and then subtracts step times x from the row.
func learnFloats(gradient, row, x *[neurons]float32, e, step float32) {
	for i := range row {
		w := row[i]
		gradient[i] += float32(e * w)
		row[i] = w - float32(step*x[i])
	}
}

// dotFloats returns the product of two rows, added up in the order of vectors of eight.
func dotFloats(a, b *[neurons]float32) float32 {
	var lanes [16]float32
	for i := range a {
		lanes[i%16] += float32(a[i] * b[i])
	}
	for n := 8; n > 0; n /= 2 {
		for i := range n {
			lanes[i] += lanes[i+n]
		}
	}
	return lanes[0]
}

// file writes the model.
func (f *fitter) file() []byte {
	var b bytes.Buffer
	b.WriteString(modelMagic)
	weight := func(w, unit float64) {
		b.WriteByte(byte(int8(max(-127, min(127, math.Round(w*unit))))))
	}
	for _, w := range f.tables {
		weight(float64(w), tableUnit)
	}
	for i := range f.input.weights[:numInputs] {
		for j, w := range f.input.weights[i] {
			known := f.input.squares[i] > 0
			if i < attackedAt {
				shared := sharedInput(uint16(i))
				w, known = w+f.input.weights[shared][j], f.input.squares[shared] > 0
			}
			if !known {
				w = 0
			}
			weight(float64(w), inputUnit)
		}
	}
	for i := range f.output.weights {
		for _, w := range f.output.weights[i] {
			if f.output.squares[i] == 0 {
				w = 0 // no game has it
			}
			weight(float64(w), outputUnit)
		}
	}
	positions := bookPositions(f.opened)
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

// openings counts the moves of the openings.
func openings(games []FitGame) map[uint64]*openedPosition {
	counts := map[uint64]*openedPosition{}
	for _, g := range games {
		p := g.Start
		for _, i := range g.Moves[:min(len(g.Moves), maxBookPly)] {
			m, _ := i.Move()
			if !p.IsLegal(m) {
				break
			}
			h := p.Hash()
			if counts[h] == nil {
				counts[h] = &openedPosition{moves: map[chess.Move]int{}}
			}
			counts[h].moves[m]++
			counts[h].total++
			p.Make(m)
		}
	}
	return counts
}

type bookPosition struct {
	hash  uint64
	moves []entry
}

// bookPositions picks what the book keeps of the openings.
func bookPositions(opened map[uint64]*openedPosition) []bookPosition {
	var positions []bookPosition
	for hash, o := range opened {
		if o.total < minGames {
			continue
		}
		d := bookPosition{hash: hash}
		for m, n := range o.moves {
			if n == 1 && o.total > rareBelow {
				continue
			}
			if o.total > maxCount { // leaves room: rounded up, 255 moves stay below twice the bound
				n = (n*(maxCount/2) + o.total - 1) / o.total
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
