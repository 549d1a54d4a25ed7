// SPDX-License-Identifier: Apache-2.0

// Package hardware is what the explorer's page asks about the hardware: it plays bytes through the model of ply11_player, clock by clock.
// The model is package sim, which is compared with the Verilog in every clock.
//
//	var s hardware.Session
//	value, err := s.Methods().Do(ctx, &call.Call{Method: "encode", Params: json.RawMessage(`{"mode": "words", "pgn": "1. e4 *"}`)})
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
	"ply11/bitstream/codec"
	"ply11/bitstream/jose"
	"ply11/chess"
	"ply11/game"
	"ply11/game/pgn"
	"ply11/moveindex"
	"ply11/position"
	"ply11/sim"
	"ply11/sim/oracle"
	"ply11/web/call"
)

// depth is how many variations inside each other the player plays.
const depth = 3

// maxBytes is how many bytes a player is given, and maxClocks how many clocks a call runs and maxRows how many it tells.
const (
	maxBytes  = 1 << 20
	maxClocks = 1_000_000
	maxRows   = 200
)

// Session is a player with its input.
type Session struct {
	player *sim.Player
	data   []byte
	at     int // of the byte that is offered
	clock  int
	board  oracle.State // before the edge of the last clock: a beat is told with the position after it
	depth  uint8
}

// Methods returns the methods of a Session. They are for one call at a time.
func (s *Session) Methods() call.Methods {
	return call.Methods{"encode": call.New(encode), "load": call.New(s.load), "run": call.New(s.run)}
}

// encode makes bytes of a game in PGN: the input of a mode.
func encode(_ context.Context, _ *call.Call, r struct {
	Mode string `json:"mode"`
	PGN  string `json:"pgn"`
}) (any, error) {
	var g game.Game
	if err := pgn.NewReader(strings.NewReader(r.PGN)).Read(&g); err == io.EOF {
		return nil, errors.New("there is no game in it")
	} else if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	var w codec.Writer
	lossy := codec.Lossy(func(*codec.LossError) {})
	switch r.Mode {
	case "words":
		w = bitstream.NewWriter(&out, lossy)
	case "brenner":
		w = brenner.NewWriter(&out, brenner.Main, lossy)
	case "jose":
		w = jose.NewWriter(&out, jose.Document, jose.Plain, lossy)
	default:
		return nil, fmt.Errorf("unknown mode %q", r.Mode)
	}
	if err := w.Write(&g); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return call.Bytes(out.Bytes()), nil
}

var modes = map[string]uint8{"words": oracle.ModeWords, "brenner": oracle.ModeBrenner, "jose": oracle.ModeJose}

// load resets the player and gives it bytes, which come with the call.
func (s *Session) load(_ context.Context, c *call.Call, r struct {
	Mode string `json:"mode"`
}) (any, error) {
	mode, ok := modes[r.Mode]
	if !ok {
		return nil, fmt.Errorf("unknown mode %q", r.Mode)
	}
	if len(c.Data) > maxBytes {
		return nil, fmt.Errorf("the player is given at most %d bytes here", maxBytes)
	}
	p, err := sim.NewPlayer(sim.PlayerParams{Modes: 7, Width: 8, Depth: depth})
	if err != nil {
		return nil, err
	}
	p.In = sim.PlayerIn{Rst: true, Mode: mode, MReady: true}
	p.Step()
	p.In.Rst = false
	*s = Session{player: p, data: bytes.Clone(c.Data)}
	p.Eval()
	s.board = p.Out.State
	return s.state(nil, ""), nil
}

// Row is a clock: the signals before its edge.
type Row struct {
	Clock  int    `json:"clock"`
	SValid bool   `json:"s_valid"`
	SReady bool   `json:"s_ready"`
	SData  string `json:"s_data"` // hexadecimal; empty if none is offered
	MValid bool   `json:"m_valid"`
	MReady bool   `json:"m_ready"`
	InGame bool   `json:"in_game"`
	Text   bool   `json:"text_valid"`
	Beat   string `json:"beat,omitempty"` // what m_kind and the rest tell, if it is valid
	Move   string `json:"move,omitempty"`
	Error  int    `json:"error,omitempty"`
	Why    string `json:"why,omitempty"`
}

