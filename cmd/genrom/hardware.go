// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"ply11/bitstream/chessbase"
	"ply11/chess"
	"ply11/game"
	"ply11/game/codec"
	"ply11/game/pgn"
	"ply11/hdl"
	"ply11/internal/formats"
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
	maxBeats   = 500  // that a call tells
	maxSignals = 64   // whose values a call tells
	maxWindow  = 1024 // clocks whose values a call tells
	// history is how many of the last clocks can be looked at again.
	history = 4096
	// maxPlayers is how many players there are at once. The one that was not used for longest goes.
	maxPlayers = 8
	// quiet is after how many clocks without input and output nothing more comes.
	quiet = 400
)

// A playerMode is a form of games, and the player that plays it.
type playerMode struct {
	Name  string `json:"name"` // which is that of its netlist
	Title string `json:"title"`

	mode   uint8  // the port mode
	format string // what writes and explains the bytes, "" for what is no file
}

var playerModes = []playerMode{
	{"words", "eleven-bit words", oracle.ModeWords, "words"},
	{"words-legal", "eleven-bit words, judged by all rules", oracle.ModeWords, "words"},
	{"brenner-main", "Brenner's bytes, main layout", oracle.ModeBrenner, "brenner"},
	{"brenner-alt", "Brenner's bytes, alternative layout", oracle.ModeBrenner, "brenner-alt"},
	{"jose-document", "jose's bytes, as documented", oracle.ModeJose, "jose"},
	{"jose-program", "jose's bytes, as its program has them", oracle.ModeJose, "jose-program"},
	{"chessbase", "ChessBase's bytes (CBF)", oracle.ModeChessBase, ""},
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
	past *sim.Machine // in which clocks are looked at again
	kept [history]kept

	data   []byte
	parts  []formats.Part        // of data
	taken  []int                 // the clocks in which its bytes were taken, which is as many as were
	beats  []beat                // the last ones that came
	phases []byte                // what the player did in each clock, as playerState tells
	said   map[string]waveSignal // what the sources say of the signals that were asked for
}

type ports map[string]sim.Signal

// kept is what inputs and registers were in a clock, a bit each: all that any signal's value follows from.
type kept []byte

func (k kept) add(values []uint64) kept {
	for i, v := range values {
		if i%8 == 0 {
			k = append(k, 0)
		}
		k[len(k)-1] |= byte(v&1) << (i % 8)
	}
	return k
}

// to puts values back, and returns what is behind them.
func (k kept) to(values []uint64) kept {
	for i := range values {
		values[i] = uint64(k[i/8] >> (i % 8) & 1)
	}
	return k[(len(values)+7)/8:]
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

// asked returns the mode that a request names, and its body.
func asked(r *http.Request) (*playerMode, []byte, error) {
	mode, err := modeOf(r.URL.Query().Get("mode"))
	if err != nil {
		return nil, nil, err
	}
	data, err := io.ReadAll(io.LimitReader(r.Body, maxBytes+1))
	if err == nil && len(data) > maxBytes {
		err = fmt.Errorf("the player is given at most %d bytes here", maxBytes)
	}
	return mode, data, err
}

// encode returns the bytes of a game, in hexadecimal digits.
func encode(r *http.Request) (any, error) {
	mode, text, err := asked(r)
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
		return fmt.Sprintf("% x", append(record.Moves, 0, record.Header[1])), nil
	}
	f, err := formats.ByName(mode.format)
	if err != nil {
		return nil, err
	}
	data, err := f.Bytes(&g)
	return fmt.Sprintf("% x", data), err
}

type loaded struct {
	Player  string         `json:"player"`
	State   *playerState   `json:"state"`
	Signals []playerSignal `json:"signals"` // its ports and registers
	Parts   []formats.Part `json:"parts"`   // the words or codes that the bytes are
}

func (h *hardware) load(r *http.Request) (any, error) {
	mode, data, err := asked(r)
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
	return &loaded{p.id, p.state(nil, "", 0), p.signals(), p.parts}, nil
}

