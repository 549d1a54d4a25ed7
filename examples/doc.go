// SPDX-License-Identifier: Apache-2.0

// Package examples holds projects that use the hardware as a stranger would: icarus plays a game in plain
// Verilog, verilator counts what games are made of in C++. Each has a Makefile, a README with what it prints,
// and the games that it reads; nothing in them knows of Go. The package's test builds and runs both and
// compares what they print with their READMEs. It has nothing to import.
package examples
