// SPDX-License-Identifier: Apache-2.0

package position

import (
	"errors"
	"fmt"
	"strings"

	"ply11/chess"
)

// Every error of a reader of moves is one of these, or ErrSyntax, by errors.Is; MoveError says more.
var (
	// ErrIllegal: the text names a move that is not legal here.
	ErrIllegal = errors.New("illegal move")
	// ErrAmbiguous: more than one legal move fits the text.
	ErrAmbiguous = errors.New("ambiguous move")
	// ErrNotExportForm: the move is legal, but the standard writes it otherwise.
	ErrNotExportForm = errors.New("not in the standard's form")
)

// MoveError says why a move is refused.
type MoveError struct {
	Text   string // as read, cut after 40 bytes
	Reason string // for people: "Nbd2 or Nfd2", "no knight reaches e5", "leaves the king in check"
	Err    error  // ErrSyntax, ErrIllegal, ErrAmbiguous or ErrNotExportForm
}

func (e *MoveError) Error() string { return fmt.Sprintf("%v %q: %s", e.Err, e.Text, e.Reason) }

// Unwrap returns the sentinel.
func (e *MoveError) Unwrap() error { return e.Err }

func moveError(err error, text, format string, args ...any) error {
	return &MoveError{Text: clip(text, 40), Reason: fmt.Sprintf(format, args...), Err: err}
}

// ParseSAN reads a move in the PGN standard's export form, as AppendSAN writes it: the least
// disambiguation, "=" before a promotion, the right one of "+", "#" and nothing. Anything else is a
// *MoveError; what ParseSANLenient would take is ErrNotExportForm.
func (p *Position) ParseSAN(s string) (chess.Move, error) {
	m, err := p.ParseSANLenient(s)
	if err != nil {
		return 0, err
	}
	var buf [16]byte
	if want := p.AppendSAN(buf[:0], m); string(want) != s || m == chess.NullMove {
		if m == chess.NullMove {
			return 0, moveError(ErrNotExportForm, s, "the standard has no null move")
		}
		return 0, moveError(ErrNotExportForm, s, "it is written %s", want)
	}
	return m, nil
}

// ParseSANLenient returns the one legal move that fits a text of real files. Besides export form it takes
//
//   - castling with zeros or small letters, with or without hyphens: 0-0, o-o-o, OO, and, with both squares, as the
//     king's step or his move onto the rook: e1g1, Ke1-g1, e1h1, Ke1xh1;
//   - promotion as e8Q, e8(Q), e8/Q, e8=q, e8q;
//   - more disambiguation than is needed, long moves, and moves without the letter: Ndxb5, Ng1f3,
//     Ng1-f3, e2-e4, e2e4, g1f3;
//   - captures with or without x, with ':' in its place, or with ':' at the end;
//   - missing, superfluous and wrong +, ++, # and !, ?; "e.p." and "ep" at the end;
//   - small letters for pieces where they cannot be a file: nf3, qxd5; 'b' is a bishop only where no
//     pawn on the b-file could go there whatever the position; a pawn's letter: Pe4, pxd5;
//   - figurines, ♔ to ♟;
//   - the null move as --, Z0, <>, 0000, @@@@, null, pass; not when in check.
//
// Anything else is a *MoveError.
func (p *Position) ParseSANLenient(s string) (chess.Move, error) {
	text := s
	if len(s) > 40 {
		return 0, moveError(ErrSyntax, text, "%d bytes are too many", len(s))
	}
	s = trimSAN(s)
	switch s {
	case "":
		return 0, moveError(ErrSyntax, text, "no move")
	case "--", "Z0", "z0", "<>", "0000", "@@@@", "null", "pass":
		if p.InCheck() {
			return 0, moveError(ErrIllegal, text, "a null move in check")
		}
		return chess.NullMove, nil
	}
	if queenside, ok := castlingText(s); ok {
		m, legal := p.Castle(queenside)
		if !legal {
			return 0, moveError(ErrIllegal, text, "%s", p.explainCastling(queenside))
		}
		return m, nil
	}
	r, reason := p.readSAN(s)
	if reason != "" {
		return 0, moveError(ErrSyntax, text, "%s", reason)
	}
	if m := chess.NewMove(r.from.First(), r.to); r.kind == chess.King && r.from.Count() == 1 && p.saysCastling(m) {
		queenside := m.To() < m.From()
		if m, legal := p.Castle(queenside); legal {
			return m, nil
		}
		return 0, moveError(ErrIllegal, text, "%s", p.explainCastling(queenside))
	}
	m, status := p.resolve(r.kind, r.to, r.from, r.promotion)
	switch status {
	case unique:
		return m, nil
	case ambiguous:
		return 0, moveError(ErrAmbiguous, text, "%s", p.explainAmbiguous(r))
	}
	return 0, moveError(ErrIllegal, text, "%s", p.explain(r, status))
}

