// SPDX-License-Identifier: Apache-2.0
// A pulse of ply11_match comes if and only if a beat has the pattern, whatever the pattern is: from any state of the registers, for any
// beats, clears, idle and back-pressure, while no word is written and rst is 0. The pattern is told here square
// by square as the header has it: the pieces of a set bit by bit, as sixteen pieces at once. A pulse comes three clocks in which the stages move after the beat was taken;
// with ON 1 a PLY is offered if and only if it has the pattern; and a beat that waits stays. See also ply11_match_count. ok is 0 where one of this fails, from the fifth clock on in which the stages move.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_match_pattern (
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
  input  wire [3:0]   s_user,
  input  wire         m_ready,
  input  wire         clear,
  output wire         ok
);

  wire        s_ready, m_valid, m_last, hit;
  wire [1:0]  m_kind;
  wire [31:0] m_game, hits;
  wire [15:0] m_ply;
  wire [3:0]  m_user;
  ply11_match #(.USER_WIDTH(4)) u_dut (
    .clk(clk), .rst(1'b0), .set_valid(set_valid), .set_addr(set_addr), .set_data(set_data), .clear(clear),
    .s_valid(s_valid), .s_ready(s_ready), .s_kind(s_kind),
    // A PLY ends no game.
    .s_last(s_last && s_kind != 2'd0), .s_main(s_main),
    .board(board), .side(side), .ply(ply), .s_user(s_user),
    .m_valid(m_valid), .m_ready(m_ready), .m_kind(m_kind), .m_last(m_last), .m_game(m_game), .m_ply(m_ply), .m_user(m_user),
    .hit(hit), .hits(hits)
  );

  (* hierconn *) wire [511:0] \u_dut.square_q ;
  (* hierconn *) wire [15:0]  \u_dut.to_first_q , \u_dut.to_last_q ;
  (* hierconn *) wire         \u_dut.on_q , \u_dut.white_q , \u_dut.black_q ;

  // The pieces in which a bit is 1, of all sixteen.
  localparam [63:0] ONE = {16'hff00, 16'hf0f0, 16'hcccc, 16'haaaa};

  reg  [63:0] there;
  reg  [15:0] pieces, one;
  integer     s, b;
  always @* begin
    for (s = 0; s < 64; s = s + 1) begin
      pieces = 16'hffff;
      for (b = 0; b < 4; b = b + 1) begin
        one = ONE[16*b +: 16];
        case ( \u_dut.square_q [8*s + 2*b +: 2])
          2'd3: pieces = pieces;
          2'd2: pieces = pieces & one;
          2'd1: pieces = pieces & ~one;
          default: pieces = b == 0 ? 16'd0 : b == 3 ? ~pieces : pieces | one;
        endcase
      end
      there[s] = pieces[board[4*s +: 4]];
    end
  end

  wire [16:0] first = 17'h10000 - { 1'b0, \u_dut.to_first_q };
  wire [16:0] last = 17'h0ffff - { 1'b0, \u_dut.to_last_q };
  wire        has = s_valid && s_kind == 2'd0 && s_main && (&there) && {1'b0, ply} >= first && {1'b0, ply} <= last
                    && (side ? \u_dut.black_q : \u_dut.white_q );

  reg  [2:0]  f_age;
  reg         f_set;             // a word was written: the pattern is another
  initial f_age = 3'd0;
  initial f_set = 1'b0;
  reg         f_a, f_b, f_hit, f_shown, f_wait;
  reg  [54:0] f_beat;
  wire [54:0] beat = {m_kind, m_last, m_game, m_ply, m_user};
  always @(posedge clk) begin
    f_set <= f_set || set_valid;
    if (f_age != 3'd4) f_age <= f_age + 3'd1;
    if (!s_ready) f_age <= f_age;
    f_hit <= 1'b0;
    if (s_ready) begin
      {f_a, f_b, f_hit, f_shown} <= {has, f_a, f_b, f_b};
    end
    f_wait <= m_valid && !m_ready;
    f_beat <= beat;
  end
  assign ok = f_age != 3'd4 || f_set || (hit == f_hit && (!f_hit || m_valid)
                                && (! \u_dut.on_q || (m_valid && m_kind == 2'd0) == f_shown)
                                && (!f_wait || (m_valid && beat == f_beat)));

endmodule

`resetall
