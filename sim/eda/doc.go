// SPDX-License-Identifier: Apache-2.0

// Package eda builds and runs the hardware with other programs: simulators (Icarus, Verilator), provers (Yosys,
// yosys-smtbmc with z3, ABC), and synthesis, placement and timing (Yosys, nextpnr). The Verilog is that of package hdl,
// in a temporary folder.
//
// Work.Prove runs the rows of hdl/checks.tsv, and Work.Synthesize measures area and speed. If a program is not
// installed, the error is a *MissingError, which names the Debian package that has it.
package eda
