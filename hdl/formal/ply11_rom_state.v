// SPDX-License-Identifier: Apache-2.0
// The ROM's register: after a clock with en the word is the table's word of the index, which is also
// what ply11_decode says; without en it holds.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_rom_state (
  input  wire        clk,
  input  wire        en,
  input  wire [10:0] index,
  output wire        ok
);

  wire [15:0] word;
  wire [ 5:0] from, to;
  wire [ 2:0] promotion;
  wire        is_move;
  reg  [10:0] f_index;
  reg         f_seen;

  ply11_rom u_dut (
    .clk  (clk),
    .en   (en),
    .index(index),
    .word (word)
  );

  ply11_decode u_decode (
    .index    (f_index),
    .from     (from),
    .to       (to),
    .promotion(promotion),
    .is_move  (is_move)
  );

  initial f_seen = 1'b0;
  always @(posedge clk) begin
    if (en) begin
      f_index <= index;
      f_seen  <= 1'b1;
    end
  end

  assign ok = !f_seen
      || (word[15] == is_move && (is_move ? word[14:0] == {promotion, to, from} : word == 16'h0000));

endmodule

`resetall
