// SPDX-License-Identifier: Apache-2.0

package files

import (
	"cmp"
	"io"
	"slices"

	"ply11/internal/tempfile"
)

// Pile is parts of a file that come in any order, in a temporary file.
type Pile struct {
	file  *tempfile.File
	parts []piled
	end   int64
}

// piled is where a part is in the file, and where in the order.
type piled struct{ place, offset, at, size int64 }

func NewPile() (*Pile, error) {
	f, err := tempfile.New()
	return &Pile{file: f}, err
}

// Add adds a part. Parts go by their places, and those of one place by their offsets.
func (p *Pile) Add(place, offset int64, data []byte) error {
	_, err := p.file.Write(data)
	p.parts = append(p.parts, piled{place, offset, p.end, int64(len(data))})
	p.end += int64(len(data))
	return err
}

func (p *Pile) Readers() []io.Reader {
	slices.SortFunc(p.parts, func(a, b piled) int {
		return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.offset, b.offset))
	})
	list := make([]io.Reader, len(p.parts))
	for i, part := range p.parts {
		list[i] = io.NewSectionReader(p.file, part.at, part.size)
	}
	return list
}

func (p *Pile) Close() error { return p.file.Close() }
