// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"cmp"
	"fmt"
	"io"
	"iter"

	"ply11/bitstream/chessbase"
	"ply11/game"
	"ply11/game/codec"
)

var fbkFormat = Format{
	Name:        "fbk",
	Extensions:  []string{".fbk"},
	Description: "ChessBase 1993 opening book: one game with variations; ? marks a weak move",
	Read:        readFBK,
	Write: func(out Output, o Options) (codec.Writer, error) {
		return chessbase.NewBookWriter(out.Writer, o.writer()...), nil
	},
	Explain: func(w io.Writer, in Input, o Options) error {
		book, err := chessbase.ReadBook(in.Reader)
		noteLayout(book, o)
		if told := book.Explain(w); told != nil || err == nil {
			return told
		}
		_, werr := fmt.Fprintf(w, "error: %v\n", err)
		return cmp.Or(werr, err)
	},
	Verify: faults(readFBK),
}

func noteLayout(book *chessbase.Book, o Options) {
	if book.Layout == chessbase.BookSiblings {
		o.note("the flags are those of siblings in a tree: there is one end more than starts")
	} else if len(book.Moves) > 0 {
		o.note("the flags are brackets around variations")
	}
}

func readFBK(in Input, o Options) iter.Seq2[*game.Game, error] {
	return func(yield func(*game.Game, error) bool) {
		r := chessbase.NewBookReader(in.Reader)
		noted := false
		for g, err := range games(r) {
			if !noted {
				noteLayout(r.Book(), o)
				noted = true
			}
			if !yield(g, err) {
				return
			}
		}
	}
}
