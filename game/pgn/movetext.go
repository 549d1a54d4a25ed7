// SPDX-License-Identifier: Apache-2.0

package pgn

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"ply11/chess"
	"ply11/game"
	"ply11/game/codec"
	"ply11/position"
)

// push adds the move that was read at buf[at:at+n], in a main line or a variation. It is the one place where moves are
// added and counted.
func (p *parser) push(m chess.Move, at, n int) {
	if p.n == p.full {
		p.flush()
		if p.full == 0 {
			p.fail(at, n, fmt.Errorf("%w: more than %d moves", codec.ErrLimit, p.opt.maxMoves), "")
			p.dead = true
			return
		}
	}
	p.line.Make(m)
	p.run[p.n] = m
	p.n++
}

// flush gives the game the moves that were read.
func (p *parser) flush() {
	switch p.n {
	case 0:
		return
	case 1: // as where each move has a comment
		p.b.Move(p.run[0])
	default:
		p.b.Moves(p.run[:p.n])
	}
	p.moves += p.n
	p.n = 0
	p.full = min(len(p.run), p.opt.maxMoves-p.moves)
}

// room reports whether the game may have another annotation or variation.
func (p *parser) room(at int) bool {
	if p.items++; p.items > p.opt.maxItems {
		if !p.dead {
			p.fail(at, 0, fmt.Errorf("%w: more than %d annotations and variations", codec.ErrLimit, p.opt.maxItems), "")
			p.dead = true
		}
		return false
	}
	return true
}

// nag adds an annotation glyph.
func (p *parser) nag(at int, n uint8) {
	if p.skip == 0 && !p.dead && p.room(at) {
		p.flush()
		p.b.NAG(n)
	}
}

