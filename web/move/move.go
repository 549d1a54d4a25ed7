// SPDX-License-Identifier: Apache-2.0

// Package move is what the room Move of the page asks: a move, or another word of eleven bits, by all its names.
//
//	http.HandleFunc("GET /api/move", move.Handler)
package move

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"ply11/chess"
	"ply11/moveindex"
	"ply11/position"
	"ply11/web"
)

// Named is a move, or another word of eleven bits, with all its names.
type Named struct {
	FEN      string  `json:"fen"`
	Index    int     `json:"index"`
	Bits     string  `json:"bits"`
	ROM      string  `json:"rom"`
	Class    string  `json:"class"`
	Steps    int     `json:"steps"` // 1..7; 8 for what is no line
	Axis     string  `json:"axis"`
	Field    string  `json:"field"`             // the square of the lowest six bits
	Meaning  string  `json:"meaning,omitempty"` // of a word that is no move
	UCI      string  `json:"uci,omitempty"`
	From     int     `json:"from"` // squares, -1 for none
	To       int     `json:"to"`
	SAN      string  `json:"san,omitempty"` // if it is legal
	Why      string  `json:"why,omitempty"` // if it is not
	After    string  `json:"after,omitempty"`
	Halfmove int     `json:"halfmove"` // -1 where no piece that moves so stands on the square
	HalfName string  `json:"halfmove_name,omitempty"`
	HalfWord string  `json:"halfmove_word,omitempty"`
	Labels   []label `json:"labels"`
	Files    mirror  `json:"mirror_files"`
	Ranks    mirror  `json:"mirror_ranks"`
	Decoder  []step  `json:"decoder"`
}

type label struct {
	Name  string `json:"name"`
	Label int    `json:"label"` // -1 for none
	Text  string `json:"text"`
}

type mirror struct {
	Index int    `json:"index"`
	UCI   string `json:"uci"`
}

type step struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// ParsePosition reads a FEN as people write it; an empty one is the usual start.
func ParsePosition(fen string) (position.Position, error) {
	if strings.TrimSpace(fen) == "" {
		return position.Start(), nil
	}
	p, err := position.ParseFENLenient(fen)
	if err != nil {
		return p, fmt.Errorf("position: %w", err)
	}
	return p, nil
}

// Handler answers /api/move: the move of the parameters kind and text in the position fen.
func Handler(w http.ResponseWriter, r *http.Request) {
	v := r.URL.Query()
	n, err := Of(v.Get("fen"), v.Get("kind"), strings.TrimSpace(v.Get("text")))
	web.Answer(w, r, n, err)
}

// Position answers /api/position: the FEN of what people write for one.
func Position(w http.ResponseWriter, r *http.Request) {
	p, err := ParsePosition(r.URL.Query().Get("fen"))
	web.Answer(w, r, map[string]string{"fen": p.FEN()}, err)
}

// Of returns all names of a move in a position. Its text is one of its names, of a kind: san, uci, index, bits, rom,
// halfmove, or a vocabulary's name.
func Of(fen, kind, text string) (*Named, error) {
	p, err := ParsePosition(fen)
	if err != nil {
		return nil, err
	}
	i, c, k, err := parseName(&p, kind, text)
	if err != nil {
		return nil, err
	}
	return name(&p, i, c, k), nil
}

