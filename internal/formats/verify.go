// SPDX-License-Identifier: Apache-2.0

package formats

import "iter"

// verifiers find more than reading the games does.
var verifiers = map[string]func(in Input, o Options) iter.Seq[error]{}

// Verify reads a whole file and returns all that is wrong with it, in order: each error of a game that Read would
// yield, and, where the format's codec knows more (chessbase: checksums, counts, unused bits), that too. The last may
// be an error after which nothing can be read.
func (f *Format) Verify(in Input, o Options) iter.Seq[error] {
	if v := verifiers[f.Name]; v != nil {
		return v(in, o)
	}
	return func(yield func(error) bool) {
		if f.Read == nil {
			yield(ErrDirection)
			return
		}
		for _, err := range f.Read(in, o) {
			if err != nil && !yield(err) {
				return
			}
		}
	}
}
