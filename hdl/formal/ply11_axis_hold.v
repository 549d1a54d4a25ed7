// SPDX-License-Identifier: Apache-2.0
// The streams of ply11_player_axis, for any packets, modes, loads, idle and back-pressure, by induction and
// so for all time: a beat on m_axis that is not taken waits unchanged, with the whole position, while a
// packet is played, which is until 64 clocks after its last beat in which nothing came; so does a byte on
// m_axis_text, always. Both do so, too, while software resets the player. The wires with dots are those of the instance (hierconn).

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_axis_hold #(
  parameter MODES = 1,
  parameter WIDTH = 8,
  parameter DEPTH = 0
) (
  input  wire               clk,
  input  wire               rst,
  input  wire               reset,
  input  wire               restart,
  input  wire [1:0]         mode,
  input  wire               numbering,
  input  wire               s_valid,
  input  wire [WIDTH-1:0]   s_data,
  input  wire [WIDTH/8-1:0] s_keep,
  input  wire               s_last,
  input  wire               load_valid,
  input  wire [3:0]         load_addr,
  input  wire [31:0]        load_data,
  input  wire               m_ready,
  input  wire               t_ready
);

  wire         s_ready, load_ready, m_valid, m_last, t_valid, t_last, side, in_game;
  wire [127:0] m_data;
  wire [7:0]   t_data;
  wire [34:0]  t_user;
  wire [255:0] board;
  wire [3:0]   rights, ep;
  wire [15:0]  ply;
  ply11_player_axis #(.MODES(MODES), .WIDTH(WIDTH), .DEPTH(DEPTH)) u_dut (
    .aclk(clk), .aresetn(!rst), .reset(reset), .restart(restart), .mode(mode), .numbering(numbering),
    .s_axis_tvalid(s_valid), .s_axis_tready(s_ready), .s_axis_tdata(s_data), .s_axis_tkeep(s_keep),
    .s_axis_tlast(s_last),
    .load_valid(load_valid), .load_ready(load_ready), .load_addr(load_addr), .load_data(load_data),
    .m_axis_tvalid(m_valid), .m_axis_tready(m_ready), .m_axis_tdata(m_data), .m_axis_tlast(m_last),
    .m_axis_text_tvalid(t_valid), .m_axis_text_tready(t_ready), .m_axis_text_tdata(t_data),
    .m_axis_text_tlast(t_last), .m_axis_text_tuser(t_user),
    .board(board), .side(side), .rights(rights), .ep(ep), .ply(ply), .in_game(in_game)
  );

  (* hierconn *) wire [1:0] \u_dut.state_q ;
  localparam [1:0] OPEN = 2'd1, FLUSH = 2'd2;
  wire         up = !rst;
  wire         plays = \u_dut.state_q == OPEN || \u_dut.state_q == FLUSH;

  // m_axis_tdata's depth is about variations.
  wire [378:0] beat = {m_last, m_data[127:117], m_data[111:0], board[254:0]};
  wire [43:0]  text = {t_last, t_data, t_user};
  reg          f_started, f_wait, f_text_wait;
  reg  [378:0] f_beat;
  reg  [43:0]  f_text;
  initial f_started = 1'b0;
  always @(posedge clk) begin
    f_started <= 1'b1;
    if (!f_started) assume (rst);
    f_wait <= m_valid && !m_ready && up && f_started && plays;
    f_beat <= beat;
    f_text_wait <= t_valid && !t_ready && up && f_started;
    f_text <= text;
    if (f_started) begin
      if (f_wait) a_beat: assert (m_valid && beat == f_beat);
      if (f_text_wait) a_text: assert (t_valid && text == f_text);
    end
  end

endmodule

`resetall
