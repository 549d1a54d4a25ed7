// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"errors"
	"fmt"

	"ply11/sim/oracle"
)

// PlayerIn are the inputs of ply11_player.
type PlayerIn struct {
	Rst       bool
	Mode      uint8 // ModeWords, ModeBrenner, ModeJose or ModeChessBase; may change while Rst is true
	Numbering uint8 // ChessBase's, at a game's first byte: NumberingDocument or NumberingCBASCII
	SValid    bool
	SData     uint64
	// A start position from outside, between games, not in words: ranks 7..0, then 8, the state.
	LoadValid bool
	LoadAddr  uint8
	LoadData  uint32
	MReady    bool
}

// noMode is what no codec plays.
const noMode uint8 = 4

// PlayerOut are its outputs. SReady, LoadReady and the text's are combinational.
type PlayerOut struct {
	SReady     bool
	LoadReady  bool
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
	MReason    uint8 // a Reason, with Legal
	MOffset    uint32
	MDepth     uint8        // variations around a ply, 0 in the main line
	MCheck     bool         // with Mate: the side to move is in check
	MMate      bool         // with Mate: it is mate
	MStalemate bool         // with Mate: it is stalemate
	State      oracle.State // board, side, rights, ep, ply
	TextValid  bool
	TextData   uint8
	TextLast   bool
	TextKind   uint8 // 0 a comment, 1..4 jose's records of errors
	InGame     bool
}

// PlayerParams are the parameters of ply11_player.
type PlayerParams struct {
	Modes   int // MODES: bit 0 words, bit 1 Brenner, bit 2 jose, bit 3 ChessBase
	Width   int // WIDTH: bits of the input, 0 is 8
	Layout  int // LAYOUT: Brenner's
	Dialect int // DIALECT: jose's
	Depth   int // DEPTH: variations inside each other that are played
}

// Player is ply11_player: bytes in; plies, results, errors and the position out.
type Player struct {
	In  PlayerIn
	Out PlayerOut

	params PlayerParams
	at     uint8 // In.Mode, or noMode if the player does not have it

	unpack  *Unpack
	words   *Words
	brenner *Brenner
	jose    *Jose
	stack   *Stack // nil for a depth of 0
	board   *Board
	spare   op // what the board did not take at once
	spared  bool
	ring    [32]op // operations on their way, from get up to put; without LEGAL half of it
	places  uint8  // of ring, less one
	put     uint8
	get     uint8
	present bool // an operation is at the board's outputs, get's
	bad     bool // there was an error in this game before it
	exact   bool // m_index has a meaning

	// The start position from outside.
	loading, row bool
	rank, file   uint8
	men          uint32
	fault        bool
	white, black uint8 // kings: bit 0 one or more, bit 1 more
}

// NewPlayer returns a model.
func NewPlayer(params PlayerParams) (*Player, error) {
	if params.Width == 0 {
		params.Width = 8
	}
	if params.Modes < 1 || params.Modes > 7 {
		return nil, fmt.Errorf("sim: modes %d: 1 to 7 are possible", params.Modes)
	}
	if params.Modes&6 != 0 && params.Width != 8 {
		return nil, errors.New("sim: the bytes of Brenner and jose need an input of 8 bits")
	}
	p := &Player{params: params}
	var err error
	if p.unpack, err = NewUnpack(params.Width); err != nil {
		return nil, err
	}
	if p.words, err = NewWordsDepth(params.Depth); err != nil {
		return nil, err
	}
	if p.brenner, err = NewBrenner(params.Layout); err != nil {
		return nil, err
	}
	if p.jose, err = NewJose(params.Dialect, params.Depth); err != nil {
		return nil, err
	}
	if params.Depth > 0 {
		if p.stack, err = NewStack(params.Depth); err != nil {
			return nil, err
		}
	}
	if p.board, err = NewBoardStop(1); err != nil {
		return nil, err
	}
	p.places = 15
	p.Reset()
	return p, nil
}

// Params returns the parameters, with the defaults filled in.
func (p *Player) Params() PlayerParams { return p.params }

// Verilog names the module.
func (p *Player) Verilog() Verilog {
	params := []string{
		fmt.Sprintf("MODES=%d", p.params.Modes), fmt.Sprintf("WIDTH=%d", p.params.Width),
		fmt.Sprintf("LAYOUT=%d", p.params.Layout), fmt.Sprintf("DIALECT=%d", p.params.Dialect),
		fmt.Sprintf("DEPTH=%d", p.params.Depth),
	}
	files := []string{
		"rtl/ply11_player.v", "rtl/ply11_board.v", "rtl/ply11_words.v", "rtl/ply11_unpack.v", "rtl/ply11_gearbox.v",
		"rtl/ply11_brenner.v", "rtl/ply11_men.v", "rtl/ply11_jose.v", "rtl/ply11_stack.v", "rtl/ply11_encode.v",
		"rtl/ply11_referee.v", "rtl/ply11_legal.v", "rtl/ply11_cbf.v", "rtl/ply11_chessbase.v",
	}
	return Verilog{Module: "ply11_player", Params: params, Files: files}
}

