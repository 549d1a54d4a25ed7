// SPDX-License-Identifier: Apache-2.0

package dataset

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ply11/moveindex"
	"ply11/position"
	"ply11/query"
)

const (
	onlyEval    = "eval"     // it has an evaluation
	onlyNoCheck = "no-check" // the mover is not in check
	onlyQuiet   = "quiet"    // nor does a capture or promotion win material by static exchange
)

const (
	augmentColors = "colors" // colours exchanged, and ranks
	augmentFiles  = "files"  // files exchanged, if nobody may castle
)

// OnlyNames returns the values of Job.Only, and AugmentNames those of Job.Augment.
func OnlyNames() []string { return []string{onlyEval, onlyNoCheck, onlyQuiet} }

func AugmentNames() []string { return []string{augmentColors, augmentFiles} }

type choice struct {
	seed                 uint64
	split                [2]float64
	chance               float64
	weights              []weight
	eval, noCheck, quiet bool
	colors, files        bool
}

// weight multiplies the chance of games that meet a query.
type weight struct {
	q      *query.Query
	chance float64
}

// choice verifies and normalizes what of the job chooses rows.
func (j *Job) choice() (c choice, err error) {
	c = choice{seed: j.Seed, split: [2]float64{0, 1}, chance: j.Sample}
	if j.Sample == 0 || j.Sample == 1 {
		c.chance, j.Sample = 1, 0
	}
	if !(c.chance > 0 && c.chance <= 1) {
		return c, fmt.Errorf("sample is a chance above 0, at most 1, and not %v", j.Sample)
	}
	if j.Split != "" {
		from, to, ok := strings.Cut(j.Split, "-")
		var err1, err2 error
		c.split[0], err1 = strconv.ParseFloat(from, 64)
		c.split[1], err2 = strconv.ParseFloat(to, 64)
		if !ok || err1 != nil || err2 != nil || !(0 <= c.split[0] && c.split[0] < c.split[1] && c.split[1] <= 1) {
			return c, fmt.Errorf("split is a range from 0 to 1, as 0-0.9 and 0.9-1, and not %q", j.Split)
		}
	}
	for _, text := range j.Weights {
		at := strings.LastIndexByte(text, ':')
		name, value, ok := strings.Cut(text[:max(at, 0)], "=")
		chance, err := strconv.ParseFloat(text[at+1:], 64)
		if !ok || err != nil || !(chance >= 0 && chance <= 1) {
			return c, fmt.Errorf("a weight is a condition on games and a chance from 0 to 1, as rating=-1800:0.25 or "+
				"result=draw:0.5, and not %q", text)
		}
		q := query.New()
		if err := q.Add(name, value); err != nil {
			return c, err
		}
		if !q.OfGames() {
			return c, fmt.Errorf("%s: a weight is of whole games", name)
		}
		c.weights = append(c.weights, weight{q, chance})
	}
	if err := checkNames(&j.Only, "only", OnlyNames()); err != nil {
		return c, err
	}
	if err := checkNames(&j.Augment, "augment", AugmentNames()); err != nil {
		return c, err
	}
	only := func(name string) bool { return slices.Contains(j.Only, name) }
	augment := func(name string) bool { return slices.Contains(j.Augment, name) }
	c.eval, c.noCheck, c.quiet = only(onlyEval), only(onlyNoCheck), only(onlyQuiet)
	c.colors, c.files = augment(augmentColors), augment(augmentFiles)
	if j.MaxEval < 0 || j.PerGame < 0 {
		return c, fmt.Errorf("max-eval and per-game are 0 or more")
	}
	return c, nil
}

// checkNames verifies the names of a list, and sorts it.
func checkNames(list *[]string, what string, known []string) error {
	for _, name := range *list {
		if !slices.Contains(known, name) {
			return fmt.Errorf("%s: there is no %q; there are %s", what, name, strings.Join(known, ", "))
		}
	}
	*list = slices.Compact(slices.Sorted(slices.Values(*list)))
	return nil
}

// game reports whether a game is in the split, and sets the chance of its rows.
func (c *choice) game(m *query.Match, r *recorder) (taken bool, err error) {
	r.chance = c.chance
	if c.split != [2]float64{0, 1} {
		start, words, err := m.MainLine()
		if err != nil {
			return false, err
		}
		if v := fraction(r.splitNumber(&start, words)); v < c.split[0] || v >= c.split[1] {
			return false, nil
		}
	}
	for _, w := range c.weights {
		holds, err := w.q.Holds(m)
		if err != nil {
			return false, err
		}
		if holds {
			r.chance *= w.chance
		}
	}
	return true, nil
}

func (c *choice) row(m *query.Match, r *recorder) (bool, error) {
	if r.chance == 1 {
		return true, nil
	}
	_, words, err := m.MainLine()
	return fraction(rowNumber(r.gameNumber(c.seed, words), m.Number, 0)) < r.chance, err
}

// fraction makes a number from 0 to 1 of the 53 highest bits.
func fraction(v uint64) float64 { return float64(v>>11) / (1 << 53) }

// rowNumber is the number of a game with gameNumber n, or of its position after ply plies, from 1.
func rowNumber(n uint64, number, ply int) uint64 {
	return scatter(scatter(n+uint64(number)) + uint64(ply))
}

type hasher struct{ key []byte }

// gameNumber depends on the seed and the moves: the first eight bytes of the SHA-256 of the seed's eight bytes and each
// move's two, low bytes first.
func (h *hasher) gameNumber(seed uint64, moves []moveindex.Index) uint64 {
	h.key = binary.LittleEndian.AppendUint64(h.key[:0], seed)
	return h.sum(moves)
}

// splitNumber depends on the game alone: the same of "split", the FEN of a start that is not the usual one, a 0, and
// the moves.
func (h *hasher) splitNumber(start *position.Position, moves []moveindex.Index) uint64 {
	h.key = append(h.key[:0], "split"...)
	if *start != usual {
		h.key = start.AppendFEN(h.key)
	}
	h.key = append(h.key, 0)
	return h.sum(moves)
}

func (h *hasher) sum(moves []moveindex.Index) uint64 {
	for _, w := range moves {
		h.key = binary.LittleEndian.AppendUint16(h.key, uint16(w))
	}
	sum := sha256.Sum256(h.key)
	return binary.LittleEndian.Uint64(sum[:])
}
