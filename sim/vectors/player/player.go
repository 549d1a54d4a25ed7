// SPDX-License-Identifier: Apache-2.0

// Package player makes the vectors of ply11_player's bench: games of random legal moves by package position,
// as eleven-bit words, as Brenner's or as jose's bytes, and what the player must give for them.
//
// There are NAME.bytes.hex, a byte a line, and NAME.beats.hex, a beat a line:
// {kind 4, error 4, result 4 (with LEGAL 1 the reason's high bits stand above kind, its low bits above result), index
// 12, from 8, to 8, promotion 4, man 4, captured 4, offset 32, ply 16, ep 4, rights 4, depth 3, side 1, board 256} in
// hexadecimal digits; for jose and ChessBase also NAME.loads.hex, a start position a line: {number of the byte before
// which it is loaded 32, ranks 8 to 1, state 32}.
package player

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"

	"ply11/bitstream"
	"ply11/bitstream/brenner"
	"ply11/bitstream/chessbase"
	"ply11/bitstream/jose"
	"ply11/chess"
	"ply11/moveindex"
	"ply11/position"
	"ply11/sim/oracle"
	cbf "ply11/sim/vectors/chessbase"
)

type stream struct {
	words   []moveindex.Index // of the word stream
	data    []byte            // of Brenner's
	beats   bytes.Buffer
	pos     position.Position
	ply     int
	rng     *rand.Rand
	brenner bool // or jose, ChessBase: s.data is written
	jose    bool
	cbf     chessbase.Numbering // 0: it is not ChessBase
	referee bool
	mate    bool // beats tell check, mate and stalemate
	depth   int  // variations around what comes next
	loads   bytes.Buffer

	before   position.Position      // the position before the last ply
	replaced [][2]position.Position // by open variations: before and after the ply
	refused  chess.Move             // of the fault, where the board tells it
}

func (s *stream) offset() int {
	if s.brenner {
		return len(s.data)
	}
	return len(s.words) * 11 / 8
}

func (s *stream) beat(kind uint8, code oracle.Fault, result int, index moveindex.Index, m chess.Move, man,
	taken chess.Piece, offset int) {
	check, none := s.flags()
	fmt.Fprintf(&s.beats, "%x%x%x%03x%02x%02x%x%x%x%08x%04x%x%x%x", kind, uint8(code), result, uint16(index)|check,
		uint8(m.From())|none, uint8(m.To()), uint16(m)>>12&7, uint8(man), uint8(taken), offset, s.ply&0xffff,
		s.pos.EnPassantFile(), uint8(s.pos.Castling()), s.depth<<1|int(s.pos.Turn()))
	state := oracle.NewState(&s.pos)
	fmt.Fprintln(&s.beats, state.Digits())
}

// flags returns what tells check above the index, and mate and stalemate above the from-square.
func (s *stream) flags() (check uint16, none uint8) {
	if !s.mate {
		return 0, 0
	}
	if s.pos.InCheck() {
		check = 1 << 11
	}
	var buf [256]chess.Move
	if len(s.pos.LegalMoves(buf[:0])) == 0 {
		none = 0x80
		if check != 0 {
			none = 0x40
		}
	}
	return check, none
}

// choose prefers what is rare: promotions, castling, en passant.
func (s *stream) choose() (chess.Move, bool) {
	var buf [256]chess.Move
	list := s.pos.LegalMoves(buf[:0])
	if len(list) == 0 {
		return 0, false
	}
	best := list[s.rng.IntN(len(list))]
	for range 3 {
		m := list[s.rng.IntN(len(list))]
		k := s.pos.PieceAt(m.From()).Kind()
		if m.Promotion() != 0 || k == chess.Pawn && s.rng.IntN(2) == 0 ||
			k == chess.King && (m.To() == m.From()+2 || m.From() == m.To()+2) {
			best = m
		}
	}
	return best, true
}

