// SPDX-License-Identifier: Apache-2.0
// Registers before and behind a combinational module, so that its speed can be measured. They add
// flip-flops and no LUT.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_decode_wrap (
  input  wire        clk,
  input  wire [10:0] index,
  output reg  [15:0] word
);

  reg  [10:0] index_q;
  wire [15:0] word_d;

  ply11_decode u_decode (
    .index    (index_q),
    .from     (word_d[5:0]),
    .to       (word_d[11:6]),
    .promotion(word_d[14:12]),
    .is_move  (word_d[15])
  );

  always @(posedge clk) begin
    index_q <= index;
    word    <= word_d;
  end

endmodule

module ply11_encode_wrap (
  input  wire        clk,
  input  wire [14:0] move,
  output reg  [11:0] code
);

  reg  [14:0] move_q;
  wire [11:0] code_d;

  ply11_encode u_encode (
    .from     (move_q[5:0]),
    .to       (move_q[11:6]),
    .promotion(move_q[14:12]),
    .index    (code_d[10:0]),
    .is_move  (code_d[11])
  );

  always @(posedge clk) begin
    move_q <= move;
    code   <= code_d;
  end

endmodule

`resetall
