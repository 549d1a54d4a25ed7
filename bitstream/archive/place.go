// SPDX-License-Identifier: Apache-2.0

package archive

import "fmt"

// Place is where a block lies in its archive, and the digest that vouches for it, as the index tells.
type Place struct {
	First  int // the number of its first game in the archive, from 1
	Games  int
	Offset int64 // in bytes from the start of the file
	Size   int64 // in bytes
	Digest [16]byte
}

// Place returns where block n (from 1) lies. It reads an entry of the index, and nothing of the block.
func (t *Reader) Place(n int) (Place, error) {
	if n <= 0 || n > t.blocks {
		return Place{}, fmt.Errorf("%w: block %d of %d", ErrNoGame, n, t.blocks)
	}
	e, err := t.locate(uint64(n-1), false)
	return Place{int(e.before.games) + 1, int(e.games), int64(e.at), int64(e.size), e.sum}, err
}
