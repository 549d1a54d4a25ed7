// SPDX-License-Identifier: Apache-2.0

package archive_test

import (
	"bytes"
	"context"
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
	text := func() io.Reader { return strings.NewReader("1. e4 *\n") }
	file := func() io.Reader { return bytes.NewReader(sound) }
	meta := archive.WithMeta(map[string]string{"": ""})
	for name, do := range map[string]func() error{
		"Pack, workers": func() error {
			_, err := archive.Pack(context.Background(), io.Discard, text(), archive.WithWorkers(-1))
			return err
		},
		"Pack, block": func() error {
			_, err := archive.Pack(context.Background(), io.Discard, text(), archive.WithBlockGames(-1))
			return err
		},
		"Pack, large block": func() error {
			_, err := archive.Pack(context.Background(), io.Discard, text(), archive.WithBlockGames(4097))
			return err
		},
		"Pack, policy": func() error {
			_, err := archive.Pack(context.Background(), io.Discard, text(), archive.WithPolicy(3))
			return err
		},
		"Pack, meta": func() error {
			_, err := archive.Pack(context.Background(), io.Discard, text(),
				meta)
			return err
		},
		"Repack, block": func() error {
			_, err := archive.Copy(context.Background(), io.Discard, []io.Reader{file()}, archive.WithBlockGames(4097))
			return err
		},
		"Recode, workers": func() error {
			_, err := archive.Copy(context.Background(), io.Discard, []io.Reader{file()}, archive.WithWorkers(-1))
			return err
		},
		"Recode, meta": func() error {
			_, err := archive.Copy(context.Background(), io.Discard, []io.Reader{file()}, meta)
			return err
		},
		"Unpack, workers": func() error {
			_, err := archive.Unpack(context.Background(), io.Discard, file(), archive.WithWorkers(-1))
			return err
		},
		"NewWriter, block": func() error {
			return archive.NewWriter(io.Discard,
				archive.WithBlockGames(4097)).Close()
		},
		"NewSelection, block": func() error {
			return archive.NewSelection(io.Discard,
				archive.WithBlockGames(4097)).Close()
		},
		"NewWriter, meta": func() error { return archive.NewWriter(io.Discard, meta).Close() },
		"Append, meta": func() error {
			_, err := archive.Append(context.Background(), &archive.MemFile{B: bytes.Clone(sound), Left: -1},
				int64(len(sound)), nil, meta)
			return err
		},
	} {
		if err := do(); !errors.Is(err, codec.ErrOption) {
			t.Errorf("%s: %v", name, err)
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
