// SPDX-License-Identifier: Apache-2.0

// Package hwdoc keeps docs/HARDWARE.md true. What stands in that page between the lines
//
//	<!-- begin NAME -->
//	<!-- end -->
//
// is made from the hardware itself: tables of ports and parameters from the Verilog sources (Parse), timing
// diagrams from traces of the models in package sim, which are the Verilog's clock by clock (Diagram), the
// register map from the header of ply11_regs. Update makes all of it anew. The package's test compares it
// with the page, and compiles and runs what the page shows of Verilog; go test ./internal/hwdoc -update
// writes the page.
package hwdoc
