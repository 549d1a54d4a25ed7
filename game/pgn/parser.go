// SPDX-License-Identifier: Apache-2.0

package pgn

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"ply11/bitstream/codec"
	"ply11/game"
	"ply11/moveindex"
	"ply11/position"
)

// status is how an attempt to read a game from what is in memory ended.
type status uint8

const (
	done status = iota // a game was read
	more               // what is in memory ends before the game surely does
	none               // the input ends without another game
)

// pad is how many bytes, zeros after the input's end, may be looked at beyond the place where a
// token begins. The token loop tests once for each token that so many are there, and no scanner of a
// short token tests for the end again.
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
		if strings.IndexByte("{;[*()-/:1\n\r\xbd", byte(c)) >= 0 {
			class[c] |= matters
		}
	}
}

// level is what a variation suspends: the position before and after the move that it replaces.
type level struct{ before, after position.Position }

// parser reads one game out of bytes in memory. It does not wait for input: where the bytes end
// before the game does, the attempt is given up, and made again from the game's start when there
// are more. With blocks of 256 KiB and games of 600 bytes, half a game in 430 is read twice, and
// none of the scanning has to think of refilling.
//
// What makes it fast, measured on 50,000 master games (22.8 million halfmoves a second of processor
// time) by doing without it:
//
//   - moves are read by position.ScanSAN, which classifies eight bytes at a time and resolves from the
//     target square backwards; what it does not know goes to the slow, forgiving reader;
//   - move numbers are found by one load and two tests instead of a loop: without, 19.4 million;
//   - a game's tag names are compared with the last game's instead of made anew: 20.5;
//   - a plain value of a tag is recognised eight bytes at a time: 21.5;
//   - moves are given to the game in runs: 22.3;
//   - the values of a game's tags are one string: 22.5, and one allocation for eight.
//
// The copy of the position that is kept for a variation that may follow costs nothing measurable.
type parser struct {
	opt  Options
	buf  []byte // at least pad bytes longer than end
	end  int    // of the input in buf
	lim  int    // where a token may begin: end - pad, or end if the input ends there
	last bool   // the input ends at end
	base int64  // the offset of buf[0] in the input
	enc  game.Encoding

	g     *game.Game
	b     game.Builder
	want  Parts
	asked int64 // the offset of the game that Select was last called for: it is called once for each game
	wants Parts // what Select returned

	start, stop int // the game's range in buf
	body        int // where its movetext begins

	pos, before position.Position // the position, and the one before the last move
	stack       []level
	run         [128]moveindex.Move // moves that are not yet in the game
	n           int                 // how many
	moves       int                 // of the game, with those of variations, without the run
	items       int                 // annotations and variations
	skip        int                 // parentheses that are open and passed over
	dead        bool                // the rest of the movetext is passed over
	terminated  bool

	err   *codec.Error
	errAt int // where it is in buf

	// The first '}' from buf[searched] on is at nextClose, which is end if there is none: so that many
	// comments without an end do not take a search of the whole buffer each.
	searched, nextClose int
	noNesting           bool // braces of this game do not nest

	tagText  []byte   // values of the tags, one after the other
	tagEnds  []int    // where they end in it
	tagNames []string // names of the last game's tags: those of the next are mostly the same strings
	scratch  []byte
}

// fail records an error at buf[at:at+n]. The first of a game is kept, the others are counted.
func (p *parser) fail(at, n int, err error, expected string) {
	if p.err != nil {
		p.err.Others++
		return
	}
	text := p.buf[at:min(at+n, p.end)]
	if len(text) > 40 {
		text = text[:40]
	}
	ply := 0
	if p.pos != (position.Position{}) {
		ply = p.pos.Ply() - p.g.Start.Ply() + 1
	}
	p.errAt = at
	p.err = &codec.Error{File: p.opt.Name, Offset: p.base + int64(at), Ply: ply,
		Text: string(text), Expected: expected, Err: err}
}

// parse reads the game that begins at or after buf[from] into g. After done, the game's bytes are
// buf[start:stop]; after none, no game is in the rest.
func (p *parser) parse(g *game.Game, from int) status {
	g.Reset()
	p.g = g
	p.b.Reset(g)
	p.pos, p.before = position.Position{}, position.Position{}
	p.stack = p.stack[:0]
	p.n, p.moves, p.items, p.skip = 0, 0, 0, 0
	p.dead, p.terminated, p.noNesting = false, false, false
	p.err = nil
	p.want = Everything
	p.tagText, p.tagEnds = p.tagText[:0], p.tagEnds[:0]

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
	if p.b.Depth() > 0 {
		p.fail(p.stop, 0, ErrVariation, ")")
		for p.b.Depth() > 0 {
			p.closeVariation()
		}
	}
	p.b.Flush()
	if !p.terminated {
		g.Result, _ = g.TagResult()
		g.Source.NoTerminator = true
	}
	return done
}

