// SPDX-License-Identifier: Apache-2.0

// Package pipelines has what the command ply11-beam does with many archives: each function adds its steps to a pipeline
// of Apache Beam, which any runner may run. What they write is what ply11 writes on one machine.
//
// The DoFns are called by reflection (beam.RegisterDoFn), and not by the generated code of Beam's package register: an
// element is a thousand games, so that a call costs nothing beside the work, and with package register it took the
// compiler a minute of processor time for these few functions.
//
//	p, s := beam.NewPipelineWithRoot()
//	pipelines.Tree(s, pipelines.Archives{Patterns: []string{"s3://games/*.p11"}}, pipelines.TreeOptions{}, "s3://games/tree.json")
package pipelines

import (
	"bytes"
	"encoding/json"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"ply11/beam/internal/files"
	"ply11/beam/p11io"
)

// Archives are what a pipeline reads.
type Archives struct {
	Patterns []string
	// Bad is the folder where a text tells of each archive that is damaged, or is none; the others are read: see
	// p11io.Sound. If it is "", such an archive ends the pipeline.
	Bad string
}

// find returns the collection of their files, which are listed once.
func (a *Archives) find(s beam.Scope) beam.PCollection {
	found := files.MatchAll(s, a.Patterns)
	if a.Bad != "" {
		found = p11io.Sound(s, found, a.Bad)
	}
	return found
}

// encodeJSON returns a value as JSON, as the commands print it.
func encodeJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}