// play applies m and writes its beat.
func (s *stream) play(m chess.Move, offset int) {
	index, ok := moveindex.Of(m)
	if !ok {
		panic(fmt.Errorf("no index: %v", m))
	}
	man, taken := s.pos.PieceAt(m.From()), s.pos.PieceAt(m.To())
	if man.Kind() == chess.Pawn && m.From().File() != m.To().File() && taken == 0 {
		taken = chess.NewPiece(man.Color().Other(), chess.Pawn)
	}
	s.pos.Make(m)
	s.ply++
	s.beat(oracle.BeatPly, oracle.NoFault, 0, index, m, man, taken, offset)
}

func (s *stream) null(offset int) {
	s.pos.Make(0)
	s.ply++
	s.beat(oracle.BeatPly, oracle.NoFault, 0, moveindex.Null, 0, 0, 0, offset)
}

// wordGame writes a game of at most n plies as words, with all that may stand between.
func (s *stream) wordGame(n, number int) {
	s.pos, s.ply = position.Start(), 0
	if number%3 == 1 { // from a set-up position
		p := position.Start()
		for range 10 + s.rng.IntN(60) {
			m, ok := func() (chess.Move, bool) {
				q := s.pos
				s.pos = p
				defer func() {
					s.pos = q
				}()
				return s.choose()
			}()
			if !ok {
				break
			}
			p.Make(m)
		}
		words, err := bitstream.AppendStart(s.words, &p)
		if err != nil {
			panic(err)
		}
		s.words, s.pos = words, p
	}
	fault := -1
	if number%3 == 2 || s.referee && number%3 == 1 {
		fault = s.rng.IntN(n)
	}
	for i := range n {
		m, ok := s.choose()
		if !ok {
			break
		}
		if i == fault {
			s.fault()
			// What follows in the game changes nothing: moves, of which many are sound, and what is no move.
			for p := s.pos; s.rng.IntN(8) != 0; {
				var buf [256]chess.Move
				list := p.LegalMoves(buf[:0])
				if len(list) == 0 {
					break
				}
				m := list[s.rng.IntN(len(list))]
				index, _ := moveindex.Of(m)
				s.words = append(s.words, index)
				if p.Make(m); s.rng.IntN(6) == 0 {
					s.words = append(s.words, moveindex.Null)
					p.Make(0)
				}
			}
			s.words, _ = bitstream.AppendText(s.words, "1-0, \xe2\x99\x94 and more")
			s.words = append(s.words, 12, 700, moveindex.VariationEnd, 2020)
			break
		}
		at := s.offset()
		if !s.pos.InCheck() && s.rng.IntN(40) == 0 {
			s.words = append(s.words, moveindex.Null)
			s.null(at)
		} else {
			index, _ := moveindex.Of(m)
			s.words = append(s.words, index)
			s.play(m, at)
		}
		switch s.rng.IntN(12) {
		case 0:
			s.words = append(s.words, moveindex.Idle, moveindex.Idle)
		case 1:
			text := make([]byte, s.rng.IntN(40))
			for i := range text {
				text[i] = byte(' ' + s.rng.IntN(90))
			}
			words, err := bitstream.AppendText(s.words, string(text))
			if err != nil {
				panic(err)
			}
			s.words = words
		case 2:
			s.words = bitstream.AppendNAG(s.words, uint8(s.rng.IntN(256)))
		case 3:
			// Variations are stepped over; one in another.
			s.words = append(s.words, moveindex.VariationStart, 100, moveindex.NAG1, 200,
				moveindex.VariationStart, moveindex.Null, moveindex.VariationEnd, 300, moveindex.VariationEnd)
		}
	}
	result := s.rng.IntN(4)
	at := s.offset()
	s.words = append(s.words, moveindex.ResultBlackWins+moveindex.Index(result))
	s.beat(oracle.BeatEnd, oracle.NoFault, result, moveindex.ResultBlackWins+moveindex.Index(result), 0, 0, 0, at)
}