// parseName reads a move by one of its names. k is the piece that moves, if the name says it.
func parseName(p *position.Position, kind, text string) (i moveindex.Index, c chess.Color, k chess.Kind, err error) {
	number := func(base, bits int, most uint64) (uint64, error) {
		n, err := strconv.ParseUint(text, base, bits)
		if err != nil || n > most {
			return 0, fmt.Errorf("%q is no number from 0 to %d", text, most)
		}
		return n, nil
	}
	c = p.Turn()
	switch kind {
	case "san":
		m, err := p.ParseSANLenient(text)
		if err != nil {
			return 0, c, 0, err
		}
		i, _ = moveindex.Of(m)
		return i, c, 0, nil
	case "uci":
		m, err := chess.ParseUCI(text)
		if err != nil {
			return 0, c, 0, err
		}
		i, ok := moveindex.Of(m)
		if !ok && i != moveindex.Null {
			return 0, c, 0, fmt.Errorf("no piece moves from %v to %v", m.From(), m.To())
		}
		return i, c, 0, nil
	case "index":
		n, err := number(10, 16, moveindex.NumWords-1)
		return moveindex.Index(n), c, 0, err
	case "bits":
		text = strings.ReplaceAll(text, " ", "")
		if n, err := strconv.ParseUint(text, 2, 11); err == nil && len(text) == moveindex.Bits {
			return moveindex.Index(n), c, 0, nil
		}
		return 0, c, 0, fmt.Errorf("%q is not eleven binary digits", text)
	case "rom":
		n, err := strconv.ParseUint(strings.TrimPrefix(strings.ToLower(text), "0x"), 16, 16)
		if err != nil {
			return 0, c, 0, fmt.Errorf("%q is no word of four hexadecimal digits", text)
		}
		i, ok := moveindex.Of(chess.Move(n &^ moveindex.WordValid))
		if !ok || n&moveindex.WordValid == 0 {
			return 0, c, 0, fmt.Errorf("the ROM holds no word %04x", n)
		}
		return i, c, 0, nil
	case "halfmove":
		n, err := number(10, 16, moveindex.NumHalfmoves-1)
		h := moveindex.Halfmove(n)
		return h.Index(), h.Color(), h.Piece(), err
	}
	for _, v := range moveindex.Vocabularies() {
		if v.Name() != kind {
			continue
		}
		l := moveindex.NoLabel
		if n, err := number(10, 16, uint64(v.Len()-1)); err == nil {
			l = moveindex.Label(n)
		} else {
			for n := range v.Len() {
				if v.Text(moveindex.Label(n)) == text {
					l = moveindex.Label(n)
				}
			}
		}
		if l == moveindex.NoLabel {
			return 0, c, 0, fmt.Errorf("%s has no label %q", kind, text)
		}
		// Several pieces may share a label: the one that stands there is meant, or else the first.
		i, k = moveindex.Invalid, chess.NoKind
		for kind := chess.King; kind <= chess.Pawn; kind++ {
			j := v.Index(c, kind, l)
			m, ok := j.Move()
			if !ok {
				continue
			}
			if piece := p.PieceAt(m.From()); piece == chess.NewPiece(c, kind) {
				return j, c, kind, nil
			}
			if i == moveindex.Invalid {
				i, k = j, kind
			}
		}
		if i == moveindex.Invalid {
			return 0, c, 0, fmt.Errorf("no piece makes the move of label %q of %s", text, kind)
		}
		return i, c, k, nil
	}
	return 0, c, 0, fmt.Errorf("unknown kind of name %q", kind)
}

var axes = [4]string{"E", "NE", "N", "NW"}

// name gives a word all its names. The piece that moves is k of colour c, or the one on the from-square.
func name(p *position.Position, i moveindex.Index, c chess.Color, k chess.Kind) *Named {
	n := &Named{FEN: p.FEN(), Index: int(i), Bits: fmt.Sprintf("%011b", uint16(i)), ROM: fmt.Sprintf("%04x", i.Word()),
		Class: i.Class().String(), Steps: int(i)>>8 + 1, Axis: axes[i>>6&3], Field: chess.Square(i & 63).String(),
		From: -1, To: -1, Halfmove: -1, Labels: []label{}, Decoder: decoder(i)}
	mirrored := func(i moveindex.Index) mirror {
		m, ok := i.Move()
		if !ok {
			return mirror{int(i), ""}
		}
		return mirror{int(i), m.String()}
	}
	n.Files, n.Ranks = mirrored(i.MirrorFiles()), mirrored(i.MirrorRanks())
	m, ok := i.Move()
	if !ok {
		n.Meaning = meaning(i)
		if i == moveindex.Null {
			n.UCI = chess.NullMove.String()
		}
		return n
	}
	n.UCI, n.From, n.To = m.String(), int(m.From()), int(m.To())
	if piece := p.PieceAt(m.From()); k == chess.NoKind && piece != chess.NoPiece {
		c, k = piece.Color(), piece.Kind()
	}
	if p.IsLegal(m) {
		n.SAN = p.SAN(m)
		after := *p
		after.Make(m)
		n.After = after.FEN()
	} else {
		n.Why = p.Why(m)
	}
	if h, ok := moveindex.NewHalfmove(c, k, i); ok {
		n.Halfmove, n.HalfName, n.HalfWord = int(h), h.String(), fmt.Sprintf("%04x", h.Word())
	}
	legal := p.IsLegal(m)
	for _, v := range moveindex.Vocabularies() {
		l := label{Name: v.Name(), Label: -1}
		x := v.Label(c, k, i)
		if legal {
			x = p.Label(v, i)
		}
		if x != moveindex.NoLabel {
			l.Label, l.Text = int(x), v.Text(x)
		}
		n.Labels = append(n.Labels, l)
	}
	return n
}

