// SPDX-License-Identifier: Apache-2.0
// Test bench of ply11_rom: all 2,048 words of the built-in table against the behavioural model, the
// same through INIT_FILE, and the hold while en is low. +vcd writes ply11_rom_tb.vcd.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_rom_tb;

  `include "ply11_reference.vh"

  localparam NAME = "ply11_rom_tb";
  localparam WATCHDOG = 10000;
  `include "ply11_bench.vh"

  reg         en = 1'b1;
  reg  [10:0] index = 11'd0;
  wire [15:0] word, file_word;
  reg  [15:0] want;
  integer i, moves;

  ply11_rom u_dut (
    .clk  (clk),
    .en   (en),
    .index(index),
    .word (word)
  );

  // The same through INIT_FILE; simulations run in the folder hdl.
  ply11_rom #(
    .INIT_FILE("tb/ply11_rom/ply11_rom_tb.mem")
  ) u_file (
    .clk  (clk),
    .en   (en),
    .index(index),
    .word (file_word)
  );

  initial begin
    moves = 0;
    @(negedge clk);
    for (i = 0; i < 2048; i = i + 1) begin
      n = i;
      want = reference_word(i);
      en    = 1'b1;
      index = i[10:0];
      @(negedge clk);
      expect_that(word === want, "a wrong word");
      expect_that(file_word === want, "a wrong word from the file");
      if (word[15]) moves = moves + 1;
      en    = 1'b0;
      index = ~i[10:0];
      @(negedge clk);
      expect_that(word === want && file_word === want, "the word does not hold while en is low");
    end
    expect_that(moves == 1968, "the number of moves");
    verdict;
    $display("PASS ply11_rom_tb: 2048 words, %0d moves", moves);
    $finish;
  end

endmodule

`resetall
