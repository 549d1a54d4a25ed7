// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"io"
	"iter"

	"ply11/bitstream/polyglot"
	"ply11/game"
	"ply11/game/codec"
)

var polyglotFormat = Format{
	Name:        "polyglot",
	Extensions:  []string{".bin"},
	Description: "Polyglot opening book: positions, moves and weights; read as one game with variations",
	Read:        readPolyglot,
	Write: func(out Output, o Options) (codec.Writer, error) {
		return polyglot.NewWriter(out.Writer, o.writer()...), nil
	},
	Explain: func(w io.Writer, in Input, _ Options) error {
		file, size, done, err := readerAt(in.Reader)
		if err != nil {
			return err
		}
		defer done()
		return polyglot.NewBook(file, size).Explain(w)
	},
	Verify: faults(readPolyglot),
}

func readPolyglot(in Input, _ Options) iter.Seq2[*game.Game, error] {
	return func(yield func(*game.Game, error) bool) {
		file, size, done, err := readerAt(in.Reader)
		if err != nil {
			yield(nil, err)
			return
		}
		defer done()
		games(polyglot.NewReader(file, size))(yield)
	}
}
