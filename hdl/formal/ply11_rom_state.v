// SPDX-License-Identifier: Apache-2.0
// The ROM's register: after a clock with en the word is the table's word of the index; without en it
// holds. That the table is what ply11_decode says, ply11_decode_equals_rom proves.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_rom_state (
  input  wire        clk,
  input  wire        en,
  input  wire [10:0] index,
  output wire        ok
);

  wire [15:0] word, entry;
  reg  [15:0] f_word;
  reg         f_seen;

  ply11_rom u_dut (
    .clk  (clk),
    .en   (en),
    .index(index),
    .word (word)
  );

  ply11_rom_case u_case (
    .index(index),
    .word (entry)
  );

  initial f_seen = 1'b0;
  always @(posedge clk) begin
    f_word <= en ? entry : f_word;
    if (en) f_seen <= 1'b1;
  end

  assign ok = !f_seen || word == f_word;

endmodule

`resetall