func newPlayer(mode *playerMode, data []byte) (*player, error) {
	n, err := netlists.Open(mode.Name)
	if err != nil {
		return nil, err
	}
	p := ports{}
	for _, s := range n.Signals() {
		switch {
		case s.Kind != sim.Register:
			p[s.Name] = s
		case strings.HasSuffix(s.Name, ".var_q"): // a bracket is followed: 1 it opens, 2 it closes
			p["var_q"] = s
		case strings.HasSuffix(s.Name, "u_stack.n_q"): // not 0 while the stack exchanges positions
			p["n_q"] = s
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
	s := &player{net: n, m: m, past: past, ports: p, data: data, parts: partsOf(mode, data),
		said: map[string]waveSignal{}}
	s.m.SetAll(s.ports["mode"], uint64(mode.mode))
	s.m.Pulse(s.ports["rst"], 4)
	s.m.Restore(s.m.Registers(), 0) // clocks count from here
	s.keep()
	return s, nil
}

// partsOf returns the words or codes that bytes are, with their moves.
func partsOf(mode *playerMode, data []byte) []formats.Part {
	parts := []formats.Part{}
	if f, err := formats.ByName(mode.format); err == nil {
		var out bytes.Buffer
		// What is wrong, the player says.
		f.Explain(&out, formats.Input{Reader: bytes.NewReader(data)}, formats.Options{})
		for line := range strings.Lines(out.String()) {
			if p := f.Part(strings.TrimRight(line, "\n")); p.Bits > 0 {
				parts = append(parts, p)
			}
		}
	}
	return parts
}

func (s *player) get(name string) uint64 { return s.m.Get(s.ports[name], 0) }

// keep runs the gates of a clock, and keeps what they follow from.
func (s *player) keep() {
	s.m.Eval()
	k := &s.kept[s.m.Clock()%history]
	*k = (*k)[:0].add(s.m.Inputs()).add(s.m.Registers())
}

// see runs the gates of an earlier clock again, for the machine past.
func (s *player) see(clock int) {
	s.kept[clock%history].to(s.past.Inputs()).to(s.past.Registers())
	s.past.Eval()
}

type beat struct {
	Clock int    `json:"clock"`
	Label string `json:"label"` // the move, the result or the error's number
	Index int    `json:"index"` // of a ply, else -1
	Depth int    `json:"depth"` // of a ply: the variations around it
	Bit   int    `json:"bit"`   // the first of its bytes
	Taken int    `json:"taken"` // the clock in which the last of them was taken, -1 if that is not known
	Error int    `json:"error,omitempty"`
	Why   string `json:"why,omitempty"`

	Fields []formats.Field `json:"fields"` // of the index as a word
	Spent  []spent         `json:"spent"`  // for what the clocks since Taken were

	end bool
}

type spent struct {
	Clocks int    `json:"clocks"`
	Kind   string `json:"kind"` // a colour of the page
	Text   string `json:"text"`
}

// spentOn returns for what the clocks were between the last byte of a beat and the beat.
func (s *player) spentOn(b *beat) (list []spent) {
	own := string(s.phases[b.Taken+1:]) + "o"
	first := max(0, strings.IndexAny(own, "()"))
	held, waited := strings.Count(own, "s"), first-strings.Count(own[:first], "s")
	stack := strings.Count(own, "(") + strings.Count(own, ")")
	before := "the move"
	for _, other := range s.beats {
		if other.Clock <= b.Taken+1+first {
			before = other.Label
		}
	}
	took := "the stack brought the line back"
	if own[first] == '(' {
		took = "the stack took " + before + " back"
	}
	for _, x := range []spent{{waited, "mark", "waited for " + before + " to leave"}, {stack, "steps", took},
		{held, "bad", "waited for m_ready"},
		{b.Clock - b.Taken - waited - stack - held, "out", "codec, board, output"}} {
		if x.Clocks > 0 {
			list = append(list, x)
		}
	}
	return list
}

type playerState struct {
	Beats []beat `json:"beats"` // the last ones that were taken
	Clock int    `json:"clock"`
	Bytes int    `json:"bytes"` // that were taken
	Of    int    `json:"of"`
	FEN   string `json:"fen"`             // the board in the last clock; without the counters of moves
	Ended string `json:"ended,omitempty"` // why the run ended: ply, error, end of the game, of the bytes
	// Phases are what the player did in the clocks of the run, the last 4,096 of them, a letter each: i takes a byte,
	// o gives a beat, b both, e gives an error, s its output is not taken, ( the stack takes a position back, ) it
	// brings one again, w works, d no byte is offered.
	Phases string `json:"phases"`
}

// run runs as many clocks as the parameter clocks says, or until a ply, an error or the end, as until says. ready is
// m_ready.
func (s *player) run(req *http.Request) (any, error) {
	v := req.URL.Query()
	clocks, err := strconv.Atoi(v.Get("clocks"))
	if err != nil {
		return nil, err
	}
	until, ready, ctx := v.Get("until"), v.Has("ready"), req.Context()
	var beats []beat
	idle, first, ended := 0, len(s.phases), ""
	for n := 0; n < min(max(clocks, 1), maxClocks) && ended == ""; n++ {
		if err := ctx.Err(); err != nil && n%1000 == 999 {
			return nil, err
		}
		took, beat := s.step(ready)
		if beat != nil {
			if beats = append(beats, *beat); len(beats) > 2*maxBeats {
				beats = append(beats[:0], beats[len(beats)-maxBeats:]...)
			}
			switch {
			case until == "":
			case beat.Error != 0:
				ended = "an error"
			case beat.Index >= 0 && until == "ply":
				ended = "a ply"
			case beat.end:
				ended = "the end of the game"
			}
		}
		if idle++; took || beat != nil {
			idle = 0
		}
		switch {
		case until == "" || idle <= quiet:
		case len(s.taken) < len(s.data) || s.get("m_valid") != 0:
			ended = "the output is not taken"
		default:
			ended = "the end of the bytes"
		}
	}
	return s.state(beats, ended, first), nil
}

// step runs a clock, and returns whether a byte was taken, and what came.
func (s *player) step(ready bool) (took bool, beat *beat) {
	one := map[bool]uint64{true: 1}
	at := len(s.taken)
	offered := at < len(s.data)
	s.m.SetAll(s.ports["m_ready"], one[ready])
	s.m.SetAll(s.ports["s_valid"], one[offered])
	s.m.SetAll(s.ports["s_data"], 0)
	if offered {
		s.m.SetAll(s.ports["s_data"], uint64(s.data[at]))
	}
	s.keep()
	if took = offered && s.get("s_ready") != 0; took {
		s.taken = append(s.taken, s.m.Clock())
	}
	phase := byte('d')
	if offered {
		phase = 'w'
	}
	if s.get("n_q") != 0 {
		phase = " () "[s.get("var_q")&3]
	}
	if s.get("m_valid") != 0 {
		phase = 's'
	}
	if ready && phase == 's' {
		phase = 'o'
		if beat = s.beat(); beat.Error != 0 {
			phase = 'e'
		}
	}
	if took {
		if phase = map[byte]byte{'o': 'b', 'e': 'e'}[phase]; phase == 0 {
			phase = 'i'
		}
	}
	s.phases = append(s.phases, phase)
	s.m.Step()
	return took, beat
}

func (s *player) beat() *beat {
	offset := int(s.get("m_offset"))
	b := &beat{Clock: s.m.Clock(), Index: -1, Bit: 8 * offset, Taken: -1}
	end := b.Bit + 1
	if i := slices.IndexFunc(s.parts, func(p formats.Part) bool { return p.Bit/8 == offset }); i >= 0 {
		b.Bit, end = s.parts[i].Bit, s.parts[i].Bit+s.parts[i].Bits
	}
	if last := (end - 1) / 8; last < len(s.taken) {
		b.Taken = s.taken[last]
	}
	switch uint8(s.get("m_kind")) {
	case oracle.BeatPly:
		b.Index, b.Depth, b.Label = int(s.get("m_index")), int(s.get("m_depth")), chess.NullMove.String()
		_, b.Fields = formats.WordFields(moveindex.Index(b.Index))
		if m, ok := moveindex.Index(b.Index).Move(); ok {
			b.Label = m.String()
		}
	case oracle.BeatEnd:
		r, _ := game.ResultOf(moveindex.ResultBlackWins + moveindex.Index(s.get("m_result")))
		b.Label, b.end = r.String(), true
	case oracle.BeatError:
		b.Error = int(s.get("m_error"))
		b.Label = fmt.Sprintf("E%d", b.Error)
		for _, f := range oracle.Faults() {
			if f.Fault == oracle.Fault(b.Error) {
				b.Why = f.Meaning
			}
		}
	}
	if b.Taken >= 0 && b.Taken < len(s.phases) {
		b.Spent = s.spentOn(b)
	}
	s.beats = append(s.beats[max(0, len(s.beats)-3):], *b)
	return b
}

type playerSignal struct {
	Name  string `json:"name"`
	Width int    `json:"width"`
}

// signals lists the ports and registers. A register that is also a port is there once.
func (s *player) signals() []playerSignal {
	list := []playerSignal{}
	for _, x := range s.net.Signals() {
		if same, _ := s.net.Signal(x.Name); same.Kind == x.Kind {
			list = append(list, playerSignal{x.Name, x.Width()})
		}
	}
	return list
}

type waveform struct {
	First   int          `json:"first"` // clock
	Signals []waveSignal `json:"signals"`
	Values  [][]string   `json:"values"` // of each signal, in each clock, in hexadecimal digits
	Boards  []shown      `json:"boards"` // where they change
}

type waveSignal struct {
	playerSignal
	Module string `json:"module"` // in whose source the signal stands
	Text   string `json:"text"`   // what the source says of it
}

type shown struct {
	Clock int    `json:"clock"`
	FEN   string `json:"fen"`
}

// wave runs the gates of clocks again, count of them from first, and returns the values of the signals that the request
// names. Unknown names are left out.
func (s *player) wave(r *http.Request) (any, error) {
	v := r.URL.Query()
	names, last := v["signal"], s.m.Clock()
	first, err := strconv.Atoi(v.Get("first"))
	count, bad := strconv.Atoi(v.Get("count"))
	if err = cmp.Or(err, bad); err != nil {
		return nil, err
	}
	if len(names) > maxSignals || count > maxWindow {
		return nil, fmt.Errorf("at most %d signals and %d clocks are shown", maxSignals, maxWindow)
	}
	w := &waveform{First: max(0, last-history, first), Signals: []waveSignal{}, Values: [][]string{}, Boards: []shown{}}
	var list []sim.Signal
	for _, name := range names {
		if x, err := s.net.Signal(name); err == nil {
			if _, ok := s.said[x.Name]; !ok { // to read the sources takes longer than all values
				module, text := explained(x.Name)
				s.said[x.Name] = waveSignal{playerSignal{x.Name, x.Width()}, module, text}
			}
			list = append(list, x)
			w.Signals = append(w.Signals, s.said[x.Name])
			w.Values = append(w.Values, []string{})
		}
	}
	for clock := w.First; clock < min(last, first+count); clock++ {
		s.see(clock)
		for i, x := range list {
			w.Values[i] = append(w.Values[i], s.past.Hex(x, 0))
		}
		fen := s.fen()
		if n := len(w.Boards); n == 0 || w.Boards[n-1].FEN != fen {
			w.Boards = append(w.Boards, shown{clock, fen})
		}
	}
	return w, nil
}

// explained returns the module in whose source a port or register stands, and what the source says of it: what stands
// behind it or above it, or else what the module is.
func explained(name string) (module, text string) {
	module = "ply11_player"
	source, _ := hdl.FS.ReadFile("rtl/" + module + ".v")
	path := strings.Split(name, ".")
	for _, part := range path[:len(path)-1] {
		instance := regexp.MustCompile(`\n\s*(ply11_\w+) [^;]*?\b` + regexp.QuoteMeta(part) + ` \(`)
		if m := instance.FindSubmatch(source); m != nil {
			module = string(m[1])
			source, _ = hdl.FS.ReadFile("rtl/" + module + ".v")
		}
	}
	own, _, _ := strings.Cut(path[len(path)-1], "[")
	m, _ := hdl.Parse(string(source))
	for _, p := range m.Ports {
		if p.Name == own && p.Comment != "" {
			return module, p.Comment
		}
	}
	declared := regexp.MustCompile(`(?m)(?:^ *// (.*)\n(?:^ *reg[^/\n]*\n)*)?^ *(?:reg|wire)\b[^;\n]*\b` + own + `\b[^;\n]*;[ \t]*(?:// *(.*))?$`)
	if d := declared.FindSubmatch(source); d != nil {
		text = cmp.Or(string(d[2]), string(d[1]))
	}
	return module, cmp.Or(text, "a register of "+module+": "+m.Summary)
}

// state returns what the player is after a run that began at a clock.
func (s *player) state(beats []beat, ended string, first int) *playerState {
	s.see(max(0, s.m.Clock()-1))
	return &playerState{Beats: append([]beat{}, beats[max(0, len(beats)-maxBeats):]...), Clock: s.m.Clock(),
		Bytes: len(s.taken), Of: len(s.data), FEN: s.fen(), Ended: ended,
		Phases: string(s.phases[max(first, len(s.phases)-history):])}
}

// fen writes the position of the machine past, without the counters of moves.
func (s *player) fen() string {
	get := func(name string) uint64 { return s.past.Get(s.ports[name], 0) }
	var pieces []byte
	for rank := 7; rank >= 0; rank-- {
		for file := range 8 {
			at, last := 4*(8*rank+file), len(pieces)-1
			piece := chess.Piece(s.past.Get(s.ports["board"].Slice(at, at+4), 0))
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
	side, passant := get("side"), "-"
	if file := int(get("ep")); file > 0 {
		passant = chess.NewSquare(file-1, [2]int{5, 2}[side]).String()
	}
	rights := position.CastlingRights(get("rights"))
	return fmt.Sprintf("%s %c %v %s", pieces[:len(pieces)-1], "wb"[side], rights, passant)
}
