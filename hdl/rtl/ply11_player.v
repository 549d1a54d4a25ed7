// SPDX-License-Identifier: Apache-2.0
// ply11_player - plays a stream of games: bytes in; plies, results, errors and the position out.
//
// Throughput: words, WIDTH 32 or 64: a word, and so a ply, a clock (one clock more a game); WIDTH 8 and
// Brenner: a byte a clock.  Latency: words, WIDTH 8: 12 clocks from the byte that completes a word;
// Brenner 11 clocks from the byte.
// Handshake: the player's pipeline is that of ply11_board: outputs come from registers and stay while
// m_valid is 1 and m_ready is 0; s_ready is combinational from m_ready.
//
// mode 0: eleven-bit words (the flat stream of INDEX.md, by ply11_words); mode 1: Brenner's bytes (the
// main layout or LAYOUT).  mode may change only while rst is 1.  A mode that MODES leaves out takes
// nothing and gives nothing.
//
// m_kind  0 PLY    m_index, m_from, m_to, m_promotion, m_man, m_captured (as in ply11_board)
//         2 END    of a game; m_result 0 0-1, 1 1/2-1/2, 2 1-0, 3 *
//         3 ERROR  m_error 1..6 from the board's check or the codec, 7 out of place, 8 operand,
//                  9 start position; m_index where there is one
// m_offset: number, from 0, of the byte in which the word or move begins (since rst; it wraps at 2**32).
// board, side, rights, ep, ply: the position after the beat offered; after ERROR the position held.
// After an ERROR the rest of that game gives nothing but its END; the next game plays.
// The usual initial position appears some clocks after an END's beat was taken.
// text_...: the bytes of Brenner's texts (see ply11_brenner).  in_game is 1 when a game has begun at
// the input and its result has not come.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_player #(
  // Bit 0: words, bit 1: Brenner.
  parameter MODES = 3,
  // Bits of the input: 8, or 32 or 64 with words alone; byte 0 is in the low bits.
  parameter WIDTH = 8,
  // Brenner's layout: 0 main, 1 alt, 2 alt-swapped, 3 alt-fixed.
  parameter LAYOUT = 0
) (
  input  wire             clk,
  input  wire             rst,

  input  wire             mode,

  input  wire             s_valid,
  output wire             s_ready,
  input  wire [WIDTH-1:0] s_data,

  output wire             m_valid,
  input  wire             m_ready,
  output wire [1:0]       m_kind,
  output wire [10:0]      m_index,
  output wire [5:0]       m_from,
  output wire [5:0]       m_to,
  output wire [2:0]       m_promotion,
  output wire [3:0]       m_man,
  output wire [3:0]       m_captured,
  output wire [1:0]       m_result,
  output wire [3:0]       m_error,
  output wire [31:0]      m_offset,

  output wire [255:0]     board,
  output wire             side,
  output wire [3:0]       rights,
  output wire [3:0]       ep,
  output wire [15:0]      ply,

  output wire             text_valid,
  output wire [7:0]       text_data,
  output wire             text_last,
  output wire             in_game
);

  localparam [1:0] PLY = 2'd0, NEW = 2'd1, END = 2'd2, ERROR = 2'd3;

  generate
    if (WIDTH != 8 && (MODES & 2) != 0) begin : g_check
      // Brenner's bytes come one a clock.
      ply11_player_needs_width_8 u_check ();
    end
  endgenerate

  // ---- the codecs ----
  wire        w_ready, w_valid, w_in_game, load_valid;
  /* verilator lint_off UNUSEDSIGNAL */
  wire        load_ready;
  /* verilator lint_on UNUSEDSIGNAL */
  wire [1:0]  w_kind;
  wire [3:0]  w_code, load_addr;
  wire [10:0] w_index;
  wire [31:0] w_offset, load_data;
  wire        b_ready, b_valid, b_in_game;
  wire [1:0]  b_kind;
  wire [3:0]  b_code;
  wire [10:0] b_index;
  wire [31:0] b_offset;
  wire        op_ready;

  generate
    if ((MODES & 1) != 0) begin : g_words
      wire        word_valid, word_ready;
      wire [10:0] word;
      ply11_unpack #(.WIDTH(WIDTH)) u_unpack (
        .clk(clk), .rst(rst), .skip_idle(1'b0),
        .s_valid(s_valid && !mode), .s_ready(w_ready), .s_data(s_data),
        .m_valid(word_valid), .m_ready(word_ready), .m_data(word)
      );
      ply11_words u_words (
        .clk(clk), .rst(rst),
        .s_valid(word_valid), .s_ready(word_ready), .s_data(word),
        .m_valid(w_valid), .m_ready(op_ready && !mode), .m_kind(w_kind), .m_code(w_code),
        .m_index(w_index), .m_offset(w_offset), .in_game(w_in_game),
        .load_valid(load_valid), .load_ready(load_ready), .load_addr(load_addr),
        .load_data(load_data)
      );
    end else begin : g_no_words
      assign w_ready = 1'b0;
      assign w_valid = 1'b0;
      assign w_in_game = 1'b0;
      assign w_kind = PLY;
      assign w_code = 4'd0;
      assign w_index = 11'd0;
      assign w_offset = 32'd0;
      assign load_valid = 1'b0;
      assign load_addr = 4'd0;
      assign load_data = 32'd0;
    end
    if ((MODES & 2) != 0) begin : g_brenner
      /* verilator lint_off UNUSEDSIGNAL */
      wire [447:0] men;
      /* verilator lint_on UNUSEDSIGNAL */
      ply11_brenner #(.LAYOUT(LAYOUT)) u_brenner (
        .clk(clk), .rst(rst),
        .s_valid(s_valid && mode), .s_ready(b_ready), .s_data(s_data[7:0]),
        .m_valid(b_valid), .m_ready(op_ready && mode), .m_kind(b_kind), .m_code(b_code),
        .m_index(b_index), .m_offset(b_offset), .in_game(b_in_game),
        .text_valid(text_valid), .text_data(text_data), .text_last(text_last), .men(men)
      );
    end else begin : g_no_brenner
      assign b_ready = 1'b0;
      assign b_valid = 1'b0;
      assign b_in_game = 1'b0;
      assign b_kind = PLY;
      assign b_code = 4'd0;
      assign b_index = 11'd0;
      assign b_offset = 32'd0;
      assign text_valid = 1'b0;
      assign text_data = 8'd0;
      assign text_last = 1'b0;
    end
  endgenerate

  assign s_ready = mode ? b_ready : w_ready;
  assign in_game = mode ? b_in_game : w_in_game;
  wire        op_valid = mode ? b_valid : w_valid;
  wire [1:0]  op_kind = mode ? b_kind : w_kind;
  wire [48:0] op_user = mode ? {b_kind, b_code, b_index, b_offset}
                             : {w_kind, w_code, w_index, w_offset};

  // ---- the board ----
  localparam [1:0] OP_MOVE = 2'd0, OP_NEW = 2'd1, OP_PASS = 2'd2;
  wire        o_valid, o_ready;
  wire [2:0]  o_error;
  wire [48:0] o_user;
  /* verilator lint_off UNUSEDSIGNAL */
  wire [1:0]  o_op;
  /* verilator lint_on UNUSEDSIGNAL */

  ply11_board #(.USER_WIDTH(49)) u_board (
    .clk(clk), .rst(rst),
    .s_valid(op_valid), .s_ready(op_ready),
    .s_op(op_kind == PLY ? OP_MOVE : op_kind == NEW ? OP_NEW : OP_PASS),
    .s_index(op_user[42:32]), .s_user(op_user),
    .load_valid(load_valid), .load_ready(load_ready), .load_addr(load_addr), .load_data(load_data),
    .m_valid(o_valid), .m_ready(o_ready), .m_op(o_op), .m_user(o_user), .m_error(o_error),
    .m_from(m_from), .m_to(m_to), .m_promotion(m_promotion), .m_man(m_man),
    .m_captured(m_captured),
    .board(board), .side(side), .rights(rights), .ep(ep), .ply(ply)
  );

  // ---- what is shown ----
  reg         bad_q;      // an error in this game has been shown
  wire [1:0]  o_kind = o_user[48:47];
  wire        refused = o_kind == PLY && o_error != 3'd0;
  wire        shown = o_kind == END || (!bad_q && o_kind != NEW);

  assign m_valid  = o_valid && shown;
  assign o_ready  = m_ready || !shown;
  assign m_kind   = refused ? ERROR : o_kind;
  assign m_index  = o_user[42:32];
  assign m_result = o_user[44:43] & {2{o_kind == END}};
  assign m_error  = refused ? {1'b0, o_error} : o_kind == ERROR ? o_user[46:43] : 4'd0;
  assign m_offset = o_user[31:0];

  always @(posedge clk) begin
    if (o_valid && o_ready) begin
      if (refused || o_kind == ERROR) bad_q <= 1'b1;
      if (o_kind == END) bad_q <= 1'b0;
    end
    if (rst) bad_q <= 1'b0;
  end

endmodule

`resetall
