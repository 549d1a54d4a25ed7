// SPDX-License-Identifier: Apache-2.0

package archive_test

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/internal/testenv"
)

// TestFlipsAndCuts flips bits of archives of each kind, and cuts them. Verify finds each flip, wherever it is, and so
// does who unpacks the file from front to back. A file that is cut is refused, or is what it was before games were
// added, which is told.
func TestFlipsAndCuts(t *testing.T) {
	one, _ := archive.MustPack(t, []byte(archive.TextOf("b", 1)))
	several := []byte(archive.TextOf("a", 70))
	kinds := map[string][]byte{}
	kinds["fixed"], _ = archive.SmallArchive(t, false)
	kinds["dense"], _ = archive.SmallArchive(t, true)
	kinds["clocks"], _ = archive.MustPack(t, []byte(archive.ClockedText), archive.WithDense(true))
	for b := range archive.BlocksOf(t, kinds["clocks"]) {
		if !slices.ContainsFunc(b.Columns(), func(c archive.Column) bool { return c.Compression == archive.Modelled }) {
			t.Fatal("clocks are not modelled")
		}
	}
	if blocks, coded := isDense(t, kinds["dense"]); coded < 2 {
		t.Fatalf("%d of %d blocks are dense", coded, blocks)
	}
	kinds["canonical"], _ = archive.MustPack(t, []byte(archive.OddText()), archive.WithCanonical(true))
	kinds["plain"], _ = archive.MustPack(t, several, archive.WithFilter(false))
	kinds["parts"], _ = archive.MustPack(t, several, archive.WithBlockGames(1))
	kinds["joined"] = archive.MustRecode(t, nil, kinds["fixed"], kinds["dense"], one)
	kinds["appended"] = archive.MustAppend(t, archive.MustAppend(t, archive.MustAppend(t, kinds["dense"], nil, one),
		nil, one), nil, kinds["parts"])
	whole := map[string]bool{} // the archives that an appended one was
	for _, b := range kinds {
		whole[string(b)] = true
	}
	ends := kinds["dense"]
	for range 2 {
		ends = archive.MustAppend(t, ends, nil, one)
		whole[string(ends)] = true
	}
	// In edited archives there are blocks and parts that nothing tells of any more: of these damage is no damage.
	named := archive.MustAppend(t, kinds["parts"], nil, one)
	for i := range 3 {
		named = archive.MustAppend(t, named, nil,
			first(archive.MustPack(t, []byte(archive.NamesText(archive.Itoa(i), 9)), archive.WithBlockGames(3),
				archive.WithDense(i == 1))))
	}
	kinds["search"] = named
	kinds["edited"] = archive.MustEdit(t, archive.MustEdit(t, named, []archive.Change{{Game: 3, Delete: true},
		{Game: 75, Set: []game.Tag{{Name: "White", Value: "X"}}}}),
		[]archive.Change{{Game: 70, Text: []byte("[White \"Y\"]\n\n1. d4 d5 *\n\n")}, {Game: 20, Delete: true}})
	games := map[string]bool{} // that an edited archive has or had
	for _, b := range [][]byte{named, kinds["edited"]} {
		r := archive.MustOpen(t, b)
		for n := 1; n <= r.Len(); n++ {
			text, err := r.AppendText(nil, n)
			if err != nil {
				t.Fatal(err)
			}
			games[string(text)] = true
		}
	}
	var text bytes.Buffer
	if _, err := archive.Unpack(context.Background(), &text, archive.MustOpen(t, kinds["edited"]).Ordered()); err !=
		nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	for name, sound := range kinds {
		rnd := rand.New(rand.NewPCG(11, uint64(len(sound))))
		for range testenv.Pick(2000, 150) {
			bad := bytes.Clone(sound)
			at, bit := rnd.IntN(len(bad)), rnd.IntN(8)
			bad[at] ^= 1 << bit
			if name == "edited" {
				edited(t, bad, text.Bytes(), games)
				continue
			}
			if rep, err := archive.Verify(ctx, bytes.NewReader(bad), int64(len(bad))); err == nil && rep.OK() {
				t.Fatalf("%s: bit %d of byte %d: Verify finds nothing", name, bit, at)
			}
			if _, err := archive.Unpack(ctx, io.Discard, bytes.NewReader(bad), archive.WithWorkers(1)); err == nil {
				t.Fatalf("%s: bit %d of byte %d: Unpack finds nothing", name, bit, at)
			}
		}
		for range testenv.Pick(200, 40) {
			bad := sound[:rnd.IntN(len(sound))]
			if whole[string(bad)] {
				continue
			}
			if name == "edited" || name == "search" { // it may be what it was before
				edited(t, bad, nil, games)
				continue
			}
			rep, err := archive.Verify(ctx, bytes.NewReader(bad), int64(len(bad)))
			if err == nil && rep.OK() && (name != "appended" || rep.Unfinished == 0) {
				t.Fatalf("%s: cut after %d bytes: Verify finds nothing", name, len(bad))
			}
			if _, err := archive.Unpack(ctx, io.Discard, bytes.NewReader(bad), archive.WithWorkers(1)); err == nil {
				t.Fatalf("%s: cut after %d bytes: Unpack finds nothing", name, len(bad))
			}
		}
	}
}

// edited reads an archive that was edited and is damaged. It is refused, or has the text, nil if it is not known; and
// what Recover gives are games that it has or had.
func edited(t *testing.T, bad, text []byte, games map[string]bool) {
	t.Helper()
	ctx := context.Background()
	rep, err := archive.Verify(ctx, bytes.NewReader(bad), int64(len(bad)))
	whole := err == nil && rep.OK()
	var out bytes.Buffer
	// else it is what it was before, which is told
	if r, err := archive.NewReader(bytes.NewReader(bad), int64(len(bad))); err == nil && r.Unfinished() == nil {
		if _, err := archive.Unpack(ctx, &out, r.Ordered(), archive.WithWorkers(1)); (err == nil || whole) &&
			text != nil && !bytes.Equal(out.Bytes(), text) {
			t.Fatalf("Verify finds %v, and another text is unpacked: %v", whole, err)
		}
	}
	out.Reset()
	if _, err := archive.Recover(ctx, &out, bytes.NewReader(bad), int64(len(bad))); err != nil {
		t.Fatal(err)
	}
	texts, errs := archive.GameTexts(out.Bytes())
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	partial := 0
	for _, text := range texts {
		if !games[text] {
			partial++
		}
	}
	if partial > 9 { // of one block, of which a column is lost
		t.Fatalf("%d games are recovered that never were", partial)
	}
}

func first(b []byte, _ archive.Stats) []byte { return b }