// lineGame writes a game of given moves, in UCI notation.
func (s *stream) lineGame(line string, result int) {
	s.pos, s.ply = position.Start(), 0
	for text := range strings.FieldsSeq(line) {
		m, err := chess.ParseUCI(text)
		if err != nil || !s.pos.IsLegal(m) {
			panic(fmt.Errorf("%s is no legal move: %v", text, err))
		}
		at := s.offset()
		index, _ := moveindex.Of(m)
		s.words = append(s.words, index)
		s.play(m, at)
	}
	at := s.offset()
	s.words = append(s.words, moveindex.ResultBlackWins+moveindex.Index(result))
	s.beat(oracle.BeatEnd, oracle.NoFault, result, moveindex.ResultBlackWins+moveindex.Index(result), 0, 0, 0, at)
}

// game960 writes a game of Chess960, whose start position holds words that look like results, and its two beats.
func (s *stream) game960() {
	s.pos, s.ply = position.Start(), 0
	s.beat(oracle.BeatError, oracle.FaultChess960, 0, moveindex.Start960, 0, 0, 0, s.offset())
	s.words = append(s.words, moveindex.Start960)
	for i := range bitstream.Start960Words {
		s.words = append(s.words, moveindex.ResultBlackWins+moveindex.Index(i%4))
	}
	s.words = append(s.words, 396, 1460)
	s.beat(oracle.BeatEnd, oracle.NoFault, 2, moveindex.ResultWhiteWins, 0, 0, 0, s.offset())
	s.words = append(s.words, moveindex.ResultWhiteWins)
}

// fault writes one word that must be refused, and its beat.
func (s *stream) fault() {
	at := s.offset()
	if s.referee {
		s.illegal(at)
		return
	}
	switch s.rng.IntN(4) {
	case 0: // reserved
		s.words = append(s.words, moveindex.FirstReserved)
		s.beat(oracle.BeatError, oracle.FaultCode, 0, moveindex.FirstReserved, 0, 0, 0, at)
	case 1: // the end of a variation that did not begin
		s.words = append(s.words, moveindex.VariationEnd)
		s.beat(oracle.BeatError, oracle.FaultPlace, 0, moveindex.VariationEnd, 0, 0, 0, at)
	case 2: // a NAG above 255
		at = (len(s.words) + 1) * 11 / 8
		s.words = append(s.words, moveindex.NAG, 256)
		s.beat(oracle.BeatError, oracle.FaultOperand, 0, 256, 0, 0, 0, at)
	default: // from an empty square, or with an opponent's man
		for {
			index := moveindex.Index(s.rng.IntN(moveindex.NumMoves))
			m, _ := index.Move()
			man := s.pos.PieceAt(m.From())
			if man != 0 && man.Color() == s.pos.Turn() {
				continue
			}
			code := oracle.FaultEmpty
			if man != 0 {
				code = oracle.FaultOpponent
			}
			s.words = append(s.words, index)
			s.beat(oracle.BeatError, code, 0, index, m, 0, 0, at)
			return
		}
	}
}

// illegal writes a move that the board applies and that is not legal, and its beat: the reason stands above kind and
// result.
func (s *stream) illegal(at int) {
	for {
		index := moveindex.Index(s.rng.IntN(moveindex.NumMoves))
		m, _ := index.Move()
		state := oracle.NewState(&s.pos)
		if _, _, fault := state.Play(index); fault != oracle.NoFault || s.pos.IsLegal(m) {
			continue
		}
		reason := int(oracle.Illegal(&s.pos, m))
		s.words = append(s.words, index)
		s.beat(oracle.BeatError|uint8(reason&12), oracle.FaultStopped, reason&3<<2, index, m, 0, 0, at)
		return
	}
}

