// SPDX-License-Identifier: Apache-2.0

// Package hwdoc keeps docs/HARDWARE.md true. It makes what stands in that page between the lines
//
//	<!-- begin NAME -->
//	<!-- end -->
//
// from the hardware itself: tables of ports and parameters from the Verilog sources (hdl.Parse), timing
// diagrams from traces of the models in package sim (Diagram), and the
// register map from hdl/registers.tsv. Update makes all of it again. The package's test compares it
// with the page, and compiles and runs the Verilog that the page shows.
//
// After a change: go test ./internal/hwdoc -update
package hwdoc
