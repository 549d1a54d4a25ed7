// SPDX-License-Identifier: Apache-2.0

package polyglot

import (
	"bufio"
	"encoding/binary"
	"io"
	"math/bits"
	"os"
	"path/filepath"
	"slices"

	"ply11/chess"
	"ply11/internal/extsort"
	"ply11/position"
)

// builder makes a book of moves in any order: it adds the weights of a move that comes several times.
type builder struct{ rows *extsort.Rows }

type sum struct {
	weight uint64
	move   rawMove
}

func newBuilder() *builder {
	return &builder{extsort.NewRows(filepath.Join(os.TempDir(), "book"), 16<<20, 0)}
}

// add adds a move that is legal in the position. With weight 0 it is known and not played.
func (b *builder) add(p *position.Position, m chess.Move, weight uint32) error {
	return b.addRaw(p.Hash(), encodeMove(p, m), weight)
}

func (b *builder) addRaw(key uint64, m rawMove, weight uint32) error {
	return b.rows.Add(binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint64(nil, key), uint16(m)),
		binary.AppendUvarint(nil, uint64(weight)))
}

func saturate(a, b uint64) uint64 {
	s, carry := bits.Add64(a, b, 0)
	return s | -carry
}

// write writes the book. Where a position's largest weight is above 65535, its weights are scaled down, none to 0.
func (b *builder) write(w io.Writer) error {
	out := bufio.NewWriterSize(w, 1<<16)
	var key uint64
	var group []sum // of the key
	var entries []entry
	flush := func() error {
		entries = scale(entries[:0], key, group)
		for _, e := range entries {
			if _, err := out.Write(e.appendTo(out.AvailableBuffer())); err != nil {
				return err
			}
		}
		group = group[:0]
		return nil
	}
	err := b.rows.Each(func(k, row []byte) error {
		move := rawMove(binary.BigEndian.Uint16(k[8:]))
		if at := binary.BigEndian.Uint64(k); at != key {
			if err := flush(); err != nil {
				return err
			}
			key = at
		}
		weight, _ := binary.Uvarint(row)
		if last := len(group) - 1; last >= 0 && group[last].move == move {
			group[last].weight = saturate(group[last].weight, weight)
			return nil
		}
		group = append(group, sum{weight, move})
		return nil
	})
	if err == nil {
		err = flush()
	}
	if err == nil {
		err = out.Flush()
	}
	return err
}

// scale makes the entries of one position, in the book's order.
func scale(dst []entry, key uint64, group []sum) []entry {
	var most uint64
	for _, s := range group {
		most = max(most, s.weight)
	}
	for _, s := range group {
		weight := s.weight
		if most > 0xffff {
			hi, lo := bits.Mul64(weight, 0xffff)
			weight, _ = bits.Div64(hi, lo, most)
			if s.weight > 0 {
				weight = max(weight, 1)
			}
		}
		dst = append(dst, entry{key: key, move: s.move, weight: uint16(weight)})
	}
	slices.SortFunc(dst, entry.compare)
	return dst
}
