// SPDX-License-Identifier: Apache-2.0

package pgn

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"ply11/chess"
	"ply11/game"
	"ply11/game/codec"
	"ply11/position"
)

// What the parser is for, the most important first:
//
//  1. Any input is safe: no panic, and memory within the limits.
//  2. An error costs one game, which is given as far as it is valid.
//  3. Every move is legal, and nothing that the standard defines is lost.
//  4. What real files hold beside the standard is read as its writer meant it.
//  5. Speed.
//
// tags.go reads what stands before the movetext, movetext.go and result.go the movetext, comments.go the comments.

// status is how an attempt to read a game from what is in memory ended.
type status uint8

const (
	done status = iota // a game was read
	more               // what is in memory ends before the game surely does
	none               // the input ends without another game
)

// pad is how many bytes, zeros after the input's end, may be looked at beyond the place where a token begins: no
// scanner of a short token tests for the end.
const pad = 64

// Classes of bytes, as they begin a token.
const (
	inSymbol = 1 << iota // may be within a move, a number or a word
	isSpace              // white space and other control characters
	isDigit
	inName  // may be within a tag's name
	matters // where hurry stops
)

var class [256]uint8

func init() {
	for c := range 256 {
		switch {
		case c <= ' ' || c == 127:
			class[c] = isSpace
		case strings.IndexByte("{};()[]$!?\"", byte(c)) < 0:
			class[c] = inSymbol
		}
		if c > ' ' && c != 127 && strings.IndexByte("[]{}\"", byte(c)) < 0 {
			class[c] |= inName
		}
		if c >= '0' && c <= '9' {
			class[c] |= isDigit
		}
		if strings.IndexByte("{;[*()-/:1\n\r\xbd\xe2", byte(c)) >= 0 {
			class[c] |= matters
		}
	}
}

// parser reads one game out of bytes in memory. Where the bytes end before the game does, the attempt is given up, and
// made again from the game's start when there are more, so that no scanning has to think of refilling.
//
// It is fast because moves are read and made by position.Line.ScanSAN, which leaves what it does not know to the slow,
// forgiving reader; move numbers and plain values of tags are recognised by eight bytes at a time; names of tags are
// compared with the last game's; moves are given to the game in runs; and the values of a game's tags are one string.
type parser struct {
	opt  options
	buf  []byte        // at least pad bytes longer than end
	end  int           // of the input in buf
	lim  int           // where a token may begin: end - pad, or end if the input ends there
	last bool          // the input ends at end
	base int64         // the offset of buf[0] in the input
	enc  game.Encoding // of the input so far

	latin, wide bool // the game has a text in Latin-1; in UTF-8

	g *game.Game
	b game.Builder

	start, stop int // the game's range in buf
	body        int // where its movetext begins

	line       position.Line
	run        [128]chess.Move // moves that are not yet in the game
	n          int             // how many
	full       int             // and how many may be: no more than MaxMoves leaves
	moves      int             // of the game, with those of variations, without the run
	items      int             // annotations and variations
	skip       int             // parentheses that are open and passed over
	dead       bool            // the rest of the movetext is passed over
	terminated bool

	err   *codec.Error
	errAt int // where it is in buf

	// Known from one token to the next, so that no byte is looked at for each token before it.
	searched, nextClose int   // the first '}' from buf[searched] on is at nextClose, which is end if there is none
	flatFrom, flatTo    int64 // braces of comments that begin between these offsets do not nest
	word, hurried       int   // hurry stopped at buf[hurried], in a word that begins at buf[word]

	work int64 // bytes looked at or moved, again and again where that is so: for the tests

	tagText  []byte   // values of the tags, one after the other
	tagEnds  []int    // where they end in it
	tagNames []string // names of tags, mostly in the order in which games have them
	nextTag  int      // which of them is likely to be next
	scratch  []byte
}

// fail records an error at buf[at:at+n] that the main line is not right or not whole for.
func (p *parser) fail(at, n int, err error, expected string) { p.record(at, n, err, expected, false) }

// beside records an error at buf[at:at+n] that leaves the main line right.
func (p *parser) beside(at, n int, err error, expected string) { p.record(at, n, err, expected, true) }

// record keeps the first error of the main line, or else the first, and counts the others.
func (p *parser) record(at, n int, err error, expected string, beside bool) {
	others := 0
	if p.err != nil {
		if !p.err.Beside || beside {
			p.err.Others++
			return
		}
		others = p.err.Others + 1
	}
	text := p.buf[at:min(at+n, p.end)]
	if len(text) > 40 {
		text = text[:40]
	}
	ply := 0
	if p.line.At != (position.Position{}) {
		ply = p.line.Ply() + 1
	}
	p.errAt = at
	p.err = &codec.Error{File: p.opt.name, Offset: p.base + int64(at), Ply: ply,
		Text: string(text), Expected: expected, Err: err, Others: others, Beside: beside}
}

// parse reads the game that begins at or after buf[from] into g. After done, the game's bytes are
// buf[start:stop]; after none, no game is in the rest.
func (p *parser) parse(g *game.Game, from int) status {
	st := p.parseGame(g, from)
	if st == done {
		p.work += int64(p.stop - from)
	} else {
		p.work += int64(p.end - from)
	}
	return st
}

