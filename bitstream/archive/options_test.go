// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"ply11/bitstream/codec"
)

// TestOptions gives each function each option: it works, or refuses the option by its name.
func TestOptions(t *testing.T) {
	v3, _ := mustPack(t, []byte("1. e4 *\n"))
	options := []Option{WithCanonical(true), WithPolicy(Skip), WithDense(true), WithFilter(false), WithReport(func(*codec.Error) {}),
		WithProgress(func(Stats) {}), WithWorkers(1), WithMeta(map[string]string{}), WithBlockGames(2)}
	writer := strings.Fields("WithDense WithFilter WithMeta WithBlockGames")
	recode := strings.Fields("WithDense WithFilter WithMeta WithProgress WithWorkers")
	for name, x := range map[string]struct {
		takes []string
		do    func(Option) error
	}{
		"Pack":   {optionNames, func(o Option) error { _, err := Pack(io.Discard, strings.NewReader("1. e4 *\n"), o); return err }},
		"Repack": {optionNames, func(o Option) error { _, err := Repack(io.Discard, bytes.NewReader(v3), o); return err }},
		"Recode": {recode, func(o Option) error { _, err := Recode(io.Discard, []io.Reader{bytes.NewReader(v3)}, o); return err }},
		"Append": {strings.Fields("WithDense WithFilter WithMeta WithProgress"), func(o Option) error {
			_, err := Append(&memFile{b: bytes.Clone(v3), left: -1}, int64(len(v3)), nil, o)
			return err
		}},
		"Unpack": {strings.Fields("WithProgress WithWorkers"), func(o Option) error { _, err := Unpack(io.Discard, bytes.NewReader(v3), o); return err }},
		"Verify": {[]string{"WithProgress"}, func(o Option) error { _, err := Verify(bytes.NewReader(v3), int64(len(v3)), o); return err }},
		"Recover": {[]string{"WithProgress"}, func(o Option) error {
			_, err := Recover(io.Discard, bytes.NewReader(v3), int64(len(v3)), o)
			return err
		}},
		"NewWriter":    {writer, func(o Option) error { return NewWriter(io.Discard, o).Close() }},
		"NewSelection": {writer, func(o Option) error { return NewSelection(io.Discard, o).Close() }},
	} {
		for i, o := range options {
			err := x.do(o)
			if slices.Contains(x.takes, optionNames[i]) {
				if err != nil {
					t.Errorf("%s, %s: %v", name, optionNames[i], err)
				}
			} else if !errors.Is(err, codec.ErrOption) || !strings.HasSuffix(err.Error(), name+" does not take "+optionNames[i]) {
				t.Errorf("%s, %s: %v", name, optionNames[i], err)
			}
		}
		for i, o := range []Option{WithWorkers(-1), WithBlockGames(0), WithBlockGames(4097), WithPolicy(3), WithMeta(map[string]string{"": ""})} {
			if err := x.do(o); !errors.Is(err, codec.ErrOption) {
				t.Errorf("%s, wrong value %d: %v", name, i, err)
			}
		}
	}
}
