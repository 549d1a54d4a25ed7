// SPDX-License-Identifier: Apache-2.0
// ply11_brenner - Brenner's bytes in, operations for ply11_board out.
//
// Throughput: a byte a clock; one clock more after the end of each game (NEW).  Latency: a byte's
// operation is offered three clocks after it was accepted.
// Handshake: the module moves as a whole in each clock with `en` = !m_valid || m_ready; s_ready is `en`
// outside that one clock; m_ outputs are registers, unchanged while m_valid is 1 and m_ready 0.
//
// LAYOUT 0 main, 1 alt, 2 alt-swapped, 3 alt-fixed (the seed's first table, its alternate notation and
// the two variants of that, as SEEDS-READ-CLOSELY.md settles them).
//
// m_kind 0 PLY   m_index is a move, which the board still has to accept
//        1 NEW   the next game begins (after each END)
//        2 END   result byte; m_code 0 0-1, 1 1/2-1/2, 2 1-0, 3 * (the documented extension)
//        3 ERROR m_code 1 the man named is not alive, 4 the move leaves the board or is a promotion
//                anywhere but on the last rank, 5 castling and the king is not on his first square,
//                6 unassigned byte, 7 out of place (a prefix not
//                followed at once by a man of its kind or a pawn, a promotion to the number of a
//                living man, more than two glyphs for a move or one before the first, an empty text
//                before the first move)
// m_offset: number, from 0, of the byte (of a promotion, the pawn's).  After an ERROR nothing but the END of that game comes out.
// A man that was captured by the byte just before, and moves, is told by the board (error 2).
//
// Text goes out at the side port: text_valid for a clock with each byte of a text and, with text_last,
// for the NUL that ends it, at the clock in which the byte is accepted.  Text is not examined.
// in_game is 1 from the first byte of a game to its result.
//
// Stages: s the byte's fields and the grammar, a the man's square and the target, b the index, m.
// The men are kept at a; a captured man dies, and a castling rook goes, a clock later.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_brenner #(
  // 0 main, 1 alt, 2 alt-swapped, 3 alt-fixed.
  parameter LAYOUT = 0
) (
  input  wire         clk,
  input  wire         rst,

  input  wire         s_valid,
  output wire         s_ready,
  input  wire [7:0]   s_data,

  output wire         m_valid,
  input  wire         m_ready,
  output reg  [1:0]   m_kind,
  output reg  [3:0]   m_code,
  output reg  [10:0]  m_index,
  output reg  [31:0]  m_offset,
  output wire         in_game,

  output wire         text_valid,
  output wire [7:0]   text_data,
  output wire         text_last,

  output wire [447:0] men
);

  localparam [1:0] PLY = 2'd0, NEW = 2'd1, END = 2'd2, ERROR = 2'd3;
  // Sorts of a byte.
  localparam [2:0] QUEEN = 3'd0, ROOK = 3'd1, BISHOP = 3'd2, PAWN = 3'd3, KNIGHT = 3'd4, KING = 3'd5,
                   OTHER = 3'd6, UNASSIGNED = 3'd7;

  reg  a_valid, b_valid, valid_q;
  wire en = !valid_q || m_ready;
  assign m_valid = valid_q;

  // ---- fields ----
  reg  [2:0] sort;
  reg  [2:0] dir;       // E NE N NW W SW S SE; of a knight its own eight
  reg  [2:0] n;
  reg  [2:0] who;
  reg  [1:0] mm;        // of a pawn: 0 one step, 1 two, 2 takes to its right, 3 left
  reg        prefix;    // names man #who of that kind
  wire [7:0] d = s_data;
  always @* begin
    sort  = UNASSIGNED;
    dir    = d[2:0];
    n      = 3'd0;
    who    = {2'd0, d[6]};
    mm     = d[4:3];
    prefix = 1'b0;
    if (d[7:3] == 5'd0) sort = OTHER;
    else if (d[7:3] == 5'd1) sort = KING;
    else if (d[7:4] == 4'd1) begin
      sort = KNIGHT;
      who   = {2'd0, d[3]};
    end else if (d[7:5] == 3'd1) begin
      sort = PAWN;
      who   = d[2:0];
      // The alternate order: take right, step 1, step 2, take left.
      if (LAYOUT != 0)
        case (d[4:3])
          2'd0: mm = 2'd2;
          2'd1: mm = 2'd0;
          2'd2: mm = 2'd1;
          default: mm = 2'd3;
        endcase
    end else if (LAYOUT == 0) begin
      n = d[5:3];
      if (d[7]) sort = d[0] ? BISHOP : ROOK;
      else sort = QUEEN;
      if (d[5:3] == 3'd0) begin
        prefix = 1'b1;
        who = {1'b0, d[2:1]};
        if (d[7] && d[6]) sort = d == 8'hc0 ? OTHER : UNASSIGNED;
        else if (!d[7]) sort = d[0] ? KNIGHT : QUEEN;
      end
    end else begin
      sort = (d[7] && d[6]) ? QUEEN : d[7] ? ROOK : BISHOP;
      case (LAYOUT)
        1: begin
          n   = d[2:0];
          dir = sort == QUEEN ? d[5:3] : {d[5:4], sort == BISHOP};
          who = {2'd0, d[3] && sort != QUEEN};
        end
        2: begin
          n   = d[5:3];
          dir = sort == QUEEN ? d[2:0] : {d[1:0], sort == BISHOP};
          who = {2'd0, d[2] && sort != QUEEN};
        end
        default: begin
          n   = d[2:0];
          dir = sort == QUEEN ? d[5:3] : {d[4:3], sort == BISHOP};
          who = {2'd0, d[5] && sort != QUEEN};
        end
      endcase
      if (n == 3'd0) begin
        prefix = 1'b1;
        if (sort == QUEEN && dir[0]) sort = KNIGHT;
        else if (who[0]) sort = d == (LAYOUT == 1 ? 8'h88 : LAYOUT == 2 ? 8'h84 : 8'ha0)
                                 ? OTHER : UNASSIGNED;
        who = {1'b0, dir[2:1]};
      end
    end
    if (sort == QUEEN && !prefix) who = 3'd0;
  end
  // The extension's byte for an unknown result is the only OTHER with a bit above the lowest three.
  wire       unknown = sort == OTHER && d[7:3] != 5'd0;
  wire       other = sort == OTHER && !unknown;

  // ---- s: the grammar ----
  reg        text_q;        // inside a text
  reg        filled_q;      // a byte of it came
  reg        moved_q;       // a move of this game came
  reg        begun_q;       // a byte of this game came
  reg        prefix_q;
  reg  [2:0] prefix_sort_q;
  reg  [1:0] prefix_who_q;
  reg  [1:0] glyphs_q;
  reg        side_q;
  reg        renew_q;
  reg [31:0] count_q;

  assign in_game = begun_q;
  assign s_ready = en && !renew_q;
  wire take = s_valid && s_ready;
  assign text_valid = take && text_q;
  assign text_data = s_data;
  assign text_last = s_data == 8'd0;

  wire is_quote  = other && d[2:0] == 3'd0;
  wire is_result = unknown || (other && (d[2:0] == 3'd1 || d[2:0] == 3'd2 || d[2:0] == 3'd3));
  wire is_castle = other && (d[2:0] == 3'd4 || d[2:0] == 3'd5);
  wire is_glyph  = other && d[2:1] == 2'd3;
  wire is_prefix = prefix && sort != OTHER && sort != UNASSIGNED;
  wire is_man    = sort <= KING && !is_prefix;
  wire is_ply    = is_man || is_castle;
  wire match     = is_man && (sort == PAWN || sort == prefix_sort_q);
  wire misplaced = (prefix_q && !match) || (is_glyph && (!moved_q || glyphs_q == 2'd2));

  wire [1:0] number = prefix_q && sort != PAWN ? prefix_who_q : who[1:0];
  function [2:0] base(input [2:0] of);
    case (of)
      KNIGHT:  base = 3'd2;
      BISHOP:  base = 3'd3;
      ROOK:    base = 3'd4;
      QUEEN:   base = 3'd5;
      default: base = 3'd6;
    endcase
  endfunction

  reg  [1:0]  a_kind;
  reg  [3:0]  a_code;
  reg  [31:0] a_offset;
  reg         a_side, a_castle, a_long, a_pawn, a_knight, a_promote;
  reg  [4:0]  a_slot, a_new;
  reg  [2:0]  a_dir, a_n, a_become;
  reg  [1:0]  a_mm;

  always @(posedge clk) begin
    if (en) begin
      a_valid <= renew_q || (take && !text_q && (is_ply || is_result || sort == UNASSIGNED || misplaced))
                 || (take && text_q && text_last && !filled_q && !moved_q);
      a_kind <= renew_q ? NEW : text_q ? ERROR
                : is_result ? END : (sort == UNASSIGNED || misplaced) ? ERROR : PLY;
      a_code <= text_q ? 4'd7 : is_result ? (unknown ? 4'd3 : d[0] ? (d[1] ? 4'd1 : 4'd0) : 4'd2)
                : sort == UNASSIGNED ? 4'd6 : 4'd7;
      a_offset <= count_q;
      a_side <= side_q;
      a_castle <= is_castle;
      a_long <= d[0];
      a_pawn <= is_man && sort == PAWN;
      a_knight <= sort == KNIGHT;
      a_promote <= prefix_q && sort == PAWN;
      a_slot <= sort == PAWN ? {2'd0, who} : sort == KING || is_castle ? 5'd24 : {base(sort), number};
      a_new <= {base(prefix_sort_q), prefix_who_q};
      // Promotion pieces: knight 4, bishop 5, rook 6, queen 7.
      a_become <= prefix_sort_q == KNIGHT ? 3'd4 : prefix_sort_q == BISHOP ? 3'd5
                  : prefix_sort_q == ROOK ? 3'd6 : 3'd7;
      a_dir <= dir;
      a_n <= sort == KING ? 3'd1 : n;
      a_mm <= mm;
      renew_q <= 1'b0;
    end
    if (take) begin
      count_q <= count_q + 32'd1;
      begun_q <= 1'b1;
      if (text_q) begin
        filled_q <= 1'b1;
        if (text_last) text_q <= 1'b0;
      end else begin
        if (is_quote) begin
          text_q <= 1'b1;
          filled_q <= 1'b0;
        end
        prefix_q <= is_prefix && !prefix_q;
        prefix_sort_q <= sort;
        prefix_who_q <= who[1:0];
        if (is_glyph && glyphs_q != 2'd2) glyphs_q <= glyphs_q + 2'd1;
        if (is_ply) begin
          side_q <= !side_q;
          moved_q <= 1'b1;
          glyphs_q <= 2'd0;
        end
        if (is_result) begin
          side_q <= 1'b0;
          moved_q <= 1'b0;
          begun_q <= 1'b0;
          glyphs_q <= 2'd0;
          renew_q <= 1'b1;
        end
      end
    end
    if (rst) begin
      a_valid <= 1'b0;
      text_q <= 1'b0;
      moved_q <= 1'b0;
      begun_q <= 1'b0;
      prefix_q <= 1'b0;
      glyphs_q <= 2'd0;
      side_q <= 1'b0;
      renew_q <= 1'b0;
      count_q <= 32'd0;
    end
  end

  // ---- a: the man, and where he goes ----
  wire [5:0] a_square;
  wire       a_alive;
  wire       a_ply = a_valid && a_kind == PLY;
  wire [2:0] home = {3{a_side}};

  // Steps along file and rank, -7..7.
  reg  signed [3:0] df, dr;
  wire signed [3:0] far = {1'b0, a_n};
  always @* begin
    df = 4'sd0;
    dr = 4'sd0;
    if (a_pawn) begin
      // A pawn's right is the h-file for White, the a-file for Black.
      df = !a_mm[1] ? 4'sd0 : (a_mm[0] ^ a_side) ? -4'sd1 : 4'sd1;
      dr = a_mm == 2'd1 ? (a_side ? -4'sd2 : 4'sd2) : (a_side ? -4'sd1 : 4'sd1);
    end else if (a_knight) begin
      // EES EEN NNE NNW WWN WWS SSW SSE.
      case (a_dir)
        3'd0: {df, dr} = {4'sd2, -4'sd1};
        3'd1: {df, dr} = {4'sd2, 4'sd1};
        3'd2: {df, dr} = {4'sd1, 4'sd2};
        3'd3: {df, dr} = {-4'sd1, 4'sd2};
        3'd4: {df, dr} = {-4'sd2, 4'sd1};
        3'd5: {df, dr} = {-4'sd2, -4'sd1};
        3'd6: {df, dr} = {-4'sd1, -4'sd2};
        default: {df, dr} = {4'sd1, -4'sd2};
      endcase
    end else begin
      case (a_dir)
        3'd0, 3'd1, 3'd7: df = far;
        3'd3, 3'd4, 3'd5: df = -far;
        default:          df = 4'sd0;
      endcase
      case (a_dir)
        3'd1, 3'd2, 3'd3: dr = far;
        3'd5, 3'd6, 3'd7: dr = -far;
        default:          dr = 4'sd0;
      endcase
    end
  end
  // The fourth bit of the sum tells that the edge was passed.
  wire [3:0] tf = {1'b0, a_square[2:0]} + df;
  wire [3:0] tr = {1'b0, a_square[5:3]} + dr;
  wire       outside = !a_castle && (tf[3] || tr[3]);
  wire [5:0] from = a_castle ? {home, 3'd4} : a_square;
  wire [5:0] to   = a_castle ? {home, a_long ? 3'd2 : 3'd6} : {tr[2:0], tf[2:0]};

  // En passant: the file of the last double step.
  reg  [3:0] ep_q;
  wire       passant = a_pawn && a_mm[1] && !a_promote && ep_q == {1'b1, tf[2:0]}
                       && a_square[5:3] == (a_side ? 3'd3 : 3'd4);
  wire       new_taken;   // the promoted man's number is held
  wire       apply = a_ply && en && !outside;
  reg        kill_q, kill_side_q, jump_q, jump_long_q;
  reg  [5:0] kill_square_q;
  wire [2:0] jump_home = {3{!kill_side_q}};

  ply11_men #(.LIMIT(4), .QUEENS(4)) u_men (
    .clk(clk),
    .restart(rst || (en && a_valid && a_kind == NEW)),
    .read_side(a_side), .read_slot(a_slot), .read_square(a_square), .read_alive(a_alive),
    .move_valid(apply), .move_side(a_side), .move_slot(a_slot), .move_new(a_promote ? a_new : a_slot),
    .move_to(to),
    .jump_valid(jump_q && en), .jump_side(!kill_side_q), .jump_from({jump_home, jump_long_q ? 3'd0 : 3'd7}),
    .jump_to({jump_home, jump_long_q ? 3'd3 : 3'd5}),
    .kill_valid(kill_q && en), .kill_side(kill_side_q), .kill_square(kill_square_q),
    .load_clear(1'b0), .load_valid(1'b0), .load_square(6'd0), .load_man(4'd0),
    /* verilator lint_off PINCONNECTEMPTY */
    .load_full(),
    /* verilator lint_on PINCONNECTEMPTY */
    .men(men)
  );
  assign new_taken = a_promote && men[7*{a_side, a_new} + 6];

  reg  [1:0]  b_kind;
  reg  [3:0]  b_code;
  reg  [31:0] b_offset;
  reg  [5:0]  b_from, b_to;
  reg  [2:0]  b_promotion;
  reg         bad_q;       // an error in this game
  wire        a_wrong = a_ply && (!a_alive || outside || new_taken
                                  || (a_castle && a_square != {home, 3'd4}));

  always @(posedge clk) begin
    if (en) begin
      b_valid <= a_valid && !(bad_q && (a_kind == PLY || a_kind == ERROR));
      b_kind <= a_wrong ? ERROR : a_kind;
      b_code <= !a_ply ? a_code : a_castle ? 4'd5 : !a_alive ? 4'd1 : new_taken ? 4'd7 : 4'd4;
      b_offset <= a_offset;
      b_from <= from;
      b_to <= to;
      b_promotion <= a_promote ? a_become : 3'd0;
      kill_q <= apply;
      jump_q <= apply && a_castle;
      jump_long_q <= a_long;
      kill_side_q <= !a_side;
      kill_square_q <= passant ? {a_square[5:3], tf[2:0]} : to;
      if (a_ply) ep_q <= {a_pawn && a_mm == 2'd1, tf[2:0]};
      if (a_valid) begin
        if (a_kind == ERROR || a_wrong) bad_q <= 1'b1;
        if (a_kind == END) bad_q <= 1'b0;
        if (a_kind == NEW) ep_q <= 4'd0;
      end
      // What the board refuses needs no care: nothing of that game counts any more.
    end
    if (rst) begin
      b_valid <= 1'b0;
      bad_q <= 1'b0;
      kill_q <= 1'b0;
      jump_q <= 1'b0;
      ep_q <= 4'd0;
    end
  end

  // ---- b: the index ----
  wire [10:0] index;
  wire        is_move;
  ply11_encode u_encode (.from(b_from), .to(b_to), .promotion(b_promotion), .index(index),
                         .is_move(is_move));

  reg bad_index_q;         // an error found here in this game
  always @(posedge clk) begin
    if (en) begin
      valid_q <= b_valid && !(bad_index_q && (b_kind == PLY || b_kind == ERROR));
      m_kind <= (b_kind == PLY && !is_move) ? ERROR : b_kind;
      m_code <= b_code;
      m_index <= index;
      if (b_kind != PLY || !is_move) m_index <= 11'd0;
      m_offset <= b_offset;
      if (b_valid && b_kind == PLY && !is_move) bad_index_q <= 1'b1;
      if (b_valid && b_kind == END) bad_index_q <= 1'b0;
    end
    if (rst) begin
      valid_q <= 1'b0;
      bad_index_q <= 1'b0;
    end
  end

endmodule

`resetall
