// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"ply11/game"
	"ply11/game/pgn"
)

// sample is games with the texts that they were read from, to find a layout by.
type sample struct {
	games []*game.Game
	texts [][]byte
	buf   []byte
}

// sampleSize is how many games a layout is found by: this many, and as many with annotations; then as many of the next
// sampleReach games that depart from what was found.
const (
	sampleSize  = 8
	sampleReach = 128
)

// score returns how many games a style makes to the byte, and how many bytes it gets right before the first difference
// of tags, and of movetext.
func (s *sample) score(style *pgn.Style) (exact, right int) {
	for i, g := range s.games {
		text := s.texts[i]
		var ok bool
		s.buf, ok = render(s.buf[:0], g, style)
		if ok && bytes.Equal(s.buf, text) {
			exact++
		}
		n, m := movetextAt(s.buf), movetextAt(text)
		right += common(s.buf[:n], text[:m]) + common(s.buf[n:], text[m:])
	}
	return exact, right
}

// movetextAt returns where the movetext of a game begins, behind the first blank line and others.
func movetextAt(text []byte) int {
	n := bytes.Index(text, []byte("\n\n"))
	if k := bytes.Index(text, []byte("\n\r\n")); k >= 0 && (n < 0 || k < n) {
		n = k
	}
	if n < 0 {
		return 0
	}
	return len(text) - len(bytes.TrimLeft(text[n:], "\r\n"))
}

// fit returns the style that fits the sample best. It costs one rendering of the sample if hint fits all of it, some
// two hundred otherwise.
func (s *sample) fit(hint pgn.Style) pgn.Style {
	if len(s.games) == 0 {
		return hint
	}
	var of [game.Latin1 + 1]int
	for _, g := range s.games {
		of[g.Source.Encoding]++
	}
	switch {
	case of[game.Latin1] > len(s.games)/2:
		hint.Encoding = game.Latin1
	case of[game.UTF8] > 0 || hint.Encoding != game.Latin1:
		hint.Encoding = game.UTF8
	}
	best := hint
	exact, right := s.score(&best)
	if exact == len(s.games) {
		return best
	}
	try := func(change func(*pgn.Style)) {
		next := best
		change(&next)
		if next == best {
			return
		}
		if e, r := s.score(&next); e > exact || e == exact && r > right {
			best, exact, right = next, e, r
		}
	}
	start := pgn.Line()
	start.Encoding = hint.Encoding
	start.CRLF = bytes.Contains(s.texts[0], []byte("\r\n"))
	start.BlankAfterTags, start.BlankAfterGame = s.blanks()
	try(func(p *pgn.Style) { *p = start })
	widths := s.widths()
	for range 4 {
		before := best
		for i := range styleFlags(&best) {
			try(func(p *pgn.Style) { f := styleFlags(p)[i]; *f = !*f })
		}
		for i, n := range styleNumbers(&best) {
			for v := range n.most + 1 { // the greater first: a joint with Break may be as good as one without
				try(func(p *pgn.Style) { *styleNumbers(p)[i].value = n.most - v })
			}
		}
		for rule := range pgn.FillPairs + 1 {
			for _, w := range widths {
				try(func(p *pgn.Style) { p.Lines, p.Width = rule, w })
				if rule <= pgn.SpaceAfterWords {
					try(func(p *pgn.Style) { p.Lines, p.Width, p.Number = rule, w, p.Number^pgn.Break })
					try(func(p *pgn.Style) { p.Lines, p.Width, p.KeepComments = rule, w, !p.KeepComments })
				}
			}
		}
		for n := range 3 {
			try(func(p *pgn.Style) { p.BlankAfterTags = n })
			try(func(p *pgn.Style) { p.BlankAfterGame = n })
		}
		if best == before || exact == len(s.games) {
			break
		}
	}
	return best
}

func (s *sample) blanks() (tags, after int) {
	lines := bytes.Split(s.texts[0], []byte{'\n'})
	blank := func(l []byte) bool { return len(bytes.TrimRight(l, "\r")) == 0 }
	i := 0
	for i < len(lines) && len(lines[i]) > 0 && lines[i][0] == '[' {
		i++
	}
	for i+tags < len(lines) && blank(lines[i+tags]) && tags < 3 {
		tags++
	}
	lines = lines[:len(lines)-1]
	for len(lines) > 0 && blank(lines[len(lines)-1]) && after < 3 {
		after++
		lines = lines[:len(lines)-1]
	}
	return tags, after
}

// widths returns the widths that may be meant: those that are usual, and the lengths of the longest lines of movetext,
// in bytes and in characters, with and without the spaces at their ends; and of the shortest that is not a text's last.
func (s *sample) widths() []int {
	list := []int{0, 79, 80, 75, 74, 72}
	var longest [4]int
	shortest := 0
	for _, text := range s.texts {
		before := 0
		for line := range bytes.SplitSeq(text, []byte{'\n'}) {
			line = bytes.TrimRight(line, "\r")
			if len(line) == 0 || line[0] == '[' || len(line) >= 1<<16 {
				before = 0
				continue
			}
			if before > 0 && (shortest == 0 || before < shortest) {
				shortest = before
			}
			before = len(line)
			trimmed := bytes.TrimRight(line, " ")
			for i, n := range [...]int{len(line), len(trimmed), utf8.RuneCount(line), utf8.RuneCount(trimmed)} {
				longest[i] = max(longest[i], n)
			}
		}
	}
	for _, n := range append(longest[:], shortest) {
		if !slices.Contains(list, n) {
			list = append(list, n)
		}
	}
	return list
}

// recent are the texts of the last games of a block, by which its writer sees that another layout began.
type recent struct {
	texts   [2 * sampleSize][]byte
	departs [2 * sampleSize]bool
	games   int // of the block
	least   int // games before another layout is looked for
}

// add adds a game, which departs from the block's style or not. It returns the style of the block that should begin
// with the next game, if it should be another.
func (r *recent) add(text []byte, departs bool, style pgn.Style) (pgn.Style, bool) {
	i := r.games % len(r.texts)
	r.texts[i], r.departs[i] = text, departs
	exact := 0
	for _, d := range r.departs {
		if !d {
			exact++
		}
	}
	if r.games++; r.games < max(styleGames, r.least) || exact > sampleSize/2 {
		return style, false
	}
	r.least = 2 * r.games
	var s sample
	for i, text := range r.texts {
		g := new(game.Game)
		if !r.departs[i] {
			continue
		}
		if bad, err := readGame(pgn.NewReader(bytes.NewReader(text)), g); bad == nil && err == nil {
			s.games, s.texts = append(s.games, g), append(s.texts, text)
		}
	}
	next := s.fit(style)
	now, _ := s.score(&next)
	return next, now >= sampleSize
}
