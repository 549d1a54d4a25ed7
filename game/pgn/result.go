// SPDX-License-Identifier: Apache-2.0

package pgn

import (
	"bytes"

	"ply11/game"
	"ply11/game/codec"
)

// scores are what one side of a termination marker may say, in half points: the standard's words and others that are
// met. The longer of two with the same beginning comes first.
var scores = []struct {
	text   []byte
	halves int
}{
	{[]byte("1/2"), 1}, {[]byte("0.5"), 1}, {[]byte("0,5"), 1}, {[]byte("½"), 1}, {[]byte("\xbd"), 1},
	{[]byte("1"), 2}, {[]byte("0"), 0},
}

// hyphens may stand between the sides. The last is a dash of Windows' code page 1252.
var hyphens = [][]byte{
	[]byte("-"), []byte("–"), []byte("—"), []byte("−"), []byte("‐"), []byte("‑"), []byte(":"), []byte("\x96"),
}

// marker reads a termination marker, other than *, at the front of b, which has pad bytes. It returns its result and
// length, 0 if it is not there. The points of a game that both have lost are lost to both: its result is Unknown, and
// its marker may also be castling.
func marker(b []byte) (r game.Result, n int, bothLost bool) {
	one, i := score(b)
	if i == 0 {
		return 0, 0, false
	}
	j := skipBlank(b[:pad/2], i)
	for _, h := range hyphens {
		if !bytes.HasPrefix(b[j:], h) {
			continue
		}
		j = skipBlank(b[:pad/2], j+len(h))
		other, k := score(b[j:])
		if j += k; k == 0 || one+other != 2 && one+other != 0 || !endsMarker(b[j:]) {
			break
		}
		if one+other == 0 {
			return game.Unknown, j, true
		}
		return [...]game.Result{game.BlackWins, game.Draw, game.WhiteWins}[one], j, false
	}
	if one == 1 && endsMarker(b[i:]) {
		return game.Draw, i, false
	}
	return 0, 0, false
}

// score reads one side of a termination marker.
func score(b []byte) (halves, n int) {
	for _, s := range scores {
		if bytes.HasPrefix(b, s.text) {
			return s.halves, len(s.text)
		}
	}
	return 0, 0
}

// endsMarker reports whether a termination marker may end before b.
func endsMarker(b []byte) bool {
	return class[b[0]]&inSymbol == 0 || b[0] == '.' || b[0] == ',' || wideSpace(b) > 0
}

// tagResult returns what a game's Result tag says, in PGN's words or others that are met.
func tagResult(g *game.Game) (r game.Result, bothLost bool) {
	var b [2 * pad]byte
	if n := copy(b[:pad/2], g.Tag("Result")); n > 0 {
		if r, size, lost := marker(b[:]); size == n {
			return r, lost
		}
	}
	return game.Unknown, false
}

// ended takes the termination marker at buf[i:j]. It returns -1 where it ends the game, and else where to read on.
func (p *parser) ended(r game.Result, j int) (int, status) {
	if ends, st := p.terminator(j); !ends {
		return j, st
	}
	p.g.Result = r
	return -1, p.tail(j)
}

// bothLost reports whether 0-0 at buf[i:j] ends the game, and is no castling: the Result tag says the same, no move
// number stands before it, and no move behind it.
func (p *parser) bothLost(i, j int) (bool, status) {
	if _, lost := tagResult(p.g); !lost || p.b.Depth() > 0 || p.skip > 0 {
		return false, done
	}
	for i--; i > p.body && class[p.buf[i]]&isSpace != 0; i-- {
		p.work++
	}
	if i > p.body && p.buf[i] == '.' {
		return false, done
	}
	for {
		next, lines := p.blank(j)
		if (next >= p.lim || lines < 0) && !p.last {
			return false, more
		}
		if next >= p.end || p.buf[next] == '[' || lines >= 2 {
			return true, done
		}
		if p.buf[next] != '{' {
			return false, done
		}
		n := bytes.IndexByte(p.buf[next:p.end], '}')
		if n < 0 {
			if p.last {
				return true, done
			}
			return false, more
		}
		p.work += int64(n)
		j = next + n + 1
	}
}

// terminator reports whether a termination marker that ends at buf[j] ends the game. Within a
// variation it says how that ends, and is dropped, unless what follows shows that the variation's end was
// forgotten: another game, or a blank line.
func (p *parser) terminator(j int) (bool, status) {
	if p.b.Depth() > 0 || p.skip > 0 {
		i, lines := p.blank(j)
		if (i >= p.lim || lines < 0) && !p.last {
			return false, more
		}
		if i < p.end && p.buf[i] != '[' && lines < 2 || i < p.end && p.buf[i] == ')' {
			return false, done
		}
		if p.skip > 0 && !p.dead {
			p.fail(j, 0, codec.ErrTruncated, ")")
		}
	}
	p.terminated = true
	p.stop = j
	return true, done
}

// tail reads what stands on the line of the termination marker, behind it. Comments are the last move's. The same
// marker again, and signs, say nothing. A tag or a move number 1 begins another game. All else is an error, and passed
// over.
func (p *parser) tail(i int) status {
	p.flush()
	for p.b.Depth() > 0 {
		p.fail(i, 0, codec.ErrTruncated, ")")
		p.closeVariation()
	}
	p.skip = 0
	told := false
	for buf := p.buf; ; {
		if i = skipBlank(buf[:p.end], i); i >= p.lim && !p.last {
			return more
		}
		c := buf[i]
		if i >= p.end || c == '\n' || c == '\r' || c == '1' && buf[i+1] == '.' && buf[i+2] != '.' {
			return done
		}
		if c == '{' || c == ';' {
			j, st := p.comment(i, !p.dead)
			if st != done {
				return st
			}
			if p.stop = j; j <= i {
				return done
			}
			i = j
			continue
		}
		if c == '[' {
			if is, st := p.isTag(i); st != done || is {
				return st
			}
		}
		j := max(i+1, p.wordEnd(i))
		if j >= p.end && !p.last {
			return more
		}
		p.work += int64(j - i)
		word := buf[i:j]
		r, n, _ := marker(buf[i : i+pad])
		if n > 0 {
			j = i + n
		}
		silent := n > 0 && r == p.g.Result || len(bytes.Trim(word, "*.,!?+-=#\x00")) == 0 || isBreak(buf[i:i+pad]) > 0
		if !silent && !told {
			told = true
			p.beside(i, p.lineEnd(i)-i, codec.ErrGrammar, "the end of the line")
		}
		i = j
		p.stop = i
	}
}
