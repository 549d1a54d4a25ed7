// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"ply11/bitstream/archive"
	"ply11/chess"
	"ply11/game"
)

// Names are the right spellings of names.
type Names struct {
	exact map[string]map[string]string // by tag, of the whole value
	parts map[string][]part            // by tag, of a part of it, in the file's order
}

type part struct{ where, old, new string }

// sections of a spelling file are of these tags.
var sections = map[string][]string{"@PLAYER": {"White", "Black"}, "@EVENT": {"Event"}, "@SITE": {"Site"},
	"@ROUND": {"Round"}}

// ReadNames reads names from lines of an old and a new one, with a tab between them, which are of players, or of the
// tag that stands before them with another tab. Or it reads a spelling file of SCID (.ssp): sections @PLAYER, @EVENT,
// @SITE and @ROUND with a line for each right name, lines "= other spelling" after it, and %Prefix, %Infix and %Suffix
// with two texts in quotes. An error names the line.
func ReadNames(in io.Reader) (*Names, error) {
	n := &Names{map[string]map[string]string{}, map[string][]part{}}
	var tags []string // of the section
	right := ""
	s := bufio.NewScanner(in)
	for line := 1; s.Scan(); line++ {
		fail := func(why string) error {
			return fmt.Errorf("line %d: %w", line, &chess.ParseError{What: "line of names", Text: s.Text(), Want: why})
		}
		text := strings.TrimRight(s.Text(), " \r")
		if !utf8.ValidString(text) {
			return nil, fmt.Errorf("line %d: %q is not UTF-8", line, text)
		}
		if line == 1 {
			text = strings.TrimPrefix(text, "\ufeff")
		}
		trimmed := strings.TrimSpace(text)
		word, rest, _ := strings.Cut(trimmed, " ")
		switch {
		case trimmed == "" || trimmed[0] == '#' && (tags != nil || !strings.Contains(trimmed, "\t")):
		case trimmed[0] == '@':
			if tags = sections[strings.ToUpper(word)]; tags == nil {
				return nil, fail("a section @PLAYER, @EVENT, @SITE or @ROUND")
			}
			right = ""
		case tags == nil:
			fields := strings.Split(text, "\t")
			switch of := []string{"White", "Black"}; {
			case len(fields) == 3 && fields[0] != "":
				of, fields = fields[:1], fields[1:]
				fallthrough
			case len(fields) == 2:
				if err := n.add(of, fields[0], fields[1]); err != nil {
					return nil, fmt.Errorf("line %d: %w", line, err)
				}
			default:
				return nil, fail("an old and a new name with a tab between them, or a tag, a tab and these")
			}
		case word == "%Prefix" || word == "%Infix" || word == "%Suffix":
			q := strings.Split(rest, `"`)
			if len(q) != 5 || q[1] == "" {
				return nil, fail(`two texts in quotes`)
			}
			for _, tag := range tags {
				n.parts[tag] = append(n.parts[tag], part{word, q[1], q[3]})
			}
		case word == "%Bio" || trimmed[0] == '%':
		case trimmed[0] == '=':
			other, _, _ := strings.Cut(trimmed[1:], "#")
			if other = strings.TrimSpace(other); right == "" || other == "" {
				return nil, fail("a right name before other spellings")
			}
			if err := n.add(tags, other, right); err != nil {
				return nil, fmt.Errorf("line %d: %w", line, err)
			}
		default:
			right, _, _ = strings.Cut(trimmed, "#")
			right = strings.TrimSpace(right)
		}
	}
	return n, s.Err()
}

func (n *Names) add(tags []string, old, new string) error {
	for _, tag := range tags {
		m := n.exact[tag]
		if m == nil {
			m = map[string]string{}
			n.exact[tag] = m
		}
		if was, ok := m[old]; ok && was != new {
			return fmt.Errorf("%q is to be %q and, in another line, %q", old, was, new)
		}
		m[old] = new
	}
	return nil
}

// Rename returns the change that gives tags the right spellings.
func Rename(n *Names) Change {
	tags := slices.Sorted(maps.Keys(n.exact))
	for tag := range n.parts {
		if !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	return func(g *game.Game) (t archive.Touched) {
		for _, tag := range tags {
			if old, ok := g.LookupTag(tag); ok {
				t |= SetTag(tag, n.of(tag, old))(g)
			}
		}
		return t
	}
}

func (n *Names) of(tag, name string) string {
	if right, ok := n.exact[tag][name]; ok {
		return right
	}
	for _, p := range n.parts[tag] {
		switch p.where {
		case "%Prefix":
			if rest, ok := strings.CutPrefix(name, p.old); ok {
				name = p.new + rest
			}
		case "%Suffix":
			if rest, ok := strings.CutSuffix(name, p.old); ok {
				name = rest + p.new
			}
		default:
			name = strings.ReplaceAll(name, p.old, p.new)
		}
	}
	if right, ok := n.exact[tag][name]; ok {
		return right
	}
	return name
}