// sanMove is what the text of a move says.
type sanMove struct {
	kind, promotion chess.Kind
	to              chess.Square
	from            Bitboard
}

var figurines = strings.NewReplacer(
	"♔", "K", "♕", "Q", "♖", "R", "♗", "B", "♘", "N", "♙", "P",
	"♚", "K", "♛", "Q", "♜", "R", "♝", "B", "♞", "N", "♟", "P",
	"\uFE0E", "", "\uFE0F", "", // variation selectors: text and emoji
	"×", "x", "–", "-", "‑", "-", "†", "+", "‡", "#",
)

// trimSAN removes what does not say which move it is.
func trimSAN(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= 128 {
			s = figurines.Replace(s)
			break
		}
	}
	s = strings.TrimSpace(s)
	for {
		before := s
		s = strings.TrimRight(s, "+#!? ")
		for _, suffix := range [...]string{"e.p.", "e.p", "ep.", "ep"} {
			if t := strings.TrimSuffix(s, suffix); len(t) >= 2 && len(t) < len(s) {
				s = t
				break
			}
		}
		if s == before {
			return s
		}
	}
}

// castlingText recognises two or three letters O or zeros.
func castlingText(s string) (queenside, ok bool) {
	n, hyphens := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case 'O', 'o', '0':
			n++
		case '-':
			if hyphens++; hyphens != n {
				return false, false
			}
		default:
			return false, false
		}
	}
	return n == 3, (n == 2 || n == 3) && (hyphens == 0 || hyphens == n-1)
}

func isFile(c byte) bool { return c >= 'a' && c <= 'h' }
func isRank(c byte) bool { return c >= '1' && c <= '8' }

// readSAN takes the text apart; reason is why it is no move.
func (p *Position) readSAN(s string) (r sanMove, reason string) {
	body := s
	switch k := chess.KindOf(s[0]); {
	case k == chess.Bishop && s[0] == 'b' && !bishopLetter(s):
	case k != chess.NoKind:
		r.kind, body = k, s[1:]
	}
	body, r.promotion = cutPromotion(body)
	if r.promotion == chess.Pawn {
		return r, "a pawn is no promotion"
	}
	body = strings.TrimSuffix(body, ":")

	// From the end: the target, a sign of capture or a hyphen, and up to two hints.
	n := len(body)
	if n < 2 || !isFile(body[n-2]) || !isRank(body[n-1]) {
		return r, "no target square"
	}
	r.to = chess.NewSquare(int(body[n-2]-'a'), int(body[n-1]-'1'))
	hints := body[:n-2]
	if h := len(hints); h > 0 && strings.IndexByte("xX:-", hints[h-1]) >= 0 {
		hints = hints[:h-1]
	}
	r.from = AllSquares
	file, rank := "", ""
	rest := hints
	if rest != "" && isFile(rest[0]) {
		file, rest = rest[:1], rest[1:]
		r.from &= FileOf(int(file[0] - 'a'))
	}
	if rest != "" && isRank(rest[0]) {
		rank, rest = rest[:1], rest[1:]
		r.from &= RankOf(int(rank[0] - '1'))
	}
	if rest != "" {
		return r, fmt.Sprintf("%q is not understood", rest)
	}
	switch {
	case r.kind != chess.NoKind:
		if r.kind == chess.Pawn && file == "" && !strings.ContainsAny(body, "xX:") {
			r.from &= FileOf(r.to.File())
		}
	case file != "" && rank != "":
		// Both squares and no letter: whatever stands there moves.
		piece := p.PieceAt(r.from.First())
		if r.kind = piece.Kind(); r.kind == chess.NoKind || piece.Color() != p.Turn() {
			r.kind = chess.Pawn
		}
	default:
		r.kind = chess.Pawn
		if file == "" {
			if len(body) > 2 {
				return r, "a pawn's capture without its file"
			}
			r.from &= FileOf(r.to.File())
		}
	}
	return r, ""
}