// Ports returns the ports.
func (p *Player) Ports() []Port {
	o := &p.Out
	ports := append([]Port{
		input("rst", 1, &p.In.Rst),
		input("mode", 2, &p.In.Mode),
		input("numbering", 1, &p.In.Numbering),
		input("s_valid", 1, &p.In.SValid),
		output("s_ready", 1, &o.SReady),
		input("s_data", p.params.Width, &p.In.SData),
		input("load_valid", 1, &p.In.LoadValid),
		output("load_ready", 1, &o.LoadReady),
		input("load_addr", 4, &p.In.LoadAddr),
		input("load_data", 32, &p.In.LoadData),
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
		output("m_reason", 4, &o.MReason),
		output("m_offset", 32, &o.MOffset),
		output("m_depth", 5, &o.MDepth),
		output("m_check", 1, &o.MCheck),
		output("m_mate", 1, &o.MMate),
		output("m_stalemate", 1, &o.MStalemate))...)
	ports = append(ports, given(&p.exact, output("m_index", 11, &o.MIndex))...)
	position := positionPorts(&o.State, output, "")
	ports = append(append(ports, position...),
		output("text_valid", 1, &o.TextValid),
		output("in_game", 1, &o.InGame))
	return append(ports, given(&o.TextValid,
		output("text_data", 8, &o.TextData),
		output("text_last", 1, &o.TextLast),
		output("text_kind", 3, &o.TextKind))...)
}

// Reset waits for the first game.
func (p *Player) Reset() {
	p.unpack.Reset()
	p.words.Reset()
	p.brenner.Reset()
	p.jose.Reset()
	if p.stack != nil {
		p.stack.Reset()
	}
	p.board.Reset()
	p.clear()
	p.loading, p.row = false, false
	p.Eval()
}

// in reports whether a codec is at work.
func (p *Player) in(mode uint8) bool { return p.at == mode }

// An op is what a codec offers the board.
type op struct {
	kind, code uint8
	index      uint16
	offset     uint32
}

// op returns what the codec at work offers, if it does.
func (p *Player) op() (offered op, valid bool) {
	var o *CodecOut
	switch p.at {
	case oracle.ModeWords:
		o = &p.words.Out.CodecOut
	case oracle.ModeBrenner:
		o = &p.brenner.Out.CodecOut
	case oracle.ModeJose:
		o = &p.jose.Out.CodecOut
	default:
		return op{}, false
	}
	return op{o.MKind, o.MCode, o.MIndex, o.MOffset}, o.MValid
}

// Eval sets all outputs.
func (p *Player) Eval() {
	p.feed()
	o, b := &p.Out, &p.board.Out
	o.SReady, o.LoadReady, o.InGame, o.TextValid, o.TextKind = false, false, false, false, 0
	switch {
	case p.in(oracle.ModeWords):
		p.unpack.Eval()
		o.SReady, o.InGame = p.unpack.Out.SReady, p.words.Out.InGame
	case p.in(oracle.ModeBrenner):
		n := p.brenner
		n.Eval()
		o.SReady, o.InGame = n.Out.SReady && !p.hold(n.Out.InGame), n.Out.InGame
		if o.TextValid = n.Out.TextValid; o.TextValid {
			o.TextData, o.TextLast = n.Out.TextData, n.Out.TextLast
		}
	case p.in(oracle.ModeJose):
		j := p.jose
		j.Eval()
		o.SReady, o.InGame = j.Out.SReady && !p.hold(j.Out.InGame), j.Out.InGame
		if o.TextValid = j.Out.TextValid; o.TextValid {
			o.TextData, o.TextLast, o.TextKind = j.Out.TextData, j.Out.TextLast, j.Out.TextKind
		}
	}
	o.LoadReady = p.loadReady()

	o.State = b.State
	p.exact = false
	o.MValid = b.MValid
	if !o.MValid {
		return
	}
	kind, tag := b.MOp, &p.ring[p.get]
	code := tag.code
	refused := kind == oracle.BeatPly && b.MError != 0
	o.MKind, o.MError, o.MResult, o.MDepth = kind, 0, 0, 0
	switch {
	case refused:
		o.MKind, o.MError = oracle.BeatError, b.MError
	case kind == oracle.BeatError:
		o.MError = code
	case kind == oracle.BeatEnd:
		o.MResult = code & 3
	}
	if p.stack != nil && kind != oracle.BeatEnd {
		o.MDepth = p.stack.Out.Depth
	}
	// With a result or a start position that is refused, m_index is what happens to be at the input.
	p.exact = kind != oracle.BeatEnd && !(kind == oracle.BeatError && oracle.Fault(code).OfStart())
	o.MIndex = tag.index
	o.MFrom, o.MTo, o.MPromotion = b.MFrom, b.MTo, b.MPromotion
	o.MMan, o.MCaptured = b.MMan, b.MCaptured
	o.MOffset = tag.offset
}