// closeVariation ends a variation and goes back to the line around it.
func (p *parser) closeVariation() {
	p.flush()
	p.b.EndVariation() // without a move, its comments are now the move's that it would replace
	p.line.Close()
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
		if c == ' ' {
			i++
			c = buf[i]
		}
		if class[c]&isSpace != 0 {
			i++
			if (c == '\n' || c == '\r') && buf[i] == '%' {
				if i = p.lineEnd(i); i == p.end && !p.last {
					return more
				}
			}
			continue
		}
		if c >= '0' && c <= '9' {
			if n := number(buf[i:]); n > 0 && c != '0' {
				if c == '1' && n == 2 && p.newGame(i) {
					return done
				}
				i += n
				for buf[i] == '.' {
					i++
				}
				p.stop = i
				if buf[i] == ' ' {
					i++
				}
				if c = buf[i]; c < 'A' || p.dead {
					continue
				}
			} else {
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
			}
		}
		if c >= 'A' && c != '{' && !p.dead && p.skip == 0 && p.n < p.full {
			if m, n := p.line.ScanSAN((*[16]byte)(buf[i:])); n > 0 {
				p.run[p.n&(len(p.run)-1)] = m
				p.n++
				i += n
				p.stop = i
				continue
			}
		}
		if c >= utf8.RuneSelf {
			if n := wideSpace(buf[i : i+pad]); n > 0 {
				i += n
				continue
			}
		}
		var st status
		start := i
		switch c {
		case '{', ';':
			i, st = p.comment(i, p.skip == 0 && !p.dead)
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
			if i, st = p.ended(game.Unknown, i+1); i < 0 {
				return st
			}
		case '[':
			is, s := p.isTag(i)
			if s != done {
				return s
			}
			if is {
				return done
			}
			i, st = p.stray(i, ']')
		case '}', ']', '"':
			p.beside(i, 1, codec.ErrGrammar, "a move")
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
	if i >= p.word && i <= p.hurried {
		return i // in the word where it has stopped
	}
	buf, from := p.buf, i
	for i < p.lim {
		c := buf[i]
		if class[c]&matters != 0 &&
			(c != '1' || buf[i+1] == '.' && (i == 0 || class[buf[i-1]]&isSpace != 0)) {
			break
		}
		i++
	}
	p.hurried = i
	p.work += int64(i - from)
	for i > from && class[buf[i-1]]&inSymbol != 0 { // to the word's beginning
		i--
	}
	p.word = i
	for j := i; j > from; j-- {
		if class[buf[j-1]]&isSpace == 0 {
			p.stop = j
			break
		}
	}
	return i
}

// number returns how many bytes a move number at the front of b takes: up to three digits and a dot. It is 0 if that is
// not there.
func number(b []byte) int {
	switch {
	case b[1] == '.':
		return 2
	case class[b[1]]&isDigit == 0:
	case b[2] == '.':
		return 3
	case class[b[2]]&isDigit == 0:
	case b[3] == '.':
		return 4
	}
	return 0
}

// newGame reports whether the move number 1 at buf[i] begins another game that has no tags: something
// of the movetext, and a blank line, stand before it, and this game has come to its second move if its
// moves are read.
func (p *parser) newGame(i int) bool {
	if i == p.body || p.buf[i+2] == '.' || p.n == 0 && p.moves == 0 && !p.dead {
		return false
	}
	return blankBefore(p.buf[p.start:i])
}

// digits reads what begins with a digit and is no plain move number. It returns i for what is
// to be read as a move, and -1 at the end of the game.
func (p *parser) digits(i int) (int, status) {
	buf := p.buf
	if r, n, lost := marker(buf[i : i+pad]); n > 0 {
		ends, st := true, done
		if lost && buf[i+1] != ':' && buf[i+1] != ' ' { // it may be castling
			ends, st = p.bothLost(i, i+n)
		}
		if st != done {
			return i, st
		}
		if ends {
			return p.ended(r, i+n)
		}
	}
	j := i
	for j < p.end && class[buf[j]]&isDigit != 0 {
		j++
	}
	p.work += int64(j - i)
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

// open begins a variation at buf[i].
func (p *parser) open(i int) {
	p.flush()
	switch {
	case p.dead || p.skip > 0:
		p.skip++
	case p.b.AtStart():
		p.beside(i, 1, codec.ErrGrammar, "a move that it could replace")
		p.skip = 1
	case p.b.Depth() >= p.opt.maxNesting:
		p.beside(i, 1, fmt.Errorf("%w: variations more than %d deep", codec.ErrLimit, p.opt.maxNesting), "")
		p.skip = 1
	case !p.room(i):
		p.skip = 1
	default:
		p.b.StartVariation()
		p.line.Open()
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
		p.beside(i, 1, codec.ErrGrammar, "no ) without (")
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
			p.beside(i, j-i, codec.ErrNAG, "$0 to $255")
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

// stray passes over a bracket that begins nothing, to the one that closes it on the same line, or to the line's end.
func (p *parser) stray(i int, closing byte) (int, status) {
	n := unquoted(p.buf[i:p.end], closing)
	p.work += int64(n)
	if i+n == p.end && !p.last {
		return i, more
	}
	if p.buf[i+n] == closing {
		n++
	}
	if !p.dead && p.skip == 0 {
		p.beside(i, n, codec.ErrGrammar, "a move")
	}
	return i + n, done
}

// otherGlyphs are symbols that are met in place of numeric glyphs.
var otherGlyphs = map[string]uint8{
	"=": 10, "∞": 13, "~": 13, "+=": 14, "⩲": 14, "+/=": 14, "=+": 15, "⩱": 15, "=/+": 15,
	"+/-": 16, "±": 16, "+/−": 16, "-/+": 17, "∓": 17, "+-": 18, "-+": 19, "+--": 20, "--+": 21,
	"□": 7, "N": 146, "TN": 146, "D": 220, "/diagram/": 220, "‼": 3, "⁇": 4, "⁉": 5, "⁈": 6,
}

// noise are words that are met in movetext and say nothing that the moves do not.
var noise = map[string]bool{
	"e.p.": true, "ep": true, "e.p": true, "+": true, "++": true, "#": true, "mate": true, "dbl": true,
	"ch": true, "dis": true, ".": true, "..": true, "...": true, "…": true, ",": true, "-": true,
	"(+)": true,
}

// symbol reads a word that is not a ply in its usual form. It returns -1 at the end of the game.
func (p *parser) symbol(i int) (int, status) {
	buf := p.buf
	if n := isBreak(buf[i : i+pad]); n > 0 {
		return i + n, done
	}
	j := p.wordEnd(i)
	// e8(Q) is one word.
	if j > i && buf[j] == '(' && buf[j+2] == ')' && (buf[j-1] == '8' || buf[j-1] == '1') &&
		strings.IndexByte("QRBNqrbn", buf[j+1]) >= 0 {
		j += 3
	}
	p.work += int64(j - i)
	if j >= p.end && !p.last {
		return i, more
	}
	if r, n, lost := marker(buf[i : i+pad]); n > 0 && !lost { // one that begins with a half
		return p.ended(r, i+n)
	}
	word := buf[i:j]
	if len(word) == 0 { // a control character behind a move number
		return i + 1, done
	}
	if p.dead || p.skip > 0 {
		return j, done
	}
	// Dots of a move number that stand apart from it: "1 ... e5", "1 ...e5".
	if n := len(word) - len(bytes.TrimLeft(word, ".")); n > 0 {
		return i + n, done
	}
	s := string(p.appendText(nil, word))
	m, err := p.line.At.ParseSANLenient(s)
	if err == nil {
		p.push(m, i, j-i)
		return j, done
	}
	if n, ok := otherGlyphs[s]; ok {
		p.nag(i, n)
		return j, done
	}
	if noise[s] {
		return j, done
	}
	if errors.Is(err, position.ErrSyntax) {
		if word[0] == '<' && unquoted(buf[i:p.end], '>') < p.lineEnd(i)-i {
			return p.stray(i, '>')
		}
		if word[0] == '/' && len(word) > 1 && word[len(word)-1] == '/' || !strings.ContainsFunc(s, partOfMove) {
			p.beside(i, j-i, codec.ErrGrammar, "a move")
			return j, done
		}
	}
	if p.b.Depth() > 0 {
		// The rest of the variation is lost, and it alone.
		p.beside(i, j-i, err, "a legal move")
		p.closeVariation()
		p.skip = 1
	} else {
		p.fail(i, j-i, err, "a legal move")
		p.flush()
		p.dead = true
	}
	return j, done
}

// partOfMove reports whether a move may be meant by a word that has the character: a letter, a digit or a figurine.
func partOfMove(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || r >= '♔' && r <= '♟'
}

// wordEnd returns where the word at buf[i] ends.
func (p *parser) wordEnd(i int) int {
	for i < p.end && class[p.buf[i]]&inSymbol != 0 && wideSpace(p.buf[i:]) == 0 {
		_, n := utf8.DecodeRune(p.buf[i:])
		i += n
	}
	return min(i, p.end)
}