// blank skips white space and escaped lines, and counts the line ends. It stops at lim.
func (p *parser) blank(i int) (next, lines int) {
	buf := p.buf
	for i < p.lim && class[buf[i]]&isSpace != 0 {
		c := buf[i]
		i++
		if c == '\n' || c == '\r' && buf[i] != '\n' {
			lines++
		}
	}
	if i < p.lim && buf[i] == '%' && p.atLineStart(i) {
		// The escaped line may be longer than what is in memory: what is skipped need not be kept.
		j := i + lineEnd(buf[i:p.end])
		if j < p.end {
			k, l := p.blank(j)
			return k, lines + l
		}
		if p.last {
			return p.end, lines
		}
		return p.end, -1 // give up here
	}
	return i, lines
}

// atLineStart reports whether no byte stands before buf[i] on its line.
func (p *parser) atLineStart(i int) bool {
	// A buffer begins with the input, or a line, or with a byte before the game.
	return i == 0 || p.buf[i-1] == '\n' || p.buf[i-1] == '\r'
}

// lineEnd returns the number of bytes before the first line end, all if there is none.
func lineEnd(b []byte) int {
	n := bytes.IndexByte(b, '\n')
	if n < 0 {
		n = len(b)
	}
	if r := bytes.IndexByte(b[:n], '\r'); r >= 0 {
		n = r
	}
	return n
}

// head reads what stands before the movetext: comments and the tags. It returns where the movetext
// begins.
func (p *parser) head(i int) (int, status) {
	started := false
	first := ""
	p.stop = i
	for {
		next, lines := p.blank(i)
		if lines < 0 {
			return i, more
		}
		i = next
		buf := p.buf
		if i >= p.lim && !p.last {
			if !started {
				p.start = i // nothing before it is needed again
			}
			return i, more
		}
		if i >= p.end {
			if !started {
				p.start = p.end
				return i, none
			}
			if p.stop < 0 || len(p.tagEnds) == 0 && p.err == nil {
				// Comments alone are no game.
				p.start = p.end
				return i, none
			}
			return i, done
		}
		if !started {
			p.start = i
		}
		switch c := buf[i]; {
		case c == 0xef && buf[i+1] == 0xbb && buf[i+2] == 0xbf:
			i += 3
			continue
		case c == '{' || c == ';':
			started = true
			j, st := p.comment(i, true)
			if st != done {
				return i, st
			}
			if p.terminated { // it had no end
				p.terminated, p.stop = false, j
				return p.end, done
			}
			i, p.stop = j, j
		case c == '[':
			is, st := p.isTag(i)
			if st != done {
				return i, st
			}
			if !is {
				return i, done
			}
			started = true
			if len(p.tagEnds) > 0 && lines >= 2 {
				name := p.nameAt(i)
				if string(name) == "Event" || string(name) == first {
					return p.end, done // the next game's: this one has tags alone
				}
			}
			j, st := p.tag(i)
			if st != done {
				return i, st
			}
			if len(p.g.Tags) == 1 {
				first = p.g.Tags[0].Name
			}
			i, p.stop = j, j
		case c == '<' && isBreak(buf[i:i+pad]) > 0:
			i += isBreak(buf[i : i+pad])
		default:
			return i, done
		}
	}
}

// isBreak returns the length of HTML's <br>, with which text copied from web pages is sprinkled, at the
// front of b, 0 if it is not there.
func isBreak(b []byte) int {
	if b[0] != '<' || b[1]|0x20 != 'b' || b[2]|0x20 != 'r' {
		return 0
	}
	for i := 3; i < 8; i++ {
		switch b[i] {
		case '>':
			return i + 1
		case ' ', '/':
		default:
			return 0
		}
	}
	return 0
}

// isTag reports whether buf[i], a '[', begins a tag pair: a name, then a quotation mark; on its
// own line, a name is enough.
func (p *parser) isTag(i int) (bool, status) {
	buf := p.buf
	j := i + 1
	for j < p.end && (buf[j] == ' ' || buf[j] == '\t') {
		j++
	}
	k := j
	for k < p.end && class[buf[k]]&inName != 0 && k-j < 256 {
		k++
	}
	named := k > j
	for k < p.end && (buf[k] == ' ' || buf[k] == '\t') && k-j < 512 {
		k++
	}
	if k >= p.end && !p.last {
		return false, more
	}
	if named && buf[k] == '"' {
		return true, done
	}
	c := buf[j] | 0x20
	if !named || c < 'a' || c > 'z' {
		return false, done
	}
	for i > 0 && (buf[i-1] == ' ' || buf[i-1] == '\t') {
		i--
	}
	return p.atLineStart(i), done
}

