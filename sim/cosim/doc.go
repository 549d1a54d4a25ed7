// SPDX-License-Identifier: Apache-2.0

// Package cosim runs simulators beside netlists of the players, which package sim runs, and compares them, clock by
// clock.
//
// A Link sends the inputs of a netlist to simulations of its Verilog, over pipes, for any number of clocks. It compares
// all outputs in all clocks. A Difference tells the clock, the signal, the expected and the found value, and writes
// both sides around it as VCD. A Harness is the Verilog that is simulated. NewHarness builds it with Icarus Verilog or
// with Verilator, by package eda.
//
// A Cross takes any number of games, in the bytes of each software codec. It plays them through the netlist of
// ply11_player and, over Links, through its Verilog, and compares every beat with the codec and every ply with package
// position. Moves passes the moves of games only through the decoder and the encoder.
package cosim
