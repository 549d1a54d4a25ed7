// SPDX-License-Identifier: Apache-2.0

package polyglot

import (
	"cmp"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"ply11/chess"
	"ply11/game"
	"ply11/game/codec"
	"ply11/position"
)

// A move's weight stands in a game as a comment: "[%weight 12]".
const weightCommand = "[%weight "

func weightOf(comment string) (uint16, bool) {
	s, ok := strings.CutPrefix(strings.TrimSpace(comment), weightCommand)
	if !ok {
		return 0, false
	}
	s, ok = strings.CutSuffix(s, "]")
	n, err := strconv.ParseUint(s, 10, 16)
	return uint16(n), ok && err == nil
}

// maxTreeMoves is the most moves of the game that a Reader makes.
const maxTreeMoves = 1 << 20

// Reader reads a book as one game: all lines from the usual start position on. The move with the largest weight is the
// line, the others are variations, each with its weight as a comment. A position that several lines reach goes on where
// it is reached first. Entries that no line reaches are left out.
//
// It is a codec.Reader: what is wrong with entries comes first, as at most 100 errors of no game (position.ErrIllegal,
// codec.ErrTruncated), and then the game of the rest. It is codec.ErrLimit beyond 1,048,576 moves; the game then has
// those.
type Reader struct {
	book *Book
	game *game.Game
	bad  []error
	err  error // final
}

// NewReader returns a Reader of the book in a file of the given size.
func NewReader(file io.ReaderAt, size int64) *Reader {
	return &Reader{book: NewBook(file, size)}
}

// All returns what is wrong with the book, and the game: see codec.Reader.
func (r *Reader) All() iter.Seq2[*game.Game, error] { return codec.All(r.Read) }

// Read returns what is wrong with the book, error by error, and then reads the game: see codec.Reader.
func (r *Reader) Read(g *game.Game) error {
	g.Reset()
	if r.err == nil && r.game == nil {
		r.game = game.New()
		if err := r.book.oddError(); err != nil {
			r.bad = append(r.bad, err)
		}
		r.bad = append(r.bad, r.book.tree(r.game, position.Start())...)
	}
	if len(r.bad) > 0 {
		err := r.bad[0]
		r.bad = r.bad[1:]
		return err
	}
	if r.err != nil {
		return r.err
	}
	r.err = io.EOF
	*g, r.game = *r.game, game.New()
	g.Source.Number = 1
	return nil
}

// tree makes the game of a book from a position on, and returns what is wrong.
func (b *Book) tree(g *game.Game, start position.Position) []error {
	g.SetStart(start)
	g.SetTag("Result", g.Result.String())
	t := tree{book: b, seen: map[uint64]bool{}}
	t.builder.Reset(g)
	t.line(start)
	return t.errs
}

type tree struct {
	book    *Book
	builder game.Builder
	seen    map[uint64]bool
	moves   int
	errs    []error
	full    bool
}

// continuations returns the book's moves in a new position, by falling weight.
func (t *tree) continuations(p *position.Position) (list []BookMove) {
	key := p.Hash()
	if t.full || t.seen[key] {
		return nil
	}
	t.seen[key] = true
	err := t.book.each(key, func(i int64, e entry) {
		m, ok := e.move.in(p)
		switch {
		case !ok:
			bad := entryError(i, position.ErrIllegal, e.move.String())
			bad.Ply = p.Ply() + 1
			t.fail(bad)
		case !slices.ContainsFunc(list, func(o BookMove) bool { return o.Move == m }):
			list = append(list, BookMove{m, e.weight})
		}
	})
	if err != nil {
		t.fail(err)
		return nil
	}
	slices.SortStableFunc(list, func(a, b BookMove) int { return cmp.Compare(b.Weight, a.Weight) })
	if t.moves += len(list); t.moves > maxTreeMoves && !t.full {
		t.full = true
		t.fail(&codec.Error{Offset: -1, Err: codec.ErrLimit, Reason: fmt.Sprintf("more than %d moves", maxTreeMoves)})
		return nil
	}
	return list
}

func (t *tree) fail(err error) {
	if len(t.errs) < 100 {
		t.errs = append(t.errs, err)
	}
}

type frame struct {
	pos  position.Position // before the moves
	list []BookMove        // of the position
	at   int               // the one that is next: 0 is the line itself, the others are variations of it
	open bool              // the line is a variation
}

// line makes all lines from a position. It keeps its own stack: a book may be deep.
func (t *tree) line(p position.Position) {
	b := &t.builder
	move := func(m BookMove) {
		b.Move(m.Move)
		b.Comment(weightCommand + strconv.Itoa(int(m.Weight)) + "]")
	}
	stack := []frame{{pos: p, list: t.continuations(&p)}}
	for len(stack) > 0 {
		f := &stack[len(stack)-1]
		switch {
		case len(f.list) == 0:
			if f.open {
				_ = b.EndVariation()
			}
			stack = stack[:len(stack)-1]
		case f.at == 0:
			move(f.list[0])
			f.at = 1
		case f.at < len(f.list):
			m := f.list[f.at]
			f.at++
			if b.StartVariation() != nil {
				return
			}
			move(m)
			after := f.pos
			after.Make(m.Move)
			stack = append(stack, frame{pos: after, list: t.continuations(&after), open: true})
		default:
			// The line goes on after its variations.
			m := f.list[0]
			f.pos.Make(m.Move)
			f.list, f.at = t.continuations(&f.pos), 0
		}
	}
}