// nameAt returns the name of the tag at buf[i].
func (p *parser) nameAt(i int) []byte {
	buf := p.buf
	for i++; buf[i] == ' ' || buf[i] == '\t'; i++ {
	}
	j := i
	for class[buf[j]]&inName != 0 {
		j++
	}
	return buf[i:j]
}

// tag reads the tag pair at buf[i].
func (p *parser) tag(i int) (int, status) {
	buf := p.buf
	name := p.nameAt(i)
	j := i + 1
	for buf[j] == ' ' || buf[j] == '\t' {
		j++
	}
	j += len(name)
	for buf[j] == ' ' || buf[j] == '\t' {
		j++
	}
	if buf[j] == '"' {
		// The usual form: the next quotation mark, a bracket after it, no escape before.
		if q := bytes.IndexByte(buf[j+1:p.end], '"'); q >= 0 && buf[j+q+2] == ']' && q <= p.opt.MaxTag {
			value := buf[j+1 : j+1+q]
			if plain(value) {
				p.addTag(name, value)
				return j + q + 3, done
			}
		}
	}
	// A tag pair ends with its line.
	n := lineEnd(buf[j:p.end])
	if j+n == p.end && !p.last {
		return i, more
	}
	line := buf[j : j+n]
	value, size, ok := tagValue(line)
	if len(value) > p.opt.MaxTag {
		p.fail(i, j-i+size, fmt.Errorf("%w: a tag's value of %d bytes", ErrLimit, len(value)), "")
		value = value[:p.opt.MaxTag]
	} else if !ok {
		p.fail(i, j-i+size, ErrTag, `[Name "value"]`)
	}
	p.scratch = p.appendText(p.scratch[:0], value)
	p.addTag(name, p.scratch)
	return j + size, done
}

// plain reports whether a tag's value is ASCII on one line without an escape.
func plain(b []byte) bool {
	for len(b) >= 8 {
		// A byte is ruled out by its high bit, or by being a backslash or below 32 (the sum then
		// stays under 128); false alarms, which the slow way settles, are the bytes above one that is.
		w := binary.LittleEndian.Uint64(b)
		const ones = 0x0101010101010101
		x := w ^ ones*'\\'
		if (w|(x-ones)&^x|(w-ones*32)&^w)&(ones*128) != 0 {
			return false
		}
		b = b[8:]
	}
	for _, c := range b {
		if c < 32 || c >= 128 || c == '\\' {
			return false
		}
	}
	return true
}

// tagValue reads a quoted value and the bracket after it at the front of what is left of a line. It
// returns the value without the escapes and the size of it all, and whether it is as it should
// be. A quotation mark within a value that is not escaped is taken if no bracket follows it.
func tagValue(line []byte) (value []byte, size int, ok bool) {
	closing := func(i int) int { // the size with the bracket after line[i], 0 if there is none
		for i < len(line) && (line[i] == ' ' || line[i] == '\t') {
			i++
		}
		if i < len(line) && line[i] == ']' {
			return i + 1
		}
		return 0
	}
	if len(line) > 0 && line[0] == '"' {
		escaped := false
		for i := 1; i < len(line); i++ {
			switch c := line[i]; {
			case c == '\\' && i+1 < len(line) && (line[i+1] == '"' || line[i+1] == '\\'):
				escaped = true
				i++
			case c == '"':
				if size = closing(i + 1); size > 0 {
					value = line[1:i]
					if escaped {
						value = unescape(value)
					}
					return value, size, true
				}
			}
		}
		// A backslash before the last mark was meant as itself.
		for i := len(line) - 1; i > 0; i-- {
			if line[i] == '"' {
				if size = closing(i + 1); size > 0 {
					return line[1:i], size, true
				}
			}
		}
		line2 := bytes.TrimRight(line[1:], " \t")
		line2 = bytes.TrimSuffix(line2, []byte{']'})
		return bytes.TrimSuffix(line2, []byte{'"'}), len(line), false
	}
	// No quotation marks: what stands before the bracket.
	if i := bytes.IndexByte(line, ']'); i >= 0 {
		return bytes.TrimSpace(line[:i]), i + 1, false
	}
	return bytes.TrimSpace(line), len(line), false
}

func unescape(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		if b[i] == '\\' && i+1 < len(b) && (b[i+1] == '"' || b[i+1] == '\\') {
			i++
		}
		out = append(out, b[i])
	}
	return out
}

