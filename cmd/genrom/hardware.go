// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"ply11/bitstream"
	"ply11/bitstream/brenner"
	"ply11/bitstream/chessbase"
	"ply11/bitstream/jose"
	"ply11/chess"
	"ply11/game"
	"ply11/game/codec"
	"ply11/game/pgn"
	"ply11/moveindex"
	"ply11/position"
	"ply11/sim"
	"ply11/sim/netlists"
	"ply11/sim/oracle"
	"ply11/web"
)

const (
	maxBytes   = 1 << 20 // that a player is given
	maxClocks  = 1_000_000
	maxBeats   = 500 // that a call tells
	maxSignals = 64  // whose values a call tells
	// window is how many clocks the waveform has.
	window = 32
	// maxPlayers is how many players there are at once. The one that was not used for longest goes.
	maxPlayers = 8
	// quiet is after how many clocks without input and output nothing more comes.
	quiet = 1000
)

// A playerMode is a form of games, and the player that plays it.
type playerMode struct {
	Name  string `json:"name"` // which is that of its netlist
	Title string `json:"title"`

	mode   uint8 // the port mode
	writer func(io.Writer) codec.Writer
}

var playerModes = []playerMode{
	{"words", "eleven-bit words", oracle.ModeWords, words},
	{"words-legal", "eleven-bit words, judged by all rules", oracle.ModeWords, words},
	{"brenner-main", "Brenner's bytes, main layout", oracle.ModeBrenner, layout(brenner.Main)},
	{"brenner-alt", "Brenner's bytes, alternative layout", oracle.ModeBrenner, layout(brenner.Alt)},
	{"jose-document", "jose's bytes, as documented", oracle.ModeJose, dialect(jose.Document)},
	{"jose-program", "jose's bytes, as its program has them", oracle.ModeJose, dialect(jose.Program)},
	{"chessbase", "ChessBase's bytes (CBF)", oracle.ModeChessBase, nil},
}

var lossy = codec.Lossy(func(*codec.LossError) {})

func words(w io.Writer) codec.Writer { return bitstream.NewWriter(w, lossy) }

func layout(l brenner.Layout) func(io.Writer) codec.Writer {
	return func(w io.Writer) codec.Writer { return brenner.NewWriter(w, l, lossy) }
}

func dialect(d jose.Dialect) func(io.Writer) codec.Writer {
	return func(w io.Writer) codec.Writer { return jose.NewWriter(w, d, jose.Plain, lossy) }
}

func modeOf(name string) (*playerMode, error) {
	for i := range playerModes {
		if playerModes[i].Name == name {
			return &playerModes[i], nil
		}
	}
	return nil, fmt.Errorf("unknown mode %q", name)
}

type player struct {
	mu  sync.Mutex // of what follows
	id  string
	net *sim.Netlist
	m   *sim.Machine // of which one stream is in use
	ports
	past *sim.Machine // in which clocks of the window are looked at again
	kept [window]kept

	data  []byte
	at    int          // of the byte that is offered
	board oracle.State // before the edge of the last clock
	depth uint64
	from  int // squares of the last ply
	to    int
}

type ports map[string]sim.Signal

// kept is what the machine was in a clock: all that any signal's value follows from.
type kept struct {
	inputs, registers []uint64
	label             string // the beat that was taken
	wrong             bool   // which is an error
}

type hardware struct {
	mu      sync.Mutex // of what follows
	players []*player  // the one that was used last is the last
	made    int
}

func (h *hardware) handler() http.Handler {
	mux := http.NewServeMux()
	answer := func(pattern string, do func(*http.Request) (any, error)) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			value, err := do(r)
			if b, ok := value.([]byte); ok && err == nil {
				web.SetPolicy(w.Header())
				w.Header().Set("Content-Type", "application/octet-stream")
				w.Write(b)
				return
			}
			web.Answer(w, r, value, err)
		})
	}
	with := func(do func(*player, *http.Request) (any, error)) func(*http.Request) (any, error) {
		return func(r *http.Request) (any, error) {
			p, err := h.find(r.PathValue("player"))
			if err != nil {
				return nil, err
			}
			p.mu.Lock()
			defer p.mu.Unlock()
			return do(p, r)
		}
	}
	answer("GET /api/hardware/modes", func(*http.Request) (any, error) { return playerModes, nil })
	answer("POST /api/hardware/bytes", encode)
	answer("POST /api/hardware/players", h.load)
	answer("POST /api/hardware/players/{player}/run", with((*player).run))
	answer("GET /api/hardware/players/{player}/wave", with((*player).wave))
	return mux
}

