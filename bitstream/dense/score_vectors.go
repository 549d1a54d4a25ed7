// SPDX-License-Identifier: Apache-2.0

//go:build (amd64 || arm64) && !purego

package dense

// sense is senseGo.
func (c *choice) sense(f *frame, w *net) {
	if hasVectors {
		sense(&w.input[0][0], &f.inputs[0], f.numInputs, &c.neurons[0])
	} else {
		c.senseGo(f, w)
	}
}

// weigh is weighGo.
func (c *choice) weigh(f *frame, w *net, n int) {
	if hasVectors {
		weigh(&c.neurons[0], &w.output[0][0], (*uint16)(&c.moves[0]), &c.tactics[0], n, f.view.flip, &c.scores[0])
	} else {
		c.weighGo(f, w, n)
	}
}

// sense sums n rows of input, at least one, and sets the neurons. It needs AVX2, or any ARM of 64 bits.
//
//go:noescape
func sense(rows *uint64, inputs *uint16, n int, neurons *uint8)

// weigh adds to the scores of n moves, at least one, what the net says of them. It needs the same.
//
//go:noescape
func weigh(neurons *uint8, output *uint64, moves *uint16, tactics *uint16, n int, flip uint64, scores *int16)
