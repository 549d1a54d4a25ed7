// SPDX-License-Identifier: Apache-2.0

//go:build amd64 && !purego

package dense

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// hasAVX2 tells what the processor has: all that was made since 2015.
var hasAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2

// list is listGo.
func (c *choice) list(f *frame, w *[numWeights]int8) int {
	if f.promotes || f.targets.N == 0 || !hasAVX2 {
		return c.listGo(f, w)
	}
	return list((*uint64)(unsafe.Pointer(&f.view)), (*byte)(unsafe.Pointer(&f.targets.Men)), f.targets.N, &w[0],
		(*uint16)(&c.moves[0]), &c.tactics[0], &c.scores[0])
}

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

// What fitting does with rows of floats.

func addFloats(sum, row *[neurons]float32) {
	if hasAVX2 {
		addRow(&sum[0], &row[0])
	} else {
		addGo(sum, row)
	}
}

func subtractFloats(row, x *[neurons]float32, step float32) {
	if hasAVX2 {
		subtractRow(&row[0], &x[0], step)
	} else {
		subtractGo(row, x, step)
	}
}

func learnFloats(gradient, row, x *[neurons]float32, e, step float32) {
	if hasAVX2 {
		learnRow(&gradient[0], &row[0], &x[0], e, step)
	} else {
		learnGo(gradient, row, x, e, step)
	}
}

func dotFloats(a, b *[neurons]float32) float32 {
	if hasAVX2 {
		return dotRows(&a[0], &b[0])
	}
	return dotFloatsGo(a, b)
}
