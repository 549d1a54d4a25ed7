// SPDX-License-Identifier: Apache-2.0
// ply11_encode_pipe, for all time and any idle and back-pressure, from a reset on: of any one transfer,
// chosen by the prover, comes out what the combinational ply11_encode makes of it, after seven clocks
// with s_ready. By the induction of ply11_decode_pipe_token.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_encode_pipe_token #(
  parameter HANDSHAKE = 1
) (
  input  wire        clk,
  input  wire        rst,
  input  wire        s_valid,
  input  wire        m_ready,
  input  wire        choose,
  input  wire [14:0] s_move     // {promotion, to, from}
);

  wire        s_ready, m_valid, m_is_move, is_move;
  wire [10:0] m_index, index;
  ply11_encode_pipe #(.HANDSHAKE(HANDSHAKE)) u_dut (
    .clk(clk), .rst(rst),
    .s_valid(s_valid), .s_ready(s_ready), .s_from(s_move[5:0]), .s_to(s_move[11:6]),
    .s_promotion(s_move[14:12]),
    .m_valid(m_valid), .m_ready(m_ready), .m_index(m_index), .m_is_move(m_is_move)
  );

  // Where the chosen one is: 1 to 7, 0 before and after.
  reg  [2:0]  f_stage;
  reg  [14:0] f_move;
  wire [14:0] still_move = f_stage == 3'd0 ? s_move : f_move;
  wire        still_ready, still_valid, still_is_move;
  wire [10:0] still_index;
  ply11_encode_pipe #(.HANDSHAKE(0)) u_still (
    .clk(clk), .rst(rst),
    .s_valid(1'b1), .s_ready(still_ready), .s_from(still_move[5:0]), .s_to(still_move[11:6]),
    .s_promotion(still_move[14:12]),
    .m_valid(still_valid), .m_ready(1'b1), .m_index(still_index), .m_is_move(still_is_move)
  );

  ply11_encode u_encode (.from(f_move[5:0]), .to(f_move[11:6]), .promotion(f_move[14:12]), .index(index),
                         .is_move(is_move));

  (* hierconn *) wire [6:0]  \u_dut.valid ;
  (* hierconn *) wire [25:0] \u_dut.f_1 , \u_still.f_1 ;
  (* hierconn *) wire [28:0] \u_dut.f_2 , \u_still.f_2 ;
  (* hierconn *) wire [32:0] \u_dut.f_3 , \u_still.f_3 ;
  (* hierconn *) wire [34:0] \u_dut.f_4 , \u_still.f_4 ;
  (* hierconn *) wire [34:0] \u_dut.f_5 , \u_still.f_5 ;
  (* hierconn *) wire [13:0] \u_dut.f_6 , \u_still.f_6 ;
  (* hierconn *) wire [11:0] \u_dut.f_7 , \u_still.f_7 ;

  reg f_started;
  initial f_started = 1'b0;
  always @(posedge clk) begin
    f_started <= 1'b1;
    if (f_stage == 3'd0) begin
      if (s_valid && s_ready && choose) f_stage <= 3'd1;
      f_move <= s_move;
    end else if (s_ready) f_stage <= f_stage + 3'd1;
    if (rst) f_stage <= 3'd0;
    if (f_started) begin
      if (f_stage != 3'd0) a_inside: assert (|( \u_dut.valid & (7'd1 << (f_stage - 3'd1))));
      if (f_stage == 3'd1) a_1: assert (\u_dut.f_1 == \u_still.f_1 );
      if (f_stage == 3'd2) a_2: assert (\u_dut.f_2 == \u_still.f_2 );
      if (f_stage == 3'd3) a_3: assert (\u_dut.f_3 == \u_still.f_3 );
      if (f_stage == 3'd4) a_4: assert (\u_dut.f_4 == \u_still.f_4 );
      if (f_stage == 3'd5) a_5: assert (\u_dut.f_5 == \u_still.f_5 );
      if (f_stage == 3'd6) a_6: assert (\u_dut.f_6 == \u_still.f_6 );
      if (f_stage == 3'd7) begin
        a_7: assert (\u_dut.f_7 == \u_still.f_7 );
        a_valid: assert (m_valid);
        a_is_move: assert (m_is_move == is_move);
        if (is_move) a_index: assert (m_index == index);
        c_out: cover (m_ready && is_move);
      end
    end
  end

endmodule

`resetall