// addTag adds a tag; its value gets its string in finishTags.
func (p *parser) addTag(name, value []byte) {
	g := p.g
	k := len(g.Tags)
	if k >= p.opt.MaxTags {
		if k == p.opt.MaxTags {
			p.fail(p.start, 0, fmt.Errorf("%w: more than %d tags", ErrLimit, k), "")
		}
		return
	}
	// The names of a file's tags are mostly the same from game to game.
	if k < len(p.tagNames) && p.tagNames[k] == string(name) {
		g.Tags = append(g.Tags, game.Tag{Name: p.tagNames[k]})
	} else {
		s := string(p.appendText(nil, name))
		p.tagNames = append(p.tagNames[:k], s)
		g.Tags = append(g.Tags, game.Tag{Name: s})
	}
	p.tagText = append(p.tagText, value...)
	p.tagEnds = append(p.tagEnds, len(p.tagText))
}

// finishTags makes the strings of the values: one for all of them.
func (p *parser) finishTags() {
	all, from := string(p.tagText), 0
	for i, to := range p.tagEnds {
		p.g.Tags[i].Value = all[from:to]
		from = to
	}
}

// standardVariants are the values of the Variant tag that are standard chess, in small letters.
var standardVariants = []string{"", "?", "-", "standard", "chess", "normal", "orthodox", "classical",
	"from position", "fromposition", "standard chess", "regular"}

// setup looks at the tags: the variant, the start position, and what is wanted of the movetext.
func (p *parser) setup() {
	g := p.g
	fen, setUp, standard := -1, true, true
	for i := range g.Tags {
		switch t := &g.Tags[i]; t.Name {
		case "FEN":
			if fen < 0 {
				fen = i
			}
		case "SetUp":
			setUp = t.Value != "0"
		case "Variant":
			if !slices.Contains(standardVariants, strings.ToLower(strings.TrimSpace(t.Value))) {
				standard = false
				p.fail(p.start, 0, fmt.Errorf("%w %q", ErrUnsupportedVariant, t.Value), "standard chess")
			}
		}
	}
	if standard && fen >= 0 && setUp && g.Tags[fen].Value != "" && g.Tags[fen].Value != "?" {
		start, err := position.ParseFENLenient(g.Tags[fen].Value)
		if err != nil {
			standard = false
			if isUnsupported(err) {
				err = fmt.Errorf("%w: %w", ErrUnsupportedVariant, err)
			}
			p.fail(p.start, 0, err, "")
			p.err.Text = g.Tags[fen].Value
		} else {
			g.Start = start
		}
	}
	p.pos = g.Start
	p.before = p.pos
	if p.opt.Select != nil {
		if at := p.base + int64(p.start); p.asked != at {
			p.wants, p.asked = p.opt.Select(g), at
		}
		p.want = p.wants
	}
	p.dead = !standard || p.want&Moves == 0
}

// appendText appends text of the input to dst as UTF-8.
func (p *parser) appendText(dst, text []byte) []byte {
	if p.enc == game.Latin1 || p.enc != game.ASCII && !utf8.Valid(text) {
		for _, c := range text {
			dst = utf8.AppendRune(dst, rune(c))
		}
		return dst
	}
	return append(dst, text...)
}

// flush gives the game the moves that were read.
func (p *parser) flush() {
	if p.n == 0 {
		return
	}
	p.b.Moves(p.run[:p.n])
	p.moves += p.n
	p.n = 0
}

// room reports whether the game may have another annotation or variation.
func (p *parser) room(at int) bool {
	p.flush()
	if p.items++; p.items > p.opt.MaxItems {
		if !p.dead {
			p.fail(at, 0, fmt.Errorf("%w: more than %d annotations and variations", ErrLimit, p.opt.MaxItems), "")
			p.dead = true
		}
		return false
	}
	return true
}

// nag adds an annotation glyph.
func (p *parser) nag(at int, n uint8) {
	if p.skip == 0 && !p.dead && p.want&NAGs != 0 && p.room(at) {
		p.b.NAG(n)
	}
}

// closeVariation ends a variation and goes back to the line around it.
func (p *parser) closeVariation() {
	p.flush()
	p.b.EndVariation() // without a move, its comments are now the move's that it would replace
	top := &p.stack[len(p.stack)-1]
	p.pos, p.before = top.after, top.before
	p.stack = p.stack[:len(p.stack)-1]
}

