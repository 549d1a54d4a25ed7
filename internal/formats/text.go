// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"ply11/bitstream"
	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/game/pgn"
	"ply11/moveindex"
	"ply11/position"
)

func init() {
	Register(Format{
		Name: "pgn", Extensions: []string{".pgn"}, Description: "Portable Game Notation",
		Options: []Option{{Name: "style", Values: []string{"export", "compact", "line"}, Description: "the layout"}},
		Read:    readPGN, Write: writePGN,
	})
	Register(Format{
		Name: "p11", Extensions: []string{".p11"}, Description: "ply11's archive",
		Options: []Option{
			{Name: "moves", Values: []string{"fixed", "dense"}, Description: "eleven bits a move, or some three"},
			{Name: "block", Description: "games of a block, 1 to 4096; 1024 by default"},
		},
		Read: readArchive, Write: writeArchive,
	})
	Register(Format{
		Name: "words", Extensions: []string{".words"}, Description: "the flat stream of eleven-bit words",
		Read: readWords, Write: writeWords,
	})
	Register(Format{
		Name: "uci", Extensions: []string{".uci"}, Description: "a line a game: the main line's moves in UCI",
		Read: readUCI, Write: writeUCI,
	})
}

func readPGN(in Input, _ Options) iter.Seq2[*game.Game, error] {
	return func(yield func(*game.Game, error) bool) {
		r := pgn.NewReader(in.Reader, pgn.Options{Name: in.Path})
		var g game.Game
		for {
			err := r.Read(&g)
			if err == io.EOF {
				return
			}
			var bad *pgn.GameError
			switch {
			case err == nil:
				if !yield(&g, nil) {
					return
				}
			case errors.As(err, &bad):
				if !yield(nil, bad) {
					return
				}
			default:
				yield(nil, err)
				return
			}
		}
	}
}

type pgnWriter struct{ w *pgn.Writer }

func writePGN(out Output, o Options) (Writer, error) {
	style := pgn.Export()
	switch o.Values["style"] {
	case "compact":
		style = pgn.Compact()
	case "line":
		style = pgn.Line()
	}
	return pgnWriter{pgn.NewWriter(out.Writer, style)}, nil
}

func (w pgnWriter) Write(g *game.Game) ([]string, error) { return nil, w.w.Write(g) }
func (w pgnWriter) Close() error                         { return w.w.Flush() }

func readArchive(in Input, _ Options) iter.Seq2[*game.Game, error] {
	return func(yield func(*game.Game, error) bool) {
		s := archive.NewScanner(in.Reader)
		var g game.Game
		for {
			b, err := s.Next()
			if err == io.EOF {
				return
			}
			if err != nil {
				yield(nil, err)
				return
			}
			for n := 1; n <= b.Games(); n++ {
				if err := b.Game(n, &g); err != nil {
					yield(nil, err)
					return
				}
				x, _, err := b.Exception(n)
				if err != nil {
					yield(nil, err)
					return
				}
				if x.Invalid || x.Partial {
					err := &GameError{Game: int(b.First()) + n - 1, At: -1, Err: errors.New("the archive keeps the text of a game that is not valid")}
					if !yield(nil, err) {
						return
					}
					continue
				}
				if !yield(&g, nil) {
					return
				}
			}
		}
	}
}

type archiveWriter struct{ w *archive.Writer }

// ArchiveOptions returns what options of the format p11 ask for. It fails with ErrOption.
func ArchiveOptions(o Options) (a archive.Options, err error) {
	a.Dense = o.Values["moves"] == "dense"
	if s := o.Values["block"]; s != "" {
		if a.BlockGames, err = strconv.Atoi(s); err != nil || a.BlockGames < 1 || a.BlockGames > 4096 {
			return a, fmt.Errorf("%w: block of p11 is %q, not 1 to 4096", ErrOption, s)
		}
	}
	return a, nil
}

func writeArchive(out Output, o Options) (Writer, error) {
	a, err := ArchiveOptions(o)
	if err != nil {
		return nil, err
	}
	return archiveWriter{archive.NewWriter(out.Writer, a)}, nil
}

func (w archiveWriter) Write(g *game.Game) ([]string, error) { return nil, w.w.Write(g) }
func (w archiveWriter) Close() error                         { return w.w.Close() }