// brennerGame writes a game as Brenner's bytes, with glyphs and texts; false if it cannot be.
func (s *stream) brennerGame(l brenner.Layout, n, number int) {
	var moves []moveindex.Index
	var sizes []int
	for {
		s.pos, moves, sizes = position.Start(), moves[:0], sizes[:0]
		for range n {
			m, ok := s.choose()
			if !ok {
				break
			}
			index, _ := moveindex.Of(m)
			moves = append(moves, index)
			s.pos.Make(m)
		}
		whole := true
		for i := range moves {
			b, _, err := l.EncodeIndices(nil, moves[:i+1])
			if err != nil {
				whole = false
				break
			}
			sizes = append(sizes, len(b))
		}
		if whole {
			break
		}
	}
	encoded, _, err := l.EncodeIndices(nil, moves)
	if err != nil {
		panic(err)
	}
	s.pos, s.ply = position.Start(), 0
	s.data = append(append(append(s.data, 0, 'W'), "Somebody"...), 0)
	fault := -1
	if number%3 == 2 {
		fault = s.rng.IntN(len(moves))
	}
	from := 0
	for i, index := range moves {
		if i == fault {
			// Three glyphs after a move, or one before the first.
			at := len(s.data)
			s.data = append(s.data, 7, 7, 7)
			if i > 0 {
				at += 2
			}
			s.beat(oracle.BeatError, oracle.FaultPlace, 0, 0, 0, 0, 0, at)
			s.data = append(s.data, 0, 1, 2, 3, 0)
		}
		s.data = append(s.data, encoded[from:sizes[i]]...)
		from = sizes[i]
		if fault >= 0 && i >= fault {
			continue
		}
		m, _ := index.Move()
		s.play(m, len(s.data)-1)
		// Not where the fault comes next: its glyphs are counted from the move.
		if i+1 == fault {
			continue
		}
		switch s.rng.IntN(10) {
		case 0:
			s.data = append(s.data, 6)
		case 1:
			s.data = append(s.data, 7, 6)
		case 2:
			s.data = append(append(append(s.data, 0), "1-0 \x01\x02\x03"...), 0)
		}
	}
	result := s.rng.IntN(3)
	s.data = append(s.data, []byte{1, 3, 2}[result])
	s.beat(oracle.BeatEnd, oracle.NoFault, result, 0, 0, 0, 0, len(s.data)-1)
}

// The king's steps by file and rank, in some order and in that of jose's dialects.
var (
	kingDirs     = [8][2]int{{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}
	joseKingDirs = map[jose.Dialect][8][2]int{
		jose.Document: {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}, {0, 1}, {0, -1}, {-1, 0}, {1, 0}},
		jose.Program:  {{1, 1}, {1, -1}, {-1, -1}, {-1, 1}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}},
	}
)

// crowd finds a step of the king whose move it is to a man of his own.
func (s *stream) crowd(dirs [8][2]int) (dir byte, m chess.Move, ok bool) {
	for sq := range chess.Square(64) {
		if s.pos.PieceAt(sq) != chess.NewPiece(s.pos.Turn(), chess.King) {
			continue
		}
		for i, d := range dirs {
			file, rank := sq.File()+d[0], sq.Rank()+d[1]
			if file|rank < 0 || file > 7 || rank > 7 {
				continue
			}
			to := chess.Square(8*rank + file)
			if man := s.pos.PieceAt(to); man != 0 && man.Color() == s.pos.Turn() {
				return byte(i), chess.NewMove(sq, to), true
			}
		}
	}
	return 0, 0, false
}

// A step is a word of a game with variations; a move with what it does.
type step struct {
	word   moveindex.Index
	second moveindex.Index // of a NAG
	depth  int
	move   chess.Move
}

// lineSteps appends a line of n moves at most, with variations.
func (s *stream) lineSteps(steps []step, p position.Position, n, depth int) []step {
	for range n {
		s.pos = p
		m, ok := s.choose()
		if !ok {
			return steps
		}
		before := p
		index, _ := moveindex.Of(m)
		if !p.InCheck() && s.rng.IntN(40) == 0 && s.cbf == 0 {
			m, index = 0, moveindex.Null
		}
		p.Make(m)
		steps = append(steps, step{word: index, depth: depth, move: m})
		if x := s.rng.IntN(12); x == 0 && s.cbf == 0 {
			nag := moveindex.Index(s.rng.IntN(256))
			steps = append(steps, step{word: moveindex.NAG, second: nag, depth: depth})
		}
		for depth < 3 && s.rng.IntN(9) == 0 {
			steps = append(steps, step{word: moveindex.VariationStart, depth: depth})
			steps = s.lineSteps(steps, before, 1+s.rng.IntN(8), depth+1)
			if last := &steps[len(steps)-1]; last.word == moveindex.VariationStart {
				steps = steps[:len(steps)-1]
				break
			}
			steps = append(steps, step{word: moveindex.VariationEnd, depth: depth + 1})
		}
	}
	return steps
}

