// SPDX-License-Identifier: Apache-2.0

package chessbase

import (
	"bufio"
	"fmt"
	"io"
	"iter"

	"ply11/chess"
	"ply11/game"
	"ply11/game/codec"
	"ply11/position"
)

// bookMove is one move of an FBK file (section 3): start and target square, each with two flags.
type bookMove [2]byte

const (
	bookSquare    = 0x3f
	bookContinues = 0x40 // byte 1: the move does not start a variation
	bookEnds      = 0x80 // byte 1: the move ends the variation
	bookUnused    = 0x40 // byte 2
	bookWeak      = 0x80 // byte 2
)

func newBookMove(m chess.Move, starts, ends, weak bool) bookMove {
	b := bookMove{byte(m.From()) | bookContinues, byte(m.To())}
	if starts {
		b[0] &^= bookContinues
	}
	if ends {
		b[0] |= bookEnds
	}
	if weak {
		b[1] |= bookWeak
	}
	return b
}

func (b bookMove) from() chess.Square { return chess.Square(b[0] & bookSquare) }

func (b bookMove) to() chess.Square { return chess.Square(b[1] & bookSquare) }

func (b bookMove) starts() bool { return b[0]&bookContinues == 0 }

func (b bookMove) ends() bool { return b[0]&bookEnds != 0 }

// weak reports whether a computer should not play the move.
func (b bookMove) weak() bool { return b[1]&bookWeak != 0 }

// unused is a bit without a meaning, which is kept.
func (b bookMove) unused() bool { return b[1]&bookUnused != 0 }

// move returns the move in a position: a pawn becomes a queen.
func (b bookMove) move(p *position.Position) chess.Move {
	from, to := b.from(), b.to()
	if (to.Rank() == 0 || to.Rank() == 7) && p.PieceAt(from).Kind() == chess.Pawn {
		return chess.NewPromotion(from, to, chess.Queen)
	}
	return chess.NewMove(from, to)
}

// bookLayout says what the flags of an FBK file mean.
type bookLayout uint8

const (
	// bookBrackets: starts and ends are brackets, as in a CBF file. A move that starts a variation replaces the move
	// before it in the line around; where no line is open, it opens a main line.
	bookBrackets bookLayout = iota
	// BookSiblings: the moves are a tree, each before its successors. A start means that another move in the same
	// position follows after all that follows this one, an end that nothing does.
	BookSiblings
)

func (l bookLayout) String() string {
	if l == BookSiblings {
		return "siblings"
	}
	return "brackets"
}

// Limits of an opening book in memory.
const (
	// maxBookMoves is the most moves of an FBK file that is read: 32 MiB of file.
	maxBookMoves = 1 << 24
	maxBookDepth = 4096
)

// Book is an FBK file as it stands.
type Book struct {
	Moves  []bookMove
	Layout bookLayout
}

// ReadBook reads an FBK file. Its layout is BookSiblings where it has one end more than starts, and bookBrackets
// otherwise. The errors are codec.ErrTruncated for an odd byte at the end, and codec.ErrLimit beyond 16,777,216 moves;
// they come with what was read before.
func ReadBook(r io.Reader) (*Book, error) {
	b := new(Book)
	buffered := bufio.NewReaderSize(r, 1<<16)
	balance := 0
	for {
		var m bookMove
		n, err := io.ReadFull(buffered, m[:])
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			if balance == -1 {
				b.Layout = BookSiblings
			}
			if n == 1 {
				return b, &codec.Error{Offset: int64(len(b.Moves)) * 2, Err: codec.ErrTruncated,
					Reason: "half a move is left"}
			}
			return b, nil
		}
		if err != nil {
			return b, err
		}
		if len(b.Moves) == maxBookMoves {
			return b, &codec.Error{Offset: 2 * maxBookMoves, Err: codec.ErrLimit,
				Reason: fmt.Sprintf("more than %d moves", maxBookMoves)}
		}
		b.Moves = append(b.Moves, m)
		if m.starts() {
			balance++
		}
		if m.ends() {
			balance--
		}
	}
}

