// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"ply11/bitstream/codec"
)

// TestOptions gives each family of functions each value that an option does not take.
func TestOptions(t *testing.T) {
	sound, _ := mustPack(t, []byte("1. e4 *\n"))
	text := func() io.Reader { return strings.NewReader("1. e4 *\n") }
	file := func() io.Reader { return bytes.NewReader(sound) }
	meta := WithMeta(map[string]string{"": ""})
	for name, do := range map[string]func() error{
		"Pack, workers": func() error { _, err := Pack(context.Background(), io.Discard, text(), WithWorkers(-1)); return err },
		"Pack, block":   func() error { _, err := Pack(context.Background(), io.Discard, text(), WithBlockGames(-1)); return err },
		"Pack, large block": func() error {
			_, err := Pack(context.Background(), io.Discard, text(), WithBlockGames(4097))
			return err
		},
		"Pack, policy": func() error { _, err := Pack(context.Background(), io.Discard, text(), WithPolicy(3)); return err },
		"Pack, meta":   func() error { _, err := Pack(context.Background(), io.Discard, text(), meta); return err },
		"Repack, block": func() error {
			_, err := Repack(context.Background(), io.Discard, file(), WithBlockGames(4097))
			return err
		},
		"Recode, workers": func() error {
			_, err := Recode(context.Background(), io.Discard, []io.Reader{file()}, WithWorkers(-1))
			return err
		},
		"Recode, meta": func() error {
			_, err := Recode(context.Background(), io.Discard, []io.Reader{file()}, meta)
			return err
		},
		"Unpack, workers":     func() error { _, err := Unpack(context.Background(), io.Discard, file(), WithWorkers(-1)); return err },
		"NewWriter, block":    func() error { return NewWriter(io.Discard, WithBlockGames(4097)).Close() },
		"NewSelection, block": func() error { return NewSelection(io.Discard, WithBlockGames(4097)).Close() },
		"NewWriter, meta":     func() error { return NewWriter(io.Discard, meta).Close() },
		"Append, meta": func() error {
			_, err := Append(context.Background(), &memFile{b: bytes.Clone(sound), left: -1}, int64(len(sound)), nil, meta)
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
	want, _ := mustPack(t, []byte(textOf("a", 2000)))
	got, _ := mustPack(t, []byte(textOf("a", 2000)), WithBlockGames(0), WithWorkers(0))
	if !bytes.Equal(got, want) {
		t.Error(firstDifference(want, got))
	}
}