// linesGame writes a game with variations, of which those up to depth are played.
func (s *stream) linesGame(d jose.Dialect, n, depth, number int) {
	start := position.Start()
	if number%3 == 1 {
		for range 10 + s.rng.IntN(30) {
			s.pos = start
			m, ok := s.choose()
			if !ok {
				break
			}
			// No promotions: every man of the start position has a number.
			if m.Promotion() == 0 {
				start.Make(m)
			}
		}
		if !s.jose {
			words, err := bitstream.AppendStart(s.words, &start)
			if err != nil {
				panic(err)
			}
			s.words = words
		}
	}
	first := 0
	if s.jose && number%3 == 1 {
		first = start.Ply()
		s.load(&start)
	}
	steps := s.lineSteps(nil, start, n, 0)
	result := s.rng.IntN(4)
	words := make([]moveindex.Index, 0, len(steps)+1)
	for _, t := range steps {
		words = append(words, t.word)
		if t.word == moveindex.NAG {
			words = append(words, t.second)
		}
	}
	words = append(words, moveindex.ResultBlackWins+moveindex.Index(result))
	var encoded []byte
	if s.jose {
		var enc jose.Encoder
		var err error
		if encoded, _, err = enc.EncodeIndices(d, &start, nil, words); err != nil {
			panic(err)
		}
	}
	fault := -1
	if number%3 == 2 {
		fault = len(steps)/2 + s.rng.IntN(len(steps)/2)
		for fault > 1 && (steps[fault-1].word == moveindex.VariationStart || depth == 0 && steps[fault].depth > 0) {
			fault--
		}
	}
	broken := false
	s.pos, s.ply, s.depth = start, first, 0
	s.replaced = s.replaced[:0]
	fail := func(at int, code oracle.Fault, index moveindex.Index) {
		if !broken {
			s.beat(oracle.BeatError, code, 0, index, s.refused, 0, 0, at)
		}
		broken, s.refused = true, 0
	}
	for i, t := range steps {
		at := s.offset()
		if i == fault {
			s.lineFault(d, depth, fail)
			at = s.offset()
		}
		if s.jose {
			size := 1
			if encoded[0] >= 0xa0 && encoded[0] <= 0xb0 {
				size = 2
			}
			s.data = append(s.data, encoded[:size]...)
			encoded = encoded[size:]
		} else {
			s.words = append(s.words, t.word)
			if t.word == moveindex.NAG {
				s.words = append(s.words, t.second)
			}
		}
		if s.rng.IntN(14) == 0 {
			s.text(d)
		}
		switch {
		case broken:
		case t.word == moveindex.VariationStart:
			if t.depth == depth && depth > 0 {
				fail(at, oracle.FaultDepth, map[bool]moveindex.Index{false: t.word}[s.jose])
			} else if depth > 0 {
				s.open()
			}
		case t.word == moveindex.VariationEnd:
			if depth > 0 {
				s.shut()
			}
		case t.word == moveindex.NAG || depth == 0 && t.depth > 0:
		case t.word == moveindex.Null:
			s.before = s.pos
			s.null(at)
		default:
			s.before = s.pos
			s.play(t.move, at)
		}
	}
	at, index := s.offset(), moveindex.Index(0)
	if s.jose {
		at++
		s.data = append(s.data, encoded...)
	} else {
		index = words[len(words)-1]
		s.words = append(s.words, index)
	}
	s.depth = 0
	s.beat(oracle.BeatEnd, oracle.NoFault, result, index, 0, 0, 0, at)
}

// load writes a start position that is loaded before the next byte.
func (s *stream) load(p *position.Position) {
	state := oracle.NewState(p)
	fmt.Fprintf(&s.loads, "%08x%s%08x\n", len(s.data), state.Digits(), state.LoadData(8))
}

