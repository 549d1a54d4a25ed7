// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"io"
	"iter"
	"slices"
	"strings"

	"ply11/bitstream/brenner"
	"ply11/game"
	"ply11/game/codec"
)

var brennerDescriptions = [...]string{
	brenner.Main:       "Brenner's byte code, in the layout of the document's first table",
	brenner.Alt:        "Brenner's byte code, in the alternate notation",
	brenner.AltSwapped: "Brenner's byte code, in the alternate notation with distance and direction exchanged",
	brenner.AltFixed:   "Brenner's byte code, in the alternate notation with the fields in fixed order",
}

var _ [len(brenner.Layouts)]string = brennerDescriptions

func brennerFormats() (list []Format) {
	for _, l := range brenner.Layouts {
		f := Format{
			Name:        "brenner",
			Description: brennerDescriptions[l],
			Options: []Option{{Name: "strict", Values: []string{"no", "yes"},
				Description: "refuse the byte for an unknown result, an extension"}},
		}
		if l != brenner.Main {
			f.Name += "-" + l.String()
		} else {
			f.Extensions = []string{".brn"}
		}
		f.Read = func(in Input, o Options) iter.Seq2[*game.Game, error] {
			return games(brenner.NewReader(in.Reader, l, brennerOptions(o)...))
		}
		f.Write = func(out Output, o Options) (codec.Writer, error) {
			return brenner.NewWriter(out.Writer, l, o.writer()...), nil
		}
		f.Explain = func(w io.Writer, in Input, o Options) error {
			return l.Explain(w, in.Reader, brennerOptions(o)...)
		}
		f.Verify = faults(f.Read)
		for _, p := range l.Patterns() {
			f.Forms = append(f.Forms, Form{p[0], p[1]})
		}
		list = append(list, f)
	}
	slices.SortFunc(list, func(a, b Format) int { return strings.Compare(a.Name, b.Name) })
	return list
}

func brennerOptions(o Options) []brenner.ReaderOption {
	if o.Values["strict"] == "yes" {
		return []brenner.ReaderOption{brenner.Strict()}
	}
	return nil
}
