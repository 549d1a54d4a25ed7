// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"testing"

	"ply11/internal/testenv"
)

// TestFlipsAndCuts flips bits of archives of each kind, and cuts them. Verify finds each flip, wherever it is, and so does who unpacks the file from front to back. A
// file that is cut is refused, or is what it was before games were added, which is told.
func TestFlipsAndCuts(t *testing.T) {
	one, _ := mustPack(t, []byte(textOf("b", 1)))
	several := []byte(textOf("a", 70))
	kinds := map[string][]byte{}
	kinds["fixed"], _ = smallArchive(t, false)
	kinds["dense"], _ = smallArchive(t, true)
	kinds["canonical"], _ = mustPack(t, []byte(oddText()), WithCanonical(true))
	kinds["plain"], _ = mustPack(t, several, WithFilter(false))
	kinds["parts"], _ = mustPack(t, several, WithBlockGames(1))
	kinds["joined"] = mustRecode(t, nil, kinds["fixed"], kinds["dense"], one)
	kinds["appended"] = mustAppend(t, mustAppend(t, mustAppend(t, kinds["dense"], nil, one), nil, one), nil, kinds["parts"])
	whole := map[string]bool{} // the archives that an appended one was
	for _, b := range kinds {
		whole[string(b)] = true
	}
	ends := kinds["dense"]
	for range 2 {
		ends = mustAppend(t, ends, nil, one)
		whole[string(ends)] = true
	}
	ctx := context.Background()
	for name, sound := range kinds {
		rnd := rand.New(rand.NewPCG(11, uint64(len(sound))))
		for range testenv.Pick(2000, 150) {
			bad := bytes.Clone(sound)
			at, bit := rnd.IntN(len(bad)), rnd.IntN(8)
			bad[at] ^= 1 << bit
			if rep, err := Verify(ctx, bytes.NewReader(bad), int64(len(bad))); err == nil && rep.OK() {
				t.Fatalf("%s: bit %d of byte %d: Verify finds nothing", name, bit, at)
			}
			if _, err := Unpack(ctx, io.Discard, bytes.NewReader(bad), WithWorkers(1)); err == nil {
				t.Fatalf("%s: bit %d of byte %d: Unpack finds nothing", name, bit, at)
			}
		}
		for range testenv.Pick(200, 40) {
			bad := sound[:rnd.IntN(len(sound))]
			if whole[string(bad)] {
				continue
			}
			rep, err := Verify(ctx, bytes.NewReader(bad), int64(len(bad)))
			if err == nil && rep.OK() && (name != "appended" || rep.Unfinished == 0) {
				t.Fatalf("%s: cut after %d bytes: Verify finds nothing", name, len(bad))
			}
			if _, err := Unpack(ctx, io.Discard, bytes.NewReader(bad), WithWorkers(1)); err == nil {
				t.Fatalf("%s: cut after %d bytes: Unpack finds nothing", name, len(bad))
			}
		}
	}
}