// cbfGame writes a game with variations as ChessBase's bytes, of which those up to depth are played.
func (s *stream) cbfGame(n, depth, number int) {
	start := position.Start()
	switch number % 3 {
	case 1: // what is rare: a phantom, castling that leaves the en passant file
		var err error
		if start, err = position.ParseFEN(cbf.Rare[number/3*4%len(cbf.Rare)]); err != nil {
			panic(err)
		}
		s.load(&start)
	case 2:
		for range 10 + s.rng.IntN(40) {
			s.pos = start
			if m, ok := s.choose(); ok {
				start.Make(m)
			}
		}
		s.load(&start)
	}
	steps := s.lineSteps(nil, start, n, 0)
	castles := func() bool { d := int(steps[0].move.To()) - int(steps[0].move.From()); return d == 2 || d == -2 }
	for number == 1 && !castles() {
		steps = s.lineSteps(nil, start, n, 0)
	}
	words := make([]moveindex.Index, len(steps))
	for i, t := range steps {
		words[i] = t.word
	}
	encoded, err := chessbase.AppendMoves(nil, words, &start, s.cbf)
	if err != nil {
		panic(err)
	}
	fault := -1
	if number%2 == 1 {
		fault = len(steps) - 1
		for fault > 1 && (steps[fault-1].word == moveindex.VariationStart || depth == 0 && steps[fault].depth > 0) {
			fault--
		}
		if number%3 == 1 {
			fault = 1 // after castling
		}
	}
	broken := false
	s.pos, s.ply, s.depth = start, start.Ply(), 0
	s.replaced = s.replaced[:0]
	fail := func(at int, code oracle.Fault, index moveindex.Index) {
		if !broken {
			s.beat(oracle.BeatError, code, 0, index, s.refused, 0, 0, at)
		}
		broken, s.refused = true, 0
	}
	// The generator at the line's end, and before its last move.
	g := chessbase.NewGenerator(start, s.cbf)
	before := g
	var stack [][2]chessbase.Generator
	for i, t := range steps {
		if i == fault {
			s.cbfFault(&g, depth, number, fail)
		}
		at := len(s.data)
		if t.move != 0 && encoded[i] < 127 {
			encoded[i] |= byte(s.rng.IntN(2)) << 7 // a comment
		}
		s.data = append(s.data, encoded[i])
		switch {
		case broken || t.depth > 0 && depth == 0:
		case t.word == moveindex.VariationStart:
			if t.depth == depth && depth > 0 {
				fail(at, oracle.FaultDepth, 0)
			} else if depth > 0 {
				s.open()
				stack = append(stack, [2]chessbase.Generator{before, g})
				g = before
			}
		case t.word == moveindex.VariationEnd:
			s.shut()
			before, g = stack[len(stack)-1][0], stack[len(stack)-1][1]
			stack = stack[:len(stack)-1]
		default:
			s.before, before = s.pos, g
			s.play(t.move, at)
			g.Make(t.move)
			if i == 0 && number%2 == 0 {
				// Two variations without a move, the second in place of the same move as the first.
				s.data = append(s.data, 0xff, 0x80, 0xff, 0x80)
			}
		}
	}
	at := len(s.data)
	var h chessbase.Header
	h[1] = byte(s.rng.IntN(256))
	if number%4 == 2 {
		h[1] = chessbase.ResultCBASCII
	}
	s.data = append(s.data, 0, h[1])
	s.depth = 0
	result, _ := h.Result()
	s.beat(oracle.BeatEnd, oracle.NoFault, int(result), 0, 0, 0, 0, at)
}

