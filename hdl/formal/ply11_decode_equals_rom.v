// SPDX-License-Identifier: Apache-2.0
// The logic of the decoder equals the table: is_move for all 2,048 codes, the fields of all moves.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_decode_equals_rom (
  input  wire [10:0] index,
  output wire        ok
);

  wire [ 5:0] from, to;
  wire [ 2:0] promotion;
  wire        is_move;
  wire [15:0] word;

  ply11_decode u_decode (
    .index    (index),
    .from     (from),
    .to       (to),
    .promotion(promotion),
    .is_move  (is_move)
  );

  ply11_rom_case u_case (
    .index(index),
    .word (word)
  );

  assign ok = is_move == word[15] && (!is_move || {promotion, to, from} == word[14:0]);

endmodule

`resetall
