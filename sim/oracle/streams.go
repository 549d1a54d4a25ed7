// SPDX-License-Identifier: Apache-2.0

package oracle

import (
	"bytes"
	"errors"
	"fmt"

	"ply11/bitstream"
	"ply11/bitstream/brenner"
	"ply11/bitstream/chessbase"
	"ply11/bitstream/jose"
	"ply11/chess"
	"ply11/game"
	"ply11/game/codec"
	"ply11/moveindex"
	"ply11/position"
)

type codecs struct{ jose jose.Decoder }

func codesOf(list ...Fault) (codes uint16) {
	for _, f := range list {
		codes |= f.bit()
	}
	return codes
}

// Words follows words of whole games by the grammar in the header of ply11_words. Offsets are those of words without
// gaps.
func (o *Oracle) Words(list []moveindex.Index) {
	inGame, hasMove, nest := false, false, 0
	operand, left, skip := 0, 0, false
	var record []moveindex.Index
	const text, textLength, nag, start, start960 = 1, 2, 3, 4, 5
	fail := func(at int64, code Fault) {
		if !skip {
			o.fail(at, code.bit())
		}
		skip = true
	}
	for _, w := range list {
		at := o.words * 11 / 8
		o.words++
		if w == moveindex.Idle {
			continue
		}
		switch operand {
		case textLength:
			operand, left = text, (8*int(w)+10)/11
			if left == 0 {
				operand = 0
			}
			continue
		case text:
			if left--; left == 0 {
				operand = 0
			}
			continue
		case nag:
			if operand = 0; w > 255 {
				fail(at, FaultOperand)
			}
			continue
		case start960:
			if left--; left == 0 {
				operand = 0
			}
			continue
		case start:
			if record = append(record, w); len(record) == bitstream.StartWords {
				operand = 0
				s := startOf(record)
				for row := 0; row <= 8 && !skip; row++ {
					o.op(Op{Sort: OpRow, Kind: uint8(row), Data: s.LoadData(row), Offset: at})
				}
				switch {
				case !s.WellFormed():
					if !skip {
						o.op(Op{Kind: BeatNew, Offset: at}) // the rows have gone
					}
					fail(at, FaultStart)
				case !skip && !o.bad:
					o.set(s, record)
				}
			}
			continue
		}
		front := !inGame
		inGame = true
		switch {
		case w < moveindex.NumMoves || w == moveindex.Null:
			hasMove = true
			if !skip && (nest == 0 || o.params.Depth > 0) {
				o.move(at, w)
			}
		case w <= moveindex.ResultUnknown && w >= moveindex.ResultBlackWins:
			if nest > 0 {
				fail(at, FaultPlace)
			}
			o.end(at, uint8(w-moveindex.ResultBlackWins))
			inGame, hasMove, nest, skip = false, false, 0, false
		case w == moveindex.VariationStart:
			switch {
			case !hasMove || nest == 255:
				fail(at, FaultPlace)
			case !skip && !o.open(at):
				skip = true
			}
			nest = min(nest+1, 255)
			hasMove = false
		case w == moveindex.VariationEnd:
			if !hasMove || nest == 0 {
				fail(at, FaultPlace)
			}
			nest = max(nest-1, 0)
			hasMove = true
			if !skip {
				o.shut(at)
			}
		case w == moveindex.Text:
			operand = textLength
		case w == moveindex.NAG:
			operand = nag
		case w == moveindex.Start:
			if !front {
				fail(at, FaultPlace)
			}
			operand, record = start, nil
		case w == moveindex.Start960:
			if front {
				fail(at, FaultChess960)
			} else {
				fail(at, FaultPlace)
			}
			operand, left = start960, bitstream.Start960Words
		case w > moveindex.Start960:
			fail(at, FaultCode)
		}
	}
}

func startOf(record []moveindex.Index) (s State) {
	field := func(at, n int) (v uint64) {
		for i := range n {
			bit := at + i
			v |= uint64(record[bit/11]) >> (bit % 11) & 1 << i
		}
		return v
	}
	for sq := range chess.NoSquare {
		s.Put(sq, chess.Piece(field(4*int(sq), 4)))
	}
	s.Side, s.Rights, s.EP = uint8(field(256, 1)), uint8(field(257, 4)), uint8(field(261, 4))
	return s
}

