// SPDX-License-Identifier: Apache-2.0

// Package rewrite writes games of archives out again as PGN, changed on the way and in another order.
//
//	w := rewrite.NewWriter(dst, rewrite.Options{
//		Changes: []rewrite.Change{rewrite.ECO(), rewrite.Strip(rewrite.Comments | rewrite.Clocks)},
//		Order:   order, // of rewrite.ParseOrder("date,white")
//	})
//	defer w.Close()
//	for each game: w.Copy(b, n)
//	err := w.Flush()
//
// What no change touches keeps its text to the byte. archive.Pack makes an archive of what is written.
package rewrite

import (
	"encoding/binary"
	"errors"
	"io"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/internal/extsort"
)

// Change changes a game, and reports what it touched: see archive.Block.AppendChanged. It may keep nothing of the game.
type Change func(g *game.Game) archive.Touched

// Options say what becomes of games.
type Options struct {
	// Changes are made of each game, in this order.
	Changes []Change
	// Order is the order in which games come out; without one they come as they were copied.
	Order Order
	// Skip games of Order are left out, and then no more than Limit come out, unless that is 0.
	Skip, Limit int
	// Split, if it is set, gives the names of the groups that a game belongs to, each once. Next then gives the Writer
	// of each group, one after the other, in the order of their names: the one before has all of its games.
	Split func(g *game.Game) []string
	Next  func(group string) (io.Writer, error)
	// Path has the folder of temporary files, of Order and Split.
	Path string
	// Memory is about how many bytes are sorted in memory; 0 is 64 MiB.
	Memory int
	// Refused, if it is set, is called with each game that cannot be changed as it should be, by an error that is
	// archive.ErrChange. It then keeps its text. Without it, such an error ends the work.
	Refused func(err error)
}

// Writer writes games. It is for one goroutine.
type Writer struct {
	dst     io.Writer
	o       Options
	sort    *extsort.Rows
	g       game.Game
	text    []byte
	key     []byte
	row     []byte
	keys    keyer
	changed int
	left    int64
	touched bool
	texts   Texts
	group   string // of Split
	begun   bool   // any group
}

// NewWriter returns a Writer of PGN to dst, which is nil with Split. Its Close must be called.
func NewWriter(dst io.Writer, o Options) *Writer {
	w := &Writer{dst: dst, o: o}
	if len(o.Order) > 0 || o.Split != nil {
		if w.o.Memory == 0 {
			w.o.Memory = 64 << 20
		}
		w.sort = extsort.NewRows(o.Path, w.o.Memory, 0)
	}
	return w
}

// Lead writes the text of a block that stands before its first game and belongs to none. It has no place among games
// that are sorted or split, where it is left out; Left counts its bytes.
func (w *Writer) Lead(b *archive.Block) (err error) {
	if w.text, err = b.AppendLead(w.text[:0]); err != nil || len(w.text) == 0 {
		return err
	}
	if w.sort != nil {
		w.left += int64(len(w.text))
		return nil
	}
	return w.write(w.text)
}

// Left returns how many bytes of text that belongs to no game were left out.
func (w *Writer) Left() int64 { return w.left }

// Copy adds game n (from 1) of a block, changed.
func (w *Writer) Copy(b *archive.Block, n int) (err error) { return w.copy(b, n, w.change) }

// Keep adds game n (from 1) of a block as it is.
func (w *Writer) Keep(b *archive.Block, n int) (err error) {
	return w.copy(b, n, func(*game.Game) archive.Touched { return 0 })
}

func (w *Writer) copy(b *archive.Block, n int, change Change) (err error) {
	w.touched = false
	if w.text, err = b.AppendChanged(w.text[:0], n, &w.g, change); err != nil {
		if w.o.Refused == nil || !errors.Is(err, archive.ErrChange) {
			return err
		}
		w.o.Refused(err)
		w.touched = false
		if w.text, err = b.AppendText(w.text[:0], n, &w.g); err != nil {
			return err
		}
	}
	if w.touched {
		w.changed++
	}
	if w.sort == nil {
		return w.write(w.text)
	}
	groups := []string{""}
	if w.o.Split != nil {
		groups = w.o.Split(&w.g)
	}
	for _, group := range groups {
		w.key = w.keys.append(w.key[:0], group, w.o.Order, &w.g)
		w.row = append(append(binary.AppendUvarint(w.row[:0], uint64(len(group))), group...), w.text...)
		if err := w.sort.Add(w.key, w.row); err != nil {
			return err
		}
	}
	return nil
}

func (w *Writer) change(g *game.Game) archive.Touched {
	t := w.o.Apply(g)
	w.touched = t != 0
	return t
}

// Apply makes the changes of a game.
func (o *Options) Apply(g *game.Game) (t archive.Touched) {
	for _, c := range o.Changes {
		t |= c(g)
	}
	return t
}

// Changed returns how many games were changed so far.
func (w *Writer) Changed() int { return w.changed }

// Flush writes what Order held back. It is called once, after the last Copy.
func (w *Writer) Flush() error {
	if w.sort == nil {
		return nil
	}
	place := 0
	return w.sort.Each(func(_, row []byte) error {
		if place++; place <= w.o.Skip || w.o.Limit > 0 && place-w.o.Skip > w.o.Limit {
			return nil
		}
		size, n := binary.Uvarint(row)
		group, text := row[n:n+int(size)], row[n+int(size):]
		if w.o.Split != nil && (!w.begun || string(group) != w.group) {
			w.begun, w.group, w.texts = true, string(group), Texts{}
			var err error
			if w.dst, err = w.o.Next(w.group); err != nil {
				return err
			}
		}
		return w.write(text)
	})
}

func (w *Writer) write(text []byte) error { return w.texts.Write(w.dst, text) }

// Texts writes texts of games, with a line end before the next one if a text has none.
type Texts struct{ open bool }

// Write writes a text behind those before.
func (t *Texts) Write(w io.Writer, text []byte) error {
	if t.open && len(text) > 0 {
		if _, err := w.Write([]byte{'\n'}); err != nil {
			return err
		}
	}
	if n := len(text); n > 0 {
		t.open = text[n-1] != '\n' && text[n-1] != '\r'
	}
	_, err := w.Write(text)
	return err
}

// Close removes temporary files. What Flush did not write is lost.
func (w *Writer) Close() {
	if w.sort != nil {
		w.sort.Close()
	}
}
