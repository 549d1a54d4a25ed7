// SPDX-License-Identifier: Apache-2.0

package player

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"ply11/bitstream/brenner"
	"ply11/bitstream/jose"
	"ply11/chess"
	"ply11/hdl"
	"ply11/moveindex"
	"ply11/position"
	"ply11/sim/oracle"
)

// A joseGame is GameText of one game, and the position that is loaded before it.
type joseGame struct {
	load *oracle.State // nil: none
	bad  bool          // it is refused
	data []byte
	ops  []oracle.Op // before its end, by hand: package position knows nothing of them
}

// handGame reads a game: pieces by number, with their squares, and bytes, each with the move that it must give, or x
// where the piece is not alive. With depth 0, variations give nothing.
func handGame(depth int, state oracle.State, pieces, text string) joseGame {
	g := joseGame{load: &state}
	for one := range strings.FieldsSeq(pieces) {
		n := len(one) - 2
		state.Put(must(chess.ParseSquare(one[n:])), chess.Piece(must(strconv.Atoi(one[:n]))))
	}
	nest := 0
	for word := range strings.FieldsSeq(text) {
		digits, uci, told := strings.Cut(word, ":")
		nest += map[string]int{"f0": 1, "f1": -1}[digits]
		b := oracle.Op{Kind: oracle.BeatPly, Index: moveindex.Null, Offset: int64(len(g.data))}
		if uci == "x" {
			b.Kind, b.Index, b.Codes = oracle.BeatError, 0, 1<<oracle.FaultEmpty
		} else if told {
			b.Index, _ = moveindex.Of(must(chess.ParseUCI(uci)))
		}
		if (told || digits == "9a") && (nest == 0 || depth > 0) {
			g.ops = append(g.ops, b)
		} else if digits[0] == 'f' && digits != "ff" && depth > 0 {
			g.ops = append(g.ops, oracle.Op{Sort: oracle.OpOpen + oracle.Sort(digits[1]-'0'), Offset: b.Offset})
		}
		g.data = append(g.data, must(hex.DecodeString(digits))...)
	}
	return g
}

// joseStep is a move up or down the board (dir 1 or -1), first its byte of offset 0: a rank, for a knight two; he and a
// bishop go a file toward a.
func joseStep(d jose.Dialect, first int, kind chess.Kind, dir int, from chess.Square) string {
	file, rank := from.File(), from.Rank()+dir
	offset := rank
	switch kind {
	case chess.Pawn:
		offset = 0
	case chess.Knight:
		file, rank = file-1, rank+dir
		if offset = (5 - 3*dir) / 2; d == jose.Program {
			offset = 7 - offset
		}
	case chess.Bishop:
		file--
		offset += 4 + 4*dir
	case chess.Queen:
		offset += 16
	}
	return fmt.Sprintf("%02x:%v%v ", first+offset, from, chess.NewSquare(file, rank))
}

