// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"errors"
	"fmt"
)

// PlayerIn are the inputs of ply11_player.
type PlayerIn struct {
	Rst    bool
	Mode   bool // false eleven-bit words, true Brenner; may change while Rst is true
	SValid bool
	SData  uint64
	MReady bool
}

// PlayerOut are its outputs. SReady and the text's are combinational.
type PlayerOut struct {
	SReady     bool
	MValid     bool
	MKind      uint8
	MIndex     uint16
	MFrom      uint8
	MTo        uint8
	MPromotion uint8
	MMan       uint8
	MCaptured  uint8
	MResult    uint8 // 0 0-1, 1 1/2-1/2, 2 1-0, 3 *
	MError     uint8
	MOffset    uint32
	State      State // board, side, rights, ep, ply
	TextValid  bool
	TextData   uint8
	TextLast   bool
	InGame     bool
}

// Player is ply11_player: bytes in; plies, results, errors and the position out.
type Player struct {
	In  PlayerIn
	Out PlayerOut

	modes, width, layout int

	unpack  *Unpack
	words   *Words
	brenner *Brenner
	board   *Board

	bad   bool // an error in this game has been shown
	exact bool // m_index has a meaning
}

// NewPlayer returns a model for MODES (bit 0 words, bit 1 Brenner), WIDTH and LAYOUT.
func NewPlayer(modes, width, layout int) (*Player, error) {
	if modes < 1 || modes > 3 {
		return nil, fmt.Errorf("sim: modes %d: 1 to 3 are possible", modes)
	}
	if modes&2 != 0 && width != 8 {
		return nil, errors.New("sim: Brenner's bytes need an input of 8 bits")
	}
	u, err := NewUnpack(width)
	if err != nil {
		return nil, err
	}
	b, err := NewBrenner(layout)
	if err != nil {
		return nil, err
	}
	board, err := NewBoard(49)
	if err != nil {
		return nil, err
	}
	p := &Player{modes: modes, width: width, layout: layout, unpack: u, words: NewWords(), brenner: b, board: board}
	p.Reset()
	return p, nil
}

// Verilog names the module.
func (p *Player) Verilog() Verilog {
	return Verilog{
		Module: "ply11_player",
		Params: []string{fmt.Sprintf("MODES=%d", p.modes), fmt.Sprintf("WIDTH=%d", p.width), fmt.Sprintf("LAYOUT=%d", p.layout)},
		Files: []string{
			"rtl/ply11_player.v", "rtl/ply11_board.v", "rtl/ply11_words.v", "rtl/ply11_unpack.v", "rtl/ply11_gearbox.v",
			"rtl/ply11_brenner.v", "rtl/ply11_men.v", "rtl/ply11_encode.v",
		},
	}
}

// Ports returns the ports.
func (p *Player) Ports() []Port {
	o := &p.Out
	ports := append([]Port{
		input("rst", 1, &p.In.Rst),
		input("mode", 1, &p.In.Mode),
		input("s_valid", 1, &p.In.SValid),
		output("s_ready", 1, &o.SReady),
		input("s_data", p.width, &p.In.SData),
		output("m_valid", 1, &o.MValid),
		input("m_ready", 1, &p.In.MReady),
	}, given(&o.MValid,
		output("m_kind", 2, &o.MKind),
		output("m_from", 6, &o.MFrom),
		output("m_to", 6, &o.MTo),
		output("m_promotion", 3, &o.MPromotion),
		output("m_man", 4, &o.MMan),
		output("m_captured", 4, &o.MCaptured),
		output("m_result", 2, &o.MResult),
		output("m_error", 4, &o.MError),
		output("m_offset", 32, &o.MOffset))...)
	ports = append(ports, given(&p.exact, output("m_index", 11, &o.MIndex))...)
	ports = append(ports,
		output("board", 256, &o.State.Men),
		output("side", 1, &o.State.Side),
		output("rights", 4, &o.State.Rights),
		output("ep", 4, &o.State.EP),
		output("ply", 16, &o.State.Ply),
		output("text_valid", 1, &o.TextValid),
		output("in_game", 1, &o.InGame))
	return append(ports, given(&o.TextValid,
		output("text_data", 8, &o.TextData),
		output("text_last", 1, &o.TextLast))...)
}

// Reset waits for the first game.
func (p *Player) Reset() {
	p.unpack.Reset()
	p.words.Reset()
	p.brenner.Reset()
	p.board.Reset()
	p.bad = false
	p.Eval()
}

