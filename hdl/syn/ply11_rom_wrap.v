// SPDX-License-Identifier: Apache-2.0
// Registers before and behind the ROM, so that its speed can be measured: a block RAM on its own has
// no path that begins and ends in a register. They add flip-flops and no LUT.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_rom_wrap (
  input  wire        clk,
  input  wire        en,
  input  wire [10:0] index,
  output reg  [15:0] word
);

  reg         en_q;
  reg  [10:0] index_q;
  wire [15:0] word_d;

  ply11_rom u_rom (
    .clk  (clk),
    .en   (en_q),
    .index(index_q),
    .word (word_d)
  );

  always @(posedge clk) begin
    en_q    <= en;
    index_q <= index;
    word    <= word_d;
  end

endmodule

`resetall
