// SPDX-License-Identifier: Apache-2.0

package pgn

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"ply11/game"
	"ply11/game/codec"
	"ply11/position"
)

// head reads the comments and tags before the movetext, and returns where that begins.
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
			name, value := p.usualTag(i)
			if value == 0 {
				is, st := p.isTag(i)
				if st != done {
					return i, st
				}
				if !is {
					started = true
					if i, st = p.oddTag(i); st != done {
						return i, st
					}
					p.stop = i
					continue
				}
				name, value = p.nameAt(i)
			}
			started = true
			if len(p.tagEnds) > 0 && lines >= 2 {
				if string(name) == "Event" || string(name) == first {
					return p.end, done // the next game's: this one has tags alone
				}
			}
			j, st := p.tag(i, name, value)
			if st != done {
				return i, st
			}
			if len(p.g.Tags) == 1 {
				first = p.g.Tags[0].Name
			}
			i, p.stop = j, j
		case c == ']' && started:
			p.beside(i, 1, codec.ErrText, `[Name "value"]`)
			i++
			p.stop = i
		case c == '<' && isBreak(buf[i:i+pad]) > 0:
			i += isBreak(buf[i : i+pad])
		default:
			return i, done
		}
	}
}

// oddTag passes over what begins with the '[' at buf[i], before the movetext, and is no tag pair: a bracket too many,
// or one without a name.
func (p *parser) oddTag(i int) (int, status) {
	j := skipBlank(p.buf[:min(p.end, i+pad)], i+1)
	n := 1
	if p.buf[j] != '[' {
		_, size, seen, _ := tagValue(p.buf[j:p.end])
		p.work += int64(seen)
		if j+seen == p.end && !p.last {
			return i, more
		}
		n = j + size - i
	}
	p.beside(i, n, codec.ErrText, `[Name "value"]`)
	return i + n, done
}

// isBreak returns the length of HTML's <br> at the front of b, 0 if it is not there.
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
	j := skipBlank(buf[:min(p.end, i+512)], i+1)
	k := j
	for k < p.end && class[buf[k]]&inName != 0 && k-j < 256 {
		k++
	}
	named := k > j
	p.work += int64(k - i)
	k = skipBlank(buf[:min(p.end, max(k, j+512))], k)
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

// usualTag is nameAt where buf[i] begins a tag pair with a name of tagNames, the next or one after it. The value is 0
// if it does not.
func (p *parser) usualTag(i int) (name []byte, value int) {
	for k := p.nextTag; k < len(p.tagNames); k++ {
		j := i + 1 + len(p.tagNames[k])
		if j+1 < p.end && p.buf[j] == ' ' && p.buf[j+1] == '"' && string(p.buf[i+1:j]) == p.tagNames[k] {
			p.work += int64(j - i)
			p.nextTag = k
			return p.buf[i+1 : j], j + 1
		}
	}
	return nil, 0
}

// nameAt returns the name of the tag at buf[i], and where its value begins.
func (p *parser) nameAt(i int) (name []byte, value int) {
	buf := p.buf
	i = skipBlank(buf[:p.end], i+1)
	j := i
	for class[buf[j]]&inName != 0 {
		j++
	}
	return buf[i:j], skipBlank(buf[:p.end], j)
}

// tag reads the tag pair at buf[i], whose value begins at buf[j].
func (p *parser) tag(i int, name []byte, j int) (int, status) {
	buf := p.buf
	if buf[j] == '"' {
		// The usual form: plain up to a quotation mark, and a bracket after it.
		q := j + 1 + plain(buf[j+1:])
		p.work += int64(q - j)
		if buf[q] == '"' && buf[q+1] == ']' && q-j-1 <= p.opt.maxTag {
			p.addTag(i, name, buf[j+1:q])
			return q + 2, done
		}
	}
	// A tag pair ends with its line.
	value, size, seen, ok := tagValue(buf[j:p.end])
	p.work += int64(seen)
	if j+seen == p.end && !p.last {
		return i, more
	}
	if len(value) > p.opt.maxTag {
		p.beside(i, j-i+size, fmt.Errorf("%w: a tag's value of %d bytes", codec.ErrLimit, len(value)), "")
		value = value[:p.opt.maxTag]
	} else if !ok {
		p.beside(i, j-i+size, codec.ErrText, `[Name "value"]`)
	}
	p.scratch = p.appendText(p.scratch[:0], value)
	p.addTag(i, name, p.scratch)
	return j + size, done
}

// plain returns how many bytes stand before the first that is no ASCII, a control character, a quotation mark or a
// backslash. There must be one, and seven bytes behind it.
func plain(b []byte) int {
	const ones = 0x0101010101010101
	for n := 0; ; n += 8 {
		// Bytes above one that is found may be taken for one, too: the lowest is right.
		w := binary.LittleEndian.Uint64(b[n : n+8])
		quote, escape := w^ones*'"', w^ones*'\\'
		if ends := (w | (quote-ones)&^quote | (escape-ones)&^escape | (w-ones*' ')&^w) & (ones * 128); ends != 0 {
			return n + bits.TrailingZeros64(ends)>>3
		}
	}
}

