// SPDX-License-Identifier: Apache-2.0

// Package netlists holds netlists of the Verilog in package hdl, one for each row of hdl/netlists.tsv. `genrom
// netlists` makes them by Yosys when the Verilog has changed.
//
//	n, err := netlists.Open("words")
package netlists

import (
	"embed"
	"errors"
	"fmt"

	"github.com/klauspost/compress/zstd"

	"ply11/sim"
)

// Folder is the package's place below the root of the project.
const Folder = "sim/netlists"

// Sums is the table of checksums in the folder: for each netlist the SHA-256 of the Verilog and the script that it was
// made of, and that of the netlist itself.
const Sums = "netlists.sum"

//go:embed *.aig.zst
var files embed.FS

// File returns the name of a netlist's file in the folder.
func File(name string) string { return name + ".aig.zst" }

// ErrAbsent is the error for a name that no netlist has.
var ErrAbsent = errors.New("there is no such netlist")

// Bytes returns a netlist as an AIGER file.
func Bytes(name string) ([]byte, error) {
	data, err := files.ReadFile(File(name))
	if err != nil {
		return nil, fmt.Errorf("netlists: %w: %s", ErrAbsent, name)
	}
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return r.DecodeAll(data, nil)
}

// Open reads a netlist.
func Open(name string) (*sim.Netlist, error) {
	data, err := Bytes(name)
	if err != nil {
		return nil, err
	}
	return sim.Parse(data)
}

// Compress makes the file of a netlist.
func Compress(aiger []byte) ([]byte, error) {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer w.Close()
	return w.EncodeAll(aiger, nil), nil
}