func readWords(in Input, _ Options) iter.Seq2[*game.Game, error] {
	return func(yield func(*game.Game, error) bool) {
		r := bitstream.NewReader(in.Reader)
		var g game.Game
		for {
			err := r.Next(&g)
			if err == io.EOF {
				return
			}
			var bad *bitstream.WordError
			var pad *bitstream.PaddingError
			switch {
			case err == nil:
				if !yield(&g, nil) {
					return
				}
			case errors.As(err, &pad): // it is of no game, but of the stream's end
				yield(nil, pad)
				return
			case errors.As(err, &bad):
				if !yield(nil, bad) {
					return
				}
			default:
				yield(nil, err)
				return
			}
		}
	}
}

type wordsWriter struct {
	w     *bitstream.Writer
	lossy bool
}

func writeWords(out Output, o Options) (Writer, error) {
	return &wordsWriter{bitstream.NewWriter(out.Writer), o.Lossy}, nil
}

func (w *wordsWriter) Write(g *game.Game) ([]string, error) {
	losses := TagLosses(g)
	if len(losses) > 0 && !w.lossy {
		return losses, &LossError{Format: "words", Names: losses}
	}
	return losses, w.w.Write(g)
}

func (w *wordsWriter) Close() error { return w.w.Close() }

// TagLosses names the tags that a format without tags would lose: all but FEN and SetUp, where the start
// tells the same, a Result that is the game's, and what says that it is not known.
func TagLosses(g *game.Game) []string {
	var list []string
	seen := map[string]bool{}
	for _, t := range g.Tags {
		switch {
		case t.Value == "?" || t.Value == "" || t.Value == "????.??.??" || t.Value == "-",
			t.Name == "SetUp",
			t.Name == "FEN" && t.Value == g.Start.FEN(),
			t.Name == "Result" && t.Value == g.Result.String(), seen[t.Name]:
			continue
		}
		seen[t.Name] = true
		list = append(list, "tag "+t.Name)
	}
	return list
}

func readUCI(in Input, _ Options) iter.Seq2[*game.Game, error] {
	return func(yield func(*game.Game, error) bool) {
		r := bufio.NewReaderSize(in.Reader, 64<<10)
		var g game.Game
		var build game.Builder
		for number := 1; ; number++ {
			line, err := readLine(r)
			if err != nil && (err != io.EOF || len(line) == 0) && !errors.Is(err, errLongLine) {
				if err != io.EOF {
					yield(nil, err)
				}
				return
			}
			fail := func(ply int, err error) *GameError {
				return &GameError{Game: number, Ply: ply, Line: number, At: -1, Err: err}
			}
			if errors.Is(err, errLongLine) {
				if !yield(nil, fail(0, err)) {
					return
				}
				continue
			}
			g.Reset()
			build.Reset(&g)
			at := g.Start
			var bad error
			for ply, word := range strings.Fields(string(line)) {
				m, err := at.ParseUCI(word)
				if err != nil {
					bad = fail(ply+1, err)
					break
				}
				at.Make(m)
				build.Move(m)
			}
			g.Source.Number, g.Source.Line = number, number
			if bad != nil {
				if !yield(nil, bad) {
					return
				}
				continue
			}
			if !yield(&g, nil) {
				return
			}
		}
	}
}

// maxLine is the greatest length of a line of UCI: some 200,000 plies.
const maxLine = 1 << 20

var errLongLine = fmt.Errorf("line of more than %d bytes", maxLine)

// readLine reads a line without its end. A line that is too long is passed over.
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
	w     *bufio.Writer
	lossy bool
	moves []moveindex.Move
	buf   []byte
}

func writeUCI(out Output, o Options) (Writer, error) {
	return &uciWriter{w: bufio.NewWriterSize(out.Writer, 64<<10), lossy: o.Lossy}, nil
}

func (w *uciWriter) Write(g *game.Game) ([]string, error) {
	losses := TagLosses(g)
	if g.Start != position.Start() {
		losses = append(losses, "start position")
	}
	if g.Result != game.Unknown {
		losses = append(losses, "result "+g.Result.String())
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
			losses = append(losses, "1 "+l.name)
		} else if l.n > 1 {
			losses = append(losses, fmt.Sprintf("%d %ss", l.n, l.name))
		}
	}
	if len(losses) > 0 && !w.lossy {
		return losses, &LossError{Format: "uci", Names: losses}
	}
	w.moves = g.AppendMainLine(w.moves[:0])
	w.buf = w.buf[:0]
	for i, m := range w.moves {
		if i > 0 {
			w.buf = append(w.buf, ' ')
		}
		w.buf = m.AppendUCI(w.buf)
	}
	_, err := w.w.Write(append(w.buf, '\n'))
	return losses, err
}

func (w *uciWriter) Close() error { return w.w.Flush() }
