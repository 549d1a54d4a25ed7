// SPDX-License-Identifier: Apache-2.0
// ply11_cbf - reads games in ChessBase's move bytes of 1993 (CBF) and gives operations for ply11_board.
// Files: those of ply11_cbf.f.
// The input has three parts for each game. First comes its list of moves, decrypted. In it, ff opens a variation in place of the move
// before it, and 80 closes it. Any other byte is the number of a move; its bit 7 says that there is a comment. Then comes the byte 00, which
// no list has. Then comes the result: byte 1 of the record's header. 10 is another; else bits 1 and 0 count: 0 0-1, 1 1/2-1/2,
// 2 1-0, 3 another.
//
// A file numbers its moves in one of two ways, and does not say in which. numbering says it: 0 as in the format's description, 1 as CBASCII
// did. It counts when the first byte of a game is taken. With the wrong one, some games play on to their end, with legal moves that were not played.
//
// A number says nothing without its position. So a move waits until no operation is on its way (idle is 1). Then ply11_chessbase counts
// in the position on the board. No byte is taken meanwhile.
// Throughput: about 120 clocks a move, with the time that ply11_board takes for the move before; 32 a bracket. A byte that is
// stepped over takes one clock.
// Handshake: the m_ outputs are registers. They do not change while m_valid is 1 and m_ready is 0. s_ready comes from registers alone.
//
// m_kind 0 PLY   m_index is a move. The board still has to accept it.
//        1 NEW   the next game begins. It comes after each END, and after a start position that is refused.
//        2 END   m_code is the result: 0 0-1, 1 1/2-1/2, 2 1-0, 3 another.
//        3 ERROR m_code: 7 out of place: a variation without a move before it, the end of a variation that did not begin, the end of
//                the game inside a variation; 8 operand: no move has the number; 9 the start position that was loaded is malformed
//                (at the game's first byte); 10 a variation inside DEPTH others
// m_offset is the number, from 0, of the byte; of END it is that of the byte 00. After an ERROR, that game gives only its END: bytes are
// stepped over until 00. With DEPTH 0, variations are stepped over by their brackets; more than 255 inside each other are an
// error 7. A variation may be empty. in_game is 1 from the first byte of a game to its result.
//
// open asks for the position before the last ply on the board. close asks for the position that was kept. They stay 1 until
// done was 1 for a clock (see ply11_stack).
// quiet is 1 when no game has begun, no operation is under way, and none is due. A start position is loaded into the board while
// quiet is 1. Then load_state is 1, with the en passant file (0 none, 1..8) and load_bad, which is 1 if the position is malformed. Offer
// no byte meanwhile.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_cbf #(
  // Variations inside each other that are followed, 0..31.
  parameter DEPTH = 0
) (
  input  wire         clk,         // the clock; all ports belong to its rising edge
  input  wire         rst,         // synchronous reset, active high

  input  wire         numbering,   // of moves, at a game's first byte: 0 of the document, 1 of CBASCII

  input  wire         s_valid,     // 1: a byte is offered
  output wire         s_ready,     // 1: the byte is taken in this clock if s_valid is 1
  input  wire [7:0]   s_data,      // the byte

  output wire         m_valid,     // 1: a beat is offered; it stays, unchanged, until m_ready is 1
  input  wire         m_ready,     // 1: the beat is taken in this clock if m_valid is 1
  output reg  [1:0]   m_kind,      // 0 PLY, 1 NEW, 2 END, 3 ERROR
  output reg  [3:0]   m_code,      // of END the result, 0 0-1, 1 1/2-1/2, 2 1-0, 3 another; of ERROR the code
  output reg  [10:0]  m_index,     // of PLY: the index of the move
  output reg  [31:0]  m_offset,    // number of the byte, from 0, in the stream
  output wire         in_game,     // 1: from the first byte of a game to its end

  // The position, as ply11_board has it.
  input  wire         idle,        // 1: no operation is on its way, and the position stays
  input  wire [255:0] board,     // piece on square s at 4*s +: 4: 0 none, 1 king .. 6 pawn, 8 more for Black
  input  wire         side,        // side to move: 0 White, 1 Black

  output wire         open,        // 1: asks for the position before the last ply; until done
  output wire         close,       // 1: asks for the position kept last; until done
  input  wire         done,        // 1: it is on the board

  output wire         quiet,       // 1: no game has begun and no operation is under way
  input  wire         load_state,  // 1: the last clock of a start position
  input  wire [3:0]   load_ep,     // with load_state: 0, or the en passant file, 1..8
  input  wire         load_bad     // with load_state: 1 if the position is malformed
);

  generate
    if (DEPTH < 0 || DEPTH > 31) begin : g_check_depth
      ply11_cbf_depth_is_0_to_31 u_check ();
    end
  endgenerate

  localparam [1:0] PLY = 2'd0, NEW = 2'd1, END = 2'd2, ERROR = 2'd3;
  localparam [3:0] ERR_PLACE = 4'd7, ERR_OPERAND = 4'd8, ERR_START = 4'd9, ERR_DEPTH = 4'd10;

  reg        valid_q;
  reg        result_q;      // the next byte is the result
  reg        begun_q;       // a byte of this game came
  reg        cbascii_q;     // numbering of this game
  reg        moved_q;       // a move of this line came
  reg        skip_q;        // after an error, until the end
  reg        renew_q;       // a NEW is due
  reg        run_q;         // a move is wanted
  reg        asked_q;       // and is being counted
  reg  [6:0] number_q;      // its number
  reg  [7:0] nest_q;        // open variations
  reg        nested_q;      // nest_q != 0
  reg  [1:0] var_q;         // a bracket is followed: bit 0 open, bit 1 close
  reg        start_bad_q;   // the position that was loaded
  reg [31:0] count_q;
  reg  [3:0] settle_q;      // clocks until the outputs show what was loaded
  // ep as ply11_chessbase counts with it, and as it was before the last move.
  reg  [3:0] ep_q, before_q;

  assign m_valid = valid_q;
  assign in_game = begun_q;
  assign open = var_q[0];
  assign close = var_q[1];
  assign quiet = !(begun_q || renew_q || valid_q);
  assign s_ready = !(valid_q || run_q || renew_q || var_q != 2'd0);

  wire [7:0] d = s_data;
  wire       take = s_valid && s_ready;
  wire       byte_ = take && !result_q;
  wire       is_end = d == 8'h00;
  wire       is_open = d == 8'hff;
  wire       is_close = d == 8'h80;
  wire       is_move = !is_open && d[6:0] != 7'd0;

  // Errors of the grammar.
  wire       bad_start = !begun_q && start_bad_q;
  wire       too_deep = is_open && (DEPTH != 0 ? nest_q == DEPTH[7:0] : nest_q == 8'hff);
  wire       misplaced = (is_open && !moved_q) || (is_close && !nested_q) || (is_end && nested_q) || (DEPTH == 0 && too_deep);
  wire       wrong = bad_start || misplaced || too_deep;
  wire       fails = byte_ && !skip_q && wrong;
  wire       follows = byte_ && !skip_q && !wrong;

  // ---- the move ----
  wire        found, none;
  wire [10:0] index;
  wire [3:0]  ep;
  /* verilator lint_off PINCONNECTEMPTY */
  ply11_chessbase u_chessbase (
    .clk(clk), .rst(rst),
    .s_valid(run_q && !asked_q && idle && settle_q == 4'd0), .s_ready(), .s_number(number_q), .cbascii(cbascii_q),
    .board(board), .side(side), .ep(ep_q),
    .m_valid(found), .m_ready(1'b1), .m_none(none), .m_index(index), .m_ep(ep)
  );
  /* verilator lint_on PINCONNECTEMPTY */

  // ---- the en passant file of what a variation stands in place of ----
  wire [7:0]  page;
  generate
    if (DEPTH != 0) begin : g_pages
      localparam PAGE = DEPTH > 16 ? 5 : DEPTH > 8 ? 4 : DEPTH > 4 ? 3 : DEPTH > 2 ? 2 : 1;
      reg  [7:0] pages [0:(1 << PAGE) - 1];
      reg  [7:0] page_q;
      wire [PAGE-1:0] below = nest_q[PAGE-1:0] - 1'b1;
      always @(posedge clk) begin
        if (done && var_q[0]) pages[below] <= {before_q, ep_q};
        page_q <= pages[nest_q[PAGE-1:0]];
      end
      assign page = page_q;
    end else begin : g_no_pages
      assign page = 8'd0;
    end
  endgenerate

  always @(posedge clk) begin
    if (m_ready) valid_q <= 1'b0;
    if (settle_q != 4'd0) settle_q <= settle_q - 4'd1;
    if (renew_q && !valid_q) begin
      valid_q <= 1'b1;
      m_kind <= NEW;
      renew_q <= 1'b0;
      ep_q <= 4'd0;
    end
    if (run_q && idle && settle_q == 4'd0) asked_q <= 1'b1;
    if (found) begin
      valid_q <= 1'b1;
      m_kind <= none ? ERROR : PLY;
      m_code <= ERR_OPERAND;
      m_index <= none ? 11'd0 : index;
      run_q <= 1'b0;
      asked_q <= 1'b0;
      if (none) skip_q <= 1'b1;
      {before_q, ep_q} <= {ep_q, ep};
    end
    if (take) begin
      count_q <= count_q + 32'd1;
      begun_q <= 1'b1;
      if (!begun_q) cbascii_q <= numbering;
      start_bad_q <= 1'b0;
    end
    if (take && result_q) begin
      valid_q <= 1'b1;
      m_kind <= END;
      // The converter CBASCII writes 10 into games without a result.
      m_code <= {2'd0, d == 8'h10 ? 2'd3 : d[1:0]};
      m_index <= 11'd0;
      renew_q <= 1'b1;
      result_q <= 1'b0;
      begun_q <= 1'b0;
      moved_q <= 1'b0;
      skip_q <= 1'b0;
      nest_q <= 8'd0;
      nested_q <= 1'b0;
    end
    if (byte_) begin
      m_offset <= count_q;
      number_q <= d[6:0];
      result_q <= is_end;
    end
    if (fails) begin
      valid_q <= 1'b1;
      m_kind <= ERROR;
      m_code <= bad_start ? ERR_START : misplaced ? ERR_PLACE : ERR_DEPTH;
      m_index <= 11'd0;
      skip_q <= 1'b1;
    end
    if (follows) begin
      if (is_move) begin
        moved_q <= 1'b1;
        run_q <= DEPTH != 0 || !nested_q;
      end
      if (is_open) begin
        moved_q <= 1'b0;
        nest_q <= nest_q + 8'd1;
        nested_q <= 1'b1;
      end
      if (is_close) begin
        moved_q <= 1'b1;
        nest_q <= nest_q - 8'd1;
        nested_q <= nest_q != 8'd1;
      end
      if (DEPTH != 0) var_q <= {is_close, is_open};
    end
    if (done) begin
      var_q <= 2'd0;
      settle_q <= 4'd15;
      if (var_q[0]) ep_q <= before_q;
      if (var_q[1]) {before_q, ep_q} <= page;
    end
    if (load_state) begin
      settle_q <= 4'd15;
      ep_q <= load_ep;
      start_bad_q <= load_bad;
      // What was loaded of it does not stay on the board.
      renew_q <= load_bad;
    end
    if (rst) begin
      valid_q <= 1'b0;
      result_q <= 1'b0;
      begun_q <= 1'b0;
      moved_q <= 1'b0;
      skip_q <= 1'b0;
      renew_q <= 1'b0;
      run_q <= 1'b0;
      asked_q <= 1'b0;
      nest_q <= 8'd0;
      nested_q <= 1'b0;
      var_q <= 2'd0;
      start_bad_q <= 1'b0;
      count_q <= 32'd0;
      settle_q <= 4'd15;
      ep_q <= 4'd0;
    end
  end

`ifdef FORMAL
  // For any bytes, positions and back-pressure, and a stack that answers when it is asked:
  // 1. What is offered stays until it is taken, and no byte is taken meanwhile.
  // 2. A bracket is asked for until done comes, one at a time, and no operation is offered meanwhile.
  // 3. A move is wanted inside a game alone, with nothing else on its way; it is counted when it was asked for.
  // 4. Of a game comes one END, with nothing left of it.
  reg         f_started, f_stall;
  reg  [1:0]  f_var;
  reg  [48:0] f_beat;
  initial f_started = 1'b0;
  always @(posedge clk) begin
    f_started <= 1'b1;
    if (!f_started) assume (rst);
    if (var_q == 2'd0) assume (!done);
    if (!quiet || s_valid) assume (!load_state);
    f_stall <= f_started && m_valid && !m_ready && !rst;
    f_beat <= {m_kind, m_code, m_index, m_offset};
    f_var <= var_q & {2{f_started && !done && !rst}};
    if (f_started) begin
      if (f_stall) a_1: assert (m_valid && {m_kind, m_code, m_index, m_offset} == f_beat);
      a_1_byte: assert (!(m_valid && s_ready));
      a_2: assert (!(open && close) && !(m_valid && (open || close)));
      if (f_var != 2'd0) a_2_until: assert (var_q == f_var);
      a_3: assert (!(run_q && (m_valid || renew_q || var_q != 2'd0 || !begun_q)) && (!asked_q || run_q) && (!found || asked_q));
      if (m_valid && m_kind == END) a_4: assert (!begun_q && nest_q == 8'd0 && !skip_q && !result_q && renew_q);
      a_4_nested: assert (nested_q == (nest_q != 8'd0));
    end
  end
`endif

endmodule

`resetall
