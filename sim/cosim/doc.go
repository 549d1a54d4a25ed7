// SPDX-License-Identifier: Apache-2.0

// Package cosim runs simulators beside netlists of the players, which package sim runs, and compares all outputs in all
// clocks.
//
// A Cross takes games, in the bytes of each software codec. It plays them on the netlist of ply11_player and on its
// Verilog, in Icarus Verilog and Verilator by package eda. It compares every beat with the codec and every ply with
// package position. A Difference has the clock, the signal, the expected and the found value, and writes both sides
// around it as VCD.
package cosim