// bishopLetter reports whether the 'b' in front of s is a bishop: no pawn of the b-file can go to the target.
func bishopLetter(s string) bool {
	rest := strings.TrimLeft(s[1:], "xX:-")
	if len(rest) < 2 || !isFile(rest[0]) || !isRank(rest[1]) {
		return false
	}
	if len(rest) > 2 && (isFile(rest[2]) || strings.IndexByte("xX:-", rest[2]) >= 0) {
		return true // bf1e2: a long move
	}
	return rest[0] != 'a' && rest[0] != 'c'
}

func cutPromotion(s string) (string, chess.Kind) {
	t := s
	if n := len(t); n > 2 && t[n-1] == ')' {
		t = t[:n-1]
	}
	n := len(t)
	if n < 3 {
		return s, chess.NoKind
	}
	kind := chess.KindOf(t[n-1])
	if kind == chess.NoKind {
		return s, chess.NoKind
	}
	if before := t[n-2]; before == '=' || before == '(' || before == '/' {
		return t[:n-2], kind
	} else if isRank(before) && len(t) == len(s) {
		return t[:n-1], kind
	}
	return s, chess.NoKind
}

// sign is the short form of a kind and target, for messages: "Nd2", "e4".
func (r sanMove) sign() string {
	if r.kind == chess.Pawn {
		return r.to.String()
	}
	return string(r.kind.Letter()) + r.to.String()
}

// explainAmbiguous lists the legal moves that fit: "Nbd2 or Nfd2".
func (p *Position) explainAmbiguous(r sanMove) string {
	var names []string
	var buf [256]chess.Move
	for _, m := range p.LegalMoves(buf[:0]) {
		if m.To() == r.to && m.Promotion() == r.promotion && r.from.Has(m.From()) &&
			p.PieceAt(m.From()).Kind() == r.kind {
			name, _ := p.appendSAN(nil, m)
			names = append(names, string(name))
		}
	}
	return joinList(names, "or")
}

// explain says why no move fits.
func (p *Position) explain(r sanMove, status fit) string {
	turn := p.Turn()
	pieces := p.Pieces(turn, r.kind)
	switch {
	case status == badPromotion && r.kind != chess.Pawn:
		return "only a pawn promotes"
	case status == badPromotion && r.promotion != chess.NoKind:
		if r.promotion == chess.King {
			return "no pawn becomes a king"
		}
		return fmt.Sprintf("no promotion on %s", r.to)
	case status == badPromotion:
		return "the promotion is missing"
	case p.ByColor(turn).Has(r.to):
		return fmt.Sprintf("%s holds a %s of %s", r.to, p.PieceAt(r.to).Kind(), turn)
	case pieces == 0:
		return fmt.Sprintf("%s has no %s", turn, r.kind)
	case pieces&r.from == 0:
		return fmt.Sprintf("%s has no %s there", turn, r.kind)
	case status == noneFits:
		if r.from != AllSquares && r.from.Count() == 1 {
			return fmt.Sprintf("the %s on %s does not reach %s", r.kind, r.from.First(), r.to)
		}
		return fmt.Sprintf("no %s reaches %s", r.kind, r.to)
	case r.kind == chess.King:
		return fmt.Sprintf("%s is attacked", r.to)
	case p.InCheck():
		return fmt.Sprintf("%s leaves the king in check from %s", r.sign(), squareList(p.Checkers()))
	}
	return fmt.Sprintf("the %s is pinned: %s exposes the king", r.kind, r.sign())
}

