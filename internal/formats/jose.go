// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"bufio"
	"bytes"
	"io"
	"iter"
	"strings"

	"ply11/bitstream/jose"
	"ply11/game"
	"ply11/game/codec"
)

func joseFormats() (list []Format) {
	for i, f := range [...]Format{
		{Name: "jose", Extensions: []string{".jgt"}, Description: "jose's GameText, as its document has it"},
		{Name: "jose-program", Extensions: []string{".tsv"}, Description: "jose's GameText, as the program writes it"},
	} {
		d := jose.Dialects[i]
		f.Options = []Option{{Name: "container", Values: []string{"auto", "jgt", "tsv"},
			Description: "GameText one after " +
				"another, or a tab-separated export; auto goes by the file's name, and on reading by its first line"}}
		f.Read = func(in Input, o Options) iter.Seq2[*game.Game, error] {
			src, c := joseInput(in, o)
			return games(jose.NewReader(src, d, c))
		}
		f.Write = func(out Output, o Options) (codec.Writer, error) {
			return jose.NewWriter(out.Writer, d, joseContainer(o, out.Path), o.writer()...), nil
		}
		f.Explain = func(w io.Writer, in Input, o Options) error {
			src, c := joseInput(in, o)
			return d.Explain(w, src, c)
		}
		f.Verify, f.Forms = faults(f.Read), joseForms
		list = append(list, f)
	}
	return list
}

var joseForms = []Form{{"pawn", "000 www oo"}, {"knight", "0010 w ooo"}, {"queen's bishop", "0011 oooo"},
	{"king's bishop", "0100 oooo"}, {"queen's rook", "0101 oooo"}, {"king's rook", "0110 oooo"},
	{"queen", "0111 oooo"}, {"queen", "1000 oooo"}, {"king", "10010 ooo"}, {"castling, null", "10011 xxx"},
	{"promotion", "10100 www 0010 oo nn"}, {"promoted", "10101 www 001 ooooo"}, {"annotation", "1011 xxxx"},
	{"annotation", "1100 xxxx"}, {"result", "1101 xxxx"}, {"text", "1110 xxxx"}, {"variation, end", "1111 xxxx"}}

// joseInput returns a reader of the input, and what surrounds the games in it.
func joseInput(in Input, o Options) (io.Reader, jose.Container) {
	src := bufio.NewReader(in.Reader)
	c := joseContainer(o, in.Path)
	if joseAuto(o) {
		// An export's first line says what it is. (In GameText these letters are moves of shut-in rooks and queens.)
		head, _ := src.Peek(512)
		if line, _, _ := bytes.Cut(head, []byte{'\n'}); bytes.Contains(line, []byte("gametext_hex")) &&
			c != jose.Table {
			c = jose.Table
			o.note("the first line is that of a tab-separated export, and it is read as one")
		}
	}
	return src, c
}

func joseContainer(o Options, path string) jose.Container {
	if o.Values["container"] == "tsv" || joseAuto(o) && strings.Contains(strings.ToLower(path), ".tsv") {
		return jose.Table
	}
	return jose.Plain
}

func joseAuto(o Options) bool { return o.Values["container"] == "" || o.Values["container"] == "auto" }
