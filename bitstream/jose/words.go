// SPDX-License-Identifier: Apache-2.0

package jose

import (
	"bytes"
	"fmt"

	"ply11/bitstream/piecelist"
	"ply11/chess"
	"ply11/game/codec"
	"ply11/moveindex"
	"ply11/position"
)

// MaxNesting is how deep variations may nest, which bounds the memory: 400 bytes a level.
const MaxNesting = 256

// What is wrong with variations, in bytes and in words.
var (
	errNesting     = fmt.Errorf("%w: variations nested deeper than %d", codec.ErrLimit, MaxNesting)
	errNoMove      = fmt.Errorf("%w: a variation without a move that it could replace", codec.ErrGrammar)
	errNoVariation = fmt.Errorf("%w: the end of a variation that has not begun", codec.ErrGrammar)
	errInside      = fmt.Errorf("%w: a result inside a variation", codec.ErrGrammar)
	errOpen        = fmt.Errorf("%w: a variation that is not closed", codec.ErrGrammar)

	errSecondByte = fmt.Errorf("%w: the second byte is missing", codec.ErrTruncated)
)

// trace is what a Reader wants to know beside the words.
type trace struct {
	offsets []int32 // of each word, its byte
	texts   []text  // for each of which a word Text stands
}

// text is where a text begins and ends (in Document), and the byte that announced it.
type text struct {
	code       uint8
	start, end int32
}

// level is what a variation interrupts.
type level struct {
	men  piecelist.List
	last piecelist.Undo
	ply  int
	turn chess.Color
}

// Decoder keeps the memory that variations need from one game to the next. The zero value is ready.
type Decoder struct {
	levels []level
}

// DecodeIndices reads the GameText of one game from the usual start position, to its end code, and appends it to
// dst as words of the flat stream: moves, null moves, NAGs, variations and, if there is one, the result. Text and
// records of errors are passed over. It returns the words and the number of bytes read. The error is a *codec.Error;
// what comes before it is in dst.
//
// Numbers, geometry, pieces of one's own and what a pawn takes are verified, other rules are not; for that, see Reader.
// Cost: about 8 ns a ply.
func (d Dialect) DecodeIndices(dst []moveindex.Index, src []byte) ([]moveindex.Index, int, error) {
	var x Decoder
	m := piecelist.Start()
	return x.decode(d, &m, chess.White, dst, src, nil)
}

// DecodeIndices is Dialect.DecodeIndices from a start position. The error is a *piecelist.TooManyError where a piece of
// it has no code.
func (x *Decoder) DecodeIndices(d Dialect, start *position.Position, dst []moveindex.Index, src []byte) (
	[]moveindex.Index, int, error) {
	var m piecelist.List
	if err := setup(&m, start); err != nil {
		return dst, 0, err
	}
	return x.decode(d, &m, start.Turn(), dst, src, nil)
}

var usual = position.Start()

func setup(m *piecelist.List, start *position.Position) error {
	if *start == usual {
		m.Reset()
		return nil
	}
	return m.Setup(start)
}

