// SPDX-License-Identifier: Apache-2.0

// Package hwdoc makes what the pages and sources say of the hardware: docs/hardware-reference.md, the numbers of codes
// in sources below hdl, and the timing diagram of docs/hardware.md, from a run of a netlist, between the lines
//
//	<!-- begin NAME -->
//	<!-- end -->
//
// `genrom vectors` writes them. The package's tests compile and run the Verilog that docs/hardware.md shows.
package hwdoc
