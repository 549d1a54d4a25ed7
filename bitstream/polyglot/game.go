// SPDX-License-Identifier: Apache-2.0

package polyglot

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"ply11/game"
	"ply11/moveindex"
	"ply11/position"
)

// A move's weight stands in a game as a comment: "[%weight 12]".
const weightCommand = "[%weight "

// ParseWeight reads a comment that tells a move's weight.
func ParseWeight(comment string) (uint16, bool) {
	s, ok := strings.CutPrefix(strings.TrimSpace(comment), weightCommand)
	if !ok {
		return 0, false
	}
	s, ok = strings.CutSuffix(s, "]")
	n, err := strconv.ParseUint(s, 10, 16)
	return uint16(n), ok && err == nil
}

// MaxTreeMoves is the largest number of moves of the game that ReadGame makes.
const MaxTreeMoves = 1 << 20

// ErrTooLarge: a book with more moves than a game is made of.
var ErrTooLarge = errors.New("book too large for one game")

// ReadGame makes of a book the game of all that it has from a position on: the move with the largest weight is
// the line, the others are variations, each with its weight as a comment. A position that is reached
// by several ways is gone on with where it is reached first. g is Reset.
//
// The error joins, at most 100, what is wrong with entries: ErrIllegal. It is ErrTooLarge beyond MaxTreeMoves;
// the game then has those. Entries that no line from the position reaches are left out: a book has
// only keys.
func (b *Book) ReadGame(g *game.Game, start position.Position) error {
	g.Reset()
	g.SetStart(start)
	g.SetTag("Result", g.Result.String())
	t := tree{book: b, seen: map[uint64]bool{}}
	t.builder.Reset(g)
	t.line(start)
	return errors.Join(t.errs...)
}

type tree struct {
	book    *Book
	builder game.Builder
	seen    map[uint64]bool
	moves   int
	errs    []error
	full    bool
}

// continuations returns the book's moves in a position that was not met before, by falling weight.
func (t *tree) continuations(p *position.Position) (list []BookMove) {
	key := p.Hash()
	if t.full || t.seen[key] {
		return nil
	}
	t.seen[key] = true
	for i, err := t.book.find(key); i < t.book.entries; i++ {
		var e Entry
		if err == nil {
			e, err = t.book.Entry(i)
		}
		if err != nil {
			t.fail(err)
			return nil
		}
		if e.Key != key {
			break
		}
		m, ok := e.Move.Move(p)
		switch {
		case !ok:
			t.fail(&Error{Entry: i, Offset: i * EntrySize, Ply: p.Ply() + 1, Err: ErrIllegal, Reason: e.Move.String()})
		case !slices.ContainsFunc(list, func(o BookMove) bool { return o.Move == m }):
			list = append(list, BookMove{m, e.Weight})
		}
	}
	slices.SortStableFunc(list, func(a, b BookMove) int { return cmp.Compare(b.Weight, a.Weight) })
	if t.moves += len(list); t.moves > MaxTreeMoves && !t.full {
		t.full = true
		t.fail(fmt.Errorf("%w: more than %d moves", ErrTooLarge, MaxTreeMoves))
		return nil
	}
	return list
}

func (t *tree) fail(err error) {
	if len(t.errs) < 100 {
		t.errs = append(t.errs, err)
	}
}

// frame is a line that is being made.
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

// weak tells the glyphs of moves that are known and not played: ? and ??.
func weak(nag uint8) bool { return nag == 2 || nag == 4 }

// AddGame adds a game's moves to a book, and returns the names of what a book cannot hold.
//
// Of a game that was decided or drawn, the moves of the main line are added as other makers of books do: a
// move counts 2 for its side's win, 1 for a draw; those of a side that lost are not added. Of a game
// without a result, which is how books are read, the moves of all lines are added with the weights
// that ReadGame writes, else with the number of lines that go through them; a move with ? or ?? has
// 0, so that it is known and not played.
//
// The error is an *Error, ErrIllegal, and of no added move; any other is of the builder's temporary files.
func AddGame(b *Builder, g *game.Game) ([]string, error) {
	lost, err := Losses(g)
	if err != nil {
		return lost, err
	}
	if g.Result != game.Unknown {
		p := g.Start
		for _, m := range g.MainLine() {
			if m != moveindex.NullMove {
				if w := score(g.Result, p.Turn()); w > 0 {
					if err := b.Add(&p, m, w); err != nil {
						return lost, err
					}
				}
			}
			p.Make(m)
		}
		return lost, nil
	}
	lines := countLines(g)
	for e, p := range g.Replay() {
		if e.Kind != game.MoveEvent || e.Move == moveindex.NullMove {
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
				if w, ok := ParseWeight(item.Text); ok {
					weight = uint32(w)
				}
			}
		}
		if err := b.Add(p, e.Move, weight); err != nil {
			return lost, err
		}
	}
	return lost, nil
}

