// SPDX-License-Identifier: Apache-2.0

package pgn

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"unicode/utf8"

	"ply11/game"
	"ply11/game/codec"
)

// comment reads the comment at buf[i], and keeps it if it is wanted. Where it has no end, the game
// ends before the next one's tags, and terminated is set.
func (p *parser) comment(i int, keep bool) (int, status) {
	buf := p.buf
	if buf[i] == ';' {
		end := p.lineEnd(i)
		if end == p.end && !p.last {
			return i, more
		}
		p.addComment(i, buf[i+1:end], keep)
		return end, done
	}
	// The usual comment is on one line, without braces.
	n, ascii := printable(buf[i+1:])
	if buf[i+1+n] == '}' && n <= p.opt.maxComment {
		p.work += int64(n)
		if keep && p.room(i) {
			p.addText(buf[i+1:i+1+n], ascii)
		}
		return i + n + 2, done
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
	if len(text) > p.opt.maxComment {
		p.beside(at, len(text), fmt.Errorf("%w: a comment of %d bytes", codec.ErrLimit, len(text)), "")
		text = text[:p.opt.maxComment]
	}
	if !p.room(at) {
		return
	}
	if bytes.IndexByte(text, '\n') >= 0 || bytes.IndexByte(text, '\r') >= 0 {
		p.scratch = appendFolded(p.scratch[:0], text)
		text = p.scratch
	}
	p.addText(text, false)
}

// addText gives the game a comment without the white space around it. A text that is not said to be ASCII may be.
func (p *parser) addText(text []byte, ascii bool) {
	if p.opt.noComments {
		return
	}
	p.flush()
	for len(text) > 0 && (text[0] == ' ' || text[0] == '\t') {
		text = text[1:]
	}
	for len(text) > 0 && (text[len(text)-1] == ' ' || text[len(text)-1] == '\t') {
		text = text[:len(text)-1]
	}
	if ascii || p.enc == game.ASCII || p.enc == game.UTF8 && utf8.Valid(text) {
		p.b.AddText(text)
		return
	}
	p.b.AddText(p.appendText(nil, text))
}

// printable returns how many bytes stand before the first control character or one of {|}~, and whether they are all
// ASCII. There must be such a byte, and seven more behind it.
func printable(b []byte) (n int, ascii bool) {
	const ones = 0x0101010101010101
	for above := uint64(0); ; n += 8 {
		w := binary.LittleEndian.Uint64(b[n : n+8])
		low := w & (ones * 127) // so that no sum reaches the next byte
		// A byte's sums have different high bits if it is neither below ' ' nor above 'z'.
		if ends := ^(low + ones*(128-'{') ^ (low + ones*(128-' ')) | w) & (ones * 128); ends != 0 {
			above |= w & (ends&-ends - 1)
			return n + bits.TrailingZeros64(ends)>>3, above&(ones*128) == 0
		}
		above |= w
	}
}

// appendFolded appends a comment's text with each line end, and the white space before it, as one space: SCID breaks
// lines behind the space. A line end right after a comma within a command, where ChessBase breaks, is nothing.
func appendFolded(dst, text []byte) []byte {
	from, command := len(dst), false
	for i, c := range text {
		switch {
		case c != '\n' && c != '\r':
			if c == '%' && i > 0 && text[i-1] == '[' {
				command = true
			} else if c == ']' {
				command = false
			}
			dst = append(dst, c)
		case command && i > 0 && text[i-1] == ',',
			command && c == '\n' && i > 1 && text[i-1] == '\r' && text[i-2] == ',':
		default:
			for len(dst) > from && (dst[len(dst)-1] == ' ' || dst[len(dst)-1] == '\t') {
				dst = dst[:len(dst)-1]
			}
			dst = append(dst, ' ')
		}
	}
	return dst
}

// braces finds the end of the comment that begins with the brace at buf[i]: the next closing brace, as the standard
// says; where there is an opening brace before it, the one that makes a pair with the first, if the game has one within
// the length of a comment. If the next game's tags come before any end, or a comment too long has them, the comment
// ends before them.
func (p *parser) braces(i int) (text []byte, size int, st status) {
	buf, from := p.buf, i+1
	if from < p.searched || from > p.nextClose {
		p.searched, p.nextClose = from, p.end
		if n := bytes.IndexByte(buf[from:p.end], '}'); n >= 0 {
			p.nextClose = from + n
		}
		p.work += int64(p.nextClose - from)
	}
	end, reach := p.nextClose, min(p.end, from+p.opt.maxComment)
	if end == p.end && !p.last && reach == p.end {
		return nil, 0, more
	}
	// Another game's tags may be in here. They are only part of the comment if it ends before the
	// next begins.
	seg := buf[from:min(end, reach)]
	t := nextTags(seg)
	if t < 0 {
		p.work += int64(len(seg))
	} else {
		p.work += int64(t)
		lost := end == p.end || end > reach
		if !lost {
			n := bytes.IndexByte(seg[t:], '{')
			p.work += int64(n)
			lost = n >= 0
		}
		if lost {
			return p.noEnd(i, seg[:t])
		}
	}
	seg = buf[from:end]
	if end == p.end {
		if !p.last {
			return nil, 0, more
		}
		return p.noEnd(i, seg)
	}
	at := p.base + int64(from)
	if at >= p.flatFrom && at < p.flatTo || bytes.IndexByte(seg, '{') < 0 {
		return seg, len(seg) + 2, done
	}
	depth := 1
	j := from
	defer func() { p.work += int64(j - from) }()
pair:
	for ; j < reach; j++ {
		switch buf[j] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return buf[from:j], j + 1 - i, done
			}
		case '\n', '\r':
			if isTagsLine(buf[j+1:p.end]) && blankBefore(buf[from:j+1]) {
				break pair
			}
		}
	}
	if j == p.end && !p.last {
		return nil, 0, more
	}
	p.flatFrom, p.flatTo = at, p.base+int64(j)
	return seg, len(seg) + 2, done
}

// noEnd ends the comment at buf[i], which has a text and no brace after it.
func (p *parser) noEnd(i int, text []byte) ([]byte, int, status) {
	text = bytes.TrimRight(text, " \t\r\n")
	p.fail(i, 1+len(text), codec.ErrTruncated, "}")
	p.terminated = true
	return text, 1 + len(text), done
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
			r, n := utf8.DecodeLastRune(b[:i+1])
			if isWide(r, b[i], n) == 0 {
				return false
			}
			i -= n - 1
		}
		if lines >= 2 {
			return true
		}
	}
	return false
}
