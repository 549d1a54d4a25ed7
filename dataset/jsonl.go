// SPDX-License-Identifier: Apache-2.0

package dataset

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"ply11/chess"
	"ply11/game"
)

var jsonlFormat = format{
	name: "jsonl", ext: ".jsonl",
	description: "JSON Lines, a row a game: tags, moves in UCI and as indices, scores and clocks",
	want:        wantTags | wantNotes,
	describe:    func(*Job) (*Labels, []Array) { return nil, jsonlArrays },
	create: func(_ *Job, out *output) (sink, error) {
		w := &jsonlSink{w: out.file}
		for _, s := range out.w.m.Inputs {
			w.sources = append(w.sources, appendJSON(nil, s.Name))
		}
		return w, nil
	},
}

var jsonlArrays = []Array{
	{"file", "string", nil, "the archive"},
	{"game", "integer", nil, "the number of the game in it, from 1"},
	{"result", "string", nil, "1-0, 0-1, 1/2-1/2 or *"},
	{"fen", "string", nil, "the start position, where it is not the usual one"},
	{"moves", "strings", nil, "the main line in UCI; 0000 is the null move"},
	{"indices", "integers", nil, "the same as indices; 1972 is the null move"},
	{"start_eval", "integer", nil, "of the start position, as evals has it"},
	{"evals", "integers", nil,
		"after each move, from White's side, in hundredths of a pawn, mate in n is 32000 - n or -32000 + n; or null"},
	{"clocks", "integers", nil, "after each move, hundredths of a second; or null"},
	{"tags", "object", nil, "the tags; of several of one name the first"},
}

type jsonlSink struct {
	ofGames
	w       *outputFile
	sources [][]byte // names in JSON
	b       []byte
}

func (w *jsonlSink) end(*Shard) error { return nil }

func (w *jsonlSink) game(g *Game) error {
	b := append(append(w.b[:0], `{"file":`...), w.sources[g.Source]...)
	b = strconv.AppendInt(append(b, `,"game":`...), int64(g.Number), 10)
	b = append(append(append(b, `,"result":"`...), g.Result.String()...), '"')
	if g.Start != usual {
		b = append(g.Start.AppendFEN(append(b, `,"fen":"`...)), '"')
	}
	b = append(b, `,"moves":[`...)
	for i, w := range g.Moves {
		if i > 0 {
			b = append(b, ',')
		}
		m, ok := w.Move()
		if !ok {
			m = chess.NullMove
		}
		b = append(m.AppendUCI(append(b, '"')), '"')
	}
	b = append(b, `],"indices":[`...)
	for i, w := range g.Moves {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendUint(b, uint64(w), 10)
	}
	b = append(b, ']')
	if len(g.Scores) > 0 {
		if s := g.Scores[0]; s != NoScore {
			b = strconv.AppendInt(append(b, `,"start_eval":`...), int64(s.short()), 10)
		}
		b = append(b, `,"evals":[`...)
		for i, s := range g.Scores[1:] {
			b = appendOrNull(b, i, int64(s.short()), s != NoScore)
		}
		b = append(b, ']')
	}
	if len(g.Clocks) > 0 {
		b = append(b, `,"clocks":[`...)
		for i, c := range g.Clocks {
			b = appendOrNull(b, i, int64(c), c != NoClock)
		}
		b = append(b, ']')
	}
	b = append(b, `,"tags":{`...)
	n := 0
	firsts(g.Tags, func(name, value string) {
		if n++; n > 1 {
			b = append(b, ',')
		}
		b = appendJSON(append(appendJSON(b, name), ':'), value)
	})
	w.b = append(b, "}}\n"...)
	_, err := w.w.Write(w.b)
	return err
}

// appendOrNull appends item i of a list: a number, or null.
func appendOrNull(b []byte, i int, v int64, there bool) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	if !there {
		return append(b, "null"...)
	}
	return strconv.AppendInt(b, v, 10)
}

func firsts(tags []game.Tag, do func(name, value string)) {
	var seen map[string]bool
	if len(tags) > 32 {
		seen = make(map[string]bool, len(tags))
	}
	for i, t := range tags {
		if seen == nil {
			if slices.ContainsFunc(tags[:i], func(o game.Tag) bool { return o.Name == t.Name }) {
				continue
			}
		} else if seen[t.Name] {
			continue
		} else {
			seen[t.Name] = true
		}
		do(t.Name, t.Value)
	}
}

func appendJSON(b []byte, s string) []byte {
	if strings.IndexFunc(s, func(r rune) bool { return r < ' ' || r > '~' || r == '"' || r == '\\' }) < 0 {
		return append(append(append(b, '"'), s...), '"')
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.Encode(s)
	return append(b, bytes.TrimSuffix(text.Bytes(), []byte("\n"))...)
}
