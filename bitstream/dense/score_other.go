// SPDX-License-Identifier: Apache-2.0

//go:build (!amd64 && !arm64) || purego

package dense

var hasVectors = false

func (c *choice) sense(f *frame, w *net)        { c.senseGo(f, w) }
func (c *choice) weigh(f *frame, w *net, n int) { c.weighGo(f, w, n) }
func (c *choice) frequencies(n int) uint64      { return c.frequenciesGo(n) }