// movetext reads the movetext that begins at buf[i].
func (p *parser) movetext(i int) status {
	buf := p.buf
	p.body = i
	for {
		if p.dead {
			i = p.hurry(i)
		}
		if i >= p.lim {
			if !p.last {
				return more
			}
			if i >= p.end {
				return done
			}
		}
		c := buf[i]
		if class[c]&isSpace != 0 {
			i++
			if (c == '\n' || c == '\r') && buf[i] == '%' {
				i += lineEnd(buf[i:p.end])
				if i == p.end && !p.last {
					return more
				}
			}
			continue
		}
		if c >= '0' && c <= '9' {
			// A move number: up to three digits and a dot.
			w := binary.LittleEndian.Uint32(buf[i:])
			dot := w ^ 0x2e2e2e2e
			n := bits.TrailingZeros32((dot-0x01010101)&^dot&0x80808080) >> 3
			if n < 4 && allDigits(w, n) {
				if c == '1' && n == 1 && p.newGame(i) {
					return done
				}
				i += n + 1
				for buf[i] == '.' {
					i++
				}
				p.stop = i
				continue
			}
			j, st := p.digits(i)
			if st != done {
				return st
			}
			if j < 0 {
				return done
			}
			if j > i {
				i = j
				p.stop = i
				continue
			}
			// It is a move: 0-0, 0000.
		} else if !p.dead && p.skip == 0 {
			if m, n := p.pos.ScanSAN(buf[i : p.end+pad]); n > 0 {
				p.before = p.pos
				p.pos.Make(m)
				p.run[p.n] = m
				if p.n++; p.n == len(p.run) {
					p.flush()
					if p.moves > p.opt.MaxMoves {
						p.fail(i, n, fmt.Errorf("%w: more than %d moves", ErrLimit, p.opt.MaxMoves), "")
						p.dead = true
					}
				}
				i += n
				p.stop = i
				continue
			}
		}
		var st status
		start := i
		switch c {
		case '{', ';':
			i, st = p.comment(i, p.skip == 0 && !p.dead && p.want&Comments != 0)
			if st == done && p.terminated { // it had no end
				p.terminated, p.stop = false, i
				return done
			}
		case '(':
			p.open(i)
			i++
		case ')':
			p.close(i)
			i++
		case '$':
			i = p.numericGlyph(i)
		case '!', '?':
			i = p.suffixGlyph(i)
		case '*':
			if i++; p.terminator(i) {
				p.g.Result = game.Unknown
				return p.tail(i)
			}
		case '[':
			is, s := p.isTag(i)
			if s != done {
				return s
			}
			if is {
				return done
			}
			i, st = p.stray(i)
		case '}', ']', '"':
			p.fail(i, 1, ErrToken, "a move")
			i++
		default:
			i, st = p.symbol(i)
			if st == done && i < 0 {
				return done
			}
		}
		if st != done {
			return st
		}
		if i > start {
			p.stop = i
		}
	}
}

// hurry passes over what cannot matter in movetext that is not read: it stops at what may begin a
// comment, a variation, a tag, a termination marker, an escaped line or a game without tags.
func (p *parser) hurry(i int) int {
	buf, from := p.buf, i
	for i < p.lim {
		c := buf[i]
		if class[c]&matters != 0 &&
			(c != '1' || buf[i+1] == '.' && (i == 0 || class[buf[i-1]]&isSpace != 0)) {
			break
		}
		i++
	}
	for i > from && class[buf[i-1]]&inSymbol != 0 { // to the word's beginning
		i--
	}
	for j := i; j > from; j-- {
		if class[buf[j-1]]&isSpace == 0 {
			p.stop = j
			break
		}
	}
	return i
}

// allDigits reports whether the n low bytes of w are digits.
func allDigits(w uint32, n int) bool {
	w = w ^ 0x30303030                       // digits are now 0..9
	bad := (w + 0x06060606 | w) & 0xf0f0f0f0 // 10..15 carry into the high half
	return bad&(1<<(8*n)-1) == 0
}

// newGame reports whether the move number 1 at buf[i] begins another game that has no tags: something
// of the movetext, and a blank line, stand before it, and this game has come to its second move if its
// moves are read.
func (p *parser) newGame(i int) bool {
	if i == p.body || p.buf[i+2] == '.' || p.n == 0 && p.moves == 0 && !p.dead {
		return false
	}
	lines := 0
	for j := i - 1; j > p.start; j-- {
		switch p.buf[j] {
		case '\n':
			lines++
		case '\r':
			if p.buf[j+1] != '\n' {
				lines++
			}
		case ' ', '\t':
		default:
			return lines >= 2
		}
	}
	return false
}

