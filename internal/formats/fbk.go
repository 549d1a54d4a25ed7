// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"cmp"
	"fmt"
	"io"
	"iter"

	"ply11/bitstream/chessbase"
	"ply11/game"
)

func init() {
	Register(Format{
		Name:        "fbk",
		Extensions:  []string{".fbk"},
		Description: "ChessBase 1993 opening book: one game with variations; ? marks a weak move",
		Read:        readFBK,
		Write: func(out Output, o Options) (Writer, error) {
			return fbkWriter{chessbase.NewBookWriter(out.Writer, o.Lossy)}, nil
		},
	})
	RegisterExplainer("fbk", func(w io.Writer, in Input, o Options) error {
		book, err := chessbase.ReadBook(in.Reader)
		noteLayout(book, o)
		if told := book.Explain(w); told != nil || err == nil {
			return chessbaseError(told)
		}
		_, werr := fmt.Fprintf(w, "error: %v\n", err)
		return cmp.Or(werr, chessbaseError(err))
	})
}

// noteLayout tells how a book's flags were taken.
func noteLayout(book *chessbase.Book, o Options) {
	if book.Layout == chessbase.BookSiblings {
		o.note("the flags are those of siblings in a tree: there is one end more than starts")
	} else if len(book.Moves) > 0 {
		o.note("the flags are brackets around variations")
	}
}

func readFBK(in Input, o Options) iter.Seq2[*game.Game, error] {
	return func(yield func(*game.Game, error) bool) {
		book, err := chessbase.ReadBook(in.Reader)
		noteLayout(book, o)
		if err != nil && !yield(nil, chessbaseError(err)) {
			return
		}
		stopped := false
		tree := book.Tree(func(err error) { stopped = stopped || !yield(nil, chessbaseError(err)) })
		if stopped || tree.Len() == 0 && err != nil {
			return
		}
		g := game.New()
		tree.Game(g)
		yield(g, nil)
	}
}

type fbkWriter struct{ *chessbase.BookWriter }

func (w fbkWriter) Write(g *game.Game) ([]string, error) {
	lost, err := w.BookWriter.Write(g)
	return lost, chessbaseError(err)
}
