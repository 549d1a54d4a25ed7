// SPDX-License-Identifier: Apache-2.0
// Test bench of ply11_decode: all 2,048 codes against the behavioural model. The fields of control
// codes are free; is_move is not. +vcd writes ply11_decode_tb.vcd.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_decode_tb;

  `include "ply11_reference.vh"

  reg  [10:0] index;
  wire [ 5:0] from, to;
  wire [ 2:0] promotion;
  wire        is_move;
  reg  [15:0] want;
  integer i, moves, errors;

  ply11_decode u_dut (
    .index    (index),
    .from     (from),
    .to       (to),
    .promotion(promotion),
    .is_move  (is_move)
  );

  initial begin
    if ($test$plusargs("vcd")) begin
      $dumpfile("ply11_decode_tb.vcd");
      $dumpvars(0, ply11_decode_tb);
    end
    errors = 0;
    moves  = 0;
    for (i = 0; i < 2048; i = i + 1) begin
      index = i[10:0];
      want  = reference_word(i);
      #1;
      if (is_move !== want[15] || (want[15] && {promotion, to, from} !== want[14:0])) begin
        errors = errors + 1;
        $display("index %0d: %h, want %h", i, {is_move, promotion, to, from}, want);
      end
      // Not the index's order, but the rules: every move is some piece's.
      if (is_move && !pieces_can_move({26'd0, from}, {26'd0, to}, {29'd0, promotion})) begin
        errors = errors + 1;
        $display("index %0d: no piece goes from %0d to %0d", i, from, to);
      end
      if (is_move) moves = moves + 1;
    end
    if (moves != 1968) begin
      errors = errors + 1;
      $display("%0d moves, want 1968", moves);
    end
    if (errors != 0) begin
      $display("FAIL ply11_decode: %0d errors", errors);
      $fatal(1, "ply11_decode");
    end
    $display("PASS ply11_decode: 2048 codes, %0d moves", moves);
    $finish;
  end

  initial begin
    #100000;
    $display("FAIL ply11_decode: watchdog");
    $fatal(1, "watchdog");
  end

endmodule

`resetall