// State is the player after a clock.
type State struct {
	Rows  []Row  `json:"rows"` // the last clocks
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
	if s.player == nil {
		return nil, errors.New("no bytes are loaded")
	}
	var rows []Row
	idle := 0
	for n := range min(max(r.Clocks, 1), maxClocks) {
		if n%50_000 == 49_999 && c.Yield != nil {
			c.Yield()
		}
		if ctx.Err() != nil {
			return nil, call.ErrCanceled
		}
		row := s.step(r.Ready)
		if rows = append(rows, row); len(rows) > 2*maxRows {
			rows = append(rows[:0], rows[len(rows)-maxRows:]...)
		}
		taken := row.MValid && row.MReady
		switch {
		case r.Until == "":
		case taken && row.Error != 0 && r.Until != "end":
			return s.state(rows, "an error"), nil
		case taken && row.Move != "" && r.Until == "ply":
			return s.state(rows, "a ply"), nil
		case taken && strings.HasPrefix(row.Beat, "END") && r.Until != "end":
			return s.state(rows, "the end of the game"), nil
		}
		// Without input and output for long, nothing more comes.
		if idle++; taken || row.SValid && row.SReady {
			idle = 0
		}
		if r.Until != "" && idle > 1000 {
			if s.at < len(s.data) {
				return s.state(rows, "the output is not taken"), nil
			}
			return s.state(rows, "the end of the bytes"), nil
		}
	}
	return s.state(rows, ""), nil
}

// step is a clock.
func (s *Session) step(ready bool) Row {
	p := s.player
	p.In.MReady = ready
	p.In.SValid, p.In.SData = s.at < len(s.data), 0
	if p.In.SValid {
		p.In.SData = uint64(s.data[s.at])
	}
	p.Eval()
	o := &p.Out
	s.board, s.depth = o.State, o.MDepth
	row := Row{Clock: s.clock, SValid: p.In.SValid, SReady: o.SReady, MValid: o.MValid, MReady: ready, InGame: o.InGame, Text: o.TextValid}
	if p.In.SValid {
		row.SData = fmt.Sprintf("%02x", s.data[s.at])
		if o.SReady {
			s.at++
		}
	}
	if o.MValid {
		switch o.MKind {
		case oracle.BeatPly:
			index := moveindex.Index(o.MIndex)
			row.Move = chess.NullMove.String()
			if m, ok := index.Move(); ok {
				row.Move = m.String()
			}
			row.Beat = fmt.Sprintf("PLY %d", o.MIndex)
			if o.MDepth > 0 {
				row.Beat += fmt.Sprintf(", in variation %d", o.MDepth)
			}
		case oracle.BeatEnd:
			row.Beat = "END " + [4]string{"0-1", "1/2-1/2", "1-0", "*"}[o.MResult&3]
		case oracle.BeatError:
			row.Error = int(o.MError)
			row.Beat = fmt.Sprintf("ERROR %d at byte %d", o.MError, o.MOffset)
			for _, f := range oracle.Faults() {
				if f.Fault == oracle.Fault(o.MError) {
					row.Why = f.Meaning
				}
			}
		}
	}
	s.clock++
	p.Step()
	return row
}

// state tells how it stands.
func (s *Session) state(rows []Row, ended string) *State {
	b := &s.board
	t := &State{Rows: []Row{}, Clock: s.clock, Bytes: s.at, Of: len(s.data), Ply: int(b.Ply), Depth: int(s.depth), From: -1, To: -1, Ended: ended}
	t.Rows = append(t.Rows, rows[max(0, len(rows)-maxRows):]...)
	for i := len(rows) - 1; i >= 0; i-- {
		if m, err := chess.ParseUCI(rows[i].Move); err == nil {
			t.From, t.To = int(m.From()), int(m.To())
			break
		}
	}
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
