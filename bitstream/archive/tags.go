// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"

	"ply11/game"
)

const (
	tagEnd    = 0
	tagSame   = 1 // the same as the value before, of the tags of this name; no tagEnd follows
	tagResult = 2 // the game's result; no tagEnd follows
	tagEscape = 3 // the next byte is of the value, whatever it is
)

type tagEncoder struct {
	ids    map[string]int
	names  []string
	shapes map[string]int // the names of a game's tags, as varints of ids
	forms  [][]byte
	game   []int
	cols   []tagColumn
	shape  []byte
	held   uint64 // names and values of all tags, in bytes, as a reader counts them
	count  int    // of the numbers in the shapes
}

// nulName reports whether the column cannot hold a tag: a NUL ends its name.
func nulName(t game.Tag) bool { return strings.IndexByte(t.Name, 0) >= 0 }

func sizeOf(tags []game.Tag) (n int) {
	for _, t := range tags {
		n += len(t.Name) + len(t.Value)
	}
	return n
}

type tagColumn struct {
	values []byte
	last   string
	any    bool
	size   uint64 // of the value before, as a reader counts: 0 if byte 2 tells it
}

func (e *tagEncoder) reset() {
	if e.ids == nil {
		e.ids, e.shapes = map[string]int{}, map[string]int{}
	}
	clear(e.ids)
	clear(e.shapes)
	e.names, e.forms, e.game, e.held, e.count = e.names[:0], e.forms[:0], e.game[:0], 0, 0
	for i := range e.cols {
		e.cols[i] = tagColumn{values: e.cols[i].values[:0]}
	}
}

func (e *tagEncoder) add(g *game.Game) {
	e.shape = e.shape[:0]
	result := g.Result.String()
	for i := range g.Tags {
		t := &g.Tags[i]
		id, ok := -1, false
		if i < len(e.names) && e.names[i] == t.Name {
			id, ok = i, true // the usual case: the same tags in the same order
		} else {
			id, ok = e.ids[t.Name]
		}
		if !ok {
			id = len(e.names)
			e.ids[t.Name] = id
			e.names = append(e.names, t.Name)
			if id == len(e.cols) {
				e.cols = append(e.cols, tagColumn{})
			}
		}
		e.shape = binary.AppendUvarint(e.shape, uint64(id))
		c := &e.cols[id]
		switch {
		case t.Name == "Result" && t.Value == result:
			c.values = append(c.values, tagResult)
			c.size = 0
		case c.any && c.last == t.Value:
			c.values = append(c.values, tagSame)
		default:
			for i := range len(t.Value) {
				if t.Value[i] <= tagEscape {
					c.values = append(c.values, tagEscape)
				}
				c.values = append(c.values, t.Value[i])
			}
			c.values = append(c.values, tagEnd)
			c.size = uint64(len(t.Value))
		}
		e.held += uint64(len(t.Name)) + c.size
		c.last, c.any = t.Value, true
	}
	n, ok := e.shapes[string(e.shape)]
	if !ok {
		n = len(e.forms)
		e.shapes[string(e.shape)] = n
		e.forms = append(e.forms, bytes.Clone(e.shape))
		e.count += len(g.Tags)
	}
	e.game = append(e.game, n)
}

// appendColumn appends the column: the names, the shapes, the games' shapes if there are several, and the values name
// by name. It is empty if no game has a tag.
func (e *tagEncoder) appendColumn(dst []byte) []byte {
	if len(e.names) == 0 {
		return dst
	}
	dst = binary.AppendUvarint(dst, uint64(len(e.names)))
	for _, name := range e.names {
		dst = append(append(dst, name...), 0)
	}
	dst = binary.AppendUvarint(dst, uint64(len(e.forms)))
	for _, f := range e.forms {
		n := 0
		for _, b := range f {
			if b < 128 {
				n++
			}
		}
		dst = binary.AppendUvarint(dst, uint64(n))
		dst = append(dst, f...)
	}
	if len(e.forms) > 1 {
		for _, n := range e.game {
			dst = binary.AppendUvarint(dst, uint64(n))
		}
	}
	for i := range e.names {
		dst = append(dst, e.cols[i].values...)
	}
	return dst
}

