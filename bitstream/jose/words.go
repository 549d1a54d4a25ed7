// SPDX-License-Identifier: Apache-2.0

package jose

import (
	"bytes"
	"fmt"
	"slices"

	"ply11/bitstream/piecelist"
	"ply11/chess"
	"ply11/game/codec"
	"ply11/moveindex"
	"ply11/position"
)

// MaxNesting is how deep variations may nest, which bounds the memory: 800 bytes a level.
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

type trace struct {
	offsets []int32 // of each word, its byte
	texts   []text  // for each of which a word Text stands
}

// text is where a text begins and ends (in Document), and the byte before it.
type text struct {
	code       uint8
	start, end int32
}

type state struct {
	pieces piecelist.List
	before piecelist.List // the last move
	turn   chess.Color
	ply    int
	moved  bool // the line has a move
}

type lines struct {
	t *tables
	state
	levels []state // those around the line
}

// begin begins a game. The error is a *piecelist.TooManyError where a piece has no code.
func (l *lines) begin(d Dialect, start *position.Position) error {
	l.t, l.levels = &dialects[d%numDialects], l.levels[:0]
	l.turn, l.ply, l.moved = start.Turn(), 0, false
	if *start == usual {
		l.pieces.Reset()
		return nil
	}
	return l.pieces.Setup(start)
}

func (l *lines) made() {
	l.turn ^= 1
	l.ply++
	l.moved = true
}

// open begins a variation, which replaces the last move.
func (l *lines) open() error {
	switch {
	case !l.moved:
		return errNoMove
	case len(l.levels) == MaxNesting:
		return errNesting
	}
	l.levels = append(l.levels, l.state)
	l.pieces, l.turn, l.moved = l.before, l.turn^1, false
	l.ply--
	return nil
}

func (l *lines) close() error {
	n := len(l.levels) - 1
	if n < 0 {
		return errNoVariation
	}
	l.state, l.levels = l.levels[n], l.levels[:n]
	return nil
}

// Decoder keeps the memory that variations need from one game to the next. The zero value is ready.
type Decoder struct{ lines }

// DecodeIndices is Decoder.DecodeIndices from the usual start position.
func (d Dialect) DecodeIndices(dst []moveindex.Index, src []byte) ([]moveindex.Index, int, error) {
	return new(Decoder).DecodeIndices(d, &usual, dst, src)
}

// DecodeIndices reads the GameText of one game from a start position, to its end code, and appends it to dst as words
// of the flat stream: moves, null moves, NAGs, variations and, if there is one, the result. Text and records of errors
// are passed over. It returns the words and the number of bytes read. The error is a *codec.Error, and what comes
// before it is in dst; or a *piecelist.TooManyError where a piece of the start position has no code.
//
// Numbers, geometry, pieces of one's own and what a pawn takes are verified, other rules are not; for that, see Reader.
func (x *Decoder) DecodeIndices(d Dialect, start *position.Position, dst []moveindex.Index, src []byte) (
	[]moveindex.Index, int, error) {
	return x.decode(d, start, dst, src, nil)
}

var usual = position.Start()

func (x *Decoder) decode(d Dialect, start *position.Position, dst []moveindex.Index, src []byte, tr *trace) (
	[]moveindex.Index, int, error) {
	if err := x.begin(d, start); err != nil {
		return dst, 0, err
	}
	m := &x.pieces
	hasResult := false
	for i := 0; i < len(src); {
		if hasResult && src[i] != codeEnd {
			return dst, i, codec.At(i, x.ply, fmt.Errorf("%w: after the result", codec.ErrGrammar))
		}
		turn := x.turn
		e := x.t.decode[turn][src[i]]
		at, n, moves := i, 1, true // where the code begins, its bytes, and whether it is a move
		word := moveindex.Null
		var err error
		class := Class(e>>decodeClass+uint16(MoveByte)) & 15
		if class >= MoveByte && class <= PromotedByte {
			x.before = *m
		}
		switch class {
		case MoveByte:
			word, err = m.Follow(piecelist.NewPiece(turn, int(e&15)), turn, &x.t.steps[e>>decodeRow&63])
		case CastlingByte:
			home := chess.E1 + 56*chess.Square(turn)
			to := home - 2
			if src[i] == codeKingside {
				to = home + 2
			}
			if !m.Castle(turn, to > home) {
				err = codec.ErrCastling
			}
			word, _ = moveindex.Of(chess.NewMove(home, to))
		case NullByte:
		case PromotionByte, PromotedByte:
			if n = 2; i+1 >= len(src) {
				err = errSecondByte
				break
			}
			word, err = x.secondByte(src[i], src[i+1])
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
			if moves, err = false, x.open(); err == nil {
				dst = append(dst, moveindex.VariationStart)
			}
		case VariationEndByte:
			if moves, err = false, x.close(); err == nil {
				dst = append(dst, moveindex.VariationEnd)
			}
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
				return dst, i, codec.At(at, x.ply+1, err)
			}
			return dst, i, codec.At(at, x.ply, err)
		}
		if moves {
			dst = append(dst, word)
			x.made()
		}
		if tr != nil {
			for len(tr.offsets) < len(dst) {
				tr.offsets = append(tr.offsets, int32(at))
			}
		}
		i += n
	}
	return dst, len(src), codec.At(len(src), x.ply, fmt.Errorf("%w: no end code", codec.ErrTruncated))
}