// WriteTo writes the file, byte for byte as it was read.
func (b *Book) WriteTo(w io.Writer) (int64, error) {
	out := bufio.NewWriterSize(w, 1<<16)
	for _, m := range b.Moves {
		if _, err := out.Write(m[:]); err != nil {
			return 0, err
		}
	}
	return int64(len(b.Moves)) * 2, out.Flush()
}

type bookNode struct {
	Move  chess.Move
	Weak  bool
	First int32 // the first of the moves that follow it, 0 for none
	Next  int32 // the next move in the same position, 0 for none
}

// bookTree is the moves that a book has in each position. Node 0 is the usual start position, and no move. A move
// occurs once in a position reached by the same moves.
type bookTree struct{ Nodes []bookNode }

func newBookTree() *bookTree { return &bookTree{Nodes: make([]bookNode, 1)} }

func (t *bookTree) len() int { return len(t.Nodes) - 1 }

// add returns the node of a move after a node, and adds it if it is not there. It does not check the move.
func (t *bookTree) add(parent int32, m chess.Move) int32 {
	link := &t.Nodes[parent].First
	for *link != 0 {
		if t.Nodes[*link].Move == m {
			return *link
		}
		link = &t.Nodes[*link].Next
	}
	n := int32(len(t.Nodes))
	*link = n // before append, which may move the nodes
	t.Nodes = append(t.Nodes, bookNode{Move: m})
	return n
}

type bookPlace struct {
	pos  position.Position
	node int32
	dead bool // after a move that is not legal: what follows it is left out
}

// tree returns the book's moves as a tree. Illegal moves, with all that follows, and brackets that do not match are
// left out, and reported as *codec.Error.
func (b *Book) tree(report func(error)) *bookTree {
	t := newBookTree()
	if report == nil {
		report = func(error) {}
	}
	b.walk(t, report, func(int, int, *bookPlace, *bookPlace) {})
	return t
}

// walk plays the moves of the file, adds them to a tree, and visits each with the number of lines around it and the
// places before and after it. It reports what is wrong with a move first.
func (b *Book) walk(t *bookTree, report func(error), visit func(i, depth int, before, after *bookPlace)) {
	fail := func(i int, err error, format string, args ...any) {
		report(&codec.Error{Offset: int64(2 * i), Err: err, Reason: fmt.Sprintf(format, args...)})
	}
	type line struct{ before, at bookPlace }
	root := bookPlace{pos: position.Start()}
	cur := line{root, root}
	var stack []line // the lines around, or of siblings where a further move follows
	siblings := b.Layout == BookSiblings
	open := siblings // the tree has not ended
	for i, m := range b.Moves {
		switch {
		case siblings && !open:
			fail(i, codec.ErrGrammar, "a move after the end of the tree")
			return
		case m.starts() && len(stack) == maxBookDepth:
			fail(i, codec.ErrLimit, "%d variations, one in the other", maxBookDepth)
			return
		case m.starts():
			stack = append(stack, cur)
			if !siblings {
				cur.at = cur.before
			}
		case !siblings && len(stack) == 0:
			fail(i, codec.ErrGrammar, "a move outside of all variations")
			stack = append(stack, cur)
		}
		depth := len(stack)
		if !siblings {
			depth--
		}
		cur.before = cur.at
		cur.at = b.play(t, cur.at, i, report)
		visit(i, depth, &cur.before, &cur.at)
		if !m.ends() {
			continue
		}
		if n := len(stack) - 1; n >= 0 {
			cur, stack = stack[n], stack[:n]
		} else {
			open = false
		}
	}
	switch {
	case open:
		fail(len(b.Moves), codec.ErrGrammar, "the tree does not end")
	case !siblings && len(stack) > 0:
		fail(len(b.Moves), codec.ErrGrammar, "%d variations do not end", len(stack))
	}
}