// handGames do what no position of package position does. There are more pieces than numbers; others than pawns go
// where they would take en passant, and others than rooks castle. Each piece but the king is taken, pawns en passant,
// too; he is back in two variations, and gone after them. Each pawn becomes each kind.
func handGames(d jose.Dialect, depth int) (games []joseGame) {
	add := func(ep, side int, pieces, text string) {
		games = append(games, handGame(depth, oracle.State{EP: uint8(ep), Side: uint8(side)}, pieces, text+"ff"))
	}
	kind := func(slot int) chess.Kind { return chess.KindOf("PPPPPPPPNNBBRRQ"[slot]) }
	// piece has a slot: as many of his kind as it needs stand before him.
	piece := func(side, slot int, at chess.Square) string {
		piece := chess.NewPiece(chess.Color(side), kind(slot))
		pieces := fmt.Sprintf("%d%v ", piece, at)
		for _, file := range "abcdfge"[:"012345670101010"[slot]-'0'] {
			pieces += fmt.Sprintf("%d%c%d ", piece, file, 7+side)
		}
		return pieces
	}
	step := func(side, slot int, from chess.Square) string {
		first := [15]int{0, 4, 8, 12, 16, 20, 24, 28, 0x20, 0x28, 0x30, 0x40, 0x50, 0x60, 0x70}[slot]
		return joseStep(d, first, kind(slot), 1-2*side, from)
	}
	// taken follows a capture: the piece moves in variations, and after them no more.
	taken := func(move string) string {
		return "f0 9a " + move + "f1 f0 9a " + move + "f1 9a 9a " + move[:3] + "x "
	}
	add(0, 0, "1e1 3a3 3b3 3c3 9e8", "20 ")
	add(4, 0, "1e1 6e5 9e8 14d5 11d6", "02:e5d6 9a 9a 00:d5d4 ")
	add(4, 1, "1e1 6d4 3d3 9e8 14e4", "01:e4d3 9a 9a 00:d4d5 ")
	add(4, 0, "4e5 14d5", "3d:e5d6 9a 9a 00:d5d4 ")
	for slot := range 15 {
		for side := range 2 {
			add(0, 1-side, piece(side, slot, chess.D5)+piece(1-side, 14, chess.A5),
				"8b:a5d5 "+taken(step(side, slot, chess.D5)))
			if slot > 7 {
				continue
			}
			for k, letter := range "nbrq" {
				from := chess.NewSquare(7-side, 6-5*side)
				to := from + chess.Square(7-14*side)
				text := fmt.Sprintf("%02x%02x:%v%v%c 9a ", 0xa0+slot, 0x98+k, from, to, letter)
				add(0, side, piece(side, slot, from), text+
					joseStep(d, 0xa820+slot<<8, chess.KindOf(byte(letter)), 2*side-1, to))
			}
			for k := 0; k < 6; k += 3 {
				at := chess.NewSquare((slot+k)%7, 3+side)
				text := fmt.Sprintf("%02x:%v%v ", 1+side, at+1, chess.NewSquare(at.File(), 2+3*side))
				add(at.File()+1, 1-side, piece(side, slot, at)+piece(1-side, 0, at+1), text+taken(step(side, slot, at)))
			}
		}
		if slot != 7 {
			add(0, 0, "1e1 9e8 "+piece(0, slot, chess.H1)+piece(1, slot, chess.H8), "98:e1g1 f0 "+
				step(0, slot, chess.H1)+"f1 98:e8g8 f0 "+step(1, slot, chess.H8)+"f1 "+
				step(0, slot, chess.F1)+step(1, slot, chess.F8))
		}
	}
	return games
}

func (g *joseGame) oracle(o *oracle.Oracle, d jose.Dialect) {
	switch {
	case g.bad, len(g.ops) > 0:
		o.LoadRefused(*g.load)
	case g.load != nil:
		s := position.Setup{FullmoveNumber: 1, Turn: chess.Color(g.load.Side), EnPassantFile: int(g.load.EP),
			Castling: position.CastlingRights(g.load.Rights)}
		for sq := range chess.NoSquare {
			s.Board[sq] = g.load.Piece(sq)
		}
		p := must(s.Position())
		o.Load(&p)
	}
	if size := o.Jose(d, g.data); size != len(g.data) {
		panic(fmt.Errorf("a game ends after %d of %d bytes", size, len(g.data)))
	}
}

