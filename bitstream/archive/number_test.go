// SPDX-License-Identifier: Apache-2.0

package archive_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"slices"
	"strings"
	"testing"

	"ply11/bitstream/archive"
	"ply11/game"
)

// TestCountedFromOne: games and blocks are counted from 1 everywhere, and in errors.
func TestCountedFromOne(t *testing.T) {
	archive.EachForm(t, func(t *testing.T, dense bool) {
		data, _ := archive.SmallArchive(t, dense)
		r := archive.MustOpen(t, data)
		for _, n := range []int{-1, 0, r.Blocks() + 1} {
			if _, err := r.Block(n); !errors.Is(err, archive.ErrNoGame) {
				t.Errorf("block %d: %v", n, err)
			}
		}
		game1 := 1
		for n := 1; n <= r.Blocks(); n++ {
			b := archive.MustBlock(t, r, n)
			if b.Number() != n || b.First() != game1 {
				t.Errorf("block %d is told to be %d, from game %d", n, b.Number(), b.First())
			}
			for i := 1; i <= b.Len(); i++ {
				var g game.Game
				if err := b.Game(i, &g); err != nil || g.Source.Number != int(game1)+i-1 {
					t.Errorf("game %d of block %d is told to be %d; %v", i, n, g.Source.Number, err)
				}
				found, place, err := r.Find(game1 + i - 1)
				if err != nil || found.Number() != n || place != i {
					t.Errorf("game %d of block %d is found at %d; %v", i, n, place, err)
				}
				where, of := mustPlace(t, r, n), archive.MustOpen(t, data)
				if block, p, err := of.PlaceOf(game1 + i - 1); err != nil || block != n || p != where {
					t.Errorf("game %d of block %d lies in block %d, %+v, and not %+v; %v", i, n, block, p, where, err)
				}
			}
			for _, i := range []int{-1, 0, b.Len() + 1} {
				var g game.Game
				_, _, address := b.Address(i)
				_, line := b.MainLine(nil, i)
				_, start := b.Start(i)
				_, result := b.Result(i)
				_, _, exception := b.Exception(i)
				_, text := b.AppendText(nil, i, nil)
				for k, err := range []error{address, line, start, result, exception, text, b.Tags(i, &g),
					b.Game(i, &g)} {
					if !errors.Is(err, archive.ErrNoGame) {
						t.Errorf("game %d of a block of %d, entry %d: %v", i, b.Len(), k, err)
					}
				}
			}
			game1 += b.Len()
		}
		one, two := mustPlace(t, r, 1).Digest, mustPlace(t, r, 2).Digest
		for _, c := range []struct {
			first, n int
			of       []byte
		}{{1, 0, nil}, {1, 1, one[:]}, {2, 1, two[:]}, {1, 2, slices.Concat(one[:], two[:])}} {
			if got, err := r.BlocksDigest(c.first, c.n); err != nil || got != sha256.Sum256(c.of) {
				t.Errorf("the digest of %d blocks from %d is %x; %v", c.n, c.first, got, err)
			}
		}
		if _, err := r.BlocksDigest(1, r.Blocks()+1); !errors.Is(err, archive.ErrNoGame) {
			t.Errorf("the digest of a block too many: %v", err)
		}
		// An error of the second block says so.
		b := archive.MustBlock(t, r, 2)
		bad := bytes.Clone(data)
		bad[b.Columns()[0].Offset] ^= 1
		rep, err := archive.Verified(bad)
		if err != nil || rep.OK() || !strings.Contains(rep.Errors[0].Error(), "block 2: ") {
			t.Errorf("%v, %v", rep.Errors, err)
		}
		if text, err := explained(t, bad); err == nil || !strings.Contains(err.Error(), "block 2: ") ||
			!strings.Contains(text, "\nblock 2, header of") &&
				!strings.Contains(text, "block 2, header of") {
			t.Errorf("explain: %v", err)
		}
	})
}

// mustPlace returns where a block lies.
func mustPlace(tb testing.TB, r *archive.Reader, block int) archive.Place {
	tb.Helper()
	p, err := r.Place(block)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}