// set begins a game with the position of a start record.
func (o *Oracle) set(s State, record []moveindex.Index) {
	o.at = place{state: s}
	if o.params.Legal || o.params.Mate {
		p, err := bitstream.DecodeStart(record)
		if err != nil && o.err == nil {
			o.err = fmt.Errorf("oracle: game %d begins with a position that the rules do not know: %w", o.ends+1,
				err)
		}
		o.at.rules = p
	}
	o.before = o.at
}

// Brenner follows whole games from the usual position by the grammar in the header of ply11_brenner, with moves by the
// software's codec. It reports whether the bytes end inside a text.
func (o *Oracle) Brenner(l brenner.Layout, data []byte) (inText bool) {
	var moves []byte
	filled, glyphs, prefix := false, 0, -1
	base := o.bytes
	o.bytes += int64(len(data))
	for n, b := range data {
		at := base + int64(n)
		if inText {
			if b == 0 && !filled && len(moves) == 0 {
				o.fail(at, FaultPlace.bit())
			}
			inText, filled = b != 0, true
			continue
		}
		m := l.Meaning(b)
		pending := prefix
		prefix = -1
		misplaced := pending >= 0 && (m.Class != brenner.MoveByte ||
			m.Kind != l.Meaning(data[pending]).Kind && m.Kind != chess.Pawn)
		switch m.Class {
		case brenner.ResultByte, brenner.UnknownResult:
			o.end(at, uint8(m.Result-moveindex.ResultBlackWins))
			moves, glyphs = nil, 0
			continue
		case brenner.Unassigned:
			o.fail(at, FaultCode.bit())
			continue
		case brenner.TextByte:
			inText, filled = true, false
		case brenner.GlyphByte:
			if glyphs++; glyphs > 2 || len(moves) == 0 {
				misplaced = true
			}
		case brenner.PrefixByte:
			if pending < 0 {
				prefix = n
			}
		}
		if misplaced {
			o.fail(at, FaultPlace.bit())
			if m.Class == brenner.MoveByte || m.Class == brenner.CastlingByte {
				moves = append(moves, b)
			}
			continue
		}
		if m.Class != brenner.MoveByte && m.Class != brenner.CastlingByte {
			continue
		}
		glyphs = 0
		if pending >= 0 {
			moves = append(moves, data[pending])
		}
		moves = append(moves, b)
		if !o.bad {
			o.brennerMove(l, at, m, moves)
		}
	}
	return inText
}

func (o *Oracle) brennerMove(l brenner.Layout, at int64, m brenner.Meaning, moves []byte) {
	words, _, err := l.DecodeIndices(nil, moves)
	switch {
	case err == nil:
		o.move(at, words[len(words)-1])
	case errors.Is(err, codec.ErrCastling):
		// One code for the codec, several for the board.
		o.fail(at, o.at.state.Check(Castling(chess.Color(o.at.state.Side), m.Kingside)).bit()|FaultCastling.bit())
	case errors.Is(err, codec.ErrNoPiece):
		o.fail(at, FaultEmpty.bit())
	case errors.Is(err, codec.ErrOwnPiece):
		codes := FaultOwn.bit()
		if n := len(moves); m.Kind == chess.Pawn && n > 1 && l.Meaning(moves[n-2]).Class == brenner.PrefixByte {
			codes |= FaultGeometry.bit() // it promotes, and may do so on another rank than the last
		}
		o.fail(at, codes)
	case errors.Is(err, codec.ErrNumberTaken):
		o.fail(at, codesOf(FaultPlace, FaultEmpty))
	case errors.Is(err, codec.ErrPromotion):
		o.fail(at, codesOf(FaultGeometry, FaultOwn))
	case errors.Is(err, position.ErrIllegal):
		o.fail(at, FaultGeometry.bit())
	default:
		panic(fmt.Sprintf("oracle: an error of package brenner that has no code: %v", err))
	}
}

