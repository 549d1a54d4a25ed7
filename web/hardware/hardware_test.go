// SPDX-License-Identifier: Apache-2.0

package hardware

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"ply11/game/pgn"
	"ply11/internal/testenv"
	"ply11/position"
	"ply11/sim"
	"ply11/sim/netlists"
	"ply11/web/call"
	"ply11/web/call/wire"
)

// session returns a session with the stored netlists.
func session() *Session {
	return &Session{Fetch: func(_ context.Context, name string) ([]byte, error) { return netlists.Bytes(name) }}
}

func do(t *testing.T, s *Session, method string, params any, data []byte) (any, error) {
	t.Helper()
	text, err := json.Marshal(params)
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.Methods().Do(t.Context(), &call.Call{Method: method, Params: text, Data: data})
	if _, ok := v.(call.Bytes); !ok && err == nil {
		_, err = wire.Append(nil, v)
	}
	return v, err
}

// TestModes: the page is told of each mode, by its name and title alone.
func TestModes(t *testing.T) {
	text, err := wire.Append(nil, must[[]Mode](t, session(), "modes", struct{}{}, nil))
	if err != nil {
		t.Fatal(err)
	}
	var told []map[string]string
	if err := json.Unmarshal(text, &told); err != nil || len(told) != len(Modes) {
		t.Fatalf("%s: %v", text, err)
	}
	for i, m := range told {
		if len(m) != 2 || m["name"] != Modes[i].Name || m["title"] != Modes[i].Title {
			t.Errorf("%v, want %s: %s", m, Modes[i].Name, Modes[i].Title)
		}
	}
}

// must is do without an error.
func must[T any](t *testing.T, s *Session, method string, params any, data []byte) T {
	t.Helper()
	v, err := do(t, s, method, params, data)
	if err != nil {
		t.Fatal(err)
	}
	return v.(T)
}

func run(t *testing.T, s *Session, clocks int, until string) *State {
	t.Helper()
	return must[*State](t, s, "run", map[string]any{"clocks": clocks, "until": until, "ready": true}, nil)
}

// encoded loads a game in a mode.
func encoded(t *testing.T, s *Session, mode, pgn string) []byte {
	t.Helper()
	data := must[call.Bytes](t, s, "encode", map[string]any{"mode": mode, "pgn": pgn}, nil)
	must[*State](t, s, "load", map[string]any{"mode": mode}, data)
	return data
}

// TestFamous plays games in every mode, ply by ply, and compares the board with the rules.
func TestFamous(t *testing.T) {
	text, err := os.ReadFile("../../testdata/famous.pgn")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range Modes {
		mode, n, s := m.Name, 0, session()
		for g, err := range pgn.NewReader(strings.NewReader(string(text))).All() {
			if err != nil {
				t.Fatal(err)
			}
			if n++; n > testenv.Pick(12, 2) {
				break
			}
			if g.Start != position.Start() && !strings.HasPrefix(mode, "words") {
				continue
			}
			var one strings.Builder
			w := pgn.NewWriter(&one)
			if err := w.Write(g); err != nil {
				t.Fatal(err)
			}
			w.Close()
			encoded(t, s, mode, one.String())
			p := g.Start
			for i, m := range g.AppendMainLine(nil) {
				p.Make(m)
				state := run(t, s, 100_000, "ply")
				want := strings.Join(strings.Fields(p.FEN())[:4], " ")
				if state.Ended != "a ply" || state.FEN != want || state.Beats[len(state.Beats)-1].Move != m.String() ||
					state.Ply != i+1 {
					t.Fatalf("%s, game %d, ply %d: %s, %q, want %q", mode, n, i+1, state.Ended, state.FEN, want)
				}
			}
			if end := run(t, s, 100_000, "ply"); !strings.HasPrefix(mode, "brenner") &&
				end.Ended != "the end of the game" {
				t.Errorf("%s, game %d: it ends with %s", mode, n, end.Ended)
			}
		}
	}
}

