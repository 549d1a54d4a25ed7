// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"

	"ply11/bitstream/chessbase"
	"ply11/game"
	"ply11/game/codec"
	"ply11/internal/tempfile"
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
	Read:    readChessBase,
	Write:   writeChessBase,
	Explain: explainChessBase,
	Verify:  verifyChessBase,
	Forms:   []Form{{"move", "c nnnnnnn"}},
}

func numberingOf(o Options) (chessbase.Numbering, error) {
	return chessbase.ParseNumbering(cmp.Or(o.Values["numbering"], "auto"))
}

// openChessBase opens the reader of a pair of files, of which either may have been named. A reader without an index
// comes with the error of the index, if there is one. done closes what was opened.
func openChessBase(in Input, o Options) (r *chessbase.Reader, done func(), indexErr, err error) {
	var closers []func()
	done = func() {
		for _, f := range closers {
			f()
		}
	}
	fail := func(err error) (*chessbase.Reader, func(), error, error) {
		done()
		return nil, nil, nil, err
	}
	numbering, err := numberingOf(o)
	if err != nil {
		return fail(err)
	}
	useIndex := o.Values["index"] != "ignore"
	data, index := in.Reader, io.Reader(nil)
	if strings.HasSuffix(strings.ToLower(in.Path), ".cbi") {
		cbf, err := in.Sibling(".cbf")
		if err != nil {
			return fail(err)
		}
		closers = append(closers, func() { cbf.Close() })
		data, index = cbf, in.Reader
	} else if useIndex && in.Sibling != nil {
		if cbi, err := in.Sibling(".cbi"); err == nil {
			closers = append(closers, func() { cbi.Close() })
			index = cbi
		} else if !errors.Is(err, os.ErrNotExist) && !errors.Is(err, ErrSibling) {
			return fail(err)
		}
	}
	cbf, size, remove, err := readerAt(data)
	if err != nil {
		return fail(err)
	}
	closers = append(closers, remove)
	options := []chessbase.ReaderOption{chessbase.WithNumbering(numbering)}
	if o.Values["deleted"] == "skip" {
		options = append(options, chessbase.SkipDeleted())
	}
	if useIndex && index != nil {
		cbi, cbiSize, remove, err := readerAt(index)
		if err != nil {
			return fail(err)
		}
		closers = append(closers, remove)
		if r, err = chessbase.NewReader(cbf, size, cbi, cbiSize, options...); err == nil {
			return r, done, nil, nil
		}
		indexErr = err // the games can be found without it
		o.note("the index is not usable, so games are found from one to the next")
	} else if useIndex {
		o.note("there is no index, so games are found from one to the next")
	}
	if r, err = chessbase.NewReader(cbf, size, nil, 0, options...); err != nil {
		return fail(err)
	}
	return r, done, indexErr, nil
}

func readChessBase(in Input, o Options) iter.Seq2[*game.Game, error] {
	return func(yield func(*game.Game, error) bool) {
		r, done, indexErr, err := openChessBase(in, o)
		if err != nil {
			yield(nil, err)
			return
		}
		defer done()
		defer noteNumbering(r, o)
		if indexErr != nil && !yield(nil, indexErr) {
			return
		}
		games(r)(yield)
	}
}

func explainChessBase(w io.Writer, in Input, o Options) error {
	r, done, indexErr, err := openChessBase(in, o)
	if err != nil {
		return err
	}
	defer done()
	defer noteNumbering(r, o)
	return cmp.Or(r.Explain(w), indexErr)
}

func verifyChessBase(in Input, o Options) iter.Seq[error] {
	return func(yield func(error) bool) {
		r, done, indexErr, err := openChessBase(in, o)
		if err != nil {
			yield(err)
			return
		}
		defer done()
		if indexErr != nil && !yield(indexErr) {
			return
		}
		for err := range r.Verify() {
			if !yield(err) {
				return
			}
		}
	}
}

// noteNumbering notes by which numbering games were decoded, where that was not asked for.
func noteNumbering(r *chessbase.Reader, o Options) {
	document, cbascii, either := r.Numbered()
	if n, _ := numberingOf(o); n != chessbase.NumberingAuto || document+cbascii == 0 {
		return
	}
	text := fmt.Sprintf("moves are numbered as in the document in %d of the games, as CBASCII does in %d", document,
		cbascii)
	if either > 0 {
		text += fmt.Sprintf("; %d of them could be read either way, to different moves", either)
	}
	o.note("%s", text)
}

func writeChessBase(out Output, o Options) (codec.Writer, error) {
	numbering, err := numberingOf(o)
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
		if w.spool, err = tempfile.New(); err != nil {
			return nil, err
		}
		w.cbi, seeker = cbi, w.spool
	}
	w.Writer = chessbase.NewWriter(cbf, seeker, numbering, o.writer()...)
	return w, nil
}

type chessbaseWriter struct {
	*chessbase.Writer
	spool *tempfile.File // holds the index where the output cannot seek
	cbi   io.Writer
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
	err = errors.Join(err, w.spool.Close())
	w.spool = nil
	return err
}

// readerAt returns a reader of any place of what r has from here on, and its size: of a temporary file, unless r is
// one. done removes it.
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
	f, err := tempfile.New()
	if err != nil {
		return nil, 0, nil, err
	}
	done = func() { f.Close() }
	if size, err = io.Copy(f, r); err != nil {
		done()
		return nil, 0, nil, err
	}
	return f, size, done, nil
}
