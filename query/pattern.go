// SPDX-License-Identifier: Apache-2.0

package query

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"ply11/chess"
	"ply11/position"
)

// pieces is a set of what a square may contain: bit p is the piece p (chess.Piece), bit 0 an empty square.
type pieces uint16

const (
	empty       pieces = 1
	whitePieces pieces = 0x007e // bits 1 to 6
	blackPieces pieces = 0x7e00 // bits 9 to 14
	anything           = empty | whitePieces | blackPieces
)

func (m pieces) swapped() pieces { return m&empty | m&whitePieces<<8 | m&blackPieces>>8 }

// single returns the only element of the set, and whether there is just one.
func (m pieces) single() (chess.Piece, bool) {
	for p := range chess.Piece(16) {
		if m == 1<<p {
			return p, true
		}
	}
	return 0, false
}

// place is a part of a pattern: one of the squares at least has one of the pieces.
type place struct {
	pieces  pieces
	squares position.Bitboard
}

// pattern is what a board must have.
type pattern struct {
	mask                       position.Bitboard // compared squares
	kind0, kind1, kind2, black position.Bitboard
	each                       []place           // of these, each square must have one of the pieces
	free                       position.Bitboard // first squares of pawns, from which these must be gone
	places                     []place           // the others
	all                        []place           // as it was read
}

func (t *pattern) matches(p *position.Position) bool {
	k0, k1, k2, b := p.Planes()
	if ((k0^t.kind0)|(k1^t.kind1)|(k2^t.kind2)|(b^t.black))&t.mask != 0 {
		return false
	}
	for i := range t.each {
		if t.each[i].squares&^t.each[i].pieces.on(p) != 0 {
			return false
		}
	}
	for i := range t.places {
		if !t.places[i].matches(p) {
			return false
		}
	}
	return true
}

func (l *place) matches(p *position.Position) bool { return l.pieces.on(p)&l.squares != 0 }

// on returns the squares that have one of the set.
func (m pieces) on(p *position.Position) (have position.Bitboard) {
	if bits.OnesCount16(uint16(m)) > 6 {
		return ^(anything &^ m).on(p)
	}
	k0, k1, k2, black := p.Planes()
	// Most sets are whole colours or few pieces.
	occupied := k0 | k1 | k2
	if m&empty != 0 {
		have = ^occupied
		m &^= empty
	}
	if m&whitePieces == whitePieces {
		have |= occupied &^ black
		m &^= whitePieces
	}
	if m&blackPieces == blackPieces {
		have |= occupied & black
		m &^= blackPieces
	}
	for ; m != 0; m &= m - 1 {
		piece := chess.Piece(trailing(uint64(m)))
		have |= p.Pieces(piece.Color(), piece.Kind())
	}
	return have
}

func newPattern(all []place) (pattern, error) {
	t := pattern{all: all}
	for _, l := range all {
		if l.squares&(l.squares-1) != 0 {
			t.places = append(t.places, l)
			continue
		}
		if !l.matches(&usual) {
			t.free |= l.squares & (position.Rank2 | position.Rank7)
		}
		piece, one := l.pieces.single()
		if !one {
			i := slices.IndexFunc(t.each, func(e place) bool { return e.pieces == l.pieces })
			if i < 0 {
				i, t.each = len(t.each), append(t.each, place{pieces: l.pieces})
			}
			t.each[i].squares |= l.squares
			continue
		}
		if t.mask&l.squares != 0 {
			s := l.squares.First()
			if t.pieceAt(s) != piece {
				return t, fmt.Errorf("%v cannot hold both %s and %s", s, pieceName(t.pieceAt(s)), pieceName(piece))
			}
			continue
		}
		t.mask |= l.squares
		for i, plane := range []*position.Bitboard{&t.kind0, &t.kind1, &t.kind2, &t.black} {
			if piece>>i&1 != 0 {
				*plane |= l.squares
			}
		}
	}
	return t, nil
}

func (t *pattern) pieceAt(s chess.Square) chess.Piece {
	return chess.Piece(t.kind0>>s&1 | t.kind1>>s&1<<1 | t.kind2>>s&1<<2 | t.black>>s&1<<3)
}

func pieceName(p chess.Piece) string {
	if p == chess.NoPiece {
		return "nothing"
	}
	return string(rune(p.Letter()))
}

// PatternSets returns what a value of the term "pattern" lets stand on each square: bit p is the piece p (chess.Piece),
// bit 0 an empty square. A piece on one of several squares is an error.
func PatternSets(s string) (sets [64]uint16, err error) {
	t, err := parsePattern(s)
	if err != nil {
		return sets, err
	}
	for i := range sets {
		sets[i] = uint16(anything)
	}
	for _, l := range t.all {
		if l.squares&(l.squares-1) != 0 {
			return sets, fmt.Errorf("%q asks for a piece on one of several squares", clip(s))
		}
		sets[l.squares.First()] &= uint16(l.pieces)
	}
	return sets, nil
}

// turned returns the pattern with files exchanged, colours and ranks, or both.
func (t *pattern) turned(mirror, swap bool) pattern {
	all := make([]place, len(t.all))
	for i, l := range t.all {
		if swap {
			l.pieces = l.pieces.swapped()
		}
		l.squares = turnSet(l.squares, mirror, swap)
		all[i] = l
	}
	turned, err := newPattern(all)
	if err != nil {
		panic("query: " + err.Error()) // the pattern itself was made so
	}
	return turned
}

