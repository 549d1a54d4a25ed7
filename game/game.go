// SPDX-License-Identifier: Apache-2.0

package game

import (
	"fmt"
	"iter"
	"slices"

	"ply11/chess"
	"ply11/moveindex"
	"ply11/position"
)

// Result is how a game ended.
type Result uint8

// The results. The zero value is that of an unfinished game, or one whose end is not known.
const (
	Unknown   Result = iota // *
	WhiteWins               // 1-0
	BlackWins               // 0-1
	Draw                    // 1/2-1/2
)

var resultText = [4]string{"*", "1-0", "0-1", "1/2-1/2"}

// String returns the result as PGN writes it.
func (r Result) String() string { return resultText[r&3] }

// ParseResult reads a result as PGN writes it.
func ParseResult(s string) (Result, error) {
	r, ok := resultOf(s)
	if !ok {
		return Unknown, &chess.ParseError{What: "result", Text: s, Want: "1-0, 0-1, 1/2-1/2 or *"}
	}
	return r, nil
}

func resultOf(s string) (Result, bool) {
	i := slices.Index(resultText[:], s)
	return Result(max(i, 0)), i >= 0
}

// Index returns the result's control code in a stream of words.
func (r Result) Index() moveindex.Index {
	return [4]moveindex.Index{moveindex.ResultUnknown, moveindex.ResultWhiteWins,
		moveindex.ResultBlackWins, moveindex.ResultDraw}[r&3]
}

// ResultOf returns the result of a control code, and whether it is that of one.
func ResultOf(i moveindex.Index) (Result, bool) {
	switch i {
	case moveindex.ResultUnknown:
		return Unknown, true
	case moveindex.ResultWhiteWins:
		return WhiteWins, true
	case moveindex.ResultBlackWins:
		return BlackWins, true
	case moveindex.ResultDraw:
		return Draw, true
	}
	return Unknown, false
}

// Tag is one tag pair. The value is the text itself, without PGN's escapes.
type Tag struct{ Name, Value string }

// Encoding is how the text of a file is encoded. A Game's own strings are UTF-8.
type Encoding uint8

// The encodings.
const (
	ASCII  Encoding = iota // no byte above 127 was met (so far)
	UTF8                   // with or without a byte-order mark
	Latin1                 // ISO 8859-1: byte n is U+00nn
)

// String returns the encoding's name.
func (e Encoding) String() string {
	switch e {
	case UTF8:
		return "UTF-8"
	case Latin1:
		return "ISO-8859-1"
	}
	return "ASCII"
}

// Source says where in its input a game was found; the zero value is that of no text. Equal does not compare it.
type Source struct {
	// Number is the game's number in the input, from 1.
	Number int
	// Start and End are the range of its bytes, End excluded: from its first tag, comment or move to the end of its
	// termination marker, or of what is last. Between ranges lie white space, escaped lines and text of no game.
	Start, End int64
	// Line is the number of the line of the first byte, from 1.
	Line     int
	Encoding Encoding
	// NoTerminator: the movetext ended without a termination marker; the Result is that of the tag, or Unknown.
	NoTerminator bool
}

// Node names a place in the tree of moves of one game: the start of a line, or a move. It is valid until Reset.
type Node int32

const (
	// Root is the start of the main line.
	Root Node = 0
	// NoNode is no place.
	NoNode Node = -1
)

// node is a move, or the start of a line. Its neighbours in its line are those in the arena, unless its ext has others.
type node struct {
	move  chess.Move
	flags uint16
	ext   int32 // with hasExt: its index in Game.exts
}

const (
	hasExt uint16 = 1 << iota // the node has an ext
	jumps                     // the next of its line is that of its ext, or none, and not the one behind it
	isHead                    // the node is the start of a line
)

// ext is what few nodes have: other links, annotations and variations. 0 is "none" in all but prev.
type ext struct {
	prev, next  int32
	first, last int32 // items
	line        int32 // of a line's start: the start of the line around it
	item        int32 // of a line's start: the item that holds it
}

// item is a NAG, a comment or a variation. Item 0 is not used.
type item struct {
	next int32 // the next of the same node
	arg  int32 // the NAG, the index in Game.spans, or the node that starts the variation
	kind EventKind
}

// span is where the text of a comment is: texts[text][from:to] of its game.
type span struct{ text, from, to int32 }

