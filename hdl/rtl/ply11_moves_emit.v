// SPDX-License-Identifier: Apache-2.0
// ply11_moves_emit - the part of ply11_moves behind its FIFO: it makes an index of each square of an entry, but for those
// that do not end a check.
// Files: those of ply11_moves_emit.f.
// Entries in: their bits are told in ply11_moves. Those of pieces who give check come first; until they are through, no other
// is read. A check is known then: its line, and the squares that end it. Of each line after that only those
// pass: the line meets that of the check in one square, or it is the same line.
// Beats out: as ply11_moves has them.
// Handshake: a beat waits unchanged while m_valid is 1 and m_ready is 0. s_ready is combinational from m_ready.
//
// Throughput: a line a clock (an entry has up to four), an index a clock.
// Latency: 7 clocks from an entry to its first beat, if nothing is before it.
//
// Stages. A register of a stage has its name before it. A clock for each:
//   line    the squares of one line of the entry
//   meet    where it meets the line of the check
//   kept    the squares that pass
//   pick    one of them after the other, and of a promotion each piece. What stands here makes all stages before it wait.
//   target  the square that was picked
//   move    from, to and promotion, on the board as it is
//   m       the outputs
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_moves_emit (
  input  wire         clk,         // the clock; all ports belong to its rising edge
  input  wire         rst,         // synchronous reset, active high

  input  wire         s_valid,     // 1: an entry is offered
  output wire         s_ready,     // 1: the entry is taken in this clock if s_valid is 1 [from m_ready, s_entry]
  input  wire [47:0]  s_entry,     // the entry

  output reg          m_valid,     // 1: a beat is offered; it stays, unchanged, until m_ready is 1
  input  wire         m_ready,     // 1: the beat is taken in this clock if m_valid is 1
  output reg  [10:0]  m_index,     // the index of a legal move, or 2047 with m_last
  output reg          m_last,      // 1: the end of the position
  output reg  [8:0]   m_count,     // legal moves before this beat, 0..218
  output reg          m_check,     // 1: the side to move is in check
  output reg          m_mate,      // with m_last: 1 if it is mate
  output reg          m_stalemate  // with m_last: 1 if it is stalemate
);

  integer j;

  localparam [2:0] LINES = 3'd0, UP = 3'd1, DOWN = 3'd2, KING = 3'd3, SLIDER = 3'd4, KNIGHT = 3'd5, OVER = 3'd6, FREE = 3'd7;

  function [7:0] others(input [7:0] b);
    others = b & (b - 8'd1);
  endfunction

  // ================= a line a clock =================

  wire        beats_go = !m_valid || m_ready;
  wire        lines_go;                   // the lines move on
  // The entry, and of its lines the one that is read: the lowest that is left.
  reg         fresh_q;                    // no line of the entry was read
  reg  [3:0]  axes_left_q;                // else the axes of those that are left
  reg         axes_one_q;                 // of axes_left_q one bit is set
  wire [5:0]  entry_square = s_entry[37:32];
  wire [2:0]  entry_row = entry_square[5:3], entry_file = entry_square[2:0];
  wire        entry_side = s_entry[42];
  wire [2:0]  entry_kind = s_entry[45:43];
  wire        entry_promotes = s_entry[46];
  wire [3:0]  axes = fresh_q ? s_entry[41:38] : axes_left_q;
  wire [1:0]  axis = axes[0] ? 2'd0 : axes[1] ? 2'd1 : axes[2] ? 2'd2 : 2'd3;
  wire [3:0]  axes_rest = {axes[3] && |axes[2:0], axes[2] && |axes[1:0], axes[1] && axes[0], 1'b0};
  // Nothing passes a check that is not yet known.
  reg         check_q;
  wire        entry_holds = entry_kind == SLIDER || entry_kind == KNIGHT || (entry_kind == OVER && check_q);
  reg         line_holds, meet_holds, kept_holds, pick_holds;
  wire        held = line_holds || meet_holds || kept_holds || pick_holds;
  wire        taken = s_valid && lines_go && !held;
  // The last line of the entry goes, if it goes.
  wire        last_line = (fresh_q ? s_entry[47] : axes_one_q) && !held;
  assign s_ready = lines_go && last_line;

  // The number of the line: its row, its file, or row - file and row + file.
  wire [2:0]  number_from = axis == 2'd2 ? entry_file : entry_row;
  wire [2:0]  number_step = entry_kind == UP ? 3'd1 : entry_kind == DOWN ? 3'd7 : axis[0] ? entry_file : 3'd0;
  wire [2:0]  number = axis == 2'd1 ? number_from - number_step : number_from + number_step;

  reg         line_valid, meet_valid, kept_valid;
  reg  [7:0]  line_squares, meet_squares, kept_squares;
  reg  [1:0]  line_axis, meet_axis, kept_axis, pick_axis;
  reg  [2:0]  line_number, meet_number, kept_number, pick_number;
  reg  [2:0]  line_kind, meet_kind, kept_kind, pick_kind;
  reg  [5:0]  line_square, meet_square, kept_square, pick_square;
  reg         line_promotes, meet_promotes, kept_promotes, pick_promotes;
  reg         line_side, meet_side, kept_side, pick_side;

  // The check: its line, the squares of it that end it.
  reg  [1:0]  check_axis_q;
  reg  [2:0]  check_number_q;
  reg  [7:0]  check_squares_q;
  reg         check_one_q;              // one piece gives it

  // Where a line meets that of the check: at meet_at of its own squares, at meet_check_at of the check's. Or it is the
  // same line, or meets it twice on the torus, or never; or the check does not stop it.
  wire [2:0]  sum = line_number + check_number_q;
  wire [2:0]  check_minus_line = check_number_q - line_number;
  wire [2:0]  line_minus_check = line_number - check_number_q;
  reg  [2:0]  meet_at, meet_check_at;
  reg         meet_same, meet_twice, meet_never, meet_open;
  reg  [2:0]  line_meets_at, line_meets_check_at;
  always @* begin
    case ({line_axis, check_axis_q})
      4'b00_01, 4'b11_00: {line_meets_at, line_meets_check_at} = {line_minus_check, line_minus_check};
      4'b00_10, 4'b10_00: {line_meets_at, line_meets_check_at} = {check_number_q, line_number};
      4'b00_11, 4'b01_00: {line_meets_at, line_meets_check_at} = {check_minus_line, check_minus_line};
      4'b10_01:           {line_meets_at, line_meets_check_at} = {sum, line_number};
      4'b10_11:           {line_meets_at, line_meets_check_at} = {check_minus_line, line_number};
      4'b01_10:           {line_meets_at, line_meets_check_at} = {check_number_q, sum};
      4'b11_10:           {line_meets_at, line_meets_check_at} = {check_number_q, line_minus_check};
      4'b01_11:           {line_meets_at, line_meets_check_at} = {2{1'b0, check_minus_line[2:1]}};
      default:            {line_meets_at, line_meets_check_at} = {2{1'b0, line_minus_check[2:1]}};
    endcase
  end
  reg  [7:0]  meet_passes;                // the squares that pass the check
  always @* begin
    for (j = 0; j < 8; j = j + 1)
      meet_passes[j] = meet_open || (meet_same ? check_squares_q[j]
                                     : meet_twice ? !meet_never && check_squares_q[j] && j[1:0] == meet_at[1:0]
                                     : !meet_never && check_squares_q[meet_check_at] && j[2:0] == meet_at);
  end

  always @(posedge clk) begin
    if (lines_go) begin
      line_valid <= taken;
      line_holds <= taken && entry_holds;
      meet_valid <= line_valid;
      meet_holds <= line_holds;
      kept_valid <= meet_valid;
      kept_holds <= meet_holds;
      line_squares <= s_entry[{1'b0, axis, 3'd0} +: 8];
      line_axis <= axis;
      line_number <= number;
      {line_kind, line_square, line_promotes, line_side} <= {entry_kind, entry_square, entry_promotes, entry_side};
      {meet_kind, meet_square, meet_promotes, meet_side} <= {line_kind, line_square, line_promotes, line_side};
      {kept_kind, kept_square, kept_promotes, kept_side} <= {meet_kind, meet_square, meet_promotes, meet_side};
      {meet_squares, meet_axis, meet_number} <= {line_squares, line_axis, line_number};
      {kept_axis, kept_number} <= {meet_axis, meet_number};
      {meet_at, meet_check_at} <= {line_meets_at, line_meets_check_at};
      meet_same <= line_axis == check_axis_q && line_number == check_number_q;
      meet_twice <= line_axis[0] && check_axis_q[0];
      meet_never <= line_axis == check_axis_q || (line_axis[0] && check_axis_q[0] && check_minus_line[0]);
      meet_open <= !check_q || line_kind == KING || line_kind == OVER || (line_kind == FREE && line_promotes && check_one_q);
      kept_squares <= meet_squares & meet_passes;
    end
    // A line was taken, the next may be there.
    if (taken) begin
      axes_left_q <= axes_rest;
      axes_one_q <= (axes_rest & (axes_rest - 4'd1)) == 4'd0;
    end
    fresh_q <= !s_valid || s_ready || (fresh_q && !taken);
    if (rst) begin
      {line_valid, meet_valid, kept_valid, line_holds, meet_holds, kept_holds} <= 6'd0;
      fresh_q <= 1'b1;
    end
  end

  // ================= an index a clock =================

  reg         pick_valid;
  reg  [7:0]  pick_squares;
  reg  [1:0]  pick_piece;                 // of a promotion
  wire [7:0]  pick_rest = pick_squares & (pick_squares - 8'd1);
  reg  [2:0]  pick_at;
  always @* begin
    pick_at = 3'd0;
    for (j = 7; j >= 0; j = j - 1) if (pick_squares[j]) pick_at = j[2:0];
  end
  wire        pick_whole = pick_kind == KING || pick_kind == OVER;       // one beat
  wire        kept_whole = kept_kind == KING || kept_kind == OVER || kept_kind == SLIDER || kept_kind == KNIGHT;
  wire        pick_check = pick_kind == SLIDER || pick_kind == KNIGHT;
  wire        pick_move = pick_valid && !pick_check && (pick_whole || pick_squares != 8'd0);
  reg         pick_one;                   // no other bit than the first
  wire        pick_done = pick_one && (!pick_promotes || pick_piece == 2'd3);
  assign lines_go = beats_go && pick_done;
  wire        pick_single = !check_q && (pick_kind == SLIDER || pick_rest == 8'd0);

  reg         target_valid, target_last, target_check, target_king, target_promotes;
  reg  [5:0]  target_square, target_from;
  reg  [2:0]  target_at, target_number;
  reg  [1:0]  target_axis, target_piece;
  reg         target_side;

  always @(posedge clk) begin
    if (beats_go) begin
      if (pick_done) begin
        pick_valid <= kept_valid;
        pick_one <= !kept_valid || kept_whole || others(kept_squares) == 8'd0;
        pick_holds <= kept_holds;
        pick_squares <= kept_squares;
        {pick_axis, pick_number, pick_kind, pick_square, pick_side}
          <= {kept_axis, kept_number, kept_kind, kept_square, kept_side};
        pick_promotes <= kept_promotes && kept_kind == LINES && kept_valid && kept_squares != 8'd0;
        pick_piece <= 2'd0;
      end else begin
        pick_piece <= pick_piece + 2'd1;
        if (!pick_promotes || pick_piece == 2'd3) begin
          pick_squares <= pick_rest;
          pick_one <= others(pick_rest) == 8'd0;
        end
      end
      if (pick_valid && pick_check) begin
        // Two who give check leave nothing that ends it.
        check_q <= 1'b1;
        check_axis_q <= pick_axis;
        check_number_q <= pick_number;
        check_squares_q <= pick_single ? pick_squares : 8'd0;
        check_one_q <= pick_single;
      end
      if (pick_valid && pick_kind == OVER) check_q <= 1'b0;

      target_valid <= pick_move;
      target_last <= pick_kind == OVER;
      target_check <= check_q;
      target_king <= pick_kind == KING;
      target_promotes <= pick_promotes;
      target_square <= pick_square;
      target_from <= pick_squares[5:0];
      {target_at, target_number, target_axis, target_piece, target_side}
        <= {pick_at, pick_number, pick_axis, pick_piece, pick_side};
    end
    if (rst) begin
      pick_valid <= 1'b0;
      pick_one <= 1'b1;
      pick_promotes <= 1'b0;
      pick_holds <= 1'b0;
      target_valid <= 1'b0;
      check_q <= 1'b0;
    end
  end

  // From and to, on the board as it is.
  wire [2:0] to_file = target_axis == 2'd2 ? target_number : target_at;
  wire [2:0] to_row = target_axis == 2'd2 ? target_at : target_axis == 2'd0 ? target_number
                      : target_axis[1] ? target_number - target_at : target_number + target_at;
  wire [5:0] flip = {{3{target_side}}, 3'd0};
  reg         move_valid, move_last, move_check;
  reg  [5:0]  move_from, move_to;
  reg  [2:0]  move_promotion;
  always @(posedge clk) begin
    if (beats_go) begin
      move_valid <= target_valid;
      move_last <= target_last;
      move_check <= target_check;
      move_from <= (target_king ? target_from : target_square) ^ flip;
      move_to <= (target_king ? target_square : {to_row, to_file}) ^ flip;
      move_promotion <= {target_promotes, target_piece & {2{target_promotes}}};
    end
    if (rst) move_valid <= 1'b0;
  end

  /* verilator lint_off UNUSEDSIGNAL */
  wire        is_move;                    // always
  /* verilator lint_on UNUSEDSIGNAL */
  wire [10:0] index;
  ply11_encode u_encode (.from(move_from), .to(move_to), .promotion(move_promotion), .index(index), .is_move(is_move));

  localparam [10:0] CODE_IDLE = 11'd2047;
  reg  [8:0]  count_q;                    // beats of this position
  always @(posedge clk) begin
    if (beats_go) begin
      m_valid <= move_valid;
      m_index <= move_last ? CODE_IDLE : index;
      m_last <= move_last;
      m_count <= count_q;
      m_check <= move_check;
      m_mate <= move_last && move_check && count_q == 9'd0;
      m_stalemate <= move_last && !move_check && count_q == 9'd0;
      if (move_valid) count_q <= move_last ? 9'd0 : count_q + 9'd1;
    end
    if (rst) begin
      m_valid <= 1'b0;
      count_q <= 9'd0;
    end
  end

endmodule

`resetall
