// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"bufio"
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"ply11/bitstream"
	"ply11/bitstream/archive"
	"ply11/bitstream/brenner"
	"ply11/bitstream/chessbase"
	"ply11/bitstream/jose"
	"ply11/bitstream/polyglot"
	"ply11/game/codec"
	"ply11/game/pgn"
	"ply11/internal/codectest"
)

// stream is a format that is read from its front.
func stream(name string, read func(io.Reader) codec.Reader,
	write func(io.Writer, ...codec.WriterOption) codec.Writer) tested {
	return tested{Name: name, Write: write, Stream: read,
		Read: func(file []byte) (codec.Reader, error) { return read(bytes.NewReader(file)), nil }}
}

// chessbaseFile is one file of a pair, in memory: its writer keeps the index beside it.
type chessbaseFile struct {
	*chessbase.Writer
	index *codectest.File
	keep  *[]byte
}

func (w chessbaseFile) Close() error {
	err := w.Writer.Close()
	*w.keep = w.index.Bytes
	return err
}

func allFormats() []tested {
	list := []tested{
		stream("pgn", func(r io.Reader) codec.Reader { return pgn.NewReader(r) },
			func(w io.Writer, _ ...codec.WriterOption) codec.Writer { return pgn.NewWriter(w) }),
		stream("p11", func(r io.Reader) codec.Reader { return archive.NewScanner(r) },
			func(w io.Writer, _ ...codec.WriterOption) codec.Writer {
				return archive.NewWriter(w, archive.WithBlockGames(2))
			}),
		stream("p11 dense", func(r io.Reader) codec.Reader { return archive.NewScanner(r) },
			func(w io.Writer, _ ...codec.WriterOption) codec.Writer {
				return archive.NewWriter(w, archive.WithDense(true))
			}),
		{Name: "p11 by number", Lossless: true,
			Write: func(w io.Writer, _ ...codec.WriterOption) codec.Writer { return archive.NewSelection(w) },
			Read: func(file []byte) (codec.Reader, error) {
				return archive.NewReader(bytes.NewReader(file), int64(len(file)))
			}},
		stream("words", func(r io.Reader) codec.Reader { return bitstream.NewReader(r) },
			func(w io.Writer, o ...codec.WriterOption) codec.Writer { return bitstream.NewWriter(w, o...) }),
	}
	list = append(list, stream("uci", func(r io.Reader) codec.Reader { return &uciReader{r: bufio.NewReader(r)} },
		func(w io.Writer, o ...codec.WriterOption) codec.Writer {
			return &uciWriter{out: codec.NewOutput(w, o...)}
		}))
	for i := range 3 {
		list[i].Lossless = true
	}
	list[0].BadOption = func() (codec.Reader, codec.Writer) {
		return pgn.NewReader(bytes.NewReader(nil), pgn.MaxGame(0)), nil
	}
	list[1].BadOption = func() (codec.Reader, codec.Writer) {
		return nil, archive.NewWriter(io.Discard, archive.WithBlockGames(-1))
	}
	list[3].BadOption = func() (codec.Reader, codec.Writer) {
		return nil, archive.NewSelection(io.Discard, archive.WithBlockGames(5000))
	}
	for _, l := range brenner.Layouts {
		list = append(list, stream(strings.TrimSuffix("brenner-"+l.String(), "-main"), func(r io.Reader) codec.Reader {
			return brenner.NewReader(r, l)
		},
			func(w io.Writer, o ...codec.WriterOption) codec.Writer { return brenner.NewWriter(w, l, o...) }))
	}
	for _, d := range jose.Dialects {
		for name, c := range map[string]jose.Container{"": jose.Plain, " table": jose.Table} {
			name = strings.TrimSuffix("jose-"+d.String(), "-document") + name
			list = append(list, stream(name, func(r io.Reader) codec.Reader { return jose.NewReader(r, d, c) },
				func(w io.Writer, o ...codec.WriterOption) codec.Writer { return jose.NewWriter(w, d, c, o...) }))
		}
	}
	var index []byte // of the last pair of files that was written
	writePair := func(w io.Writer, o ...codec.WriterOption) codec.Writer {
		cbi := new(codectest.File)
		return chessbaseFile{chessbase.NewWriter(w, cbi, chessbase.NumberingAuto, o...), cbi, &index}
	}
	return append(list,
		tested{Name: "chessbase", Write: writePair, Read: func(file []byte) (codec.Reader, error) {
			return chessbase.NewReader(bytes.NewReader(file), int64(len(file)), bytes.NewReader(index),
				int64(len(index)))
		}},
		tested{Name: "chessbase by walking", Write: writePair, Read: func(file []byte) (codec.Reader, error) {
			return chessbase.NewReader(bytes.NewReader(file), int64(len(file)), nil, 0)
		}},
		tested{Name: "fbk", OneGame: true,
			Write:  func(w io.Writer, o ...codec.WriterOption) codec.Writer { return chessbase.NewBookWriter(w, o...) },
			Stream: func(r io.Reader) codec.Reader { return chessbase.NewBookReader(r) },
			Read: func(file []byte) (codec.Reader, error) {
				return chessbase.NewBookReader(bytes.NewReader(file)), nil
			}},
		tested{Name: "polyglot", OneGame: true,
			Write: func(w io.Writer, o ...codec.WriterOption) codec.Writer { return polyglot.NewWriter(w, o...) },
			Read: func(file []byte) (codec.Reader, error) {
				return polyglot.NewReader(bytes.NewReader(file), int64(len(file))), nil
			}},
	)
}

// No format that the command has is without a row.
func TestConformanceHasAll(t *testing.T) {
	for _, name := range Names() {
		if !slices.ContainsFunc(allFormats(), func(f tested) bool {
			return strings.Fields(f.Name)[0] == name
		}) {
			t.Errorf("%s is not there", name)
		}
	}
}

// Every format's reader and writer are what the package says: on good, empty, truncated and erroneous input, on a
// broken input and output, after the end, after an error and after Close.
func TestConformance(t *testing.T) {
	for _, f := range allFormats() {
		t.Run(f.Name, func(t *testing.T) { conform(t, &f) })
	}
}
