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

// Joint is what stands where two parts of movetext meet: nothing, Space, Break, or both. What has no Break between is
// measured together, and goes to the next line together.
type Joint uint8

const (
	// Space is a space.
	Space Joint = 1 << iota
	// Break is where a line may end, in place of the space if there is one.
	Break
)

// LineRule is where lines end if they would be longer than Style.Width.
type LineRule uint8

const (
	// FitWords ends a line before what does not fit. It is the standard's rule.
	FitWords LineRule = iota
	// SpaceAfterWords writes the space after each word if that fits, and else a line end; then another line end if the
	// next word does not fit. Lines may end in a space.
	SpaceAfterWords
	// FitPlies is FitWords, but a line ends only before a ply or the result.
	FitPlies
	// FitPairs is FitWords, but a line ends only before White's number or the result.
	FitPairs
	// FillPairs ends a line where it has reached the width, before White's number or the result.
	FillPairs
)

// ResultRule is what stands before the result.
type ResultRule uint8

const (
	// ResultWord: the result is a word like others.
	ResultWord ResultRule = iota
	// ResultTwoSpaces puts two spaces before it, whatever the width.
	ResultTwoSpaces
	// ResultLine puts it on a line of its own, behind the comment that stands before it, if there is one.
	ResultLine
	// ResultSpace puts a space before it, whatever the width.
	ResultSpace
)

// Style is a layout of PGN: with the right one, a program's file is written again byte for byte. The zero value has the
// tags in the game's order, then the movetext on one line, "1.e4 e5 {text} 2.Nf3 1-0", and no blank lines.
type Style struct {
	// Width is the greatest length of a line of movetext, 0..65535; 0 for no limit. What has no Joint may be longer.
	Width int
	// Bytes: the width counts bytes. Without, it counts characters.
	Bytes bool
	// Lines is how lines are broken.
	Lines LineRule
	// Number stands between a move number and its move, Braces inside of braces, Parens inside of parentheses.
	Number, Braces, Parens Joint
	// KeepComments does not break lines inside of braces.
	KeepComments bool
	// NoCommentNumber leaves the number before Black's move after a comment out. NAGNumber puts one after a NAG. At the
	// start of a line of moves, and after a variation, there is always one.
	NoCommentNumber, NAGNumber bool
	// Glyphs writes the first of a move's $1 to $6 as !, ?, !!, ??, !?, ?!, after the move, if nothing stands between.
	Glyphs bool
	// Result is what stands before the result.
	Result ResultRule
	// FirstBreaks is how many lines end behind a comment before the first move, 0..2.
	FirstBreaks uint8
	// ChessBase breaks comments as that program: a word is measured with the character after it, and a line may end
	// after a comma in a word.
	ChessBase bool
	// Roster writes the seven tags of the standard's roster first, adding those that are missing, and
	// the others in the order of their names (8.1.1). Without, tags are in the order of the game.
	Roster bool
	// CRLF ends lines with a carriage return and a line feed.
	CRLF bool
	// BlankAfterTags, of a game with tags, and BlankAfterGame are numbers of blank lines, 0..255.
	BlankAfterTags, BlankAfterGame int
	// Encoding is Latin1, or else UTF-8.
	Encoding game.Encoding
}

// Export returns the export format of the PGN standard.
func Export() Style {
	return Style{Width: 79, Number: Space | Break, Roster: true,
		BlankAfterTags: 1, BlankAfterGame: 1}
}

// Compact returns the form of the fewest bytes that still has move numbers.
func Compact() Style { return Style{Glyphs: true} }

// Line returns the layout of large servers: the movetext on one line, in the tags' own order.
func Line() Style {
	return Style{Number: Space | Break, Glyphs: true, Braces: Space | Break,
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
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n', '\r':
			dst = append(dst, ' ')
		default:
			dst = append(dst, c)
		}
	}
	dst = append(dst, '"', ']')
	return s.newline(dst)
}

// layout puts what is written on lines. A unit is what stands between two places where a line may end.
type layout struct {
	dst   []byte
	style *Style
	col   int   // what the line has before the unit
	at    int   // where the unit begins, with its space
	gap   Joint // before the unit
	next  Joint // before what is written next
	wide  int   // what the unit is measured with beyond its length
}

// begin begins what may stand at the beginning of a line if lines are broken by a rule up to the one given.
func (l *layout) begin(upTo LineRule) {
	j := l.next
	if l.style.Lines > upTo {
		j &^= Break
	}
	if j&Break != 0 {
		l.place()
		l.at, l.gap = len(l.dst), j
	}
	if j&Space != 0 {
		l.dst = append(l.dst, ' ')
	}
	l.next, l.wide = Space|Break, 0
}

// place ends the unit, and puts it on the next line if it must be.
func (l *layout) place() {
	s := l.style
	if s.Width == 0 {
		return
	}
	size, space := len(l.dst)-l.at, int(l.gap&Space)
	if !s.Bytes || s.Encoding == game.Latin1 {
		size = utf8.RuneCount(l.dst[l.at:])
	}
	ends, from, to := l.col+size+l.wide > s.Width, l.at, l.at+space // the space that a line end replaces
	switch {
	case s.Lines == FillPairs:
		ends = l.col >= s.Width
	case s.Lines == SpaceAfterWords && l.col+space <= s.Width:
		from = to // it stays
	}
	if ends && l.col > 0 {
		end := "\n"
		if s.CRLF {
			end = "\r\n"
		}
		l.dst = slices.Replace(l.dst, from, to, []byte(end)...)
		l.col, size = 0, size-space
	}
	l.col += size
}

