// SPDX-License-Identifier: Apache-2.0

package pgn

import (
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"ply11/chess"
	"ply11/game"
	"ply11/game/codec"
	"ply11/position"
)

// BreakRule is how lines are broken where they would be longer than Style.Width.
type BreakRule uint8

const (
	// BreakForSpace: a line end takes the place of the space before what does not fit. It is the
	// standard's rule.
	BreakForSpace BreakRule = iota
	// BreakAfterSpace: each word is followed by its space if that fits, and by a line end if not; then the next
	// word goes to a new line if it does not fit. Lines may end in a space.
	BreakAfterSpace
)

// Style is a layout of PGN: with the right one, a program's file is written again byte for byte. The zero value has the
// tags in the game's order, then the movetext on one line, "1.e4 e5 {text} 2.Nf3 1-0", and no blank lines.
type Style struct {
	// Width is the greatest length of a line of movetext, in characters; 0 for no limit. A longer word gets its own
	// line.
	Width int
	// Break is how lines are broken.
	Break BreakRule
	// NumberSpace puts a space after a move number: "1. e4".
	NumberSpace bool
	// SplitNumber allows a line to be broken between a move number and its move.
	SplitNumber bool
	// NoNumbers leaves the move numbers out.
	NoNumbers bool
	// BlackNumber writes a number before every Black move: "1. e4 1... e5". Without, it stands only
	// where the standard asks for it: at the start of a line, and after comments and variations.
	BlackNumber bool
	// NoBlackNumber leaves Black's number out but at the start of a line of moves.
	NoBlackNumber bool
	// Glyphs writes the first of a move's $1 to $6 as !, ?, !!, ??, !?, ?!, after the move, if nothing stands between.
	Glyphs bool
	// CommentSpace puts spaces inside the braces: "{ text }".
	CommentSpace bool
	// KeepComments does not break lines inside comments.
	KeepComments bool
	// KeepSpaces breaks no line at a space that would not be read back as itself: one beside another, and one after a
	// comma within a command ("[%cal Ga1a2, Gb1b2]"). Layouts of archives are without it.
	KeepSpaces bool
	// ParenSpace puts spaces inside the parentheses: "( 1. d4 )".
	ParenSpace bool
	// Roster writes the seven tags of the standard's roster first, adding those that are missing, and
	// the others in the order of their names (8.1.1). Without, tags are in the order of the game.
	Roster bool
	// BareBackslash writes a backslash in a tag's value as itself where that reads back as one: not
	// before a quotation mark, another backslash, or the end.
	BareBackslash bool
	// CRLF ends lines with a carriage return and a line feed.
	CRLF bool
	// BlankAfterTags, of a game with tags, and BlankAfterGame are numbers of blank lines.
	BlankAfterTags, BlankAfterGame int
	// Encoding is Latin1, or else UTF-8.
	Encoding game.Encoding
}

// Export returns the export format of the PGN standard.
func Export() Style {
	return Style{Width: 79, NumberSpace: true, SplitNumber: true, Roster: true, KeepSpaces: true,
		BlankAfterTags: 1, BlankAfterGame: 1}
}

// Compact returns the form of the fewest bytes that still has move numbers.
func Compact() Style { return Style{Glyphs: true} }

// Line returns the layout of large servers: the movetext on one line, in the tags' own order.
func Line() Style {
	return Style{NumberSpace: true, Glyphs: true, CommentSpace: true,
		BlankAfterTags: 1, BlankAfterGame: 1}
}

// Writer writes games as PGN. It is a codec.Writer.
type Writer struct {
	out   codec.Output
	style Style
	buf   []byte
}

// NewWriter returns a Writer in the export format, or in the style given. Its Close must be called.
func NewWriter(w io.Writer, style ...Style) *Writer {
	s := Export()
	if len(style) > 0 {
		s = style[0]
	}
	return &Writer{out: codec.NewOutput(w), style: s}
}

// Write writes a game, whose moves must be legal: see codec.Writer. A codec.ErrText refuses what Latin1 cannot hold.
//
// What is written reads back as a game that is Equal, except for tags that Style.Roster adds and orders, white space at
// the ends of comments, line ends in texts, which become spaces, and characters that tag names cannot have. Cost: about
// 60 ns a ply.
func (w *Writer) Write(g *game.Game) error {
	if err := w.out.Begin(); err != nil {
		return err
	}
	w.buf = AppendGame(w.buf[:0], g, &w.style)
	text := w.buf
	if w.style.Encoding == game.Latin1 {
		var ok bool
		if text, ok = toLatin1(text); !ok {
			return w.out.Admit(&codec.Error{Offset: -1, Err: codec.ErrText,
				Reason: "a character above U+00FF, where ISO-8859-1 ends"})
		}
	}
	_, err := w.out.Write(text)
	return err
}