// Castling returns the index of a side's castling.
func Castling(side chess.Color, kingside bool) moveindex.Index {
	home := chess.E1
	if side == chess.Black {
		home = chess.E8
	}
	to := home - 2
	if kingside {
		to = home + 2
	}
	i, _ := moveindex.Of(chess.NewMove(home, to))
	return i
}

// A JoseToken is a byte of GameText, with its second byte or its text.
type JoseToken struct {
	At      int
	Meaning jose.Meaning
	Second  uint8
}

// JoseTokens splits GameText up to the end code, and returns the bytes that this takes.
func JoseTokens(d jose.Dialect, data []byte) (tokens []JoseToken, size int) {
	for i := 0; i < len(data); {
		t := JoseToken{At: i, Meaning: jose.MeaningOf(data[i])}
		i++
		switch t.Meaning.Class {
		case jose.PromotionByte, jose.PromotedByte, jose.NAGByte:
			if i == len(data) {
				return tokens, i
			}
			t.Second = data[i]
			i++
		case jose.TextByte, jose.ErrorByte:
			if d == jose.Document {
				end := bytes.IndexByte(data[i:], 0)
				if end < 0 {
					return tokens, len(data)
				}
				i += end + 1
			}
		}
		tokens = append(tokens, t)
		if t.Meaning.Class == jose.EndByte {
			return tokens, i
		}
	}
	return tokens, len(data)
}

// Jose follows one game from the position that was loaded before it, or the usual one, up to the first error of the
// codec or of State.Play. It returns the bytes up to the game's end.
func (o *Oracle) Jose(d jose.Dialect, data []byte) (size int) {
	o.begin()
	tokens, size := JoseTokens(d, data)
	base := o.bytes
	o.bytes += int64(size)
	r := joseRead{src: data, wrong: len(data)}
	if o.params.Depth == 0 {
		r.src, r.from, r.wrong = joseMainLine(data, tokens)
	}
	words, _, err := o.codecs.jose.DecodeIndices(d, &o.start, nil, r.src)
	r.err = err
	var werr *codec.Error
	switch {
	case errors.As(err, &werr) && int(werr.Offset) < len(r.src):
		r.told = r.place(int(werr.Offset))
		r.wrong = min(r.wrong, r.told)
	case err != nil && werr == nil:
		r.wrong = 0
	}
	nest, w, result, told := 0, 0, uint8(3), false
	for _, t := range tokens {
		at, c := base+int64(t.At), t.Meaning.Class
		if t.At >= r.wrong {
			codes := r.codes(t, o.params.Depth)
			if told {
				codes |= FaultPlace.bit() // after the result
			}
			o.fail(at, codes)
		}
		switch c {
		case jose.ResultByte:
			result, told = uint8(t.Meaning.Code), true
			continue
		case jose.EndByte:
			o.end(at, result)
			return size
		}
		if o.bad {
			continue
		}
		if o.params.Depth == 0 && (nest > 0 || c == jose.VariationByte) {
			switch c {
			case jose.VariationByte:
				nest++
			case jose.VariationEndByte:
				nest--
			}
			continue
		}
		switch c {
		case jose.NAGByte, jose.NAGCode:
			w++
			if words[w-1] == moveindex.NAG {
				w++
			}
		case jose.VariationByte:
			w++
			o.open(at)
		case jose.VariationEndByte:
			w++
			o.shut(at)
		case jose.MoveByte, jose.CastlingByte, jose.NullByte, jose.PromotionByte, jose.PromotedByte:
			w++
			o.move(at, words[w-1])
		}
	}
	return size
}

// A joseRead is what the codec says of a game's bytes, or with DEPTH 0 of those of its main line.
type joseRead struct {
	src   []byte
	from  []int // where each byte of src was; nil: where it is
	err   error
	told  int // where the codec's error is
	wrong int // the first byte that is wrong
}

func (r *joseRead) place(i int) int {
	if r.from == nil {
		return i
	}
	return r.from[i]
}

