// SPDX-License-Identifier: Apache-2.0
// Positions with a move each: every one is loaded into ply11_board, the move is played, and all that comes
// out is compared. +vectors=FILE has a vector a line, in hexadecimal digits for $readmemh: board, ply, en
// passant file, rights and side; error; promotion, to and from; index, man, captured man; and the position
// after it. +count=N of them.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_board_vectors;

  reg          clk = 1'b0;
  reg          rst = 1'b1;
  reg          s_valid = 1'b0;
  reg          load_valid = 1'b0;
  reg  [3:0]   load_addr;
  reg  [31:0]  load_data;
  wire         s_ready, load_ready, m_valid, side;
  wire [1:0]   m_op;
  wire         m_user;
  wire [2:0]   m_error, m_promotion;
  wire [5:0]   m_from, m_to;
  wire [3:0]   m_man, m_captured, rights, ep;
  wire [255:0] board;
  wire [15:0]  ply;
  always #5 clk = ~clk;

  // 64 + 7 digits, 10, 64 + 7.
  localparam MOST = 65536;
  reg  [607:0] vectors [0:MOST-1];
  reg  [607:0] vector;
  wire [255:0] start = vector[607:352];
  wire [27:0]  state = vector[351:324];
  wire [39:0]  what = vector[323:284];

  ply11_board u_dut (
    .clk(clk), .rst(rst),
    .s_valid(s_valid), .s_ready(s_ready), .s_op(2'd0), .s_index(what[18:8]), .s_user(1'b0),
    .load_valid(load_valid), .load_ready(load_ready), .load_addr(load_addr), .load_data(load_data),
    .next_valid(), .next_op(), .hush(1'b0),
    .m_valid(m_valid), .m_ready(1'b1), .m_op(m_op), .m_user(m_user), .m_error(m_error),
    .m_from(m_from), .m_to(m_to), .m_promotion(m_promotion), .m_man(m_man),
    .m_captured(m_captured),
    .board(board), .side(side), .rights(rights), .ep(ep), .ply(ply)
  );

  reg [8*256-1:0] name;
  integer count, n, row, wait_for, errors, got;

  initial begin
    errors = 0;
    if (!$value$plusargs("vectors=%s", name)) name = "";
    if (!$value$plusargs("count=%d", count)) count = 0;
    if (count > 0 && count <= MOST) $readmemh(name, vectors, 0, count - 1);
    else begin
      $display("FAIL ply11_board_vectors: no vectors");
      $fatal(1, "no vectors");
    end
    repeat (4) @(posedge clk);
    #1 rst = 1'b0;
    for (n = 0; n < count; n = n + 1) begin
      vector = vectors[n];
      #1;
      load_valid = 1'b1;
      row = 0;
      while (row < 9) begin
        load_addr = row;
        load_data = row == 8 ? {7'd0, state[27:12], state[11:8], state[7:4], state[0]} : start[32*row +: 32];
        #1;
        got = load_ready;
        @(posedge clk);
        #1;
        if (got != 0) row = row + 1;
      end
      load_valid = 1'b0;
      s_valid = 1'b1;
      #1;
      while (!s_ready) begin
        @(posedge clk);
        #1;
      end
      @(posedge clk);
      #1 s_valid = 1'b0;
      wait_for = 0;
      while (!m_valid && wait_for < 30) begin
        @(posedge clk);
        #1 wait_for = wait_for + 1;
      end
      if (!m_valid || {1'b0, m_error} != what[39:36] || {1'b0, m_promotion, m_to, m_from} != what[35:20]
          || {m_man, m_captured} != what[7:0]
          || {board, ply, ep, rights, 3'd0, side} != vector[283:0]) begin
        errors = errors + 1;
        if (errors <= 5)
          $display("vector %0d: index %0d of %h %h: error %0d, men %h %h, %h %h %h %h %h, want %h, error %0d", n, what[18:8], start, state,
                   m_error, m_man, m_captured, board, ply, ep, rights, side, vector[283:0], what[39:36]);
      end
      @(posedge clk);
      #1;
    end
    if (errors != 0) begin
      $display("FAIL ply11_board_vectors: %0d of %0d", errors, count);
      $fatal(1, "ply11_board_vectors failed");
    end
    $display("PASS ply11_board_vectors: %0d vectors", count);
    $finish;
  end

endmodule

`resetall
