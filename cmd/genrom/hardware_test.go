// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"ply11/game/pgn"
	"ply11/internal/testenv"
	"ply11/position"
	"ply11/sim"
	"ply11/sim/netlists"
)

// seat is a page of the hardware: the handler, and the player that was loaded last.
type seat struct {
	http.Handler
	loaded
}

func newSeat(t *testing.T) *seat {
	t.Helper()
	h, err := pageHandler("localhost:0")
	testenv.Must(t, err)
	return &seat{Handler: h}
}

// do asks for a path below /api/hardware/, reads the answer into a value, and returns its error.
func (s *seat) do(t *testing.T, path string, v url.Values, data []byte, to any) string {
	t.Helper()
	method := "POST"
	if strings.HasSuffix(path, "modes") || strings.HasSuffix(path, "wave") {
		method = "GET"
	}
	w := httptest.NewRecorder()
	r := httptest.NewRequest(method, "http://localhost/api/hardware/"+path+"?"+v.Encode(),
		strings.NewReader(string(data)))
	s.ServeHTTP(w, r)
	if w.Code != 200 {
		var told struct{ Error string }
		if err := json.Unmarshal(w.Body.Bytes(), &told); err != nil || told.Error == "" {
			t.Fatalf("%s: %d %s", path, w.Code, w.Body)
		}
		return told.Error
	}
	if err := json.Unmarshal(w.Body.Bytes(), to); err != nil {
		t.Fatalf("%s: %v: %s", path, err, w.Body)
	}
	return ""
}

func (s *seat) load(t *testing.T, mode string, data []byte) {
	t.Helper()
	s.loaded = loaded{}
	if wrong := s.do(t, "players", url.Values{"mode": {mode}}, data, &s.loaded); wrong != "" {
		t.Fatal(wrong)
	}
}

func (s *seat) encoded(t *testing.T, mode, pgn string) (data []byte) {
	t.Helper()
	var text string
	if wrong := s.do(t, "bytes", url.Values{"mode": {mode}}, []byte(pgn), &text); wrong != "" {
		t.Fatal(wrong)
	}
	data, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	testenv.Must(t, err)
	s.load(t, mode, data)
	return data
}

func (s *seat) run(t *testing.T, clocks int, until string, ready bool) (state playerState) {
	t.Helper()
	v := url.Values{"clocks": {fmt.Sprint(clocks)}, "until": {until}}
	if ready {
		v.Set("ready", "1")
	}
	if wrong := s.do(t, "players/"+s.Player+"/run", v, nil, &state); wrong != "" {
		t.Fatal(wrong)
	}
	return state
}

func (s *seat) wave(t *testing.T, names ...string) (w waveform) {
	t.Helper()
	v := url.Values{"signal": names, "first": {"13"}, "count": {"32"}}
	if wrong := s.do(t, "players/"+s.Player+"/wave", v, nil, &w); wrong != "" {
		t.Fatal(wrong)
	}
	return w
}

// Games in every mode are played ply by ply, and the board is compared with the rules.
func TestHardwareFamous(t *testing.T) {
	text, err := os.ReadFile("../../testdata/famous.pgn")
	testenv.Must(t, err)
	for _, m := range playerModes {
		mode, n, s := m.Name, 0, newSeat(t)
		for g, err := range pgn.NewReader(strings.NewReader(string(text))).All() {
			testenv.Must(t, err)
			if n++; n > testenv.Pick(12, 2) {
				break
			}
			if g.Start != position.Start() && !strings.HasPrefix(mode, "words") {
				continue
			}
			var one strings.Builder
			w := pgn.NewWriter(&one)
			testenv.Must(t, w.Write(g))
			w.Close()
			s.encoded(t, mode, one.String())
			p := g.Start
			for i, m := range g.AppendMainLine(nil) {
				p.Make(m)
				state := s.run(t, 100_000, "ply", true)
				want := strings.Join(strings.Fields(p.FEN())[:4], " ")
				if state.Ended != "a ply" || state.FEN != want || state.Beats[len(state.Beats)-1].Label != m.String() {
					t.Fatalf("%s, game %d, ply %d: %s, %q, want %q", mode, n, i+1, state.Ended, state.FEN, want)
				}
			}
			if end := s.run(t, 100_000, "ply", true); !strings.HasPrefix(mode, "brenner") &&
				end.Ended != "the end of the game" {
				t.Errorf("%s, game %d: it ends with %s", mode, n, end.Ended)
			}
		}
	}
}

