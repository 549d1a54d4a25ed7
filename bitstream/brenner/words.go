// SPDX-License-Identifier: Apache-2.0

package brenner

import (
	"bytes"
	"fmt"

	"ply11/bitstream/piecelist"
	"ply11/chess"
	"ply11/game/codec"
	"ply11/moveindex"
)

type trace struct {
	offsets []int32    // of each word, its byte
	texts   [][2]int32 // beginning and end of each text, for which a word Text stands
}

// glyphNAG is the NAG of one or two glyph bytes, '!' being 1.
var glyphNAG = [3][4]moveindex.Index{1: {2, 1}, 2: {0b00: 4, 0b01: 6, 0b10: 5, 0b11: 3}}

// glyphs are the NAGs $1 to $6 as glyphs.
var glyphs = [7]string{1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!"}

// DecodeIndices reads one game and appends it to dst as words of the flat stream: moves, NAGs and, if the game has one,
// the result. Text is passed over. It returns the words and the number of bytes read. The error is a *codec.Error; what
// comes before it is in dst.
//
// Numbers, geometry, pieces of one's own and what a pawn takes are verified, other rules are not; for that, see Reader.
func (l Layout) DecodeIndices(dst []moveindex.Index, src []byte) ([]moveindex.Index, int, error) {
	return l.decode(dst, src, nil, false)
}

func (l Layout) decode(dst []moveindex.Index, src []byte, tr *trace, strict bool) ([]moveindex.Index, int, error) {
	t := &layouts[l%numLayouts]
	m := piecelist.Start()
	var turn chess.Color
	ply, afterText, ended := 0, false, false
	i := 0
	for i < len(src) && !ended {
		e := t.decode[turn][src[i]]
		n, moves := 1, true // the bytes, and whether they are a move
		var word moveindex.Index
		var err error
		switch class := Class(e>>decodeClass) + MoveByte; class {
		case MoveByte:
			word, err = m.Follow(m.Named(piecelist.Name(e&31)|piecelist.Name(turn)<<5), turn,
				&steps[e>>decodeRow&127%numRows])
		case PrefixByte:
			word, err = t.prefixed(&m, turn, src[i:])
			n = 2
		case CastlingByte:
			side := 0
			if t.meaning[src[i]].Kingside {
				side = 1
			}
			if !m.Castle(turn, side == 1) {
				err = codec.ErrCastling
			}
			word = castling[turn][side]
		case TextByte:
			moves, afterText = false, true
			end := bytes.IndexByte(src[i+1:], 0)
			if end < 0 {
				err = fmt.Errorf("%w: a text that does not end", codec.ErrTruncated)
				break
			}
			n = end + 2
			if tr != nil {
				tr.texts = append(tr.texts, [2]int32{int32(i + 1), int32(i + 1 + end)})
				dst = append(dst, moveindex.Text)
			}
		case GlyphByte:
			run, bits := 0, 0
			for i+run < len(src) && t.meaning[src[i+run]].Class == GlyphByte {
				bits = bits<<1 | int(t.meaning[src[i+run]].Glyph>>1&1^1)
				run++
			}
			switch {
			case ply == 0:
				err = fmt.Errorf("%w: a glyph before the moves", codec.ErrGrammar)
			case afterText:
				err = fmt.Errorf("%w: a glyph after text", codec.ErrGrammar)
			case run > 2:
				err = fmt.Errorf("%w: %d glyphs in a row", codec.ErrGrammar, run)
			default:
				dst = append(dst, moveindex.NAG1-1+glyphNAG[run][bits])
			}
			n, moves = run, false
		case ResultByte, UnknownResult:
			if class == UnknownResult && strict {
				err = codec.ErrReserved
				break
			}
			moves, ended = false, true
			dst = append(dst, t.meaning[src[i]].Result)
		default:
			err = codec.ErrReserved
		}
		if moves {
			ply++
		}
		if err != nil {
			return dst, i, codec.At(i, ply, err)
		}
		if moves {
			dst = append(dst, word)
			turn ^= 1
			afterText = false
		}
		if tr != nil && len(tr.offsets) < len(dst) {
			tr.offsets = append(tr.offsets, int32(i))
		}
		i += n
	}
	return dst, i, nil
}

var castling = func() (t [2][2]moveindex.Index) {
	for c, home := range [2]chess.Square{chess.E1, chess.E8} {
		t[c][0], _ = moveindex.Of(chess.NewMove(home, home-2))
		t[c][1], _ = moveindex.Of(chess.NewMove(home, home+2))
	}
	return
}()

func (t *tables) prefixed(m *piecelist.List, turn chess.Color, src []byte) (moveindex.Index, error) {
	prefix := &t.meaning[src[0]]
	if len(src) < 2 {
		return 0, fmt.Errorf("%w: a prefix that nothing follows", codec.ErrTruncated)
	}
	move := &t.meaning[src[1]]
	if move.Class != MoveByte || move.Kind != prefix.Kind && move.Kind != chess.Pawn {
		return 0, fmt.Errorf("%w: a %v's prefix is followed by %v", codec.ErrGrammar, prefix.Kind, move)
	}
	name := piecelist.NewName(turn, prefix.Kind, prefix.Number)
	who := m.Named(name)
	if move.Kind == chess.Pawn {
		if m.Alive(who) {
			return 0, fmt.Errorf("%w: %v", codec.ErrNumberTaken, name)
		}
		who = piecelist.NewPiece(turn, piecelist.Pawns+move.Number)
	}
	row := &steps[move.row(turn)]
	if move.Kind == chess.Pawn {
		return m.FollowTo(who, name, row)
	}
	return m.Follow(who, turn, row)
}

type encoder struct {
	t    *tables
	m    piecelist.List
	turn chess.Color
}

// EncodeIndices writes one game, given as words of the flat stream, and appends its bytes to dst: moves, NAGs $1 to $6
// after a move (one for each) and the result, with which the game ends. It returns the bytes and the number of words
// read. The error is a *codec.Error, whose Offset counts words: codec.ErrLoss for what has no byte (null moves,
// variations, other NAGs, text, a start), codec.ErrTooManyPieces for a fifth piece of a kind, or as in DecodeIndices;
// what comes before it is in dst.
func (l Layout) EncodeIndices(dst []byte, src []moveindex.Index) ([]byte, int, error) {
	e := encoder{t: &layouts[l%numLayouts], m: piecelist.Start()}
	ply, glyph := 0, false
	for i := 0; i < len(src); i++ {
		w := src[i]
		if w < moveindex.NumMoves {
			var err error
			if dst, err = e.move(dst, w); err != nil {
				return dst, i, codec.AtWord(i, ply+1, err)
			}
			ply++
			glyph = false
			continue
		}
		switch w {
		case moveindex.ResultBlackWins, moveindex.ResultDraw, moveindex.ResultWhiteWins, moveindex.ResultUnknown:
			return append(dst, e.t.result(w)), i + 1, nil
		case moveindex.Idle:
			continue
		case moveindex.NAG:
			for i+1 < len(src) && src[i+1] == moveindex.Idle {
				i++
			}
			if i+1 < len(src) {
				i++
				w = moveindex.NAG1 - 1 + min(src[i], 32)
			}
		}
		nag := w - (moveindex.NAG1 - 1)
		if nag < 1 || nag > 6 || glyph || ply == 0 {
			return dst, i, codec.AtWord(i, ply, codec.ErrLoss)
		}
		dst = appendGlyphs(dst, uint8(nag))
		glyph = true
	}
	return dst, len(src), nil
}

func appendGlyphs(dst []byte, nag uint8) []byte {
	for _, g := range []byte(glyphs[nag]) {
		if g == '?' {
			dst = append(dst, 6)
		} else {
			dst = append(dst, 7)
		}
	}
	return dst
}

func (t *tables) result(w moveindex.Index) byte {
	switch w {
	case moveindex.ResultBlackWins:
		return 1
	case moveindex.ResultWhiteWins:
		return 2
	case moveindex.ResultDraw:
		return 3
	}
	return t.unknown
}

func (e *encoder) move(dst []byte, w moveindex.Index) ([]byte, error) {
	m := &e.m
	mv, _ := w.Move()
	from, to := mv.From(), mv.To()
	who := m.At(from)
	name := m.Name(who)
	code := e.t.encode[e.turn][name&31][stepOf[mv&4095]&63]
	if err := m.Prepare(e.turn, mv, code != 0); err != nil {
		return dst, err
	}
	switch kind := mv.Promotion(); {
	case kind != chess.NoKind:
		if name, ok := m.FreeName(e.turn, kind); ok {
			m.PromoteAs(who, to, name)
			dst = append(dst, e.t.prefix[name&31])
			break
		}
		return dst, &piecelist.TooManyError{Color: e.turn, Kind: kind, Count: 5, Limit: 4}
	case code != 0:
		m.Move(who, to)
		if code >= 1<<encodePrefix {
			dst = append(dst, byte(code>>encodePrefix))
		}
	case to > from:
		code = 4
	default:
		code = 5
	}
	e.turn ^= 1
	return append(dst, byte(code)), nil
}
