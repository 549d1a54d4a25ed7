// SPDX-License-Identifier: Apache-2.0

// Package examples holds five projects that use the hardware, or its tools, as a stranger would. The project icarus
// plays a game in plain Verilog. The project verilator counts moves, captures and so on in C++. The project mask gives
// the legal moves of a position as a network's policy mask, in plain Verilog, and the project match searches games for
// a pattern. The project netlist tests a design that is not ours, in Go. Each has a Makefile, a README that shows what
// it prints, and what it reads. The package's test builds and runs all, and compares what they print with their
// READMEs. The folder python has a script that trains a small network, which the test of package clients runs, and
// amaranth a component for Amaranth, which that of package sim/cocotb runs; with the tag long it runs litex, a system
// of LiteX whose processor plays games. The folder asic lays out a chip, which this package's test does with that tag,
// too. There is nothing to import.
package examples