// digits reads what begins with a digit and is no plain move number. It returns i for what is
// to be read as a move, and -1 at the end of the game.
func (p *parser) digits(i int) (int, status) {
	buf := p.buf
	for _, t := range terminators {
		if !bytes.HasPrefix(buf[i:i+pad], t.text) {
			continue
		}
		j := i + len(t.text)
		if class[buf[j]]&inSymbol != 0 && buf[j] != '.' && buf[j] != ',' {
			continue
		}
		if !p.terminator(j) {
			return j, done
		}
		p.g.Result = t.result
		return -1, p.tail(j)
	}
	j := i
	for j < p.end && class[buf[j]]&isDigit != 0 {
		j++
	}
	if j >= p.end && !p.last {
		return i, more
	}
	switch c := buf[j]; {
	case string(buf[i:j]) == "0000" && (class[c]&inSymbol == 0):
		return i, done
	case c == '.':
		for j < p.end && buf[j] == '.' {
			j++
		}
		if j >= p.end && !p.last {
			return i, more
		}
	case c == '-' || c == '/':
		return i, done
	case c == ')' && p.b.Depth() == 0 && p.skip == 0:
		// A list number, "1)": passed over.
		j++
	}
	return j, done
}

// terminators are the termination markers that begin with a digit; those of the standard and others that
// are met. The longer of two with the same beginning comes first.
var terminators = []struct {
	text   []byte
	result game.Result
}{
	{[]byte("1-0"), game.WhiteWins},
	{[]byte("0-1"), game.BlackWins},
	{[]byte("1/2-1/2"), game.Draw},
	{[]byte("1/2"), game.Draw},
	{[]byte("0.5-0.5"), game.Draw},
	{[]byte("1:0"), game.WhiteWins},
	{[]byte("0:1"), game.BlackWins},
}

// terminator reports whether a termination marker that ends at buf[j] ends the game. Within a
// variation it says how that ends, and is dropped, unless what follows shows that the variation's end was
// forgotten: another game, or a blank line.
func (p *parser) terminator(j int) bool {
	if p.b.Depth() > 0 || p.skip > 0 {
		i, lines := p.blank(j)
		if i < p.end && p.buf[i] != '[' && lines < 2 || i < p.end && p.buf[i] == ')' {
			return false
		}
		if p.skip > 0 && !p.dead {
			p.fail(j, 0, ErrVariation, ")")
		}
	}
	p.terminated = true
	p.stop = j
	return true
}

// tail reads comments on the line of the termination marker: they are the last move's.
func (p *parser) tail(i int) status {
	p.flush()
	for p.b.Depth() > 0 {
		p.fail(i, 0, ErrVariation, ")")
		p.closeVariation()
	}
	p.skip = 0
	for {
		for i < p.lim && (p.buf[i] == ' ' || p.buf[i] == '\t') {
			i++
		}
		if i >= p.lim && !p.last {
			return more
		}
		if c := p.buf[i]; i >= p.end || c != '{' && c != ';' {
			return done
		}
		j, st := p.comment(i, !p.dead && p.want&Comments != 0)
		if st != done {
			return st
		}
		if p.stop = j; j <= i {
			return done
		}
		i = j
	}
}

// open begins a variation at buf[i].
func (p *parser) open(i int) {
	p.flush()
	switch {
	case p.dead || p.skip > 0:
		p.skip++
	case p.want&Variations == 0:
		p.skip = 1
	case p.b.AtStart():
		p.fail(i, 1, ErrVariation, "a move that it could replace")
		p.skip = 1
	case p.b.Depth() >= p.opt.MaxNesting:
		p.fail(i, 1, fmt.Errorf("%w: variations more than %d deep", ErrLimit, p.opt.MaxNesting), "")
		p.skip = 1
	case !p.room(i):
		p.skip = 1
	default:
		p.b.StartVariation()
		p.stack = append(p.stack, level{p.before, p.pos})
		p.pos = p.before
	}
}

// close ends a variation at buf[i].
func (p *parser) close(i int) {
	switch {
	case p.skip > 0:
		p.skip--
	case p.b.Depth() > 0:
		p.closeVariation()
	case !p.dead:
		p.fail(i, 1, ErrVariation, "no ) without (")
	}
}

// numericGlyph reads $ and a number at buf[i].
func (p *parser) numericGlyph(i int) int {
	j, n := i+1, 0
	for j < p.end && j-i < pad && class[p.buf[j]]&isDigit != 0 {
		n = min(10*n+int(p.buf[j]-'0'), 1000)
		j++
	}
	if j == i+1 || n > 255 {
		if p.skip == 0 && !p.dead {
			p.fail(i, j-i, ErrNAG, "$0 to $255")
		}
		return j
	}
	p.nag(i, uint8(n))
	return j
}

