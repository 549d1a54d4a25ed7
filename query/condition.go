// SPDX-License-Identifier: Apache-2.0

package query

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"ply11/bitstream/archive"
	"ply11/chess"
	"ply11/position"
)

// board is a whole position, as far as it was given.
type board struct {
	kind0, kind1, kind2, black position.Bitboard
	fields                     int // fields of FEN that are compared
	turn                       chess.Color
	rights                     position.CastlingRights
	ep                         int // file 1 to 8 of a pawn that can be taken
}

// matches reports whether the position is the one, but for its counters.
func (t *board) matches(p *position.Position) bool {
	k0, k1, k2, b := p.Planes()
	if (k0^t.kind0)|(k1^t.kind1)|(k2^t.kind2)|(b^t.black) != 0 {
		return false
	}
	return (t.fields < 2 || p.Turn() == t.turn) && (t.fields < 3 || p.Castling() == t.rights) &&
		(t.fields < 4 || takeable(p) == t.ep)
}

// takeable returns the file, 1 to 8, of a pawn that may be taken en passant, or 0. As in Position.Hash, it is not asked
// whether a king is then in check.
func takeable(p *position.Position) int {
	f := p.EnPassantFile()
	if f == 0 {
		return 0
	}
	rank := 4
	if p.Turn() == chess.Black {
		rank = 3
	}
	pawn := position.RankOf(rank) & position.FileOf(f-1)
	beside := (pawn<<1 | pawn>>1) & position.RankOf(rank)
	if p.Pieces(p.Turn(), chess.Pawn)&beside == 0 {
		return 0
	}
	return f
}

// parseBoard reads a FEN record. Fields that are missing at the end are not compared, nor are counters.
func parseBoard(s string) (board, error) {
	if isStart(s) {
		return boardOf(&usual), nil
	}
	fields := strings.Fields(s)
	if len(fields) == 0 {
		return board{}, errors.New("a position needs a board")
	}
	p, err := position.ParseFENLenient(s)
	if len(fields) == 1 && errors.Is(err, position.ErrOppositeCheck) {
		// Of a board alone a check shows whose turn it is.
		p, err = position.ParseFENLenient(s + " b")
	}
	if err != nil {
		return board{}, err
	}
	t := boardOf(&p)
	t.fields = min(len(fields), 4)
	return t, nil
}

// isStart reports whether a text is UCI's word for the usual start.
func isStart(s string) bool { return strings.EqualFold(strings.TrimSpace(s), "startpos") }

func boardOf(p *position.Position) board {
	t := board{fields: 4, turn: p.Turn(), rights: p.Castling(), ep: takeable(p)}
	t.kind0, t.kind1, t.kind2, t.black = p.Planes()
	return t
}

// turned is as pattern.turned. Castling rights have no mirror image.
func (t board) turned(mirror, swap bool) (board, error) {
	if mirror && t.fields >= 3 && t.rights != 0 {
		return t, errors.New("a position with castling rights has no mirror image: give the board and the turn alone")
	}
	occupied := t.kind0 | t.kind1 | t.kind2
	if swap {
		t.turn = t.turn.Other()
		t.rights = t.rights>>2 | t.rights<<2&position.AllCastling
		t.black = occupied &^ t.black
	}
	if mirror && t.ep > 0 {
		t.ep = 9 - t.ep
	}
	for _, plane := range []*position.Bitboard{&t.kind0, &t.kind1, &t.kind2, &t.black} {
		*plane = turnSet(*plane, mirror, swap)
	}
	return t, nil
}

// moveTest is a move in SAN, as far as it is given.
type moveTest struct {
	color           chess.Color
	kind, promotion chess.Kind
	from            position.Bitboard
	to              chess.Square
	capture         bool // it must take; of a pawn, it takes if and only if this is set
	castling        bool // it must be castling
}

type end uint8

const (
	anyEnd end = iota
	mate
	stalemate
)

// condition is what a position must have, and the move that led to it. The zero value takes nothing.
type condition struct {
	board     *board // nil for any; likewise below
	pattern   *pattern
	material  *material
	imbalance *imbalance
	move      *moveTest
	turn      side
	mover     side
	moved     uint8 // kinds, 1 << chess.Kind; 0 for any
	captured  uint8 // the same; bit 0 is for no piece
	after     int   // ply at least
	before    int   // ply at most
	end       end
	counted   bool // material or imbalance is there
	fullest   int  // the most pieces that material lets stand on the board
	wantsMove bool // move, mover, moved or captured is there
	needs     summary

	given map[string]string // terms that can be given once, by what they are about
}

type side uint8

const (
	either side = iota
	white
	black
)

func (s side) of(c chess.Color) bool { return s == either || s == white+side(c) }

func (s side) swapped() side {
	if s == either {
		return s
	}
	return white + black - s
}

func newCondition() condition { return condition{before: math.MaxInt} }

