// SPDX-License-Identifier: Apache-2.0

// Package player makes the vectors of ply11_player's bench: games of random legal moves by package position,
// as eleven-bit words, as Brenner's or as jose's bytes, and the beats that package oracle expects of them.
//
// There are NAME.bytes.hex, a byte a line, and NAME.beats.hex, a beat a line:
// {kind 4, error 4, result 4 (with LEGAL 1 the reason's high bits stand above kind, its low bits above result), index
// 12, from 8, to 8, promotion 4, piece 4, captured 4, offset 32, ply 16, ep 4, rights 4, depth 3, side 1, board 256} in
// hexadecimal digits; for jose and ChessBase also NAME.loads.hex, a start position a line: {number of the byte before
// which it is loaded 32, ranks 8 to 1, state 32}.
package player

import (
	"bytes"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"

	"ply11/bitstream"
	"ply11/bitstream/brenner"
	"ply11/bitstream/chessbase"
	"ply11/bitstream/jose"
	"ply11/chess"
	"ply11/game/codec"
	"ply11/internal/movesets"
	"ply11/moveindex"
	"ply11/position"
	"ply11/sim/oracle"
	cbf "ply11/sim/vectors/chessbase"
)

type stream struct {
	words    []moveindex.Index // of the word stream
	data     []byte            // or the bytes of another mode
	pos      position.Position
	rng      *rand.Rand
	brenner  bool // or jose, ChessBase: s.data is written
	jose     bool
	cbf      chessbase.Numbering // 0: it is not ChessBase
	referee  bool
	expected *oracle.Oracle
	faults   map[int64]fault // by offset
	codec    bool            // of jose: games are kept, and have no error that only the board finds
	games    []joseGame
}

// A fault is an error that was meant: its code, and the word or the move that its beat shows.
type fault struct {
	code  oracle.Fault
	index moveindex.Index
	move  chess.Move
}

func (s *stream) offset() int {
	if s.brenner {
		return len(s.data)
	}
	return len(s.words) * 11 / 8
}

// refuse notes a fault that is written at an offset.
func (s *stream) refuse(at int, code oracle.Fault, index moveindex.Index, m chess.Move) {
	s.faults[int64(at)] = fault{code, index, m}
}

// beats returns the expected beats as the bench reads them.
func (s *stream) beats() []byte {
	var text bytes.Buffer
	for _, b := range s.expected.Beats() {
		shown := s.shown(&b)
		check, none := uint16(0), uint8(0)
		if b.Flags != nil {
			check, none = flags(*b.Flags)
		}
		fmt.Fprintf(&text, "%x%x%x%03x%02x%02x%x%x%x%08x%04x%x%x%x%s\n", b.Kind|uint8(b.Reason)&12, uint8(shown.code),
			b.Result|uint8(b.Reason)&3<<2, uint16(shown.index)|check, uint8(shown.move.From())|none,
			uint8(shown.move.To()), uint16(shown.move)>>12&7, uint8(b.Piece), uint8(b.Taken), b.Offset, b.State.Ply,
			b.State.EP, b.State.Rights, b.Depth<<1|b.State.Side, b.State.Digits())
	}
	return text.Bytes()
}

// shown is the code, the index and the move of a beat.
func (s *stream) shown(b *oracle.Beat) fault {
	if b.Kind == oracle.BeatPly {
		m, _ := b.Index.Move()
		return fault{oracle.NoFault, b.Index, m}
	}
	var f fault
	if !s.brenner {
		f.index = s.words[(8*b.Offset+10)/11]
	}
	if b.Kind == oracle.BeatError {
		f.code = oracle.Fault(bits.TrailingZeros16(b.Codes))
		if meant, ok := s.faults[b.Offset]; ok {
			f = meant
		}
		if b.Codes>>f.code&1 == 0 {
			panic(fmt.Errorf("byte %d: an error of code %d, and the oracle has %016b", b.Offset, f.code, b.Codes))
		}
	}
	return f
}

func flags(f oracle.Flags) (check uint16, none uint8) {
	if f.Check {
		check = 1 << 11
	}
	switch {
	case f.Mate:
		none = 0x40
	case f.Stalemate:
		none = 0x80
	}
	return check, none
}