// suffixGlyph reads !, ? and what is made of them at buf[i]. A longer run than two is read as the
// strongest of its kind.
func (p *parser) suffixGlyph(i int) int {
	j := i
	for j < p.end && j-i < pad && (p.buf[j] == '!' || p.buf[j] == '?') {
		j++
	}
	n := uint8(1)
	switch a, b := p.buf[i], p.buf[i+1]; {
	case a == '!' && j-i == 1:
	case a == '?' && j-i == 1:
		n = 2
	case a == '!' && b == '!':
		n = 3
	case a == '?' && b == '?':
		n = 4
	case a == '!':
		n = 5
	default:
		n = 6
	}
	p.nag(i, n)
	return j
}

// stray passes over a '[' that begins no tag, to its ']' on the same line.
func (p *parser) stray(i int) (int, status) {
	n := lineEnd(p.buf[i:p.end])
	if i+n == p.end && !p.last {
		return i, more
	}
	if k := bytes.IndexByte(p.buf[i:i+n], ']'); k >= 0 {
		n = k + 1
	}
	if !p.dead && p.skip == 0 {
		p.fail(i, n, ErrToken, "a move")
	}
	return i + n, done
}

// comment reads the comment at buf[i], and keeps it if it is wanted. Where it has no end, the game
// ends before the next one's tags, and terminated is set.
func (p *parser) comment(i int, keep bool) (int, status) {
	buf := p.buf
	if buf[i] == ';' {
		n := lineEnd(buf[i:p.end])
		if i+n == p.end && !p.last {
			return i, more
		}
		p.addComment(i, buf[i+1:i+n], keep)
		return i + n, done
	}
	text, size, st := p.braces(i)
	if st != done {
		return i, st
	}
	p.addComment(i, text, keep)
	return i + size, done
}

func (p *parser) addComment(at int, text []byte, keep bool) {
	if !keep {
		return
	}
	if len(text) > p.opt.MaxComment {
		p.fail(at, len(text), fmt.Errorf("%w: a comment of %d bytes", ErrLimit, len(text)), "")
		text = text[:p.opt.MaxComment]
	}
	if !p.room(at) {
		return
	}
	if bytes.IndexByte(text, '\n') >= 0 || bytes.IndexByte(text, '\r') >= 0 {
		p.scratch = appendFolded(p.scratch[:0], text)
		text = p.scratch
	}
	text = bytes.Trim(text, " \t")
	if p.enc == game.ASCII || p.enc == game.UTF8 && utf8.Valid(text) {
		p.b.AddText(text)
		return
	}
	p.b.AddText(p.appendText(nil, text))
}

// appendFolded appends a comment's text with each line end as one space.
func appendFolded(dst, text []byte) []byte {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '\n' || c == '\r' {
			if c == '\r' && i+1 < len(text) && text[i+1] == '\n' {
				i++
			}
			c = ' '
		}
		dst = append(dst, c)
	}
	return dst
}

// braces finds the end of the comment that begins with the brace at buf[i]. Usually that is the next
// closing brace, as the standard says. Comments that hold pairs of braces are met, so that where
// there is an opening brace before it, it is the closing brace that makes a pair with the first, if
// the game has one. If the next game's tags come before any end, the comment ends before them.
func (p *parser) braces(i int) (text []byte, size int, st status) {
	buf, from := p.buf, i+1
	if from < p.searched || from > p.nextClose {
		p.searched, p.nextClose = from, p.end
		if n := bytes.IndexByte(buf[from:p.end], '}'); n >= 0 {
			p.nextClose = from + n
		}
	}
	end := p.nextClose
	if end == p.end && !p.last {
		return nil, 0, more
	}
	seg := buf[from:end]
	if bytes.IndexByte(seg, '[') >= 0 {
		// Another game's tags may be in here. They are only part of the comment if it ends before the
		// next begins.
		if t := nextTags(seg); t >= 0 && (end == p.end || bytes.IndexByte(seg[t:], '{') >= 0) {
			text = bytes.TrimRight(seg[:t], " \t\r\n")
			p.fail(i, 1+len(text), ErrComment, "}")
			p.terminated = true
			return text, 1 + len(text), done
		}
	}
	if end == p.end {
		text = bytes.TrimRight(seg, " \t\r\n")
		p.fail(i, 1+len(text), ErrComment, "}")
		p.terminated = true
		return text, 1 + len(text), done
	}
	if p.noNesting || bytes.IndexByte(seg, '{') < 0 {
		return seg, len(seg) + 2, done
	}
	depth := 1
	for j := from; j < p.end; j++ {
		switch buf[j] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return buf[from:j], j + 1 - i, done
			}
		case '\n', '\r':
			if isTagsLine(buf[j+1:p.end]) && blankBefore(buf[from:j+1]) {
				p.noNesting = true
				return seg, len(seg) + 2, done
			}
		}
	}
	if !p.last {
		return nil, 0, more
	}
	p.noNesting = true
	return seg, len(seg) + 2, done
}

