// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"errors"
	"io"
	"iter"
	"os"
	"strings"

	"ply11/bitstream/chessbase"
	"ply11/game"
)

var chessbaseFormat = Format{
	Name:        "chessbase",
	Extensions:  []string{".cbf", ".cbi"},
	Description: "ChessBase 1993: games in a .cbf beside its index, the .cbi",
	Options: []Option{
		{Name: "numbering", Values: []string{"auto", "document", "cbascii"},
			Description: "how moves are numbered; auto reads both kinds and writes document"},
		{Name: "index", Values: []string{"use", "ignore"},
			Description: "whether to read by the .cbi; without one, games are found from one to the next"},
		{Name: "deleted", Values: []string{"keep", "skip"},
			Description: "whether to read games that are marked as deleted"},
	},
}

// init sets the functions here, since they refer to the format for its options.
func init() {
	chessbaseFormat.Read = readChessBase
	chessbaseFormat.Write = writeChessBase
	Register(chessbaseFormat)
}

func readChessBase(in Input, o Options) iter.Seq2[*game.Game, error] {
	return func(yield func(*game.Game, error) bool) {
		numbering, err := chessbase.ParseNumbering(o.Value(&chessbaseFormat, "numbering"))
		if err != nil {
			yield(nil, err)
			return
		}
		useIndex := o.Value(&chessbaseFormat, "index") == "use"
		// Either of the two files may have been named.
		data, index := in.Reader, io.Reader(nil)
		if strings.HasSuffix(strings.ToLower(in.Path), ".cbi") {
			cbf, err := in.Sibling(".cbf")
			if err != nil {
				yield(nil, err)
				return
			}
			defer cbf.Close()
			data, index = cbf, in.Reader
		} else if useIndex && in.Sibling != nil {
			if cbi, err := in.Sibling(".cbi"); err == nil {
				defer cbi.Close()
				index = cbi
			} else if !errors.Is(err, os.ErrNotExist) && !errors.Is(err, ErrSibling) {
				yield(nil, err)
				return
			}
		}
		cbf, size, done, err := readerAt(data)
		if err != nil {
			yield(nil, err)
			return
		}
		defer done()
		options := []chessbase.ReaderOption{chessbase.WithNumbering(numbering)}
		if o.Value(&chessbaseFormat, "deleted") == "skip" {
			options = append(options, chessbase.SkipDeleted())
		}
		var r *chessbase.Reader
		if useIndex && index != nil {
			cbi, cbiSize, done, err := readerAt(index)
			if err != nil {
				yield(nil, err)
				return
			}
			defer done()
			if r, err = chessbase.NewReader(cbf, size, cbi, cbiSize, options...); err != nil {
				// The games can be found without it: say so and go on.
				if !yield(nil, chessbaseError(err)) {
					return
				}
			}
		}
		if r == nil {
			if r, err = chessbase.NewReader(cbf, size, nil, 0, options...); err != nil {
				yield(nil, err)
				return
			}
		}
		for g, err := range r.Games() {
			if err != nil {
				g, err = nil, chessbaseError(err)
			}
			if !yield(g, err) {
				return
			}
		}
	}
}

// chessbaseError makes a GameError of an error of the codec.
func chessbaseError(err error) error {
	var e *chessbase.Error
	if !errors.As(err, &e) {
		return err
	}
	cause := e.Err
	if e.Reason != "" {
		cause = &reasonError{e.Err, e.Reason}
	}
	return &GameError{Game: e.Game, Ply: e.Ply, At: e.Offset, Err: cause}
}

// reasonError is an error with what is known besides.
type reasonError struct {
	err    error
	reason string
}

func (e *reasonError) Error() string { return e.err.Error() + ": " + e.reason }
func (e *reasonError) Unwrap() error { return e.err }

func writeChessBase(out Output, o Options) (Writer, error) {
	numbering, err := chessbase.ParseNumbering(o.Value(&chessbaseFormat, "numbering"))
	if err != nil {
		return nil, err
	}
	cbf, other := out.Writer, ".cbi"
	if strings.HasSuffix(strings.ToLower(out.Path), ".cbi") {
		other = ".cbf"
	}
	sibling, err := out.Sibling(other)
	if err != nil {
		return nil, err
	}
	cbi := sibling
	if other == ".cbf" {
		cbf, cbi = sibling, out.Writer
	}
	w := &chessbaseWriter{}
	seeker, ok := cbi.(io.WriteSeeker)
	if !ok {
		// The index begins with the count of games, which comes last.
		if w.spool, err = os.CreateTemp("", "ply11-cbi-*"); err != nil {
			return nil, err
		}
		w.cbi, seeker = cbi, w.spool
	}
	options := []chessbase.WriterOption{chessbase.WriteNumbering(numbering)}
	if o.Lossy {
		options = append(options, chessbase.Lossy())
	}
	w.Writer = chessbase.NewWriter(cbf, seeker, options...)
	return w, nil
}

type chessbaseWriter struct {
	*chessbase.Writer
	spool *os.File // holds the index where the output cannot seek
	cbi   io.Writer
}

func (w *chessbaseWriter) Write(g *game.Game) ([]string, error) {
	lost, err := w.Writer.Write(g)
	return lost, chessbaseError(err)
}

func (w *chessbaseWriter) Close() error {
	err := w.Writer.Close()
	if w.spool == nil {
		return err
	}
	if err == nil {
		_, err = w.spool.Seek(0, io.SeekStart)
	}
	if err == nil {
		_, err = io.Copy(w.cbi, w.spool)
	}
	err = errors.Join(err, w.spool.Close(), os.Remove(w.spool.Name()))
	w.spool = nil
	return err
}

// readerAt returns a reader of any place of what r has from here on, and its size. Where r is no file,
// that is a temporary one; done removes it.
func readerAt(r io.Reader) (at io.ReaderAt, size int64, done func(), err error) {
	if f, ok := r.(interface {
		io.ReaderAt
		io.Seeker
	}); ok {
		if size, err := f.Seek(0, io.SeekEnd); err == nil {
			if _, err := f.Seek(0, io.SeekStart); err != nil {
				return nil, 0, nil, err
			}
			return f, size, func() {}, nil
		}
	}
	f, err := os.CreateTemp("", "ply11-input-*")
	if err != nil {
		return nil, 0, nil, err
	}
	done = func() {
		f.Close()
		os.Remove(f.Name())
	}
	if size, err = io.Copy(f, r); err != nil {
		done()
		return nil, 0, nil, err
	}
	return f, size, done, nil
}