// choose returns a legal move, and prefers what is rare: promotions, castling, en passant.
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

func (s *stream) wordGame(n, number int) {
	s.pos = position.Start()
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
		words := must(bitstream.AppendStart(s.words, &p))
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
			// What follows in the game changes nothing: moves and what is no move.
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
		if !s.pos.InCheck() && s.rng.IntN(40) == 0 {
			m = chess.NullMove
		}
		s.play(m)
		switch s.rng.IntN(12) {
		case 0:
			s.words = append(s.words, moveindex.Idle, moveindex.Idle)
		case 1:
			text := make([]byte, s.rng.IntN(40))
			for i := range text {
				text[i] = byte(' ' + s.rng.IntN(90))
			}
			s.words = must(bitstream.AppendText(s.words, string(text)))
		case 2:
			s.words = bitstream.AppendNAG(s.words, uint8(s.rng.IntN(256)))
		case 3:
			// Variations that are stepped over.
			s.words = append(s.words, moveindex.VariationStart, 100, moveindex.NAG1, 200,
				moveindex.VariationStart, moveindex.Null, moveindex.VariationEnd, 300, moveindex.VariationEnd)
		}
	}
	s.words = append(s.words, moveindex.ResultBlackWins+moveindex.Index(s.rng.IntN(4)))
}

func (s *stream) play(m chess.Move) {
	index := moveindex.Null
	if m != chess.NullMove {
		index, _ = moveindex.Of(m)
	}
	s.words = append(s.words, index)
	s.pos.Make(m)
}

func (s *stream) lineGame(line string, result int) {
	s.pos = position.Start()
	for text := range strings.FieldsSeq(line) {
		m, err := chess.ParseUCI(text)
		if err != nil || !s.pos.IsLegal(m) {
			panic(fmt.Errorf("%s is no legal move: %v", text, err))
		}
		s.play(m)
	}
	s.words = append(s.words, moveindex.ResultBlackWins+moveindex.Index(result))
}

// game960 writes a game of Chess960, whose start position has words like results.
func (s *stream) game960() {
	s.words = append(s.words, moveindex.Start960)
	for i := range bitstream.Start960Words {
		s.words = append(s.words, moveindex.ResultBlackWins+moveindex.Index(i%4))
	}
	s.words = append(s.words, 396, 1460, moveindex.ResultWhiteWins)
}

// fault writes one word that must be refused.
func (s *stream) fault() {
	at := s.offset()
	if s.referee {
		s.illegal(at)
		return
	}
	switch s.rng.IntN(4) {
	case 0: // reserved
		s.words = append(s.words, moveindex.FirstReserved)
	case 1: // the end of a variation that did not begin
		s.words = append(s.words, moveindex.VariationEnd)
	case 2: // a NAG above 255
		s.words = append(s.words, moveindex.NAG, 256)
	default: // from an empty square, or with an opponent's piece
		for {
			index := moveindex.Index(s.rng.IntN(moveindex.NumMoves))
			m, _ := index.Move()
			piece := s.pos.PieceAt(m.From())
			if piece != 0 && piece.Color() == s.pos.Turn() {
				continue
			}
			code := oracle.FaultEmpty
			if piece != 0 {
				code = oracle.FaultOpponent
			}
			s.words = append(s.words, index)
			s.refuse(at, code, index, m)
			return
		}
	}
}

