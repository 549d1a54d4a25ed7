// SPDX-License-Identifier: Apache-2.0

package archiver

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"ply11/bitstream/archive"
	"ply11/web/call"
	"ply11/web/call/wire"
	"ply11/web/lines"
)

// TestPack: PGN becomes an archive, whose bytes are explained; prose does not, and neither does what is given up.
func TestPack(t *testing.T) {
	pgn := []byte("1. e4 *\n\n1. d4 d5 *\n")
	for name, c := range map[string]*call.Call{"data": {Data: pgn},
		"file": {File: bytes.NewReader(pgn), Size: int64(len(pgn))}} {
		c.Method = "pack"
		v, err := Methods().Do(t.Context(), c)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		packed := []byte(v.(call.Bytes))
		r, err := archive.NewReader(bytes.NewReader(packed), int64(len(packed)))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if s := r.Stats(); s.Games != 2 || s.Plies != 3 {
			t.Errorf("%s: %d games, %d plies", name, s.Games, s.Plies)
		}
		v, err = Methods().Do(t.Context(), &call.Call{Method: "layout", Data: packed})
		if err != nil {
			t.Fatal(err)
		}
		if text, err := wire.Append(nil, v); err != nil {
			t.Errorf("%s: %s, %v", name, text, err)
		}
		if e := v.(*lines.Explained); len(e.Lines) < 10 || e.Error != "" {
			t.Errorf("%s: %d lines, %s", name, len(e.Lines), e.Error)
		}
	}
	for name, c := range map[string]*call.Call{"prose": {Data: []byte("Dear reader")}, "nothing": {},
		"too much": {File: bytes.NewReader(nil), Size: maxPGN + 1}} {
		c.Method = "pack"
		if _, err := Methods().Do(t.Context(), c); err == nil || strings.Contains(err.Error(), "bug") {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	yields := 0
	many := bytes.Repeat(pgn, 1<<18)
	_, err := Methods().Do(ctx, &call.Call{Method: "pack", Data: many, Yield: func() { yields++; cancel() }})
	if !errors.Is(err, call.ErrCanceled) || yields == 0 {
		t.Errorf("given up after %d yields: %v", yields, err)
	}
}