// chosenGames reads the games that stand in the files of ply11_codec's bench. They were chosen among many at random,
// for what they show, and written by hand for what chance does not bring. In none does the board find an error that
// ply11_jose does not find: the oracle does not know how ply11_jose goes on.
func chosenGames(name string, count int) (games []joseGame) {
	lines := func(kind string) []string {
		return strings.Fields(string(must(hdl.FS.ReadFile("tb/ply11_codec/" + name + "." + kind + ".hex"))))
	}
	number := func(digits string) uint64 { return must(strconv.ParseUint(digits, 16, 64)) }
	bytes, list := lines("inputs"), lines("games")
	for i, line := range list[:count] {
		var g joseGame
		if load := line[12:]; load[0] != '0' {
			g.bad = load[1] != '0'
			g.load = &oracle.State{EP: uint8(number(load[2:3])), Side: uint8(number(load[3:4]))}
			for k := range g.load.Pieces {
				g.load.Pieces[k] = number(load[52-16*k : 68-16*k])
			}
		}
		for _, b := range bytes[number(line[:4]):number(list[i+1][:4])] {
			g.data = append(g.data, byte(number(b[4:])))
		}
		games = append(games, g)
	}
	return games
}

// deepGame adds a game with so many variations inside each other, each in place of the first move of the one around it.
func (s *stream) deepGame(d jose.Dialect, nest int) {
	var words []moveindex.Index
	move := func(p *position.Position) {
		m, _ := s.choose(p)
		index, _ := moveindex.Of(m)
		words = append(words, index)
		p.Make(m)
	}
	var line func(p position.Position, nest int)
	line = func(p position.Position, nest int) {
		move(&p)
		before := p
		if move(&p); nest > 0 {
			words = append(words, moveindex.VariationStart)
			line(before, nest-1)
			words = append(words, moveindex.VariationEnd)
		}
		for range 4 {
			move(&p)
		}
	}
	start := position.Start()
	line(start, nest)
	data, _, err := new(jose.Encoder).EncodeIndices(d, &start, nil, append(words, moveindex.ResultDraw))
	if err != nil {
		panic(err)
	}
	s.list = append(s.list, joseGame{data: data})
}

// anyIndex stands for an index that does not count.
const anyIndex moveindex.Index = 0xfff

// Brackets of an input: what follows it.
const (
	noBracket   = iota
	followed    // a variation is opened or closed
	afterError  // it is not, because of an error before it
	someBracket // of words: that takes any time, as does a start record
)

// A list is what ply11_codec's bench plays, and what must come. In hexadecimal digits:
//
//	an input    {bracket 4; clocks for END and NEW after it 4; bit 0 no game goes on behind it, bit 1 it becomes an
//	            operation 4; byte or word 12}
//	an event    {sort 4: an oracle.Sort; kind 4, or a row's address, set of codes 16, index 12, offset 32, or a row's
//	            data, the input that completes it 16}
//	a text      {kind 4, last 4, data 8}
//	a game      {number of its first input 16, event 16, text 16;
//	            position is loaded 4, load_bad 4, en passant file 4, side 4, board 256};
//	            the last line is for the end of them all
type list struct {
	inputs, events, texts, games   bytes.Buffer
	numInputs, numEvents, numTexts int
}

// game begins a game, with what is loaded before it.
func (l *list) game(load *oracle.State, bad bool) {
	digits := strings.Repeat("0", 68)
	if load != nil {
		refused := 0
		if bad {
			refused = 1
		}
		digits = fmt.Sprintf("1%x%x%x%s", refused, load.EP, load.Side, load.Digits())
	}
	fmt.Fprintf(&l.games, "%04x%04x%04x%s\n", l.numInputs, l.numEvents, l.numTexts, digits)
}

func (l *list) input(bracket, due, flags int, data uint16) {
	fmt.Fprintf(&l.inputs, "%x%x%x%03x\n", bracket, due, flags, data)
	l.numInputs++
}

// event writes what must come, of an input from the list's start on.
func (l *list) event(op oracle.Op, offset, completes int) {
	if op.Sort == oracle.OpRow {
		offset = int(op.Data)
	} else if op.Sort != oracle.OpBeat {
		offset = 0
	}
	fmt.Fprintf(&l.events, "%x%x%04x%03x%08x%04x\n", op.Sort, op.Kind, op.Codes, uint16(op.Index), uint32(offset),
		completes)
	l.numEvents++
}