// Wrong bytes stop the run with the code and its meaning; a reader that takes nothing stalls it.
func TestHardwareErrors(t *testing.T) {
	s := newSeat(t)
	for _, path := range []string{"players/1/run", "players/1/wave", "players/x/run"} {
		if s.do(t, path, nil, nil, nil) == "" {
			t.Errorf("%s without bytes", path)
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
		s.load(t, c.mode, []byte(c.data))
		state := s.run(t, 1_000_000, "error", true)
		if len(state.Beats) == 0 {
			t.Errorf("%s: %s, and no beat", c.mode, state.Ended)
			continue
		}
		if last := state.Beats[len(state.Beats)-1]; state.Ended != "an error" || last.Error == 0 || last.Why == "" {
			t.Errorf("%s: %s, %+v", c.mode, state.Ended, last)
		}
	}
	s.encoded(t, "words", "1. e4 e5 *")
	state := s.run(t, 100_000, "error", false)
	if state.Ended != "the output is not taken" || len(state.Beats) != 0 {
		t.Errorf("%+v", state)
	}
	if state := s.run(t, 10, "", true); len(state.Beats) == 0 || state.Clock < quiet {
		t.Errorf("%+v", state)
	}
	for _, c := range [][2]string{{"none", "1. e4 *"}, {"words", ""}, {"words", "1. Ke4 *"},
		{"chessbase", "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O *"}} {
		if s.do(t, "bytes", url.Values{"mode": {c[0]}}, []byte(c[1]), new(string)) == "" {
			t.Errorf("%v is taken", c)
		}
	}
	if s.do(t, "players", url.Values{"mode": {"words"}}, make([]byte, maxBytes+1), &s.loaded) == "" ||
		s.do(t, "players", url.Values{"mode": {"none"}}, nil, &s.loaded) == "" {
		t.Error("too many bytes, or no mode, are taken")
	}
	// The player that was not used for longest goes.
	s.encoded(t, "words", "1. e4 *")
	first := s.loaded
	for range maxPlayers {
		s.encoded(t, "words", "1. e4 *")
	}
	if s.run(t, 1, "", true); s.do(t, "players/"+first.Player+"/wave", nil, nil, new(waveform)) == "" {
		t.Error("players stay for ever")
	}
	var modes []playerMode
	if s.do(t, "modes", nil, nil, &modes); len(modes) != len(playerModes) || modes[0].Title != playerModes[0].Title {
		t.Errorf("%+v", modes)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost/", nil))
	if html := w.Body.String(); !strings.Contains(html, `id="room-hardware"`) ||
		strings.Contains(html, `id="room-games"`) {
		t.Error("the page has other rooms")
	}
}

// The values of any signal in the last clocks are those of another machine that is given the same
// bytes.
func TestHardwareWave(t *testing.T) {
	for _, mode := range []string{"words", "jose-document"} {
		s := newSeat(t)
		data := s.encoded(t, mode, "1. e4 e5 2. Nf3 (2. Bc4 Nc6) Nc6 *")
		if w := s.wave(t, "s_valid", "absent"); len(w.Signals) != 1 || len(w.Values[0]) != 0 {
			t.Errorf("before a clock: %+v", w)
		}
		const first, clocks = 13, 45
		state := s.run(t, clocks, "", true)
		if state.Clock != clocks || len(state.Phases) != clocks {
			t.Fatalf("%d clocks, %q", state.Clock, state.Phases)
		}
		var names []string
		registers := 0
		for _, x := range s.Signals {
			if names = append(names, x.Name); strings.Contains(x.Name, ".") {
				registers++
			}
		}
		if !slices.Contains(names, "g_no_legal.u_board.side") || registers < 100 {
			t.Fatalf("%s: %d registers in modules", mode, registers)
		}
		// The other machine: the netlist itself.
		n, err := netlists.Open(mode)
		testenv.Must(t, err)
		m, err := sim.NewMachine(n, sim.Wide)
		testenv.Must(t, err)
		in := func(name string) sim.Signal {
			x, err := n.Signal(name)
			testenv.Must(t, err)
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
			w := s.wave(t, some...)
			if w.First != first || len(w.Signals) != len(some) {
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
		// A beat says when the last of its bytes was taken, and what the clocks since were for.
		if b := state.Beats[0]; b.Label != "e2e4" || b.Taken != map[string]int{"words": 1}[mode] ||
			fmt.Sprint(b.Spent) != fmt.Sprintf("[{%d out codec, board, output}]", b.Clock-b.Taken) ||
			state.Phases[b.Clock] != 'o' {
			t.Errorf("%s: %+v, %q", mode, b, state.Phases)
		}
		// The positions of any clocks, from the begin on.
		var w waveform
		v := url.Values{"first": {"0"}, "count": {"30"}, "signal": {"m_index"}}
		if wrong := s.do(t, "players/"+s.Player+"/wave", v, nil, &w); wrong != "" || len(w.Values[0]) != 30 ||
			w.Boards[0].Clock != 0 || w.Boards[1].FEN != "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3" {
			t.Errorf("%s: %s %+v", mode, wrong, w)
		}
		// Nobody takes the output: the player stalls with it. Without input it is starved.
		stalled := s.encoded(t, mode, "1. e4 *")
		if p := s.run(t, 60, "", false).Phases; p[59] != 's' || strings.Contains(p, "o") {
			t.Errorf("%s, %d bytes: %q", mode, len(stalled), p)
		}
		if p := s.run(t, 60, "", true).Phases; p[59] != 'd' {
			t.Errorf("%s: %q", mode, p)
		}
		// What is no move is an error.
		s.load(t, mode, make([]byte, 3))
		if p := s.run(t, 16, "", true).Phases; mode == "words" && !strings.Contains(p, "e") {
			t.Errorf("%s: %q", mode, p)
		}
		// What the page says of a signal stands in the source of its module.
		if module, text := explained("g_stack.u_stack.piece_q"); module != "ply11_stack" ||
			text != "The last ply, and the rights and en passant file before it." {
			t.Errorf("%s: %s", module, text)
		}
		// Of a long run the last clocks can be looked at again.
		state = s.run(t, history, "", true)
		if s.do(t, "players/"+s.Player+"/wave", v, nil, &w); w.First != 16 || len(state.Phases) != history {
			t.Errorf("%+v, %d phases", w, len(state.Phases))
		}
		if v["count"] = []string{"1025"}; s.do(t, "players/"+s.Player+"/wave", v, nil, nil) == "" {
			t.Error("too many clocks")
		}
		v["count"], v["signal"] = []string{"1"}, make([]string, maxSignals+1)
		if s.do(t, "players/"+s.Player+"/wave", v, nil, nil) == "" {
			t.Error("too many signals")
		}
	}
}