// cbfFault writes something that must be refused.
func (s *stream) cbfFault(g *chessbase.Generator, depth, number int,
	fail func(at int, code oracle.Fault, index moveindex.Index)) {
	at := len(s.data)
	// A move that the generator has and the board has not: castling without the right, en passant after castling.
	for n := 1; n <= min(g.Count(), chessbase.MaxNumber); n++ {
		m, ok := g.Generated(n)
		index, _ := moveindex.Of(m)
		state := oracle.NewState(&s.pos)
		if _, _, fault := state.Play(index); ok && fault != oracle.NoFault {
			s.data = append(s.data, byte(n))
			s.refused = m
			fail(at, fault, index)
			return
		}
	}
	switch {
	case number%4 == 1 && s.depth == 0:
		s.data = append(s.data, 0x80)
		fail(at, oracle.FaultPlace, 0)
	case number%4 == 3 && (depth == 0 || s.depth < depth):
		s.data = append(s.data, 0xff, 0xff)
		if depth > 0 {
			s.open()
		}
		fail(at+1, oracle.FaultPlace, 0)
	case number%4 == 3:
		s.data = append(s.data, 0xff)
		fail(at, oracle.FaultDepth, 0)
	default:
		s.data = append(s.data, byte(min(g.Count()+1, 126))|0x80)
		fail(at, oracle.FaultOperand, 0)
	}
}

// open and shut follow a variation.
func (s *stream) open() {
	s.replaced = append(s.replaced, [2]position.Position{s.before, s.pos})
	s.pos = s.before
	s.ply--
	s.depth++
}

func (s *stream) shut() {
	last := len(s.replaced) - 1
	s.depth--
	s.ply -= s.pos.Ply() - s.replaced[last][1].Ply()
	s.before, s.pos = s.replaced[last][0], s.replaced[last][1]
	s.replaced = s.replaced[:last]
}

// text writes one.
func (s *stream) text(d jose.Dialect) {
	text := make([]byte, s.rng.IntN(12))
	for i := range text {
		text[i] = byte(1 + s.rng.IntN(127))
		if s.jose {
			text[i] += byte(s.rng.IntN(2)) << 7
		}
	}
	if !s.jose {
		words, err := bitstream.AppendText(s.words, string(text))
		if err != nil {
			panic(err)
		}
		s.words = words
		return
	}
	s.data = append(s.data, 0xe0+byte(s.rng.IntN(5)))
	if d == jose.Document {
		s.data = append(append(s.data, text...), 0)
	}
}

// lineFault writes something that must be refused.
func (s *stream) lineFault(d jose.Dialect, depth int, fail func(at int, code oracle.Fault, index moveindex.Index)) {
	at := s.offset()
	if !s.jose {
		if _, m, ok := s.crowd(kingDirs); ok {
			index, _ := moveindex.Of(m)
			s.words = append(s.words, index)
			s.refused = m
			fail(at, oracle.FaultOwn, index)
			return
		}
		s.words = append(s.words, moveindex.FirstReserved)
		fail(at, oracle.FaultCode, moveindex.FirstReserved)
		return
	}
	if dir, m, ok := s.crowd(joseKingDirs[d]); ok && s.rng.IntN(2) == 0 {
		index, _ := moveindex.Of(m)
		s.data = append(s.data, 0x90|dir)
		s.refused = m
		fail(at, oracle.FaultOwn, index)
		return
	}
	switch s.rng.IntN(4) {
	case 0:
		s.data = append(s.data, 0x9c)
		fail(at, oracle.FaultCode, 0)
	case 1:
		s.data = append(s.data, 0xa2, 0)
		fail(at, oracle.FaultOperand, 0)
	case 2:
		s.data = append(s.data, 0xf0, 0xf0)
		if s.depth > 0 && s.depth == depth {
			fail(at, oracle.FaultDepth, 0)
			return
		}
		if depth > 0 {
			s.open()
		}
		fail(at+1, oracle.FaultPlace, 0)
	default:
		// A move of a man that nobody became.
		s.data = append(s.data, 0xa8, 0x20, 0xa9, 0x20)
		fail(at, oracle.FaultEmpty, 0)
	}
}