// TestErrors: bytes that are wrong stop the run with the code and what it means; a reader that takes nothing stalls it.
func TestErrors(t *testing.T) {
	s := session()
	for _, method := range []string{"run", "wave", "signals"} {
		if _, err := do(t, s, method, struct{}{}, nil); err == nil {
			t.Errorf("%s without bytes", method)
		}
	}
	for _, c := range []struct {
		mode string
		data string
	}{
		{"words", "\x00\x00\x00"}, {"words-legal", "\x00\x00\x00"}, {"brenner-main", "\xff\xff"},
		{"brenner-alt", "\x00\x00"},
		{"jose-document", "\x01\x02\x03"}, {"jose-program", "\x01\x02\x03"}, {"chessbase", "\x01\x7f\x7f"},
	} {
		must[*State](t, s, "load", map[string]any{"mode": c.mode}, []byte(c.data))
		state := run(t, s, 1_000_000, "error")
		if len(state.Beats) == 0 {
			t.Errorf("%s: %s, and no beat", c.mode, state.Ended)
			continue
		}
		if last := state.Beats[len(state.Beats)-1]; state.Ended != "an error" || last.Error == 0 || last.Why == "" {
			t.Errorf("%s: %s, %+v", c.mode, state.Ended, last)
		}
	}
	encoded(t, s, "words", "1. e4 e5 *")
	state := must[*State](t, s, "run", map[string]any{"clocks": 100_000, "until": "error", "ready": false}, nil)
	if state.Ended != "the output is not taken" || state.Ply > 2 || len(state.Beats) != 0 {
		t.Errorf("%+v", state)
	}
	if state := run(t, s, 10, ""); len(state.Beats) == 0 || state.Clock < quiet {
		t.Errorf("%+v", state)
	}
	for _, c := range []map[string]any{{"mode": "none", "pgn": "1. e4 *"}, {"mode": "words", "pgn": ""},
		{"mode": "words", "pgn": "1. Ke4 *"},
		{"mode": "chessbase", "pgn": "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O *"}} {
		if _, err := do(t, s, "encode", c, nil); err == nil {
			t.Errorf("%v is taken", c)
		}
	}
	if _, err := do(t, s, "load", map[string]any{"mode": "words"}, make([]byte, maxBytes+1)); err == nil {
		t.Error("too many bytes are taken")
	}
}

// TestNetlist: what cannot be fetched or run is told, and the session goes on with what it had.
func TestNetlist(t *testing.T) {
	s := session()
	encoded(t, s, "words", "1. e4 e5 *")
	good := s.Fetch
	gone := errors.New("gone")
	for _, c := range []struct {
		data string
		err  error
		want string
	}{
		{"", gone, "gone"}, {"aig 1", nil, "netlist brenner-main: "}, {"aig 1 1 0 0 0\ni0 rst\n", nil, "input mode"},
	} {
		s.Fetch = func(context.Context, string) ([]byte, error) { return []byte(c.data), c.err }
		if _, err := do(t, s, "load", map[string]any{"mode": "brenner-main"}, nil); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.data, err)
		}
	}
	if state := run(t, s, 1000, "ply"); state.Ended != "a ply" {
		t.Errorf("%+v", state)
	}
	s.Fetch = good
	must[*State](t, s, "load", map[string]any{"mode": "brenner-main"}, nil)
}