type tagTable struct {
	names  []string
	shapes [][]int
	game   []uint32  // shape of each game; nil if there is one shape
	cols   []input   // the values of each name
	held   uint64    // bytes of names and values of all tags, but for values that are results
	walks  []tagWalk // of the names that were asked for
}

// decode reads the front of the column.
func (t *tagTable) decode(raw []byte, games int) bool {
	*t = tagTable{names: t.names[:0], shapes: t.shapes[:0], game: t.game[:0], cols: t.cols[:0], walks: t.walks[:0]}
	in := input{b: raw}
	// A name takes three bytes at least: its NUL, its number in a shape, and a value.
	for n := in.uvarint(uint64(min(len(raw)/3, maxTagNames))); n > 0 && !in.bad; n-- {
		t.names = append(t.names, string(in.text()))
	}
	left := maxTagNames
	for n := in.uvarint(uint64(games)); n > 0 && !in.bad; n-- {
		size := in.uvarint(uint64(min(len(in.b), left)))
		left -= int(size)
		shape := make([]int, 0, size)
		for range size {
			shape = append(shape, int(in.uvarint(uint64(len(t.names)-1))))
		}
		t.shapes = append(t.shapes, shape)
	}
	if in.bad || games > 0 && (len(t.shapes) == 0 || len(t.names) == 0) {
		return false
	}
	if len(t.shapes) > 1 {
		for range games {
			t.game = append(t.game, uint32(in.uvarint(uint64(len(t.shapes)-1))))
		}
	}
	if in.bad {
		return false
	}
	of := make([]int, max(len(t.shapes), 1))
	if of[0] = games; len(t.game) > 0 {
		of[0] = 0
		for _, n := range t.game {
			of[n]++
		}
	}
	counts := make([]int, len(t.names))
	total := 0
	for k, shape := range t.shapes {
		if len(shape) > 0 && of[k] > (len(in.b)-total)/len(shape) { // a value takes a byte at least
			return false
		}
		total += of[k] * len(shape)
		for _, id := range shape {
			counts[id] += of[k]
		}
	}
	t.cols = slices.Grow(t.cols[:0], len(t.names))
	for id, n := range counts {
		rest := in.b
		t.held += uint64(n)*uint64(len(t.names[id])) + in.values(n)
		if in.bad || n == 0 { // no game has a tag of the name
			return false
		}
		t.cols = append(t.cols, input{b: rest[:len(rest)-len(in.b)]})
	}
	return len(in.b) == 0
}

func (t *tagTable) shape(i int) []int {
	if len(t.shapes) == 0 {
		return nil
	}
	if len(t.game) == 0 {
		return t.shapes[0]
	}
	return t.shapes[t.game[i]]
}

func (in *input) value() []byte {
	if len(in.b) > 0 && (in.b[0] == tagSame || in.b[0] == tagResult) {
		return in.take(1)
	}
	for from := 0; ; {
		n := bytes.IndexByte(in.b[from:], tagEnd)
		if n < 0 {
			in.fail()
			return nil
		}
		// A NUL ends the value unless an odd number of escapes stands before it.
		n += from
		k := n
		for k > 0 && in.b[k-1] == tagEscape {
			k--
		}
		if (n-k)%2 == 0 {
			b := in.b[:n]
			in.b = in.b[n+1:]
			return b
		}
		from = n + 1
	}
}

// values passes over n values, and returns how many bytes they have, without results and escapes.
func (in *input) values(n int) (held uint64) {
	b, at := in.b, 0
	last := uint64(0)
	for ; n > 0; n-- {
		switch {
		case at < len(b) && b[at] == tagSame:
			at++
		case at < len(b) && b[at] == tagResult:
			at++
			last = 0
		default:
			last = 0
			for at < len(b) && b[at] != tagEnd {
				if b[at] == tagEscape {
					at++
				}
				at++
				last++
			}
			if at >= len(b) {
				in.fail()
				return 0
			}
			at++
		}
		held += last
	}
	in.b = b[at:]
	return held
}

