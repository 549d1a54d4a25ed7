// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"encoding/binary"
	"slices"

	"ply11/game"
	"ply11/position"
)

// Exception tells how a game departs from the columns.
type Exception struct {
	// Invalid: the text that was packed is not a valid game; the game is as much of it as is valid.
	Invalid bool
	// Partial: the game has annotations, or a start, that the columns cannot hold; its text has them.
	Partial bool
	// Text: its text is not the one that the block's layout makes.
	Text bool

	// StartUnknown: an invalid game without moves begins in a position that its tags do not tell; it has no positions.
	StartUnknown bool

	flags byte // without exceptPatch
	patch []byte
}

// startUnknown reports whether a game has no moves, and tags of another start or variant that are not read.
func startUnknown(g *game.Game) bool {
	if g.Len() > 0 || !isStart(g) {
		return false
	}
	if game.VariantOf(g.Tag("Variant")) == game.OtherVariant {
		return true
	}
	fen := g.Tag("FEN")
	if fen == "" || fen == "?" || g.Tag("SetUp") == "0" {
		return false
	}
	_, err := position.ParseFENLenient(fen)
	return err != nil
}

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
			Text: flags&exceptPatch != 0, StartUnknown: flags&exceptUnknown != 0, flags: flags &^ exceptPatch}
		if e.Text {
			e.patch = skipPatch(&in)
		}
		if in.bad || flags == 0 || flags&^exceptKnown != 0 || e.StartUnknown && !e.Invalid {
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

// A patch makes one text of another. It is a number of steps, then the steps: the length of new text, the new text, the
// place in the old text relative to the end of the last copy (zigzag), and how much to copy from there.

// patchHash is the number of places that are remembered, by what stands there.
const patchHash = 1 << 12

type patcher struct {
	table [patchHash]int32 // 1 + the last place in old of a hash
	steps []byte
}

func hash6(b []byte) uint32 {
	v := binary.LittleEndian.Uint64(b) << 16
	return uint32(v * 0x9e3779b185ebca87 >> 52)
}

func (p *patcher) append(dst, old, new []byte) []byte {
	clear(p.table[:])
	for i := 0; i+8 <= len(old); i++ {
		p.table[hash6(old[i:])] = int32(i) + 1
	}
	p.steps = p.steps[:0]
	count := uint64(0)
	from, at := 0, 0 // in new, what is not written yet; in old, the end of the last copy
	step := func(to, place, n int) {
		p.steps = binary.AppendUvarint(p.steps, uint64(to-from))
		p.steps = append(p.steps, new[from:to]...)
		p.steps = appendVarint(p.steps, int64(place-at))
		p.steps = binary.AppendUvarint(p.steps, uint64(n))
		from, at = to+n, place+n
		count++
	}
	if n := common(old, new); n > 0 {
		step(0, 0, n)
	}
	for i := from; i+8 <= len(new); {
		// First where the text would go on if as much was replaced as is new, then where the same six bytes stand.
		place, n := at+i-from, 0
		if place < len(old) {
			n = common(old[place:], new[i:])
		}
		if n < 6 {
			if place = int(p.table[hash6(new[i:])]) - 1; place >= 0 {
				n = common(old[place:], new[i:])
			}
		}
		if n < 6 {
			i++
			continue
		}
		for i > from && place > 0 && old[place-1] == new[i-1] {
			i, place, n = i-1, place-1, n+1
		}
		step(i, place, n)
		i = from
	}
	n := 0
	for n < len(old) && n < len(new)-from && old[len(old)-1-n] == new[len(new)-1-n] {
		n++
	}
	if len(new) > from {
		step(len(new)-n, len(old)-n, n)
	}
	dst = binary.AppendUvarint(dst, count)
	return append(dst, p.steps...)
}

// common returns how many bytes are the same at the front of a and b.
func common(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

func skipPatch(in *input) []byte {
	all := in.b
	for n := in.uvarint(uint64(len(in.b))); n > 0 && !in.bad; n-- {
		in.take(in.uvarint(maxColumn))
		in.varint()
		in.uvarint(maxBlock)
	}
	if in.bad {
		return nil
	}
	return all[:len(all)-len(in.b)]
}

// appendPatched appends what the patch makes of old, at most limit bytes, and reports whether the patch is sound.
func appendPatched(dst, old, patch []byte, limit int) ([]byte, bool) {
	in := input{b: patch}
	start, at := len(dst), int64(0)
	for n := in.uvarint(uint64(len(in.b))); n > 0 && !in.bad; n-- {
		fresh := in.take(in.uvarint(maxColumn))
		move := in.varint()
		size := int64(in.uvarint(maxBlock))
		if move < -maxBlock || move > maxBlock {
			return dst[:start], false
		}
		at += move
		if at < 0 || at+size > int64(len(old)) || len(dst)-start+len(fresh)+int(size) > limit {
			return dst[:start], false
		}
		dst = append(dst, fresh...)
		dst = append(dst, old[at:at+size]...)
		at += size
	}
	if in.bad || len(in.b) > 0 {
		return dst[:start], false
	}
	return dst, true
}
