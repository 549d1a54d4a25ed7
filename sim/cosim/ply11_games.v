// SPDX-License-Identifier: Apache-2.0
// Passes a file of indices through ply11_decode, and what it decodes through ply11_encode.
// +in=FILE: a byte pair for each index, high byte first. +out=FILE: 32 bits for each, low byte first:
// [10:0] the index that ply11_encode gives back, [15] whether it takes the move, [21:16] from,
// [27:22] to, [30:28] promotion, [31] is_move.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_games;

  reg  [8*1024-1:0] name;
  reg  [15:0] pair;
  wire [ 5:0] from, to;
  wire [ 2:0] promotion;
  wire [10:0] index;
  wire        is_move, is_index;
  integer     fd_in, fd_out, n;

  ply11_decode u_decode (
    .index    (pair[10:0]),
    .from     (from),
    .to       (to),
    .promotion(promotion),
    .is_move  (is_move)
  );

  ply11_encode u_encode (
    .from     (from),
    .to       (to),
    .promotion(promotion),
    .index    (index),
    .is_move  (is_index)
  );

  initial begin
    pair = 16'd0;
    if (!$value$plusargs("in=%s", name)) $fatal(1, "+in=FILE is missing");
    fd_in = $fopen(name, "rb");
    if (!$value$plusargs("out=%s", name)) $fatal(1, "+out=FILE is missing");
    fd_out = $fopen(name, "wb");
    if (fd_in == 0 || fd_out == 0) $fatal(1, "cannot open a file");
    n = $fread(pair, fd_in);
    while (n == 2) begin
      if (pair[15:11] != 5'd0) $fatal(1, "not an index");
      #1;
      $fwrite(fd_out, "%u", {is_move, promotion, to, from, is_index, 4'd0, index});
      n = $fread(pair, fd_in);
    end
    $fclose(fd_in);
    $fclose(fd_out);
    $finish;
  end

endmodule

`resetall
