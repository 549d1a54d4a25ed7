// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"io"
	"iter"

	"ply11/bitstream"
	"ply11/game"
	"ply11/game/codec"
)

var wordsFormat = Format{
	Name: "words", Extensions: []string{".words"}, Description: "the flat stream of eleven-bit words",
	Read: readWords,
	Write: func(out Output, o Options) (codec.Writer, error) {
		return bitstream.NewWriter(out.Writer, o.writer()...), nil
	},
	Explain: func(w io.Writer, in Input, _ Options) error { return bitstream.Explain(w, in.Reader) },
	Verify:  faults(readWords),
	Forms:   wordForms,
}

var wordForms = []Form{{"promotion, code", "111 xxxxxxxx"}, {"other move", "sss aa qqqqqq"}}

func readWords(in Input, _ Options) iter.Seq2[*game.Game, error] {
	return games(bitstream.NewReader(in.Reader))
}
