// SPDX-License-Identifier: Apache-2.0

package hardware

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"ply11/game/pgn"
	"ply11/web/call"
)

func do(t *testing.T, s *Session, method string, params any, data []byte) (any, error) {
	t.Helper()
	text, err := json.Marshal(params)
	if err != nil {
		t.Fatal(err)
	}
	return s.Methods().Do(t.Context(), &call.Call{Method: method, Params: text, Data: data})
}

func run(t *testing.T, s *Session, clocks int, until string) *State {
	t.Helper()
	v, err := do(t, s, "run", map[string]any{"clocks": clocks, "until": until, "ready": true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return v.(*State)
}

// TestFamous plays games in every mode, ply by ply, and compares the board with the rules.
func TestFamous(t *testing.T) {
	text, err := os.ReadFile("../../testdata/famous.pgn")
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range []string{"words", "brenner", "jose"} {
		n := 0
		for g, err := range pgn.NewReader(strings.NewReader(string(text))).All() {
			if err != nil {
				t.Fatal(err)
			}
			if n++; g.Tag("FEN") != "" && mode != "words" || n > 12 {
				continue
			}
			var one strings.Builder
			w := pgn.NewWriter(&one)
			if err := w.Write(g); err != nil {
				t.Fatal(err)
			}
			w.Close()
			s := &Session{}
			data, err := do(t, s, "encode", map[string]any{"mode": mode, "pgn": one.String()}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := do(t, s, "load", map[string]any{"mode": mode}, data.(call.Bytes)); err != nil {
				t.Fatal(err)
			}
			p := g.Start
			for i, m := range g.AppendMainLine(nil) {
				p.Make(m)
				state := run(t, s, 100_000, "ply")
				want := strings.Join(strings.Fields(p.FEN())[:4], " ")
				if state.Ended != "a ply" || state.FEN != want || state.Rows[len(state.Rows)-1].Move != m.String() || state.Ply != i+1 {
					t.Fatalf("%s, game %d, ply %d: %s, %q, want %q", mode, n, i+1, state.Ended, state.FEN, want)
				}
			}
			if end := run(t, s, 100_000, "ply"); mode != "brenner" && end.Ended != "the end of the game" {
				t.Errorf("%s, game %d: it ends with %s", mode, n, end.Ended)
			}
		}
	}
}

// TestErrors: bytes that are wrong stop the run with the code and what it means; a reader that takes nothing stalls it.
func TestErrors(t *testing.T) {
	s := &Session{}
	if _, err := do(t, s, "run", struct{}{}, nil); err == nil {
		t.Error("it runs without bytes")
	}
	for _, c := range []struct {
		mode string
		data string
	}{{"words", "\x00\x00\x00"}, {"brenner", "\xff\xff"}, {"jose", "\x01\x02\x03"}} {
		if _, err := do(t, s, "load", map[string]any{"mode": c.mode}, []byte(c.data)); err != nil {
			t.Fatal(err)
		}
		state := run(t, s, 1_000_000, "error")
		last := state.Rows[len(state.Rows)-1]
		if state.Ended != "an error" || last.Error == 0 || last.Why == "" {
			t.Errorf("%s: %s, %+v", c.mode, state.Ended, last)
		}
	}
	data, err := do(t, s, "encode", map[string]any{"mode": "words", "pgn": "1. e4 e5 *"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := do(t, s, "load", map[string]any{"mode": "words"}, data.(call.Bytes)); err != nil {
		t.Fatal(err)
	}
	v, err := do(t, s, "run", map[string]any{"clocks": 100_000, "until": "error", "ready": false}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if state := v.(*State); !strings.HasPrefix(state.Ended, "the ") || state.Ply > 2 {
		t.Errorf("%+v", state)
	}
	if state := run(t, s, 10, ""); len(state.Rows) != 10 {
		t.Errorf("%d rows of 10 clocks", len(state.Rows))
	}
	for _, c := range []map[string]any{{"mode": "none", "pgn": "1. e4 *"}, {"mode": "words", "pgn": ""}, {"mode": "words", "pgn": "1. Ke4 *"}} {
		if _, err := do(t, s, "encode", c, nil); err == nil {
			t.Errorf("%v is taken", c)
		}
	}
	if _, err := do(t, s, "load", map[string]any{"mode": "words"}, make([]byte, maxBytes+1)); err == nil {
		t.Error("too many bytes are taken")
	}
}
