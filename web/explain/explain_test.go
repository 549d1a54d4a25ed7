// SPDX-License-Identifier: Apache-2.0

package explain

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"ply11/internal/bounded"
	"ply11/internal/formats"
	"ply11/web/call"
	"ply11/web/call/wire"
	"ply11/web/lines"
)

func do(t *testing.T, method string, params any, data []byte) (any, error) {
	t.Helper()
	text, err := json.Marshal(params)
	if err != nil {
		t.Fatal(err)
	}
	v, err := Methods().Do(t.Context(), &call.Call{Method: method, Params: text, Data: data})
	if _, ok := v.(call.Bytes); !ok && err == nil {
		_, err = wire.Append(nil, v)
	}
	return v, err
}

const sample = `[Result "*"]

1. e4 e5 2. Nf3 (2. Bc4 Nc6 (2... Nf6 3. d3) 3. Qh5) Nc6 3. Bb5 a6 *
`

// TestLinks: in every format that holds them, each line with a move leads to the position after it.
func TestLinks(t *testing.T) {
	move := regexp.MustCompile(`\b[0-9]+\.(\.\.)? [KQRBNa-h]`)
	for _, f := range formats.All {
		if f.Name == "p11" {
			continue // which package archiver explains
		}
		v, err := do(t, "encode", map[string]string{"format": f.Name, "pgn": sample}, nil)
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
			continue
		}
		v, err = do(t, "explain", map[string]string{"format": f.Name}, v.(call.Bytes))
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
			continue
		}
		e := v.(*lines.Explained)
		if e.Error != "" {
			t.Errorf("%s: %s", f.Name, e.Error)
		}
		moves, last := 0, ""
		for _, l := range e.Lines {
			if !move.MatchString(l.Text) {
				continue
			}
			moves++
			if l.FEN == "" {
				t.Errorf("%s: no position for %q", f.Name, l.Text)
			}
			last = l.FEN
		}
		if moves < 6 {
			t.Errorf("%s: %d moves", f.Name, moves)
		}
		if f.Name != "polyglot" && f.Name != "fbk" &&
			!strings.HasPrefix(last, "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w") {
			t.Errorf("%s: the last position is %s", f.Name, last)
		}
	}
}

// TestWrong: bytes that are wrong are explained as far as they go, and the error is told.
func TestWrong(t *testing.T) {
	v, err := do(t, "explain", map[string]string{"format": "pgn"}, []byte("1. e4 e5 2. Ke4 *"))
	if err != nil || v.(*lines.Explained).Error == "" {
		t.Errorf("%+v, %v", v, err)
	}
	for _, c := range []map[string]string{{"format": "none"}, {}} {
		if _, err := do(t, "explain", c, []byte("x")); err == nil {
			t.Errorf("%v is taken", c)
		}
	}
	if _, err := do(t, "explain", map[string]string{"format": "pgn"}, nil); err == nil {
		t.Error("nothing is explained")
	}
	if _, err := do(t, "encode", map[string]string{"format": "jose", "pgn": ""}, nil); err == nil {
		t.Error("nothing is encoded")
	}
	if v, err := do(t, "formats", struct{}{}, nil); err != nil || len(v.([]byteFormat)) != len(formats.All) {
		t.Errorf("%v, %v", v, err)
	}
}

// FuzzExplain: whatever the bytes are, they are explained or refused.
func FuzzExplain(f *testing.F) {
	for i := range formats.All {
		f.Add(i, []byte("\x2c\x2c\x1b\x17"))
		f.Add(i, []byte("1. e4 (1. d4) e5 *"))
	}
	bounded.Fuzz(f, func(t *testing.T, i int, data []byte) {
		format := formats.All[uint(i)%uint(len(formats.All))].Name
		if _, err := do(t, "explain", map[string]string{"format": format}, data); err != nil &&
			strings.Contains(err.Error(), "bug") {
			t.Errorf("%s: %v", format, err)
		}
	})
}
