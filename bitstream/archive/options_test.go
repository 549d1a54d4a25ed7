// SPDX-License-Identifier: Apache-2.0

package archive_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"ply11/bitstream/archive"
	"ply11/game/codec"
)

// TestOptions gives each family of functions each value that an option does not take.
func TestOptions(t *testing.T) {
	sound, _ := archive.MustPack(t, []byte("1. e4 *\n"))
	ctx := t.Context()
	pack := func(o archive.PackOption) error {
		_, err := archive.Pack(ctx, io.Discard, strings.NewReader("1. e4 *\n"), o)
		return err
	}
	file := func() []io.Reader { return []io.Reader{bytes.NewReader(sound)} }
	copied := func(o archive.CopyOption) error { _, err := archive.Copy(ctx, io.Discard, file(), o); return err }
	meta := archive.WithMeta(map[string]string{"": ""})
	_, unpacked := archive.Unpack(ctx, io.Discard, bytes.NewReader(sound), archive.WithWorkers(-1))
	_, appended := archive.Append(ctx, &archive.MemFile{B: bytes.Clone(sound), Left: -1}, int64(len(sound)), nil, meta)
	for i, err := range []error{
		pack(archive.WithWorkers(-1)), pack(archive.WithBlockGames(-1)), pack(archive.WithBlockGames(4097)),
		pack(archive.WithPolicy(3)), pack(meta), copied(archive.WithBlockGames(4097)), copied(archive.WithWorkers(-1)),
		copied(meta), unpacked, archive.NewWriter(io.Discard, archive.WithBlockGames(4097)).Close(),
		archive.NewSelection(io.Discard, archive.WithBlockGames(4097)).Close(),
		archive.NewWriter(io.Discard, meta).Close(), appended,
	} {
		if !errors.Is(err, codec.ErrOption) {
			t.Errorf("%d: %v", i, err)
		}
	}
}

// TestZeroOptions: 0 is the default of numbers.
func TestZeroOptions(t *testing.T) {
	want, _ := archive.MustPack(t, []byte(archive.TextOf("a", 2000)))
	got, _ := archive.MustPack(t, []byte(archive.TextOf("a", 2000)), archive.WithBlockGames(0), archive.WithWorkers(0))
	if !bytes.Equal(got, want) {
		t.Error(archive.FirstDifference(want, got))
	}
}
