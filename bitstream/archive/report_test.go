// SPDX-License-Identifier: Apache-2.0

package archive_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/game/codec"
	"ply11/game/pgn"
)

// TestReportPlaces packs texts that are cut where no line begins: the places of errors are those of a reader of the
// whole text.
func TestReportPlaces(t *testing.T) {
	two := "1. e4 {" + strings.Repeat("a long comment ", 70) + "} e5 * 1. e4 Ke4 * "
	for name, text := range map[string]string{
		"one line":                  strings.Repeat(two, 5000),
		"lines of a thousand games": strings.Repeat(strings.Repeat(two, 500)+"\n", 10),
		"carriage returns":          strings.Repeat(strings.Repeat(two, 500)+"\r", 10),
	} {
		t.Run(name, func(t *testing.T) {
			if len(text) < 2*archive.MostText {
				t.Fatalf("%d bytes are not cut where no line begins", len(text))
			}
			place := func(e *codec.Error) string { return fmt.Sprintf("game %d, %d:%d", e.Game, e.Line, e.Column) }
			var want, got []string
			r := pgn.NewReader(strings.NewReader(text))
			var g game.Game
			for {
				err := r.Read(&g)
				if err == io.EOF {
					break
				}
				var bad *codec.Error
				if errors.As(err, &bad) {
					want = append(want, place(bad))
				} else if err != nil {
					t.Fatal(err)
				}
			}
			if _, err := archive.Pack(t.Context(), new(bytes.Buffer), strings.NewReader(text),
				archive.WithReport(func(e *codec.Error) { got = append(got, place(e)) })); err != nil {
				t.Fatal(err)
			}
			if len(got) != len(want) {
				t.Fatalf("%d errors, want %d", len(got), len(want))
			}
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("error %d: %s, want %s", i+1, got[i], want[i])
				}
			}
		})
	}
}
