// SPDX-License-Identifier: Apache-2.0
// ply11_player's start positions, in every mode, for any bytes, loads, idle and back-pressure, by induction and
// so for all time from a reset on: none is loaded between the last byte of a game and the NEW that brings
// the usual position for the next one.
//   Brenner, jose: a word of the load port is accepted in no game, with no NEW owed to a game that has ended or
//   to a position that was refused, and with no operation on its way; and no byte is taken from the first word
//   to the last.
//   Words: a row of a record comes when each NEW that is owed has passed the board's first six stages, and so
//   is written before it (see ply11_board); the load port takes nothing.
// The wires with dots are those of the instance (hierconn).

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_player_loads #(
  // All, so that the wires with dots are there.
  parameter MODES = 7,
  parameter LAYOUT = 0,
  parameter DIALECT = 0,
  parameter DEPTH = 0
) (
  input  wire        clk,
  input  wire        rst,
  input  wire [1:0]  mode,
  input  wire        numbering,
  input  wire        s_valid,
  input  wire [7:0]  s_data,
  input  wire        load_valid,
  input  wire [3:0]  load_addr,
  input  wire [31:0] load_data,
  input  wire        m_ready
);

  localparam [1:0] NEW = 2'd1;

  reg f_started;
  reg [1:0] f_mode;
  initial f_started = 1'b0;

  wire         s_ready, load_ready, in_game;
  ply11_player #(.MODES(MODES), .LAYOUT(LAYOUT), .DIALECT(DIALECT), .DEPTH(DEPTH)) u_dut (
    .clk(clk), .rst(rst), .mode(f_mode), .numbering(numbering),
    .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data),
    .load_valid(load_valid), .load_ready(load_ready), .load_addr(load_addr), .load_data(load_data),
    .m_ready(m_ready), .in_game(in_game)
  );

  // ---- what is on its way: in the board and before it ----
  (* hierconn *) wire       \u_dut.spare_valid_q , \u_dut.o_valid , \u_dut.board_ready , \u_dut.op_valid ;
  (* hierconn *) wire [12:0] \u_dut.spare_q ;
  (* hierconn *) wire [3:0] \u_dut.put_q , \u_dut.get_q ;
  (* hierconn *) wire       \u_dut.g_no_legal.u_board.o_free , \u_dut.g_no_legal.u_board.o_valid , \u_dut.g_no_legal.u_board.busy_q ;
  (* hierconn *) wire       \u_dut.g_no_legal.u_board.a_valid , \u_dut.g_no_legal.u_board.b_valid , \u_dut.g_no_legal.u_board.c_valid , \u_dut.g_no_legal.u_board.d_valid ;
  (* hierconn *) wire       \u_dut.g_no_legal.u_board.r_valid , \u_dut.g_no_legal.u_board.g_valid , \u_dut.g_no_legal.u_board.x_valid , \u_dut.g_no_legal.u_board.w_valid ;
  (* hierconn *) wire [1:0] \u_dut.g_no_legal.u_board.a_op , \u_dut.g_no_legal.u_board.b_op , \u_dut.g_no_legal.u_board.c_op , \u_dut.g_no_legal.u_board.d_op ;
  (* hierconn *) wire [1:0] \u_dut.g_no_legal.u_board.r_op , \u_dut.g_no_legal.u_board.g_op , \u_dut.g_no_legal.u_board.x_op , \u_dut.g_no_legal.u_board.w_op ;
  wire [7:0]   inside = {\u_dut.g_no_legal.u_board.a_valid , \u_dut.g_no_legal.u_board.b_valid , \u_dut.g_no_legal.u_board.c_valid , \u_dut.g_no_legal.u_board.d_valid ,
                         \u_dut.g_no_legal.u_board.r_valid , \u_dut.g_no_legal.u_board.g_valid , \u_dut.g_no_legal.u_board.x_valid , \u_dut.g_no_legal.u_board.w_valid };
  wire [7:0]   news = inside & {
      \u_dut.g_no_legal.u_board.a_op == NEW, \u_dut.g_no_legal.u_board.b_op == NEW, \u_dut.g_no_legal.u_board.c_op == NEW, \u_dut.g_no_legal.u_board.d_op == NEW,
      \u_dut.g_no_legal.u_board.r_op == NEW, \u_dut.g_no_legal.u_board.g_op == NEW, \u_dut.g_no_legal.u_board.x_op == NEW, \u_dut.g_no_legal.u_board.w_op == NEW};
  wire         spare_new = \u_dut.spare_valid_q && \u_dut.spare_q [12:11] == NEW;

  function [4:0] ones(input [7:0] bits);
    integer i;
    begin
      ones = 5'd0;
      for (i = 0; i < 8; i = i + 1) ones = ones + {4'd0, bits[i]};
    end
  endfunction

  // ---- in the codecs ----
  (* hierconn *) wire       \u_dut.g_brenner.u_brenner.p_valid , \u_dut.g_brenner.u_brenner.q_valid ;
  (* hierconn *) wire       \u_dut.g_brenner.u_brenner.r_valid , \u_dut.g_brenner.u_brenner.valid_q ;
  (* hierconn *) wire [1:0] \u_dut.g_brenner.u_brenner.p_kind , \u_dut.g_brenner.u_brenner.q_kind ;
  (* hierconn *) wire [1:0] \u_dut.g_brenner.u_brenner.r_kind , \u_dut.g_brenner.u_brenner.m_kind ;
  (* hierconn *) wire       \u_dut.g_brenner.u_brenner.renew_q , \u_dut.g_brenner.u_brenner.ending_q ;
  (* hierconn *) wire       \u_dut.g_brenner.u_brenner.load_state , \u_dut.g_brenner.u_brenner.load_bad ;
  (* hierconn *) wire       \u_dut.g_brenner.u_brenner.start_bad_q ;
  // NEWs in its stages, and those that are due in it.
  wire [7:0]   b_news = {2'd0,
      \u_dut.g_brenner.u_brenner.p_valid && \u_dut.g_brenner.u_brenner.p_kind == NEW, \u_dut.g_brenner.u_brenner.q_valid && \u_dut.g_brenner.u_brenner.q_kind == NEW,
      \u_dut.g_brenner.u_brenner.r_valid && \u_dut.g_brenner.u_brenner.r_kind == NEW, \u_dut.g_brenner.u_brenner.valid_q && \u_dut.g_brenner.u_brenner.m_kind == NEW,
      \u_dut.g_brenner.u_brenner.renew_q , \u_dut.g_brenner.u_brenner.ending_q };
  wire         b_refused = \u_dut.g_brenner.u_brenner.load_state && (\u_dut.g_brenner.u_brenner.load_bad || \u_dut.g_brenner.u_brenner.start_bad_q );
  (* hierconn *) wire       \u_dut.g_jose.u_jose.a_valid , \u_dut.g_jose.u_jose.c_valid ;
  (* hierconn *) wire       \u_dut.g_jose.u_jose.b_valid , \u_dut.g_jose.u_jose.valid_q ;
  (* hierconn *) wire [1:0] \u_dut.g_jose.u_jose.a_kind , \u_dut.g_jose.u_jose.c_kind ;
  (* hierconn *) wire [1:0] \u_dut.g_jose.u_jose.b_kind , \u_dut.g_jose.u_jose.m_kind ;
  (* hierconn *) wire       \u_dut.g_jose.u_jose.renew_q , \u_dut.g_jose.u_jose.ending_q ;
  (* hierconn *) wire       \u_dut.g_jose.u_jose.load_state , \u_dut.g_jose.u_jose.load_bad ;
  (* hierconn *) wire       \u_dut.g_jose.u_jose.start_bad_q ;
  // NEWs in its stages, and those that are due in it.
  wire [7:0]   j_news = {2'd0,
      \u_dut.g_jose.u_jose.a_valid && \u_dut.g_jose.u_jose.a_kind == NEW, \u_dut.g_jose.u_jose.c_valid && \u_dut.g_jose.u_jose.c_kind == NEW,
      \u_dut.g_jose.u_jose.b_valid && \u_dut.g_jose.u_jose.b_kind == NEW, \u_dut.g_jose.u_jose.valid_q && \u_dut.g_jose.u_jose.m_kind == NEW,
      \u_dut.g_jose.u_jose.renew_q , \u_dut.g_jose.u_jose.ending_q };
  wire         j_refused = \u_dut.g_jose.u_jose.load_state && (\u_dut.g_jose.u_jose.load_bad || \u_dut.g_jose.u_jose.start_bad_q );

  (* hierconn *) wire       \u_dut.g_words.u_words.valid_q , \u_dut.g_words.u_words.take ;
  (* hierconn *) wire [1:0] \u_dut.g_words.u_words.m_kind ;
  (* hierconn *) wire       \u_dut.g_words.u_words.renew_q , \u_dut.g_words.u_words.ending_q ;
  (* hierconn *) wire       \u_dut.g_words.u_words.refuse_q , \u_dut.g_words.u_words.open_q ;
  (* hierconn *) wire       \u_dut.g_words.u_words.reading_q , \u_dut.g_words.u_words.full_q ;
  (* hierconn *) wire       \u_dut.g_words.u_words.went_q , \u_dut.g_words.u_words.skip_q ;
  (* hierconn *) wire       \u_dut.g_words.u_words.finish , \u_dut.g_words.u_words.start_bad ;
  (* hierconn *) wire [2:0] \u_dut.g_words.u_words.state_q ;
  (* hierconn *) wire       \u_dut.record_valid , \u_dut.record_ready ;
  (* hierconn *) wire       \u_dut.g_words.u_words.fresh_q ;
  (* hierconn *) wire       \u_dut.g_words.u_words.is_result , \u_dut.g_words.u_words.is_open , \u_dut.g_words.u_words.is_close ;
  (* hierconn *) wire       \u_dut.g_words.u_words.is_text , \u_dut.g_words.u_words.is_nag , \u_dut.g_words.u_words.is_start ;
  wire [7:0]   w_news = {5'd0,
      \u_dut.g_words.u_words.valid_q && \u_dut.g_words.u_words.m_kind == NEW,
      \u_dut.g_words.u_words.renew_q , \u_dut.g_words.u_words.ending_q };
  wire         w_refused = \u_dut.g_words.u_words.finish && \u_dut.g_words.u_words.start_bad && !\u_dut.g_words.u_words.skip_q ;
  wire         row = \u_dut.record_valid && \u_dut.record_ready ;
  wire         in_start = \u_dut.g_words.u_words.state_q == 3'd4;

  // ---- variations: what is loaded for them comes inside a game ----
  (* hierconn *) wire [3:0] \u_dut.g_stack.u_stack.n_q ;
  (* hierconn *) wire       \u_dut.stack_valid ;
  (* hierconn *) wire [1:0] \u_dut.g_words.u_words.var_q , \u_dut.g_jose.u_jose.var_q ;
  (* hierconn *) wire       \u_dut.g_jose.u_jose.run_q , \u_dut.g_jose.u_jose.asked_q ;
  wire         stack_busy = DEPTH != 0 ? \u_dut.g_stack.u_stack.n_q != 4'd0 : 1'b0;

  wire         has_w = f_mode == 2'd0 && (MODES & 1) != 0;
  wire         has_b = f_mode == 2'd1 && (MODES & 2) != 0;
  wire         has_j = f_mode == 2'd2 && (MODES & 4) != 0;
  wire [7:0]   codec = has_w ? w_news : has_b ? b_news : j_news;
  (* hierconn *) wire       \u_dut.g_load.loading_q ;

  // ---- NEWs that are owed to the games that have ended and to the positions that were refused ----
  reg          f_took;          // a byte was taken in the clock before
  reg  [4:0]   f_owed;
  reg          f_loading;       // between the first word and the last
  wire         ended = f_took && !in_game;
  wire [4:0]   owed = f_owed + {4'd0, ended};
  wire         refused = has_w ? w_refused : has_b ? b_refused : j_refused;
  wire         left = \u_dut.g_no_legal.u_board.w_valid && \u_dut.g_no_legal.u_board.w_op == NEW && \u_dut.board_ready ;
  wire         accept = load_valid && load_ready;
  wire [3:0]   ring = \u_dut.put_q - \u_dut.get_q ;

  always @(posedge clk) begin
    f_started <= 1'b1;
    if (!f_started) assume (rst);
    // The mode may change only while rst is 1.
    if (rst) f_mode <= mode;
    f_took <= has_w ? \u_dut.g_words.u_words.take : s_valid && s_ready;
    f_owed <= owed + {4'd0, refused} - {4'd0, left};
    if (accept) f_loading <= !load_addr[3];
    if (rst) begin
      f_took <= 1'b0;
      f_owed <= 5'd0;
      f_loading <= 1'b0;
    end
    if (f_started && !rst) begin
      if (has_b || has_j) begin
        // 1. A word comes in no game, with no NEW owed and nothing on its way.
        if (accept) a_load: assert (!in_game && owed == 5'd0 && inside == 8'd0 && !\u_dut.op_valid && !\u_dut.stack_valid );
        // 2. From the first to the last no byte is taken.
        if (f_loading) a_byte: assert (!(s_valid && s_ready));
        a_stack: assert (!stack_busy || (has_j && \u_dut.g_jose.u_jose.run_q && !\u_dut.g_jose.u_jose.asked_q && \u_dut.g_jose.u_jose.var_q != 2'd0));
        a_var: assert (\u_dut.g_jose.u_jose.var_q == 2'd0 || in_game || has_b);
        a_loading: assert (f_loading == \u_dut.g_load.loading_q && !(f_loading && in_game));
      end else a_none: assert (!load_ready);
      if (has_w) begin
        // 3. A row comes with no NEW owed but those that have left the board's first six stages.
        if (row) a_row: assert (in_game && owed == ones({6'd0, news[1:0]}) && !\u_dut.op_valid );
        // What that stands on: one thing at a time.
        a_open: assert (ones({3'd0, \u_dut.g_words.u_words.var_q != 2'd0, \u_dut.g_words.u_words.open_q , \u_dut.g_words.u_words.renew_q || \u_dut.g_words.u_words.ending_q ,
                             \u_dut.g_words.u_words.refuse_q , in_start}) <= 5'd1);
        a_renew: assert (!(\u_dut.g_words.u_words.renew_q && \u_dut.g_words.u_words.ending_q ));
        a_start: assert (ones({5'd0, \u_dut.g_words.u_words.reading_q , \u_dut.g_words.u_words.full_q , \u_dut.g_words.u_words.went_q })
                         <= {4'd0, in_start});
        a_bracket: assert (!stack_busy || (\u_dut.g_words.u_words.var_q != 2'd0 && !\u_dut.g_words.u_words.valid_q ));
        a_went: assert (!\u_dut.g_words.u_words.went_q || \u_dut.g_words.u_words.skip_q || !\u_dut.g_words.u_words.valid_q );
        a_word: assert (!\u_dut.g_words.u_words.fresh_q || ones({2'd0, \u_dut.g_words.u_words.is_result , \u_dut.g_words.u_words.is_open , \u_dut.g_words.u_words.is_close ,
                             \u_dut.g_words.u_words.is_text , \u_dut.g_words.u_words.is_nag , \u_dut.g_words.u_words.is_start }) <= 5'd1);
        a_game: assert (!in_start || in_game);
        a_state: assert (\u_dut.g_words.u_words.state_q <= 3'd4);
      end
      // What all stand on: where NEWs can be, how many operations are on their way, what the board tells of itself.
      a_owed: assert (owed == ones(codec) + ones(news) + {4'd0, spare_new});
      a_ring: assert ({1'b0, ring} == ones(inside) + {4'd0, \u_dut.spare_valid_q } + {4'd0, \u_dut.o_valid });
      a_free: assert (\u_dut.g_no_legal.u_board.o_free == !\u_dut.g_no_legal.u_board.o_valid );
      a_busy: assert (\u_dut.g_no_legal.u_board.busy_q || inside[7:2] == 6'd0);
    end
  end

endmodule

`resetall
