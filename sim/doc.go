// SPDX-License-Identifier: Apache-2.0

// Package sim is the hardware of package hdl in Go, clock by clock.
//
// There is one type for each Verilog module, with the same ports: In holds the inputs, Out the outputs.
// You set In, and call Step for the clock's edge. If you need an output that depends on the inputs of the same clock (usually a
// ready), call Eval before you read it. Registers, handshakes and latencies are those
// of the Verilog; the header of each file in hdl/rtl is the specification.
//
// Package oracle says what must come of a stream, positions and error codes with it, from rules and codecs, and knows nothing of
// these models.
//
// A VCD shows any model's ports to a waveform viewer. Package cosim compares the models with the Verilog, clock by
// clock, and with the software's codecs and rules.
package sim
