// SPDX-License-Identifier: Apache-2.0
// The counts of ply11_match, from any state of the registers and for all time, for any pattern, beats, clears, idle and back-pressure, while rst is 0:
//   1. hits grows a clock after each pulse, and is 0 after clear; a pulse comes with a beat that is offered;
//   2. the next beat that comes to be offered after a clear, also in the next clock, has game 1, and each one the number of the beat before it, or
//      one more where that ended its game.
// With ON 0 or 1: beats that are left out count, too. ok is 0 where one of this fails.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_match_count (
  input  wire         clk,
  input  wire         set_valid,
  input  wire [4:0]   set_addr,
  input  wire [31:0]  set_data,
  input  wire         s_valid,
  input  wire [1:0]   s_kind,
  input  wire         s_last,
  input  wire         s_main,
  input  wire [255:0] board,
  input  wire         side,
  input  wire [15:0]  ply,
  input  wire [11:0]  s_user,
  input  wire         m_ready,
  input  wire         clear,
  output wire         ok
);

  wire        s_ready, m_valid, m_last, hit;
  wire [1:0]  m_kind;
  wire [31:0] m_game, hits;
  wire [15:0] m_ply;
  wire [11:0] m_user;
  ply11_match #(.USER_WIDTH(12)) u_dut (
    .clk(clk), .rst(1'b0), .set_valid(set_valid), .set_addr(set_addr), .set_data(set_data), .clear(clear),
    .s_valid(s_valid), .s_ready(s_ready), .s_kind(s_kind), .s_last(s_last), .s_main(s_main),
    .board(board), .side(side), .ply(ply), .s_user(s_user),
    .m_valid(m_valid), .m_ready(m_ready), .m_kind(m_kind), .m_last(m_last), .m_game(m_game), .m_ply(m_ply), .m_user(m_user),
    .hit(hit), .hits(hits)
  );

  // The beats in the two stages before that which is offered are known when these have moved twice.
  reg  [1:0]  f_age;
  initial f_age = 2'd0;
  reg         f_a_valid, f_b_valid, f_a_last, f_b_last;
  // The last beat that left these stages: the number of its game, and whether it ended it. The number is what a clear makes it, or what m_game
  // shows of the first beat that left them.
  reg         f_known, f_shown, f_ended;
  reg  [31:0] f_games;
  wire [31:0] f_before = clear ? 32'd0 : f_known ? f_games : m_game;
  wire [31:0] f_game = f_ended || clear ? f_before + 32'd1 : f_before;
  // The beat that is offered.
  reg         f_m_known;
  reg  [31:0] f_m_game;
  initial {f_known, f_shown, f_m_known} = 3'd0;
  reg         f_second, f_clear, f_hit;
  initial f_second = 1'b0;
  reg  [31:0] f_hits;
  always @(posedge clk) begin
    if (s_ready) begin
      if (f_age != 2'd2) f_age <= f_age + 2'd1;
      {f_a_valid, f_a_last, f_b_valid, f_b_last} <= {s_valid, s_last, f_a_valid, f_a_last};
      if (f_b_valid && f_age == 2'd2)
        {f_games, f_m_game, f_ended, f_known, f_m_known, f_shown} <= {f_game, f_game, f_b_last, {2{f_known || f_shown || clear}}, 1'b1};
    end
    if (clear && !(s_ready && f_b_valid))
      {f_games, f_ended, f_known, f_shown} <= {32'd0, 1'b1, f_age == 2'd2, 1'b0};
    {f_second, f_clear, f_hit, f_hits} <= {1'b1, clear, hit, hits};
  end

  assign ok = !f_second || ((!hit || m_valid) && hits == (f_clear ? 32'd0 : f_hits + {31'd0, f_hit}) && (!f_m_known || !m_valid || m_game == f_m_game));

endmodule

`resetall