func (h *hardware) find(id string) (*player, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i, p := range h.players {
		if p.id == id {
			h.players = append(append(h.players[:i:i], h.players[i+1:]...), p)
			return p, nil
		}
	}
	return nil, errors.New("the player is gone: load the bytes again")
}

func body(r *http.Request) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r.Body, maxBytes+1))
	if err == nil && len(data) > maxBytes {
		err = fmt.Errorf("the player is given at most %d bytes here", maxBytes)
	}
	return data, err
}

func encode(r *http.Request) (any, error) {
	mode, err := modeOf(r.URL.Query().Get("mode"))
	if err != nil {
		return nil, err
	}
	text, err := body(r)
	if err != nil {
		return nil, err
	}
	var g game.Game
	if err := pgn.NewReader(bytes.NewReader(text)).Read(&g); err == io.EOF {
		return nil, errors.New("there is no game in it")
	} else if err != nil {
		return nil, err
	}
	if mode.mode != oracle.ModeWords && g.Start != position.Start() {
		return nil, errors.New("the game has a start position of its own, which only eleven-bit words hold")
	}
	if mode.mode == oracle.ModeChessBase {
		var record chessbase.Record
		if err := chessbase.EncodeGame(&g, &record, chessbase.NumberingDocument); err != nil &&
			codec.LossesOf(err) == nil {
			return nil, err
		}
		// Behind the moves the player takes their end, and the result from the record's header.
		return append(record.Moves, 0, record.Header[1]), nil
	}
	var out bytes.Buffer
	w := mode.writer(&out)
	if err := w.Write(&g); err != nil {
		return nil, err
	}
	err = w.Close()
	return out.Bytes(), err
}

type loaded struct {
	Player  string         `json:"player"`
	State   *playerState   `json:"state"`
	Signals []playerSignal `json:"signals"` // its ports and registers
}

func (h *hardware) load(r *http.Request) (any, error) {
	mode, err := modeOf(r.URL.Query().Get("mode"))
	if err != nil {
		return nil, err
	}
	data, err := body(r)
	if err != nil {
		return nil, err
	}
	p, err := newPlayer(mode, data)
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.made++
	p.id = strconv.Itoa(h.made)
	h.players = append(h.players, p)
	h.players = h.players[max(0, len(h.players)-maxPlayers):]
	return &loaded{p.id, p.state(nil, ""), p.signals()}, nil
}

func newPlayer(mode *playerMode, data []byte) (*player, error) {
	n, err := netlists.Open(mode.Name)
	if err != nil {
		return nil, err
	}
	p := ports{}
	for _, s := range n.Signals() {
		if s.Kind != sim.Register {
			p[s.Name] = s
		}
	}
	m, err := sim.NewMachine(n, sim.Narrow)
	if err != nil {
		return nil, err
	}
	past, err := sim.NewMachine(n, sim.Narrow)
	if err != nil {
		return nil, err
	}
	s := &player{net: n, m: m, past: past, ports: p, data: data, from: -1, to: -1}
	s.m.SetAll(s.ports["mode"], uint64(mode.mode))
	s.m.Pulse(s.ports["rst"], 4)
	s.m.Restore(s.m.Registers(), 0) // clocks count from here
	s.m.Eval()
	s.look()
	return s, nil
}

func (s *player) get(name string) uint64 { return s.m.Get(s.ports[name], 0) }

func (s *player) look() {
	board := s.ports["board"]
	for k := range s.board.Pieces {
		s.board.Pieces[k] = s.m.Get(board.Slice(64*k, 64*k+64), 0)
	}
	s.board.Side, s.board.Rights, s.board.EP = uint8(s.get("side")), uint8(s.get("rights")), uint8(s.get("ep"))
	s.board.Ply, s.depth = uint16(s.get("ply")), s.get("m_depth")
}

type beat struct {
	Clock int    `json:"clock"`
	Text  string `json:"text"` // the kind, and what comes with it
	Move  string `json:"move,omitempty"`
	Error int    `json:"error,omitempty"`
	Why   string `json:"why,omitempty"`

	end bool
}

