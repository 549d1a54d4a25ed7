// SPDX-License-Identifier: Apache-2.0

package explorer

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"ply11/internal/formats"
	"ply11/position"
)

type byteFormat struct {
	Name        string   `json:"name"`
	Extensions  []string `json:"extensions"`
	Description string   `json:"description"`
}

func listFormats(*http.Request) (any, error) {
	list := []byteFormat{}
	for _, f := range formats.All {
		list = append(list, byteFormat{f.Name, append([]string{}, f.Extensions...), f.Description})
	}
	return list, nil
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
	notes := ""
	o := formats.Options{Note: func(n string) { notes += n + "\n" }}
	if f.Name == "chessbase" {
		o.Values = map[string]string{"index": "ignore"} // there is one file alone
	}
	e, err := linesOf(data, func(w io.Writer, src io.Reader) error {
		return f.Explain(w, formats.Input{Reader: src, Path: r.URL.Query().Get("name"),
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
	Text string `json:"text"`
	FEN  string `json:"fen,omitempty"` // after the move
	UCI  string `json:"uci,omitempty"`
}

type Explained struct {
	Lines []Line `json:"lines"`
	Error string `json:"error,omitempty"` // what is wrong with them; the lines tell where
	More  bool   `json:"more,omitempty"`  // there are more lines, or bytes
	Notes string `json:"notes,omitempty"`
}

var errNoBytes = errors.New("there are no bytes")

// linesOf returns what explain writes about bytes, with the moves in it.
func linesOf(data []byte, explain func(w io.Writer, src io.Reader) error) (*Explained, error) {
	if len(data) == 0 {
		return nil, errNoBytes
	}
	e := &Explained{}
	if len(data) > maxExplained {
		data, e.More = data[:maxExplained], true
	}
	out := &lines{list: []Line{}, most: maxLines}
	err := explain(out, bytes.NewReader(data))
	if errors.Is(err, errEnough) {
		e.More = true
	} else if err != nil {
		e.Error = err.Error()
	}
	e.Lines = link(out.list)
	return e, nil
}

// lines keeps the first lines that are written to it.
type lines struct {
	list []Line
	rest []byte
	most int
}

var errEnough = errors.New("enough")

func (l *lines) Write(b []byte) (int, error) {
	n := len(b)
	for {
		i := bytes.IndexByte(b, '\n')
		if i < 0 {
			l.rest = append(l.rest, b...)
			return n, nil
		}
		if len(l.list) == l.most {
			return 0, errEnough
		}
		l.list = append(l.list, Line{Text: strings.ToValidUTF8(string(append(l.rest, b[:i]...)), "\ufffd")})
		l.rest, b = l.rest[:0], b[i+1:]
	}
}

// Parts of a line: what stands in quotation marks, a FEN, and a move with its number, as "12." or "12...".
var (
	quotedText = regexp.MustCompile(`"(?:\\.|[^"\\])*(?:"|\\?$)`)
	fenText    = regexp.MustCompile(`(?:^|\s)((?:\S+/){7}\S+(?:\s+\S+){5})(?:\s|$)`)
	moveText   = regexp.MustCompile(`(?:^|\s)([0-9]+\.(?:\.\.)?)\s+(\S+)`)
)

// maxDepth bounds variations inside each other.
const maxDepth = 200

// link finds and plays the moves in explanations: a move has its number, a variation brackets, a start position its
// FEN.
func link(list []Line) []Line {
	stack := [][]position.Position{{position.Start()}} // for each line that is not ended its positions, by ply
	deeper := 0                                        // variations that are not followed
	for i := range list {
		text := quotedText.ReplaceAllString(list[i].Text, "")
		words := strings.Fields(text)
		var fen position.Position
		own, number, san := false, "", ""
		if m := fenText.FindStringSubmatch(text); m != nil {
			var err error
			fen, err = position.ParseFEN(strings.Join(strings.Fields(m[1]), " "))
			own = err == nil
		}
		if m := moveText.FindStringSubmatch(text); m != nil {
			number, san = m[1], strings.TrimRight(m[2], ",;")
		}
		if len(words) > 1 && words[0] == "game" || own && san == "" {
			stack, deeper = [][]position.Position{{position.Start()}}, 0
		}
		if own && san == "" {
			stack[0][0] = fen
		}
		for _, w := range words {
			switch {
			case w == "(" && (deeper > 0 || len(stack) == maxDepth):
				deeper++
			case w == "(": // it replaces the move before it
				top := stack[len(stack)-1]
				stack = append(stack, slices.Clone(top[:max(1, len(top)-1)]))
			case w == ")" && deeper > 0:
				deeper--
			case w == ")" && len(stack) > 1:
				stack = stack[:len(stack)-1]
			}
		}
		if san == "" || deeper > 0 {
			continue
		}
		top := stack[len(stack)-1]
		if own { // a line of a book of positions
			top = []position.Position{fen}
		} else {
			// A line of a book goes back to a move of its stem.
			k := len(top) - 1
			for k >= 0 && top[k].MoveNumber() != number {
				k--
			}
			if k < 0 {
				continue
			}
			top = top[:k+1]
		}
		p := top[len(top)-1]
		move, err := p.ParseSANLenient(san)
		if err != nil {
			continue
		}
		p.Make(move)
		list[i].FEN, list[i].UCI = p.FEN(), move.String()
		if !own {
			stack[len(stack)-1] = append(top, p)
		}
	}
	return list
}