// Game is a game. Use New or Reset before first use: the zero value has no valid start position.
//
// A Game may be read by several goroutines at once, and changed by one alone.
type Game struct {
	// Tags are in their order; names may occur more than once.
	Tags []Tag
	// Start is the position before the first move. SetStart keeps the FEN and SetUp tags in step.
	Start position.Position
	// Result is that of the movetext's termination marker. The tag may differ: see TagResult.
	Result Result
	Source Source

	nodes []node
	exts  []ext
	items []item
	spans []span
	texts []string // of one comment, or of several
}

// New returns a game with no tags and no moves, from the usual start position.
func New() *Game {
	g := new(Game)
	g.Reset()
	return g
}

// Reset makes the game that of New, and keeps its memory for the next.
func (g *Game) Reset() {
	g.Tags = g.Tags[:0]
	g.Start = position.Start()
	g.Result = Unknown
	g.Source = Source{}
	g.nodes = append(g.nodes[:0], node{flags: isHead})
	g.exts = g.exts[:0]
	g.items = g.items[:0]
	clear(g.texts) // let go of the comments
	g.texts, g.spans = g.texts[:0], g.spans[:0]
}

// Clone returns a copy that shares no memory that can change.
func (g *Game) Clone() *Game {
	c := *g
	c.Tags = clip(g.Tags)
	c.nodes, c.exts, c.items = clip(g.nodes), clip(g.exts), clip(g.items)
	c.spans, c.texts = clip(g.spans), clip(g.texts)
	return &c
}

// clip returns a copy of exactly the size needed; nil for none.
func clip[T any](s []T) []T {
	if len(s) == 0 {
		return nil
	}
	c := make([]T, len(s))
	copy(c, s)
	return c
}

// Tag returns the value of the first tag of the name, "" where there is none.
func (g *Game) Tag(name string) string {
	v, _ := g.LookupTag(name)
	return v
}

// LookupTag returns the value of the first tag of the name, and whether there is one.
func (g *Game) LookupTag(name string) (string, bool) {
	for i := range g.Tags {
		if g.Tags[i].Name == name {
			return g.Tags[i].Value, true
		}
	}
	return "", false
}

// AddTag adds a tag after the others, whether or not there is one of the name.
func (g *Game) AddTag(name, value string) { g.Tags = append(g.Tags, Tag{name, value}) }

// SetTag gives the first tag of the name the value, or adds one.
func (g *Game) SetTag(name, value string) {
	for i := range g.Tags {
		if g.Tags[i].Name == name {
			g.Tags[i].Value = value
			return
		}
	}
	g.AddTag(name, value)
}

// DeleteTag removes all tags of the name.
func (g *Game) DeleteTag(name string) {
	g.Tags = slices.DeleteFunc(g.Tags, func(t Tag) bool { return t.Name == name })
}

// TagResult returns what the Result tag says, and whether it says it in PGN's words.
func (g *Game) TagResult() (Result, bool) { return resultOf(g.Tag("Result")) }

// SetStart sets the start position of a game without moves, and the SetUp and FEN tags: none for the usual one, and for
// one of Chess960 the Variant tag, too.
func (g *Game) SetStart(p position.Position) {
	g.Start = p
	if p == position.Start() {
		g.DeleteTag("SetUp")
		g.DeleteTag("FEN")
		return
	}
	g.SetTag("SetUp", "1")
	g.SetTag("FEN", p.FEN())
	if p.IsChess960() && VariantOf(g.Tag("Variant")) != Chess960 {
		g.SetTag("Variant", "Chess960")
	}
}

// Len returns the number of plies of the main line.
func (g *Game) Len() int {
	if len(g.exts) == 0 {
		return max(len(g.nodes)-1, 0)
	}
	n := 0
	for i := g.next(0); i > 0; i = g.next(i) {
		n++
	}
	return n
}

// NumMoves returns the number of plies of the main line and all variations.
func (g *Game) NumMoves() int {
	n := 0
	for i := range g.nodes {
		if g.nodes[i].flags&isHead == 0 {
			n++
		}
	}
	return n
}

// NumVariations returns the number of variations at all depths.
func (g *Game) NumVariations() int {
	n := 0
	for i := range g.items {
		if g.items[i].kind == VariationStart {
			n++
		}
	}
	return n
}

// Plain reports whether the game is a main line without annotations and variations.
func (g *Game) Plain() bool { return len(g.exts) == 0 }

// next returns the node after i in its line, 0 if it is the last.
func (g *Game) next(i int32) int32 {
	if uint(i) >= uint(len(g.nodes)) {
		return 0
	}
	switch n := &g.nodes[i]; {
	case n.flags&jumps == 0:
		if int(i)+1 < len(g.nodes) {
			return i + 1
		}
	case n.flags&hasExt != 0:
		return g.exts[n.ext].next
	}
	return 0
}