// summary is what a condition takes and no later position can have again.
type summary struct {
	home   [2]position.Bitboard // of pawns that must not have moved
	gone   position.Bitboard    // first squares of pawns that must have moved
	pieces [2]int               // fewest, of each colour
	most   [2]int               // most
}

// allPieces is above the pieces of any side.
const allPieces = 64

// need is what a filter can ask, if anything.
func (s *summary) need() (n archive.Need, any bool) {
	n = archive.Need{Home: uint16(s.home[0]>>8&255 | s.home[1]>>48&255<<8),
		Gone: uint16(s.gone>>8&255 | s.gone>>48&255<<8), Pieces: s.most}
	return n, n.Gone != 0 || n.Pieces[0] < 16 || n.Pieces[1] < 16
}

// add makes s what both take, if both are to be met.
func (s *summary) add(o *summary) {
	s.gone |= o.gone
	for c := range 2 {
		s.home[c] |= o.home[c]
		s.pieces[c], s.most[c] = max(s.pieces[c], o.pieces[c]), min(s.most[c], o.most[c])
	}
}

// summarize returns what pieces on certain squares take.
func summarize(mask, k0, k1, k2, black position.Bitboard) (s summary) {
	occupied := (k0 | k1 | k2) & mask
	pawns := k1 & k2 & mask
	s.home[0], s.home[1] = pawns&^black&position.Rank2, pawns&black&position.Rank7
	s.gone = mask & (position.Rank2&^s.home[0] | position.Rank7&^s.home[1])
	s.pieces = [2]int{(occupied &^ black).Count(), (occupied & black).Count()}
	if s.most = [2]int{allPieces, allPieces}; mask == position.AllSquares {
		s.most = s.pieces
	}
	return s
}

// prepare sets what follows from the other fields.
func (c *condition) prepare() {
	c.counted = c.material != nil || c.imbalance != nil
	c.wantsMove = c.move != nil || c.mover != either || c.moved|c.captured != 0
	c.needs, c.fullest = summary{most: [2]int{allPieces, allPieces}}, allPieces
	add := func(s summary) { c.needs.add(&s) }
	if t := c.board; t != nil {
		add(summarize(position.AllSquares, t.kind0, t.kind1, t.kind2, t.black))
	}
	if t := c.pattern; t != nil {
		add(summarize(t.mask, t.kind0, t.kind1, t.kind2, t.black))
		c.needs.gone |= t.free
	}
	if t := c.material; t != nil {
		var s summary
		for color := range 2 {
			s.pieces[color], s.most[color] = t.pieces(color)
		}
		add(s)
		c.fullest = t.total()
	}
	// Where a pattern has all pawns that the material lets a side have, no other one is at home.
	if t := c.pattern; t != nil && c.material != nil {
		for color, home := range [2]position.Bitboard{position.Rank2, position.Rank7} {
			pawns := t.kind1 & t.kind2 & t.mask & [2]position.Bitboard{^t.black, t.black}[color]
			if pawns.Count() >= int(c.material.most[color][countedPawns]) {
				c.needs.gone |= home &^ pawns
			}
		}
	}
}

// turned returns the condition for the mirrored board and the other colours.
func (c condition) turned(mirror, swap bool) (condition, error) {
	t := c
	if c.board != nil {
		b, err := c.board.turned(mirror, swap)
		if err != nil {
			return t, err
		}
		t.board = &b
	}
	if c.pattern != nil {
		p := c.pattern.turned(mirror, swap)
		t.pattern = &p
	}
	if c.move != nil {
		m := *c.move
		if mirror && m.castling {
			return t, errors.New("castling has no mirror image")
		}
		if swap {
			m.color = m.color.Other()
		}
		m.from, m.to = turnSet(m.from, mirror, swap), turnSquare(m.to, mirror, swap)
		t.move = &m
	}
	if c.material != nil && swap {
		m := c.material.swapped()
		t.material = &m
	}
	if c.imbalance != nil && swap {
		d := c.imbalance.swapped()
		t.imbalance = &d
	}
	if swap {
		t.turn, t.mover = c.turn.swapped(), c.mover.swapped()
	}
	t.prepare()
	return t, nil
}

// played is the move that led to a position. The zero value is none.
type played struct {
	made            bool // not the start or the null move
	color           chess.Color
	kind, promotion chess.Kind
	captured        chess.Kind
	from, to        chess.Square
	castling        bool
}

// set makes it the move m in a position.
func (l *played) set(before *position.Position, m chess.Move) {
	*l = played{}
	from, to := m.From(), m.To()
	if from == to {
		return
	}
	piece := before.PieceAt(from)
	*l = played{made: true, color: before.Turn(), kind: piece.Kind(), promotion: m.Promotion(), from: from, to: to,
		captured: before.PieceAt(to).Kind()}
	switch {
	case before.IsCastling(m):
		// In Chess960 the move names the rook.
		l.castling, l.captured = true, chess.NoKind
		l.to = to&^7 | 6
		if to < from {
			l.to = to&^7 | 2
		}
	case l.kind == chess.Pawn && from.File() != to.File() && l.captured == chess.NoKind:
		l.captured = chess.Pawn // en passant
	}
}