// feed gives the codec at work its inputs: field by field, since the copy of a whole struct waits for the
// bytes that were just stored into it.
func (p *Player) feed() {
	if p.at = p.In.Mode; p.params.Modes>>p.at&1 == 0 {
		p.at = noMode
	}
	b := p.board
	b.In.MReady = p.In.MReady
	b.Eval()
	loadReady := b.Out.LoadReady
	switch {
	case p.in(oracle.ModeWords):
		w, u := p.words, p.unpack
		w.In.SValid, w.In.SData = u.Out.MValid, u.Out.MData
		w.In.MReady, w.In.LoadReady = !p.spared, loadReady && !p.stacking() && !p.spared
		u.In.Rst, u.In.SValid, u.In.SData, u.In.MReady = p.In.Rst, p.In.SValid, p.In.SData, w.Out.SReady
	case p.in(oracle.ModeBrenner):
		n := &p.brenner.In
		n.Rst, n.SData, n.MReady = p.In.Rst, uint8(p.In.SData), !p.spared
		n.SValid = p.In.SValid && !p.hold(p.brenner.Out.InGame)
		n.LoadClear, n.LoadValid, n.LoadState = false, false, false
	case p.in(oracle.ModeJose):
		j := &p.jose.In
		j.Rst, j.SData, j.MReady = p.In.Rst, uint8(p.In.SData), !p.spared
		j.SValid = p.In.SValid && !p.hold(p.jose.Out.InGame)
		j.Done, j.LoadClear, j.LoadValid, j.LoadState = false, false, false, false
	}
}

// stacking says that the stack loads the board.
func (p *Player) stacking() bool { return p.stack != nil && p.stack.Out.LoadValid }

// hold says that nothing is taken, for a start position that is loaded.
func (p *Player) hold(inGame bool) bool { return !inGame && (p.loading || p.In.LoadValid) }

// loadReady says that a beat of a start position would be taken.
func (p *Player) loadReady() bool {
	switch {
	case p.in(oracle.ModeBrenner) && p.brenner.Out.Quiet, p.in(oracle.ModeJose) && p.jose.Out.Quiet:
		return p.idle() && p.board.Out.LoadReady && !p.row
	}
	return false
}