func turnSet(b position.Bitboard, mirror, swap bool) (t position.Bitboard) {
	if !mirror && !swap {
		return b
	}
	for ; b != 0; b &= b - 1 {
		t |= position.SquareSet(turnSquare(b.First(), mirror, swap))
	}
	return t
}

func turnSquare(s chess.Square, mirror, swap bool) chess.Square {
	if mirror {
		s = s.MirrorFiles()
	}
	if swap {
		s = s.MirrorRanks()
	}
	return s
}

// parsePattern reads a pattern in one of two forms.
//
// A list of squares: "Ke1 pe5 .d4 [RQ]a1 [^Pp]f7 Ah2 N?5 Rd?". First comes a letter of FEN, '.' for an empty square,
// '!' for a piece, 'A' for a white one, 'a' for a black one, '?' for anything; or several of these in brackets, with
// '^' for none of them. '?' for a file or rank is any square of the other.
//
// A board as FEN has it, in which digits are squares with anything, with the signs above.
func parsePattern(s string) (pattern, error) {
	text := strings.TrimSpace(s)
	if text == "" {
		return pattern{}, fmt.Errorf("a pattern needs a square: Ke1, say, or a board like 8/8/8/3pP3/8/8/8/8")
	}
	if len(text) > maxText {
		return pattern{}, fmt.Errorf("%d bytes are too many for a pattern", len(text))
	}
	if strings.Contains(text, "/") {
		return parsePatternBoard(text)
	}
	var all []place
	for _, word := range strings.FieldsFunc(text, func(r rune) bool {
		return r == ' ' || r == ',' || r == '\t' ||
			r == '\n'
	}) {
		set, rest, err := parsePieces(word)
		if err != nil {
			return pattern{}, err
		}
		if len(rest) != 2 {
			return pattern{}, fmt.Errorf("%q is no piece and square, like Ke1", word)
		}
		squares, err := parseSquares(rest)
		if err != nil {
			return pattern{}, fmt.Errorf("%q: %w", word, err)
		}
		if set != anything {
			all = append(all, place{set, squares})
		}
	}
	return newPattern(all)
}

// parseSquares reads e4, e? or ?4.
func parseSquares(s string) (position.Bitboard, error) {
	if square, err := chess.ParseSquare(s); err == nil {
		return position.SquareSet(square), nil
	}
	file, rank := s[0], s[1]
	switch {
	case file == '?' && rank == '?':
		return position.AllSquares, nil
	case file == '?' && rank >= '1' && rank <= '8':
		return position.RankOf(int(rank - '1')), nil
	case rank == '?' && file >= 'a' && file <= 'h':
		return position.FileOf(int(file - 'a')), nil
	}
	return 0, fmt.Errorf("%q is no square", s)
}

// parsePieces reads what a square may contain from the begin of s, and returns the rest.
func parsePieces(s string) (set pieces, rest string, err error) {
	if s == "" {
		return 0, "", fmt.Errorf("a piece is missing")
	}
	if s[0] != '[' {
		set, err = parsePiece(s[0])
		return set, s[1:], err
	}
	inside, rest, ok := strings.Cut(s[1:], "]")
	if !ok {
		return 0, "", fmt.Errorf("%q has no closing bracket", s)
	}
	not := strings.HasPrefix(inside, "^")
	for _, c := range []byte(strings.TrimPrefix(inside, "^")) {
		m, err := parsePiece(c)
		if err != nil {
			return 0, "", err
		}
		set |= m
	}
	if not {
		set = anything &^ set
	}
	if set == 0 {
		return 0, "", fmt.Errorf("%q lets nothing stand there", s[:len(s)-len(rest)])
	}
	return set, rest, nil
}

func parsePiece(c byte) (pieces, error) {
	switch c {
	case '.':
		return empty, nil
	case '?':
		return anything, nil
	case '!':
		return whitePieces | blackPieces, nil
	case 'A':
		return whitePieces, nil
	case 'a':
		return blackPieces, nil
	}
	kind := chess.KindOf(c)
	if kind == chess.NoKind {
		return 0, fmt.Errorf(
			"%q is no piece: they are K Q R B N P, small for black, and . for an empty square, ! A a ? "+
				"for any piece, a white one, a black one, anything", string(rune(c)))
	}
	color := chess.White
	if c >= 'a' {
		color = chess.Black
	}
	return 1 << chess.NewPiece(color, kind), nil
}

func parsePatternBoard(text string) (pattern, error) {
	var all []place
	ranks := strings.Split(text, "/")
	if len(ranks) != 8 {
		return pattern{}, fmt.Errorf("a board has 8 ranks, not %d", len(ranks))
	}
	for i, rest := range ranks {
		rank, file := 7-i, 0
		for rest != "" {
			if c := rest[0]; c >= '1' && c <= '8' {
				file += int(c - '0')
				rest = rest[1:]
			} else {
				set, after, err := parsePieces(rest)
				if err != nil {
					return pattern{}, fmt.Errorf("rank %d: %w", rank+1, err)
				}
				if file < 8 && set != anything {
					all = append(all, place{set, position.SquareSet(chess.NewSquare(file, rank))})
				}
				file, rest = file+1, after
			}
			if file > 8 {
				break
			}
		}
		if file != 8 {
			return pattern{}, fmt.Errorf("rank %d has not 8 squares", rank+1)
		}
	}
	return newPattern(all)
}
