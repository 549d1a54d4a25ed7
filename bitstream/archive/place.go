// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"crypto/sha256"
)

// Place is where a block lies in its archive, with its digest.
type Place struct {
	First  int // the number of its first game in the archive, from 1
	Games  int
	Offset int64 // in bytes from the start of the file
	Size   int64
	Digest [16]byte
}

// Place returns where block n (from 1) lies. It reads an entry of the index.
func (t *Reader) Place(n int) (Place, error) {
	if err := t.hasBlock(n); err != nil {
		return Place{}, err
	}
	e, err := t.locate(uint64(n-1), false)
	return e.place(), err
}

// BlocksDigest returns a SHA-256 of the digests of n blocks from block first (from 1) on. It reads their entries in the
// index.
func (t *Reader) BlocksDigest(first, n int) (sum [sha256.Size]byte, err error) {
	h := sha256.New()
	for i := range n {
		p, err := t.Place(first + i)
		if err != nil {
			return sum, err
		}
		h.Write(p.Digest[:])
	}
	h.Sum(sum[:0])
	return sum, nil
}

// PlaceOf returns the number of the block that has game n (both from 1), and where it lies. It reads an entry of the
// index.
func (t *Reader) PlaceOf(n int) (block int, _ Place, err error) {
	if err := hasGame(n, t.Len()); err != nil {
		return 0, Place{}, err
	}
	e, err := t.locate(uint64(n-1), true)
	return e.before.blocks + 1, e.place(), err
}

func (e *location) place() Place {
	return Place{int(e.before.games) + 1, int(e.games), int64(e.at), int64(e.size), e.sum}
}
