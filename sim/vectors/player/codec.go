// SPDX-License-Identifier: Apache-2.0

package player

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"ply11/bitstream/jose"
	"ply11/chess"
	"ply11/hdl"
	"ply11/moveindex"
	"ply11/position"
	"ply11/sim/oracle"
)

// A joseGame is GameText of one game, and the position that is loaded before it.
type joseGame struct {
	load  *oracle.State // nil: none
	bad   bool          // it is refused
	data  []byte
	beats []oracle.Beat // before its end, by hand: package position knows nothing of them. Offsets are in data
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// handGame reads a game: pieces by number, with their squares, and bytes, each with the move that it must give, or x where
// the piece is not alive. With depth 0, variations give nothing.
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
		b := oracle.Beat{Kind: oracle.BeatPly, Index: moveindex.Null, Offset: int64(len(g.data))}
		if uci == "x" {
			b.Kind, b.Index, b.Codes = oracle.BeatError, 0, 1<<oracle.FaultEmpty
		} else if told {
			b.Index, _ = moveindex.Of(must(chess.ParseUCI(uci)))
		}
		if (told || digits == "9a") && (nest == 0 || depth > 0) {
			g.beats = append(g.beats, b)
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

// handGames do what no position of package position does. There are more pieces than numbers; others than pawns go where
// they would take en passant, and others than rooks castle. Each piece but the king is taken, pawns en passant, too; he
// is back in two variations, and gone after them. Each pawn becomes each kind.
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
	case g.bad, len(g.beats) > 0:
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

// chosenGames reads the games that stand in the files of ply11_jose's bench. They were chosen among many at random, for
// what they show, and written by hand for what chance does not bring. In none does the board find an error that
// ply11_jose does not find: the oracle does not know how ply11_jose goes on.
func chosenGames(name string, count int) (games []joseGame) {
	lines := func(kind string) []string {
		return strings.Fields(string(must(hdl.FS.ReadFile("tb/" + name + "." + kind + ".hex"))))
	}
	number := func(digits string) uint64 { return must(strconv.ParseUint(digits, 16, 64)) }
	bytes, list := lines("bytes"), lines("games")
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
			g.data = append(g.data, byte(number(b[3:])))
		}
		games = append(games, g)
	}
	return games
}