func (x *Decoder) decode(d Dialect, m *piecelist.List, turn chess.Color, dst []moveindex.Index, src []byte, tr *trace) (
	[]moveindex.Index, int, error) {
	t := &dialects[d%numDialects]
	x.levels = x.levels[:0]
	var last piecelist.Undo
	ply, hasMove, hasResult := 0, false, false
	for i := 0; i < len(src); {
		if hasResult && src[i] != codeEnd {
			return dst, i, codec.At(i, ply, fmt.Errorf("%w: after the result", codec.ErrGrammar))
		}
		e := t.decode[turn][src[i]]
		at, n, moves := i, 1, true // where the code begins, its bytes, and whether it is a move
		word := moveindex.Null
		var err error
		switch class := Class(e>>decodeClass+uint16(MoveByte)) & 15; class {
		case MoveByte:
			who := piecelist.Piece(e&15) | piecelist.Piece(turn)<<5
			from := m.Square(who)
			if from >= piecelist.Gone {
				err = codec.ErrNoMan
				break
			}
			s := t.steps[e>>decodeRow&63][from]
			to := chess.Square(s >> stepTo & 63)
			captured, on := m.At(to), to
			if s >= stepPawnTake {
				if captured, on, err = pawnStep(m, turn, s, from, to); err != nil {
					break
				}
			}
			if captured.Color() == turn {
				err = codec.ErrOwnMan
				break
			}
			m.Move(who, to)
			word = moveindex.Index(s)
			last = piecelist.Moved(chess.NewMove(from, to), who, captured, on)
		case CastlingByte:
			last, err = castle(m, turn, src[i] == codeKingside)
			word, _ = moveindex.Of(last.Move)
		case NullByte:
			last = piecelist.Undo{}
		case PromotionByte, PromotedByte:
			if n = 2; i+1 >= len(src) {
				err = errSecondByte
				break
			}
			var mv chess.Move
			if mv, err = t.secondByte(m, turn, src[i], src[i+1]); err == nil {
				last, err = m.Make(mv)
				word, _ = moveindex.Of(mv)
			}
		case NAGByte, NAGCode:
			moves = false
			nag := moveindex.Index(src[i] - codeNAG)
			if class == NAGByte {
				if n = 2; i+1 >= len(src) {
					err = errSecondByte
					break
				}
				nag = moveindex.Index(src[i+1])
			}
			if nag >= 1 && nag <= 31 {
				dst = append(dst, moveindex.NAG1-1+nag)
			} else {
				dst = append(dst, moveindex.NAG, nag)
			}
		case TextByte, ErrorByte:
			moves = false
			found := text{code: src[i]}
			if d == Document {
				end := bytes.IndexByte(src[i+1:], 0)
				if end < 0 {
					err = fmt.Errorf("%w: a text that does not end", codec.ErrTruncated)
					break
				}
				found.start, found.end = int32(i+1), int32(i+1+end)
				n = end + 2
			}
			if tr != nil {
				tr.texts = append(tr.texts, found)
				dst = append(dst, moveindex.Text)
			}
		case VariationByte:
			switch {
			case !hasMove:
				err = errNoMove
			case len(x.levels) == MaxNesting:
				err = errNesting
			}
			if moves = false; err != nil {
				break
			}
			x.levels = append(x.levels, level{*m, last, ply, turn})
			m.Undo(last)
			ply--
			turn ^= 1
			hasMove = false
			dst = append(dst, moveindex.VariationStart)
		case VariationEndByte:
			if moves = false; len(x.levels) == 0 {
				err = errNoVariation
				break
			}
			l := &x.levels[len(x.levels)-1]
			*m, last, ply, turn, hasMove = l.men, l.last, l.ply, l.turn, true
			x.levels = x.levels[:len(x.levels)-1]
			dst = append(dst, moveindex.VariationEnd)
		case ResultByte:
			if moves = false; len(x.levels) > 0 {
				err = errInside
				break
			}
			hasResult = true
			dst = append(dst, moveindex.ResultBlackWins+moveindex.Index(src[i]-codeResult))
		case EndByte:
			if len(x.levels) == 0 {
				return dst, i + 1, nil
			}
			moves, err = false, errOpen
		default:
			err = fmt.Errorf("%w %#02x", codec.ErrReserved, src[i])
		}
		if err != nil {
			if moves {
				return dst, i, codec.At(at, ply+1, err)
			}
			return dst, i, codec.At(at, ply, err)
		}
		if moves {
			dst = append(dst, word)
			turn ^= 1
			ply++
			hasMove = true
		}
		if tr != nil {
			for len(tr.offsets) < len(dst) {
				tr.offsets = append(tr.offsets, int32(at))
			}
		}
		i += n
	}
	return dst, len(src), codec.At(len(src), ply, fmt.Errorf("%w: no end code", codec.ErrTruncated))
}

// pawnStep is what a pawn's step with flags asks for: it is off the board, or a pawn takes, or reaches
// its last rank. It returns who is taken, and where.
func pawnStep(m *piecelist.List, turn chess.Color, s uint32, from, to chess.Square) (piecelist.Piece, chess.Square,
	error) {
	switch {
	case s&stepOff != 0:
		return piecelist.None, to, codec.ErrOffBoard
	case s&stepLast != 0:
		return piecelist.None, to, fmt.Errorf("%w: a pawn on its last rank", codec.ErrPromotion)
	}
	return m.PawnTakes(turn, from, to)
}

func castle(m *piecelist.List, turn chess.Color, kingside bool) (piecelist.Undo, error) {
	home := chess.E1 + 56*chess.Square(turn)
	to := home - 2
	if kingside {
		to = home + 2
	}
	if m.At(home) != piecelist.NewPiece(turn, piecelist.King) {
		return piecelist.Undo{}, codec.ErrCastling
	}
	return m.Make(chess.NewMove(home, to))
}