func (r *joseRead) codes(t JoseToken, depth int) uint16 {
	if errors.Is(r.err, codec.ErrTooManyPieces) {
		return FaultStart.bit()
	}
	var werr *codec.Error
	if errors.As(r.err, &werr) && r.told == t.At {
		operand := t.Meaning.Class == jose.PromotionByte || t.Meaning.Class == jose.PromotedByte
		second := operand || t.Meaning.Class == jose.NAGByte
		switch {
		case operand && t.Second == 0:
			return FaultOperand.bit()
		case second && (errors.Is(r.err, codec.ErrReserved) || errors.Is(r.err, codec.ErrTruncated)):
			return codesOf(FaultOperand, FaultEmpty, FaultGeometry)
		case errors.Is(r.err, codec.ErrReserved):
			return FaultCode.bit()
		case errors.Is(r.err, codec.ErrNoPiece):
			return codesOf(FaultEmpty, FaultOpponent, FaultGeometry) // one who was just taken is told by the board
		case errors.Is(r.err, codec.ErrOwnPiece):
			return codesOf(FaultOwn, FaultGeometry) // a pawn's piece ahead is told by the codec
		case errors.Is(r.err, codec.ErrOffBoard), errors.Is(r.err, codec.ErrNothingToTake),
			errors.Is(r.err, codec.ErrPromotion):
			return codesOf(FaultGeometry, FaultOwn, FaultEmpty)
		case errors.Is(r.err, codec.ErrCastling):
			return codesOf(FaultCastling, FaultOwn)
		case errors.Is(r.err, codec.ErrGrammar):
			return FaultPlace.bit()
		}
	}
	board := codesOf(FaultEmpty, FaultOpponent, FaultOwn, FaultGeometry, FaultCastling)
	switch t.Meaning.Class {
	case jose.VariationByte:
		return codesOf(FaultDepth, FaultPlace)
	case jose.PromotionByte:
		if depth == 0 {
			return board | FaultOperand.bit()
		}
		return board
	case jose.PromotedByte:
		return board | FaultOperand.bit()
	case jose.MoveByte, jose.CastlingByte, jose.NullByte:
		return board
	case jose.Reserved:
		return FaultCode.bit()
	}
	return FaultPlace.bit()
}

// joseMainLine leaves out the variations, which ply11_jose steps over with DEPTH 0. It returns what is left and where
// each byte of it was, and the first byte that is wrong by the brackets alone.
func joseMainLine(data []byte, tokens []JoseToken) (out []byte, from []int, wrong int) {
	nest := 0
	wrong = len(data)
	moved, result := false, false
	for i, t := range tokens {
		end := len(data)
		if i+1 < len(tokens) {
			end = tokens[i+1].At
		}
		bad := false
		main := nest == 0
		switch t.Meaning.Class {
		case jose.VariationByte:
			bad = !moved || nest == 255 || result
			nest++
			moved, main = false, false
		case jose.VariationEndByte:
			bad = nest == 0 || result
			nest--
			moved, main = true, false
		case jose.ResultByte:
			bad = nest > 0
			result = true
		case jose.EndByte:
			bad = nest > 0
		case jose.Reserved:
			bad = true
		case jose.PromotionByte, jose.PromotedByte:
			bad = t.Second == 0
			moved = true
		case jose.MoveByte, jose.CastlingByte, jose.NullByte:
			moved = true
		}
		if bad {
			return out, from, t.At
		}
		if main {
			for at := t.At; at < end; at++ {
				out, from = append(out, data[at]), append(from, at)
			}
		}
	}
	return out, from, wrong
}