// ends ends the line behind a word, if it has any: with SpaceAfterWords behind what follows that.
func (l *layout) ends() {
	if l.next == 0 {
		return
	}
	l.place()
	if s := l.style; s.Lines == SpaceAfterWords && (s.Width == 0 || l.col < s.Width) {
		l.dst = append(l.dst, ' ')
	} else if s.Lines == SpaceAfterWords {
		l.newline()
	}
	l.newline()
}

// newline ends the line.
func (l *layout) newline() {
	l.dst = l.style.newline(l.dst)
	l.at, l.col, l.gap, l.next = len(l.dst), 0, 0, 0
}

// AppendMovetext appends the movetext of a game with its termination marker, without a line end after it.
//
// SAN and lines are formed in one pass, without an allocation but for variations.
func AppendMovetext(dst []byte, g *game.Game, s *Style) []byte {
	l := layout{dst: dst, style: s, at: len(dst)}
	line := position.NewLine(g.Start)
	number := true // Black's next move has one, too
	first := true  // no move was written
	glyph := false // a glyph may follow at once
	last := false  // the result stands behind the last comment
	for c := g.Cursor(); c.Next(); {
		switch c.Kind {
		case game.MoveEvent:
			if black := line.At.Turn() == chess.Black; !black || number {
				if black {
					l.begin(FitPlies)
				} else {
					l.begin(FillPairs)
				}
				l.dst = strconv.AppendUint(l.dst, uint64(line.At.FullmoveNumber()), 10)
				if l.dst = append(l.dst, '.'); black {
					l.dst = append(l.dst, ".."...)
				}
				l.next = s.Number
				l.begin(SpaceAfterWords)
			} else {
				l.begin(FitPlies)
			}
			l.dst = line.AppendSANMake(l.dst, c.Move)
			number, first, glyph = false, false, true
		case game.NAG:
			if s.Glyphs && glyph && c.NAG >= 1 && c.NAG <= 6 {
				l.dst = append(l.dst, glyphs[c.NAG]...)
			} else {
				l.begin(SpaceAfterWords)
				l.dst = append(l.dst, '$')
				l.dst = strconv.AppendUint(l.dst, uint64(c.NAG), 10)
			}
			number, glyph = number || s.NAGNumber, false
		case game.Comment:
			if s.Result == ResultLine {
				if rest := c; !rest.Next() {
					l.ends()
					last = true
				}
			}
			l.comment(c.Text)
			if first && s.FirstBreaks > 0 {
				if l.ends(); s.FirstBreaks > 1 {
					l.newline()
				}
			}
			number, glyph = number || !s.NoCommentNumber, false
		case game.VariationStart:
			line.Open()
			l.begin(SpaceAfterWords)
			l.dst = append(l.dst, '(')
			l.next = s.Parens
			number, glyph = true, false
		case game.VariationEnd:
			l.next = min(l.next, s.Parens) // nothing at the beginning of a line
			l.begin(SpaceAfterWords)
			l.dst = append(l.dst, ')')
			line.Close()
			number, glyph = true, false
		}
	}
	switch {
	case s.Result == ResultTwoSpaces || s.Result == ResultSpace:
		l.place()
		if l.next != 0 {
			l.dst = append(l.dst, ' ')
		}
		if l.next != 0 && s.Result == ResultTwoSpaces {
			l.dst = append(l.dst, ' ')
		}
		return append(l.dst, g.Result.String()...)
	case last:
		l.next &= Space
	case s.Result == ResultLine:
		l.ends()
	}
	l.begin(FillPairs)
	l.dst = append(l.dst, g.Result.String()...)
	l.place()
	return l.dst
}

// glyphs are the suffixes of the standard's 8.2.3.8.
var glyphs = [7]string{"", "!", "?", "!!", "??", "!?", "?!"}

// comment adds a comment. Braces cannot stand in braces, so that a text with any is written to the line's
// end, after a semicolon.
func (l *layout) comment(text string) {
	s := l.style
	if strings.ContainsAny(text, "{}") {
		l.next &= Space
		l.begin(SpaceAfterWords)
		l.dst = append(l.dst, "; "...)
		for i := range len(text) {
			c := text[i]
			if c == '\n' || c == '\r' {
				c = ' '
			}
			l.dst = append(l.dst, c)
		}
		l.place()
		l.newline()
		return
	}
	if l.next == Break && !s.ChessBase { // behind a parenthesis, where pgn-extract has a space
		l.next = Space | Break
	}
	l.begin(SpaceAfterWords)
	l.dst = append(l.dst, '{')
	inner := s.Braces
	if s.KeepComments {
		inner &= Space
	}
	if l.next = inner; text != "" && text[0] == '%' { // it would escape the line
		l.next &= Space
	}
	l.begin(SpaceAfterWords)
	wide := 0
	if s.ChessBase {
		wide = 1
	}
	from := 0
	if !s.KeepComments && s.Width > 0 {
		command := false
		before := byte(' ')
		for i := 0; i+1 < len(text); i++ {
			c, after := text[i], text[i+1]
			switch {
			case c == '%' && before == '[':
				command = true
			case c == ']':
				command = false
			case after == ' ' || after == '%':
			case c == ',' && s.ChessBase:
				l.dst = append(l.dst, text[from:i+1]...)
				from, l.next = i+1, Break
				l.begin(SpaceAfterWords)
			case c == ' ' && before != ' ' && before != '\t' && (before != ',' || !command):
				l.dst = append(l.dst, text[from:i]...)
				from, l.wide = i+1, wide
				l.begin(SpaceAfterWords)
			}
			before = c
		}
	}
	l.dst = append(l.dst, text[from:]...)
	l.next, l.wide = inner, wide
	l.begin(SpaceAfterWords)
	l.dst = append(l.dst, '}')
}
