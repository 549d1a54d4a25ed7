// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"ply11/chess"
	"ply11/game"
	"ply11/game/codec"
	"ply11/game/pgn"
	"ply11/position"
)

var pgnFormat = Format{
	Name: "pgn", Extensions: []string{".pgn"}, Description: "Portable Game Notation",
	Options: []Option{{Name: "style", Values: []string{"export", "compact", "line"}, Description: "the layout"}},
	Read:    readPGN(),
	Write: func(out Output, o Options) (codec.Writer, error) {
		style := pgn.Export()
		switch o.Values["style"] {
		case "compact":
			style = pgn.Compact()
		case "line":
			style = pgn.Line()
		}
		return pgn.NewWriter(out.Writer, style), nil
	},
	Explain: explainPGN,
	Verify:  faults(readPGN(pgn.WithoutComments())),
}

func readPGN(options ...pgn.ReaderOption) func(Input, Options) iter.Seq2[*game.Game, error] {
	return func(in Input, _ Options) iter.Seq2[*game.Game, error] {
		return games(pgn.NewReader(in.Reader, append(options, pgn.WithName(in.Path))...))
	}
}

var uciFormat = Format{
	Name: "uci", Extensions: []string{".uci"},
	Description: "a line a game: the main line's moves in UCI, after position fen … moves if the start is not the " +
		"usual one",
	Read: readUCI,
	Write: func(out Output, o Options) (codec.Writer, error) {
		return &uciWriter{out: codec.NewOutput(out.Writer, o.writer()...)}, nil
	},
	Explain: explainUCI,
	Verify:  faults(readUCI),
}

func readUCI(in Input, _ Options) iter.Seq2[*game.Game, error] {
	return games(&uciReader{r: bufio.NewReaderSize(in.Reader, 64<<10)})
}

// uciReader reads a game a line. It is a codec.Reader.
type uciReader struct {
	r      *bufio.Reader
	build  game.Builder
	number int
	err    error // final
}

func (r *uciReader) All() iter.Seq2[*game.Game, error] { return codec.All(r.Read) }

func (r *uciReader) Read(g *game.Game) error {
	g.Reset()
	if r.err != nil {
		return r.err
	}
	line, err := readLine(r.r)
	long := errors.Is(err, errLongLine)
	if err != nil && !long && (err != io.EOF || len(line) == 0) {
		r.err = err
		return err
	}
	r.number++
	g.Source.Number, g.Source.Line = r.number, r.number
	fail := func(ply int, err error) error {
		return &codec.Error{Game: r.number, Ply: ply, Line: r.number, Offset: -1, Err: err}
	}
	if long {
		return fail(0, err)
	}
	moves, err := uciStart(g, string(line))
	if err != nil {
		return fail(0, err)
	}
	r.build.Reset(g)
	at := g.Start
	ply := 0
	for word := range strings.FieldsSeq(moves) {
		ply++
		m, err := at.ParseUCI(word)
		if err != nil {
			return fail(ply, err)
		}
		at.Make(m)
		r.build.Move(m)
	}
	return nil
}

// uciStart sets the start of the game of a line, and returns its moves. A line may begin with "position fen … moves" or
// "position startpos moves".
func uciStart(g *game.Game, line string) (moves string, err error) {
	words := strings.Fields(line)
	if len(words) == 0 || words[0] != "position" {
		return line, nil
	}
	start, moves, _ := strings.Cut(strings.Join(words[1:], " "), " moves")
	kind, fen, _ := strings.Cut(start, " ")
	switch {
	case kind == "startpos" && fen == "":
	case kind == "fen":
		p, err := position.ParseFENLenient(fen)
		if err != nil {
			return "", err
		}
		g.SetStart(p)
	default:
		return "", fmt.Errorf("a line is moves, position startpos moves …, or position fen … moves …, not %q",
			line[:min(len(line), 40)])
	}
	return moves, nil
}

// maxLine is the greatest length of a line of UCI.
const maxLine = 1 << 20

var errLongLine = fmt.Errorf("line of more than %d bytes", maxLine)

// readLine reads a line. One that is too long is passed over.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > maxLine {
			long = true
			line = line[:0]
		}
		if !long {
			line = append(line, part...)
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if long && (err == nil || err == io.EOF) {
			return nil, errLongLine
		}
		return line, err
	}
}

type uciWriter struct {
	out   codec.Output
	moves []chess.Move
	buf   []byte
}

func (w *uciWriter) Write(g *game.Game) error {
	if err := w.out.Begin(); err != nil {
		return err
	}
	if err := w.out.Admit(uciLosses(g).Err("uci")); err != nil {
		return err
	}
	w.moves = g.AppendMainLine(w.moves[:0])
	w.buf = w.buf[:0]
	if g.Start != position.Start() {
		w.buf = g.Start.AppendFEN(append(w.buf, "position fen "...))
		if len(w.moves) > 0 {
			w.buf = append(w.buf, " moves"...)
		}
	}
	for _, m := range w.moves {
		if len(w.buf) > 0 {
			w.buf = append(w.buf, ' ')
		}
		w.buf = m.AppendUCI(w.buf)
	}
	_, err := w.out.Write(append(w.buf, '\n'))
	return err
}

func (w *uciWriter) Close() error { return w.out.End(nil) }

func uciLosses(g *game.Game) codec.Losses {
	losses := codec.TagLosses(g)
	if g.Result != game.Unknown {
		losses.Add("result %v", g.Result)
	}
	var comments, nags, variations int
	for c := g.Cursor(); c.Next(); {
		switch c.Kind {
		case game.Comment:
			comments++
		case game.NAG:
			nags++
		case game.VariationStart:
			variations++
		}
	}
	for _, l := range []struct {
		n    int
		name string
	}{{comments, "comment"}, {nags, "NAG"}, {variations, "variation"}} {
		if l.n == 1 {
			losses.Add("1 %s", l.name)
		} else if l.n > 1 {
			losses.Add("%d %ss", l.n, l.name)
		}
	}
	return losses
}
