// SPDX-License-Identifier: Apache-2.0

package archive

import "slices"

// Exception tells how a game departs from the columns.
type Exception struct {
	// Invalid: the text that was packed is not a valid game; the game is as much of it as is valid.
	Invalid bool
	// Partial: the game has annotations, or a start, that the columns cannot hold; its text has them.
	Partial bool
	// Text: its text is not the one that the block's layout makes.
	Text bool

	patch []byte
}

func (e *Exception) flags() byte {
	flags := byte(0)
	if e.Invalid {
		flags |= exceptInvalid
	}
	if e.Partial {
		flags |= exceptPartial
	}
	return flags
}

// noExceptions is the column without lead and exceptions: it is there to be padded.
var noExceptions = []byte{0, 0}

type exceptions struct {
	lead []byte
	list []gameException
}

type gameException struct {
	game int
	Exception
}

// open reads the column. It returns the game, -1 if it is none, and what is wrong.
func (x *exceptions) open(games, departing int, raw []byte) (int, string) {
	x.lead, x.list = nil, x.list[:0]
	if len(raw) == 0 {
		if departing != 0 {
			return -1, "there are none"
		}
		return -1, ""
	}
	in := input{b: raw}
	x.lead = in.take(in.uvarint(maxColumn))
	if n := in.uvarint(mostBlockGames); in.bad || n != uint64(departing) {
		return -1, "unsound exceptions"
	}
	at := 0
	for range departing {
		at += int(in.uvarint(mostBlockGames))
		if at >= games {
			return -1, "more than there are games"
		}
		flags := in.byte()
		e := Exception{Invalid: flags&exceptInvalid != 0, Partial: flags&exceptPartial != 0,
			Text: flags&exceptPatch != 0}
		if e.Text {
			e.patch = skipPatch(&in)
		}
		if in.bad || flags == 0 || flags&^exceptKnown != 0 {
			return at, "unsound exception"
		}
		x.list = append(x.list, gameException{at, e})
		at++
	}
	if len(in.b) > 0 {
		return -1, "more than there are games"
	}
	return -1, ""
}

func (x *exceptions) find(i int) (Exception, bool) {
	k, ok := slices.BinarySearchFunc(x.list, i, func(e gameException, i int) int { return e.game - i })
	if !ok {
		return Exception{}, false
	}
	return x.list[k].Exception, true
}