// weak reports whether a glyph is that of a move that is not played: ? or ??.
func weak(nag uint8) bool { return nag == 2 || nag == 4 }

// addGame adds a game's moves to a book: see Writer.
func (b *builder) addGame(g *game.Game) error {
	if g.Result != game.Unknown {
		p := g.Start
		for _, m := range g.MainLine() {
			if w := score(g.Result, p.Turn()); w > 0 && m != chess.NullMove {
				if err := b.add(&p, m, w); err != nil {
					return err
				}
			}
			p.Make(m)
		}
		return nil
	}
	lines := countLines(g)
	for e, p := range g.Replay() {
		if e.Kind != game.MoveEvent || e.Move == chess.NullMove {
			continue
		}
		weight := lines[e.Node]
		for item := range g.Items(e.Node) {
			switch item.Kind {
			case game.NAG:
				if weak(item.NAG) {
					weight = 0
				}
			case game.Comment:
				if w, ok := weightOf(item.Text); ok {
					weight = uint32(w)
				}
			}
		}
		if err := b.add(p, e.Move, weight); err != nil {
			return err
		}
	}
	return nil
}

func score(r game.Result, c chess.Color) uint32 {
	switch {
	case r == game.Draw:
		return 1
	case r == game.WhiteWins && c == chess.White, r == game.BlackWins && c == chess.Black:
		return 2
	}
	return 0
}

// countLines returns, for each move, how many lines go through it: the ends of lines after it.
func countLines(g *game.Game) map[game.Node]uint32 {
	lines := make(map[game.Node]uint32, g.NumMoves())
	// The moves from the start to here; a variation goes on from before the one that it replaces.
	var path, replaced []game.Node
	var stack []int // lengths of path to go back to
	for c := g.Cursor(); c.Next(); {
		switch c.Kind {
		case game.MoveEvent:
			path = append(path, c.Node)
			if g.Next(c.Node) == game.NoNode {
				for _, n := range path {
					lines[n]++
				}
			}
		case game.VariationStart:
			n := len(path) - 1
			stack, replaced, path = append(stack, n), append(replaced, path[n]), path[:n]
		case game.VariationEnd:
			n := len(stack) - 1
			path = append(path[:stack[n]], replaced[n])
			stack, replaced = stack[:n], replaced[:n]
		}
	}
	return lines
}

// losses returns what a book cannot hold of a game as a *codec.LossError, or a *codec.Error for an illegal move.
func losses(g *game.Game) error {
	lost := codec.TagLosses(g)
	if g.Result != game.Unknown {
		lost.Add("result")
	}
	for e, p := range g.Replay() {
		ply := p.Ply() - g.Start.Ply()
		switch e.Kind {
		case game.MoveEvent:
			if e.Move == chess.NullMove {
				lost.Add("null move at ply %d", ply+1)
			} else if !p.IsLegal(e.Move) {
				return &codec.Error{Offset: -1, Ply: ply + 1, Err: position.ErrIllegal, Reason: e.Move.String()}
			}
		case game.NAG:
			if g.Result != game.Unknown || !weak(e.NAG) || g.IsStart(e.Node) {
				lost.Add("NAG $%d at ply %d", e.NAG, ply)
			}
		case game.Comment:
			if _, ok := weightOf(e.Text); !ok || g.Result != game.Unknown || g.IsStart(e.Node) {
				lost.Add("comment at ply %d", ply)
			}
		case game.VariationStart:
			if g.Result != game.Unknown {
				lost.Add("variation at ply %d", ply)
			}
		}
	}
	return lost.Err("polyglot")
}

// Writer makes a book of games, and writes the file when it is closed. It is a codec.Writer.
//
// Of a game with a result it takes the moves of the main line, but not those of a side that lost. A move counts 2 for
// its side's win and 1 for a draw.
//
// A game without a result is a book that was read as a game: the moves of all lines are taken. Their weights are those
// that a Reader writes, or else the number of lines that go through them. A move with ? or ?? has the weight 0: it is
// known and not played.
//
// Its memory is bounded: what is more is sorted in a temporary file, which Close removes.
type Writer struct {
	out codec.Output
	b   *builder
}

// NewWriter returns a writer.
func NewWriter(w io.Writer, options ...codec.WriterOption) *Writer {
	return &Writer{out: codec.NewOutput(w, options...), b: newBuilder()}
}

// Write adds a game: see codec.Writer. An illegal move is position.ErrIllegal.
func (w *Writer) Write(g *game.Game) error {
	if err := w.out.Begin(); err != nil {
		return err
	}
	if err := w.out.Admit(losses(g)); err != nil {
		return err
	}
	return w.out.Fail(w.b.addGame(g))
}

// Close writes the book and removes the temporary files: see codec.Writer.
func (w *Writer) Close() error {
	err := w.out.End(func() error {
		return w.b.write(&w.out)
	})
	w.b.rows.Close()
	return err
}
