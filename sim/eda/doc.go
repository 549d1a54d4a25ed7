// SPDX-License-Identifier: Apache-2.0

// Package eda builds and runs the hardware with the programs of others: simulators (Icarus,
// Verilator), provers (Yosys, yosys-smtbmc with z3), and synthesis, placement and timing for iCE40
// (Yosys, nextpnr). The Verilog is that of package hdl, in a temporary folder; the caller's
// own files are not touched.
//
// Checks lists the rows of hdl/checks.tsv, and Work.Prove runs them. Work.Synthesize measures area and speed. If a
// program is not installed, the error is a *MissingError, which names the Debian package that has it.
//
//	work, err := eda.NewWork()
//	checks, err := eda.Checks()
//	outcomes, err := work.Prove(ctx, eda.Plan{Checks: checks})
//	work.Close()
package eda
