// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"errors"
	"io"
	"iter"

	"ply11/bitstream/polyglot"
	"ply11/game"
	"ply11/position"
)

func init() {
	Register(Format{
		Name:        "polyglot",
		Extensions:  []string{".bin"},
		Description: "Polyglot opening book: positions, moves and weights; read as one game with variations",
		Read:        readPolyglot,
		Write: func(out Output, o Options) (Writer, error) {
			return polyglotWriter{polyglot.NewWriter(out.Writer, o.Lossy)}, nil
		},
	})
	RegisterExplainer("polyglot", func(w io.Writer, in Input, _ Options) error {
		file, size, done, err := readerAt(in.Reader)
		if err != nil {
			return err
		}
		defer done()
		return polyglotError(polyglot.NewBook(file, size).Explain(w))
	})
}

func readPolyglot(in Input, _ Options) iter.Seq2[*game.Game, error] {
	return func(yield func(*game.Game, error) bool) {
		file, size, done, err := readerAt(in.Reader)
		if err != nil {
			yield(nil, err)
			return
		}
		defer done()
		if n := size % polyglot.EntrySize; n != 0 &&
			!yield(nil, &GameError{At: size - n, Err: polyglot.ErrTruncated}) {
			return
		}
		var g game.Game
		err = polyglot.NewBook(file, size).ReadGame(&g, position.Start())
		var list interface{ Unwrap() []error }
		if errors.As(err, &list) {
			for _, err := range list.Unwrap() {
				if !yield(nil, polyglotError(err)) {
					return
				}
			}
		}
		yield(&g, nil)
	}
}

// polyglotError makes a GameError of an error of the codec.
func polyglotError(err error) error {
	var e *polyglot.Error
	if !errors.As(err, &e) {
		return err
	}
	cause := e.Err
	if e.Reason != "" {
		cause = &reasonError{e.Err, e.Reason}
	}
	return &GameError{Ply: e.Ply, At: e.Offset, Err: cause}
}

type polyglotWriter struct{ *polyglot.Writer }

func (w polyglotWriter) Write(g *game.Game) ([]string, error) {
	lost, err := w.Writer.Write(g)
	return lost, polyglotError(err)
}
