// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"cmp"
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
	RegisterExplainer("fbk", func(w io.Writer, in Input, _ Options) error {
		book, err := chessbase.ReadBook(in.Reader)
		return chessbaseError(cmp.Or(book.Explain(w), err))
	})
}

func readFBK(in Input, _ Options) iter.Seq2[*game.Game, error] {
	return func(yield func(*game.Game, error) bool) {
		book, err := chessbase.ReadBook(in.Reader)
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
