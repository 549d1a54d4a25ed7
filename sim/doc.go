// SPDX-License-Identifier: Apache-2.0

// Package sim is ply11_player in Go, clock by clock, for the explorer's page. Package netlist runs the Verilog itself, and all else uses that.
//
// There is one type for each Verilog module, with the same ports: In holds the inputs, Out the outputs.
// You set In, and call Step for the clock's edge. If you need an output that depends on the inputs of the same clock (usually a
// ready), call Eval before you read it. It has no referee and does not play ChessBase's bytes.
package sim