// inWords and inBrenner say which codec is at work.
func (p *Player) inWords() bool   { return !p.In.Mode && p.modes&1 != 0 }
func (p *Player) inBrenner() bool { return p.In.Mode && p.modes&2 != 0 }

// Eval sets all outputs.
func (p *Player) Eval() {
	o, b := &p.Out, p.board
	kind := uint8(b.Out.MUser >> 47 & 3)
	shown := kind == BeatEnd || !p.bad && kind != BeatNew
	b.In.MReady = p.In.MReady || !shown
	b.Eval()

	o.SReady, o.InGame, o.TextValid = false, false, false
	switch {
	case p.inWords():
		w, u := p.words, p.unpack
		w.In.SValid, w.In.SData = u.Out.MValid, u.Out.MData
		w.In.MReady, w.In.LoadReady = b.Out.SReady, b.Out.LoadReady
		w.Eval()
		u.In = UnpackIn{Rst: p.In.Rst, SValid: p.In.SValid, SData: p.In.SData, MReady: w.Out.SReady}
		u.Eval()
		o.SReady, o.InGame = u.Out.SReady, w.Out.InGame
	case p.inBrenner():
		n := p.brenner
		n.In = BrennerIn{Rst: p.In.Rst, SValid: p.In.SValid, SData: uint8(p.In.SData), MReady: b.Out.SReady}
		n.Eval()
		o.SReady, o.InGame = n.Out.SReady, n.Out.InGame
		o.TextValid, o.TextData, o.TextLast = n.Out.TextValid, n.Out.TextData, n.Out.TextLast
	}

	o.State = b.Out.State
	p.exact = false
	o.MValid = b.Out.MValid && shown
	if !o.MValid {
		return
	}
	code := uint8(b.Out.MUser >> 43 & 15)
	refused := kind == BeatPly && b.Out.MError != 0
	o.MKind, o.MError, o.MResult = kind, 0, 0
	switch {
	case refused:
		o.MKind, o.MError = BeatError, b.Out.MError
	case kind == BeatError:
		o.MError = code
	case kind == BeatEnd:
		o.MResult = code & 3
	}
	// With a result or a start position that is refused, m_index is what happens to be at the input.
	p.exact = kind != BeatEnd && !(kind == BeatError && code == 9)
	o.MIndex = uint16(b.Out.MUser >> 32 & 2047)
	o.MFrom, o.MTo, o.MPromotion = b.Out.MFrom, b.Out.MTo, b.Out.MPromotion
	o.MMan, o.MCaptured = b.Out.MMan, b.Out.MCaptured
	o.MOffset = uint32(b.Out.MUser)
}

// Step is a clock. All outputs are up to date after it for the inputs as they are; it allocates nothing.
func (p *Player) Step() {
	p.Eval()
	b := p.board
	in := BoardIn{Rst: p.In.Rst, MReady: b.In.MReady}
	switch {
	case p.inWords():
		w := &p.words.Out
		in.SValid, in.SOp, in.SIndex = w.MValid, boardOpOf[w.MKind&3], w.MIndex
		in.SUser = uint64(w.MKind)<<47 | uint64(w.MCode)<<43 | uint64(w.MIndex)<<32 | uint64(w.MOffset)
		in.LoadValid, in.LoadAddr, in.LoadData = w.LoadValid, w.LoadAddr, w.LoadData
	case p.inBrenner():
		n := &p.brenner.Out
		in.SValid, in.SOp, in.SIndex = n.MValid, boardOpOf[n.MKind&3], n.MIndex
		in.SUser = uint64(n.MKind)<<47 | uint64(n.MCode)<<43 | uint64(n.MIndex)<<32 | uint64(n.MOffset)
	}
	if b.Out.MValid && b.In.MReady {
		switch kind := uint8(b.Out.MUser >> 47 & 3); {
		case kind == BeatError || kind == BeatPly && b.Out.MError != 0:
			p.bad = true
		case kind == BeatEnd:
			p.bad = false
		}
	}
	if p.In.Rst {
		p.bad = false
		p.words.In.Rst, p.unpack.In.Rst, p.brenner.In.Rst = true, true, true
		p.words.Step()
		p.unpack.Step()
		p.brenner.Step()
	} else if p.inWords() {
		// words first: it takes what unpack offers.
		p.words.In.Rst = false
		p.words.Step()
		p.unpack.Step()
	} else if p.inBrenner() {
		p.brenner.Step()
	}
	b.In = in
	b.Step()
	p.Eval()
}

// boardOpOf is the board's operation for a beat.
var boardOpOf = [4]uint8{BeatPly: OpMove, BeatNew: OpNew, BeatEnd: OpPass, BeatError: OpPass}