type playerState struct {
	Beats []beat `json:"beats"` // the last ones that were taken
	Clock int    `json:"clock"`
	Bytes int    `json:"bytes"` // that were taken
	Of    int    `json:"of"`
	FEN   string `json:"fen"` // the board; without the counters of moves
	Ply   int    `json:"ply"`
	Depth int    `json:"depth"`
	From  int    `json:"from"` // squares of the last ply, -1 for none
	To    int    `json:"to"`
	Ended string `json:"ended,omitempty"` // why the run ended: ply, error, end of the game, of the bytes
}

// run runs as many clocks as the parameter clocks says, or until a ply, an error or the end, as until says. ready is
// m_ready.
func (s *player) run(req *http.Request) (any, error) {
	v := req.URL.Query()
	clocks, err := strconv.Atoi(v.Get("clocks"))
	if err != nil {
		return nil, fmt.Errorf("clocks: %q is no number", v.Get("clocks"))
	}
	until, ready, ctx := v.Get("until"), v.Has("ready"), req.Context()
	var beats []beat
	idle := 0
	for n := range min(max(clocks, 1), maxClocks) {
		if err := ctx.Err(); err != nil && n%1000 == 999 {
			return nil, err
		}
		took, beat := s.step(ready)
		if beat != nil {
			if beats = append(beats, *beat); len(beats) > 2*maxBeats {
				beats = append(beats[:0], beats[len(beats)-maxBeats:]...)
			}
			switch {
			case until == "" || until == "end":
			case beat.Error != 0:
				return s.state(beats, "an error"), nil
			case beat.Move != "" && until == "ply":
				return s.state(beats, "a ply"), nil
			case beat.end:
				return s.state(beats, "the end of the game"), nil
			}
		}
		if idle++; took || beat != nil {
			idle = 0
		}
		if until != "" && idle > quiet {
			if s.at < len(s.data) || s.get("m_valid") != 0 {
				return s.state(beats, "the output is not taken"), nil
			}
			return s.state(beats, "the end of the bytes"), nil
		}
	}
	return s.state(beats, ""), nil
}

// step runs a clock, and returns whether a byte was taken, and what came.
func (s *player) step(ready bool) (took bool, beat *beat) {
	one := map[bool]uint64{true: 1}
	offered := s.at < len(s.data)
	s.m.SetAll(s.ports["m_ready"], one[ready])
	s.m.SetAll(s.ports["s_valid"], one[offered])
	s.m.SetAll(s.ports["s_data"], 0)
	if offered {
		s.m.SetAll(s.ports["s_data"], uint64(s.data[s.at]))
	}
	s.m.Eval()
	s.look()
	k := &s.kept[s.m.Clock()%window]
	k.inputs, k.registers, k.label, k.wrong = append(k.inputs[:0], s.m.Inputs()...),
		append(k.registers[:0], s.m.Registers()...), "", false
	if took = offered && s.get("s_ready") != 0; took {
		s.at++
	}
	if ready && s.get("m_valid") != 0 {
		beat = s.beat()
		k.label, k.wrong = beat.label(), beat.Error != 0
	}
	s.m.Step()
	return took, beat
}

func (s *player) beat() *beat {
	b := &beat{Clock: s.m.Clock()}
	switch uint8(s.get("m_kind")) {
	case oracle.BeatPly:
		index := moveindex.Index(s.get("m_index"))
		b.Move, s.from, s.to = chess.NullMove.String(), -1, -1
		if m, ok := index.Move(); ok {
			b.Move, s.from, s.to = m.String(), int(m.From()), int(m.To())
		}
		b.Text = fmt.Sprintf("PLY %d", index)
		if s.depth > 0 {
			b.Text += fmt.Sprintf(", in variation %d", s.depth)
		}
	case oracle.BeatEnd:
		b.Text, b.end = "END "+[4]string{"0-1", "1/2-1/2", "1-0", "*"}[s.get("m_result")], true
	case oracle.BeatError:
		b.Error = int(s.get("m_error"))
		b.Text = fmt.Sprintf("ERROR %d at byte %d", b.Error, s.get("m_offset"))
		for _, f := range oracle.Faults() {
			if f.Fault == oracle.Fault(b.Error) {
				b.Why = f.Meaning
			}
		}
	}
	return b
}

func (b *beat) label() string {
	switch {
	case b.Error != 0:
		return fmt.Sprintf("E%d", b.Error)
	case b.end:
		return strings.TrimPrefix(b.Text, "END ")
	}
	return b.Move
}

