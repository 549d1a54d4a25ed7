// SPDX-License-Identifier: Apache-2.0

package explorer

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"ply11/game"
	"ply11/game/decompress"
	"ply11/game/pgn"
	"ply11/internal/formats"
	"ply11/moveindex"
	"ply11/position"
	"ply11/query/index"
)

type byteFormat struct {
	Name        string   `json:"name"`
	Extensions  []string `json:"extensions"`
	Description string   `json:"description"`
	Forms       []form   `json:"forms"`  // how its bytes or words are cut
	Sample      string   `json:"sample"` // a game in hexadecimal digits
}

type form struct {
	Name   string          `json:"name"`
	Fields []formats.Field `json:"fields"`
}

func listFormats(*http.Request) (any, error) { return byteFormats(), nil }

var byteFormats = sync.OnceValue(func() (list []byteFormat) {
	for _, f := range formats.All {
		b := byteFormat{f.Name, append([]string{}, f.Extensions...), f.Description, []form{}, sample(&f)}
		for _, c := range f.Forms {
			b.Forms = append(b.Forms, form{c.Name, c.Fields()})
		}
		list = append(list, b)
	}
	return list
})

// sample writes Scholar's Mate in a format.
func sample(f *formats.Format) string {
	var g game.Game
	pgn.NewReader(strings.NewReader("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 $4 4. Qxf7# 1-0")).Read(&g)
	data, _ := f.Bytes(&g)
	return fmt.Sprintf("%x", data)
}

// explain answers what the bytes of a request mean in a format, with the position after each move.
func explain(r *http.Request) (any, error) {
	f, err := formats.ByName(r.URL.Query().Get("format"))
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(r.Body, maxExplained+1))
	if err != nil {
		return nil, err
	}
	name, packed := r.URL.Query().Get("name"), decompress.In(data)
	if _, err := index.Open(bytes.NewReader(data), int64(len(data))); !errors.Is(err, index.ErrNotIndex) {
		packed = "the index of an archive"
	}
	if name != "" && packed != "" {
		return nil, fmt.Errorf("the file is %s: open what it was made of", packed)
	}
	notes := ""
	o := formats.Options{Note: func(n string) { notes += n + "\n" }}
	if f.Name == "chessbase" {
		o.Values = map[string]string{"index": "ignore"} // there is one file alone
	}
	e, err := linesOf(f, data, func(w io.Writer, src io.Reader) error {
		return f.Explain(w, formats.Input{Reader: src, Path: name,
			Sibling: func(string) (io.ReadCloser, error) { return nil, formats.ErrSibling }}, o)
	})
	if e != nil {
		e.Notes = notes
	}
	return e, err
}

// maxExplained is how many bytes are explained, and maxLines how many lines of it are shown.
const (
	maxExplained = 1 << 20
	maxLines     = 20_000
)

type Line struct {
	formats.Part
	Text string `json:"text"`
	FEN  string `json:"fen,omitempty"` // after the move
	UCI  string `json:"uci,omitempty"`
	// Word is the move's index in hexadecimal digits.
	Word string `json:"word,omitempty"`
}

type Explained struct {
	Lines []Line `json:"lines"`
	Error string `json:"error,omitempty"` // what is wrong with them; the lines tell where
	More  bool   `json:"more,omitempty"`  // there are more lines, or bytes
	Notes string `json:"notes,omitempty"`
}

var errNoBytes = errors.New("there are no bytes")

// linesOf returns what explain writes about bytes, with the moves in it.
func linesOf(f *formats.Format, data []byte, explain func(w io.Writer, src io.Reader) error) (*Explained, error) {
	if len(data) == 0 {
		return nil, errNoBytes
	}
	e := &Explained{Lines: []Line{}}
	if len(data) > maxExplained {
		data, e.More = data[:maxExplained], true
	}
	var out firstLines
	err := explain(&out, bytes.NewReader(data))
	if errors.Is(err, errEnough) {
		e.More = true
	} else if err != nil {
		e.Error = err.Error()
	}
	for line := range strings.Lines(strings.ToValidUTF8(out.String(), "\ufffd")) {
		if len(e.Lines) < maxLines {
			e.Lines = append(e.Lines, Line{Text: strings.TrimSuffix(line, "\n")})
		}
	}
	link(f, e.Lines)
	end := 8 * len(data)
	for i := len(e.Lines) - 1; i >= 0; i-- { // a line that shows only the first bytes goes to where the next one begins
		l := &e.Lines[i]
		if l.Cut {
			l.Bits = end - l.Bit
		}
		if l.Bits%8 == 0 && l.Bits > 0 {
			end = l.Bit
		}
	}
	return e, nil
}

// firstLines takes no more when it has more than the lines that are shown.
type firstLines struct {
	bytes.Buffer
	ends int
}

var errEnough = errors.New("enough")

func (l *firstLines) Write(b []byte) (int, error) {
	n, err := l.Buffer.Write(b)
	if l.ends += bytes.Count(b, []byte{'\n'}); l.ends > maxLines {
		err = errEnough
	}
	return n, err
}

var fenText = regexp.MustCompile(`(?:^|\s)((?:\S+/){7}\S+(?:\s+\S+){5})(?:\s|$)`)

// maxDepth bounds variations inside each other that are followed.
const maxDepth = 200

// link takes lines apart, and plays the moves in them; what is quoted has none. A start position is a FEN.
func link(f *formats.Format, list []Line) {
	stack := [][]position.Position{{position.Start()}} // for each line that is not ended its positions, by ply
	for i := range list {
		l := &list[i]
		l.Part = f.Part(l.Text)
		number, san, _ := strings.Cut(l.Move, " ")
		plain, _, _ := strings.Cut(l.Text, `"`)
		var fen position.Position
		own := false
		if m := fenText.FindStringSubmatch(plain); m != nil {
			var err error
			fen, err = position.ParseFEN(strings.Join(strings.Fields(m[1]), " "))
			own = err == nil
		}
		if strings.HasPrefix(l.Text, "game ") || own && san == "" {
			stack = [][]position.Position{{position.Start()}}
		}
		if own && san == "" {
			stack[0][0] = fen
		}
		top := stack[len(stack)-1]
		switch {
		case l.Move == "(" && len(stack) < maxDepth: // it replaces the move before it
			stack = append(stack, slices.Clone(top[:max(1, len(top)-1)]))
		case l.Move == "(":
			stack = append(stack, nil)
		case l.Move == ")" && len(stack) > 1:
			stack = stack[:len(stack)-1]
		}
		if san == "" {
			continue
		}
		if own { // a line of a book of positions
			top = []position.Position{fen}
		} else {
			// A line of a book goes back to a move of its stem.
			k := len(top)
			for k > 0 && top[k-1].MoveNumber() != number {
				k--
			}
			if top = top[:k]; k == 0 {
				continue
			}
		}
		p := top[len(top)-1]
		move, err := p.ParseSANLenient(san)
		if err != nil {
			continue
		}
		p.Make(move)
		l.FEN, l.UCI = p.FEN(), move.String()
		i, _ := moveindex.Of(move)
		l.Word = fmt.Sprintf("%03x", i)
		if !own {
			stack[len(stack)-1] = append(top, p)
		}
	}
}
