// SPDX-License-Identifier: Apache-2.0
// The logic of the encoder is the inverse of the table, one way: the word of every move encodes to its
// code. The other way is ply11_encode_within_rom.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_encode_equals_rom (
  input  wire [10:0] index,
  output wire        ok
);

  wire [15:0] word;
  wire [10:0] back;
  wire        back_is_move;

  ply11_rom_case u_case (
    .index(index),
    .word (word)
  );

  ply11_encode u_inverse (
    .from     (word[5:0]),
    .to       (word[11:6]),
    .promotion(word[14:12]),
    .index    (back),
    .is_move  (back_is_move)
  );

  assign ok = !word[15] || (back_is_move && back == index);

endmodule

`resetall
