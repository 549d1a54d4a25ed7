// SPDX-License-Identifier: Apache-2.0
// Test bench of ply11_encode: all 4,096 x 8 inputs. is_move must be what the rules say, and the index
// the one that the behavioural model gives this move. +vcd writes ply11_encode_tb.vcd.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_encode_tb;

  `include "ply11_reference.vh"

  reg  [ 5:0] from, to;
  reg  [ 2:0] promotion;
  wire [10:0] index;
  wire        is_move;
  reg  [11:0] inverse[0:32767];
  reg  [15:0] word;
  integer i, moves, errors;

  ply11_encode u_dut (
    .from     (from),
    .to       (to),
    .promotion(promotion),
    .index    (index),
    .is_move  (is_move)
  );

  initial begin
    if ($test$plusargs("vcd")) begin
      $dumpfile("ply11_encode_tb.vcd");
      $dumpvars(0, ply11_encode_tb);
    end
    errors = 0;
    moves  = 0;
    for (i = 0; i < 32768; i = i + 1) inverse[i] = 12'd0;
    for (i = 0; i < 2048; i = i + 1) begin
      word = reference_word(i);
      if (word[15]) inverse[word[14:0]] = {1'b1, i[10:0]};
    end
    for (i = 0; i < 32768; i = i + 1) begin
      {promotion, to, from} = i[14:0];
      #1;
      if (is_move !== pieces_can_move({26'd0, from}, {26'd0, to}, {29'd0, promotion})
          || (is_move && {1'b1, index} !== inverse[i])) begin
        errors = errors + 1;
        $display("from %0d to %0d promotion %0d: is_move %b index %0d, want %b %0d", from, to,
                 promotion, is_move, index, inverse[i][11], inverse[i][10:0]);
      end
      if (is_move) moves = moves + 1;
    end
    if (moves != 1968) begin
      errors = errors + 1;
      $display("%0d moves, want 1968", moves);
    end
    if (errors != 0) begin
      $display("FAIL ply11_encode: %0d errors", errors);
      $fatal(1, "ply11_encode");
    end
    $display("PASS ply11_encode: 32768 inputs, %0d moves", moves);
    $finish;
  end

  initial begin
    #1000000;
    $display("FAIL ply11_encode: watchdog");
    $fatal(1, "watchdog");
  end

endmodule

`resetall
