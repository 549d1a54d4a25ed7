// SPDX-License-Identifier: Apache-2.0
// The logic of the encoder is the inverse of the table, the other way: whatever encodes to a code is
// that code's word.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_encode_within_rom (
  input  wire [5:0] from,
  input  wire [5:0] to,
  input  wire [2:0] promotion,
  output wire       ok
);

  wire [10:0] index;
  wire        is_move;
  wire [15:0] word;

  ply11_encode u_encode (
    .from     (from),
    .to       (to),
    .promotion(promotion),
    .index    (index),
    .is_move  (is_move)
  );

  ply11_rom_case u_case (
    .index(index),
    .word (word)
  );

  assign ok = !is_move || word == {1'b1, promotion, to, from};

endmodule

`resetall
