// SPDX-License-Identifier: Apache-2.0

package query

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"ply11/chess"
	"ply11/moveindex"
	"ply11/position"
)

func trailing(b uint64) int { return bits.TrailingZeros64(b) }

// mostPieces bounds the numbers of a range.
const mostPieces = 64

// counts are the pieces of each kind, by colour and place in countedKinds.
type counts [2][5]uint8

var countedKinds = [5]chess.Kind{chess.Queen, chess.Knight, chess.Bishop, chess.Rook, chess.Pawn}

const countedPawns = 4

func (c *counts) count(p *position.Position) {
	k0, k1, k2, black := p.Planes()
	for i, set := range [5]position.Bitboard{k1 &^ (k0 | k2), k0 & k1, k2 &^ (k0 | k1), k0 & k2, k1 & k2} {
		n := set.Count()
		b := (set & black).Count()
		c[chess.White][i], c[chess.Black][i] = uint8(n-b), uint8(b)
	}
}

// material is a range for each of the counts.
type material struct{ least, most counts }

func (m *material) matches(c *counts) bool {
	for color := range c {
		for i, n := range c[color] {
			if n < m.least[color][i] || n > m.most[color][i] {
				return false
			}
		}
	}
	return true
}

// total returns the most pieces that fit, with both kings.
func (m *material) total() int {
	n := 2
	for color := range m.most {
		for _, most := range m.most[color] {
			n += int(most)
		}
	}
	return n
}

// and is what meets both.
func (m *material) and(o *material) (material, error) {
	both := *m
	for color := range both.least {
		for i := range both.least[color] {
			least, most := max(m.least[color][i], o.least[color][i]), min(m.most[color][i], o.most[color][i])
			if least > most {
				letter := pieceName(chess.NewPiece(chess.Color(color), countedKinds[i]))
				return both, fmt.Errorf("no number of %s is in both ranges", letter)
			}
			both.least[color][i], both.most[color][i] = least, most
		}
	}
	return both, nil
}

func (m *material) swapped() material {
	return material{m.least.swapped(), m.most.swapped()}
}

func (c counts) swapped() counts { return counts{c[1], c[0]} }

// pieces returns the fewest pieces of a colour that fit, and the most in a game from the usual start, with the king.
func (m *material) pieces(color int) (least, most int) {
	least, most = 1, 1
	raised := int(m.most[color][countedPawns])
	for i := range m.least[color] {
		least += int(m.least[color][i])
		if i == countedPawns {
			continue
		}
		n := int(m.most[color][i])
		most += min(n, int(usualCounts[color][i]))
		raised += max(n-int(usualCounts[color][i]), 0)
	}
	return least, most + min(raised, int(usualCounts[color][countedPawns]))
}

var usualCounts = func() (n counts) {
	n.count(&usual)
	return n
}()

// kindPlace returns the colour of a letter, by its case, and the place of its kind in counts.
func kindPlace(letter byte) (color, i int, ok bool) {
	kind := chess.KindOf(letter)
	if kind == chess.NoKind {
		return 0, 0, false
	}
	if letter >= 'a' {
		color = 1
	}
	for i, k := range countedKinds {
		if k == kind {
			return color, i, true
		}
	}
	return color, -1, true // a king
}

// parseMaterial reads the pieces of both sides, "KRPKR" (White's first), or ranges of some, "R1 P0-2 q0 p3+" (Black's
// in small letters).
func parseMaterial(s string) (material, error) {
	var m material
	text := strings.TrimSpace(s)
	switch {
	case text == "":
		return m, fmt.Errorf("material needs pieces: KRPKR, say, or R1 P0-2 q0")
	case len(text) > maxText:
		return m, fmt.Errorf("%d bytes are too many for material", len(text))
	case strings.ContainsAny(text, "0123456789 +,"):
		return parseMaterialRanges(text)
	}
	upper := strings.ToUpper(text)
	if upper[0] != 'K' || strings.Count(upper, "K") != 2 {
		return m, fmt.Errorf("%q is no material: it is a K and White's pieces, then a K and Black's, like KRPKR; or "+
			"ranges, like R1 P0-2 q0", text)
	}
	color := -1
	for i := range len(upper) {
		if upper[i] == 'K' {
			color++
			continue
		}
		_, place, ok := kindPlace(upper[i])
		if !ok {
			return m, fmt.Errorf("%q in %q is no piece", upper[i:i+1], text)
		}
		if m.least[color][place]++; m.least[color][place] > mostPieces {
			return m, fmt.Errorf("more than %d pieces", mostPieces)
		}
	}
	m.most = m.least
	return m, nil
}