// saysCastling reports whether a king's move, with both squares given, can only be meant as castling: his step of two
// squares, or that onto a rook with the right.
func (p *Position) saysCastling(m chess.Move) bool {
	from, to := m.From(), m.To()
	if from != p.KingSquare(p.Turn()) || m.Promotion() != chess.NoKind {
		return false
	}
	for right := WhiteKingside << (2 * p.Turn()); right <= WhiteQueenside<<(2*p.Turn()); right <<= 1 {
		if p.CastlingRook(right) == to {
			return true
		}
	}
	return (p.IsChess960() || from&7 == 4) && from>>3 == to>>3 && (to == from+2 || to == from-2)
}

// explainCastling says why castling is not legal.
func (p *Position) explainCastling(queenside bool) string {
	turn := p.Turn()
	right, side := 2*uint(turn), "kingside"
	if queenside {
		right, side = right+1, "queenside"
	}
	c := p.castlingSquares(right)
	free, path := c.free(), c.path()|1<<c.kingTo
	switch {
	case p.Castling()>>right&1 == 0:
		return fmt.Sprintf("%s has no right to castle %s", turn, side)
	case p.Occupied()&free != 0:
		return fmt.Sprintf("%s is occupied", (p.Occupied() & free).First())
	case p.InCheck():
		return fmt.Sprintf("the king is in check from %s", squareList(p.Checkers()))
	}
	for ; path != 0; path &= path - 1 {
		if s := path.First(); p.Attackers(s, turn.Other()) != 0 {
			return fmt.Sprintf("%s is attacked", s)
		}
	}
	return fmt.Sprintf("the rook on %s shields %s", chess.Square(c.rook), chess.Square(c.kingTo))
}

// ParseUCI reads a legal move in UCI notation (e2e4, e7e8q). Castling is the king's step of two squares or his move
// onto the rook (e1g1, e1h1), in standard chess too. "0000" is the null move, which is refused in check. The error is a
// *MoveError.
func (p *Position) ParseUCI(s string) (chess.Move, error) {
	m, err := chess.ParseUCI(s)
	switch {
	case err != nil:
		return 0, moveError(ErrSyntax, s, "not a move in uci notation")
	case m == chess.NullMove:
		if p.InCheck() {
			return 0, moveError(ErrIllegal, s, "a null move in check")
		}
		return m, nil
	case p.IsLegal(m):
		return m, nil
	case p.saysCastling(m):
		if m, legal := p.Castle(m.To() < m.From()); legal {
			return m, nil
		}
	}
	return 0, moveError(ErrIllegal, s, "%s", p.Why(m))
}

// Why says, for people, why a move is not legal; for a legal one it returns "".
func (p *Position) Why(m chess.Move) string {
	if p.IsLegal(m) {
		return ""
	}
	piece := p.PieceAt(m.From())
	r := sanMove{kind: piece.Kind(), to: m.To(), from: SquareSet(m.From()), promotion: m.Promotion()}
	switch {
	case m == chess.NullMove:
		return "the null move"
	case piece == chess.NoPiece:
		return fmt.Sprintf("%s is empty", m.From())
	case piece.Color() != p.Turn():
		return fmt.Sprintf("the %s on %s is %s's", piece.Kind(), m.From(), piece.Color())
	case piece.Kind() == chess.King && p.saysCastling(m):
		return p.explainCastling(m.To() < m.From())
	}
	_, status := p.resolve(r.kind, r.to, r.from, r.promotion)
	return p.explain(r, status)
}
