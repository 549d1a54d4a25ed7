// SPDX-License-Identifier: Apache-2.0

package game

import (
	"errors"
	"slices"

	"ply11/chess"
)

// Errors of a Builder.
var (
	// ErrNoMove: a variation where there is no move that it could replace, or none in it.
	ErrNoMove = errors.New("variation without a move")
	// ErrNoVariation: the end of a variation where none has begun.
	ErrNoVariation = errors.New("end of a variation that has not begun")
	// ErrTooLarge: more than 2^31-1 of something.
	ErrTooLarge = errors.New("game too large")
)

// Builder adds moves, annotations and variations to a game, in the order of its movetext. It does not
// verify moves: its user does, having the position.
//
// The zero value must be Reset.
type Builder struct {
	g     *Game
	cur   int32  // the move, or start of a line, that was added last in the line
	head  int32  // the start of the line
	depth int    // of variations
	last  int32  // the last item, before the newest variation, of the move that it replaces
	arena []byte // the texts of AddText, until Flush
}

// Reset lets the Builder add to the end of g's main line. For a new game, Reset the game first.
func (b *Builder) Reset(g *Game) {
	b.g = g
	if len(g.nodes) == 0 {
		g.nodes = append(g.nodes, node{flags: isHead})
	}
	b.cur, b.head, b.depth = 0, 0, 0
	b.arena = b.arena[:0]
	for i := len(g.spans) - 1; i >= 0 && int(g.spans[i].text) == len(g.texts); i-- {
		g.spans[i] = span{} // of another Builder, without Flush
	}
	for n := g.next(0); n != 0; n = g.next(n) {
		b.cur = n
	}
}

// Depth returns the number of variations that have begun and not ended.
func (b *Builder) Depth() int { return b.depth }

// AtStart reports whether the line has no move yet.
func (b *Builder) AtStart() bool { return b.cur == b.head }

// Move adds a move to the line.
func (b *Builder) Move(m chess.Move) {
	n := int32(len(b.g.nodes))
	b.g.nodes = append(b.g.nodes, node{move: m})
	b.follow(n)
	b.cur = n
}

// Moves adds several moves to the line.
func (b *Builder) Moves(list []chess.Move) {
	if len(list) == 0 {
		return
	}
	g := b.g
	n := int32(len(g.nodes))
	g.nodes = slices.Grow(g.nodes, len(list))
	more := g.nodes[n:][:len(list)]
	for i, m := range list {
		more[i] = node{move: m}
	}
	g.nodes = g.nodes[:int(n)+len(more)]
	b.follow(n)
	b.cur = int32(len(g.nodes)) - 1
}

// follow makes node n the next of the line.
func (b *Builder) follow(n int32) {
	if b.cur+1 == n {
		b.g.nodes[b.cur].flags &^= jumps
	} else {
		b.jump(n)
	}
}

func (b *Builder) jump(n int32) {
	b.g.ext(b.cur).next = n
	b.g.ext(n).prev = b.cur
}

// ext returns the ext of a node, and makes one if it has none.
func (g *Game) ext(n int32) *ext {
	nd := &g.nodes[n]
	if nd.flags&hasExt != 0 {
		return &g.exts[nd.ext]
	}
	i := len(g.exts)
	g.exts = append(g.exts, ext{})
	nd.flags |= hasExt
	nd.ext = int32(i)
	x := &g.exts[i]
	x.prev = n - 1 // beside the zeros: a load of both waits until they are in the cache
	return x
}

// add adds an item to the last move.
func (b *Builder) add(kind EventKind, arg int32) int32 {
	g := b.g
	if len(g.items) == 0 {
		g.items = append(g.items, item{})
	}
	i := int32(len(g.items))
	g.items = append(g.items, item{kind: kind, arg: arg})
	x := g.ext(b.cur)
	if x.first == 0 {
		x.first = i
	} else {
		g.items[x.last].next = i
	}
	x.last = i
	return i
}

// NAG adds a numeric annotation glyph to the last move, or to the start of the line.
func (b *Builder) NAG(n uint8) { b.add(NAG, int32(n)) }

// Comment adds a comment to the last move, or to the start of the line.
func (b *Builder) Comment(text string) {
	b.Flush()
	b.comment(0, len(text))
	b.g.texts = append(b.g.texts, text)
}

// AddText is Comment for text that is not yet a string. The bytes are copied, and the comment is "" until Flush
// has made the texts of all such comments, in one allocation.
func (b *Builder) AddText(text []byte) {
	from := len(b.arena)
	b.arena = append(b.arena, text...)
	b.comment(from, len(b.arena))
}

// comment adds a comment whose text is a part of the next of Game.texts.
func (b *Builder) comment(from, to int) {
	b.add(Comment, int32(len(b.g.spans)))
	b.g.spans = append(b.g.spans, span{int32(len(b.g.texts)), int32(from), int32(to)})
}

// Flush ends a series of AddText.
func (b *Builder) Flush() {
	g := b.g
	if n := len(g.spans); n > 0 && int(g.spans[n-1].text) == len(g.texts) {
		g.texts = append(g.texts, string(b.arena))
		b.arena = b.arena[:0]
	}
}

// StartVariation begins a variation that replaces the last move. It is ErrNoMove where the line has
// none.
func (b *Builder) StartVariation() error {
	if b.cur == b.head {
		return ErrNoMove
	}
	g := b.g
	if len(g.nodes) >= 1<<31-2 {
		return ErrTooLarge
	}
	n := int32(len(g.nodes))
	b.last = g.ext(b.cur).last
	i := b.add(VariationStart, n)
	g.nodes[b.cur].flags |= jumps
	g.nodes = append(g.nodes, node{flags: isHead})
	x := g.ext(n)
	x.prev, x.line, x.item = b.cur, b.head, i
	b.cur, b.head = n, n
	b.depth++
	return nil
}

// EndVariation ends the variation; what is added next goes to the line around it. A variation without
// a move is none: its annotations, if any, become those of the move that it would have
// replaced, and ErrNoMove is returned; the Builder may be used on. It is ErrNoVariation where none
// has begun.
func (b *Builder) EndVariation() error {
	if b.depth == 0 {
		return ErrNoVariation
	}
	g := b.g
	x := g.exts[g.nodes[b.head].ext]
	empty := b.cur == b.head
	g.nodes[b.cur].flags |= jumps
	b.cur, b.head = x.prev, x.line
	b.depth--
	if !empty {
		return nil
	}
	// The start is the newest node, and has the newest ext but for those of no one: take both away,
	// and put its items in the place of the variation's own.
	g.nodes = g.nodes[:len(g.nodes)-1]
	g.exts = g.exts[:len(g.exts)-1]
	owner := g.ext(b.cur)
	if x.first != 0 {
		v := &g.items[x.item]
		*v = g.items[x.first] // its successors follow it
		if x.first == x.last {
			owner.last = x.item
		} else {
			owner.last = x.last
		}
		return ErrNoMove
	}
	// Nothing was added since its start, so that b.last is still of this move.
	g.items = g.items[:len(g.items)-1]
	owner.last = b.last
	if b.last == 0 {
		owner.first = 0
	} else {
		g.items[b.last].next = 0
	}
	return ErrNoMove
}