// deepGame adds a game with so many variations inside each other, each in place of the first move of the one around it.
func (s *stream) deepGame(d jose.Dialect, nest int) {
	var words []moveindex.Index
	move := func(p *position.Position) {
		s.pos = *p
		m, _ := s.choose()
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
	s.games = append(s.games, joseGame{data: data})
}

// Sorts of events of ply11_jose.
const (
	sortBeat = iota
	sortOpen
	sortClose
)

// A joseBench writes the files of ply11_jose's bench. In hexadecimal digits:
//
//	a byte      {bracket 4: 1 followed, 2 after an error; clocks for END and NEW after it 4; bit 0 the game ends,
//	            bit 1 it becomes an operation 4; byte 8}
//	an event    {sort 4: 0 operation, 1 open, 2 close; kind 4, set of codes 16, index 12, offset 32,
//	            the byte that completes it 16}
//	a text      {kind 4, last 4, data 8}
//	a game      {number of its first byte 16, event 16, text 16;
//	            position is loaded 4, load_bad 4, en passant file 4, side 4, board 256};
//	            the last line is for the end of them all
type joseBench struct {
	dialect                     jose.Dialect
	depth                       int
	bytes, events, texts, games bytes.Buffer
	count, numEvents, numTexts  int
}

func (w *joseBench) event(sort int, kind uint8, codes uint16, index moveindex.Index, offset, completes int) {
	fmt.Fprintf(&w.events, "%x%x%04x%03x%08x%04x\n", sort, kind, codes, uint16(index), offset, completes)
	w.numEvents++
}

// line writes where a game begins, and what is loaded before it.
func (w *joseBench) line(g *joseGame) {
	load := strings.Repeat("0", 68)
	if g.load != nil {
		bad := 0
		if g.bad {
			bad = 1
		}
		load = fmt.Sprintf("1%x%x%x%s", bad, g.load.EP, g.load.Side, g.load.Digits())
	}
	fmt.Fprintf(&w.games, "%04x%04x%04x%s\n", w.count, w.numEvents, w.numTexts, load)
}

// game writes a game with its beats. What a byte is for the module's clocks follows from the brackets, moves and
// results before it, by the module's header.
func (w *joseBench) game(g *joseGame, beats []oracle.Beat) {
	w.line(g)
	for _, t := range oracle.JoseTexts(nil, w.dialect, g.data) {
		last := 0
		if t.Last {
			last = 1
		}
		fmt.Fprintf(&w.texts, "%x%x%02x\n", t.Kind, last, t.Data)
		w.numTexts++
	}
	limit := w.depth
	if limit == 0 {
		limit = 255
	}
	nest, moved, result, bad, skip := 0, false, false, false, false
	tokens, _ := oracle.JoseTokens(w.dialect, g.data)
	for i, t := range tokens {
		after := len(g.data)
		if i+1 < len(tokens) {
			after = tokens[i+1].At
		}
		at, c := w.count, t.Meaning.Class
		open, shut, end := c == jose.VariationByte, c == jose.VariationEndByte, c == jose.EndByte
		second := c == jose.PromotionByte || c == jose.PromotedByte
		move := second || c == jose.MoveByte || c == jose.CastlingByte || c == jose.NullByte
		deep := open && nest == limit
		wrong := !skip && (i == 0 && g.bad || result && !end || open && !moved || shut && nest == 0 || deep ||
			(end || c == jose.ResultByte) && nest != 0 || c == jose.Reserved)
		completes, bracket, due, kind := at, 0, 0, 0
		if wrong {
			kind, skip = 2, true
		}
		if second && !wrong {
			completes++
		}
		played := w.depth > 0 || nest == 0
		if !skip && move && !second && played {
			kind = 2
		}
		for len(beats) > 0 && beats[0].Offset == int64(at) {
			b := beats[0]
			codes := b.Codes
			if b.Kind == oracle.BeatEnd {
				codes = 1 << b.Result
			}
			w.event(sortBeat, b.Kind, codes, b.Index, at, completes)
			bad = bad || move && !skip && b.Kind == oracle.BeatError
			beats = beats[1:]
		}
		moved = moved || move
		if (open || shut) && !skip {
			if bracket = 0; w.depth > 0 {
				bracket = 2
				if !bad {
					bracket = 1
					sort := sortOpen
					if shut {
						sort = sortClose
					}
					w.event(sort, 0, 0, 0, 0, at)
				}
			}
			if nest++; shut {
				nest -= 2
			}
			moved = shut
		}
		result = result || c == jose.ResultByte
		if end {
			w.event(sortBeat, oracle.BeatNew, 0, 0, 0, at)
			kind, due = 3, 1
			if wrong {
				due = 2
			}
		}
		skip = skip || second && t.Second == 0
		for k, b := range g.data[t.At:after] {
			if k > 0 {
				bracket, due, kind = 0, 0, 0
				if second {
					kind = 2
				}
			}
			fmt.Fprintf(&w.bytes, "%x%x%x%02x\n", bracket, due, kind, b)
			w.count++
		}
	}
	if len(beats) > 0 {
		panic(fmt.Errorf("a beat of byte %d is left", beats[0].Offset))
	}
}

func codecFiles(files map[string][]byte, name string, d jose.Dialect, depth int, games []joseGame) {
	w := &joseBench{dialect: d, depth: depth}
	o := oracle.New(oracle.Params{Depth: depth})
	for _, g := range games {
		first := len(o.Beats())
		g.oracle(o, d)
		beats := o.Beats()[first:]
		if len(g.beats) > 0 {
			beats = beats[1:] // without the error
			for i := range g.beats {
				g.beats[i].Offset += int64(w.count)
			}
			beats = append(g.beats, beats...)
		}
		w.game(&g, beats)
	}
	w.line(new(joseGame))
	for kind, text := range map[string][]byte{"bytes": w.bytes.Bytes(), "events": w.events.Bytes(),
		"texts": w.texts.Bytes(), "games": w.games.Bytes()} {
		if len(text) > 0 {
			files["hdl/tb/"+name+"."+kind+".hex"] = text
		}
	}
}
