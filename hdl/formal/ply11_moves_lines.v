// SPDX-License-Identifier: Apache-2.0
// ply11_moves, from an entry of its FIFO to the beats, for all time from a reset on, for any back-pressure and any position, in check or
// not: any entry that is read (pick says which) gives its own moves and nothing else.
//  1. A man's entry gives one beat for each of its targets that pass the check, each once, by rising axis and square: the index of his
//     square, the target's and no promotion, on the board as it is. A pawn's from the seventh row gives four for each, one for each
//     piece. An entry of the king's step gives one beat, of the end one with m_last and index 2047. An entry of who gives check
//     gives none. m_check tells whether there is a check.
//  2. No beat comes but from an entry.
// Which targets pass (f_passes) and whether there is a check (f_checked) may be anything, for each entry that is followed. It is assumed
// that its lines agree with that: in stage meet (meet_passes) and in stage pick (check_q). ply11_moves_lines_meet proves what they are there: what
// follows from those who give check whose entries were read before, and the same for all lines of an entry. An entry
// of the king or of the end passes whole.
// What the memory of the FIFO gives is free, but assumed to have the form of an entry: the function form, below. For the index the judge is
// ply11_encode; whether the king may go where he goes is not asked.
// The wires with dots are those of the instance (hierconn). Asserted besides is what the induction needs: which moves each stage
// holds of those that are still to come.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_moves_lines (
  input  wire         clk,
  input  wire         reset,
  input  wire         s_valid,
  input  wire [255:0] board,
  input  wire         side,
  input  wire [3:0]   rights,
  input  wire [3:0]   ep,
  input  wire         m_ready,
  input  wire         pick,
  input  wire [31:0]  passes,
  input  wire         checked
);

  reg          f_started;
  initial f_started = 1'b0;
  wire         rst = !f_started || reset;
  wire         s_ready, m_valid, m_last, m_check, m_mate, m_stalemate;
  wire [10:0]  m_index;
  wire [8:0]   m_count;
  ply11_moves u_dut (
    .clk(clk), .rst(rst), .s_valid(s_valid), .s_ready(s_ready), .board(board), .side(side), .rights(rights), .ep(ep),
    .m_valid(m_valid), .m_ready(m_ready), .m_index(m_index), .m_last(m_last), .m_count(m_count), .m_check(m_check),
    .m_mate(m_mate), .m_stalemate(m_stalemate)
  );

  localparam [2:0] LINES = 3'd0, UP = 3'd1, DOWN = 3'd2, KING = 3'd3, SLIDER = 3'd4, KNIGHT = 3'd5, OVER = 3'd6, FREE = 3'd7;

  (* hierconn *) wire [47:0] \u_dut.entry ;
  (* hierconn *) wire        \u_dut.entry_valid , \u_dut.fetch_valid , \u_dut.entry_next , \u_dut.u_emit.fresh_q , \u_dut.u_emit.axes_one_q , \u_dut.u_emit.taken , \u_dut.late_q ;
  (* hierconn *) wire [3:0]  \u_dut.u_emit.axes_left_q ;
  (* hierconn *) wire        \u_dut.u_emit.beats_go , \u_dut.u_emit.lines_go , \u_dut.u_emit.pick_done , \u_dut.u_emit.pick_one , \u_dut.u_emit.pick_promotes , \u_dut.u_emit.pick_side ;
  (* hierconn *) wire        \u_dut.u_emit.line_valid , \u_dut.u_emit.meet_valid , \u_dut.u_emit.kept_valid , \u_dut.u_emit.pick_valid , \u_dut.u_emit.target_valid , \u_dut.u_emit.move_valid ;
  (* hierconn *) wire [7:0]  \u_dut.u_emit.line_squares , \u_dut.u_emit.meet_squares , \u_dut.u_emit.kept_squares , \u_dut.u_emit.pick_squares , \u_dut.u_emit.meet_passes ;
  (* hierconn *) wire [1:0]  \u_dut.u_emit.line_axis , \u_dut.u_emit.meet_axis , \u_dut.u_emit.kept_axis , \u_dut.u_emit.pick_axis , \u_dut.u_emit.pick_piece ;
  (* hierconn *) wire [2:0]  \u_dut.u_emit.line_number , \u_dut.u_emit.meet_number , \u_dut.u_emit.kept_number , \u_dut.u_emit.pick_number ;
  (* hierconn *) wire [2:0]  \u_dut.u_emit.line_kind , \u_dut.u_emit.meet_kind , \u_dut.u_emit.kept_kind , \u_dut.u_emit.pick_kind ;
  (* hierconn *) wire [5:0]  \u_dut.u_emit.line_square , \u_dut.u_emit.meet_square , \u_dut.u_emit.kept_square , \u_dut.u_emit.pick_square ;
  (* hierconn *) wire        \u_dut.u_emit.line_promotes , \u_dut.u_emit.meet_promotes , \u_dut.u_emit.kept_promotes ;
  (* hierconn *) wire        \u_dut.u_emit.line_side , \u_dut.u_emit.meet_side , \u_dut.u_emit.kept_side ;
  (* hierconn *) wire        \u_dut.u_emit.check_q ;
  (* hierconn *) wire        \u_dut.u_emit.target_last , \u_dut.u_emit.target_check , \u_dut.u_emit.target_king , \u_dut.u_emit.target_promotes , \u_dut.u_emit.target_side ;
  (* hierconn *) wire [5:0]  \u_dut.u_emit.target_square , \u_dut.u_emit.target_from ;
  (* hierconn *) wire [2:0]  \u_dut.u_emit.target_at , \u_dut.u_emit.target_number ;
  (* hierconn *) wire [1:0]  \u_dut.u_emit.target_axis , \u_dut.u_emit.target_piece ;
  (* hierconn *) wire        \u_dut.u_emit.move_last , \u_dut.u_emit.move_check ;
  (* hierconn *) wire [5:0]  \u_dut.u_emit.move_from , \u_dut.u_emit.move_to ;
  (* hierconn *) wire [2:0]  \u_dut.u_emit.move_promotion ;

  // ---- the judge: an entry, its lines, their squares ----
  wire [47:0] q = \u_dut.entry ;
  integer     j, a, t;

  function one8(input [7:0] b);
    one8 = b != 8'd0 && (b & (b - 8'd1)) == 8'd0;
  endfunction
  // The squares of a line through a centre that are on the board.
  function [7:0] onboard(input [1:0] axis, input [2:0] row, input [2:0] file);
    integer k, r;
    for (k = 0; k < 8; k = k + 1) begin
      r = axis == 2'd1 ? row + k - file : axis == 2'd3 ? row + file - k : 0;
      onboard[k] = r >= 0 && r <= 7;
    end
  endfunction
  // The number of an entry's line: its row, its file, row - file or row + file. A knight's is the next row or file.
  function [2:0] number(input [2:0] kind, input [5:0] centre, input [1:0] axis);
    reg [2:0] row, file;
    begin
      row = centre[5:3] + (kind == UP ? 3'd1 : kind == DOWN ? 3'd7 : 3'd0);
      file = centre[2:0] + (kind == UP ? 3'd1 : kind == DOWN ? 3'd7 : 3'd0);
      number = axis == 2'd0 ? row : axis == 2'd1 ? row - file : axis == 2'd2 ? file : row + file;
    end
  endfunction
  // Square k of a line.
  function [5:0] square(input [1:0] axis, input [2:0] line, input [2:0] k);
    reg [2:0] up, down;
    begin
      up = line + k;
      down = line - k;
      square = axis == 2'd0 ? {line, k} : axis == 2'd1 ? {up, k} : axis == 2'd2 ? {k, line} : {down, k};
    end
  endfunction
  // The form of an entry.
  function form(input [47:0] entry);
    reg [3:0]   some;
    reg [7:0]   may;
    integer     k, d;
    begin
      form = 1'b1;
      for (k = 0; k < 4; k = k + 1) some[k] = entry[8*k +: 8] != 8'd0;
      if (entry[45:43] == KING || entry[45:43] == OVER) some = 4'd1;
      if (entry[41:38] != some || some == 4'd0 || entry[47] != one8({4'd0, some})) form = 1'b0;
      for (k = 0; k < 4; k = k + 1) begin
        may = onboard(k[1:0], entry[37:35], entry[34:32]);
        for (d = 0; d < 8; d = d + 1) case (entry[45:43])
          LINES: begin
            // Not the centre. A pawn on the seventh row goes one square up.
            if (d == (k == 2 ? entry[37:35] : entry[34:32])) may[d] = 1'b0;
            if (entry[46] && (entry[37:35] != 3'd6 || k == 0
                              || d != (k == 2 ? 7 : k == 1 ? entry[34:32] + 1 : entry[34:32] - 1))) may[d] = 1'b0;
          end
          // A knight's: in the next row two files away, in the next file two rows away.
          UP, DOWN: may[d] = k == 0 ? entry[37:35] != (entry[43] ? 3'd7 : 3'd0) && (d == entry[34:32] + 2 || d == entry[34:32] - 2)
                             : k == 2 && entry[34:32] != (entry[43] ? 3'd7 : 3'd0) && (d == entry[37:35] + 2 || d == entry[37:35] - 2);
          FREE: if (k == 0 || k == 2 || d == entry[34:32]) may[d] = 1'b0;
          KNIGHT: if (k != 0) may[d] = 1'b0;
          default: ;
        endcase
        if (entry[45:43] != KING && entry[45:43] != OVER && (entry[8*k +: 8] & ~may) != 8'd0) form = 1'b0;
      end
    end
  endfunction

  // ---- what is read: the entry that is followed ----
  wire        take = \u_dut.u_emit.taken ;
  wire        q_lead = q[45:43] == SLIDER || q[45:43] == KNIGHT;

  reg  [47:0] f_entry;    // the entry that is followed
  reg         f_checked;  // its m_check
  reg  [31:0] f_passes;   // of its targets, which pass the check
  reg         f_q;        // it is in register entry, with lines still to be read
  reg  [31:0] f_left;     // its targets that are still to come out
  reg  [1:0]  f_piece;    // of a promotion, the piece that comes next
  reg  [3:0]  f_line;     // stages line to pick: of the entry that is followed
  reg  [3:0]  f_any;      // of any entry
  reg  [2:0]  f_beat, f_from; // stages target, move, m, in the same way
  reg  [4:0]  f_n_at, f_o_at; // the targets of the beats
  reg  [1:0]  f_n_piece, f_o_piece;
  wire        q_whole = q[45:43] == KING || q[45:43] == OVER;
  wire        whole = f_entry[45:43] == KING || f_entry[45:43] == OVER;
  wire        lead = f_entry[45:43] == SLIDER || f_entry[45:43] == KNIGHT;
  wire        promotes = f_entry[46] && f_entry[45:43] == LINES;
  wire        quiet = !f_q && f_line == 4'd0 && f_beat == 3'd0;
  wire        starts = take && \u_dut.u_emit.fresh_q && pick && quiet;
  wire        follow = take && (starts || f_q);
  wire        h_lead = \u_dut.u_emit.pick_kind == SLIDER || \u_dut.u_emit.pick_kind == KNIGHT;
  wire        h_moves = !h_lead && (\u_dut.u_emit.pick_kind == KING || \u_dut.u_emit.pick_kind == OVER || \u_dut.u_emit.pick_squares != 8'd0);
  reg  [2:0]  h_at;
  always @* begin
    h_at = 3'd0;
    for (t = 7; t >= 0; t = t - 1) if (\u_dut.u_emit.pick_squares [t]) h_at = t[2:0];
  end
  wire        comes = m_valid && m_ready && f_beat[2];

  always @(posedge clk) begin
    f_started <= 1'b1;
    if (starts) begin
      f_entry <= q;
      f_checked <= checked;
      f_passes <= passes;
      f_left <= q_whole ? 32'd1 : q_lead ? 32'd0 : q[31:0] & passes;
      f_piece <= 2'd0;
    end else if (comes) begin
      f_piece <= promotes ? f_piece + 2'd1 : 2'd0;
      if (!promotes || f_piece == 2'd3) f_left <= f_left & (f_left - 32'd1);
    end
    f_q <= (follow || f_q) && ! \u_dut.entry_next ;
    if (\u_dut.u_emit.lines_go ) begin
      f_line <= {f_line[2:0], follow};
      f_any <= {f_any[2:0], take};
    end
    if (\u_dut.u_emit.beats_go ) begin
      f_beat <= {f_beat[1:0], f_line[3] && h_moves};
      f_from <= {f_from[1:0], f_any[3]};
      {f_o_at, f_n_at} <= {f_n_at, \u_dut.u_emit.target_axis , \u_dut.u_emit.target_at };
      {f_o_piece, f_n_piece} <= {f_n_piece, \u_dut.u_emit.target_piece };
    end
    if (rst) begin
      f_q <= 1'b0;
      {f_line, f_any} <= 8'd0;
      {f_beat, f_from} <= 6'd0;
      f_left <= 32'd0;
      f_piece <= 2'd0;
    end
  end

  // ---- the theorem: the beat that comes is the next of the entry that is followed ----
  wire [5:0]  flip = {{3{f_entry[42]}}, 3'd0};
  reg  [4:0]  first;
  always @* begin
    first = 5'd0;
    for (t = 31; t >= 0; t = t - 1) if (f_left[t]) first = t[4:0];
  end
  wire [5:0]  from = (f_entry[45:43] == KING ? f_entry[5:0] : f_entry[37:32]) ^ flip;
  wire [5:0]  to = (f_entry[45:43] == KING ? f_entry[37:32] : square(f_o_at[4:3], number(f_entry[45:43], f_entry[37:32], f_o_at[4:3]), f_o_at[2:0])) ^ flip;
  wire [10:0] index;
  wire        is_move;
  ply11_encode u_encode (.from(from), .to(to), .promotion(promotes ? {1'b1, f_o_piece} : 3'd0), .index(index), .is_move(is_move));

  always @* if (f_started && !rst) begin
    assume (! \u_dut.entry_valid || form(q));
    assume (!f_line[1] || lead || \u_dut.u_emit.meet_passes == (whole ? 8'd255 : f_passes[8 * \u_dut.u_emit.meet_axis +: 8]));
    assume (!f_line[3] || lead || \u_dut.u_emit.check_q == f_checked);
    if (m_valid) begin
      a_from: assert (f_from[2]);
      if (f_beat[2]) begin
        a_due: assert (f_left != 32'd0 && !lead);
        a_next: assert (whole || (f_o_at == first && (!promotes || f_o_piece == f_piece)));
        a_last: assert (m_last == (f_entry[45:43] == OVER));
        a_index: assert (m_last ? m_index == 11'd2047 : !is_move || m_index == index);
        a_move: assert (is_move || whole);
        a_check: assert (m_check == f_checked);
      end
    end
    a_all: assert (!quiet || f_left == 32'd0);
  end

  // ---- what the induction needs ----
  // The lines in stages line, meet, kept and pick, the newest first.
  wire [3:0]  l_valid = {\u_dut.u_emit.pick_valid , \u_dut.u_emit.kept_valid , \u_dut.u_emit.meet_valid , \u_dut.u_emit.line_valid };
  wire [11:0] l_kinds = {\u_dut.u_emit.pick_kind , \u_dut.u_emit.kept_kind , \u_dut.u_emit.meet_kind , \u_dut.u_emit.line_kind };
  wire [7:0]  l_axes = {\u_dut.u_emit.pick_axis , \u_dut.u_emit.kept_axis , \u_dut.u_emit.meet_axis , \u_dut.u_emit.line_axis };
  wire [11:0] l_lines = {\u_dut.u_emit.pick_number , \u_dut.u_emit.kept_number , \u_dut.u_emit.meet_number , \u_dut.u_emit.line_number };
  wire [23:0] l_squares = {\u_dut.u_emit.pick_square , \u_dut.u_emit.kept_square , \u_dut.u_emit.meet_square , \u_dut.u_emit.line_square };
  wire [3:0]  l_sides = {\u_dut.u_emit.pick_side , \u_dut.u_emit.kept_side , \u_dut.u_emit.meet_side , \u_dut.u_emit.line_side };
  wire [2:0]  l_promotes = {\u_dut.u_emit.kept_promotes , \u_dut.u_emit.meet_promotes , \u_dut.u_emit.line_promotes };
  wire [7:0]  g_after = \u_dut.u_emit.meet_squares & \u_dut.u_emit.meet_passes ;
  wire [31:0] l_bits = {\u_dut.u_emit.pick_squares , \u_dut.u_emit.kept_squares , g_after, \u_dut.u_emit.line_squares };
  wire [2:0]  m_valids = {m_valid, \u_dut.u_emit.move_valid , \u_dut.u_emit.target_valid };
  wire [14:0] m_ats = {f_o_at, f_n_at, \u_dut.u_emit.target_axis , \u_dut.u_emit.target_at };
  wire [5:0]  m_pieces = {f_o_piece, f_n_piece, \u_dut.u_emit.target_piece };

  // From what is to come take away what each stage has, the oldest first.
  reg  [31:0] r;
  reg  [1:0]  p, ax;
  reg  [4:0]  low;
  reg         agrees;
  reg  [7:0]  due;
  always @* begin
    r = f_left;
    p = f_piece;
    agrees = 1'b1;
    for (j = 2; j >= 0; j = j - 1) if (f_beat[j]) begin
      low = 5'd0;
      for (t = 31; t >= 0; t = t - 1) if (r[t]) low = t[4:0];
      if (!m_valids[j] || r == 32'd0 || (!whole && m_ats[5*j +: 5] != low) || (promotes && m_pieces[2*j +: 2] != p)) agrees = 1'b0;
      if (!promotes || p == 2'd3) r = r & (r - 32'd1);
      if (promotes) p = p + 2'd1;
    end
    for (j = 3; j >= 0; j = j - 1) if (f_line[j]) begin
      ax = l_axes[2*j +: 2];
      if (!l_valid[j] || l_kinds[3*j +: 3] != f_entry[45:43] || l_squares[6*j +: 6] != f_entry[37:32] || l_sides[j] != f_entry[42])
        agrees = 1'b0;
      if (l_lines[3*j +: 3] != number(f_entry[45:43], f_entry[37:32], ax))
        agrees = 1'b0;
      if (j == 3 ? p != (promotes && \u_dut.u_emit.pick_squares != 8'd0 ? \u_dut.u_emit.pick_piece : 2'd0) || \u_dut.u_emit.pick_promotes != (promotes && \u_dut.u_emit.pick_squares != 8'd0)
                 : p != 2'd0 || l_promotes[j] != f_entry[46]) agrees = 1'b0;
      if (whole) begin
        if (r != 32'd1 || ax != 2'd0 || (f_entry[45:43] == KING && l_bits[8*j +: 8] != f_entry[7:0])) agrees = 1'b0;
        r = 32'd0;
      end else if (!lead) begin
        due = r[8*ax +: 8];
        r[8*ax +: 8] = 8'd0;
        if (j == 0 ? l_bits[7:0] != f_entry[8*ax +: 8] || due != (l_bits[7:0] & f_passes[8*ax +: 8]) : due != l_bits[8*j +: 8]) agrees = 1'b0;
        // Nothing of the axes before is left.
        for (a = 0; a < 4; a = a + 1) if (a < ax && r[8*a +: 8] != 8'd0) agrees = 1'b0;
      end
      p = 2'd0;
    end
    if (p != 2'd0) agrees = 1'b0;
    for (a = 0; a < 4; a = a + 1)
      if (r[8*a +: 8] != (f_q && !lead && \u_dut.u_emit.axes_left_q [a] ? f_entry[8*a +: 8] & f_passes[8*a +: 8] : 8'd0)) agrees = 1'b0;
  end

  wire [3:0]  left = \u_dut.u_emit.axes_left_q ;
  always @* if (f_started && !rst) begin
    a_fresh: assert (\u_dut.u_emit.fresh_q || (\u_dut.entry_valid && left != 4'd0 && \u_dut.u_emit.axes_one_q == one8({4'd0, left})
                     && (left & ~q[41:38]) == 4'd0 && (left & -q[41:38] & q[41:38]) == 4'd0));
    a_late: assert (! \u_dut.late_q || (\u_dut.u_emit.fresh_q && ! \u_dut.entry_valid && ! \u_dut.fetch_valid && l_valid == 4'd0));
    a_q: assert (!f_q || (\u_dut.entry_valid && ! \u_dut.u_emit.fresh_q && q == f_entry));
    a_left: assert (lead ? f_left == 32'd0 : whole ? f_left <= 32'd1 : (f_left & ~(f_entry[31:0] & f_passes)) == 32'd0);
    a_form: assert (quiet || form(f_entry));
    a_lines: assert (l_valid == f_any && (f_line & ~f_any) == 4'd0);
    a_beats: assert ((m_valids & ~f_from) == 3'd0 && (f_beat & ~m_valids) == 3'd0);
    a_agrees: assert (agrees);
    a_h_one: assert (\u_dut.u_emit.pick_one == (!l_valid[3] || \u_dut.u_emit.pick_kind == KING || \u_dut.u_emit.pick_kind == OVER || h_lead
                                      || (\u_dut.u_emit.pick_squares & (\u_dut.u_emit.pick_squares - 8'd1)) == 8'd0));
    a_h_piece: assert (!(\u_dut.u_emit.pick_promotes ) || (l_valid[3] && \u_dut.u_emit.pick_kind == LINES && \u_dut.u_emit.pick_squares != 8'd0));
    if (f_beat != 3'd0) a_checked: assert (!lead);
    if (f_beat[0]) a_i: assert ({\u_dut.u_emit.target_last , \u_dut.u_emit.target_king , \u_dut.u_emit.target_promotes , \u_dut.u_emit.target_square , \u_dut.u_emit.target_side , \u_dut.u_emit.target_check }
                                == {f_entry[45:43] == OVER, f_entry[45:43] == KING, promotes, f_entry[37:32], f_entry[42], f_checked}
                                && (f_entry[45:43] != KING || \u_dut.u_emit.target_from == f_entry[5:0])
                                && (whole || \u_dut.u_emit.target_number == number(f_entry[45:43], f_entry[37:32], \u_dut.u_emit.target_axis )));
    if (f_beat[1]) a_n: assert ({\u_dut.u_emit.move_last , \u_dut.u_emit.move_check } == {f_entry[45:43] == OVER, f_checked}
                                && (f_entry[45:43] == OVER
                                    || ({\u_dut.u_emit.move_from , \u_dut.u_emit.move_promotion } == {from, promotes ? {1'b1, f_n_piece} : 3'd0}
                                        && \u_dut.u_emit.move_to == ((f_entry[45:43] == KING ? f_entry[37:32]
                                           : square(f_n_at[4:3], number(f_entry[45:43], f_entry[37:32], f_n_at[4:3]), f_n_at[2:0])) ^ flip))));
  end

endmodule

`resetall
