// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"errors"
	"io"
	"iter"

	"ply11/bitstream/brenner"
	"ply11/bitstream/men/records"
	"ply11/game"
)

var brennerDescriptions = [...]string{
	"Brenner's byte code, in the layout of the document's first table",
	"Brenner's byte code, in the alternate notation",
	"Brenner's byte code, in the alternate notation with distance and direction exchanged",
	"Brenner's byte code, in the alternate notation with the fields in fixed order",
}

func init() {
	for i, l := range brenner.Layouts {
		f := Format{
			Name:        "brenner",
			Description: brennerDescriptions[i],
			Options: []Option{{Name: "strict", Values: []string{"no", "yes"},
				Description: "refuse the byte for an unknown result, an extension"}},
		}
		if l != brenner.Main {
			f.Name += "-" + l.String()
		} else {
			f.Extensions = []string{".brn"}
		}
		f.Read = func(in Input, o Options) iter.Seq2[*game.Game, error] {
			r := brenner.NewReader(in.Reader, l, brenner.Options{Strict: o.Value(&f, "strict") == "yes"})
			return recordGames(r.Games())
		}
		f.Write = func(out Output, o Options) (Writer, error) {
			return recordWriter{brenner.NewWriter(out.Writer, l, brenner.Options{Lossy: o.Lossy})}, nil
		}
		Register(f)
		RegisterExplainer(f.Name, func(w io.Writer, in Input, o Options) error {
			return recordError(l.Explain(w, in.Reader, brenner.Options{Strict: o.Value(&f, "strict") == "yes"}))
		})
	}
}

// recordGames makes of the games of a byte codec those of a Format: a game with an error is none.
func recordGames(games iter.Seq2[*game.Game, error]) iter.Seq2[*game.Game, error] {
	return func(yield func(*game.Game, error) bool) {
		for g, err := range games {
			if err != nil {
				g, err = nil, recordError(err)
			}
			if !yield(g, err) {
				return
			}
		}
	}
}

// recordError makes a GameError of an error of a game of a byte codec.
func recordError(err error) error {
	var e *records.Error
	if errors.As(err, &e) {
		return &GameError{Game: e.Game, Ply: e.Ply, Line: e.Line, At: e.Offset, Err: e.Err}
	}
	return err
}

// recordWriter is a Writer of a byte codec; its losses have the method that LossError has.
type recordWriter struct{ Writer }

func (w recordWriter) Write(g *game.Game) ([]string, error) {
	losses, err := w.Writer.Write(g)
	if err != nil {
		err = recordError(err)
	}
	return losses, err
}
