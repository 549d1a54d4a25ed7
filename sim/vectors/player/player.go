// SPDX-License-Identifier: Apache-2.0

// Package player makes the vectors of ply11_player's bench, and the lists of ply11_codec's: games of random legal moves
// by package position, as eleven-bit words or as Brenner's, jose's or ChessBase's bytes, with errors; what must come,
// package oracle says.
//
// Of the player there are NAME.bytes.hex, a byte a line, and NAME.beats.hex, a beat a line:
// {kind 4, error 4, result 4 (with LEGAL 1 the reason's high bits stand above kind, its low bits above result), index
// 12, from 8, to 8, promotion 4, piece 4, captured 4, offset 32, ply 16, ep 4, rights 4, depth 3, side 1, board 256} in
// hexadecimal digits; for jose and ChessBase also NAME.loads.hex, a start position a line: {number of the byte before
// which it is loaded 32, ranks 8 to 1, state 32}.
package player

import (
	"bytes"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strings"

	"ply11/bitstream"
	"ply11/bitstream/brenner"
	"ply11/bitstream/chessbase"
	"ply11/bitstream/jose"
	"ply11/chess"
	"ply11/internal/movesets"
	"ply11/moveindex"
	"ply11/position"
	"ply11/sim/oracle"
	cbf "ply11/sim/vectors/chessbase"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// A config is one set of files: games of some plies at most, in one of the player's modes.
type config struct {
	name         string
	mode         uint8
	games, plies int
	seed         uint64
	layout       brenner.Layout
	dialect      jose.Dialect
	depth        int  // variations inside each other that are played
	referee      bool // moves that are not legal, for LEGAL 1
	mate         bool // check, mate and stalemate, for MATE 1
}

var configs = []config{
	{name: "ply11_player/words", games: 9, plies: 45, seed: 1},
	{name: "ply11_player/main", mode: oracle.ModeBrenner, games: 9, plies: 70, seed: 2},
	{name: "ply11_player/alt", mode: oracle.ModeBrenner, games: 4, plies: 60, seed: 3, layout: brenner.Alt},
	{name: "ply11_player/alt-swapped", mode: oracle.ModeBrenner, games: 4, plies: 60, seed: 3,
		layout: brenner.AltSwapped},
	{name: "ply11_player/alt-fixed", mode: oracle.ModeBrenner, games: 4, plies: 60, seed: 3, layout: brenner.AltFixed},
	{name: "ply11_player/words-lines", games: 7, plies: 40, seed: 4, depth: 3},
	{name: "ply11_player/jose", mode: oracle.ModeJose, games: 7, plies: 60, seed: 5},
	{name: "ply11_player/jose-lines", mode: oracle.ModeJose, games: 9, plies: 40, seed: 6, dialect: jose.Program,
		depth: 3},
	{name: "ply11_player/chessbase", mode: oracle.ModeChessBase, games: 4, plies: 8, seed: 24},
	{name: "ply11_player/chessbase-lines", mode: oracle.ModeChessBase, games: 6, plies: 5, seed: 29, depth: 3},
	{name: "ply11_player/referee", games: 9, plies: 28, seed: 8, referee: true},
	{name: "ply11_player/mate", games: 3, plies: 10, seed: 12, referee: true, mate: true},
	{name: "ply11_top/jose", mode: oracle.ModeJose, games: 1, plies: 40, seed: 7},
}

// Files returns the vectors and the lists.
func Files() map[string][]byte {
	files := make(map[string][]byte)
	for _, c := range configs {
		c.run(files)
	}
	codecFiles(files)
	return files
}

func (c config) run(files map[string][]byte) {
	s := newStream(c, 11)
	if c.mate {
		// The shortest mate and the shortest stalemate from the usual position.
		s.moves("f2f3 e7e5 g2g4 d8h4")
		s.moves("e2e3 a7a5 d1h5 a8a6 h5a5 h7h5 h2h4 a6h6 a5c7 f7f6 c7d7 e8f7 d7b7 d8d3 b7b8 d3h7 b8c8 f7g6 c8e6")
	}
	for i := range c.games {
		s.game(i)
	}
	if c.mode == oracle.ModeWords {
		for len(s.words)%8 != 0 {
			s.words = append(s.words, moveindex.Idle)
		}
		s.data = make([]byte, bitstream.PackedLen(len(s.words)))
		bitstream.Pack(s.data, 0, s.words)
		s.expected.Words(s.words)
	}
	var hex, loads bytes.Buffer
	for _, b := range s.data {
		fmt.Fprintf(&hex, "%02x\n", b)
	}
	name := "hdl/tb/" + c.name
	files[name+".bytes.hex"], files[name+".beats.hex"] = hex.Bytes(), s.beats()
	for _, l := range s.expected.Loads() {
		fmt.Fprintf(&loads, "%08x%s%08x\n", l.Bytes, l.State.Digits(), l.State.LoadData(8))
	}
	if loads.Len() > 0 {
		files[name+".loads.hex"] = loads.Bytes()
	}
}

// A stream is games, one after the other, in the form of a config.
type stream struct {
	config
	rng       *rand.Rand
	words     []moveindex.Index // of the word stream
	data      []byte            // or the bytes of another mode
	numbering chessbase.Numbering
	expected  *oracle.Oracle
	// by offset: a step to a piece of one's own, of which jose's codec gives no move
	own   map[int64]moveindex.Index
	alone bool // of jose: games are kept, and have no error that only the board finds
	list  []joseGame
}

func newStream(c config, seed uint64) *stream {
	return &stream{config: c, rng: rand.New(rand.NewPCG(c.seed, seed)), own: map[int64]moveindex.Index{},
		expected: oracle.New(oracle.Params{Depth: c.depth, Legal: c.referee, Mate: c.mate})}
}

// beats returns the expected beats as the bench reads them.
func (s *stream) beats() []byte {
	var text bytes.Buffer
	for _, b := range s.expected.Beats() {
		code, index, m := 0, b.Index, chess.Move(0)
		if b.Kind == oracle.BeatError {
			code = bits.TrailingZeros16(b.Codes)
			if own, ok := s.own[b.Offset]; ok && code == int(oracle.FaultOwn) {
				b.Board, index = true, own
			}
		}
		if b.Kind == oracle.BeatPly || b.Board {
			m, _ = index.Move()
		} else if s.mode == oracle.ModeWords {
			index = s.words[(8*b.Offset+10)/11]
		}
		var check, none int
		if f := b.Flags; f != nil {
			check, none = bit(f.Check)<<11, bit(f.Mate)<<6|bit(f.Stalemate)<<7
		}
		fmt.Fprintf(&text, "%x%x%x%03x%02x%02x%x%x%x%08x%04x%x%x%x%s\n", b.Kind|uint8(b.Reason)&12, code,
			b.Result|uint8(b.Reason)&3<<2, int(index)|check, int(m.From())|none, uint8(m.To()), uint16(m)>>12&7,
			uint8(b.Piece), uint8(b.Taken), b.Offset, b.State.Ply, b.State.EP, b.State.Rights, b.Depth<<1|b.State.Side,
			b.State.Digits())
	}
	return text.Bytes()
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// moves writes a game of words from the usual position.
func (s *stream) moves(line string) {
	p := position.Start()
	for text := range strings.FieldsSeq(line) {
		m := must(p.ParseUCI(text))
		index, _ := moveindex.Of(m)
		s.words = append(s.words, index)
		p.Make(m)
	}
	s.words = append(s.words, moveindex.ResultDraw)
}

// choose returns a legal move, and prefers what is rare: promotions, castling, en passant.
func (s *stream) choose(p *position.Position) (best chess.Move, ok bool) {
	list := p.LegalMoves(nil)
	for i := range min(4*len(list), 4) {
		m := list[s.rng.IntN(len(list))]
		k, d := p.PieceAt(m.From()).Kind(), int(m.To())-int(m.From())
		if i == 0 || m.Promotion() != 0 || k == chess.Pawn && s.rng.IntN(2) == 0 ||
			k == chess.King && (d == 2 || d == -2) {
			best = m
		}
	}
	return best, len(list) > 0
}

// A step is a word of a game with variations.
type step struct {
	word   moveindex.Index
	second moveindex.Index // of a NAG
	depth  int
	move   chess.Move
	at     position.Position // before it
}

// line appends a line of at most n moves, with variations, and returns the position at its end.
func (s *stream) line(steps []step, p position.Position, n, depth int) ([]step, position.Position) {
	for range n {
		m, ok := s.choose(&p)
		if !ok {
			break
		}
		before := p
		index, _ := moveindex.Of(m)
		if !p.InCheck() && s.mode&oracle.ModeBrenner == 0 && s.rng.IntN(40) == 0 { // words and jose have null moves
			m, index = 0, moveindex.Null
		}
		p.Make(m)
		steps = append(steps, step{word: index, depth: depth, move: m, at: before})
		if s.mode&oracle.ModeBrenner == 0 && s.rng.IntN(12) == 0 {
			nag := moveindex.Index(s.rng.IntN(256))
			steps = append(steps, step{word: moveindex.NAG, second: nag, depth: depth, at: p})
		}
		for s.mode != oracle.ModeBrenner && depth < 3 && s.rng.IntN(9) == 0 {
			steps = append(steps, step{word: moveindex.VariationStart, depth: depth, at: p})
			var end position.Position
			steps, end = s.line(steps, before, 1+s.rng.IntN(8), depth+1)
			if steps[len(steps)-1].word == moveindex.VariationStart {
				steps = steps[:len(steps)-1]
				break
			}
			steps = append(steps, step{word: moveindex.VariationEnd, depth: depth + 1, at: end})
		}
	}
	return steps, p
}

// start returns a start position, and whether it is another than the usual one.
func (s *stream) start(number int) (p position.Position, other bool) {
	p = position.Start()
	switch {
	case s.alone && number%8 != 0:
		return movesets.Position(s.rng, number), true
	case s.mode == oracle.ModeChessBase && number%3 == 1: // a phantom, castling that leaves the en passant file
		return must(position.ParseFEN(cbf.Rare[number/3*4%len(cbf.Rare)])), true
	case s.alone, s.mode == oracle.ModeBrenner, number%3 != 1 && (s.mode != oracle.ModeChessBase || number%3 == 0):
		return p, false
	}
	for range 10 + s.rng.IntN(30) {
		// No promotions: every piece of the start position has a number.
		if m, ok := s.choose(&p); ok && m.Promotion() == 0 {
			p.Make(m)
		}
	}
	return p, true
}

// encode returns the bytes of a game, none of words.
func (s *stream) encode(start *position.Position, words []moveindex.Index) (data []byte, err error) {
	switch s.mode {
	case oracle.ModeBrenner:
		data, _, err = s.layout.EncodeIndices(nil, words)
	case oracle.ModeJose:
		data, _, err = new(jose.Encoder).EncodeIndices(s.dialect, start, nil, words)
	case oracle.ModeChessBase:
		data, err = chessbase.AppendMoves(nil, words[:len(words)-1], start, s.numbering)
		data = append(data, 0, byte(s.rng.IntN(256)))
	}
	return data, err
}

// game writes a game from the usual position or another, with an error or without.
func (s *stream) game(number int) {
	// The numberings take turns.
	s.numbering = [2]chessbase.Numbering{chessbase.NumberingCBASCII, chessbase.NumberingDocument}[number%2]
	start, other := s.start(number)
	rare := s.mode == oracle.ModeChessBase && number == 1
	var steps []step
	var words []moveindex.Index
	var encoded []byte
	for whole := false; !whole; {
		steps, _ = s.line(nil, start, s.plies, 0)
		if words = words[:0]; len(steps) < 4 && s.alone {
			return
		}
		for _, t := range steps {
			if words = append(words, t.word); t.word == moveindex.NAG {
				words = append(words, t.second)
			}
		}
		result := moveindex.Index(s.rng.IntN(4 - bit(s.mode == oracle.ModeBrenner)))
		words = append(words, moveindex.ResultBlackWins+result)
		var err error
		if encoded, err = s.encode(&start, words); err != nil && s.alone {
			return // more pieces than numbers
		}
		d := int(steps[0].move.To()) - int(steps[0].move.From())
		whole = err == nil && (!rare || d == 2 || d == -2)
	}
	fault := -1
	if number%3 == 2 || number%3 == 1 && (s.referee || rare) {
		if fault = len(steps)/2 + s.rng.IntN(len(steps)/2); s.mode == oracle.ModeChessBase {
			fault = len(steps) - 1 // the bench counts clocks by beats
		}
		for fault > 1 && (steps[fault-1].word == moveindex.VariationStart || s.depth == 0 && steps[fault].depth > 0) {
			fault--
		}
		if rare {
			fault = 1 // after castling
		}
	}
	begin := len(s.data)
	switch {
	case s.mode == oracle.ModeBrenner:
		s.data = append(append(append(s.data, 0, 'W'), "Somebody"...), 0)
	case other && s.mode == oracle.ModeWords:
		s.words = must(bitstream.AppendStart(s.words, &start))
	case other:
		s.expected.Load(&start)
	}
	for i, t := range steps {
		if i == fault {
			s.fault(t, &start, steps[0].move)
		}
		if s.mode == oracle.ModeWords {
			if s.words = append(s.words, t.word); t.word == moveindex.NAG {
				s.words = append(s.words, t.second)
			}
		} else {
			size := 1
			if s.mode == oracle.ModeJose && encoded[0] >= 0xa0 && encoded[0] <= 0xb0 ||
				s.mode == oracle.ModeBrenner && s.layout.Meaning(encoded[0]).Class == brenner.PrefixByte {
				size = 2
			}
			s.data = append(s.data, encoded[:size]...)
			encoded = encoded[size:]
		}
		s.text(t.move != 0)
		if i == 0 && s.mode == oracle.ModeChessBase && number%2 == 0 {
			s.data = append(s.data, 0xff, 0x80, 0xff, 0x80) // two variations without a move
		}
	}
	s.data = append(s.data, encoded...)
	switch s.mode {
	case oracle.ModeWords:
		if s.words = append(s.words, words[len(words)-1]); number == 0 && s.depth == 0 {
			// Chess960, whose start position has words like results.
			s.words = append(s.words, moveindex.Start960)
			for i := range bitstream.Start960Words {
				s.words = append(s.words, moveindex.ResultBlackWins+moveindex.Index(i%4))
			}
			s.words = append(s.words, 396, 1460, moveindex.ResultWhiteWins)
		}
	case oracle.ModeBrenner:
		s.expected.Brenner(s.layout, s.data[begin:])
	case oracle.ModeJose:
		s.expected.Jose(s.dialect, s.data[begin:])
		g := joseGame{data: s.data[begin:]}
		if other {
			state := oracle.NewState(&start)
			g.load = &state
		}
		s.list = append(s.list, g)
	default:
		if number%4 == 2 {
			s.data[len(s.data)-1] = chessbase.ResultCBASCII
		}
		s.expected.ChessBase(s.numbering, s.data[begin:])
	}
}

// text writes what stands behind a move or another step: now and then a text, a glyph, idle words, a comment's bit.
func (s *stream) text(moved bool) {
	text := make([]byte, s.rng.IntN(12))
	for i := range text {
		text[i] = byte(1 + s.rng.IntN(127) + s.rng.IntN(1+bit(s.mode != oracle.ModeWords))<<7)
	}
	n := s.rng.IntN(14)
	switch last := len(s.data) - 1; s.mode {
	case oracle.ModeWords:
		if n == 0 {
			s.words = must(bitstream.AppendText(s.words, string(text)))
		} else if n == 1 {
			s.words = append(s.words, moveindex.Idle, moveindex.Idle)
		}
	case oracle.ModeBrenner:
		s.data = append(s.data, []string{"\x06", "\x07\x06", "\x00" + string(text) + "\x00", 13: ""}[n]...)
	case oracle.ModeJose:
		if n > 0 {
			break
		}
		if s.data = append(s.data, 0xe0+byte(s.rng.IntN(5))); s.dialect == jose.Document {
			s.data = append(append(s.data, text...), 0)
		}
	default:
		if moved && s.data[last] < 127 {
			s.data[last] |= byte(n&1) << 7
		}
	}
}

// fault writes an error before a step. first is the game's first move.
func (s *stream) fault(t step, start *position.Position, first chess.Move) {
	n := s.rng.IntN(5)
	switch s.mode {
	case oracle.ModeWords:
		if own, _, ok := s.crowd(&t.at, s.dialect); n > 2 && ok && !s.referee {
			s.words = append(s.words, own)
		} else if n < 3 && !s.referee {
			s.words = append(s.words, [][]moveindex.Index{{moveindex.FirstReserved}, {moveindex.NAG, 256},
				{moveindex.VariationStart, moveindex.VariationStart}}[n]...)
		} else {
			s.words = append(s.words, s.refused(&t.at))
		}
	case oracle.ModeBrenner: // three glyphs after a move, or one before the first
		s.data = append(s.data, 7, 7, 7, 0, 1, 2, 3, 0)
	case oracle.ModeJose:
		if own, dir, ok := s.crowd(&t.at, s.dialect); ok && !s.alone && n > 1 {
			s.own[int64(len(s.data))] = own
			s.data = append(s.data, 0x90|dir)
			break
		}
		// Reserved; no second byte; a variation without a move; a move of a piece that nobody became.
		s.data = append(s.data, []string{"\x9c", "\xa2\x00", "\xf0\xf0", "\xa8\x20\xa9\x20"}[s.rng.IntN(4)]...)
	default:
		// Behind the first move, one that the generator has and the board has not.
		g := chessbase.NewGenerator(*start, s.numbering)
		g.Make(first)
		for n := 1; n <= g.Count() && t.depth == 0 && t.at.Ply() == start.Ply()+1; n++ {
			m, ok := g.Generated(n)
			index, _ := moveindex.Of(m)
			state := oracle.NewState(g.Position())
			if _, _, fault := state.Play(index); ok && fault != oracle.NoFault {
				s.data = append(s.data, byte(n))
				return
			}
		}
		s.data = append(s.data, []string{"\x80\x80\x80\x80", "\xff\xff", "\xfe"}[s.rng.IntN(3)]...)
	}
}

// refused returns a move that the board refuses, from an empty square or with an opponent's piece; with LEGAL 1, one
// that it applies and that is not legal.
func (s *stream) refused(p *position.Position) moveindex.Index {
	for {
		index := moveindex.Index(s.rng.IntN(moveindex.NumMoves))
		m, _ := index.Move()
		state := oracle.NewState(p)
		_, _, fault := state.Play(index)
		if s.referee && fault == oracle.NoFault && !p.IsLegal(m) ||
			!s.referee && (fault == oracle.FaultEmpty || fault == oracle.FaultOpponent) {
			return index
		}
	}
}

// The king's steps by file and rank, in the order of jose's dialects.
var kingSteps = map[jose.Dialect][8][2]int{
	jose.Document: {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}, {0, 1}, {0, -1}, {-1, 0}, {1, 0}},
	jose.Program:  {{1, 1}, {1, -1}, {-1, -1}, {-1, 1}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}},
}

// crowd finds a step of the king to a piece of his own.
func (s *stream) crowd(p *position.Position, d jose.Dialect) (index moveindex.Index, dir byte, ok bool) {
	from := p.KingSquare(p.Turn())
	for i, step := range kingSteps[d] {
		file, rank := from.File()+step[0], from.Rank()+step[1]
		if (file|rank)&^7 != 0 {
			continue
		}
		to := chess.NewSquare(file, rank)
		if piece := p.PieceAt(to); piece != 0 && piece.Color() == p.Turn() {
			index, _ = moveindex.Of(chess.NewMove(from, to))
			return index, byte(i), true
		}
	}
	return 0, 0, false
}