func (t *moveTest) matches(l *played) bool {
	if !l.made || l.color != t.color || l.kind != t.kind || l.to != t.to || !t.from.Has(l.from) ||
		l.castling != t.castling ||
		t.promotion != chess.NoKind && t.promotion != l.promotion {
		return false
	}
	takes := l.captured != chess.NoKind
	return takes == t.capture || takes && t.kind != chess.Pawn
}

// matches reports whether a position meets the condition, after the move by; last is set where the main line ends.
func (c *condition) matches(p *position.Position, ply int, by *played, last bool) bool {
	if ply < c.after || ply > c.before || !c.turn.of(p.Turn()) {
		return false
	}
	if c.board != nil && !c.board.matches(p) || c.pattern != nil && !c.pattern.matches(p) ||
		c.wantsMove && !c.matchesMove(by) {
		return false
	}
	if c.counted {
		var n counts
		if n.count(p); !c.fits(&n) {
			return false
		}
	}
	switch c.end {
	case mate:
		return last && p.IsCheckmate()
	case stalemate:
		return last && p.IsStalemate()
	}
	return true
}

// fits reports whether the pieces are those of the material and the imbalance.
func (c *condition) fits(n *counts) bool {
	return (c.material == nil || c.material.matches(n)) && (c.imbalance == nil || c.imbalance.matches(n))
}

func (c *condition) matchesMove(by *played) bool {
	if !by.made || !c.mover.of(by.color) || c.moved != 0 && c.moved>>by.kind&1 == 0 ||
		c.captured != 0 && c.captured>>by.captured&1 == 0 {
		return false
	}
	return c.move == nil || c.move.matches(by)
}

// parseMoveTest reads a move in SAN, perhaps without its origin. Without an x a pawn does not take, and another piece
// may.
func parseMoveTest(s string, color chess.Color) (moveTest, error) {
	m := moveTest{color: color, kind: chess.Pawn, from: position.AllSquares}
	fail := func() (moveTest, error) { return m, fmt.Errorf("%q is no move like Nf3, exd5, e8=Q or O-O", clip(s)) }
	text := strings.TrimRight(strings.TrimSpace(s), "+#!?")
	rank := 0
	if color == chess.Black {
		rank = 7
	}
	switch text {
	case "O-O", "0-0":
		m.kind, m.castling, m.to = chess.King, true, chess.NewSquare(6, rank)
		return m, nil
	case "O-O-O", "0-0-0":
		m.kind, m.castling, m.to = chess.King, true, chess.NewSquare(2, rank)
		return m, nil
	}
	if text == "" || len(text) > 10 {
		return fail()
	}
	if kind := chess.KindOf(text[0]); kind != chess.NoKind && text[0] <= 'Z' {
		m.kind, text = kind, text[1:]
	}
	if n := len(text); n >= 3 && m.kind == chess.Pawn {
		if kind := chess.KindOf(text[n-1]); kind != chess.NoKind && text[n-1] <= 'Z' {
			if kind == chess.King || kind == chess.Pawn {
				return fail()
			}
			m.promotion, text = kind, strings.TrimSuffix(text[:n-1], "=")
		}
	}
	n := len(text)
	if n < 2 {
		return fail()
	}
	var err error
	if m.to, err = chess.ParseSquare(text[n-2:]); err != nil || m.promotion != 0 && m.to.Rank() != 7-rank {
		return fail()
	}
	text = text[:n-2]
	if m.capture = strings.HasSuffix(text, "x"); m.capture {
		text = text[:len(text)-1]
	} else {
		text = strings.TrimSuffix(text, "-")
	}
	if text != "" && text[0] >= 'a' && text[0] <= 'h' {
		m.from, text = m.from&position.FileOf(int(text[0]-'a')), text[1:]
	}
	if text != "" && text[0] >= '1' && text[0] <= '8' {
		m.from, text = m.from&position.RankOf(int(text[0]-'1')), text[1:]
	}
	if text != "" {
		return fail()
	}
	return m, nil
}

// parseKinds reads letters of kinds, "QR", as a set; "" is NoKind alone.
func parseKinds(s string) (set uint8, err error) {
	if s = strings.TrimSpace(s); s == "" {
		return 1, nil
	}
	for i := range len(s) {
		kind := chess.KindOf(s[i])
		if kind == chess.NoKind {
			return 0, fmt.Errorf("%q is no kind of piece: they are K Q R B N P", s[i:i+1])
		}
		set |= 1 << kind
	}
	return set, nil
}

// clip shortens a text for a message.
func clip(s string) string {
	if len(s) > 60 {
		return s[:60] + "…"
	}
	return s
}