func plainValue(b []byte) string {
	if bytes.IndexByte(b, tagEscape) < 0 {
		return string(b)
	}
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		if b[i] == tagEscape && i+1 < len(b) {
			i++
		}
		out = append(out, b[i])
	}
	return string(out)
}

type tagCursor struct {
	t    *tagTable
	cols []tagState
	next int
}

type tagState struct {
	in   input
	last []byte
	of   int // the game, from 1, whose result the value is; 0 if it is last
	text string
	done bool
}

func (c *tagCursor) reset(t *tagTable) {
	c.t, c.next = t, 0
	c.cols = c.cols[:0]
	for i := range t.cols {
		c.cols = append(c.cols, tagState{in: t.cols[i]})
	}
}

func (c *tagCursor) skip() {
	for _, id := range c.t.shape(c.next) {
		c.cols[id].advance(c.next)
	}
	c.next++
}

// advance goes on to the value of game i (from 0).
func (s *tagState) advance(i int) {
	v := s.in.value()
	switch {
	case len(v) == 1 && v[0] == tagSame:
	case len(v) == 1 && v[0] == tagResult:
		s.last, s.of, s.done = nil, i+1, false
	default:
		s.last, s.of, s.done = v, 0, false
	}
}

// read appends the tags of the next game to g's, which has its result; result returns that of another game. Values that
// repeat share their memory.
func (c *tagCursor) read(g *game.Game, result func(i int) (game.Result, error)) error {
	for _, id := range c.t.shape(c.next) {
		s := &c.cols[id]
		s.advance(c.next)
		if s.of == c.next+1 {
			s.text, s.done = g.Result.String(), true
		}
		text, err := s.value(result)
		if err != nil {
			return err
		}
		g.Tags = append(g.Tags, game.Tag{Name: c.t.names[id], Value: text})
	}
	c.next++
	return nil
}

func (s *tagState) value(result func(i int) (game.Result, error)) (string, error) {
	if s.done {
		return s.text, nil
	}
	if s.of == 0 {
		s.text = plainValue(s.last)
	} else {
		r, err := result(s.of - 1)
		if err != nil {
			return "", err
		}
		s.text = r.String()
	}
	s.done = true
	return s.text, nil
}

// tagWalk walks the values of one name.
type tagWalk struct {
	name  string
	id    int  // -1 if no game has a tag of the name
	twice bool // the column has the name again, under another number
	tagState
	next  int      // the game, from 0, that is the next
	count int      // how many tags of the name the game before it has
	first tagState // of several, which is the one that counts
}

func (t *tagTable) walk(name string) *tagWalk {
	for i := range t.walks {
		if t.walks[i].name == name {
			return &t.walks[i]
		}
	}
	w := tagWalk{name: name, id: slices.Index(t.names, name)}
	w.twice = w.id >= 0 && slices.Contains(t.names[w.id+1:], name)
	t.walks = append(t.walks, w)
	return &t.walks[len(t.walks)-1]
}

// to goes on to game i (from 0), and returns its value, nil if it has none.
func (w *tagWalk) to(t *tagTable, i int) *tagState {
	if w.next == 0 || w.next > i+1 {
		w.tagState, w.next = tagState{in: t.cols[w.id]}, 0
	}
	for ; w.next <= i; w.next++ {
		w.count = 0
		for _, of := range t.shape(w.next) {
			if of != w.id {
				continue
			}
			if w.count == 1 {
				w.first = w.tagState
			}
			w.advance(w.next)
			w.count++
		}
	}
	switch w.count {
	case 0:
		return nil
	case 1:
		return &w.tagState
	}
	return &w.first
}
