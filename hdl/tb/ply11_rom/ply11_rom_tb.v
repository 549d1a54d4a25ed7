// SPDX-License-Identifier: Apache-2.0
// Test bench of ply11_rom: all 2,048 words of the built-in table against the behavioural model, the
// same through INIT_FILE, and the hold while en is low. +vcd writes ply11_rom_tb.vcd.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_rom_tb;

  `include "ply11_reference.vh"

  reg         clk = 1'b0;
  reg         en = 1'b1;
  reg  [10:0] index = 11'd0;
  wire [15:0] word, file_word;
  reg  [15:0] want;
  integer i, moves, errors;

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

  always #1 clk = ~clk;

  initial begin
    if ($test$plusargs("vcd")) begin
      $dumpfile("ply11_rom_tb.vcd");
      $dumpvars(0, ply11_rom_tb);
    end
    errors = 0;
    moves  = 0;
    @(negedge clk);
    for (i = 0; i < 2048; i = i + 1) begin
      want = reference_word(i);
      en    = 1'b1;
      index = i[10:0];
      @(negedge clk);
      if (word !== want || file_word !== want) begin
        errors = errors + 1;
        $display("index %0d: word %h, from the file %h, want %h", i, word, file_word, want);
      end
      if (word[15]) moves = moves + 1;
      en    = 1'b0;
      index = ~i[10:0];
      @(negedge clk);
      if (word !== want || file_word !== want) begin
        errors = errors + 1;
        $display("index %0d: the word does not hold while en is low", i);
      end
    end
    if (moves != 1968) begin
      errors = errors + 1;
      $display("%0d moves, want 1968", moves);
    end
    if (errors != 0) begin
      $display("FAIL ply11_rom: %0d errors", errors);
      $fatal(1, "ply11_rom");
    end
    $display("PASS ply11_rom: 2048 words, %0d moves", moves);
    $finish;
  end

  initial begin
    #100000;
    $display("FAIL ply11_rom: watchdog");
    $fatal(1, "watchdog");
  end

endmodule

`resetall