// secondByte returns the move of a promotion or of a promoted piece.
func (t *tables) secondByte(m *piecelist.List, turn chess.Color, first, second uint8) (chess.Move, error) {
	if second == 0 {
		return 0, fmt.Errorf("%w: a second byte that is 0", codec.ErrReserved)
	}
	promotion := first < codePromoted
	pawn := piecelist.NewPiece(turn, piecelist.Pawns+int(first&7))
	who, row, offset := pawn, 0, int(second>>2&3)
	if promotion {
		row = rowOf(chess.Pawn, turn)
	} else {
		who = piecelist.PromotedPiece(pawn)
		offset = int(second & 31)
	}
	from := m.Square(who)
	if from >= piecelist.Gone {
		return 0, codec.ErrNoMan
	}
	if !promotion {
		k := m.Kind(who)
		if offset >= offsets[k] {
			return 0, fmt.Errorf("%w: a second byte with offset %x of a %v", codec.ErrReserved, offset, k)
		}
		row = rowOf(k, turn)
	}
	s := t.steps[(row+offset)%numRows][from]
	to := chess.Square(s >> stepTo & 63)
	switch {
	case s&stepOff != 0:
		return 0, codec.ErrOffBoard
	case m.At(to).Color() == turn:
		return 0, codec.ErrOwnMan
	case !promotion:
		return chess.NewMove(from, to), nil
	case s&stepLast == 0:
		return 0, fmt.Errorf("%w: not on the last rank", codec.ErrPromotion)
	case s&stepPawnTake != 0 && m.At(to) == piecelist.None:
		return 0, codec.ErrNothingToTake
	}
	mv := chess.NewPromotion(from, to, promotionKinds[second&3])
	if _, ok := moveindex.Of(mv); !ok {
		return 0, position.ErrIllegal // two steps to the last rank
	}
	return mv, nil
}

// encoder writes a game's moves.
type encoder struct {
	t      *tables
	m      piecelist.List
	turn   chess.Color
	last   piecelist.Undo
	ply    int
	moved  bool // the line has a move
	levels []level
}

// Encoder keeps the memory that variations need from one game to the next. The zero value is ready.
type Encoder struct {
	encoder
}

func (e *encoder) reset(d Dialect, start *position.Position) error {
	e.t, e.turn, e.last, e.ply, e.moved, e.levels = &dialects[d%numDialects], start.Turn(), piecelist.Undo{}, 0, false,
		e.levels[:0]
	return setup(&e.m, start)
}

// EncodeIndices writes the GameText of one game from the usual start position, given as words of the flat stream, and
// appends it to dst: moves, null moves, NAGs, variations, the result, if there is one, and the end code. It returns the
// bytes and the number of words read. The error is a *codec.Error, whose Offset counts words: codec.ErrLoss for a start
// and for text, or as in DecodeIndices; what comes before it is in dst.
// Cost: about 10 ns a ply.
func (d Dialect) EncodeIndices(dst []byte, src []moveindex.Index) ([]byte, int, error) {
	var e Encoder
	return e.EncodeIndices(d, &usual, dst, src)
}

// EncodeIndices is Dialect.EncodeIndices from a start position.
func (e *Encoder) EncodeIndices(d Dialect, start *position.Position, dst []byte, src []moveindex.Index) ([]byte, int,
	error) {
	if err := e.reset(d, start); err != nil {
		return dst, 0, err
	}
	for i := 0; i < len(src); i++ {
		w := src[i]
		var err error
		switch {
		case w < moveindex.NumMoves:
			dst, err = e.move(dst, w)
		case w <= moveindex.ResultUnknown:
			if len(e.levels) > 0 {
				return dst, i, codec.AtWord(i, e.ply, errInside)
			}
			return append(dst, codeResult+byte(w-moveindex.ResultBlackWins), codeEnd), i + 1, nil
		case w == moveindex.Null:
			dst = e.null(dst)
		case w == moveindex.VariationStart:
			dst, err = e.startVariation(dst)
		case w == moveindex.VariationEnd:
			dst, err = e.endVariation(dst)
		case w == moveindex.NAG:
			for i++; i < len(src) && src[i] == moveindex.Idle; i++ {
			}
			if i >= len(src) || src[i] > 255 {
				err = codec.ErrLoss
				break
			}
			dst = appendNAG(dst, uint8(src[i]))
		case w >= moveindex.NAG1 && w <= moveindex.NAG31:
			dst = appendNAG(dst, uint8(w-moveindex.NAG1+1))
		case w == moveindex.Idle:
		default:
			err = codec.ErrLoss
		}
		if err != nil {
			return dst, i, codec.AtWord(i, e.ply+1, err)
		}
	}
	if len(e.levels) > 0 {
		return dst, len(src), codec.AtWord(len(src), e.ply, errOpen)
	}
	return append(dst, codeEnd), len(src), nil
}

