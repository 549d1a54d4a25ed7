// SPDX-License-Identifier: Apache-2.0

package game

import (
	"fmt"
	"iter"

	"ply11/chess"
	"ply11/position"
)

// EventKind says what an Event is.
type EventKind uint8

// The kinds of events, in the grammar of a stream of words:
//
//	game = {Comment | NAG} line
//	line = {Move {Comment | NAG | variation}}
//	variation = VariationStart {Comment | NAG} line VariationEnd
const (
	MoveEvent      EventKind = iota + 1 // a move, or the null move
	NAG                                 // a numeric annotation glyph, 0..255, of the move before it
	Comment                             // a comment, of the move before it
	VariationStart                      // a variation begins; it replaces the move before it
	VariationEnd                        // the variation ends
)

// Event is one thing in a game's movetext.
type Event struct {
	Kind EventKind
	NAG  uint8      // of a NAG
	Move chess.Move // of a MoveEvent
	Node Node       // the move or the start of a line that the event is or belongs to
	Text string     // of a Comment
}

// String describes the event, for messages.
func (e Event) String() string {
	switch e.Kind {
	case MoveEvent:
		return e.Move.String()
	case NAG:
		return fmt.Sprintf("$%d", e.NAG)
	case Comment:
		return fmt.Sprintf("comment %q", e.Text)
	case VariationStart:
		return "("
	case VariationEnd:
		return ")"
	}
	return "nothing"
}

// Cursor walks a game in the order of its movetext: see Game.Cursor.
type Cursor struct {
	g    *Game
	node int32 // where the walk is
	item int32 // the next item of node, 0 if none is left
	head int32 // the start of the line that node is in
	done bool
	// Event is the event that Next found.
	Event
}

// Cursor returns a cursor before the first event of the game, which needs no memory:
//
//	for c := g.Cursor(); c.Next(); {
//		switch c.Kind {
func (g *Game) Cursor() Cursor {
	c := Cursor{g: g, done: len(g.nodes) == 0}
	if !c.done {
		c.item = g.firstItem(0)
	}
	return c
}

func (g *Game) firstItem(n int32) int32 {
	if g.nodes[n].flags&hasExt == 0 {
		return 0
	}
	return g.exts[g.nodes[n].ext].first
}

// Next goes to the next event, and reports whether there is one.
func (c *Cursor) Next() bool {
	g := c.g
	if c.item != 0 {
		c.Event = g.event(c.item, c.node)
		if c.Kind == VariationStart {
			c.node = int32(c.Node)
			c.head = c.node
			c.item = g.firstItem(c.node)
		} else {
			c.item = g.items[c.item].next
		}
		return true
	}
	if c.done {
		return false
	}
	if n := g.next(c.node); n != 0 {
		c.node = n
		c.item = g.firstItem(n)
		c.Event = Event{Kind: MoveEvent, Move: g.nodes[n].move, Node: Node(n)}
		return true
	}
	if c.head == 0 {
		c.done = true
		return false
	}
	x := &g.exts[g.nodes[c.head].ext]
	c.Event = Event{Kind: VariationEnd, Node: Node(c.head)}
	c.node, c.item, c.head = x.prev, g.items[x.item].next, x.line
	return true
}

// SkipLine passes over what is left of the line of the last event, with its variations. The next event is the
// VariationEnd of this line; after the main line there is none.
func (c *Cursor) SkipLine() {
	c.item = 0
	for n := c.g.next(c.node); n != 0; n = c.g.next(n) {
		c.node = n
	}
}

// All returns the events of the game in the order of its movetext.
func (g *Game) All() iter.Seq[Event] {
	return func(yield func(Event) bool) {
		for c := g.Cursor(); c.Next(); {
			if !yield(c.Event) {
				return
			}
		}
	}
}

// Replay returns the events of the game as All does, each with the position: for a MoveEvent the one before it, for all
// others that after the last move; at VariationStart and VariationEnd that after the move that the variation replaces.
// The position is valid until the next event and must not be changed. Moves are not verified. Cost: about 17 ns a move.
func (g *Game) Replay() iter.Seq2[Event, *position.Position] {
	return func(yield func(Event, *position.Position) bool) {
		line := position.NewLine(g.Start)
		for c := g.Cursor(); c.Next(); {
			if c.Kind == VariationEnd {
				line.Close()
			}
			if !yield(c.Event, &line.At) {
				return
			}
			switch c.Kind {
			case MoveEvent:
				line.Make(c.Move)
			case VariationStart:
				line.Open()
			}
		}
	}
}
