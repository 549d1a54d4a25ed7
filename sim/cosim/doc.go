// SPDX-License-Identifier: Apache-2.0

// Package cosim runs simulators beside the models of package sim and compares them, clock by clock.
//
// A Link gives the inputs of a model to simulations of its Verilog, over pipes and without end, and compares all
// outputs in all clocks. A Difference tells the clock, the signal, what was expected and what was found, and writes
// both sides around it as VCD. A Harness is what is simulated: NewHarness builds it with Icarus Verilog or with
// Verilator, by package eda.
//
// A Cross is the cross-check: games of any number, as each software codec writes them, through ply11_player's
// model and, over Links, its Verilog, and every ply against package position. Moves passes the moves of games
// through the decoder and the encoder alone.
package cosim