// Close writes what is left: see codec.Writer.
func (w *Writer) Close() error { return w.out.End(nil) }

// toLatin1 changes text from UTF-8 in place.
func toLatin1(text []byte) ([]byte, bool) {
	out := text[:0]
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			out = append(out, text[i])
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		if r > 255 || r == utf8.RuneError && n == 1 {
			return nil, false
		}
		out = append(out, byte(r))
		i += n
	}
	return out, true
}

// AppendGame appends a game in the style, in UTF-8 whatever the style's encoding, and returns dst: the
// tags, the movetext, and the blank lines after each.
//
// What a Style writes is frozen: an archive makes the text of its games with it (docs/FORMAT.md, layout).
func AppendGame(dst []byte, g *game.Game, s *Style) []byte {
	tags := len(dst)
	dst = AppendTags(dst, g, s)
	if len(dst) > tags {
		for range s.BlankAfterTags {
			dst = s.newline(dst)
		}
	}
	dst = AppendMovetext(dst, g, s)
	dst = s.newline(dst)
	for range s.BlankAfterGame {
		dst = s.newline(dst)
	}
	return dst
}

func (s *Style) newline(dst []byte) []byte {
	if s.CRLF {
		return append(dst, '\r', '\n')
	}
	return append(dst, '\n')
}

// roster is the seven tag roster (8.1.1), with the values of what is not known.
var roster = [7]game.Tag{{Name: "Event", Value: "?"}, {Name: "Site", Value: "?"},
	{Name: "Date", Value: "????.??.??"}, {Name: "Round", Value: "?"}, {Name: "White", Value: "?"},
	{Name: "Black", Value: "?"}, {Name: "Result"}}

func rosterIndex(name string) int {
	for i := range roster {
		if roster[i].Name == name {
			return i
		}
	}
	return -1
}

// AppendTags appends the tag pairs of a game, each on its line. A start position that no tag tells gets its tags.
func AppendTags(dst []byte, g *game.Game, s *Style) []byte {
	tags := g.Tags
	if usual := position.Start(); g.Start != usual && g.Start != game.StartOf(g.Tag("Variant"), usual) {
		if _, ok := g.LookupTag("FEN"); !ok {
			tags = slices.Clone(tags)
			if _, ok := g.LookupTag("SetUp"); !ok {
				tags = append(tags, game.Tag{Name: "SetUp", Value: "1"})
			}
			tags = append(tags, game.Tag{Name: "FEN", Value: g.Start.FEN()})
		}
	}
	if !s.Roster {
		for i := range tags {
			dst = s.appendTag(dst, &tags[i])
		}
		return dst
	}
	for i := range roster {
		t := roster[i]
		if v, ok := g.LookupTag(t.Name); ok {
			t.Value = v
		} else if t.Name == "Result" {
			t.Value = g.Result.String()
		}
		dst = s.appendTag(dst, &t)
	}
	var seen [len(roster)]bool
	var rest []game.Tag
	for i := range tags {
		if k := rosterIndex(tags[i].Name); k >= 0 && !seen[k] {
			seen[k] = true
			continue
		}
		rest = append(rest, tags[i])
	}
	slices.SortStableFunc(rest, func(a, b game.Tag) int { return strings.Compare(a.Name, b.Name) })
	for i := range rest {
		dst = s.appendTag(dst, &rest[i])
	}
	return dst
}

func (s *Style) appendTag(dst []byte, t *game.Tag) []byte {
	dst = append(dst, '[')
	start := len(dst)
	for i := 0; i < len(t.Name) && i < maxTagName; i++ {
		c := t.Name[i]
		if class[c]&inName == 0 {
			c = '_'
		}
		dst = append(dst, c)
	}
	if len(dst) == start {
		dst = append(dst, '_')
	}
	dst = append(dst, ' ', '"')
	for i := 0; i < len(t.Value); i++ {
		switch c := t.Value[i]; c {
		case '"':
			dst = append(dst, '\\', c)
		case '\\':
			if !s.BareBackslash || i+1 == len(t.Value) || t.Value[i+1] == '"' || t.Value[i+1] == '\\' {
				dst = append(dst, '\\')
			}
			dst = append(dst, c)
		case '\n', '\r':
			dst = append(dst, ' ')
		default:
			dst = append(dst, c)
		}
	}
	dst = append(dst, '"', ']')
	return s.newline(dst)
}

// gap is what stands between two words.
type gap uint8

const (
	noGap    gap = iota // the line's beginning, or nothing
	space               // a space, or a line end
	mayBreak            // nothing, or a line end
)

// layout puts words on lines.
type layout struct {
	dst   []byte
	style *Style
	col   int // characters on the line
	gap   gap // before the next word
	// The last word, so that something can be put at its end: where the gap before it begins, where
	// it begins, and its length in characters.
	gapAt, wordAt, size int
}