// Step is a clock. All outputs are up to date after it for the inputs as they are; it allocates nothing.
func (p *Player) Step() {
	p.feed()
	b := p.board
	in := &b.In
	in.Rst, in.LoadValid = p.In.Rst, false
	op, valid := p.op()
	accept := p.In.LoadValid && p.loadReady()
	switch {
	case p.stacking():
		s := &p.stack.Out
		in.LoadValid, in.LoadAddr, in.LoadData = !p.bad, s.LoadAddr, s.LoadData
	case p.in(oracle.ModeWords):
		w := &p.words.Out
		in.LoadValid, in.LoadAddr, in.LoadData = w.LoadValid && !p.spared, w.LoadAddr, w.LoadData
	case accept:
		in.LoadValid, in.LoadAddr, in.LoadData = true, p.In.LoadAddr&15, p.In.LoadData
	}
	o := &b.Out
	moves := o.SReady
	leaves := p.present && moves
	kind := o.MOp
	applied := leaves && kind == oracle.BeatPly && o.MError == 0
	bad := p.bad
	if p.present {
		switch {
		case kind == oracle.BeatError || kind == oracle.BeatPly && o.MError != 0:
			bad = true
		case kind == oracle.BeatEnd:
			bad = false
		}
	}
	hush := o.NextOp == oracle.BeatNew || bad && o.NextOp != oracle.BeatEnd
	in.Hush = hush
	idle := p.idle()
	if valid && !p.spared {
		p.ring[p.put] = op
		p.put = (p.put + 1) & p.places
	}
	// The spare operation goes first.
	spare := op
	if p.spared {
		spare = p.spare
	}
	in.SValid, in.SOp, in.SIndex = valid || p.spared, spare.kind, spare.index
	p.spare, p.spared = spare, in.SValid && !b.Out.SReady
	if leaves {
		p.get = (p.get + 1) & p.places
	}
	if moves {
		p.bad, p.present = bad, o.NextValid
	}
	row := p.row // a square is numbered
	done := p.stack != nil && p.stack.Out.Done
	if p.stack != nil {
		p.stepStack(idle, leaves, applied, kind)
	}
	switch {
	case p.In.Rst:
		p.clear()
		p.words.In.Rst, p.unpack.In.Rst, p.brenner.In.Rst, p.jose.In.Rst = true, true, true, true
		p.words.Step()
		p.unpack.Step()
		p.brenner.Step()
		p.jose.Step()
	case p.in(oracle.ModeWords):
		// words first: it takes what unpack offers.
		p.words.In.Rst, p.words.In.Done = false, done
		p.words.Step()
		p.unpack.Step()
	case p.in(oracle.ModeBrenner):
		row = row && p.brenner.Out.LoadReady
		p.start(&p.brenner.In.StartIn, row, accept)
		p.brenner.Step()
	case p.in(oracle.ModeJose):
		p.jose.In.Done = done
		p.start(&p.jose.In.StartIn, row, accept)
		p.jose.Step()
	}
	if !p.In.Rst && !p.in(oracle.ModeBrenner) && p.brenner.men.Out.Busy {
		// Its memories are cleared whatever the mode.
		p.brenner.In = BrennerIn{}
		p.brenner.Step()
	}
	if row || accept || p.In.Rst {
		p.stepLoad(row, accept)
	}
	b.Step()
	p.Eval()
}

// idle says that no operation is on its way.
func (p *Player) idle() bool { return p.put == p.get && !p.present }

// clear drops all operations.
func (p *Player) clear() {
	p.spared, p.put, p.get, p.present, p.bad = false, 0, 0, false, false
}

// stepStack is a clock of the stack.
func (p *Player) stepStack(idle, leaves, applied bool, kind uint8) {
	s, b := p.stack, &p.board.Out
	in := &s.In
	in.Rst, in.Idle, in.Step = p.In.Rst, idle, b.SReady
	in.Open, in.Close = false, false
	switch {
	case p.in(oracle.ModeWords):
		in.Open, in.Close = p.words.Out.Open, p.words.Out.Close
	case p.in(oracle.ModeJose):
		in.Open, in.Close = p.jose.Out.Open, p.jose.Out.Close
	}
	in.PlyValid, in.EndValid = applied, leaves && kind == oracle.BeatEnd
	in.From, in.To, in.Man, in.Captured = b.MFrom, b.MTo, b.MMan, b.MCaptured
	in.State = b.State
	s.Step()
}

// start tells a codec what comes of a start position: a square, or a beat that is accepted.
func (p *Player) start(in *StartIn, row, accept bool) {
	if row || accept {
		in.LoadClear, in.LoadValid = accept && p.In.LoadAddr == 7, row
		in.LoadSquare, in.LoadMan = p.rank<<3|p.file, uint8(p.men&15)
		in.LoadState, in.LoadSide, in.LoadEP, in.LoadBad = p.state(accept)
	}
}

// state is what a codec is told of a start position beside its men.
func (p *Player) state(accept bool) (valid bool, side, ep uint8, bad bool) {
	data := p.In.LoadData
	return accept && p.In.LoadAddr == 8, uint8(data & 1), uint8(data >> 5 & 15),
		p.fault || p.white != 1 || p.black != 1 || data>>5&15 > 8
}

// stepLoad is a clock of what numbers a start position.
func (p *Player) stepLoad(row, accept bool) {
	if row {
		switch man := p.men & 15; {
		case man&7 == 7 || man == 8:
			p.fault = true
		case man == 1:
			p.white = p.white<<1&2 | p.white&2 | 1
		case man == 9:
			p.black = p.black<<1&2 | p.black&2 | 1
		}
		p.men >>= 4
		p.row = p.file != 7
		p.file = (p.file + 1) & 7
	}
	if accept {
		p.loading = p.In.LoadAddr&8 == 0
		p.row = p.loading
		p.rank, p.file, p.men = p.In.LoadAddr&7, 0, p.In.LoadData
		if p.In.LoadAddr == 7 {
			p.fault, p.white, p.black = false, 0, 0
		}
	}
	if p.In.Rst {
		p.loading, p.row = false, false
	}
}
