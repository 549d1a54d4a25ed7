// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"errors"
	"io"
)

// Lexer finds the end of a game.
type Lexer interface {
	// Scan reads on in a game. It returns how many bytes of p belong to it, and whether the game ends with them.
	// Where it does not end, that is all of p.
	Scan(p []byte) (n int, end bool)
	// Reset prepares for the next game.
	Reset()
}

// MaxGame is the greatest length of a game, in bytes, that a Reader of bytes takes: 1 MiB.
const MaxGame = 1 << 20

const minBuffer = 64 << 10

// Splitter cuts a stream of bytes into games by a Lexer that knows where a game ends and nothing else, so
// that a game with an error costs no other. It holds one game at a time, and of a game that is longer than
// its limit only the beginning: its memory is bounded whatever the input is.
type Splitter struct {
	r     io.Reader
	lex   Lexer
	limit int
	buf   []byte
	start int   // of the bytes not yet given away
	end   int   // of the bytes read
	off   int64 // of buf[start] in the stream
	err   error // of r, met after buf[:end]
}

// NewSplitter returns a Splitter that reads r. It never holds more than
// twice the limit and 64 KiB.
func NewSplitter(r io.Reader, lex Lexer, limit int) *Splitter {
	return &Splitter{r: r, lex: lex, limit: limit}
}

// Next returns the bytes of the next game, valid until the next call, and their offset in the
// stream. The error is io.EOF after the last game; ErrTruncated with what there is of a game whose end is
// missing; ErrLimit with the first bytes of a game longer than the limit; or the reader's own.
func (s *Splitter) Next() (game []byte, offset int64, err error) {
	s.lex.Reset()
	offset = s.off
	scanned := 0 // bytes of the game that the lexer has seen and the buffer holds
	dropped := false
	for {
		n, end := s.lex.Scan(s.buf[s.start+scanned : s.end])
		scanned += n
		if dropped || scanned > s.limit {
			if !dropped {
				game = append([]byte(nil), s.buf[s.start:s.start+s.limit]...)
				dropped = true
			}
			s.drop(scanned)
			scanned = 0
			if end {
				return game, offset, TooLong(s.limit)
			}
		} else if end {
			game = s.buf[s.start : s.start+scanned]
			s.drop(scanned)
			return game, offset, nil
		}
		if s.err == nil {
			s.fill()
			continue
		}
		// What is left is all there is.
		if s.err != io.EOF {
			return nil, s.off + int64(scanned), s.err
		}
		game2 := s.buf[s.start : s.start+scanned]
		s.drop(scanned)
		switch {
		case dropped:
			return game, offset, TooLong(s.limit)
		case len(game2) == 0:
			return nil, offset, io.EOF
		}
		return game2, offset, ErrTruncated
	}
}

func (s *Splitter) drop(n int) {
	s.start += n
	s.off += int64(n)
}

// fill reads more, after moving what is left to the front or making room.
func (s *Splitter) fill() {
	if s.start > 0 && (s.start == s.end || s.end == len(s.buf)) {
		s.end = copy(s.buf, s.buf[s.start:s.end])
		s.start = 0
	}
	if s.end == len(s.buf) {
		grown := make([]byte, max(minBuffer, 2*len(s.buf)))
		copy(grown, s.buf[:s.end])
		s.buf = grown
	}
	for range 100 {
		n, err := s.r.Read(s.buf[s.end:])
		if n < 0 || n > len(s.buf)-s.end {
			s.err = errors.New("reader returned an impossible count")
			return
		}
		s.end += n
		if err != nil {
			s.err = err
			return
		}
		if n > 0 {
			return
		}
	}
	s.err = io.ErrNoProgress
}
