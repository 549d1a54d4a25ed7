// SPDX-License-Identifier: Apache-2.0

package archive_test

import (
	"testing"

	"ply11/bitstream/archive"
	"ply11/internal/bounded"
	"ply11/internal/testenv"
)

func FuzzColumns(f *testing.F) {
	for _, dense := range []bool{false, true} {
		data, _ := archive.SmallArchive(f, dense)
		archive.AddColumns(f, data)
		odd, _ := archive.MustPack(f, []byte(archive.OddText()), archive.WithDense(dense), archive.WithBlockGames(5))
		archive.AddColumns(f, odd)
	}
	bounded.Fuzz(f, func(t *testing.T, dense bool, games, departing uint16, words, plies uint32, style uint64,
		packed uint16,
		c0, c1, c2, c3, c4, c5, c6, c7, c8, c9 []byte) {
		archive.PassPanics(t)
		counts := archive.ForgedCounts{Games: games, Departing: departing, Words: words, Plies: plies}
		archive.Le.PutUint64(counts.Style[:], style)
		archive.ReadForged(t, archive.ForgeBlock(dense, counts, packed, [10][]byte{c0, c1, c2, c3, c4, c5, c6, c7, c8,
			c9}))
	})
}

// FuzzStructure changes the header, blocks' headers, the footer and the trailer, and puts blocks elsewhere. Each five
// bytes of program are a change: what, where, and a value.
func FuzzStructure(f *testing.F) {
	for _, dense := range []bool{false, true} {
		f.Add(dense, false, []byte{})
		for what := range byte(7) {
			for where := byte(0); where < 40; where += byte(testenv.Pick(1, 5)) {
				f.Add(dense, where%2 == 0, []byte{what, where, where, 0xff, 0})
				f.Add(dense, where%2 == 1, []byte{what, where, where, 1, 0, what, where, where / 2, 0x7f, 1})
			}
		}
	}
	var sound [2][]byte
	for i, dense := range []bool{false, true} {
		sound[i], _ = archive.SmallArchive(f, dense)
	}
	bounded.Fuzz(f, func(t *testing.T, dense, follow bool, program []byte) {
		archive.PassPanics(t)
		i := 0
		if dense {
			i = 1
		}
		archive.ReadForged(t, archive.ForgeStructure(sound[i], program, follow))
	})
}