func (p *parser) parseGame(g *game.Game, from int) status {
	g.Reset()
	p.g = g
	p.b.Reset(g)
	p.line.Reset(position.Position{})
	p.n, p.moves, p.items, p.skip = 0, 0, 0, 0
	p.full = min(len(p.run), p.opt.maxMoves)
	p.dead, p.terminated = false, false
	p.word, p.hurried = 0, -1
	p.err = nil
	p.latin, p.wide = false, false
	p.tagText, p.tagEnds, p.nextTag = p.tagText[:0], p.tagEnds[:0], 0

	p.start, p.stop = from, from
	i, st := p.head(from)
	if st != done {
		return st
	}
	p.finishTags()
	p.setup()
	if i < p.end {
		if st = p.movetext(i); st != done {
			return st
		}
	}
	p.stop = max(p.stop, p.start+1) // there is no game without a byte
	p.flush()
	if p.b.Depth() > 0 || p.skip > 0 && !p.dead {
		p.fail(p.stop, 0, codec.ErrTruncated, ")")
		for p.b.Depth() > 0 {
			p.closeVariation()
		}
	}
	p.b.Flush()
	if p.err != nil && len(g.Tags) == 0 && p.moves == 0 {
		p.err.Beside = false // there is nothing that could be right
	}
	if !p.terminated {
		g.Result, _ = tagResult(g)
		g.Source.NoTerminator = true
	}
	return done
}

// wideSpace returns the length of the white space that is not ASCII, or the character without width, at the front of b,
// 0 if neither is there. A byte that is no UTF-8 is one of Latin-1.
func wideSpace(b []byte) int {
	if b[0] < utf8.RuneSelf {
		return 0
	}
	r, n := utf8.DecodeRune(b)
	return isWide(r, b[0], n)
}

// isWide returns n, the size of a rune that was decoded from a text, if wideSpace is to find it. A byte that is no
// UTF-8 is given, too.
func isWide(r rune, c byte, n int) int {
	if r == utf8.RuneError && n == 1 {
		r = rune(c)
	}
	if r >= utf8.RuneSelf && (unicode.IsSpace(r) || unicode.Is(unicode.Cf, r)) {
		return n
	}
	return 0
}

// skipBlank returns where the white space of a line that begins at b[i] ends.
func skipBlank(b []byte, i int) int {
	for i < len(b) {
		if b[i] == ' ' || b[i] == '\t' {
			i++
		} else if n := wideSpace(b[i:]); n > 0 {
			i += n
		} else {
			break
		}
	}
	return i
}

// blank skips white space and escaped lines, and counts the line ends. It stops at lim; lines is -1 where what is in
// memory ends within an escaped line.
func (p *parser) blank(i int) (next, lines int) {
	buf := p.buf
	for {
		from := i
		for i < p.lim && class[buf[i]]&isSpace != 0 {
			c := buf[i]
			i++
			if c == '\n' || c == '\r' && buf[i] != '\n' {
				lines++
			}
		}
		p.work += int64(i - from)
		if i >= p.lim {
			return i, lines
		}
		if buf[i] >= utf8.RuneSelf {
			if n := wideSpace(buf[i : i+pad]); n > 0 {
				i += n
				continue
			}
		}
		if buf[i] != '%' || !p.atLineStart(i) {
			return i, lines
		}
		if i = p.lineEnd(i); i == p.end && !p.last {
			return i, -1
		}
	}
}

// atLineStart reports whether no byte stands before buf[i] on its line.
func (p *parser) atLineStart(i int) bool {
	// A buffer begins with the input, or a line, or with a byte before the game.
	return i == 0 || p.buf[i-1] == '\n' || p.buf[i-1] == '\r'
}

// lineEnd returns the number of bytes before the first line end, all if there is none. It looks at no more than three
// times as many.
func lineEnd(b []byte) int {
	from := 0
	for size := 64; ; size *= 2 {
		part := b[from:min(from+size, len(b))]
		n := bytes.IndexByte(part, '\n')
		if n >= 0 {
			part = part[:n]
		}
		if r := bytes.IndexByte(part, '\r'); r >= 0 {
			return from + r
		}
		from += len(part)
		if n >= 0 || from == len(b) {
			return from
		}
	}
}

// lineEnd returns where the line of buf[i] ends, p.end if that is not in memory.
func (p *parser) lineEnd(i int) int {
	n := lineEnd(p.buf[i:p.end])
	p.work += int64(n)
	return i + n
}

// appendText appends text of the input to dst as UTF-8.
func (p *parser) appendText(dst, text []byte) []byte {
	if p.opt.encoding == game.Latin1 || p.enc != game.ASCII && !utf8.Valid(text) {
		p.latin = true
		for _, c := range text {
			dst = utf8.AppendRune(dst, rune(c))
		}
		return dst
	}
	if p.enc == game.Latin1 && !p.wide { // what came before was Latin-1, and this may be ASCII
		p.wide = !isASCII(text)
	}
	return append(dst, text...)
}

// encoding is that of the game: Latin-1 if one text of it is, and UTF-8 if its texts are, whatever those of other games
// are. A game that is all ASCII has that of the input so far.
func (p *parser) encoding() game.Encoding {
	switch {
	case p.opt.encoding != game.ASCII:
		return p.opt.encoding
	case p.latin:
		return game.Latin1
	case p.wide:
		return game.UTF8
	}
	return p.enc
}
