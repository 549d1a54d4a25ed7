// SPDX-License-Identifier: Apache-2.0

// Package hardware is what the explorer's page asks about the hardware: it plays bytes through netlists of
// ply11_player, clock by clock. They are those of package netlists, which Yosys made of the Verilog.
//
//	s := hardware.Session{Fetch: netlistFile}
//	value, err := s.Methods().Do(ctx, &call.Call{Method: "encode", Params: []byte(`{"mode": "words", "pgn": "1. e4 *"}`)})
package hardware

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

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
	"ply11/sim/oracle"
	"ply11/web/call"
)

const (
	maxBytes   = 1 << 20 // that a player is given
	maxClocks  = 1_000_000
	maxBeats   = 500 // that a call tells
	maxSignals = 64  // whose values a call tells
	// window is how many clocks the waveform has.
	window = 32
	// quiet is after how many clocks without input and output nothing more comes.
	quiet = 1000
)

// A Mode is a form of games, and the player that plays it.
type Mode struct {
	Name  string `json:"name"` // which is that of its netlist
	Title string `json:"title"`

	mode   uint8 // the port mode
	writer func(io.Writer) codec.Writer
}

// Modes are all that the room has: a netlist for each, with bytes as input.
var Modes = []Mode{
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

// modeOf finds a mode by its name.
func modeOf(name string) (*Mode, error) {
	for i := range Modes {
		if Modes[i].Name == name {
			return &Modes[i], nil
		}
	}
	return nil, fmt.Errorf("unknown mode %q", name)
}

// Session is a player with its input.
type Session struct {
	// Fetch returns the netlist of a mode, as an AIGER file.
	Fetch func(ctx context.Context, name string) ([]byte, error)

	name string // of the mode whose netlist is there
	net  *sim.Netlist
	m    *sim.Machine // of which one stream is in use
	past *sim.Machine // in which clocks of the window are looked at again
	ports
	kept [window]kept

	loaded bool
	data   []byte
	at     int          // of the byte that is offered
	board  oracle.State // before the edge of the last clock: a beat is told with the position after it
	depth  uint64
	from   int // squares of the last ply
	to     int
}

// ports are the ports of the player, by their names.
type ports map[string]sim.Signal

// kept is what the machine was in a clock: all that any signal's value follows from.
type kept struct {
	inputs, registers []uint64
	label             string // the beat that was taken
	wrong             bool   // which is an error
}

// Methods returns the methods of a Session. They are for one call at a time.
func (s *Session) Methods() call.Methods {
	return call.Methods{"modes": call.New(modes), "encode": call.New(encode), "load": call.New(s.load),
		"run": call.New(s.run), "signals": call.New(s.signals),
		"wave": call.New(s.wave)}
}

func modes(context.Context, *call.Call, struct{}) (any, error) { return Modes, nil }

// encode makes bytes of a game in PGN: the input of a mode.
func encode(_ context.Context, _ *call.Call, r struct {
	Mode string `json:"mode"`
	PGN  string `json:"pgn"`
}) (any, error) {
	mode, err := modeOf(r.Mode)
	if err != nil {
		return nil, err
	}
	var g game.Game
	if err := pgn.NewReader(strings.NewReader(r.PGN)).Read(&g); err == io.EOF {
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
		return call.Bytes(append(record.Moves, 0, record.Header[1])), nil
	}
	var out bytes.Buffer
	w := mode.writer(&out)
	if err := w.Write(&g); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return call.Bytes(out.Bytes()), nil
}

// load resets the player of a mode and gives it bytes, which come with the call.
func (s *Session) load(ctx context.Context, c *call.Call, r struct {
	Mode string `json:"mode"`
}) (any, error) {
	mode, err := modeOf(r.Mode)
	if err != nil {
		return nil, err
	}
	if len(c.Data) > maxBytes {
		return nil, fmt.Errorf("the player is given at most %d bytes here", maxBytes)
	}
	if err := s.open(ctx, mode.Name); err != nil {
		return nil, err
	}
	s.data, s.at, s.from, s.to = bytes.Clone(c.Data), 0, -1, -1
	s.m.Reset()
	clear(s.m.Inputs())
	s.m.SetAll(s.ports["mode"], uint64(mode.mode))
	s.m.Pulse(s.ports["rst"], 4)
	s.m.Restore(s.m.Registers(), 0) // clocks count from here
	s.m.Eval()
	s.look()
	s.loaded = true
	return s.state(nil, ""), nil
}

// open gets the netlist of a mode, unless it is there.
func (s *Session) open(ctx context.Context, name string) error {
	if s.name == name {
		return nil
	}
	data, err := s.Fetch(ctx, name)
	if err != nil {
		return err
	}
	n, err := sim.Parse(data)
	if err != nil {
		return fmt.Errorf("netlist %s: %w", name, err)
	}
	p := ports{}
	for _, want := range []struct {
		kind  sim.Kind
		name  string
		width int
	}{
		{sim.Input, "rst", 1}, {sim.Input, "mode", 2}, {sim.Input, "s_valid", 1}, {sim.Input, "s_data", 8},
		{sim.Input, "m_ready", 1},
		{sim.Output, "s_ready", 1}, {sim.Output, "m_valid", 1}, {sim.Output, "m_kind", 2}, {sim.Output, "m_index", 11},
		{sim.Output, "m_depth", 5}, {sim.Output, "m_result", 2}, {sim.Output, "m_error", 4},
		{sim.Output, "m_offset", 32},
		{sim.Output, "board", 256}, {sim.Output, "side", 1}, {sim.Output, "rights", 4}, {sim.Output, "ep", 4},
		{sim.Output, "ply", 16},
	} {
		if p[want.name], err = n.Port(want.kind, want.name, want.width); err != nil {
			return err
		}
	}
	m, err := sim.NewMachine(n, sim.Narrow)
	if err != nil {
		return err
	}
	past, err := sim.NewMachine(n, sim.Narrow)
	if err != nil {
		return err
	}
	*s = Session{Fetch: s.Fetch, name: name, net: n, m: m, past: past, ports: p}
	return nil
}

// get is the value of a port.
func (s *Session) get(name string) uint64 { return s.m.Get(s.ports[name], 0) }

// look takes note of the position at the outputs.
func (s *Session) look() {
	board := s.ports["board"]
	for k := range s.board.Men {
		s.board.Men[k] = s.m.Get(board.Slice(64*k, 64*k+64), 0)
	}
	s.board.Side, s.board.Rights, s.board.EP = uint8(s.get("side")), uint8(s.get("rights")), uint8(s.get("ep"))
	s.board.Ply, s.depth = uint16(s.get("ply")), s.get("m_depth")
}

// Beat is what the player gave in a clock.
type Beat struct {
	Clock int    `json:"clock"`
	Text  string `json:"text"` // the kind, and what comes with it
	Move  string `json:"move,omitempty"`
	Error int    `json:"error,omitempty"`
	Why   string `json:"why,omitempty"`

	end bool
}

// State is the player after a clock.
type State struct {
	Beats []Beat `json:"beats"` // the last ones that were taken
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

// run runs clocks, until something happens.
func (s *Session) run(ctx context.Context, c *call.Call, r struct {
	Clocks int    `json:"clocks"`
	Until  string `json:"until"` // "", "ply", "error" or "end"
	Ready  bool   `json:"ready"` // m_ready: who reads takes what there is
}) (any, error) {
	if !s.loaded {
		return nil, errors.New("no bytes are loaded")
	}
	var beats []Beat
	idle := 0
	for n := range min(max(r.Clocks, 1), maxClocks) {
		if n%1000 == 999 && c.Yield != nil {
			c.Yield()
		}
		if ctx.Err() != nil {
			return nil, call.ErrCanceled
		}
		took, beat := s.step(r.Ready)
		if beat != nil {
			if beats = append(beats, *beat); len(beats) > 2*maxBeats {
				beats = append(beats[:0], beats[len(beats)-maxBeats:]...)
			}
			switch {
			case r.Until == "" || r.Until == "end":
			case beat.Error != 0:
				return s.state(beats, "an error"), nil
			case beat.Move != "" && r.Until == "ply":
				return s.state(beats, "a ply"), nil
			case beat.end:
				return s.state(beats, "the end of the game"), nil
			}
		}
		if idle++; took || beat != nil {
			idle = 0
		}
		if r.Until != "" && idle > quiet {
			if s.at < len(s.data) || s.get("m_valid") != 0 {
				return s.state(beats, "the output is not taken"), nil
			}
			return s.state(beats, "the end of the bytes"), nil
		}
	}
	return s.state(beats, ""), nil
}

// step is a clock: whether a byte was taken, and what came.
func (s *Session) step(ready bool) (took bool, beat *Beat) {
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

// beat is what is at the outputs.
func (s *Session) beat() *Beat {
	b := &Beat{Clock: s.m.Clock()}
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

// label is the beat in a few letters: a move, a result, an error's number.
func (b *Beat) label() string {
	switch {
	case b.Error != 0:
		return fmt.Sprintf("E%d", b.Error)
	case b.end:
		return strings.TrimPrefix(b.Text, "END ")
	}
	return b.Move
}

// A Signal is a port or a register of the player's Verilog.
type Signal struct {
	Name  string `json:"name"`
	Kind  string `json:"kind"`
	Width int    `json:"width"`
}

// signals lists the ports and registers. A register that is also a port is told once.
func (s *Session) signals(context.Context, *call.Call, struct{}) (any, error) {
	if !s.loaded {
		return nil, errors.New("no bytes are loaded")
	}
	list := []Signal{}
	for _, x := range s.net.Signals() {
		if same, _ := s.net.Signal(x.Name); same.Kind == x.Kind {
			list = append(list, Signal{x.Name, x.Kind.String(), x.Width()})
		}
	}
	return list, nil
}

// Wave is the values of signals in the last clocks.
type Wave struct {
	First  int      `json:"first"` // clock
	In     []bool   `json:"in"`    // of each clock, whether a byte was taken
	Out    []bool   `json:"out"`   // whether a beat was
	Labels []string `json:"labels"`
	Wrong  []bool   `json:"wrong"`
	// what the player does in each clock: gives, takes, both, error, stalls, works or starved
	Phases  []string   `json:"phases"`
	Signals []Signal   `json:"signals"`
	Values  [][]string `json:"values"` // of each signal, in each clock, in hexadecimal digits
}

// wave runs the gates of the last clocks again, and tells the values of signals. Names that the player does not have
// are left out.
func (s *Session) wave(_ context.Context, _ *call.Call, r struct {
	Signals []string `json:"signals"`
}) (any, error) {
	if !s.loaded {
		return nil, errors.New("no bytes are loaded")
	}
	if len(r.Signals) > maxSignals {
		return nil, fmt.Errorf("at most %d signals are shown", maxSignals)
	}
	last := s.m.Clock()
	w := &Wave{First: max(0, last-window), In: []bool{}, Out: []bool{}, Labels: []string{}, Wrong: []bool{},
		Phases: []string{}, Signals: []Signal{}, Values: [][]string{}}
	var list []sim.Signal
	for _, name := range r.Signals {
		if x, err := s.net.Signal(name); err == nil {
			list = append(list, x)
			w.Signals = append(w.Signals, Signal{x.Name, x.Kind.String(), x.Width()})
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

// state tells how it stands.
func (s *Session) state(beats []Beat, ended string) *State {
	b := &s.board
	t := &State{Beats: []Beat{}, Clock: s.m.Clock(), Bytes: s.at, Of: len(s.data), Ply: int(b.Ply), Depth: int(s.depth),
		From: s.from, To: s.to, Ended: ended}
	t.Beats = append(t.Beats, beats[max(0, len(beats)-maxBeats):]...)
	var fen strings.Builder
	for rank := 7; rank >= 0; rank-- {
		empty := 0
		flush := func() {
			if empty > 0 {
				fmt.Fprint(&fen, empty)
				empty = 0
			}
		}
		for file := range 8 {
			man := b.Man(chess.NewSquare(file, rank))
			if man == chess.NoPiece {
				empty++
				continue
			}
			flush()
			fen.WriteByte(man.Letter())
		}
		flush()
		if rank > 0 {
			fen.WriteByte('/')
		}
	}
	rights := position.CastlingRights(b.Rights & 15).String()
	passant := "-"
	if b.EP > 0 {
		passant = chess.NewSquare(int(b.EP)-1, [2]int{5, 2}[b.Side&1]).String()
	}
	t.FEN = fmt.Sprintf("%s %s %s %s", fen.String(), [2]string{"w", "b"}[b.Side&1], rights, passant)
	return t
}