// secondByte makes the move of a promotion or of a promoted piece.
func (l *lines) secondByte(first, second uint8) (moveindex.Index, error) {
	if second == 0 {
		return 0, fmt.Errorf("%w: a second byte that is 0", codec.ErrReserved)
	}
	m, turn := &l.pieces, l.turn
	pawn := piecelist.NewPiece(turn, piecelist.Pawns+int(first&7))
	if first < codePromoted {
		// Brenner's names do not matter here, but for their kind.
		name := piecelist.NewName(turn, promotionKinds[second&3], 0)
		return m.FollowTo(pawn, name, &l.t.steps[rowOf(chess.Pawn, turn)+int(second>>2&3)])
	}
	who, offset := piecelist.PromotedPiece(pawn), int(second&31)
	if !m.Alive(who) {
		return 0, codec.ErrNoPiece
	}
	k := m.Kind(who)
	if offset >= offsets[k] {
		return 0, fmt.Errorf("%w: a second byte with offset %x of a %v", codec.ErrReserved, offset, k)
	}
	return m.Follow(who, turn, &l.t.steps[rowOf(k, turn)+offset])
}

// Encoder keeps the memory that variations need from one game to the next. The zero value is ready.
type Encoder struct{ lines }

// EncodeIndices is Encoder.EncodeIndices from the usual start position.
func (d Dialect) EncodeIndices(dst []byte, src []moveindex.Index) ([]byte, int, error) {
	return new(Encoder).EncodeIndices(d, &usual, dst, src)
}

// EncodeIndices writes the GameText of one game from a start position, given as words of the flat stream, and appends
// it to dst: moves, null moves, NAGs, variations, the result, if there is one, and the end code. It returns the bytes
// and the number of words read. The error is a *codec.Error, whose Offset counts words: codec.ErrLoss for a start and
// for text, or as in DecodeIndices; what comes before it is in dst.
func (e *Encoder) EncodeIndices(d Dialect, start *position.Position, dst []byte, src []moveindex.Index) ([]byte, int,
	error) {
	if err := e.begin(d, start); err != nil {
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

func (e *Encoder) null(dst []byte) []byte {
	e.before = e.pieces
	e.made()
	return append(dst, codeNull)
}

func (e *Encoder) startVariation(dst []byte) ([]byte, error) {
	if err := e.open(); err != nil {
		return dst, err
	}
	return append(dst, codeStart), nil
}

func (e *Encoder) endVariation(dst []byte) ([]byte, error) {
	if err := e.close(); err != nil {
		return dst, err
	}
	return append(dst, codeEndVar), nil
}

func (e *Encoder) move(dst []byte, w moveindex.Index) ([]byte, error) {
	m := &e.pieces
	mv, _ := w.Move()
	from, to := mv.From(), mv.To()
	who := m.At(from)
	table := m.Kind(who)
	if table == chess.Pawn && e.turn == chess.Black {
		table = chess.NoKind
	}
	offset := e.t.encode[table&7][mv&4095]
	e.before = *m
	if err := m.Prepare(e.turn, mv, offset != noOffset); err != nil {
		return dst, err
	}
	slot := uint8(who & 31)
	switch kind := mv.Promotion(); {
	case kind != chess.NoKind:
		m.PromoteAs(who, to, piecelist.NewName(e.turn, kind, 0))
		dst = append(dst, codePromotion+slot, secondByte|offset<<2|uint8(slices.Index(promotionKinds[:], kind)))
	case offset == noOffset && to > from:
		dst = append(dst, codeKingside)
	case offset == noOffset:
		dst = append(dst, codeQueenside)
	default:
		m.Move(who, to)
		if slot >= piecelist.Promoted {
			dst = append(dst, codePromoted+slot-piecelist.Promoted, secondByte|offset)
		} else {
			dst = append(dst, base[slot&15]+offset)
		}
	}
	e.made()
	return dst, nil
}
