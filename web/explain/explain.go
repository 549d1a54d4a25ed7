// SPDX-License-Identifier: Apache-2.0

// Package explain is what the explorer's page asks about bytes: what they say in each format, with the position after
// each move.
//
//	value, err := explain.Methods().Do(ctx, &call.Call{Method: "explain", Params: []byte(`{"format": "jose"}`), Data: data})
package explain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"ply11/game"
	"ply11/game/codec"
	"ply11/game/pgn"
	"ply11/internal/formats"
	"ply11/web/call"
	"ply11/web/lines"
)

// byteFormat is a format whose bytes can be explained.
type byteFormat struct {
	Name        string   `json:"name"`
	Extensions  []string `json:"extensions"`
	Description string   `json:"description"`
}

// Methods returns the methods.
func Methods() call.Methods {
	return call.Methods{"formats": call.New(list), "explain": call.New(explain), "encode": call.New(encode)}
}

// list lists the formats. Bytes of an archive are explained by package archiver, which has their reader.
func list(context.Context, *call.Call, struct{}) (any, error) {
	list := []byteFormat{}
	for _, f := range formats.All {
		list = append(list, byteFormat{f.Name, append([]string{}, f.Extensions...), f.Description})
	}
	return list, nil
}

func explain(_ context.Context, c *call.Call, r struct {
	Format string `json:"format"`
	Path   string `json:"path"`
}) (any, error) {
	f, err := formats.ByName(r.Format)
	if err != nil {
		return nil, err
	}
	if f.Explain == nil {
		return nil, fmt.Errorf("%s is explained elsewhere", f.Name)
	}
	notes := ""
	o := formats.Options{Note: func(n string) { notes += n + "\n" }}
	if f.Name == "chessbase" {
		o.Values = map[string]string{"index": "ignore"} // there is one file alone
	}
	e, err := lines.Of(c.Data, func(w io.Writer, src io.Reader) error {
		return f.Explain(w, formats.Input{Reader: src, Path: r.Path,
			Sibling: func(string) (io.ReadCloser, error) { return nil, formats.ErrSibling }}, o)
	})
	if e != nil {
		e.Notes = notes
	}
	return e, err
}

// encode writes a game as bytes of a format.
func encode(_ context.Context, _ *call.Call, r struct {
	Format string `json:"format"`
	PGN    string `json:"pgn"`
}) (any, error) {
	f, err := formats.ByName(r.Format)
	if err != nil {
		return nil, err
	}
	if f.Write == nil {
		return nil, fmt.Errorf("%s cannot be written", f.Name)
	}
	var out bytes.Buffer
	w, err := f.Write(formats.Output{Writer: &out, Sibling: func(string) (io.Writer, error) { return io.Discard, nil }},
		formats.Options{Lossy: true, Report: func(*codec.LossError) {}})
	if err != nil {
		return nil, err
	}
	var g game.Game
	if err := pgn.NewReader(strings.NewReader(r.PGN)).Read(&g); err == io.EOF {
		return nil, errors.New("there is no game in it")
	} else if err != nil {
		return nil, err
	}
	if err := w.Write(&g); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return call.Bytes(out.Bytes()), nil
}