// tagValue reads a quoted value and the bracket after it at the front of b, within a line. It returns the value without
// the escapes, the size of it all, how many bytes that depends on, and whether it is well formed. A quotation mark that
// is not escaped is taken if no bracket follows it.
func tagValue(b []byte) (value []byte, size, seen int, ok bool) {
	closing := func(line []byte, i int) int { // the size with the bracket after line[i], 0 if there is none
		if i = skipBlank(line, i); i < len(line) && line[i] == ']' {
			return i + 1
		}
		return 0
	}
	if len(b) == 0 || b[0] != '"' {
		// No quotation marks: what stands before the bracket.
		n := unquoted(b, ']')
		size = n
		if n < len(b) && b[n] == ']' {
			size++
		}
		return bytes.TrimSpace(b[:n]), size, size, false
	}
	escaped := false
	i := 1
	for ; i < len(b) && b[i] != '\n' && b[i] != '\r'; i++ {
		switch c := b[i]; {
		case c == '\\' && i+1 < len(b) && (b[i+1] == '"' || b[i+1] == '\\'):
			escaped = true
			i++
		case c == '"':
			if size = closing(b, i+1); size > 0 {
				value = b[1:i]
				if escaped {
					value = unescape(value)
				}
				return value, size, size, true
			}
		}
	}
	line := b[:i]
	// A backslash before the last mark was meant as itself.
	for i--; i > 0; i-- {
		if line[i] == '"' {
			if size = closing(line, i+1); size > 0 {
				return line[1:i], size, len(line), true
			}
		}
	}
	value = bytes.TrimRight(line[1:], " \t")
	value = bytes.TrimSuffix(value, []byte{']'})
	return bytes.TrimSuffix(value, []byte{'"'}), len(line), len(line), false
}

// unquoted returns how many bytes stand before the first closing bracket or line end, all if there is none.
func unquoted(b []byte, closing byte) int {
	for i, c := range b {
		if c == closing || c == '\n' || c == '\r' {
			return i
		}
	}
	return len(b)
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

// maxTagName is how many bytes of UTF-8 a tag's name has at most: of symbols, the PGN standard (section 7) allows 255
// characters, and AppendGame writes no more bytes.
const maxTagName = 255

// addTag adds a tag that begins at buf[i]; its value gets its string in finishTags.
func (p *parser) addTag(i int, name, value []byte) {
	g := p.g
	k := len(g.Tags)
	if k >= p.opt.maxTags {
		if k == p.opt.maxTags {
			p.fail(p.start, 0, fmt.Errorf("%w: more than %d tags", codec.ErrLimit, k), "")
		}
		return
	}
	if s, known := p.tagName(name); known {
		g.Tags = append(g.Tags, game.Tag{Name: s})
	} else {
		s = string(p.appendText(nil, name))
		if len(s) > maxTagName {
			p.beside(i, 0, fmt.Errorf("%w: a tag's name of %d bytes", codec.ErrLimit, len(s)), "")
			s = strings.ToValidUTF8(s[:maxTagName], "")
		}
		// White space that is not ASCII is within names, but not at their ends.
		s = cmp.Or(strings.TrimFunc(s, func(r rune) bool { return isWide(r, 0, 1) > 0 }), s)
		g.Tags = append(g.Tags, game.Tag{Name: s})
	}
	p.tagText = append(p.tagText, value...)
	p.tagEnds = append(p.tagEnds, len(p.tagText))
}

// maxTagNames is how many names are kept for the next game.
const maxTagNames = 64

// tagName returns a name of ASCII and of usual length as a string, which is made once.
func (p *parser) tagName(name []byte) (s string, ok bool) {
	k := p.nextTag
	if k >= len(p.tagNames) || p.tagNames[k] != string(name) {
		if len(name) > 32 || !isASCII(name) {
			return "", false
		}
		if at := slices.Index(p.tagNames, string(name)); at >= 0 {
			k = at
		} else {
			if len(p.tagNames) == maxTagNames {
				p.tagNames, k = p.tagNames[:0], 0
			}
			p.tagNames = slices.Insert(p.tagNames, k, string(name))
		}
	}
	p.nextTag = k + 1
	return p.tagNames[k], true
}

func isASCII(b []byte) bool {
	return bytes.IndexFunc(b, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// finishTags makes one string of all values.
func (p *parser) finishTags() {
	all, from := string(p.tagText), 0
	for i, to := range p.tagEnds {
		p.g.Tags[i].Value = all[from:to]
		from = to
	}
}

// setup takes the variant and the start position from the tags.
func (p *parser) setup() {
	g := p.g
	fen, known, variant := g.Tag("FEN"), true, g.Tag("Variant")
	if game.VariantOf(variant) == game.OtherVariant {
		known = false
		p.fail(p.start, 0, fmt.Errorf("%w %q", position.ErrUnsupported, variant), "standard chess or Chess960")
	}
	if known && fen != "" && fen != "?" && g.Tag("SetUp") != "0" {
		start, err := position.ParseFENLenient(fen)
		if err != nil {
			known = false
			p.fail(p.start, 0, err, "")
			p.err.Text = fen
		} else {
			g.Start = start
		}
	}
	if known {
		g.Start = game.StartOf(variant, g.Start)
	}
	p.line.Reset(g.Start)
	p.dead = !known
}
