// SPDX-License-Identifier: Apache-2.0
// Every code that decodes to a move encodes back to the same code.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_index_roundtrip (
  input  wire [10:0] index,
  output wire        ok
);

  wire [ 5:0] from, to;
  wire [ 2:0] promotion;
  wire [10:0] back;
  wire        is_move, back_is_move;

  ply11_decode u_decode (
    .index    (index),
    .from     (from),
    .to       (to),
    .promotion(promotion),
    .is_move  (is_move)
  );

  ply11_encode u_encode (
    .from     (from),
    .to       (to),
    .promotion(promotion),
    .index    (back),
    .is_move  (back_is_move)
  );

  assign ok = !is_move || (back_is_move && back == index);

endmodule

`resetall