type playerSignal struct {
	Name  string `json:"name"`
	Kind  string `json:"kind"`
	Width int    `json:"width"`
}

// signals lists the ports and registers. A register that is also a port is there once.
func (s *player) signals() []playerSignal {
	list := []playerSignal{}
	for _, x := range s.net.Signals() {
		if same, _ := s.net.Signal(x.Name); same.Kind == x.Kind {
			list = append(list, playerSignal{x.Name, x.Kind.String(), x.Width()})
		}
	}
	return list
}

type waveform struct {
	First  int      `json:"first"` // clock
	In     []bool   `json:"in"`    // of each clock, whether a byte was taken
	Out    []bool   `json:"out"`   // whether a beat was
	Labels []string `json:"labels"`
	Wrong  []bool   `json:"wrong"`
	// what the player does in each clock: gives, takes, both, error, stalls, works or starved
	Phases  []string       `json:"phases"`
	Signals []playerSignal `json:"signals"`
	Values  [][]string     `json:"values"` // of each signal, in each clock, in hexadecimal digits
}

// wave runs the gates of the last clocks again, and returns the values of the signals that the request names. Unknown
// names are left out.
func (s *player) wave(r *http.Request) (any, error) {
	names := r.URL.Query()["signal"]
	if len(names) > maxSignals {
		return nil, fmt.Errorf("at most %d signals are shown", maxSignals)
	}
	last := s.m.Clock()
	w := &waveform{First: max(0, last-window), In: []bool{}, Out: []bool{}, Labels: []string{}, Wrong: []bool{},
		Phases: []string{}, Signals: []playerSignal{}, Values: [][]string{}}
	var list []sim.Signal
	for _, name := range names {
		if x, err := s.net.Signal(name); err == nil {
			list = append(list, x)
			w.Signals = append(w.Signals, playerSignal{x.Name, x.Kind.String(), x.Width()})
			w.Values = append(w.Values, []string{})
		}
	}
	for clock := w.First; clock < last; clock++ {
		k := &s.kept[clock%window]
		s.past.Restore(k.registers, clock)
		copy(s.past.Inputs(), k.inputs)
		s.past.Eval()
		is := func(name string) bool { return s.past.Get(s.ports[name], 0) != 0 }
		in, out := is("s_valid") && is("s_ready"), is("m_valid") && is("m_ready")
		w.In, w.Out = append(w.In, in), append(w.Out, out)
		phase := "starved"
		switch {
		case out && k.wrong:
			phase = "error"
		case out && in:
			phase = "both"
		case out:
			phase = "gives"
		case is("m_valid"):
			phase = "stalls"
		case in:
			phase = "takes"
		case is("s_valid"):
			phase = "works"
		}
		w.Phases = append(w.Phases, phase)
		w.Labels, w.Wrong = append(w.Labels, k.label), append(w.Wrong, k.wrong)
		for i, x := range list {
			w.Values[i] = append(w.Values[i], s.past.Hex(x, 0))
		}
	}
	return w, nil
}

func (s *player) state(beats []beat, ended string) *playerState {
	b := &s.board
	t := &playerState{Beats: []beat{}, Clock: s.m.Clock(), Bytes: s.at, Of: len(s.data), Ply: int(b.Ply),
		Depth: int(s.depth), From: s.from, To: s.to, Ended: ended}
	t.Beats = append(t.Beats, beats[max(0, len(beats)-maxBeats):]...)
	var pieces []byte
	for rank := 7; rank >= 0; rank-- {
		for file := range 8 {
			piece, last := b.Piece(chess.NewSquare(file, rank)), len(pieces)-1
			switch {
			case piece != chess.NoPiece:
				pieces = append(pieces, piece.Letter())
			case file > 0 && pieces[last] <= '7':
				pieces[last]++
			default:
				pieces = append(pieces, '1')
			}
		}
		pieces = append(pieces, '/')
	}
	rights := position.CastlingRights(b.Rights & 15).String()
	passant := "-"
	if b.EP > 0 {
		passant = chess.NewSquare(int(b.EP)-1, [2]int{5, 2}[b.Side&1]).String()
	}
	t.FEN = fmt.Sprintf("%s %s %s %s", pieces[:len(pieces)-1], [2]string{"w", "b"}[b.Side&1], rights, passant)
	return t
}
