// SPDX-License-Identifier: Apache-2.0

// Package examples holds two projects that use the hardware as a stranger would. The project icarus plays a game in plain
// Verilog. The project verilator counts moves, captures and so on in C++. Each has a Makefile, a README that shows what it prints,
// and the games that it reads. Neither needs Go. The package's test builds and runs both, and
// compares what they print with their READMEs. There is nothing to import.
package examples
