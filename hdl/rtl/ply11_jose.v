// SPDX-License-Identifier: Apache-2.0
// ply11_jose - reads games in jose's byte code (GameText) and gives operations for ply11_board.
// Files: those of ply11_jose.f.
// Throughput: one byte a clock. The end of a game takes one clock more, for NEW. A bracket of a variation that is
// followed waits until all operations have left. It then takes 36 clocks.
// Latency: the operation of a byte is offered four clocks after the byte was accepted.
// Handshake: all stages move together, in each clock in which `en` = !m_valid || m_ready is 1. s_ready is `en`, except
// in the clocks named above. The m_ outputs are registers. They do not change while m_valid is 1 and m_ready is 0.
//
// m_kind 0 PLY   m_index is a move or the null move. The board still has to accept it.
//        1 NEW   the next game begins. It comes after each END, and after a start position that is refused.
//        2 END   the end code. m_code is the result: 0 0-1, 1 1/2-1/2, 2 1-0, 3 * or no result byte.
//        3 ERROR m_code says what is wrong:
//                1 the piece that the byte names is not alive, or is a pawn that was promoted, or is not yet there
//                4 the move leaves the board or leads nowhere, or it is a promotion and does not reach the last rank
//                5 castling, and the king is not at home    6 a reserved byte
//                7 out of place: a variation without a move before it; the end of a variation that did not begin; a
//                  result, or the end of the game, inside a variation; anything but the end after a result
//                8 operand: a second byte that is 0, or an offset that the piece does not have
//                9 the start position that was loaded cannot be numbered, or it is malformed (at the game's first byte)
//                10 a variation inside DEPTH others
// m_offset is the number, from 0, of the byte in which the move begins. After an ERROR, that game gives only its
// END: bytes, second bytes and texts are stepped over until the end code. A game that ends inside a variation
// gives ERROR and then END. If a piece moves whom the move just before has captured, the board finds the error.
// With DEPTH 0, variations are stepped over by their brackets. More than 255 inside each other are an error 7.
// A variation may be empty.
// NAGs are stepped over in both forms.
//
// A text goes out at the side port, in the clock in which its byte is accepted. With DIALECT 0, text_valid is 1 with
// each byte of the text; text_last is 1 with the NUL that ends it. With DIALECT 1, one byte stands for a text:
// text_valid and text_last are 1, and text_data is 0. text_kind is 0 for a comment, and 1..4 for a record of errors
// (bytes e1..e4). The module does not look into texts. in_game is 1 from the first byte of a game to its end.
//
// open asks for the position before the last ply on the board. close asks for the position that was kept. They stay 1
// until done was 1 for a clock (see ply11_stack).
// quiet is 1 when no game has begun, no operation is under way, and none is due.
// A start position is loaded while quiet is 1. First load_clear is 1. Then load_valid is 1 once for each square, in the
// order of the numbering: a8 to h8, then rank 7, down to h1. load_piece is as on the board; 0 is skipped. Then load_state
// is 1, with the side to move and the en passant file (0 none, 1..8). load_bad is 1 if the position is malformed in
// another way.
//
// Stages: s checks the grammar. a reads the piece's square. c makes the target and moves the pieces. b makes the index. m is the
// output. A piece has a slot: 0..7 pawns, also when promoted, 8 and 9 knights, 10 and 11 bishops, 12 and 13 rooks, 14 the
// queen, 15 the king. For variations, a memory keeps the pieces, one piece a clock. With each piece stands whether
// he fell in the last ply, and what takes the last ply back.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_jose #(
  // 0 document, 1 program.
  parameter DIALECT = 0,
  // Variations inside each other that are followed, 0..31.
  parameter DEPTH = 0
) (
  input  wire        clk,          // the clock; all ports belong to its rising edge
  input  wire        rst,          // synchronous reset, active high

  input  wire        s_valid,      // 1: a byte is offered
  output wire        s_ready,      // 1: the byte is taken in this clock if s_valid is 1 [from m_ready]
  input  wire [7:0]  s_data,       // the byte

  output wire        m_valid,      // 1: a beat is offered; it stays, unchanged, until m_ready is 1
  input  wire        m_ready,      // 1: the beat is taken in this clock if m_valid is 1
  output reg  [1:0]  m_kind,       // 0 PLY, 1 NEW, 2 END, 3 ERROR
  output reg  [3:0]  m_code,       // of END the result, 0 0-1, 1 1/2-1/2, 2 1-0, 3 *; of ERROR the code
  output reg  [10:0] m_index,      // of PLY: the index of the move
  output reg  [31:0] m_offset,     // number of the byte, from 0, in the stream
  output wire        in_game,      // 1: from the first byte of a game to its end

  output wire        text_valid,   // 1: a byte of a text, in the clock in which it is taken [from s_valid, m_ready]
  output wire [7:0]  text_data,    // the byte [from s_data]
  output wire        text_last,    // 1: the text ends here [from s_data]
  output wire [2:0]  text_kind,    // 0 a comment, 1..4 the record e1..e4

  output wire        open,         // 1: asks for the position before the last ply; until done
  output wire        close,        // 1: asks for the position kept last; until done
  input  wire        done,         // 1: it is on the board

  output wire        quiet,        // 1: no game has begun and no operation is under way
  input  wire        load_clear,   // 1: a start position begins
  input  wire        load_valid,   // 1: a square of it
  input  wire [5:0]  load_square,  // square, 0 a1 .. 63 h8
  input  wire [3:0]  load_piece,   // who stands there, 0 nobody
  input  wire        load_state,   // 1: the rest of it; this is its last clock
  input  wire        load_side,    // with load_state: side to move, 1 Black
  input  wire [3:0]  load_ep,      // with load_state: 0, or the en passant file, 1..8
  input  wire        load_bad      // with load_state: 1 if the position is malformed
);

  generate
    if (DIALECT < 0 || DIALECT > 1) begin : g_check_dialect
      ply11_jose_dialect_is_0_or_1 u_check ();
    end
    if (DEPTH < 0 || DEPTH > 31) begin : g_check_depth
      ply11_jose_depth_is_0_to_31 u_check ();
    end
  endgenerate

  localparam [1:0] PLY = 2'd0, NEW = 2'd1, END = 2'd2, ERROR = 2'd3;
  localparam [3:0] ERR_EMPTY = 4'd1, ERR_GEOMETRY = 4'd4, ERR_CASTLING = 4'd5, ERR_CODE = 4'd6, ERR_PLACE = 4'd7,
                   ERR_OPERAND = 4'd8, ERR_START = 4'd9, ERR_DEPTH = 4'd10;

  reg  a_valid, c_valid, b_valid, valid_q;
  wire en = !valid_q || m_ready;
  assign m_valid = valid_q;

  // ---- s: the grammar ----
  wire [7:0] d = s_data;
  reg        second_q;      // the next byte is a second byte
  reg  [4:0] first_q;       // the byte before it, from a0 on
  reg        text_q;        // inside a text
  reg  [2:0] text_kind_q;
  reg        begun_q;       // a byte of this game came
  reg        moved_q;       // a move of this line came
  reg        result_q;      // the result came
  reg  [1:0] score_q;       // which
  reg        skip_q;        // after an error, until the end
  reg        side_q;
  reg        renew_q;       // a NEW is due
  reg        ending_q;      // an END is due, then a NEW
  reg  [7:0] nest_q;        // open variations
  reg        nested_q;      // nest_q != 0
  reg  [1:0] var_q;         // a bracket waits, is followed: bit 0 open, bit 1 close
  reg        start_bad_q;   // the position that was loaded
  reg [31:0] count_q, first_at_q;

  assign in_game = begun_q;
  assign s_ready = en && !renew_q && !ending_q && var_q == 2'd0;
  wire take = s_valid && s_ready;

  wire byte_ = take && !text_q && !second_q;
  wire is_move = d < 8'h9b;
  wire is_castle = d[7:1] == 7'h4c;
  wire is_null = d == 8'h9a;
  wire is_pair = d[7:4] == 4'ha || d == 8'hb0;
  wire is_result = d[7:2] == 6'h34;
  wire is_text = d[7:3] == 5'h1c && (!d[2] || d[1:0] == 2'd0);
  wire is_open = d == 8'hf0;
  wire is_close = d == 8'hf1;
  wire is_end = d == 8'hff;
  wire is_reserved = d[7] && ((d[6:4] == 3'd1 && d[3:0] > 4'd10) || (d[6:4] == 3'd5 && d[3:2] != 2'd0)
                              || (d[6:4] == 3'd6 && d[3:0] > 4'd4)
                              || (d[6:4] == 3'd7 && !is_open && !is_close && !is_end));

  // Errors of the grammar.
  wire       bad_start = !begun_q && start_bad_q;
  wire       too_deep = is_open && (DEPTH != 0 ? nest_q == DEPTH[7:0] : nest_q == 8'hff);
  wire       misplaced = (result_q && !is_end) || (is_open && !moved_q) || (is_close && !nested_q)
                         || ((is_result || is_end) && nested_q) || (DEPTH == 0 && too_deep);
  wire       over = DEPTH != 0 && too_deep;
  wire       operand = take && second_q && !first_q[4];  // of a promotion or a promoted piece
  wire       bad_byte = byte_ && !skip_q && (bad_start || misplaced || over || is_reserved);
  wire       bad_operand = operand && !skip_q && d == 8'd0;
  wire       played = DEPTH != 0 || !nested_q;
  wire       is_ply = ((byte_ && is_move) || operand) && played && !skip_q;

  assign text_valid = take && (text_q || (DIALECT != 0 && byte_ && is_text));
  assign text_data = DIALECT != 0 ? 8'd0 : d;
  assign text_last = DIALECT != 0 || d == 8'd0;
  assign text_kind = DIALECT != 0 ? d[2:0] : text_kind_q;

  // Of the parts below.
  wire       var_end, var_opened, var_closed, was_side, load_full;

  reg  [1:0]  a_kind;
  reg  [3:0]  a_code;
  reg  [31:0] a_offset;
  reg         a_side, a_castle, a_long, a_null, a_promote, a_promoted;
  reg  [3:0]  a_slot;
  reg  [4:0]  a_off;
  reg  [1:0]  a_become;

  always @(posedge clk) begin
    if (en) begin
      a_valid <= renew_q || ending_q || is_ply || bad_byte || bad_operand || (byte_ && is_end);
      a_kind <= renew_q ? NEW : ending_q ? END : (bad_byte || bad_operand) ? ERROR
                : (byte_ && is_end) ? END : PLY;
      a_code <= ending_q || (byte_ && is_end && !bad_byte) ? {2'd0, result_q ? score_q : 2'd3}
                : operand ? ERR_OPERAND : bad_start ? ERR_START : misplaced ? ERR_PLACE : over ? ERR_DEPTH : ERR_CODE;
      a_offset <= (operand || ending_q) ? first_at_q : count_q;
      a_side <= side_q;
      a_castle <= !operand && is_castle;
      a_long <= d[0];
      a_null <= !operand && is_null;
      a_promote <= operand && !first_q[3];
      a_promoted <= operand && first_q[3];
      a_become <= d[1:0];
      if (operand) begin
        a_slot <= {1'b0, first_q[2:0]};
        a_off <= first_q[3] ? d[4:0] : {3'd0, d[3:2]};
      end else begin
        a_off <= {d[7:4] == 4'h8, d[3:0]};
        case (d[7:4])
          4'h0, 4'h1: begin
            a_slot <= {1'b0, d[4:2]};
            a_off <= {3'd0, d[1:0]};
          end
          4'h2: begin
            a_slot <= {3'b100, d[3]};
            a_off <= {2'd0, d[2:0]};
          end
          4'h3: a_slot <= 4'd10;
          4'h4: a_slot <= 4'd11;
          4'h5: a_slot <= 4'd12;
          4'h6: a_slot <= 4'd13;
          4'h7, 4'h8: a_slot <= 4'd14;
          default: begin
            a_slot <= 4'd15;
            a_off <= {2'd0, d[2:0]};
          end
        endcase
      end
      renew_q <= ending_q;
      ending_q <= 1'b0;
    end
    if (take) begin
      count_q <= count_q + 32'd1;
      begun_q <= 1'b1;
      start_bad_q <= 1'b0;
      if (text_q) begin
        if (d == 8'd0) text_q <= 1'b0;
      end else if (second_q) second_q <= 1'b0;
      else begin
        second_q <= is_pair;
        first_q <= d[4:0];
        first_at_q <= count_q;
        if (DIALECT == 0) begin
          text_q <= is_text;
          text_kind_q <= d[2:0];
        end
        if (is_result) begin
          result_q <= 1'b1;
          score_q <= d[1:0];
        end
        if (!skip_q && !bad_byte) begin
          if (is_open) begin
            nest_q <= nest_q + 8'd1;
            nested_q <= 1'b1;
            moved_q <= 1'b0;
          end
          if (is_close) begin
            nest_q <= nest_q - 8'd1;
            nested_q <= nest_q != 8'd1;
            moved_q <= 1'b1;
          end
          if (DEPTH != 0) var_q <= {is_close, is_open};
        end
        if (is_end) begin
          begun_q <= 1'b0;
          renew_q <= !bad_byte;
          ending_q <= bad_byte;
          side_q <= 1'b0;
          moved_q <= 1'b0;
          nest_q <= 8'd0;
          nested_q <= 1'b0;
          skip_q <= 1'b0;
          result_q <= 1'b0;
        end else if (bad_byte) skip_q <= 1'b1;
      end
      if (bad_operand) skip_q <= 1'b1;
      if (is_ply) side_q <= !side_q;
      if ((byte_ && is_move) || operand) moved_q <= 1'b1;
    end
    if (var_opened) side_q <= !side_q;
    if (var_closed) side_q <= was_side;
    if (var_end) var_q <= 2'd0;
    if (load_state) begin
      side_q <= load_side;
      start_bad_q <= load_bad || start_bad_q;
      // What was loaded of it does not stay on the board.
      if (load_bad || start_bad_q) renew_q <= 1'b1;
    end
    if (load_clear) start_bad_q <= 1'b0;
    if (load_valid && load_full) start_bad_q <= 1'b1;
    if (rst) begin
      a_valid <= 1'b0;
      second_q <= 1'b0;
      text_q <= 1'b0;
      begun_q <= 1'b0;
      moved_q <= 1'b0;
      result_q <= 1'b0;
      skip_q <= 1'b0;
      side_q <= 1'b0;
      renew_q <= 1'b0;
      ending_q <= 1'b0;
      nest_q <= 8'd0;
      nested_q <= 1'b0;
      var_q <= 2'd0;
      start_bad_q <= 1'b0;
      count_q <= 32'd0;
    end
  end

  // ---- variations: what is kept, step by step ----
  // The last ply and what it changed: the pieces's own part of that is with the pieces.
  reg  [24:0] last_q;
  wire [3:0]  last_ep = last_q[3:0];        // before it
  wire        last_promote = last_q[4];
  wire        last_null = last_q[5];
  wire        last_long = last_q[6];
  wire        last_castle = last_q[7];
  wire [5:0]  last_from = last_q[13:8];
  wire [3:0]  last_slot = last_q[17:14];
  wire [3:0]  now_ep = last_q[21:18];       // after it, set when it is kept
  assign      was_side = last_q[22];

  reg         run_q;
  reg         asked_q;                      // the board's part is done
  reg  [5:0]  k_q;                          // the step
  reg  [4:0]  depth_q;
  reg         bad_q, bad_index_q;           // an error found at c, at b, in this game
  wire        empty = !a_valid && !c_valid && !b_valid && !valid_q;
  assign      quiet = empty && !begun_q && !renew_q && !ending_q;
  wire        begin_ = var_q != 2'd0 && empty && !run_q;
  wire        hopeless = begin_ && (bad_q || bad_index_q);
  // Steps 1..32 move a piece each, 33 changes what else there is, 34 waits.
  wire        moving = run_q && k_q[5:0] != 6'd0 && k_q <= 6'd32;
  wire        put = moving && var_q[1];
  wire        turn = run_q && k_q == 6'd33;
  wire        finished = run_q && k_q == 6'd34 && (asked_q || done);
  wire [4:0]  piece = k_q[4:0] - 5'd1;
  assign var_opened = turn && var_q[0];
  assign var_closed = turn && var_q[1];
  assign var_end = hopeless || finished;
  assign open = run_q && var_q[0] && !asked_q;
  assign close = run_q && var_q[1] && !asked_q;

  always @(posedge clk) begin
    if (begin_ && !hopeless) begin
      run_q <= 1'b1;
      asked_q <= 1'b0;
      k_q <= 6'd0;
    end else if (run_q && k_q != 6'd34) k_q <= k_q + 6'd1;
    if (done) asked_q <= 1'b1;
    if (finished) run_q <= 1'b0;
    if (turn) depth_q <= var_q[0] ? depth_q + 5'd1 : depth_q - 5'd1;
    if (en && a_valid && a_kind == NEW) depth_q <= 5'd0;
    if (rst) begin
      run_q <= 1'b0;
      depth_q <= 5'd0;
    end
  end

  // ---- a: the piece is read; the pieces, a memory of them for variations ----
  reg  [1:0]  c_kind;
  reg  [3:0]  c_code, c_slot;
  reg  [31:0] c_offset;
  reg         c_side, c_castle, c_long, c_null, c_promote, c_promoted;
  reg         c_pawn, c_beyond;
  reg         c_by_file, c_by_rank;      // the target's file, rank is that of the offset
  reg  [3:0]  c_df, c_dr;                // if not: steps along file and rank, -7..7
  reg  [2:0]  c_off;
  reg  [1:0]  c_become;
  // {fell in the last ply, promoted, to what, alive, square}
  /* verilator lint_off UNUSEDSIGNAL */
  reg  [10:0] c_piece;
  /* verilator lint_on UNUSEDSIGNAL */

  wire [10:0] pieces [0:31];
  wire [4:0]  read = run_q ? k_q[4:0] : {a_side, a_slot};
  wire [10:0] read_piece = pieces[read];
  wire [1:0]  read_kind = read_piece[8:7];

  wire       pawn = !a_slot[3] && !a_promoted;
  wire       knight = a_promoted ? read_kind == 2'd0 : a_slot[3:1] == 3'd4;
  wire       bishop = a_promoted ? read_kind == 2'd1 : a_slot[3:1] == 3'd5;
  wire       rook = a_promoted ? read_kind == 2'd2 : a_slot[3:1] == 3'd6;
  wire       queen = a_promoted ? read_kind == 2'd3 : a_slot == 4'd14;
  wire       king = a_slot == 4'd15;
  wire       diagonal = bishop || (queen && !a_off[4]);
  wire       line = rook || (queen && a_off[4]);

  // Steps along file and rank, -7..7.
  reg  signed [3:0] df, dr;
  always @* begin
    df = 4'sd0;
    dr = 4'sd0;
    if (pawn) begin
      // A pawn's offset 1 is toward the h-file for White, the a-file for Black.
      df = (a_off[0] == a_off[1]) ? 4'sd0 : (a_off[1] ^ a_side) ? -4'sd1 : 4'sd1;
      dr = a_off[1:0] == 2'd3 ? (a_side ? -4'sd2 : 4'sd2) : (a_side ? -4'sd1 : 4'sd1);
    end else if (knight) begin
      if (DIALECT == 0)
        case (a_off[2:0])
          3'd0: {df, dr} = {4'sd1, 4'sd2};
          3'd1: {df, dr} = {-4'sd1, 4'sd2};
          3'd2: {df, dr} = {-4'sd2, 4'sd1};
          3'd3: {df, dr} = {-4'sd2, -4'sd1};
          3'd4: {df, dr} = {-4'sd1, -4'sd2};
          3'd5: {df, dr} = {4'sd1, -4'sd2};
          3'd6: {df, dr} = {4'sd2, -4'sd1};
          default: {df, dr} = {4'sd2, 4'sd1};
        endcase
      else
        case (a_off[2:0])
          3'd0: {df, dr} = {4'sd2, 4'sd1};
          3'd1: {df, dr} = {4'sd2, -4'sd1};
          3'd2: {df, dr} = {4'sd1, -4'sd2};
          3'd3: {df, dr} = {-4'sd1, -4'sd2};
          3'd4: {df, dr} = {-4'sd2, -4'sd1};
          3'd5: {df, dr} = {-4'sd2, 4'sd1};
          3'd6: {df, dr} = {-4'sd1, 4'sd2};
          default: {df, dr} = {4'sd1, 4'sd2};
        endcase
    end else if (king) begin
      if (DIALECT == 0)
        case (a_off[2:0])
          3'd0: {df, dr} = {4'sd1, 4'sd1};
          3'd1: {df, dr} = {-4'sd1, 4'sd1};
          3'd2: {df, dr} = {-4'sd1, -4'sd1};
          3'd3: {df, dr} = {4'sd1, -4'sd1};
          3'd4: {df, dr} = {4'sd0, 4'sd1};
          3'd5: {df, dr} = {4'sd0, -4'sd1};
          3'd6: {df, dr} = {-4'sd1, 4'sd0};
          default: {df, dr} = {4'sd1, 4'sd0};
        endcase
      else
        case (a_off[2:0])
          3'd0: {df, dr} = {4'sd1, 4'sd1};
          3'd1: {df, dr} = {4'sd1, -4'sd1};
          3'd2: {df, dr} = {-4'sd1, -4'sd1};
          3'd3: {df, dr} = {-4'sd1, 4'sd1};
          3'd4: {df, dr} = {4'sd1, 4'sd0};
          3'd5: {df, dr} = {-4'sd1, 4'sd0};
          3'd6: {df, dr} = {4'sd0, 4'sd1};
          default: {df, dr} = {4'sd0, -4'sd1};
        endcase
    end else if (diagonal) begin
      // The file goes with the rank, or against it.
      df = a_off[3] ? {1'b0, read_piece[5:3]} - {1'b0, a_off[2:0]} : {1'b0, a_off[2:0]} - {1'b0, read_piece[5:3]};
    end
  end

  always @(posedge clk) begin
    if (en) begin
      c_valid <= a_valid;
      {c_kind, c_code, c_offset, c_side, c_slot} <= {a_kind, a_code, a_offset, a_side, a_slot};
      {c_castle, c_long, c_null, c_promote, c_promoted} <= {a_castle, a_long, a_null, a_promote, a_promoted};
      {c_off, c_become} <= {a_off[2:0], a_become};
      c_piece <= read_piece;
      c_pawn <= pawn;
      c_beyond <= a_promoted && ((knight && a_off[4:3] != 2'd0) || ((bishop || rook) && a_off[4]));
      c_by_file <= line && a_off[3];
      c_by_rank <= diagonal || (line && !a_off[3]);
      {c_df, c_dr} <= {df, dr};
    end
    if (rst) c_valid <= 1'b0;
  end

  localparam PAGE = DEPTH > 16 ? 5 : DEPTH > 8 ? 4 : DEPTH > 4 ? 3 : DEPTH > 2 ? 2 : 1;
  wire [15:0] page;        // {a part of last_q, the piece}
  generate
    if (DEPTH != 0) begin : g_pages
      reg  [15:0] pages [0:(32 << PAGE) - 1];
      reg  [15:0] page_q;
      wire [PAGE-1:0] below = depth_q[PAGE-1:0] - 1'b1;
      always @(posedge clk) begin
        if (moving && var_q[0]) pages[{depth_q[PAGE-1:0], piece}] <= {last_q[4:0], c_piece};
        page_q <= pages[{below, k_q[4:0]}];
      end
      assign page = page_q;
    end else begin : g_no_pages
      assign page = 16'd0;
    end
  endgenerate

  // ---- c: where he goes ----
  wire [5:0] square = c_piece[5:0];
  wire [2:0] file = square[2:0];
  wire [2:0] rank = square[5:3];
  wire [2:0] n = c_off;
  wire       there = c_piece[6] && c_piece[9] == c_promoted;
  wire       c_ply = c_valid && c_kind == PLY;
  wire [2:0] home = {3{c_side}};
  // The fourth bit of a sum tells that the edge was passed.
  wire [3:0] sf = {1'b0, file} + c_df;
  wire [3:0] sr = {1'b0, rank} + c_dr;
  wire [2:0] tf = c_by_file ? n : sf[2:0];
  wire [2:0] tr = c_by_rank ? n : sr[2:0];
  wire       astray = sf[3] || sr[3] || (tf == file && tr == rank);
  wire       not_home = !c_piece[6] || square != {home, 3'd4};
  wire       wrong = !c_null && (c_castle ? not_home : !there || c_beyond || astray);
  wire [5:0] to = c_castle ? {home, c_long ? 3'd2 : 3'd6} : {tr, tf};
  wire       apply = c_ply && en && !wrong;

  // En passant: the file of the last double step, if it was one.
  reg  [3:0] ep_q;
  wire       passant = c_pawn && (n[0] != n[1]) && !c_promote && ep_q == {1'b1, tf}
                       && rank == (c_side ? 3'd3 : 3'd4);

  // ---- the pieces ----
  wire        undo = var_opened && !last_null;
  wire        restart = rst || (en && a_valid && a_kind == NEW);
  reg  [3:0]  load_slot;
  wire [31:0] alive;
  reg  [2:0]  white_pawns_q, black_pawns_q;      // loaded
  wire        ls = load_piece[3];
  reg         full;
  always @* begin
    case (load_piece[2:0])
      3'd1:    {full, load_slot} = {alive[{ls, 4'd15}], 4'd15};
      3'd2:    {full, load_slot} = {alive[{ls, 4'd14}], 4'd14};
      3'd3:    {full, load_slot} = {alive[{ls, 4'd9}], 3'd4, alive[{ls, 4'd8}]};
      3'd4:    {full, load_slot} = {alive[{ls, 4'd11}], 3'd5, alive[{ls, 4'd10}]};
      3'd5:    {full, load_slot} = {alive[{ls, 4'd13}], 3'd6, alive[{ls, 4'd12}]};
      default: {full, load_slot} = {alive[{ls, 4'd7}], 1'b0, ls ? black_pawns_q : white_pawns_q};
    endcase
  end
  wire        load_piece_ = load_valid && load_piece[2:0] != 3'd0 && load_piece[2:0] != 3'd7;
  assign      load_full = full && load_piece_;
  wire        load = load_piece_ && !full;
  always @(posedge clk) begin
    if (load && load_piece == 4'd6) white_pawns_q <= white_pawns_q + 3'd1;
    if (load && load_piece == 4'd14) black_pawns_q <= black_pawns_q + 3'd1;
    if (load_clear) {white_pawns_q, black_pawns_q} <= 6'd0;
  end

  wire        w_valid = (apply && !c_null) || undo || put || load;
  wire        w_side = load_valid ? ls : !run_q ? c_side : var_q[1] ? piece[4] : !side_q;
  wire [3:0]  w_slot = load_valid ? load_slot : !run_q ? c_slot : var_q[1] ? piece[3:0] : last_slot;
  wire [5:0]  w_square = load_valid ? load_square : !run_q ? to : var_q[1] ? page[5:0] : last_from;
  wire        w_alive = !put || page[6];
  wire        w_fell = put && page[10];
  wire [2:0]  w_promoted = put ? page[9:7] : !apply ? 3'd0 : c_promote ? {1'b1, c_become} : c_piece[9:7];
  wire        keep_promoted = undo && !last_promote;
  wire        jump = (apply && c_castle) || (undo && last_castle);
  wire        long = run_q ? last_long : c_long;
  // A jump is the rook's, from the corner or back to it.
  wire [2:0]  corner = long ? 3'd0 : 3'd7;
  wire [2:0]  castled = long ? 3'd3 : 3'd5;
  wire [5:0]  j_from = {{3{w_side}}, run_q ? castled : corner};
  wire [5:0]  j_to = {{3{w_side}}, run_q ? corner : castled};
  wire [5:0]  bus = jump ? j_to : w_square;

  // Where the piece of a slot starts.
  function [5:0] first(input who, input [3:0] slot);
    case (slot)
      4'd8:    first = {{3{who}}, 3'd1};
      4'd9:    first = {{3{who}}, 3'd6};
      4'd10:   first = {{3{who}}, 3'd2};
      4'd11:   first = {{3{who}}, 3'd5};
      4'd12:   first = {{3{who}}, 3'd0};
      4'd13:   first = {{3{who}}, 3'd7};
      4'd14:   first = {{3{who}}, 3'd3};
      4'd15:   first = {{3{who}}, 3'd4};
      default: first = {who, who, !who, slot[2:0]};
    endcase
  endfunction

  // Who is taken en passant falls a clock later: first it is seen whether a piece stands on the target.
  wire [1:0]  nobody;        // by side
  reg         passed_q, passed_side_q;
  reg  [2:0]  passed_file_q;
  always @(posedge clk) begin
    if (en) begin
      passed_q <= apply && passant && !c_null && nobody[!c_side];
      passed_side_q <= !c_side;
      passed_file_q <= tf;
    end
    if (rst) passed_q <= 1'b0;
  end

  genvar s, i;
  generate
    for (s = 0; s < 2; s = s + 1) begin : g_side
      localparam SIDE = s == 1;
      wire [5:0]  target = w_side == SIDE ? j_from : to;
      wire [15:0] met;
      wire        kill = apply && !c_null && w_side != SIDE;
      assign nobody[s] = met == 16'd0;
      for (i = 0; i < 16; i = i + 1) begin : g_slot
        localparam [3:0] SLOT = i;
        localparam [5:0] HOME = first(SIDE, SLOT);
        reg  [5:0] square_q;
        reg        alive_q, fell_q;
        wire       hit = w_valid && w_side == SIDE && w_slot == SLOT;
        wire       jumps = jump && w_side == SIDE && met[i] && i != 15;
        wire       falls = kill && met[i];
        wire       falls_late;
        assign met[i] = alive_q && square_q == target;
        if (i < 8) begin : g_pawn
          // He stands beside the pawn that takes him en passant.
          assign falls_late = en && passed_q && passed_side_q == SIDE && alive_q
                              && square_q == {SIDE ? 3'd4 : 3'd3, passed_file_q};
          reg  [2:0] promoted_q;
          always @(posedge clk) begin
            if (restart || load_clear) promoted_q <= 3'd0;
            else if (hit && !keep_promoted) promoted_q <= w_promoted;
          end
          assign pieces[16*s+i] = {fell_q, promoted_q, alive_q, square_q};
        end else begin : g_piece
          assign falls_late = 1'b0;
          assign pieces[16*s+i] = {fell_q, 3'd0, alive_q, square_q};
        end
        always @(posedge clk) begin
          if (restart) square_q <= HOME;
          else if (hit || jumps) square_q <= i == 15 ? w_square : bus;
          if (restart) alive_q <= 1'b1;
          else if (load_clear) alive_q <= 1'b0;
          else if (hit) alive_q <= w_alive;
          else if (falls || falls_late) alive_q <= 1'b0;
          else if (undo && fell_q) alive_q <= 1'b1;
          if (restart || load_clear) fell_q <= 1'b0;
          else if (put) begin
            if (hit) fell_q <= w_fell;
          end else if (apply) fell_q <= falls;
          else if (falls_late) fell_q <= 1'b1;
        end
        assign alive[16*s+i] = alive_q;
      end
    end
  endgenerate

  // ---- c to b ----
  reg  [1:0]  b_kind;
  reg  [3:0]  b_code;
  reg  [31:0] b_offset;
  reg  [5:0]  b_from, b_to;
  reg  [2:0]  b_promotion;
  reg         b_null;

  always @(posedge clk) begin
    if (en) begin
      b_valid <= c_valid && !(bad_q && (c_kind == PLY || c_kind == ERROR));
      b_kind <= (c_ply && wrong) ? ERROR : c_kind;
      b_code <= !c_ply ? c_code : c_castle ? ERR_CASTLING : !there ? ERR_EMPTY : c_beyond ? ERR_OPERAND : ERR_GEOMETRY;
      b_offset <= c_offset;
      b_from <= square;
      b_to <= to;
      b_promotion <= c_promote ? {1'b1, c_become} : 3'd0;
      b_null <= c_null;
      if (c_valid) begin
        if (c_kind == ERROR || (c_ply && wrong)) bad_q <= 1'b1;
        if (c_kind == END) bad_q <= 1'b0;
      end
      if (begin_) last_q[24:18] <= {2'd0, side_q, ep_q};
      if (apply) begin
        last_q[17:0] <= {c_slot, square, c_castle, c_long, c_null, c_promote, ep_q};
        ep_q <= {c_pawn && !c_null && n[1:0] == 2'd3, tf};
      end
      if (moving && piece < 5'd5) last_q <= {var_q[1] ? page[15:11] : last_q[4:0], last_q[24:5]};
      if (turn) ep_q <= var_q[0] ? last_ep : now_ep;
      if (a_valid && a_kind == NEW) ep_q <= 4'd0;
      if (load_state) ep_q <= {load_ep != 4'd0, load_ep[2:0] - 3'd1};
    end
    if (rst) begin
      b_valid <= 1'b0;
      bad_q <= 1'b0;
      ep_q <= 4'd0;
    end
  end

  // ---- b: the index ----
  localparam [10:0] CODE_NULL = 11'd1972;
  wire [10:0] index;
  wire        encodes;
  wire        is_index = encodes || b_null;
  ply11_encode u_encode (.from(b_from), .to(b_to), .promotion(b_promotion), .index(index),
                         .is_move(encodes));

  always @(posedge clk) begin
    if (en) begin
      valid_q <= b_valid && !(bad_index_q && (b_kind == PLY || b_kind == ERROR));
      m_kind <= (b_kind == PLY && !is_index) ? ERROR : b_kind;
      m_code <= b_code;
      m_index <= b_null ? CODE_NULL : index;
      if (b_kind != PLY || !is_index) m_index <= 11'd0;
      m_offset <= b_offset;
      if (b_valid && b_kind == PLY && !is_index) bad_index_q <= 1'b1;
      if (b_valid && b_kind == END) bad_index_q <= 1'b0;
    end
    if (rst) begin
      valid_q <= 1'b0;
      bad_index_q <= 1'b0;
    end
  end

endmodule

`resetall