// newline ends the line.
func (l *layout) newline() {
	l.dst = l.style.newline(l.dst)
	l.col = 0
}

// word adds a word of n characters.
func (l *layout) word(w []byte, n int) {
	l.gapAt = len(l.dst)
	width := l.style.Width
	switch {
	case l.gap == noGap:
	case width == 0:
		if l.gap == space {
			l.dst = append(l.dst, ' ')
			l.col++
		}
	case l.gap == mayBreak:
		if l.col+n > width && l.col > 0 {
			l.newline()
		}
	case l.style.Break == BreakForSpace:
		if l.col+1+n > width && l.col > 0 {
			l.newline()
		} else {
			l.dst = append(l.dst, ' ')
			l.col++
		}
	default:
		if l.col+1 > width && l.col > 0 {
			l.newline()
		} else {
			l.dst = append(l.dst, ' ')
			if l.col++; l.col+n > width {
				l.newline()
			}
		}
	}
	l.wordAt, l.size = len(l.dst), n
	l.dst = append(l.dst, w...)
	l.col += n
	l.gap = space
}

// suffix adds to the end of the last word, and takes the word to the next line if it no longer fits.
func (l *layout) suffix(s string) {
	width := l.style.Width
	n := utf8.RuneCountInString(s)
	if width > 0 && l.col+n > width && l.col > l.size && l.wordAt > l.gapAt && l.dst[l.wordAt-1] == ' ' {
		word := string(l.dst[l.wordAt:])
		if l.style.Break == BreakForSpace {
			l.dst = l.dst[:l.wordAt-1]
		} else {
			l.dst = l.dst[:l.wordAt]
		}
		l.newline()
		l.wordAt = len(l.dst)
		l.dst = append(l.dst, word...)
		l.col = l.size
	}
	l.dst = append(l.dst, s...)
	l.col += n
	l.size += n
}

// AppendMovetext appends the movetext of a game with its termination marker, without a line end after it.
//
// SAN and lines are formed in one pass, without an allocation but for variations.
func AppendMovetext(dst []byte, g *game.Game, s *Style) []byte {
	if g.Plain() {
		return appendPlain(dst, g, s)
	}
	return appendMovetext(dst, g, s)
}

// appendPlain is appendMovetext for a main line alone: each word is written where it belongs, after a space, and
// the line is broken when the word's length is known.
func appendPlain(dst []byte, g *game.Game, s *Style) []byte {
	var buf [256]chess.Move
	at := g.Start
	gap, col := noGap, 0
	for i, m := range g.AppendMainLine(buf[:0]) {
		start := len(dst)
		if gap == space {
			dst = append(dst, ' ')
		}
		black := at.Turn() == chess.Black
		if !s.NoNumbers && (!black || s.BlackNumber || i == 0) {
			dst = strconv.AppendUint(dst, uint64(at.FullmoveNumber()), 10)
			if black {
				dst = append(dst, "..."...)
			} else {
				dst = append(dst, '.')
			}
			if s.SplitNumber {
				dst, col = s.place(dst, start, gap, col)
				start, gap = len(dst), mayBreak
			}
			if s.NumberSpace {
				dst = append(dst, ' ')
				if s.SplitNumber {
					gap = space
				}
			}
		}
		dst = at.AppendSANMake(dst, m)
		dst, col = s.place(dst, start, gap, col)
		gap = space
	}
	start := len(dst)
	if gap == space {
		dst = append(dst, ' ')
	}
	dst = append(dst, g.Result.String()...)
	dst, _ = s.place(dst, start, gap, col)
	return dst
}

// place ends the line before the word dst[start:], with its space if the gap is one, if it does not fit on the
// line of col characters. It returns the characters on the line with the word.
func (s *Style) place(dst []byte, start int, gap gap, col int) ([]byte, int) {
	n := len(dst) - start
	if s.Width == 0 || col+n <= s.Width || col == 0 || gap == noGap {
		return dst, col + n
	}
	end := "\n"
	if s.CRLF {
		end = "\r\n"
	}
	switch {
	case gap == mayBreak:
		return slices.Insert(dst, start, []byte(end)...), n
	case s.Break == BreakAfterSpace && col < s.Width:
		return slices.Insert(dst, start+1, []byte(end)...), n - 1
	}
	return slices.Replace(dst, start, start+1, []byte(end)...), n - 1
}