func meaning(i moveindex.Index) string {
	if i >= moveindex.NAG1 && i <= moveindex.NAG31 {
		return fmt.Sprintf("NAG %d", i-moveindex.NAG1+1)
	}
	c, _ := i.Control()
	return c.Meaning
}

// decoder shows how a word becomes a move, as docs/INDEX.md has it, and as the hardware does it.
func decoder(i moveindex.Index) (list []step) {
	add := func(name, format string, args ...any) {
		list = append(list, step{name, fmt.Sprintf(format, args...)})
	}
	c := int(i)
	if c >= moveindex.NumMoves {
		add("class", "%d is %d or more: no move", c, moveindex.NumMoves)
		return list
	}
	square := func(file, rank int) string { return chess.NewSquare(file, rank).String() }
	if c >= moveindex.FirstPromotion {
		p := c - moveindex.FirstPromotion
		j, kind, black := 2*(p/16)+p%2, p/2%4, p/8%2
		from := (j + 1) / 3
		to := j - 2*from
		rank, last := 6, 7
		if black == 1 {
			rank, last = 1, 0
		}
		add("class", "%d is %d or more: a promotion", c, moveindex.FirstPromotion)
		add("fields", "pair j = %d, piece %d (%s), %s", j, kind, chess.PromotionKinds[kind],
			[2]string{"white", "black"}[black])
		add("files", "from (%d + 1) div 3 = %d, to %d - 2 × %d = %d", j, from, j, from, to)
		add("move", "%s to %s, becomes a %s", square(from, rank), square(to, last), chess.PromotionKinds[kind])
		return list
	}
	n, axis, field := c>>8+1, c>>6&3, c&63
	file, rank := field&7, field>>3
	dx, dy := [4]int{1, 1, 0, -1}[axis], [4]int{0, 1, 1, 1}[axis]
	x, y := file+n*dx, rank+n*dy
	wf, wr := x < 0 || x > 7, y > 7
	tf, tr := x&7, y&7
	add("fields", "steps n = %d, axis %s, square %s (file %d, rank %d)", n, axes[axis], square(file, rank), file, rank)
	add("steps", "file %d %+d × %d = %d, rank %d %+d × %d = %d", file, dx, n, x, rank, dy, n, y)
	yes := map[bool]string{true: "wraps", false: "stays"}
	add("wrap", "the file %s, the rank %s: %s", yes[wf], yes[wr], square(tf, tr))
	if axis&1 == 0 || wf == wr {
		add("move", "a line: %s to %s", square(file, rank), square(tf, tr))
		return list
	}
	fx, fy := tf-file, tr-rank
	sx, sy := fx < 0, fy < 0
	u, v, a := file, rank, fx
	if sx {
		u, a = 7-file, -fx
	}
	if sy {
		v = 7 - rank
	}
	var X, Y int
	high := false // 1 file and 2 ranks
	switch a {
	case 3:
		X, Y, high = u, v, true
	case 5:
		X, Y, high = v, 5-u, true
	case 6:
		X, Y, high = 5+u, v, true
	case 4:
		X, Y = u, v
	case 2:
		X, Y = 4+u/2, 2*v+u%2
	case 1:
		X, Y = u, 4
	case 7:
		X, Y = v, 5
	}
	add("knight", "on a diagonal axis one coordinate wraps: no bishop moves so, and the code is a knight's")
	add("rectangle", "displacement %+d, %+d: a = %d, u = %d of %d, v = %d of %d, X = %d, Y = %d", fx, fy, a, u, 8-a, v,
		a, X, Y)
	kf, kr, tx, ty := X, Y, X+1, Y+2
	if !high {
		kf, kr, tx, ty = Y, X, Y+2, X+1
	}
	turn := func(n int, on bool) int {
		if on {
			return 7 - n
		}
		return n
	}
	add("move", "%s to %s", square(turn(kf, sx), turn(kr, sy)), square(turn(tx, sx), turn(ty, sy)))
	return list
}