// nextTags returns where, in a text, a tag pair stands on a line of its own after a blank line; -1 if
// nowhere.
func nextTags(b []byte) int {
	for i := 0; ; {
		n := bytes.IndexByte(b[i:], '[')
		if n < 0 {
			return -1
		}
		if i += n; isTagsLine(b[i:]) && blankBefore(b[:i]) {
			return i
		}
		i++
	}
}

// isTagsLine reports whether a line begins with [Name "
func isTagsLine(b []byte) bool {
	if len(b) < 5 || b[0] != '[' || b[1]|0x20 < 'a' || b[1]|0x20 > 'z' {
		return false
	}
	i := 1
	for i < len(b) && i < 256 && class[b[i]]&inName != 0 {
		i++
	}
	j := i
	for j < len(b) && b[j] == ' ' {
		j++
	}
	return j > i && j < len(b) && b[j] == '"'
}

// blankBefore reports whether a text ends with a blank line.
func blankBefore(b []byte) bool {
	lines := 0
	for i := len(b) - 1; i >= 0; i-- {
		switch b[i] {
		case '\n':
			lines++
			if i > 0 && b[i-1] == '\r' {
				i--
			}
		case '\r':
			lines++
		case ' ', '\t':
		default:
			return lines >= 2
		}
		if lines >= 2 {
			return true
		}
	}
	return lines >= 2
}

// otherGlyphs are symbols that are met in place of numeric glyphs.
var otherGlyphs = map[string]uint8{
	"=": 10, "∞": 13, "~": 13, "+=": 14, "⩲": 14, "+/=": 14, "=+": 15, "⩱": 15, "=/+": 15,
	"+/-": 16, "±": 16, "+/−": 16, "-/+": 17, "∓": 17, "+-": 18, "-+": 19, "+--": 20, "--+": 21,
	"□": 7, "N": 146, "D": 220, "‼": 3, "⁇": 4, "⁉": 5, "⁈": 6,
}

// noise are words that are met in movetext and say nothing that the moves do not.
var noise = map[string]bool{
	"e.p.": true, "ep": true, "e.p": true, "+": true, "++": true, "#": true, "mate": true, "dbl": true,
	"ch": true, "dis": true, ".": true, "..": true, "...": true, "…": true, ",": true, "-": true,
	"(+)": true,
}

// symbol reads a word that is not a halfmove in its usual form. It returns -1 at the end of the game.
func (p *parser) symbol(i int) (int, status) {
	buf := p.buf
	if n := isBreak(buf[i : i+pad]); n > 0 {
		return i + n, done
	}
	j := i
	for j < p.end && class[buf[j]]&inSymbol != 0 {
		j++
	}
	// e8(Q) is one word.
	if j > i && buf[j] == '(' && buf[j+2] == ')' && (buf[j-1] == '8' || buf[j-1] == '1') &&
		strings.IndexByte("QRBNqrbn", buf[j+1]) >= 0 {
		j += 3
	}
	if j >= p.end && !p.last {
		return i, more
	}
	word := buf[i:j]
	if bytes.HasPrefix(word, []byte("½-½")) || p.enc != game.UTF8 && string(word) == "\xbd-\xbd" {
		if !p.terminator(j) {
			return j, done
		}
		p.g.Result = game.Draw
		return -1, p.tail(j)
	}
	if p.dead || p.skip > 0 {
		return j, done
	}
	// Dots of a move number that stand apart from it: "1 ... e5", "1 ...e5".
	if n := len(word) - len(bytes.TrimLeft(word, ".")); n > 0 {
		return i + n, done
	}
	s := string(p.appendText(nil, word))
	m, err := p.pos.ParseSANLenient(s)
	if err == nil {
		p.before = p.pos
		p.pos.Make(m)
		p.run[p.n] = m
		if p.n++; p.n == len(p.run) {
			p.flush()
		}
		return j, done
	}
	if n, ok := otherGlyphs[s]; ok {
		p.nag(i, n)
		return j, done
	}
	if noise[s] {
		return j, done
	}
	p.fail(i, j-i, err, "a legal move")
	if p.b.Depth() > 0 {
		// The rest of the variation is lost, and it alone.
		p.closeVariation()
		p.skip = 1
	} else {
		p.flush()
		p.dead = true
	}
	return j, done
}
