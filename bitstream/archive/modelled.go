// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"sync"

	"ply11/bitstream/archive/internal/clocks"
)

// marks tell which numbers the columns of clocks, times and evaluations of a block have: a NUL where the annotations of
// a game begin, and the code of each command.
type marks []byte

// appendColumns appends the marks of a block, and reports whether steps and texts are as long as they must be. What
// else is wrong with them is for notes.open to say.
func (m marks) appendColumns(steps, text []byte, games int) (marks, bool) {
	in, texts := input{b: steps}, input{b: text}
	if len(steps) == 0 {
		return m, true
	}
	for n := in.uvarint(uint64(games)); n > 0 && !in.bad; n-- {
		in.uvarint(mostBlockGames)
		m = append(m, 0)
		for op := in.byte(); op != stepEnd && !in.bad; op = in.byte() {
			switch op {
			case stepComment:
				eachCode(texts.text(), func(code byte) { m = append(m, code) })
			case stepNAG:
				in.byte()
			}
		}
	}
	return m, !in.bad && !texts.bad
}

func kindOf(code byte) ColumnKind {
	switch {
	case code <= textClockTenth:
		return columnClocks
	case code <= textTimeTenth:
		return columnTimes
	default:
		return columnEvals
	}
}

// coders are shared: one holds 1 MiB.
var coders = sync.Pool{New: func() any { return new(clocks.Coder) }}

// each calls f with the code of each number of a column, and whether it is the first of a game, until f returns false.
func (m marks) each(kind ColumnKind, f func(code byte, first bool) bool) bool {
	first := false
	for _, code := range m {
		if code == 0 {
			first = true
		} else if kindOf(code) == kind {
			if !f(code, first) {
				return false
			}
			first = false
		}
	}
	return true
}

// appendModelled appends a column as package clocks codes it. It reports false if it is not of the numbers that the
// marks tell, or one is beyond the limits.
func (m marks) appendModelled(dst []byte, kind ColumnKind, raw []byte) ([]byte, bool) {
	c := coders.Get().(*clocks.Coder)
	defer coders.Put(c)
	c.Encode(dst)
	in := input{b: raw}
	var values typed
	ok := m.each(kind, func(code byte, first bool) bool {
		if first {
			c.Game()
			values = typed{}
		}
		model(c, code, values.read(&in, code))
		return !in.bad
	})
	return c.Finish(), ok && len(in.b) == 0
}

// readModelled appends the column of size bytes that was coded so. It reports false if there is none.
func (m marks) readModelled(dst []byte, kind ColumnKind, coded []byte, size int) ([]byte, bool) {
	c := coders.Get().(*clocks.Coder)
	defer coders.Put(c)
	c.Decode(coded)
	var values typed
	at := len(dst)
	ok := m.each(kind, func(code byte, first bool) bool {
		if first {
			c.Game()
			values = typed{}
		}
		dst = values.append(dst, code, model(c, code, 0))
		return !c.Bad() && len(dst)-at <= size
	})
	return dst, ok && c.Ended() && len(dst)-at == size
}

func model(c *clocks.Coder, code byte, v int64) int64 {
	switch {
	case code <= textClockTenth:
		return c.Clock(int(code-textClock), v)
	case code <= textTimeTenth:
		return c.Time(int(code-textTime), v)
	case code == textMate:
		return c.Mate(v)
	default:
		return c.Score(v)
	}
}
