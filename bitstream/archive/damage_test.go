// SPDX-License-Identifier: Apache-2.0

package archive_test

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"testing"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/game/codec"
	"ply11/game/pgn"
	"ply11/internal/bounded"
)

// TestDamageIsNamed asks for the place that Verify names.
func TestDamageIsNamed(t *testing.T) {
	archive.EachForm(t, func(t *testing.T, dense bool) {
		data, _ := archive.SmallArchive(t, dense)
		r := archive.MustOpen(t, data)
		for i := range r.Blocks() {
			b := archive.MustBlock(t, r, i+1)
			for _, c := range b.Columns() {
				bad := bytes.Clone(data)
				bad[c.Offset+c.Stored/2] ^= 0x10
				rep, err := archive.Verified(bad)
				var e *archive.CorruptError
				if err != nil || rep.OK() || !errors.As(rep.Errors[0], &e) {
					t.Fatalf("block %d, %v: %v, %v", i, c.Kind, rep, err)
				}
				if e.Block != i+1 || e.Part != c.Kind.String() || e.Offset != c.Offset ||
					!errors.Is(e, archive.ErrCorrupt) {
					t.Errorf("block %d, %v at %d: Verify names %v", i, c.Kind, c.Offset, e)
				}
			}
		}
	})
}

func FuzzReader(f *testing.F) {
	for _, dense := range []bool{false, true} {
		data, _ := archive.SmallArchive(f, dense)
		f.Add(data, true)
		small, _ := archive.MustPack(f, []byte(archive.SampleText), archive.WithDense(dense))
		f.Add(small, false)
	}
	f.Add([]byte(nil), true)
	bounded.Fuzz(f, func(t *testing.T, b []byte, seal bool) {
		if seal {
			b = bytes.Clone(b)
			archive.Reseal(b)
		}
		archive.ReadEverything(b)
	})
}

func FuzzPack(f *testing.F) {
	for _, dense := range []bool{false, true} {
		f.Add([]byte(archive.SampleText), uint8(2), dense)
		f.Add([]byte("1. e4 {\x00} e5 *\r\n\r\n[Event \"x\"]\r\n\r\n1. \xe9\xff *"), uint8(1), dense)
		f.Add([]byte("[Event \"\xe9\"]\n\n1.e4 {[%clk 00:01:02.3] [%eval #-3] [%emt 1:2:3]} *"), uint8(0), dense)
	}
	bounded.Fuzz(f, func(t *testing.T, text []byte, games uint8, dense bool) {
		data, stats := archive.MustPack(t, text, archive.WithBlockGames(cmp.Or(int(games), archive.DefaultBlockGames)),
			archive.WithWorkers(1), archive.WithDense(dense))
		var other, back bytes.Buffer
		form, same := archive.DenseForm, archive.FixedForm
		if dense {
			form, same = archive.FixedForm, archive.DenseForm
		}
		if _, err := archive.Copy(t.Context(), &other, []io.Reader{bytes.NewReader(data)},
			archive.InForm(form), archive.WithWorkers(1)); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Copy(t.Context(), &back, []io.Reader{&other}, archive.InForm(same),
			archive.WithWorkers(1)); err != nil || !bytes.Equal(back.Bytes(), data) {
			t.Fatalf("recoded there and back it is another archive; %v", err)
		}
		if got := archive.MustUnpack(t, data); !bytes.Equal(got, text) {
			t.Fatal(archive.FirstDifference(text, got))
		}
		archive.Whole(t, data)
		r := pgn.NewReader(bytes.NewReader(text))
		n := 0
		var g game.Game
		for {
			err := r.Read(&g)
			if err == io.EOF {
				break
			}
			n++
		}
		if len(text) < 1<<16 && n != stats.Games && !bytes.Contains(text, []byte("[Event ")) {
			t.Fatalf("%d games, and the PGN has %d", stats.Games, n)
		}
	})
}

// TestCorruptIsFinal: an archive that is corrupt is no error of one game, after which a loop would go on.
func TestCorruptIsFinal(t *testing.T) {
	for _, err := range []error{archive.ErrCorrupt, archive.ErrTruncated} {
		if codec.IsGameError(fmt.Errorf("games.p11: %w", &archive.CorruptError{Part: "block", Block: 1, Game: 3,
			Err: err})) {
			t.Errorf("%v is taken for the error of a game", err)
		}
	}
}