func parseMaterialRanges(text string) (material, error) {
	var m material
	for color := range m.most {
		for i := range m.most[color] {
			m.most[color][i] = mostPieces
		}
	}
	var given [2][5]bool
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' }) {
		color, place, ok := kindPlace(word[0])
		if !ok {
			return m, fmt.Errorf("%q is no piece and number, like R1 or p0-2", word)
		}
		if place < 0 {
			if rest := word[1:]; rest == "" || rest == "1" {
				continue // each side has a king
			}
			return m, fmt.Errorf("%q: each side has one king", word)
		}
		least, most := 1, 1
		if n := len(word); n > 1 && strings.Count(word, word[:1]) == n {
			least, most = n, n // RR
		} else if n > 1 {
			r, err := parseRange(word[1:], mostPieces)
			if err != nil {
				return m, fmt.Errorf("%q: %w", word, err)
			}
			least, most = r.least, min(r.most, mostPieces)
		}
		if most > mostPieces {
			return m, fmt.Errorf("%q: more than %d pieces", word, mostPieces)
		}
		if given[color][place] {
			return m, fmt.Errorf("%q is there twice", word[:1])
		}
		given[color][place] = true
		m.least[color][place], m.most[color][place] = uint8(least), uint8(most)
	}
	return m, nil
}

// firstFit returns the first of the plies from to to of a main line from the usual position after which the pieces fit,
// and a later one if there is none. It follows pieces without the rules, for a fourth of the cost of a replay.
func (c *condition) firstFit(words []moveindex.Index, from, to int) int {
	board, n, left := usualBoard, usualCounts, 32
	add := func(p chess.Piece, by uint8) {
		if i := countPlaces[p.Kind()]; i >= 0 {
			n[p.Color()][i] += by
		}
	}
	for ply, changed := 0, true; ; ply++ {
		if (changed || ply == from) && ply >= from && left <= c.fullest && c.fits(&n) {
			return ply
		}
		if ply == to || left < c.needs.pieces[0]+c.needs.pieces[1] {
			return to + 1
		}
		m, _ := (words[ply] & (moveindex.NumWords - 1)).Move()
		f, t := m.From(), m.To()
		if changed = false; f == t {
			continue
		}
		piece := board[f]
		taken := board[t]
		board[f], board[t] = chess.NoPiece, piece
		if steps := f ^ t; unusual[piece&15]&steps != 0 || m.Promotion() != chess.NoKind {
			switch k := m.Promotion(); {
			case k != chess.NoKind:
				board[t] = chess.NewPiece(piece.Color(), k)
				add(piece, ^uint8(0))
				add(board[t], 1)
				changed = true
			case piece.Kind() == chess.Pawn && taken == chess.NoPiece: // en passant
				s := f&^7 | t&7
				taken, board[s] = board[s], chess.NoPiece
			case piece.Kind() == chess.King && (steps == 2 || steps == 6): // castling
				rook, home := (f+t)/2, f&^7
				if t > f {
					home |= 7
				}
				board[rook], board[home] = board[home], chess.NoPiece
			}
		}
		if taken != chess.NoPiece {
			add(taken, ^uint8(0))
			left--
			changed = true
		}
	}
}

// unusual are the bits that flip in a square's number where a king castles, perhaps, or a pawn goes to another file.
var unusual = [16]chess.Square{chess.WhiteKing: 2, chess.BlackKing: 2, chess.WhitePawn: 7, chess.BlackPawn: 7}

var usualBoard = func() (b [64]chess.Piece) {
	for s := range chess.NoSquare {
		b[s] = usual.PieceAt(s)
	}
	return b
}()

// countPlaces are the places of kinds in counts, -1 of none and of the king.
var countPlaces = func() (places [8]int8) {
	for k := range places {
		places[k] = int8(slices.Index(countedKinds[:], chess.Kind(k)))
	}
	return places
}()

// imbalance is White's counts less Black's.
type imbalance [5]int8

func (d *imbalance) matches(c *counts) bool {
	for i := range d {
		if int8(c[0][i])-int8(c[1][i]) != d[i] {
			return false
		}
	}
	return true
}

func (d imbalance) swapped() imbalance {
	for i := range d {
		d[i] = -d[i]
	}
	return d
}

// parseImbalance reads "RvBN": what White has more, v, what Black has more.
func parseImbalance(s string) (d imbalance, err error) {
	text := strings.TrimSpace(s)
	white, black, ok := strings.Cut(text, "v")
	if !ok || white+black == "" || len(text) > maxText {
		return d, fmt.Errorf(
			"%q is no imbalance: it is what White has more, v, and what Black has more, like RvBN or PPv", clip(text))
	}
	for side, letters := range []string{white, black} {
		for i := range len(letters) {
			_, place, ok := kindPlace(letters[i])
			if !ok || place < 0 {
				return d, fmt.Errorf("%q in %q is no piece that one side may have more", letters[i:i+1], clip(text))
			}
			if d[place] > mostPieces || d[place] < -mostPieces {
				return d, fmt.Errorf("more than %d pieces", mostPieces)
			}
			d[place] += int8(1 - 2*side)
		}
	}
	return d, nil
}
