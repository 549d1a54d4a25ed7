// SPDX-License-Identifier: Apache-2.0

package pgn

// Work returns how many bytes the reader has looked at or moved so far, each as often as that was done.
func (r *Reader) Work() int64 { return r.p.work }

// MostWork is what a Reader may take for an input of a length.
func MostWork(length int) int64 { return 20*int64(length) + 20_000 }
