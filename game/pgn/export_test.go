// SPDX-License-Identifier: Apache-2.0

package pgn

// Work returns how many bytes the reader has looked at or moved so far, each as often as that was done.
func (r *Reader) Work() int64 { return r.p.work }

// MostWork is what a Reader may take for an input of a length.
func MostWork(length int) int64 { return 20*int64(length) + 20_000 }

// The limits besides MaxGame.

func MaxTags(n int) ReaderOption    { return limited(func(o *options) { o.maxTags = n }) }
func MaxTag(n int) ReaderOption     { return limited(func(o *options) { o.maxTag = n }) }
func MaxComment(n int) ReaderOption { return limited(func(o *options) { o.maxComment = n }) }
func MaxNesting(n int) ReaderOption { return limited(func(o *options) { o.maxNesting = n }) }
func MaxMoves(n int) ReaderOption   { return limited(func(o *options) { o.maxMoves = n }) }
func MaxItems(n int) ReaderOption   { return limited(func(o *options) { o.maxItems = n }) }

func limited(set func(*options)) ReaderOption {
	return func(o *options) error {
		set(o)
		return nil
	}
}
