// SPDX-License-Identifier: Apache-2.0

// Package sim is the hardware of package hdl in Go, clock by clock, and the proof that the two are the
// same.
//
// There is one type for each Verilog module, with the same ports: In holds the inputs, Out the outputs.
// The user sets In, calls Eval where an output that depends on this clock's inputs is of interest (a
// ready, as a rule), and calls Step for the clock's edge. Registers, handshakes and latencies are those
// of the Verilog; the header of each file in hdl/rtl is the specification.
//
// A State is a position as the hardware board keeps it; State.Check is the one place that says which
// moves the hardware refuses and with which code.
//
// A Rig feeds the same inputs to models and to Icarus Verilog or Verilator (built by package drive) and
// compares all outputs in all clocks; a Difference tells the clock, the signal, what was expected and
// what was found, and writes both sides around it as VCD. A VCD can also be written of any model alone.
//
// A Link does so for one module without end, over pipes. A Cross is the cross-check: games of any number, as
// each software codec writes them, through ply11_player's model and, over Links, its Verilog, and every ply
// against package position.
package sim
