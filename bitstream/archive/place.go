// SPDX-License-Identifier: Apache-2.0

package archive

import "fmt"

// Place is where a block lies in its archive, as the footer's index tells.
type Place struct {
	First  int // the number of its first game in the archive, from 1
	Games  int
	Offset int64 // in bytes from the start of the file
	Size   int64 // in bytes
}

// Place returns where block n (from 1) lies. It reads an entry of the index, and nothing of the block.
func (t *Reader) Place(n int) (Place, error) {
	if n <= 0 || n > t.blocks {
		return Place{}, fmt.Errorf("%w: block %d of %d", ErrNoGame, n, t.blocks)
	}
	var e [indexEntry]byte
	if err := t.entry(n-1, &e); err != nil {
		return Place{}, err
	}
	return Place{int(le.Uint64(e[8:])), int(le.Uint32(e[16:])), int64(le.Uint64(e[:])), int64(le.Uint32(e[24:]))}, nil
}