// Files returns the files, by their names below the root of the project.
func Files() map[string][]byte {
	files := make(map[string][]byte)
	for _, c := range []config{
		{name: "ply11_player/words", games: 9, plies: 70, seed: 1},
		{name: "ply11_player/main", games: 9, plies: 70, seed: 2, layout: "main"},
		{name: "ply11_player/alt", games: 4, plies: 60, seed: 3, layout: "alt"},
		{name: "ply11_player/alt-swapped", games: 4, plies: 60, seed: 3, layout: "alt-swapped"},
		{name: "ply11_player/alt-fixed", games: 4, plies: 60, seed: 3, layout: "alt-fixed"},
		{name: "ply11_player/words-lines", games: 7, plies: 40, seed: 4, lines: true, depth: 3},
		{name: "ply11_player/jose", games: 7, plies: 60, seed: 5, dialect: "document"},
		{name: "ply11_player/jose-lines", games: 9, plies: 40, seed: 6, dialect: "program", depth: 3},
		{name: "ply11_player/chessbase", games: 4, plies: 8, seed: 9, chessbase: true},
		{name: "ply11_player/chessbase-lines", games: 6, plies: 5, seed: 10, chessbase: true, depth: 3},
		{name: "ply11_player/referee", games: 9, plies: 40, seed: 8, referee: true},
		{name: "ply11_player/mate", games: 3, plies: 16, seed: 12, referee: true, mate: true},
		{name: "ply11_top/jose", games: 1, plies: 40, seed: 7, dialect: "document"},
	} {
		c.run(files)
	}
	return files
}

// A config is one set of files: games of some plies at most, chosen by a seed, in a layout of Brenner's, in a
// dialect of jose's, in ChessBase's bytes, with each numbering in turn, or, with none of them, as words.
type config struct {
	name            string
	games, plies    int
	seed            uint64
	layout, dialect string
	chessbase       bool
	lines           bool // words: games with variations
	referee         bool // words: moves that are not legal, for LEGAL 1
	mate            bool // words: check, mate and stalemate, for MATE 1
	depth           int  // variations inside each other that are played
}

func (c config) run(files map[string][]byte) {
	s := &stream{rng: rand.New(rand.NewPCG(c.seed, 11)), brenner: c.layout != "", referee: c.referee, mate: c.mate}
	if c.chessbase {
		s.brenner = true
		for i := range c.games {
			s.cbf = [2]chessbase.Numbering{chessbase.NumberingCBASCII, chessbase.NumberingDocument}[i%2]
			s.cbfGame(c.plies, c.depth, i)
		}
	} else if c.dialect != "" || c.lines {
		d, err := jose.ParseDialect(c.dialect)
		if err != nil && !c.lines {
			panic(err)
		}
		s.brenner, s.jose = err == nil, err == nil
		for i := range c.games {
			s.linesGame(d, c.plies, c.depth, i)
		}
	} else if s.brenner {
		l, err := brenner.ParseLayout(c.layout)
		if err != nil {
			panic(err)
		}
		for i := range c.games {
			s.brennerGame(l, c.plies, i)
		}
	} else {
		if c.mate {
			// The shortest mate and the shortest stalemate from the usual position.
			s.lineGame("f2f3 e7e5 g2g4 d8h4", 0)
			s.lineGame("e2e3 a7a5 d1h5 a8a6 h5a5 h7h5 h2h4 a6h6 a5c7 f7f6 c7d7 e8f7 d7b7 d8d3 b7b8 d3h7 b8c8 f7g6 c8e6",
				1)
		}
		for i := range c.games {
			s.wordGame(c.plies, i)
			if i == 0 {
				s.game960()
			}
		}
	}
	if !s.brenner {
		for len(s.words)%8 != 0 {
			s.words = append(s.words, moveindex.Idle)
		}
		s.data = make([]byte, bitstream.PackedLen(len(s.words)))
		bitstream.Pack(s.data, 0, s.words)
	}
	var hex bytes.Buffer
	for _, b := range s.data {
		fmt.Fprintf(&hex, "%02x\n", b)
	}
	name := "hdl/tb/" + c.name
	files[name+".bytes.hex"], files[name+".beats.hex"] = hex.Bytes(), s.beats.Bytes()
	if s.loads.Len() > 0 {
		files[name+".loads.hex"] = s.loads.Bytes()
	}
}
