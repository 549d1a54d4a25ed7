// SPDX-License-Identifier: Apache-2.0

//go:build amd64 && !purego

package dense

import "golang.org/x/sys/cpu"

var hasAVX2 = cpu.X86.HasAVX2

// sense is senseGo.
func (c *choice) sense(f *frame, w *net) {
	if hasAVX2 {
		sense(&w.input[0][0], &f.inputs[0], f.numInputs, &c.neurons[0])
	} else {
		c.senseGo(f, w)
	}
}

// weigh is weighGo.
func (c *choice) weigh(f *frame, w *net, n int) {
	if hasAVX2 {
		weigh(&c.neurons[0], &w.output[0][0], (*uint16)(&c.moves[0]), &c.tactics[0], n, f.view.flip, &c.scores[0])
	} else {
		c.weighGo(f, w, n)
	}
}

// frequencies is frequenciesGo.
func (c *choice) frequencies(n int) uint64 {
	if hasAVX2 {
		return frequencies(&c.scores[0], n, &c.freq[0])
	}
	return c.frequenciesGo(n)
}