func appendNAG(dst []byte, nag uint8) []byte {
	if nag >= 1 && nag <= 31 {
		return append(dst, codeNAG+nag)
	}
	return append(dst, codeNAG, nag)
}

func (e *encoder) null(dst []byte) []byte {
	e.last = piecelist.Undo{}
	e.made()
	return append(dst, codeNull)
}

// made ends a move.
func (e *encoder) made() {
	e.turn ^= 1
	e.ply++
	e.moved = true
}

func (e *encoder) startVariation(dst []byte) ([]byte, error) {
	switch {
	case !e.moved:
		return dst, errNoMove
	case len(e.levels) == MaxNesting:
		return dst, errNesting
	}
	e.levels = append(e.levels, level{e.m, e.last, e.ply, e.turn})
	e.m.Undo(e.last)
	e.ply--
	e.turn ^= 1
	e.moved = false
	return append(dst, codeStart), nil
}

func (e *encoder) endVariation(dst []byte) ([]byte, error) {
	if len(e.levels) == 0 {
		return dst, errNoVariation
	}
	l := &e.levels[len(e.levels)-1]
	e.m, e.last, e.ply, e.turn, e.moved = l.men, l.last, l.ply, l.turn, true
	e.levels = e.levels[:len(e.levels)-1]
	return append(dst, codeEndVar), nil
}

// move writes the move of an index below NumMoves.
func (e *encoder) move(dst []byte, w moveindex.Index) ([]byte, error) {
	m := &e.m
	mv, _ := w.Move()
	from, to := mv.From(), mv.To()
	who := m.At(from)
	if who.Color() != e.turn {
		return dst, codec.ErrNoMan
	}
	captured := m.At(to)
	if captured.Color() == e.turn {
		return dst, codec.ErrOwnMan
	}
	k := m.Kind(who)
	table := k
	if k == chess.Pawn && e.turn == chess.Black {
		table = chess.NoKind
	}
	offset := e.t.encode[table&7][mv&4095]
	slot := uint8(who & 31)
	on := to
	switch {
	case w >= moveindex.FirstPromotion:
		switch {
		case k != chess.Pawn || offset == noOffset:
			return dst, position.ErrIllegal
		case offset != 0 && captured == piecelist.None:
			return dst, codec.ErrNothingToTake
		}
		var err error
		if e.last, err = m.Make(mv); err != nil {
			return dst, err
		}
		e.made()
		var piece uint8
		for promotionKinds[piece] != mv.Promotion() {
			piece++
		}
		return append(dst, codePromotion+slot, secondByte|offset<<2|piece), nil
	case offset == noOffset:
		if k != chess.King || !piecelist.IsCastling(mv) {
			return dst, position.ErrIllegal
		}
		var err error
		if e.last, err = castle(m, e.turn, to > from); err != nil {
			return dst, err
		}
		e.made()
		if to > from {
			return append(dst, codeKingside), nil
		}
		return append(dst, codeQueenside), nil
	case k == chess.Pawn && (captured == piecelist.None && (from^to)&7 != 0 || to-8 >= 48):
		// A pawn that takes nobody, or reaches its last rank without a promotion.
		if to-8 >= 48 {
			return dst, fmt.Errorf("%w: a pawn on its last rank", codec.ErrPromotion)
		}
		var err error
		if captured, on, err = m.PawnTakes(e.turn, from, to); err != nil {
			return dst, err
		}
	}
	m.Move(who, to)
	e.last = piecelist.Moved(mv, who, captured, on)
	e.made()
	if slot >= piecelist.Promoted {
		return append(dst, codePromoted+slot-piecelist.Promoted, secondByte|offset), nil
	}
	return append(dst, base[slot&15]+offset), nil
}