func (b *Book) play(t *bookTree, at bookPlace, i int, report func(error)) bookPlace {
	if at.dead {
		return at
	}
	m := b.Moves[i].move(&at.pos)
	if !at.pos.IsLegal(m) {
		report(&codec.Error{Ply: at.pos.Ply() + 1, Offset: int64(2 * i), Err: position.ErrIllegal, Reason: m.String()})
		at.dead = true
		return at
	}
	at.node = t.add(at.node, m)
	if b.Moves[i].weak() {
		t.Nodes[at.node].Weak = true
	}
	at.pos.Make(m)
	return at
}

// book returns the tree as an FBK file in brackets: each position's first move, the others as variations, then what
// follows it. A line's last move can have no variation, since the line is closed with it: its alternatives become lines
// of their own.
func (t *bookTree) book() *Book {
	b := new(Book)
	t.line(b, nil, t.Nodes[0].First)
	return b
}

// line writes the moves of prefix again, and the line from node n on.
func (t *bookTree) line(b *Book, prefix []int32, n int32) {
	if n == 0 {
		return
	}
	starts := true
	write := func(n int32) {
		node := &t.Nodes[n]
		b.Moves = append(b.Moves, newBookMove(node.Move, starts, node.First == 0, node.Weak))
		starts = false
	}
	path := append([]int32(nil), prefix...)
	for _, p := range prefix {
		write(p)
	}
	// Of n itself, the caller writes the alternatives, unless it is the main line's first move.
	alternatives := len(prefix) == 0 && n == t.Nodes[0].First
	for ; n != 0; n = t.Nodes[n].First {
		write(n)
		if alternatives {
			leaf := t.Nodes[n].First == 0
			for s := t.Nodes[n].Next; s != 0; s = t.Nodes[s].Next {
				if leaf {
					t.line(b, path, s)
				} else {
					t.line(b, nil, s)
				}
			}
		}
		alternatives = true
		path = append(path, n)
	}
}

// weakNAG is the glyph "?".
const weakNAG = 2

// game makes the tree a game: the first move in each position is the line, the others are variations. Weak moves have
// $2.
func (t *bookTree) game(g *game.Game) {
	g.Reset()
	g.AddTag("Result", g.Result.String())
	var b game.Builder
	b.Reset(g)
	t.moves(&b, t.Nodes[0].First, true)
}

func (t *bookTree) moves(b *game.Builder, n int32, alternatives bool) {
	for ; n != 0; n = t.Nodes[n].First {
		node := &t.Nodes[n]
		b.Move(node.Move)
		if node.Weak {
			b.NAG(weakNAG)
		}
		if alternatives {
			for s := node.Next; s != 0; s = t.Nodes[s].Next {
				if b.StartVariation() != nil {
					return
				}
				t.moves(b, s, false)
				_ = b.EndVariation()
			}
		}
		alternatives = true
	}
}

