// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"

	"ply11/chess"
	"ply11/game"
	"ply11/game/codec"
	"ply11/game/pgn"
	"ply11/moveindex"
	"ply11/position"
)

// explainUCI prints the moves of each game, their squares and the words that they become.
func explainUCI(w io.Writer, in Input, o Options) error {
	x := gameExplainer{w: bufio.NewWriter(w)}
	number := 0
	for g, err := range readUCI(in, o) {
		number++
		if err != nil && !codec.IsGameError(err) {
			return cmp.Or(x.w.Flush(), err)
		}
		x.begin("game %d, line %d", number, number)
		x.game(g, err)
	}
	return cmp.Or(x.w.Flush(), x.bad)
}

// explainPGN prints where each game's text stands, its tags, and what each item of its movetext is.
func explainPGN(w io.Writer, in Input, _ Options) error {
	x := gameExplainer{w: bufio.NewWriter(w), results: true}
	r := pgn.NewReader(in.Reader, pgn.WithName(in.Path))
	var g game.Game
	end := int64(0)
	for {
		err := r.Read(&g)
		var bad *codec.Error
		switch {
		case err == io.EOF:
			return cmp.Or(x.w.Flush(), x.bad)
		case err != nil && !errors.As(err, &bad):
			return cmp.Or(x.w.Flush(), err)
		case bad != nil:
			bad.File = "" // whoever explains the file knows it
		}
		s := &g.Source
		x.begin("game %d, line %d, offset %d, %d bytes", s.Number, s.Line, s.Start, s.End-s.Start)
		if s.Start > end {
			fmt.Fprintf(x.w, "%d bytes between this game and what is before it\n", s.Start-end)
		}
		end = s.End
		x.game(&g, err)
	}
}

// gameExplainer prints games of formats that are text.
type gameExplainer struct {
	w       *bufio.Writer
	results bool // the format has them
	begun   bool
	bad     error // the first
}

func (x *gameExplainer) begin(format string, args ...any) {
	if x.begun {
		fmt.Fprintln(x.w)
	}
	x.begun = true
	fmt.Fprintf(x.w, format+"\n", args...)
}

// game prints a game, if there is one, and its error.
func (x *gameExplainer) game(g *game.Game, err error) {
	if g != nil {
		for _, t := range g.Tags {
			fmt.Fprintf(x.w, "tag %s: %q\n", t.Name, t.Value)
		}
		if g.Start != position.Start() {
			fmt.Fprintf(x.w, "start position %s\n", g.Start.FEN())
		}
		x.moves(g)
	}
	if err != nil {
		x.bad = cmp.Or(x.bad, err)
		fmt.Fprintf(x.w, "error: %v\n", err)
	} else if x.results {
		fmt.Fprintf(x.w, "%011b  %4d  %-14s result\n", g.Result.Index(), g.Result.Index(), g.Result)
	}
}

func (x *gameExplainer) moves(g *game.Game) {
	if g.Len() > 0 {
		fmt.Fprintf(x.w, "bits         word  %-14s %s\n", "move", "meaning")
	}
	for e, at := range g.Replay() {
		switch e.Kind {
		case game.MoveEvent:
			i, what := moveindex.Null, "null move"
			if e.Move != chess.NullMove {
				i, _ = moveindex.Of(e.Move)
				what = fmt.Sprintf("%v to %v", e.Move.From(), e.Move.To())
			}
			fmt.Fprintf(x.w, "%011b  %4d  %-14s %s\n", i, i, at.MoveNumber()+" "+string(at.AppendSAN(nil, e.Move)),
				what)
		case game.NAG:
			fmt.Fprintf(x.w, "%17s  %-14s NAG\n", "", fmt.Sprintf("$%d", e.NAG))
		case game.Comment:
			fmt.Fprintf(x.w, "%17s  %-14s comment %q\n", "", "", e.Text)
		case game.VariationStart:
			fmt.Fprintf(x.w, "%17s  %-14s a variation that replaces the move before it\n", "", "(")
		case game.VariationEnd:
			fmt.Fprintf(x.w, "%17s  %-14s its end\n", "", ")")
		}
	}
}