func (l *list) text(texts []oracle.TextByte) {
	for _, t := range texts {
		last := 0
		if t.Last {
			last = 1
		}
		fmt.Fprintf(&l.texts, "%x%x%02x\n", t.Kind, last, t.Data)
		l.numTexts++
	}
}

// ended returns the clocks that END and NEW take behind an input with these operations.
func ended(ops []oracle.Op) (due int) {
	for i, op := range ops {
		if op.Sort == oracle.OpBeat && op.Kind == oracle.BeatEnd {
			due = i + 1
		}
	}
	return due
}

// brenner writes bytes of one game, with operations whose offsets count from its first.
func (l *list) brenner(layout brenner.Layout, data []byte, ops []oracle.Op) {
	l.text(oracle.BrennerTexts(nil, layout, data))
	first := l.numInputs
	for i, b := range data {
		n := 0
		for ; n < len(ops) && ops[n].Offset == int64(i); n++ {
			l.event(ops[n], first+i, first+i)
		}
		due := ended(ops[:n])
		l.input(noBracket, due, min(due, 1), uint16(b))
		ops = ops[n:]
	}
}

// words writes a stream of words, of which some take any time.
func (l *list) words(words []moveindex.Index, slow []bool, ops []oracle.Op) {
	out := 1
	l.game(nil, false)
	for i, w := range words {
		n, bracket := 0, noBracket
		for ; n < len(ops) && (8*ops[n].Offset+10)/11 == int64(i); n++ {
			op := ops[n]
			switch {
			case op.Sort == oracle.OpOpen, op.Sort == oracle.OpClose:
				bracket = someBracket
			case op.Sort == oracle.OpRow:
			case op.Kind == oracle.BeatEnd, op.Codes == 1<<oracle.FaultStart:
				op.Index = anyIndex
			case op.Kind == oracle.BeatError:
				op.Index = w
			}
			l.event(op, 11*i/8, i)
		}
		if slow[i] {
			bracket = someBracket
		}
		due := ended(ops[:n])
		if ops = ops[n:]; due > 0 {
			out = 1
		} else if w != moveindex.Idle {
			out = 0
		}
		if l.input(bracket, due, out, uint16(w)); due > 0 {
			l.game(nil, false)
		}
	}
}

// jose writes a game with its operations. What a byte is for the module's clocks follows from the brackets, moves and
// results before it, by the module's header.
func (l *list) jose(d jose.Dialect, depth int, g *joseGame, ops []oracle.Op) {
	l.game(g.load, g.bad)
	l.text(oracle.JoseTexts(nil, d, g.data))
	limit, first := depth, l.numInputs
	if limit == 0 {
		limit = 255
	}
	nest, moved, result, skip := 0, false, false, false
	tokens, _ := oracle.JoseTokens(d, g.data)
	for i, t := range tokens {
		after := len(g.data)
		if i+1 < len(tokens) {
			after = tokens[i+1].At
		}
		c, completes, bracket, due, flags := t.Meaning.Class, l.numInputs, noBracket, 0, 0
		open, shut, end := c == jose.VariationByte, c == jose.VariationEndByte, c == jose.EndByte
		second := c == jose.PromotionByte || c == jose.PromotedByte
		move := second || c == jose.MoveByte || c == jose.CastlingByte || c == jose.NullByte
		wrong := !skip && (i == 0 && g.bad || result && !end || open && (!moved || nest == limit) ||
			shut && nest == 0 || (end || c == jose.ResultByte) && nest != 0 || c == jose.Reserved)
		if skip = skip || wrong; wrong {
			flags = 2
		}
		if second && !wrong {
			completes++
		}
		if !skip && move && !second && (depth > 0 || nest == 0) {
			flags = 2
		}
		moved = moved || move
		if (open || shut) && !skip {
			if nest, moved = nest+1, shut; shut {
				nest -= 2
			}
			if depth > 0 {
				bracket = afterError
			}
		}
		for ; len(ops) > 0 && ops[0].Offset == int64(t.At); ops = ops[1:] {
			if ops[0].Sort != oracle.OpBeat {
				bracket = followed
			}
			l.event(ops[0], first+t.At, completes)
		}
		result = result || c == jose.ResultByte
		if end {
			if flags, due = 3, 1; wrong {
				due = 2
			}
		}
		skip = skip || second && t.Second == 0
		for k, b := range g.data[t.At:after] {
			if k == 1 {
				if bracket, due, flags = noBracket, 0, 0; second {
					flags = 2
				}
			}
			l.input(bracket, due, flags, uint16(b))
		}
	}
	if len(ops) > 0 {
		panic(fmt.Errorf("what comes of byte %d is left", ops[0].Offset))
	}
}