// ChessBase follows one game from the position that was loaded before it, or the usual one; the codec's generator
// numbers the moves. The bytes are those of a record's moves, then 0 and the record's byte with the result. It returns
// how many they are.
func (o *Oracle) ChessBase(n chessbase.Numbering, data []byte) (size int) {
	o.begin()
	at := chessbase.NewGenerator(o.start, n)
	before := at
	var around [][2]chessbase.Generator
	nest, moved := 0, false
	for i, b := range data {
		offset := o.bytes + int64(i)
		if b == 0 {
			if nest > 0 {
				o.fail(offset, FaultPlace.bit())
			}
			result := uint8(3)
			if i+1 < len(data) {
				size = i + 2
				result = cbfResult(data[i+1])
			}
			o.bytes += int64(size)
			o.end(offset, result)
			return size
		}
		played := o.params.Depth > 0 || nest == 0
		switch {
		case o.bad:
		case b == 0xff && (!moved || nest == 255):
			o.fail(offset, FaultPlace.bit())
		case b == 0xff:
			if !o.open(offset) {
				continue
			}
			nest++
			moved = false
			if o.params.Depth > 0 {
				around = append(around, [2]chessbase.Generator{at, before})
				at = before
			}
		case b == 0x80 && nest == 0:
			o.fail(offset, FaultPlace.bit())
		case b == 0x80:
			o.shut(offset)
			nest--
			moved = true
			if k := len(around) - 1; k >= 0 {
				at, before = around[k][0], around[k][1]
				around = around[:k]
			}
		case played:
			moved = true
			m, ok := at.Generated(int(b &^ 0x80))
			if !ok {
				o.fail(offset, FaultOperand.bit())
				continue
			}
			index, _ := moveindex.Of(m)
			if o.move(offset, index); !o.bad {
				before = at
				at.Make(m)
			}
		default:
			moved = true
		}
	}
	o.bytes += int64(len(data))
	return len(data)
}

// cbfResult is the result that the software's reader gives a game with that byte in its header.
func cbfResult(b byte) uint8 {
	var record chessbase.Record
	var g game.Game
	record.Header[1] = b
	if _, err := chessbase.DecodeGame(&record, &g, chessbase.NumberingDocument); err != nil {
		panic(fmt.Sprintf("oracle: a game without moves: %v", err))
	}
	return uint8(g.Result.Index() - moveindex.ResultBlackWins)
}

// A Ply is a ply of a game by package position.
type Ply struct {
	Index moveindex.Index // or moveindex.Null
	Piece chess.Piece     // who moves, and what he takes
	Taken chess.Piece
	Depth uint8 // variations around it, at most 255
	State State // after it; its Ply counts from the start position
	Rules position.Position
}

// Plies returns the plies of a game, those of variations too, in the order of the text.
func Plies(g *game.Game) (plies []Ply) {
	line := position.NewLine(g.Start)
	first := uint16(g.Start.Ply())
	for e := range g.All() {
		switch e.Kind {
		case game.MoveEvent:
			i, piece, taken := moveindex.Null, chess.NoPiece, chess.NoPiece
			if e.Move != chess.NullMove {
				i, _ = moveindex.Of(e.Move)
				piece, taken = line.At.PieceAt(e.Move.From()), line.At.PieceAt(e.Move.To())
				if piece.Kind() == chess.Pawn && taken == chess.NoPiece && e.Move.From().File() != e.Move.To().File() {
					taken = chess.NewPiece(line.At.Turn().Other(), chess.Pawn)
				}
			}
			line.Make(e.Move)
			s := NewState(&line.At)
			s.Ply -= first
			plies = append(plies, Ply{i, piece, taken, uint8(min(line.Depth(), 255)), s, line.At})
		case game.VariationStart:
			line.Open()
		case game.VariationEnd:
			line.Close()
		}
	}
	return plies
}

// Game adds the beats of a sound game by package position alone. The places of its bytes are not known.
func (o *Oracle) Game(g *game.Game) { o.Played(g, Plies(g)) }

// Played is Game with these plies of the game.
func (o *Oracle) Played(g *game.Game, plies []Ply) {
	start := NewState(&g.Start)
	start.Ply = 0
	o.at = place{start, g.Start}
	line := o.at // of the moves of the main line
	for _, p := range plies {
		if o.bad || p.Depth > 0 && o.params.Depth == 0 {
			continue
		}
		if int(p.Depth) > o.params.Depth {
			o.bad = true
			o.beats = append(o.beats, Beat{Kind: BeatError, Codes: FaultDepth.bit(), Offset: -1,
				Game: int32(o.ends + 1), Ply: o.ply + 1})
			continue
		}
		o.at = place{p.State, p.Rules}
		if p.Depth == 0 {
			line = o.at
		}
		o.show(Beat{Kind: BeatPly, Index: p.Index, Piece: p.Piece, Taken: p.Taken, Depth: p.Depth, Offset: -1})
		o.ply++
	}
	if !o.bad {
		o.at = line
	}
	o.end(-1, uint8(g.Result.Index()-moveindex.ResultBlackWins))
}
