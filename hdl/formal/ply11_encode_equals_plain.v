// SPDX-License-Identifier: Apache-2.0
// The encoder does what the arithmetic of the index says: for every input the same is_move, and where that is 1
// the same index.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_encode_equals_plain (
  input  wire [5:0] from,
  input  wire [5:0] to,
  input  wire [2:0] promotion,
  output wire       ok
);

  wire [10:0] index;
  wire        is_move;
  wire [10:0] plain_index;
  wire        plain_is_move;

  ply11_encode u_encode (
    .from     (from),
    .to       (to),
    .promotion(promotion),
    .index    (index),
    .is_move  (is_move)
  );

  ply11_encode_plain u_plain (
    .from     (from),
    .to       (to),
    .promotion(promotion),
    .index    (plain_index),
    .is_move  (plain_is_move)
  );

  assign ok = is_move == plain_is_move && (!is_move || index == plain_index);

endmodule

`resetall
