// SPDX-License-Identifier: Apache-2.0

//go:build !amd64 || purego

package dense

// set lists the moves of the position that f is of, and their frequencies. The moves are in the order
// of targets.Legal: by man, a man's by target, a promotion's by knight, bishop, rook, queen; then
// comes the null move.
func (c *choice) set(f *frame, w *[numWeights]int8) { c.setGo(f, w) }