// illegal writes a move that the board applies and that is not legal.
func (s *stream) illegal(at int) {
	for {
		index := moveindex.Index(s.rng.IntN(moveindex.NumMoves))
		m, _ := index.Move()
		state := oracle.NewState(&s.pos)
		if _, _, fault := state.Play(index); fault != oracle.NoFault || s.pos.IsLegal(m) {
			continue
		}
		s.words = append(s.words, index)
		s.refuse(at, oracle.FaultStopped, index, m)
		return
	}
}

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
	begin := len(s.data)
	s.data = append(append(append(s.data, 0, 'W'), "Somebody"...), 0)
	fault := -1
	if number%3 == 2 {
		fault = s.rng.IntN(len(moves))
	}
	from := 0
	for i, size := range sizes {
		if i == fault {
			// Three glyphs after a move, or one before the first.
			s.data = append(s.data, 7, 7, 7, 0, 1, 2, 3, 0)
		}
		s.data = append(s.data, encoded[from:size]...)
		from = size
		// Nothing before the fault, whose glyphs are counted from the move.
		if fault >= 0 && i+1 >= fault {
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
	s.data = append(s.data, []byte{1, 3, 2}[s.rng.IntN(3)])
	s.expected.Brenner(l, s.data[begin:])
}

// The king's steps by file and rank; in the order of jose's dialects.
var (
	kingDirs     = [8][2]int{{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}
	joseKingDirs = map[jose.Dialect][8][2]int{
		jose.Document: {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}, {0, 1}, {0, -1}, {-1, 0}, {1, 0}},
		jose.Program:  {{1, 1}, {1, -1}, {-1, -1}, {-1, 1}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}},
	}
)

// crowd finds a step of the king to a piece of his own.
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
			if piece := s.pos.PieceAt(to); piece != 0 && piece.Color() == s.pos.Turn() {
				return byte(i), chess.NewMove(sq, to), true
			}
		}
	}
	return 0, 0, false
}

// A step is a word of a game with variations.
type step struct {
	word   moveindex.Index
	second moveindex.Index // of a NAG
	depth  int
	move   chess.Move
	at     position.Position // before it
}

// lineSteps appends a line of at most n moves, with variations, and returns the position at its end.
func (s *stream) lineSteps(steps []step, p position.Position, n, depth int) ([]step,
	position.Position) {
	for range n {
		s.pos = p
		m, ok := s.choose()
		if !ok {
			return steps, p
		}
		before := p
		index, _ := moveindex.Of(m)
		if !p.InCheck() && s.rng.IntN(40) == 0 && s.cbf == 0 {
			m, index = 0, moveindex.Null
		}
		p.Make(m)
		steps = append(steps, step{word: index, depth: depth, move: m, at: before})
		if x := s.rng.IntN(12); x == 0 && s.cbf == 0 {
			nag := moveindex.Index(s.rng.IntN(256))
			steps = append(steps, step{word: moveindex.NAG, second: nag, depth: depth, at: p})
		}
		for depth < 3 && s.rng.IntN(9) == 0 {
			steps = append(steps, step{word: moveindex.VariationStart, depth: depth, at: p})
			var end position.Position
			steps, end = s.lineSteps(steps, before, 1+s.rng.IntN(8), depth+1)
			if steps[len(steps)-1].word == moveindex.VariationStart {
				steps = steps[:len(steps)-1]
				break
			}
			steps = append(steps, step{word: moveindex.VariationEnd, depth: depth + 1, at: end})
		}
	}
	return steps, p
}

func (s *stream) linesGame(d jose.Dialect, n, depth, number int) {
	start := position.Start()
	loads := number%3 == 1
	if s.codec {
		if loads = number%8 != 0; loads {
			start = movesets.Position(s.rng, number)
		}
	} else if loads {
		for range 10 + s.rng.IntN(30) {
			s.pos = start
			m, ok := s.choose()
			if !ok {
				break
			}
			// No promotions: every piece of the start position has a number.
			if m.Promotion() == 0 {
				start.Make(m)
			}
		}
		if !s.jose {
			s.words = must(bitstream.AppendStart(s.words, &start))
		}
	}
	begin := len(s.data)
	steps, _ := s.lineSteps(nil, start, n, 0)
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
		if encoded, _, err = enc.EncodeIndices(d, &start, nil, words); s.codec && len(steps) < 4 || s.codec &&
			errors.Is(err, codec.ErrTooManyPieces) {
			return
		} else if err != nil {
			panic(err)
		}
		if loads {
			s.expected.Load(&start)
		}
	}
	fault := -1
	if number%3 == 2 {
		fault = len(steps)/2 + s.rng.IntN(len(steps)/2)
		for fault > 1 && (steps[fault-1].word == moveindex.VariationStart || depth == 0 && steps[fault].depth > 0) {
			fault--
		}
	}
	for i, t := range steps {
		if i == fault {
			// After a variation that is too deep the position is that where it begins.
			deep := slices.IndexFunc(steps[:i], func(t step) bool {
				return t.word == moveindex.VariationStart && t.depth == depth && depth > 0
			})
			if s.pos = t.at; deep >= 0 {
				s.pos = steps[deep].at
			}
			s.lineFault(d)
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
	}
	if s.jose {
		s.data = append(s.data, encoded...)
		s.expected.Jose(d, s.data[begin:])
		g := joseGame{data: s.data[begin:]}
		if loads {
			state := oracle.NewState(&start)
			g.load = &state
		}
		s.games = append(s.games, g)
	} else {
		s.words = append(s.words, words[len(words)-1])
	}
}

