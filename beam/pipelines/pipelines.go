// SPDX-License-Identifier: Apache-2.0

// Package pipelines has what the command ply11-beam does with many archives: each function adds its steps to a pipeline
// of Apache Beam, which any runner may run. They write what ply11 writes on one machine.
//
// An element is a thousand games, so Beam may call the DoFns by reflection: the generated code of its package register
// takes the compiler a minute.
package pipelines
