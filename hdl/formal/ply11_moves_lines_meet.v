// SPDX-License-Identifier: Apache-2.0
// What passes a check in ply11_moves, for all time from a reset on, for any position, back-pressure and entries of the FIFO. An entry's
// check is what the lines of those tell who give check (SLIDER, KNIGHT), of all that were read since the last OVER before it. No
// such line: there is no check. One: its squares end the check, and one piece gives it; but a KNIGHT's line must have one piece.
// Otherwise no square ends it.
//  1. Of a line in stage meet those squares pass (meet_passes) that end its entry's check. All pass without a check, of an entry of the king
//     or of the end, and en passant if the pawn that is taken gives the check alone.
//  2. In stage pick the register check_q, of which m_check is made, tells whether its entry has a check.
// Both are said of lines of moves and of the end, and of one square, any (f_square). The judge looks the square up on the board, without a
// word on where two lines meet. ply11_moves_lines proves what beats come then.
// What the memory of the FIFO gives is free, but assumed to have the form of an entry: its axes are those with a square, and it tells if
// there is one alone. The wires with dots are those of the instance (hierconn).

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_moves_lines_meet (
  input  wire         clk,
  input  wire         reset,
  input  wire         s_valid,
  input  wire [255:0] board,
  input  wire         side,
  input  wire [3:0]   rights,
  input  wire [3:0]   ep,
  input  wire         m_ready,
  input  wire [5:0]   any_square
);

  reg          f_started;
  initial f_started = 1'b0;
  wire         rst = !f_started || reset;
  ply11_moves u_dut (
    .clk(clk), .rst(rst), .s_valid(s_valid), .s_ready(), .board(board), .side(side), .rights(rights), .ep(ep),
    .m_valid(), .m_ready(m_ready), .m_index(), .m_last(), .m_count(), .m_check(), .m_mate(), .m_stalemate()
  );

  localparam [2:0] UP = 3'd1, DOWN = 3'd2, KING = 3'd3, SLIDER = 3'd4, KNIGHT = 3'd5, OVER = 3'd6, FREE = 3'd7;
  (* hierconn *) wire [47:0] \u_dut.entry ;
  (* hierconn *) wire        \u_dut.entry_valid , \u_dut.fetch_valid , \u_dut.u_emit.fresh_q , \u_dut.u_emit.axes_one_q , \u_dut.u_emit.taken , \u_dut.late_q , \u_dut.u_emit.lines_go ;
  (* hierconn *) wire [3:0]  \u_dut.u_emit.axes_left_q ;
  (* hierconn *) wire        \u_dut.u_emit.line_valid , \u_dut.u_emit.meet_valid , \u_dut.u_emit.kept_valid , \u_dut.u_emit.pick_valid , \u_dut.u_emit.pick_one ;
  (* hierconn *) wire        \u_dut.u_emit.line_holds , \u_dut.u_emit.meet_holds , \u_dut.u_emit.kept_holds , \u_dut.u_emit.pick_holds ;
  (* hierconn *) wire [2:0]  \u_dut.u_emit.line_kind , \u_dut.u_emit.meet_kind , \u_dut.u_emit.kept_kind , \u_dut.u_emit.pick_kind ;
  (* hierconn *) wire [7:0]  \u_dut.u_emit.line_squares , \u_dut.u_emit.meet_squares , \u_dut.u_emit.kept_squares , \u_dut.u_emit.pick_squares , \u_dut.u_emit.meet_passes , \u_dut.u_emit.check_squares_q ;
  (* hierconn *) wire [1:0]  \u_dut.u_emit.line_axis , \u_dut.u_emit.meet_axis , \u_dut.u_emit.kept_axis , \u_dut.u_emit.pick_axis , \u_dut.u_emit.check_axis_q ;
  (* hierconn *) wire [2:0]  \u_dut.u_emit.line_number , \u_dut.u_emit.meet_number , \u_dut.u_emit.kept_number , \u_dut.u_emit.pick_number , \u_dut.u_emit.check_number_q ;
  (* hierconn *) wire        \u_dut.u_emit.meet_promotes , \u_dut.u_emit.pick_promotes , \u_dut.u_emit.check_q , \u_dut.u_emit.check_one_q ;

  function one8(input [7:0] b);
    one8 = b != 8'd0 && (b & (b - 8'd1)) == 8'd0;
  endfunction
  function leads(input [2:0] kind);
    leads = kind == SLIDER || kind == KNIGHT;
  endfunction
  // The number of a square's line: its row, its file, row - file or row + file. And whether a square is in a set of a line's.
  function [2:0] number(input [5:0] square, input [1:0] axis);
    number = axis == 2'd0 ? square[5:3] : axis == 2'd1 ? square[5:3] - square[2:0]
             : axis == 2'd2 ? square[2:0] : square[5:3] + square[2:0];
  endfunction
  function in(input [5:0] square, input [1:0] axis, input [2:0] line, input [7:0] bits);
    in = line == number(square, axis) && bits[axis == 2'd2 ? square[5:3] : square[2:0]];
  endfunction
  // The form of an entry.
  function form(input [47:0] entry);
    reg [3:0] some;
    begin
      some = entry[45:43] == KING || entry[45:43] == OVER ? 4'd1
             : {entry[31:24] != 8'd0, entry[23:16] != 8'd0, entry[15:8] != 8'd0, entry[7:0] != 8'd0};
      form = entry[41:38] == some && some != 4'd0 && entry[47] == one8({4'd0, some});
    end
  endfunction
  // The check after one more line of those who give it. A check: {there is one, one piece gives it, f_square ends it}.
  function [2:0] checked(input [2:0] before, input slides, input [7:0] bits, input ends);
    checked = !before[2] && (slides || one8(bits)) ? {2'b11, ends} : 3'b100;
  endfunction

  // ---- what is read ----
  reg  [5:0]  f_square;   // the same from a reset on
  wire [47:0] q = \u_dut.entry ;
  wire        take = \u_dut.u_emit.taken ;
  wire [3:0]  axes = \u_dut.u_emit.fresh_q ? q[41:38] : \u_dut.u_emit.axes_left_q ;
  wire [1:0]  axis = axes[0] ? 2'd0 : axes[1] ? 2'd1 : axes[2] ? 2'd2 : 2'd3;
  wire [7:0]  q_bits = q[8*axis +: 8];
  wire [2:0]  q_line = number(q[37:32], axis);

  reg  [2:0]  f_check;    // the check by what was read
  reg  [2:0]  f_begun;    // the same when the first line of q was read
  reg  [11:0] f_checks;   // of stages line to pick: their entry's check
  wire [2:0]  q_check = \u_dut.u_emit.fresh_q ? f_check : f_begun;
  always @(posedge clk) begin
    f_started <= 1'b1;
    if (rst) f_square <= any_square;
    if (take) begin
      f_begun <= q_check;
      if (leads(q[45:43])) f_check <= checked(f_check, q[45:43] == SLIDER, q_bits, in(f_square, axis, q_line, q_bits));
      if (q[45:43] == OVER) f_check <= 3'd0;
    end
    if (\u_dut.u_emit.lines_go ) f_checks <= {f_checks[8:0], q_check};
    if (rst) f_check <= 3'd0;
  end

  // ---- the lines on their way ----
  // The lines in stages line, meet, kept and pick, the newest first.
  wire [3:0]  l_valid = {\u_dut.u_emit.pick_valid , \u_dut.u_emit.kept_valid , \u_dut.u_emit.meet_valid , \u_dut.u_emit.line_valid };
  wire [3:0]  l_holds = {\u_dut.u_emit.pick_holds , \u_dut.u_emit.kept_holds , \u_dut.u_emit.meet_holds , \u_dut.u_emit.line_holds };
  wire [11:0] l_kinds = {\u_dut.u_emit.pick_kind , \u_dut.u_emit.kept_kind , \u_dut.u_emit.meet_kind , \u_dut.u_emit.line_kind };
  wire [7:0]  l_axes = {\u_dut.u_emit.pick_axis , \u_dut.u_emit.kept_axis , \u_dut.u_emit.meet_axis , \u_dut.u_emit.line_axis };
  wire [11:0] l_lines = {\u_dut.u_emit.pick_number , \u_dut.u_emit.kept_number , \u_dut.u_emit.meet_number , \u_dut.u_emit.line_number };
  wire [7:0]  g_after = \u_dut.u_emit.meet_squares & \u_dut.u_emit.meet_passes ;
  wire [31:0] l_bits = {\u_dut.u_emit.pick_squares , \u_dut.u_emit.kept_squares , g_after, \u_dut.u_emit.line_squares };
  // The check by the registers, and after the line that changes it, if one is on its way.
  wire [2:0]  told = ! \u_dut.u_emit.check_q ? 3'd0
                     : {1'b1, \u_dut.u_emit.check_one_q , in(f_square, \u_dut.u_emit.check_axis_q , \u_dut.u_emit.check_number_q , \u_dut.u_emit.check_squares_q )};
  reg  [2:0]  tells;
  reg         held;       // who gives check goes alone, and the end of a position in check
  reg         some;       // a line of who gives the first check has a square
  reg         same, passes, meets;
  reg  [2:0]  line, row, file;
  integer     a, j, t;
  always @* begin
    held = 1'b1;
    same = 1'b1;
    some = 1'b1;
    tells = told;
    for (j = 0; j < 4; j = j + 1) begin
      if (l_valid[j] && l_holds[j] != (leads(l_kinds[3*j +: 3]) || (l_kinds[3*j +: 3] == OVER && \u_dut.u_emit.check_q ))) held = 1'b0;
      if (l_holds[j] && !l_valid[j]) held = 1'b0;
      for (a = 0; a < j; a = a + 1) if (l_valid[j] && l_holds[j] && l_valid[a]) held = 1'b0;
      if (l_holds[j]) tells = l_kinds[3*j +: 3] == OVER ? 3'd0
        : checked(told, l_kinds[3*j +: 3] == SLIDER, l_bits[8*j +: 8],
                  in(f_square, l_axes[2*j +: 2], l_lines[3*j +: 3], l_bits[8*j +: 8]));
      if (l_holds[j] && l_kinds[3*j +: 3] != OVER && ! \u_dut.u_emit.check_q && l_bits[8*j +: 8] == 8'd0) some = 1'b0;
      if (l_valid[j] && !leads(l_kinds[3*j +: 3]) && f_checks[3*j +: 3] != told) same = 1'b0;
    end
    passes = 1'b1;
    meets = 1'b1;
    line = \u_dut.u_emit.meet_number ;
    for (t = 0; t < 8; t = t + 1) begin
      // Square t of the line: where it is on the board.
      row = \u_dut.u_emit.meet_axis == 2'd0 ? line : \u_dut.u_emit.meet_axis == 2'd1 ? line + t[2:0] : \u_dut.u_emit.meet_axis == 2'd2 ? t[2:0] : line - t[2:0];
      file = \u_dut.u_emit.meet_axis == 2'd2 ? line : t[2:0];
      if ({row, file} == f_square && \u_dut.u_emit.meet_passes [t] != (!f_checks[5] || \u_dut.u_emit.meet_kind == KING || \u_dut.u_emit.meet_kind == OVER
          || (\u_dut.u_emit.meet_kind == FREE && \u_dut.u_emit.meet_promotes && f_checks[4]) || f_checks[3])) passes = 1'b0;
      // The same by the registers, for the induction.
      if (\u_dut.u_emit.meet_passes [t] != (! \u_dut.u_emit.check_q || \u_dut.u_emit.meet_kind == KING || \u_dut.u_emit.meet_kind == OVER
                             || (\u_dut.u_emit.meet_kind == FREE && \u_dut.u_emit.meet_promotes && \u_dut.u_emit.check_one_q )
                             || in({row, file}, \u_dut.u_emit.check_axis_q , \u_dut.u_emit.check_number_q , \u_dut.u_emit.check_squares_q ))) meets = 1'b0;
    end
  end

  wire [3:0]  left = \u_dut.u_emit.axes_left_q ;
  always @* if (f_started && !rst) begin
    assume (! \u_dut.entry_valid || form(q));
    a_passes: assert (! \u_dut.u_emit.meet_valid || leads(\u_dut.u_emit.meet_kind ) || passes);
    a_check: assert (! \u_dut.u_emit.pick_valid || leads(\u_dut.u_emit.pick_kind ) || \u_dut.u_emit.check_q == f_checks[11]);

    // What the induction needs.
    a_fresh: assert (\u_dut.u_emit.fresh_q || (\u_dut.entry_valid && left != 4'd0 && \u_dut.u_emit.axes_one_q == one8({4'd0, left})
                     && (left & ~q[41:38]) == 4'd0));
    a_late: assert (! \u_dut.late_q || (\u_dut.u_emit.fresh_q && ! \u_dut.entry_valid && ! \u_dut.fetch_valid && l_valid == 4'd0));
    a_begun: assert (\u_dut.u_emit.fresh_q || leads(q[45:43]) || f_begun == f_check);
    a_held: assert (held);
    a_meets: assert (! \u_dut.u_emit.meet_valid || meets);
    a_tells: assert (f_check == tells);
    a_some: assert (some);
    a_same: assert (same);
    a_h_one: assert (\u_dut.u_emit.pick_one || (\u_dut.u_emit.pick_valid && !leads(\u_dut.u_emit.pick_kind ) && \u_dut.u_emit.pick_kind != OVER));
    a_h_promotes: assert (! \u_dut.u_emit.pick_promotes || (\u_dut.u_emit.pick_valid && \u_dut.u_emit.pick_kind == 3'd0));
  end

endmodule

`resetall
