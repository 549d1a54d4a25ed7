// SPDX-License-Identifier: Apache-2.0

// Package sim runs hardware: a netlist of and-gates and registers that Yosys makes of Verilog, for 64 or 256 streams at
// once. It knows nothing of chess. Package internal/circuit evaluates the gates.
//
// A Machine runs a Netlist. In each clock: set the inputs, Eval, look at any port or register by its Verilog name,
// Step. Source and Sink drive handshakes with random stalls, and a VCD shows signals to a waveform viewer. `genrom sim
// --netlist` runs a file from the command line. examples/netlist has a design with a Go program that tests it.
package sim
