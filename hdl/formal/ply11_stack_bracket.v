// SPDX-License-Identifier: Apache-2.0
// ply11_stack, for all time from a reset on, with any board, plies and ends, for a user that asks for one
// bracket at a time until done: fifteen clocks from that with idle done is 1, for one clock and never
// else; in between rows 0 to 7 and the state come, each once and in this order, and nothing is loaded
// otherwise; with done the depth becomes one more or one less, with an end 0, and it changes nowhere
// else. ok is 0 where one of this fails.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_stack_bracket #(
  parameter DEPTH = 2
) (
  input  wire         clk,
  input  wire         reset,
  input  wire         ask,
  input  wire         ask_close,
  input  wire         idle,
  input  wire         step,
  input  wire         ply_valid,
  input  wire         end_valid,
  input  wire [5:0]   from,
  input  wire [5:0]   to,
  input  wire [3:0]   piece,
  input  wire [3:0]   captured,
  input  wire [255:0] board,
  input  wire         side,
  input  wire [3:0]   rights,
  input  wire [3:0]   ep,
  input  wire [15:0]  ply,
  output wire         ok
);

  // From the clock with idle to that with done.
  localparam [4:0] BRACKET = 5'd15;

  reg f_started;
  initial f_started = 1'b0;
  wire rst = !f_started || reset;

  reg         f_asks, f_close;
  reg  [4:0]  f_clock;          // 0 until idle comes
  reg  [4:0]  f_depth;
  reg  [3:0]  f_row;
  wire        asks = f_asks || ask;
  wire        closes = f_asks ? f_close : ask_close;

  wire        done, load_valid;
  wire [4:0]  depth;
  wire [3:0]  load_addr;
  wire [31:0] load_data;
  ply11_stack #(.DEPTH(DEPTH)) u_dut (
    .clk(clk), .rst(rst), .open(asks && !closes), .close(asks && closes), .done(done), .depth(depth),
    .idle(idle), .step(step), .ply_valid(ply_valid), .end_valid(end_valid),
    .from(from), .to(to), .piece(piece), .captured(captured),
    .board(board), .side(side), .rights(rights), .ep(ep), .ply(ply),
    .load_valid(load_valid), .load_addr(load_addr), .load_data(load_data)
  );

  always @(posedge clk) begin
    f_started <= 1'b1;
    f_asks <= asks && !done;
    f_close <= closes;
    if (f_clock != 5'd0) f_clock <= f_clock == BRACKET ? 5'd0 : f_clock + 5'd1;
    else if (asks && idle) f_clock <= 5'd1;
    if (done) f_row <= 4'd0;
    else if (load_valid) f_row <= f_row + 4'd1;
    f_depth <= end_valid ? 5'd0 : !done ? f_depth : closes ? f_depth - 5'd1 : f_depth + 5'd1;
    if (rst) begin
      f_asks <= 1'b0;
      f_clock <= 5'd0;
      f_row <= 4'd0;
      f_depth <= 5'd0;
    end
  end

  assign ok = rst
    || (done == (f_clock == BRACKET) && depth == f_depth
        && (!load_valid || (f_clock != 5'd0 && !done && f_row <= 4'd8 && load_addr == f_row))
        && (!done || f_row == 4'd9));

endmodule

`resetall