// TestWave: the values of any signal in the last clocks are those of another machine that is given the same bytes.
func TestWave(t *testing.T) {
	for _, mode := range []string{"words", "jose-document"} {
		s := session()
		data := encoded(t, s, mode, "1. e4 e5 2. Nf3 (2. Bc4 Nc6) Nc6 *")
		if w := must[*Wave](t, s, "wave", map[string]any{"signals": []string{"s_valid", "absent"}}, nil); len(
			w.Signals) != 1 || len(w.Values[0]) != 0 {
			t.Errorf("before a clock: %+v", w)
		}
		const clocks = window + 13
		state := run(t, s, clocks, "")
		if state.Clock != clocks {
			t.Fatalf("%d clocks", state.Clock)
		}
		list := must[[]Signal](t, s, "signals", struct{}{}, nil)
		var names []string
		registers := 0
		for _, x := range list {
			if names = append(names, x.Name); x.Kind == "register" && strings.Contains(x.Name, ".") {
				registers++
			}
		}
		if !slices.Contains(names, "g_no_legal.u_board.side") || registers < 100 {
			t.Fatalf("%s: %d registers in modules", mode, registers)
		}
		// The other machine: the netlist itself.
		n, err := netlists.Open(mode)
		if err != nil {
			t.Fatal(err)
		}
		m, err := sim.NewMachine(n, sim.Wide)
		if err != nil {
			t.Fatal(err)
		}
		in := func(name string) sim.Signal {
			x, err := n.Signal(name)
			if err != nil {
				t.Fatal(err)
			}
			return x
		}
		m.SetAll(in("m_ready"), 1)
		m.SetAll(in("mode"), map[string]uint64{"words": 0, "jose-document": 2}[mode])
		m.Pulse(in("rst"), 2)
		m.SetAll(in("s_valid"), 1)
		want := map[string][]string{}
		for clock, at := 0, 0; clock < clocks; clock++ {
			x := uint64(0)
			if at < len(data) {
				x = uint64(data[at])
			} else {
				m.SetAll(in("s_valid"), 0)
			}
			m.SetAll(in("s_data"), x)
			m.Eval()
			if m.Get(in("s_ready"), 200) != 0 {
				at++
			}
			for _, name := range names {
				want[name] = append(want[name], fmt.Sprintf("%x", m.Get(in(name), 200)))
			}
			m.Step()
		}
		for some := range slices.Chunk(names, maxSignals) {
			w := must[*Wave](t, s, "wave", map[string]any{"signals": some}, nil)
			if w.First != clocks-window || len(w.Signals) != len(some) || len(w.In) != window ||
				len(w.Labels) != window {
				t.Fatalf("%d signals from %d", len(w.Signals), w.First)
			}
			for i, name := range some {
				if name == "load_data" || w.Signals[i].Width > 64 {
					continue
				}
				for k, value := range w.Values[i] {
					if value = strings.ReplaceAll(value, "x", "0"); len(value) != (w.Signals[i].Width+3)/4 {
						t.Fatalf("%s has %q", name, value)
					}
					if value = strings.TrimLeft(value, "0"); strings.TrimLeft(want[name][w.First+k], "0") != value &&
						!strings.Contains(w.Values[i][k], "x") {
						t.Fatalf("%s, %s, clock %d: %s, want %s", mode, name, w.First+k, value, want[name][w.First+k])
					}
				}
			}
		}
		w := must[*Wave](t, s, "wave", map[string]any{"signals": []string{}}, nil)
		if !slices.Contains(w.Labels, "e2e4") || !slices.Contains(w.Out, true) || !slices.Contains(w.In, true) {
			t.Errorf("%s: %+v", mode, w)
		}
		if i := slices.Index(w.Labels, "e2e4"); w.Phases[i] != "gives" && w.Phases[i] != "both" ||
			!slices.Contains(w.Phases, "takes") {
			t.Errorf("%s: %q", mode, w.Phases)
		}
		// Nobody takes the output: the player stalls with it. Without input it is starved.
		stalled := encoded(t, s, mode, "1. e4 *")
		must[*State](t, s, "run", map[string]any{"clocks": 60, "ready": false}, nil)
		if w = must[*Wave](t, s, "wave", map[string]any{"signals": []string{}}, nil); w.Phases[window-1] != "stalls" ||
			slices.Contains(w.Phases, "gives") {
			t.Errorf("%s, %d bytes: %q", mode, len(stalled), w.Phases)
		}
		must[*State](t, s, "run", map[string]any{"clocks": 60, "ready": true}, nil)
		if w = must[*Wave](t, s, "wave", map[string]any{"signals": []string{}}, nil); w.Phases[window-1] != "starved" {
			t.Errorf("%s: %q", mode, w.Phases)
		}
		// What is no move is an error.
		must[*State](t, s, "load", map[string]any{"mode": mode}, make([]byte, 3))
		run(t, s, window/2, "")
		if w = must[*Wave](t, s, "wave", map[string]any{"signals": []string{}}, nil); mode == "words" &&
			!slices.Contains(w.Phases, "error") {
			t.Errorf("%s: %q", mode, w.Phases)
		}
		if _, err := do(t, s, "wave", map[string]any{"signals": make([]string, maxSignals+1)}, nil); err == nil {
			t.Error("too many signals")
		}
	}
}
