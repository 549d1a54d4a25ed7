// SPDX-License-Identifier: Apache-2.0

// Package hwdoc keeps the pages on the hardware true. Reference makes docs/hardware-reference.md: the tables of
// codes, of registers from hdl/registers.tsv, and of parameters from the Verilog sources (hdl.Parse). Update makes the
// timing diagrams of docs/hardware.md from runs of netlists of the Verilog (Diagram), between the lines
//
//	<!-- begin NAME -->
//	<!-- end -->
//
// The package's tests compare both with the pages, and compile and run the Verilog that docs/hardware.md shows.
//
// After a change: go test ./cmd/genrom/internal/hwdoc -update
package hwdoc