// appendMovetext is AppendMovetext for all games and styles.
func appendMovetext(dst []byte, g *game.Game, s *Style) []byte {
	l := layout{dst: dst, style: s}
	var buf [48]byte
	line := position.NewLine(g.Start)
	numbered := false // the move before, in the same line, so that Black needs no number
	first := true     // of a line
	glyph := false    // a glyph may follow at once
	paren := false    // an opening parenthesis waits for its word
	for c := g.Cursor(); c.Next(); {
		w := buf[:0]
		if paren && c.Kind != game.VariationEnd {
			w = append(w, '(')
		}
		switch c.Kind {
		case game.MoveEvent:
			paren = false
			black := line.At.Turn() == chess.Black
			if !s.NoNumbers && (!black || s.BlackNumber || first || !numbered && !s.NoBlackNumber) {
				w = strconv.AppendUint(w, uint64(line.At.FullmoveNumber()), 10)
				if black {
					w = append(w, "..."...)
				} else {
					w = append(w, '.')
				}
				switch {
				case s.SplitNumber:
					l.word(w, len(w))
					w = buf[:0]
					if !s.NumberSpace {
						l.gap = mayBreak
					}
				case s.NumberSpace:
					w = append(w, ' ')
				}
			}
			w = line.AppendSANMake(w, c.Move)
			l.word(w, len(w))
			numbered, first, glyph = true, false, true
		case game.NAG:
			paren = false
			if s.Glyphs && glyph && c.NAG >= 1 && c.NAG <= 6 {
				l.suffix(glyphs[c.NAG])
			} else {
				w = append(w, '$')
				w = strconv.AppendUint(w, uint64(c.NAG), 10)
				l.word(w, len(w))
			}
			glyph = false
		case game.Comment:
			l.comment(c.Text, paren)
			paren, numbered, glyph = false, false, false
		case game.VariationStart:
			line.Open()
			if s.ParenSpace {
				l.word([]byte{'('}, 1)
			} else {
				paren = true
			}
			numbered, first, glyph = false, true, false
		case game.VariationEnd:
			if s.ParenSpace {
				l.word([]byte{')'}, 1)
			} else if l.col == 0 { // after a comment to the line's end
				l.gap = noGap
				l.word([]byte{')'}, 1)
			} else {
				l.suffix(")")
			}
			line.Close()
			numbered, first, glyph = false, false, false
		}
	}
	r := g.Result.String()
	l.word(append(buf[:0], r...), len(r))
	return l.dst
}

// glyphs are the suffixes of the standard's 8.2.3.8.
var glyphs = [7]string{"", "!", "?", "!!", "??", "!?", "?!"}

// comment adds a comment. Braces cannot stand in braces, so that a text with any is written to the line's
// end, after a semicolon.
func (l *layout) comment(text string, paren bool) {
	s := l.style
	open := "{"
	if paren {
		open = "({"
	}
	if strings.ContainsAny(text, "{}") {
		if paren {
			l.word([]byte{'('}, 1)
		}
		line := []byte("; " + text)
		for i, c := range line {
			if c == '\n' || c == '\r' {
				line[i] = ' '
			}
		}
		if l.gap == space {
			l.dst = append(l.dst, ' ')
		}
		l.dst = append(l.dst, line...)
		l.newline()
		l.gap = noGap
		return
	}
	inner := ""
	if s.CommentSpace {
		inner = " "
	}
	if s.Width == 0 {
		if l.gap == space {
			l.dst = append(l.dst, ' ')
		}
		l.dst = append(l.dst, open...)
		l.dst = append(l.dst, inner...)
		l.dst = append(l.dst, text...)
		l.dst = append(append(l.dst, inner...), '}')
		l.gap, l.col = space, 1 // not the beginning of a line
		return
	}
	if s.KeepComments {
		w := []byte(open + inner + text + inner + "}")
		l.word(w, utf8.RuneCount(w))
		return
	}
	// A line end reads as one space: each space may become one, but before '%', which would escape the
	// line, and before another space, which would begin the next line.
	rest, command := open+inner+text+inner+"}", false
	for first := true; ; first = false {
		end := s.wordOf(rest, &command)
		w := rest[:end]
		if !first && (w == "" || w[0] == '%') {
			l.dst = append(append(l.dst, ' '), w...)
			l.col += 1 + utf8.RuneCountInString(w)
		} else {
			l.word([]byte(w), utf8.RuneCountInString(w))
		}
		if end == len(rest) {
			break
		}
		rest = rest[end+1:]
	}
}

// wordOf returns how much of a comment's text stands before the next space where a line may end. Command tells whether
// the text begins within a command, and then whether the text behind the word does.
func (s *Style) wordOf(text string, command *bool) int {
	if !s.KeepSpaces {
		if n := strings.IndexByte(text, ' '); n >= 0 {
			return n
		}
		return len(text)
	}
	before := byte(0)
	for i := range len(text) {
		c := text[i]
		switch {
		case c == '%' && before == '[':
			*command = true
		case c == ']':
			*command = false
		case c == ' ' && before != ' ' && before != '\t' && (before != ',' || !*command) && i+1 < len(text) &&
			text[i+1] != ' ':
			return i
		}
		before = c
	}
	return len(text)
}