// Next returns the move after n in its line, and NoNode after the last.
func (g *Game) Next(n Node) Node {
	if i := g.next(int32(n)); i != 0 {
		return Node(i)
	}
	return NoNode
}

// Prev returns the move before n in its line, or the line's start; of the start of a variation the move that it
// replaces, of Root NoNode.
func (g *Game) Prev(n Node) Node {
	switch {
	case n <= 0 || int(n) >= len(g.nodes):
		return NoNode
	case g.nodes[n].flags&hasExt != 0:
		return Node(g.exts[g.nodes[n].ext].prev)
	}
	return n - 1
}

// IsStart reports whether n is the start of a line, and not a move.
func (g *Game) IsStart(n Node) bool {
	return n == Root || n > 0 && int(n) < len(g.nodes) && g.nodes[n].flags&isHead != 0
}

// Move returns the move of a node, chess.NullMove at the start of a line.
func (g *Game) Move(n Node) chess.Move {
	if n < 0 || int(n) >= len(g.nodes) {
		return chess.NullMove
	}
	return g.nodes[n].move
}

// Items returns the annotations and variations of a node, in order: events of the kinds NAG, Comment and
// VariationStart. The Node of a variation is its start.
func (g *Game) Items(n Node) iter.Seq[Event] {
	return func(yield func(Event) bool) {
		if n < 0 || int(n) >= len(g.nodes) || g.nodes[n].flags&hasExt == 0 {
			return
		}
		for i := g.exts[g.nodes[n].ext].first; i != 0; i = g.items[i].next {
			if !yield(g.event(i, int32(n))) {
				return
			}
		}
	}
}

// event returns the event of an item of node n.
func (g *Game) event(i, n int32) Event {
	e := Event{Kind: g.items[i].kind, Node: Node(n)}
	switch arg := g.items[i].arg; e.Kind {
	case NAG:
		e.NAG = uint8(arg)
	case Comment:
		if s := g.spans[arg]; int(s.text) < len(g.texts) {
			e.Text = g.texts[s.text][s.from:s.to]
		}
	case VariationStart:
		e.Node = Node(arg)
	}
	return e
}

// AppendMainLine appends the moves of the main line to dst.
func (g *Game) AppendMainLine(dst []chess.Move) []chess.Move {
	if len(g.nodes) == 0 {
		return dst
	}
	if len(g.exts) == 0 {
		for i := range g.nodes[1:] {
			dst = append(dst, g.nodes[1+i].move)
		}
		return dst
	}
	for i := g.next(0); i > 0; i = g.next(i) {
		dst = append(dst, g.nodes[i].move)
	}
	return dst
}

// MainLine returns the moves of the main line, each with the number of its ply, from 1.
func (g *Game) MainLine() iter.Seq2[int, chess.Move] {
	return func(yield func(int, chess.Move) bool) {
		ply := 0
		for i := g.next(0); i > 0; i = g.next(i) {
			if ply++; !yield(ply, g.nodes[i].move) {
				return
			}
		}
	}
}

// Final returns the position after the last move of the main line.
func (g *Game) Final() position.Position {
	p := g.Start
	for i := g.next(0); i > 0; i = g.next(i) {
		p.Make(g.nodes[i].move)
	}
	return p
}

// Equal reports whether two games have the same tags, start, result, moves and annotations in their order. go-cmp uses
// it.
func (g *Game) Equal(o *Game) bool { return g.Diff(o) == "" }

// Diff returns the first difference between two games, "" if they are Equal.
func (g *Game) Diff(o *Game) string {
	switch {
	case g == nil || o == nil:
		if g == o {
			return ""
		}
		return "one of the games is nil"
	case !slices.Equal(g.Tags, o.Tags):
		return fmt.Sprintf("tags: %q against %q", g.Tags, o.Tags)
	case g.Start != o.Start:
		return fmt.Sprintf("start: %v against %v", g.Start.FEN(), o.Start.FEN())
	case g.Result != o.Result:
		return fmt.Sprintf("result: %v against %v", g.Result, o.Result)
	}
	next, stop := iter.Pull(o.All())
	defer stop()
	count := 0
	for e := range g.All() {
		count++
		f, ok := next()
		e.Node, f.Node = 0, 0
		if !ok {
			return fmt.Sprintf("item %d: %v against the end", count, e)
		}
		if e != f {
			return fmt.Sprintf("item %d: %v against %v", count, e, f)
		}
	}
	if f, ok := next(); ok {
		return fmt.Sprintf("item %d: the end against %v", count+1, f)
	}
	return ""
}