// score is what a move of a side counts.
func score(r game.Result, c moveindex.Color) uint32 {
	switch {
	case r == game.Draw:
		return 1
	case r == game.WhiteWins && c == moveindex.White, r == game.BlackWins && c == moveindex.Black:
		return 2
	}
	return 0
}

// countLines returns, for each move, how many lines go through it: the ends of lines after it.
func countLines(g *game.Game) map[game.Node]uint32 {
	lines := make(map[game.Node]uint32, g.NumMoves())
	// The moves from the start to here; a variation goes on from before the one that it replaces.
	var path []game.Node
	var stack []int // lengths of path to go back to
	var saved [][]game.Node
	end := func() {
		for _, n := range path {
			lines[n]++
		}
	}
	for c := g.Cursor(); c.Next(); {
		switch c.Kind {
		case game.MoveEvent:
			path = append(path, c.Node)
			if g.Next(c.Node) == game.NoNode {
				end()
			}
		case game.VariationStart:
			n := len(path) - 1
			saved = append(saved, []game.Node{path[n]})
			stack = append(stack, n)
			path = path[:n]
		case game.VariationEnd:
			n := stack[len(stack)-1]
			path = append(path[:n], saved[len(saved)-1]...)
			stack, saved = stack[:len(stack)-1], saved[:len(saved)-1]
		}
	}
	return lines
}

// Losses returns the names of what a book cannot hold of a game, and an *Error, ErrIllegal, for a game with a
// move that is not legal.
func Losses(g *game.Game) ([]string, error) {
	var lost []string
	add := func(format string, args ...any) {
		if name := fmt.Sprintf(format, args...); !slices.Contains(lost, name) {
			lost = append(lost, name)
		}
	}
	for _, t := range g.Tags {
		switch t.Name {
		case "FEN", "SetUp", "Result": // a key is of any position
		default:
			if t.Value != "" && t.Value != "?" && t.Value != "-" && t.Value != "????.??.??" {
				add("tag %s", t.Name)
			}
		}
	}
	if g.Result != game.Unknown {
		add("result")
	}
	for e, p := range g.Replay() {
		ply := p.Ply() - g.Start.Ply()
		switch e.Kind {
		case game.MoveEvent:
			if e.Move == moveindex.NullMove {
				add("null move at ply %d", ply+1)
			} else if !p.IsLegal(e.Move) {
				return lost, &Error{Ply: ply + 1, Err: ErrIllegal, Reason: e.Move.String()}
			}
		case game.NAG:
			if g.Result != game.Unknown || !weak(e.NAG) || g.IsStart(e.Node) {
				add("NAG $%d at ply %d", e.NAG, ply)
			}
		case game.Comment:
			if _, ok := ParseWeight(e.Text); !ok || g.Result != game.Unknown || g.IsStart(e.Node) {
				add("comment at ply %d", ply)
			}
		case game.VariationStart:
			if g.Result != game.Unknown {
				add("variation at ply %d", ply)
			}
		}
	}
	return lost, nil
}

// LossError refuses a game for what a book cannot hold.
type LossError struct {
	Names []string // what would be lost, each once
}

func (e *LossError) Error() string { return "polyglot cannot hold " + strings.Join(e.Names, ", ") }

// Losses returns the names of what would be lost.
func (e *LossError) Losses() []string { return e.Names }

// Writer makes a book of games. It writes the file when it is closed.
type Writer struct {
	w     io.Writer
	b     *Builder
	lossy bool
}

// NewWriter returns a writer. With lossy set, what a book cannot hold is left out and reported.
func NewWriter(w io.Writer, lossy bool, options ...BuilderOption) *Writer {
	return &Writer{w: w, b: NewBuilder(options...), lossy: lossy}
}

// Write adds a game and returns the names of what a book cannot hold; without lossy such a game is refused
// with a *LossError. An *Error refuses a game too. The writer can be used on after both.
func (w *Writer) Write(g *game.Game) ([]string, error) {
	lost, err := Losses(g)
	if err == nil && len(lost) > 0 && !w.lossy {
		err = &LossError{Names: lost}
	}
	if err != nil {
		return lost, err
	}
	return AddGame(w.b, g)
}

// Close writes the book and removes the temporary files.
func (w *Writer) Close() error {
	if w.b == nil {
		return nil
	}
	_, err := w.b.WriteTo(w.w)
	err = errors.Join(err, w.b.Close())
	w.b = nil
	return err
}
