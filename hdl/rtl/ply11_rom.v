// SPDX-License-Identifier: Apache-2.0
// ply11_rom: the table of moves as a block RAM. word = {is_move, promotion[2:0], to[5:0], from[5:0]};
// promotion is 0 none, 4 knight, 5 bishop, 6 rook, 7 queen; control codes (1968..2047) hold 0.
// Latency: 1 clock. Throughput: one a clock; word holds while en is low.
// No reset and no initial value: either would keep the output register out of the block RAM.
// Files: those of ply11_rom.f.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_rom #(
  // Image for $readmemh, 2,048 words of 16 bits. Empty: the built-in table, so that a file that was
  // not found cannot go unnoticed as a ROM of zeros.
  parameter INIT_FILE = ""
) (
  input  wire        clk,    // the clock; all ports belong to its rising edge
  input  wire        en,     // 1: word is read at the end of this clock; 0: it stays
  input  wire [10:0] index,  // 0..2047
  output reg  [15:0] word    // {is_move, promotion[2:0], to[5:0], from[5:0]}, a clock later
);

  generate
    if (INIT_FILE == "") begin : g_case
      wire [15:0] entry;
      ply11_rom_case u_case (
        .index(index),
        .word (entry)
      );
      always @(posedge clk) if (en) word <= entry;
    end else begin : g_file
      (* rom_style = "block" *) reg [15:0] mem[0:2047];
      initial $readmemh(INIT_FILE, mem);
      always @(posedge clk) if (en) word <= mem[index];
    end
  endgenerate

endmodule

`resetall
