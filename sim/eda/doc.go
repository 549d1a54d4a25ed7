// SPDX-License-Identifier: Apache-2.0

// Package eda builds and runs the hardware with the programs of others: simulators (Icarus,
// Verilator), provers (Yosys, yosys-smtbmc with z3), and synthesis, placement and timing for iCE40
// (Yosys, nextpnr). The Verilog is that of package hdl, in a temporary folder; the caller's
// own files are not touched.
//
// Moves passes the moves of real games through the emitted decoder, Checks and Prove run what
// hdl/checks.tsv lists, and Synthesize measures area and speed. A program that is not installed is a
// *MissingError, which names the Debian package that has it.
package eda