// addGame adds a game's lines to the tree, or, without add, only checks them. A *codec.LossError names what the format
// cannot hold. The glyph $2 makes a move weak. A *codec.Error is position.ErrIllegal or codec.ErrLimit.
func (t *bookTree) addGame(g *game.Game, add bool) error {
	lost := codec.TagLosses(g)
	if g.Result != game.Unknown {
		lost.Add("result")
	}
	if g.Start != position.Start() {
		lost.Add("start position and all that follows it")
		return lost.Err("fbk")
	}
	type place struct {
		pos  position.Position
		node int32
	}
	type line struct{ before, at place }
	root := place{pos: g.Start}
	cur := line{root, root}
	var stack []line
	atStart := true
	for c := g.Cursor(); c.Next(); {
		ply := cur.at.pos.Ply()
		switch c.Kind {
		case game.MoveEvent:
			switch p := c.Move.Promotion(); {
			case c.Move == chess.NullMove:
				lost.Add("null move at ply %d and what follows it", ply+1)
				c.SkipLine()
				continue
			case p != chess.NoKind && p != chess.Queen:
				lost.Add("promotion to a %s at ply %d and what follows it", p, ply+1)
				c.SkipLine()
				continue
			}
			if !cur.at.pos.IsLegal(c.Move) {
				return &codec.Error{Offset: -1, Ply: ply + 1, Err: position.ErrIllegal, Reason: c.Move.String()}
			}
			if len(t.Nodes) > maxBookMoves {
				return &codec.Error{Offset: -1, Ply: ply + 1, Err: codec.ErrLimit,
					Reason: fmt.Sprintf("more than %d moves", maxBookMoves)}
			}
			cur.before = cur.at
			if add {
				cur.at.node = t.add(cur.at.node, c.Move)
			}
			cur.at.pos.Make(c.Move)
			atStart = false
		case game.NAG:
			switch {
			case c.NAG != weakNAG || atStart:
				lost.Add("NAG $%d at ply %d", c.NAG, ply)
			case add:
				t.Nodes[cur.at.node].Weak = true
			}
		case game.Comment:
			lost.Add("comment at ply %d", ply)
		case game.VariationStart:
			stack = append(stack, cur)
			cur = line{cur.before, cur.before}
			atStart = true
		case game.VariationEnd:
			cur = stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			atStart = false
		}
	}
	return lost.Err("fbk")
}

// BookWriter makes one FBK file of games: their lines, merged. It is a codec.Writer.
type BookWriter struct {
	out  codec.Output
	tree *bookTree
}

// NewBookWriter returns a writer.
func NewBookWriter(w io.Writer, options ...codec.WriterOption) *BookWriter {
	return &BookWriter{out: codec.NewOutput(w, options...), tree: newBookTree()}
}

// Write adds a game: see codec.Writer and bookTree.addGame.
func (w *BookWriter) Write(g *game.Game) error {
	if err := w.out.Begin(); err != nil {
		return err
	}
	if err := w.out.Admit(w.tree.addGame(g, false)); err != nil {
		return err
	}
	_ = w.tree.addGame(g, true) // its losses were admitted
	return nil
}

// Close writes the file: see codec.Writer.
func (w *BookWriter) Close() error {
	return w.out.End(func() error {
		_, err := w.tree.book().WriteTo(&w.out)
		return err
	})
}

const maxBookErrors = 100

// BookReader reads an FBK file as one game, with variations. It is a codec.Reader: what is wrong with the file comes
// first, as errors of no game.
type BookReader struct {
	r    io.Reader
	book *Book
	tree *bookTree
	bad  []*codec.Error // not yet returned
	err  error          // final
}

// NewBookReader returns a BookReader of r.
func NewBookReader(r io.Reader) *BookReader { return &BookReader{r: r} }

// Book returns the file as it stands, nil before the first Read.
func (r *BookReader) Book() *Book { return r.book }

// All returns what is wrong with the file, and the game: see codec.Reader.
func (r *BookReader) All() iter.Seq2[*game.Game, error] { return codec.All(r.Read) }

// Read returns what is wrong with the file, at most 100 errors, and then the game: see codec.Reader.
func (r *BookReader) Read(g *game.Game) error {
	g.Reset()
	if r.err == nil && r.book == nil {
		r.load()
	}
	if len(r.bad) > 0 {
		e := r.bad[0]
		r.bad = r.bad[1:]
		return e
	}
	if r.err != nil {
		return r.err
	}
	r.err = io.EOF
	r.tree.game(g)
	g.Source.Number = 1
	return nil
}

func (r *BookReader) load() {
	report := func(err error) {
		e, ok := err.(*codec.Error)
		switch {
		case !ok:
			r.err = err
		case len(r.bad) < maxBookErrors:
			r.bad = append(r.bad, e)
		default:
			r.bad[len(r.bad)-1].Others++
		}
	}
	book, err := ReadBook(r.r)
	r.book = book
	if err != nil {
		report(err)
	}
	if r.err != nil {
		return
	}
	r.tree = book.tree(report)
	if r.tree.len() == 0 && err != nil {
		r.err = io.EOF
	}
}