// files ends a list and adds its files. Lists that differ in their inputs alone may share the others.
func (l *list) files(files map[string][]byte, inputs, name string) {
	l.game(nil, false)
	for file, text := range map[string][]byte{inputs + ".inputs": l.inputs.Bytes(), name + ".events": l.events.Bytes(),
		name + ".texts": l.texts.Bytes(), name + ".games": l.games.Bytes()} {
		file = "hdl/tb/ply11_codec/" + file + ".hex"
		if old, ok := files[file]; ok && !bytes.Equal(old, text) {
			panic(fmt.Errorf("two lists have another %s", file))
		}
		if len(text) > 0 {
			files[file] = text
		}
	}
}

// codecFiles adds the lists of ply11_codec's bench.
func codecFiles(files map[string][]byte) {
	for _, depth := range []int{0, 1, 3, 31} {
		l, w := new(list), newWordList(depth)
		o := oracle.New(oracle.Params{Depth: depth, Alone: true})
		o.Words(w.words)
		l.words(w.words, w.slow, o.Ops())
		name := fmt.Sprint("words-", depth)
		l.files(files, name, name)
	}
	for _, layout := range brenner.Layouts {
		l := new(list)
		for _, text := range brennerGames() {
			l.brennerGame(layout, brennerNames(layout), text)
		}
		s := newStream(config{mode: oracle.ModeBrenner, layout: layout, plies: 70, seed: 2}, 11)
		for i := range 12 {
			s.data, s.expected = nil, oracle.New(oracle.Params{Alone: true})
			s.game(i)
			l.game(nil, false)
			l.brenner(layout, s.data, s.expected.Ops())
		}
		l.files(files, layout.String(), "brenner")
	}
	for _, c := range []struct {
		name          string
		d             jose.Dialect
		depth         int
		chosen, games int // games that stand in the files, before those at random
	}{{"document", jose.Document, 0, 260, 150}, {"program", jose.Program, 3, 227, 150},
		{"deep", jose.Program, 31, 0, 0}} {
		s := newStream(config{mode: oracle.ModeJose, plies: 7, dialect: c.d, depth: c.depth, seed: uint64(c.depth)}, 13)
		s.alone = true
		for i := range c.games {
			s.game(i)
		}
		if s.list = append(s.list, handGames(c.d, c.depth)...); c.games == 0 {
			s.list = nil
			for _, nest := range []int{1, 2, 5, 9, 17, 31, 32} {
				s.deepGame(c.d, nest)
			}
		}
		l := new(list)
		for _, g := range append(chosenGames(c.name, c.chosen), s.list...) {
			o := oracle.New(oracle.Params{Depth: c.depth, Alone: true})
			g.oracle(o, c.d)
			ops := o.Ops()
			if len(g.ops) > 0 {
				ops = append(g.ops, ops[1:]...) // without the error
			}
			l.jose(c.d, c.depth, &g, ops)
		}
		l.files(files, c.name, c.name)
	}
}
