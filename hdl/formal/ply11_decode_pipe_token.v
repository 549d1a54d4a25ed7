// SPDX-License-Identifier: Apache-2.0
// ply11_decode_pipe, for all time and any idle and back-pressure, from a reset on: of any one transfer,
// chosen by the prover, comes out what the combinational ply11_decode makes of it, after four clocks
// with s_ready.
//
// By induction: while the chosen transfer is in stage k, the registers of stage k are those of a second
// pipeline that is given that transfer alone, and never waits. So what is said of the stages takes no
// word of their logic. The wires with dots are those of the instances (hierconn).

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_decode_pipe_token #(
  parameter HANDSHAKE = 1
) (
  input  wire        clk,
  input  wire        rst,
  input  wire        s_valid,
  input  wire        m_ready,
  input  wire        choose,
  input  wire [10:0] s_index
);

  wire        s_ready, m_valid, m_is_move, is_move;
  wire [5:0]  m_from, m_to, from, to;
  wire [2:0]  m_promotion, promotion;
  ply11_decode_pipe #(.HANDSHAKE(HANDSHAKE)) u_dut (
    .clk(clk), .rst(rst),
    .s_valid(s_valid), .s_ready(s_ready), .s_index(s_index),
    .m_valid(m_valid), .m_ready(m_ready), .m_from(m_from), .m_to(m_to), .m_promotion(m_promotion),
    .m_is_move(m_is_move)
  );

  // Where the chosen one is: 1 to 4, 0 before and after.
  reg  [2:0]  f_stage;
  reg  [10:0] f_index;
  wire        still_ready, still_valid, still_is_move;
  wire [5:0]  still_from, still_to;
  wire [2:0]  still_promotion;
  ply11_decode_pipe #(.HANDSHAKE(0)) u_still (
    .clk(clk), .rst(rst),
    .s_valid(1'b1), .s_ready(still_ready), .s_index(f_stage == 3'd0 ? s_index : f_index),
    .m_valid(still_valid), .m_ready(1'b1), .m_from(still_from), .m_to(still_to),
    .m_promotion(still_promotion), .m_is_move(still_is_move)
  );

  ply11_decode u_decode (.index(f_index), .from(from), .to(to), .promotion(promotion), .is_move(is_move));

  (* hierconn *) wire [3:0]  \u_dut.valid ;
  (* hierconn *) wire [20:0] \u_dut.f_1 , \u_still.f_1 ;
  (* hierconn *) wire [29:0] \u_dut.f_2 , \u_still.f_2 ;
  (* hierconn *) wire [16:0] \u_dut.f_3 , \u_still.f_3 ;
  (* hierconn *) wire [15:0] \u_dut.f_4 , \u_still.f_4 ;

  reg f_started;
  initial f_started = 1'b0;
  always @(posedge clk) begin
    f_started <= 1'b1;
    if (f_stage == 3'd0) begin
      if (s_valid && s_ready && choose) f_stage <= 3'd1;
      f_index <= s_index;
    end else if (s_ready) f_stage <= f_stage == 3'd4 ? 3'd0 : f_stage + 3'd1;
    if (rst) f_stage <= 3'd0;
    if (f_started) begin
      a_stage: assert (f_stage <= 3'd4);
      if (f_stage != 3'd0) a_inside: assert (|( \u_dut.valid & (4'd1 << (f_stage - 3'd1))));
      if (f_stage == 3'd1) a_1: assert (\u_dut.f_1 == \u_still.f_1 );
      if (f_stage == 3'd2) a_2: assert (\u_dut.f_2 == \u_still.f_2 );
      if (f_stage == 3'd3) a_3: assert (\u_dut.f_3 == \u_still.f_3 );
      if (f_stage == 3'd4) begin
        a_4: assert (\u_dut.f_4 == \u_still.f_4 );
        a_valid: assert (m_valid);
        a_is_move: assert (m_is_move == is_move);
        if (is_move) a_move: assert (m_from == from && m_to == to && m_promotion == promotion);
        c_out: cover (m_ready && is_move);
      end
    end
  end

endmodule

`resetall