func (s *stream) cbfGame(n, depth, number int) {
	start := position.Start()
	switch number % 3 {
	case 1: // what is rare: a phantom, castling that leaves the en passant file
		start = must(position.ParseFEN(cbf.Rare[number/3*4%len(cbf.Rare)]))
	case 2:
		for range 10 + s.rng.IntN(40) {
			s.pos = start
			if m, ok := s.choose(); ok {
				start.Make(m)
			}
		}
	}
	begin := len(s.data)
	if number%3 != 0 {
		s.expected.Load(&start)
	}
	steps, _ := s.lineSteps(nil, start, n, 0)
	castles := func() bool { d := int(steps[0].move.To()) - int(steps[0].move.From()); return d == 2 || d == -2 }
	for number == 1 && !castles() {
		steps, _ = s.lineSteps(nil, start, n, 0)
	}
	words := make([]moveindex.Index, len(steps))
	for i, t := range steps {
		words[i] = t.word
	}
	encoded := must(chessbase.AppendMoves(nil, words, &start, s.cbf))
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
	// The generator at the line's end, and before its last move.
	g := chessbase.NewGenerator(start, s.cbf)
	before := g
	var stack [][2]chessbase.Generator
	for i, t := range steps {
		if i == fault {
			s.cbfFault(&g, len(stack), depth, number)
			broken = true
		}
		if t.move != 0 && encoded[i] < 127 {
			encoded[i] |= byte(s.rng.IntN(2)) << 7 // a comment
		}
		s.data = append(s.data, encoded[i])
		switch {
		case broken || t.depth > 0 && depth == 0:
		case t.word == moveindex.VariationStart:
			if t.depth == depth && depth > 0 {
				broken = true
			} else if depth > 0 {
				stack = append(stack, [2]chessbase.Generator{before, g})
				g = before
			}
		case t.word == moveindex.VariationEnd:
			before, g = stack[len(stack)-1][0], stack[len(stack)-1][1]
			stack = stack[:len(stack)-1]
		default:
			before = g
			g.Make(t.move)
			if i == 0 && number%2 == 0 {
				// Two variations without a move.
				s.data = append(s.data, 0xff, 0x80, 0xff, 0x80)
			}
		}
	}
	result := byte(s.rng.IntN(256))
	if number%4 == 2 {
		result = chessbase.ResultCBASCII
	}
	s.data = append(s.data, 0, result)
	s.expected.ChessBase(s.cbf, s.data[begin:])
}

// cbfFault writes an error, inside so many variations.
func (s *stream) cbfFault(g *chessbase.Generator, nest, depth, number int) {
	// A move that the generator has and the board has not.
	for n := 1; n <= min(g.Count(), chessbase.MaxNumber); n++ {
		m, ok := g.Generated(n)
		index, _ := moveindex.Of(m)
		state := oracle.NewState(g.Position())
		if _, _, fault := state.Play(index); ok && fault != oracle.NoFault {
			s.refuse(len(s.data), fault, index, m)
			s.data = append(s.data, byte(n))
			return
		}
	}
	switch {
	case number%4 == 1 && nest == 0:
		s.data = append(s.data, 0x80)
	case number%4 == 3 && (depth == 0 || nest < depth):
		s.data = append(s.data, 0xff, 0xff)
	case number%4 == 3:
		s.data = append(s.data, 0xff)
	default:
		s.data = append(s.data, byte(min(g.Count()+1, 126))|0x80)
	}
}

