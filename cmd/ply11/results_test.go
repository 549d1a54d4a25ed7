// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main_test

import "encoding/json"

// What commands print with --json, as one reads it who knows the names alone.

type info struct {
	Path       string           `json:"path"`
	Plies      int64            `json:"plies"`
	Blocks     int              `json:"blocks"`
	Bytes      int64            `json:"bytes"`
	MoveBits   float64          `json:"move_bits_per_ply"`
	Dense      int              `json:"dense_blocks"`
	DensePlies int64            `json:"dense_plies"`
	Columns    map[string]int64 `json:"columns"`
	Overhead   int64            `json:"headers_and_index"`
}

type foundGame struct {
	File string `json:"file"`
	Game int    `json:"game"`
	Ply  int    `json:"ply"`
	Hits []struct {
		Variation bool `json:"variation"`
	} `json:"hits"`
}

type indexResult struct {
	Games int   `json:"games"`
	Bytes int64 `json:"bytes"`
}

type treeResult struct {
	text  string // all of it
	Games int    `json:"games"`
	Black int    `json:"black"`
	Moves []struct {
		UCI       string            `json:"uci"`
		FirstYear int               `json:"first_year"`
		Best      []json.RawMessage `json:"best"`
	} `json:"moves"`
}

// UnmarshalJSON keeps the text, too.
func (r *treeResult) UnmarshalJSON(b []byte) error {
	type plain treeResult
	err := json.Unmarshal(b, (*plain)(r))
	r.text = string(b)
	return err
}

type count struct {
	Name  string `json:"name"`
	Games int    `json:"games"`
}

type statistics struct {
	Games   int     `json:"games"`
	Invalid int     `json:"invalid"`
	Players []count `json:"players"`
	TooLow  int     `json:"counts_too_low_by"`
}

type shown struct {
	FEN   string `json:"fen"`
	Wrong string `json:"invalid"`
}
