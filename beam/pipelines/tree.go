// SPDX-License-Identifier: Apache-2.0

package pipelines

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"ply11/beam/internal/files"
	"ply11/beam/p11io"
	"ply11/internal/treeresult"
	"ply11/position"
	"ply11/query"
)

func init() {
	beam.RegisterDoFn(reflect.TypeFor[treeFn]())
	beam.RegisterDoFn(reflect.TypeFor[treeWriteFn]())
}

// Term is a term of a query: see query.Terms. Its name may be "not".
type Term struct{ Name, Value string }

// TreeOptions say what a tree is of.
type TreeOptions struct {
	FEN   string // of the position; "" is the usual start
	Moves string // that lead on from there
	Terms []Term // that games must meet
	Best  int    // how many of the best games are named for a move
}

// Check verifies the options.
func (o *TreeOptions) Check() error {
	_, _, err := o.prepare()
	if err == nil && (o.Best < 0 || o.Best > query.MaxBest) {
		err = fmt.Errorf("best games are 0 to %d, not %d", query.MaxBest, o.Best)
	}
	return err
}

// prepare returns the query and the position.
func (o *TreeOptions) prepare() (*query.Query, position.Position, error) {
	at, err := query.ParsePosition(o.FEN, o.Moves)
	if err != nil {
		return nil, at, err
	}
	q := query.New()
	for _, t := range o.Terms {
		if err := q.Add(t.Name, t.Value); err != nil {
			return nil, at, err
		}
	}
	return q, at, q.Check()
}

// Tree writes what was played in a position, in all archives, to a file, as `ply11 tree --json` does. It returns the
// collection of the file's name.
//
// Each bundle counts its games, and one machine adds up the counts: some kilobytes a bundle.
func Tree(s beam.Scope, in Archives, o TreeOptions, output string) beam.PCollection {
	s = s.Scope("Tree")
	parts := p11io.ReadFiles(s, in.find(s))
	counts := beam.ParDo(s, &treeFn{TreeOptions: o}, parts)
	grouped := beam.GroupByKey(s, beam.AddFixedKey(s, counts))
	return beam.ParDo(s, &treeWriteFn{TreeOptions: o, Output: output}, grouped)
}

// treePart is what is counted of some games.
type treePart struct {
	Tree  query.Tree
	Names map[int]string // of the archives, by their numbers
}

func (p *treePart) merge(o *treePart) {
	p.Tree.Merge(&o.Tree)
	for n, name := range o.Names {
		p.Names[n] = name
	}
}

// treeFn counts.
type treeFn struct {
	TreeOptions
	q    *query.Query
	at   position.Position
	part treePart // of the bundle
}

// Setup parses the options.
func (fn *treeFn) Setup() (err error) {
	fn.q, fn.at, err = fn.prepare()
	return err
}

// StartBundle begins to count.
func (fn *treeFn) StartBundle(_ context.Context, _ func([]byte)) {
	fn.part = treePart{Names: map[int]string{}}
}

// ProcessElement counts the games of a part.
func (fn *treeFn) ProcessElement(ctx context.Context, p p11io.Part, _ func([]byte)) error {
	source := query.Source{Name: p.File, Reader: bytes.NewReader(p.Data), Size: int64(len(p.Data))}
	t, err := fn.q.Tree(ctx, []query.Source{source}, fn.at, query.TreeOptions{Workers: 1})
	if err != nil {
		return err
	}
	t.Number(int(p.Source), int(p.First))
	fn.part.Tree.Merge(t)
	fn.part.Names[int(p.Source)] = p.File
	return nil
}

// FinishBundle gives the counts.
func (fn *treeFn) FinishBundle(_ context.Context, emit func([]byte)) error {
	b, err := json.Marshal(&fn.part)
	if err == nil {
		emit(b)
	}
	return err
}

// treeWriteFn writes the result.
type treeWriteFn struct {
	TreeOptions
	Output string
}

// ProcessElement adds up what was counted.
func (fn *treeWriteFn) ProcessElement(ctx context.Context, _ int, parts func(*[]byte) bool, emit func(string)) error {
	_, at, err := fn.prepare()
	if err != nil {
		return err
	}
	all := treePart{Names: map[int]string{}}
	for b := []byte(nil); parts(&b); {
		var part treePart
		if err := json.Unmarshal(b, &part); err != nil {
			return err
		}
		all.merge(&part)
	}
	result := treeresult.New(&all.Tree, &at, func(source int) string { return all.Names[source] }, fn.Best)
	text, err := encodeJSON(result)
	if err != nil {
		return err
	}
	if err := writeText(ctx, fn.Output, text, files.Write); err != nil {
		return fmt.Errorf("%s: %w", fn.Output, err)
	}
	emit(fn.Output)
	return nil
}
