// SPDX-License-Identifier: Apache-2.0

// Package pipelines has what the command ply11-beam does with many archives: each function adds its steps to a pipeline
// of Apache Beam, which any runner may run. What they write is what ply11 writes on one machine.
//
// The DoFns are called by reflection (beam.RegisterDoFn), and not by the generated code of Beam's package register: an
// element is a thousand games, so that a call costs nothing beside the work, and with package register it took the
// compiler a minute of processor time for these few functions.
//
//	p, s := beam.NewPipelineWithRoot()
//	pipelines.Pack(s, []string{"s3://pgn/*.pgn"}, pipelines.PackOptions{}, "s3://games/2024", 100)
package pipelines