func (s *stream) text(d jose.Dialect) {
	text := make([]byte, s.rng.IntN(12))
	for i := range text {
		text[i] = byte(1 + s.rng.IntN(127))
		if s.jose {
			text[i] += byte(s.rng.IntN(2)) << 7
		}
	}
	if !s.jose {
		s.words = must(bitstream.AppendText(s.words, string(text)))
		return
	}
	s.data = append(s.data, 0xe0+byte(s.rng.IntN(5)))
	if d == jose.Document {
		s.data = append(append(s.data, text...), 0)
	}
}

func (s *stream) lineFault(d jose.Dialect) {
	at := s.offset()
	if !s.jose {
		if _, m, ok := s.crowd(kingDirs); ok {
			index, _ := moveindex.Of(m)
			s.words = append(s.words, index)
			s.refuse(at, oracle.FaultOwn, index, m)
			return
		}
		s.words = append(s.words, moveindex.FirstReserved)
		return
	}
	if dir, m, ok := s.crowd(joseKingDirs[d]); ok && !s.codec && s.rng.IntN(2) == 0 {
		index, _ := moveindex.Of(m)
		s.data = append(s.data, 0x90|dir)
		s.refuse(at, oracle.FaultOwn, index, m)
		return
	}
	switch s.rng.IntN(4) {
	case 0:
		s.data = append(s.data, 0x9c)
	case 1:
		s.data = append(s.data, 0xa2, 0)
		s.refuse(at, oracle.FaultOperand, 0, 0)
	case 2:
		s.data = append(s.data, 0xf0, 0xf0)
	default:
		// A move of a piece that nobody became.
		s.data = append(s.data, 0xa8, 0x20, 0xa9, 0x20)
	}
}

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
	for _, c := range []struct {
		name   string
		d      jose.Dialect
		depth  int
		chosen int // games that stand in the files, before those at random
		games  int
	}{{"ply11_jose/document", jose.Document, 0, 260, 150}, {"ply11_jose/program", jose.Program, 3, 227, 150},
		{"ply11_jose/deep", jose.Program, 31, 0, 0}} {
		s := &stream{rng: rand.New(rand.NewPCG(uint64(c.depth), 13)), brenner: true, jose: true, codec: true,
			faults: map[int64]fault{}, expected: oracle.New(oracle.Params{Depth: c.depth})}
		for i := range c.games {
			s.linesGame(c.d, 7, c.depth, i)
		}
		if s.games = append(s.games, handGames(c.d, c.depth)...); c.games == 0 {
			s.games = nil
			for _, nest := range []int{1, 2, 5, 9, 17, 31, 32} {
				s.deepGame(c.d, nest)
			}
		}
		codecFiles(files, c.name, c.d, c.depth, append(chosenGames(c.name, c.chosen), s.games...))
	}
	return files
}

// A config is one set of files: games of some plies at most, in a layout of Brenner's, in a dialect of jose's, in
// ChessBase's bytes, with each numbering in turn, or as words.
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
	s := &stream{rng: rand.New(rand.NewPCG(c.seed, 11)), brenner: c.layout != "", referee: c.referee,
		faults: map[int64]fault{}, expected: oracle.New(oracle.Params{Depth: c.depth, Legal: c.referee, Mate: c.mate})}
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
		l := must(brenner.ParseLayout(c.layout))
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
		s.expected.Words(s.words)
	}
	var hex bytes.Buffer
	for _, b := range s.data {
		fmt.Fprintf(&hex, "%02x\n", b)
	}
	name := "hdl/tb/" + c.name
	files[name+".bytes.hex"], files[name+".beats.hex"] = hex.Bytes(), s.beats()
	var loads bytes.Buffer
	for _, l := range s.expected.Loads() {
		fmt.Fprintf(&loads, "%08x%s%08x\n", l.Bytes, l.State.Digits(), l.State.LoadData(8))
	}
	if loads.Len() > 0 {
		files[name+".loads.hex"] = loads.Bytes()
	}
}
