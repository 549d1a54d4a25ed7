// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"slices"
	"strings"

	"ply11/bitstream/archive"
	"ply11/chess"
	"ply11/game"
	"ply11/position"
	"ply11/position/openings"
)

// SetTag returns the change that gives games a value of a tag. That of Result changes the end of the movetext, too.
func SetTag(name, value string) Change {
	return func(g *game.Game) archive.Touched {
		if old, ok := g.LookupTag(name); ok && old == value {
			return 0
		}
		g.SetTag(name, value)
		if r, err := game.ParseResult(value); name == "Result" && err == nil {
			g.Result = r
		}
		return archive.TouchedTags
	}
}

// UnsetTag returns the change that takes a tag away.
func UnsetTag(name string) Change {
	return func(g *game.Game) archive.Touched {
		if _, ok := g.LookupTag(name); !ok {
			return 0
		}
		g.DeleteTag(name)
		return archive.TouchedTags
	}
}

// ECO returns the change that sets the tags ECO and Opening by the last position of the main line that has a name: see
// package openings. The name has what Variation and SubVariation say: they go. A game without such a position, or with
// another start than the usual, keeps its tags.
func ECO() Change {
	return func(g *game.Game) archive.Touched {
		if g.Start != position.Start() {
			return 0
		}
		p := g.Start
		var last openings.Opening
		for _, m := range g.MainLine() {
			p.Make(m)
			if o, ok := openings.Of(&p); ok {
				last = o
			}
		}
		if last.ECO == "" {
			return 0
		}
		return SetTag("ECO", last.ECO)(g) | SetTag("Opening", last.Name)(g) | UnsetTag("Variation")(g) |
			UnsetTag("SubVariation")(g)
	}
}

// Part is parts of movetext, as a set.
type Part uint8

// The parts. Commands are what stands in comments as [%name …].
const (
	Comments   Part = 1 << iota // texts of comments, but for commands
	Clocks                      // the commands clk, emt and mct
	Evals                       // the command eval
	Commands                    // all commands
	NAGs                        // glyphs, also !, ? and the like
	Variations                  // variations, with all that is in them
)

var parts = []string{"comments", "clk", "eval", "commands", "nags", "variations"}

// ParseParts reads parts as "comments,clk".
func ParseParts(s string) (p Part, err error) {
	for name := range strings.SplitSeq(s, ",") {
		i := slices.Index(parts, name)
		if i < 0 {
			return 0, &chess.ParseError{What: "part of games", Text: name, Want: "one of " + strings.Join(parts, ", ")}
		}
		p |= 1 << i
	}
	return p, nil
}

// Strip returns the change that takes parts of the movetext away. Comments of which nothing is left go, too.
func Strip(p Part) Change {
	var b game.Builder
	out := game.New()
	return func(g *game.Game) archive.Touched {
		if g.Plain() {
			return 0
		}
		var touched archive.Touched
		out.Reset()
		b.Reset(out)
		skip := false
		for c := g.Cursor(); c.Next(); {
			switch c.Kind {
			case game.MoveEvent:
				b.Move(c.Move)
			case game.NAG:
				if p&NAGs == 0 {
					b.NAG(c.NAG)
				} else {
					touched = archive.TouchedMoves
				}
			case game.Comment:
				text := p.comment(c.Text)
				if text != c.Text {
					touched = archive.TouchedMoves
				}
				if text != "" {
					b.Comment(text)
				}
			case game.VariationStart:
				if p&Variations != 0 {
					c.SkipLine()
					skip, touched = true, archive.TouchedMoves
				} else if b.StartVariation() != nil {
					return 0 // not reached: the game has a move there
				}
			case game.VariationEnd:
				if !skip {
					b.EndVariation()
				}
				skip = false
			}
		}
		if touched != 0 {
			out.Tags, g.Tags = g.Tags, out.Tags
			out.Start, out.Result, out.Source = g.Start, g.Result, g.Source
			*g, *out = *out, *g
		}
		return touched
	}
}

// comment returns what is left of a comment.
func (p Part) comment(text string) string {
	var b strings.Builder
	at, gone := 0, false
	keep := func(end int) { // of text that is no command
		if p&Comments == 0 {
			b.WriteString(text[at:end])
		} else if strings.TrimSpace(text[at:end]) != "" {
			gone = true
		}
	}
	for c := range game.Commands(text) {
		keep(c.Start)
		at = c.End
		out := p&Commands != 0
		switch c.Name {
		case "clk", "emt", "mct":
			out = out || p&Clocks != 0
		case "eval":
			out = out || p&Evals != 0
		}
		if out {
			gone = true
			continue
		}
		if p&Comments != 0 && b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(text[c.Start:c.End])
	}
	keep(len(text))
	if !gone {
		return text
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
