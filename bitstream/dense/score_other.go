// SPDX-License-Identifier: Apache-2.0

//go:build !amd64 || purego

package dense

func (c *choice) list(f *frame, w *[numWeights]int8) int { return c.listGo(f, w) }
func (c *choice) sense(f *frame, w *net)                 { c.senseGo(f, w) }
func (c *choice) weigh(f *frame, w *net, n int)          { c.weighGo(f, w, n) }
func (c *choice) frequencies(n int) uint64               { return c.frequenciesGo(n) }

func addFloats(sum, row *[neurons]float32)                  { addGo(sum, row) }
func subtractFloats(row, x *[neurons]float32, step float32) { subtractGo(row, x, step) }
func learnFloats(gradient, row, x *[neurons]float32, e, step float32) {
	learnGo(gradient, row, x, e, step)
}
func dotFloats(a, b *[neurons]float32) float32 { return dotFloatsGo(a, b) }
